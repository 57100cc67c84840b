// Words, shapes and colours of states and verdicts; numbers and times as text.
#include <QDateTime>
#include <QLocale>
#include <cmath>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {

QString stateWord(RunState state) {
  return QString::fromStdString(to_string(state));
}

QString stateIcon(RunState state) {
  return "state-" + stateWord(state);
}

QString stateTone(RunState state) {
  switch (state) {
    case RunState::running:
      return "accent";
    case RunState::finished:
      return "good";
    case RunState::paused:
      return "caution";
    case RunState::failed:
    case RunState::killed:
    case RunState::crashed:
      return "bad";
    case RunState::queued:
    case RunState::stopped:
      break;
  }
  return {};
}

QColor toneColor(const QString& tone) {
  const ThemeTokens& t = Theme::of().tokens();
  if (tone == "good") return t.good;
  if (tone == "caution") return t.caution;
  if (tone == "bad") return t.bad;
  if (tone == "accent") return t.accent;
  return t.soft;
}

QString verdictIcon(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "verdict-reproduced";
    case Verdict::not_reproduced:
      return "verdict-not-reproduced";
    case Verdict::undecided:
      break;
  }
  return "verdict-undecided";
}

QString verdictTone(Verdict verdict) {
  if (verdict == Verdict::reproduced) return "good";
  return verdict == Verdict::not_reproduced ? "bad" : "caution";
}

QString durationText(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0) return {};
  if (seconds < 10.0) return QString::number(seconds, 'f', 1) + " s";
  const auto whole = static_cast<qint64>(std::llround(seconds));
  if (whole < 60) return QString("%1 s").arg(whole);
  if (whole < 3600)
    return QString("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QChar('0'));
  return QString("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60, 2, 10, QChar('0'));
}

QString momentText(double secondsSince1970) {
  const QDateTime when =
      QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(secondsSince1970 * 1000.0));
  const QDateTime now = QDateTime::currentDateTime();
  const QLocale english(QLocale::English);
  if (when.date() == now.date()) return when.toString("HH:mm");
  if (when.date().year() == now.date().year()) return english.toString(when, "d MMM HH:mm");
  return english.toString(when, "d MMM yyyy");
}

QString bytesText(std::uint64_t bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024.0 && unit < 4) {
    value /= 1024.0;
    ++unit;
  }
  return QString("%1 %2").arg(value, 0, 'f', unit == 0 || value >= 100.0 ? 0 : 1).arg(units[unit]);
}

QString countText(std::int64_t count) {
  return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

QString valueText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  if (value == std::floor(value) && std::abs(value) < 1e7) {
    return countText(static_cast<std::int64_t>(value));
  }
  return QString::number(value, 'g', 4);
}

QString plural(std::int64_t count, const QString& one, const QString& many) {
  return countText(count) + " " + (count == 1 ? one : many);
}

}  // namespace assay
