//! `truedisk replay`: the request from the arguments, and its run.

mod export;
pub(crate) mod plan;

use method::{MeasureRequest, ReplayRequest, SpeedSearch};
use record::OffsetMap;
use units::Nanos;

use crate::args::{MapArg, ReplayArgs};
use crate::exit::{Failure, Outcome};
use crate::output::{self, Outputs, Run};
use crate::site::Site;

/// Of a search; a replay takes as long as its load.
const DEFAULT_BUDGET: Nanos = Nanos::secs(300);

pub(crate) fn run(args: &ReplayArgs) -> Outcome {
    if args.as_fio.is_some() || args.as_preset.is_some() {
        return export::export(args);
    }
    match &args.plan {
        Some(name) => plan::answer_plan(args, name),
        None => replay(args, &Site::Local, open_outputs(args)?),
    }
}

/// A profile on other hosts.
pub(crate) fn run_on_hosts(args: &ReplayArgs, site: &Site, outputs: Outputs) -> Outcome {
    let here = [
        ("--plan", args.plan.is_some()),
        ("--as-fio", args.as_fio.is_some()),
        ("--as-preset", args.as_preset.is_some()),
    ];
    if let Some((option, _)) = here.into_iter().find(|(_, is_given)| *is_given) {
        let message = format_args!("{option} measures nothing, and needs no hosts");
        return Err(Failure::wrong(message).hint("use truedisk replay"));
    }
    replay(args, site, outputs)
}

pub(crate) fn open_outputs(args: &ReplayArgs) -> Result<Outputs, Failure> {
    Outputs::from_common(&args.common, &[&args.load])
}

fn replay(args: &ReplayArgs, site: &Site, outputs: Outputs) -> Outcome {
    let seed = output::seed_or_random(args.common.extent.seed)?;
    let load = method::read_load(&args.load, seed)?;
    let search = args.limit.then(|| SpeedSearch {
        bounds: args.bound.clone(),
        probe_max: args.probe_max,
        budget: args.budget.budget.unwrap_or(DEFAULT_BUDGET),
    });
    let map = args.map.map(|map| match map {
        MapArg::Scale => OffsetMap::Scale,
        MapArg::Wrap => OffsetMap::Wrap,
        MapArg::AsIs => OffsetMap::AsIs,
    });
    let speed = args.speed;
    let budget = load.expected_time(speed, search.as_ref());
    output::run_method(
        Run { common: &args.common, site, outputs, budget, promise: None, text: None },
        |ask, place, stop, observer| {
            // What is drawn from a profile follows from the seed that the record names.
            let ask = MeasureRequest { seed, ..ask };
            let (load, search) = (load.clone(), search.clone());
            method::replay(&ReplayRequest { ask, load, speed, map, search }, place, stop, observer)
        },
    )
}
