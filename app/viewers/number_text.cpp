// See number_text.h.
#include "app/viewers/number_text.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>

namespace assay {
namespace {

const QChar minus_sign(0x2212);

// "1234567.5" -> "1,234,567.5"; the decimal point stays a point in every locale, as in papers.
QString grouped(QString digits) {
  const int sign = digits.startsWith('-') ? 1 : 0;
  qsizetype point = digits.indexOf('.');
  if (point < 0) point = digits.size();
  for (qsizetype i = point - 3; i > sign; i -= 3) digits.insert(i, ',');
  return digits;
}

QString special(double value) {
  if (std::isnan(value)) return QStringLiteral("nan");
  return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
}

}  // namespace

QString formatNumber(double value, int significant) {
  if (!std::isfinite(value)) return special(value);
  if (value == 0.0) return QStringLiteral("0");
  const double size = std::abs(value);
  if (size == std::floor(size) && size < 1e9) return formatCount(static_cast<std::int64_t>(value));
  if (size < 1e-3 || size >= 1e9) return QString::number(value, 'e', std::max(0, significant - 2));
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  const int decimals = std::max(0, significant - std::max(before, 0));
  return grouped(QString::number(value, 'f', std::min(decimals, 6)));
}

QString formatCount(std::int64_t value) {
  return grouped(QString::number(value));
}

QString formatSigned(double value, int significant) {
  if (std::isnan(value)) return special(value);
  const QString text = formatNumber(std::abs(value), significant);
  if (value == 0.0) return text;
  return (value < 0 ? QString(minus_sign) : QStringLiteral("+")) + text;
}

QString formatDuration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return QStringLiteral("unknown");
  if (seconds < 10) return QStringLiteral("%1 s").arg(seconds, 0, 'f', 1);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return QStringLiteral("%1 s").arg(whole);
  if (whole < 3600) {
    return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QChar('0'));
  }
  return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60, 2, 10, QChar('0'));
}

QString formatBytes(std::uint64_t bytes) {
  if (bytes < 1024) return QStringLiteral("%1 bytes").arg(bytes);
  double size = static_cast<double>(bytes) / 1024.0;
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; size >= 1024.0 && unit < 3; ++unit) size /= 1024.0;
  return QStringLiteral("%1 %2").arg(size, 0, 'f', size < 10 ? 1 : 0).arg(units[unit]);
}

QString formatClock(double secondsSince1970) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(secondsSince1970 * 1000))
      .toString(QStringLiteral("HH:mm:ss"));
}

QString formatDate(double secondsSince1970) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(secondsSince1970 * 1000))
      .toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString formatP(double p) {
  if (!std::isfinite(p)) return QStringLiteral("unknown");
  if (p < 0.001) return QStringLiteral("< 0.001");
  return QString::number(p, 'f', 3);
}

QString formatInterval(double mean, double halfWidth) {
  if (!std::isfinite(halfWidth) || halfWidth <= 0.0) return formatNumber(mean);
  const int exponent = static_cast<int>(std::floor(std::log10(halfWidth)));
  const int decimals = std::clamp(1 - exponent, 0, 8);
  // Beyond that many decimals the exponent says it shorter.
  if (exponent < -6 || exponent > 8) {
    return QStringLiteral("%1 ± %2").arg(mean, 0, 'e', 2).arg(halfWidth, 0, 'e', 1);
  }
  return QStringLiteral("%1 ± %2")
      .arg(grouped(QString::number(mean, 'f', decimals)))
      .arg(grouped(QString::number(halfWidth, 'f', decimals)));
}

}  // namespace assay
