//! `truedisk check`: wire request, run, record and report together.

use method::{CheckRequest, Times};
use record::Effort;
use target::Roots;
use units::Nanos;

use crate::args::CheckArgs;
use crate::output::{Answer, Outputs};
use crate::{Outcome, output, promise};

/// Runs the check and tells its result; a promise that is not kept is status 3.
pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let (effort, until_throttled) = asked(args);
    let promise = promise::asked(&args.promise)?;
    let bounds = promise::all_bounds(&args.bound, promise.as_ref());
    output::run(
        &args.common,
        Outputs::of(&args.common, &promise::inputs(&args.promise))?,
        Nanos(Times::of(effort).budget.0 + until_throttled.map_or(0, |time| time.0)),
        |ask, stop, watch| {
            let roots = Roots::host();
            let before = target::volume_counters(&ask.path, &roots);
            let request = CheckRequest { ask: ask.clone(), effort, bounds, until_throttled };
            let mut record = method::check(&request, &roots, stop, watch)?;
            let after = target::volume_counters(&ask.path, &roots);
            record.measured.volumes = target::counted_since(&before, &after);
            Ok(promise::judged(record, promise))
        },
        |record| if promise::broken(record) { Answer::NotMet } else { Answer::Met },
    )
}

/// How thorough, and how long a burst is waited for.
pub(crate) fn asked(args: &CheckArgs) -> (Effort, Option<Nanos>) {
    let effort = match (args.quick, args.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Standard,
    };
    (effort, args.until_throttled.then_some(args.budget))
}
