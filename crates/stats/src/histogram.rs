//! The latency histogram: fixed log-linear buckets, exact merges, exact mean.

use histogram::{Config, Histogram};
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::series::nearest_rank;

/// Sub-buckets per power of two, as a power: 2^7, so a bucket is at most 1/128 = 0.78 % wide.
const GROUPING_POWER: u8 = 7;
/// Values below 2^36 ns = 68.7 s have a bucket; longer ones are counted as overflow.
const MAX_VALUE_POWER: u8 = 36;

/// Most samples of a stored histogram: 10 million per second for 325 days. So thousands of foreign
/// histograms can be merged before a counter overflows.
const STORED_COUNT_MAX: u64 = 1 << 48;

const CONFIG: Config = match Config::new(GROUPING_POWER, MAX_VALUE_POWER) {
    Ok(config) => config,
    Err(_) => unreachable!(),
};

/// Latencies in nanoseconds, in log-linear buckets at most 0.78 % wide.
///
/// The layout (grouping power 7, 2^36 ns) is a contract on disk: see [`SparseHistogram`]. Count,
/// sum, minimum and maximum are exact. Values of 2^36 ns or more count as overflow: quantiles that
/// reach them answer the maximum.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyHistogram {
    buckets: Histogram,
    totals: Totals,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Totals {
    count: u64,
    overflow: u64,
    sum_ns: u128,
    sum_of_squares: f64,
    min_ns: u64,
    max_ns: u64,
}

impl Totals {
    pub(crate) const EMPTY: Self =
        Self { count: 0, overflow: 0, sum_ns: 0, sum_of_squares: 0.0, min_ns: u64::MAX, max_ns: 0 };

    pub(crate) fn of_sparse(sparse: &SparseHistogram) -> Self {
        Self {
            count: sparse.count,
            overflow: sparse.overflow,
            // A stored sum may be any number that is finite.
            sum_ns: sparse.sum_ns as u128,
            sum_of_squares: sparse.sum_of_squares,
            min_ns: sparse.min_ns,
            max_ns: sparse.max_ns,
        }
    }

    /// Without buckets.
    pub(crate) fn to_sparse(self) -> SparseHistogram {
        SparseHistogram {
            count: self.count,
            overflow: self.overflow,
            sum_ns: self.sum_ns as f64,
            sum_of_squares: self.sum_of_squares,
            min_ns: if self.count > 0 { self.min_ns } else { 0 },
            max_ns: self.max_ns,
            index: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.overflow += other.overflow;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_of_squares += other.sum_of_squares;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self { buckets: Histogram::with_config(&CONFIG), totals: Totals::EMPTY }
    }
}

impl LatencyHistogram {
    /// An empty histogram; about 30 KiB, allocated here and never again.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one latency. Allocates nothing.
    #[inline]
    pub fn record(&mut self, latency_ns: u64) {
        self.record_many(latency_ns, 1);
    }

    /// Counts `times` latencies of the same length.
    #[inline]
    pub fn record_many(&mut self, latency_ns: u64, times: u64) {
        if times == 0 {
            return;
        }
        let totals = &mut self.totals;
        if self.buckets.add(latency_ns, times).is_err() {
            totals.overflow += times;
        }
        totals.count += times;
        totals.sum_ns += u128::from(latency_ns) * u128::from(times);
        totals.sum_of_squares += (latency_ns as f64) * (latency_ns as f64) * times as f64;
        totals.min_ns = totals.min_ns.min(latency_ns);
        totals.max_ns = totals.max_ns.max(latency_ns);
    }

    /// What is left of each latency without a part that was measured on a sample only: its mean or,
    /// where the part is most of the whole, its quantile of the same rank. The difference of the
    /// means is exact; buckets are an estimate.
    pub fn without(&self, part: &Self) -> Self {
        let (Some(mean), Some(part_mean)) = (self.mean_ns(), part.mean_ns()) else {
            return self.clone();
        };
        let Totals { count, overflow, min_ns, max_ns, .. } = self.totals;
        let by_rank = part_mean * 2.0 > mean;
        let taken = |rank: u64| match by_rank {
            true => part.quantile(rank as f64 / count as f64).unwrap_or(0),
            false => part_mean as u64,
        };
        let mut left = Self::new();
        let mut seen = 0;
        for (start, end, times) in self.buckets() {
            let middle = (start + (end - start) / 2).clamp(min_ns, max_ns);
            left.record_many(middle.saturating_sub(taken(seen + times.div_ceil(2))), times);
            seen += times;
        }
        let longest_ns = max_ns.saturating_sub(taken(count));
        left.record_many(longest_ns, overflow);
        let totals = &mut left.totals;
        totals.min_ns = totals.min_ns.min(min_ns.saturating_sub(taken(1)));
        totals.max_ns = totals.max_ns.max(longest_ns);
        let sum = (mean - part_mean).max(0.0) * count as f64;
        totals.sum_ns = (sum as u128).max(u128::from(totals.min_ns) * u128::from(count));
        left
    }

