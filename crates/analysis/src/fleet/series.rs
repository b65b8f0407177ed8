//! The time series of many hosts on one clock. A host's intervals lie on a grid from its own begin;
//! a host that began later is moved by whole slots, so that its counts stay whole.

use std::collections::BTreeMap;

use record::{Cell, DirectionInterval, HostCell, Interval, PerDirection, TickSeries, Ticks};
use stats::{LatencyHistogram, SparseHistogram};
use units::Nanos;
use workload::Direction;

use super::part::{MergeError, PlacedPart};
use crate::lists::sum_counts;

/// 29 hours of tenths of a second; longer series are not kept.
const SLOTS_MAX: u64 = 1 << 20;
const TICKS_PER_POINT_MIN: usize = 10;
const POINTS_MAX: usize = 600;

/// Without gaps; the last may be shorter.
pub(super) fn merge_intervals(
    parts: &[PlacedPart<'_>],
    interval: Nanos,
) -> Result<Vec<Interval>, MergeError> {
    let end = parts.iter().map(|part| part.end).max().unwrap_or(0);
    let none = parts.iter().all(|part| part.cell.intervals.is_empty());
    let slots = if interval.0 == 0 { 0 } else { end.div_ceil(interval.0) };
    if none || slots == 0 || slots > SLOTS_MAX {
        return Ok(Vec::new());
    }
    let mut filled: BTreeMap<u64, Vec<(&PlacedPart<'_>, &Interval)>> = BTreeMap::new();
    for part in parts {
        let shift = nearest_slot(part.begin, interval.0);
        for of_host in &part.cell.intervals {
            let slot = (nearest_slot(of_host.start.0, interval.0) + shift).min(slots - 1);
            filled.entry(slot).or_default().push((part, of_host));
        }
    }
    (0..slots)
        .map(|slot| {
            let start = slot * interval.0;
            let directions = match filled.get(&slot) {
                Some(of_hosts) => add_intervals(of_hosts)?,
                None => PerDirection::default(),
            };
            let length = Nanos(interval.0.min(end - start));
            Ok(Interval { start: Nanos(start), length, directions })
        })
        .collect()
}

const fn nearest_slot(at: u64, slot: u64) -> u64 {
    (at + slot / 2) / slot
}

fn add_intervals(
    of_hosts: &[(&PlacedPart<'_>, &Interval)],
) -> Result<PerDirection<DirectionInterval>, MergeError> {
    let mut all = PerDirection::default();
    for direction in Direction::ALL {
        let counted: Vec<(&PlacedPart<'_>, &DirectionInterval)> = of_hosts
            .iter()
            .filter_map(|(part, interval)| Some((*part, interval.directions.get(direction)?)))
            .collect();
        if counted.is_empty() {
            continue;
        }
        let histogram = |pick: &dyn Fn(&DirectionInterval) -> Option<&SparseHistogram>| {
            let picked = counted.iter().map(|(part, of_host)| (*part, pick(of_host)));
            merge_histograms(picked).map(|sum| sum.map(|sum| sum.to_sparse()))
        };
        let made = DirectionInterval {
            ops: sum_counts(counted.iter(), |(_, of_host)| of_host.ops),
            bytes: sum_counts(counted.iter(), |(_, of_host)| of_host.bytes),
            total: histogram(&|of_host| Some(&of_host.total))?.unwrap_or_default(),
            submission: histogram(&|of_host| of_host.submission.as_ref())?,
            response: histogram(&|of_host| of_host.response.as_ref())?,
        };
        all.set(direction, made);
    }
    Ok(all)
}

pub(super) fn merge_histograms<'a>(
    histograms: impl Iterator<Item = (&'a PlacedPart<'a>, Option<&'a SparseHistogram>)>,
) -> Result<Option<LatencyHistogram>, MergeError> {
    let mut sum = None;
    for (part, histogram) in histograms {
        let Some(histogram) = histogram else { continue };
        let sum: &mut LatencyHistogram = sum.get_or_insert_default();
        sum.merge_sparse(histogram).map_err(|error| MergeError::Damaged {
            host: part.host.to_owned(),
            cell: part.cell.name.clone(),
            what: error.to_string(),
        })?;
    }
    Ok(sum)
}

/// Of the time in which all hosts ran; none where ticks are of different lengths.
pub(super) fn merge_ticks(parts: &[PlacedPart<'_>]) -> TickSeries {
    let counting = || parts.iter().filter(|part| !part.cell.ticks.directions.is_empty());
    let Some(tick) = counting().map(|part| part.cell.ticks.tick.0).next().filter(|t| *t > 0) else {
        return TickSeries::default();
    };
    if counting().any(|part| part.cell.ticks.tick.0 != tick) {
        return TickSeries::default();
    }
    let from = counting().map(|part| nearest_slot(part.begin, tick)).max().unwrap_or(0);
    let to = counting().map(|part| nearest_slot(part.begin, tick) + tick_count(part.cell)).min();
    let to = to.unwrap_or(0).max(from);
    let mut directions = PerDirection::default();
    for direction in Direction::ALL {
        let counted = |part: &&PlacedPart<'_>| part.cell.ticks.directions.get(direction).is_some();
        if counting().any(|part| counted(&part)) {
            directions.set(direction, add_ticks(counting(), direction, tick, from..to));
        }
    }
    TickSeries { tick: Nanos(tick), directions }
}

fn tick_count(cell: &Cell) -> u64 {
    cell.ticks.directions.iter().map(|(_, ticks)| ticks.ops.len() as u64).max().unwrap_or(0)
}

fn add_ticks<'a>(
    parts: impl Iterator<Item = &'a PlacedPart<'a>>,
    direction: Direction,
    tick: u64,
    range: std::ops::Range<u64>,
) -> Ticks {
    let count = usize::try_from(range.end - range.start).unwrap_or(0);
    let mut sum = Ticks { ops: vec![0; count], latency_sum_ns: vec![0; count] };
    for part in parts {
        let Some(ticks) = part.cell.ticks.directions.get(direction) else { continue };
        let skipped = range.start - nearest_slot(part.begin, tick).min(range.start);
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        for (into, from) in
            [(&mut sum.ops, &ticks.ops), (&mut sum.latency_sum_ns, &ticks.latency_sum_ns)]
        {
            for (into, from) in into.iter_mut().zip(from.iter().skip(skipped)) {
                *into = into.saturating_add(*from);
            }
        }
    }
    sum
}

/// A part as it is kept beside its total: without intervals, and with ticks of their length.
#[must_use]
pub fn thin_host_cell(given: &HostCell) -> HostCell {
    let series = &given.cell.ticks;
    let longest = usize::try_from(tick_count(&given.cell)).unwrap_or(usize::MAX);
    let factor = longest.div_ceil(POINTS_MAX).max(TICKS_PER_POINT_MIN);
    let summed = |counts: &[u64]| -> Vec<u64> {
        counts.chunks_exact(factor).map(|chunk| sum_counts(chunk.iter(), |n| *n)).collect()
    };
    let mut directions = PerDirection::default();
    for (direction, ticks) in series.directions.iter() {
        let (ops, latency_sum_ns) = (summed(&ticks.ops), summed(&ticks.latency_sum_ns));
        directions.set(direction, Ticks { ops, latency_sum_ns });
    }
    let tick = Nanos(series.tick.0.saturating_mul(factor as u64));
    let ticks = TickSeries { tick, directions };
    let cell = Cell { intervals: Vec::new(), ticks, ..given.cell.clone() };
    HostCell { began_ns: given.began_ns, cell }
}
