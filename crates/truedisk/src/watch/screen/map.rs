//! Latency over time: a column per interval, a row per range of latencies on a logarithmic scale.

use std::collections::VecDeque;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::text::Line;
use report::pad_left;
use units::Nanos;
use watch::DiskSummary;

use super::layout::time_of_day;

/// Lowest latencies of the ranges: 0, then 1, 2 and 5 times the powers of ten from 1 us to 10 s.
const RANGES: [u64; 23] = {
    let mut ranges = [0; 23];
    let (mut place, mut power) = (1, 1_000);
    while place < ranges.len() {
        ranges[place] = power * [1, 2, 5][(place - 1) % 3];
        if place % 3 == 0 {
            power *= 10;
        }
        place += 1;
    }
    ranges
};
/// Intervals that are remembered: a column each on a wide terminal.
const COLUMNS_MAX: usize = 512;
/// Of the lowest latency of a row, with its blank: `500 us`.
const LABEL_WIDTH: usize = 7;
/// Rows below which there is nothing to see: a row of ranges and that of times.
pub(super) const ROWS_MIN: usize = 2;

/// What was seen of one disk, interval by interval.
#[derive(Debug, Clone, Default)]
pub(super) struct LatencyMap {
    columns: VecDeque<Column>,
}

#[derive(Debug, Clone)]
struct Column {
    /// The end of the interval.
    time: Timestamp,
    counts: [u64; RANGES.len()],
    /// The one count is the range of the mean.
    is_mean: bool,
}

impl LatencyMap {
    pub(super) fn add(&mut self, time: Timestamp, disk: &DiskSummary) {
        let mut column = Column { time, counts: [0; RANGES.len()], is_mean: false };
        for (_, of) in disk.directions() {
            let buckets = of.total.iter().flat_map(stats::LatencyHistogram::buckets);
            buckets.for_each(|(lowest, _, count)| column.counts[range_of(lowest)] += count);
        }
        if column.is_empty()
            && let Some(mean) = disk.mean_ns()
        {
            column.counts[range_of(mean as u64)] = 1;
            column.is_mean = true;
        }
        if self.columns.len() == COLUMNS_MAX {
            self.columns.pop_front();
        }
        self.columns.push_back(column);
    }

    /// Whether the newest latency is a mean; `None` without any.
    pub(super) fn shows_means(&self) -> Option<bool> {
        let newest = self.columns.iter().rev().find(|column| !column.is_empty());
        newest.map(|column| column.is_mean)
    }

    /// At most `height` rows with the highest latencies first, and below them the times of the
    /// first and the last column.
    pub(super) fn draw(&self, width: usize, height: usize, zone: &TimeZone) -> Vec<Line<'static>> {
        let (room, rows) = (width.saturating_sub(LABEL_WIDTH + 1), height.saturating_sub(1));
        let first = self.columns.len().saturating_sub(room);
        let shown: Vec<&Column> = self.columns.iter().skip(first).collect();
        let used = |range: &usize| shown.iter().any(|column| column.counts[*range] > 0);
        let (Some(low), Some(high)) =
            ((0..RANGES.len()).find(used), (0..RANGES.len()).rev().find(used))
        else {
            return Vec::new();
        };
        if rows == 0 || room == 0 {
            return Vec::new();
        }
        let per_row = (high - low + 1).div_ceil(rows);
        let mut lines: Vec<Line> = (low..=high)
            .step_by(per_row)
            .map(|from| {
                let ranges = from..(from + per_row).min(RANGES.len());
                let marks: String = shown.iter().map(|c| c.mark(ranges.clone())).collect();
                let label = pad_left(&label(RANGES[from]), LABEL_WIDTH - 1);
                Line::from(format!("{label} \u{2502}{marks}"))
            })
            .collect();
        lines.reverse();
        lines.push(Line::from(draw_times(&shown, zone)));
        lines
    }
}

impl Column {
    fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    /// The share of the interval's requests in these ranges, as a shade.
    fn mark(&self, ranges: std::ops::Range<usize>) -> char {
        let count: u64 = self.counts[ranges].iter().sum();
        let share = count as f64 / self.counts.iter().sum::<u64>().max(1) as f64;
        match share {
            0.0 => ' ',
            _ if self.is_mean => '*',
            ..0.01 => '\u{2591}',
            ..0.1 => '\u{2592}',
            ..0.5 => '\u{2593}',
            _ => '\u{2588}',
        }
    }
}

fn range_of(latency_ns: u64) -> usize {
    RANGES.partition_point(|lowest| *lowest <= latency_ns) - 1
}

/// `50 us`: whole numbers, unlike what `units` prints.
fn label(lowest_ns: u64) -> String {
    match lowest_ns {
        0 => "0".to_owned(),
        1..1_000_000 => format!("{} us", lowest_ns / 1_000),
        1_000_000..1_000_000_000 => format!("{} ms", lowest_ns / 1_000_000),
        _ => format!("{} s", Nanos(lowest_ns).as_secs_f64()),
    }
}

/// The first column's time at its left edge, the last column's at its right edge.
fn draw_times(shown: &[&Column], zone: &TimeZone) -> String {
    let time = |column: Option<&&Column>| column.map(|column| time_of_day(column.time, zone));
    let first = time(shown.first()).unwrap_or_default();
    let last = time(shown.last()).unwrap_or_default();
    let indent = " ".repeat(LABEL_WIDTH + 1);
    match shown.len().checked_sub(first.len() + last.len()) {
        Some(gap @ 1..) => format!("{indent}{first}{}{last}", " ".repeat(gap)),
        _ => format!("{indent}{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_one_two_and_five_times_powers_of_ten() {
        let labels: Vec<String> = RANGES.iter().map(|lowest| label(*lowest)).collect();
        assert_eq!(labels[..5], ["0", "1 us", "2 us", "5 us", "10 us"]);
        assert_eq!(labels[20..], ["2 s", "5 s", "10 s"]);
        let check = |latency_ns: u64, expected: &str| {
            assert_eq!(label(RANGES[range_of(latency_ns)]), expected, "{latency_ns}");
        };
        check(0, "0");
        check(999, "0");
        check(1_000, "1 us");
        check(49_999, "20 us");
        check(50_000, "50 us");
        check(u64::MAX, "10 s");
    }

    #[test]
    fn a_shade_is_a_share() {
        let check = |count: u64, expected: char| {
            let mut counts = [0; RANGES.len()];
            (counts[3], counts[4]) = (count, 1_000 - count);
            let column = Column { time: Timestamp::UNIX_EPOCH, counts, is_mean: false };
            assert_eq!(column.mark(3..4), expected, "{count}");
        };
        check(0, ' ');
        check(1, '\u{2591}');
        check(10, '\u{2592}');
        check(100, '\u{2593}');
        check(500, '\u{2588}');
    }
}
