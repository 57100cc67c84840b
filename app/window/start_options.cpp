// The command line of assay.
#include "app/window/start_options.h"

#include <QCommandLineParser>

namespace assay {
namespace {

bool readSize(const QString& text, QSize& size) {
  const QStringList parts = text.split('x');
  bool widthOk = false;
  bool heightOk = false;
  const int width = parts.value(0).toInt(&widthOk);
  const int height = parts.value(1).toInt(&heightOk);
  if (parts.size() != 2 || !widthOk || !heightOk || width < 200 || height < 200 || width > 16384 ||
      height > 16384) {
    return false;
  }
  size = QSize(width, height);
  return true;
}

}  // namespace

StartOptions readStartOptions(const QStringList& arguments) {
  StartOptions options;
  QCommandLineParser parser;
  parser.setApplicationDescription("A workbench for experiments from machine-learning papers.");
  const QCommandLineOption help({"h", "help"}, "Print this help.");
  const QCommandLineOption version("version", "Print the version.");
  const QCommandLineOption log(
      "log", "Log directory (default: $ASSAY_LOG, else the XDG data folder).", "DIR");
  const QCommandLineOption theme("theme", "light, dark or system.", "THEME");
  const QCommandLineOption shot("screenshot", "Write one PNG of each page to DIR and exit.", "DIR");
  const QCommandLineOption size("size", "Size of the window.", "WxH");
  const QCommandLineOption scale("scale", "Device pixels per pixel, 1 to 4.", "S");
  const QCommandLineOption report(
      "report", "Write a report on the runs (none: all finished ones) to DIR and exit.", "DIR");
  parser.addOptions({help, version, log, theme, shot, size, scale, report});
  parser.addPositionalArgument("RUN", "Runs of the report: public ids, prefixes of them, or names.",
                               "[RUN...]");
  if (!parser.parse(arguments)) {
    options.problem = parser.errorText();
    return options;
  }
  if (parser.isSet(help)) options.message = parser.helpText();
  if (parser.isSet(version)) options.message = "assay " ASSAY_VERSION "\n";
  options.log = parser.value(log);
  options.theme = parser.value(theme);
  options.screenshotFolder = parser.value(shot);
  options.reportFolder = parser.value(report);
  options.runs = parser.positionalArguments();
  if (!QStringList{"", "light", "dark", "system"}.contains(options.theme)) {
    options.problem = "--theme: \"" + options.theme + "\" is none of light, dark, system";
  }
  options.sizeGiven = parser.isSet(size);
  if (options.sizeGiven && !readSize(parser.value(size), options.size)) {
    options.problem =
        "--size: \"" + parser.value(size) + "\" is no size; allowed: WIDTHxHEIGHT, as 1280x800";
  }
  if (parser.isSet(scale)) {
    options.scale = parser.value(scale).toDouble();
    if (options.scale < 1.0 || options.scale > 4.0) {
      options.problem = "--scale: \"" + parser.value(scale) + "\" is out of range; allowed: 1 to 4";
    }
  }
  if (!parser.isSet(report) && !options.runs.isEmpty()) {
    options.problem = "unexpected argument \"" + options.runs.front() + "\"";
  }
  if (parser.isSet(report) && parser.isSet(shot)) {
    options.problem = "--report and --screenshot: one at a time";
  }
  return options;
}

}  // namespace assay
