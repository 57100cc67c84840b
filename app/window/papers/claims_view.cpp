// A paper's claims: what it says, what the runs say, and the button that checks them.
#include "app/window/papers/claims_view.h"

#include <QComboBox>
#include <QProgressBar>
#include <QScrollArea>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "app/viewers/theme.h"
#include "app/window/log_worker.h"
#include "app/window/papers/claims_process.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/icon_label.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int seedsForVerdict = 5;  // fewer leave every comparison undecided

double number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.is_string() ? json.get<std::string>() : "nan";
  if (text == "inf") return HUGE_VAL;
  return text == "-inf" ? -HUGE_VAL : std::nan("");
}

QString signedText(double value) {
  return (value > 0.0 ? "+" : "") + valueText(value);
}

// "+0.031 [0.012, 0.050]"
QString differenceText(const Json& result) {
  const double difference = number(result.value("difference", Json()));
  if (std::isnan(difference)) return {};
  QString text = signedText(difference);
  const Json interval = result.value("interval", Json::array());
  if (interval.size() == 2 && !std::isnan(number(interval[0]))) {
    text +=
        QString("  [%1, %2]").arg(signedText(number(interval[0])), signedText(number(interval[1])));
  }
  return text;
}

Verdict verdictOf(const Json& result) {
  const std::string word = result.value("verdict", "");
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced}) {
    if (word == to_string(verdict)) return verdict;
  }
  return Verdict::undecided;
}

}  // namespace

ClaimsView::ClaimsView(Workbench& workbench, const Manifest& plugin, QWidget* parent)
    : QWidget(parent), workbench_(workbench), plugin_(plugin) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, 16, 24, 24);
  column->setSpacing(12);
  column->addWidget(makeCheck());
  QFrame* const card = makeCard(content);
  rows_ = new QVBoxLayout(card);
  rows_->setContentsMargins(1, 4, 1, 4);
  rows_->setSpacing(0);
  column->addWidget(card);
  column->addStretch(1);
  scroll->setWidget(content);
  outer->addWidget(scroll);
  show({});

  process_ = new ClaimsProcess(workbench.runners().runnerPath().toStdString(),
                               workbench.logDirectory(), this);
  connect(process_, &ClaimsProcess::progressed, this,
          [this](int done, int total, const QString& line) {
            progress_->setRange(0, std::max(1, total));
            progress_->setValue(done);
            line_->setText(line_->fontMetrics().elidedText(line, Qt::ElideRight, 420));
            line_->setToolTip(line);
          });
  connect(process_, &ClaimsProcess::ended, this, [this](const QString& problem) {
    check_->setEnabled(true);
    stop_->hide();
    progress_->hide();
    line_->setText(problem.isEmpty() ? "Checked." : problem);
    setLook(line_, "tone", problem.isEmpty() ? "" : "bad");
    refresh();
  });
}

QWidget* ClaimsView::makeCheck() {
  auto* place = new QWidget(this);
  auto* row = new QHBoxLayout(place);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(makeLabel("Preset", "soft", place));
  preset_ = new QComboBox(place);
  preset_->setObjectName("claimsPreset");
  preset_->setAccessibleName("Preset of the runs");
  QStringList known;
  for (const ExperimentSpec& experiment : plugin_.experiments) {
    for (const Preset& preset : experiment.presets) {
      const QString id = QString::fromStdString(preset.id);
      if (known.contains(id)) continue;
      known << id;
      preset_->addItem(QString::fromStdString(preset.label.empty() ? preset.id : preset.label), id);
    }
  }
  preset_->setMinimumWidth(110);
  row->addWidget(preset_);
  row->addSpacing(8);
  row->addWidget(makeLabel("Seeds", "soft", place));
  seeds_ = new QSpinBox(place);
  seeds_->setObjectName("claimsSeeds");
  seeds_->setAccessibleName("Number of seeds");
  seeds_->setRange(1, 100);
  seeds_->setValue(seedsForVerdict);
  seeds_->setFixedWidth(70);
  seeds_->setToolTip("Fewer than 5 leave a comparison undecided, with its interval shown.");
  row->addWidget(seeds_);
  check_ = makeButton("Check claims", "checkClaims", "primary", place);
  row->addWidget(check_);
  stop_ = makeButton("Stop", "stopClaims", {}, place);
  stop_->hide();
  row->addWidget(stop_);
  progress_ = new QProgressBar(place);
  progress_->setFixedWidth(120);
  progress_->setTextVisible(false);
  progress_->hide();
  row->addWidget(progress_);
  line_ = makeLabel("Runs that the log has already are used again.", "small", place);
  line_->setObjectName("claimsLine");
  row->addWidget(line_, 1);
  check_->setEnabled(!plugin_.claims.empty());
  connect(check_, &QPushButton::clicked, this, &ClaimsView::check);
  connect(stop_, &QPushButton::clicked, this, [this] { process_->stop(); });
  return place;
}

