// Reads (and writes) the log off the window's thread.
#include "app/window/log_worker.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace assay {
namespace {

struct Job {
  QObject* guard = nullptr;  // compared, never followed
  QString tag;
  std::function<void(Log&)> what;
};

}  // namespace

struct LogWorker::State {
  std::filesystem::path directory;
  Log::Mode mode = Log::Mode::read_only;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool ending = false;
  int open = 0;  // jobs asked for whose answer has not been delivered
  std::thread thread;
};

LogWorker::LogWorker(std::filesystem::path directory, Log::Mode mode, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>()) {
  state_->directory = std::move(directory);
  state_->mode = mode;
  state_->thread = std::thread([this] { work(); });
}

LogWorker::~LogWorker() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
    state_->jobs.clear();
  }
  state_->changed.notify_one();
  state_->thread.join();
}

bool LogWorker::idle() const {
  const std::lock_guard lock(state_->mutex);
  return state_->open == 0;
}

void LogWorker::enqueue(QObject* guard, const QString& tag, std::function<void(Log&)> job) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!tag.isEmpty()) {
      state_->open -= static_cast<int>(std::erase_if(
          state_->jobs, [&](const Job& old) { return old.guard == guard && old.tag == tag; }));
    }
    state_->jobs.push_back({guard, tag, std::move(job)});
    ++state_->open;
  }
  state_->changed.notify_one();
}

void LogWorker::deliver(std::function<void()> what) {
  QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
}

void LogWorker::work() {
  std::optional<Log> log;
  while (true) {
    Job job;
    {
      std::unique_lock lock(state_->mutex);
      state_->changed.wait(lock, [this] { return state_->ending || !state_->jobs.empty(); });
      if (state_->ending) return;
      job = std::move(state_->jobs.front());
      state_->jobs.pop_front();
    }
    try {
      if (!log) log.emplace(state_->directory, state_->mode);
      job.what(*log);
    } catch (const std::exception& error) {
      deliver([this, text = QString::fromUtf8(error.what())] { emit failed(text); });
    }
    deliver([this] {
      const std::lock_guard lock(state_->mutex);
      --state_->open;
    });
  }
}

}  // namespace assay
