//! The time series of many hosts on one clock. A host's intervals lie on a grid from its own begin;
//! a host that began later is moved by whole slots, so that its counts stay whole.

use std::collections::BTreeMap;
use std::ops::Range;

use record::{
    Cell, DirectionInterval, HostCell, Interval, PerDirection, Slowest, TickSeries, Ticks, Window,
    WindowRate,
};
use stats::{LatencyHistogram, SparseHistogram, SparseHistogramError, SparseSum};
use units::Nanos;
use workload::Direction;

use super::part::{MergeError, PlacedPart};
use crate::cells::reported_latency;
use crate::lists::sum_counts;

/// 29 hours of tenths of a second; longer series are not kept.
const SLOTS_MAX: u64 = 1 << 20;
const TICKS_PER_POINT_MIN: usize = 10;
const POINTS_MAX: usize = 600;

/// The time series of all hosts, added up one host at a time: no two need be in memory.
pub(super) struct SeriesSum {
    interval: u64,
    /// None where they would be too many.
    slots: u64,
    end: u64,
    intervals: BTreeMap<u64, PerDirection<IntervalSum>>,
    ticks: TickSum,
    first_done: Option<WindowSum>,
    last_done: WindowSum,
}

/// What the series of all hosts come to.
pub(super) struct MergedSeries {
    /// Without gaps; the last may be shorter.
    pub(super) intervals: Vec<Interval>,
    /// Of the time in which all hosts ran; none where ticks are of different lengths.
    pub(super) ticks: TickSeries,
    /// From the last begin until the first was done; `None` where there was hardly any time.
    pub(super) first_done: Option<Window>,
    pub(super) last_done: Window,
}

