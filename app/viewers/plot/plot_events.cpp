// PlotView: mouse, keys, drag and drop, context menu.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <cmath>

#include "app/viewers/number_text.h"
#include "app/viewers/plot/plot_state.h"

namespace assay {
namespace {

QString heading(const QString& title, double x) {
  const QString name = title.isEmpty() ? QStringLiteral("x") : title;
  return QStringLiteral("%1 %2").arg(name, formatNumber(x));
}

}  // namespace

// The values of all series at the data point nearest to the cursor.
void PlotView::State::update_readout(const QPointF& place) {
  State& s = *this;
  const QRectF area = s.plot->axisRect()->rect();
  if (!area.contains(place)) {
    s.readout->clear();
    return;
  }
  double x = s.plot->xAxis->pixelToCoord(place.x());
  const double y = s.plot->yAxis->pixelToCoord(place.y());
  // Snap to the nearest point of any curve, so that what is read is a value that exists.
  double best = std::numeric_limits<double>::infinity(), snapped = x;
  for (const PlotSeries& entry : s.series) {
    if (!entry.visible || entry.raw.empty() || entry.path != nullptr) continue;
    const double candidate = entry.raw.x()[entry.raw.nearest(x)];
    const double distance = std::abs(s.plot->xAxis->coordToPixel(candidate) - place.x());
    if (distance < best) {
      best = distance;
      snapped = candidate;
    }
  }
  if (std::isfinite(best)) x = snapped;
  std::vector<PlotReadout::Row> rows;
  for (const PlotSeries& entry : s.series) {
    if (!entry.visible || !entry.style.in_readout || entry.path != nullptr) continue;
    const Curve& curve = entry.has_smooth ? entry.smooth : entry.raw;
    if (curve.empty()) continue;
    const std::size_t index = curve.nearest(x);
    const double value = curve.y()[index];
    const double pixel = s.plot->xAxis->coordToPixel(curve.x()[index]);
    if (std::abs(pixel - s.plot->xAxis->coordToPixel(x)) > 40) continue;  // ended long before
    QString text = std::isnan(value) ? PlotView::tr("no value") : formatNumber(value);
    if (!entry.style.unit.isEmpty()) text += QLatin1Char(' ') + entry.style.unit;
    if (entry.has_smooth) {
      text += QStringLiteral("  (%1)").arg(formatNumber(entry.raw.y()[entry.raw.nearest(x)]));
    }
    rows.push_back({entry.style.name, text, s.color(entry),
                    QPointF(pixel, s.plot->yAxis->coordToPixel(value))});
  }
  if (s.heat != nullptr) {
    const double value = s.heat->valueAt(x, y);
    if (!std::isnan(value)) {
      const QString name =
          s.heat->map().label.isEmpty() ? PlotView::tr("value") : s.heat->map().label;
      rows.push_back({name, formatNumber(value), s.tokens->accent, QPointF(-1, -1)});
    }
  }
  if (rows.empty()) {
    s.readout->clear();
    return;
  }
  const auto category = static_cast<qsizetype>(std::lround(x));
  const bool named = !s.categories.isEmpty() && category >= 0 && category < s.categories.size();
  const QString text = named ? s.categories[category] : heading(s.x_axis_title(), x);
  s.readout->show(area, s.plot->xAxis->coordToPixel(x), text, std::move(rows));
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
  State& s = *state_;
  if (watched != s.plot) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::Resize:
      s.readout->setGeometry(s.plot->rect());
      break;
    case QEvent::MouseButtonPress: {
      auto* mouse = static_cast<QMouseEvent*>(event);
      setFocus(Qt::MouseFocusReason);
      const bool box = s.interactive && mouse->button() == Qt::LeftButton &&
                       (mouse->modifiers() & Qt::ShiftModifier);
      s.plot->setSelectionRectMode(box ? QCP::srmZoom : QCP::srmNone);
      s.readout->clear();
      break;
    }
    case QEvent::MouseMove: {
      auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->buttons() == Qt::NoButton) s.update_readout(mouse->position());
      break;
    }
    case QEvent::MouseButtonRelease: {
      auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() == Qt::LeftButton) {
        emit clickedAt(s.plot->xAxis->pixelToCoord(mouse->position().x()),
                       s.plot->yAxis->pixelToCoord(mouse->position().y()));
      }
      break;
    }
    case QEvent::MouseButtonDblClick:
      if (s.interactive) resetView();
      return true;
    case QEvent::Wheel:
      s.readout->clear();
      break;
    case QEvent::Leave:
      s.readout->clear();
      break;
    default:
      break;
  }
  return false;
}

void PlotView::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasFormat(QLatin1String(run_mime_type))) event->acceptProposedAction();
}

void PlotView::dropEvent(QDropEvent* event) {
  const QString text = QString::fromUtf8(event->mimeData()->data(QLatin1String(run_mime_type)));
  for (const QString& id : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    emit runDropped(id.trimmed());
  }
  event->acceptProposedAction();
}

void PlotView::keyPressEvent(QKeyEvent* event) {
  QCPAxis* x = state_->plot->xAxis;
  QCPAxis* y = state_->plot->yAxis;
  const auto slide = [](QCPAxis* axis, double part) {
    if (axis->scaleType() == QCPAxis::stLogarithmic) {
      axis->scaleRange(1.0, axis->range().center());
      return;
    }
    axis->moveRange(axis->range().size() * part);
  };
  if (event->matches(QKeySequence::Copy)) {
    copyImage();
    return;
  }
  switch (event->key()) {
    case Qt::Key_Left:
      slide(x, -0.1);
      break;
    case Qt::Key_Right:
      slide(x, 0.1);
      break;
    case Qt::Key_Up:
      slide(y, 0.1);
      break;
    case Qt::Key_Down:
      slide(y, -0.1);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      x->scaleRange(0.8);
      break;
    case Qt::Key_Minus:
      x->scaleRange(1.25);
      break;
    case Qt::Key_0:
    case Qt::Key_Home:
      resetView();
      return;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  state_->plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  QAction* reset = menu.addAction(tr("Reset view"), this, &PlotView::resetView);
  reset->setEnabled(state_->zoomed);
  QAction* log = menu.addAction(tr("Logarithmic vertical axis"));
  log->setCheckable(true);
  log->setChecked(state_->log_y);
  connect(log, &QAction::toggled, this, &PlotView::setLogY);
  menu.addSeparator();
  addExportActions(menu);
  menu.exec(event->globalPos());
}

void PlotView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  state_->redraw.start();
}

}  // namespace assay
