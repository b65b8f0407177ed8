//! fio's latency bins, out of our histogram.
//!
//! 29 groups of 64 bins. The first two groups have a bin per nanosecond; each further group covers
//! one power of two. Our buckets are half as wide, so every one falls into one bin whole.

use stats::LatencyHistogram;

/// Bins in fio's layout: 29 groups of 64.
pub const BINS: u64 = 1856;

/// The number of fio's bin that counts a latency. Values below 128 ns have a bin each, every
/// power of two above has 64; the last bin also takes all from 2^34 ns (17.2 s).
pub fn bin_index(latency_ns: u64) -> u64 {
    if latency_ns < 128 {
        return latency_ns;
    }
    let power = u64::from(latency_ns.ilog2());
    ((power - 6) * 64 + (latency_ns >> (power - 6))).min(BINS - 1)
}

/// The middle of fio's bin of this number, in nanoseconds: the value that fio prints for it.
pub fn bin_middle_ns(bin: u64) -> u64 {
    if bin < 128 {
        return bin;
    }
    let shift = bin.min(BINS - 1) / 64 - 1;
    ((64 + bin.min(BINS - 1) % 64) << shift) + (1 << (shift - 1))
}

/// A histogram in fio's layout: number, middle in nanoseconds and count of each bin that is not
/// empty, ascending. Our buckets nest into fio's, so the counts are exact.
pub fn count_bins(histogram: &LatencyHistogram) -> Vec<(u64, u64, u64)> {
    let mut bins: Vec<(u64, u64, u64)> = Vec::new();
    let mut add = |bin: u64, count: u64| match bins.last_mut() {
        Some(last) if last.0 == bin => last.2 += count,
        _ => bins.push((bin, bin_middle_ns(bin), count)),
    };
    for (start, _, count) in histogram.buckets() {
        add(bin_index(start), count);
    }
    if histogram.overflow() > 0 {
        add(BINS - 1, histogram.overflow());
    }
    bins
}

/// The counts of all bins, each run of 2^`coarseness` adjacent ones added up
/// (`log_hist_coarseness`, 0 to 6).
pub fn coarse_counts(histogram: &LatencyHistogram, coarseness: u8) -> Vec<u64> {
    let run = 1 << coarseness.min(6);
    let mut counts = vec![0; BINS as usize / run];
    for (bin, _, count) in count_bins(histogram) {
        counts[bin as usize / run] += count;
    }
    counts
}

/// The latencies at these percentiles (in percent, ascending), in nanoseconds; empty without
/// samples.
///
/// fio's rule: the middle of the first bin up to which at least that share lies, the share
/// taken exactly as the binary number is. Ours is kept within the smallest and largest latency,
/// and beyond fio's last bin (17.2 s) the finer histogram answers.
pub fn percentiles_ns(histogram: &LatencyHistogram, percents: &[f64]) -> Vec<u64> {
    let (Some(min), Some(max)) = (histogram.min_ns(), histogram.max_ns()) else {
        return Vec::new();
    };
    let bins = count_bins(histogram);
    let at = |percent: f64| {
        let rank = exact_rank(percent, histogram.count());
        let mut seen = 0;
        for &(bin, middle, count) in &bins {
            seen += count;
            if seen >= rank && bin < BINS - 1 {
                return middle.clamp(min, max);
            }
        }
        histogram.at_rank(rank).unwrap_or(max)
    };
    percents.iter().map(|&percent| at(percent)).collect()
}

