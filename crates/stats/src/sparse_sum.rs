//! A sum of stored histograms in the memory of its own buckets: for thousands of sums at a time.

use crate::histogram::{SparseHistogram, SparseHistogramError, Totals};

/// The same as [`crate::LatencyHistogram::merge_sparse`] and
/// [`crate::LatencyHistogram::to_sparse`], bit for bit.
#[derive(Debug, Clone)]
pub struct SparseSum {
    totals: Totals,
    index: Vec<u32>,
    counts: Vec<u64>,
}

impl Default for SparseSum {
    fn default() -> Self {
        Self { totals: Totals::EMPTY, index: Vec::new(), counts: Vec::new() }
    }
}

impl SparseSum {
    /// Adds a stored histogram; nothing when it contradicts itself.
    pub fn add(&mut self, sparse: &SparseHistogram) -> Result<(), SparseHistogramError> {
        sparse.validate()?;
        if sparse.count == 0 {
            return Ok(());
        }
        for (&index, &count) in sparse.index.iter().zip(&sparse.counts) {
            match self.index.binary_search(&index) {
                Ok(place) => self.counts[place] += count,
                Err(_) if count == 0 => {}
                Err(place) => {
                    self.index.insert(place, index);
                    self.counts.insert(place, count);
                }
            }
        }
        self.totals.add(&Totals::of_sparse(sparse));
        Ok(())
    }

    pub fn into_sparse(self) -> SparseHistogram {
        let Self { totals, mut index, mut counts } = self;
        index.shrink_to_fit();
        counts.shrink_to_fit();
        SparseHistogram { index, counts, ..totals.to_sparse() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::LatencyHistogram;

    proptest! {
        #[test]
        fn it_is_the_full_sum_bit_for_bit(
            parts in prop::collection::vec(
                prop::collection::vec((0_u64..1 << 38, 1_u64..9), 0..40),
                0..12,
            ),
            // A stored sum may be any finite number.
            factor in 0.5_f64..1e20,
        ) {
            let (mut sum, mut full) = (SparseSum::default(), LatencyHistogram::new());
            for values in parts {
                let mut part = LatencyHistogram::new();
                values.iter().for_each(|&(value, times)| part.record_many(value, times));
                let mut part = part.to_sparse();
                part.sum_ns *= factor;
                sum.add(&part).unwrap();
                full.merge_sparse(&part).unwrap();
            }
            prop_assert_eq!(sum.into_sparse(), full.to_sparse());
        }
    }

    #[test]
    fn buckets_in_disorder_and_empty_ones_are_added_as_in_the_full_sum() {
        let odd = SparseHistogram {
            count: 6,
            min_ns: 1,
            max_ns: 9,
            index: vec![9, 1, 9, 4],
            counts: vec![1, 2, 3, 0],
            ..SparseHistogram::default()
        };
        let (mut sum, mut full) = (SparseSum::default(), LatencyHistogram::new());
        for part in [odd.clone(), odd.clone()] {
            sum.add(&part).unwrap();
            full.merge_sparse(&part).unwrap();
        }
        assert!(sum.add(&SparseHistogram { count: 7, ..odd }).is_err());
        assert_eq!(sum.into_sparse(), full.to_sparse());
    }
}
