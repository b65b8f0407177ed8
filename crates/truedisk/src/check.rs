//! `truedisk check`: wire request, run, record and report together.

use method::{CheckRequest, Place, TimeBudget};
use record::Effort;
use target::Roots;
use units::Nanos;

use crate::args::CheckArgs;
use crate::output::{GoalStatus, Outputs};
use crate::{Outcome, output, promise};

/// Runs the check and tells its result; a promise that is not kept is status 3.
pub(crate) fn run(args: &CheckArgs) -> Outcome {
    let (effort, until_throttled) = effort_and_burst_wait(args);
    let promise = promise::parse_promise(&args.promise)?;
    let bounds = promise::all_bounds(&args.bound, promise.as_ref());
    output::run_method(
        &args.common,
        Outputs::from_common(&args.common, &promise::input_files(&args.promise))?,
        Nanos(TimeBudget::for_effort(effort).budget.0 + until_throttled.map_or(0, |time| time.0)),
        |ask, stop, watch| {
            let roots = Roots::host();
            let before = target::read_volume_counters(&ask.path, &roots);
            let request = CheckRequest { ask: ask.clone(), effort, bounds, until_throttled };
            let mut record = method::check(&request, Place::Here(&roots), stop, watch)?;
            let after = target::read_volume_counters(&ask.path, &roots);
            record.measured.volumes = target::subtract_volume_counters(&before, &after);
            Ok(promise::judge_with_promise(record, promise))
        },
        |record| if promise::is_broken(record) { GoalStatus::NotMet } else { GoalStatus::Met },
    )
}

/// How thorough, and how long a burst is waited for.
pub(crate) fn effort_and_burst_wait(args: &CheckArgs) -> (Effort, Option<Nanos>) {
    let effort = match (args.quick, args.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Standard,
    };
    (effort, args.until_throttled.then_some(args.budget))
}
