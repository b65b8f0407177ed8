//! Presets: the tests of tools that people know, and of applications, as data.
//!
//! A preset is a TOML file of steps and thresholds. Those that are compiled in lie in
//! `crates/method/presets`; a user has others in files of his own. [`Preset::parse`] makes a
//! checked plan of the text, [`preset()`] measures it, `analysis::preset` makes figures of its
//! cells, and `report::preset` tells them, or prints the text of the tool that it imitates.
//!
//! # How to add a preset
//!
//! Write `crates/method/presets/NAME.toml` and add a line to `catalogue`. That is all:
//!
//! ```toml
//! title = "what it is, in a few words"
//! imitates = "whom, and how faithfully"
//! sources = ["https://..."]        # where that is described
//! size = "1g"                      # of the test file (1g); an existing file or device: all of it
//! format = "lines"                 # its familiar text, of report::preset::FORMATS
//! notes = ["what a reader should know"]
//!
//! [defaults]                       # for steps: passes, discard, pause, rest, score, direct...
//! passes = 3
//! [defaults.job]                   # for jobs: every key of theirs
//! time = "5s"
//!
//! [[step]]
//! name = "seq1m-read"              # unique; the cells are called after it
//! label = "SEQ1M Q8T1, read"       # as it is told
//! note = "what it does and does not measure"
//! passes = 3                       # measured so often (1)
//! discard = 1                      # passes before them that do not count (0)
//! settle = "3s"                    # before each pass: flushed, then left alone so long (no)
//! pause = "5s"                     # after each pass (none)
//! rest = "5s"                      # after the last pass, before the next step (none)
//! score = "best"                   # as the tool takes its figure: best, mean, median (median)
//! direct = true                    # past the page cache (true)
//! drop-cache = true                # the page cache is emptied of it before each pass (false)
//! end-sync = "fdatasync"           # or fsync, after the last write of a pass; counts in its rate
//! skip-unaligned = true            # left out where its blocks are no whole sectors (refused)
//! fresh = "64m"                    # each pass writes a file of its own: reserved, never written
//! group = "mixes"                  # neighbours of one group take turns, pass by pass
//! until-steady = true              # passes at most; until five in a row are steady
//! job = [{ access = "sequential", mix = "read", bs = "1m", depth = 8 }]
//! ```
//!
//! A job has, with what it is otherwise in parentheses:
//! - `name` (needed where several run beside each other);
//! - `access` (random): random, sequential, backward, random-repeating, zipf:1.2, pareto:0.2,
//!   partly-random:20; `mix` (read): read, write, 75/25;
//! - `bs` (4k), or several with shares in percent: `4k/60:64k/40`; or every multiple of the
//!   smallest, as often as any other: `4k-1m`;
//! - `depth` (1): outstanding in all, shared by `workers` (1); `engine` (auto): auto, io_uring,
//!   libaio, sync, psync, pvsync, threads, mmap - of those that block, a thread each;
//! - `sync`: fsync, fdatasync or sync_file_range after each `sync-every` (1) writes; `durable`:
//!   dsync or sync, with every single write;
//! - `payload` (unique): unique, zero, dev-zero (read from `/dev/zero` before each write, as dd
//!   does), compressible:50, dedupable:30;
//! - `span` (100%) and `offset` (0): the part that is touched, as a size or a share;
//! - `time` (5s) of measuring, `warm-up` (none) before it; it may end earlier after `bytes` (a size
//!   or a share such as 200%) or `operations`, both with the warm-up;
//! - `rate`, an open loop of so many a second, with `arrivals` (poisson) or constant; or
//!   `interval`, one at a time with pauses, which is how latency is probed of an idle disk; or
//!   `cap-iops` or `cap-mbps`; `think` after each `think-every` (1);
//! - `touch`: a byte of each sector read is changed before the next read, as hdparm does;
//! - `finish`: what is under way when the `time` is up is waited for and counted with its time.
//!
//! Other kinds of steps: `kind = "surface"` reads the whole target in `places` (51), each for
//! `slice` (250ms) in sequence, in blocks of `bs` (1m) with a `depth` (8), and for `access` (120ms)
//! at random within it; its figures are the record's `surface`. `kind = "metadata"` makes small
//! files, by itself in its preset: `files`, `threads`, `rounds`; its figures are the
//! record's `metadata`. A new kind is a variant of [`record::StepWork`], read in `validate` and
//! run in `run`.
//!
//! ```toml
//! [[threshold]]
//! step = "wal"
//! of = "sync"                      # read, write, sync; where the job has several
//! statistic = "p99"                # iops, mbps, mean, max, p50, p90, p95, p99, p99.9, p99.99
//! below = "10ms"                   # of latencies; of iops and mbps: at-least = 1500
//! source = "https://..."           # where it is published, or: convention = true
//! ```
//!
//! How to add a familiar text: see `report::preset`.
//!
//! Invariants
//! - Nothing of a preset is ignored: a key that is not known is an error with its line.
//! - Every departure of a run from its preset stands in the record, and is shown.

mod catalogue;
mod crystaldiskmark;
mod error;
mod plan;
mod run;
mod schema;
#[cfg(test)]
mod tests;
mod validate;
mod values;

pub use catalogue::built_in_names;
pub use error::PresetError;
pub use plan::{Preset, PresetRequest};
pub use run::preset;
