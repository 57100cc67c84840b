// assay-run: every experiment without a window.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <functional>

#include "app/runner/commands.h"
#include "app/runner/console.h"
#include "app/runner/problems.h"
#include "core/base/error.h"

namespace {

using namespace assay;

struct Arguments {
  CommonOptions common;
  std::string id;  // of list, describe, resume, show
  std::string threads;
  RunOptions run;
  ControlOptions control;
  ClaimsOptions claims;
  ServeOptions serve;
};

using Action = std::function<int()>;

void add_common(CLI::App* command, Arguments& arguments) {
  command->add_option("--log", arguments.common.log,
                      "Log directory (default: $ASSAY_LOG, else the XDG data folder)");
  command->add_flag("--json", arguments.common.json, "Print JSON");
}

CLI::App* add_command(CLI::App& app, Arguments& arguments, Action& action, const std::string& name,
                      const std::string& help, const Action& what) {
  CLI::App* const command = app.add_subcommand(name, help);
  add_common(command, arguments);
  command->callback([&action, what] { action = what; });
  return command;
}

void add_repeatable(CLI::App* command, const std::string& name, std::vector<std::string>& values,
                    const std::string& help) {
  command->add_option(name, values, help)->allow_extra_args(false);
}

constexpr const char* threads_help = "Threads (default: all cores)";

void add_information(CLI::App& app, Arguments& a, Action& action) {
  add_command(app, a, action, "list", "List plugins and their experiments",
              [&a] { return list_command(a.common); });
  add_command(app, a, action, "describe", "Describe a plugin or an experiment",
              [&a] { return describe_command(a.common, a.id); })
      ->add_option("id", a.id, "PLUGIN or PLUGIN.EXPERIMENT")
      ->required();
  add_command(app, a, action, "show", "Show a run", [&a] { return show_command(a.common, a.id); })
      ->add_option("run", a.id, "Public id, a prefix of it, or name")
      ->required();
}

void add_running(CLI::App& app, Arguments& a, Action& action) {
  CLI::App* const run = add_command(app, a, action, "run", "Run an experiment",
                                    [&a] { return run_command(a.common, a.run); });
  run->add_option("target", a.run.target, "PLUGIN.EXPERIMENT or FILE.toml")->required();
  run->add_option("--preset", a.run.preset, "Preset (default: quick)");
  add_repeatable(run, "--set", a.run.set, "KEY=VALUE, beats file and preset; repeatable");
  run->add_option("--seed", a.run.seed, "Seed (default: 1)");
  run->add_option("--name", a.run.name, "Name of the run");
  run->add_option("--threads", a.run.threads, threads_help);
  add_repeatable(run, "--tag", a.run.tags, "Tag of the run; repeatable");

  add_command(app, a, action, "resume", "Go on with a run that is not running",
              [&a] { return resume_command(a.common, a.id); })
      ->add_option("run", a.id, "Public id, a prefix of it, or name")
      ->required();
}

void add_control(CLI::App& app, Arguments& a, Action& action) {
  const auto add = [&](const char* name, const char* help, const Action& what) {
    CLI::App* const command = add_command(app, a, action, name, help, what);
    command->add_option("run", a.control.run, "Public id, a prefix of it, or name")->required();
    command->add_option("--grace", a.control.grace_seconds, "Seconds before it is terminated")
        ->check(CLI::Range(0.0, 86400.0))
        ->capture_default_str();
  };
  add("stop", "Stop a run at its next step", [&a] { return stop_command(a.common, a.control); });
  add("pause", "Pause a run at its next step", [&a] { return pause_command(a.common, a.control); });
}

void add_services(CLI::App& app, Arguments& a, Action& action) {
  CLI::App* const claims = add_command(app, a, action, "claims", "Decide a paper's claims",
                                       [&a] { return claims_command(a.common, a.claims); });
  claims->add_option("plugin", a.claims.plugin, "PLUGIN")->required();
  claims->add_option("--preset", a.claims.preset, "Preset")->capture_default_str();
  claims->add_option("--seeds", a.claims.seeds, "Number of seeds, from 1 on")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  claims->add_option("--threads", a.claims.threads, threads_help);

  CLI::App* const serve =
      add_command(app, a, action, "serve", "Answer a plugin's explorables over a local socket",
                  [&a] { return serve_command(a.serve); });
  serve->add_option("plugin", a.serve.plugin, "PLUGIN")->required();
  serve->add_option("--socket", a.serve.socket, "Path of the Unix domain socket")->required();
  serve->add_flag("--until-input-closes", a.serve.until_input_closes,
                  "Exit when standard input closes");
  serve->add_option("--threads", a.serve.threads, threads_help);

  CLI::App* const wait = add_command(app, a, action, "wait",
                                     "Load everything, then run the id that is read from "
                                     "standard input",
                                     [&a] { return wait_command(a.common, a.threads); });
  wait->add_option("--threads", a.threads, threads_help);
}

int perform(const Action& action) {
  Console console;
  try {
    return action();
  } catch (const Problems& problems) {
    for (const std::string& line : problems.lines()) console.fault(line);
    return 2;
  } catch (const Error& error) {
    console.fault(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    console.fault("out of memory");
    return 3;
  } catch (const std::exception& error) {
    console.fault(error.what());
    return 3;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs experiments from machine-learning papers and logs them.", "assay-run");
  app.set_version_flag("--version", "assay-run " ASSAY_VERSION);
  app.require_subcommand(1);
  Arguments arguments;
  Action action;
  add_information(app, arguments, action);
  add_running(app, arguments, action);
  add_control(app, arguments, action);
  add_services(app, arguments, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    if (fault.get_exit_code() == 0) return app.exit(fault);  // --help, --version
    fmt::print(stderr, "assay-run: {} (assay-run --help lists what there is)\n", fault.what());
    return 2;
  }
  return perform(action);
}
