-- The tables of a farm in one file of SQLite: the same as on PostgreSQL. The functions that workers call
-- there are written in Rust here (src/store/sqlite.rs).
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE worker (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    db_role TEXT NOT NULL,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    cpu TEXT NOT NULL CHECK (length(cpu) <= 200),
    program TEXT NOT NULL CHECK (length(program) <= 100),
    threads INTEGER NOT NULL,
    bench INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proven', 'blocked')),
    why TEXT,
    created INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    seen INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    UNIQUE (db_role, name)
);

CREATE TABLE campaign (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('selfplay', 'match', 'book', 'tune', 'rescore')),
    spec TEXT NOT NULL CHECK (length(spec) <= 16777216),
    state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'done')),
    prio INTEGER NOT NULL DEFAULT 0,
    lease_seconds INTEGER NOT NULL DEFAULT 300 CHECK (lease_seconds BETWEEN 1 AND 86400),
    units INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);

CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign INTEGER NOT NULL REFERENCES campaign,
    unit INTEGER NOT NULL,
    purpose TEXT NOT NULL DEFAULT 'first' CHECK (purpose IN ('first', 'check', 'again')),
    state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done', 'dead', 'dropped')),
    not_before INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0,
    max_attempt INTEGER NOT NULL DEFAULT 8,
    lease TEXT,
    lease_until INTEGER,
    worker INTEGER REFERENCES worker,
    twice INTEGER NOT NULL DEFAULT 0,
    spec TEXT NOT NULL CHECK (length(spec) <= 1048576),
    dedup TEXT NOT NULL UNIQUE
);
CREATE INDEX job_ready ON job (campaign, id) WHERE state = 'ready';
CREATE INDEX job_expiring ON job (lease_until) WHERE state = 'leased';
CREATE INDEX job_held ON job (worker) WHERE state = 'leased';
CREATE INDEX job_unit ON job (campaign, unit);

CREATE TABLE result (
    job INTEGER PRIMARY KEY REFERENCES job,
    campaign INTEGER NOT NULL REFERENCES campaign,
    unit INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    lease TEXT NOT NULL,
    worker INTEGER NOT NULL REFERENCES worker,
    digest TEXT NOT NULL,
    payload BLOB NOT NULL,
    file TEXT,
    games INTEGER NOT NULL,
    positions INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    points INTEGER,
    millis INTEGER NOT NULL,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);
CREATE INDEX result_unit ON result (campaign, unit);
CREATE INDEX result_at ON result (at);

-- What the keeper has not looked at.
CREATE TABLE inbox (job INTEGER PRIMARY KEY);
CREATE TABLE verdict (job INTEGER PRIMARY KEY, ok INTEGER NOT NULL, why TEXT NOT NULL, at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)));
CREATE TABLE failure (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    worker INTEGER,
    cause TEXT NOT NULL CHECK (cause IN ('error', 'expired', 'refused')),
    message TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);
CREATE INDEX failure_job ON failure (job);
CREATE TABLE exclusion (worker INTEGER PRIMARY KEY, why TEXT NOT NULL, who TEXT NOT NULL, at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)));
CREATE TABLE decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign INTEGER NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);
CREATE TABLE progress (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign INTEGER NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);
CREATE INDEX progress_campaign ON progress (campaign, id);
-- The order in which the games of a book were taken in.
CREATE TABLE fact (campaign INTEGER NOT NULL, seq INTEGER NOT NULL, job INTEGER NOT NULL UNIQUE, PRIMARY KEY (campaign, seq));
-- What follows from the facts: rebuilt whenever it is lost, never the truth.
CREATE TABLE derived (campaign INTEGER NOT NULL, key BLOB NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (campaign, key));
CREATE TABLE derived_mark (campaign INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    who TEXT NOT NULL DEFAULT 'local',
    what TEXT NOT NULL,
    campaign INTEGER,
    job INTEGER,
    worker INTEGER,
    detail TEXT
);

CREATE TRIGGER event_never_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'rows of event are never changed'); END;
CREATE TRIGGER event_never_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'rows of event are never changed'); END;
CREATE TRIGGER result_never_update BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'rows of result are never changed'); END;
CREATE TRIGGER result_never_delete BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'rows of result are never changed'); END;
CREATE TRIGGER verdict_never_update BEFORE UPDATE ON verdict BEGIN SELECT RAISE(ABORT, 'rows of verdict are never changed'); END;
CREATE TRIGGER verdict_never_delete BEFORE DELETE ON verdict BEGIN SELECT RAISE(ABORT, 'rows of verdict are never changed'); END;
CREATE TRIGGER failure_never_update BEFORE UPDATE ON failure BEGIN SELECT RAISE(ABORT, 'rows of failure are never changed'); END;
CREATE TRIGGER failure_never_delete BEFORE DELETE ON failure BEGIN SELECT RAISE(ABORT, 'rows of failure are never changed'); END;
CREATE TRIGGER exclusion_never_update BEFORE UPDATE ON exclusion BEGIN SELECT RAISE(ABORT, 'rows of exclusion are never changed'); END;
CREATE TRIGGER exclusion_never_delete BEFORE DELETE ON exclusion BEGIN SELECT RAISE(ABORT, 'rows of exclusion are never changed'); END;
CREATE TRIGGER decision_never_update BEFORE UPDATE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision are never changed'); END;
CREATE TRIGGER decision_never_delete BEFORE DELETE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision are never changed'); END;
CREATE TRIGGER fact_never_update BEFORE UPDATE ON fact BEGIN SELECT RAISE(ABORT, 'rows of fact are never changed'); END;
CREATE TRIGGER fact_never_delete BEFORE DELETE ON fact BEGIN SELECT RAISE(ABORT, 'rows of fact are never changed'); END;

-- Results that count: not those that only check others, nor refused ones, nor those of excluded workers.
CREATE VIEW counted AS
SELECT r.* FROM result r
WHERE r.purpose <> 'check'
  AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.job = r.job AND v.ok = 0)
  AND NOT EXISTS (SELECT 1 FROM exclusion x WHERE x.worker = r.worker);
