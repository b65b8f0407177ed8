//! Rates of one load that contradict each other: the device changed its level within the run.
//! Probes before the change say nothing of the device after it, and are never averaged with it.

use std::cmp::Ordering;
use std::ops::Range;

use record::{Cell, EarlierRate};
use units::{Iops, Nanos};

use crate::calm::CEILING_WITHIN;
use crate::cells::{interval_rates, probe_tick_rates};

/// Repeats farther apart than this contradict each other: where ±25 % is the widest interval of a
/// figure, they cannot have one in common.
const CONTRADICTION_RATIO: f64 = 1.5;
/// Standard errors by chance that two rates of counted operations must lie apart besides.
const CHANCE_ERRORS: f64 = 4.0;

/// Parts of a cell this far apart are two levels, and a level this far from the mean needs an
/// interval that holds it, unless it is shorter than this share of the time and the mean without
/// it is nearer than that.
const PART_RATIO: f64 = 1.2;
const LEVEL_APART: f64 = 1.1;
const PART_SHARE_MIN: f64 = 0.25;

/// Rates of fewer operations are near to each other by chance.
const CAP_OPERATIONS_MIN: f64 = 400.0;

/// Number of probes in which the rate goes the same way, for a ramp; their ratio to those in which
/// it goes the other way; and the probability of such a slope by chance.
const SLOPING_MIN: usize = 3;
const SLOPING_RATIO: usize = 4;
const P_VALUE_MAX: f64 = 0.01;

/// A level lasts two blocks of this many intervals: what is shorter is a stall, or chance.
const BLOCK_INTERVALS: usize = 4;
/// A shorter one is a level all the same if it is this far from the one before.
const SHORT_LEVEL_RATIO: f64 = 3.0;

pub(super) type Probe<'a> = Vec<&'a Cell>;

/// What repeats of the same load say of the whole run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LevelChange {
    /// Probes that started before this are of an earlier level.
    pub(super) at: Nanos,
    pub(super) earlier: Option<EarlierRate>,
    /// The least and the most of a rate that went to and fro.
    pub(super) alternates: Option<(Iops, Iops)>,
}

impl LevelChange {
    /// Whether the probes after the change are of one level.
    pub(super) fn is_level(&self) -> bool {
        self.alternates.is_none() && self.earlier.is_none_or(|earlier| !earlier.gradual)
    }

    /// Of the probes of each load, in the order of time.
    pub(super) fn find(loads: &[Vec<&Probe<'_>>]) -> Self {
        let all = || loads.iter().flatten().copied();
        if let Some((low, high)) = find_two_caps(&Vec::from_iter(all())) {
            return Self { alternates: Some((Iops(low), Iops(high))), ..Self::default() };
        }
        let slope = find_slope(all());
        let mut change = Self::default();
        let mut starts = Vec::new();
        let mut returns = has_swings(all());
        for probes in loads {
            let levels = drop_passages(split_levels(probes));
            let [first, .., newest] = levels.as_slice() else { continue };
            let before = &levels[levels.len() - 2];
            let ratio = (newest.most() / before.most().max(1e-9)).ln().abs();
            let until = before.last_end();
            // A deeper queue that gave no more then was at the same level.
            let agrees = |probe: &&Probe<'_>| {
                let newest = newest.0[0];
                probe[0].started >= until
                    && probe_depth(probe) > probe_depth(newest)
                    && !contradict(probe, newest)
            };
            let intervals =
                newest.intervals() + all().filter(agrees).map(intervals_of).sum::<f64>();
            let is_short = intervals < 2.0 * BLOCK_INTERVALS as f64;
            if is_short && ratio < SHORT_LEVEL_RATIO.ln() {
                continue;
            }
            starts.push(newest.first_start());
            let gradual = slope == Some(newest.most().total_cmp(&first.most()));
            returns |= has_return(&levels)
                || goes_back(all(), newest.most() > before.most())
                || starts_at(before, newest.most());
            if change.earlier.is_none_or(|earlier| until > earlier.until) {
                let time = before.first_start()..until;
                let iops = if gradual { first.most() } else { max_start_rate(all(), time) };
                change.earlier = Some(EarlierRate { iops: Iops(iops), until, gradual });
            }
        }
        if returns {
            let rates = || all().map(|probe| probe_rate(probe));
            let ends = (rates().fold(f64::MAX, f64::min), rates().fold(0.0, f64::max));
            return Self { alternates: Some((Iops(ends.0), Iops(ends.1))), ..Self::default() };
        }
        // Loads that were repeated in between know of earlier changes only.
        let until = change.earlier.map_or(Nanos::ZERO, |earlier| earlier.until);
        let at = starts.into_iter().filter(|start| *start >= until).min().unwrap_or_default();
        change.at = if change.is_level() { skip_straddling(all(), at) } else { at };
        change
    }
}

