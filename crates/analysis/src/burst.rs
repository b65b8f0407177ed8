//! The end of a burst: a rate that falls within the run and stays down, and what was served before.
//! A fall to a paced rate ends a store of credits; one of writes only, a write cache. Any other may
//! be load out of sight, and is reported as that.

mod fall;
mod filled_cache;

use message::{Message, label};
use record::{Cell, CellRole, Counted, FindingId, Judgement, Measured, Status, TokenBucket, Trial};
use stats::{Estimate, find_level_fall};
use units::Nanos;
use workload::Mix;

use crate::cells::interval_rates;
use fall::{
    CACHE_FALL_MIN, IO_UNIT, LevelFall, are_reads_unchanged, cell_level, is_every_interval_lower,
    is_lone_closed_loop, is_paced, is_same_kind, is_small_random, later_cells_as_deep,
};

/// Minimum values before and after a fall: of a soak in seconds, of a cell in intervals, of rounds
/// in seconds.
const SOAK_SIDE_LENGTHS: (usize, usize) = (3, 10);
const CELL_SIDE_LENGTHS: (usize, usize) = (4, 5);
const ROUND_SIDE_LENGTHS: (usize, usize) = (4, 8);
/// Seconds of the rate after a fall that confirm it while the workload runs.
const CONFIRM_S: usize = 30;
/// Maximum of a later rate over the rate after the fall; a higher rate has recovered.
const RECOVERY_RATIO: f64 = 1.15;
/// A cell this much above the rate after the fall was measured in the burst.
const IN_BURST_RATIO: f64 = 1.10;
/// Minimum fall from a cell to its repetition, and the maximum probability by chance of one that
/// nothing paces.
const FALL_MIN: f64 = 1.25;
const P_VALUE_MAX: f64 = 0.001;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BurstCause {
    Credits,
    WriteCache,
    Unknown,
    /// Nothing that was measured after it shows whether the rate stays down.
    Unconfirmed,
}

impl BurstCause {
    pub(crate) fn is_known(self) -> bool {
        matches!(self, Self::Credits | Self::WriteCache)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct BurstEnd<'a> {
    pub(crate) cause: BurstCause,
    pub(crate) cell: &'a Cell,
    pub(crate) bucket: TokenBucket,
    pub(crate) burst_cells: Vec<String>,
}

/// Whether the operations of each second show that a burst ended, and for long enough what came
/// after it.
pub fn has_burst_ended(seconds: &[f64]) -> bool {
    find_level_fall(seconds, 1.0, SOAK_SIDE_LENGTHS)
        .is_some_and(|fall| seconds.len() - fall.at >= CONFIRM_S)
}

pub(crate) fn find_burst_end(measured: &Measured) -> Option<BurstEnd<'_>> {
    find_fall_in_soak(measured)
        .or_else(|| find_fall_in_cell(measured))
        .or_else(|| find_fall_in_repeat(measured))
        .or_else(|| find_fall_in_rounds(measured))
        .or_else(|| Some(classify_fall(measured, filled_cache::find_filled_cache(measured)?)))
        .or_else(|| find_unconfirmed_fall(measured))
}

/// The bucket; `None` where the cause of the fall is not known, or `burst` reports no fall.
pub(crate) fn find_token_bucket(measured: &Measured, judgement: &Judgement) -> Option<TokenBucket> {
    judgement.finding(FindingId::Burst).filter(|finding| finding.status >= Status::Note)?;
    find_burst_end(measured).filter(|fall| fall.cause.is_known()).map(|fall| fall.bucket)
}

pub(crate) fn soak_cell(measured: &Measured) -> Option<&Cell> {
    measured.cells.iter().find(|cell| cell.trial == Some(Trial::Soak))
}

fn find_fall_in_soak(measured: &Measured) -> Option<BurstEnd<'_>> {
    let cell = soak_cell(measured)?;
    Some(classify_fall(measured, fit_fall(cell, SOAK_SIDE_LENGTHS)?))
}

