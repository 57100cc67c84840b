// See plot_readout.h.
#include "app/viewers/plot/plot_readout.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace assay {
namespace {
constexpr std::size_t most_rows = 12;
constexpr double line_height = 17.0;
constexpr double padding = 8.0;
}  // namespace

PlotReadout::PlotReadout(QWidget* parent)
    : QWidget(parent), tokens_(&Theme::tokens(ThemeKind::light)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
}

void PlotReadout::show(const QRectF& area, double x, const QString& heading,
                       std::vector<Row> rows) {
  area_ = area;
  x_ = x;
  heading_ = heading;
  rows_ = std::move(rows);
  shown_ = true;
  update();
}

void PlotReadout::clear() {
  if (!shown_) return;
  shown_ = false;
  rows_.clear();
  heading_.clear();
  update();
}

void PlotReadout::paintEvent(QPaintEvent*) {
  if (!shown_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens_->faint, 1));
  painter.drawLine(QPointF(x_, area_.top()), QPointF(x_, area_.bottom()));
  for (const Row& row : rows_) {
    if (!area_.adjusted(-1, -1, 1, 1).contains(row.point)) continue;
    painter.setPen(QPen(tokens_->panel, 1.5));
    painter.setBrush(row.color);
    painter.drawEllipse(row.point, 4, 4);
  }

  const QFont font = Theme::font(11), strong = Theme::font(11, 600);
  const QFontMetricsF metrics(font), strong_metrics(strong);
  const std::size_t shown = std::min(rows_.size(), most_rows);
  double name_width = 0.0, value_width = 0.0;
  for (std::size_t i = 0; i < shown; ++i) {
    name_width = std::max(name_width, metrics.horizontalAdvance(rows_[i].name));
    value_width = std::max(value_width, strong_metrics.horizontalAdvance(rows_[i].value));
  }
  name_width = std::min(name_width, 220.0);
  const bool more = rows_.size() > shown;
  const double width =
      std::max(16 + name_width + 16 + value_width, metrics.horizontalAdvance(heading_)) +
      2 * padding;
  const double height = (static_cast<double>(shown) + 1 + (more ? 1 : 0)) * line_height + padding;
  double left = x_ + 12;
  if (left + width > area_.right()) left = x_ - 12 - width;
  left = std::max(left, 0.0);
  const QRectF box(left, area_.top() + 4, width, height);
  QColor back = tokens_->panel;
  back.setAlpha(240);
  painter.setPen(QPen(tokens_->line, 1));
  painter.setBrush(back);
  painter.drawRoundedRect(box, 6, 6);

  double y = box.top() + padding / 2;
  const auto line = [&](double x, double w, const QString& text, int flags) {
    painter.drawText(QRectF(x, y, w, line_height), flags | Qt::AlignVCenter, text);
  };
  painter.setFont(font);
  painter.setPen(tokens_->soft);
  line(box.left() + padding, width - 2 * padding, heading_, Qt::AlignLeft);
  for (std::size_t i = 0; i < shown; ++i) {
    y += line_height;
    const Row& row = rows_[i];
    painter.setPen(Qt::NoPen);
    painter.setBrush(row.color);
    painter.drawRoundedRect(QRectF(box.left() + padding, y + line_height / 2 - 1.5, 10, 3), 1, 1);
    painter.setPen(tokens_->soft);
    painter.setFont(font);
    line(box.left() + padding + 16, name_width + 1,
         metrics.elidedText(row.name, Qt::ElideMiddle, name_width + 1), Qt::AlignLeft);
    painter.setPen(tokens_->ink);
    painter.setFont(strong);
    line(box.left() + padding, width - 2 * padding, row.value, Qt::AlignRight);
  }
  if (!more) return;
  y += line_height;
  painter.setFont(font);
  painter.setPen(tokens_->faint);
  line(box.left() + padding, width - 2 * padding, tr("and %1 more").arg(rows_.size() - shown),
       Qt::AlignLeft);
}

}  // namespace assay