/// The start of the newest level without its first probe, where that saw the end of the level
/// before and others follow it.
fn skip_straddling<'p, 'a: 'p>(probes: impl Iterator<Item = &'p Probe<'a>>, at: Nanos) -> Nanos {
    let newest = Vec::from_iter(probes.filter(|probe| probe[0].started >= at));
    let start = |probe: &&&Probe<'_>| probe[0].started;
    let Some(first) = newest.iter().min_by_key(start).filter(|_| at > Nanos::ZERO) else {
        return at;
    };
    let later = newest.iter().map(|probe| probe[0].started).filter(|start| *start > at).min();
    later.filter(|_| starts_elsewhere(first)).unwrap_or(at)
}

/// Whether the first intervals of a probe contradict its others.
fn starts_elsewhere(probe: &[&Cell]) -> bool {
    let [cell] = probe else { return false };
    splits(&interval_rates(cell), cell).any(|(before, after)| rates_contradict(before, after))
}

/// A rate and the seconds of its time, before and after each interval of a part of a cell.
fn splits(rates: &[f64], cell: &Cell) -> impl Iterator<Item = ((f64, f64), (f64, f64))> {
    let interval_s = cell.job.interval.as_secs_f64();
    let (count, whole) = (rates.len(), rates.iter().sum::<f64>());
    let level = move |sum: f64, count: usize| (sum / count as f64, count as f64 * interval_s);
    let sums = rates.iter().scan(0.0, |sum, rate| {
        *sum += rate;
        Some(*sum)
    });
    let sums = sums.zip(1..).take(count.saturating_sub(1));
    sums.map(move |(sum, at)| (level(sum, at), level(whole - sum, count - at)))
}

/// The parts of a cell, each a rate and its seconds: one more for each change of the rate.
fn parts_of(cell: &Cell) -> Vec<(f64, f64)> {
    let mut parts = Vec::new();
    split_part(&interval_rates(cell), cell, &mut parts);
    match parts.len() {
        0 | 1 => vec![(cell.iops(), cell.elapsed.as_secs_f64())],
        _ => parts,
    }
}

/// The interval at which a part of a cell changes its rate most, where it does.
fn find_step(rates: &[f64], cell: &Cell) -> Option<usize> {
    let between = |(a, b): &((f64, f64), (f64, f64))| (a.0 - b.0).powi(2) * a.1 * b.1;
    let best =
        (1..).zip(splits(rates, cell)).max_by(|a, b| between(&a.1).total_cmp(&between(&b.1)))?;
    let (at, (before, after)) = best;
    lie_apart(before, after, PART_RATIO).then_some(at)
}

fn split_part(rates: &[f64], cell: &Cell, parts: &mut Vec<(f64, f64)>) {
    match find_step(rates, cell) {
        Some(at) => {
            let (before, after) = rates.split_at(at);
            split_part(before, cell, parts);
            split_part(after, cell, parts);
        }
        None => {
            let seconds = rates.len() as f64 * cell.job.interval.as_secs_f64();
            parts.push((rates.iter().sum::<f64>() / rates.len().max(1) as f64, seconds));
        }
    }
}

