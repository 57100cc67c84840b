#include "plugins/curvature_tuning/view/run_views.h"

#include <QVBoxLayout>
#include <array>

#include "app/viewers/number_text.h"

namespace assay::curvature_tuning {
namespace {

int add_curve(PlotView* plot, const QString& name, int color, Qt::PenStyle dash = Qt::SolidLine) {
  SeriesStyle style;
  style.name = name;
  style.color_index = color;
  style.dash = dash;
  style.form = SeriesStyle::Form::line_and_points;
  style.smoothed = false;
  return plot->addSeries(style);
}

QLabel* heading(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("look", "strong");
  return label;
}

// Titled blocks below one another: the page gives the view about half its width.
void add_block(QVBoxLayout* column, const QString& title, QWidget* content, int height) {
  column->addWidget(heading(title));
  content->setMinimumHeight(height);
  column->addWidget(content, 1);
}

QVBoxLayout* blocks(QWidget* parent) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  return column;
}

struct Method {
  const char* key;
  const char* label;
};
constexpr std::array<Method, 4> methods{{{"linear_probe", "linear probe"},
                                         {"steering", "steering CT"},
                                         {"trainable", "trainable CT"},
                                         {"lora", "LoRA"}}};

}  // namespace

PictureStrip::PictureStrip(const QString& axis, QWidget* parent)
    : QWidget(parent), image_(new ImageView), slider_(new StepSlider) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(image_, 1);
  column->addWidget(slider_);
  slider_->setAxis(axis);
  connect(slider_, &StepSlider::stepChanged, this, &PictureStrip::showStep);
}

void PictureStrip::setPictures(const std::vector<Picture>& pictures) {
  std::vector<std::int64_t> steps;
  for (const Picture& picture : pictures) steps.push_back(picture.step);
  const bool grown = pictures.size() != pictures_.size();
  pictures_ = pictures;
  slider_->setVisible(steps.size() > 1);
  if (!grown || pictures.empty()) return;
  slider_->setSteps(steps);
  showStep(slider_->step());
}

void PictureStrip::showStep(std::int64_t step) {
  for (const Picture& picture : pictures_) {
    if (picture.step == step) image_->setImage(load(picture));
  }
}

ToyRunView::ToyRunView(QWidget* parent)
    : RunView(parent), sweep_(new PlotView), boundary_(new PictureStrip(tr("beta index"))) {
  auto* column = blocks(this);
  add_block(column, tr("Over beta"), sweep_, 220);
  add_block(column, tr("Picture at each beta"), boundary_, 260);
  first_ = add_curve(sweep_, tr("test accuracy"), 0);
  second_ = add_curve(sweep_, tr("accuracy on true labels"), 1, Qt::DashLine);
}

void ToyRunView::showRun(Log& log, const Run& run) {
  const auto metrics = log.metrics(run.id);
  const bool curve = last_value(metrics, "sweep/error").has_value();
  const auto first =
      over_beta(log, run, "sweep/beta", curve ? "sweep/error" : "sweep/test_accuracy");
  const auto second =
      over_beta(log, run, "sweep/beta", curve ? "sweep/validation_error" : "sweep/clean_accuracy");
  has_content_ = !first.x.empty();
  if (curve) {
    SeriesStyle style = sweep_->style(first_);
    style.name = tr("error to the true curve");
    sweep_->setStyle(first_, style);
    style = sweep_->style(second_);
    style.name = tr("validation error");
    sweep_->setStyle(second_, style);
  }
  sweep_->setAxisTitles(QStringLiteral("β"), curve ? tr("Squared error") : tr("Accuracy"));
  sweep_->setData(first_, first.x, first.y);
  sweep_->setData(second_, second.x, second.y);
  sweep_->clearMarkers();
  if (const auto beta = last_value(metrics, "chosen/beta")) {
    sweep_->addMarker(*beta, tr("chosen"));
  }
  boundary_->setPictures(pictures(log, run, curve ? "regression_curve" : "decision_boundary"));
}

