//! How the requests of one target went: windows, totals, distributions.

use engine::{DirectionInterval, IntervalOutcome};
use record::{PingFigures, PingMark, PingRequest};
use stats::LatencyHistogram;
use units::Nanos;
use workload::Direction;

use crate::request_tally::RequestTally;
use crate::requester::RequestCompletion;
use crate::settings::{FigureOptions, PingSettings};

/// Slices of the series that are kept; then two neighbours become one.
const SLICES_MAX: usize = 4096;
/// Length of a slice at first: one second, as requests are few.
const SLICE_NS: u64 = 1_000_000_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct DirectionTotals {
    pub(crate) ops: u64,
    pub(crate) bytes: u64,
    pub(crate) histogram: LatencyHistogram,
}

/// The slice of the series that is going on: reads, writes.
#[derive(Debug, Clone)]
struct SeriesSlice {
    start_ns: u64,
    length_ns: u64,
    sides: [DirectionTotals; 2],
}

#[derive(Debug)]
pub(crate) struct PingStatistics {
    options: FigureOptions,
    begin_ns: u64,
    window: RequestTally,
    window_ends_ns: u64,
    total: RequestTally,
    /// Of all that count: after a pause, and back to back; of reads and writes.
    pub(crate) sums: [[DirectionTotals; 2]; 2],
    /// The time of each of the two: from the end of the request before to the end of its own.
    pub(crate) spans_ns: [u64; 2],
    /// Operations and bytes of everything that was asked: reads, writes.
    pub(crate) transferred: [(u64, u64); 2],
    series: Option<(SeriesSlice, Vec<IntervalOutcome>)>,
    last_ns: u64,
}

impl PingStatistics {
    pub(crate) fn new(settings: &PingSettings) -> Self {
        let slice = || SeriesSlice { start_ns: 0, length_ns: SLICE_NS, sides: Default::default() };
        Self {
            options: settings.figures,
            begin_ns: 0,
            window: RequestTally::begin(0),
            window_ends_ns: 0,
            total: RequestTally::begin(0),
            sums: preallocated_totals(),
            spans_ns: [0; 2],
            transferred: Default::default(),
            series: settings.record.then(|| (slice(), Vec::new())),
            last_ns: 0,
        }
    }

    pub(crate) fn start(&mut self, now_ns: u64) {
        (self.begin_ns, self.last_ns) = (now_ns, now_ns);
        (self.window, self.total) = (RequestTally::begin(now_ns), RequestTally::begin(now_ns));
        self.window_ends_ns = now_ns.saturating_add(self.options.window_time.0);
    }

    /// Adds a request: how it is shown, and the figures of the window that ends with it.
    pub(crate) fn add_completion(
        &mut self,
        completion: &RequestCompletion,
    ) -> (PingRequest, Option<PingFigures>) {
        let ns = completion.ended_ns - completion.began_ns;
        let span_ns = completion.ended_ns.saturating_sub(self.last_ns);
        self.last_ns = self.last_ns.max(completion.ended_ns);
        let side = usize::from(completion.direction == Direction::Write);
        // What moved nothing is no request: neither in the figures nor among all.
        let (mut counted, mut mark) = (false, None);
        if completion.moved > 0 {
            self.transferred[side].0 += 1;
            self.transferred[side].1 += completion.moved;
            (counted, mark) =
                self.window.add(completion.number, completion.moved, ns, &self.options);
        }
        if completion.refused {
            mark = Some(PingMark::WouldBlock);
        }
        if counted {
            let kind = usize::from(!completion.after_pause);
            self.sums[kind][side].add(completion.moved, ns);
            self.spans_ns[kind] += span_ns;
            self.add_to_series(completion, side, ns);
        }
        let shown = PingRequest {
            number: completion.number,
            direction: completion.direction,
            moved: completion.moved,
            time: Nanos(ns),
            counted,
            mark,
            ends_burst: completion.ends_burst,
        };
        (shown, self.close_full_window(completion))
    }

    fn close_full_window(&mut self, completion: &RequestCompletion) -> Option<PingFigures> {
        let FigureOptions { window_count, window_time, .. } = self.options;
        let full = window_count > 0 && self.window.counted() >= window_count;
        let over = window_time > Nanos::ZERO && completion.next_ns >= self.window_ends_ns;
        if !full && !over {
            return None;
        }
        let figures = self.window.figures(completion.ended_ns);
        self.total.merge(&self.window);
        self.window = RequestTally::begin(completion.ended_ns);
        self.window_ends_ns = completion.ended_ns.saturating_add(window_time.0);
        Some(figures)
    }

    fn add_to_series(&mut self, completion: &RequestCompletion, side: usize, ns: u64) {
        let Some((slice, past)) = &mut self.series else { return };
        let at = completion.ended_ns.saturating_sub(self.begin_ns);
        while at >= slice.start_ns + slice.length_ns {
            past.push(slice.close());
            slice.start_ns += slice.length_ns;
            slice.sides = Default::default();
            if past.len() >= SLICES_MAX {
                *past = past.chunks(2).map(join_neighbours).collect();
                slice.length_ns *= 2;
            }
        }
        slice.sides[side].add(completion.moved, ns);
    }

    /// The series, its last slice as far as it came.
    pub(crate) fn series(&self) -> Vec<IntervalOutcome> {
        let Some((slice, past)) = &self.series else { return Vec::new() };
        let mut all = past.clone();
        let begun = self.last_ns.saturating_sub(self.begin_ns).saturating_sub(slice.start_ns);
        if begun > 0 {
            all.push(SeriesSlice { length_ns: begun, ..slice.clone() }.close());
        }
        all
    }

