// See run_artifacts.h.
#include "app/window/run/run_artifacts.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QUrl>
#include <algorithm>

#include "app/viewers/image/image_view.h"
#include "app/viewers/image/step_slider.h"
#include "app/viewers/table/table_view.h"
#include "app/viewers/theme.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/looks.h"
#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr std::uint64_t most_text = 2U << 20;  // shown; the file itself may be longer
constexpr std::size_t most_rows = 5000;        // of a table shown here

}  // namespace

RunArtifacts::RunArtifacts(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 12, 15, 12);
  column->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("Artifacts"), "heading", this));
  row->addStretch(1);
  keys_ = new QComboBox(this);
  keys_->setObjectName("artifact_key");
  keys_->setAccessibleName(tr("Artifact"));
  keys_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(keys_);
  auto* folder = makeIconButton("folder", tr("Open the folder"), "open_folder", this);
  row->addWidget(folder);
  column->addLayout(row);
  caption_ = makeWrapped({}, "small", this);
  column->addWidget(caption_);
  stack_ = new QStackedWidget(this);
  image_ = new ImageView(stack_);
  table_ = new TableView(stack_);
  text_ = new QPlainTextEdit(stack_);
  text_->setReadOnly(true);
  text_->setProperty("look", "bare");
  text_->setFont(Theme::monospace(12));
  stack_->addWidget(image_);
  stack_->addWidget(table_);
  stack_->addWidget(text_);
  stack_->setFixedHeight(260);
  column->addWidget(stack_);
  slider_ = new StepSlider(this);
  column->addWidget(slider_);
  connect(keys_, &QComboBox::currentIndexChanged, this, &RunArtifacts::fillSteps);
  connect(slider_, &StepSlider::stepChanged, this, &RunArtifacts::showStep);
  connect(image_, &ImageView::pixelChanged, this, [this](const QPoint& pixel, const QString& text) {
    image_->setToolTip(pixel.x() >= 0 ? text : QString());
  });
  connect(folder, &QToolButton::clicked, this, [this]() {
    for (const Artifact& artifact : artifacts_) {
      if (QString::fromStdString(artifact.key) != keys_->currentData().toString()) continue;
      const auto path = (directory_ / artifact.path).parent_path();
      QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(path.string())));
      return;
    }
  });
}

void RunArtifacts::show(const std::filesystem::path& logDirectory,
                        const std::vector<Artifact>& artifacts, const ExperimentSpec* experiment) {
  directory_ = logDirectory;
  experiment_ = experiment;
  artifacts_ = artifacts;
  setVisible(!artifacts_.empty());
  fillKeys();
  fillSteps();
}

void RunArtifacts::fillKeys() {
  QStringList wanted;
  for (const Artifact& artifact : artifacts_) {
    const QString key = QString::fromStdString(artifact.key);
    if (!wanted.contains(key)) wanted << key;
  }
  QStringList have;
  for (int i = 0; i < keys_->count(); ++i) have << keys_->itemData(i).toString();
  if (have == wanted) return;
  const QString current = keys_->currentData().toString();
  const QSignalBlocker quiet(keys_);
  keys_->clear();
  for (const QString& key : wanted) {
    QString label = wordsOf(key.toStdString(), nullptr);
    if (experiment_ != nullptr) {
      for (const ArtifactSpec& spec : experiment_->artifacts) {
        if (spec.key == key.toStdString() && !spec.label.empty()) {
          label = QString::fromStdString(spec.label);
        }
      }
    }
    keys_->addItem(label, key);
  }
  keys_->setCurrentIndex(std::max(0, static_cast<int>(wanted.indexOf(current))));
}

void RunArtifacts::fillSteps() {
  const std::string key = keys_->currentData().toString().toStdString();
  std::vector<std::int64_t> steps;
  for (const Artifact& artifact : artifacts_) {
    if (artifact.key == key) steps.push_back(artifact.step);
  }
  std::sort(steps.begin(), steps.end());
  slider_->setSteps(steps);
  slider_->setVisible(steps.size() > 1);
  showStep(slider_->step());
}

void RunArtifacts::showStep(std::int64_t step) {
  const std::string key = keys_->currentData().toString().toStdString();
  for (const Artifact& artifact : artifacts_) {
    if (artifact.key != key || artifact.step != step) continue;
    const QString name = QString::fromStdString(artifact.path + artifact.sha256);
    if (name == shown_) return;
    shown_ = name;
    showFile(artifact);
    return;
  }
}

void RunArtifacts::showFile(const Artifact& artifact) {
  const std::filesystem::path path = directory_ / artifact.path;
  QString caption = QString::fromStdString(
      artifact.meta.is_object() ? artifact.meta.value("caption", std::string()) : std::string());
  try {
    if (artifact.kind == "image") {
      image_->setImage(toQImage(read_image(path)));
      stack_->setCurrentWidget(image_);
    } else if (artifact.kind == "table") {
      Table table = read_csv(path);
      if (table.rows.size() > most_rows) {
        caption += tr(" The first %1 of %2 rows.").arg(most_rows).arg(table.rows.size());
        table.rows.resize(most_rows);
      }
      table_->setTable(table);
      stack_->setCurrentWidget(table_);
    } else if (artifact.kind == "text") {
      text_->setPlainText(QString::fromStdString(read_text(path, most_text)));
      stack_->setCurrentWidget(text_);
    } else {
      text_->setPlainText(tr("%1\n%2, %3\nsha256 %4")
                              .arg(QString::fromStdString(path.string()),
                                   QString::fromStdString(artifact.kind), bytesText(artifact.bytes),
                                   QString::fromStdString(artifact.sha256)));
      stack_->setCurrentWidget(text_);
    }
  } catch (const Error& error) {
    text_->setPlainText(QString::fromUtf8(error.what()));
    stack_->setCurrentWidget(text_);
  }
  caption_->setText(caption);
  caption_->setVisible(!caption.isEmpty());
}

}  // namespace assay
