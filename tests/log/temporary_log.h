// A log directory that is thrown away, and short ways to put runs into it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/log/log.h"
#include "core/log/writer.h"

namespace assay::test {

class TemporaryLog {
 public:
  std::filesystem::path path() const { return root() / "log"; }
  std::filesystem::path file() const { return path() / "assay.sqlite"; }
  std::filesystem::path root() const { return folder_.path().toStdString(); }
  Log open(Log::Mode mode = Log::Mode::read_write) const { return Log(path(), mode); }

 private:
  QTemporaryDir folder_;
};

inline NewRun new_run(std::uint64_t seed = 1, const std::string& name = {}) {
  NewRun run;
  run.name = name;
  run.plugin = "sample";
  run.experiment = "descent";
  run.preset = "quick";
  run.seed = seed;
  run.parameters.set("learning_rate", 0.1, Origin::preset);
  run.parameters.set("epochs", std::int64_t{5}, Origin::default_value);
  return run;
}

inline RunQuery filtered(const std::string& filter) {
  RunQuery query;
  query.filter = filter;
  return query;
}

// A run that this process has claimed.
inline Run running(Log& log, const NewRun& wanted = new_run()) {
  const Run run = log.insert(wanted);
  if (!log.claim(run.id, {RunState::queued}, this_process(), 2)) {
    throw std::runtime_error("the new run can't be claimed");
  }
  return log.run(run.id);
}

// Lower is better for "loss..." and higher for "accuracy...".
inline RunWriter::MetricDirections directions() {
  RunWriter::MetricDirections all;
  all.better["loss"] = Better::lower;
  all.prefixes.emplace_back("loss/", Better::lower);
  all.prefixes.emplace_back("accuracy", Better::higher);
  return all;
}

// A real process of its own. Nothing of SQLite may be open when it is made.
inline pid_t in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 99;
  try {
    code = work();
  } catch (const std::exception& fault) {
    ::fprintf(stderr, "child: %s\n", fault.what());
  }
  ::_exit(code);
}

// Its exit code, or minus the signal that ended it.
inline int ended(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace assay::test