/// The smallest rank `r` of 1 to `count` with `r * 100 >= percent * count`, without rounding: 99.9
/// is stored a little above 99.9, which at 1000 samples makes the difference of one rank.
fn exact_rank(percent: f64, count: u64) -> u64 {
    if percent.is_nan() || percent <= 0.0 {
        return 1;
    }
    if percent >= 100.0 {
        return count.max(1);
    }
    let bits = percent.to_bits();
    let exponent = (bits >> 52) as i32 - 1075; // percent = mantissa * 2^exponent
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let shift = exponent.unsigned_abs();
    let rank = match u128::from(mantissa).checked_mul(u128::from(count)) {
        Some(product) if shift < 120 => product.div_ceil(100 << shift),
        _ => 1, // below 2^-67 percent: the first of any count there can be
    };
    u64::try_from(rank).unwrap_or(count).clamp(1, count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::new();
        values.iter().for_each(|&v| histogram.record(v));
        histogram
    }

    #[test]
    fn bins_are_fios() {
        // Pairs seen in json+ output of the real one: latency and key.
        let check = |latency, bin, middle| {
            assert_eq!(count_bins(&of(&[latency])), [(bin, middle, 1)], "{latency}");
        };
        check(0, 0, 0);
        check(127, 127, 127);
        check(128, 128, 129);
        check(129, 128, 129);
        check(251, 128 + 61, 251);
        check(256, 192, 258);
        check(14_607, 8 * 64 + 50, 14_656);
        check(51_586, 10 * 64 + 36, 51_456);
        check(17_179_869_183, 1855, 17_112_760_320);
        check(17_179_869_184, 1855, 17_112_760_320);
        check(100_000_000_000, 1855, 17_112_760_320);
    }

    #[test]
    fn bins_add_up_what_nests_in_them() {
        let histogram = of(&[256, 258, 259, 260, 1 << 34, 1 << 35, 1 << 37]);
        let expected = [(192, 258, 3), (193, 262, 1), (1855, 17_112_760_320, 3)];
        assert_eq!(count_bins(&histogram), expected);
    }

    #[test]
    fn every_bucket_lies_in_one_bin() {
        for power in 0..36_u32 {
            for step in 0..128_u64 {
                let value = (1_u64 << power) + (step << power.saturating_sub(7));
                let bucket = of(&[value]);
                let (start, end, _) = bucket.buckets().next().unwrap();
                assert_eq!(bin_index(start), bin_index(end), "{value}");
                let middle = bin_middle_ns(bin_index(value));
                assert_eq!(bin_index(middle), bin_index(value), "{value}");
            }
        }
    }

    #[test]
    fn ranks_are_exact() {
        // Measured with the real one: 1000 samples, 99.7 % is the 998th, 99.8 % the 998th.
        let check = |percent, count, rank| assert_eq!(exact_rank(percent, count), rank);
        check(99.7, 1000, 998);
        check(99.8, 1000, 998);
        check(99.9, 1000, 1000);
        check(99.90234375, 1024, 1023);
        check(50.0, 1000, 500);
        check(50.0, 1001, 501);
        check(10.0, 1000, 100);
        check(100.0, 1000, 1000);
        check(1.0, 1, 1);
        check(1e-30, 1 << 40, 1);
        check(0.001, 1 << 40, 10_995_117);
    }

    #[test]
    fn percentiles_keep_within_the_samples() {
        let histogram = of(&[51_586, 60_000, 70_000, 40_062_760]);
        let expected = [51_586, 60_160, 40_062_760];
        assert_eq!(percentiles_ns(&histogram, &[1.0, 50.0, 100.0]), expected);
        assert_eq!(percentiles_ns(&of(&[]), &[50.0]), [0_u64; 0]);
        let slow = of(&[20_000_000_000, 60_000_000_000, 90_000_000_000]);
        let values = percentiles_ns(&slow, &[30.0, 60.0, 100.0]);
        assert!(values[0] < 20_200_000_000 && values[1] > 59_000_000_000, "{values:?}");
        assert_eq!(values[2], 90_000_000_000);
    }

    #[test]
    fn bins_are_at_fios_places() {
        let check = |ns, bin, middle| {
            assert_eq!(bin_index(ns), bin, "{ns}");
            assert_eq!(bin_middle_ns(bin), middle, "{bin}");
        };
        check(0, 0, 0);
        check(127, 127, 127);
        check(128, 128, 129);
        check(129, 128, 129);
        check(130, 129, 131);
        check(255, 191, 255);
        check(256, 192, 258);
        // Keys that a real json+ output held.
        check(10_688, bin_index(10_624), 10_688);
        check(168_960, bin_index(168_960), 168_960);
        check(1_089_536, bin_index(1_089_000), 1_089_536);
        // What fio reports for everything too long: 17,113 ms.
        check((1 << 34) - 1, 1855, 17_112_760_320);
        check(1 << 34, 1855, 17_112_760_320);
        check(u64::MAX, 1855, 17_112_760_320);
    }

    #[test]
    fn every_middle_is_in_its_bin() {
        for bin in 0..BINS {
            assert_eq!(bin_index(bin_middle_ns(bin)), bin);
        }
    }

    #[test]
    fn our_buckets_nest() {
        let mut ns = 1;
        while ns < 1 << 34 {
            for value in [ns - 1, ns, ns + ns / 3] {
                let (start, end, _) = of(&[value]).buckets().next().unwrap();
                assert_eq!(bin_index(start), bin_index(end), "{start} to {end}");
            }
            ns += ns / 50 + 1;
        }
    }

    #[test]
    fn nothing_is_lost_on_the_way() {
        let values = [0, 5, 5, 127, 128, 129, 100_000, 1 << 33, 1 << 35, 1 << 36, 1 << 40];
        let counts = coarse_counts(&of(&values), 0);
        assert_eq!(counts.len(), BINS as usize);
        assert_eq!(counts[5], 2);
        assert_eq!(counts[128], 2);
        assert_eq!(counts[1855], 3);
        for coarseness in 0..=6 {
            let coarse = coarse_counts(&of(&values), coarseness);
            assert_eq!(coarse.len(), BINS as usize >> coarseness);
            assert_eq!(coarse.iter().sum::<u64>(), 11);
        }
        let rising: Vec<u64> = (0..8).flat_map(|ns| vec![ns; ns as usize + 1]).collect();
        assert_eq!(coarse_counts(&of(&rising), 2)[..2], [10, 26]);
    }
}