    pub(crate) fn figures(&self, end_ns: u64) -> PingFigures {
        let mut total = self.total.clone();
        total.merge(&self.window);
        total.figures(end_ns)
    }

    /// Time from the beginning to the end of the last request.
    pub(crate) fn elapsed_ns(&self) -> u64 {
        self.last_ns - self.begin_ns
    }
}

/// No requests yet, in memory that the kernel has given already: its zeros came with the copy, so
/// that no request pays for them.
fn preallocated_totals() -> [[DirectionTotals; 2]; 2] {
    let empty: [[DirectionTotals; 2]; 2] = Default::default();
    empty.clone()
}

impl DirectionTotals {
    fn add(&mut self, bytes: u64, ns: u64) {
        self.ops += 1;
        self.bytes += bytes;
        self.histogram.record(ns);
    }

    pub(crate) fn merged_with(&self, other: &Self) -> Self {
        let mut histogram = self.histogram.clone();
        histogram.merge(&other.histogram);
        Self { ops: self.ops + other.ops, bytes: self.bytes + other.bytes, histogram }
    }
}

impl SeriesSlice {
    fn close(&self) -> IntervalOutcome {
        let [reads, writes] = self.sides.each_ref().map(|sum| {
            let total = || sum.histogram.to_sparse();
            (sum.ops > 0).then(|| direction_interval(sum.ops, sum.bytes, total()))
        });
        new_interval(self.start_ns, self.length_ns, [reads, writes])
    }
}

fn direction_interval(ops: u64, bytes: u64, total: stats::SparseHistogram) -> DirectionInterval {
    DirectionInterval {
        ops,
        bytes,
        total,
        submission: None,
        completion: None,
        response: None,
        comparable: None,
    }
}

fn new_interval(
    start_ns: u64,
    length_ns: u64,
    [reads, writes]: [Option<DirectionInterval>; 2],
) -> IntervalOutcome {
    let directions = [reads, writes, None, None];
    IntervalOutcome { start_ns, length_ns, directions, ..IntervalOutcome::default() }
}

fn join_neighbours(pair: &[IntervalOutcome]) -> IntervalOutcome {
    let join = |side: usize| {
        let mut parts = pair.iter().filter_map(|past| past.directions[side].as_ref());
        let first = parts.next()?;
        let (mut ops, mut bytes) = (first.ops, first.bytes);
        let mut histogram = first.total.to_histogram().ok()?;
        for part in parts {
            (ops, bytes) = (ops + part.ops, bytes + part.bytes);
            // It was made from a histogram of this very program.
            histogram.merge_sparse(&part.total).ok()?;
        }
        Some(direction_interval(ops, bytes, histogram.to_sparse()))
    };
    let length_ns = pair.iter().map(|past| past.length_ns).sum();
    new_interval(pair[0].start_ns, length_ns, [join(0), join(1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(number: u64, began_ns: u64, ended_ns: u64) -> RequestCompletion {
        RequestCompletion {
            number,
            direction: Direction::Read,
            moved: 4096,
            refused: false,
            began_ns,
            ended_ns,
            next_ns: ended_ns,
            ends_burst: false,
            after_pause: number == 1,
        }
    }

    fn statistics(window_count: u64, window_time: Nanos, record: bool) -> PingStatistics {
        let default = PingSettings::default();
        let figures = FigureOptions { warmup: 0, window_count, window_time, ..default.figures };
        let mut statistics = PingStatistics::new(&PingSettings { figures, record, ..default });
        statistics.start(0);
        statistics
    }

    #[test]
    fn windows_end_by_count_or_time_and_the_rest_is_in_the_total() {
        let mut by_count = statistics(2, Nanos::ZERO, false);
        let ends = (1..=5)
            .map(|n| by_count.add_completion(&completion(n, n * 100, n * 100 + 50)).1.is_some());
        assert_eq!(ends.collect::<Vec<_>>(), [false, true, false, true, false]);
        assert_eq!(by_count.figures(600).counted, 5);
        let mut by_time = statistics(0, Nanos(250), false);
        let ends = (1..=5).map(|n| by_time.add_completion(&completion(n, n * 100 - 50, n * 100)).1);
        let counted: Vec<u64> = ends.flatten().map(|figures| figures.counted).collect();
        assert_eq!(counted, [3], "at 300; the next would end at 550");
    }

    #[test]
    fn what_moved_nothing_is_told_and_counted_nowhere() {
        let mut statistics = statistics(0, Nanos::ZERO, true);
        let refused = RequestCompletion { moved: 0, refused: true, ..completion(1, 0, 40) };
        let (shown, _) = statistics.add_completion(&refused);
        assert_eq!(shown.mark, Some(PingMark::WouldBlock));
        assert_eq!((shown.moved, shown.counted), (0, false));
        assert_eq!(statistics.figures(100).requests, 0);
        assert_eq!(statistics.transferred, [(0, 0), (0, 0)]);
    }

    #[test]
    fn a_long_series_is_halved_and_loses_nothing() {
        let mut statistics = statistics(0, Nanos::ZERO, true);
        let n = SLICES_MAX as u64 + 10;
        for number in 1..=n {
            let at = number * SLICE_NS;
            statistics.add_completion(&completion(number, at, at + 1000));
        }
        let series = statistics.series();
        assert!(series.len() < SLICES_MAX, "{}", series.len());
        let reads = series.iter().filter_map(|past| past.directions[0].as_ref());
        assert_eq!(reads.map(|reads| reads.ops).sum::<u64>(), n);
        for pair in series.windows(2) {
            assert_eq!(pair[0].start_ns + pair[0].length_ns, pair[1].start_ns);
        }
    }
}
