//! The same blocks twice. A cache below us makes the second read fast; a volume that is filled on
//! first touch makes the first one slow. Where the second was faster, they are read once more after
//! all other reads: what was fetched stays, and a cache has other blocks by then. `analysis` tells
//! them apart. Several regions, so that one disturbance cannot look like either.

use record::{Cell, Trial};
use units::{Bytes, Nanos, Seed};
use workload::{Job, Span, Stop};

use crate::error::HaltResult;
use crate::session::Session;

/// Regions of the span; the answer must be the same in all, or all but one.
const REGIONS: u64 = 5;
/// Reads of a region, at most: few enough for the smallest cache, and enough for a median known to
/// a few percent.
const READS_MAX: u64 = 1000;
/// The least of which there is a median with an interval (`stats::minimum_samples`).
const READS_MIN: u64 = 6;
/// Where reads are so slow that a pass has fewer, those of the other regions take at most this
/// multiple of its time, and aim at twice the least.
const REGIONS_LONGER_MAX: u64 = 4;

/// Where first reads took this many times as long as the second, the blocks are read once more.
/// What counts as faster is up to `analysis`.
const FASTER_FROM: f64 = 1.2;
/// Regions and reads of each: a median that tells slow from fast needs no more.
const REGIONS_LATER: usize = 3;
const READS_LATER: u64 = 16;

pub(super) fn probe_reread(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let block = base.block_size.0;
    let length = Bytes(session.facts.span.length.0 / REGIONS / block * block);
    // Half of the region at most: a pass must not come back to its own blocks.
    let reads = READS_MAX.min(length.0 / block / 2);
    if reads < READS_MIN {
        return Ok(());
    }
    let planned = Nanos(time.0 / (2 * REGIONS));
    let mut pass = planned;
    for region in 0..REGIONS {
        let offset = Bytes(session.facts.span.offset.0 + region * length.0);
        let job = Job {
            name: format!("reread-{}-region-{}", base.block_size.to_compact(), region + 1),
            span: Span { offset, length },
            warm_up: Nanos::ZERO,
            ..base.clone()
        };
        let before = session.cells.len();
        read_twice(session, &job, reads, pass)?;
        let read = session.cells.get(before).map_or(0, |cell| cell.ledger.read_ops);
        if read < READS_MIN {
            let longer = (2 * READS_MIN).div_ceil(read.max(1)).min(REGIONS_LONGER_MAX);
            pass = Nanos(pass.0 * longer).min(Nanos(planned.0 * REGIONS_LONGER_MAX));
        }
    }
    Ok(())
}

fn read_twice(session: &mut Session<'_>, job: &Job, reads: u64, pass: Nanos) -> HaltResult {
    let order = Seed(session.seed.0.wrapping_add(job.span.offset.0));
    let mut stop = Stop { operations: Some(reads), ..Stop::after(pass) };
    for number in [1, 2] {
        let before = session.cells.len();
        let seed = session.seed_for(order);
        let name = format!("{}-{number}", job.name);
        let again = Job { name, seed, stop, ..job.clone() };
        session.measure_probe(&again, Trial::Reread { pass: number })?;
        let read = session.cells.get(before).map_or(0, |cell| cell.ledger.read_ops);
        if read < READS_MIN {
            return Ok(());
        }
        // The number of the first time, and no longer than twice its time.
        stop = Stop { operations: Some(read), ..Stop::after(Nanos(pass.0 * 2)) };
    }
    Ok(())
}

/// Reads some blocks of regions whose second read was faster once more.
pub(super) fn probe_reread_later(session: &mut Session<'_>, _: &Job, _: Nanos) -> HaltResult {
    let mean_ns = |cell: &Cell| cell.totals.read.as_ref().map_or(0.0, |read| read.latency_ns.mean);
    let pairs = analysis::pair_rereads(&session.cells).into_iter();
    let faster = pairs.filter(|(first, second)| mean_ns(first) > FASTER_FROM * mean_ns(second));
    let to_job = |(first, second): (&Cell, &Cell)| {
        let reads = second.ledger.read_ops.min(READS_LATER);
        // Slow again, they take as long as the first time.
        let stop = Stop { operations: Some(reads), ..Stop::after(first.elapsed) };
        let name = format!("{}-3", first.job.name.strip_suffix("-1")?);
        Some(Job { name, stop, ..second.job.clone() })
    };
    let jobs = Vec::from_iter(faster.filter_map(to_job).take(REGIONS_LATER));
    // In fewer regions it was chance.
    if jobs.len() < REGIONS_LATER {
        return Ok(());
    }
    for job in jobs {
        let again = Job { seed: session.seed_for(job.seed), ..job };
        session.measure_probe(&again, Trial::Reread { pass: 3 })?;
    }
    Ok(())
}
