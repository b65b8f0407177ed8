//! `sweep`: a matrix of workloads, or reads next to writes at a grid of rates.
//!
//! What is still to be measured is never kept: it follows from the plan and the cells that there
//! are. So a run that goes on after an interruption is the same code as one that begins.

mod interference;
mod matrix;
mod resume;
#[cfg(test)]
mod tests;

use engine::StopSignal;
use record::{Part, Plan, Purpose, Record, SweepPlan};
use units::{Bytes, Nanos};
use workload::Job;

use crate::defaults::{FILE_SIZE_MAX, LAYOUT_TIME_MAX, WARM_UP, WARM_UP_TURNS};
use crate::error::{Halt, MethodError};
use crate::host_transport::Place;
use crate::observer::Observer;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::request_checks;
use crate::session::MeasureSession;

/// A first run of a cell: enough tenths of a second for the spread between them.
const FIRST_RUN: Nanos = Nanos::millis(700);
/// The longest warm-up of a run.
const WARM_UP_MAX: Nanos = Nanos::secs(1);
/// The shortest cell that `cell_time` may ask for.
const CELL_MIN: Nanos = Nanos::millis(300);
/// The largest matrix: at a second each, half an hour.
const CELLS_MAX: usize = 2000;
/// The most memory that the operations of a cell may need at the same time.
const MEMORY_MAX: Bytes = Bytes::gib(1);
/// Saving what there is so far may take this share of the time.
const SAVE_DIVISOR: u64 = 20;

/// What is asked of a sweep.
#[derive(Debug, Clone)]
pub struct SweepRequest {
    /// What every method is asked.
    pub ask: MeasureRequest,
    /// The matrix, or the grid of writes.
    pub plan: SweepPlan,
    /// Time of measuring: what the least of each cell leaves goes to the widest intervals.
    pub budget: Nanos,
    /// The record of the interrupted run that this one goes on with.
    pub earlier: Option<Box<Record>>,
}

impl SweepRequest {
    /// A request for what a record of an interrupted sweep lacks. `ask` brings the permission to
    /// write and the command line; everything else is that of the record.
    ///
    /// # Errors
    /// When the record is none of a sweep, is complete, or is of another path than `path`.
    pub fn resume(
        record: Record,
        ask: &MeasureRequest,
        path: Option<&std::path::Path>,
    ) -> Result<Self, MethodError> {
        resume::build_request(record, ask, path)
    }
}

/// The plan of a sweep with its time per cell.
#[must_use]
pub fn cell_times(cell_max: Nanos) -> (Nanos, Nanos) {
    (FIRST_RUN.min(cell_max), cell_max)
}

/// Measures a matrix; on many hosts the depths are those of all of them together. `keep` is shown
/// the record so far after the cells, and may save it.
///
/// # Errors
/// When the request contradicts itself, nothing could be measured, or what there is to go on with
/// was measured on another target.
pub fn sweep<'a>(
    request: &SweepRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
    keep: &mut dyn FnMut(&Record),
) -> Result<Record, MethodError> {
    validate_request(request)?;
    match (&request.earlier, &place) {
        (Some(earlier), Place::Here(roots)) => {
            resume::check_same_target(&earlier.measured, &request.ask, roots)?;
        }
        (Some(_), Place::Hosts(_)) => {
            let what = "a sweep over many hosts cannot be gone on with";
            return Err(MethodError::invalid_request(what, "begin another one"));
        }
        (None, _) => {}
    }
    let (budget, plan) = (layout_budget(request), |span| build_plan(request, span));
    let mut session = MeasureSession::open(&request.ask, &budget, place, &plan, stop, observer)?;
    session.run_steps(|session| Ok(check_unchanged(session, request)?))?;
    if let Some(earlier) = &request.earlier {
        session.resume_run(&earlier.measured, &request.ask.command);
    }
    session.run_steps(|session| measure_plan(session, request, keep))?;
    let plan = plan(session.facts.span.length);
    Ok(session.finish(&request.ask, plan))
}

fn layout_budget(request: &SweepRequest) -> LayoutBudget {
    let SweepPlan { parts, block_sizes, write_shares, .. } = &request.plan;
    LayoutBudget {
        block_sizes: block_sizes.clone(),
        size: FILE_SIZE_MAX,
        layout: LAYOUT_TIME_MAX,
        budget: Nanos(request.budget.0.saturating_add(LAYOUT_TIME_MAX.0)),
        measures_writes: !write_shares.is_empty() || parts.iter().any(|part| part.mix.writes()),
        name: None,
    }
}

/// Measures on a session that is ready.
fn measure_plan(
    session: &mut MeasureSession<'_>,
    request: &SweepRequest,
    keep: &mut dyn FnMut(&Record),
) -> Result<(), Halt> {
    let begun = session.elapsed();
    session.clock.budget = Nanos(begun.0.saturating_add(request.budget.0));
    let mut run = SweepRun { started: begun, session, request, keep, save_from: Nanos::ZERO };
    if request.plan.write_shares.is_empty() { run.run_matrix() } else { run.run_interference() }
}

/// A sweep while it goes.
struct SweepRun<'run, 'session> {
    session: &'run mut MeasureSession<'session>,
    request: &'run SweepRequest,
    keep: &'run mut dyn FnMut(&Record),
    /// When measuring began.
    started: Nanos,
    /// When what there is may be saved again.
    save_from: Nanos,
}

