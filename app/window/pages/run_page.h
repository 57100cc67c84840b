// One run: live curves, metrics, pictures, log, configuration, environment, notes.
#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class RunPage : public Page {
  Q_OBJECT
 public:
  explicit RunPage(Workbench& workbench, QWidget* parent = nullptr);
  ~RunPage() override;
  void open(const QStringList& arguments) override;
  void refresh() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
