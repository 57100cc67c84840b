// One data set or weight file in full.
#pragma once

#include <QFrame>

#include "app/window/data/data_entry.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace assay {

class DataView : public QFrame {
  Q_OBJECT
 public:
  explicit DataView(QWidget* parent = nullptr);
  void showNothing();
  void showLooking(const DataEntry& entry);
  // `checksum` empty: it is being computed.
  void show(const DataEntry& entry, const DataFacts& facts, const QString& checksum);

 signals:
  void removeAsked(const QString& path);
  void lookAsked(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addFact(const QString& name, const QString& value, bool fixedWidth = false);
  void clearFacts();
  void showMissing(const DataEntry& entry);
  void showPreview();
  QLabel* title_;
  QLabel* help_;
  QFrame* notice_;
  QLabel* noticeText_;
  QPushButton* again_;
  QWidget* factsPlace_;
  QGridLayout* facts_;
  QLabel* preview_;
  QLabel* details_;
  QPushButton* remove_;
  QImage image_;
  QString path_;
};

}  // namespace assay
