//! `truedisk check`: wire request, run, record and report together.

use method::{CheckRequest, Times};
use record::Effort;
use target::Roots;

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
    output::run(
        &args.common,
        Times::of(effort).budget,
        |ask, stop, watch| {
            let request = CheckRequest { ask: ask.clone(), effort, bounds: args.bound.clone() };
            method::check(&request, &Roots::host(), stop, watch)
        },
        |_| Answer::Met,
    )
}
