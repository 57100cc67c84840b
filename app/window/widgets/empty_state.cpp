// What a page shows when it has nothing.
#include "app/window/widgets/empty_state.h"

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {

EmptyState::EmptyState(const QString& icon, QWidget* parent) : QWidget(parent), icon_(icon) {
  auto* column = new QVBoxLayout(this);
  column->setSpacing(6);
  column->addStretch(2);
  picture_ = new QLabel(this);
  picture_->setAlignment(Qt::AlignCenter);
  title_ = makeLabel({}, "heading", this);
  title_->setAlignment(Qt::AlignCenter);
  text_ = makeLabel({}, "soft", this);
  text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  text_->setWordWrap(true);
  text_->setMaximumWidth(520);
  text_->setMinimumWidth(420);
  button_ = makeButton({}, {}, "primary", this);
  button_->hide();
  column->addWidget(picture_);
  column->addSpacing(4);
  column->addWidget(title_);
  column->addWidget(text_, 0, Qt::AlignHCenter);
  column->addSpacing(8);
  column->addWidget(button_, 0, Qt::AlignHCenter);
  column->addStretch(3);
  connect(button_, &QPushButton::clicked, this, [this] {
    if (action_) action_();
  });
  connect(&Theme::of(), &Theme::changed, this, &EmptyState::colour);
  colour();
}

void EmptyState::colour() {
  const QIcon icon = Theme::of().icon(icon_, Theme::of().tokens().faint);
  picture_->setPixmap(icon.pixmap(QSize(32, 32), devicePixelRatioF()));
}

void EmptyState::setText(const QString& title, const QString& text) {
  title_->setText(title);
  text_->setText(text);
}

void EmptyState::setAction(const QString& text, const QString& name, std::function<void()> action) {
  button_->setText(text);
  button_->setObjectName(name);
  button_->setVisible(!text.isEmpty());
  action_ = std::move(action);
}

}  // namespace assay
