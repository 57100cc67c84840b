// The contract of a plugin's view half, lib<id>_view.so, opened by QPluginLoader when first shown.
#pragma once

#include <QString>
#include <QWidget>
#include <QtPlugin>

#include "core/log/log.h"

namespace assay {

class ExploreClient;

// The plugin's own picture of one run: boundaries, sweeps, histograms. Placed in the Run page.
class RunView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  // Called when shown and whenever the run has new rows. Quick: reads only what is new.
  virtual void showRun(Log& log, const Run& run) = 0;
  // Is there something to show yet? The page leaves the view out otherwise.
  virtual bool hasContent() const { return true; }
};

class PluginView {
 public:
  virtual ~PluginView() = default;
  // Null where the plugin has none.
  virtual QWidget* makeExplore(ExploreClient& client, QWidget* parent) = 0;
  virtual RunView* makeRunView(const QString& experiment, QWidget* parent) = 0;
};

}  // namespace assay

#define AssayPluginView_iid "assay.PluginView/1"
Q_DECLARE_INTERFACE(assay::PluginView, AssayPluginView_iid)
