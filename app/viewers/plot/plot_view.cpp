// PlotView: making it, its data and its settings. See also plot_draw, plot_events, plot_export.
#include "app/viewers/plot/plot_view.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/viewers/plot/plot_state.h"

namespace assay {
namespace {
constexpr int redraw_milliseconds = 33;  // at most 30 drawings a second
}

PlotView::PlotView(QWidget* parent, std::optional<ThemeKind> fixed)
    : QWidget(parent), state_(std::make_unique<State>()) {
  State& s = *state_;
  s.fixed = fixed;
  s.tokens = fixed ? &Theme::tokens(*fixed) : &Theme::of().tokens();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  s.plot = new QCustomPlot(this);
  layout->addWidget(s.plot);
  s.plot->setPlottingHint(QCP::phFastPolylines, true);
  s.plot->setNoAntialiasingOnDrag(false);
  s.plot->addLayer(QStringLiteral("heat"), s.plot->layer(QStringLiteral("grid")),
                   QCustomPlot::limBelow);
  s.plot->axisRect()->setMinimumMargins(QMargins(8, 8, 8, 4));
  s.plot->axisRect()->setRangeZoomFactor(0.85);
  s.plot->plotLayout()->setRowSpacing(2);
  s.readout = new PlotReadout(s.plot);
  s.readout->setAccessibleName(tr("Values at the cursor"));

  auto* row = new QCPLayoutGrid;
  s.legend_row = row;
  s.plot->axisRect()->insetLayout()->take(s.plot->legend);
  s.plot->plotLayout()->addElement(1, 0, row);
  row->setMargins(QMargins(4, 0, 4, 0));
  row->addElement(0, 0, s.plot->legend);
  row->addElement(0, 1, new QCPLayoutElement(s.plot));
  row->setColumnStretchFactor(0, 0.001);
  s.plot->plotLayout()->setRowStretchFactor(1, 0.001);
  s.plot->legend->setMargins(QMargins(4, 2, 4, 4));
  s.plot->legend->setColumnSpacing(16);
  s.plot->legend->setRowSpacing(2);
  s.plot->legend->setIconSize(22, 12);
  s.plot->legend->setSelectableParts(QCPLegend::spNone);

  s.redraw.setSingleShot(true);
  s.redraw.setInterval(redraw_milliseconds);
  connect(&s.redraw, &QTimer::timeout, this, &PlotView::redrawNow);
  connect(s.plot, &QCustomPlot::beforeReplot, this, [this]() {
    State& st = *state_;
    st.feed(std::max(1, st.plot->axisRect()->width()), false);
  });
  const auto moved = [this]() {
    if (state_->setting_range) return;
    state_->zoomed = true;
    emit viewChanged();
  };
  const auto changed = QOverload<const QCPRange&>::of(&QCPAxis::rangeChanged);
  connect(s.plot->xAxis, changed, this, moved);
  connect(s.plot->yAxis, changed, this, moved);
  s.set_tickers();
  s.apply_theme();
  setInteractive(true);
  s.plot->installEventFilter(this);
  setFocusPolicy(Qt::StrongFocus);
  s.plot->setFocusProxy(this);
  setAcceptDrops(true);
  setAccessibleName(tr("Plot"));
  if (!fixed) {
    connect(&Theme::of(), &Theme::changed, this, [this]() {
      state_->tokens = &Theme::of().tokens();
      state_->apply_theme();
      state_->redraw.start();
    });
  }
  connect(s.plot, &QCustomPlot::legendClick, this,
          [this](QCPLegend*, QCPAbstractLegendItem* item, QMouseEvent* event) {
            if (event->button() != Qt::LeftButton) return;
            auto* entry = qobject_cast<QCPPlottableLegendItem*>(item);
            if (entry == nullptr) return;
            for (int i = 0; i < seriesCount(); ++i) {
              if (state_->series[static_cast<std::size_t>(i)].main() != entry->plottable())
                continue;
              setSeriesVisible(i, !seriesVisible(i));
              return;
            }
          });
}

PlotView::~PlotView() {
  disconnect(state_->plot, nullptr, this, nullptr);
  state_->plot->removeEventFilter(this);
  delete state_->plot;  // before the state it points into
}

int PlotView::addSeries(const SeriesStyle& style) {
  PlotSeries entry;
  entry.style = style;
  state_->make_plottables(entry);
  state_->series.push_back(std::move(entry));
  state_->redraw.start();
  return static_cast<int>(state_->series.size()) - 1;
}

void PlotView::setStyle(int series, const SeriesStyle& style) {
  PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  const bool other_form = entry.style.form != style.form;
  entry.style = style;
  entry.stale = true;
  if (other_form) {
    state_->remove_plottables(entry);
    state_->make_plottables(entry);
  }
  state_->style(entry);
  state_->redraw.start();
}

const SeriesStyle& PlotView::style(int series) const {
  return state_->series.at(static_cast<std::size_t>(series)).style;
}

int PlotView::seriesCount() const {
  return static_cast<int>(state_->series.size());
}

void PlotView::setData(int series, std::vector<double> x, std::vector<double> y,
                       std::vector<double> seconds) {
  PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  entry.x = std::move(x);
  entry.y = std::move(y);
  entry.seconds = std::move(seconds);
  entry.y.resize(entry.x.size(), std::numeric_limits<double>::quiet_NaN());
  entry.stale = true;
  if (!state_->redraw.isActive()) state_->redraw.start();
}

void PlotView::append(int series, const std::vector<double>& x, const std::vector<double>& y,
                      const std::vector<double>& seconds) {
  PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  const std::size_t count = std::min(x.size(), y.size());
  const auto end = static_cast<std::ptrdiff_t>(count);
  entry.x.insert(entry.x.end(), x.begin(), x.begin() + end);
  entry.y.insert(entry.y.end(), y.begin(), y.begin() + end);
  if (seconds.size() == x.size()) {
    entry.seconds.insert(entry.seconds.end(), seconds.begin(), seconds.begin() + end);
  }
  // Unsmoothed curves grow at their end; a smoothed one is computed anew from all of it.
  if (!entry.stale && !entry.has_smooth && entry.path == nullptr &&
      state_->horizontal == Horizontal::step) {
    for (std::size_t i = 0; i < count; ++i) entry.raw.append(x[i], y[i]);
    state_->fed = false;
  } else {
    entry.stale = true;
  }
  if (!state_->redraw.isActive()) state_->redraw.start();
}

void PlotView::setBand(int series, std::vector<double> x, std::vector<double> low,
                       std::vector<double> high) {
  PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  entry.band_x = std::move(x);
  entry.band_low = std::move(low);
  entry.band_high = std::move(high);
  entry.stale = true;
  if (!state_->redraw.isActive()) state_->redraw.start();
}

void PlotView::setSeriesVisible(int series, bool visible) {
  PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  entry.visible = visible;
  entry.stale = true;
  state_->style(entry);
  state_->redraw.start();
}

bool PlotView::seriesVisible(int series) const {
  return state_->series.at(static_cast<std::size_t>(series)).visible;
}

void PlotView::setHeatMap(const HeatMap& map) {
  clearHeatMap();
  State& s = *state_;
  s.heat = new HeatMapItem(s.plot->xAxis, s.plot->yAxis);
  s.heat->setLayer(QStringLiteral("heat"));
  s.heat->removeFromLegend();
  s.heat->setMap(map);
  s.heat_scale = new HeatScale(s.plot, s.heat->map(), *s.tokens);
  s.plot->plotLayout()->addElement(0, 1, s.heat_scale);
  s.redraw.start();
}

void PlotView::clearHeatMap() {
  State& s = *state_;
  if (s.heat == nullptr) return;
  s.plot->removePlottable(s.heat);
  s.plot->plotLayout()->remove(s.heat_scale);
  s.plot->plotLayout()->simplify();
  s.heat = nullptr;
  s.heat_scale = nullptr;
  s.redraw.start();
}

int PlotView::addHistogram(const SeriesStyle& style, const std::vector<double>& values, int bins) {
  SeriesStyle bars = style;
  bars.form = SeriesStyle::Form::bars;
  const int series = addSeries(bars);
  PlotRange range;
  for (const double value : values) range.include(value);
  if (!range.valid) return series;
  const auto count = static_cast<std::size_t>(std::max(1, bins));
  const double span = range.high > range.low ? range.high - range.low : 1.0;
  const double width = span / static_cast<double>(count);
  std::vector<double> x(count), y(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = range.low + (static_cast<double>(i) + 0.5) * width;
  }
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const auto bin = static_cast<std::size_t>((value - range.low) / width);
    y[std::min(bin, count - 1)] += 1.0;
  }
  state_->series[static_cast<std::size_t>(series)].bars->setWidth(width * 0.94);
  setData(series, std::move(x), std::move(y));
  return series;
}

