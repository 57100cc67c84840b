// Which columns the Runs table shows.
#include "app/window/runs/column_chooser.h"

#include <QLineEdit>
#include <QListWidget>

#include "app/window/log_worker.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

struct Keys {
  QStringList metrics, parameters;
};

Keys readKeys(Log& log) {
  Keys keys;
  for (const std::string& key : log.metric_keys()) keys.metrics << QString::fromStdString(key);
  for (const std::string& key : log.parameter_keys())
    keys.parameters << QString::fromStdString(key);
  return keys;
}

}  // namespace

ColumnChooser::ColumnChooser(Workbench& workbench, QWidget* parent)
    : QFrame(parent, Qt::Popup), workbench_(workbench) {
  setObjectName("columnChooser");
  setProperty("look", "panel");
  setFixedSize(300, 420);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  column->setSpacing(8);
  search_ = new QLineEdit(this);
  search_->setObjectName("columnSearch");
  search_->setAccessibleName("Find a column");
  search_->setPlaceholderText("Find a column");
  search_->setProperty("look", "search");
  column->addWidget(search_);
  list_ = new QListWidget(this);
  list_->setObjectName("columnList");
  list_->setAccessibleName("Columns");
  column->addWidget(list_, 1);
  QPushButton* const reset = makeButton("Default columns", "columnsDefault", "link", this);
  column->addWidget(reset);
  connect(search_, &QLineEdit::textChanged, this, &ColumnChooser::search);
  connect(list_, &QListWidget::itemChanged, this, &ColumnChooser::tell);
  connect(reset, &QPushButton::clicked, this, [this] {
    hide();
    emit chosen(defaultColumns(workbench_));
  });
}

void ColumnChooser::open(QWidget* anchor, const QList<RunColumn>& shown) {
  shown_ = shown;
  search_->clear();
  const QPoint corner =
      anchor->mapToGlobal(QPoint(anchor->width() - width(), anchor->height() + 4));
  move(corner);
  show();
  search_->setFocus();
  workbench_.worker().ask(this, "keys", readKeys,
                          [this](const Keys& keys) { fill(keys.metrics, keys.parameters); });
}

void ColumnChooser::fill(const QStringList& metrics, const QStringList& parameters) {
  const QSignalBlocker quiet(list_);
  list_->clear();
  const auto add = [this](const RunColumn& column, const QString& group) {
    const QString title = column.kind == RunColumn::Kind::star ? "Star" : column.title;
    auto* item = new QListWidgetItem(group.isEmpty() ? title : title + "  " + group, list_);
    item->setData(Qt::UserRole, column.id());
    item->setToolTip(column.key);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    const bool checked = std::any_of(shown_.cbegin(), shown_.cend(), [&](const RunColumn& each) {
      return each.id() == column.id();
    });
    item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
  };
  for (const RunColumn& column : plainColumns()) add(column, {});
  for (const QString& key : metrics) add(columnFrom("metric:" + key, workbench_), "metric");
  for (const QString& key : parameters) add(columnFrom("param:" + key, workbench_), "parameter");
}

void ColumnChooser::search(const QString& words) {
  for (int row = 0; row < list_->count(); ++row) {
    QListWidgetItem* const item = list_->item(row);
    const QString text = item->text() + " " + item->data(Qt::UserRole).toString();
    bool found = true;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
      found = found && text.contains(word, Qt::CaseInsensitive);
    }
    item->setHidden(!found);
  }
}

// Columns shown already keep their order; new ones come last.
void ColumnChooser::tell() {
  QStringList checked;
  for (int row = 0; row < list_->count(); ++row) {
    const QListWidgetItem* const item = list_->item(row);
    if (item->checkState() == Qt::Checked) checked << item->data(Qt::UserRole).toString();
  }
  QList<RunColumn> columns;
  for (const RunColumn& column : std::as_const(shown_)) {
    if (checked.removeOne(column.id())) columns.append(column);
  }
  for (const QString& id : std::as_const(checked)) columns.append(columnFrom(id, workbench_));
  if (columns.isEmpty()) columns.append(columnFrom("name", workbench_));
  shown_ = columns;
  emit chosen(columns);
}

}  // namespace assay
