// The real window on a temporary log directory, and hands to use it with.
//
// Settings, data and plugins are the test's own: XDG folders below a temporary one, ASSAY_PLUGINS
// at the tests' plugins (or, with `ownPlugins`, at the papers of the build).
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <string>

#include "app/viewers/theme.h"
#include "app/window/main_window.h"
#include "app/window/workbench.h"

class WindowFixture {
 public:
  enum class Plugins { tests, papers };
  explicit WindowFixture(Plugins plugins = Plugins::tests);
  ~WindowFixture();

  assay::Workbench& workbench() { return *workbench_; }
  assay::MainWindow& window() { return *window_; }
  assay::Log& log() { return workbench_->log(); }
  std::filesystem::path directory() const;
  // Closes window and workbench and opens them again on the same log.
  void reopen();

  // The visible widget with this objectName; when a page is not the current one its widgets don't
  // count. Null after `milliseconds`.
  template <class Widget = QWidget>
  Widget* find(const QString& name, int milliseconds = 5000) {
    Widget* found = nullptr;
    waitFor(
        [&] {
          for (Widget* each : window_->findChildren<Widget*>(name)) {
            if (each->isVisible()) found = each;
          }
          return found != nullptr;
        },
        milliseconds);
    return found;
  }
  bool isShown(const QString& name);
  // False when there is no such button, or it is off.
  bool click(const QString& name);
  // Replaces what a field holds, key by key.
  bool type(const QString& name, const QString& text);
  QString textOf(const QString& name);

  static bool waitFor(const std::function<bool()>& condition, int milliseconds = 10000);
  bool waitForState(const std::string& run, assay::RunState state, int milliseconds = 30000);
  // A run as the log holds it, made without a runner.
  assay::NewRun newRun(const std::string& name, std::uint64_t seed = 1);

 private:
  QTemporaryDir folder_;
  std::unique_ptr<assay::Theme> theme_;
  std::unique_ptr<assay::Workbench> workbench_;
  std::unique_ptr<assay::MainWindow> window_;
};