fn find_fall_in_cell(measured: &Measured) -> Option<BurstEnd<'_>> {
    let falls = measured.cells.iter().filter(|cell| is_lone_closed_loop(cell)).filter_map(|cell| {
        let raw = fit_fall(cell, CELL_SIDE_LENGTHS)?;
        stays_down(measured, &raw).then(|| refine_by_later_cell(measured, &raw).unwrap_or(raw))
    });
    falls.map(|raw| classify_fall(measured, raw)).min_by_key(|fall| fall.bucket.after)
}

/// The fall with the rate of the longest and deepest later cell that does as much, if that one is
/// paced and the few intervals after the fall were too few to show it.
fn refine_by_later_cell<'a>(measured: &Measured, fall: &LevelFall<'a>) -> Option<LevelFall<'a>> {
    if is_paced(measured, fall) {
        return None;
    }
    let intervals = |cell: &Cell| cell.elapsed.0 / cell.job.interval.0.max(1);
    let fell_to = fall.baseline.value;
    let fell = fall.at.0.saturating_sub(fall.cell.started.0) / fall.cell.job.interval.0.max(1);
    let after =
        interval_rates(fall.cell).into_iter().skip(fell as usize + 1).filter(|rate| *rate > 0.0);
    let near = (fell_to / RECOVERY_RATIO, fell_to * RECOVERY_RATIO);
    let (low, high) = after.fold(near, |(low, high), rate| (rate.min(low), rate.max(high)));
    let as_much = |rate: f64| (low..=high).contains(&rate);
    let later = later_cells_as_deep(measured, fall.cell)
        .filter(|cell| as_much(cell.iops()))
        .max_by_key(|cell| (intervals(cell), cell.job.depth))?;
    let baseline = stats::mean_of_series(&interval_rates(later)).recentred(later.iops());
    // The excess is that of every interval up to and with the one of the fall.
    let until = Nanos(fall.at.0.saturating_add(fall.cell.job.interval.0));
    let before_s = until.0.saturating_sub(fall.cell.started.0) as f64 / 1e9;
    let excess = fall.excess + (fell_to - baseline.value) * before_s;
    let told =
        LevelFall { cell: fall.cell, at: fall.at, burst: fall.burst.clone(), baseline, excess };
    is_paced(measured, &told).then_some(told)
}

fn fit_fall(cell: &Cell, sides: (usize, usize)) -> Option<LevelFall<'_>> {
    let step = cell.job.interval;
    let series = interval_rates(cell);
    let fit = stats::fit_token_bucket(&series, step.as_secs_f64(), sides)?;
    let at = Nanos(cell.started.0.saturating_add((fit.after_s * 1e9) as u64));
    Some(LevelFall { cell, at, burst: fit.burst, baseline: fit.baseline, excess: fit.size.value })
}

/// Nothing of the same kind, later and as deep, is faster again.
fn stays_down(measured: &Measured, fall: &LevelFall<'_>) -> bool {
    let mut later = later_cells_as_deep(measured, fall.cell).peekable();
    // A deeper queue gives more, after the fall too; on a disk that recovered, as much as before.
    let middle = (fall.burst.value * fall.baseline.value).sqrt();
    let most = (fall.baseline.value * RECOVERY_RATIO).max(middle);
    later.peek().is_some() && later.all(|cell| cell.iops() <= most)
}

