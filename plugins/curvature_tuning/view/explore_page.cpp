#include "plugins/curvature_tuning/view/explore_page.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "app/viewers/number_text.h"
#include "plugins/curvature_tuning/view/answer_fields.h"

namespace assay::curvature_tuning {
namespace {

QLabel* text(const QString& words, const char* look) {
  auto* label = new QLabel(words);
  label->setProperty("look", look);
  label->setWordWrap(true);
  return label;
}

}  // namespace

ExplorePage::ExplorePage(ExploreClient& client, QWidget* parent)
    : QWidget(parent), client_(client) {
  setObjectName("curvatureExplore");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  row->addWidget(makeControls());
  activation_ = new ActivationPlot;
  row->addWidget(makeCard(tr("Activation"), activation_note_, activation_), 1);

  boundary_ = new BoundaryPlot;
  boundary_->setObjectName("boundaryPlot");
  boundary_->setAccessibleName(tr("Decision boundary"));
  regression_ = new PlotView;
  regression_->setObjectName("regressionPlot");
  SeriesStyle points;
  points.name = tr("data");
  points.form = SeriesStyle::Form::points;
  points.color_index = 2;
  points.in_readout = false;
  regression_data_ = regression_->addSeries(points);
  SeriesStyle truth;
  truth.name = tr("true curve");
  truth.color_index = 1;
  truth.dash = Qt::DashLine;
  regression_truth_ = regression_->addSeries(truth);
  SeriesStyle fit;
  fit.name = tr("network");
  fit.width = 2.0;
  regression_fit_ = regression_->addSeries(fit);
  regression_->setAxisTitles(QStringLiteral("x"), QStringLiteral("y"));
  regression_->hide();
  auto* planes = new QWidget;
  auto* stack = new QVBoxLayout(planes);
  stack->setContentsMargins(0, 0, 0, 0);
  stack->addWidget(boundary_);
  stack->addWidget(regression_);
  row->addWidget(makeCard(tr("Decision boundary"), boundary_note_, planes), 1);

  connect(&client_, &ExploreClient::answered, this, &ExplorePage::takeAnswer);
  connect(&client_, &ExploreClient::failed, this,
          [this](const QString&, const QString& message) { server_->setText(message); });
  connect(&client_, &ExploreClient::serverStateChanged, this, [this](const QString& state) {
    if (state == "ready") ask();
    server_->setText(state == "ready" ? QString() : tr("Model: %1").arg(state));
  });
  connect(&animation_, &QTimer::timeout, this, &ExplorePage::advance);
  animation_.setInterval(40);
}

QWidget* ExplorePage::makeControls() {
  auto* card = new QFrame;
  card->setProperty("look", "card");
  card->setFixedWidth(264);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(16, 16, 16, 16);
  column->setSpacing(12);
  column->addWidget(text(tr("Curvature"), "heading"));
  beta_ = new ValueSlider(tr("β"), "exploreBeta", 0.9, tr("smoothest"), tr("ReLU"));
  c_ = new ValueSlider(tr("c"), "exploreC", 0.5, tr("softplus"), tr("SiLU"));
  column->addWidget(beta_);
  column->addWidget(c_);
  play_ = new QPushButton(tr("Sweep β"));
  play_->setObjectName("explorePlay");
  play_->setCheckable(true);
  play_->setToolTip(tr("Move β from 1 to 0 and back (Space)"));
  column->addWidget(play_);
  facts_ = text(QString(), "small");
  facts_->setTextFormat(Qt::RichText);
  facts_->setObjectName("exploreFacts");
  column->addWidget(facts_);
  column->addSpacing(8);
  column->addWidget(text(tr("Toy network"), "heading"));
  dataset_ = new QComboBox;
  dataset_->setObjectName("exploreDataset");
  dataset_->setAccessibleName(tr("Data set"));
  dataset_->addItem(tr("Spiral"), "spiral");
  dataset_->addItem(tr("Moons"), "moons");
  dataset_->addItem(tr("Circle"), "circle");
  dataset_->addItem(tr("Regression"), "regression");
  shading_ = new QComboBox;
  shading_->setObjectName("exploreShading");
  shading_->setAccessibleName(tr("Shading"));
  shading_->addItem(tr("Shade by class probability"));
  shading_->addItem(tr("Shade by curvature"));
  column->addWidget(dataset_);
  column->addWidget(shading_);
  column->addWidget(
      text(tr("A ReLU network, trained once on this data. The sliders change only its "
              "activation; the weights stay. At β = 0 the network is linear only for "
              "c = 1."),
           "small"));
  column->addStretch(1);
  server_ = text(QString(), "tiny");
  server_->setObjectName("exploreServer");
  column->addWidget(server_);

  connect(beta_, &ValueSlider::valueChanged, this, &ExplorePage::ask);
  connect(c_, &ValueSlider::valueChanged, this, &ExplorePage::ask);
  connect(dataset_, &QComboBox::currentIndexChanged, this, [this] {
    boundary_->setVisible(!regression());
    regression_->setVisible(regression());
    shading_->setEnabled(!regression());
    boundary_note_->setText(tr("training the toy network"));
    ask();
  });
  connect(shading_, &QComboBox::currentIndexChanged, this, [this] {
    if (!picture_.logits.values.empty()) {
      boundary_->show(picture_, static_cast<Shading>(shading_->currentIndex()));
    }
  });
  connect(play_, &QPushButton::toggled, this, [this](bool on) {
    play_->setText(on ? tr("Pause") : tr("Sweep β"));
    on ? animation_.start() : animation_.stop();
  });
  return card;
}

QWidget* ExplorePage::makeCard(const QString& title, QLabel*& note, QWidget* content) {
  auto* card = new QFrame;
  card->setProperty("look", "card");
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(16, 16, 16, 12);
  column->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->addWidget(text(title, "heading"), 1);
  note = text(QString(), "small");
  note->setWordWrap(false);
  head->addWidget(note);
  column->addLayout(head);
  column->addWidget(content, 1);
  return card;
}

bool ExplorePage::regression() const {
  return dataset_->currentData() == "regression";
}

void ExplorePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!asked_) ask();
  asked_ = true;
}

