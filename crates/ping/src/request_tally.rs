//! ioping's arithmetic: which requests count, what is remarkable, and the figures.

use record::{PingFigures, PingMark};

use crate::settings::FigureOptions;

/// Marks need a mean to compare with: that of more than this number of requests.
const MARK_REQUESTS_MIN: u64 = 5;

#[derive(Debug, Clone)]
pub(crate) struct RequestTally {
    begin_ns: u64,
    sum_of_squares: f64,
    /// Counts and sums; what follows from them is added in [`Self::figures`].
    sums: PingFigures,
}

impl RequestTally {
    /// No request yet, from `begin_ns` on.
    pub(crate) fn begin(begin_ns: u64) -> Self {
        let sums = PingFigures { min_ns: u64::MAX, ..PingFigures::default() };
        Self { begin_ns, sum_of_squares: 0.0, sums }
    }

    /// Adds request `number`, which moved `bytes` in `ns`: whether it counts, and what is
    /// remarkable.
    pub(crate) fn add(
        &mut self,
        number: u64,
        bytes: u64,
        ns: u64,
        rules: &FigureOptions,
    ) -> (bool, Option<PingMark>) {
        let sums = &mut self.sums;
        sums.requests += 1;
        sums.load_bytes = sums.load_bytes.saturating_add(bytes);
        if number <= rules.warmup {
            return (false, Some(PingMark::Warmup));
        }
        if ns < rules.min_time.0 {
            sums.too_fast += 1;
            return (false, Some(PingMark::TooFast));
        }
        if ns > rules.max_time.0 {
            sums.too_slow += 1;
            return (false, Some(PingMark::TooSlow));
        }
        sums.counted += 1;
        sums.bytes = sums.bytes.saturating_add(bytes);
        sums.sum_ns += ns as f64;
        sums.min_ns = sums.min_ns.min(ns);
        sums.max_ns = sums.max_ns.max(ns);
        self.sum_of_squares += ns as f64 * ns as f64;
        (true, self.classify(ns))
    }

    fn classify(&self, ns: u64) -> Option<PingMark> {
        if self.counted() <= MARK_REQUESTS_MIN {
            return None;
        }
        let mean = (self.sums.sum_ns / self.counted() as f64) as u64;
        if ns.saturating_mul(2) < mean {
            Some(PingMark::Fast)
        } else {
            (ns > mean.saturating_mul(2)).then_some(PingMark::Slow)
        }
    }

    pub(crate) fn counted(&self) -> u64 {
        self.sums.counted
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        let (sums, other_sums) = (&mut self.sums, &other.sums);
        sums.requests += other_sums.requests;
        sums.counted += other_sums.counted;
        sums.too_fast += other_sums.too_fast;
        sums.too_slow += other_sums.too_slow;
        sums.bytes = sums.bytes.saturating_add(other_sums.bytes);
        sums.load_bytes = sums.load_bytes.saturating_add(other_sums.load_bytes);
        sums.sum_ns += other_sums.sum_ns;
        sums.min_ns = sums.min_ns.min(other_sums.min_ns);
        sums.max_ns = sums.max_ns.max(other_sums.max_ns);
        self.sum_of_squares += other.sum_of_squares;
    }

