// The form of one experiment.
#include "app/window/configure/parameter_form.h"

#include "app/viewers/theme.h"
#include "app/window/configure/parameter_field.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

const char* const advancedTitle = "Advanced";

}  // namespace

ParameterForm::ParameterForm(const ExperimentSpec& experiment, QWidget* parent)
    : QWidget(parent), experiment_(experiment) {
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(6);
  for (const bool advanced : {false, true}) {
    for (const ParameterSpec& spec : experiment.parameters) {
      if (spec.advanced != advanced) continue;
      const QString title =
          advanced ? advancedTitle
                   : QString::fromStdString(spec.group.empty() ? "Settings" : spec.group);
      Group& place = group(title, advanced);
      auto* field = new ParameterField(spec, place.card);
      if (!place.fields.isEmpty()) place.rows->addWidget(makeRule(place.card));
      place.rows->addWidget(field);
      place.fields.append(field);
      fields_.append(field);
      connect(field, &ParameterField::edited, this, [this] {
        if (!quiet_) emit edited();
      });
    }
  }
  column_->addStretch(1);
  showGroups({});
}

ParameterForm::Group& ParameterForm::group(const QString& title, bool advanced) {
  const auto known = groups_.find(title);
  if (known != groups_.end()) return known->second;
  Group& made = groups_[title];
  if (advanced) {
    QPushButton* const button = makeButton(title, "advancedToggle", "quiet", this);
    button->setIcon(Theme::of().icon("chevron-right", {}));
    connect(button, &QPushButton::clicked, this, [this, title] {
      groups_[title].folded = !groups_[title].folded;
      showGroups({});
    });
    made.heading = button;
    made.folded = true;
  } else {
    QLabel* const label = makeLabel(title, "heading", this);
    label->setContentsMargins(2, 8, 0, 2);
    made.heading = label;
  }
  column_->addWidget(made.heading);
  made.card = makeCard(this);
  made.rows = new QVBoxLayout(made.card);
  made.rows->setContentsMargins(1, 2, 1, 2);
  made.rows->setSpacing(0);
  column_->addWidget(made.card);
  return made;
}

void ParameterForm::showGroups(const QString& words) {
  for (auto& [title, place] : groups_) {
    bool any = false;
    for (ParameterField* field : place.fields) {
      const bool found = field->matches(words);
      field->setVisible(found);
      any = any || found;
    }
    const bool open = any && (!place.folded || !words.trimmed().isEmpty());
    place.heading->setVisible(any);
    place.card->setVisible(open);
    if (auto* button = qobject_cast<QPushButton*>(place.heading)) {
      button->setIcon(Theme::of().icon(open ? "chevron-down" : "chevron-right", {}));
    }
  }
}

void ParameterForm::search(const QString& words) {
  showGroups(words);
}

void ParameterForm::unfold() {
  for (auto& [title, place] : groups_) place.folded = false;
  showGroups({});
}

QString ParameterForm::presetText(const ParameterSpec& spec) const {
  const auto found = presetValues_.find(spec.key);
  return QString::fromStdString(
      to_text(found == presetValues_.end() ? spec.default_value : found->second));
}

void ParameterForm::usePreset(const std::string& preset, bool keepChanged) {
  QList<ParameterField*> changed;
  for (ParameterField* field : std::as_const(fields_)) {
    if (keepChanged && field->isChanged()) changed.append(field);
  }
  preset_ = preset;
  const Preset* const found = experiment_.preset(preset);
  presetValues_ = found == nullptr ? std::map<std::string, Value>{} : found->values;
  quiet_ = true;
  for (ParameterField* field : std::as_const(fields_)) {
    const QString text = presetText(field->spec());
    field->setReference(text);
    if (!changed.contains(field)) field->setText(text);
  }
  quiet_ = false;
  emit edited();
}

void ParameterForm::setValues(const std::map<std::string, Value>& values) {
  quiet_ = true;
  for (ParameterField* field : std::as_const(fields_)) {
    const auto found = values.find(field->spec().key);
    if (found != values.end()) field->setText(QString::fromStdString(to_text(found->second)));
  }
  quiet_ = false;
  emit edited();
}

std::vector<std::pair<std::string, std::string>> ParameterForm::changes() const {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const ParameterField* field : fields_) {
    if (field->isChanged()) changed.emplace_back(field->spec().key, field->text().toStdString());
  }
  return changed;
}

std::vector<Problem> ParameterForm::problems() const {
  std::vector<Problem> problems;
  for (const ParameterField* field : fields_) {
    if (field->problem()) problems.push_back(*field->problem());
  }
  return problems;
}

void ParameterForm::resetAll() {
  usePreset(preset_, false);
}

ParameterField* ParameterForm::firstInvalid() const {
  for (ParameterField* field : fields_) {
    if (field->problem()) return field;
  }
  return nullptr;
}

}  // namespace assay
