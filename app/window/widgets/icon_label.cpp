// An icon and a word in the same tone.
#include "app/window/widgets/icon_label.h"

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {

IconLabel::IconLabel(const QString& icon, const QString& text, const QString& tone, QWidget* parent)
    : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  picture_ = new QLabel(this);
  text_ = makeLabel({}, {}, this);
  row->addWidget(picture_);
  row->addWidget(text_, 1);
  set(icon, text, tone);
  connect(&Theme::of(), &Theme::changed, this, &IconLabel::colour);
}

void IconLabel::set(const QString& icon, const QString& text, const QString& tone) {
  icon_ = icon;
  tone_ = tone;
  text_->setText(text);
  setAccessibleName(text);
  setLook(text_, "look", tone.isEmpty() ? "soft" : "");
  setLook(text_, "tone", tone);
  colour();
}

void IconLabel::colour() {
  const QIcon icon = Theme::of().icon(icon_, toneColor(tone_));
  picture_->setPixmap(icon.pixmap(QSize(18, 18), devicePixelRatioF()));
}

}  // namespace assay