void ClaimsView::check() {
  try {
    process_->start(QString::fromStdString(plugin_.id), preset_->currentData().toString(),
                    seeds_->value());
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
    return;
  }
  setLook(line_, "tone", "");
  line_->setText("Starting");
  progress_->setRange(0, 1);
  progress_->setValue(0);
  progress_->show();
  stop_->show();
  check_->setEnabled(false);
}

void ClaimsView::refresh() {
  workbench_.worker().ask(
      this, "claims", [plugin = plugin_.id](Log& log) { return log.claims(plugin); },
      [this](const std::vector<StoredClaim>& stored) { show(stored); });
}

void ClaimsView::show(const std::vector<StoredClaim>& stored) {
  QString from = "rows";
  for (const StoredClaim& claim : stored) {
    from += QString::fromStdString(claim.claim) + QString::number(claim.time, 'f', 3);
  }
  if (from == shown_) return;
  shown_ = from;
  clearLayout(rows_);
  if (plugin_.claims.empty()) {
    QLabel* const none = makeLabel("This plugin states no claims.", "soft", this);
    none->setContentsMargins(16, 12, 16, 12);
    rows_->addWidget(none);
  }
  bool first = true;
  for (const ClaimSpec& claim : plugin_.claims) {
    const auto found = std::find_if(stored.begin(), stored.end(), [&](const StoredClaim& each) {
      return each.claim == claim.id;
    });
    if (!first) rows_->addWidget(makeRule(this));
    first = false;
    rows_->addWidget(makeRow(claim, found == stored.end() ? nullptr : &*found));
  }
}

QWidget* ClaimsView::makeRow(const ClaimSpec& claim, const StoredClaim* stored) {
  auto* row = new QWidget(this);
  row->setObjectName("claim_" + QString::fromStdString(claim.id));
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(16);

  auto* text = new QVBoxLayout;
  text->setSpacing(2);
  text->addWidget(makeWrapped(QString::fromStdString(claim.title), "strong", row));
  text->addWidget(makeProse(QString::fromStdString(claim.statement), "small", row));
  if (stored != nullptr) {
    text->addWidget(
        makeWrapped(QString::fromStdString(stored->result.value("reason", "")), "small", row));
  }
  layout->addLayout(text, 1);

  auto* numbers = new QVBoxLayout;
  numbers->setSpacing(2);
  if (stored != nullptr) {
    QLabel* const difference = makeLabel(differenceText(stored->result), {}, row);
    difference->setAlignment(Qt::AlignRight);
    difference->setFont(Theme::figures(13));
    difference->setToolTip("Difference of the two sides, with its 95 % interval");
    numbers->addWidget(difference);
    const auto pairs = stored->result.value("pairs", Json::array()).size();
    QLabel* const seeds =
        makeLabel(plural(static_cast<std::int64_t>(pairs), "seed", "seeds") + " · " +
                      QString::fromStdString(stored->preset) + " · " + momentText(stored->time),
                  "small", row);
    seeds->setAlignment(Qt::AlignRight);
    numbers->addWidget(seeds);
  }
  numbers->addStretch(1);
  layout->addLayout(numbers);

  const Verdict verdict = stored == nullptr ? Verdict::undecided : verdictOf(stored->result);
  auto* mark =
      new IconLabel(stored == nullptr ? "verdict-none" : verdictIcon(verdict),
                    stored == nullptr ? "not checked" : QString::fromStdString(to_string(verdict)),
                    stored == nullptr ? QString() : verdictTone(verdict), row);
  mark->setFixedWidth(132);
  layout->addWidget(mark, 0, Qt::AlignTop);
  return row;
}

}  // namespace assay