impl SweepRun<'_, '_> {
    /// Runs jobs at the same time, and lets what there is then be saved. One that was stopped
    /// half-way leaves nothing: it is measured again when the run goes on.
    fn measure_cell(
        &mut self,
        jobs: &[Job],
        role: record::CellRole,
        words: &str,
    ) -> Result<(), Halt> {
        let before = self.session.cells.len();
        let result = self.session.measure_cell(jobs, role, words);
        let ended = match result {
            Ok(()) => false,
            Err(Halt::Ended) => true,
            Err(Halt::Failed(_)) => return result,
        };
        let cut = |cell: &record::Cell| {
            cell.job.stop.time.is_some_and(|asked| cell.elapsed.0 < asked.0 / 10 * 9)
        };
        if ended && self.session.cells[before..].iter().any(cut) {
            self.session.cells.truncate(before);
        }
        self.save(ended);
        result
    }

    /// Saves what there is, unless that has taken too much of the time lately.
    fn save(&mut self, must: bool) {
        let before = self.session.elapsed();
        if before < self.save_from && !must {
            return;
        }
        let plan = build_plan(self.request, self.session.facts.span.length);
        self.session.show_partial_record(&self.request.ask, plan, self.keep);
        let after = self.session.elapsed();
        let pause = SAVE_DIVISOR.saturating_mul(after.0 - before.0);
        self.save_from = Nanos(after.0.saturating_add(pause));
    }

    /// Time of the budget that is left.
    fn time_left(&self) -> Nanos {
        let used = self.session.elapsed().0 - self.started.0;
        Nanos(self.request.budget.0.saturating_sub(used))
    }
}

fn build_plan(request: &SweepRequest, span: Bytes) -> Plan {
    Plan {
        purpose: Purpose::Sweep(request.plan.clone()),
        budget: request
            .earlier
            .as_ref()
            .map_or(request.budget, |earlier| earlier.measured.plan.budget),
        bounds: Vec::new(),
        read_only: request.ask.read_only,
        span,
        seed: request.ask.seed,
    }
}

/// What can be refused before any I/O.
fn validate_request(request: &SweepRequest) -> Result<(), MethodError> {
    let plan = &request.plan;
    for (list, what) in [
        (plan.parts.is_empty(), "workloads"),
        (plan.block_sizes.is_empty(), "block sizes"),
        (plan.depths.is_empty(), "depths"),
    ] {
        if list {
            let what = format!("the list of {what} is empty");
            return Err(MethodError::invalid_request(what, "name one, or leave the option out"));
        }
    }
    if plan.cell_time.1 < CELL_MIN {
        let what = format!("a cell of {} is too short to say anything", plan.cell_time.1);
        return Err(MethodError::invalid_request(
            what,
            format!("give it {CELL_MIN} or more: --cell-max"),
        ));
    }
    let writes = !plan.write_shares.is_empty();
    if request.ask.read_only
        && let Some(part) = plan.parts.iter().find(|part| part.mix.writes() || writes)
    {
        return Err(MethodError::WritesForbidden(if writes {
            "--interference".into()
        } else {
            analysis::curve_name(&part.access, part.mix, part.block_size).1
        }));
    }
    let deepest = plan.depths.iter().copied().max().unwrap_or(0);
    request_checks::check_memory(&plan.block_sizes, deepest, MEMORY_MAX)?;
    let (count, least) = count_cells(plan)?;
    if request.earlier.is_none() && least > request.budget {
        let what =
            format!("{count} cells need at least {least}, but --budget is {}", request.budget);
        return Err(MethodError::invalid_request(what, "give more time, or name fewer cells"));
    }
    Ok(())
}

/// Cells or points of a plan, and the least time for them; too many are refused, before anything
/// is made for each of them.
fn count_cells(plan: &SweepPlan) -> Result<(usize, Nanos), MethodError> {
    let matrix = plan.write_shares.is_empty();
    let (count, least) = if matrix { matrix::min_time(plan) } else { interference::min_time(plan) };
    if count > CELLS_MAX {
        let what = format!("{count} cells are more than {CELLS_MAX}");
        return Err(MethodError::invalid_request(what, "name fewer workloads, sizes or depths"));
    }
    Ok((count, least))
}

/// What can only be refused once the target is open and laid out: that it is not what it was.
fn check_unchanged(
    session: &MeasureSession<'_>,
    request: &SweepRequest,
) -> Result<(), MethodError> {
    if let Some(earlier) = &request.earlier {
        resume::check_same_size(&earlier.measured, session)?;
    }
    match &request.earlier {
        Some(earlier) if earlier.measured.plan.span != session.facts.span.length => {
            let (then, now) = (earlier.measured.plan.span, session.facts.span.length);
            let what = format!("{then} were measured then, but only {now} could be made ready now");
            Err(MethodError::invalid_request(
                what,
                "resume when the target has more room, or is faster",
            ))
        }
        _ => Ok(()),
    }
}

/// The sum of times; those of a file may be anything.
fn sum_times(times: impl Iterator<Item = Nanos>) -> Nanos {
    Nanos(times.fold(0, |sum, time| sum.saturating_add(time.0)))
}

/// The part of a cell: order and mix of `part`, at a block size of its own.
fn with_block_size(part: &Part, block_size: Bytes) -> Part {
    Part { block_size, ..part.clone() }
}

/// Until every slot was used, at the rate that is known of a similar cell.
fn warm_up_time(depth: u32, iops: Option<f64>) -> Nanos {
    let turns = iops.map_or(0.0, |iops| WARM_UP_TURNS * f64::from(depth) / iops.max(0.1) * 1e9);
    Nanos(WARM_UP.0.saturating_add(turns as u64)).min(WARM_UP_MAX)
}
