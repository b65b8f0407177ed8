//! What reads within ever larger parts of the span say of a cache: used by `device-cache` and by
//! those who must know whether there is one.
//!
//! A read is a hit when it is faster than the border between the two speeds. A cache of size C
//! answers all reads within a part of size S up to C, and of larger parts the share C / S
//! (methodology, section 5, row 5). Shares do not mind a few very slow reads, as means do.

use record::{Cell, Measured, Trial};
use stats::LatencyHistogram;
use units::{Bytes, Nanos};

use super::reread::{above_the_device, histogram};

/// Blocks of this size and more only warmed a part up.
const WARMING: Bytes = Bytes::mib(1);
/// A measurement of fewer reads gives no share and is left out; of few the step must be the larger,
/// see `is_step`.
const READS_MIN: u64 = 10;
/// So often the smallest part and the whole must have been measured, in turns; of three, one of
/// each may have been disturbed.
const REPEATS_MIN: usize = 2;
const TOO_FEW: &str = "too few reads of each part in this time: --thorough has more of it";
/// Two speeds closer than this may be one that varies: that of a disk on a busy host doubles for a
/// while. Where most of the whole is fast as well, its slow reads may be any disk's slow tenth.
const SPEEDS: f64 = 2.0;
const SPEEDS_OF_TAIL: f64 = 4.0;
/// The share of hits in the smallest part, at least; a cache smaller than that changes no figure.
const SMALLEST_HITS: f64 = 0.7;
/// By so much the share must fall from the smallest part to the whole.
const STEP: f64 = 0.25;
/// A part with more hits than this lies in the cache; one with fewer does not.
const INSIDE: f64 = 0.9;
/// By so much the share may seem to rise from one part to a larger one.
const RISE: f64 = 0.2;
/// Steps of the fit per octave, and of the share of the medium's own fast reads.
const PER_OCTAVE: f64 = 8.0;
const OWN_STEP: f64 = 0.02;
const OWN_STEPS: u32 = 15;

