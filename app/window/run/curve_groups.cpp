// See curve_groups.h.
#include "app/window/run/curve_groups.h"

#include <iterator>
#include <map>
#include <set>

namespace assay {
namespace {

struct Parts {
  std::string prefix, last;
};

Parts partsOf(const std::string& key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string::npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

QString wordsOf(const std::string& part, const ExperimentSpec* experiment) {
  if (experiment != nullptr) {
    for (const ParameterSpec& parameter : experiment->parameters) {
      for (const Choice& choice : parameter.choices) {
        if (choice.value == part && !choice.label.empty()) {
          return QString::fromStdString(choice.label);
        }
      }
    }
  }
  QString text = QString::fromStdString(part);
  text.replace(QChar('_'), QChar(' ')).replace(QChar('/'), QStringLiteral(", "));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString metricName(const std::string& key, const ExperimentSpec* experiment) {
  const MetricSpec* spec = experiment != nullptr ? experiment->metric(key) : nullptr;
  // A wildcard's label names the family; the key's own last part tells its members apart.
  if (spec != nullptr && spec->key == key && !spec->label.empty()) {
    return QString::fromStdString(spec->label);
  }
  const Parts parts = partsOf(key);
  const QString last = wordsOf(parts.last, experiment);
  return parts.prefix.empty() ? last : wordsOf(parts.prefix, experiment) + ": " + last.toLower();
}

std::vector<CurveGroup> groupCurves(const std::vector<std::string>& keys,
                                    const ExperimentSpec* experiment) {
  std::map<std::string, std::set<std::string>> prefixes;
  for (const std::string& key : keys) {
    const Parts parts = partsOf(key);
    if (!parts.prefix.empty()) prefixes[parts.last].insert(parts.prefix);
  }
  std::set<std::string> methods;
  for (const auto& [last, owners] : prefixes) {
    if (owners.size() > 1) methods.insert(owners.begin(), owners.end());
  }
  std::vector<CurveGroup> groups;
  for (const std::string& key : keys) {
    const Parts parts = partsOf(key);
    const MetricSpec* spec = experiment != nullptr ? experiment->metric(key) : nullptr;
    const QString unit = spec != nullptr ? QString::fromStdString(spec->unit) : QString();
    const bool compared = prefixes[parts.last].size() > 1;
    QString id, title, name;
    int color = -1;  // as it comes in its group
    if (compared) {
      color = static_cast<int>(std::distance(methods.begin(), methods.find(parts.prefix)));
      id = "last:" + QString::fromStdString(parts.last);
      title = wordsOf(parts.last, experiment);
      name = wordsOf(parts.prefix, experiment);
    } else if (parts.prefix.empty()) {
      id = "key:" + QString::fromStdString(key);
      title = metricName(key, experiment);
      name = title;
    } else {
      id = "prefix:" + QString::fromStdString(parts.prefix) + ":" + unit;
      title = wordsOf(parts.prefix, experiment);
      name = wordsOf(parts.last, experiment);
    }
    CurveGroup* group = nullptr;
    for (CurveGroup& known : groups) {
      if (known.id == id) group = &known;
    }
    if (group == nullptr) {
      groups.push_back(
          {id, title, unit, spec != nullptr ? QString::fromStdString(spec->axis) : "", {}});
      group = &groups.back();
    }
    if (color < 0) color = static_cast<int>(group->lines.size());
    group->lines.push_back({key, name, color});
  }
  for (CurveGroup& group : groups) {  // a lone line is its own title
    if (group.lines.size() == 1) group.title = metricName(group.lines[0].key, experiment);
  }
  return groups;
}

}  // namespace assay
