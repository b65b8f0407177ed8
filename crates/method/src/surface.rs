//! The surface: how fast the target is read, place by place. Places come in random order, so that
//! drift does not look like a zone. Random reads come before the sequential ones, whose blocks a
//! cache would answer. Places that lie below the curve are read again at the end.

use record::{SliceStand, Trial};
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Span, Stop};

use crate::error::HaltResult;
use crate::session::Session;
use crate::shuffle::shuffle_items;

/// Block and depth of sequential reads that keep any single disk streaming: 8 MiB outstanding.
pub(crate) const STREAM_SHAPE: (Bytes, Depth) = (Bytes::mib(1), Depth(8));
const GRID: Bytes = Bytes::mib(1);
/// A place is at most so long: four of the fastest links' tenths of a second.
const PLACE_MAX: Bytes = Bytes::gib(4);
/// Time for the head to come and for the drive's reading ahead to begin.
const WARM_UP: Nanos = Nanos::millis(40);

/// Of a shorter place a disk of 5 GB/s would leave nothing after that time: it is read without.
const WARM_UP_BYTES_MIN: Bytes = Bytes::mib(256);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SurfacePlan {
    /// Places, spread evenly from the first byte to the last.
    pub(crate) places: u64,
    pub(crate) slice: Nanos,
    pub(crate) block: Bytes,
    pub(crate) depth: Depth,
    /// Random reading within each: its seeks are short ones.
    pub(crate) access: Nanos,
    /// Number of weak places that are read twice more, at most.
    pub(crate) suspects: usize,
}

/// Reads the whole of the target place by place; nothing is written. `base` is a random read at
/// depth 1. A target of which less than 2 MiB come on each place is left alone.
pub(crate) fn measure_surface(
    session: &mut Session<'_>,
    base: &Job,
    plan: &SurfacePlan,
) -> HaltResult {
    let whole = Bytes(session.whole_size().0 / GRID.0 * GRID.0);
    let length = Bytes((whole.0 / plan.places.max(2)).min(PLACE_MAX.0) / GRID.0 * GRID.0);
    if length.0 < 2 * GRID.0 {
        return Ok(());
    }
    let last = plan.places.max(2) - 1;
    let start = |place: u64| Bytes((whole.0 - length.0) / GRID.0 * place / last * GRID.0);
    let mut places: Vec<Span> =
        (0..=last).map(|place| Span { offset: start(place), length }).collect();
    shuffle_items(&mut places, base.seed);
    for place in places {
        measure_access(session, base, place, plan)?;
        measure_slice(session, base, place, plan)?;
    }
    let found = analysis::build_surface(&session.cells, whole);
    let suspects: Vec<Bytes> = found
        .iter()
        .flat_map(|surface| &surface.slices)
        .filter(|slice| slice.stand == SliceStand::Suspect)
        .map(|slice| slice.at)
        .take(plan.suspects)
        .collect();
    for offset in suspects.iter().chain(&suspects) {
        measure_slice(session, base, Span { offset: *offset, length }, plan)?;
    }
    Ok(())
}

fn measure_slice(
    session: &mut Session<'_>,
    base: &Job,
    place: Span,
    plan: &SurfacePlan,
) -> HaltResult {
    let at = place.offset;
    let job = Job {
        name: format!("surface-{}", at.to_compact()),
        access: Access::Sequential,
        block_size: plan.block,
        depth: plan.depth,
        span: place,
        warm_up: if place.length < WARM_UP_BYTES_MIN { Nanos::ZERO } else { WARM_UP },
        // Not round again: what was read once is in some cache.
        stop: Stop { bytes: Some(place.length), ..Stop::after(plan.slice) },
        ..base.clone()
    };
    session.measure_probe_anywhere(&job, Trial::Surface { at })
}

fn measure_access(
    session: &mut Session<'_>,
    base: &Job,
    place: Span,
    plan: &SurfacePlan,
) -> HaltResult {
    if plan.access == Nanos::ZERO {
        return Ok(());
    }
    let at = place.offset;
    let job = Job {
        name: format!("access-{}", at.to_compact()),
        span: place,
        warm_up: WARM_UP,
        stop: Stop::after(plan.access),
        ..base.clone()
    };
    session.measure_probe_anywhere(&job, Trial::Access { at })
}
