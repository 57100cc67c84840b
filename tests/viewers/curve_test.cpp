// Thinning of curves: against a plain loop, on every shape that has bitten others.
#include "app/viewers/plot/curve.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>

using namespace assay;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

bool same(const PlotPoint& a, const PlotPoint& b) {
  return a.x == b.x && (a.y == b.y || (std::isnan(a.y) && std::isnan(b.y)));
}

// The same rule by brute force: for each column first, lowest, highest, last.
std::vector<PlotPoint> by_hand(const Curve& curve, double low, double high, int columns) {
  const auto& x = curve.x();
  const auto& y = curve.y();
  std::size_t begin = 0, end = x.size();
  while (begin < x.size() && x[begin] < low) ++begin;
  while (end > begin && x[end - 1] > high) --end;
  std::vector<PlotPoint> result;
  if (begin > 0) result.push_back({x[begin - 1], y[begin - 1]});
  if (end - begin <= 4 * static_cast<std::size_t>(columns)) {
    for (std::size_t i = begin; i < end; ++i) result.push_back({x[i], y[i]});
  } else {
    std::size_t i = begin;
    for (int column = 1; column <= columns; ++column) {
      const double limit = low + (high - low) * (static_cast<double>(column) / columns);
      const std::size_t start = i;
      std::size_t lowest = SIZE_MAX, highest = SIZE_MAX;
      while (i < end && (column == columns || x[i] < limit)) {
        if (!std::isnan(y[i])) {
          if (lowest == SIZE_MAX || y[i] < y[lowest]) lowest = i;
          if (highest == SIZE_MAX || y[i] > y[highest]) highest = i;
        }
        ++i;
      }
      if (i == start) continue;
      std::vector<std::size_t> chosen{start};
      if (lowest != SIZE_MAX) {
        chosen.push_back(std::min(lowest, highest));
        chosen.push_back(std::max(lowest, highest));
      }
      chosen.push_back(i - 1);
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (k > 0 && chosen[k] == chosen[k - 1]) continue;
        result.push_back({x[chosen[k]], y[chosen[k]]});
      }
    }
  }
  if (end < x.size()) result.push_back({x[end], y[end]});
  return result;
}

Curve noisy(std::size_t count, double gaps, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> x, y;
  double at = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    at += uniform(generator) < 0.1 ? 0.0 : uniform(generator);  // repeated x too
    x.push_back(at);
    y.push_back(uniform(generator) < gaps ? nan_value : normal(generator));
  }
  Curve curve;
  curve.assign(x, y);
  return curve;
}

}  // namespace

