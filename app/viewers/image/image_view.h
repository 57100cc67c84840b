// Looks at one image, or two: zoom at the pointer, pan, fit, read pixels, lay one over the other,
// side by side, their difference, or a swipe between them.
#pragma once

#include <QImage>
#include <QPointF>
#include <QString>
#include <QWidget>

#include "core/formats/image.h"

namespace assay {

class ImageView : public QWidget {
  Q_OBJECT
 public:
  enum class Mode { single, overlay, side_by_side, difference, swipe };
  explicit ImageView(QWidget* parent = nullptr);

  void setImage(const QImage& image, const QString& caption = {});
  void setSecond(const QImage& image, const QString& caption = {});  // null: none
  const QImage& image() const { return first_; }
  void setMode(Mode mode);
  Mode mode() const { return mode_; }
  void setOpacity(double opacity);  // of the second image in overlay, 0 to 1
  void setSwipe(double part);       // where the border of the swipe is, 0 to 1
  void fit();
  double zoom() const;  // pixels of the screen for one of the image
  // The image's pixel below a point of the widget; (-1, -1) when there is none.
  QPoint pixelAt(const QPointF& place) const;
  QString readout() const { return readout_; }
  QImage picture() const;  // as shown, at twice the size
  QSize sizeHint() const override { return {320, 240}; }
  QSize minimumSizeHint() const override { return {80, 60}; }
  // Two views that zoom and pan together (Compare).
  void follow(ImageView& other);

 signals:
  void pixelChanged(const QPoint& pixel, const QString& text);
  void viewChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QRectF pane(int which) const;    // where the first or second image may be drawn
  QRectF target(int which) const;  // where all of the image would lie
  void drawImage(QPainter& painter, const QImage& image, int which) const;
  void zoomBy(double factor, const QPointF& about);
  void setView(double zoom, const QPointF& center);
  void updateDifference();
  void updateReadout(const QPointF& place);

  QImage first_, second_, difference_;
  QString first_caption_, second_caption_, readout_;
  Mode mode_ = Mode::single;
  double opacity_ = 0.5, swipe_ = 0.5;
  double zoom_ = 0.0;         // 0: fitted
  QPointF center_{0.5, 0.5};  // of the image, at the pane's middle
  QPointF grip_;
  bool dragging_ = false, swiping_ = false;
};

// Pixels are shared out of the core's image form; grey, RGB and RGBA.
QImage toQImage(const Image& image);

}  // namespace assay
