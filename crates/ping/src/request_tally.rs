//! ioping's arithmetic: which requests count, what is remarkable, and the figures.

use record::{PingFigures, PingMark};

/// Marks need a mean to compare with: that of more than this number of requests.
const MARK_REQUESTS_MIN: u64 = 5;

#[derive(Debug, Clone, Copy)]
pub(crate) struct CountingRules {
    /// Number of requests at the start that do not.
    pub(crate) warmup: u64,
    /// Nor those that are faster.
    pub(crate) min_ns: u64,
    /// Nor those that are slower.
    pub(crate) max_ns: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct RequestTally {
    begin_ns: u64,
    requests: u64,
    counted: u64,
    too_fast: u64,
    too_slow: u64,
    min_ns: u64,
    max_ns: u64,
    sum: f64,
    sum_of_squares: f64,
    /// Bytes of those that count, and of all.
    bytes: u64,
    all_bytes: u64,
}

impl RequestTally {
    /// None yet, from `begin_ns` on.
    pub(crate) fn begin(begin_ns: u64) -> Self {
        Self {
            begin_ns,
            requests: 0,
            counted: 0,
            too_fast: 0,
            too_slow: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            sum: 0.0,
            sum_of_squares: 0.0,
            bytes: 0,
            all_bytes: 0,
        }
    }

    /// Takes in request `number`, which moved so many bytes in `ns`: whether it counts, and what is
    /// remarkable.
    pub(crate) fn add(
        &mut self,
        number: u64,
        bytes: u64,
        ns: u64,
        rules: &CountingRules,
    ) -> (bool, Option<PingMark>) {
        self.requests += 1;
        self.all_bytes = self.all_bytes.saturating_add(bytes);
        if number <= rules.warmup {
            return (false, Some(PingMark::Warmup));
        }
        if ns < rules.min_ns {
            self.too_fast += 1;
            return (false, Some(PingMark::TooFast));
        }
        if ns > rules.max_ns {
            self.too_slow += 1;
            return (false, Some(PingMark::TooSlow));
        }
        self.counted += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.sum += ns as f64;
        self.sum_of_squares += ns as f64 * ns as f64;
        self.min_ns = self.min_ns.min(ns);
        self.max_ns = self.max_ns.max(ns);
        (true, self.classify(ns))
    }

    fn classify(&self, ns: u64) -> Option<PingMark> {
        if self.counted <= MARK_REQUESTS_MIN {
            return None;
        }
        let mean = (self.sum / self.counted as f64) as u64;
        if ns.saturating_mul(2) < mean {
            Some(PingMark::Fast)
        } else if ns > mean.saturating_mul(2) {
            Some(PingMark::Slow)
        } else {
            None
        }
    }

    pub(crate) fn counted(&self) -> u64 {
        self.counted
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.requests += other.requests;
        self.counted += other.counted;
        self.too_fast += other.too_fast;
        self.too_slow += other.too_slow;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.all_bytes = self.all_bytes.saturating_add(other.all_bytes);
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The figures at `end_ns`. ioping takes every request for a whole one; bytes are counted here
    /// as they moved.
    pub(crate) fn figures(&self, end_ns: u64) -> PingFigures {
        let load_ns = end_ns.saturating_sub(self.begin_ns);
        let per_second = |count: u64, ns: f64| if ns > 0.0 { 1e9 * count as f64 / ns } else { 0.0 };
        let n = self.counted as f64;
        let avg_ns = if self.counted > 0 { self.sum / n } else { 0.0 };
        // Rounding may leave a trace below zero where all times are alike.
        let variance = (self.sum_of_squares / n.max(1.0) - avg_ns * avg_ns).max(0.0);
        let (iops, load_iops) =
            (per_second(self.counted, self.sum), per_second(self.requests, load_ns as f64));
        // Exactly the size of a request, where all were whole.
        let mean = |bytes: u64, requests: u64| bytes as f64 / requests.max(1) as f64;
        PingFigures {
            counted: self.counted,
            requests: self.requests,
            too_fast: self.too_fast,
            too_slow: self.too_slow,
            sum_ns: self.sum,
            min_ns: if self.counted > 0 { self.min_ns } else { 0 },
            avg_ns,
            max_ns: self.max_ns,
            mdev_ns: variance.sqrt(),
            iops,
            bytes_per_second: iops * mean(self.bytes, self.counted),
            bytes: self.bytes,
            load_ns,
            load_iops,
            load_bytes_per_second: load_iops * mean(self.all_bytes, self.requests),
            load_bytes: self.all_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: CountingRules = CountingRules { warmup: 1, min_ns: 10, max_ns: 1000 };

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
        let rules = CountingRules { warmup: 0, min_ns: 0, max_ns: u64::MAX };
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
        let rules = CountingRules { warmup: 0, min_ns: 0, max_ns: 500 };
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
