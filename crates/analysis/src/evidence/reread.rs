//! Blocks that were read again, for `host-cache` and `first-touch`: a faster second read comes from
//! a cache, or the block was fetched from elsewhere once. See [`Reread::cause`].

use message::{Message, Names, label, messages};
use record::{Cell, Evidence, Measured, Trial};
use stats::{Estimate, LatencyHistogram, percentile_estimate};
use units::Nanos;

use super::working_set::{WorkingSet, find_cache_step};
use crate::cells::{is_served_above_device, read_histogram};

/// Ratio of the second read (methodology, section 5, row 4): of the median of all, and of the lower
/// quartile in all regions but one. A busy host only adds to latencies, and to that quartile last.
const FALL_MAX: f64 = 0.7;
const FAST_QUANTILE: f64 = 0.25;
/// A device whose speed happens to double within a region does not do so in three.
const REGIONS_MIN: usize = 3;
/// Share of the sum of both medians, above which a third read is as slow as the first was.
const SLOW_AGAIN_FROM: f64 = 0.5;
/// Only memory answers a read this fast (methodology, section 5, row 4).
pub(crate) const MEMORY_LATENCY_MAX: Nanos = Nanos::micros(20);
/// No volume over a network is faster (methodology, section 8.2: the fastest take 200 us).
const NETWORK_LATENCY_MIN: Nanos = Nanos::micros(150);
/// Minimum extra time to fetch a block over a network (methodology, section 8.2: 400 us to 2 ms).
const FETCH_TIME_MIN: Nanos = Nanos::micros(700);

pub(crate) struct Reread<'r> {
    /// Median of the first reads, in nanoseconds.
    pub(crate) first: Estimate,
    pub(crate) again: Estimate,
    /// Median of the reads after all others; of blocks whose second read was faster.
    later: Option<Estimate>,
    pub(crate) faster: bool,
    cells: Vec<&'r Cell>,
}

pub(crate) enum Cause {
    None,
    Cache(Message),
    /// Most likely fetched on first touch.
    Filled,
}

pub(crate) fn find_rereads(measured: &Measured) -> Result<Reread<'_>, Message> {
    let pairs = pair_rereads(&measured.cells);
    if pairs.len() < REGIONS_MIN {
        return Err(label("reread-too-few-blocks"));
    }
    if pairs.iter().any(|(_, again)| is_served_above_device(again)) {
        return Err(label("reread-from-page-cache"));
    }
    let pooled = |pick: &dyn Fn(&(&Cell, &Cell)) -> Option<LatencyHistogram>| {
        let mut all = LatencyHistogram::new();
        pairs.iter().filter_map(pick).for_each(|part| all.merge(&part));
        percentile_estimate(&all, 50.0)
    };
    let medians =
        pooled(&|pair| read_histogram(pair.0)).zip(pooled(&|pair| read_histogram(pair.1)));
    let Some((first, again)) = medians else { return Err(label("reread-too-few-blocks")) };
    let fastest = |cell: &Cell| read_histogram(cell)?.quantile(FAST_QUANTILE);
    let fell = |(first, again): &&(&Cell, &Cell)| {
        let pair = fastest(first).zip(fastest(again));
        pair.is_some_and(|(first, again)| (again as f64) < FALL_MAX * first as f64)
    };
    let regions = pairs.iter().filter(fell).count();
    let apart = again.high.zip(first.low).is_some_and(|(again, first)| again < first);
    let all = apart && again.value < FALL_MAX * first.value;
    let faster = all && regions >= REGIONS_MIN && regions + 1 >= pairs.len();
    let pairs = pairs.iter().flat_map(|(first, again)| [*first, *again]);
    let third = measured.cells.iter().filter(|cell| read_pass(cell) == Some(3));
    let mut all = LatencyHistogram::new();
    third.clone().filter_map(read_histogram).for_each(|part| all.merge(&part));
    let later = percentile_estimate(&all, 50.0);
    Ok(Reread { first, again, later, faster, cells: pairs.chain(third).collect() })
}

