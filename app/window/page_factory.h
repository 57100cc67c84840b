// Names of pages to pages.
#pragma once

#include <QString>

class QWidget;

namespace assay {

class Page;
class Workbench;

// papers, paper, configure, runs, run, compare, report, data; null for any other name.
Page* makePage(const QString& name, Workbench& workbench, QWidget* parent);

}  // namespace assay
