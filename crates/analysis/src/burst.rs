//! The end of a burst: a rate that falls within the run and stays down, what was served before it,
//! and what that was.
//!
//! Five places show one: the workload that went on for it (`check --until-throttled`); a fall
//! inside a cell; a cell that is measured again later; the rounds of writing; the probes of writes
//! ([`filled`]). A fall is the end of
//! a store of credits when the rate after it is paced, calmer than anything else makes it; it is
//! the end of a write cache when only writes fell. Any other fall could be somebody else's load out
//! of sight, and is told as that.

mod filled;
mod paced;

use record::{Cell, CellRole, Counted, Measured, TokenBucket, Trial};
use stats::{Estimate, level_fall};
use units::{Bytes, Nanos};
use workload::{Access, Mix, Pacing};

use crate::paused::running_intervals;

/// Values of a series before and after a fall: of the workload that went on for it, in seconds, of
/// which the confirmation is [`CONFIRM`]; of a cell, in intervals; of rounds, in seconds.
const SOAK_SIDES: (usize, usize) = (3, 10);
const CELL_SIDES: (usize, usize) = (4, 5);
const ROUND_SIDES: (usize, usize) = (4, 8);
/// So many seconds of the rate after a fall are enough to call it one, while the workload runs.
const CONFIRM: usize = 30;
/// What comes later may exceed the rate after the fall by this much, or come up to the middle
/// between the two rates; more, and it came back.
const COMES_BACK: f64 = 1.15;
/// A cell this much above the rate after the fall was measured in the burst.
const IN_BURST: f64 = 1.10;
/// The least fall from a cell to its repetition, every interval of which is below every one of the
/// first; and, where nothing paces it, how unlikely by chance.
const FALL: f64 = 1.25;
const INTERVALS_MIN: usize = 3;
const P_VALUE: f64 = 0.001;
/// A fall of writes that nothing paces has to be larger.
const CACHE_FALL: f64 = 1.5;
/// Clouds count larger requests in parts of this (AWS gp2, Azure: 256 KiB).
const UNIT: Bytes = Bytes::kib(256);
/// A repetition of reads this near to the first was not slower.
const UNHURT: f64 = 0.85;

/// What ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// A store of credits: the rate after it is paced.
    Credits,
    /// A cache that took the writes: reads are as fast as before.
    WriteCache,
    /// It fell; why is not seen.
    Unknown,
}

/// The end of a burst.
#[derive(Debug, Clone)]
pub(crate) struct Fall<'a> {
    pub(crate) ended: Ended,
    /// The cell in which it was seen.
    pub(crate) cell: &'a Cell,
    pub(crate) bucket: TokenBucket,
    /// Names of the figures that were measured in the burst.
    pub(crate) before: Vec<String>,
}

/// Whether the operations of each second of a workload show that a burst ended, and for long
/// enough what came after it.
#[must_use]
pub fn burst_ended(seconds: &[f64]) -> bool {
    level_fall(seconds, 1.0, SOAK_SIDES).is_some_and(|fall| seconds.len() - fall.at >= CONFIRM)
}

/// The end of a burst that was seen, if any.
pub(crate) fn fall(record: &Measured) -> Option<Fall<'_>> {
    let found = soaked(record).or_else(|| within(record)).or_else(|| again(record));
    let found = found.or_else(|| rounds(record));
    found.or_else(|| Some(told(record, filled::filled(record)?)))
}

/// What it says of a bucket; nothing where the reason of the fall is not seen.
pub(crate) fn bucket(record: &Measured) -> Option<TokenBucket> {
    fall(record).filter(|fall| fall.ended != Ended::Unknown).map(|fall| fall.bucket)
}

/// A fall, before it is known what it was.
struct Raw<'a> {
    cell: &'a Cell,
    /// From the start of the run.
    at: Nanos,
    burst: Estimate,
    baseline: Estimate,
    /// What was served beyond the baseline in the cell itself, until the fall.
    excess: f64,
}

/// The cell that went on until the burst ended.
pub(crate) fn soak(record: &Measured) -> Option<&Cell> {
    record.cells.iter().find(|cell| cell.trial == Some(Trial::Soak))
}

fn soaked(record: &Measured) -> Option<Fall<'_>> {
    let cell = soak(record)?;
    Some(told(record, raw(cell, SOAK_SIDES)?))
}

