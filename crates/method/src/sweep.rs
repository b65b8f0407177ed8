//! `sweep`: a matrix of workloads, or reads next to writes at a grid of rates. The remaining cells
//! follow from the plan and the measured cells, so resuming needs no other code.

mod interference;
mod matrix;
mod resume;
mod run;
#[cfg(test)]
mod tests;

use engine::StopSignal;
use record::{Record, SweepPlan};
use units::{Bytes, Nanos};

use crate::defaults::{FILE_SIZE_MAX, LAYOUT_SHARE, LAYOUT_TIME_MAX};
use crate::error::{HaltResult, MethodError, refuse};
use crate::host_transport::Place;
use crate::observer::Observer;
use crate::request::LayoutBudget;
use crate::request_checks;
use crate::session::Session;
use resume::count_cells;
pub use run::SweepRequest;
use run::{CELL_MIN, SweepRun, build_plan};

/// A first run of a cell: enough tenths of a second for the spread between them.
const FIRST_RUN: Nanos = Nanos::millis(700);
const MEMORY_MAX: Bytes = Bytes::gib(1);
/// The plan of a sweep with its time per cell.
pub fn cell_times(cell_max: Nanos) -> (Nanos, Nanos) {
    (FIRST_RUN.min(cell_max), cell_max)
}

/// Measures a matrix; on many hosts the depths are those of all of them together. `keep` is shown
/// the record so far after the cells, and may save it.
pub fn sweep<'a>(
    request: &SweepRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
    keep: &mut dyn FnMut(&Record),
) -> Result<Record, MethodError> {
    let request = &share_depths(request, &place);
    validate_request(request)?;
    match (&request.earlier, &place) {
        (Some(earlier), Place::Here(roots)) => {
            resume::check_same_target(&earlier.measured, &request.ask, roots)?;
        }
        (Some(_), Place::Hosts(_)) => {
            let what = "a sweep over many hosts cannot be resumed";
            return refuse(what, "begin another one");
        }
        (None, _) => {}
    }
    let (budget, plan) = (layout_budget(request), build_plan(request));
    let mut session = Session::open(&request.ask, &budget, place, &plan, stop, observer)?;
    session.run_steps(|session| Ok(check_unchanged(session, request)?))?;
    if let Some(earlier) = &request.earlier {
        session.resume_run(&earlier.measured, &request.ask.command);
    }
    session.run_steps(|session| measure_plan(session, request, keep))?;
    Ok(session.finish(&request.ask, plan))
}

fn share_depths(request: &SweepRequest, place: &Place<'_>) -> SweepRequest {
    let mut request = request.clone();
    if let Place::Hosts(hosts) = place {
        let depths = &mut request.plan.depths;
        depths.iter_mut().for_each(|depth| *depth = hosts.share_depth(*depth));
        depths.dedup();
    }
    request
}

fn layout_budget(request: &SweepRequest) -> LayoutBudget {
    let SweepPlan { parts, block_sizes, write_shares, .. } = &request.plan;
    LayoutBudget {
        block_sizes: block_sizes.clone(),
        size: FILE_SIZE_MAX,
        layout: layout_time_max(request),
        budget: match request.earlier {
            Some(_) => Nanos(request.budget.0.saturating_add(LAYOUT_TIME_MAX.0)),
            None => request.budget,
        },
        measures_writes: !write_shares.is_empty() || parts.iter().any(|part| part.mix.writes()),
        known_writes: None,
        name: None,
    }
}

/// A part of the budget; what is left of an earlier run's is all for measuring.
fn layout_time_max(request: &SweepRequest) -> Nanos {
    match request.earlier {
        Some(_) => LAYOUT_TIME_MAX,
        None => LAYOUT_TIME_MAX.min(Nanos((request.budget.0 as f64 * LAYOUT_SHARE) as u64)),
    }
}

/// The least budget of cells that take `least`, with the time to lay out their file.
fn least_budget(request: &SweepRequest, least: Nanos) -> Nanos {
    match request.ask.read_only {
        true => least,
        false => Nanos((least.0 as f64 / (1.0 - LAYOUT_SHARE)).ceil() as u64)
            .min(Nanos(least.0.saturating_add(LAYOUT_TIME_MAX.0))),
    }
}

fn measure_plan(
    session: &mut Session<'_>,
    request: &SweepRequest,
    keep: &mut dyn FnMut(&Record),
) -> HaltResult {
    // The budget of a whole run counts from its start; what is left of an earlier run's, from here.
    let begun = request.earlier.as_ref().map_or(Nanos::ZERO, |_| session.elapsed());
    session.clock.budget = Nanos(begun.0.saturating_add(request.budget.0));
    let mut run = SweepRun { started: begun, session, request, keep, save_from: Nanos::ZERO };
    if request.plan.write_shares.is_empty() { run.run_matrix() } else { run.run_interference() }
}

fn validate_request(request: &SweepRequest) -> Result<(), MethodError> {
    let plan = &request.plan;
    for (list, what) in [
        (plan.parts.is_empty(), "workloads"),
        (plan.block_sizes.is_empty(), "block sizes"),
        (plan.depths.is_empty(), "depths"),
    ] {
        if list {
            let what = format!("the list of {what} is empty");
            return refuse(what, "name one, or leave the option out");
        }
    }
    if plan.cell_time.1 < CELL_MIN {
        let what = format!("a cell of {} is too short to say anything", plan.cell_time.1);
        return refuse(what, format!("give it {CELL_MIN} or more: --cell-max"));
    }
    let writes = !plan.write_shares.is_empty();
    if request.ask.read_only
        && let Some(part) = plan.parts.iter().find(|part| part.mix.writes() || writes)
    {
        return Err(MethodError::WritesForbidden(if writes {
            "--interference".into()
        } else {
            analysis::curve_name(&part.access, part.mix, part.block_size).1.text().to_owned()
        }));
    }
    let deepest = plan.depths.iter().copied().max().unwrap_or(0);
    request_checks::check_memory(&plan.block_sizes, deepest, MEMORY_MAX)?;
    let (count, least) = count_cells(plan)?;
    let least = least_budget(request, least);
    if request.earlier.is_none() && least > request.budget {
        let what =
            format!("{count} cells need at least {least}, but --budget is {}", request.budget);
        return refuse(what, "give more time, or name fewer cells");
    }
    Ok(())
}

/// What can only be refused once the target is open and laid out: that it is not what it was.
fn check_unchanged(session: &Session<'_>, request: &SweepRequest) -> Result<(), MethodError> {
    if let Some(earlier) = &request.earlier {
        resume::check_same_size(&earlier.measured, session)?;
    }
    match &request.earlier {
        Some(earlier) if earlier.measured.plan.span != session.facts.span.length => {
            let (then, now) = (earlier.measured.plan.span, session.facts.span.length);
            let what = format!("{then} were measured then, but only {now} could be made ready now");
            refuse(what, "resume when the target has more room, or is faster")
        }
        _ => Ok(()),
    }
}
