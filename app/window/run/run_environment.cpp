// The environment of a run; see run_facts.h.
#include <QHeaderView>
#include <QTreeWidget>

#include "app/viewers/number_text.h"
#include "app/viewers/theme.h"
#include "app/window/run/run_facts.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

QString keyWords(const std::string& key) {
  QString text = QString::fromStdString(key);
  text.replace('_', ' ');
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString leafText(const Json& value) {
  if (value.is_string()) return QString::fromStdString(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return QString::fromStdString(value.dump());
}

void addTo(QTreeWidgetItem* parent, const QString& name, const Json& value) {
  auto* item = new QTreeWidgetItem(parent, {name});
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) addTo(item, keyWords(key), part);
    return;
  }
  if (value.is_array()) {
    int number = 1;
    for (const Json& part : value) {
      QString label = QString::number(number++);
      if (part.is_object() && part.contains("name") && part["name"].is_string()) {
        label = QString::fromStdString(part["name"].get<std::string>());
      }
      addTo(item, label, part);
    }
    return;
  }
  const QString text = leafText(value);
  item->setText(1, text.section('\n', 0, 0));  // a patch shows its first line, the tip the rest
  item->setToolTip(1, text.left(4000));
}

}  // namespace

RunEnvironment::RunEnvironment(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  QFrame* const card = makeCard(this);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(15, 12, 15, 12);
  inner->setSpacing(4);
  inner->addWidget(makeLabel(tr("Where the numbers come from"), "heading", card));
  tree_ = new QTreeWidget(card);
  tree_->setObjectName("provenance");
  tree_->setAccessibleName(tr("Provenance"));
  tree_->setColumnCount(2);
  tree_->setHeaderHidden(true);
  tree_->setMinimumHeight(460);
  tree_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  inner->addWidget(tree_);
  column->addWidget(card, 1);
}

void RunEnvironment::show(const Run& run, const std::map<std::string, double>& timings) {
  Json all = Json::object();
  all["run"] = {
      {"public_id", run.public_id},
      {"seed", run.seed},
      {"threads", run.threads},
      {"state_sha256", run.state_sha256.empty() ? "not known before the end" : run.state_sha256}};
  if (run.provenance.is_object()) {
    for (const auto& [key, value] : run.provenance.items()) all[key] = value;
  }
  Json times = Json::object();
  for (const auto& [key, seconds] : timings) times[key] = formatDuration(seconds).toStdString();
  if (!times.empty()) all["timings"] = times;
  const QString text = QString::fromStdString(all.dump());
  if (text == shown_) return;
  shown_ = text;
  tree_->clear();
  for (const auto& [key, value] : all.items()) {
    addTo(tree_->invisibleRootItem(), keyWords(key), value);
  }
  tree_->expandToDepth(0);
}

}  // namespace assay