/// A fall inside a cell.
fn within(record: &Measured) -> Option<Fall<'_>> {
    let falls = record.cells.iter().filter(|cell| is_figure(cell)).filter_map(|cell| {
        let raw = raw(cell, CELL_SIDES)?;
        stays_down(record, &raw).then(|| told_by_later(record, &raw).unwrap_or(raw))
    });
    falls.map(|raw| told(record, raw)).min_by_key(|fall| fall.bucket.after)
}

/// The same fall with the rate of the longest cell after it that does as much, the deepest of
/// those, where that one shows what the few intervals after the fall are too few for: that it is
/// paced.
fn told_by_later<'a>(record: &Measured, fall: &Raw<'a>) -> Option<Raw<'a>> {
    if paced::is_paced(record, fall) {
        return None;
    }
    let intervals = |cell: &Cell| cell.elapsed.0 / cell.job.interval.0.max(1);
    // As much is what the intervals after the fall themselves did, or nearly.
    let fell_to = fall.baseline.value;
    let fell = fall.at.0.saturating_sub(fall.cell.started.0) / fall.cell.job.interval.0.max(1);
    let after = rates(fall.cell).into_iter().skip(fell as usize + 1).filter(|rate| *rate > 0.0);
    let near = (fell_to / COMES_BACK, fell_to * COMES_BACK);
    let (low, high) = after.fold(near, |(low, high), rate| (rate.min(low), rate.max(high)));
    let as_much = |rate: f64| (low..=high).contains(&rate);
    let later = later_as_deep(record, fall.cell)
        .filter(|cell| as_much(cell.iops()))
        .max_by_key(|cell| (intervals(cell), cell.job.depth))?;
    let baseline = stats::mean_of_series(&rates(later)).recentred(later.iops());
    // The excess is that of every interval up to and with the one of the fall.
    let until = Nanos(fall.at.0.saturating_add(fall.cell.job.interval.0));
    let before_s = until.0.saturating_sub(fall.cell.started.0) as f64 / 1e9;
    let excess = fall.excess + (fell_to - baseline.value) * before_s;
    let told = Raw { cell: fall.cell, at: fall.at, burst: fall.burst.clone(), baseline, excess };
    paced::is_paced(record, &told).then_some(told)
}

/// The fall in a cell's series.
fn raw(cell: &Cell, sides: (usize, usize)) -> Option<Raw<'_>> {
    let step = cell.job.interval;
    let series = rates(cell);
    let fit = stats::bucket_fit(&series, step.as_secs_f64(), sides)?;
    let at = Nanos(cell.started.0.saturating_add((fit.after_s * 1e9) as u64));
    Some(Raw { cell, at, burst: fit.burst, baseline: fit.baseline, excess: fit.size.value })
}

/// Data operations per second of each whole interval.
fn rates(cell: &Cell) -> Vec<f64> {
    let step = cell.job.interval;
    let whole = running_intervals(cell).filter(|interval| interval.length == step);
    whole
        .map(|interval| {
            let parts = [&interval.directions.read, &interval.directions.write];
            parts.into_iter().flatten().map(|part| part.ops as f64).sum::<f64>()
                / step.as_secs_f64().max(1e-9)
        })
        .collect()
}

/// A closed loop of its own, whose rate is the device's.
fn is_figure(cell: &Cell) -> bool {
    use CellRole::{Ladder, Main, Probe, Repeat, Round};
    matches!(cell.role, Main | Ladder | Probe | Repeat | Round)
        && cell.job.pacing == Pacing::Closed
        && cell.job.sync.is_none()
        && cell.beside.is_none()
}

/// The same operations, whatever the depth.
fn same_kind(a: &Cell, b: &Cell) -> bool {
    a.job.access == b.job.access
        && a.job.mix == b.job.mix
        && a.job.block_size == b.job.block_size
        && a.job.span == b.job.span
}

/// Cells of the same kind, later and as deep at least.
fn later_as_deep<'a>(record: &'a Measured, cell: &'a Cell) -> impl Iterator<Item = &'a Cell> {
    record.cells.iter().filter(|later| {
        later.started > cell.started
            && is_figure(later)
            && same_kind(later, cell)
            && later.job.depth >= cell.job.depth
    })
}

/// Nothing of the same kind, later and as deep, is faster again; and something is there to say so.
fn stays_down(record: &Measured, fall: &Raw<'_>) -> bool {
    let mut later = later_as_deep(record, fall.cell).peekable();
    // A deeper queue gives more, after the fall too; on a disk that recovered, as much as before.
    let middle = (fall.burst.value * fall.baseline.value).sqrt();
    let most = (fall.baseline.value * COMES_BACK).max(middle);
    later.peek().is_some() && later.all(|cell| cell.iops() <= most)
}

