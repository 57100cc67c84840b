// One parameter in the form: label, help, editor, unit, reset, and what is wrong with it.
#pragma once

#include <QFrame>
#include <functional>
#include <optional>

#include "core/study/parameters.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace assay {

class ParameterField : public QFrame {
  Q_OBJECT
 public:
  ParameterField(const ParameterSpec& spec, QWidget* parent = nullptr);

  const ParameterSpec& spec() const { return spec_; }
  QString text() const { return read_(); }  // as on the command line
  void setText(const QString& text);
  // What the preset says; differing from it is shown.
  void setReference(const QString& text);
  bool isChanged() const;
  const std::optional<Problem>& problem() const { return problem_; }
  bool matches(const QString& words) const;  // of the form's search
  QWidget* editor() const { return editor_; }

 signals:
  void edited();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void makeEditor();
  void makeNumber();
  void makeBoolean();
  void makeChoice();
  void makePath();
  void makeText();
  void browse(QLineEdit* edit);
  QString helpText() const;
  void check();

  const ParameterSpec& spec_;
  QWidget* editor_ = nullptr;       // what takes the focus
  QWidget* editorPlace_ = nullptr;  // editor and what belongs to it
  QLabel* fault_ = nullptr;
  QToolButton* reset_ = nullptr;
  std::function<QString()> read_;
  std::function<void(const QString&)> write_;
  QString reference_;
  std::optional<Problem> problem_;
};

}  // namespace assay
