// See pick_runs.h.
#include "app/window/compare/pick_runs.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QSortFilterProxyModel>

#include "app/viewers/table/table_view.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {
constexpr int most_rows = 300;  // the filter narrows what does not fit
}

PickRuns::PickRuns(Workbench& workbench, QWidget* parent) : QDialog(parent), workbench_(workbench) {
  setWindowTitle(tr("Add runs"));
  resize(760, 520);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 16, 16, 16);
  column->setSpacing(12);
  filter_ = new QLineEdit(this);
  filter_->setObjectName("filter");
  filter_->setPlaceholderText(tr("Filter: words, state:finished, seed:2, accuracy>0.9"));
  filter_->setClearButtonEnabled(true);
  column->addWidget(filter_);
  fault_ = makeLabel({}, {}, this);
  fault_->setProperty("tone", "bad");
  fault_->hide();
  column->addWidget(fault_);
  table_ = new TableView(this);
  table_->setObjectName("runs");
  table_->setColumns({{tr("Run"), false, {}},
                      {tr("Paper"), false, {}},
                      {tr("Experiment"), false, {}},
                      {tr("Seed"), true, {}},
                      {tr("State"), false, {}},
                      {tr("Created"), true, {}}});
  column->addWidget(table_, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* const add = makeButton(tr("Add"), "add", "primary", this);
  buttons->addButton(add, QDialogButtonBox::AcceptRole);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(table_, &TableView::rowActivated, this, &QDialog::accept);
  connect(filter_, &QLineEdit::textChanged, this, &PickRuns::find);
  find();
}

void PickRuns::find() {
  RunQuery query;
  query.filter = filter_->text().toStdString();
  query.limit = most_rows;
  QVector<QVector<GridCell>> rows;
  try {
    ids_.clear();
    for (const RunRow& row : workbench_.log().runs(query)) {
      const Run& run = row.run;
      const auto text = [](const std::string& t) { return QString::fromStdString(t); };
      ids_ << text(run.public_id);
      rows.append({{text(run.name), {}, {}, false, false, text(run.public_id)},
                   {text(run.plugin), {}, {}, false, false, {}},
                   {text(run.experiment), {}, {}, false, false, {}},
                   {QString::number(run.seed), static_cast<double>(run.seed), {}, false, false, {}},
                   {stateWord(run.state), {}, toneColor(stateTone(run.state)), false, false, {}},
                   {momentText(run.created), run.created, {}, false, false, {}}});
    }
    fault_->hide();
  } catch (const Error& error) {
    fault_->setText(QString::fromUtf8(error.what()));
    fault_->show();
    return;
  }
  table_->setRows(rows);
}

QStringList PickRuns::chosen() const {
  QStringList result;
  const auto* order = qobject_cast<QSortFilterProxyModel*>(table_->model());
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
    const int row = order->mapToSource(index).row();
    if (row < ids_.size()) result << ids_[row];
  }
  return result;
}

}  // namespace assay
