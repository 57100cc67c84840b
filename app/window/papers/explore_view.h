// The plugin's own Explore page, with the state of its server below.
#pragma once

#include <QWidget>
#include <memory>

class QLabel;

namespace assay {

class ExploreClient;
struct Manifest;
class Workbench;

class ExploreView : public QWidget {
  Q_OBJECT
 public:
  // Made when the tab is first shown: it loads the view library and starts a server.
  ExploreView(Workbench& workbench, const Manifest& plugin, QWidget* parent = nullptr);
  ~ExploreView() override;
  bool settled() const;  // an answer has come, and none for a while, or it has failed

 private:
  void showState(const QString& state);
  void showLatency();
  std::unique_ptr<ExploreClient> client_;
  QWidget* explore_ = nullptr;
  QLabel* state_ = nullptr;
  QString server_;
  bool answered_ = false, failed_ = false;
};

}  // namespace assay
