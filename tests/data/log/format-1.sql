-- A log of format 1: its tables and a few rows of each kind. Frozen: files like this are out there.
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
INSERT INTO run(id, public_id, name, plugin, experiment, version, preset, parent, group_name, state,
                seed, threads, created, started, ended, seconds, exit_code, notes, starred)
VALUES (1, 'aaaaaaaaaa', 'first', 'sample', 'descent', 1, 'quick', '', '', 'finished', 1, 2,
        1764547200.5, 1764547201.5, 1764547211.5, 10.0, 0, 'compare with the baseline', 1),
       (2, 'bbbbbbbbbb', 'second', 'sample', 'descent', 1, 'quick', 'aaaaaaaaaa', '', 'queued', 2, 2,
        1764547202.5, NULL, NULL, 0.0, NULL, '', 0),
       (5, 'cccccccccc', 'thrown away', 'sample', 'descent', 1, 'quick', '', '', 'failed', 3, 2,
        1764547203.5, NULL, NULL, 0.0, 3, '', 0);
UPDATE run SET queue_position = 1 WHERE id = 2;
UPDATE run SET trashed = 1764547300.5, reason = 'the loss is not finite' WHERE id = 5;
INSERT INTO provenance VALUES (1, '{"commit":"abc"}');
INSERT INTO parameter(key, run, type, number, text, origin)
VALUES ('learning_rate', 1, 'real', 0.1, NULL, 'preset'), ('epochs', 1, 'integer', 5, NULL, 'default'),
       ('learning_rate', 2, 'real', 0.2, NULL, 'set');
INSERT INTO metric_key VALUES (1, 'loss'), (2, 'accuracy');
INSERT INTO metric(run, key, step, value, seconds)
VALUES (1, 1, 0, 1.5, 0.1), (1, 1, 1, NULL, 0.2), (1, 1, 2, 0.5, 0.3), (1, 2, 0, 9e999, 0.1);
INSERT INTO metric_latest(key, run, last, step, best, best_step, first_step, better)
VALUES (1, 1, 0.5, 2, 0.5, 2, 0, -1), (2, 1, 9e999, 0, NULL, NULL, 0, 1);
INSERT INTO timing VALUES (1, 'prepare', 0.25);
INSERT INTO artifact VALUES (3, 1, 'boundary', 'image', 2, 'runs/aaaaaaaaaa/artifacts/boundary/2.png',
                             1234, 'ff', '{"extent":[0,1]}');
INSERT INTO event VALUES (1, 1, 0, 1764547202.5, 0, 'the optimiser is ready'),
                         (2, 1, NULL, 1764547211.5, 0, 'finished after 3 steps');
INSERT INTO tag VALUES (1, 'baseline');
INSERT INTO request VALUES (1, 2, 'pause', 1764547204.5);
INSERT INTO claim_result VALUES (1, 'sample', 'faster', 'quick', 1764547400.5, '{"verdict":"undecided"}');
PRAGMA application_id = 1098080633;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