/// Levels below and above the mean rate of some cells, each for a part of the time that makes a
/// difference to the mean.
pub(super) fn levels_around(cells: &[&Cell], mean: f64) -> Vec<f64> {
    let parts = Vec::from_iter(cells.iter().flat_map(|cell| parts_of(cell)));
    let whole: f64 = parts.iter().map(|(_, time)| time).sum();
    let level = |is_in: &dyn Fn(f64) -> bool| {
        let side = || parts.iter().filter(|(rate, _)| is_in(*rate));
        let time: f64 = side().map(|(_, time)| time).sum();
        let ops: f64 = side().map(|(rate, time)| rate * time).sum();
        let without = (mean * whole - ops) / (whole - time).max(1e-9);
        let matters = (without / mean).ln().abs() >= LEVEL_APART.ln();
        let counts = time >= PART_SHARE_MIN * whole || matters;
        (counts && time > 0.0).then(|| ops / time)
    };
    let (below, above) = (mean / LEVEL_APART, mean * LEVEL_APART);
    [level(&|rate| rate < below), level(&|rate| rate > above)].into_iter().flatten().collect()
}

/// Highest start rate of the probes that started within a time.
fn max_start_rate<'p, 'a: 'p>(
    probes: impl Iterator<Item = &'p Probe<'a>>,
    time: Range<Nanos>,
) -> f64 {
    let within = probes.filter(|probe| time.contains(&probe[0].started));
    within.map(|probe| rate_at_start(probe)).fold(0.0, f64::max)
}

/// Without what came after the end of a level within the probe.
fn rate_at_start(probe: &[&Cell]) -> f64 {
    let first = match probe {
        [cell] => first_level(cell),
        _ => None,
    };
    first.unwrap_or_else(|| probe_rate(probe))
}

/// Whether a level began with this rate, and so left it and came back.
fn starts_at(level: &Level<'_, '_>, rate: f64) -> bool {
    let start = level.0.iter().map(|probe| rate_at_start(probe)).fold(0.0, f64::max);
    (start / rate.max(1e-9)).ln().abs() < CONTRADICTION_RATIO.ln()
}

/// The rate before the first change within a cell, where that is a level.
fn first_level(cell: &Cell) -> Option<f64> {
    let parts = parts_of(cell);
    let [(rate, time), (later, _), ..] = parts.as_slice() else { return None };
    // The last interval may have seen both levels.
    let intervals = (time / cell.job.interval.as_secs_f64()).round() as usize;
    let rates = interval_rates(cell);
    let own = rates.get(..intervals.saturating_sub(1)).filter(|own| own.len() > 1);
    // A moment that was slower is a stall; what a cache took before it was full is a level.
    let is_level =
        *time >= PART_SHARE_MIN * cell.elapsed.as_secs_f64() || own.is_some() && rate > later;
    let rate = own.map_or(*rate, |own| own.iter().sum::<f64>() / own.len() as f64);
    is_level.then_some(rate)
}

/// Whether other loads went the other way: less load that gave far more before, or after, cannot be
/// of the same level.
fn goes_back<'p, 'a: 'p>(probes: impl Iterator<Item = &'p Probe<'a>>, rose: bool) -> bool {
    let all = Vec::from_iter(probes);
    let is_of_another = |more: &Probe<'_>, less: &Probe<'_>| {
        let in_order = (more[0].started < less[0].started) == rose;
        in_order
            && probe_depth(more) <= probe_depth(less)
            && probe_rate(more) > probe_rate(less)
            && contradict(more, less)
    };
    all.iter().any(|more| all.iter().any(|less| is_of_another(more, less)))
}

/// Consecutive probes at one level.
struct Level<'p, 'a>(Vec<&'p Probe<'a>>);

impl Level<'_, '_> {
    fn most(&self) -> f64 {
        self.0.iter().map(|probe| probe_rate(probe)).fold(0.0, f64::max)
    }

    /// Intervals in which it was measured.
    fn intervals(&self) -> f64 {
        self.0.iter().map(|probe| intervals_of(probe)).sum()
    }

    fn first_start(&self) -> Nanos {
        self.0.first().map_or(Nanos::ZERO, |probe| probe[0].started)
    }

