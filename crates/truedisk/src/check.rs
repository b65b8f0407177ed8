//! `truedisk check`: wire request, run, record and report together.

use method::{CheckRequest, Times};
use record::{Effort, Kept, Record};
use target::Roots;

use crate::args::CheckArgs;
use crate::output::Answer;
use crate::{Outcome, output, promise};

/// Runs the check and tells its result.
pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let effort = match (args.quick, args.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Standard,
    };
    let promise = promise::asked(args)?;
    let mut bounds = args.bound.clone();
    for bound in promise.iter().flat_map(promise::bounds) {
        if !bounds.contains(&bound) {
            bounds.push(bound);
        }
    }
    output::run(
        &args.common,
        Times::of(effort).budget,
        |ask, stop, watch| {
            let roots = Roots::host();
            let before = target::volume_counters(&ask.path, &roots);
            let request = CheckRequest { ask: ask.clone(), effort, bounds };
            let mut record = method::check(&request, &roots, stop, watch)?;
            let after = target::volume_counters(&ask.path, &roots);
            record.volumes = target::counted_since(&before, &after);
            if promise.is_some() {
                record.promise = promise;
                analysis::judge(&mut record);
            }
            Ok(record)
        },
        answer,
    )
}

/// Whether every number that was promised is kept, as far as that can be told.
fn answer(record: &Record) -> Answer {
    let outcomes = record.promise.iter().flat_map(|promise| &promise.outcomes);
    match outcomes.into_iter().any(|outcome| outcome.kept == Kept::NotKept) {
        true => Answer::NotMet,
        false => Answer::Met,
    }
}
