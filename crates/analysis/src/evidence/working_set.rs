//! A cache in reads within growing parts of the span, for `device-cache` and `host-cache`. A cache
//! of size C answers of a part of size S the share C / S (methodology, section 5, row 5).

use message::{Message, label};
use record::{Cell, Measured, Trial};
use stats::LatencyHistogram;
use units::{Bytes, Nanos};

use crate::cells::{is_served_above_device, read_histogram};
use crate::lists::find_or_push;

/// Reads of this block size and more only warmed a part up.
const WARMING_BLOCK_MIN: Bytes = Bytes::mib(1);
const READS_MIN: u64 = 10;
/// Measurements of the smallest part and of the whole. Of three, one may have been disturbed.
const REPEATS_MIN: usize = 2;
/// On a busy host the speed of a disk doubles for a while; slow reads of a fast whole may be its
/// tail.
const SPEED_RATIO_MIN: f64 = 2.0;
const TAIL_SPEED_RATIO_MIN: f64 = 4.0;
/// Minimum share of hits in the smallest part; a smaller cache changes no figure.
const SMALLEST_HITS_MIN: f64 = 0.7;
const STEP_MIN: f64 = 0.25;
/// A part with more hits than this lies in the cache; one with fewer does not.
const INSIDE_HITS_MIN: f64 = 0.9;
const RISE_MAX: f64 = 0.2;
/// Steps of the fit per octave, and of the share of the medium's own fast reads.
const STEPS_PER_OCTAVE: f64 = 8.0;
const OWN_SHARE_STEP: f64 = 0.02;
const OWN_SHARE_STEPS: u32 = 15;

pub(crate) enum WorkingSet {
    Flat(Vec<SpanPart>),
    Step(CacheStep),
}

pub(crate) struct SpanPart {
    pub(crate) size: Bytes,
    reads: u64,
    /// Median of one read at a time, in nanoseconds.
    pub(crate) p50_ns: u64,
    /// Share of hits; 1 where there is only one speed.
    pub(crate) hits: f64,
    hits_per_measurement: Vec<f64>,
}

pub(crate) struct CacheStep {
    pub(crate) size: Bytes,
    /// Whether a part that had been read as a whole did not fit into it.
    pub(crate) bounded: bool,
    pub(crate) hit: Nanos,
    pub(crate) miss: Nanos,
    pub(crate) parts: Vec<SpanPart>,
}

impl CacheStep {
    pub(crate) fn span_share(&self, measured: &Measured) -> f64 {
        (self.size.0 as f64 / measured.plan.span.0.max(1) as f64).min(1.0)
    }
}

/// Whether a cache ends within the span, or why that is not known.
pub(crate) fn find_cache_step(measured: &Measured) -> Result<WorkingSet, Message> {
    let alone = |cell: &&Cell| cell.job.depth.0 == 1 && cell.job.block_size < WARMING_BLOCK_MIN;
    let size_of_part = |cell: &Cell| match cell.trial {
        Some(Trial::WorkingSet { size }) => Some(size),
        _ => None,
    };
    let cells: Vec<(&Cell, Bytes)> =
        measured.cells.iter().filter(alone).filter_map(|c| Some((c, size_of_part(c)?))).collect();
    if cells.iter().any(|(cell, _)| is_served_above_device(cell)) {
        return Err(label("working-set-from-page-cache"));
    }
    let groups = group_by_size(&cells);
    let [first, .., last] = groups.as_slice() else {
        return Err(match cells.is_empty() {
            true => label("working-set-not-read"),
            false => label("working-set-too-few-reads"),
        });
    };
    // Where the ends are missing, the rest has no smallest part and no whole.
    let sizes = || cells.iter().map(|(_, size)| *size);
    let ends = (sizes().min(), sizes().max()) == (Some(first.0), Some(last.0));
    if !ends || first.1.len() < REPEATS_MIN || last.1.len() < REPEATS_MIN {
        return Err(label("working-set-too-few-reads"));
    }
    let Some((hit, miss)) = find_two_speeds(&first.1, &last.1) else {
        return Ok(WorkingSet::Flat(build_parts(&groups, u64::MAX)));
    };
    let parts = build_parts(&groups, ((hit * miss) as f64).sqrt() as u64);
    if !is_step(&parts) {
        return Ok(WorkingSet::Flat(parts));
    }
    let size = fit_cache_size(&parts);
    let whole = parts.last().map_or(Bytes(0), |part| part.size);
    let outside = |part: &SpanPart| part.hits < INSIDE_HITS_MIN - STEP_MIN / 2.0;
    let bounded = parts.iter().any(|part| part.size < whole && outside(part));
    Ok(WorkingSet::Step(CacheStep { size, bounded, hit: Nanos(hit), miss: Nanos(miss), parts }))
}

