// See image_view.h.
#include "app/viewers/image/image_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/viewers/theme.h"

namespace assay {
namespace {

constexpr double most_zoom = 64.0;
constexpr int gap = 8;

}  // namespace

QImage toQImage(const Image& image) {
  if (image.width < 1 || image.height < 1) return {};
  const auto format = image.channels == 1   ? QImage::Format_Grayscale8
                      : image.channels == 3 ? QImage::Format_RGB888
                                            : QImage::Format_RGBA8888;
  const QImage view(image.pixels.data(), image.width, image.height, image.width * image.channels,
                    format);
  return view.copy();
}

ImageView::ImageView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Image"));
}

void ImageView::setImage(const QImage& image, const QString& caption) {
  const bool other_size = image.size() != first_.size();
  first_ = image;
  first_caption_ = caption;
  if (other_size) zoom_ = 0.0;
  updateDifference();
  update();
}

void ImageView::setSecond(const QImage& image, const QString& caption) {
  second_ = image;
  second_caption_ = caption;
  updateDifference();
  update();
}

void ImageView::setMode(Mode mode) {
  mode_ = mode;
  updateDifference();
  update();
}

void ImageView::setOpacity(double opacity) {
  opacity_ = std::clamp(opacity, 0.0, 1.0);
  update();
}

void ImageView::setSwipe(double part) {
  swipe_ = std::clamp(part, 0.0, 1.0);
  update();
}

void ImageView::fit() {
  zoom_ = 0.0;
  center_ = {0.5, 0.5};
  update();
  emit viewChanged();
}

void ImageView::follow(ImageView& other) {
  connect(&other, &ImageView::viewChanged, this, [this, &other]() {
    if (zoom_ == other.zoom_ && center_ == other.center_) return;
    zoom_ = other.zoom_;
    center_ = other.center_;
    update();
    emit viewChanged();
  });
}

QRectF ImageView::pane(int which) const {
  const QRectF all = rect();
  if (mode_ != Mode::side_by_side || second_.isNull()) return all;
  const double half = (all.width() - gap) / 2.0;
  return {which == 0 ? 0.0 : half + gap, 0.0, half, all.height()};
}

double ImageView::zoom() const {
  if (zoom_ > 0.0 || first_.isNull()) return std::max(zoom_, 1e-6);
  const QRectF room = pane(0);
  return std::min({room.width() / first_.width(), room.height() / first_.height(), most_zoom});
}

QRectF ImageView::target(int which) const {
  const QRectF room = pane(which);
  const QSizeF size = QSizeF(first_.size()) * zoom();
  const QPointF middle = zoom_ > 0.0 ? center_ : QPointF(0.5, 0.5);
  return {QPointF(room.center().x() - middle.x() * size.width(),
                  room.center().y() - middle.y() * size.height()),
          size};
}

void ImageView::drawImage(QPainter& painter, const QImage& image, int which) const {
  // Enlarged pixels stay squares; only shrinking interpolates.
  painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom() < 1.0);
  painter.drawImage(target(which), image);
}

void ImageView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeTokens& tokens = Theme::of().tokens();
  if (first_.isNull()) {
    painter.setFont(Theme::font(12));
    painter.setPen(tokens.faint);
    painter.drawText(rect(), Qt::AlignCenter, tr("No image yet"));
    return;
  }
  const auto caption = [&](const QString& text, const QRectF& room) {
    if (text.isEmpty()) return;
    painter.setFont(Theme::font(11));
    const QRectF box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-6, -2, 6, 2);
    const QRectF place(room.left() + 6, room.bottom() - box.height() - 6, box.width(),
                       box.height());
    QColor back = tokens.panel;
    back.setAlpha(220);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(tokens.soft);
    painter.drawText(place, Qt::AlignCenter, text);
  };
  const bool two = !second_.isNull();
  painter.save();
  painter.setClipRect(pane(0));
  if (mode_ == Mode::difference && two) {
    drawImage(painter, difference_, 0);
  } else {
    drawImage(painter, first_, 0);
  }
  painter.restore();
  if (two && mode_ == Mode::overlay) {
    painter.setOpacity(opacity_);
    drawImage(painter, second_, 0);
    painter.setOpacity(1.0);
  }
  if (two && mode_ == Mode::side_by_side) {
    painter.save();
    painter.setClipRect(pane(1));
    drawImage(painter, second_, 1);
    painter.restore();
    caption(second_caption_, pane(1));
  }
  if (two && mode_ == Mode::swipe) {
    const QRectF area = target(0);
    const double border = area.left() + area.width() * swipe_;
    painter.save();
    painter.setClipRect(QRectF(border, 0, width() - border, height()));
    drawImage(painter, second_, 0);
    painter.restore();
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawLine(QPointF(border, area.top()), QPointF(border, area.bottom()));
  }
  caption(first_caption_, pane(0));
}

// Mean absolute difference of the channels, black where equal; other sizes have none.
void ImageView::updateDifference() {
  difference_ = {};
  if (mode_ != Mode::difference || first_.isNull() || second_.isNull()) return;
  const QImage a = first_.convertToFormat(QImage::Format_RGB32);
  const QImage b = second_.scaled(a.size()).convertToFormat(QImage::Format_RGB32);
  difference_ = QImage(a.size(), QImage::Format_Grayscale8);
  for (int y = 0; y < a.height(); ++y) {
    const auto* p = reinterpret_cast<const QRgb*>(a.constScanLine(y));
    const auto* q = reinterpret_cast<const QRgb*>(b.constScanLine(y));
    uchar* line = difference_.scanLine(y);
    for (int x = 0; x < a.width(); ++x) {
      const int sum = std::abs(qRed(p[x]) - qRed(q[x])) + std::abs(qGreen(p[x]) - qGreen(q[x])) +
                      std::abs(qBlue(p[x]) - qBlue(q[x]));
      line[x] = static_cast<uchar>(sum / 3);
    }
  }
}

