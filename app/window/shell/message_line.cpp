// One quiet line above the queue bar.
#include "app/window/shell/message_line.h"

#include <algorithm>

#include "app/window/widgets/looks.h"

namespace assay {
namespace {

constexpr int bottomGap = 34 + 12;  // the queue bar and some air
constexpr int leftGap = 188 + 24;   // the rail and the page's margin

}  // namespace

MessageLine::MessageLine(QWidget* parent) : QFrame(parent) {
  setObjectName("messageLine");
  setProperty("look", "popup");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->setSpacing(8);
  text_ = makeLabel({}, {}, this);
  text_->setObjectName("messageText");
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  action_ = makeButton({}, "messageAction", "link", this);
  QToolButton* const close = makeIconButton("close", "Dismiss", "messageDismiss", this);
  close->setIconSize(QSize(16, 16));
  row->addWidget(text_, 1);
  row->addWidget(action_);
  row->addWidget(close);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(action_, &QPushButton::clicked, this, [this] {
    hide();
    if (what_) what_();
  });
  hide();
}

void MessageLine::say(const QString& message, bool isError) {
  what_ = nullptr;
  action_->hide();
  setLook(text_, "tone", isError ? "bad" : "");
  text_->setText(message);
  showFor(isError ? 12000 : 5000);
}

void MessageLine::sayWith(const QString& message, const QString& actionText,
                          std::function<void()> action) {
  what_ = std::move(action);
  action_->setText(actionText);
  action_->show();
  setLook(text_, "tone", "");
  text_->setText(message);
  showFor(10000);
}

void MessageLine::showFor(int milliseconds) {
  place();
  show();
  raise();
  timer_.start(milliseconds);
}

void MessageLine::place() {
  const int most = parentWidget()->width() - leftGap - 24;
  const int text = text_->fontMetrics().horizontalAdvance(text_->text()) + 24;
  const int rest = 12 + 6 + 16 + 34 + (what_ ? action_->sizeHint().width() : 0);
  const int width = std::clamp(text + rest, std::min(240, most), most);
  const int height = std::max(36, layout()->heightForWidth(width));
  setGeometry(leftGap, parentWidget()->height() - bottomGap - height, width, height);
}

}  // namespace assay
