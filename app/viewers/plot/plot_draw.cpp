// PlotView: from the data to QCustomPlot's objects: colours, ranges, thinning.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/viewers/plot/plot_state.h"
#include "app/viewers/plot/plot_ticker.h"
#include "core/stats/stats.h"

namespace assay {
namespace {

constexpr int all_points_limit = 50'000;  // of a scatter: thinning would lose its inner points
// A dash pattern in a zigzag this many times longer than the plot is wide can't be read and costs
// more than everything else: such a line is drawn solid.
constexpr double dash_limit = 30.0;

QVector<QCPGraphData> graph_data(const std::vector<PlotPoint>& points) {
  QVector<QCPGraphData> data;
  data.reserve(static_cast<qsizetype>(points.size()));
  for (const PlotPoint& point : points) data.append(QCPGraphData(point.x, point.y));
  return data;
}

std::vector<PlotPoint> all_points(const Curve& curve) {
  std::vector<PlotPoint> points;
  points.reserve(curve.size());
  for (std::size_t i = 0; i < curve.size(); ++i) points.push_back({curve.x()[i], curve.y()[i]});
  return points;
}

bool is_line(const SeriesStyle& style) {
  return style.form == SeriesStyle::Form::line ||
         style.form == SeriesStyle::Form::line_and_points || style.form == SeriesStyle::Form::steps;
}

}  // namespace

QFont plotFont(int pixels, int weight) {
  QFont font = Theme::font(pixels, weight);
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

const QColor PlotView::State::color(const PlotSeries& entry) const {
  if (entry.style.color) return *entry.style.color;
  const qsizetype count = tokens->series.size();
  return tokens->series[((entry.style.color_index % count) + count) % count];
}

const std::vector<double>& PlotView::State::horizontal_of(const PlotSeries& entry) const {
  const bool seconds = horizontal == Horizontal::seconds && entry.seconds.size() == entry.x.size();
  return seconds ? entry.seconds : entry.x;
}

void PlotView::State::stale_all() {
  for (PlotSeries& entry : series) entry.stale = true;
  fed = false;
}

void PlotView::State::make_plottables(PlotSeries& entry) {
  const auto quiet_graph = [this]() {
    QCPGraph* graph = plot->addGraph();
    graph->setAdaptiveSampling(false);  // ours loses no extreme and is done already
    graph->removeFromLegend();
    return graph;
  };
  if (entry.style.form == SeriesStyle::Form::bars) {
    entry.bars = new QCPBars(plot->xAxis, plot->yAxis);
    entry.bars->removeFromLegend();
  } else if (entry.style.form == SeriesStyle::Form::path) {
    entry.path = new QCPCurve(plot->xAxis, plot->yAxis);
    entry.path->removeFromLegend();
  } else {
    entry.band_bottom = quiet_graph();
    entry.band_top = quiet_graph();
    entry.faint = quiet_graph();
    entry.line = quiet_graph();
    entry.band_top->setChannelFillGraph(entry.band_bottom);
  }
  style(entry);
}

void PlotView::State::remove_plottables(PlotSeries& entry) {
  for (QCPAbstractPlottable* part : std::initializer_list<QCPAbstractPlottable*>{
           entry.line, entry.faint, entry.band_top, entry.band_bottom, entry.bars, entry.path}) {
    if (part != nullptr) plot->removePlottable(part);
  }
  entry.line = entry.faint = entry.band_top = entry.band_bottom = nullptr;
  entry.bars = nullptr;
  entry.path = nullptr;
}

void PlotView::State::style(PlotSeries& entry) {
  using Form = SeriesStyle::Form;
  const QColor ink = color(entry);
  QColor pale = ink, wash = ink;
  pale.setAlphaF(0.28F);
  wash.setAlphaF(0.16F);
  const QPen pen(ink, entry.style.width, entry.style.dash, Qt::FlatCap, Qt::RoundJoin);
  if (entry.bars != nullptr) {
    QColor fill = ink;
    fill.setAlphaF(0.75F);
    entry.bars->setPen(Qt::NoPen);
    entry.bars->setBrush(fill);
    entry.bars->setVisible(entry.visible);
    return;
  }
  if (entry.path != nullptr) {
    entry.path->setPen(pen);
    entry.path->setVisible(entry.visible);
    return;
  }
  const Form form = entry.style.form;
  entry.line->setPen(pen);
  entry.line->setLineStyle(form == Form::points  ? QCPGraph::lsNone
                           : form == Form::steps ? QCPGraph::lsStepLeft
                                                 : QCPGraph::lsLine);
  const bool dots = form == Form::points || form == Form::line_and_points;
  entry.line->setScatterStyle(
      dots ? QCPScatterStyle(QCPScatterStyle::ssDisc, ink, ink, form == Form::points ? 5 : 6)
           : QCPScatterStyle(QCPScatterStyle::ssNone));
  entry.faint->setPen(QPen(pale, 1.0));
  entry.band_bottom->setPen(Qt::NoPen);
  entry.band_top->setPen(Qt::NoPen);
  entry.band_top->setBrush(wash);
  entry.line->setVisible(entry.visible);
  entry.faint->setVisible(entry.visible && entry.has_smooth);
  const bool band = entry.visible && !entry.band_x.empty();
  entry.band_bottom->setVisible(band);
  entry.band_top->setVisible(band);
}

void PlotView::State::apply_theme() {
  const QFont small = plotFont(11);
  plot->setBackground(QBrush(tokens->panel));
  for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
    axis->setBasePen(QPen(tokens->line, 1));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelFont(small);
    axis->setTickLabelColor(tokens->soft);
    axis->setLabelFont(small);
    axis->setLabelColor(tokens->soft);
    axis->grid()->setPen(QPen(tokens->line, 1, Qt::CustomDashLine));
    QPen grid(tokens->line, 1);
    grid.setDashPattern({3, 4});
    axis->grid()->setPen(grid);
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->setTickLabelPadding(6);
    axis->setLabelPadding(4);
  }
  plot->xAxis->grid()->setVisible(false);
  plot->legend->setFont(small);
  plot->legend->setTextColor(tokens->soft);
  plot->legend->setBrush(Qt::NoBrush);
  plot->legend->setBorderPen(Qt::NoPen);
  plot->selectionRect()->setPen(QPen(tokens->accent, 1));
  QColor wash = tokens->accent;
  wash.setAlpha(30);
  plot->selectionRect()->setBrush(wash);
  for (std::vector<PlotMark>* marks : {&references, &markers}) {
    for (PlotMark& mark : *marks) {
      mark.line->setPen(QPen(tokens->faint, 1, Qt::DashLine));
      mark.text->setFont(small);
      mark.text->setColor(tokens->soft);
    }
  }
  readout->setTokens(*tokens);
  if (heat_scale != nullptr) heat_scale->setTokens(*tokens);
  for (PlotSeries& entry : series) style(entry);
}

void PlotView::State::refresh_curves() {
  for (PlotSeries& entry : series) {
    if (!entry.stale) continue;
    entry.stale = false;
    fed = false;
    const std::vector<double>& x = horizontal_of(entry);
    if (entry.path != nullptr) continue;  // fed as it is
    entry.raw.assign(x, entry.y, log_y);
    entry.has_smooth = smoothing > 0.0 && entry.style.smoothed && is_line(entry.style);
    if (entry.has_smooth) {
      std::vector<double> smoothed = assay::smooth(entry.y, smoothing);
      for (std::size_t i = 0; i < smoothed.size(); ++i) {
        if (!std::isfinite(entry.y[i])) smoothed[i] = std::numeric_limits<double>::quiet_NaN();
      }
      entry.smooth.assign(x, std::move(smoothed), log_y);
    } else {
      entry.smooth.assign({}, {});
    }
    entry.low.assign(entry.band_x, entry.band_low, log_y);
    entry.high.assign(entry.band_x, entry.band_high, log_y);
    style(entry);
  }
}

namespace {

QCPRange padded(const PlotRange& range, bool log, double margin) {
  if (!range.valid) return log ? QCPRange(0.1, 10.0) : QCPRange(0.0, 1.0);
  if (log) {
    const double low = std::max(range.low, 1e-300), high = std::max(range.high, 1e-300);
    const double reach = high > low ? std::pow(high / low, margin) : 2.0;
    return {low / reach, high * reach};
  }
  const double width = range.high - range.low;
  if (width > 0.0 && std::isfinite(width)) {
    return {range.low - width * margin, range.high + width * margin};
  }
  const double reach = std::max(std::abs(range.low) * 0.1, 1e-9);  // a constant stays a flat line
  return range.low == 0.0 ? QCPRange(-1.0, 1.0) : QCPRange(range.low - reach, range.high + reach);
}

}  // namespace

void PlotView::State::fit() {
  if (zoomed) return;
  PlotRange x, y;
  bool bars = false;
  for (const PlotSeries& entry : series) {
    if (!entry.visible) continue;
    if (entry.path != nullptr) {
      for (std::size_t i = 0; i < entry.x.size(); ++i) {
        x.include(entry.x[i]);
        y.include(entry.y[i]);
      }
      continue;
    }
    x.include(entry.raw.x_range(log_x));
    y.include(entry.raw.y_range());
    y.include(entry.low.y_range());
    y.include(entry.high.y_range());
    if (entry.bars != nullptr && !entry.raw.empty()) {
      bars = true;
      x.include(entry.raw.x().front() - entry.bars->width() / 2);
      x.include(entry.raw.x().back() + entry.bars->width() / 2);
    }
  }
  if (bars && !log_y) y.include(0.0);
  for (const PlotMark& mark : references) y.include(mark.place);
  double margin = 0.05, x_margin = bars ? 0.02 : 0.0;
  if (heat != nullptr) {
    x.include(heat->map().x_low);
    x.include(heat->map().x_high);
    y.include(heat->map().y_low);
    y.include(heat->map().y_high);
    margin = x_margin = 0.0;
  }
  const auto points = std::any_of(series.begin(), series.end(), [](const PlotSeries& entry) {
    return entry.style.form == SeriesStyle::Form::points;
  });
  if (points && heat == nullptr) x_margin = 0.03;
  setting_range = true;
  if (fixed_x)
    plot->xAxis->setRange(fixed_x->low, fixed_x->high);
  else
    plot->xAxis->setRange(padded(x, log_x, x_margin));
  if (fixed_y)
    plot->yAxis->setRange(fixed_y->low, fixed_y->high);
  else
    plot->yAxis->setRange(padded(y, log_y, margin));
  if (equal_aspect && plot->axisRect()->width() > 1) {
    plot->yAxis->setScaleRatio(plot->xAxis, 1.0);
    if (y.valid && (plot->yAxis->range().lower > y.low || plot->yAxis->range().upper < y.high)) {
      plot->yAxis->setRange(padded(y, log_y, margin));
      plot->xAxis->setScaleRatio(plot->yAxis, 1.0);
    }
  }
  setting_range = false;
}

void PlotView::State::feed(int columns, bool clipped) {
  const QCPRange x = plot->xAxis->range(), y = plot->yAxis->range();
  if (fed && !clipped && fed_columns == columns && fed_x.low == x.lower && fed_x.high == x.upper) {
    return;
  }
  const auto put = [&](QCPGraph* graph, const Curve& curve, bool every, bool solid) {
    std::vector<PlotPoint> points =
        every ? all_points(curve) : curve.thinned(x.lower, x.upper, columns, log_x);
    // Cutting is exact on linear axes only; elsewhere the picture is drawn from all of it.
    if (clipped && solid && !log_x && !log_y) {
      points = clip_line(points, x.lower, x.upper, y.lower, y.upper);
    }
    graph->data()->set(graph_data(points), true);
    return points;
  };
  for (PlotSeries& entry : series) {
    if (!entry.visible) continue;
    if (entry.bars != nullptr) {
      QVector<QCPBarsData> data;
      for (std::size_t i = 0; i < entry.raw.size(); ++i) {
        data.append(QCPBarsData(entry.raw.x()[i], entry.raw.y()[i]));
      }
      entry.bars->data()->set(data, true);
      continue;
    }
    if (entry.path != nullptr) {
      QVector<QCPCurveData> data;
      const std::size_t count = std::min(entry.x.size(), entry.y.size());
      for (std::size_t i = 0; i < count; ++i) {
        data.append(QCPCurveData(static_cast<double>(i), entry.x[i], entry.y[i]));
      }
      entry.path->data()->set(data, true);
      continue;
    }
    const Curve& shown = entry.has_smooth ? entry.smooth : entry.raw;
    const bool every = entry.style.form == SeriesStyle::Form::points &&
                       shown.size() <= static_cast<std::size_t>(all_points_limit);
    const auto points = put(entry.line, shown, every, is_line(entry.style));
    if (entry.has_smooth) put(entry.faint, entry.raw, false, true);
    if (!entry.band_x.empty()) {
      put(entry.band_bottom, entry.low, false, false);
      put(entry.band_top, entry.high, false, false);
    }
    if (entry.style.dash != Qt::SolidLine && is_line(entry.style)) {
      double length = 0.0;
      const double height = y.size();
      for (std::size_t i = 1; i < points.size(); ++i) {
        const double rise = std::abs(points[i].y - points[i - 1].y) / height;
        if (std::isfinite(rise)) length += std::min(rise, 1.0);
      }
      QPen pen = entry.line->pen();
      pen.setStyle(length > dash_limit ? Qt::SolidLine : entry.style.dash);
      entry.line->setPen(pen);
    }
  }
  fed = !clipped;
  fed_columns = columns;
  fed_x = {x.lower, x.upper, true};
}

void PlotView::State::set_tickers() {
  const auto set = [](QCPAxis* axis, bool log) {
    axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (log)
      axis->setTicker(QSharedPointer<PlotTickerLog>::create());
    else
      axis->setTicker(QSharedPointer<PlotTicker>::create());
  };
  setting_range = true;
  set(plot->yAxis, log_y);
  set(plot->xAxis, log_x && categories.isEmpty());
  if (!categories.isEmpty()) {
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (qsizetype i = 0; i < categories.size(); ++i) {
      ticker->addTick(static_cast<double>(i), categories[i]);
    }
    plot->xAxis->setTicker(ticker);
  }
  setting_range = false;
}

// A marker's words stand at the side of its line that has room.
void PlotView::State::place_markers() {
  const QCPRange range = plot->xAxis->range();
  for (const PlotMark& mark : markers) {
    const double part = (mark.place - range.lower) / range.size();
    mark.text->setPositionAlignment((part > 0.6 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
  }
}

QString PlotView::State::x_axis_title() const {
  if (horizontal == Horizontal::seconds) return PlotView::tr("Time [s]");
  return x_title;
}

// Entries in as many columns as fit, below the axes.
void PlotView::State::arrange_legend(int width) {
  QCPLegend* legend = plot->legend;
  legend->clearItems();
  legend->setVisible(legend_shown);
  if (!legend_shown) return;
  const QFontMetrics metrics(legend->font());
  int widest = 0, entries = 0;
  for (PlotSeries& entry : series) {
    if (entry.style.name.isEmpty()) continue;
    QCPAbstractPlottable* plottable = entry.main();
    plottable->setName(metrics.elidedText(entry.style.name, Qt::ElideMiddle, 260));
    plottable->addToLegend();
    widest = std::max(widest, metrics.horizontalAdvance(plottable->name()));
    ++entries;
    if (auto* item = legend->itemWithPlottable(plottable)) {
      item->setTextColor(entry.visible ? tokens->soft : tokens->faint);
      QFont font = legend->font();
      font.setStrikeOut(!entry.visible);
      item->setFont(font);
    }
  }
  legend->setVisible(entries > 0);
  legend_row->setVisible(entries > 0);
  const int room = std::max(1, (width - 24) / (widest + 22 + 7 + 16));
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  legend->setWrap(std::clamp(room, 1, std::max(1, entries)));
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

}  // namespace assay
