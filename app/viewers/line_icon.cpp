// Line icons: reads the SVG, puts the colour in, draws it.
#include "app/viewers/line_icon.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
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

QColor LineIconEngine::colorFor(QIcon::Mode mode) const {
  const ThemeTokens& tokens = Theme::of().tokens();
  if (mode == QIcon::Disabled) return tokens.faint;
  return color_.isValid() ? color_ : tokens.ink;
}

// A table asks for the same few icons in each of its rows, so they are drawn once.
QPixmap LineIconEngine::drawn(int side, QIcon::Mode mode) const {
  const QString color = colorFor(mode).name();
  const QString key = QString("line-icon %1 %2 %3").arg(name_, color).arg(side);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  QByteArray svg = svgOf(name_);
  svg.replace("currentColor", color.toLatin1());
  pixmap = QPixmap(side, side);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(svg);
  if (renderer.isValid()) {
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(0, 0, side, side));
  }
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

void LineIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
  const int side = qMin(rect.width(), rect.height());
  const qreal ratio = painter->device()->devicePixelRatioF();
  const QPixmap pixmap = drawn(qRound(side * ratio), mode);
  painter->drawPixmap(QRect(rect.x() + (rect.width() - side) / 2,
                            rect.y() + (rect.height() - side) / 2, side, side),
                      pixmap);
}

QPixmap LineIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) {
  return drawn(qMin(size.width(), size.height()), mode);
}

QPixmap LineIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                                     qreal) {
  return pixmap(size, mode, state);
}

QIconEngine* LineIconEngine::clone() const {
  return new LineIconEngine(name_, color_);
}

}  // namespace assay