fn find_fall_in_repeat(measured: &Measured) -> Option<BurstEnd<'_>> {
    let repeats = measured.cells.iter().filter(|cell| cell.role == CellRole::Repeat);
    let fell = repeats.filter_map(|repeat| {
        let first = measured.cells.iter().find(|cell| {
            matches!(cell.role, CellRole::Main | CellRole::Ladder)
                && is_same_kind(cell, repeat)
                && cell.job.depth == repeat.job.depth
        })?;
        let fell = first.iops() / repeat.iops().max(1e-9) >= FALL_MIN && repeat.iops() > 0.0;
        (fell && is_every_interval_lower(first, repeat)).then_some((first, repeat))
    });
    let (first, repeat) = fell.max_by_key(|(_, repeat)| repeat.job.depth)?;
    let after = repeat.iops();
    let fast = |cell: &&Cell| {
        is_lone_closed_loop(cell)
            && is_small_random(cell)
            && cell.iops() > after * IN_BURST_RATIO
            && cell.started < repeat.started
    };
    let last = measured.cells.iter().rfind(fast).unwrap_or(first);
    let at = Nanos(last.started.0.saturating_add(last.elapsed.0));
    let (burst, baseline) = (cell_level(first), cell_level(repeat));
    let excess = (last.iops() - after) * last.elapsed.as_secs_f64();
    let fall = classify_fall(measured, LevelFall { cell: last, at, burst, baseline, excess });
    let unlikely = stats::mann_whitney_test(&interval_rates(first), &interval_rates(repeat))
        .is_some_and(|p| p < P_VALUE_MAX);
    (fall.cause != BurstCause::Unknown || unlikely).then_some(fall)
}

fn find_fall_in_rounds(measured: &Measured) -> Option<BurstEnd<'_>> {
    let cells: Vec<&Cell> = measured.cells.iter().filter(|c| c.role == CellRole::Round).collect();
    let mut seconds = Vec::new();
    for cell in &cells {
        let per_second = (1_000_000_000 / cell.job.interval.0.max(1)).max(1) as usize;
        let series = interval_rates(cell);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        seconds.extend(series.chunks_exact(per_second).map(|part| (*cell, mean(part))));
    }
    let series: Vec<f64> = seconds.iter().map(|(_, rate)| *rate).collect();
    let fit = stats::fit_token_bucket(&series, 1.0, ROUND_SIDE_LENGTHS)?;
    let at = fit.after_s as usize;
    let cell = seconds.get(at)?.0;
    let seconds_before = seconds[..at].iter().filter(|(c, _)| c.name == cell.name).count();
    let at = Nanos(cell.started.0.saturating_add(Nanos::secs(seconds_before as u64).0));
    let excess = fit.size.value;
    let raw = LevelFall { cell, at, burst: fit.burst, baseline: fit.baseline, excess };
    Some(classify_fall(measured, raw))
}

/// A fall in a cell after which nothing of its kind is as deep, or faster than what it fell to.
fn find_unconfirmed_fall(measured: &Measured) -> Option<BurstEnd<'_>> {
    let lone = || measured.cells.iter().filter(|cell| is_lone_closed_loop(cell));
    let raw = lone().rev().find_map(|cell| {
        let raw = fit_fall(cell, CELL_SIDE_LENGTHS)?;
        let most = raw.baseline.value * RECOVERY_RATIO;
        let mut later =
            lone().filter(|later| later.started > cell.started && is_same_kind(later, cell));
        later.all(|later| later.job.depth < cell.job.depth && later.iops() <= most).then_some(raw)
    })?;
    Some(BurstEnd {
        cause: BurstCause::Unconfirmed,
        cell: raw.cell,
        bucket: credit_bucket(measured, &raw),
        burst_cells: Vec::new(),
    })
}

fn classify_fall<'a>(measured: &'a Measured, raw: LevelFall<'a>) -> BurstEnd<'a> {
    let ended = find_cause(measured, &raw);
    let after = raw.baseline.value;
    let only_writes = raw.cell.job.mix == Mix::Write && are_reads_unchanged(measured, raw.at);
    let before = measured.cells.iter().filter(|cell| {
        is_lone_closed_loop(cell)
            // Rounds are there to be over before the figures begin.
            && cell.role != CellRole::Round
            && cell.started < raw.at
            && cell.iops() > after * IN_BURST_RATIO
            && match ended {
                BurstCause::Credits if only_writes => is_same_kind(cell, raw.cell),
                BurstCause::Credits => is_small_random(cell),
                BurstCause::WriteCache | BurstCause::Unknown | BurstCause::Unconfirmed => {
                    is_same_kind(cell, raw.cell)
                }
            }
    });
    let before = before.map(|cell| cell.name.clone()).collect();
    let bucket = match ended {
        BurstCause::WriteCache => cache_bucket(measured, &raw),
        BurstCause::Credits | BurstCause::Unknown | BurstCause::Unconfirmed => {
            credit_bucket(measured, &raw)
        }
    };
    BurstEnd { cause: ended, cell: raw.cell, bucket, burst_cells: before }
}