    fn last_end(&self) -> Nanos {
        let last = self.0.last().map(|probe| probe[0]);
        last.map_or(Nanos::ZERO, |cell| Nanos(cell.started.0.saturating_add(cell.elapsed.0)))
    }
}

/// Intervals in which a probe was measured.
fn intervals_of(probe: &Probe<'_>) -> f64 {
    probe[0].elapsed.as_secs_f64() / probe[0].job.interval.as_secs_f64().max(1e-9)
}

pub(super) fn probe_depth(probe: &[&Cell]) -> u64 {
    probe.iter().map(|cell| u64::from(cell.job.depth.0)).sum()
}

pub(super) fn probe_rate(probe: &[&Cell]) -> f64 {
    probe.iter().map(|cell| cell.iops()).sum()
}

pub(super) fn contradict(a: &[&Cell], b: &[&Cell]) -> bool {
    let with_time = |probe: &[&Cell]| (probe_rate(probe), probe[0].elapsed.as_secs_f64());
    rates_contradict(with_time(a), with_time(b))
}

/// Of two rates, each over its seconds.
fn rates_contradict(a: (f64, f64), b: (f64, f64)) -> bool {
    lie_apart(a, b, CONTRADICTION_RATIO)
}

fn lie_apart(a: (f64, f64), b: (f64, f64), ratio: f64) -> bool {
    // Where none completed, one could have.
    let ops = |(rate, seconds): (f64, f64)| (rate * seconds).max(1.0);
    let rate = |part: (f64, f64)| ops(part) / part.1.max(1e-9);
    let apart = (rate(a) / rate(b)).ln().abs();
    apart > ratio.ln() && apart > CHANCE_ERRORS * (ops(a).recip() + ops(b).recip()).sqrt()
}

fn split_levels<'p, 'a>(probes: &[&'p Probe<'a>]) -> Vec<Level<'p, 'a>> {
    let mut levels: Vec<Level<'p, 'a>> = Vec::new();
    for probe in probes {
        match levels.last_mut().filter(|level| !level.0.iter().any(|one| contradict(one, probe))) {
            Some(level) => level.0.push(probe),
            None => levels.push(Level(vec![probe])),
        }
    }
    levels
}

/// Without single probes between two levels: they saw both.
fn drop_passages<'p, 'a>(levels: Vec<Level<'p, 'a>>) -> Vec<Level<'p, 'a>> {
    let most: Vec<f64> = levels.iter().map(Level::most).collect();
    let is_passage = |place: usize| {
        let around = place.checked_sub(1).and_then(|i| Some((most.get(i)?, most.get(place + 1)?)));
        around.is_some_and(|(a, b)| (a.min(*b)..a.max(*b)).contains(&most[place]))
    };
    let kept = |(place, level): &(usize, Level<'_, '_>)| level.0.len() > 1 || !is_passage(*place);
    levels.into_iter().enumerate().filter(kept).map(|(_, level)| level).collect()
}

/// Whether a level came back after another.
fn has_return(levels: &[Level<'_, '_>]) -> bool {
    levels.iter().enumerate().any(|(place, level)| {
        let earlier = &levels[..place.saturating_sub(1)];
        earlier.iter().any(|other| !contradict(other.0[0], level.0[0]))
    })
}

