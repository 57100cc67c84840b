// Colour maps: 256 colours each, made here by interpolating a few anchor colours in OKLab, where
// equal steps look equal. viridis and cividis are readable with colour blindness and in grey print.
#pragma once

#include <QColor>
#include <QImage>
#include <QString>
#include <QStringList>
#include <array>

namespace assay {

class ColorMap {
 public:
  enum class Kind { viridis, cividis, diverging, grey };
  static const ColorMap& of(Kind kind);
  // "viridis", "cividis", "diverging", "grey"; anything else is viridis.
  static Kind kind(const QString& name);
  static QStringList names();

  QRgb at(double part) const;  // 0 to 1, clamped; NaN is transparent
  QColor color(double part) const { return QColor::fromRgba(at(part)); }
  // A strip of the whole map, for a legend.
  QImage strip(int width, int height) const;

 private:
  explicit ColorMap(Kind kind);
  std::array<QRgb, 256> table_{};
};

}  // namespace assay