/// What the sweep says.
pub(super) enum Sweep {
    /// Nothing, and why.
    Not(&'static str),
    /// Every part is as fast as the whole.
    Flat(Vec<Part>),
    Step(Step),
}

/// One part of the span.
pub(super) struct Part {
    pub(super) size: Bytes,
    reads: u64,
    /// Median of one read at a time, in nanoseconds.
    pub(super) p50_ns: u64,
    /// Share of hits; 1 where there is only one speed.
    pub(super) hits: f64,
    /// The same per measurement.
    each: Vec<f64>,
}

/// A cache.
pub(super) struct Step {
    /// Its size, by the fit.
    pub(super) size: Bytes,
    /// Whether a part that had been read as a whole before did not fit into it.
    pub(super) bounded: bool,
    pub(super) hit: Nanos,
    pub(super) miss: Nanos,
    pub(super) parts: Vec<Part>,
}

impl Step {
    /// Share of the span that it can hold.
    pub(super) fn share(&self, record: &Measured) -> f64 {
        (self.size.0 as f64 / record.plan.span.0.max(1) as f64).min(1.0)
    }
}

/// What `record` says of parts of the span.
pub(super) fn sweep(record: &Measured) -> Sweep {
    let cells: Vec<(&Cell, Bytes)> = record
        .cells
        .iter()
        .filter(|cell| cell.job.depth.0 == 1 && cell.job.block_size < WARMING)
        .filter_map(|cell| match cell.trial {
            Some(Trial::WorkingSet { size }) => Some((cell, size)),
            _ => None,
        })
        .collect();
    if cells.iter().any(|(cell, _)| above_the_device(cell)) {
        return Sweep::Not("the page cache of this host answered: see page-cache");
    }
    let groups = groups(&cells);
    let [first, .., last] = groups.as_slice() else {
        let why = match cells.is_empty() {
            true => "parts of the span were not read, or the span is too small for it",
            false => TOO_FEW,
        };
        return Sweep::Not(why);
    };
    // Where the ends are missing, what is there is no smallest part and no whole.
    let sizes = || cells.iter().map(|(_, size)| *size);
    let ends = (sizes().min(), sizes().max()) == (Some(first.0), Some(last.0));
    if !ends || first.1.len() < REPEATS_MIN || last.1.len() < REPEATS_MIN {
        return Sweep::Not(TOO_FEW);
    }
    let Some((hit, miss)) = speeds(&first.1, &last.1) else {
        return Sweep::Flat(parts(&groups, u64::MAX));
    };
    let parts = parts(&groups, ((hit * miss) as f64).sqrt() as u64);
    if is_step(&parts) {
        let size = fit(&parts);
        let whole = parts.last().map_or(Bytes(0), |part| part.size);
        let bounded = parts.iter().any(|part| part.size < whole && part.hits < INSIDE - STEP / 2.0);
        Sweep::Step(Step { size, bounded, hit: Nanos(hit), miss: Nanos(miss), parts })
    } else {
        Sweep::Flat(parts)
    }
}

type Group = (Bytes, Vec<LatencyHistogram>);

/// The measurements by size, ascending.
fn groups(cells: &[(&Cell, Bytes)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (cell, size) in cells {
        let enough = |measured: &LatencyHistogram| measured.count() >= READS_MIN;
        let Some(measured) = histogram(cell).filter(enough) else { continue };
        match groups.iter_mut().find(|(known, _)| known == size) {
            Some((_, all)) => all.push(measured),
            None => groups.push((*size, vec![measured])),
        }
    }
    groups.sort_by_key(|(size, _)| *size);
    groups
}

fn pooled(measured: &[LatencyHistogram]) -> LatencyHistogram {
    let mut all = LatencyHistogram::new();
    measured.iter().for_each(|one| all.merge(one));
    all
}

/// How long a hit and a miss take, when these are two speeds: the median in the smallest part; of
/// the whole the median or, where most of it is hits, what one read in ten takes at least.
fn speeds(smallest: &[LatencyHistogram], whole: &[LatencyHistogram]) -> Option<(u64, u64)> {
    let hit = smallest.iter().filter_map(|one| one.quantile(0.5)).min()?.max(1);
    let whole = pooled(whole);
    let far = |(q, times): (f64, f64)| {
        whole.quantile(q).filter(|miss| *miss as f64 >= times * hit as f64)
    };
    let miss = [(0.5, SPEEDS), (0.9, SPEEDS_OF_TAIL)].into_iter().find_map(far)?;
    Some((hit, miss))
}

fn parts(groups: &[Group], border: u64) -> Vec<Part> {
    let hits = |h: &LatencyHistogram| 1.0 - h.count_above(border) / h.count().max(1) as f64;
    let part = |(size, measured): &Group| {
        let all = pooled(measured);
        Part {
            size: *size,
            reads: all.count(),
            p50_ns: all.quantile(0.5).unwrap_or(0),
            hits: hits(&all),
            each: measured.iter().map(hits).collect(),
        }
    };
    groups.iter().map(part).collect()
}

/// Whether the share of hits falls with size, and by more than chance or a disturbance explains.
fn is_step(parts: &[Part]) -> bool {
    let [first, .., last] = parts else { return false };
    // The worst measurement of each; of three, the worst but one.
    let sorted = |part: &Part| {
        let mut each = part.each.clone();
        each.sort_by(f64::total_cmp);
        each
    };
    let (first_hits, last_hits) = (sorted(first), sorted(last));
    let spared = |hits: &[f64]| usize::from(hits.len() > REPEATS_MIN);
    let least = first_hits.get(spared(&first_hits));
    let (Some(least), Some(most)) = (least, last_hits.iter().rev().nth(spared(&last_hits))) else {
        return false;
    };
    // Three standard errors of the difference of two shares, at their widest.
    let measured = |part: &Part| part.reads as f64 / part.each.len().max(1) as f64;
    let chance = 3.0 * (0.25 / measured(first) + 0.25 / measured(last)).sqrt();
    let falls = parts.windows(2).all(|two| two[1].hits <= two[0].hits + RISE);
    *least >= SMALLEST_HITS && least - most >= STEP.max(chance) && falls
}

/// The size whose `own + (1 - own) min(1, C / S)` lies nearest to the shares; `own` is what the
/// medium answers as fast by itself.
fn fit(parts: &[Part]) -> Bytes {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Bytes(0) };
    let from = (first.size.0 as f64 / 2.0).log2();
    let steps = ((last.size.0 as f64).log2() - from) * PER_OCTAVE;
    let sizes = (0..=steps as u32).map(|i| (from + f64::from(i) / PER_OCTAVE).exp2());
    let cost = |size: f64, own: f64| -> f64 {
        let off = |part: &Part| {
            let hits = own + (1.0 - own) * (size / part.size.0 as f64).min(1.0);
            part.reads as f64 * (part.hits - hits).powi(2)
        };
        parts.iter().map(off).sum()
    };
    let least = |size: f64| {
        let owns = (0..OWN_STEPS).map(|i| cost(size, f64::from(i) * OWN_STEP));
        owns.fold(f64::INFINITY, f64::min)
    };
    let best = sizes.map(|size| (size, least(size))).min_by(|a, b| a.1.total_cmp(&b.1));
    Bytes(best.map_or(0, |(size, _)| size as u64))
}

/// Gives the sample record a sweep: sizes in MiB, and the share of reads that take 20 us, where the
/// others take 100 us.
#[cfg(test)]
pub(super) fn add(record: &mut Measured, parts: &[(u64, f64)]) {
    let again = [0, parts.len() - 1, 0, parts.len() - 1].map(|place| parts[place]);
    for (number, &(mib, hits)) in parts.iter().chain(&again).enumerate() {
        let trial = Trial::WorkingSet { size: Bytes::mib(mib) };
        let cell = crate::testing::trial(record, &format!("working-set-{number}"), trial);
        let fast = (400.0 * hits) as usize;
        let mut latencies = crate::testing::around(20_000, fast);
        latencies.extend(crate::testing::around(100_000, 400 - fast));
        crate::testing::take(cell, &latencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    fn of(parts: &[(u64, f64)]) -> Sweep {
        let mut record = record();
        add(&mut record, parts);
        sweep(&record)
    }

    #[test]
    fn sizes_are_found_within_an_octave() {
        for cache in [24.0, 64.0, 100.0, 300.0, 1000.0, 2000.0] {
            let hits = |mib: u64| (mib, (cache / mib as f64).min(1.0));
            let Sweep::Step(step) = of(&[16, 64, 256, 1024, 4096].map(hits)) else {
                panic!("{cache}");
            };
            let found = step.size.0 as f64 / Bytes::MIB as f64;
            assert!((0.5..2.0).contains(&(found / cache)), "{cache}: {found}");
            assert!((19_000..21_000).contains(&step.hit.0) && step.miss.0 > 90_000);
        }
    }

    #[test]
    fn one_speed_is_flat_and_so_is_one_that_varies() {
        let flat = |parts: &[(u64, f64)]| matches!(of(parts), Sweep::Flat(_));
        assert!(flat(&[(16, 0.0), (64, 0.0), (4096, 0.0)]));
        assert!(flat(&[(16, 1.0), (64, 1.0), (4096, 1.0)]));
        assert!(flat(&[(16, 0.8), (64, 0.85), (4096, 0.75)]), "two speeds at every size");
        assert!(flat(&[(16, 0.9), (64, 0.2), (256, 0.9), (4096, 0.3)]), "no size of anything");
    }

    /// Seen of a plain disk while others compiled on its host.
    #[test]
    fn a_slow_tail_is_no_cache() {
        let mut record = record();
        add(&mut record, &[(16, 0.91), (64, 0.89), (4096, 0.63)]);
        for cell in record.cells.iter_mut().filter(|cell| cell.trial.is_some()) {
            let fast = histogram(cell).map_or(0, |h| 400 - h.count_above(60_000) as usize);
            let mut latencies = crate::testing::around(42_000, fast);
            latencies.extend(crate::testing::around(111_000, 400 - fast));
            crate::testing::take(cell, &latencies);
        }
        assert!(matches!(sweep(&record), Sweep::Flat(_)));
    }

    #[test]
    fn a_slow_time_at_one_end_is_no_cache() {
        let mut record = record();
        add(&mut record, &[(16, 1.0), (64, 1.0), (4096, 0.2)]);
        assert!(matches!(sweep(&record), Sweep::Step(_)));
        // The whole, measured again, is as fast as the rest: once, and twice.
        let mut faster = |name: &str| {
            let cell = crate::testing::cell_mut(&mut record, name);
            crate::testing::take(cell, &crate::testing::around(20_000, 400));
            matches!(sweep(&record), Sweep::Flat(_))
        };
        assert!(!faster("working-set-4"));
        assert!(faster("working-set-6"));
    }

    #[test]
    fn only_parts_that_were_warmed_bound_a_cache() {
        let bounded = |parts: &[(u64, f64)]| match of(parts) {
            Sweep::Step(step) => step.bounded,
            _ => panic!("{parts:?}"),
        };
        assert!(bounded(&[(16, 1.0), (64, 0.5), (4096, 0.01)]));
        assert!(!bounded(&[(16, 1.0), (64, 1.0), (4096, 0.02)]));
    }

    #[test]
    fn too_little_says_nothing() {
        let says = |record: &Measured| !matches!(sweep(record), Sweep::Not(_));
        let mut record = record();
        assert!(!says(&record));
        add(&mut record, &[(16, 1.0), (4096, 0.0)]);
        assert!(says(&record));
        let mut few = |name: &str| {
            let cell = crate::testing::cell_mut(&mut record, name);
            crate::testing::take(cell, &crate::testing::around(100_000, 8));
            says(&record)
        };
        assert!(few("working-set-5"), "one of three is left out");
        assert!(!few("working-set-3"), "one alone says nothing");
    }
}
