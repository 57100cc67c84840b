// The toy points: where they lie, how they are labelled, that a seed means the same points for
// ever; and the pictures made of them.
#include "plugins/curvature_tuning/experiment/toy_data.h"

#include <QtTest>
#include <cmath>

#include "plugins/curvature_tuning/experiment/pictures.h"

using namespace assay;
using namespace assay::curvature_tuning;

namespace {

ToyDataOptions options_for(const std::string& dataset, double noise = 0.0, double flip = 0.0) {
  ToyDataOptions options;
  options.dataset = dataset;
  options.points = 2000;
  options.noise = noise;
  options.flip = flip;
  return options;
}

double radius_of(const ToyPoints& points, std::int64_t i) {
  const auto at = static_cast<std::size_t>(2 * i);
  return std::hypot(points.inputs[at], points.inputs[at + 1]);
}

Color pixel(const Image& image, int x, int y) {
  const auto at = static_cast<std::size_t>((y * image.width + x) * 3);
  return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]};
}

}  // namespace

class ToyDataTest : public QObject {
  Q_OBJECT

 private slots:
  void a_seed_means_the_same_points() {
    for (const char* dataset : {"spiral", "moons", "circle", "regression"}) {
      const ToyDataOptions options = options_for(dataset, 0.7, 0.16);
      const ToyPoints first = make_points(options, 7);
      QVERIFY(first.inputs == make_points(options, 7).inputs);
      QVERIFY(first.targets == make_points(options, 7).targets);
      QVERIFY(first.inputs != make_points(options, 8).inputs);
      QCOMPARE(first.count(), std::int64_t{2000});
    }
  }

  void classes_are_balanced_and_flips_are_counted() {
    const ToyPoints points = make_points(options_for("spiral", 0.7, 0.16), 3);
    int ones = 0;
    int flipped = 0;
    for (std::size_t i = 0; i < points.truth.size(); ++i) {
      ones += points.truth[i] > 0.5F ? 1 : 0;
      flipped += points.truth[i] != points.targets[i] ? 1 : 0;
    }
    QCOMPARE(ones, 1000);
    QVERIFY2(flipped > 260 && flipped < 380, qPrintable(QString::number(flipped)));  // 320 +- 3.7 s
    const ToyPoints clean = make_points(options_for("spiral", 0.7, 0.0), 3);
    QVERIFY(clean.truth == clean.targets);
  }

  void the_spiral_lies_on_its_arms() {
    const ToyPoints points = make_points(options_for("spiral"), 5);
    for (std::int64_t i = 0; i < points.count(); ++i) {
      const auto at = static_cast<std::size_t>(2 * i);
      const double radius = radius_of(points, i);
      QVERIFY(radius <= 3.0 * M_PI + 1e-5);
      // r = angle on the first arm, r = angle + pi (mod 2 pi) on the other.
      const double turn = points.truth[static_cast<std::size_t>(i)] > 0.5F ? M_PI : 0.0;
      const double expected_x = radius * std::cos(radius + turn);
      const double expected_y = radius * std::sin(radius + turn);
      QVERIFY(std::abs(expected_x - static_cast<double>(points.inputs[at])) < 1e-4);
      QVERIFY(std::abs(expected_y - static_cast<double>(points.inputs[at + 1])) < 1e-4);
    }
  }

  void disc_and_ring_do_not_touch() {
    const ToyPoints points = make_points(options_for("circle"), 5);
    for (std::int64_t i = 0; i < points.count(); ++i) {
      const double radius = radius_of(points, i);
      const bool ring = points.truth[static_cast<std::size_t>(i)] > 0.5F;
      QVERIFY(ring ? radius > 3.999 && radius < 6.001 : radius < 3.001);
    }
  }

  void the_curve_without_noise_is_the_curve() {
    const ToyPoints points = make_points(options_for("regression"), 5);
    QCOMPARE(points.dimensions, 1);
    for (std::size_t i = 0; i < points.targets.size(); ++i) {
      const double expected = true_curve(static_cast<double>(points.inputs[i]));
      QVERIFY(std::abs(static_cast<double>(points.targets[i]) - expected) < 1e-5);
    }
    QVERIFY(extent_of(points) > 6.0 && extent_of(points) < 6.31);
  }

  void noise_has_its_size() {
    const ToyPoints points = make_points(options_for("regression", 0.7), 5);
    double squares = 0.0;
    for (std::size_t i = 0; i < points.targets.size(); ++i) {
      squares += std::pow(static_cast<double>(points.targets[i] - points.truth[i]), 2);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(points.count()));
    QVERIFY2(std::abs(deviation - 0.7) < 0.04, qPrintable(QString::number(deviation)));
  }

  void a_boundary_has_two_sides_and_a_line() {
    Field field;
    field.columns = field.rows = 11;
    field.x_low = field.y_low = -1.0;
    for (int y = 0; y < 11; ++y) {
      for (int x = 0; x < 11; ++x)
        field.values.push_back(static_cast<float>(y - 5));  // up: class 1
    }
    const Image image = boundary_picture(field, {{-0.9F}, {0.9F}, {1}}, 200);
    QCOMPARE(image.width, 200);
    const Color top = pixel(image, 150, 20);
    const Color bottom = pixel(image, 150, 180);
    QVERIFY(top[0] > top[2]);        // vermilion side
    QVERIFY(bottom[2] > bottom[0]);  // blue side
    const Color line = pixel(image, 150, 99);
    QVERIFY(line[0] < 60 && line[1] < 60 && line[2] < 60);
    QVERIFY((pixel(image, 10, 10) == Color{213, 94, 0}));  // the point
  }

  void a_heat_map_spans_its_colours_and_marks_what_is_missing() {
    Field field;
    field.columns = 2;
    field.rows = 1;
    field.values = {0.0F, 4.0F};
    const Image image = heat_picture(field, 0.0, 4.0, 10);
    QVERIFY(pixel(image, 0, 5)[2] > pixel(image, 9, 5)[2]);
    QVERIFY(pixel(image, 9, 5)[0] > 200);
    const Image matrix = matrix_picture({0.5F, std::nanf("")}, 2, 1, 0.0, 1.0, 4, 4);
    QVERIFY((pixel(matrix, 6, 2) == Color{225, 228, 232}));
  }
};

QTEST_APPLESS_MAIN(ToyDataTest)
#include "toy_data_test.moc"
