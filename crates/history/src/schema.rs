//! The tables, the same for every database, and how an older history becomes a newer one.
//!
//! Types and statements are those that SQLite and PostgreSQL share.

/// The version that this truedisk writes.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What leads from each version to the next, from an empty database on. A step that was shipped
/// is never edited.
pub(crate) const MIGRATIONS: [&str; 2] = [VERSION_1, VERSION_2];

/// Times are microseconds since 1970. A figure has columns for its value and both ends of its
/// interval, for each metric that is followed over time.
const VERSION_1: &str = "
CREATE TABLE truedisk_run (
  id TEXT PRIMARY KEY,
  started BIGINT NOT NULL,
  finished BIGINT NOT NULL,
  host TEXT,
  target TEXT NOT NULL,
  device TEXT,
  command TEXT NOT NULL,
  tool TEXT NOT NULL,
  complete BIGINT NOT NULL,
  trust TEXT,
  headline TEXT
);
CREATE INDEX truedisk_run_started ON truedisk_run (started);
CREATE INDEX truedisk_run_target ON truedisk_run (target, started);
CREATE TABLE truedisk_tag (
  name TEXT PRIMARY KEY,
  run TEXT NOT NULL
);
CREATE INDEX truedisk_tag_run ON truedisk_tag (run);
CREATE TABLE truedisk_figures (
  run TEXT NOT NULL,
  place BIGINT NOT NULL,
  cell TEXT NOT NULL,
  direction TEXT NOT NULL,
  invalid BIGINT NOT NULL,
  iops DOUBLE PRECISION, iops_low DOUBLE PRECISION, iops_high DOUBLE PRECISION,
  bytes DOUBLE PRECISION, bytes_low DOUBLE PRECISION, bytes_high DOUBLE PRECISION,
  mean DOUBLE PRECISION, mean_low DOUBLE PRECISION, mean_high DOUBLE PRECISION,
  p50 DOUBLE PRECISION, p50_low DOUBLE PRECISION, p50_high DOUBLE PRECISION,
  p99 DOUBLE PRECISION, p99_low DOUBLE PRECISION, p99_high DOUBLE PRECISION,
  p999 DOUBLE PRECISION, p999_low DOUBLE PRECISION, p999_high DOUBLE PRECISION,
  PRIMARY KEY (run, cell, direction)
);
";

/// Watches came: the share of what a disk can do.
const VERSION_2: &str = "
ALTER TABLE truedisk_figures ADD COLUMN used DOUBLE PRECISION;
ALTER TABLE truedisk_figures ADD COLUMN used_low DOUBLE PRECISION;
ALTER TABLE truedisk_figures ADD COLUMN used_high DOUBLE PRECISION;
";

/// What a database that keeps records itself has besides, step by step.
pub(crate) const RECORD_MIGRATIONS: [&str; MIGRATIONS.len()] = [
    "
CREATE TABLE truedisk_record (
  run TEXT PRIMARY KEY,
  gz BYTEA NOT NULL
);
",
    "",
];

pub(crate) const PUT_RUN: &str = "
INSERT INTO truedisk_run
 (id, started, finished, host, target, device, command, tool, complete, trust, headline)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (id) DO UPDATE SET
 started = excluded.started, finished = excluded.finished, host = excluded.host,
 target = excluded.target, device = excluded.device, command = excluded.command,
 tool = excluded.tool, complete = excluded.complete, trust = excluded.trust,
 headline = excluded.headline";

pub(crate) const PUT_FIGURES: &str = "
INSERT INTO truedisk_figures VALUES
 ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
  $22, $23, $24, $25, $26)";

pub(crate) const PUT_RECORD: &str = "
INSERT INTO truedisk_record (run, gz) VALUES ($1, $2)
ON CONFLICT (run) DO UPDATE SET gz = excluded.gz";

pub(crate) const PUT_TAG: &str = "
INSERT INTO truedisk_tag (name, run) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET run = excluded.run";

pub(crate) const DELETE_RUN: &str = "DELETE FROM truedisk_run WHERE id = $1";
pub(crate) const DELETE_FIGURES: &str = "DELETE FROM truedisk_figures WHERE run = $1";
pub(crate) const DELETE_RECORD: &str = "DELETE FROM truedisk_record WHERE run = $1";
pub(crate) const DELETE_TAGS: &str = "DELETE FROM truedisk_tag WHERE run = $1";
pub(crate) const DELETE_TAG: &str = "DELETE FROM truedisk_tag WHERE name = $1";
