// A paper's idea in plain words with its equations, and its experiments.
#include "app/window/papers/idea_view.h"

#include <QScrollArea>

#include "app/window/papers/equations.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

QString explanationHtml(const Manifest& plugin) {
  QString html;
  if (!plugin.paper.abstract.empty()) {
    html += paragraphHtml(QString::fromStdString(plugin.paper.abstract));
  }
  for (const std::string& paragraph : plugin.explanation) {
    html += paragraphHtml(QString::fromStdString(paragraph));
  }
  return html;
}

}  // namespace

IdeaView::IdeaView(Workbench& workbench, const Manifest& plugin, QWidget* parent)
    : QWidget(parent), workbench_(workbench) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(24, 16, 24, 24);
  row->setSpacing(16);
  row->addWidget(makeText(plugin), 3, Qt::AlignTop);
  row->addWidget(makeExperiments(plugin), 2, Qt::AlignTop);
  scroll->setWidget(content);
  outer->addWidget(scroll);
}

QWidget* IdeaView::makeText(const Manifest& plugin) {
  QFrame* const card = makeCard(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(20, 16, 20, 10);
  column->setSpacing(8);
  column->addWidget(makeLabel("The idea", "heading", card));
  QLabel* const text = makeWrapped({}, {}, card);
  text->setObjectName("ideaText");
  text->setTextFormat(Qt::RichText);
  text->setText(explanationHtml(plugin));
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(text);
  return card;
}

QWidget* IdeaView::makeExperiments(const Manifest& plugin) {
  auto* place = new QWidget(this);
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  for (const ExperimentSpec& experiment : plugin.experiments) {
    column->addWidget(makeExperiment(plugin, experiment));
  }
  return place;
}

QWidget* IdeaView::makeExperiment(const Manifest& plugin, const ExperimentSpec& experiment) {
  const QString address = QString::fromStdString(plugin.id + "." + experiment.id);
  QFrame* const card = makeCard(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(4);
  column->addWidget(makeLabel(QString::fromStdString(experiment.title), "heading", card));
  column->addWidget(makeProse(QString::fromStdString(experiment.summary), "soft", card));
  column->addSpacing(6);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  QPushButton* const configure =
      makeButton("Configure", "configure_" + QString::fromStdString(experiment.id), {}, card);
  connect(configure, &QPushButton::clicked, this,
          [this, address] { workbench_.openConfigure(address); });
  row->addWidget(configure);
  if (experiment.id == plugin.try_it) {
    QPushButton* const tryIt = makeButton("Try it", "tryExperiment", {}, card);
    connect(tryIt, &QPushButton::clicked, this,
            [this, id = QString::fromStdString(plugin.id)] { workbench_.tryIt(id); });
    row->addWidget(tryIt);
  }
  QPushButton* const runs =
      makeButton("Runs", "runsOf_" + QString::fromStdString(experiment.id), "quiet", card);
  connect(runs, &QPushButton::clicked, this,
          [this, plugin = QString::fromStdString(plugin.id),
           id = QString::fromStdString(experiment.id)] {
            workbench_.openRuns("paper:" + plugin + " experiment:" + id);
          });
  row->addWidget(runs);
  row->addStretch(1);
  column->addLayout(row);
  return card;
}

}  // namespace assay
