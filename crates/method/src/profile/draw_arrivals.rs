//! The arrivals of drawn requests: when each starts, and of which kind it is.
//!
//! Each interval of the profile gets the number of requests that it had. Gaps come class by class,
//! with as many shorter ones between them as were measured at that rate, those before flushes apart
//! from the others. The longest, or all that are longer than the mean, are then stretched or
//! shortened, so that all together fill the interval.

use engine::SplitMix64;
use record::RequestKind;
use record::profile::{Profile, RateLevel};

use super::choice::{Counts, uniform};
use super::draw_kinds::{KindState, Kinds};
use super::numbers::find_level;

/// Lowest factor for long gaps alone; below it all gaps are scaled by one factor.
const LONG_FACTOR_MIN: f64 = 0.1;
/// Gaps that are longer than this many times the mean are pauses between bursts...
const PAUSE_MEANS: f64 = 8.0;
/// ... and are changed alone where they have at least this share of the time.
const PAUSES_SHARE_MIN: f64 = 0.25;
/// At most this share of an interval stays empty after its last request.
const RESIDUE_MAX: f64 = 0.5;

pub(super) struct DrawnArrivals {
    intervals: Vec<(u64, u64)>,
    patterns: Patterns,
    state: DrawState,
    /// Place of the next interval, and where it begins.
    next: usize,
    begin_ns: f64,
    fill: Fill,
    /// The last start.
    now_ns: f64,
}

/// What is drawn from.
struct Patterns {
    levels: Vec<Level>,
    kinds: Kinds,
}

struct Level {
    rate: f64,
    gaps: Vec<Class>,
    /// Before flushes; empty where they are among the others.
    flush_gaps: Vec<Class>,
}

/// Gaps of about the same length; a pattern lists the shortest first.
struct Class {
    quantiles_ns: Vec<u64>,
    between: Counts,
}

#[derive(Clone)]
struct DrawState {
    random: SplitMix64,
    kinds: KindState,
    /// By level: how many shorter gaps come before the next of each class.
    left: Vec<GapsLeft>,
}

#[derive(Clone)]
struct GapsLeft {
    gaps: Vec<u64>,
    flush_gaps: Vec<u64>,
}

/// How gaps are fitted into the interval that is drawn.
#[derive(Clone, Copy, Default)]
struct Fill {
    level: usize,
    requests_left: u64,
    /// Longer gaps have the factor of long ones.
    long_ns: f64,
    short_factor: f64,
    long_factor: f64,
}

impl Level {
    fn new(level: &RateLevel) -> Self {
        let class = |class: &record::profile::GapClass| Class {
            quantiles_ns: class.quantiles_ns.clone(),
            between: Counts::new(&class.between),
        };
        Self {
            rate: level.rate,
            gaps: level.classes.iter().map(class).collect(),
            flush_gaps: level.flush_classes.iter().map(class).collect(),
        }
    }
}

impl DrawState {
    fn new(patterns: &Patterns, seed: u64) -> Self {
        let mut random = SplitMix64(seed);
        // The first request comes anywhere within a burst.
        let mut begin = |class: &Class| {
            let between = class.between.draw(&mut random);
            (uniform(&mut random) * between.saturating_add(1) as f64) as u64
        };
        let mut begin_all = |classes: &[Class]| classes.iter().map(&mut begin).collect();
        let left = patterns.levels.iter().map(|level| GapsLeft {
            gaps: begin_all(&level.gaps),
            flush_gaps: begin_all(&level.flush_gaps),
        });
        let left = left.collect();
        let kinds = patterns.kinds.begin(random.next_bits());
        Self { random, kinds, left }
    }

    /// The next request and the gap before it.
    fn draw(&mut self, patterns: &Patterns, level: usize) -> Option<(RequestKind, f64)> {
        let kind = patterns.kinds.draw(&mut self.kinds)?;
        let (level, left) = (&patterns.levels[level], &mut self.left[level]);
        let random = &mut self.random;
        let gap = match kind == RequestKind::Flush && !level.flush_gaps.is_empty() {
            true => draw_gap(&level.flush_gaps, &mut left.flush_gaps, random),
            false => draw_gap(&level.gaps, &mut left.gaps, random),
        };
        Some((kind, gap))
    }
}

