// A number field that keeps what was typed, steps by its range, and by factors on a log scale.
#pragma once

#include <QAbstractSpinBox>

#include "core/study/manifest.h"

namespace assay {

// Never corrects or refuses a key: what is typed is checked by the form, with the reason shown.
class NumberEdit : public QAbstractSpinBox {
  Q_OBJECT
 public:
  explicit NumberEdit(const ParameterSpec& spec, QWidget* parent = nullptr);
  QString text() const;
  void setText(const QString& text);
  void stepBy(int steps) override;

 signals:
  void edited();

 protected:
  StepEnabled stepEnabled() const override { return StepUpEnabled | StepDownEnabled; }
  void wheelEvent(QWheelEvent* event) override;
  QSize sizeHint() const override;

 private:
  double linearStep() const;
  double stepped(double value, int steps) const;
  const ParameterSpec& spec_;
};

}  // namespace assay
