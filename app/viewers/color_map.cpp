// See color_map.h. OKLab: Björn Ottosson, "A perceptual color space for image processing" (2020).
#include "app/viewers/color_map.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {
namespace {

struct Lab {
  double lightness, a, b;
};

double to_linear(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double to_display(double value) {
  const double v = std::clamp(value, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

Lab to_lab(QRgb color) {
  const double r = to_linear(qRed(color) / 255.0);
  const double g = to_linear(qGreen(color) / 255.0);
  const double b = to_linear(qBlue(color) / 255.0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QRgb to_rgb(const Lab& lab) {
  const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  const double r = to_display(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const double g = to_display(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const double b = to_display(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  const auto byte = [](double v) { return static_cast<int>(std::lround(v * 255.0)); };
  return qRgb(byte(r), byte(g), byte(b));
}

std::vector<QRgb> anchors(ColorMap::Kind kind) {
  switch (kind) {
    case ColorMap::Kind::viridis:
      return {0xff440154, 0xff3b528b, 0xff21918c, 0xff5ec962, 0xfffde725};
    case ColorMap::Kind::cividis:
      return {0xff00224e, 0xff434e6c, 0xff7d7c78, 0xffbcae6c, 0xfffee838};
    case ColorMap::Kind::diverging:
      return {0xff0b4f94, 0xff6aa6d6, 0xfff4f4f2, 0xffe08a63, 0xff9c2f12};
    case ColorMap::Kind::grey:
      return {0xff000000, 0xffffffff};
  }
  return {0xff000000, 0xffffffff};
}

// Catmull and Rom's spline through the anchors, one channel of one span.
double spline(double before, double from, double to, double after, double t) {
  const double start = (to - before) / 2.0, stop = (after - from) / 2.0;
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * start + (-2 * t3 + 3 * t2) * to +
         (t3 - t2) * stop;
}

}  // namespace

ColorMap::ColorMap(Kind kind) {
  if (kind == Kind::grey) {  // pixel values as they are: grey levels of an image are display values
    for (int i = 0; i < 256; ++i) table_[static_cast<std::size_t>(i)] = qRgb(i, i, i);
    return;
  }
  std::vector<Lab> labs;
  for (const QRgb color : anchors(kind)) labs.push_back(to_lab(color));
  const std::size_t spans = labs.size() - 1;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const double place = static_cast<double>(i) / 255.0 * static_cast<double>(spans);
    const std::size_t span = std::min(static_cast<std::size_t>(place), spans - 1);
    const double t = place - static_cast<double>(span);
    const Lab& from = labs[span];
    const Lab& to = labs[span + 1];
    const Lab& before = span > 0 ? labs[span - 1] : from;
    const Lab& after = span + 2 < labs.size() ? labs[span + 2] : to;
    table_[i] = to_rgb({spline(before.lightness, from.lightness, to.lightness, after.lightness, t),
                        spline(before.a, from.a, to.a, after.a, t),
                        spline(before.b, from.b, to.b, after.b, t)});
  }
}

const ColorMap& ColorMap::of(Kind kind) {
  static const ColorMap viridis(Kind::viridis), cividis(Kind::cividis), diverging(Kind::diverging),
      grey(Kind::grey);
  switch (kind) {
    case Kind::viridis:
      return viridis;
    case Kind::cividis:
      return cividis;
    case Kind::diverging:
      return diverging;
    case Kind::grey:
      return grey;
  }
  return viridis;
}

ColorMap::Kind ColorMap::kind(const QString& name) {
  if (name == QLatin1String("cividis")) return Kind::cividis;
  if (name == QLatin1String("diverging")) return Kind::diverging;
  if (name == QLatin1String("grey") || name == QLatin1String("gray")) return Kind::grey;
  return Kind::viridis;
}

QStringList ColorMap::names() {
  return {QStringLiteral("viridis"), QStringLiteral("cividis"), QStringLiteral("diverging"),
          QStringLiteral("grey")};
}

QRgb ColorMap::at(double part) const {
  if (std::isnan(part)) return qRgba(0, 0, 0, 0);
  const double place = std::clamp(part, 0.0, 1.0) * 255.0;
  return table_[static_cast<std::size_t>(std::lround(place))];
}

QImage ColorMap::strip(int width, int height) const {
  QImage image(std::max(1, width), std::max(1, height), QImage::Format_ARGB32);
  for (int x = 0; x < image.width(); ++x) {
    const QRgb color = at(image.width() > 1 ? static_cast<double>(x) / (image.width() - 1) : 0.0);
    for (int y = 0; y < image.height(); ++y) image.setPixel(x, y, color);
  }
  return image;
}

}  // namespace assay
