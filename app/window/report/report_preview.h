// A report as it will read: the document's blocks as widgets, figures live.
#pragma once

#include <QScrollArea>

#include "app/report/document.h"

class QVBoxLayout;

namespace assay {

class ReportPreview : public QScrollArea {
  Q_OBJECT
 public:
  explicit ReportPreview(QWidget* parent = nullptr);
  void show(const Document& document);  // keeps the place read

 private:
  QWidget* content_;
  QVBoxLayout* column_;
};

}  // namespace assay
