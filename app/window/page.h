// A page of the main window.
#pragma once

#include <QStringList>
#include <QWidget>

namespace assay {

class Page : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  // Called when the page is opened, with what it is opened on (a run's public id, ...).
  virtual void open(const QStringList& arguments) = 0;
  // Called while the page is shown and the log has changed. Quick (under 50 ms).
  virtual void refresh() = 0;
  // False while something that was asked for is still on its way (data, an explore server's answer):
  // a screenshot waits for it.
  virtual bool settled() const { return true; }
};

}  // namespace assay
