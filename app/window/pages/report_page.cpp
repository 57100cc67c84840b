// See report_page.h.
#include "app/window/pages/report_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSettings>
#include <QTimer>
#include <set>
#include <QUrl>

#include "app/report/comparison.h"
#include "app/report/document.h"
#include "app/report/report.h"
#include "app/viewers/theme.h"
#include "app/window/compare/pick_runs.h"
#include "app/window/log_worker.h"
#include "app/window/report/report_preview.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int runs_height = 96;
constexpr int preview_after_milliseconds = 250;  // typing makes one preview, not twenty

struct FormatChoice {
  ReportFormat format;
  const char* label;
};
constexpr FormatChoice format_choices[] = {{ReportFormat::html, "HTML"},
                                           {ReportFormat::pdf, "PDF"},
                                           {ReportFormat::latex, "LaTeX"},
                                           {ReportFormat::markdown, "Markdown"},
                                           {ReportFormat::csv, "CSV"}};

// What the settings at the left offer, read once for a set of runs.
struct ReportChoices {
  std::vector<ComparedRun> runs;
  std::vector<std::string> groups;
};

}  // namespace

struct ReportPage::State {
  State(Workbench& w, QObject* owner)
      : workbench(w), worker(w.logDirectory(), Log::Mode::read_only, owner) {}
  Workbench& workbench;
  LogWorker worker;
  QStringList ids;
  ReportChoices choices;
  bool filling = false, first = true;
  QTimer preview_timer;

  EmptyState* empty = nullptr;
  QWidget* body = nullptr;
  QLabel *title = nullptr, *subtitle = nullptr, *done = nullptr;
  QLineEdit *name = nullptr, *author = nullptr;
  QPlainTextEdit* notes = nullptr;
  QListWidget *runs = nullptr, *metrics = nullptr;
  QList<QCheckBox*> formats;
  QPushButton *export_button = nullptr, *open_folder = nullptr;
  ReportPreview* preview = nullptr;
  QString folder;

  QWidget* make_settings(ReportPage* page);
  void make_lists(QVBoxLayout* column, QWidget* parent, ReportPage* page);
  void make_formats(QVBoxLayout* column, QWidget* parent, ReportPage* page);
  void fill();
  ReportSpec spec() const;
  void show_preview(ReportPage* page);
  void write(ReportPage* page);
  const ExperimentSpec* experiment() const;
};

const ExperimentSpec* ReportPage::State::experiment() const {
  if (choices.runs.empty()) return nullptr;
  const Run& run = choices.runs.front().run;
  const Manifest* plugin = workbench.plugin(QString::fromStdString(run.plugin));
  return plugin != nullptr ? plugin->experiment(run.experiment) : nullptr;
}

void ReportPage::State::make_lists(QVBoxLayout* column, QWidget* parent, ReportPage* page) {
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("Runs"), "strong", parent));
  row->addStretch(1);
  QPushButton* const add = makeButton(tr("Add…"), "add_runs", "link", parent);
  row->addWidget(add);
  column->addLayout(row);
  runs = new QListWidget(parent);
  runs->setObjectName("report_runs");
  runs->setAccessibleName(tr("Runs in the report"));
  metrics = new QListWidget(parent);
  metrics->setObjectName("report_metrics");
  metrics->setAccessibleName(tr("Metrics in the report"));
  for (QListWidget* list : {runs, metrics}) {
    list->setMinimumHeight(96);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideMiddle);
  }
  runs->setFixedHeight(runs_height);
  column->addWidget(runs);
  column->addWidget(makeLabel(tr("Metrics and figures"), "strong", parent));
  column->addWidget(metrics, 1);
  for (QListWidget* list : {runs, metrics}) {
    connect(list, &QListWidget::itemChanged, page, [this]() {
      if (!filling) preview_timer.start();
    });
  }
  connect(add, &QPushButton::clicked, page, [this, page]() {
    PickRuns dialog(workbench, page);
    if (dialog.exec() == QDialog::Accepted) page->open(ids + dialog.chosen());
  });
}

