// Names of pages to pages.
#include "app/window/page_factory.h"

#include "app/window/pages/compare_page.h"
#include "app/window/pages/configure_page.h"
#include "app/window/pages/data_page.h"
#include "app/window/pages/paper_page.h"
#include "app/window/pages/papers_page.h"
#include "app/window/pages/report_page.h"
#include "app/window/pages/run_page.h"
#include "app/window/pages/runs_page.h"

namespace assay {

Page* makePage(const QString& name, Workbench& workbench, QWidget* parent) {
  if (name == "papers") return new PapersPage(workbench, parent);
  if (name == "paper") return new PaperPage(workbench, parent);
  if (name == "configure") return new ConfigurePage(workbench, parent);
  if (name == "runs") return new RunsPage(workbench, parent);
  if (name == "run") return new RunPage(workbench, parent);
  if (name == "compare") return new ComparePage(workbench, parent);
  if (name == "report") return new ReportPage(workbench, parent);
  if (name == "data") return new DataPage(workbench, parent);
  return nullptr;
}

}  // namespace assay