void ExplorePage::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space) return QWidget::keyPressEvent(event);
  play_->toggle();
}

void ExplorePage::ask() {
  const Json bend = {{"beta", beta_->value()}, {"c", c_->value()}};
  client_.ask("activation", bend);
  Json plane = bend;
  if (!regression()) plane["dataset"] = dataset_->currentData().toString().toStdString();
  client_.ask(regression() ? "regression" : "boundary", plane);
}

void ExplorePage::advance() {
  double next = beta_->value() + 0.008 * direction_;
  if (next <= 0.0 || next >= 1.0) direction_ = -direction_;
  beta_->setValue(std::clamp(next, 0.0, 1.0));
}

void ExplorePage::takeAnswer(const QString& explorable, const Answer& answer) {
  if (explorable == "activation") takeActivation(answer);
  if (explorable == "boundary" && !regression()) takeBoundary(answer);
  if (explorable == "regression" && regression()) takeRegression(answer);
  server_->setText(tr("%1 answers/s · %2 ms")
                       .arg(client_.answersPerSecond(), 0, 'f', 0)
                       .arg(client_.latencyMilliseconds(), 0, 'f', 0));
}

void ExplorePage::takeActivation(const Answer& answer) {
  activation_->show({array(answer, "x"), array(answer, "phi"), array(answer, "phi_prime"),
                     array(answer, "phi_second")});
  facts_->setText(tr("φ(0) = %1<br>φ″(0) = %2<br>largest gap to ReLU = %3")
                      .arg(formatNumber(number(answer, "value_at_zero")),
                           formatNumber(number(answer, "curvature_at_zero")),
                           formatNumber(number(answer, "gap_to_relu"))));
  activation_note_->setText(
      tr("β %1 · c %2").arg(formatNumber(beta_->value(), 3), formatNumber(c_->value(), 3)));
}

void ExplorePage::takeBoundary(const Answer& answer) {
  Grid grid;
  grid.columns = static_cast<int>(number(answer, "columns"));
  grid.rows = static_cast<int>(number(answer, "rows"));
  grid.x_low = number(answer, "x_low");
  grid.x_high = number(answer, "x_high");
  grid.y_low = number(answer, "y_low");
  grid.y_high = number(answer, "y_high");
  picture_.logits = grid;
  picture_.logits.values = array(answer, "logits");
  picture_.curvature = grid;
  picture_.curvature.values = array(answer, "curvature");
  picture_.x = array(answer, "points_x");
  picture_.y = array(answer, "points_y");
  picture_.labels.clear();
  for (const double label : array(answer, "labels")) picture_.labels.push_back(label > 0.5 ? 1 : 0);
  boundary_->show(picture_, static_cast<Shading>(shading_->currentIndex()));
  boundary_note_->setText(tr("accuracy %1").arg(formatNumber(number(answer, "accuracy"), 3)));
}

void ExplorePage::takeRegression(const Answer& answer) {
  const auto x = array(answer, "x");
  regression_->setData(regression_data_, array(answer, "points_x"), array(answer, "points_y"));
  regression_->setData(regression_truth_, x, array(answer, "truth"));
  regression_->setData(regression_fit_, x, array(answer, "fit"));
  boundary_note_->setText(
      tr("squared error to the true curve %1").arg(formatNumber(number(answer, "error"), 3)));
}

}  // namespace assay::curvature_tuning
