// The colour scale beside a heat map; see plot_state.h.
#include "app/viewers/number_text.h"
#include "app/viewers/plot/plot_state.h"

namespace assay {

HeatScale::HeatScale(QCustomPlot* plot, const HeatMap& map, const ThemeTokens& tokens)
    : QCPLayoutElement(plot), map_(map), tokens_(&tokens) {
  setMargins(QMargins(8, 8, 0, 8));
}

void HeatScale::draw(QCPPainter* painter) {
  const QRectF area = rect();
  const QRectF strip(area.left() + 8, area.top() + 4, 12, area.height() - 40);
  if (strip.height() < 10) return;
  constexpr int steps = 64;
  for (int i = 0; i < steps; ++i) {
    const double from = strip.bottom() - strip.height() * (i + 1) / steps;
    painter->fillRect(QRectF(strip.left(), from, strip.width(), strip.height() / steps + 0.3),
                      ColorMap::of(map_.colors).color((i + 0.5) / steps));
  }
  painter->setFont(plotFont(11));
  painter->setPen(tokens_->soft);
  const QRectF text(strip.right() + 4, strip.top() - 8, 64, 16);
  painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, formatNumber(map_.value_high, 3));
  painter->drawText(text.translated(0, strip.height()), Qt::AlignLeft | Qt::AlignVCenter,
                    formatNumber(map_.value_low, 3));
}

}  // namespace assay
