//! What is drawn of latencies: the newest ones in a line, all of them as bars.

use std::fmt::Write as _;

use stats::LatencyHistogram;

use super::ioping_units;

/// Heights of a bar in a line of text.
const BAR_HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const WIDTH: usize = 40;
const BARS_MAX: usize = 16;
/// Steps of a bar of the histogram, per doubling of the time: as fine as fits.
const STEPS_PER_DOUBLING: [f64; 5] = [4.0, 2.0, 1.0, 0.5, 0.25];

/// Latencies, oldest first, as one character each: on a scale of logarithms from the shortest to
/// the longest of them, so that a stall does not flatten the rest.
fn draw_sparkline(times_ns: &[u64]) -> String {
    let log = |ns: u64| (ns.max(1) as f64).ln();
    let least = times_ns.iter().copied().min().map_or(0.0, log);
    let most = times_ns.iter().copied().max().map_or(0.0, log);
    // Of times within a tenth of each other the noise is not drawn as mountains.
    let range = (most - least).max(1.1_f64.ln());
    let height = |ns: &u64| {
        let share = (log(*ns) - least) / range;
        BAR_HEIGHTS[((share * 7.0).round() as usize).min(7)]
    };
    times_ns.iter().map(height).collect()
}

/// The line that is drawn anew while a run goes: the newest latencies, their range, the last.
pub fn format_live_line(newest_ns: &[u64]) -> String {
    let ends = (newest_ns.iter().min(), newest_ns.iter().max(), newest_ns.last());
    let (Some(least), Some(most), Some(last)) = ends else { return String::new() };
    let [least, most, last] = [least, most, last].map(|ns| ioping_units::format_time(*ns));
    format!("{} {least} to {most}, last {last}", draw_sparkline(newest_ns))
}

/// A bar per range of times, each range as much longer than the last.
pub fn draw_histogram(times: &LatencyHistogram) -> String {
    let (Some(least), Some(most)) = (times.min_ns(), times.max_ns()) else {
        return String::new();
    };
    let bars = |step: f64| {
        let place = |ns: u64| ((ns.max(1) as f64).log2() * step).floor() as i64;
        let first = place(least);
        let mut counts = vec![0_u64; (place(most) - first + 1) as usize];
        let last = counts.len() - 1;
        for (low, _, count) in times.buckets() {
            let at = (place(low.max(least)) - first).max(0) as usize;
            counts[at.min(last)] += count;
        }
        // Longer than any bucket holds.
        counts[last] += times.overflow();
        (first, counts)
    };
    let fits = |step: &f64| (most as f64 / least.max(1) as f64).log2() * step < BARS_MAX as f64;
    let step = STEPS_PER_DOUBLING
        .iter()
        .copied()
        .find(fits)
        .unwrap_or(STEPS_PER_DOUBLING[STEPS_PER_DOUBLING.len() - 1]);
    let (first, counts) = bars(step);
    let largest = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut text = String::new();
    for (at, count) in counts.iter().enumerate() {
        let edge = 2_f64.powf((first + at as i64) as f64 / step);
        let length = (*count as f64 / largest as f64 * WIDTH as f64).ceil() as usize;
        let from = ioping_units::format_time(edge.ceil() as u64);
        let _ = writeln!(text, "{from:>9} {:WIDTH$} {count}", "#".repeat(length));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_order_and_extremes() {
        assert_eq!(draw_sparkline(&[]), "");
        assert_eq!(draw_sparkline(&[100, 101, 102]), "▁▂▂");
        assert_eq!(draw_sparkline(&[100, 2000, 10_000, 100]), "▁▆█▁");
        assert_eq!(draw_sparkline(&[0, u64::MAX]), "▁█");
    }

    #[test]
    fn the_live_line_names_what_it_draws() {
        assert_eq!(format_live_line(&[]), "");
        assert_eq!(format_live_line(&[100, 10_000, 2000]), "▁█▆ 100 ns to 10 us, last 2 us");
    }

    #[test]
    fn every_request_is_in_a_bar() {
        assert_eq!(draw_histogram(&LatencyHistogram::new()), "");
        for most in [101, 1_000, 50_000_000, 40_000_000_000] {
            let mut times = LatencyHistogram::new();
            let mut ns = 100;
            while ns < most {
                times.record(ns);
                ns += 1 + ns / 3;
            }
            times.record(most);
            let text = draw_histogram(&times);
            let counts = text.lines().map(|line| line.rsplit(' ').next().unwrap());
            let sum: u64 = counts.map(|count| count.parse::<u64>().unwrap()).sum();
            assert_eq!(sum, times.count(), "{text}");
            assert!(text.lines().count() <= BARS_MAX + 1, "{text}");
        }
    }

    #[test]
    fn bars_are_as_long_as_they_are_many() {
        let mut times = LatencyHistogram::new();
        times.record_many(100_000, 40);
        times.record_many(200_000, 10);
        times.record(400_000);
        let text = draw_histogram(&times);
        let lengths: Vec<usize> = text.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(lengths.iter().filter(|length| **length > 0).count(), 3, "{text}");
        assert_eq!((lengths[0], lengths.iter().copied().max()), (40, Some(40)), "{text}");
        assert!(lengths.contains(&10) && lengths.contains(&1), "{text}");
    }
}