namespace {

PlotMark make_mark(QCustomPlot& plot, double place, const QString& label, bool vertical) {
  PlotMark mark;
  mark.place = place;
  mark.label = label;
  mark.line = new QCPItemStraightLine(&plot);
  mark.line->point1->setCoords(vertical ? place : 0.0, vertical ? 0.0 : place);
  mark.line->point2->setCoords(vertical ? place : 1.0, vertical ? 1.0 : place);
  if (vertical) {  // two points on the screen: right on a logarithmic axis too
    mark.line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    mark.line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    mark.line->point1->setCoords(place, 0.0);
    mark.line->point2->setCoords(place, 1.0);
  } else {
    mark.line->point1->setTypeX(QCPItemPosition::ptAxisRectRatio);
    mark.line->point2->setTypeX(QCPItemPosition::ptAxisRectRatio);
    mark.line->point1->setCoords(0.0, place);
    mark.line->point2->setCoords(1.0, place);
  }
  mark.text = new QCPItemText(&plot);
  mark.text->setText(label);
  mark.text->setPadding(QMargins(4, 1, 4, 1));
  if (vertical) {
    mark.text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    mark.text->position->setCoords(place, 0.0);
    mark.text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  } else {
    mark.text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    mark.text->position->setCoords(1.0, place);
    mark.text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
  }
  return mark;
}

void remove_marks(QCustomPlot& plot, std::vector<PlotMark>& marks) {
  for (const PlotMark& mark : marks) {
    plot.removeItem(mark.line);
    plot.removeItem(mark.text);
  }
  marks.clear();
}

}  // namespace

