//! First touch: does the first write of a block cost more than the next? A fresh place is written
//! twice, then another one. Scattered small writes only on a device: in a file they would split
//! the reserved extents, and that cost is the file system's.

use record::Trial;
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Payload, Span, Stop};

use super::fresh::FreshSpan;
use super::timing::{cell_time, probe_deadline};
use crate::error::HaltResult;
use crate::session::Session;

/// Sequential: the block and depth of the sequential cells.
const LARGE: Bytes = Bytes::mib(1);
const LARGE_DEPTH: Depth = Depth(8);
/// A sequential place: as many blocks as are outstanding, at least, and no more than this.
const PLACE: (Bytes, Bytes) = (Bytes::mib(8), Bytes::mib(64));
/// Scattered: one block in each grain, the unit in which thin volumes commonly allocate (qcow2's
/// clusters and LVM's smallest chunks have 64 KiB).
const GRAIN: Bytes = Bytes::kib(64);
const SCATTERED: Bytes = Bytes::mib(4);
const ROUNDS: (u64, u64) = (4, 6);
const PAIR_GOOD: Nanos = Nanos::millis(60);
const SLICE_MIN: Nanos = Nanos::millis(5);
/// Slices that a pass may take; then it is cut off, and its place is not compared.
const PASS_SLICES_MAX: u64 = 8;

pub(super) fn probe_first_touch(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    if !session.facts.writable || !session.facts.direct {
        return Ok(());
    }
    let rounds = (time.0 / PAIR_GOOD.0).clamp(ROUNDS.0, ROUNDS.1);
    let patience = Nanos(cell_time(time, 2 * rounds, SLICE_MIN).0 * PASS_SLICES_MAX);
    let large = plan_place_size(session, cell_time(time, 2 * rounds, SLICE_MIN));
    let on_device = session.facts.info.kind == record::TargetKind::BlockDevice;
    let each = large.0 + if on_device { SCATTERED.0 } else { 0 };
    let Some(fresh) = FreshSpan::find(session, Bytes(rounds * each)) else {
        return Ok(());
    };
    let until = probe_deadline(session, time);
    let mut free = fresh.span;
    let kinds: &[bool] = if on_device { &[false, true] } else { &[false] };
    fresh.measure_on(session, |session| {
        for round in 1..=rounds {
            for &scattered in kinds {
                let length = if scattered { SCATTERED } else { large };
                let Some(place) = take_span(&mut free, length) else { return Ok(()) };
                let job = Job { stop: build_stop(patience, place, scattered), ..base.clone() };
                let job = place_job(job, place, scattered);
                write_twice(session, &job, round as u32, scattered)?;
            }
            if session.elapsed() > until {
                break;
            }
        }
        Ok(())
    })
}

fn plan_place_size(session: &Session<'_>, slice: Nanos) -> Bytes {
    let sequential = |cell: &&record::Cell| {
        cell.job.mix == Mix::Write
            && cell.job.access == Access::Sequential
            && cell.job.block_size == LARGE
    };
    let rate = session.cells.iter().find(sequential).map_or(0.0, record::Cell::bytes_per_second);
    let moved = (rate * slice.as_secs_f64()) as u64 / LARGE.0 * LARGE.0;
    Bytes(moved).clamp(PLACE.0, PLACE.1)
}

fn take_span(free: &mut Span, length: Bytes) -> Option<Span> {
    let place = Span { length, ..*free };
    let rest = free.length.0.checked_sub(length.0)?;
    *free = Span { offset: Bytes(free.offset.0 + length.0), length: Bytes(rest) };
    Some(place)
}

fn build_stop(time: Nanos, place: Span, scattered: bool) -> Stop {
    match scattered {
        true => Stop { operations: Some(place.length.0 / GRAIN.0), ..Stop::after(time) },
        false => Stop { bytes: Some(place.length), ..Stop::after(time) },
    }
}

fn place_job(job: Job, span: Span, scattered: bool) -> Job {
    let common =
        Job { mix: Mix::Write, payload: Payload::Unique, warm_up: Nanos::ZERO, span, ..job };
    if !scattered {
        let (block_size, depth) = (LARGE.max(common.block_size), LARGE_DEPTH);
        let access = Access::Sequential;
        return Job { name: "touch-seq-1m".to_owned(), access, block_size, depth, ..common };
    }
    let run = common.block_size;
    let skip = Bytes(GRAIN.0.saturating_sub(run.0));
    let access = Access::Gapped { run, skip };
    Job { name: format!("touch-{}", run.to_compact()), access, depth: Depth(1), ..common }
}

fn write_twice(session: &mut Session<'_>, job: &Job, round: u32, scattered: bool) -> HaltResult {
    for pass in 1..=2 {
        let trial = Trial::Touch { pass, round, scattered };
        session.measure_probe(job, trial)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_each_other_until_nothing_is_free() {
        let mut free = Span { offset: Bytes::mib(1), length: Bytes::mib(20) };
        let first = take_span(&mut free, Bytes::mib(8)).unwrap();
        let second = take_span(&mut free, Bytes::mib(8)).unwrap();
        assert_eq!((first.offset, second.offset), (Bytes::mib(1), Bytes::mib(9)));
        assert_eq!(take_span(&mut free, Bytes::mib(8)), None);
        assert_eq!(free.length, Bytes::mib(4));
    }

    #[test]
    fn scattered_writes_touch_every_grain_once() {
        let place = Span { offset: Bytes(0), length: SCATTERED };
        let job = Job { stop: build_stop(Nanos::secs(1), place, true), ..Job::base() };
        let job = place_job(job, place, true);
        assert_eq!(job.stop.operations, Some(64));
        let Access::Gapped { run, skip } = job.access else { panic!("{:?}", job.access) };
        assert_eq!(Bytes(run.0 + skip.0), GRAIN);
    }
}
