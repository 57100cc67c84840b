// A number field that steps by its range, and by factors on a log scale.
#include "app/window/configure/number_edit.h"

#include <QLineEdit>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/study/value.h"

namespace assay {
namespace {

// 1, 2, 5, 10, 20, 50, ...: the step that people make by hand on a log scale.
double nextOnLogScale(double value, bool up) {
  if (value <= 0.0) return value;
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  const double digit = value / power;
  constexpr double marks[] = {0.5, 1.0, 2.0, 5.0, 10.0};
  if (up) {
    for (const double mark : marks) {
      if (mark > digit * 1.0001) return mark * power;
    }
  }
  for (int i = 4; i >= 0; --i) {
    if (marks[i] < digit * 0.9999) return marks[i] * power;
  }
  return value;
}

}  // namespace

NumberEdit::NumberEdit(const ParameterSpec& spec, QWidget* parent)
    : QAbstractSpinBox(parent), spec_(spec) {
  setFocusPolicy(Qt::StrongFocus);
  setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
  connect(lineEdit(), &QLineEdit::textChanged, this, &NumberEdit::edited);
}

QString NumberEdit::text() const {
  return lineEdit()->text();
}

void NumberEdit::setText(const QString& text) {
  lineEdit()->setText(text);
}

QSize NumberEdit::sizeHint() const {
  return {140, QAbstractSpinBox::sizeHint().height()};
}

// The wheel scrolls the form unless the field has been clicked into.
void NumberEdit::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) {
    event->ignore();
    return;
  }
  QAbstractSpinBox::wheelEvent(event);
}

double NumberEdit::linearStep() const {
  if (spec_.step) return *spec_.step;
  if (spec_.type == ParameterType::integer) return 1.0;
  if (!spec_.minimum || !spec_.maximum) return 0.1;
  const double span = *spec_.maximum - *spec_.minimum;
  return span > 0.0 ? std::pow(10.0, std::floor(std::log10(span)) - 1.0) : 0.1;
}

double NumberEdit::stepped(double value, int steps) const {
  if (spec_.scale == Scale::linear || value <= 0.0) {
    const double step = linearStep();
    // On the grid of the step, so that 0.1 + 0.1 + 0.1 is 0.3.
    return std::round((value + steps * step) / step) * step;
  }
  for (int i = 0; i < std::abs(steps); ++i) value = nextOnLogScale(value, steps > 0);
  return value;
}

void NumberEdit::stepBy(int steps) {
  bool ok = false;
  const double value = text().toDouble(&ok);
  if (!ok) return;
  double next = stepped(value, steps);
  if (spec_.minimum) next = std::max(next, *spec_.minimum);
  if (spec_.maximum) next = std::min(next, *spec_.maximum);
  if (spec_.type == ParameterType::integer) {
    setText(QString::number(static_cast<qlonglong>(std::llround(next))));
  } else {
    // Twelve digits: the noise of the arithmetic goes, what can be meant stays.
    next = QString::number(next, 'g', 12).toDouble();
    setText(QString::fromStdString(to_text(Value(next))));
  }
  selectAll();
}

}  // namespace assay
