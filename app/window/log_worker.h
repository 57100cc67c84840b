// Reads (and writes) the log off the window's thread: one thread, one connection, jobs in order.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/log/log.h"

namespace assay {

class LogWorker : public QObject {
  Q_OBJECT
 public:
  // The connection is opened by the first job.
  LogWorker(std::filesystem::path directory, Log::Mode mode, QObject* parent = nullptr);
  ~LogWorker() override;  // waits for the job under way; those waiting are dropped

  // No job waits or is under way, and every answer has been delivered.
  bool idle() const;

  // Does `job(Log&)` in the worker and then `then(result)` on the window's thread, unless `guard`
  // is gone by then. A waiting job of the same guard and tag is replaced (tag empty: never), so
  // that a quick typist leaves no backlog. What the job throws comes as failed().
  template <class Job, class Then>
  void ask(QObject* guard, const QString& tag, Job job, Then then) {
    using Result = std::invoke_result_t<Job, Log&>;
    QPointer<QObject> alive(guard);
    enqueue(guard, tag, [this, alive, job = std::move(job), then = std::move(then)](Log& log) {
      if constexpr (std::is_void_v<Result>) {
        job(log);
        deliver([alive, then] {
          if (alive) then();
        });
      } else {
        auto result = std::make_shared<Result>(job(log));
        deliver([alive, then, result] {
          if (alive) then(std::move(*result));
        });
      }
    });
  }

 signals:
  void failed(const QString& message);

 private:
  void enqueue(QObject* guard, const QString& tag, std::function<void(Log&)> job);
  void deliver(std::function<void()> what);
  void work();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
