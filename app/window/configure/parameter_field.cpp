// One parameter in the form.
#include "app/window/configure/parameter_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPainter>
#include <QStyle>
#include <QWheelEvent>

#include "app/viewers/theme.h"
#include "app/window/configure/number_edit.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

constexpr int labelWidth = 300;
constexpr int editorWidth = 300;

// The wheel over a closed combo box scrolls the form; it must not change what is under the pointer.
class CalmComboBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

}  // namespace

ParameterField::ParameterField(const ParameterSpec& spec, QWidget* parent)
    : QFrame(parent), spec_(spec) {
  setObjectName("row_" + QString::fromStdString(spec.key));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 10, 12, 10);
  row->setSpacing(16);

  auto* left = new QVBoxLayout;
  left->setSpacing(2);
  QLabel* const label = makeLabel(QString::fromStdString(spec.label), "strong", this);
  label->setToolTip(QString::fromStdString(spec.key));
  left->addWidget(label);
  if (const QString help = helpText(); !help.isEmpty()) {
    left->addWidget(makeProse(help, "small", this));
  }
  left->addStretch(1);

  makeEditor();
  editor_->setObjectName("field_" + QString::fromStdString(spec.key));
  editor_->setAccessibleName(QString::fromStdString(spec.label));
  editor_->setAccessibleDescription(helpText());
  label->setBuddy(editor_);
  auto* right = new QVBoxLayout;
  right->setSpacing(3);
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(editorPlace_);
  if (!spec.unit.empty())
    line->addWidget(makeLabel(QString::fromStdString(spec.unit), "small", this));
  line->addStretch(1);
  reset_ = makeIconButton("undo", "Back to the preset's value",
                          "reset_" + QString::fromStdString(spec.key), this);
  reset_->setIconSize(QSize(16, 16));
  QSizePolicy keep = reset_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keep);
  reset_->hide();
  connect(reset_, &QToolButton::clicked, this, [this] { setText(reference_); });
  line->addWidget(reset_);
  right->addLayout(line);
  fault_ = makeWrapped({}, {}, this);
  fault_->setObjectName("fault_" + QString::fromStdString(spec.key));
  fault_->setProperty("tone", "bad");
  fault_->hide();
  right->addWidget(fault_);
  right->addStretch(1);
  row->addLayout(left, 1);
  auto* rightPlace = new QWidget(this);
  rightPlace->setLayout(right);
  right->setContentsMargins(0, 0, 0, 0);
  rightPlace->setFixedWidth(editorWidth + 30);
  row->addWidget(rightPlace);
  label->setMinimumWidth(qMin(labelWidth, label->sizeHint().width()));
}

QString ParameterField::helpText() const {
  QString text = QString::fromStdString(spec_.help);
  if (!spec_.paper.empty()) {
    if (!text.isEmpty()) text += " ";
    text += "In the paper: " + QString::fromStdString(spec_.paper) + ".";
  }
  return text;
}

void ParameterField::makeEditor() {
  switch (spec_.type) {
    case ParameterType::integer:
    case ParameterType::real:
      return makeNumber();
    case ParameterType::boolean:
      return makeBoolean();
    case ParameterType::choice:
      return makeChoice();
    case ParameterType::path:
      return makePath();
    case ParameterType::text:
    case ParameterType::list:
      return makeText();
  }
}

void ParameterField::makeNumber() {
  auto* edit = new NumberEdit(spec_, this);
  edit->setFixedWidth(140);
  read_ = [edit] { return edit->text(); };
  write_ = [edit](const QString& text) { edit->setText(text); };
  connect(edit, &NumberEdit::edited, this, &ParameterField::check);
  editor_ = editorPlace_ = edit;
}

void ParameterField::makeBoolean() {
  auto* box = new QCheckBox("On", this);
  box->setMinimumHeight(30);
  read_ = [box] { return box->isChecked() ? "true" : "false"; };
  write_ = [box](const QString& text) { box->setChecked(text == "true"); };
  connect(box, &QCheckBox::toggled, this, &ParameterField::check);
  editor_ = editorPlace_ = box;
}

