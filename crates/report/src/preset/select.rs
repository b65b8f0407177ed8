//! Which cells a familiar text is made of: found by what their jobs do, so that a
//! user's own preset can be printed as well.

use record::{Cell, StepWork};
use workload::{Access, Mix};

use super::result::{PresetResult, StepResult};

pub(super) fn single_job_steps<'r>(
    result: &PresetResult<'r>,
) -> impl Iterator<Item = StepResult<'r>> + use<'r> {
    result.steps().filter(|step| match &step.step.work {
        StepWork::Jobs { jobs } => jobs.len() == 1,
        StepWork::Surface { .. } | StepWork::Metadata(_) => false,
    })
}

/// Of the passes of a step with one job the one in the middle, by rate.
pub(super) fn median_pass<'r>(step: &StepResult<'r>) -> Option<&'r Cell> {
    let mut passes: Vec<&Cell> = step.passes().collect();
    passes.sort_by(|a, b| a.bytes_per_second().total_cmp(&b.bytes_per_second()));
    passes.get(passes.len().saturating_sub(1) / 2).copied()
}

/// Whether every operation is a read, in that order of places.
pub(super) fn is_read(cell: &Cell, in_sequence: bool) -> bool {
    cell.job.mix == Mix::Read && (cell.job.access == Access::Sequential) == in_sequence
}

pub(super) fn data_bytes(cell: &Cell) -> u64 {
    cell.data_directions().map(|totals| totals.bytes).sum()
}

/// The measured time in seconds, with the sync at the end where there was one.
pub(super) fn measured_seconds(cell: &Cell) -> f64 {
    let sync = cell.end_sync.map_or(0, |sync| sync.0);
    cell.elapsed.0.saturating_add(sync) as f64 / 1e9
}

/// What stands for the drive: the path as it was given.
pub(super) fn target_path<'r>(result: &PresetResult<'r>) -> &'r str {
    result.record.measured.target().map_or("", |target| target.path.as_str())
}
