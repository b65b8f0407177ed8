//! `truedisk limit`: the request from the arguments, its run, and whether the bounds are kept.

use method::LimitRequest;
use record::{BoundedBy, Completion, Limit, LimitPlan, Part, Purpose, Record};
use units::{Bytes, Nanos};
use workload::{Arrivals, Bound};

use crate::args::{ArrivalsArg, DEFAULT_READ_PERCENT, Depths, Kind, LimitArgs, unique_values};
use crate::exit::{Failure, Outcome};
use crate::output::{self, GoalStatus, Outputs, Run};
use crate::promise;
use crate::site::Site;

const DEFAULT_BUDGET: Nanos = Nanos::secs(600);

pub(crate) fn open_outputs(args: &LimitArgs) -> Result<Outputs, Failure> {
    Outputs::from_common(&args.common, &promise::input_files(&args.promise))
}

pub(crate) fn run(args: &LimitArgs, site: &Site, outputs: Outputs) -> Outcome {
    let (parts, first_percent) = limit_parts(args)?;
    let (depth_min, depth_max) = depth_range(args);
    let budget = args.budget.budget.unwrap_or(DEFAULT_BUDGET);
    let promise = promise::parse_promise(&args.promise)?;
    let bounds = promise::all_bounds(&args.bound, promise.as_ref());
    let arrivals = args.open_loop.map(|arrivals| match arrivals {
        ArrivalsArg::Poisson => Arrivals::Poisson,
        ArrivalsArg::Constant => Arrivals::Constant,
    });
    output::run_method(
        Run { common: &args.common, site, outputs, budget, promise, text: None },
        |ask, place, stop, observer| {
            let probe_max = args.probe_max;
            let plan =
                LimitPlan { parts, first_percent, arrivals, depth_min, depth_max, probe_max };
            method::limit(&LimitRequest { ask, plan, bounds, budget }, place, stop, observer)
        },
        |record| match limit_goal(record) {
            GoalStatus::Met => promise::goal(record),
            status => status,
        },
    )
}

/// One depth is the deepest of a search from 1; several are its ends.
fn depth_range(args: &LimitArgs) -> (Option<u32>, u32) {
    let depths = unique_values(args.depth.iter().map(|Depths(depths)| depths));
    let least = depths.first().copied().filter(|least| depths.len() > 1 && *least > 1);
    (least, depths.last().copied().unwrap_or(1))
}

/// Answers that are not certain do not count; after a search that was cut short, only confirmed
/// ones do.
fn limit_goal(record: &Record) -> GoalStatus {
    let open =
        matches!(&record.measured.plan.purpose, Purpose::Limit(plan) if plan.arrivals.is_some());
    let complete = record.measured.completion == Completion::Complete;
    let searched =
        record.judgement_or_default().curves.iter().filter(|curve| curve.open_loop == open);
    let answers: Vec<&Limit> = searched
        .flat_map(|curve| &curve.limits)
        .filter(|limit| complete || limit.confirmed)
        .filter(|limit| limit.bounded_by != BoundedBy::Unsure)
        .collect();
    let answered = |bound: &Bound| answers.iter().any(|limit| limit.bound == *bound);
    match () {
        () if !record.measured.plan.bounds.iter().all(answered) => GoalStatus::Unknown,
        () if answers.iter().any(|l| l.bounded_by == BoundedBy::Unreachable) => GoalStatus::NotMet,
        () => GoalStatus::Met,
    }
}

fn limit_parts(args: &LimitArgs) -> Result<(Vec<Part>, Option<u8>), Failure> {
    let kinds = &args.rw.0;
    let sizes = match args.bs.0.as_slice() {
        [one] => vec![*one; kinds.len()],
        several if several.len() == kinds.len() => several.to_vec(),
        several if kinds.len() == 1 => {
            let sizes = several.len();
            let message = format_args!("a search has one block size, but {sizes} were given");
            return Err(Failure::wrong(message).hint("truedisk sweep --bs takes ranges and lists"));
        }
        several => {
            let sizes = several.len();
            return Err(Failure::wrong(format_args!("{sizes} block sizes for two jobs"))
                .hint("give one size, or one for each job: --bs 4k+64k"));
        }
    };
    let mixed = kinds.iter().any(|kind| kind.is_mixed());
    if args.mix.is_some() && kinds.len() == 1 && !mixed {
        let message = "--mix says how reads and writes share, but only one of them is asked";
        let hint = "use --rw randrw, or two jobs: --rw randread+randwrite";
        return Err(Failure::wrong(message).hint(hint));
    }
    let share = args.mix.unwrap_or(DEFAULT_READ_PERCENT);
    let part = |(kind, size): (&Kind, Bytes)| kind.part(share, size);
    let parts: Vec<Part> = kinds.iter().zip(sizes).map(part).collect();
    // The share is that of the reads, whichever job comes first.
    let first = match (kinds.len(), kinds[0].reads) {
        (1, _) => None,
        (_, true) => Some(share),
        (_, false) => Some(100 - share),
    };
    Ok((parts, first))
}

#[cfg(test)]
mod tests {
    use record::LimitPlan;
    use units::Nanos;

    use super::*;

    fn searched() -> Record {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/golden/v1.json");
        let mut record = record::store::load_record(golden.as_ref()).unwrap();
        record.judgement = Some(analysis::judge(&record.measured));
        record.measured.plan.purpose = Purpose::Limit(LimitPlan {
            parts: Vec::new(),
            first_percent: None,
            arrivals: None,
            depth_min: None,
            depth_max: 1024,
            probe_max: Nanos::secs(30),
        });
        record.judged_mut().curves.truncate(1);
        record
    }

    #[test]
    fn a_bound_without_an_answer_is_neither_kept_nor_broken() {
        let check = |spoil: &dyn Fn(&mut Record), expected| {
            let mut record = searched();
            spoil(&mut record);
            assert_eq!(limit_goal(&record), expected);
        };
        let cut_short = |record: &mut Record| {
            let reason = message::Message::from_text("the time of 10 min was up");
            record.measured.completion = Completion::Partial { reason, failed: false };
        };
        check(&|_| (), GoalStatus::Met);
        check(&|r| r.judged_mut().curves.clear(), GoalStatus::Unknown);
        check(&|r| r.judged_mut().curves[0].limits.clear(), GoalStatus::Unknown);
        check(&|r| r.measured.plan.bounds.push("p50<1ms".parse().unwrap()), GoalStatus::Unknown);
        check(
            &|r| r.judged_mut().curves[0].limits[0].bounded_by = BoundedBy::Unreachable,
            GoalStatus::NotMet,
        );
        check(
            &|r| r.judged_mut().curves[0].limits[0].bounded_by = BoundedBy::Unsure,
            GoalStatus::Unknown,
        );
        check(
            &|r| {
                cut_short(r);
                r.judged_mut().curves[0].limits[0].confirmed = true;
            },
            GoalStatus::Met,
        );
        check(
            &|r| {
                cut_short(r);
                r.judged_mut().curves[0].limits[0].confirmed = false;
            },
            GoalStatus::Unknown,
        );
    }

    #[test]
    fn the_closed_loop_before_an_open_one_is_no_answer() {
        let mut record = searched();
        let Purpose::Limit(plan) = &mut record.measured.plan.purpose else { panic!() };
        plan.arrivals = Some(Arrivals::Poisson);
        assert_eq!(limit_goal(&record), GoalStatus::Unknown);
        record.judged_mut().curves[0].open_loop = true;
        assert_eq!(limit_goal(&record), GoalStatus::Met);
    }
}
