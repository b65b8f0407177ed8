//! `truedisk check`: wire request, run, record and report together.

use method::{CheckRequest, Times};
use record::Effort;
use target::Roots;
use units::Nanos;

use crate::args::CheckArgs;
use crate::output::Answer;
use crate::{Outcome, output};

/// Runs the check and tells its result.
pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let effort = match (args.quick, args.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Standard,
    };
    let until_throttled = args.until_throttled.then_some(args.budget);
    output::run(
        &args.common,
        Nanos(Times::of(effort).budget.0 + until_throttled.map_or(0, |time| time.0)),
        |ask, stop, watch| {
            let request = CheckRequest {
                ask: ask.clone(),
                effort,
                bounds: args.bound.clone(),
                until_throttled,
            };
            method::check(&request, &Roots::host(), stop, watch)
        },
        |_| Answer::Met,
    )
}
