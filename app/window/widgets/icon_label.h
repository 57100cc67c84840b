// An icon and a word in the same tone: a state, a verdict.
#pragma once

#include <QWidget>

class QLabel;

namespace assay {

class IconLabel : public QWidget {
  Q_OBJECT
 public:
  // `tone`: good, caution, bad, accent or empty (soft).
  IconLabel(const QString& icon, const QString& text, const QString& tone,
            QWidget* parent = nullptr);
  void set(const QString& icon, const QString& text, const QString& tone);

 private:
  void colour();
  QString icon_, tone_;
  QLabel* picture_;
  QLabel* text_;
};

}  // namespace assay