/// Two rates between which the device goes to and fro: deeper loads got the lower one, and still
/// deeper ones the higher again. Each is shared by probes that are as near to each other as a
/// throttle makes them; one with credits has two.
fn find_two_caps(probes: &[&Probe<'_>]) -> Option<(f64, f64)> {
    let counted = |probe: &Probe<'_>| (probe_rate(probe), probe[0].elapsed.as_secs_f64());
    let shares = |a: &Probe<'_>, b: &Probe<'_>| {
        (probe_rate(a) / probe_rate(b) - 1.0).abs() <= CEILING_WITHIN.0
    };
    let is_shared = |one: &&&Probe<'_>| {
        let (rate, seconds) = counted(one);
        let is_another = |other: &&&Probe<'_>| other[0].started != one[0].started;
        rate * seconds >= CAP_OPERATIONS_MIN
            && probes.iter().filter(is_another).any(|other| shares(one, other))
    };
    let shared = Vec::from_iter(probes.iter().copied().filter(|probe| is_shared(&probe)));
    let dips = |low: &Probe<'_>| {
        let is_above = |high: &&&Probe<'_>| {
            probe_rate(high) > probe_rate(low)
                && lie_apart(counted(high), counted(low), LEVEL_APART)
        };
        let above = Vec::from_iter(shared.iter().copied().filter(|high| is_above(&high)));
        // A step has them on one side of it, and so has a queue that is too deep.
        let is_between = |key: &dyn Fn(&Probe<'_>) -> u64| {
            let has = |side: Ordering| above.iter().any(|high| key(high).cmp(&key(low)) == side);
            has(Ordering::Less) && has(Ordering::Greater)
        };
        let comes_back =
            is_between(&|probe| probe[0].started.0) && is_between(&|probe| probe_depth(probe));
        let high = above.first().filter(|_| comes_back)?;
        Some((probe_rate(low), probe_rate(high)))
    };
    shared.iter().find_map(|low| dips(low))
}

/// Whether the rate both rose and fell to another level within probes.
fn has_swings<'p, 'a: 'p>(probes: impl Iterator<Item = &'p Probe<'a>>) -> bool {
    let (mut rises, mut falls) = (false, false);
    for probe in probes {
        // Two jobs share the device as they please.
        let [cell] = probe.as_slice() else { continue };
        let block_s = cell.job.interval.as_secs_f64() * BLOCK_INTERVALS as f64;
        let blocks: Vec<f64> = interval_rates(cell)
            .chunks_exact(BLOCK_INTERVALS)
            .map(|block| block.iter().sum::<f64>() / block.len() as f64)
            .collect();
        // A level is two blocks that agree; the one between two levels may have seen both.
        let level_at = |place: usize| {
            let (a, b) = (*blocks.get(place)?, *blocks.get(place + 1)?);
            let agree = !rates_contradict((a, block_s), (b, block_s));
            agree.then_some(f64::midpoint(a, b))
        };
        for (before, after) in (0..blocks.len()).flat_map(|i| [(i, i + 2), (i, i + 3)]) {
            let Some((before, after)) = level_at(before).zip(level_at(after)) else { continue };
            if rates_contradict((before, 2.0 * block_s), (after, 2.0 * block_s)) {
                (rises, falls) = (rises || after > before, falls || after < before);
            }
        }
    }
    rises && falls
}

/// Whether a step within a probe says more of its rates than a slope does.
fn is_stepped(probe: &[&Cell]) -> bool {
    let [cell] = probe else { return false };
    let rates = interval_rates(cell);
    let Some(at) = find_step(&rates, cell) else { return false };
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    let (before, after) = rates.split_at(at);
    let (n, middle) = (rates.len() as f64, (rates.len() as f64 - 1.0) / 2.0);
    let by_step =
        (mean(before) - mean(after)).powi(2) * before.len() as f64 * after.len() as f64 / n;
    let along = |(place, rate): (usize, &f64)| (place as f64 - middle) * (rate - mean(&rates));
    let slope: f64 = rates.iter().enumerate().map(along).sum();
    by_step > slope.powi(2) * 12.0 / (n * (n * n - 1.0))
}