    /// Adds every sample of `other`; exact.
    pub fn merge(&mut self, other: &Self) {
        if other.totals.count == 0 {
            return;
        }
        for (mine, theirs) in self.buckets.as_mut_slice().iter_mut().zip(other.buckets.as_slice()) {
            *mine += theirs;
        }
        self.totals.add(&other.totals);
    }

    /// Clears the counts and keeps the memory.
    pub fn reset(&mut self) {
        if self.totals.count > 0 {
            self.buckets.reset();
            self.totals = Totals::EMPTY;
        }
    }

    pub fn count(&self) -> u64 {
        self.totals.count
    }

    /// How many of them were 2^36 ns or longer.
    pub fn overflow(&self) -> u64 {
        self.totals.overflow
    }

    /// The sum of all latencies in nanoseconds; exact.
    pub fn sum_ns(&self) -> u128 {
        self.totals.sum_ns
    }

    /// The arithmetic mean in nanoseconds; exact, not from buckets. `None` when empty.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.totals.count > 0).then(|| self.totals.sum_ns as f64 / self.totals.count as f64)
    }

    /// The population standard deviation in nanoseconds. `None` when empty.
    pub fn stddev_ns(&self) -> Option<f64> {
        let mean = self.mean_ns()?;
        let variance = self.totals.sum_of_squares / self.totals.count as f64 - mean * mean;
        Some(variance.max(0.0).sqrt())
    }

    /// The shortest latency; exact. `None` when empty.
    pub fn min_ns(&self) -> Option<u64> {
        (self.totals.count > 0).then_some(self.totals.min_ns)
    }

    /// The longest latency; exact. `None` when empty.
    pub fn max_ns(&self) -> Option<u64> {
        (self.totals.count > 0).then_some(self.totals.max_ns)
    }

    /// The latency of 1-based `rank`: the middle of its bucket, within the exact minimum and
    /// maximum. `None` when the rank is zero or above the count.
    pub fn at_rank(&self, rank: u64) -> Option<u64> {
        if rank == 0 || rank > self.totals.count {
            return None;
        }
        let mut seen = 0;
        for bucket in &self.buckets {
            seen += bucket.count();
            if seen >= rank {
                let middle = bucket.start() + (bucket.end() - bucket.start()) / 2;
                return Some(middle.clamp(self.totals.min_ns, self.totals.max_ns));
            }
        }
        Some(self.totals.max_ns)
    }

    /// The latency at or below which the fraction `q` (0 to 1) of the samples lies, by nearest
    /// rank. Ask [`crate::percentile_supported`] whether the sample supports it.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        self.at_rank(nearest_rank(q, self.totals.count))
    }

    /// How many samples were longer than `limit_ns`: the bucket that holds the limit is split in
    /// proportion, and the overflow counts as longer.
    pub fn count_above(&self, limit_ns: u64) -> f64 {
        if limit_ns >= self.totals.max_ns {
            return 0.0;
        }
        let mut above = self.totals.overflow as f64;
        for bucket in &self.buckets {
            if bucket.start() > limit_ns {
                above += bucket.count() as f64;
            } else if bucket.end() > limit_ns {
                let width = (bucket.end() - bucket.start() + 1) as f64;
                above += bucket.count() as f64 * (bucket.end() - limit_ns) as f64 / width;
            }
        }
        above
    }

    /// The non-empty buckets in ascending order: first value, last value, count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.buckets
            .iter()
            .filter(|bucket| bucket.count() > 0)
            .map(|bucket| (bucket.start(), bucket.end(), bucket.count()))
    }

    /// The form that is stored: non-empty buckets only.
    pub fn to_sparse(&self) -> SparseHistogram {
        let mut sparse = self.totals.to_sparse();
        for (index, &count) in self.buckets.as_slice().iter().enumerate() {
            if count > 0 {
                sparse.index.push(index as u32);
                sparse.counts.push(count);
            }
        }
        sparse
    }

    /// Adds a stored histogram to this one; nothing when the stored form contradicts itself.
    pub fn merge_sparse(&mut self, sparse: &SparseHistogram) -> Result<(), SparseHistogramError> {
        sparse.validate()?;
        if sparse.count == 0 {
            return Ok(());
        }
        let buckets = self.buckets.as_mut_slice();
        for (&index, &count) in sparse.index.iter().zip(&sparse.counts) {
            buckets[index as usize] += count;
        }
        self.totals.add(&Totals::of_sparse(sparse));
        Ok(())
    }
}

