// See run_events.h.
#include "app/window/run/run_events.h"

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QScrollBar>

#include "app/viewers/number_text.h"
#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {
constexpr int most_lines = 20'000;  // the rest is in the run's log.txt
}

RunEvents::RunEvents(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 12, 15, 12);
  column->setSpacing(6);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("Log"), "heading", this));
  row->addStretch(1);
  follow_ = new QCheckBox(tr("Follow"), this);
  follow_->setObjectName("follow_log");
  follow_->setChecked(true);
  row->addWidget(follow_);
  column->addLayout(row);
  text_ = new QPlainTextEdit(this);
  text_->setProperty("look", "bare");
  text_->setObjectName("log_lines");
  text_->setAccessibleName(tr("Log lines"));
  text_->setReadOnly(true);
  text_->setFont(Theme::monospace(12));
  text_->setMaximumBlockCount(most_lines);
  text_->setMinimumHeight(180);
  text_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  column->addWidget(text_, 1);
  connect(follow_, &QCheckBox::toggled, this, [this](bool on) {
    if (on) text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
  });
  connect(text_->verticalScrollBar(), &QScrollBar::sliderMoved, this, [this](int value) {
    follow_->setChecked(value >= text_->verticalScrollBar()->maximum() - 1);
  });
}

void RunEvents::clear() {
  text_->clear();
}

void RunEvents::add(const std::vector<Event>& events) {
  if (events.empty()) return;
  const ThemeTokens& tokens = Theme::of().tokens();
  const int place = text_->verticalScrollBar()->value();
  QTextCursor cursor(text_->document());
  cursor.movePosition(QTextCursor::End);
  for (const Event& event : events) {
    QTextCharFormat time, words;
    time.setForeground(tokens.faint);
    words.setForeground(event.level == EventLevel::error     ? tokens.bad
                        : event.level == EventLevel::warning ? tokens.caution
                                                             : tokens.soft);
    if (!text_->document()->isEmpty()) cursor.insertBlock();
    cursor.insertText(formatClock(event.time) + "  ", time);
    const QString mark = event.level == EventLevel::error     ? tr("error: ")
                         : event.level == EventLevel::warning ? tr("warning: ")
                                                              : QString();
    cursor.insertText(mark + QString::fromStdString(event.text), words);
  }
  QScrollBar* bar = text_->verticalScrollBar();
  bar->setValue(follow_->isChecked() ? bar->maximum() : place);
}

}  // namespace assay
