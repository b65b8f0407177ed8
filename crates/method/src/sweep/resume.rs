//! Going on with a sweep that was interrupted.

use std::path::{Path, PathBuf};

use record::{Measured, Purpose, Record, SweepPlan, TargetInfo, TargetKind};
use target::{Roots, describe_target};
use units::Nanos;

use super::run::{CELLS_MAX, SweepRequest, sum_times};
use super::{interference, matrix};
use crate::error::{MethodError, refuse};
use crate::request::MeasureRequest;
use crate::session::Session;

impl SweepRequest {
    /// A request for what a record of an interrupted sweep lacks. `ask` brings the permission to
    /// write and the command line; everything else is that of the record.
    pub fn resume(
        record: Record,
        ask: &MeasureRequest,
        path: Option<&Path>,
    ) -> Result<SweepRequest, MethodError> {
        let measured = &record.measured;
        let id = &measured.id;
        let Purpose::Sweep(plan) = measured.plan.purpose.clone() else {
            let what = format!("run {id} is a {}, not a sweep", measured.plan.purpose.name());
            return refuse(what, "only a sweep can be resumed");
        };
        // The file may say anything: what is refused of a request is refused of it, before its
        // cells are counted one by one.
        let (count, least) = count_cells(&plan)?;
        let missing = count_missing(&record, &plan);
        if missing == 0 {
            let what = format!("run {id} is complete: nothing is missing");
            return refuse(what, "begin another one: truedisk sweep PATH");
        }
        let Some(target) = measured.target() else {
            let what = format!("run {id} does not say what it measured");
            return refuse(what, "begin another one: truedisk sweep PATH");
        };
        let then = PathBuf::from(&target.path);
        if let Some(path) = path {
            let same = std::fs::canonicalize(path).ok() == std::fs::canonicalize(&then).ok();
            if !same {
                return Err(different_plan_error(&format!(
                    "{} and not {}",
                    then.display(),
                    path.display()
                )));
            }
        }
        let times = measured.cells.iter().flat_map(|cell| [cell.elapsed, cell.job.warm_up]);
        let spent = sum_times(times);
        // At least what the missing cells need, however much was spent on the others.
        let least = (least.0 / count.max(1) as u64).saturating_mul(missing as u64);
        let budget = Nanos(measured.plan.budget.0.saturating_sub(spent.0).max(least));
        let ask = MeasureRequest {
            path: then,
            size: Some(measured.plan.span),
            read_only: measured.plan.read_only,
            seed: measured.plan.seed,
            ..ask.clone()
        };
        Ok(SweepRequest { ask, plan, budget, earlier: Some(Box::new(record)) })
    }
}

/// Cells or points of a plan, and the least time for them; too many are refused, before anything
/// is made for each of them.
pub(super) fn count_cells(plan: &SweepPlan) -> Result<(usize, Nanos), MethodError> {
    let matrix = plan.write_shares.is_empty();
    let (count, least) = if matrix { matrix::min_time(plan) } else { interference::min_time(plan) };
    if count > CELLS_MAX {
        let what = format!("{count} cells are more than {CELLS_MAX}");
        return refuse(what, "name fewer workloads, sizes or depths");
    }
    Ok((count, least))
}

fn count_missing(record: &Record, plan: &SweepPlan) -> usize {
    if plan.write_shares.is_empty() {
        let places = matrix::matrix_cells(plan);
        return places
            .iter()
            .filter(|place| place.find_runs(&record.measured.cells).is_empty())
            .count();
    }
    // Each share is one cell of reads; those alone are measured twice, the writes alone once.
    let pairs = record.measured.cells.iter().filter(|cell| cell.beside.is_some()).count() / 2;
    let alone = record.measured.cells.iter().filter(|cell| cell.beside.is_none()).count();
    let shares = plan.write_shares.iter().filter(|share| **share > 0.0).count();
    (shares + 3).saturating_sub(pairs + alone)
}