/// The sum of stored histograms. A damaged one is left out: a record that holds one is refused when
/// it is read.
impl<'a> FromIterator<&'a SparseHistogram> for LatencyHistogram {
    fn from_iter<I: IntoIterator<Item = &'a SparseHistogram>>(parts: I) -> Self {
        let mut whole = Self::new();
        for part in parts {
            let _ = whole.merge_sparse(part);
        }
        whole
    }
}

/// The middle of the bucket with this number, in nanoseconds; see [`SparseHistogram`].
pub(crate) fn bucket_middle(index: u32) -> u64 {
    let index = u64::from(index);
    if index < 256 {
        return index;
    }
    let power = index / 128 + 6;
    let width = 1 << (power - 7);
    (1 << power) + (index % 128) * width + (width - 1) / 2
}

/// A histogram as it is stored: the non-empty buckets of the fixed layout.
///
/// Bucket `i` for i < 256 holds exactly the value `i`. Above, with `p = i / 128 + 6` and
/// `s = i % 128`, it holds the values from `2^p + s * 2^(p-7)` up to, not including,
/// `2^p + (s+1) * 2^(p-7)` nanoseconds. Sums are IEEE doubles: exact below 2^53 ns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "StoredHistogram", into = "StoredHistogram")]
pub struct SparseHistogram {
    /// Number of samples, overflow included.
    pub count: u64,
    /// Samples of 2^36 ns or longer, which have no bucket.
    pub overflow: u64,
    pub sum_ns: f64,
    pub sum_of_squares: f64,
    pub min_ns: u64,
    pub max_ns: u64,
    /// Bucket numbers, ascending.
    pub index: Vec<u32>,
    /// Sample count of each of these buckets.
    pub counts: Vec<u64>,
}

/// The same in JSON. Steps between buckets compress better than their numbers: they are a fifth of
/// a stored record.
#[derive(Serialize, Deserialize, JsonSchema)]
struct StoredHistogram {
    /// Number of samples, overflow included.
    count: u64,
    /// Samples of 2^36 ns or longer, which have no bucket.
    #[serde(default, skip_serializing_if = "is_zero")]
    overflow: u64,
    sum_ns: f64,
    /// Sum of the squares of all samples, in square nanoseconds.
    sum_of_squares: f64,
    /// Shortest sample; 0 when empty.
    min_ns: u64,
    /// Longest sample; 0 when empty.
    max_ns: u64,
    /// Bucket numbers, ascending: in records up to schema 4, in place of `steps`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    index: Vec<u32>,
    /// Bucket numbers, ascending: the first, then how much each is above the one before it.
    #[serde(default)]
    steps: Vec<u32>,
    /// Sample count of each of these buckets.
    counts: Vec<u64>,
}

impl From<SparseHistogram> for StoredHistogram {
    fn from(histogram: SparseHistogram) -> Self {
        let SparseHistogram { count, overflow, sum_ns, sum_of_squares, .. } = histogram;
        let SparseHistogram { min_ns, max_ns, index: numbers, counts, .. } = histogram;
        let before = [0].iter().chain(&numbers);
        // Numbers of a damaged histogram need not ascend: they come back as they were.
        let steps = numbers.iter().zip(before).map(|(number, last)| number.wrapping_sub(*last));
        let (index, steps) = (Vec::new(), steps.collect());
        Self { count, overflow, sum_ns, sum_of_squares, min_ns, max_ns, index, steps, counts }
    }
}

