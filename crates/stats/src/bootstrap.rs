//! The moving-block bootstrap of percentiles over interval histograms.

use crate::batch::student_95;
use crate::histogram::{SparseHistogram, bucket_middle};
use crate::series::{autocorrelation, nearest_rank};

pub(crate) const INTERVALS_MIN: usize = 10;
/// Resamples. 300 place the 2.5 % quantile of the answers to about one percent.
const RESAMPLES: usize = 300;
/// More intervals than this are joined with their neighbours first, which limits time and memory.
const ROWS_MAX: usize = 512;
/// With fewer blocks in the series their spread could not be judged.
const BLOCKS_MIN: usize = 4;
/// A constant: the same series gives the same answer on every machine.
const SEED: u64 = 0x5DEE_CE66_D1CE_4E5B;

/// Counts of all intervals as sums over both dimensions, so that the count of any block of
/// intervals up to any bucket is a difference of two numbers.
pub(crate) struct Resampler {
    /// Bucket middles in nanoseconds, ascending; the last stands for the overflow.
    values: Vec<f64>,
    /// At `[bucket * (rows + 1) + row]`: operations in the rows before this one, in buckets up to
    /// and including this one.
    sums: Vec<u64>,
    rows: usize,
}

impl Resampler {
    /// For sound, non-empty histograms in the order of time, at least [`INTERVALS_MIN`].
    pub(crate) fn new(intervals: &[&SparseHistogram]) -> Self {
        let group = intervals.len().div_ceil(ROWS_MAX).max(1);
        let rows = intervals.len().div_ceil(group);
        let mut used: Vec<u32> = intervals.iter().flat_map(|h| h.index.iter().copied()).collect();
        used.sort_unstable();
        used.dedup();
        let longest = intervals.iter().map(|h| h.max_ns).max().unwrap_or(0);
        let middles = used.iter().map(|&index| bucket_middle(index) as f64);
        let values: Vec<f64> = middles.chain([longest as f64]).collect();
        let width = rows + 1;
        let mut sums = vec![0; values.len() * width];
        for (place, histogram) in intervals.iter().enumerate() {
            let row = place / group + 1;
            for (index, count) in histogram.index.iter().zip(&histogram.counts) {
                if let Ok(bucket) = used.binary_search(index) {
                    sums[bucket * width + row] += count;
                }
            }
            sums[used.len() * width + row] += histogram.overflow;
        }
        for place in 0..sums.len() {
            // Inclusive sums over both dimensions.
            let (bucket, row) = (place / width, place % width);
            let before = if row > 0 { sums[place - 1] } else { 0 };
            let lower = if bucket > 0 { sums[place - width] } else { 0 };
            let both = if row > 0 && bucket > 0 { sums[place - width - 1] } else { 0 };
            sums[place] = sums[place] + before + lower - both;
        }
        Self { values, sums, rows }
    }