type SizeGroup = (Bytes, Vec<LatencyHistogram>);

fn group_by_size(cells: &[(&Cell, Bytes)]) -> Vec<SizeGroup> {
    let mut groups: Vec<SizeGroup> = Vec::new();
    for (cell, size) in cells {
        let enough = |measured: &LatencyHistogram| measured.count() >= READS_MIN;
        let Some(measured) = read_histogram(cell).filter(enough) else { continue };
        find_or_push(&mut groups, |(known, _)| known == size, || (*size, vec![])).1.push(measured);
    }
    groups.sort_by_key(|(size, _)| *size);
    groups
}

fn merge_histograms(measured: &[LatencyHistogram]) -> LatencyHistogram {
    let mut all = LatencyHistogram::new();
    measured.iter().for_each(|one| all.merge(one));
    all
}

/// The median in the smallest part; of the whole the median or the 90th percentile.
fn find_two_speeds(
    smallest: &[LatencyHistogram],
    whole: &[LatencyHistogram],
) -> Option<(u64, u64)> {
    let hit = smallest.iter().filter_map(|one| one.quantile(0.5)).min()?.max(1);
    let whole = merge_histograms(whole);
    let far = |(q, times): (f64, f64)| {
        whole.quantile(q).filter(|miss| *miss as f64 >= times * hit as f64)
    };
    let miss = [(0.5, SPEED_RATIO_MIN), (0.9, TAIL_SPEED_RATIO_MIN)].into_iter().find_map(far)?;
    Some((hit, miss))
}

fn build_parts(groups: &[SizeGroup], border: u64) -> Vec<SpanPart> {
    let hits = |h: &LatencyHistogram| 1.0 - h.count_above(border) / h.count().max(1) as f64;
    let part = |(size, measured): &SizeGroup| {
        let all = merge_histograms(measured);
        SpanPart {
            size: *size,
            reads: all.count(),
            p50_ns: all.quantile(0.5).unwrap_or(0),
            hits: hits(&all),
            hits_per_measurement: measured.iter().map(hits).collect(),
        }
    };
    groups.iter().map(part).collect()
}

/// Whether the share of hits falls with size, and by more than chance or a disturbance explains.
fn is_step(parts: &[SpanPart]) -> bool {
    let [first, .., last] = parts else { return false };
    let sorted = |part: &SpanPart| {
        let mut each = part.hits_per_measurement.clone();
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
    let measured =
        |part: &SpanPart| part.reads as f64 / part.hits_per_measurement.len().max(1) as f64;
    let chance = 3.0 * (0.25 / measured(first) + 0.25 / measured(last)).sqrt();
    let falls = parts.windows(2).all(|two| two[1].hits <= two[0].hits + RISE_MAX);
    *least >= SMALLEST_HITS_MIN && least - most >= STEP_MIN.max(chance) && falls
}

/// The size whose `own + (1 - own) min(1, C / S)` is nearest; `own` is the medium's own fast share.
fn fit_cache_size(parts: &[SpanPart]) -> Bytes {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Bytes(0) };
    let from = (first.size.0 as f64 / 2.0).log2();
    let steps = ((last.size.0 as f64).log2() - from) * STEPS_PER_OCTAVE;
    let sizes = (0..=steps as u32).map(|i| (from + f64::from(i) / STEPS_PER_OCTAVE).exp2());
    let cost = |size: f64, own: f64| -> f64 {
        let off = |part: &SpanPart| {
            let hits = own + (1.0 - own) * (size / part.size.0 as f64).min(1.0);
            part.reads as f64 * (part.hits - hits).powi(2)
        };
        parts.iter().map(off).sum()
    };
    let least = |size: f64| {
        let owns = (0..OWN_SHARE_STEPS).map(|i| cost(size, f64::from(i) * OWN_SHARE_STEP));
        owns.fold(f64::INFINITY, f64::min)
    };
    let best = sizes.map(|size| (size, least(size))).min_by(|a, b| a.1.total_cmp(&b.1));
    Bytes(best.map_or(0, |(size, _)| size as u64))
}

