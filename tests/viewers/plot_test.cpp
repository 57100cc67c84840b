// The plot: smoothing before thinning, live data, legend, read-out, exports.
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>
#include <limits>

#include "app/viewers/plot/heat_map_item.h"
#include "app/viewers/plot/plot_readout.h"
#include "app/viewers/plot/plot_view.h"
#include "core/formats/table.h"
#include "core/stats/stats.h"
#include "viewers/offscreen.h"

using namespace assay;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

std::vector<double> ramp(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  return x;
}

std::vector<double> wave(std::size_t count) {
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = std::sin(static_cast<double>(i) * 0.01) + (i % 7 == 0 ? 0.3 : -0.1);
  }
  return y;
}

SeriesStyle named(const QString& name, int color = 0) {
  SeriesStyle style;
  style.name = name;
  style.color_index = color;
  return style;
}

QString run(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForFinished(20'000) || process.exitCode() != 0) return "failed";
  return QString::fromUtf8(process.readAllStandardOutput());
}

}  // namespace

class PlotTest : public QObject {
  Q_OBJECT
 private slots:
  void smoothingIsOfTheFullData() {
    constexpr std::size_t count = 200'000;
    PlotView plot;
    plot.resize(400, 300);
    const int series = plot.addSeries(named("loss"));
    plot.setData(series, ramp(count), wave(count));
    plot.setSmoothing(0.9);
    const std::vector<double> y = wave(count);
    const std::vector<double> expected = smooth(y, 0.9);
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}, count / 2, count - 1}) {
      QCOMPARE(plot.valueAt(series, static_cast<double>(i)), expected[i]);
    }
    plot.setSmoothing(0.0);
    QCOMPARE(plot.valueAt(series, 12.0), y[12]);
  }

  void smoothingKeepsGaps() {
    PlotView plot;
    const int series = plot.addSeries(named("loss"));
    plot.setData(series, {0, 1, 2, 3}, {1, nan_value, 1, 1});
    plot.setSmoothing(0.5);
    QVERIFY(std::isnan(plot.valueAt(series, 1.0)));
    QCOMPARE(plot.valueAt(series, 3.0), 1.0);
  }

  void liveDataFollowsUntilTheUserZooms() {
    PlotView plot;
    plot.resize(400, 300);
    const int series = plot.addSeries(named("loss"));
    plot.setData(series, {0, 1}, {0, 1});
    plot.redrawNow();
    plot.append(series, {2, 3}, {5, 9});
    plot.redrawNow();
    QVERIFY(plot.visibleX().high >= 3.0);
    QVERIFY(plot.visibleY().high >= 9.0);
    plot.zoomTo(0.5, 1.5, 0.0, 2.0);
    plot.append(series, {4}, {100});
    plot.redrawNow();
    QCOMPARE(plot.visibleX().low, 0.5);
    QCOMPARE(plot.visibleX().high, 1.5);
    QCOMPARE(plot.visibleY().high, 2.0);
    plot.resetView();
    QVERIFY(plot.visibleY().high >= 100.0);
    QVERIFY(!plot.userHasZoomed());
  }

  void doubleClickResetsAndWheelZooms() {
    PlotView plot;
    plot.resize(500, 300);
    const int series = plot.addSeries(named("a"));
    plot.setData(series, ramp(100), wave(100));
    plot.show();
    plot.redrawNow();
    const PlotRange before = plot.visibleX();
    const QPointF middle = QRectF(plot.canvas().rect()).center();
    QWheelEvent wheel(middle, plot.canvas().mapToGlobal(middle), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot.canvas(), &wheel);
    QVERIFY(plot.userHasZoomed());
    QVERIFY(plot.visibleX().high - plot.visibleX().low < before.high - before.low);
    QTest::mouseDClick(&plot.canvas(), Qt::LeftButton, {}, middle.toPoint());
    QVERIFY(!plot.userHasZoomed());
    QCOMPARE(plot.visibleX().low, before.low);
    QCOMPARE(plot.visibleX().high, before.high);
  }

  void readOutShowsAllSeries() {
    PlotView plot;
    plot.resize(500, 300);
    plot.setAxisTitles("step", "loss");
    for (int i = 0; i < 3; ++i) {
      const int series = plot.addSeries(named(QString("line %1").arg(i), i));
      plot.setData(series, ramp(11), std::vector<double>(11, i + 0.25));
    }
    plot.show();
    plot.redrawNow();
    QTest::mouseMove(&plot.canvas(), plot.canvas().rect().center());
    QMouseEvent move(QEvent::MouseMove, QRectF(plot.canvas().rect()).center(),
                     plot.canvas().mapToGlobal(QPointF(plot.canvas().rect().center())),
                     Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&plot.canvas(), &move);
    const auto* readout = plot.findChild<PlotReadout*>();
    QVERIFY(readout != nullptr);
    QCOMPARE(readout->rows().size(), std::size_t{3});
    QCOMPARE(readout->rows()[2].name, QString("line 2"));
    QCOMPARE(readout->rows()[2].value, QString("2.250"));
    QCOMPARE(readout->heading(), QString("step 5"));
  }

  void logAxisShowsPositiveOnly() {
    PlotView plot;
    const int series = plot.addSeries(named("loss"));
    plot.setData(series, {1, 2, 3, 4}, {100, -1, 0, 0.01});
    plot.setLogY(true);
    plot.redrawNow();
    QVERIFY(plot.visibleY().low > 0.0 && plot.visibleY().low <= 0.01);
    QVERIFY(plot.visibleY().high >= 100.0);
  }

  void emptyAndHopelessDataDoNotFault() {
    PlotView plot;
    plot.resize(300, 200);
    plot.redrawNow();
    const int series = plot.addSeries(named("nothing"));
    plot.setData(series, {}, {});
    plot.redrawNow();
    plot.setData(series, {1, 2}, {nan_value, nan_value});
    plot.setLogY(true);
    plot.redrawNow();
    plot.setData(series, {1}, {-1});
    plot.redrawNow();
    QVERIFY(!plot.toImage(1.0).isNull());
    QVERIFY(!plot.toSvg({200, 100}).isEmpty());
  }

  void csvHasTitlesUnitsAndBands() {
    PlotView plot;
    plot.setAxisTitles("Step", "Accuracy [%]");
    SeriesStyle style = named("a, \"b\"");
    style.unit = "%";
    const int first = plot.addSeries(style);
    plot.setData(first, {1, 2}, {0.5, nan_value});
    plot.setBand(first, {1}, {0.4}, {0.6});
    const int second = plot.addSeries(named("c"));
    plot.setData(second, {2, 3}, {7, 1e-9});
    const Table table = parse_csv(plot.toCsv().toStdString(), "csv");
    QCOMPARE(table.columns, (std::vector<std::string>{"Step", "a, \"b\" [%]", "a, \"b\" low [%]",
                                                      "a, \"b\" high [%]", "c"}));
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[0], (std::vector<std::string>{"1", "0.5", "0.4", "0.6", ""}));
    QCOMPARE(table.rows[1], (std::vector<std::string>{"2", "nan", "", "", "7"}));
    QCOMPARE(table.rows[2], (std::vector<std::string>{"3", "", "", "", "1e-09"}));
    plot.setSeriesVisible(second, false);
    QVERIFY(!plot.toCsv().contains("\"c\"") && !plot.toCsv().contains(",c\n"));
  }

  void pdfIsVectorWithSelectableText() {
    QTemporaryDir folder;
    const QString path = folder.filePath("figure.pdf");
    PlotView plot;
    plot.resize(600, 300);
    plot.setTitle("Two lines");
    plot.setAxisTitles("step", "accuracy");
    for (int i = 0; i < 2; ++i) {
      const int series = plot.addSeries(named(i == 0 ? "first" : "second", i));
      plot.setData(series, ramp(3000), wave(3000));
      plot.setBand(series, {0, 1000, 2000}, {0, 0, 0}, {1, 1, 1});
    }
    HeatMap map;
    map.columns = map.rows = 8;
    map.values.resize(64);
    for (std::size_t i = 0; i < 64; ++i) map.values[i] = static_cast<double>(i);
    map.x_high = 3000;
    plot.setHeatMap(map);
    plot.writePdf(path);
    const QString images = run("pdfimages", {"-list", path});
    QCOMPARE(images.split('\n', Qt::SkipEmptyParts).size(), 2);  // the two lines of its heading
    const QString text = run("pdftotext", {"-layout", path, "-"});
    for (const char* word : {"Two lines", "step", "accuracy", "first", "second"}) {
      QVERIFY2(text.contains(word), qPrintable(QString("no \"%1\" in: %2").arg(word, text)));
    }
  }

  void svgHasTextAndNoImage() {
    PlotView plot;
    plot.setAxisTitles("step", "loss & more");
    const int series = plot.addSeries(named("curve"));
    plot.setData(series, ramp(100), wave(100));
    const QString svg = QString::fromUtf8(plot.toSvg({500, 260}));
    QVERIFY(svg.contains("<text"));
    QVERIFY(svg.contains("loss &amp; more"));
    QVERIFY(!svg.contains("<image"));
    QVERIFY(svg.contains("<polyline") || svg.contains("<path"));
  }

  void exportLeavesTheScreenAsItWas() {
    PlotView plot;
    plot.resize(400, 300);
    const int series = plot.addSeries(named("a"));
    plot.setData(series, ramp(5000), wave(5000));
    plot.setTitle("Only in files");
    plot.redrawNow();
    plot.zoomTo(100, 200, -1, 1);
    const QImage before = plot.canvas().toPixmap().toImage();
    plot.toSvg({800, 200});
    plot.redrawNow();
    QCOMPARE(plot.visibleX().low, 100.0);
    QVERIFY(plot.canvas().toPixmap().toImage() == before);
  }

  void pngScale() {
    PlotView plot;
    plot.resize(300, 200);
    QCOMPARE(plot.toImage(3.0).size(), QSize(900, 600));
  }

  void histogramCountsEverything() {
    PlotView plot;
    const int series = plot.addHistogram(named("weights"), {0, 0.1, 0.5, 0.9, 1.0, nan_value}, 2);
    plot.redrawNow();
    QCOMPARE(plot.valueAt(series, 0.25), 2.0);
    QCOMPARE(plot.valueAt(series, 0.75), 3.0);
  }

  void legendTogglesASeries() {
    PlotView plot;
    plot.resize(500, 300);
    for (int i = 0; i < 2; ++i) {
      const int series = plot.addSeries(named(QString("series %1").arg(i), i));
      plot.setData(series, ramp(10), wave(10));
    }
    plot.show();
    plot.redrawNow();
    plot.canvas().replot(QCustomPlot::rpImmediateRefresh);
    const QRect entry = plot.canvas().legend->item(1)->rect();
    QTest::mouseClick(&plot.canvas(), Qt::LeftButton, {}, entry.center());
    QVERIFY(plot.seriesVisible(0));
    QVERIFY(!plot.seriesVisible(1));
    plot.redrawNow();
    QTest::mouseClick(&plot.canvas(), Qt::LeftButton, {}, entry.center());
    QVERIFY(plot.seriesVisible(1));
  }

  void colorMapsAreMonotoneInLightness() {
    for (const auto kind : {ColorMap::Kind::viridis, ColorMap::Kind::cividis}) {
      double last = -1.0;
      for (int i = 0; i <= 255; ++i) {
        const QColor c = ColorMap::of(kind).color(i / 255.0);
        const double light = 0.2126 * std::pow(c.redF(), 2.2) + 0.7152 * std::pow(c.greenF(), 2.2) +
                             0.0722 * std::pow(c.blueF(), 2.2);
        QVERIFY2(light >= last - 0.004, qPrintable(QString("falls at %1").arg(i)));
        last = light;
      }
    }
    QCOMPARE(ColorMap::of(ColorMap::Kind::viridis).color(0.0).name(), QString("#440154"));
    QCOMPARE(ColorMap::of(ColorMap::Kind::viridis).color(1.0).name(), QString("#fde725"));
    QCOMPARE(qAlpha(ColorMap::of(ColorMap::Kind::grey).at(nan_value)), 0);
  }
};

ASSAY_OFFSCREEN_MAIN(PlotTest)
#include "plot_test.moc"
