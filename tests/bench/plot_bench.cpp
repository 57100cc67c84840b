// How fast a curve of a million dense, noisy points pans: ours (min/max pyramid) against
// QCustomPlot's own adaptive sampling of the same data, same pen, same hint, same widget.
#include <qcustomplot.h>

#include <QApplication>
#include <QElapsedTimer>
#include <cmath>
#include <random>

#include "app/viewers/plot/plot_view.h"
#include "bench/bench_row.h"

namespace assay {
namespace {

constexpr int points = 1'000'000;
constexpr int width = 1200, height = 700;
constexpr double pen = 1.5;
constexpr int frames = 60;

struct Data {
  std::vector<double> x, y;
};

// Dense and noisy: each pixel column has hundreds of points and real extremes.
Data noisy() {
  Data data;
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < points; ++i) {
    data.x.push_back(i);
    data.y.push_back(std::exp(-i / 3e5) + 0.1 * normal(generator));
  }
  return data;
}

// Frames a second while the window over the data slides by one per cent a frame, each drawn whole.
template <typename Draw>
double frames_per_second(QCustomPlot& plot, double part, const Draw& draw) {
  plot.xAxis->setRange(0, points * part);
  plot.yAxis->setRange(-0.5, 1.5);
  draw();
  QElapsedTimer clock;
  clock.start();
  for (int frame = 0; frame < frames; ++frame) {
    plot.xAxis->moveRange(points * part * (frame < frames / 2 ? 0.01 : -0.01));
    draw();
  }
  return frames * 1000.0 / static_cast<double>(clock.elapsed());
}

BenchRow row(const std::string& name, double ours, double theirs) {
  BenchRow result;
  result.name = name;
  result.ours = ours;
  result.theirs = theirs;
  result.peer = "QCustomPlot's adaptive sampling";
  result.unit = "frames/s (1 M points, 1200x700 at scale 1, pen 1.5 px)";
  result.ratio = ours / theirs;
  result.target = ">= 30 frames/s";
  result.met = ours >= 30.0;
  return result;
}

std::vector<BenchRow> measure() {
  const Data data = noisy();
  PlotView ours(nullptr, ThemeKind::light);
  ours.resize(width, height);
  ours.setLegendShown(false);
  SeriesStyle style;
  style.width = pen;
  const int series = ours.addSeries(style);
  ours.setData(series, data.x, data.y);
  ours.redrawNow();
  ours.show();
  QApplication::processEvents();
  const auto draw_ours = [&ours]() {
    ours.canvas().replot(QCustomPlot::rpImmediateRefresh);
    QApplication::processEvents();
  };

  QCustomPlot theirs;
  theirs.resize(width, height);
  theirs.setPlottingHint(QCP::phFastPolylines, true);
  QCPGraph* graph = theirs.addGraph();
  graph->setPen(QPen(QColor("#0072b2"), pen));
  graph->setData(QVector<double>(data.x.begin(), data.x.end()),
                 QVector<double>(data.y.begin(), data.y.end()), true);
  theirs.show();
  const auto draw_theirs = [&theirs]() {
    theirs.replot(QCustomPlot::rpImmediateRefresh);
    QApplication::processEvents();
  };
  std::vector<BenchRow> rows;
  for (const auto& [name, part] : {std::pair<const char*, double>{"plot.pan_all", 1.0},
                                   std::pair<const char*, double>{"plot.pan_half", 0.5},
                                   std::pair<const char*, double>{"plot.pan_tenth", 0.1}}) {
    const double a = frames_per_second(ours.canvas(), part, draw_ours);
    const double b = frames_per_second(theirs, part, draw_theirs);
    rows.push_back(row(name, a, b));
  }
  return rows;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication application(argc, argv);
  return assay::bench_main(argc, argv, assay::measure);
}