/// Gives the sample record a sweep: sizes in MiB, and the share of reads that take 20 us, where the
/// others take 100 us.
#[cfg(test)]
pub(crate) fn add(measured: &mut Measured, parts: &[(u64, f64)]) {
    let again = [0, parts.len() - 1, 0, parts.len() - 1].map(|place| parts[place]);
    for (number, &(mib, hits)) in parts.iter().chain(&again).enumerate() {
        let trial = Trial::WorkingSet { size: Bytes::mib(mib) };
        let cell =
            crate::testing::add_trial_cell(measured, &format!("working-set-{number}"), trial);
        let fast = (400.0 * hits) as usize;
        let mut latencies = crate::testing::latencies_around(20_000, fast);
        latencies.extend(crate::testing::latencies_around(100_000, 400 - fast));
        crate::testing::set_read_latencies(cell, &latencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    fn of(parts: &[(u64, f64)]) -> WorkingSet {
        let mut record = sample_record();
        add(&mut record, parts);
        find_cache_step(&record).unwrap()
    }

    #[test]
    fn sizes_are_found_within_an_octave() {
        for cache in [24.0, 64.0, 100.0, 300.0, 1000.0, 2000.0] {
            let hits = |mib: u64| (mib, (cache / mib as f64).min(1.0));
            let WorkingSet::Step(step) = of(&[16, 64, 256, 1024, 4096].map(hits)) else {
                panic!("{cache}");
            };
            let found = step.size.0 as f64 / Bytes::MIB as f64;
            assert!((0.5..2.0).contains(&(found / cache)), "{cache}: {found}");
            assert!((19_000..21_000).contains(&step.hit.0) && step.miss.0 > 90_000);
        }
    }

    #[test]
    fn one_speed_is_flat_and_so_is_one_that_varies() {
        let flat = |parts: &[(u64, f64)]| matches!(of(parts), WorkingSet::Flat(_));
        assert!(flat(&[(16, 0.0), (64, 0.0), (4096, 0.0)]));
        assert!(flat(&[(16, 1.0), (64, 1.0), (4096, 1.0)]));
        assert!(flat(&[(16, 0.8), (64, 0.85), (4096, 0.75)]), "two speeds at every size");
        assert!(flat(&[(16, 0.9), (64, 0.2), (256, 0.9), (4096, 0.3)]), "no size of anything");
    }

    /// Seen of a plain disk while others compiled on its host.
    #[test]
    fn a_slow_tail_is_no_cache() {
        let mut record = sample_record();
        add(&mut record, &[(16, 0.91), (64, 0.89), (4096, 0.63)]);
        for cell in record.cells.iter_mut().filter(|cell| cell.trial.is_some()) {
            let fast = read_histogram(cell).map_or(0, |h| 400 - h.count_above(60_000) as usize);
            let mut latencies = crate::testing::latencies_around(42_000, fast);
            latencies.extend(crate::testing::latencies_around(111_000, 400 - fast));
            crate::testing::set_read_latencies(cell, &latencies);
        }
        assert!(matches!(find_cache_step(&record), Ok(WorkingSet::Flat(_))));
    }

    #[test]
    fn a_slow_time_at_one_end_is_no_cache() {
        let mut record = sample_record();
        add(&mut record, &[(16, 1.0), (64, 1.0), (4096, 0.2)]);
        assert!(matches!(find_cache_step(&record), Ok(WorkingSet::Step(_))));
        // The whole, measured again, is as fast as the rest: once, and twice.
        let mut faster = |name: &str| {
            let cell = crate::testing::cell_mut(&mut record, name);
            crate::testing::set_read_latencies(
                cell,
                &crate::testing::latencies_around(20_000, 400),
            );
            matches!(find_cache_step(&record), Ok(WorkingSet::Flat(_)))
        };
        assert!(!faster("working-set-4"));
        assert!(faster("working-set-6"));
    }

    #[test]
    fn only_parts_that_were_warmed_bound_a_cache() {
        let bounded = |parts: &[(u64, f64)]| match of(parts) {
            WorkingSet::Step(step) => step.bounded,
            _ => panic!("{parts:?}"),
        };
        assert!(bounded(&[(16, 1.0), (64, 0.5), (4096, 0.01)]));
        assert!(!bounded(&[(16, 1.0), (64, 1.0), (4096, 0.02)]));
    }

    #[test]
    fn too_little_says_nothing() {
        let says = |record: &Measured| find_cache_step(record).is_ok();
        let mut record = sample_record();
        assert!(!says(&record));
        add(&mut record, &[(16, 1.0), (4096, 0.0)]);
        assert!(says(&record));
        let mut few = |name: &str| {
            let cell = crate::testing::cell_mut(&mut record, name);
            crate::testing::set_read_latencies(cell, &crate::testing::latencies_around(100_000, 8));
            says(&record)
        };
        assert!(few("working-set-5"), "one of three is left out");
        assert!(!few("working-set-3"), "one alone says nothing");
    }
}
