// See run_curves.h.
#include "app/window/run/run_curves.h"

#include <QMenu>
#include <QSettings>
#include <QSlider>
#include <algorithm>

#include "app/viewers/number_text.h"
#include "app/viewers/plot/plot_view.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

constexpr int plot_height = 236;

// The second cue beside the colour: solid, dashed, dotted.
Qt::PenStyle dashOf(int index) {
  return Theme::seriesDash(6 * index);
}

struct Columns {
  std::vector<double> step, value, seconds;
};

Columns columnsOf(const std::vector<MetricPoint>& points) {
  Columns columns;
  for (const MetricPoint& point : points) {
    columns.step.push_back(static_cast<double>(point.step));
    columns.value.push_back(point.value);
    columns.seconds.push_back(point.seconds);
  }
  return columns;
}

}  // namespace

RunCurves::RunCurves(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench) {
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(16);
  makeToolbar(column_);
}

void RunCurves::makeToolbar(QVBoxLayout* column) {
  toolbar_ = new QWidget(this);
  auto* row = new QHBoxLayout(toolbar_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(makeLabel(tr("Smoothing"), "soft", toolbar_));
  smoothing_ = new QSlider(Qt::Horizontal, toolbar_);
  smoothing_->setObjectName("smoothing");
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(
      tr("Exponential moving average, its start-up bias removed, computed on all "
         "points. The raw curve stays, faint."));
  smoothing_->setRange(0, 99);
  smoothing_->setFixedWidth(120);
  row->addWidget(smoothing_);
  smoothing_label_ = makeLabel("0.00", "soft", toolbar_);
  smoothing_label_->setFixedWidth(32);
  row->addWidget(smoothing_label_);
  row->addStretch(1);
  seconds_ = makeButton(tr("Step"), "horizontal", "pill", toolbar_);
  seconds_->setCheckable(true);
  seconds_->setToolTip(tr("Horizontal axis: step or seconds of work"));
  log_ = makeButton(tr("Log y"), "log_y", "pill", toolbar_);
  log_->setCheckable(true);
  chooser_ = makeButton(tr("Curves"), "choose_curves", "pill", toolbar_);
  menu_ = new QMenu(chooser_);
  row->addWidget(seconds_);
  row->addWidget(log_);
  row->addWidget(chooser_);
  column->addWidget(toolbar_);
  toolbar_->hide();

  QSettings settings;
  smoothing_->setValue(settings.value("run/smoothing", 0).toInt());
  const auto changed = [this]() {
    smoothing_label_->setText(QString::number(smoothing_->value() / 100.0, 'f', 2));
    seconds_->setText(seconds_->isChecked() ? tr("Time") : tr("Step"));
    for (const auto& card : owned_) applyLook(*card->plot);
    QSettings().setValue("run/smoothing", smoothing_->value());
  };
  connect(smoothing_, &QSlider::valueChanged, this, changed);
  connect(log_, &QPushButton::toggled, this, changed);
  connect(seconds_, &QPushButton::toggled, this, changed);
  connect(chooser_, &QPushButton::clicked, this, [this]() {
    fillMenu();
    menu_->popup(chooser_->mapToGlobal(QPoint(0, chooser_->height() + 4)));
  });
  changed();
}

void RunCurves::applyLook(PlotView& plot) const {
  plot.setSmoothing(smoothing_->value() / 100.0);
  plot.setLogY(log_->isChecked());
  plot.setHorizontal(seconds_->isChecked() ? PlotView::Horizontal::seconds
                                           : PlotView::Horizontal::step);
}

QString RunCurves::settingsKey() const {
  return "curves/" + QString::fromStdString(run_.plugin + "." + run_.experiment);
}

bool RunCurves::isShown(const std::string& key) const {
  if (hidden_.contains(key)) return false;
  if (added_.contains(key)) return true;
  const MetricSpec* spec = experiment_ != nullptr ? experiment_->metric(key) : nullptr;
  return spec == nullptr || spec->shown;
}

void RunCurves::fillMenu() {
  menu_->clear();
  for (const auto& [key, points] : all_) {
    QAction* action = menu_->addAction(metricName(key, experiment_));
    action->setCheckable(true);
    action->setChecked(isShown(key));
    action->setEnabled(points.size() > 1);
    connect(action, &QAction::toggled, this, [this, name = key](bool on) {
      (on ? added_ : hidden_).insert(name);
      (on ? hidden_ : added_).erase(name);
      QStringList hidden, added;
      for (const std::string& k : hidden_) hidden << QString::fromStdString(k);
      for (const std::string& k : added_) added << QString::fromStdString(k);
      QSettings().setValue(settingsKey() + "/hidden", hidden);
      QSettings().setValue(settingsKey() + "/added", added);
      arrange();
    });
  }
}

void RunCurves::take(const RunUpdate& update) {
  if (update.run.id != run_.id) {
    run_ = update.run;
    const Manifest* plugin = workbench_.plugin(QString::fromStdString(run_.plugin));
    experiment_ = plugin != nullptr ? plugin->experiment(run_.experiment) : nullptr;
    hidden_.clear();
    added_.clear();
    QSettings settings;
    for (const QString& key : settings.value(settingsKey() + "/hidden").toStringList()) {
      hidden_.insert(key.toStdString());
    }
    for (const QString& key : settings.value(settingsKey() + "/added").toStringList()) {
      added_.insert(key.toStdString());
    }
    others_.clear();
  }
  run_ = update.run;
  if (update.whole) all_.clear();
  for (const auto& [key, points] : update.points) {
    std::vector<MetricPoint>& all = all_[key];
    all.insert(all.end(), points.begin(), points.end());
  }
  std::vector<std::string> keys;
  for (const auto& [key, points] : all_) {
    if (points.size() > 1 && isShown(key)) keys.push_back(key);
  }
  if (update.whole || keys != drawn_) {
    arrange();
    return;
  }
  for (const auto& card : owned_) fill(*card, update);
}

// Cards that stay keep their plot, and with it the user's zoom.
void RunCurves::arrange() {
  drawn_.clear();
  for (const auto& [key, points] : all_) {
    if (points.size() > 1 && isShown(key)) drawn_.push_back(key);
  }
  const std::vector<CurveGroup> groups = groupCurves(drawn_, experiment_);
  QSet<QString> wanted;
  for (const CurveGroup& group : groups) wanted.insert(group.id);
  for (auto it = owned_.begin(); it != owned_.end();) {
    if (wanted.contains((*it)->group.id)) {
      ++it;
      continue;
    }
    cards_.remove((*it)->group.id);
    (*it)->frame->deleteLater();
    it = owned_.erase(it);
  }
  RunUpdate everything;
  everything.run = run_;
  everything.points = all_;
  everything.whole = true;
  int place = 1;  // below the toolbar
  for (const CurveGroup& group : groups) {
    if (!cards_.contains(group.id)) makeCard(group);
    Card& card = *cards_[group.id];
    card.group = group;
    column_->removeWidget(card.frame);
    column_->insertWidget(place++, card.frame);
    fill(card, everything);
  }
  toolbar_->setVisible(!all_.empty());
}

void RunCurves::makeCard(const CurveGroup& group) {
  auto card = std::make_unique<Card>();
  card->group = group;
  card->frame = assay::makeCard(this);
  auto* column = new QVBoxLayout(card->frame);
  column->setContentsMargins(15, 12, 15, 8);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  card->title = makeLabel(group.title, "heading", card->frame);
  card->now = makeLabel({}, "soft", card->frame);
  row->addWidget(card->title);
  row->addStretch(1);
  row->addWidget(card->now);
  column->addLayout(row);
  card->plot = new PlotView(card->frame);
  card->plot->setFixedHeight(plot_height);
  card->plot->setVerticalTitleShown(false);
  card->plot->setAccessibleName(group.title);
  column->addWidget(card->plot);
  applyLook(*card->plot);
  connect(card->plot, &PlotView::runDropped, this, &RunCurves::runDropped);
  cards_.insert(group.id, card.get());
  owned_.push_back(std::move(card));
}

void RunCurves::fill(Card& card, const RunUpdate& update) {
  const CurveGroup& group = card.group;
  PlotView& plot = *card.plot;
  if (update.whole) {
    const bool zoomed = plot.userHasZoomed();
    const PlotRange x = plot.visibleX(), y = plot.visibleY();
    plot.clear();
    card.series.clear();
    card.title->setText(group.title);
    plot.setTitle(group.title);
    const QString axis = group.axis.isEmpty() ? tr("step") : group.axis;
    const QString unit = group.unit.isEmpty() ? QString() : " [" + group.unit + "]";
    plot.setAxisTitles(axis, group.title + unit);
    plot.setLegendShown(group.lines.size() + others_.size() > 1);
    for (const CurveLine& line : group.lines) {
      SeriesStyle style;
      style.name = line.name;
      style.color_index = line.color;
      style.dash = dashOf(line.color);
      style.width = 1.75;
      style.unit = group.unit;
      const int series = plot.addSeries(style);
      card.series[line.key] = series;
      const auto points = update.points.find(line.key);
      if (points == update.points.end()) continue;
      Columns columns = columnsOf(points->second);
      plot.setData(series, std::move(columns.step), std::move(columns.value),
                   std::move(columns.seconds));
    }
    for (const Other& other : others_) {
      for (const CurveLine& line : group.lines) {
        const auto points = other.points.find(line.key);
        if (points == other.points.end()) continue;
        SeriesStyle style;
        style.name = QString::fromStdString(other.run.name) + ", " + line.name;
        style.color_index = workbench_.colorIndex(QString::fromStdString(other.run.public_id));
        style.dash = Qt::DotLine;
        const int series = plot.addSeries(style);
        Columns columns = columnsOf(points->second);
        plot.setData(series, std::move(columns.step), std::move(columns.value),
                     std::move(columns.seconds));
      }
    }
    if (zoomed) plot.zoomTo(x.low, x.high, y.low, y.high);
  } else {
    for (const auto& [key, series] : card.series) {
      const auto points = update.points.find(key);
      if (points == update.points.end()) continue;
      const Columns columns = columnsOf(points->second);
      plot.append(series, columns.step, columns.value, columns.seconds);
    }
  }
  tellNow(card);
}

// "0.873 at step 1,240": of the first line, as in a table.
void RunCurves::tellNow(Card& card) {
  const std::vector<MetricPoint>& points = all_[card.group.lines.front().key];
  if (points.empty()) return;
  const QString axis = card.group.axis.isEmpty() ? tr("step") : card.group.axis;
  const QString unit = card.group.unit.isEmpty() ? QString() : " " + card.group.unit;
  card.now->setText(
      tr("%1 at %2 %3")
          .arg(formatNumber(points.back().value) + unit, axis, formatCount(points.back().step)));
}

void RunCurves::addOther(const Run& run, std::map<std::string, std::vector<MetricPoint>> points) {
  if (run.id == run_.id) return;
  const auto known = std::any_of(others_.begin(), others_.end(),
                                 [&run](const Other& other) { return other.run.id == run.id; });
  if (known) return;
  others_.push_back({run, std::move(points)});
  arrange();
}

}  // namespace assay
