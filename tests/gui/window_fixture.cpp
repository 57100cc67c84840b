// The real window on a temporary log directory.
#include "gui/window_fixture.h"

#include <QApplication>
#include <QPlainTextEdit>
#include <QSettings>

#include "app/window/runner_pool.h"
#include "core/study/parameters.h"

using namespace assay;

WindowFixture::WindowFixture(Plugins plugins) {
  const QByteArray root = folder_.path().toLocal8Bit();
  qputenv("XDG_CONFIG_HOME", root + "/config");
  qputenv("XDG_DATA_HOME", root + "/data");
  if (plugins == Plugins::tests) {
    qputenv("ASSAY_PLUGINS", ASSAY_TEST_BUILD_DIR "/tests/plugins");
  } else {
    qunsetenv("ASSAY_PLUGINS");
  }
  QApplication::setOrganizationName("assay");
  QApplication::setApplicationName("assay-test");
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path() + "/config");
  QSettings().clear();
  theme_ = std::make_unique<Theme>(*qApp);
  theme_->showOnly(ThemeKind::light);
  reopen();
}

WindowFixture::~WindowFixture() {
  // Runs outlive the window by design; a test leaves none behind.
  RunQuery query;
  query.filter = "state:running";
  for (const RunRow& row : workbench_->log().runs(query)) {
    send_signal(row.run.process, 9);
  }
  window_.reset();
  workbench_.reset();
}

std::filesystem::path WindowFixture::directory() const {
  return std::filesystem::path(folder_.path().toStdString()) / "log";
}

void WindowFixture::reopen() {
  window_.reset();
  workbench_.reset();
  workbench_ = std::make_unique<Workbench>(directory());
  window_ = std::make_unique<MainWindow>(*workbench_);
  window_->setAsksOnClose(false);
  window_->resize(1280, 800);
  window_->openPage("papers", {});
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  window_->activateWindow();
  workbench_->follow();
  workbench_->runners().warmUp();
}

bool WindowFixture::isShown(const QString& name) {
  for (const QWidget* each : window_->findChildren<QWidget*>(name)) {
    if (each->isVisible()) return true;
  }
  return false;
}

bool WindowFixture::click(const QString& name) {
  auto* const button = find<QAbstractButton>(name);
  if (button == nullptr || !button->isEnabled()) return false;
  QTest::mouseClick(button, Qt::LeftButton);
  return true;
}

bool WindowFixture::type(const QString& name, const QString& text) {
  QWidget* const field = find<QWidget>(name);
  if (field == nullptr) return false;
  field->setFocus();
  QTest::keySequence(field, QKeySequence::SelectAll);
  QTest::keyClick(field, Qt::Key_Delete);
  QTest::keyClicks(field, text);
  return true;
}

QString WindowFixture::textOf(const QString& name) {
  QWidget* const widget = find<QWidget>(name, 1000);
  if (widget == nullptr) return {};
  if (const auto* label = qobject_cast<QLabel*>(widget)) return label->text();
  if (const auto* button = qobject_cast<QAbstractButton*>(widget)) return button->text();
  if (const auto* edit = qobject_cast<QLineEdit*>(widget)) return edit->text();
  if (const auto* edit = qobject_cast<QPlainTextEdit*>(widget)) return edit->toPlainText();
  const auto* inner = widget->findChild<QLineEdit*>();  // of a number field
  return inner == nullptr ? QString() : inner->text();
}

bool WindowFixture::waitFor(const std::function<bool()>& condition, int milliseconds) {
  return QTest::qWaitFor(condition, milliseconds);
}

bool WindowFixture::waitForState(const std::string& run, RunState state, int milliseconds) {
  return waitFor([&] { return log().find(run).state == state; }, milliseconds);
}

NewRun WindowFixture::newRun(const std::string& name, std::uint64_t seed) {
  const Manifest* const plugin = workbench_->plugin("sample");
  const ExperimentSpec* const spec = plugin->experiment("descent");
  Configuration wanted;
  wanted.experiment = "sample.descent";
  NewRun run;
  run.name = name;
  run.plugin = "sample";
  run.experiment = "descent";
  run.version = spec->version;
  run.seed = seed;
  const Resolved resolved = resolve(*spec, wanted);
  run.preset = resolved.preset;
  run.parameters = resolved.parameters;
  return run;
}
