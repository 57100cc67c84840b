// Line icons: an SVG of resources/icons, coloured when painted, sharp at any scale.
#pragma once

#include <QColor>
#include <QIconEngine>
#include <QString>

namespace assay {

// The SVG's currentColor is replaced by `color`, or by the theme's ink when that is invalid, so an
// icon without a colour of its own follows a change of theme.
class LineIconEngine : public QIconEngine {
 public:
  LineIconEngine(QString name, QColor color);
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                       qreal scale) override;
  QIconEngine* clone() const override;

 private:
  QColor colorFor(QIcon::Mode mode) const;
  QPixmap drawn(int side, QIcon::Mode mode) const;
  QString name_;
  QColor color_;
};

}  // namespace assay
