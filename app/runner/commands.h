// The commands of assay-run. Each returns the exit code: 0 done, 2 bad input, 3 failed, 130
// stopped. What is asked for goes to standard output, everything else to standard error. They throw
// Error for whatever the user, a file or the machine caused.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay {

struct CommonOptions {
  std::string log;  // --log; empty: by rule
  bool json = false;
};

int list_command(const CommonOptions& common);
int describe_command(const CommonOptions& common, const std::string& id);

struct RunOptions {
  std::string target;  // ID or FILE.toml
  std::string preset, seed, name, threads;
  std::vector<std::string> set, tags;
};
int run_command(const CommonOptions& common, const RunOptions& options);
int resume_command(const CommonOptions& common, const std::string& run);

struct ControlOptions {
  std::string run;
  double grace_seconds = 10.0;  // before a terminate
  double kill_seconds = 5.0;    // after it, before a kill
};
int stop_command(const CommonOptions& common, const ControlOptions& options);
int pause_command(const CommonOptions& common, const ControlOptions& options);

int show_command(const CommonOptions& common, const std::string& run);

struct ClaimsOptions {
  std::string plugin, preset = "quick", threads;
  int seeds = 5;
};
int claims_command(const CommonOptions& common, const ClaimsOptions& options);

struct ServeOptions {
  std::string plugin, socket, threads;
  bool until_input_closes = false;
};
int serve_command(const ServeOptions& options);

int wait_command(const CommonOptions& common, const std::string& threads);

}  // namespace assay
