// The form of one experiment: its parameters in groups, the advanced ones folded.
#pragma once

#include <QList>
#include <QWidget>
#include <map>

#include "core/study/parameters.h"

class QVBoxLayout;

namespace assay {

class ParameterField;

class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  ParameterForm(const ExperimentSpec& experiment, QWidget* parent = nullptr);

  // Sets the fields to the preset's values and marks from then on what differs. With `keepChanged`
  // fields that a person has changed keep their value.
  void usePreset(const std::string& preset, bool keepChanged);
  // Values of another run over the preset.
  void setValues(const std::map<std::string, Value>& values);
  const std::string& preset() const { return preset_; }

  // key and text of what differs from the preset, in the form's order.
  std::vector<std::pair<std::string, std::string>> changes() const;
  std::vector<Problem> problems() const;
  QList<ParameterField*> fields() const { return fields_; }
  void resetAll();
  // Shows only rows with all these words; unfolds what it finds.
  void search(const QString& words);
  // Scrolls to and focuses the first field that is wrong.
  ParameterField* firstInvalid() const;
  void unfold();

 signals:
  void edited();

 private:
  struct Group {
    QWidget* heading = nullptr;
    QFrame* card = nullptr;
    QVBoxLayout* rows = nullptr;
    QList<ParameterField*> fields;
    bool folded = false;
  };
  Group& group(const QString& title, bool advanced);
  QString presetText(const ParameterSpec& spec) const;
  void showGroups(const QString& words);

  const ExperimentSpec& experiment_;
  std::string preset_;
  std::map<std::string, Value> presetValues_;
  QList<ParameterField*> fields_;
  std::map<QString, Group> groups_;
  QVBoxLayout* column_;
  bool quiet_ = false;
};

}  // namespace assay