/// A cell that is slower when it is measured again.
fn again(record: &Measured) -> Option<Fall<'_>> {
    let repeats = record.cells.iter().filter(|cell| cell.role == CellRole::Repeat);
    let fell = repeats.filter_map(|repeat| {
        let first = record.cells.iter().find(|cell| {
            matches!(cell.role, CellRole::Main | CellRole::Ladder)
                && same_kind(cell, repeat)
                && cell.job.depth == repeat.job.depth
        })?;
        let ratio = first.iops() / repeat.iops().max(1e-9);
        let (high, low) = (rates(first), rates(repeat));
        let lowest = high.iter().copied().fold(f64::MAX, f64::min);
        let highest = low.iter().copied().fold(0.0, f64::max);
        let apart = high.len() >= INTERVALS_MIN && low.len() >= INTERVALS_MIN && highest < lowest;
        (ratio >= FALL && apart && repeat.iops() > 0.0).then_some((first, repeat))
    });
    let (first, repeat) = fell.max_by_key(|(_, repeat)| repeat.job.depth)?;
    // The last that was faster than what came to stay.
    let after = repeat.iops();
    let fast = |cell: &&Cell| {
        is_figure(cell)
            && is_small(cell)
            && cell.iops() > after * IN_BURST
            && cell.started < repeat.started
    };
    let last = record.cells.iter().rfind(fast).unwrap_or(first);
    let at = Nanos(last.started.0.saturating_add(last.elapsed.0));
    let level = |cell: &Cell| stats::mean_of_series(&rates(cell)).recentred(cell.iops());
    let (burst, baseline) = (level(first), level(repeat));
    let excess = (last.iops() - after) * last.elapsed.as_secs_f64();
    let fall = told(record, Raw { cell: last, at, burst, baseline, excess });
    let unlikely = stats::order_test(&rates(first), &rates(repeat)).is_some_and(|p| p < P_VALUE);
    (fall.ended != Ended::Unknown || unlikely).then_some(fall)
}

/// Operations that a store of credits counts one by one.
fn is_small(cell: &Cell) -> bool {
    cell.job.block_size <= UNIT && cell.job.access != Access::Sequential
}

/// The fall of the rounds of writing.
fn rounds(record: &Measured) -> Option<Fall<'_>> {
    let cells: Vec<&Cell> = record.cells.iter().filter(|c| c.role == CellRole::Round).collect();
    let mut seconds = Vec::new();
    for cell in &cells {
        let per_second = (1_000_000_000 / cell.job.interval.0.max(1)).max(1) as usize;
        let series = rates(cell);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        seconds.extend(series.chunks_exact(per_second).map(|part| (*cell, mean(part))));
    }
    let series: Vec<f64> = seconds.iter().map(|(_, rate)| *rate).collect();
    let fit = stats::bucket_fit(&series, 1.0, ROUND_SIDES)?;
    let at = fit.after_s as usize;
    let cell = seconds.get(at)?.0;
    let seconds_before = seconds[..at].iter().filter(|(c, _)| c.name == cell.name).count();
    let at = Nanos(cell.started.0.saturating_add(Nanos::secs(seconds_before as u64).0));
    let excess = fit.size.value;
    let raw = Raw { cell, at, burst: fit.burst, baseline: fit.baseline, excess };
    Some(told(record, raw))
}

/// What a fall was, with its size.
fn told<'a>(record: &'a Measured, raw: Raw<'a>) -> Fall<'a> {
    let ended = ended(record, &raw);
    let after = raw.baseline.value;
    let only_writes = raw.cell.job.mix == Mix::Write && reads_unhurt(record, raw.at);
    let before = record.cells.iter().filter(|cell| {
        is_figure(cell)
            // Rounds are there to be over before the figures begin.
            && cell.role != CellRole::Round
            && cell.started < raw.at
            && cell.iops() > after * IN_BURST
            && match ended {
                Ended::Credits if only_writes => same_kind(cell, raw.cell),
                Ended::Credits => is_small(cell),
                Ended::WriteCache | Ended::Unknown => same_kind(cell, raw.cell),
            }
    });
    let before = before.map(|cell| cell.name.clone()).collect();
    let bucket = match ended {
        Ended::WriteCache => cache(record, &raw),
        Ended::Credits | Ended::Unknown => credits(record, &raw),
    };
    Fall { ended, cell: raw.cell, bucket, before }
}