void PlotView::addReference(double y, const QString& label) {
  state_->references.push_back(make_mark(*state_->plot, y, label, false));
  state_->apply_theme();
  state_->redraw.start();
}

void PlotView::clearReferences() {
  remove_marks(*state_->plot, state_->references);
  state_->redraw.start();
}

void PlotView::addMarker(double x, const QString& label) {
  state_->markers.push_back(make_mark(*state_->plot, x, label, true));
  state_->apply_theme();
  state_->redraw.start();
}

void PlotView::clearMarkers() {
  remove_marks(*state_->plot, state_->markers);
  state_->redraw.start();
}

void PlotView::clear() {
  state_->plot->legend->clearItems();
  for (PlotSeries& entry : state_->series) state_->remove_plottables(entry);
  state_->series.clear();
  clearHeatMap();
  clearReferences();
  clearMarkers();
  state_->zoomed = false;
}

void PlotView::setTitle(const QString& title) {
  state_->title = title;
}

void PlotView::setAxisTitles(const QString& x, const QString& y) {
  if (state_->x_title == x && state_->y_title == y) return;
  state_->x_title = x;
  state_->y_title = y;
  state_->redraw.start();
}

void PlotView::setVerticalTitleShown(bool shown) {
  state_->vertical_title = shown;
  state_->redraw.start();
}

