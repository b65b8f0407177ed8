//! `truedisk check`: the request from the arguments, and its run.

use method::{CheckRequest, TimeBudget};
use record::Effort;
use units::Nanos;

use crate::args::CheckArgs;
use crate::exit::{Failure, Outcome};
use crate::nagios;
use crate::output::{self, Outputs, Run};
use crate::promise;
use crate::site::Site;

pub(crate) fn open_outputs(args: &CheckArgs) -> Result<Outputs, Failure> {
    if args.budget.is_some() && args.until_throttled.is_none() {
        let hint = "--quick takes about 15 s, --thorough about 6 minutes";
        return Err(Failure::wrong("check has no --budget").hint(hint));
    }
    Outputs::from_common(&args.common, &promise::input_files(&args.promise))
}

pub(crate) fn run(args: &CheckArgs, site: &Site, outputs: Outputs) -> Outcome {
    let effort = match (args.quick, args.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Standard,
    };
    let until_throttled = args.until_throttled.map(|time| args.budget.unwrap_or(time));
    let promise = promise::parse_promise(&args.promise)?;
    let bounds = promise::all_bounds(&args.bound, promise.as_ref());
    let waiting = until_throttled.map_or(0, |time| time.0);
    let budget = Nanos(TimeBudget::for_effort(effort).budget.0 + waiting);
    let run = |outputs: Outputs, text: Option<output::ReportText<'_>>| {
        output::run_method(
            Run { common: &args.common, site, outputs, budget, promise, text },
            |ask, place, stop, observer| {
                let bounds = bounds.clone();
                let request = CheckRequest { ask, effort, bounds, until_throttled };
                method::check(&request, place, stop, observer)
            },
        )
    };
    match args.nagios {
        true => nagios::run_as_plugin(outputs, args.common.fail_on, run),
        false => run(outputs, None),
    }
}
