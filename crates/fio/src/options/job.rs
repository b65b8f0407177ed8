//! One job's options, typed.
//!
//! The text of an option becomes a field here (see [`super::values`]); rules between options are
//! applied once, at the end, by [`super::resolve`]. Units stand in the field names: `_us` is
//! microseconds, `_ms` milliseconds, `_ns` nanoseconds; sizes are bytes. Arrays of three are per
//! direction: reads, writes, trims, in this order.

use super::data::DataOptions;
use super::engine::EngineOptions;
use super::errors::ErrorOptions;
use super::goal::GoalOptions;
use super::log::LogOptions;
use super::pattern::PatternOptions;
use super::placement::PlacementOptions;
use super::rate::RateOptions;
use super::replay::ReplayOptions;
use super::report::ReportOptions;
use super::run::RunOptions;
use super::sizes::SizeOptions;
use super::sync::SyncOptions;
use super::target::TargetOptions;
use super::verify::VerifyOptions;
use super::zone::ZoneOptions;

/// Everything that one job section says, over fio's defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct JobOptions {
    /// Name, number, order and run time.
    pub run: RunOptions,
    /// Files and devices.
    pub target: TargetOptions,
    /// How much, and where in the files.
    pub size: SizeOptions,
    /// Order, mix and sizes of the operations.
    pub pattern: PatternOptions,
    /// Content of what is written.
    pub data: DataOptions,
    /// Interface and depth.
    pub engine: EngineOptions,
    /// Flushes.
    pub sync: SyncOptions,
    /// Rates, pauses, flows.
    pub rate: RateOptions,
    /// Latency targets and steady states.
    pub goal: GoalOptions,
    /// Reading back what was written.
    pub verify: VerifyOptions,
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
    /// Zones.
    pub zone: ZoneOptions,
}
