#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class DataPage : public Page {
  Q_OBJECT
 public:
  explicit DataPage(Workbench& workbench, QWidget* parent = nullptr);
  ~DataPage() override;
  void open(const QStringList& arguments) override;
  void refresh() override;
  bool settled() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
