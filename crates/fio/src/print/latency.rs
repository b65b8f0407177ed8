//! Latency lines: minimum to deviation, percentiles, shares per range.

use std::fmt::Write;

use stats::LatencyHistogram;

use super::figures::Moments;
use super::numbers::{Base, Unit, format_real, num2str};

/// The line of a latency, `    clat (usec): min=29, max=541, avg=47.26, stdev= 8.83`; empty without
/// samples.
pub fn format_moments(name: &str, moments: &Moments) -> String {
    if moments.n == 0 {
        return String::new();
    }
    let Moments { min, max, mean, dev, .. } = *moments;
    let (divisor, unit) = choose_unit(min, max, dev);
    let short = |ns: u64| num2str(ns / divisor, 6, Base::Decimal, Unit::None);
    format!(
        "{name:>8} ({unit}): min={}, max={}, avg={}, stdev={}\n",
        short(min),
        short(max),
        format_real(mean / divisor as f64),
        format_real(dev / divisor as f64),
    )
}

/// How many nanoseconds the unit of a line has, and its name.
fn choose_unit(min: u64, max: u64, dev: f64) -> (u64, &'static str) {
    if min > 2_000_000 && max > 99_999_999 && dev > 1e6 {
        (1_000_000, "msec")
    } else if min > 2000 && max > 99_999 && dev > 1000.0 {
        (1000, "usec")
    } else {
        (1, "nsec")
    }
}

/// Decimal places for a list of percentiles: those of the longest.
pub fn percentile_places(list: &[f64]) -> usize {
    let places = |p: &f64| p.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    list.iter().map(places).max().unwrap_or(0)
}

/// The block for percentiles `list` (in percent, ascending) whose `values` are in nanoseconds;
/// empty for an empty list.
pub fn render_percentiles(name: &str, list: &[f64], values: &[u64]) -> String {
    let (Some(&min), Some(&max)) = (values.iter().min(), values.iter().max()) else {
        return String::new();
    };
    let (divisor, unit) = choose_unit(min, max, f64::INFINITY);
    let places = percentile_places(list);
    let width = max.div_ceil(divisor).to_string().len().max(5);
    // A terminal line of 80 columns, less the margin; an item has 8 characters of its own.
    let per_line = (73 / (places + width + 10)).max(1);
    let mut out = format!("    {name} percentiles ({unit}):\n");
    let items: Vec<_> = list.iter().zip(values).collect();
    for (row, line) in items.chunks(per_line).enumerate() {
        out.push_str("     |");
        for (column, (percent, ns)) in line.iter().enumerate() {
            let last = row * per_line + column + 1 == items.len();
            let value = ns.div_ceil(divisor);
            let label_width = places + 3;
            let _ = write!(out, " {percent:label_width$.places$}th=[{value:width$}]");
            out.push_str(if last { "" } else { "," });
        }
        out.push('\n');
    }
    out
}

/// The percentiles of a histogram, as a block; empty when either is.
pub fn render_histogram_percentiles(
    name: &str,
    list: &[f64],
    histogram: &LatencyHistogram,
) -> String {
    let values: Vec<u64> =
        list.iter().filter_map(|percent| histogram.quantile(percent / 100.0)).collect();
    render_percentiles(name, list, &values)
}

/// The upper edges of fio's ranges: ten per unit, and 2000 in the last; what is longer comes
/// in a range of its own.
const EDGES: [u64; 11] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

/// Shares in percent of latencies in fio's ranges. Of what happened at all at least 0.01 %.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shares {
    /// Below 2, 4, 10, 20, 50, 100, 250, 500, 750 and 1000 nanoseconds.
    pub nsec: [f64; 10],
    /// The same in microseconds.
    pub usec: [f64; 10],
    /// The same in milliseconds, then below 2000 and above.
    pub msec: [f64; 12],
}

