#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class PaperPage : public Page {
  Q_OBJECT
 public:
  explicit PaperPage(Workbench& workbench, QWidget* parent = nullptr);
  ~PaperPage() override;
  void open(const QStringList& arguments) override;
  void refresh() override;
  bool settled() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
