//! The latency bins of fio's histogram logs, out of our histogram.
//!
//! 29 groups of 64 bins. The first two groups have a bin per nanosecond; each further group
//! covers one power of two. Our buckets are half as wide, so every one falls into one bin whole.

use stats::LatencyHistogram;

/// Bins of a histogram of coarseness 0.
pub const BINS: usize = 1856;

/// Bins per group.
const PER_GROUP: u64 = 64;

/// The bin of a latency in nanoseconds. All of 2^34 ns (17.2 s) and longer share the last one.
#[must_use]
pub fn fio_bin(ns: u64) -> usize {
    if ns < 2 * PER_GROUP {
        return ns as usize;
    }
    let shift = u64::from(ns.ilog2()) - 6;
    let place = (ns >> shift) - PER_GROUP;
    (((shift + 1) * PER_GROUP + place) as usize).min(BINS - 1)
}

/// The value in nanoseconds that fio prints for a bin: its middle. Bins beyond the last count as
/// the last.
#[must_use]
pub fn bin_middle(bin: usize) -> u64 {
    let bin = bin.min(BINS - 1) as u64;
    if bin < 2 * PER_GROUP {
        return bin;
    }
    let shift = bin / PER_GROUP - 1;
    let start = (PER_GROUP + bin % PER_GROUP) << shift;
    start + (1 << shift) / 2
}

/// The counts per bin of a histogram; exact, for our buckets nest in fio's.
#[must_use]
pub fn bins(histogram: &LatencyHistogram) -> Vec<u64> {
    let mut counts = vec![0; BINS];
    for (start, _, count) in histogram.buckets() {
        counts[fio_bin(start)] += count;
    }
    counts[BINS - 1] += histogram.overflow();
    counts
}

/// Adds up each run of 2^`coarseness` adjacent bins: `log_hist_coarseness`, 0 to 6.
#[must_use]
pub fn coarsen(counts: &[u64], coarseness: u8) -> Vec<u64> {
    let run = 1 << coarseness.min(6);
    counts.chunks(run).map(|run| run.iter().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::new();
        values.iter().for_each(|&value| histogram.record(value));
        histogram
    }

    #[test]
    fn bins_are_at_fios_places() {
        let check = |ns, bin, middle| {
            assert_eq!(fio_bin(ns), bin, "{ns}");
            assert_eq!(bin_middle(bin), middle, "{bin}");
        };
        check(0, 0, 0);
        check(127, 127, 127);
        check(128, 128, 129);
        check(129, 128, 129);
        check(130, 129, 131);
        check(255, 191, 255);
        check(256, 192, 258);
        // Keys that a real json+ output held.
        check(10_688, fio_bin(10_624), 10_688);
        check(168_960, fio_bin(168_960), 168_960);
        check(1_089_536, fio_bin(1_089_000), 1_089_536);
        // What fio reports for everything too long: 17,113 ms.
        check((1 << 34) - 1, 1855, 17_112_760_320);
        check(1 << 34, 1855, 17_112_760_320);
        check(u64::MAX, 1855, 17_112_760_320);
    }

    #[test]
    fn every_middle_is_in_its_bin() {
        for bin in 0..BINS {
            assert_eq!(fio_bin(bin_middle(bin)), bin);
        }
    }

    #[test]
    fn our_buckets_nest() {
        let mut ns = 1;
        while ns < 1 << 34 {
            for value in [ns - 1, ns, ns + ns / 3] {
                let (start, end, _) = of(&[value]).buckets().next().unwrap();
                assert_eq!(fio_bin(start), fio_bin(end), "{start} to {end}");
            }
            ns += ns / 50 + 1;
        }
    }

    #[test]
    fn nothing_is_lost_on_the_way() {
        let values = [0, 5, 5, 127, 128, 129, 100_000, 1 << 33, 1 << 35, 1 << 36, 1 << 40];
        let counts = bins(&of(&values));
        assert_eq!(counts.len(), BINS);
        assert_eq!(counts[5], 2);
        assert_eq!(counts[128], 2);
        assert_eq!(counts[1855], 3);
        for coarseness in 0..=6 {
            let coarse = coarsen(&counts, coarseness);
            assert_eq!(coarse.len(), BINS >> coarseness);
            assert_eq!(coarse.iter().sum::<u64>(), 11);
        }
        assert_eq!(coarsen(&[1, 2, 3, 4, 5, 6, 7, 8], 2), [10, 26]);
    }
}