void PlotView::setHorizontal(Horizontal horizontal) {
  if (state_->horizontal == horizontal) return;
  state_->horizontal = horizontal;
  state_->zoomed = false;
  state_->stale_all();
  state_->redraw.start();
}

void PlotView::setLogX(bool on) {
  if (state_->log_x == on) return;
  state_->log_x = on;
  state_->zoomed = false;
  state_->set_tickers();
  state_->stale_all();
  state_->redraw.start();
}

void PlotView::setLogY(bool on) {
  if (state_->log_y == on) return;
  state_->log_y = on;
  state_->zoomed = false;
  state_->set_tickers();
  state_->stale_all();
  state_->redraw.start();
}

bool PlotView::logX() const {
  return state_->log_x;
}
bool PlotView::logY() const {
  return state_->log_y;
}

void PlotView::setSmoothing(double weight) {
  const double clamped = std::clamp(weight, 0.0, 0.999);
  if (state_->smoothing == clamped) return;
  state_->smoothing = clamped;
  state_->stale_all();
  state_->redraw.start();
}

double PlotView::smoothing() const {
  return state_->smoothing;
}

void PlotView::setCategories(const QStringList& labels) {
  state_->categories = labels;
  state_->set_tickers();
  state_->redraw.start();
}

void PlotView::setLegendShown(bool shown) {
  state_->legend_shown = shown;
  state_->redraw.start();
}

void PlotView::setEqualAspect(bool equal) {
  state_->equal_aspect = equal;
  state_->redraw.start();
}

void PlotView::setXRange(double low, double high) {
  state_->fixed_x = PlotRange{low, high, true};
  state_->redraw.start();
}

void PlotView::setYRange(double low, double high) {
  state_->fixed_y = PlotRange{low, high, true};
  state_->redraw.start();
}

void PlotView::setInteractive(bool interactive) {
  state_->interactive = interactive;
  state_->plot->setInteractions(interactive ? QCP::Interactions(QCP::iRangeDrag | QCP::iRangeZoom)
                                            : QCP::Interactions());
}

void PlotView::resetView() {
  state_->zoomed = false;
  redrawNow();
  emit viewChanged();
}

bool PlotView::userHasZoomed() const {
  return state_->zoomed;
}

PlotRange PlotView::visibleX() const {
  const QCPRange range = state_->plot->xAxis->range();
  return {range.lower, range.upper, true};
}

PlotRange PlotView::visibleY() const {
  const QCPRange range = state_->plot->yAxis->range();
  return {range.lower, range.upper, true};
}

void PlotView::zoomTo(double xLow, double xHigh, double yLow, double yHigh) {
  state_->zoomed = true;
  state_->setting_range = true;
  state_->plot->xAxis->setRange(xLow, xHigh);
  state_->plot->yAxis->setRange(yLow, yHigh);
  state_->setting_range = false;
  redrawNow();
  emit viewChanged();
}

double PlotView::valueAt(int series, double x) const {
  state_->refresh_curves();
  const PlotSeries& entry = state_->series.at(static_cast<std::size_t>(series));
  const Curve& curve = entry.has_smooth ? entry.smooth : entry.raw;
  if (curve.empty()) return std::numeric_limits<double>::quiet_NaN();
  return curve.y()[curve.nearest(x)];
}

void PlotView::redrawNow() {
  State& s = *state_;
  s.redraw.stop();
  s.refresh_curves();
  s.setting_range = true;
  s.plot->xAxis->setLabel(s.x_axis_title());
  s.plot->yAxis->setLabel(s.vertical_title ? s.y_title : QString());
  s.setting_range = false;
  s.arrange_legend(s.plot->width());
  s.fit();
  s.place_markers();
  s.plot->replot(QCustomPlot::rpQueuedRefresh);
}

QCustomPlot& PlotView::canvas() {
  return *state_->plot;
}

}  // namespace assay
