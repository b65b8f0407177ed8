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
    pub run: RunOptions,
    pub target: TargetOptions,
    pub size: SizeOptions,
    pub pattern: PatternOptions,
    pub data: DataOptions,
    pub engine: EngineOptions,
    pub sync: SyncOptions,
    pub rate: RateOptions,
    pub goal: GoalOptions,
    pub verify: VerifyOptions,
    pub log: LogOptions,
    pub replay: ReplayOptions,
    pub report: ReportOptions,
    pub errors: ErrorOptions,
    pub placement: PlacementOptions,
    pub zone: ZoneOptions,
}

impl JobOptions {
    /// Whether it gives blocks back: by `rw`, or after writing them.
    pub fn trims(&self) -> bool {
        let operation = self.pattern.rw.operation;
        operation.trims() || operation.writes() && self.verify.trims_places()
    }
}
