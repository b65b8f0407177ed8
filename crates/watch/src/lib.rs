//! A live disk: what its requests took, how many there were, and what the host did meanwhile.
//!
//! A [`Source`] is opened for a list of [`Disk`]s and asked for a [`Sample`] once per interval.
//! [`open_source`] takes the best one that works here, and says why a better one does not.
//!
//! A [`Capture`] hands out the requests of one disk, one by one.
//!
//! What it deliberately does not do: add I/O (but for a [`Probe`]), print.
//!
//! Invariants
//! - A source leaves nothing behind when it is dropped: no program, no map, no open tracepoint.
//! - What a source cannot see is absent, never zero. Counters have no percentile.
//! - procfs and sysfs come in as [`Roots`](target::Roots): counters are tested on recorded text.
//!
//! Start reading at [`Sample`], then [`open_source`].
#![forbid(unsafe_code)]

mod clock;
mod counters;
mod disks;
mod diskstats;
mod ebpf;
mod error;
mod health;
mod host;
mod judge;
mod known;
mod limits;
mod open;
mod others;
mod probe;
mod sample;
mod series;
mod source;
mod summary;
mod trace;
mod volumes;
mod watched;

pub use counters::CountersSource;
pub use disks::{Disk, disks_of_stack, is_request_based, list_disks};
pub use ebpf::{Capture, CaptureEnd, EbpfSource, EbpfUnavailable};
pub use error::WatchError;
pub use health::DiskHealth;
pub use judge::{DiskFacts, DiskJudgement, LimitUse, Verdict, judge};
pub use known::{KnownCurve, KnownPoint, list_known_curves};
pub use limits::read_io_limits;
pub use open::{OpenedSource, open_source};
pub use others::{OthersUnseen, OthersWatch};
pub use probe::Probe;
pub use sample::{
    DeviceSample, DirectionSample, HostSample, ProbeSample, Sample, SourceKind, Submitter, Waiter,
    WaiterName,
};
pub use series::WatchSeries;
pub use source::Source;
pub use summary::{DiskSummary, IntervalFigures, WatchSummary, histogram_statistic};
pub use trace::{TraceSource, TraceUnavailable};
pub use volumes::VolumeReader;
pub use watched::{describe_probe, describe_watch};
