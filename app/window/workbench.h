// What all pages share: the log, the plugins, the runners, and the way from page to page.
#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/log/log.h"
#include "core/study/manifest.h"

namespace assay {

class LogWorker;
class RunnerPool;
class PluginView;

class Workbench : public QObject {
  Q_OBJECT
 public:
  // Opens the log (makes it when missing) and reads the manifests. Throws Error.
  explicit Workbench(const std::filesystem::path& logDirectory, QObject* parent = nullptr);
  ~Workbench() override;

  Log& log();           // the window's connection; for short reads and edits on the window's thread
  LogWorker& worker();  // for reads that may take longer; read-only
  const std::filesystem::path& logDirectory() const;
  const std::vector<Manifest>& plugins() const;
  const Manifest* plugin(const QString& id) const;
  const ExperimentSpec* experiment(const QString& plugin, const QString& experiment) const;
  RunnerPool& runners();
  // The plugin's view half, loaded when first asked for; null with a reason when there is none.
  PluginView* view(const QString& pluginId, QString* reason = nullptr);
  // "Trainable CT" style display names, falling back to keys.
  QString experimentTitle(const QString& plugin, const QString& experiment) const;
  const MetricSpec* metric(const Run& run, const std::string& key) const;

  // Sticky colours: the same run has the same colour on every page and after a restart.
  int colorIndex(const QString& publicId);

  // Begins to poll the log; called once the window is painted.
  void follow();
  // Looks at the log now, and every 40 ms for `seconds`: a run that was just started shows its
  // first rows at once.
  void lookClosely(double seconds = 3.0);

 public slots:
  void openPapers();
  void openPaper(const QString& pluginId, const QString& tab = {});  // tab: explore, claims, ...
  // A form for a new run; with `fromRun`, filled from that run ("Duplicate...").
  void openConfigure(const QString& address, const QString& fromRun = {});
  void openRuns(const QString& filter = {});
  void openRun(const QString& publicId);
  void openCompare(const QStringList& publicIds);
  void openReport(const QStringList& publicIds);
  void openData();
  void say(const QString& message);  // one quiet line at the bottom, for some seconds
  void sayError(const QString& message);

 public:
  // A message with one thing to do about it: "Moved to trash." [Undo]
  void sayWith(const QString& message, const QString& actionText, std::function<void()> action);
  // Starts one run of the plugin's try_it experiment with its quick preset and opens it.
  void tryIt(const QString& pluginId);

 signals:
  // The log changed (polled 5 times a second): pages read what they show.
  void logChanged();
  // Navigation, for the main window.
  void pageAsked(const QString& page, const QStringList& arguments);
  void messageAsked(const QString& message, bool isError);
  void actionAsked(const QString& message, const QString& actionText, std::function<void()> action);

 private:
  void poll();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