/// Which way the rate goes within the probes, where it does in several: a step leaves those before
/// and after it level, and what it falls into does not slope.
fn find_slope<'p, 'a: 'p>(probes: impl Iterator<Item = &'p Probe<'a>>) -> Option<Ordering> {
    let probes = probes.filter(|probe| !is_stepped(probe));
    let trends = probes.filter_map(|probe| stats::fit_trend(&probe_tick_rates(probe)));
    let clear: Vec<f64> =
        trends.filter(|trend| trend.p_value < P_VALUE_MAX).map(|trend| trend.change).collect();
    let rising = clear.iter().filter(|change| **change > 0.0).count();
    let falling = clear.len() - rising;
    let most = rising.max(falling);
    let one_way = most >= SLOPING_MIN && most >= SLOPING_RATIO * rising.min(falling);
    one_way.then(|| rising.cmp(&falling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, reshape, sample_record};

    /// A second of depth 1 at these rates, every 2 s.
    fn change_of(rates: &[f64]) -> LevelChange {
        change_with(rates, |_| ())
    }

    fn change_with(rates: &[f64], spoil: impl Fn(&mut Cell)) -> LevelChange {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1").clone();
        let cells: Vec<Cell> = rates
            .iter()
            .zip(0..)
            .map(|(rate, place)| {
                let mut cell = cell.clone();
                (cell.started, cell.elapsed) = (Nanos::secs(2 * place), Nanos::secs(1));
                spoil(&mut cell);
                cell.totals.read.as_mut().unwrap().iops = *rate;
                cell
            })
            .collect();
        let probes: Vec<Probe<'_>> = cells.iter().map(|cell| vec![cell]).collect();
        LevelChange::find(&[probes.iter().collect()])
    }

    #[test]
    fn levels_are_told_apart_and_only_the_newest_is_kept() {
        let check = |rates: &[f64], at, earlier: Option<(f64, u64)>| {
            let change = change_of(rates);
            assert_eq!(change.at, Nanos::secs(at), "{rates:?}");
            let seen = change.earlier.map(|e| (e.iops.0, e.until.0 / 1_000_000_000));
            assert_eq!((seen, change.alternates), (earlier, None), "{rates:?}");
        };
        check(&[9013.0, 8664.0, 9000.0], 0, None);
        check(&[9013.0, 8664.0, 1300.0], 4, Some((9013.0, 3)));
        check(&[9000.0, 4000.0, 4100.0, 1300.0, 1290.0], 6, Some((4100.0, 5)));
        // One probe on the way from one level to the other.
        check(&[9000.0, 4000.0, 1300.0, 1290.0], 4, Some((9000.0, 1)));
        // Ten operations and twenty are no two levels.
        check(&[10.0, 20.0], 0, None);
        check(&[], 0, None);
    }

    #[test]
    fn what_began_a_probe_for_a_moment_is_no_level() {
        let first_rate = |intervals: usize, share: f64| {
            let fast = |cell: &mut Cell| {
                reshape(cell, |i| if i < intervals { share } else { 1.0 });
            };
            change_with(&[9000.0, 4000.0], fast).earlier.map(|earlier| earlier.iops.0)
        };
        assert_eq!(first_rate(2, 3.0), Some(9000.0));
        assert!(first_rate(12, 3.0).unwrap() > 15_000.0, "{:?}", first_rate(12, 3.0));
    }

    #[test]
    fn a_short_probe_is_another_level_only_where_it_is_far_away() {
        let is_another = |rates: &[f64], ms: u64| {
            change_with(rates, |cell| cell.elapsed = Nanos::millis(ms)).earlier.is_some()
        };
        assert!(!is_another(&[5900.0, 3350.0], 400));
        assert!(is_another(&[5900.0, 3350.0], 1_000));
        assert!(is_another(&[27_000.0, 4000.0], 400));
    }

    #[test]
    fn no_operation_and_a_few_are_no_two_levels() {
        assert!(!lie_apart((0.0, 0.35), (60.0, 0.35), PART_RATIO));
        assert!(lie_apart((0.0, 0.35), (6000.0, 0.35), PART_RATIO));
    }

    #[test]
    fn a_rate_that_goes_one_way_within_probes_is_a_ramp() {
        let sloping = |by: f64| {
            change_with(&[9000.0, 6000.0, 3000.0, 2900.0], |cell| {
                for (place, ops) in
                    cell.ticks.directions.read.iter_mut().flat_map(|t| t.ops.iter_mut().enumerate())
                {
                    *ops = (*ops as f64 * (1.0 + by * (place as f64 / 100.0))) as u64
                        + place as u64 % 3;
                }
            })
        };
        let earlier = |by| sloping(by).earlier.map(|e| (e.iops.0, e.gradual));
        assert_eq!(earlier(-0.3), Some((9000.0, true)));
        assert_eq!(earlier(0.0), Some((9000.0, false)));
        assert_eq!(earlier(0.3), Some((9000.0, false)), "it falls between probes that rise");
    }

    #[test]
    fn two_caps_to_and_fro_are_no_curve() {
        let check = |loads: &[(u32, f64)], expected: Option<(f64, f64)>| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd1").clone();
            let to_cell = |(place, (depth, rate)): (u64, &(u32, f64))| {
                let mut cell = cell.clone();
                (cell.started, cell.elapsed) = (Nanos::secs(2 * place), Nanos::millis(700));
                cell.job.depth.0 = *depth;
                cell.totals.read.as_mut().unwrap().iops = *rate;
                cell
            };
            let cells: Vec<Cell> = (0..).zip(loads).map(to_cell).collect();
            let probes: Vec<Probe<'_>> = cells.iter().map(|cell| vec![cell]).collect();
            let found = find_two_caps(&Vec::from_iter(&probes));
            assert_eq!(found, expected, "{loads:?}");
        };
        let caps = (3150.0, 3973.0);
        check(&[(32, 3973.0), (49, 3150.0), (52, 3151.0), (64, 3972.0)], Some(caps));
        // A step, thrashing, one slow moment, and a device that wavers.
        check(&[(32, 3973.0), (64, 3972.0), (49, 3150.0), (52, 3151.0)], None);
        check(&[(32, 3973.0), (49, 3150.0), (52, 3151.0), (34, 3972.0)], None);
        check(&[(32, 3973.0), (49, 3150.0), (52, 3400.0), (64, 3972.0)], None);
        check(&[(32, 3973.0), (49, 3150.0), (52, 3151.0), (64, 3872.0)], None);
    }

    #[test]
    fn a_step_within_a_probe_is_no_slope() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        let whole = cell.intervals.len();
        let check = |share: &dyn Fn(usize) -> f64, expected: bool| {
            let mut cell = cell.clone();
            reshape(&mut cell, share);
            assert_eq!(is_stepped(&[&cell]), expected);
        };
        check(&|_| 1.0, false);
        for at in [1, whole / 2, whole - 1] {
            check(&|place| if place < at { 4.0 } else { 1.0 }, true);
        }
        check(&|place| 4.0 - 3.0 * place as f64 / whole as f64, false);
    }

    #[test]
    fn a_rate_that_swings_within_probes_has_no_level() {
        let swings = |shape: fn(usize) -> f64| {
            change_with(&[9000.0, 8900.0], |cell| reshape(cell, shape)).alternates.is_some()
        };
        assert!(swings(|i| if (10..20).contains(&i) { 0.25 } else { 1.0 }));
        assert!(!swings(|i| if i < 10 { 0.25 } else { 1.0 }), "one way");
        assert!(!swings(|i| if (10..13).contains(&i) { 0.25 } else { 1.0 }), "a short stall");
    }

    #[test]
    fn a_rate_that_comes_back_has_no_level() {
        let alternates = |rates: &[f64]| change_of(rates).alternates.map(|(a, b)| (a.0, b.0));
        assert_eq!(alternates(&[8000.0, 2000.0, 7900.0]), Some((2000.0, 8000.0)));
        assert_eq!(alternates(&[8000.0, 2000.0, 2100.0]), None);
        assert_eq!(alternates(&[8000.0, 4000.0, 2000.0, 3900.0]), Some((2000.0, 8000.0)));
    }

    #[test]
    fn a_probe_that_began_with_the_newest_rate_left_it_and_came_back() {
        let record = sample_record();
        let rate = record.cell("randread-4k-qd1").unwrap().iops();
        let comes_back = |start: f64| {
            let begin = |cell: &mut Cell| {
                let third = cell.intervals.len() / 3;
                if cell.started == Nanos::ZERO {
                    reshape(cell, |i| if i < third { start } else { 1.0 });
                }
            };
            change_with(&[0.8 * rate, 0.2 * rate], begin).alternates.is_some()
        };
        assert!(comes_back(0.2));
        assert!(!comes_back(0.5) && !comes_back(1.0));
    }
}
