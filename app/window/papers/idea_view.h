// A paper's idea in plain words with its equations, and its experiments.
#pragma once

#include <QWidget>

namespace assay {

struct ExperimentSpec;
struct Manifest;
class Workbench;

class IdeaView : public QWidget {
  Q_OBJECT
 public:
  IdeaView(Workbench& workbench, const Manifest& plugin, QWidget* parent = nullptr);

 private:
  QWidget* makeText(const Manifest& plugin);
  QWidget* makeExperiments(const Manifest& plugin);
  QWidget* makeExperiment(const Manifest& plugin, const ExperimentSpec& experiment);
  Workbench& workbench_;
};

}  // namespace assay
