//! When requests start: rate over time, gaps by class, and how bursty they are.

use std::collections::BTreeMap;

use record::profile::{Arrivals, GapClass, RateLevel};
use stats::LatencyHistogram;

use super::numbers::{find_level, rate_octave, round_figure};
use super::spacing_fit::SpacingFit;

const SECOND_NS: u64 = 1_000_000_000;
/// An interval is one second long, and longer until it has this many requests.
const INTERVAL_REQUESTS_MIN: u64 = 64;
const INTERVAL_SECONDS_MAX: u64 = 10;
/// With more intervals, neighbours are joined.
const INTERVALS_MAX: usize = 300;
/// Levels with fewer of the requests are joined to the next one.
const LEVEL_SHARE_MIN: f64 = 0.01;
const LEVELS_MAX: usize = 8;
/// A class spans a factor of 2 to the power of this.
const CLASS_POWERS: u32 = 3;
const CLASSES: usize = 64_usize.div_ceil(CLASS_POWERS as usize);
/// Numbers for all gaps together; a class has its share of them.
const QUANTILES: f64 = 128.0;
const QUANTILES_MIN: f64 = 4.0;
const QUANTILES_MAX: f64 = 64.0;
/// Windows of the dispersion. Fewer of a length say nothing.
const WINDOWS: [(&str, u64); 5] = [
    ("1ms", 1_000_000),
    ("10ms", 10_000_000),
    ("100ms", 100_000_000),
    ("1s", SECOND_NS),
    ("10s", 10 * SECOND_NS),
];
const WINDOWS_MIN: f64 = 10.0;
/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.96;

pub(super) struct ArrivalFit {
    last_ns: Option<u64>,
    begin_ns: u64,
    /// The current interval.
    interval: LevelFit,
    intervals: Vec<(u64, u64)>,
    /// By the octave of their rate.
    levels: BTreeMap<i32, LevelFit>,
    windows: [Windows; WINDOWS.len()],
    gaps: LatencyHistogram,
}

#[derive(Default)]
struct LevelFit {
    requests: u64,
    length_ns: u64,
    gaps: PatternFit,
    /// Before flushes, once there was another request.
    flush_gaps: PatternFit,
}

impl LevelFit {
    /// Adds what came later.
    fn append(&mut self, next: &Self) {
        self.requests += next.requests;
        self.length_ns += next.length_ns;
        self.append_gaps(next);
    }

    /// Adds gaps of another rate: this one stays in its octave.
    fn append_gaps(&mut self, next: &Self) {
        self.gaps.append(&next.gaps);
        self.flush_gaps.append(&next.flush_gaps);
    }

    fn rate(&self) -> f64 {
        self.requests as f64 / self.length_ns.max(1) as f64 * SECOND_NS as f64
    }

    /// `share` is that of the level among all requests.
    fn describe(&self, share: f64) -> RateLevel {
        let share_of = |pattern: &PatternFit| {
            share * pattern.gaps.count() as f64 / self.count_gaps().max(1) as f64
        };
        RateLevel {
            rate: round_figure(self.rate()),
            classes: self.gaps.describe(share_of(&self.gaps)),
            flush_classes: self.flush_gaps.describe(share_of(&self.flush_gaps)),
        }
    }

    fn count_gaps(&self) -> u64 {
        self.gaps.gaps.count() + self.flush_gaps.gaps.count()
    }
}

/// Gaps by class.
#[derive(Default)]
struct PatternFit {
    gaps: LatencyHistogram,
    /// Of each class: shorter gaps between two of it.
    classes: [SpacingFit; CLASSES],
}

impl PatternFit {
    fn add(&mut self, gap_ns: u64) {
        self.gaps.record(gap_ns);
        let class = class_of(gap_ns);
        self.classes[class].add();
        self.classes[class + 1..].iter_mut().for_each(SpacingFit::add_other);
    }

    /// Adds what came later.
    fn append(&mut self, next: &Self) {
        self.gaps.merge(&next.gaps);
        self.classes.iter_mut().zip(&next.classes).for_each(|(class, next)| class.append(next));
    }

