// The image view: which pixel is where, zoom at the pointer, two images; the step slider.
#include "app/viewers/image/image_view.h"
#include "app/viewers/image/step_slider.h"
#include "viewers/offscreen.h"

using namespace assay;

namespace {

QImage numbered(int width, int height) {
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.setPixel(x, y, qRgb(x * 10, y * 10, 7));
  }
  return image;
}

}  // namespace

class ImageTest : public QObject {
  Q_OBJECT
 private slots:
  void fitsAndFindsPixels() {
    ImageView view;
    view.resize(400, 200);
    view.setImage(numbered(20, 20));
    QCOMPARE(view.zoom(), 10.0);
    QCOMPARE(view.pixelAt({100.5, 0.5}), QPoint(0, 0));
    QCOMPARE(view.pixelAt({299.5, 199.5}), QPoint(19, 19));
    QCOMPARE(view.pixelAt({99, 10}), QPoint(-1, -1));
  }

  void wheelKeepsThePixelUnderThePointer() {
    ImageView view;
    view.resize(400, 200);
    view.setImage(numbered(20, 20));
    const QPointF place(233, 71);
    const QPoint pixel = view.pixelAt(place);
    for (int i = 0; i < 5; ++i) {
      QWheelEvent wheel(place, place, {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QApplication::sendEvent(&view, &wheel);
      QCOMPARE(view.pixelAt(place), pixel);
    }
    QVERIFY(view.zoom() > 20.0);
    QTest::mouseDClick(&view, Qt::LeftButton);
    QCOMPARE(view.zoom(), 10.0);
  }

  void enlargedPixelsStaySquares() {
    ImageView view;
    view.resize(200, 200);
    QImage two(2, 1, QImage::Format_RGB32);
    two.setPixel(0, 0, qRgb(255, 0, 0));
    two.setPixel(1, 0, qRgb(0, 0, 255));
    view.setImage(two);
    QImage shown(200, 200, QImage::Format_RGB32);
    view.render(&shown);
    // Sixty-four times is the most; the border between the two lies at the middle.
    QCOMPARE(QColor(shown.pixel(96, 100)), QColor(255, 0, 0));
    QCOMPARE(QColor(shown.pixel(104, 100)), QColor(0, 0, 255));
  }

  void readoutTellsBoth() {
    ImageView view;
    view.resize(200, 200);
    view.setImage(numbered(20, 20));
    view.setSecond(numbered(20, 20).mirrored());
    view.setMode(ImageView::Mode::overlay);
    QMouseEvent move(QEvent::MouseMove, QPointF(35, 25), QPointF(35, 25), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QCOMPARE(view.readout(), QString("x 3, y 2: 30, 20, 7  against 30, 170, 7"));
  }

  void differenceOfEqualImagesIsBlack() {
    ImageView view;
    view.resize(100, 100);
    view.setImage(numbered(10, 10));
    view.setSecond(numbered(10, 10));
    view.setMode(ImageView::Mode::difference);
    QImage shown(100, 100, QImage::Format_RGB32);
    view.render(&shown);
    QCOMPARE(QColor(shown.pixel(50, 50)), QColor(0, 0, 0));
  }

  void slidersFollowNewStepsAtTheEnd() {
    StepSlider slider;
    slider.setSteps({0, 10, 20});
    QCOMPARE(slider.step(), std::int64_t{20});
    slider.setSteps({0, 10, 20, 30});
    QCOMPARE(slider.step(), std::int64_t{30});
    slider.setIndex(1);
    slider.setSteps({0, 10, 20, 30, 40});
    QCOMPARE(slider.step(), std::int64_t{10});
    slider.setPlaying(true);
    QVERIFY(slider.isPlaying());
    QTRY_VERIFY(slider.step() != 10);
    QTest::keyClick(&slider, Qt::Key_Space);
    QVERIFY(!slider.isPlaying());
  }
};

ASSAY_OFFSCREEN_MAIN(ImageTest)
#include "image_test.moc"
