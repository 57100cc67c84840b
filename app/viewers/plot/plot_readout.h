// The hairline and the values at the cursor: a transparent sheet over the plot, so that moving the
// mouse draws no curve anew.
#pragma once

#include <QColor>
#include <QPointF>
#include <QWidget>
#include <vector>

#include "app/viewers/theme.h"

namespace assay {

class PlotReadout : public QWidget {
  Q_OBJECT
 public:
  struct Row {
    QString name, value;
    QColor color;
    QPointF point;  // where the curve is; not drawn when outside `area`
  };
  explicit PlotReadout(QWidget* parent);
  // `area`: the axis rectangle. `x`: of the hairline, in pixels.
  void show(const QRectF& area, double x, const QString& heading, std::vector<Row> rows);
  void clear();
  void setTokens(const ThemeTokens& tokens) { tokens_ = &tokens; }
  const std::vector<Row>& rows() const { return rows_; }
  const QString& heading() const { return heading_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF area_;
  double x_ = 0.0;
  bool shown_ = false;
  QString heading_;
  std::vector<Row> rows_;
  const ThemeTokens* tokens_;
};

}  // namespace assay