impl Shares {
    /// Shares of a histogram among `total` operations. A bucket which holds a range's edge is
    /// split in proportion.
    pub fn from_histogram(histogram: &LatencyHistogram, total: u64) -> Self {
        let Some(min) = histogram.min_ns() else { return Self::default() };
        let mut below = 0.0;
        let mut share_up_to = |edge: u64| {
            let reached = if edge <= min { 0.0 } else { count_below(histogram, edge).max(below) };
            let share = clamp_share(reached - below, total);
            below = reached;
            share
        };
        let mut shares = Self::default();
        for (unit_ns, unit_shares) in [
            (1, &mut shares.nsec[..]),
            (1000, &mut shares.usec[..]),
            (1_000_000, &mut shares.msec[..]),
        ] {
            for (share, edge) in unit_shares.iter_mut().zip(EDGES) {
                *share = share_up_to(edge * unit_ns);
            }
        }
        shares.msec[11] = share_up_to(u64::MAX);
        shares
    }

    /// Their lines; a range without operations is left out, five ranges stand in a line.
    pub fn format_lines(&self) -> String {
        let mut out = String::new();
        for (unit, shares) in
            [("nsec", &self.nsec[..]), ("usec", &self.usec[..]), ("msec", &self.msec[..])]
        {
            let label = |i: usize| match EDGES.get(i) {
                Some(edge) => edge.to_string(),
                None => ">=2000".to_owned(),
            };
            let items: Vec<String> = shares
                .iter()
                .enumerate()
                .filter(|(_, share)| **share > 0.0)
                .map(|(i, share)| format!("{}={share:.2}%", label(i)))
                .collect();
            for line in items.chunks(5) {
                let _ = writeln!(out, "  lat ({unit})   : {}", line.join(", "));
            }
        }
        out
    }
}

fn count_below(histogram: &LatencyHistogram, edge: u64) -> f64 {
    histogram.count() as f64 - histogram.count_above(edge - 1)
}

