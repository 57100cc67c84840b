// A row of the table `run` as a Run.
#include "core/log/run_columns.h"

#include <limits>

#include "core/base/error.h"

namespace assay {

const char* const run_columns =
    "run.id, run.public_id, run.name, run.plugin, run.experiment, run.preset, run.parent, "
    "run.group_name, run.version, run.state, run.reason, run.seed, run.threads, run.created, "
    "run.started, run.ended, run.seconds, run.exit_code, run.signal, run.pid, run.start_ticks, "
    "run.boot_id, run.heartbeat, run.progress_done, run.progress_total, run.progress_text, "
    "run.steps_per_second, run.eta_seconds, run.queue_position, run.state_sha256, run.notes, "
    "run.starred, run.trashed";

std::optional<double> optional_real(const SQLite::Column& column) {
  if (column.isNull()) return std::nullopt;
  return column.getDouble();
}

std::optional<int> optional_int(const SQLite::Column& column) {
  if (column.isNull()) return std::nullopt;
  return column.getInt();
}

double real_or_nan(const SQLite::Column& column) {
  return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
}

void bind_optional(SQLite::Statement& statement, int index, std::optional<double> value) {
  if (value) {
    statement.bind(index, *value);
  } else {
    statement.bind(index);
  }
}

void bind_optional(SQLite::Statement& statement, int index, std::optional<int> value) {
  if (value) {
    statement.bind(index, *value);
  } else {
    statement.bind(index);
  }
}

Run read_run(SQLite::Statement& row) {
  int next = 0;
  const auto column = [&] { return row.getColumn(next++); };
  Run run;
  run.id = column().getInt64();
  run.public_id = column().getString();
  run.name = column().getString();
  run.plugin = column().getString();
  run.experiment = column().getString();
  run.preset = column().getString();
  run.parent = column().getString();
  run.group = column().getString();
  run.version = column().getInt();
  const std::string state = column().getString();
  const std::optional<RunState> known = run_state_from(state);
  if (!known) {
    throw Error(ErrorKind::unreadable, "the log is damaged: a run is in the state '" + state + "'");
  }
  run.state = *known;
  run.reason = column().getString();
  run.seed = static_cast<std::uint64_t>(column().getInt64());
  run.threads = column().getInt();
  run.created = column().getDouble();
  run.started = optional_real(column());
  run.ended = optional_real(column());
  run.seconds = column().getDouble();
  run.exit_code = optional_int(column());
  run.signal = optional_int(column());
  run.process.pid = column().getInt64();
  run.process.start_ticks = column().getInt64();
  run.process.boot_id = column().getString();
  run.heartbeat = column().getDouble();
  run.progress_done = column().getInt64();
  run.progress_total = column().getInt64();
  run.progress_text = column().getString();
  run.steps_per_second = column().getDouble();
  run.eta_seconds = optional_real(column());
  run.queue_position = column().getInt64();
  run.state_sha256 = column().getString();
  run.notes = column().getString();
  run.starred = column().getInt() != 0;
  run.trashed = optional_real(column());
  return run;
}

}  // namespace assay