class CurveTest : public QObject {
  Q_OBJECT
 private slots:
  void equalsBruteForce_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("gaps");
    for (const int count : {0, 1, 2, 15, 16, 17, 255, 257, 4097, 30011}) {
      for (const double gaps : {0.0, 0.05, 0.9}) {
        QTest::addRow("%d points, %g gaps", count, gaps) << count << gaps;
      }
    }
  }

  void equalsBruteForce() {
    QFETCH(int, count);
    QFETCH(double, gaps);
    const Curve curve = noisy(static_cast<std::size_t>(count), gaps, 7);
    const double last = curve.empty() ? 1.0 : curve.x().back();
    const double windows[][2] = {
        {0, last + 1},  {last * 0.3, last * 0.31}, {last * 0.25, last * 0.9},
        {-5, last / 2}, {last * 0.5, last + 100},  {last + 1, last + 2}};
    for (const auto& window : windows) {
      if (curve.empty() || window[1] <= window[0]) continue;
      for (const int columns : {1, 7, 100, 1200}) {
        const auto got = curve.thinned(window[0], window[1], columns);
        const auto expected = by_hand(curve, window[0], window[1], columns);
        QCOMPARE(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) QVERIFY(same(got[i], expected[i]));
      }
    }
  }

  void keepsLoneSpikes() {
    std::vector<double> x(1'000'000), y(x.size(), 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    y[123'457] = 9.0;
    y[777'777] = -9.0;
    Curve curve;
    curve.assign(x, y);
    const auto points = curve.thinned(0, 999'999, 1200);
    QVERIFY(points.size() <= 4 * 1200 + 2);
    double low = 0.0, high = 0.0;
    for (const PlotPoint& point : points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
    QCOMPARE(low, -9.0);
    QCOMPARE(high, 9.0);
  }

  void aConstantStaysConstant() {
    std::vector<double> x(100'000), y(x.size(), 0.1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    Curve curve;
    curve.assign(x, y);
    for (const PlotPoint& point : curve.thinned(0, 1e5, 500)) QCOMPARE(point.y, 0.1);
  }

  void appendingEqualsAssigning() {
    const Curve whole = noisy(5000, 0.02, 3);
    Curve grown;
    for (std::size_t i = 0; i < whole.size(); ++i) grown.append(whole.x()[i], whole.y()[i]);
    const double last = whole.x().back();
    const auto a = whole.thinned(0, last, 97), b = grown.thinned(0, last, 97);
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(same(a[i], b[i]));
    QCOMPARE(whole.y_range().low, grown.y_range().low);
    QCOMPARE(whole.y_range().high, grown.y_range().high);
  }

  void sortsAndDropsBadX() {
    Curve curve;
    curve.assign({3, nan_value, 1, 2}, {30, 99, 10, 20});
    QCOMPARE(curve.x(), (std::vector<double>{1, 2, 3}));
    QCOMPARE(curve.y(), (std::vector<double>{10, 20, 30}));
  }

  void logAxisLeavesGaps() {
    Curve curve;
    curve.assign({1, 2, 3, 4}, {10, 0, -5, 1000}, true);
    QVERIFY(std::isnan(curve.y()[1]) && std::isnan(curve.y()[2]));
    QCOMPARE(curve.y_range().low, 10.0);
    QCOMPARE(curve.y_range().high, 1000.0);
    QVERIFY(curve.thinned(0, 10, 5, true).empty());  // no logarithm of zero
    QVERIFY(!curve.thinned(0.5, 10, 5, true).empty());
  }

  void infinitiesAreGaps() {
    const double inf = std::numeric_limits<double>::infinity();
    Curve curve;
    curve.assign({1, 2, 3}, {1, inf, 2});
    QCOMPARE(curve.y_range().high, 2.0);
    QVERIFY(std::isnan(curve.y()[1]));
  }

  void clippingStaysInsideAndKeepsTheLine() {
    std::mt19937 generator(5);
    std::normal_distribution<double> normal(0.0, 2.0);
    std::vector<PlotPoint> line;
    for (int i = 0; i < 500; ++i) {
      line.push_back({static_cast<double>(i), i % 50 == 7 ? nan_value : normal(generator)});
    }
    const auto cut = clip_line(line, 100, 400, -1, 1);
    QVERIFY(!cut.empty());
    for (const PlotPoint& point : cut) {
      if (std::isnan(point.y)) continue;
      QVERIFY(point.x >= 100 - 1e-9 && point.x <= 400 + 1e-9);
      QVERIFY(std::abs(point.y) <= 1 + 1e-9);
    }
    // Each original point inside is still there.
    for (const PlotPoint& point : line) {
      if (std::isnan(point.y) || std::abs(point.y) > 1 || point.x < 101 || point.x > 399) continue;
      const auto at = static_cast<std::size_t>(point.x);
      if (std::isnan(line[at - 1].y) && std::isnan(line[at + 1].y)) continue;
      const bool kept = std::any_of(cut.begin(), cut.end(), [&point](const PlotPoint& p) {
        return std::abs(p.x - point.x) < 1e-9 && std::abs(p.y - point.y) < 1e-9;
      });
      QVERIFY2(kept, qPrintable(QString("point at %1 is gone").arg(point.x)));
    }
  }

  void nearestPoint() {
    Curve curve;
    curve.assign({0, 10, 20}, {1, 2, 3});
    QCOMPARE(curve.nearest(-3), std::size_t{0});
    QCOMPARE(curve.nearest(14), std::size_t{1});
    QCOMPARE(curve.nearest(16), std::size_t{2});
    QCOMPARE(curve.nearest(99), std::size_t{2});
  }
};

QTEST_APPLESS_MAIN(CurveTest)
#include "curve_test.moc"