impl From<StoredHistogram> for SparseHistogram {
    fn from(stored: StoredHistogram) -> Self {
        let StoredHistogram { count, overflow, sum_ns, sum_of_squares, .. } = stored;
        let StoredHistogram { min_ns, max_ns, mut index, steps, counts, .. } = stored;
        let mut number = 0_u32;
        index.extend(steps.into_iter().map(|step| {
            number = number.wrapping_add(step);
            number
        }));
        Self { count, overflow, sum_ns, sum_of_squares, min_ns, max_ns, index, counts }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the stored histogram is damaged: {0}")]
pub struct SparseHistogramError(String);

impl SparseHistogram {
    /// The full histogram, unless the stored form contradicts itself.
    pub fn to_histogram(&self) -> Result<LatencyHistogram, SparseHistogramError> {
        let mut full = LatencyHistogram::new();
        full.merge_sparse(self)?;
        Ok(full)
    }

    /// An error where it contradicts itself.
    pub fn validate(&self) -> Result<(), SparseHistogramError> {
        let damaged = |what: String| Err(SparseHistogramError(what));
        let (indices, counts) = (self.index.len(), self.counts.len());
        if indices != counts {
            return damaged(format!("{indices} bucket numbers but {counts} counts"));
        }
        if let Some(bad) = self.index.iter().find(|&&i| i as usize >= CONFIG.total_buckets()) {
            return damaged(format!("bucket {bad} is outside the layout"));
        }
        let held: u128 = self.counts.iter().map(|&c| u128::from(c)).sum();
        if held + u128::from(self.overflow) != u128::from(self.count) {
            return damaged(format!("count is {} but the buckets hold {held}", self.count));
        }
        if self.count > STORED_COUNT_MAX {
            return damaged(format!("count is {}, which no run reaches", self.count));
        }
        if !self.sum_ns.is_finite() || self.sum_ns < 0.0 {
            return damaged(format!("the sum is {}", self.sum_ns));
        }
        let (min, max) = (self.min_ns, self.max_ns);
        if min > max {
            return damaged(format!("the minimum {min} is above the maximum {max}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::new();
        values.iter().for_each(|&v| histogram.record(v));
        histogram
    }

    #[test]
    fn empty_answers_nothing() {
        let empty = LatencyHistogram::new();
        assert_eq!(empty.mean_ns(), None);
        assert_eq!(empty.quantile(0.5), None);
        assert_eq!(empty.min_ns(), None);
        assert_eq!(empty.to_sparse().to_histogram().unwrap(), empty);
    }

    #[test]
    fn sixty_seconds_have_a_bucket_and_more_is_counted() {
        let histogram = of(&[60_000_000_000, 1 << 36, 100_000_000_000]);
        assert_eq!(histogram.overflow(), 2);
        assert_eq!(histogram.count(), 3);
        assert_eq!(histogram.quantile(1.0), Some(100_000_000_000));
        assert_eq!(histogram.max_ns(), Some(100_000_000_000));
        let p33 = histogram.quantile(0.33).unwrap() as f64;
        assert!((p33 / 60e9 - 1.0).abs() < 0.0079);
    }

    #[test]
    fn bucket_layout_is_the_documented_contract() {
        let check = |value: u64, expected: u32| {
            assert_eq!(of(&[value]).to_sparse().index, [expected], "{value}");
        };
        check(0, 0);
        check(255, 255);
        check(256, 256);
        check(257, 256);
        check(1000, 2 * 128 + 128 + (1000 - 512) / 4);
        check((1 << 36) - 1, 3839);
        let bounds = |value| of(&[value]).buckets().next().unwrap();
        assert_eq!(bounds(100_000), (99_840, 100_351, 1));
    }

    #[test]
    fn bucket_middles_follow_the_layout() {
        for value in [0, 5, 255, 256, 1000, 99_999, 1 << 30, (1 << 36) - 1] {
            let histogram = of(&[value]);
            let (start, end, _) = histogram.buckets().next().unwrap();
            let middle = bucket_middle(histogram.to_sparse().index[0]);
            assert_eq!(middle, start + (end - start) / 2, "{value}");
        }
    }

    #[test]
    fn quantiles_are_free_of_rounding() {
        let mut values = [7_u64; 1000];
        values[999] = 200; // the 1000th; 99.9 % of 1000 is the 999th
        assert_eq!(of(&values).quantile(99.9 / 100.0), Some(7));
    }

    #[test]
    fn a_part_measured_on_a_sample_is_taken_away() {
        let whole = of(&[100_000, 100_000, 100_000, 900_000]);
        let left = whole.without(&of(&[9_000, 11_000]));
        assert_eq!(left.count(), 4);
        assert_eq!(left.mean_ns(), Some(290_000.0));
        assert_eq!((left.min_ns(), left.max_ns()), (Some(90_000), Some(890_000)));
        let median = left.quantile(0.5).unwrap() as f64;
        assert!((median / 90_000.0 - 1.0).abs() < 0.01, "{median}");
        // The part is nearly all of it: long ones are long because their part is.
        let whole = of(&[1_000, 1_000, 500_000]);
        let left = whole.without(&of(&[900, 900, 490_000]));
        assert!(left.max_ns().unwrap() < 20_000, "{left:?}");
        assert_eq!(whole.without(&LatencyHistogram::new()), whole);
    }

    #[test]
    fn many_at_once_are_as_many_one_by_one() {
        let mut many = LatencyHistogram::new();
        many.record_many(777, 3);
        many.record_many(1 << 40, 2);
        many.record_many(5, 0);
        assert_eq!(many, of(&[777, 777, 777, 1 << 40, 1 << 40]));
    }

    #[test]
    fn damaged_stored_forms_are_refused() {
        let good = of(&[5, 5, 900]).to_sparse();
        let check = |damage: &dyn Fn(&mut SparseHistogram), reason: &str| {
            let mut bad = good.clone();
            damage(&mut bad);
            let error = bad.to_histogram().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check(&|h| h.count = 4, "count is 4");
        check(&|h| h.index[0] = 99_999, "outside the layout");
        check(&|h| h.counts.push(1), "3 counts");
        check(&|h| h.sum_ns = f64::NAN, "the sum is NaN");
        check(&|h| h.min_ns = 901, "minimum 901 is above the maximum 900");
    }

    proptest! {
        #[test]
        fn quantiles_are_within_the_bucket_error(
            mut values in prop::collection::vec(1_u64..1 << 36, 1..200),
            q in 0.0_f64..=1.0,
        ) {
            let histogram = of(&values);
            values.sort_unstable();
            let rank = ((q * values.len() as f64).ceil() as usize).clamp(1, values.len());
            let exact = values[rank - 1] as f64;
            let answered = histogram.quantile(q).unwrap() as f64;
            prop_assert!((answered / exact - 1.0).abs() <= 1.0 / 128.0, "{answered} {exact}");
        }

        #[test]
        fn merging_equals_concatenating(
            a in prop::collection::vec(0_u64..1 << 38, 0..100),
            b in prop::collection::vec(0_u64..1 << 38, 0..100),
        ) {
            let mut merged = of(&a);
            merged.merge(&of(&b));
            let whole = of(&[a.clone(), b.clone()].concat());
            prop_assert_eq!(merged.to_sparse().index, whole.to_sparse().index);
            prop_assert_eq!(merged.to_sparse().counts, whole.to_sparse().counts);
            prop_assert_eq!(merged.sum_ns(), whole.sum_ns());
            prop_assert_eq!(merged.min_ns(), whole.min_ns());
            prop_assert_eq!(merged.max_ns(), whole.max_ns());
            prop_assert_eq!(merged.overflow(), whole.overflow());

            let mut via_disk = of(&a);
            via_disk.merge_sparse(&of(&b).to_sparse()).unwrap();
            prop_assert_eq!(via_disk.to_sparse().counts, whole.to_sparse().counts);
        }

        #[test]
        fn mean_and_stddev_are_those_of_the_samples(
            values in prop::collection::vec(1_u64..10_000_000, 1..200),
        ) {
            let n = values.len() as f64;
            let mean = values.iter().map(|&v| v as f64).sum::<f64>() / n;
            let variance =
                values.iter().map(|&v| (v as f64 - mean).powi(2)).sum::<f64>() / n;
            let histogram = of(&values);
            prop_assert!((histogram.mean_ns().unwrap() - mean).abs() <= 1e-9 * mean);
            prop_assert!((histogram.stddev_ns().unwrap() - variance.sqrt()).abs() <= 1e-3 * mean);
        }

        #[test]
        fn count_above_is_within_one_bucket(
            values in prop::collection::vec(1_u64..1 << 30, 1..200),
            limit in 1_u64..1 << 30,
        ) {
            let answered = of(&values).count_above(limit);
            let slack = limit / 64;
            let least = values.iter().filter(|&&v| v > limit + slack).count() as f64;
            let most = values.iter().filter(|&&v| v > limit.saturating_sub(slack)).count() as f64;
            prop_assert!(least <= answered && answered <= most, "{least} {answered} {most}");
        }
    }
}