fn clamp_share(count: f64, total: u64) -> f64 {
    // Half an operation is no operation: it comes from a bucket that was split.
    if total == 0 || count < 0.5 {
        return 0.0;
    }
    (100.0 * count / total as f64).max(0.01)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: [f64; 17] = [
        1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9,
        99.95, 99.99,
    ];

    #[test]
    fn units_follow_all_three_of_min_max_and_deviation() {
        let check = |min, max, mean, dev, expected: &str| {
            assert_eq!(
                format_moments("clat", &Moments { min, max, mean, dev, n: 2 }),
                format!("{expected}\n")
            );
        };
        check(
            127,
            1_407_312,
            96058.31,
            46591.7,
            "    clat (nsec): min=127, max=1407.3k, avg=96058.31, stdev=46591.70",
        );
        check(
            29_900,
            541_999,
            47_260.0,
            8830.0,
            "    clat (usec): min=29, max=541, avg=47.26, stdev= 8.83",
        );
        check(
            2000,
            541_999,
            47_260.0,
            8830.0,
            "    clat (nsec): min=2000, max=541999, avg=47260.00, stdev=8830.00",
        );
        check(
            2174,
            82_905,
            5991.37,
            3571.38,
            "    clat (nsec): min=2174, max=82905, avg=5991.37, stdev=3571.38",
        );
        check(
            40_000,
            100_000,
            50_000.0,
            999.0,
            "    clat (nsec): min=40000, max=100000, avg=50000.00, stdev=999.00",
        );
        check(
            2_000_001,
            100_000_000,
            5e6,
            1.5e6,
            "    clat (msec): min=2, max=100, avg= 5.00, stdev= 1.50",
        );
        check(1, 1, 1.0, 0.0, "    clat (nsec): min=1, max=1, avg= 1.00, stdev= 0.00");
    }

    #[test]
    fn deviation_is_that_of_a_sample() {
        let mut histogram = LatencyHistogram::new();
        [210, 221, 421, 1783].iter().for_each(|&ns| histogram.record(ns));
        // fio 3.33: min=210, max=1783, avg=658.75, stdev=755.75
        let line = format_moments("clat", &Moments::from_histogram(&histogram));
        assert_eq!(line, "    clat (nsec): min=210, max=1783, avg=658.75, stdev=755.75\n");
        let empty = Moments::from_histogram(&LatencyHistogram::new());
        assert_eq!(format_moments("clat", &empty), "");
    }

    #[test]
    fn columns_follow_the_widest_value() {
        // Measured with fio 3.33.
        let wide = [
            1416, 1416, 1640, 3184, 3568, 3952, 4512, 6304, 6496, 11968, 100_864, 1_662_976,
            1_662_976, 1_662_976, 1_662_976, 1_662_976, 1_662_976,
        ];
        let expected = "    clat percentiles (nsec):
     |  1.00th=[   1416],  5.00th=[   1416], 10.00th=[   1640],
     | 20.00th=[   3184], 30.00th=[   3568], 40.00th=[   3952],
     | 50.00th=[   4512], 60.00th=[   6304], 70.00th=[   6496],
     | 80.00th=[  11968], 90.00th=[ 100864], 95.00th=[1662976],
     | 99.00th=[1662976], 99.50th=[1662976], 99.90th=[1662976],
     | 99.95th=[1662976], 99.99th=[1662976]
";
        assert_eq!(render_percentiles("clat", &LIST, &wide), expected);
    }

    #[test]
    fn places_follow_the_list() {
        let check = |list: &[f64], values: &[u64], expected: &str| {
            let block = render_percentiles("clat", list, values);
            let (_, rows) = block.split_once('\n').unwrap();
            assert_eq!(rows, format!("{expected}\n"));
        };
        check(&[99.5], &[220_160], "     | 99.5th=[  221]");
        check(&[100.0], &[11_968], "     | 100th=[11968]");
        let nine: Vec<f64> = (1..=9).map(f64::from).collect();
        check(
            &nine,
            &[804, 812, 836, 852, 868, 868, 876, 876, 884],
            concat!(
                "     |   1th=[  804],   2th=[  812],   3th=[  836],   4th=[  852],\n",
                "     |   5th=[  868],   6th=[  868],   7th=[  876],   8th=[  876],\n",
                "     |   9th=[  884]"
            ),
        );
        check(
            &[50.0, 90.0, 99.0, 99.9, 99.99999],
            &[1080, 1288, 40704, 782_336, 782_336],
            concat!(
                "     | 50.00000th=[  1080], 90.00000th=[  1288], 99.00000th=[ 40704],\n",
                "     | 99.90000th=[782336], 99.99999th=[782336]"
            ),
        );
        check(
            &[1.5, 2.25, 3.125, 4.0, 5.0],
            &[836, 844, 844, 844, 852],
            concat!(
                "     |  1.500th=[  836],  2.250th=[  844],  3.125th=[  844],  4.000th=[  844],\n",
                "     |  5.000th=[  852]"
            ),
        );
    }

    #[test]
    fn without_values_there_is_no_block() {
        assert_eq!(render_histogram_percentiles("lat", &LIST, &LatencyHistogram::new()), "");
        assert_eq!(render_percentiles("lat", &[], &[]), "");
    }

    #[test]
    fn ranges_end_below_their_label() {
        let lines = |values: &[u64], total| {
            let mut histogram = LatencyHistogram::new();
            values.iter().for_each(|&ns| histogram.record(ns));
            Shares::from_histogram(&histogram, total).format_lines()
        };
        let check = |value, expected: &str| {
            assert_eq!(lines(&[value], 1), format!("  lat {expected}=100.00%\n"), "{value}");
        };
        check(1, "(nsec)   : 2");
        check(2, "(nsec)   : 4");
        check(999, "(nsec)   : 1000");
        check(1000, "(usec)   : 2");
        check(1999, "(usec)   : 2");
        check(2000, "(usec)   : 4");
        check(100_000, "(usec)   : 250");
        check(99_999, "(usec)   : 100");
        check(1_000_000, "(msec)   : 2");
        check(1_999_999_999, "(msec)   : 2000");
        check(2_000_000_000, "(msec)   : >=2000");
        check(90_000_000_000, "(msec)   : >=2000");
        assert_eq!(lines(&[], 0), "");
        let spread = [15_000, 30_000, 60_000, 150_000, 300_000, 600_000];
        assert_eq!(
            lines(&spread, 60_000),
            "  lat (usec)   : 20=0.01%, 50=0.01%, 100=0.01%, 250=0.01%, 500=0.01%
  lat (usec)   : 750=0.01%
"
        );
    }
}