    /// `share` is that of these gaps among all.
    fn describe(&self, share: f64) -> Vec<GapClass> {
        let mut by_class: BTreeMap<usize, Vec<(u64, u64, u64)>> = BTreeMap::new();
        for bucket in self.gaps.buckets() {
            by_class.entry(class_of(bucket.0)).or_default().push(bucket);
        }
        // Beyond the histogram's range.
        let overflow = (self.gaps.overflow() > 0).then(|| {
            let longest = self.gaps.max_ns().unwrap_or(0);
            (longest, longest, self.gaps.overflow())
        });
        overflow.into_iter().for_each(|b| by_class.entry(class_of(b.0)).or_default().push(b));
        let all = self.gaps.count().max(1) as f64;
        let least_ns = self.gaps.min_ns().unwrap_or(0);
        let longest_ns = self.gaps.max_ns().unwrap_or(0);
        let describe = |(class, buckets): (&usize, &Vec<(u64, u64, u64)>)| {
            let count: u64 = buckets.iter().map(|bucket| bucket.2).sum();
            let class_share = count as f64 / all;
            let parts = (QUANTILES * class_share * share).round();
            let parts = parts.clamp(QUANTILES_MIN, QUANTILES_MAX) as u64;
            let quantiles = (0..=parts).map(|part| {
                let rank = count as f64 * part as f64 / parts as f64;
                find_quantile(buckets, rank).clamp(least_ns, longest_ns)
            });
            GapClass {
                share: round_figure(class_share),
                quantiles_ns: quantiles.collect(),
                between: self.classes[*class].describe(),
            }
        };
        by_class.iter().map(describe).collect()
    }
}

fn class_of(gap_ns: u64) -> usize {
    (gap_ns.checked_ilog2().unwrap_or(0) / CLASS_POWERS) as usize
}

/// The value below which `rank` of the values lie, when those of a bucket are spread evenly.
fn find_quantile(buckets: &[(u64, u64, u64)], rank: f64) -> u64 {
    let mut below = 0.0;
    for (start, end, count) in buckets {
        let count = *count as f64;
        if below + count >= rank {
            let part = ((rank - below) / count).clamp(0.0, 1.0);
            return start + ((end - start) as f64 * part) as u64;
        }
        below += count;
    }
    buckets.last().map_or(0, |(_, end, _)| *end)
}

/// Requests per window of one length.
struct Windows {
    length_ns: u64,
    index: u64,
    requests: u64,
    sum: f64,
    squares: f64,
}

impl Windows {
    fn new(length_ns: u64) -> Self {
        Self { length_ns, index: 0, requests: 0, sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, start_ns: u64) {
        self.advance(start_ns / self.length_ns);
        self.requests += 1;
    }

    fn advance(&mut self, index: u64) {
        if index > self.index {
            let requests = std::mem::take(&mut self.requests) as f64;
            self.sum += requests;
            self.squares += requests * requests;
            self.index = index;
        }
    }

    /// Of the whole windows.
    fn dispersion(mut self, length_ns: u64) -> Option<f64> {
        let whole = length_ns / self.length_ns;
        self.advance(whole);
        let (count, mean) = (whole as f64, self.sum / whole.max(1) as f64);
        let variance = (self.squares - self.sum * mean) / (count - 1.0);
        (count >= WINDOWS_MIN && mean > 0.0).then(|| (variance / mean).max(0.0))
    }
}

impl ArrivalFit {
    pub(super) fn new() -> Self {
        Self {
            last_ns: None,
            begin_ns: 0,
            interval: LevelFit::default(),
            intervals: Vec::new(),
            levels: BTreeMap::new(),
            windows: WINDOWS.map(|(_, length_ns)| Windows::new(length_ns)),
            gaps: LatencyHistogram::new(),
        }
    }

    /// Starts come in order. The gaps before flushes are a pattern of their own.
    pub(super) fn add(&mut self, start_ns: u64, is_flush: bool) {
        self.windows.iter_mut().for_each(|windows| windows.add(start_ns));
        self.end_intervals(start_ns);
        self.interval.requests += 1;
        if let Some(last_ns) = self.last_ns.replace(start_ns) {
            self.add_gap(start_ns.saturating_sub(last_ns), is_flush);
        }
    }

    fn add_gap(&mut self, gap_ns: u64, is_flush: bool) {
        self.gaps.record(gap_ns);
        let interval = &mut self.interval;
        let pattern = if is_flush { &mut interval.flush_gaps } else { &mut interval.gaps };
        pattern.add(gap_ns);
    }

