// The log lines of a run; follows the end until the reader scrolls up.
#pragma once

#include <QFrame>
#include <vector>

#include "core/log/records.h"

class QPlainTextEdit;
class QCheckBox;

namespace assay {

class RunEvents : public QFrame {
  Q_OBJECT
 public:
  explicit RunEvents(QWidget* parent = nullptr);
  void clear();
  void add(const std::vector<Event>& events);

 private:
  QPlainTextEdit* text_;
  QCheckBox* follow_;
};

}  // namespace assay