fn ended(record: &Measured, raw: &Raw<'_>) -> Ended {
    if paced::is_paced(record, raw) {
        return Ended::Credits;
    }
    let fell = raw.burst.value / raw.baseline.value.max(1e-9);
    if raw.cell.job.mix == Mix::Write && fell >= CACHE_FALL && reads_unhurt(record, raw.at) {
        return Ended::WriteCache;
    }
    Ended::Unknown
}

/// Whether reads after the fall were as fast as those before it.
fn reads_unhurt(record: &Measured, at: Nanos) -> bool {
    let reads = || record.cells.iter().filter(|c| c.job.mix == Mix::Read && is_figure(c));
    let mut later = reads().filter(|cell| cell.started > at).filter_map(|cell| {
        let first = reads().find(|first| {
            first.started < at && same_kind(first, cell) && first.job.depth == cell.job.depth
        })?;
        Some(cell.iops() / first.iops().max(1e-9))
    });
    later.next().is_some_and(|ratio| ratio >= UNHURT) && later.all(|ratio| ratio >= UNHURT)
}

/// The store of credits: what was served until the fall beyond what the baseline gave, over the
/// whole run; a pause fills it again, to what it held at the start at most.
fn credits(record: &Measured, raw: &Raw<'_>) -> TokenBucket {
    let rate = raw.baseline.value;
    let (mut missing, mut until) = (0.0_f64, 0.0);
    let mut pass = |from: f64, to: f64, ops: f64| {
        missing = (missing - (from - until).max(0.0) * rate).max(0.0);
        missing = (missing + ops - (to - from).max(0.0) * rate).max(0.0);
        until = to.max(until);
    };
    for cell in record.cells.iter().filter(|cell| cell.started < raw.cell.started) {
        let ops = (cell.ledger.read_ops + cell.ledger.write_ops) as f64;
        let end = cell.started.as_secs_f64() + cell.elapsed.as_secs_f64();
        let start = cell.started.as_secs_f64() - cell.job.warm_up.as_secs_f64();
        pass(start, end, ops);
    }
    let start = raw.cell.started.as_secs_f64();
    let warm_up = raw.cell.job.warm_up.as_secs_f64();
    pass(start - warm_up, start, warm_up * raw.burst.value);
    missing = (missing - (start - until).max(0.0) * rate).max(0.0);
    let value = missing + raw.excess;
    let seconds = raw.at.as_secs_f64();
    let laid_out = record.layout.as_ref().map_or(0.0, |layout| {
        let spent = (layout.written.0 / UNIT.0) as f64 - layout.elapsed.as_secs_f64() * rate;
        spent.max(0.0)
    });
    let step = raw.cell.job.interval.as_secs_f64();
    let size = match raw.baseline.interval() {
        Some((low, high)) => {
            let half = (high - low) / 2.0 * seconds + (raw.burst.value - rate).abs() * step;
            Estimate {
                value,
                low: Some((value - half).max(0.0)),
                high: Some(value + half + laid_out),
                n: record.cells.len() as u64,
                n_effective: None,
                method: "served before the fall beyond the baseline, over the run".to_owned(),
            }
        }
        None => Estimate::without_interval(value, 1, raw.baseline.method.clone()),
    };
    TokenBucket {
        counts: Counted::Operations,
        burst: raw.burst.clone(),
        baseline: raw.baseline.clone(),
        size,
        after: raw.at,
        cell: raw.cell.name.clone(),
    }
}

/// The write cache: every byte that was written before it was full.
fn cache(record: &Measured, raw: &Raw<'_>) -> TokenBucket {
    let block = raw.cell.job.block_size.0 as f64;
    let earlier = record.cells.iter().filter(|cell| cell.started < raw.cell.started);
    let written = earlier.map(|cell| cell.ledger.write_bytes.0 as f64).sum::<f64>()
        + record.layout.as_ref().map_or(0.0, |layout| layout.written.0 as f64);
    let inside = (raw.at.0.saturating_sub(raw.cell.started.0)) as f64 / 1e9;
    let value = written + inside * raw.burst.value * block;
    let scaled = |of: &Estimate| Estimate {
        value: of.value * block,
        low: of.low.map(|x| x * block),
        high: of.high.map(|x| x * block),
        ..of.clone()
    };
    let why = "written before the fall; a cache gives back room meanwhile, so it may be smaller";
    TokenBucket {
        counts: Counted::Bytes,
        burst: scaled(&raw.burst),
        baseline: scaled(&raw.baseline),
        size: Estimate::without_interval(value, 1, why.to_owned()),
        after: raw.at,
        cell: raw.cell.name.clone(),
    }
}
