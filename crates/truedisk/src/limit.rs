//! `truedisk limit`: wire request, search, record and report together.

use method::LimitRequest;
use record::{BoundedBy, Part, Record};
use target::Roots;
use units::Bytes;
use workload::{Access, Arrivals, Mix};

use crate::args::{ArrivalsArg, Kind, LimitArgs};
use crate::{Failure, Outcome, output};

/// The share of reads where none is given, in percent.
const MIX: u8 = 75;
const WRONG: u8 = 2;

/// Searches the limit and tells its result; a bound that is not kept at any load is status 3.
pub(crate) fn limit(args: &LimitArgs) -> Outcome {
    let (parts, first_percent) = parts(args)?;
    output::run(
        &args.common,
        args.budget,
        |ask, stop, watch| {
            let request = LimitRequest {
                ask: ask.clone(),
                parts,
                first_percent,
                bounds: args.bound.clone(),
                arrivals: args.open_loop.map(|arrivals| match arrivals {
                    ArrivalsArg::Poisson => Arrivals::Poisson,
                    ArrivalsArg::Constant => Arrivals::Constant,
                }),
                depth_max: args.depth_max,
                probe_max: args.probe_max,
                budget: args.budget,
            };
            method::limit(&request, &Roots::host(), stop, watch)
        },
        reached,
    )
}

/// Whether every bound is kept at some load.
fn reached(record: &Record) -> bool {
    let limits = record.curves.iter().flat_map(|curve| &curve.limits);
    !limits.into_iter().any(|limit| limit.bounded_by == BoundedBy::Unreachable)
}

/// The workloads, and how the depth of two is shared.
fn parts(args: &LimitArgs) -> Result<(Vec<Part>, Option<u8>), Failure> {
    let kinds = &args.rw.0;
    let sizes = match args.bs.as_slice() {
        [one] => vec![*one; kinds.len()],
        several if several.len() == kinds.len() => several.to_vec(),
        several => {
            let message = format!("{} block sizes for {} jobs", several.len(), kinds.len());
            let hint = "give one size, or one for each of two jobs joined with '+'".to_owned();
            return Err(Failure::new(message, Some(hint), WRONG));
        }
    };
    let mixed = kinds.iter().any(|kind| kind.reads && kind.writes);
    if args.mix.is_some() && kinds.len() == 1 && !mixed {
        let message = "--mix says how reads and writes share, but only one of them is asked";
        let hint = "use --rw randrw, or two jobs: --rw randread+randwrite".to_owned();
        return Err(Failure::new(message, Some(hint), WRONG));
    }
    let share = args.mix.unwrap_or(MIX);
    let part = |(kind, size): (&Kind, Bytes)| Part {
        access: if kind.random { Access::Random } else { Access::Sequential },
        mix: match (kind.reads, kind.writes) {
            (true, true) => Mix::Mixed { read_percent: share },
            (true, false) => Mix::Read,
            (false, _) => Mix::Write,
        },
        block_size: size,
    };
    let parts: Vec<Part> = kinds.iter().zip(sizes).map(part).collect();
    // The share is that of the reads, whichever job comes first.
    let first = match (kinds.len(), kinds[0].reads) {
        (1, _) => None,
        (_, true) => Some(share),
        (_, false) => Some(100 - share),
    };
    Ok((parts, first))
}
