// Which metrics belong into one plot, and what they are called there.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/log/records.h"
#include "core/study/manifest.h"

namespace assay {

struct CurveLine {
  std::string key;
  QString name;
  int color = 0;  // a method has the same in every plot
};

struct CurveGroup {
  QString id;  // stable: a card keeps its place
  QString title;
  QString unit;
  QString axis;  // what the steps count
  std::vector<CurveLine> lines;
};

// "trainable_ct" -> the label of the choice of that value where the experiment has one, else
// "Trainable ct".
QString wordsOf(const std::string& part, const ExperimentSpec* experiment);
// The metric's label, or its key in words.
QString metricName(const std::string& key, const ExperimentSpec* experiment);

// "a/accuracy" and "b/accuracy" are compared: one plot "Accuracy" with lines "a" and "b". What has
// no such twin is grouped by the part before the last slash, apart by unit.
std::vector<CurveGroup> groupCurves(const std::vector<std::string>& keys,
                                    const ExperimentSpec* experiment);

}  // namespace assay