impl Reread<'_> {
    pub(crate) fn cause(&self, measured: &Measured) -> Cause {
        let (first, again) = (self.first.value, self.again.value);
        // Blocks that were fetched once stay; what becomes slow again is the sign of a cache.
        let bounded =
            || matches!(find_cache_step(measured), Ok(WorkingSet::Step(step)) if step.bounded);
        let is_slow_again = || {
            self.later.as_ref().is_some_and(|later| {
                let apart = later.low.zip(self.again.high).is_some_and(|(low, high)| low > high);
                apart && later.value > SLOW_AGAIN_FROM * (first + again)
            })
        };
        match () {
            () if !self.faster => Cause::None,
            () if measured.layout.is_some() => Cause::Cache(label("reread-of-own-blocks")),
            () if again < MEMORY_LATENCY_MAX.0 as f64 => {
                Cause::Cache(label("reread-as-fast-as-memory"))
            }
            () if again < NETWORK_LATENCY_MIN.0 as f64 => {
                Cause::Cache(label("reread-too-fast-for-network"))
            }
            () if is_rotational_disk(measured) => Cause::Cache(label("reread-of-rotating-disk")),
            () if first - again < FETCH_TIME_MIN.0 as f64 => {
                Cause::Cache(label("reread-too-close-to-fetch"))
            }
            () if is_slow_again() || bounded() => Cause::Cache(label("reread-slow-again")),
            () => Cause::Filled,
        }
    }

    pub(crate) fn speedup(&self) -> f64 {
        self.first.value / self.again.value.max(1.0)
    }

    pub(crate) fn to_evidence(&self) -> Evidence {
        let [first, again] = [&self.first, &self.again].map(|median| Nanos(median.value as u64));
        let value = RereadMedians { first, again, reads: self.first.n };
        Evidence::figure(label("reread-second-reads"), value, self.speedup())
    }

    /// The third reads, if there are any.
    pub(crate) fn later_evidence(&self) -> Option<Evidence> {
        let later = self.later.as_ref()?;
        let (median, reads) = (Nanos(later.value as u64), later.n);
        Some(Evidence::figure(
            label("reread-third-reads"),
            RereadMedian { median, reads },
            later.value,
        ))
    }

    pub(crate) fn cell_evidence(&self) -> Evidence {
        let cells: Names = self.cells.iter().map(|cell| &cell.name).collect();
        Evidence::text(label("reread-measured-by"), RereadCells { cells })
    }
}

/// For which time a cell reads its blocks.
fn read_pass(cell: &Cell) -> Option<u32> {
    match cell.trial {
        Some(Trial::Reread { pass }) => Some(pass),
        _ => None,
    }
}

/// The cells of the regions that were read twice: the first and the second time.
pub fn pair_rereads(cells: &[Cell]) -> Vec<(&Cell, &Cell)> {
    let passes: Vec<&Cell> = cells.iter().filter(|cell| read_pass(cell).is_some()).collect();
    let is_pair = |first: &Cell, again: &Cell| {
        (read_pass(first), read_pass(again)) == (Some(1), Some(2))
            && first.job.span == again.job.span
    };
    passes.windows(2).filter(|two| is_pair(two[0], two[1])).map(|two| (two[0], two[1])).collect()
}

/// The flag of a virtual disk says nothing.
fn is_rotational_disk(measured: &Measured) -> bool {
    let disks = measured.target().map(|target| target.bottom_devices()).unwrap_or_default();
    disks.iter().any(|disk| disk.rotational == Some(true) && disk.is_attached_drive())
}

messages! {
    RereadMedians = "reread-medians" { first: Nanos, again: Nanos, reads: u64 };
    RereadMedian = "reread-median" { median: Nanos, reads: u64 };
    RereadCells = "reread-cells" { cells: Names };
}

/// Gives the sample record blocks that were read twice: medians in microseconds per region.
#[cfg(test)]
pub(crate) fn add(measured: &mut Measured, medians_us: &[(u64, u64)]) {
    for (region, &(first, again)) in (1..).zip(medians_us) {
        for (pass, median) in [(1, first), (2, again)] {
            let name = format!("reread-4k-region-{region}-{pass}");
            let cell = crate::testing::add_trial_cell(measured, &name, Trial::Reread { pass });
            cell.job.span.offset.0 = region << 30;
            crate::testing::set_read_latencies(
                cell,
                &crate::testing::latencies_around(median * 1000, 200),
            );
        }
    }
}

