// See step_slider.h.
#include "app/viewers/image/step_slider.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "app/viewers/number_text.h"
#include "app/viewers/theme.h"

namespace assay {
namespace {
constexpr int play_milliseconds = 160;
}

StepSlider::StepSlider(QWidget* parent)
    : QWidget(parent),
      axis_(tr("step")),
      slider_(new QSlider(Qt::Horizontal, this)),
      play_(new QToolButton(this)),
      label_(new QLabel(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(play_);
  layout->addWidget(slider_, 1);
  layout->addWidget(label_);
  play_->setObjectName(QStringLiteral("play"));
  play_->setIconSize(QSize(16, 16));
  slider_->setRange(0, 0);  // an empty slider stands at its end
  slider_->setObjectName(QStringLiteral("step"));
  slider_->setAccessibleName(tr("Step"));
  label_->setProperty("look", "small");
  label_->setMinimumWidth(72);
  label_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setFocusProxy(slider_);
  timer_.setInterval(play_milliseconds);
  connect(slider_, &QSlider::valueChanged, this, &StepSlider::tell);
  connect(play_, &QToolButton::clicked, this, [this]() { setPlaying(!isPlaying()); });
  connect(&timer_, &QTimer::timeout, this, [this]() {
    const int next = slider_->value() + 1;
    slider_->setValue(next > slider_->maximum() ? 0 : next);
  });
  setPlaying(false);
}

void StepSlider::setSteps(const std::vector<std::int64_t>& steps) {
  if (steps == steps_) return;
  const bool at_end = slider_->value() >= slider_->maximum();
  steps_ = steps;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max(0, static_cast<int>(steps_.size()) - 1));
  if (at_end && !isPlaying()) slider_->setValue(slider_->maximum());
  setVisible(steps_.size() > 1);
  tell();
}

std::int64_t StepSlider::step() const {
  const auto index = static_cast<std::size_t>(slider_->value());
  return index < steps_.size() ? steps_[index] : 0;
}

int StepSlider::index() const {
  return slider_->value();
}
void StepSlider::setIndex(int index) {
  slider_->setValue(index);
}

void StepSlider::setPlaying(bool playing) {
  if (playing)
    timer_.start();
  else
    timer_.stop();
  play_->setIcon(Theme::of().icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
  const QString tip = playing ? tr("Pause (Space)") : tr("Play (Space)");
  play_->setToolTip(tip);
  play_->setAccessibleName(tip);
}

void StepSlider::tell() {
  label_->setText(steps_.empty() ? QString()
                                 : QStringLiteral("%1 %2").arg(axis_, formatCount(step())));
  emit stepChanged(step());
}

void StepSlider::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) {
    setPlaying(!isPlaying());
    return;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace assay
