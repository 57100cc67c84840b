#include "plugins/curvature_tuning/view/value_slider.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <cmath>

#include "app/viewers/theme.h"

namespace assay::curvature_tuning {
namespace {
constexpr int ticks = 1000;
}

ValueSlider::ValueSlider(const QString& label, const QString& objectName, double value,
                         const QString& left, const QString& right, QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), field_(new QDoubleSpinBox) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(4);
  auto* name = new QLabel(label);
  name->setFont(Theme::font(13, 500));
  name->setBuddy(field_);
  field_->setObjectName(objectName);
  field_->setAccessibleName(label);
  field_->setRange(0.0, 1.0);
  field_->setDecimals(3);
  field_->setSingleStep(0.01);
  field_->setKeyboardTracking(false);
  field_->setFixedWidth(86);
  slider_->setObjectName(objectName + "Slider");
  slider_->setAccessibleName(label);
  slider_->setRange(0, ticks);
  slider_->setPageStep(50);
  slider_->setSingleStep(5);
  auto* low = new QLabel(left);
  auto* high = new QLabel(right);
  for (QLabel* end : {low, high}) {
    end->setProperty("look", "tiny");
  }
  grid->addWidget(name, 0, 0);
  grid->addWidget(field_, 0, 1, Qt::AlignRight);
  grid->addWidget(slider_, 1, 0, 1, 2);
  grid->addWidget(low, 2, 0);
  grid->addWidget(high, 2, 1, Qt::AlignRight);
  setValue(value);

  connect(slider_, &QSlider::valueChanged, this, [this](int tick) {
    const QSignalBlocker quiet(field_);
    field_->setValue(static_cast<double>(tick) / ticks);
    emit valueChanged(field_->value());
  });
  connect(field_, &QDoubleSpinBox::valueChanged, this, [this](double exact) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(static_cast<int>(std::lround(exact * ticks)));
    emit valueChanged(exact);
  });
}

void ValueSlider::setValue(double value) {
  field_->setValue(value);
  const QSignalBlocker quiet(slider_);
  slider_->setValue(static_cast<int>(std::lround(value * ticks)));
}

}  // namespace assay::curvature_tuning
