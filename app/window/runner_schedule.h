// Which run is started when, by which process, and how one is made to stop. Used by one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/process.h"
#include "core/log/log.h"

namespace assay {

class RunnerSchedule {
 public:
  RunnerSchedule(std::filesystem::path runner, std::filesystem::path log_directory);
  ~RunnerSchedule();  // closes the warm runner's input, which ends it; runs go on

  // Starts a runner that loads its libraries and waits for an id, if there is none.
  void warm_up();
  bool warm() const { return warm_.has_value(); }

  // Fills free places from the queue, unless held; finds runs whose process is gone; goes on with
  // stops that were not answered. Returns what a person should be told.
  std::vector<std::string> tick(Log& log, int places, bool held);
  // Starts one run now, whatever its place in the queue.
  void start(Log& log, const Run& run);
  void stop(Log& log, std::int64_t id);
  void pause(Log& log, std::int64_t id);

 private:
  struct Started {
    ProcessIdentity process;
    int attempts = 1;
  };
  struct Stopping {
    double asked = 0.0;
    bool terminated = false, killed = false;
  };

  bool hand_to_warm(const Run& run);
  void start_cold(const Run& run);
  void fill_places(Log& log, int places);
  void look_after_started(Log& log, std::vector<std::string>& messages);
  void look_after_stopping(Log& log, std::vector<std::string>& messages);
  void fail(Log& log, const Run& run, const std::string& reason);
  void drop_warm();

  std::filesystem::path runner_, log_directory_;
  std::optional<Child> warm_;
  double warm_wanted_ = 0.0;  // when the next one may be started; 0: not wanted
  double reaped_ = 0.0;
  std::map<std::int64_t, Started> started_;  // asked for, not yet claimed
  std::map<std::int64_t, Stopping> stopping_;
};

}  // namespace assay
