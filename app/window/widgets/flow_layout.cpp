// Cards of equal width in as many columns as fit; pills in a line that wraps.
#include "app/window/widgets/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace assay {
namespace {

int heightOf(QLayoutItem* item, int width) {
  return item->hasHeightForWidth()
             ? std::max(item->heightForWidth(width), item->minimumSize().height())
             : item->sizeHint().height();
}

}  // namespace

CardGrid::CardGrid(int minimumWidth, int gap, QWidget* parent)
    : QLayout(parent), minimum_width_(minimumWidth), gap_(gap) {
  setContentsMargins(0, 0, 0, 0);
}

CardGrid::~CardGrid() {
  qDeleteAll(items_);
}

void CardGrid::addItem(QLayoutItem* item) {
  items_.append(item);
}

QLayoutItem* CardGrid::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

QSize CardGrid::minimumSize() const {
  return {minimum_width_, 0};
}

void CardGrid::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int CardGrid::arrange(const QRect& rect, bool move) const {
  if (items_.isEmpty()) return 0;
  const int columns = std::max(1, (rect.width() + gap_) / (minimum_width_ + gap_));
  const int width = (rect.width() - gap_ * (columns - 1)) / columns;
  int y = rect.y();
  for (int first = 0; first < items_.size(); first += columns) {
    const int end = std::min(first + columns, static_cast<int>(items_.size()));
    int height = 0;
    for (int i = first; i < end; ++i) height = std::max(height, heightOf(items_[i], width));
    for (int i = first; move && i < end; ++i) {
      items_[i]->setGeometry({rect.x() + (i - first) * (width + gap_), y, width, height});
    }
    y += height + gap_;
  }
  return y - gap_ - rect.y();
}

FlowLayout::FlowLayout(int gap, QWidget* parent) : QLayout(parent), gap_(gap) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
  qDeleteAll(items_);
}

void FlowLayout::addItem(QLayoutItem* item) {
  items_.append(item);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

QSize FlowLayout::sizeHint() const {
  int width = 0;
  for (const QLayoutItem* item : items_) width += item->sizeHint().width() + gap_;
  return {std::max(0, width - gap_), heightForWidth(std::max(0, width))};
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const {
  int x = rect.x();
  int y = rect.y();
  int height = 0;
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;  // hidden
    const QSize size = item->sizeHint();
    if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
      x = rect.x();
      y += height + gap_;
      height = 0;
    }
    if (move) item->setGeometry({QPoint(x, y), size});
    x += size.width() + gap_;
    height = std::max(height, size.height());
  }
  return y + height - rect.y();
}

}  // namespace assay
