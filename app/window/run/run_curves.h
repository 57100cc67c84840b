// The live curves of a run: a card for each group of metrics, with smoothing, axes and a chooser.
#pragma once

#include <QHash>
#include <QWidget>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/window/run/curve_groups.h"
#include "app/window/run/run_update.h"

class QLabel;
class QMenu;
class QPushButton;
class QSlider;
class QVBoxLayout;

namespace assay {

class PlotView;
class Workbench;

class RunCurves : public QWidget {
  Q_OBJECT
 public:
  explicit RunCurves(Workbench& workbench, QWidget* parent = nullptr);
  void take(const RunUpdate& update);
  // Another run's curves behind these, faint (dragged from the Runs page).
  void addOther(const Run& run, std::map<std::string, std::vector<MetricPoint>> points);
  bool isEmpty() const { return cards_.isEmpty(); }

 signals:
  void runDropped(const QString& publicId);

 private:
  struct Card {
    QWidget* frame = nullptr;
    QLabel* title = nullptr;
    QLabel* now = nullptr;
    PlotView* plot = nullptr;
    CurveGroup group;
    std::map<std::string, int> series;
  };
  void makeToolbar(QVBoxLayout* column);
  void arrange();
  void makeCard(const CurveGroup& group);
  void fill(Card& card, const RunUpdate& update);
  void tellNow(Card& card);
  void fillMenu();
  bool isShown(const std::string& key) const;
  void applyLook(PlotView& plot) const;
  QString settingsKey() const;

  Workbench& workbench_;
  const ExperimentSpec* experiment_ = nullptr;
  Run run_;
  std::map<std::string, std::vector<MetricPoint>> all_;
  std::set<std::string> hidden_, added_;  // against what the manifest shows
  std::vector<std::string> drawn_;
  QHash<QString, Card*> cards_;
  std::vector<std::unique_ptr<Card>> owned_;
  struct Other {
    Run run;
    std::map<std::string, std::vector<MetricPoint>> points;
  };
  std::vector<Other> others_;
  QVBoxLayout* column_ = nullptr;
  QWidget* toolbar_ = nullptr;
  QSlider* smoothing_ = nullptr;
  QLabel* smoothing_label_ = nullptr;
  QPushButton* log_ = nullptr;
  QPushButton* seconds_ = nullptr;
  QPushButton* chooser_ = nullptr;
  QMenu* menu_ = nullptr;
};

}  // namespace assay