void ReportPage::State::make_formats(QVBoxLayout* column, QWidget* parent, ReportPage* page) {
  column->addWidget(makeLabel(tr("Formats"), "strong", parent));
  auto* grid = new QGridLayout;
  grid->setSpacing(6);
  const QStringList off = QSettings().value("report/formats_off").toStringList();
  int place = 0;
  for (const FormatChoice& choice : format_choices) {
    auto* box = new QCheckBox(tr(choice.label), parent);
    box->setObjectName(QString("format_%1").arg(static_cast<int>(choice.format)));
    box->setChecked(!off.contains(box->objectName()));
    formats.append(box);
    grid->addWidget(box, place / 3, place % 3);
    ++place;
    connect(box, &QCheckBox::toggled, page, [this]() {
      QStringList unchecked;
      bool any = false;
      for (const QCheckBox* one : formats) {
        if (!one->isChecked()) unchecked << one->objectName();
        any = any || one->isChecked();
      }
      export_button->setEnabled(any);
      QSettings().setValue("report/formats_off", unchecked);
    });
  }
  column->addLayout(grid);
  export_button = makeButton(tr("Export…"), "export_report", "primary", parent);
  open_folder = makeButton(tr("Open folder"), "open_report", {}, parent);
  open_folder->hide();
  done = makeWrapped({}, "small", parent);
  done->setObjectName("report_done");
  auto* row = new QHBoxLayout;
  row->addWidget(export_button);
  row->addWidget(open_folder);
  row->addStretch(1);
  column->addSpacing(4);
  column->addLayout(row);
  column->addWidget(done);
  connect(export_button, &QPushButton::clicked, page, [this, page]() {
    const QString start = QSettings().value("report/folder", QDir::homePath()).toString();
    const QString chosen =
        QFileDialog::getExistingDirectory(page, tr("Export the report into"), start);
    if (chosen.isEmpty()) return;
    QSettings().setValue("report/folder", chosen);
    folder = chosen;
    write(page);
  });
  connect(open_folder, &QPushButton::clicked, page,
          [this]() { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

QWidget* ReportPage::State::make_settings(ReportPage* page) {
  auto* scroll = new QScrollArea(page);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedWidth(300);
  QFrame* const card = makeCard();
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(15, 12, 15, 14);
  column->setSpacing(8);
  name = new QLineEdit(card);
  name->setObjectName("report_title");
  name->setPlaceholderText(tr("Title (made from the runs)"));
  name->setAccessibleName(tr("Title"));
  column->addWidget(name);
  author = new QLineEdit(card);
  author->setObjectName("report_author");
  author->setPlaceholderText(tr("Author"));
  author->setAccessibleName(tr("Author"));
  author->setText(QSettings().value("report/author").toString());
  column->addWidget(author);
  notes = new QPlainTextEdit(card);
  notes->setObjectName("report_notes");
  notes->setPlaceholderText(tr("Notes: what was asked, what came out. Markdown."));
  notes->setAccessibleName(tr("Notes"));
  notes->setFixedHeight(84);
  column->addWidget(notes);
  make_lists(column, card, page);
  make_formats(column, card, page);
  scroll->setWidget(card);
  connect(name, &QLineEdit::textChanged, page, [this]() { preview_timer.start(); });
  connect(notes, &QPlainTextEdit::textChanged, page, [this]() { preview_timer.start(); });
  connect(author, &QLineEdit::textChanged, page, [this](const QString& text) {
    QSettings().setValue("report/author", text);
    preview_timer.start();
  });
  return scroll;
}

ReportPage::ReportPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench, this)) {
  State& s = *state_;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  s.empty = new EmptyState("report", this);
  s.empty->setText(tr("No report yet"),
                   tr("Pick runs to see their results, curves and claims as a report, with the way "
                      "back to each number."));
  s.empty->setAction(tr("Pick runs…"), "pick_runs", [this]() {
    PickRuns dialog(state_->workbench, this);
    if (dialog.exec() == QDialog::Accepted) open(dialog.chosen());
  });
  column->addWidget(s.empty);
  s.body = new QWidget(this);
  s.body->setProperty("look", "page");
  auto* inner = new QVBoxLayout(s.body);
  inner->setContentsMargins(24, 20, 24, 24);
  inner->setSpacing(4);
  s.title = makeLabel(tr("Report"), "title", s.body);
  s.subtitle = makeLabel({}, "soft", s.body);
  inner->addWidget(s.title);
  inner->addWidget(s.subtitle);
  inner->addSpacing(12);
  auto* halves = new QHBoxLayout;
  halves->setSpacing(16);
  s.preview_timer.setSingleShot(true);
  s.preview_timer.setInterval(preview_after_milliseconds);
  halves->addWidget(s.make_settings(this));
  s.preview = new ReportPreview(s.body);
  halves->addWidget(s.preview, 1);
  inner->addLayout(halves, 1);
  column->addWidget(s.body, 1);
  s.body->hide();
  connect(&s.preview_timer, &QTimer::timeout, this, [this]() { state_->show_preview(this); });
  connect(&s.worker, &LogWorker::failed, this,
          [&s](const QString& message) { s.workbench.sayError(message); });
}

ReportPage::~ReportPage() = default;

void ReportPage::open(const QStringList& arguments) {
  State& s = *state_;
  QStringList wanted = arguments;
  wanted.removeDuplicates();
  if (!wanted.isEmpty() && wanted != s.ids) {
    s.ids = wanted;
    s.first = true;
  }
  s.empty->setVisible(s.ids.isEmpty());
  s.body->setVisible(!s.ids.isEmpty());
  refresh();
}

void ReportPage::refresh() {
  State& s = *state_;
  if (s.ids.isEmpty()) return;
  std::vector<std::string> ids;
  for (const QString& id : s.ids) ids.push_back(id.toStdString());
  s.worker.ask(
      this, "choices",
      [ids](Log& log) {
        ReportChoices choices;
        choices.runs = read_compared(log, ids);
        return choices;
      },
      [this](ReportChoices choices) {
        State& st = *state_;
        st.choices = std::move(choices);
        st.fill();
        st.preview_timer.start(st.first ? 0 : preview_after_milliseconds);
        st.first = false;
      });
}

void ReportPage::State::fill() {
  filling = true;
  const auto states = [](const QListWidget* list) {
    QHash<QString, bool> checked;
    for (int i = 0; i < list->count(); ++i) {
      checked[list->item(i)->data(Qt::UserRole).toString()] =
          list->item(i)->checkState() == Qt::Checked;
    }
    return checked;
  };
  const auto put = [](QListWidget* list, const QString& label, const QString& key, bool on) {
    auto* item = new QListWidgetItem(label, list);
    item->setData(Qt::UserRole, key);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
    item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(key);
  };
  const QHash<QString, bool> old_runs = states(runs), old_metrics = states(metrics);
  runs->clear();
  metrics->clear();
  QStringList keys;
  for (const ComparedRun& entry : choices.runs) {
    const QString id = QString::fromStdString(entry.run.public_id);
    put(runs, QString::fromStdString(entry.run.name), id, old_runs.value(id, true));
    for (const MetricSummary& metric : entry.metrics) {
      const QString key = QString::fromStdString(metric.key);
      if (!keys.contains(key)) keys << key;
    }
  }
  const ExperimentSpec* known = experiment();
  for (const QString& key : keys) {
    const MetricSpec* spec = known != nullptr ? known->metric(key.toStdString()) : nullptr;
    put(metrics, metricName(key.toStdString(), known), key,
        old_metrics.value(key, spec == nullptr || spec->shown));
  }
  subtitle->setText(
      tr("%1 · each number with its command, seed, version, machine and data")
          .arg(plural(static_cast<std::int64_t>(choices.runs.size()), tr("run"), tr("runs"))));
  filling = false;
}

ReportSpec ReportPage::State::spec() const {
  ReportSpec result;
  result.title = name->text().trimmed().toStdString();
  result.author = author->text().trimmed().toStdString();
  result.notes = notes->toPlainText().toStdString();
  const auto checked = [](const QListWidget* list) {
    std::vector<std::string> keys;
    for (int i = 0; i < list->count(); ++i) {
      if (list->item(i)->checkState() != Qt::Checked) continue;
      keys.push_back(list->item(i)->data(Qt::UserRole).toString().toStdString());
    }
    return keys;
  };
  result.runs = checked(runs);
  result.metrics = checked(metrics);
  return result;
}

void ReportPage::State::show_preview(ReportPage* page) {
  if (choices.runs.empty()) return;
  const ReportSpec wanted = spec();
  export_button->setEnabled(!wanted.runs.empty());
  if (wanted.runs.empty()) {
    Document none;
    none.title = tr("No run is chosen");
    preview->show(none);
    return;
  }
  worker.ask(
      page, "preview",
      [wanted, plugins = &workbench.plugins()](Log& log) {
        return build_document(log, *plugins, wanted);
      },
      [this](Document document) { preview->show(document); });
}

void ReportPage::State::write(ReportPage*) {
  std::set<ReportFormat> wanted;
  for (qsizetype i = 0; i < formats.size(); ++i) {
    if (formats[i]->isChecked()) wanted.insert(format_choices[i].format);
  }
  // On the window's thread: figures are widgets. A report is a second of work, told beforehand.
  QApplication::setOverrideCursor(Qt::WaitCursor);
  try {
    const auto files =
        export_report(workbench.log(), workbench.plugins(), spec(), folder.toStdString(), wanted);
    done->setText(
        tr("Wrote %1 into %2")
            .arg(plural(static_cast<std::int64_t>(files.size()), tr("file"), tr("files")), folder));
    setLook(done, "tone", QString());
    open_folder->show();
    workbench.say(done->text());
  } catch (const Error& error) {
    done->setText(QString::fromUtf8(error.what()));
    setLook(done, "tone", "bad");
    workbench.sayError(done->text());
  }
  QApplication::restoreOverrideCursor();
}

}  // namespace assay
