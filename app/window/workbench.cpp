// What all pages share: the log, the plugins, the runners, and the way from page to page.
#include "app/window/workbench.h"

#include <QElapsedTimer>
#include <QHash>
#include <QPluginLoader>
#include <QSettings>
#include <QTimer>

#include "app/viewers/plugin_view.h"
#include "app/window/log_worker.h"
#include "app/window/runner_pool.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int pollMilliseconds = 200;
constexpr int closePollMilliseconds = 40;
constexpr int distinctColors = 18;  // six colours by three dashes
constexpr int colorsKept = 2000;

QString colorsKey(const std::filesystem::path& directory) {
  return "colors/" + QString::number(qHash(QString::fromStdString(directory.string())), 16);
}

struct LoadedView {
  PluginView* view = nullptr;
  QString reason;
};

LoadedView loadView(const Manifest& plugin) {
  const auto file = plugin.folder / ("lib" + plugin.id + "_view.so");
  if (!std::filesystem::exists(file)) return {nullptr, "This paper has no interactive view."};
  QPluginLoader loader(QString::fromStdString(file.string()));
  QObject* const root = loader.instance();
  if (root == nullptr) {
    return {nullptr, "The view can't be loaded: " + loader.errorString()};
  }
  auto* const view = qobject_cast<PluginView*>(root);
  if (view == nullptr) {
    return {nullptr, QString("%1 was built for another version of Assay; build it again.")
                         .arg(QString::fromStdString(file.string()))};
  }
  return {view, {}};
}

}  // namespace

struct Workbench::State {
  explicit State(const std::filesystem::path& given) : log(given), directory(given) {}
  Log log;
  std::filesystem::path directory;
  std::vector<Manifest> plugins;
  std::unique_ptr<LogWorker> worker;
  std::unique_ptr<RunnerPool> runners;
  QHash<QString, LoadedView> views;
  QStringList colored;          // public ids in the order in which they got their colour
  QHash<QString, int> colorOf;  // the same, for look-up
  QTimer timer;
  QElapsedTimer sinceClose;
  double closeSeconds = 0.0;
  std::int64_t counter = -1;
};

Workbench::Workbench(const std::filesystem::path& logDirectory, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>(logDirectory)) {
  state_->plugins = find_plugins();
  state_->worker = std::make_unique<LogWorker>(logDirectory, Log::Mode::read_only);
  state_->runners = std::make_unique<RunnerPool>(*this);
  state_->counter = state_->log.change_counter();
  state_->colored = QSettings().value(colorsKey(logDirectory)).toStringList();
  for (const QString& entry : state_->colored) {
    state_->colorOf.insert(entry.section(':', 0, 0), entry.section(':', 1).toInt());
  }
  connect(state_->worker.get(), &LogWorker::failed, this, &Workbench::sayError);
  connect(&state_->timer, &QTimer::timeout, this, &Workbench::poll);
}

Workbench::~Workbench() {
  state_->timer.stop();
  state_->runners.reset();
  state_->worker.reset();
}

Log& Workbench::log() {
  return state_->log;
}
LogWorker& Workbench::worker() {
  return *state_->worker;
}
const std::filesystem::path& Workbench::logDirectory() const {
  return state_->directory;
}
const std::vector<Manifest>& Workbench::plugins() const {
  return state_->plugins;
}
RunnerPool& Workbench::runners() {
  return *state_->runners;
}

const Manifest* Workbench::plugin(const QString& id) const {
  const std::string key = id.toStdString();
  for (const Manifest& plugin : state_->plugins) {
    if (plugin.id == key) return &plugin;
  }
  return nullptr;
}

const ExperimentSpec* Workbench::experiment(const QString& pluginId,
                                            const QString& experimentId) const {
  const Manifest* const found = plugin(pluginId);
  return found == nullptr ? nullptr : found->experiment(experimentId.toStdString());
}

PluginView* Workbench::view(const QString& pluginId, QString* reason) {
  const Manifest* const found = plugin(pluginId);
  if (found == nullptr) {
    if (reason != nullptr) *reason = QString("There is no plugin \"%1\".").arg(pluginId);
    return nullptr;
  }
  auto known = state_->views.find(pluginId);
  if (known == state_->views.end()) known = state_->views.insert(pluginId, loadView(*found));
  if (reason != nullptr) *reason = known->reason;
  return known->view;
}

