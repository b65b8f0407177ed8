//! Figures as a profile has them.

use std::collections::BTreeMap;

use record::profile::Distribution;

/// Significant digits of a figure.
const DIGITS: i32 = 4;
/// The smallest part of a distribution is half of two to the power of minus this.
const TAIL_HALVES: i32 = 10;

pub(super) fn round_figure(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = 10_f64.powi(DIGITS - 1 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

/// A level has the gaps of intervals whose rates lie between two powers of two.
pub(super) fn rate_octave(rate: f64) -> i32 {
    rate.log2().floor() as i32
}

/// The place of the level that intervals of this rate belong to: of the same octave, or of the
/// nearest. Fit and draw both ask here: an interval is drawn from the level that has its gaps.
pub(super) fn find_level(levels: impl Iterator<Item = f64>, rate: f64) -> Option<usize> {
    let distance = |level: f64| {
        let octaves = rate_octave(level).abs_diff(rate_octave(rate));
        (octaves, (level / rate).ln().abs())
    };
    let closer =
        |one: &(u32, f64), other: &(u32, f64)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
    let nearest = levels.map(distance).enumerate().min_by(|(_, a), (_, b)| closer(a, b));
    nearest.map(|(place, _)| place)
}

/// Ends of the parts of a distribution: finer towards its largest values.
fn part_ends() -> impl Iterator<Item = f64> {
    let quarters = [0.125, 0.25, 0.375, 0.5];
    let halves = (1..=TAIL_HALVES).flat_map(|power| {
        let left = 0.5_f64.powi(power);
        [1.0 - 0.75 * left, 1.0 - 0.5 * left]
    });
    quarters.into_iter().chain(halves).chain([1.0])
}

/// Counted values in parts. The mean of all stays.
pub(super) fn describe_distribution(counts: &BTreeMap<u64, u64>) -> Distribution {
    let total: u64 = counts.values().sum();
    let mut values = counts.iter().map(|(value, count)| (*value as f64, *count as f64));
    let mut current = (0.0, 0.0);
    // Share, sum and mean of each part.
    let mut parts: Vec<(f64, f64)> = Vec::new();
    let mut done = 0.0;
    for end in part_ends() {
        let wanted = (end * total as f64).round() - done;
        let (mut sum, mut missing) = (0.0, wanted);
        while missing > 0.0 {
            if current.1 <= 0.0 {
                match values.next() {
                    Some(next) => current = next,
                    None => break,
                }
            }
            let taken = missing.min(current.1);
            sum += taken * current.0;
            missing -= taken;
            current.1 -= taken;
        }
        let count = wanted - missing;
        if count <= 0.0 {
            continue;
        }
        done += count;
        let (share, mean) = (count / total as f64, round_figure(sum / count));
        match parts.last_mut() {
            Some(last) if last.1 == mean => last.0 += share,
            _ => parts.push((share, mean)),
        }
    }
    parts.into_iter().map(|(share, mean)| (round_figure(share), mean)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_four_digits() {
        for (value, rounded) in
            [(0.123_456, 0.1235), (98_765.4, 98_770.0), (0.0, 0.0), (1e-7, 1e-7), (1.0, 1.0)]
        {
            assert!((round_figure(value) - rounded).abs() <= rounded * 1e-9, "{value}");
        }
        assert_eq!(round_figure(f64::NAN), 0.0);
    }

    #[test]
    fn parts_keep_the_mean() {
        let check = |counts: &[(u64, u64)], expected: &[(f64, f64)]| {
            let counts = counts.iter().copied().collect();
            assert_eq!(describe_distribution(&counts), expected, "{counts:?}");
        };
        check(&[(100, 5)], &[(1.0, 100.0)]);
        check(&[], &[]);
        check(&[(1, 1), (2, 1)], &[(0.5, 1.0), (0.5, 2.0)]);
        check(&[(0, 9999), (5, 1)], &[(0.9995, 0.0), (0.0005, 1.0)]);
        let counts: BTreeMap<u64, u64> = (0..1000).map(|value| (value * value, 3)).collect();
        let parts = describe_distribution(&counts);
        let mean: f64 = parts.iter().map(|(share, mean)| share * mean).sum();
        assert!((mean / 332_833.5 - 1.0).abs() < 1e-3, "{mean}");
        assert!(parts.len() < 30, "{}", parts.len());
    }
}
