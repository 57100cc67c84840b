#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class RunsPage : public Page {
  Q_OBJECT
 public:
  explicit RunsPage(Workbench& workbench, QWidget* parent = nullptr);
  ~RunsPage() override;
  void open(const QStringList& arguments) override;
  void refresh() override;
  bool settled() const override;
  void renameCurrent();  // in place, in the table

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
