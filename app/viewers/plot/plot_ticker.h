// Tick labels as in Assay's tables: thousands separated, short, never rounded to a wrong value.
#pragma once

#include <qcustomplot.h>

namespace assay {

QString tickText(double tick);

class PlotTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

class PlotTickerLog : public QCPAxisTickerLog {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

}  // namespace assay
