//! When operations start: rates, pauses, and the mix that follows from rates.

use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Arrivals, Cap, Caps, Pacing, ThinkTime};

use crate::options::engine::Engine;
use crate::options::job::JobOptions;
use crate::options::parse::{READS, TRIMS, WRITES};
use crate::options::rate::RateProcess;

/// Percent of reads in a mix. Where both directions have a rate, it is theirs: what comes is one
/// sequence, in which neither waits for the other.
pub(super) fn plan_read_percent(options: &JobOptions) -> u8 {
    let (rate, pattern) = (&options.rate, &options.pattern);
    let iops = |direction: usize| match (rate.rate_iops[direction], rate.rate[direction]) {
        (0, bytes) => bytes as f64 / pattern.min_bs(direction).max(1) as f64,
        (iops, _) => iops as f64,
    };
    let (reads, writes) = (iops(READS), iops(WRITES));
    if reads > 0.0 && writes > 0.0 {
        return (reads * 100.0 / (reads + writes)).round().clamp(1.0, 99.0) as u8;
    }
    pattern.rwmixread
}

/// A rate of one direction is an open loop, whose latencies count from the plan; rates of several
/// are caps, each for itself.
pub(super) fn plan_pacing(
    options: &JobOptions,
    block: Bytes,
    plain: bool,
    depth: u32,
) -> (Pacing, Caps) {
    let rate = &options.rate;
    let operation = options.pattern.rw.operation;
    let has = operation.directions();
    let cap = |direction: usize| match (rate.rate_iops[direction], rate.rate[direction]) {
        (0, 0) => None,
        (0, bytes) => Some(Cap::Bytes(BytesPerSecond(bytes as f64))),
        (iops, _) => Some(Cap::Operations(Iops(iops as f64))),
    };
    let only = match has {
        [true, false, false] => Some(READS),
        [false, true, false] => Some(WRITES),
        [false, false, true] => Some(TRIMS),
        _ => None,
    };
    let alone = depth == 1 || !options.engine.engine.is_synchronous();
    // What is held back on purpose is late by no plan.
    let pauses = options.rate.thinktime_us > 0 || options.rate.thinkcycles > 0;
    let held_back = pauses || options.rate.flow > 0;
    let closed = options.engine.engine == Engine::Posixaio || held_back;
    if let (Some(direction), true, true, false) = (only, alone, plain, closed)
        && let Some(cap) = cap(direction)
    {
        let rate = match cap {
            Cap::Operations(rate) => rate,
            Cap::Bytes(bytes) => Iops(bytes.0 / block.0 as f64),
        };
        let arrivals = match options.rate.rate_process {
            RateProcess::Linear => Arrivals::Constant,
            RateProcess::Poisson => Arrivals::Poisson,
        };
        return (Pacing::Open { rate, arrivals }, Caps::default());
    }
    let of = |direction: usize| cap(direction).filter(|_| has[direction]);
    (Pacing::Closed, Caps { read: of(READS), write: of(WRITES), trim: of(TRIMS) })
}

pub(super) fn plan_think_time(options: &JobOptions) -> Option<ThinkTime> {
    let rate = &options.rate;
    if rate.thinktime_us == 0 {
        return None;
    }
    // A number of operations counts beside a time only when it was given.
    let unless_given = u64::from(rate.thinktime_iotime_us == 0);
    Some(ThinkTime {
        time: Nanos(rate.thinktime_us.saturating_mul(1000)),
        spin: Nanos(rate.thinktime_spin_us.min(rate.thinktime_us).saturating_mul(1000)),
        every: rate.thinktime_blocks.map_or(unless_given, |blocks| blocks.max(1)) as u32,
        after: Nanos(rate.thinktime_iotime_us.saturating_mul(1000)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blocks: Option<u64>, iotime_us: u64, expected: (u32, u64)) {
        let mut options = JobOptions::default();
        options.rate.thinktime_us = 100;
        options.rate.thinktime_blocks = blocks;
        options.rate.thinktime_iotime_us = iotime_us;
        let think = plan_think_time(&options).unwrap();
        assert_eq!((think.every, think.after.0), expected);
    }

    #[test]
    fn pauses_come_after_operations_or_after_a_time() {
        check(None, 0, (1, 0));
        check(Some(4), 0, (4, 0));
        check(None, 50, (0, 50_000));
        check(Some(4), 50, (4, 50_000));
        assert_eq!(plan_think_time(&JobOptions::default()), None);
        let mut longest = JobOptions::default();
        longest.rate.thinktime_us = u64::MAX;
        assert_eq!(plan_think_time(&longest).unwrap().time, Nanos(u64::MAX));
    }

    #[test]
    fn what_waits_for_its_flow_follows_no_plan() {
        let mut options = JobOptions::default();
        options.rate.rate_iops = [100; 3];
        let pace = |options: &JobOptions| plan_pacing(options, Bytes(4096), true, 1).0;
        assert!(matches!(pace(&options), Pacing::Open { .. }));
        options.rate.flow = 3;
        assert_eq!(pace(&options), Pacing::Closed);
    }
}
