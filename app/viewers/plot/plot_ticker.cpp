// See plot_ticker.h.
#include "app/viewers/plot/plot_ticker.h"

#include <cmath>

#include "app/viewers/number_text.h"

namespace assay {

QString tickText(double tick) {
  const double size = std::abs(tick);
  if (size < 1e-12) return QStringLiteral("0");
  if (size >= 1e6 && size < 1e12) {
    const bool giga = size >= 1e9;
    return QString::number(tick / (giga ? 1e9 : 1e6), 'g', 6) + QLatin1Char(giga ? 'G' : 'M');
  }
  if (size >= 1e4 && size == std::floor(size)) return formatCount(static_cast<std::int64_t>(tick));
  return QString::number(tick, 'g', 6);
}

QString PlotTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return tickText(tick);
}

QString PlotTickerLog::getTickLabel(double tick, const QLocale&, QChar, int) {
  return tickText(tick);
}

}  // namespace assay
