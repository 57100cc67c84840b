// The window's hold on the runners. All work that may take time happens on a thread of its own.
#include "app/window/runner_pool.h"

#include <QSettings>
#include <QTimer>
#include <algorithm>

#include "app/window/log_worker.h"
#include "app/window/runner_schedule.h"
#include "app/window/workbench.h"
#include "core/base/files.h"
#include "core/base/process.h"

namespace assay {
namespace {

constexpr int tickMilliseconds = 500;

std::filesystem::path runnerBesideProgram() {
  return program_directory() / "assay-run";
}

// Tests live in another folder than the programs.
std::filesystem::path findRunner() {
  const std::filesystem::path beside = runnerBesideProgram();
  if (std::filesystem::exists(beside)) return beside;
  const std::filesystem::path sibling = program_directory().parent_path() / "bin" / "assay-run";
  return std::filesystem::exists(sibling) ? sibling : beside;
}

}  // namespace

struct RunnerPool::State {
  explicit State(Workbench& w)
      : workbench(w),
        runner(findRunner()),
        schedule(std::make_shared<RunnerSchedule>(runner, w.logDirectory())),
        worker(w.logDirectory(), Log::Mode::read_write) {}

  Workbench& workbench;
  std::filesystem::path runner;
  std::shared_ptr<RunnerSchedule> schedule;  // touched by the worker's thread alone
  LogWorker worker;
  QTimer timer;
  int places = 1;
  bool held = false;
};

RunnerPool::RunnerPool(Workbench& workbench) : state_(std::make_unique<State>(workbench)) {
  const QSettings settings;
  // A run takes all cores unless told otherwise, so one at a time is what the machine has room for.
  state_->places = std::max(1, settings.value("queue/places", 1).toInt());
  state_->held = settings.value("queue/held", false).toBool();
  connect(&state_->timer, &QTimer::timeout, this, &RunnerPool::tick);
  connect(&state_->worker, &LogWorker::failed, &workbench, &Workbench::sayError);
}

RunnerPool::~RunnerPool() = default;

QString RunnerPool::runnerPath() const {
  return QString::fromStdString(state_->runner.string());
}

void RunnerPool::warmUp() {
  if (state_->timer.isActive()) return;
  state_->timer.start(tickMilliseconds);
  state_->worker.ask(
      this, {}, [schedule = state_->schedule](Log&) { schedule->warm_up(); }, [] {});
  tick();
}

void RunnerPool::tick() {
  state_->worker.ask(
      this, "tick",
      [schedule = state_->schedule, places = state_->places, held = state_->held](Log& log) {
        return schedule->tick(log, places, held);
      },
      [this](const std::vector<std::string>& messages) {
        for (const std::string& message : messages) {
          state_->workbench.say(QString::fromStdString(message));
        }
        if (!messages.empty()) emit changed();
      });
}

std::vector<Run> RunnerPool::start(const std::vector<NewRun>& runs, bool queueOnly) {
  Log& log = state_->workbench.log();
  const std::optional<Run> first = log.next_queued();
  const std::vector<Run> inserted = log.insert(runs);
  if (!queueOnly && first) {
    for (const Run& run : inserted) log.move_in_queue(run.id, first->id);
  }
  tick();
  for (const Run& run : inserted) emit started(run.id);
  state_->workbench.lookClosely();
  emit changed();
  return inserted;
}

void RunnerPool::resume(const Run& run) {
  state_->worker.ask(
      this, {}, [schedule = state_->schedule, run](Log& log) { schedule->start(log, run); },
      [this] { emit changed(); });
  state_->workbench.lookClosely();
}

void RunnerPool::stop(const Run& run) {
  state_->worker.ask(
      this, {}, [schedule = state_->schedule, id = run.id](Log& log) { schedule->stop(log, id); },
      [this] { emit changed(); });
  state_->workbench.lookClosely();
}

void RunnerPool::pause(const Run& run) {
  state_->worker.ask(
      this, {}, [schedule = state_->schedule, id = run.id](Log& log) { schedule->pause(log, id); },
      [this] { emit changed(); });
  state_->workbench.lookClosely();
}

int RunnerPool::places() const {
  return state_->places;
}

void RunnerPool::setPlaces(int places) {
  state_->places = std::clamp(places, 1, 64);
  QSettings().setValue("queue/places", state_->places);
  tick();
  emit changed();
}

bool RunnerPool::queueHeld() const {
  return state_->held;
}

void RunnerPool::setQueueHeld(bool held) {
  state_->held = held;
  QSettings().setValue("queue/held", held);
  tick();
  emit changed();
}

void RunnerPool::moveInQueue(std::int64_t id, std::int64_t beforeId) {
  state_->workbench.log().move_in_queue(id, beforeId);
  emit changed();
}

}  // namespace assay