    /// The figures at `end_ns`. ioping takes every request for a whole one; bytes are counted here
    /// as they moved.
    pub(crate) fn figures(&self, end_ns: u64) -> PingFigures {
        let sums = &self.sums;
        let load_ns = end_ns.saturating_sub(self.begin_ns);
        let per_second = |count: u64, ns: f64| if ns > 0.0 { 1e9 * count as f64 / ns } else { 0.0 };
        let n = sums.counted as f64;
        let avg_ns = if sums.counted > 0 { sums.sum_ns / n } else { 0.0 };
        // Rounding may leave a trace below zero where all times are alike.
        let variance = (self.sum_of_squares / n.max(1.0) - avg_ns * avg_ns).max(0.0);
        let iops = per_second(sums.counted, sums.sum_ns);
        let load_iops = per_second(sums.requests, load_ns as f64);
        // Exactly the size of a request, where all were whole.
        let mean = |bytes: u64, requests: u64| bytes as f64 / requests.max(1) as f64;
        PingFigures {
            min_ns: if sums.counted > 0 { sums.min_ns } else { 0 },
            avg_ns,
            mdev_ns: variance.sqrt(),
            iops,
            bytes_per_second: iops * mean(sums.bytes, sums.counted),
            load_ns,
            load_iops,
            load_bytes_per_second: load_iops * mean(sums.load_bytes, sums.requests),
            ..sums.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use units::Nanos;

    use super::*;

    const RULES: FigureOptions = rules(1, 10, 1000);

    const fn rules(warmup: u64, min_ns: u64, max_ns: u64) -> FigureOptions {
        let (min_time, max_time) = (Nanos(min_ns), Nanos(max_ns));
        FigureOptions { warmup, min_time, max_time, window_count: 0, window_time: Nanos::ZERO }
    }

    #[test]
    fn what_does_not_count_is_marked_and_left_out() {
        let mut tally = RequestTally::begin(0);
        assert_eq!(tally.add(1, 4096, 500, &RULES), (false, Some(PingMark::Warmup)));
        assert_eq!(tally.add(2, 4096, 9, &RULES), (false, Some(PingMark::TooFast)));
        assert_eq!(tally.add(3, 4096, 1001, &RULES), (false, Some(PingMark::TooSlow)));
        assert_eq!(tally.add(4, 4096, 10, &RULES), (true, None));
        assert_eq!(tally.add(5, 4096, 1000, &RULES), (true, None));
        let figures = tally.figures(10_000);
        assert_eq!((figures.counted, figures.requests), (2, 5));
        assert_eq!((figures.too_fast, figures.too_slow), (1, 1));
        assert_eq!((figures.min_ns, figures.max_ns), (10, 1000));
        assert_eq!((figures.sum_ns, figures.avg_ns, figures.mdev_ns), (1010.0, 505.0, 495.0));
        assert_eq!(figures.iops, 2e9 / 1010.0);
        assert_eq!((figures.bytes, figures.load_bytes), (8192, 20_480));
        assert_eq!(figures.load_iops, 5e9 / 10_000.0);
    }

    #[test]
    fn marks_begin_once_there_is_a_mean() {
        let mut tally = RequestTally::begin(0);
        let rules = rules(0, 0, u64::MAX);
        for number in 1..=5 {
            let ns = if number == 5 { 900 } else { 100 };
            assert_eq!(tally.add(number, 4096, ns, &rules), (true, None), "{number}");
        }
        // The mean has the new one in it: 1300 + 100 over 6.
        assert_eq!(tally.add(6, 4096, 100, &rules), (true, Some(PingMark::Fast)));
        assert_eq!(tally.add(7, 4096, 900, &rules), (true, Some(PingMark::Slow)));
        assert_eq!(tally.add(8, 4096, 300, &rules), (true, None));
    }

    #[test]
    fn windows_together_are_the_whole() {
        let rules = rules(0, 0, 500);
        let (mut whole, mut total) = (RequestTally::begin(0), RequestTally::begin(0));
        for window in 0..3 {
            let mut part = RequestTally::begin(window * 100);
            for number in 0..4 {
                let ns = 100 * window + 70 * number;
                part.add(number + 1, 512, ns, &rules);
                whole.add(number + 1, 512, ns, &rules);
            }
            total.merge(&part);
        }
        assert_eq!(total.figures(900), whole.figures(900));
    }

    #[test]
    fn bytes_are_those_that_moved() {
        let mut tally = RequestTally::begin(0);
        tally.add(1, 4096, 500, &RULES);
        tally.add(2, 4096, 500, &RULES);
        tally.add(3, 1096, 500, &RULES);
        let figures = tally.figures(2000);
        assert_eq!((figures.bytes, figures.load_bytes), (5192, 9288));
        assert_eq!(figures.bytes_per_second, 2e6 * 2596.0);
        assert_eq!(figures.load_bytes_per_second, 1.5e6 * 3096.0);
    }

    #[test]
    fn nothing_measured_is_zero_and_not_the_edge_of_a_number() {
        let figures = RequestTally::begin(5).figures(5);
        assert_eq!(figures, PingFigures::default());
    }
}
