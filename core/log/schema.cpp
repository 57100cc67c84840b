// The tables of the log, as the steps that lead to them.
//
// A released step is never edited: files that have taken it are out there. A change is a new step,
// with Log::schema_version raised by one.
#include "core/log/migration.h"

namespace assay {
namespace {

// Format 1. Notes:
// - metric is clustered on its key, without row ids: seven times smaller than with text keys, and a
//   curve is one stretch of the file. NaN, which SQL lacks, is stored as NULL (a row is only there
//   when a value was recorded); infinities are stored as the reals they are.
// - metric_latest and parameter are clustered by key first: a column of the runs' table is one
//   stretch, and one index gives what a single run needs.
// - The seed is unsigned; its bits are stored as a signed integer.
// - parameter.number has no affinity, so that integers stay integers and 1.0 stays real.
constexpr const char* format_1 = R"sql(
CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plugin TEXT NOT NULL,
  experiment TEXT NOT NULL,
  version INTEGER NOT NULL,
  preset TEXT NOT NULL,
  parent TEXT NOT NULL,
  group_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'finished', 'stopped',
                                       'failed', 'killed', 'crashed')),
  reason TEXT NOT NULL DEFAULT '',
  seed INTEGER NOT NULL,
  threads INTEGER NOT NULL,
  created REAL NOT NULL,
  started REAL,
  ended REAL,
  seconds REAL NOT NULL DEFAULT 0,
  exit_code INTEGER,
  signal INTEGER,
  pid INTEGER NOT NULL DEFAULT 0,
  start_ticks INTEGER NOT NULL DEFAULT 0,
  boot_id TEXT NOT NULL DEFAULT '',
  heartbeat REAL NOT NULL DEFAULT 0,
  terminated INTEGER NOT NULL DEFAULT 0,
  progress_done INTEGER NOT NULL DEFAULT 0,
  progress_total INTEGER NOT NULL DEFAULT 0,
  progress_text TEXT NOT NULL DEFAULT '',
  steps_per_second REAL NOT NULL DEFAULT 0,
  eta_seconds REAL,
  queue_position INTEGER NOT NULL DEFAULT 0,
  state_sha256 TEXT NOT NULL DEFAULT '',
  notes TEXT NOT NULL DEFAULT '',
  starred INTEGER NOT NULL DEFAULT 0,
  trashed REAL
);
CREATE INDEX run_by_state ON run(state, plugin) WHERE trashed IS NULL;
CREATE INDEX run_by_name ON run(name) WHERE trashed IS NULL;
CREATE INDEX run_by_plugin ON run(plugin) WHERE trashed IS NULL;

CREATE TABLE provenance (
  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
  json TEXT NOT NULL
);
CREATE TABLE parameter (
  key TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  number,
  text TEXT,
  origin TEXT NOT NULL,
  PRIMARY KEY (key, run)
) WITHOUT ROWID;
CREATE INDEX parameter_by_run ON parameter(run);

CREATE TABLE metric_key (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE metric (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  key INTEGER NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  seconds REAL NOT NULL,
  PRIMARY KEY (run, key, step)
) WITHOUT ROWID;
CREATE TABLE metric_latest (
  key INTEGER NOT NULL REFERENCES metric_key(id),
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  last REAL,
  step INTEGER NOT NULL,
  best REAL,
  best_step INTEGER,
  first_step INTEGER NOT NULL,
  better INTEGER NOT NULL,
  PRIMARY KEY (key, run)
) WITHOUT ROWID;
CREATE INDEX metric_latest_by_run ON metric_latest(run);

CREATE TABLE timing (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  seconds REAL NOT NULL,
  PRIMARY KEY (run, key)
) WITHOUT ROWID;
CREATE TABLE artifact (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  step INTEGER NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  meta TEXT NOT NULL,
  UNIQUE (run, key, step)
);
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  ordinal INTEGER,
  time REAL NOT NULL,
  level INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (run, ordinal)
);
CREATE TABLE tag (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
CREATE INDEX tag_by_name ON tag(name);
CREATE TABLE request (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  time REAL NOT NULL
);
CREATE INDEX request_by_run ON request(run);
CREATE TABLE claim_result (
  id INTEGER PRIMARY KEY,
  plugin TEXT NOT NULL,
  claim TEXT NOT NULL,
  preset TEXT NOT NULL,
  time REAL NOT NULL,
  result TEXT NOT NULL
);
CREATE INDEX claim_result_by_plugin ON claim_result(plugin, claim, time);
)sql";

// Format 2: full-text search over names, notes and log lines (what is there already included), and
// the table that ties the runs of a sweep together. The search tables hold no second copy of the
// text: they follow run and event by triggers.
constexpr const char* format_2 = R"sql(
CREATE TABLE sweep (
  id INTEGER PRIMARY KEY,
  created REAL NOT NULL,
  plugin TEXT NOT NULL,
  experiment TEXT NOT NULL,
  specification TEXT NOT NULL
);
ALTER TABLE run ADD COLUMN sweep INTEGER REFERENCES sweep(id);
CREATE INDEX run_by_sweep ON run(sweep) WHERE sweep IS NOT NULL;

CREATE VIRTUAL TABLE run_text USING fts5(name, notes, content='run', content_rowid='id');
CREATE TRIGGER run_text_insert AFTER INSERT ON run BEGIN
  INSERT INTO run_text(rowid, name, notes) VALUES (new.id, new.name, new.notes);
END;
CREATE TRIGGER run_text_delete AFTER DELETE ON run BEGIN
  INSERT INTO run_text(run_text, rowid, name, notes)
  VALUES ('delete', old.id, old.name, old.notes);
END;
CREATE TRIGGER run_text_update AFTER UPDATE OF name, notes ON run BEGIN
  INSERT INTO run_text(run_text, rowid, name, notes)
  VALUES ('delete', old.id, old.name, old.notes);
  INSERT INTO run_text(rowid, name, notes) VALUES (new.id, new.name, new.notes);
END;
INSERT INTO run_text(run_text) VALUES ('rebuild');

CREATE VIRTUAL TABLE event_text USING fts5(text, content='event', content_rowid='id');
CREATE TRIGGER event_text_insert AFTER INSERT ON event BEGIN
  INSERT INTO event_text(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER event_text_delete AFTER DELETE ON event BEGIN
  INSERT INTO event_text(event_text, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER event_text_update AFTER UPDATE OF text ON event BEGIN
  INSERT INTO event_text(event_text, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO event_text(rowid, text) VALUES (new.id, new.text);
END;
INSERT INTO event_text(event_text) VALUES ('rebuild');
)sql";

}  // namespace

const std::vector<const char*>& schema_steps() {
  static const std::vector<const char*> steps{format_1, format_2};
  return steps;
}

}  // namespace assay
