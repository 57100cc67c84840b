// All of one experiment's configuration: presets, search, form, run settings. Kept while the window
// is open, so that what was typed is there on return.
#pragma once

#include <QWidget>

#include "app/window/configure/parameter_form.h"
#include "core/log/records.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QScrollArea;

namespace assay {

class RunSettings;
class Workbench;

class ConfigureForm : public QWidget {
  Q_OBJECT
 public:
  ConfigureForm(Workbench& workbench, const Manifest& plugin, const ExperimentSpec& experiment,
                QWidget* parent = nullptr);
  void fillFrom(const QString& publicId);  // throws Error: no such run

 private:
  QWidget* makeHeader();
  QWidget* makePresets();
  void choosePreset(const QString& id, bool keepChanged);
  void showSummary();
  QStringList reasons() const;
  Resolved resolved() const;
  void start(bool queueOnly);
  void showFault();
  void copy(const std::string& text, const QString& what);

  Workbench& workbench_;
  const Manifest& plugin_;
  const ExperimentSpec& experiment_;
  QScrollArea* scroll_;
  ParameterForm* form_;
  RunSettings* settings_;
  QButtonGroup* presets_ = nullptr;
  QLabel* presetHelp_ = nullptr;
  QLineEdit* search_ = nullptr;
  QString parentRun_;
};

}  // namespace assay