fn different_plan_error(how: &str) -> MethodError {
    let what = format!("the interrupted run measured another target: {how}");
    MethodError::invalid_request(what, "what two targets did does not belong into one record")
}

pub(super) fn check_same_target(
    earlier: &Measured,
    ask: &MeasureRequest,
    roots: &Roots,
) -> Result<(), MethodError> {
    let now = describe_target(&ask.path, roots)?;
    match earlier.target().and_then(|then| find_difference(then, &now)) {
        Some(how) => Err(different_plan_error(&how)),
        None => Ok(()),
    }
}

/// Refuses a file whose size changed; that is known only once it is open. One of our own is as
/// large as it was asked to be.
pub(super) fn check_same_size(
    earlier: &Measured,
    session: &Session<'_>,
) -> Result<(), MethodError> {
    let then = earlier.target().filter(|then| then.kind == TargetKind::File);
    match then.zip(session.opened()) {
        Some((then, now)) if then.size != now.size => Err(different_plan_error(&format!(
            "{} had {} and has {}",
            then.path, then.size, now.size
        ))),
        _ => Ok(()),
    }
}

/// What tells two targets apart; names of devices may change from one start of a system to the
/// next, their serials and sizes do not.
fn find_difference(then: &TargetInfo, now: &TargetInfo) -> Option<String> {
    if then.path != now.path {
        return Some(format!("{} and not {}", then.path, now.path));
    }
    if then.kind != now.kind {
        return Some(format!("{} is something else now", now.path));
    }
    let source = |info: &TargetInfo| info.file_system.as_ref().map(|fs| (fs.kind.clone(), fs.size));
    if source(then) != source(now) {
        return Some(format!("another file system is at {}", now.path));
    }
    if then.stack.len() != now.stack.len() {
        return Some(format!("other devices are under {}", now.path));
    }
    then.stack.iter().zip(&now.stack).find_map(|(then, now)| {
        if then.size != now.size {
            return Some(format!("{} had {} and has {}", now.name, then.size, now.size));
        }
        let words = |serial: &Option<String>| serial.clone().unwrap_or_else(|| "none".to_owned());
        (then.serial != now.serial).then(|| {
            format!("{} has serial {}, not {}", now.name, words(&now.serial), words(&then.serial))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Bytes;

    #[test]
    fn another_target_is_told_from_the_same_one() {
        let then = record::fixture::ssd_record().measured.targets.remove(0);
        let check = |spoil: &dyn Fn(&mut TargetInfo), words: Option<&str>| {
            let mut now = then.clone();
            spoil(&mut now);
            match (find_difference(&then, &now), words) {
                (None, None) => {}
                (Some(said), Some(words)) => assert!(said.contains(words), "{said}"),
                (said, _) => panic!("{said:?}, not {words:?}"),
            }
        };
        check(&|_| {}, None);
        check(&|now| now.stack[0].name = "vdb".to_owned(), None);
        check(&|now| now.size = Bytes(1), None);
        check(&|now| now.path = "/elsewhere".to_owned(), Some("/elsewhere"));
        check(&|now| now.kind = TargetKind::File, Some("something else"));
        check(&|now| now.stack[0].size = Bytes(1), Some("had"));
        check(&|now| now.stack[0].serial = Some("other".to_owned()), Some("serial other"));
        check(&|now| now.stack.clear(), Some("other devices"));
        check(&|now| now.file_system = None, Some("another file system"));
    }

    #[test]
    fn only_sweeps_that_lack_something_are_gone_on_with() {
        let ask = MeasureRequest {
            path: ".".into(),
            size: None,
            read_only: false,
            destroy_data_on: None,
            max_written: None,
            seed: units::Seed(1),
            command: record::CommandLine::default(),
            version: String::new(),
        };
        let error = SweepRequest::resume(record::fixture::ssd_record(), &ask, None).unwrap_err();
        assert!(error.to_string().contains("is a check, not a sweep"), "{error}");
    }
}
