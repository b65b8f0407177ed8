//! The time series of many hosts on one clock. A host's intervals lie on a grid from its own begin;
//! a host that began later is moved by whole slots, so that its counts stay whole.

use std::collections::BTreeMap;

use record::{
    Cell, DirectionInterval, HostCell, Interval, PerDirection, Slowest, TickSeries, Ticks, Window,
    WindowRate,
};
use stats::{LatencyHistogram, SparseHistogram};
use units::Nanos;
use workload::Direction;

use super::part::{MergeError, PlacedPart};
use crate::cells::reported_latency;
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
        sum.merge_sparse(histogram)
            .map_err(|error| MergeError::damaged(part.host, &part.cell.name, error.to_string()))?;
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

/// A shorter common time says nothing of the whole.
const SHARE_MIN: f64 = 0.1;

/// From the last begin until the first was done; `None` where there was hardly any time.
pub(super) fn first_done_window(parts: &[PlacedPart<'_>]) -> Option<Window> {
    let from = parts.iter().map(|part| part.begin).max()?;
    let to = parts.iter().map(|part| part.end).min()?;
    let whole = parts.iter().map(|part| part.end).max()?;
    let length = to.checked_sub(from)?;
    (length > 0 && length as f64 >= SHARE_MIN * whole as f64).then(|| build_window(parts, from, to))
}

pub(super) fn last_done_window(parts: &[PlacedPart<'_>]) -> Window {
    build_window(parts, 0, parts.iter().map(|part| part.end).max().unwrap_or(0))
}

fn build_window(parts: &[PlacedPart<'_>], from: u64, to: u64) -> Window {
    let length = Nanos(to - from);
    let seconds = length.as_secs_f64().max(1e-9);
    let mut rates = PerDirection::default();
    for direction in Direction::ALL {
        let (mut ops, mut bytes, mut any) = (0.0, 0.0, false);
        for part in parts {
            let Some(totals) = part.cell.totals.get(direction) else { continue };
            let share = completed_share(part, direction, from, to);
            any = true;
            ops += totals.ops as f64 * share;
            bytes += totals.bytes as f64 * share;
        }
        if any {
            let (iops, bytes_per_second) = (ops / seconds, bytes / seconds);
            rates.set(direction, WindowRate { ops, bytes, iops, bytes_per_second });
        }
    }
    Window { start: Nanos(from), length, rates }
}

/// By a host's ticks; what came after the last whole tick is spread evenly over the rest.
fn completed_share(part: &PlacedPart<'_>, direction: Direction, from: u64, to: u64) -> f64 {
    if from <= part.begin && to >= part.end {
        return 1.0;
    }
    let ops = part.cell.totals.get(direction).map_or(0, |totals| totals.ops);
    if ops == 0 {
        return 0.0;
    }
    let (from, to) = (from as f64 - part.begin as f64, to as f64 - part.begin as f64);
    let within = |start: f64, end: f64| {
        let overlap = to.min(end) - from.max(start);
        if end > start { (overlap / (end - start)).clamp(0.0, 1.0) } else { 0.0 }
    };
    let tick = part.cell.ticks.tick.0 as f64;
    let series = part.cell.ticks.directions.get(direction).filter(|_| tick > 0.0);
    let counts: &[u64] = series.map_or(&[], |series| &series.ops);
    let (mut counted, mut inside) = (0_u64, 0.0);
    for (place, &count) in counts.iter().enumerate() {
        let start = place as f64 * tick;
        counted = counted.saturating_add(count);
        inside += count as f64 * within(start, start + tick);
    }
    let rest = ops.saturating_sub(counted) as f64;
    inside += rest * within(counts.len() as f64 * tick, part.cell.elapsed.0 as f64);
    (inside / ops as f64).clamp(0.0, 1.0)
}

/// The host with the highest mean latency over the median of those that have as much depth; `None`
/// where no two have the same.
pub(super) fn find_slowest(parts: &[PlacedPart<'_>]) -> Option<Slowest> {
    let mut depths: BTreeMap<u32, Vec<(f64, &str)>> = BTreeMap::new();
    for part in parts {
        let means = depths.entry(part.cell.job.depth.0).or_default();
        means.extend(mean_latency_ns(part).map(|mean| (mean, part.host)));
    }
    let of_depth =
        depths.into_values().filter(|means| means.len() > 1).filter_map(slowest_of_depth);
    let ratio = |slowest: &Slowest| slowest.mean_ns / slowest.median_ns.max(1.0);
    of_depth.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
}

fn slowest_of_depth(mut means: Vec<(f64, &str)>) -> Option<Slowest> {
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = means.len() / 2;
    let median_ns = match means.len() % 2 {
        0 => f64::midpoint(means[middle - 1].0, means[middle].0),
        _ => means[middle].0,
    };
    let &(mean_ns, host) = means.last()?;
    Some(Slowest { host: host.to_owned(), mean_ns, median_ns })
}

/// Of reads and writes together, or of what else it did; in an open loop of response times.
fn mean_latency_ns(part: &PlacedPart<'_>) -> Option<f64> {
    let mean = |wanted: &dyn Fn(Direction) -> bool| {
        let (mut sum, mut count) = (0.0, 0.0);
        for (_, totals) in part.cell.totals.iter().filter(|(direction, _)| wanted(*direction)) {
            sum += reported_latency(totals).mean * totals.ops as f64;
            count += totals.ops as f64;
        }
        (count > 0.0 && sum.is_finite()).then(|| sum / count)
    };
    let data = |direction| matches!(direction, Direction::Read | Direction::Write);
    mean(&data).or_else(|| mean(&|_| true))
}