QPoint ImageView::pixelAt(const QPointF& place) const {
  if (first_.isNull()) return {-1, -1};
  for (const int which : {0, 1}) {
    if (which == 1 && mode_ != Mode::side_by_side) break;
    if (!pane(which).contains(place)) continue;
    const QRectF area = target(which);
    const QPointF inside = (place - area.topLeft()) / zoom();
    const QPoint pixel(static_cast<int>(std::floor(inside.x())),
                       static_cast<int>(std::floor(inside.y())));
    if (first_.rect().contains(pixel)) return pixel;
  }
  return {-1, -1};
}

void ImageView::updateReadout(const QPointF& place) {
  const QPoint pixel = pixelAt(place);
  readout_.clear();
  const auto value = [](const QImage& image, const QPoint& at) {
    const QColor color = image.pixelColor(at);
    if (image.isGrayscale()) return QString::number(color.red());
    return QStringLiteral("%1, %2, %3").arg(color.red()).arg(color.green()).arg(color.blue());
  };
  if (pixel.x() >= 0) {
    readout_ = tr("x %1, y %2: %3").arg(pixel.x()).arg(pixel.y()).arg(value(first_, pixel));
    if (second_.rect().contains(pixel) && mode_ != Mode::single) {
      readout_ += tr("  against %1").arg(value(second_, pixel));
    }
  }
  emit pixelChanged(pixel, readout_);
}

void ImageView::setView(double zoom, const QPointF& center) {
  zoom_ = std::clamp(zoom, 0.02, most_zoom);
  center_ = {std::clamp(center.x(), 0.0, 1.0), std::clamp(center.y(), 0.0, 1.0)};
  update();
  emit viewChanged();
}

void ImageView::zoomBy(double factor, const QPointF& about) {
  if (first_.isNull()) return;
  const int which = mode_ == Mode::side_by_side && pane(1).contains(about) ? 1 : 0;
  const QRectF before = target(which);
  const double zoom = std::clamp(this->zoom() * factor, 0.02, most_zoom);
  const QPointF part((about.x() - before.left()) / before.width(),
                     (about.y() - before.top()) / before.height());
  const QSizeF size = QSizeF(first_.size()) * zoom;
  const QPointF middle = pane(which).center();
  setView(zoom, {part.x() - (about.x() - middle.x()) / size.width(),
                 part.y() - (about.y() - middle.y()) / size.height()});
}

void ImageView::wheelEvent(QWheelEvent* event) {
  zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void ImageView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  grip_ = event->position();
  const QRectF area = target(0);
  const double border = area.left() + area.width() * swipe_;
  swiping_ = mode_ == Mode::swipe && std::abs(grip_.x() - border) < 12;
  dragging_ = !swiping_;
}

void ImageView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF place = event->position();
  updateReadout(place);
  if (swiping_) {
    const QRectF area = target(0);
    setSwipe((place.x() - area.left()) / area.width());
    return;
  }
  if (!dragging_ || first_.isNull()) return;
  const QSizeF size = QSizeF(first_.size()) * zoom();
  const QPointF moved = place - grip_;
  grip_ = place;
  const QPointF middle = zoom_ > 0.0 ? center_ : QPointF(0.5, 0.5);
  setView(zoom(), {middle.x() - moved.x() / size.width(), middle.y() - moved.y() / size.height()});
}

void ImageView::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = swiping_ = false;
}
void ImageView::mouseDoubleClickEvent(QMouseEvent*) {
  fit();
}

void ImageView::keyPressEvent(QKeyEvent* event) {
  const QPointF middle = QRectF(rect()).center();
  if (event->matches(QKeySequence::Copy)) {
    QApplication::clipboard()->setImage(picture());
    return;
  }
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomBy(1.25, middle);
      return;
    case Qt::Key_Minus:
      zoomBy(0.8, middle);
      return;
    case Qt::Key_0:
      fit();
      return;
    case Qt::Key_1:
      setView(1.0, {0.5, 0.5});
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ImageView::leaveEvent(QEvent*) {
  readout_.clear();
  emit pixelChanged({-1, -1}, {});
}

void ImageView::resizeEvent(QResizeEvent*) {
  update();
}

QImage ImageView::picture() const {
  QImage image(size() * 2, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(2.0);
  image.fill(Theme::of().tokens().panel);
  const_cast<ImageView*>(this)->render(&image);
  return image;
}

void ImageView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Fit"), this, &ImageView::fit);
  menu.addAction(tr("Actual size"), this, [this]() { setView(1.0, {0.5, 0.5}); });
  menu.addSeparator();
  menu.addAction(tr("Copy view"), this,
                 [this]() { QApplication::clipboard()->setImage(picture()); });
  menu.addAction(tr("Copy image"), this, [this]() { QApplication::clipboard()->setImage(first_); });
  menu.addAction(tr("Export PNG..."), this, [this]() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export"), tr("image.png"), tr("PNG image (*.png)"));
    if (!path.isEmpty()) first_.save(path, "PNG");
  });
  menu.exec(event->globalPos());
}

}  // namespace assay
