// Small builders, so that pages read as layout and the style sheet does the rest.
#include "app/window/widgets/looks.h"

#include <QStyle>
#include <QVariant>

#include "app/viewers/theme.h"

namespace assay {

QLabel* makeLabel(const QString& text, const QString& look, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  if (!look.isEmpty()) label->setProperty("look", look);
  return label;
}

QLabel* makeWrapped(const QString& text, const QString& look, QWidget* parent) {
  QLabel* const label = makeLabel(text, look, parent);
  label->setWordWrap(true);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  label->setSizePolicy(policy);
  return label;
}

QLabel* makeProse(const QString& text, const QString& look, QWidget* parent) {
  QLabel* const label = makeWrapped({}, look, parent);
  label->setTextFormat(Qt::RichText);
  setProse(label, text);
  return label;
}

void setProse(QLabel* label, const QString& text) {
  // Qt's plain labels have no leading of their own.
  label->setText("<p style=\"line-height:138%; margin:0\">" +
                 text.toHtmlEscaped().replace('\n', "<br>") + "</p>");
  label->setAccessibleName(text);
}

QLabel* makePill(const QString& text, const QString& tone, QWidget* parent) {
  QLabel* const pill = makeLabel(text, "pill", parent);
  pill->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  if (!tone.isEmpty()) pill->setProperty("tone", tone);
  return pill;
}

QPushButton* makeButton(const QString& text, const QString& name, const QString& look,
                        QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setObjectName(name);
  if (!look.isEmpty()) button->setProperty("look", look);
  button->setCursor(Qt::PointingHandCursor);
  button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  button->setAutoDefault(false);
  return button;
}

QToolButton* makeIconButton(const QString& icon, const QString& tip, const QString& name,
                            QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setIcon(Theme::of().icon(icon));
  button->setIconSize(QSize(20, 20));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

QFrame* makeCard(QWidget* parent) {
  auto* card = new QFrame(parent);
  card->setProperty("look", "card");
  return card;
}

QFrame* makeRule(QWidget* parent) {
  auto* rule = new QFrame(parent);
  rule->setProperty("look", "rule");
  return rule;
}

void setLook(QWidget* widget, const char* property, const QVariant& value) {
  if (widget->property(property) == value) return;
  widget->setProperty(property, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

void clearLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    } else if (QLayout* inner = item->layout()) {
      clearLayout(inner);
    }
    delete item;
  }
}

}  // namespace assay
