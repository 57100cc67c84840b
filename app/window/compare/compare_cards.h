// The cards of the Compare page: what differs, results, curves, pictures, the runs themselves.
#pragma once

#include <QFrame>
#include <filesystem>

#include "app/window/compare/compare_data.h"
#include "core/study/manifest.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;

namespace assay {

class PlotView;
class TableView;

// What every card needs to know beside the data.
struct CompareScene {
  const CompareData* data = nullptr;
  std::vector<RunGroup> groups;
  QStringList group_names;
  std::size_t baseline = 0;
  MetricValue value = MetricValue::last;
  Better better = Better::neither;
  QString metric_title, unit, axis;
  const ExperimentSpec* experiment = nullptr;
  std::filesystem::path log_directory;
};

class DifferencesCard : public QFrame {
  Q_OBJECT
 public:
  explicit DifferencesCard(QWidget* parent = nullptr);
  void show(const CompareScene& scene);

 private:
  void fill();
  std::vector<DifferenceRow> rows_;
  const ExperimentSpec* experiment_ = nullptr;
  QStringList groups_;
  TableView* table_;
  QLabel* note_;
  QCheckBox* all_;
};

class ResultCard : public QFrame {
  Q_OBJECT
 public:
  explicit ResultCard(QWidget* parent = nullptr);
  void show(const CompareScene& scene);

 private:
  TableView* table_;
  QLabel *title_, *note_;
};

class GroupCurvesCard : public QFrame {
  Q_OBJECT
 public:
  explicit GroupCurvesCard(QWidget* parent = nullptr);
  void show(const CompareScene& scene);
  PlotView& plot() { return *plot_; }

 private:
  QLabel *title_, *note_;
  PlotView* plot_;
  QString shown_;  // which series there are; the same again keeps the user's view
};

class PicturesCard : public QFrame {
  Q_OBJECT
 public:
  explicit PicturesCard(QWidget* parent = nullptr);
  void show(const CompareScene& scene);

 private:
  void fill();
  struct Picture {
    QString title, key;
    std::int64_t step = 0;
    std::filesystem::path path;
  };
  std::vector<Picture> pictures_;
  QString shown_;
  QComboBox* keys_;
  QGridLayout* grid_;
};

class ComparedRunsCard : public QFrame {
  Q_OBJECT
 public:
  explicit ComparedRunsCard(QWidget* parent = nullptr);
  void show(const CompareScene& scene);

 signals:
  void opened(const QString& publicId);
  void removed(const QStringList& publicIds);

 private:
  TableView* table_;
  QStringList ids_;
};

}  // namespace assay
