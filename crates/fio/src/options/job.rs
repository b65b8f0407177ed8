//! One job's options, typed, with fio's defaults.
//!
//! The text of an option becomes a field here (see [`super::values::apply`]); rules between
//! options are applied once, at the end, by [`super::values::settle`]. Units stand in the field
//! names: `_us` is microseconds, `_ms` milliseconds, `_ns` nanoseconds; sizes are bytes.
//!
//! Arrays of three are per direction: reads, writes, trims, in this order ([`READS`], [`WRITES`],
//! [`TRIMS`]).

mod engine;
mod log;
mod pattern;
mod placement;
mod target;
mod time;
mod verify;

pub use engine::{
    CommandPriority, Engine, EngineOptions, SubmitMode, SyncFileRange, SyncMode, SyncOptions,
};
pub use log::{
    ErrorList, ErrorOptions, ErrorSet, LogName, LogOptions, ReplayOptions, ReportOptions,
    UnifiedReporting, UnitBase, WindowValue,
};
pub use pattern::{
    BlockShare, DataOptions, DedupeMode, Distribution, FillPattern, Operation, PatternOptions,
    RandomGenerator, ReadWrite, SequenceKind, ZoneShare,
};
pub use placement::{
    BufferMemory, CpuPolicy, ExecOptions, MemoryPolicy, PlacementOptions, ZoneMode, ZoneOptions,
};
pub use target::{
    FadviseHint, Fallocate, FileService, LockFile, SizeOptions, SizeRange, SizeValue,
    TargetOptions, WriteHint,
};
pub use time::{
    ExitWhat, FlowOptions, GoalOptions, RateOptions, RateProcess, SteadyLimit, SteadyMetric,
    SteadyState, ThinkBlocks, TimeOptions, TimeRange,
};
pub use verify::{VerifyMethod, VerifyOptions};

/// Index of reads in arrays per direction.
pub const READS: usize = 0;
/// Index of writes in arrays per direction.
pub const WRITES: usize = 1;
/// Index of trims in arrays per direction.
pub const TRIMS: usize = 2;

/// A value for reads, one for writes and one for trims.
pub type PerDirection<T> = [T; 3];

/// Everything that one job section says, over fio's defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobOptions {
    /// `name`: overrides the section's name in reports.
    pub name: Option<String>,
    /// `description`: printed, not parsed.
    pub description: Option<String>,
    /// Files and devices.
    pub target: TargetOptions,
    /// How much, and where in the files.
    pub size: SizeOptions,
    /// Order, mix and sizes of the operations.
    pub pattern: PatternOptions,
    /// Content of what is written.
    pub data: DataOptions,
    /// Interface, depth, batches.
    pub engine: EngineOptions,
    /// Flushes.
    pub sync: SyncOptions,
    /// Run time, start, copies, groups.
    pub time: TimeOptions,
    /// Rates, pauses.
    pub rate: RateOptions,
    /// Balance between jobs of one flow.
    pub flow: FlowOptions,
    /// Latency targets and steady state.
    pub goal: GoalOptions,
    /// Reading back what was written.
    pub verify: VerifyOptions,
    /// Zones.
    pub zone: ZoneOptions,
    /// Time series written to files.
    pub log: LogOptions,
    /// Recording and replaying single operations.
    pub replay: ReplayOptions,
    /// What is measured and printed.
    pub report: ReportOptions,
    /// What errors do.
    pub errors: ErrorOptions,
    /// Processors, memory, priorities.
    pub placement: PlacementOptions,
    /// Commands before and after.
    pub exec: ExecOptions,
}
