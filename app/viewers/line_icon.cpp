// Line icons: reads the SVG, puts the colour in, draws it.
#include "app/viewers/line_icon.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include "app/viewers/theme.h"

namespace assay {
namespace {

QByteArray svgOf(const QString& name) {
  static QHash<QString, QByteArray> cache;
  const auto found = cache.constFind(name);
  if (found != cache.constEnd()) return *found;
  QFile file(":/icons/" + name + ".svg");
  QByteArray svg;
  if (file.open(QIODevice::ReadOnly)) svg = file.readAll();
  cache.insert(name, svg);
  return svg;
}

}  // namespace

LineIconEngine::LineIconEngine(QString name, QColor color)
    : name_(std::move(name)), color_(color) {}

void LineIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
  const ThemeTokens& tokens = Theme::of().tokens();
  QColor color = color_.isValid() ? color_ : tokens.ink;
  if (mode == QIcon::Disabled) color = tokens.faint;
  QByteArray svg = svgOf(name_);
  svg.replace("currentColor", color.name().toLatin1());
  QSvgRenderer renderer(svg);
  if (!renderer.isValid()) return;
  const int side = qMin(rect.width(), rect.height());
  const QRectF square(rect.x() + (rect.width() - side) / 2.0,
                      rect.y() + (rect.height() - side) / 2.0, side, side);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  renderer.render(painter, square);
  painter->restore();
}

QPixmap LineIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
  QPixmap pixmap(size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paint(&painter, QRect(QPoint(0, 0), size), mode, state);
  return pixmap;
}

QPixmap LineIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                                     qreal) {
  return pixmap(size, mode, state);
}

QIconEngine* LineIconEngine::clone() const {
  return new LineIconEngine(name_, color_);
}

}  // namespace assay