    /// The ends of the 95 % interval of quantile `q` (0 to 1), as multiples of the quantile.
    pub(crate) fn relative_interval(&self, q: f64) -> (f64, f64) {
        let all = [(0, self.rows)];
        let middle = self.quantile(&all, q);
        if middle <= 0.0 {
            return (1.0, 1.0);
        }
        let block = self.block_length(q);
        let mut random = SEED;
        let mut blocks = Vec::with_capacity(self.rows / block + 1);
        let mut answers: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                self.draw_blocks(block, &mut random, &mut blocks);
                self.quantile(&blocks, q)
            })
            .collect();
        answers.sort_by(f64::total_cmp);
        let cut = RESAMPLES / 40;
        let few = self.rows as f64 / block as f64;
        // Few blocks understate the spread: by one degree of freedom, and by Student's t.
        let stretch = (few / (few - 1.0)).sqrt() * student_95(few - 1.0) / student_95(1e6);
        let end = |answer: f64| (answer.max(1.0) / middle).powf(stretch);
        (end(answers[cut]).min(1.0), end(answers[RESAMPLES - 1 - cut]).max(1.0))
    }

    /// Rows per block: twice the autocorrelation time of the share above the quantile.
    fn block_length(&self, q: f64) -> usize {
        let limit = self.bucket_of(&[(0, self.rows)], q);
        let share = |rows: &[(usize, usize)]| self.count_up_to(limit, rows) as f64;
        let expected = share(&[(0, self.rows)]) / self.total(&[(0, self.rows)]) as f64;
        let residuals: Vec<f64> = (0..self.rows)
            .map(|row| [(row, row + 1)])
            .map(|row| share(&row) - expected * self.total(&row) as f64)
            .collect();
        let length = (2.0 * autocorrelation(&residuals).time).ceil() as usize;
        length.clamp(1, (self.rows / BLOCKS_MIN).max(1))
    }

    /// Draws blocks until they have as many rows as the series.
    fn draw_blocks(&self, block: usize, random: &mut u64, blocks: &mut Vec<(usize, usize)>) {
        blocks.clear();
        let mut taken = 0;
        while taken < self.rows {
            let length = block.min(self.rows - taken);
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let start = (*random >> 33) as usize % (self.rows - length + 1);
            blocks.push((start, start + length));
            taken += length;
        }
    }

    fn quantile(&self, blocks: &[(usize, usize)], q: f64) -> f64 {
        self.values[self.bucket_of(blocks, q)]
    }

    fn bucket_of(&self, blocks: &[(usize, usize)], q: f64) -> usize {
        let rank = nearest_rank(q, self.total(blocks));
        let (mut low, mut high) = (0, self.values.len() - 1);
        while low < high {
            let middle = low.midpoint(high);
            if self.count_up_to(middle, blocks) >= rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    fn total(&self, blocks: &[(usize, usize)]) -> u64 {
        self.count_up_to(self.values.len() - 1, blocks)
    }

    fn count_up_to(&self, bucket: usize, blocks: &[(usize, usize)]) -> u64 {
        let row = &self.sums[bucket * (self.rows + 1)..][..=self.rows];
        blocks.iter().map(|&(start, end)| row[end] - row[start]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LatencyHistogram;
    use proptest::prelude::*;

    fn sparse(series: &[Vec<u64>]) -> Vec<SparseHistogram> {
        series
            .iter()
            .map(|values| {
                let mut histogram = LatencyHistogram::new();
                values.iter().for_each(|&v| histogram.record(v));
                histogram.to_sparse()
            })
            .collect()
    }

    fn resampler(series: &[Vec<u64>]) -> Resampler {
        let stored = sparse(series);
        Resampler::new(&stored.iter().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn quantiles_of_blocks_are_those_of_merged_histograms(
            series in prop::collection::vec(prop::collection::vec(1_u64..1 << 37, 1..30), 1..30),
            cuts in prop::collection::vec((0_usize..30, 1_usize..30), 1..5),
            q in 0.0_f64..1.0,
        ) {
            let resampler = resampler(&series);
            let blocks: Vec<(usize, usize)> = cuts
                .into_iter()
                .map(|(start, length)| (start % series.len(), length))
                .map(|(start, length)| (start, (start + length).min(series.len())))
                .collect();
            let mut merged = LatencyHistogram::new();
            for &(start, end) in &blocks {
                series[start..end].iter().flatten().for_each(|&v| merged.record(v));
            }
            prop_assert_eq!(resampler.total(&blocks), merged.count());
            let (answer, exact) = (resampler.quantile(&blocks, q), merged.quantile(q).unwrap());
            if exact < 1 << 36 {
                prop_assert!((answer / exact as f64 - 1.0).abs() < 0.008, "{answer} {exact}");
            } else {
                let longest = *series.iter().flatten().max().unwrap();
                prop_assert_eq!(answer, longest as f64);
            }
        }

        #[test]
        fn draws_are_as_long_as_the_series(rows in 10_usize..60, block in 1_usize..10) {
            let resampler = resampler(&vec![vec![5]; rows]);
            let mut blocks = Vec::new();
            resampler.draw_blocks(block, &mut 9, &mut blocks);
            prop_assert_eq!(blocks.iter().map(|(a, b)| b - a).sum::<usize>(), rows);
            prop_assert!(blocks.iter().all(|&(start, end)| start < end && end <= rows));
        }
    }

    #[test]
    fn equal_latencies_have_no_width() {
        assert_eq!(resampler(&vec![vec![100_000; 50]; 30]).relative_interval(0.5), (1.0, 1.0));
        assert_eq!(resampler(&vec![vec![0; 50]; 30]).relative_interval(0.5), (1.0, 1.0));
    }

    #[test]
    fn very_long_series_are_joined() {
        let series: Vec<Vec<u64>> = (0..2000).map(|i| vec![1000 + i % 7; 3]).collect();
        let resampler = resampler(&series);
        assert_eq!(resampler.rows, 500);
        assert_eq!(resampler.total(&[(0, 500)]), 6000);
    }

    #[test]
    fn blocks_are_as_long_as_the_memory() {
        let check = |period: usize, least: usize, most: usize| {
            let level = |i: usize| if (i / period).is_multiple_of(2) { 1000 } else { 3000 };
            let series: Vec<Vec<u64>> =
                (0..120).map(|i| (0..40).map(|k| level(i) + 50 * k).collect()).collect();
            let block = resampler(&series).block_length(0.5);
            assert!((least..=most).contains(&block), "period {period}: {block}");
        };
        check(1, 1, 3);
        check(10, 8, 30);
    }
}
