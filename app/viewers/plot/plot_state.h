// The inside of PlotView, shared by its source files only.
#pragma once

#include <qcustomplot.h>

#include <QTimer>
#include <optional>
#include <vector>

#include "app/viewers/plot/curve.h"
#include "app/viewers/plot/heat_map_item.h"
#include "app/viewers/plot/plot_readout.h"
#include "app/viewers/plot/plot_view.h"

namespace assay {

// The plot's fonts. Without shaping: a shaped font may put a variant of a bracket or hyphen that
// has no character of its own, and the text of a PDF can't be searched or copied then.
QFont plotFont(int pixels, int weight = 400);

class HeatScale;

struct PlotSeries {
  SeriesStyle style;
  std::vector<double> x, y, seconds;  // as given
  std::vector<double> band_x, band_low, band_high;
  Curve raw, smooth, low, high;  // in the axes shown now
  bool visible = true;
  bool stale = true;  // the curves above are older than the data
  bool has_smooth = false;
  QCPGraph* line = nullptr;   // smooth when there is one, else raw
  QCPGraph* faint = nullptr;  // raw behind smooth
  QCPGraph* band_bottom = nullptr;
  QCPGraph* band_top = nullptr;
  QCPBars* bars = nullptr;
  QCPCurve* path = nullptr;
  QCPAbstractPlottable* main() const {
    if (bars != nullptr) return bars;
    if (path != nullptr) return path;
    return line;
  }
};

struct PlotMark {
  QString label;
  double place = 0.0;
  QCPItemStraightLine* line = nullptr;
  QCPItemText* text = nullptr;
};

struct PlotView::State {
  QCustomPlot* plot = nullptr;
  PlotReadout* readout = nullptr;
  QCPLayoutGrid* legend_row = nullptr;
  HeatMapItem* heat = nullptr;
  HeatScale* heat_scale = nullptr;
  std::vector<PlotSeries> series;
  std::vector<PlotMark> references, markers;
  QTimer redraw;
  std::optional<ThemeKind> fixed;
  const ThemeTokens* tokens = nullptr;

  QString title, x_title, y_title;
  QStringList categories;
  Horizontal horizontal = Horizontal::step;
  double smoothing = 0.0;
  bool log_x = false, log_y = false, legend_shown = true, equal_aspect = false;
  bool vertical_title = true;  // on the screen
  std::optional<PlotRange> fixed_x, fixed_y;
  bool zoomed = false;         // by the user: live data must not move the view
  bool setting_range = false;  // the range changes by our own hand
  bool interactive = true;
  // What the thinned data was made for; the same again needs no work.
  PlotRange fed_x;
  int fed_columns = 0;
  bool fed = false;

  // plot_draw.cpp
  void make_plottables(PlotSeries& entry);
  void remove_plottables(PlotSeries& entry);
  void style(PlotSeries& entry);
  void apply_theme();
  void refresh_curves();
  void fit();                            // ranges from the data, unless the user zoomed
  void feed(int columns, bool clipped);  // thinned data into QCustomPlot
  void arrange_legend(int width);
  void set_tickers();
  void place_markers();
  const QColor color(const PlotSeries& entry) const;
  const std::vector<double>& horizontal_of(const PlotSeries& entry) const;
  void stale_all();
  QString x_axis_title() const;
  void update_readout(const QPointF& place);  // plot_events.cpp
  // plot_export.cpp
  template <typename Draw>
  void for_export(const QSize& size, double scale, ThemeKind kind, bool vector, const Draw& draw);
};

// A strip with the colours of the heat map and its lowest and highest value; rectangles in vectors.
class HeatScale : public QCPLayoutElement {
  Q_OBJECT
 public:
  HeatScale(QCustomPlot* plot, const HeatMap& map, const ThemeTokens& tokens);
  void setTokens(const ThemeTokens& tokens) { tokens_ = &tokens; }
  QSize minimumOuterSizeHint() const override { return {64, 40}; }
  QSize maximumOuterSizeHint() const override { return {64, QWIDGETSIZE_MAX}; }

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
    painter->setAntialiasing(false);
  }

 private:
  HeatMap map_;
  const ThemeTokens* tokens_;
};

}  // namespace assay
