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
  void open(const QStringList& arguments) override;
  void refresh() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