fn draw_gap(classes: &[Class], left: &mut [u64], random: &mut SplitMix64) -> f64 {
    for (class, left) in classes.iter().zip(left).skip(1).rev() {
        if *left == 0 {
            *left = class.between.draw(random);
            return interpolate(&class.quantiles_ns, uniform(random));
        }
        *left -= 1;
    }
    let shortest = classes.first().map_or(&[][..], |class| &class.quantiles_ns);
    interpolate(shortest, uniform(random))
}

/// The quantile at `share` of all.
fn interpolate(quantiles: &[u64], share: f64) -> f64 {
    let Some(last) = quantiles.len().checked_sub(1) else { return 0.0 };
    let place = share * last as f64;
    let below = (place as usize).min(last);
    let (low, high) = (quantiles[below] as f64, quantiles[(below + 1).min(last)] as f64);
    low + (high - low) * (place - below as f64)
}

impl DrawnArrivals {
    pub(super) fn new(profile: &Profile, seed: u64) -> Self {
        let patterns = Patterns {
            levels: profile.arrivals.levels.iter().map(Level::new).collect(),
            kinds: Kinds::new(&profile.kinds),
        };
        Self {
            intervals: profile.arrivals.intervals.clone(),
            state: DrawState::new(&patterns, seed),
            patterns,
            next: 0,
            begin_ns: 0.0,
            fill: Fill::default(),
            now_ns: 0.0,
        }
    }

    fn begin_interval(&mut self) -> Option<()> {
        let (milliseconds, requests) = *self.intervals.get(self.next)?;
        self.next += 1;
        let length_ns = milliseconds as f64 * 1e6;
        let end_ns = self.begin_ns + length_ns;
        self.begin_ns = end_ns;
        if requests == 0 {
            self.now_ns = end_ns;
            return Some(());
        }
        let rates = self.patterns.levels.iter().map(|level| level.rate);
        let level = find_level(rates, requests as f64 / length_ns * 1e9)?;
        let mean_ns = length_ns / requests as f64;
        // The same gaps are drawn twice: first for their sum.
        let mut preview = self.state.clone();
        let (mut sum_ns, mut above_mean_ns, mut pauses_ns) = (0.0, 0.0, 0.0);
        for _ in 0..requests {
            let (_, gap) = preview.draw(&self.patterns, level)?;
            sum_ns += gap;
            above_mean_ns += if gap > mean_ns { gap } else { 0.0 };
            pauses_ns += if gap > PAUSE_MEANS * mean_ns { gap } else { 0.0 };
        }
        // The end of the interval lies somewhere within the gap after its last request.
        let (_, following) = preview.draw(&self.patterns, level)?;
        let following = following.min(RESIDUE_MAX * length_ns);
        let wanted_ns = end_ns - uniform(&mut preview.random) * following - self.now_ns;
        let fit = |long_sum_ns: f64| (wanted_ns - (sum_ns - long_sum_ns)) / long_sum_ns;
        let is_bursty = pauses_ns >= PAUSES_SHARE_MIN * sum_ns && fit(pauses_ns) >= LONG_FACTOR_MIN;
        let (long_ns, long_factor) = match is_bursty {
            true => (PAUSE_MEANS * mean_ns, fit(pauses_ns)),
            false => (mean_ns, fit(above_mean_ns)),
        };
        let (short_factor, long_factor) = match long_factor >= LONG_FACTOR_MIN {
            true if long_factor.is_finite() => (1.0, long_factor),
            _ => {
                let factor = if sum_ns > 0.0 { (wanted_ns / sum_ns).max(0.0) } else { 0.0 };
                (factor, factor)
            }
        };
        self.fill = Fill { level, requests_left: requests, long_ns, short_factor, long_factor };
        Some(())
    }
}

impl Iterator for DrawnArrivals {
    type Item = (RequestKind, u64);

    fn next(&mut self) -> Option<(RequestKind, u64)> {
        while self.fill.requests_left == 0 {
            self.begin_interval()?;
        }
        let fill = &mut self.fill;
        fill.requests_left -= 1;
        let (kind, gap) = self.state.draw(&self.patterns, fill.level)?;
        let factor = if gap > fill.long_ns { fill.long_factor } else { fill.short_factor };
        self.now_ns += gap * factor;
        Some((kind, self.now_ns as u64))
    }
}