    /// Ends the intervals that are over at this time.
    fn end_intervals(&mut self, now_ns: u64) {
        loop {
            let busy_ns = self.last_ns.unwrap_or(0).saturating_sub(self.begin_ns);
            let seconds = match self.interval.requests >= INTERVAL_REQUESTS_MIN {
                true => busy_ns / SECOND_NS + 1,
                false => INTERVAL_SECONDS_MAX,
            };
            let end_ns = self.begin_ns + seconds * SECOND_NS;
            if now_ns < end_ns {
                return;
            }
            self.end_interval(end_ns);
        }
    }

    fn end_interval(&mut self, end_ns: u64) {
        let mut interval = std::mem::take(&mut self.interval);
        interval.length_ns = end_ns - self.begin_ns;
        self.begin_ns = end_ns;
        self.intervals.push((interval.length_ns / 1_000_000, interval.requests));
        self.add_to_level(&interval);
        if self.intervals.len() > INTERVALS_MAX {
            let join = |pair: &[(u64, u64)]| {
                pair.iter().fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
            };
            self.intervals = self.intervals.chunks(2).map(join).collect();
        }
    }

    fn add_to_level(&mut self, interval: &LevelFit) {
        if interval.requests > 0 {
            let octave = rate_octave(interval.rate());
            self.levels.entry(octave).or_default().append(interval);
        }
    }

    /// The arrivals of a capture of this length, and the uncertainty of their rate.
    pub(super) fn finish(mut self, length_ns: u64) -> (Arrivals, Option<f64>) {
        let requests = self.gaps.count() + u64::from(self.last_ns.is_some());
        if let Some(start_ns) = self.last_ns.filter(|_| requests == 1) {
            self.add_gap(start_ns, false);
        }
        self.end_intervals(length_ns);
        let rest_ms = (length_ns - self.begin_ns.min(length_ns)) / 1_000_000;
        match self.intervals.last_mut() {
            // A short rest is a part of the interval before it.
            Some((milliseconds, requests)) if rest_ms < SECOND_NS / 1_000_000 => {
                *milliseconds += rest_ms;
                *requests += self.interval.requests;
                let mut rest = std::mem::take(&mut self.interval);
                rest.length_ns = rest_ms.max(1) * 1_000_000;
                self.add_to_level(&rest);
            }
            _ => self.end_interval(self.begin_ns + rest_ms.max(1) * 1_000_000),
        }
        let windows = WINDOWS.iter().zip(self.windows);
        let dispersion: Vec<(String, f64)> = windows
            .filter_map(|((name, _), windows)| {
                Some(((*name).to_owned(), round_figure(windows.dispersion(length_ns)?)))
            })
            .collect();
        // The variance of the mean of independent windows.
        let largest = dispersion.iter().map(|(_, dispersion)| *dispersion).reduce(f64::max);
        let uncertainty =
            largest.map(|dispersion| Z * (dispersion / requests.max(1) as f64).sqrt());
        let arrivals = Arrivals {
            dispersion,
            gaps_ns: describe_gaps(&self.gaps),
            intervals: self.intervals,
            levels: describe_levels(self.levels),
        };
        (arrivals, uncertainty.map(round_figure))
    }
}

fn describe_gaps(gaps: &LatencyHistogram) -> BTreeMap<String, u64> {
    let percentile = |p: f64| Some((format!("p{p}"), gaps.quantile(p / 100.0)?));
    [1.0, 10.0, 25.0, 50.0, 75.0, 90.0, 99.0].into_iter().filter_map(percentile).collect()
}

fn describe_levels(mut levels: BTreeMap<i32, LevelFit>) -> Vec<RateLevel> {
    levels.retain(|_, level| level.count_gaps() > 0);
    let all: u64 = levels.values().map(|level| level.requests).sum();
    let share = |level: &LevelFit| level.requests as f64 / all.max(1) as f64;
    let mut kept = Vec::from_iter(levels.into_values());
    kept.sort_by_key(|level| std::cmp::Reverse(level.requests));
    let enough = kept.iter().take_while(|level| share(level) >= LEVEL_SHARE_MIN).count();
    let rare = kept.split_off(enough.clamp(1, LEVELS_MAX).min(kept.len()));
    kept.sort_by(|one, other| one.rate().total_cmp(&other.rate()));
    for level in rare {
        let into = find_level(kept.iter().map(LevelFit::rate), level.rate());
        into.into_iter().for_each(|place| kept[place].append_gaps(&level));
    }
    kept.iter().map(|level| level.describe(share(level))).collect()
}