void ParameterField::makeChoice() {
  auto* box = new CalmComboBox(this);
  box->setFixedWidth(editorWidth - 60);
  for (const Choice& choice : spec_.choices) {
    const QString value = QString::fromStdString(choice.value);
    const QString label = QString::fromStdString(choice.label);
    box->addItem(label.isEmpty() ? value : label, value);
    box->setItemData(box->count() - 1, QString::fromStdString(choice.help), Qt::ToolTipRole);
  }
  read_ = [box] { return box->currentData().toString(); };
  write_ = [box](const QString& text) { box->setCurrentIndex(box->findData(text)); };
  connect(box, &QComboBox::currentIndexChanged, this, &ParameterField::check);
  editor_ = editorPlace_ = box;
}

void ParameterField::makePath() {
  auto* place = new QWidget(this);
  auto* row = new QHBoxLayout(place);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  auto* edit = new QLineEdit(place);
  edit->setPlaceholderText("Not set");
  edit->setMinimumWidth(170);
  QPushButton* const button =
      makeButton("Browse…", "browse_" + QString::fromStdString(spec_.key), {}, place);
  row->addWidget(edit, 1);
  row->addWidget(button);
  connect(button, &QPushButton::clicked, this, [this, edit] { browse(edit); });
  read_ = [edit] { return edit->text(); };
  write_ = [edit](const QString& text) { edit->setText(text); };
  connect(edit, &QLineEdit::textChanged, this, &ParameterField::check);
  editor_ = edit;
  editorPlace_ = place;
}

void ParameterField::browse(QLineEdit* edit) {
  const QString label = QString::fromStdString(spec_.label);
  const QString chosen = spec_.path_kind == "folder"
                             ? QFileDialog::getExistingDirectory(this, label, edit->text())
                             : QFileDialog::getOpenFileName(this, label, edit->text());
  if (!chosen.isEmpty()) edit->setText(chosen);
}

void ParameterField::makeText() {
  auto* edit = new QLineEdit(this);
  edit->setFixedWidth(editorWidth - 20);
  if (spec_.type == ParameterType::list) edit->setPlaceholderText("Values with commas between");
  read_ = [edit] { return edit->text(); };
  write_ = [edit](const QString& text) { edit->setText(text); };
  connect(edit, &QLineEdit::textChanged, this, &ParameterField::check);
  editor_ = editorPlace_ = edit;
}

void ParameterField::setText(const QString& text) {
  write_(text);
  check();
}

void ParameterField::setReference(const QString& text) {
  reference_ = text;
  check();
}

// By value, not by text: 1e-3 is the preset's 0.001.
bool ParameterField::isChanged() const {
  if (text() == reference_) return false;
  const Checked now = check_text(spec_, text().toStdString());
  const Checked then = check_text(spec_, reference_.toStdString());
  return !now.value || !then.value || *now.value != *then.value;
}

void ParameterField::check() {
  const Checked checked = check_text(spec_, text().toStdString());
  problem_ = checked.problem;
  fault_->setText(problem_ ? QString::fromStdString(problem_->message()) : QString());
  fault_->setVisible(problem_.has_value());
  setLook(editor_, "invalid", problem_.has_value());
  reset_->setVisible(isChanged());
  update();
  emit edited();
}

bool ParameterField::matches(const QString& words) const {
  const QString all =
      QString::fromStdString(spec_.key + " " + spec_.label + " " + spec_.help + " " + spec_.group);
  for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
    if (!all.contains(word, Qt::CaseInsensitive)) return false;
  }
  return true;
}

void ParameterField::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  if (!isChanged()) return;
  QPainter painter(this);
  const ThemeTokens& tokens = Theme::of().tokens();
  painter.fillRect(QRect(0, 6, 3, height() - 12), problem_ ? tokens.bad : tokens.accent);
}

}  // namespace assay
