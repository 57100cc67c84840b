// Cards of equal width in as many columns as fit; rows are as high as their highest card.
#pragma once

#include <QLayout>
#include <QList>

namespace assay {

class CardGrid : public QLayout {
 public:
  CardGrid(int minimumWidth, int gap, QWidget* parent = nullptr);
  ~CardGrid() override;
  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }

 private:
  int arrange(const QRect& rect, bool move) const;
  QList<QLayoutItem*> items_;
  int minimum_width_, gap_;
};

// Pills and buttons in a line that wraps.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(int gap, QWidget* parent = nullptr);
  ~FlowLayout() override;
  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;
  Qt::Orientations expandingDirections() const override { return {}; }

 private:
  int arrange(const QRect& rect, bool move) const;
  QList<QLayoutItem*> items_;
  int gap_;
};

}  // namespace assay
