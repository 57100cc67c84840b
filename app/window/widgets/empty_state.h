// What a page shows when it has nothing: a picture, what it is for, what to do next. Also its error
// state.
#pragma once

#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;

namespace assay {

class EmptyState : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyState(const QString& icon, QWidget* parent = nullptr);
  void setText(const QString& title, const QString& text);
  // The button is hidden while `text` is empty.
  void setAction(const QString& text, const QString& name, std::function<void()> action);

 private:
  void colour();
  QString icon_;
  QLabel* picture_;
  QLabel* title_;
  QLabel* text_;
  QPushButton* button_;
  std::function<void()> action_;
};

}  // namespace assay
