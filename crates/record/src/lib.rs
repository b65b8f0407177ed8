//! What was measured: the record's schema, and its files.
//!
//! A [`Record`] is one JSON document per run: everything that was measured, the environment it
//! was measured in, and the judgement that was made of it. Analyses and reports are functions of
//! it, so an old run can be judged again by a better analysis. It is also the only place for
//! types that are stored: no other crate defines what stands on disk.
//!
//! Invariants
//! - [`SCHEMA_VERSION`] rises with every change that an older reader would misread; a record of
//!   a newer schema is refused, not half understood.
//! - What could not be observed is `None` (absent in JSON), never zero.
//! - Latencies are integer nanoseconds, sizes integer bytes, rates per second.
//! - No command line that is stored holds a secret: [`CommandLine`] redacts whatever it is made of.
//! - This crate measures nothing and judges nothing.
//!
//! Start reading at [`Record`], then [`Cell`]; [`store`] has the files.
#![forbid(unsafe_code)]

mod absent;
mod cell;
pub mod compare;
mod curve;
mod environment;
mod finding;
#[cfg(feature = "fixture")]
pub mod fixture;
mod fleet;
mod imported;
mod inventory;
mod latency;
mod metadata;
mod pause;
mod ping;
mod plan;
mod preset;
mod promise;
mod run;
mod run_id;
mod secret;
pub mod store;
mod summary;
mod surface;
mod target;
mod tool;
mod trial;
mod upgrade;
mod verdict;
mod write_state;

pub use cell::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuTime, DirectionInterval,
    DirectionTotals, Directions, Failures, Interval, LayerCounters, Ledger, OpenLoop, PerDirection,
    ProcessCounters, Residency, SystemCounters, TickSeries, Ticks, Verified,
};
pub use curve::{
    BoundedBy, Curve, CurvePoint, Fall, Fit, Interference, InterferencePoint, Limit, LimitPart,
    Shape, Stand, TwoLimits,
};
pub use environment::{
    Calibration, ClockSource, ContainerInfo, Environment, IoLimit, IoUringStatus,
};
pub use finding::{Evidence, Finding, FindingId, Status};
pub use fleet::{
    Fleet, FleetCell, FleetHost, FleetSpan, HostCell, HostClock, Lost, Slowest, Window, WindowRate,
};
pub use imported::Imported;
pub use inventory::{Device, Inventory, Mounted, Swap, WriteStand};
pub use latency::LatencySummary;
pub use metadata::{
    CacheState, EntriesCounted, Metadata, MetadataLoad, MetadataOp, MetadataPhase, MetadataPlan,
};
pub use pause::{Pause, PauseKind};
pub use ping::{PingFigures, PingMark, PingPlan, PingRequest, PingTarget};
pub use plan::{Effort, LimitPlan, Part, Plan, Purpose, SweepPlan};
pub use preset::{
    PresetOutcome, PresetPlan, PresetStep, PresetThreshold, Score, StepCell, StepFigure,
    StepFigures, StepOutcome, StepScore, StepWork, ThresholdOutcome,
};
pub use promise::{Kept, Promise, PromiseOutcome, Promised, PromisedWhat, VolumeCounters};
pub use run::{Judgement, Measured, Record, Resumed};
pub use run_id::{RUN_ID_EXAMPLE, is_run_id};
pub use secret::{CommandLine, redact_address, redact_secrets};
pub use summary::{Figure, Figures, Metric, RunSummary};
pub use surface::{
    AccessPoint, Rotation, Slice, SliceStand, StretchPoint, Surface, ZoneLaw, Zones,
};
pub use target::{
    ExtentSummary, FileSystem, Layer, LayerKind, LayoutRun, Link, QueueLimits, TargetInfo,
    TargetKind,
};
pub use tool::{Completion, SCHEMA_VERSION, Tool};
pub use trial::{Content, ContentSample, Trial};
pub use verdict::{ClassClaim, ClassMatch, ClassVerdict, Trust, Verdict};
pub use write_state::{Counted, TokenBucket, WriteState, Writes};
