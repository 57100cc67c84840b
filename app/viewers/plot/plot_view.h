// The plot of Assay: lines, bands, points, bars, heat maps; live, zoomable, exported as vectors.
// Knows no run and no paper: data goes in as arrays. Built on QCustomPlot, which it hides.
#pragma once

#include <QColor>
#include <QImage>
#include <QPicture>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/viewers/plot/curve.h"
#include "app/viewers/theme.h"

class QCustomPlot;
class QMenu;

namespace assay {

struct HeatMap;

struct SeriesStyle {
  enum class Form { line, points, line_and_points, steps, path, bars };
  QString name;                 // of the legend; empty: not in the legend
  int color_index = 0;          // of the theme's series colours; follows the theme
  std::optional<QColor> color;  // instead of color_index
  Qt::PenStyle dash = Qt::SolidLine;
  double width = 1.5;      // of the pen, px
  Form form = Form::line;  // path: joined in the order given, x need not grow
  QString unit;
  bool in_readout = true;
  bool smoothed = true;  // takes part in the view's smoothing
};

class PlotView : public QWidget {
  Q_OBJECT
 public:
  enum class Horizontal { step, seconds };

  // `fixed`: always this theme, whatever the window's (reports: light). Needs no Theme object then.
  explicit PlotView(QWidget* parent = nullptr, std::optional<ThemeKind> fixed = {});
  ~PlotView() override;

  // --- data; a series is addressed by the number that addSeries returned ---
  int addSeries(const SeriesStyle& style);
  void setStyle(int series, const SeriesStyle& style);
  const SeriesStyle& style(int series) const;
  int seriesCount() const;
  // `seconds`: the other horizontal axis, as long as x, or empty.
  void setData(int series, std::vector<double> x, std::vector<double> y,
               std::vector<double> seconds = {});
  // Live: adds to the end; the view keeps its place when the user has zoomed.
  void append(int series, const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& seconds = {});
  // A band in the colour of the series (mean +- interval); empty vectors remove it.
  void setBand(int series, std::vector<double> x, std::vector<double> low,
               std::vector<double> high);
  void setSeriesVisible(int series, bool visible);
  bool seriesVisible(int series) const;
  void setHeatMap(const HeatMap& map);  // behind everything; one at a time
  void clearHeatMap();
  // Bars of counts over equal bins: a histogram of the finite values.
  int addHistogram(const SeriesStyle& style, const std::vector<double>& values, int bins = 40);
  void addReference(double y, const QString& label);  // a dashed horizontal line
  void clearReferences();
  void addMarker(double x, const QString& label);  // a dashed vertical line ("resumed")
  void clearMarkers();
  void clear();  // all of the above

  // --- how it is shown ---
  void setTitle(const QString& title);  // in exports only; the page has its own heading
  void setAxisTitles(const QString& x, const QString& y);  // units in brackets: "Time [s]"
  // Off where a heading says it already; files have it always.
  void setVerticalTitleShown(bool shown);
  void setHorizontal(Horizontal horizontal);
  void setLogX(bool on);
  void setLogY(bool on);
  bool logX() const;
  bool logY() const;
  // Weight of the exponential moving average with its start-up bias removed, in [0, 1). Computed on
  // the full data, before thinning; the raw curve stays, faint.
  void setSmoothing(double weight);
  double smoothing() const;
  void setCategories(const QStringList& labels);  // of x = 0, 1, 2, ...
  void setLegendShown(bool shown);
  void setEqualAspect(bool equal);          // one unit as long in x as in y (pictures of a plane)
  void setXRange(double low, double high);  // fixed; a double click returns to it
  void setYRange(double low, double high);
  void setInteractive(bool interactive);
  void resetView();
  bool userHasZoomed() const;
  PlotRange visibleX() const;
  PlotRange visibleY() const;
  void zoomTo(double xLow, double xHigh, double yLow, double yHigh);
  // The value of a series as shown (smoothed when smoothing is on) nearest to x; NaN: none.
  double valueAt(int series, double x) const;
  void redrawNow();  // otherwise at most 30 times a second

  // --- taking it along ---
  QImage toImage(double scale = 2.0) const;
  QImage toImage(const QSize& size, double scale) const;
  QByteArray toSvg(const QSize& size = {}) const;
  QPicture toPicture(const QSize& size) const;  // vectors, for any painter
  // Throws Error(storage). Size in millimetres, by default as on screen at 96 dpi.
  void writePdf(const QString& path, const QSizeF& millimetres = {}) const;
  // Columns: x, then one for each visible series, with titles and units in the first line.
  QString toCsv() const;
  void copyImage() const;
  void addExportActions(QMenu& menu);

  QCustomPlot& canvas();  // for what a plugin's view needs beyond this

 signals:
  void viewChanged();                        // zoomed, panned or reset by the user
  void runDropped(const QString& publicId);  // a run dragged onto the plot
  void clickedAt(double x, double y);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

inline constexpr const char* run_mime_type = "application/x-assay-run";

}  // namespace assay
