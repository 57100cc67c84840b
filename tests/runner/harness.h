// Drives the real assay-run as a process, in a log directory that is thrown away.
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/log/log.h"

namespace assay::test {

struct Ended {
  int exit_code = -1;  // -1: ended by a signal or never started
  std::string out, err;
  Json json() const;  // of standard output; a discarded value when it is none
  std::vector<std::string> error_lines() const;
};

using Words = std::vector<std::string>;

class Workplace {
 public:
  Workplace();

  std::string path(const std::string& name) const;
  const std::string& log_path() const { return log_; }
  void use_log(const std::string& directory) { log_ = directory; }
  void set(const std::string& variable, const std::string& value);
  // The test's own connection.
  Log open_log() const { return Log(log_); }
  std::string write(const std::string& name, const std::string& text) const;

  // `--log` is appended. Waits until the process is gone, at most two minutes.
  Ended call(Words words, const std::string& input = {});
  // Starts and returns at once.
  std::unique_ptr<QProcess> start(Words words);
  static Ended wait(QProcess& process, int milliseconds = 120000);

  // The public id of the run whose row appears next to `known` others.
  std::string wait_for_run(std::size_t known = 0) const;
  // Until `metric` of the run has reached `step`, as the log tells it.
  bool wait_for_step(const std::string& run, const std::string& metric, std::int64_t step) const;
  bool wait_for_checkpoint(const std::string& run) const;
  bool wait_for_state(const std::string& run, RunState state) const;

 private:
  QTemporaryDir folder_;
  std::string log_;
  QProcessEnvironment environment_;
};

// Polls; false after `milliseconds`.
template <typename Condition>
bool until(const Condition& condition, int milliseconds = 120000) {
  for (int waited = 0; waited < milliseconds; waited += 10) {
    if (condition()) return true;
    QThread::msleep(10);
  }
  return condition();
}

// Every (key, step, value) of a run, bit for bit, and its log lines by the experiment itself.
std::string metric_table(const std::string& log, const std::string& run);
std::string artifact_table(const std::string& log, const std::string& run);

}  // namespace assay::test