TransferRunView::TransferRunView(QWidget* parent)
    : RunView(parent),
      methods_(new PlotView),
      sweep_(new PlotView),
      learned_(new PictureStrip(tr("step"))) {
  auto* column = blocks(this);
  add_block(column, tr("Test accuracy by method"), methods_, 220);
  add_block(column, tr("Steering: validation accuracy over beta"), sweep_, 220);
  add_block(column, tr("Learned beta and c by layer and channel"), learned_, 120);
  SeriesStyle bars;
  bars.form = SeriesStyle::Form::bars;
  bars.smoothed = false;
  bars_ = methods_->addSeries(bars);
  by_beta_ = add_curve(sweep_, QString(), 0);
  methods_->setAxisTitles(QString(), tr("Test accuracy"));
  sweep_->setAxisTitles(QStringLiteral("β"), tr("Validation accuracy"));
}

void TransferRunView::showRun(Log& log, const Run& run) {
  const auto metrics = log.metrics(run.id);
  std::vector<double> place, accuracy;
  QStringList labels;
  for (const Method& method : methods) {
    const std::string prefix = method.key;
    const auto value = last_value(metrics, prefix + "/test_accuracy");
    if (!value) continue;
    place.push_back(static_cast<double>(labels.size()));
    accuracy.push_back(*value);
    const double parameters = last_value(metrics, prefix + "/trained_parameters").value_or(0.0);
    labels << QString("%1\n%2").arg(
        tr(method.label), tr("+%1").arg(formatCount(static_cast<std::int64_t>(parameters))));
  }
  const auto by_beta = over_beta(log, run, "steering/betas", "steering/validation_by_beta");
  const auto heat = pictures(log, run, "learned/heat_map");
  has_content_ = !place.empty() || !by_beta.x.empty() || !heat.empty();
  methods_->setCategories(labels);
  methods_->setData(bars_, place, accuracy);
  methods_->setYRange(0.0, 1.0);
  sweep_->setData(by_beta_, by_beta.x, by_beta.y);
  sweep_->clearMarkers();
  if (const auto beta = last_value(metrics, "steering/beta")) {
    sweep_->addMarker(*beta, tr("chosen"));
  }
  learned_->setPictures(heat);
}

RobustnessRunView::RobustnessRunView(QWidget* parent)
    : RunView(parent), plot_(new PlotView), attacked_(new PictureStrip(tr("beta index"))) {
  auto* column = blocks(this);
  add_block(column, tr("Accuracy over beta"), plot_, 220);
  add_block(column, tr("Attacked images at each beta"), attacked_, 260);
  clean_ = add_curve(plot_, tr("clean"), 0);
  robust_ = add_curve(plot_, tr("under attack"), 1);
  transferred_ = add_curve(plot_, tr("on images made against ReLU"), 2, Qt::DotLine);
  plot_->setAxisTitles(QStringLiteral("β"), tr("Accuracy"));
  plot_->setYRange(0.0, 1.0);
}

void RobustnessRunView::showRun(Log& log, const Run& run) {
  const auto clean = over_beta(log, run, "beta", "clean/accuracy");
  const auto robust = over_beta(log, run, "beta", "robust/accuracy");
  const auto transferred = over_beta(log, run, "beta", "robust/transferred");
  has_content_ = !clean.x.empty() || !robust.x.empty();
  plot_->setData(clean_, clean.x, clean.y);
  plot_->setData(robust_, robust.x, robust.y);
  plot_->setData(transferred_, transferred.x, transferred.y);
  plot_->clearMarkers();
  if (const auto beta = last_value(log.metrics(run.id), "robust/chosen_beta")) {
    plot_->addMarker(*beta, tr("chosen"));
  }
  attacked_->setPictures(pictures(log, run, "perturbations"));
}

}  // namespace assay::curvature_tuning
