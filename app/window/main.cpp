// assay: the window.
#include <fmt/core.h>

#include <QApplication>
#include <QSettings>
#include <QTimer>

#include "app/report/headless.h"
#include "app/viewers/theme.h"
#include "app/window/main_window.h"
#include "app/window/process_times.h"
#include "app/window/runner_pool.h"
#include "app/window/screenshots.h"
#include "app/window/start_fault.h"
#include "app/window/start_options.h"
#include "app/window/workbench.h"
#include "core/base/error.h"
#include "core/base/files.h"

namespace {

using namespace assay;

// Before QApplication: Qt reads the platform and the scale once.
void prepareEnvironment(const StartOptions& options) {
  const bool headless = !options.screenshotFolder.isEmpty() || !options.reportFolder.isEmpty();
  const bool display =
      qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
  if (headless && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (options.scale > 0.0) qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
}

void chooseTheme(Theme& theme, const StartOptions& options) {
  if (options.theme == "light") theme.showOnly(ThemeKind::light);
  if (options.theme == "dark") theme.showOnly(ThemeKind::dark);
}

int takeScreenshots(Workbench& workbench, MainWindow& window, const StartOptions& options) {
  window.setAsksOnClose(false);
  window.resize(options.size);
  window.show();
  workbench.follow();
  ScreenshotTour tour(workbench, window, options.screenshotFolder,
                      Theme::of().kind() == ThemeKind::dark ? "dark" : "light");
  int code = 0;
  QObject::connect(&tour, &ScreenshotTour::finished, [&code](const QString& problem) {
    if (!problem.isEmpty()) {
      fmt::print(stderr, "assay: {}\n", problem.toStdString());
      code = 3;
    }
    QApplication::quit();
  });
  QTimer::singleShot(0, &tour, &ScreenshotTour::begin);
  QApplication::exec();
  return code;
}

int showWindow(Workbench& workbench, MainWindow& window, const StartOptions& options) {
  const QSettings settings;
  if (options.sizeGiven ||
      !window.restoreGeometry(settings.value("window/geometry").toByteArray())) {
    window.resize(options.size);
  }
  window.openPage(settings.value("window/page", "papers").toString(), {});
  if (timingsWanted()) printFirstMetrics(workbench);
  QObject::connect(&window, &MainWindow::firstPainted, &workbench, [&workbench] {
    if (timingsWanted()) printTiming("first paint", secondsSinceProcessStart());
    workbench.follow();
    workbench.runners().warmUp();
  });
  window.show();
  return QApplication::exec();
}

int run(const StartOptions& options) {
  const std::filesystem::path directory = log_directory(options.log.toStdString());
  const bool withWindow = options.screenshotFolder.isEmpty() && options.reportFolder.isEmpty();
  try {
    if (!options.reportFolder.isEmpty()) {
      std::vector<std::string> runs;
      for (const QString& each : options.runs) runs.push_back(each.toStdString());
      return report_headless(directory, options.reportFolder.toStdString(), runs);
    }
    Workbench workbench(directory);
    MainWindow window(workbench);
    return withWindow ? showWindow(workbench, window, options)
                      : takeScreenshots(workbench, window, options);
  } catch (const Error& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return withWindow ? showStartFault(error, directory) : error.exit_code();
  }
}

}  // namespace

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const StartOptions options = readStartOptions(arguments);
  if (!options.problem.isEmpty()) {
    fmt::print(stderr, "assay: {} (assay --help lists what there is)\n",
               options.problem.toStdString());
    return 2;
  }
  if (!options.message.isEmpty()) {
    fmt::print("{}", options.message.toStdString());
    return 0;
  }
  prepareEnvironment(options);
  QApplication::setOrganizationName("assay");
  QApplication::setApplicationName("assay");
  QApplication::setDesktopFileName("assay");
  QApplication application(argc, argv);
  Theme theme(application);
  chooseTheme(theme, options);
  return run(options);
}