QString Workbench::experimentTitle(const QString& pluginId, const QString& experimentId) const {
  const ExperimentSpec* const spec = experiment(pluginId, experimentId);
  return spec == nullptr ? experimentId : QString::fromStdString(spec->title);
}

const MetricSpec* Workbench::metric(const Run& run, const std::string& key) const {
  const ExperimentSpec* const spec =
      experiment(QString::fromStdString(run.plugin), QString::fromStdString(run.experiment));
  return spec == nullptr ? nullptr : spec->metric(key);
}

int Workbench::colorIndex(const QString& publicId) {
  const auto known = state_->colorOf.constFind(publicId);
  if (known != state_->colorOf.constEnd()) return *known;
  const int last = state_->colored.isEmpty() ? -1 : state_->colored.back().section(':', 1).toInt();
  const int index = (last + 1) % distinctColors;
  state_->colored.append(publicId + ":" + QString::number(index));
  while (state_->colored.size() > colorsKept) state_->colored.removeFirst();
  state_->colorOf.insert(publicId, index);
  QSettings().setValue(colorsKey(state_->directory), state_->colored);
  return index;
}

void Workbench::follow() {
  if (!state_->timer.isActive()) state_->timer.start(pollMilliseconds);
}

void Workbench::lookClosely(double seconds) {
  state_->closeSeconds = seconds;
  state_->sinceClose.start();
  state_->timer.start(closePollMilliseconds);
  poll();
}

void Workbench::poll() {
  const bool close = state_->timer.interval() == closePollMilliseconds;
  if (close && static_cast<double>(state_->sinceClose.elapsed()) > state_->closeSeconds * 1000.0) {
    state_->timer.setInterval(pollMilliseconds);
  }
  try {
    const std::int64_t counter = state_->log.change_counter();
    if (counter == state_->counter) return;
    state_->counter = counter;
  } catch (const Error& error) {
    sayError(QString::fromUtf8(error.what()));
    return;
  }
  emit logChanged();
}

void Workbench::openPapers() {
  emit pageAsked("papers", {});
}
void Workbench::openPaper(const QString& pluginId, const QString& tab) {
  emit pageAsked("paper", {pluginId, tab});
}
void Workbench::openConfigure(const QString& address, const QString& fromRun) {
  emit pageAsked("configure", {address, fromRun});
}
void Workbench::openRuns(const QString& filter) {
  emit pageAsked("runs", filter.isNull() ? QStringList{} : QStringList{filter});
}
void Workbench::openRun(const QString& publicId) {
  emit pageAsked("run", {publicId});
}
void Workbench::openCompare(const QStringList& publicIds) {
  emit pageAsked("compare", publicIds);
}
void Workbench::openReport(const QStringList& publicIds) {
  emit pageAsked("report", publicIds);
}
void Workbench::openData() {
  emit pageAsked("data", {});
}
void Workbench::say(const QString& message) {
  emit messageAsked(message, false);
}
void Workbench::sayError(const QString& message) {
  emit messageAsked(message, true);
}

void Workbench::sayWith(const QString& message, const QString& actionText,
                        std::function<void()> action) {
  emit actionAsked(message, actionText, std::move(action));
}

void Workbench::tryIt(const QString& pluginId) {
  const Manifest* const found = plugin(pluginId);
  if (found == nullptr || !found->fault.empty()) return;
  const ExperimentSpec* const spec = found->experiment(found->try_it);
  if (spec == nullptr) return;
  Configuration wanted;
  wanted.experiment = found->id + "." + spec->id;
  wanted.preset = "quick";
  const Resolved resolved = resolve(*spec, wanted);
  if (!resolved.problems.empty()) {
    sayError(QString::fromStdString(resolved.problems.front().message()));
    return;
  }
  NewRun run;
  run.plugin = found->id;
  run.experiment = spec->id;
  run.version = spec->version;
  run.preset = resolved.preset;
  run.seed = resolved.seed;
  run.parameters = resolved.parameters;
  try {
    const auto started = runners().start({run});
    openRun(QString::fromStdString(started.front().public_id));
  } catch (const Error& error) {
    sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
