// Beside the Runs table: the current run's state, tags and notes.
#include "app/window/runs/run_details.h"

#include <QPlainTextEdit>

#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/icon_label.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int saveAfter = 800;  // milliseconds without a key

}  // namespace

RunDetails::RunDetails(Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench) {
  setProperty("look", "card");
  setFixedWidth(244);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(16, 14, 16, 14);
  hint_ = makeWrapped("Select a run to see and edit its notes.", "soft", this);
  hint_->setAlignment(Qt::AlignTop);
  outer->addWidget(hint_);
  content_ = new QWidget(this);
  auto* column = new QVBoxLayout(content_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  name_ = makeWrapped({}, "heading", content_);
  column->addWidget(name_);
  state_ = new IconLabel("state-queued", {}, {}, content_);
  column->addWidget(state_);
  reason_ = makeWrapped({}, "small", content_);
  reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(reason_);
  changed_ = makeWrapped({}, "small", content_);
  column->addWidget(changed_);
  auto* tags = new QWidget(content_);
  tags_ = new FlowLayout(4, tags);
  column->addWidget(tags);
  column->addWidget(makeLabel("Notes", "small", content_));
  notes_ = new QPlainTextEdit(content_);
  notes_->setObjectName("runNotes");
  notes_->setAccessibleName("Notes");
  notes_->setPlaceholderText("What was tried, what was seen");
  notes_->setTabChangesFocus(true);
  column->addWidget(notes_, 1);
  outer->addWidget(content_, 1);
  content_->hide();
  save_timer_.setSingleShot(true);
  save_timer_.setInterval(saveAfter);
  connect(&save_timer_, &QTimer::timeout, this, &RunDetails::saveNotes);
  connect(notes_, &QPlainTextEdit::textChanged, &save_timer_, qOverload<>(&QTimer::start));
}

RunDetails::~RunDetails() {
  saveNotes();
}

void RunDetails::show(const Run* run, const QString& changed) {
  const std::int64_t id = run == nullptr ? 0 : run->id;
  if (id != id_) saveNotes();
  content_->setVisible(run != nullptr);
  hint_->setVisible(run == nullptr);
  if (run == nullptr) {
    id_ = 0;
    return;
  }
  name_->setText(QString::fromStdString(run->name));
  state_->set(stateIcon(run->state), stateWord(run->state), stateTone(run->state));
  reason_->setText(QString::fromStdString(run->reason));
  reason_->setVisible(!run->reason.empty());
  changed_->setText(changed.isEmpty() ? QString("Preset %1 unchanged, seed %2")
                                            .arg(QString::fromStdString(run->preset))
                                            .arg(run->seed)
                                      : changed);
  showTags(*run);
  const QString notes = QString::fromStdString(run->notes);
  // While a person types, what another window wrote waits.
  if (id != id_ || (notes != saved_ && !notes_->hasFocus())) {
    const QSignalBlocker quiet(notes_);
    notes_->setPlainText(notes);
    saved_ = notes;
  }
  id_ = id;
}

void RunDetails::showTags(const Run& run) {
  clearLayout(tags_);
  for (const std::string& tag : run.tags) {
    const QString text = QString::fromStdString(tag);
    QPushButton* const pill = makeButton(text + "  ×", "tag_" + text, "pill", this);
    pill->setToolTip("Remove the tag");
    pill->setAccessibleName("Remove tag " + text);
    connect(pill, &QPushButton::clicked, this,
            [this, tag, id = run.id] { workbench_.log().remove_tag({id}, tag); });
    tags_->addWidget(pill);
  }
}

void RunDetails::saveNotes() {
  save_timer_.stop();
  if (id_ == 0 || notes_->toPlainText() == saved_) return;
  try {
    workbench_.log().set_notes(id_, notes_->toPlainText().toStdString());
    saved_ = notes_->toPlainText();
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
