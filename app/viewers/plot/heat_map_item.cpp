// See heat_map_item.h.
#include "app/viewers/plot/heat_map_item.h"

#include <algorithm>
#include <cmath>

#include "app/viewers/plot/curve.h"

namespace assay {

HeatMapItem::HeatMapItem(QCPAxis* keyAxis, QCPAxis* valueAxis)
    : QCPAbstractPlottable(keyAxis, valueAxis) {
  setAntialiased(false);
}

void HeatMapItem::setMap(HeatMap map) {
  map_ = std::move(map);
  map_.values.resize(static_cast<std::size_t>(map_.columns) * static_cast<std::size_t>(map_.rows));
  if (map_.value_low == map_.value_high) {
    PlotRange range;
    for (const double value : map_.values) range.include(value);
    if (map_.colors == ColorMap::Kind::diverging) {
      const double reach = std::max(std::abs(range.low), std::abs(range.high));
      range.low = -reach;
      range.high = reach;
    }
    map_.value_low = range.low;
    map_.value_high = range.high > range.low ? range.high : range.low + 1.0;
  }
  image_ = QImage(std::max(1, map_.columns), std::max(1, map_.rows), QImage::Format_ARGB32);
  image_.fill(Qt::transparent);
  for (int row = 0; row < map_.rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(map_.rows - 1 - row));
    for (int column = 0; column < map_.columns; ++column) {
      line[column] = colorOf(map_.values[static_cast<std::size_t>(row * map_.columns + column)]);
    }
  }
}

QRgb HeatMapItem::colorOf(double value) const {
  return ColorMap::of(map_.colors)
      .at((value - map_.value_low) / (map_.value_high - map_.value_low));
}

double HeatMapItem::valueAt(double x, double y) const {
  const double column = (x - map_.x_low) / (map_.x_high - map_.x_low) * map_.columns;
  const double row = (y - map_.y_low) / (map_.y_high - map_.y_low) * map_.rows;
  if (column < 0 || row < 0 || column >= map_.columns || row >= map_.rows) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return map_.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map_.columns) +
                     static_cast<std::size_t>(column)];
}

double HeatMapItem::selectTest(const QPointF&, bool, QVariant*) const {
  return -1.0;
}

QCPRange HeatMapItem::getKeyRange(bool& found, QCP::SignDomain) const {
  found = map_.columns > 0;
  return {map_.x_low, map_.x_high};
}

QCPRange HeatMapItem::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
  found = map_.rows > 0;
  return {map_.y_low, map_.y_high};
}

void HeatMapItem::draw(QCPPainter* painter) {
  if (map_.columns < 1 || map_.rows < 1 || !mKeyAxis || !mValueAxis) return;
  painter->setOpacity(map_.opacity);
  if (painter->modes().testFlag(QCPPainter::pmVectorized)) {
    drawCells(painter);
  } else {
    const QRectF place(coordsToPixels(map_.x_low, map_.y_high),
                       coordsToPixels(map_.x_high, map_.y_low));
    painter->setRenderHint(QPainter::SmoothPixmapTransform, map_.smooth);
    painter->drawImage(place, image_);
  }
  painter->setOpacity(1.0);
}

// Neighbours of one colour in a row become one rectangle. Each reaches a hair into the next so that
// viewers show no seams.
void HeatMapItem::drawCells(QCPPainter* painter) const {
  const QRectF window = clipRect();
  painter->setPen(Qt::NoPen);
  for (int row = 0; row < map_.rows; ++row) {
    const double below = map_.y_low + (map_.y_high - map_.y_low) * row / map_.rows;
    const double above = map_.y_low + (map_.y_high - map_.y_low) * (row + 1) / map_.rows;
    const auto* line = reinterpret_cast<const QRgb*>(image_.constScanLine(map_.rows - 1 - row));
    for (int column = 0; column < map_.columns;) {
      int end = column + 1;
      while (end < map_.columns && line[end] == line[column]) ++end;
      const double left = map_.x_low + (map_.x_high - map_.x_low) * column / map_.columns;
      const double right = map_.x_low + (map_.x_high - map_.x_low) * end / map_.columns;
      QRectF cell(coordsToPixels(left, above), coordsToPixels(right, below));
      cell = cell.adjusted(0, 0, 0.25, 0.25).intersected(window);
      if (!cell.isEmpty() && qAlpha(line[column]) > 0) {
        painter->fillRect(cell, QColor::fromRgb(line[column]));
      }
      column = end;
    }
  }
}

void HeatMapItem::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  painter->fillRect(rect, ColorMap::of(map_.colors).color(0.7));
}

}  // namespace assay
