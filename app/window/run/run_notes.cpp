// Notes and lineage of a run; see run_facts.h.
#include <QPlainTextEdit>
#include <QTextBrowser>
#include <QTimer>

#include "app/window/run/run_facts.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {
constexpr int save_after_milliseconds = 800;
const QTextDocument::MarkdownFeatures markdown(QTextDocument::MarkdownDialectGitHub |
                                               QTextDocument::MarkdownNoHTML);
}  // namespace

RunNotes::RunNotes(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), saving_(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(16);
  QFrame* const lineage = makeCard(this);
  auto* row = new QHBoxLayout(lineage);
  row->setContentsMargins(15, 12, 15, 12);
  parent_ = makeWrapped({}, {}, lineage);
  row->addWidget(parent_, 1);
  open_parent_ = makeButton(tr("Open it"), "open_parent", {}, lineage);
  row->addWidget(open_parent_);
  column->addWidget(lineage);
  connect(open_parent_, &QPushButton::clicked, this,
          [this]() { workbench_.openRun(QString::fromStdString(run_.parent)); });

  QFrame* const card = makeCard(this);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(15, 12, 15, 12);
  inner->addWidget(makeLabel(tr("Notes"), "heading", card));
  auto* halves = new QHBoxLayout;
  halves->setSpacing(16);
  edit_ = new QPlainTextEdit(card);
  edit_->setObjectName("notes");
  edit_->setAccessibleName(tr("Notes"));
  edit_->setPlaceholderText(tr("What you expected, what came out, what to try next. Markdown."));
  edit_->setMinimumHeight(280);
  preview_ = new QTextBrowser(card);
  preview_->setProperty("look", "bare");
  preview_->setOpenExternalLinks(true);
  preview_->setAccessibleName(tr("Notes as they read"));
  halves->addWidget(edit_, 1);
  halves->addWidget(preview_, 1);
  inner->addLayout(halves);
  column->addWidget(card);
  column->addStretch(1);
  saving_->setSingleShot(true);
  saving_->setInterval(save_after_milliseconds);
  connect(saving_, &QTimer::timeout, this, &RunNotes::save);
  connect(edit_, &QPlainTextEdit::textChanged, this, [this]() {
    preview_->document()->setMarkdown(edit_->toPlainText(), markdown);
    saving_->start();
  });
}

void RunNotes::show(const Run& run) {
  const bool other = run.id != run_.id;
  if (other) save();
  const bool clean = !saving_->isActive();
  run_ = run;
  // What another window wrote comes in, unless it is being written here.
  const QString stored = QString::fromStdString(run.notes);
  if (other || (clean && !edit_->hasFocus() && edit_->toPlainText() != stored)) {
    const QSignalBlocker quiet(edit_);
    edit_->setPlainText(stored);
    preview_->document()->setMarkdown(stored, markdown);
  }
  open_parent_->setVisible(!run.parent.empty());
  QStringList lines;
  lines << (run.parent.empty() ? tr("Not copied from another run.")
                               : tr("Copied from run %1.").arg(QString::fromStdString(run.parent)));
  if (!run.group.empty()) lines << tr("Group: %1.").arg(QString::fromStdString(run.group));
  if (!run.tags.empty()) {
    QStringList tags;
    for (const std::string& tag : run.tags) tags << QString::fromStdString(tag);
    lines << tr("Tags: %1.").arg(tags.join(", "));
  }
  parent_->setText(lines.join("  "));
}

void RunNotes::save() {
  saving_->stop();
  if (run_.id == 0) return;
  const std::string notes = edit_->toPlainText().toStdString();
  if (notes == run_.notes) return;
  try {
    workbench_.log().set_notes(run_.id, notes);
    run_.notes = notes;
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
