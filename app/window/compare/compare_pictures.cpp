// Curves and pictures of the Compare page; see compare_cards.h.
#include <QComboBox>
#include <QGridLayout>
#include <algorithm>

#include "app/viewers/image/image_view.h"
#include "app/viewers/plot/plot_view.h"
#include "app/window/compare/compare_cards.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/looks.h"
#include "core/base/error.h"

namespace assay {
namespace {
constexpr std::size_t most_pictures = 6;
constexpr int picture_height = 200;
}  // namespace

GroupCurvesCard::GroupCurvesCard(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 12, 15, 8);
  column->setSpacing(4);
  title_ = makeLabel({}, "heading", this);
  column->addWidget(title_);
  plot_ = new PlotView(this);
  plot_->setMinimumHeight(240);
  plot_->setVerticalTitleShown(false);
  column->addWidget(plot_, 1);
  note_ = makeLabel({}, "small", this);
  column->addWidget(note_);
}

void GroupCurvesCard::show(const CompareScene& scene) {
  const QString axis = scene.axis.isEmpty() ? tr("step") : scene.axis;
  title_->setText(scene.metric_title.isEmpty() ? tr("Curves")
                                               : tr("%1 by %2").arg(scene.metric_title, axis));
  const QString unit = scene.unit.isEmpty() ? QString() : " [" + scene.unit + "]";
  const QString what =
      scene.group_names.join('\n') + "\n" + QString::fromStdString(scene.data->metric);
  if (what != shown_) {
    plot_->clear();
    shown_ = what;
    for (qsizetype g = 0; g < scene.group_names.size(); ++g) {
      SeriesStyle style;
      style.name = scene.group_names[g];
      style.color_index = static_cast<int>(g);
      style.dash = Theme::seriesDash(static_cast<int>(g % 3) * 6);
      style.width = 1.75;
      style.unit = scene.unit;
      plot_->addSeries(style);
    }
  }
  plot_->setTitle(title_->text());
  plot_->setAxisTitles(axis, scene.metric_title + unit);
  std::size_t most = 0;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    std::vector<std::vector<MetricPoint>> curves;
    for (const std::size_t i : scene.groups[g].runs) {
      const auto found = scene.data->curves.find(scene.data->runs[i].run.id);
      if (found != scene.data->curves.end()) curves.push_back(found->second);
    }
    const MeanCurve mean = mean_curve(curves);
    most = std::max(most, mean.runs);
    SeriesStyle style = plot_->style(static_cast<int>(g));
    const auto form = mean.step.size() == 1 ? SeriesStyle::Form::points : SeriesStyle::Form::line;
    if (style.form != form) {
      style.form = form;
      plot_->setStyle(static_cast<int>(g), style);
    }
    plot_->setData(static_cast<int>(g), mean.step, mean.mean);
    if (mean.runs > 1) {
      plot_->setBand(static_cast<int>(g), mean.step, mean.low, mean.high);
    } else {
      plot_->setBand(static_cast<int>(g), {}, {}, {});
    }
  }
  note_->setText(most > 1 ? tr("Mean over runs; band: 95 % interval of the mean.") : QString());
}

PicturesCard::PicturesCard(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 12, 15, 12);
  column->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("Side by side"), "heading", this));
  row->addStretch(1);
  keys_ = new QComboBox(this);
  keys_->setObjectName("picture_key");
  keys_->setAccessibleName(tr("Picture"));
  keys_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(keys_);
  column->addLayout(row);
  grid_ = new QGridLayout;
  grid_->setSpacing(8);
  column->addLayout(grid_);
  column->addStretch(1);
  connect(keys_, &QComboBox::currentIndexChanged, this, &PicturesCard::fill);
}

// Of each group the run with the smallest seed; of each key its last step.
void PicturesCard::show(const CompareScene& scene) {
  pictures_.clear();
  QStringList keys;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const Run& run = scene.data->runs[scene.groups[g].runs.front()].run;
    std::map<std::string, const Artifact*> last;
    for (const Artifact& artifact : scene.data->artifacts.at(run.id)) {
      if (artifact.kind != "image") continue;
      const Artifact*& place = last[artifact.key];
      if (place == nullptr || artifact.step >= place->step) place = &artifact;
    }
    for (const auto& [key, artifact] : last) {
      const QString name = QString::fromStdString(key);
      if (!keys.contains(name)) keys << name;
      pictures_.push_back({scene.group_names.value(static_cast<qsizetype>(g)), name, artifact->step,
                           scene.log_directory / artifact->path});
    }
  }
  setVisible(!keys.isEmpty());
  QStringList have;
  for (int i = 0; i < keys_->count(); ++i) have << keys_->itemData(i).toString();
  if (have != keys) {
    const QSignalBlocker quiet(keys_);
    const QString current = keys_->currentData().toString();
    keys_->clear();
    for (const QString& key : keys) keys_->addItem(wordsOf(key.toStdString(), nullptr), key);
    keys_->setCurrentIndex(std::max(0, static_cast<int>(keys.indexOf(current))));
  }
  fill();
}

void PicturesCard::fill() {
  const QString key = keys_->currentData().toString();
  QString what = key;
  for (const Picture& picture : pictures_) {
    if (picture.key == key) what += QString::fromStdString(picture.path.string());
  }
  if (what == shown_) return;
  shown_ = what;
  clearLayout(grid_);
  ImageView* first = nullptr;
  int place = 0;
  for (const Picture& picture : pictures_) {
    if (picture.key != key || static_cast<std::size_t>(place) >= most_pictures) continue;
    auto* cell = new QWidget(this);
    auto* column = new QVBoxLayout(cell);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* view = new ImageView(cell);
    view->setFixedHeight(picture_height);
    column->addWidget(view);
    column->addWidget(
        makeLabel(tr("%1, step %2").arg(picture.title, countText(picture.step)), "small", cell));
    grid_->addWidget(cell, place / 3, place % 3);
    ++place;
    try {
      view->setImage(toQImage(read_image(picture.path)));
    } catch (const Error& error) {
      view->setToolTip(QString::fromUtf8(error.what()));
    }
    if (first == nullptr) {
      first = view;
      continue;
    }
    view->follow(*first);
    first->follow(*view);
  }
}

}  // namespace assay
