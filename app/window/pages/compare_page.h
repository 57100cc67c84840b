// Several runs against each other: what differs, results, curves, pictures.
#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class ComparePage : public Page {
  Q_OBJECT
 public:
  explicit ComparePage(Workbench& workbench, QWidget* parent = nullptr);
  ~ComparePage() override;
  // Public ids; none: those of the last time.
  void open(const QStringList& arguments) override;
  void refresh() override;

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
