// What a run stored, by key and step: images, tables, texts, tensors.
#pragma once

#include <QFrame>
#include <filesystem>
#include <vector>

#include "core/log/records.h"
#include "core/study/manifest.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace assay {

class ImageView;
class StepSlider;
class TableView;

class RunArtifacts : public QFrame {
  Q_OBJECT
 public:
  explicit RunArtifacts(QWidget* parent = nullptr);
  void show(const std::filesystem::path& logDirectory, const std::vector<Artifact>& artifacts,
            const ExperimentSpec* experiment);

 private:
  void fillKeys();
  void fillSteps();
  void showStep(std::int64_t step);
  void showFile(const Artifact& artifact);

  std::filesystem::path directory_;
  std::vector<Artifact> artifacts_;
  const ExperimentSpec* experiment_ = nullptr;
  QString shown_;  // path and digest of what is on screen
  QComboBox* keys_;
  QLabel* caption_;
  QStackedWidget* stack_;
  ImageView* image_;
  TableView* table_;
  QPlainTextEdit* text_;
  StepSlider* slider_;
};

}  // namespace assay
