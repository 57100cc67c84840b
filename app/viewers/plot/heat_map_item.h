// A grid of values as colours inside a plot. On screen one image; in SVG and PDF rectangles, so
// that a vector file holds no bitmap.
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "app/viewers/color_map.h"

namespace assay {

struct HeatMap {
  int columns = 0, rows = 0;
  std::vector<double> values;  // values[row * columns + column]; row 0 lies at y_low
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;  // the outer borders of the cells
  double value_low = 0.0, value_high = 0.0;  // equal: from the data (diverging: centred at zero)
  ColorMap::Kind colors = ColorMap::Kind::viridis;
  bool smooth = false;  // interpolate between cells on screen
  double opacity = 1.0;
  QString label;  // of the values
};

class HeatMapItem : public QCPAbstractPlottable {
  Q_OBJECT
 public:
  HeatMapItem(QCPAxis* keyAxis, QCPAxis* valueAxis);
  void setMap(HeatMap map);
  const HeatMap& map() const { return map_; }
  double valueAt(double x, double y) const;  // NaN outside
  double selectTest(const QPointF& position, bool onlySelectable,
                    QVariant* details = nullptr) const override;
  QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
  QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                         const QCPRange& inKeyRange = QCPRange()) const override;

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

 private:
  QRgb colorOf(double value) const;
  void drawCells(QCPPainter* painter) const;
  HeatMap map_;
  QImage image_;
};

}  // namespace assay
