// Reports: which runs and metrics, notes, a preview, and the five formats.
#pragma once

#include <memory>

#include "app/window/page.h"

namespace assay {

class Workbench;

class ReportPage : public Page {
  Q_OBJECT
 public:
  explicit ReportPage(Workbench& workbench, QWidget* parent = nullptr);
  ~ReportPage() override;
  // Public ids of the runs to report on; none: those of the last time.
  void open(const QStringList& arguments) override;
  void refresh() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