/// Gives it blocks that were read a third time.
#[cfg(test)]
pub(crate) fn add_later(measured: &mut Measured, medians_us: &[u64]) {
    for (region, median) in (1..).zip(medians_us) {
        let name = format!("reread-4k-region-{region}-3");
        let trial = Trial::Reread { pass: 3 };
        let cell = crate::testing::add_trial_cell(measured, &name, trial);
        cell.job.span.offset.0 = region << 30;
        let latencies = crate::testing::latencies_around(median * 1000, 200);
        crate::testing::set_read_latencies(cell, &latencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn of(record: &Measured) -> Reread<'_> {
        find_rereads(record).unwrap_or_else(|why| panic!("{why:?}"))
    }

    #[test]
    fn faster_means_faster_in_all_regions_but_one() {
        let check = |medians: &[(u64, u64)], faster| {
            let mut record = sample_record();
            add(&mut record, medians);
            assert_eq!(of(&record).faster, faster, "{medians:?}");
        };
        check(&[(100, 50), (110, 60), (90, 40)], true);
        check(&[(100, 50), (110, 100), (90, 40)], false);
        check(&[(100, 50), (110, 60), (90, 40), (100, 50), (100, 400)], true);
        check(&[(100, 50), (110, 60), (90, 40), (100, 90), (100, 400)], false);
        check(&[(100, 80), (110, 85), (90, 75)], false);
        check(&[(100, 100), (100, 130), (100, 100)], false);
    }

    #[test]
    fn what_is_known_beside_decides_the_cause() {
        let cause = |first, again, spoil: &dyn Fn(&mut Measured)| {
            let mut record = sample_record();
            record.layout = None;
            spoil(&mut record);
            add(&mut record, &[(first, again); 3]);
            match of(&record).cause(&record) {
                Cause::None => "none",
                Cause::Cache(_) => "cache",
                Cause::Filled => "filled",
            }
        };
        assert_eq!(cause(100, 95, &|_| ()), "none");
        assert_eq!(cause(8_000, 15, &|_| ()), "cache");
        assert_eq!(cause(1_000, 80, &|_| ()), "cache");
        assert_eq!(cause(700, 200, &|_| ()), "cache");
        assert_eq!(cause(5_000, 500, &|_| ()), "filled");
        let written = |r: &mut Measured| r.layout = sample_record().layout;
        assert_eq!(cause(5_000, 500, &written), "cache");
        let turning = |r: &mut Measured| {
            let disk = &mut r.targets[0].stack[0];
            (disk.rotational, disk.transport) = (Some(true), Some("sata".to_owned()));
        };
        assert_eq!(cause(9_000, 200, &turning), "cache");
    }

    #[test]
    fn blocks_that_are_slow_the_third_time_come_from_a_cache() {
        let check = |later: &[u64], from_cache: bool| {
            let mut record = sample_record();
            record.layout = None;
            add(&mut record, &[(5_000, 500); 3]);
            add_later(&mut record, later);
            let cause = of(&record).cause(&record);
            assert_eq!(matches!(cause, Cause::Cache(_)), from_cache, "{later:?}");
            assert_eq!(of(&record).later_evidence().is_some(), !later.is_empty());
        };
        check(&[], false);
        check(&[500, 510, 490], false);
        check(&[4_900, 5_100, 5_000], true);
        check(&[500, 500, 5_000], false);
    }

    #[test]
    fn too_little_or_the_page_cache_says_nothing() {
        let mut record = sample_record();
        add(&mut record, &[(100, 50), (100, 50)]);
        assert!(find_rereads(&record).is_err(), "two regions");
        record.cells.retain(|cell| cell.trial.is_none());
        add(&mut record, &[(100, 50); 3]);
        assert!(find_rereads(&record).is_ok());
        cell_mut(&mut record, "reread-4k-region-2-2").ledger.layers[0].read_bytes.0 = 4096;
        assert!(find_rereads(&record).is_err(), "the device never saw them");
    }
}
