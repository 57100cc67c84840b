// One quiet line above the queue bar, for some seconds; now and then with one thing to do about it.
#pragma once

#include <QFrame>
#include <QTimer>
#include <functional>

class QLabel;
class QPushButton;

namespace assay {

class MessageLine : public QFrame {
  Q_OBJECT
 public:
  explicit MessageLine(QWidget* parent);
  void say(const QString& message, bool isError);
  void sayWith(const QString& message, const QString& actionText, std::function<void()> action);
  void place();  // at the bottom of the parent's content

 private:
  void showFor(int milliseconds);
  QLabel* text_;
  QPushButton* action_;
  std::function<void()> what_;
  QTimer timer_;
};

}  // namespace assay
