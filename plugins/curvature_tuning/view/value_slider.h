// A slider from 0 to 1 with its label and an exact field beside it.
#pragma once

#include <QDoubleSpinBox>
#include <QSlider>
#include <QWidget>

namespace assay::curvature_tuning {

class ValueSlider : public QWidget {
  Q_OBJECT
 public:
  // `left` and `right` say what the two ends mean.
  ValueSlider(const QString& label, const QString& objectName, double value, const QString& left,
              const QString& right, QWidget* parent = nullptr);
  double value() const { return field_->value(); }
  void setValue(double value);

 signals:
  void valueChanged(double value);

 private:
  QSlider* slider_;
  QDoubleSpinBox* field_;
};

}  // namespace assay::curvature_tuning