fn find_cause(measured: &Measured, raw: &LevelFall<'_>) -> BurstCause {
    if is_paced(measured, raw) {
        return BurstCause::Credits;
    }
    let fell = raw.burst.value / raw.baseline.value.max(1e-9);
    if raw.cell.job.mix == Mix::Write
        && fell >= CACHE_FALL_MIN
        && are_reads_unchanged(measured, raw.at)
    {
        return BurstCause::WriteCache;
    }
    BurstCause::Unknown
}

/// The store of credits: what was served until the fall beyond the baseline; a pause fills it
/// again.
fn credit_bucket(measured: &Measured, raw: &LevelFall<'_>) -> TokenBucket {
    let rate = raw.baseline.value;
    let (mut missing, mut until) = (0.0_f64, 0.0);
    let mut pass = |from: f64, to: f64, ops: f64| {
        missing = (missing - (from - until).max(0.0) * rate).max(0.0);
        missing = (missing + ops - (to - from).max(0.0) * rate).max(0.0);
        until = to.max(until);
    };
    for cell in measured.cells.iter().filter(|cell| cell.started < raw.cell.started) {
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
    let laid_out = measured.layout.as_ref().map_or(0.0, |layout| {
        let spent = (layout.written.0 / IO_UNIT.0) as f64 - layout.elapsed.as_secs_f64() * rate;
        spent.max(0.0)
    });
    let step = raw.cell.job.interval.as_secs_f64();
    let size = match raw.baseline.interval() {
        Some((low, high)) => {
            let half = (high - low) / 2.0 * seconds + (raw.burst.value - rate).abs() * step;
            let method = "served before the fall beyond the baseline, over the run";
            let method = Message::from_text(method);
            let bare = Estimate::without_interval(value, measured.cells.len() as u64, method);
            let (low, high) = (Some((value - half).max(0.0)), Some(value + half + laid_out));
            Estimate { low, high, ..bare }
        }
        None => Estimate::without_interval(value, 1, raw.baseline.method.clone()),
    };
    build_bucket(raw, Counted::Operations, 1.0, size)
}

/// The bucket of a fall; `unit` is what one operation counts as.
fn build_bucket(raw: &LevelFall<'_>, counts: Counted, unit: f64, size: Estimate) -> TokenBucket {
    TokenBucket {
        counts,
        burst: raw.burst.clone().map(|rate| rate * unit),
        baseline: raw.baseline.clone().map(|rate| rate * unit),
        size,
        after: raw.at,
        cell: raw.cell.name.clone(),
    }
}

fn cache_bucket(measured: &Measured, raw: &LevelFall<'_>) -> TokenBucket {
    let block = raw.cell.job.block_size.0 as f64;
    let earlier = measured.cells.iter().filter(|cell| cell.started < raw.cell.started);
    let written = earlier.map(|cell| cell.ledger.write_bytes.0 as f64).sum::<f64>()
        + measured.layout.as_ref().map_or(0.0, |layout| layout.written.0 as f64);
    let inside = (raw.at.0.saturating_sub(raw.cell.started.0)) as f64 / 1e9;
    let value = written + inside * raw.burst.value * block;
    let size = Estimate::without_interval(value, 1, label("no-interval-cache-size"));
    build_bucket(raw, Counted::Bytes, block, size)
}