impl SeriesSum {
    pub(super) fn new(parts: &[PlacedPart<'_>], interval: Nanos) -> Self {
        let end = parts.iter().map(|part| part.end).max().unwrap_or(0);
        let slots = if interval.0 == 0 { 0 } else { end.div_ceil(interval.0) };
        Self {
            interval: interval.0,
            slots: if slots > SLOTS_MAX { 0 } else { slots },
            end,
            intervals: BTreeMap::new(),
            ticks: TickSum::default(),
            first_done: first_done_range(parts).map(WindowSum::new),
            last_done: WindowSum::new((0, end)),
        }
    }

    /// Adds the series of a host: its intervals and ticks as it counted them.
    pub(super) fn add(&mut self, part: &PlacedPart<'_>, whole: &Cell) -> Result<(), MergeError> {
        for window in self.first_done.iter_mut().chain([&mut self.last_done]) {
            window.add(part, &whole.ticks);
        }
        self.ticks.add(part.begin, whole);
        if self.slots == 0 {
            return Ok(());
        }
        let shift = nearest_slot(part.begin, self.interval);
        for of_host in &whole.intervals {
            let slot = nearest_slot(of_host.start.0, self.interval) + shift;
            let sums = self.intervals.entry(slot.min(self.slots - 1)).or_default();
            for (direction, counted) in of_host.directions.iter() {
                let sum = sums.get_or_insert_with(direction, IntervalSum::default);
                sum.add(counted).map_err(|error| {
                    MergeError::damaged(part.host, &part.cell.name, error.to_string())
                })?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> MergedSeries {
        let slots = if self.intervals.is_empty() { 0 } else { self.slots };
        let interval = |slot| {
            let start = slot * self.interval;
            let length = Nanos(self.interval.min(self.end - start));
            let sums = self.intervals.remove(&slot).unwrap_or_default();
            Interval { start: Nanos(start), length, directions: sums.map(IntervalSum::finish) }
        };
        MergedSeries {
            intervals: (0..slots).map(interval).collect(),
            ticks: self.ticks.finish(),
            first_done: self.first_done.map(WindowSum::finish),
            last_done: self.last_done.finish(),
        }
    }
}

#[derive(Default)]
struct IntervalSum {
    ops: u64,
    bytes: u64,
    total: SparseSum,
    submission: Option<SparseSum>,
    response: Option<SparseSum>,
    comparable: Option<SparseSum>,
}

impl IntervalSum {
    fn add(&mut self, counted: &DirectionInterval) -> Result<(), SparseHistogramError> {
        self.ops = self.ops.saturating_add(counted.ops);
        self.bytes = self.bytes.saturating_add(counted.bytes);
        self.total.add(&counted.total)?;
        for (sum, counted) in [
            (&mut self.submission, &counted.submission),
            (&mut self.response, &counted.response),
            (&mut self.comparable, &counted.comparable),
        ] {
            if let Some(counted) = counted {
                sum.get_or_insert_default().add(counted)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> DirectionInterval {
        DirectionInterval {
            ops: self.ops,
            bytes: self.bytes,
            total: self.total.into_sparse(),
            submission: self.submission.map(SparseSum::into_sparse),
            response: self.response.map(SparseSum::into_sparse),
            comparable: self.comparable.map(SparseSum::into_sparse),
        }
    }
}

const fn nearest_slot(at: u64, slot: u64) -> u64 {
    (at + slot / 2) / slot
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

/// Ticks of the time that all hosts so far have in common.
#[derive(Default)]
struct TickSum {
    tick: Option<u64>,
    is_mixed: bool,
    /// Its ticks, counted from the first host's begin.
    range: Range<u64>,
    directions: PerDirection<Ticks>,
}

impl TickSum {
    fn add(&mut self, begin: u64, whole: &Cell) {
        let TickSeries { tick, directions } = &whole.ticks;
        if directions.is_empty() {
            return;
        }
        self.is_mixed |= tick.0 == 0 || self.tick.is_some_and(|known| known != tick.0);
        if self.is_mixed {
            return;
        }
        let start = nearest_slot(begin, tick.0);
        let own = start..start + tick_count(whole);
        match self.tick {
            None => (self.tick, self.range) = (Some(tick.0), own),
            Some(_) => self.narrow(&own),
        }
        let count = range_length(&self.range);
        let skipped = usize::try_from(self.range.start - start).unwrap_or(usize::MAX);
        for (direction, ticks) in directions.iter() {
            let none = || Ticks { ops: vec![0; count], latency_sum_ns: vec![0; count] };
            let sum = self.directions.get_or_insert_with(direction, none);
            add_counts(&mut sum.ops, &ticks.ops, skipped);
            add_counts(&mut sum.latency_sum_ns, &ticks.latency_sum_ns, skipped);
        }
    }

    /// Takes away what another host does not have.
    fn narrow(&mut self, other: &Range<u64>) {
        let start = self.range.start.max(other.start);
        let common = start..self.range.end.min(other.end).max(start);
        let before = usize::try_from(start - self.range.start).unwrap_or(usize::MAX);
        for direction in Direction::ALL {
            if self.directions.get(direction).is_none() {
                continue;
            }
            let sum = self.directions.get_or_insert_with(direction, Ticks::default);
            for counts in [&mut sum.ops, &mut sum.latency_sum_ns] {
                counts.drain(..before.min(counts.len()));
                counts.truncate(range_length(&common));
            }
        }
        self.range = common;
    }

    fn finish(self) -> TickSeries {
        match self.tick.filter(|_| !self.is_mixed) {
            Some(tick) => TickSeries { tick: Nanos(tick), directions: self.directions },
            None => TickSeries::default(),
        }
    }
}

fn range_length(range: &Range<u64>) -> usize {
    usize::try_from(range.end - range.start).unwrap_or(0)
}

fn add_counts(into: &mut [u64], from: &[u64], skipped: usize) {
    for (into, from) in into.iter_mut().zip(from.iter().skip(skipped)) {
        *into = into.saturating_add(*from);
    }
}

fn tick_count(cell: &Cell) -> u64 {
    cell.ticks.directions.iter().map(|(_, ticks)| ticks.ops.len() as u64).max().unwrap_or(0)
}

/// A part as it is kept beside its total: without intervals, and with ticks of their length.
pub fn thin_host_cell(mut given: HostCell) -> HostCell {
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
    given.cell.ticks = TickSeries { tick, directions };
    given.cell.intervals = Vec::new();
    // Lists that were read have room for more; a clone has not.
    given.clone()
}

/// A shorter common time says nothing of the whole.
const SHARE_MIN: f64 = 0.1;

fn first_done_range(parts: &[PlacedPart<'_>]) -> Option<(u64, u64)> {
    let from = parts.iter().map(|part| part.begin).max()?;
    let to = parts.iter().map(|part| part.end).min()?;
    let whole = parts.iter().map(|part| part.end).max()?;
    let length = to.checked_sub(from)?;
    (length > 0 && length as f64 >= SHARE_MIN * whole as f64).then_some((from, to))
}

struct WindowSum {
    from: u64,
    to: u64,
    /// Operations and bytes.
    sums: PerDirection<(f64, f64)>,
}

impl WindowSum {
    fn new((from, to): (u64, u64)) -> Self {
        Self { from, to, sums: PerDirection::default() }
    }

    fn add(&mut self, part: &PlacedPart<'_>, ticks: &TickSeries) {
        for (direction, totals) in part.cell.totals.iter() {
            let share = completed_share(part, ticks, direction, (self.from, self.to));
            let (ops, bytes) = self.sums.get_or_insert_with(direction, Default::default);
            *ops += totals.ops as f64 * share;
            *bytes += totals.bytes as f64 * share;
        }
    }

    fn finish(self) -> Window {
        let length = Nanos(self.to - self.from);
        let seconds = length.as_secs_f64().max(1e-9);
        let rate = |(ops, bytes)| WindowRate {
            ops,
            bytes,
            iops: ops / seconds,
            bytes_per_second: bytes / seconds,
        };
        Window { start: Nanos(self.from), length, rates: self.sums.map(rate) }
    }
}

/// By a host's ticks; what came after the last whole tick is spread evenly over the rest.
fn completed_share(
    part: &PlacedPart<'_>,
    ticks: &TickSeries,
    direction: Direction,
    (from, to): (u64, u64),
) -> f64 {
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
    let tick = ticks.tick.0 as f64;
    let series = ticks.directions.get(direction).filter(|_| tick > 0.0);
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
