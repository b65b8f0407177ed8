//! `truedisk limit`: the request from the arguments, and its run.

use method::LimitRequest;
use record::{LimitPlan, Part};
use units::{Bytes, Nanos};
use workload::Arrivals;

use crate::args::{ArrivalsArg, DEFAULT_READ_PERCENT, Depths, Kind, LimitArgs, unique_values};
use crate::exit::{Failure, Outcome};
use crate::output::{self, Outputs, Run};
use crate::promise;
use crate::site::Site;

const DEFAULT_BUDGET: Nanos = Nanos::secs(600);

pub(crate) fn open_outputs(args: &LimitArgs) -> Result<Outputs, Failure> {
    refuse_depth_list(&args.depth)?;
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
            let (parts, bounds, probe_max) = (parts.clone(), bounds.clone(), args.probe_max);
            let plan =
                LimitPlan { parts, first_percent, arrivals, depth_min, depth_max, probe_max };
            method::limit(&LimitRequest { ask, plan, bounds, budget }, place, stop, observer)
        },
    )
}

/// A search tries depths of its own choice between two ends.
fn refuse_depth_list(depths: &[Depths]) -> Result<(), Failure> {
    let is_one_range = depths.len() == 1;
    let given: usize = depths.iter().map(|Depths(depths)| depths.len()).sum();
    if is_one_range || given <= 2 {
        return Ok(());
    }
    let message = "a search has a deepest and a shallowest queue, and takes no list of depths";
    Err(Failure::wrong(message)
        .hint("write a range: --depth 8..64; truedisk sweep --depth measures each depth of a list"))
}

/// One depth is the deepest of a search from 1; several are its ends.
fn depth_range(args: &LimitArgs) -> (Option<u32>, u32) {
    let depths = unique_values(args.depth.iter().map(|Depths(depths)| depths));
    let least = depths.first().copied().filter(|least| depths.len() > 1 && *least > 1);
    (least, depths.last().copied().unwrap_or(1))
}

fn limit_parts(args: &LimitArgs) -> Result<(Vec<Part>, Option<u8>), Failure> {
    let kinds = &args.rw.0;
    let sizes = match args.bs.0.as_slice() {
        [one] => vec![*one; kinds.len()],
        several if several.len() == kinds.len() => several.to_vec(),
        several if kinds.len() == 1 => {
            let sizes = several.len();
            let message = format_args!("a search has one block size, but {sizes} were given");
            let hint = "two sizes need two jobs, --rw randread+randwrite; truedisk sweep --bs \
                        takes ranges and lists";
            return Err(Failure::wrong(message).hint(hint));
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
