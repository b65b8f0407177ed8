//! Flush: does it cost anything to make a write durable? One client overwrites the same few MiB,
//! in turn without and with an fdatasync after each write.

use record::Trial;
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Payload, Span, Stop, SyncKind, SyncPolicy};

use super::timing::{cell_time, probe_deadline};
use crate::error::HaltResult;
use crate::session::Session;

/// The same place for both: what is measured is the flush, not the way to another track.
const PLACE: Bytes = Bytes::mib(4);
/// Three are the least for an interval.
const ROUNDS: (u64, u64) = (3, 6);
const PAIR_GOOD: Nanos = Nanos::millis(100);
/// A write alone takes a fraction of what one with a flush takes on most devices.
const PLAIN_SHARE: u64 = 4;
const SLICE_MIN: Nanos = Nanos::millis(5);
/// Fewer commits in the first slice than this, as on a host that is starved of processor time, and
/// the others are longer by [`LONGER_FACTOR`]. The rounds end by the deadline all the same.
const COMMITS_GOOD: u64 = 8;
const LONGER_FACTOR: u64 = 3;

pub(crate) fn probe_flush(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    if !session.facts.writable || !session.facts.direct {
        return Ok(());
    }
    let rounds = (time.0 / PAIR_GOOD.0).clamp(ROUNDS.0, ROUNDS.1);
    let both = Nanos(2 * cell_time(time, 2 * rounds, SLICE_MIN).0);
    let plain = Nanos(both.0 / PLAIN_SHARE).max(SLICE_MIN);
    let flushed = Nanos(both.0.saturating_sub(plain.0)).max(SLICE_MIN);
    let until = probe_deadline(session, time);
    let at_last = Nanos(until.0 + time.0);
    let mut longer = 1;
    for round in 1..=rounds {
        let before = session.cells.len();
        for (with, time) in [(false, plain), (true, flushed)] {
            let time = Nanos(time.0.saturating_mul(longer));
            let job = build_job(session, base, with, time);
            let trial = Trial::Flush { flushed: with, round: round as u32 };
            session.measure_probe(&job, trial)?;
        }
        let commits: u64 = session.cells[before..].iter().map(|cell| cell.ledger.sync_ops).sum();
        if round == 1 && commits < COMMITS_GOOD {
            longer = LONGER_FACTOR;
        }
        if session.elapsed() > if round < ROUNDS.0 { at_last } else { until } {
            break;
        }
    }
    Ok(())
}

fn build_job(session: &Session<'_>, base: &Job, flushed: bool, time: Nanos) -> Job {
    let name = if flushed { "write-flushed" } else { "write-plain" };
    Job {
        name: format!("{name}-{}", base.block_size.to_compact()),
        access: Access::Sequential,
        mix: Mix::Write,
        payload: Payload::Unique,
        depth: Depth(1),
        sync: flushed.then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        warm_up: Nanos::ZERO,
        span: Span { length: session.facts.span.length.min(PLACE), ..session.facts.span },
        stop: Stop::after(time),
        backend: session.call_backend(),
        ..base.clone()
    }
}

#[cfg(test)]
mod tests {
    use engine::StopSignal;

    use super::*;
    use crate::observer::SilentObserver;
    use crate::truth_probe::testing::{CAPACITY, FLUSH, WRITE, ssd};

    #[test]
    fn the_cost_of_a_flush_is_that_of_the_law() {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let mut session = Session::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = session.base_job();
        probe_flush(&mut session, &base, Nanos::secs(1)).unwrap();
        let rounds = session.cells.len() / 2;
        assert!((ROUNDS.0 as usize..=ROUNDS.1 as usize).contains(&rounds), "{rounds}");
        for (place, cell) in session.cells.iter().enumerate() {
            let (round, flushed) = (place as u32 / 2 + 1, place % 2 == 1);
            assert_eq!(cell.trial, Some(Trial::Flush { flushed, round }));
            let write = cell.totals.write.as_ref().unwrap().latency_ns.mean;
            assert!((write / WRITE.0 as f64 - 1.0).abs() < 0.05, "{write}");
            let sync = cell.totals.sync.as_ref().map(|sync| sync.latency_ns.mean);
            assert_eq!(sync.is_some(), flushed);
            assert!(sync.is_none_or(|ns| (ns / FLUSH.0 as f64 - 1.0).abs() < 0.05), "{sync:?}");
        }
    }
}
