//! The law of the program's buckets, and what one disk's value in its map looks like.

use stats::LatencyHistogram;

/// Sub-buckets per power of two, as a power: 2^5, so a bucket is at most 1/32 = 3.1 % wide.
pub(crate) const GROUPING_POWER: u32 = 5;
/// Latencies of 2^36 ns = 68.7 s or more share the last bucket.
pub(crate) const MAX_VALUE_POWER: u32 = 36;
pub(crate) const OVERFLOW_BUCKET: u32 = (MAX_VALUE_POWER - GROUPING_POWER + 1) << GROUPING_POWER;
const BUCKETS: usize = OVERFLOW_BUCKET as usize + 1;

/// The parts of a latency, in the order in which a value has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Total = 0,
    Queue = 1,
    Device = 2,
}

/// Counters of a value, in its order; 64 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counter {
    Operations = 0,
    Bytes = 1,
    Errors = 2,
    /// Requests without the time of their acceptance.
    Untimed = 3,
    /// Requests without the time at which the driver got them.
    Unissued = 4,
    TotalSum = 5,
    QueueSum = 6,
    DeviceSum = 7,
}

const COUNTERS: usize = 8;
const PARTS: usize = 3;
/// Of a value in the map: the counters, then a histogram of 32-bit buckets for each part.
pub(crate) const VALUE_BYTES: u32 = (COUNTERS * 8 + PARTS * BUCKETS * 4).next_multiple_of(8) as u32;

impl Counter {
    pub(crate) fn offset(self) -> i16 {
        8 * self as i16
    }
}

impl Part {
    pub(crate) fn sum(self) -> Counter {
        match self {
            Self::Total => Counter::TotalSum,
            Self::Queue => Counter::QueueSum,
            Self::Device => Counter::DeviceSum,
        }
    }

    /// Where its histogram begins in a value.
    pub(crate) fn offset(self) -> i16 {
        (COUNTERS * 8 + self as usize * BUCKETS * 4) as i16
    }
}

/// Where the numbers of one who waits are in its value; the histogram of its total latency is last.
pub(crate) const WAITER_OPERATIONS: i16 = 0;
pub(crate) const WAITER_BYTES: i16 = 8;
pub(crate) const WAITER_SUM: i16 = 16;
pub(crate) const WAITER_HISTOGRAM: i16 = 24;
pub(crate) const WAITER_VALUE_BYTES: u32 = (24 + BUCKETS * 4).next_multiple_of(8) as u32;

/// The bucket in the middle of which a latency is taken to be.
fn bucket_middle(bucket: usize) -> u64 {
    let groups = (bucket >> GROUPING_POWER) as u32;
    if groups < 2 {
        return bucket as u64;
    }
    let shift = groups - 1;
    let mantissa = bucket as u64 - (u64::from(shift) << GROUPING_POWER);
    (mantissa << shift) + ((1 << shift) - 1) / 2
}

/// Values of all processors added up. Counters only grow, and wrap around.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Totals {
    counters: [u64; COUNTERS],
    buckets: Vec<u32>,
}

impl Default for Totals {
    fn default() -> Self {
        Self { counters: [0; COUNTERS], buckets: vec![0; PARTS * BUCKETS] }
    }
}

impl Totals {
    pub(crate) fn add(&mut self, value: &[u8]) {
        let (counters, buckets) = value.split_at(COUNTERS * 8);
        for (sum, bytes) in self.counters.iter_mut().zip(counters.chunks_exact(8)) {
            *sum = sum.wrapping_add(bytes.try_into().map_or(0, u64::from_ne_bytes));
        }
        for (sum, bytes) in self.buckets.iter_mut().zip(buckets.chunks_exact(4)) {
            *sum = sum.wrapping_add(bytes.try_into().map_or(0, u32::from_ne_bytes));
        }
    }

    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let mut delta = self.clone();
        for (now, then) in delta.counters.iter_mut().zip(&earlier.counters) {
            *now = now.wrapping_sub(*then);
        }
        for (now, then) in delta.buckets.iter_mut().zip(&earlier.buckets) {
            *now = now.wrapping_sub(*then);
        }
        delta
    }

    pub(crate) fn counter(&self, counter: Counter) -> u64 {
        self.counters[counter as usize]
    }

    pub(crate) fn histogram(&self, part: Part) -> LatencyHistogram {
        let begin = part as usize * BUCKETS;
        build_histogram(&self.buckets[begin..begin + BUCKETS], self.counter(part.sum()))
    }
}

fn build_histogram(buckets: &[u32], sum_ns: u64) -> LatencyHistogram {
    let mut histogram = LatencyHistogram::new();
    for (bucket, times) in buckets.iter().enumerate() {
        histogram.record_many(bucket_middle(bucket), u64::from(*times));
    }
    // The sum is exact, the middles of the buckets are not.
    let mut sparse = histogram.to_sparse();
    sparse.sum_ns = sum_ns as f64;
    sparse.to_histogram().unwrap_or(histogram)
}

/// What one who waits has done; wraps around.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WaiterTotals {
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
    pub(crate) waited_ns: u64,
    buckets: Vec<u32>,
}

impl Default for WaiterTotals {
    fn default() -> Self {
        Self { operations: 0, bytes: 0, waited_ns: 0, buckets: vec![0; BUCKETS] }
    }
}

impl WaiterTotals {
    pub(crate) fn parse(value: &[u8]) -> Self {
        let (counters, buckets) = value.split_at(WAITER_HISTOGRAM as usize);
        let mut counters =
            counters.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes));
        let mut next = || counters.next().unwrap_or(0);
        let (operations, bytes, waited_ns) = (next(), next(), next());
        let buckets = buckets.chunks_exact(4).take(BUCKETS);
        let buckets = buckets.map(|b| b.try_into().map_or(0, u32::from_ne_bytes)).collect();
        Self { operations, bytes, waited_ns, buckets }
    }

    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let buckets = self.buckets.iter().zip(&earlier.buckets);
        Self {
            operations: self.operations.wrapping_sub(earlier.operations),
            bytes: self.bytes.wrapping_sub(earlier.bytes),
            waited_ns: self.waited_ns.wrapping_sub(earlier.waited_ns),
            buckets: buckets.map(|(now, then)| now.wrapping_sub(*then)).collect(),
        }
    }

    pub(crate) fn histogram(&self) -> LatencyHistogram {
        build_histogram(&self.buckets, self.waited_ns)
    }
}

#[cfg(test)]
pub(crate) fn bucket_of(latency_ns: u64) -> usize {
    if latency_ns >> MAX_VALUE_POWER != 0 {
        return OVERFLOW_BUCKET as usize;
    }
    let power = latency_ns.max(1).ilog2();
    let shift = power.saturating_sub(GROUPING_POWER);
    ((shift << GROUPING_POWER) as u64 + (latency_ns >> shift)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_is_within_a_bucket_of_3_percent() {
        let mut last = 0;
        for latency_ns in (0..5000).chain((6..36 * 64).map(|i| ((64 + i % 64) << (i / 64)) / 64)) {
            let middle = bucket_middle(bucket_of(latency_ns));
            let error = middle.abs_diff(latency_ns) as f64 / latency_ns.max(1) as f64;
            assert!(error <= 1.0 / 64.0, "{latency_ns}: {middle}");
            last = last.max(bucket_of(latency_ns));
        }
        assert_eq!(last, OVERFLOW_BUCKET as usize - 1);
        assert_eq!(bucket_of(1 << MAX_VALUE_POWER), BUCKETS - 1);
        assert_eq!(bucket_middle(BUCKETS - 1) >> MAX_VALUE_POWER, 1);
    }

    #[test]
    fn values_of_processors_are_added_and_wrap_around() {
        let value = |operations: u64, bucket: u32| {
            let mut bytes = vec![0; VALUE_BYTES as usize];
            bytes[..8].copy_from_slice(&operations.to_ne_bytes());
            let sum = Counter::TotalSum.offset() as usize;
            bytes[sum..sum + 8].copy_from_slice(&(operations * 1000).to_ne_bytes());
            let at = Part::Total.offset() as usize + 4 * bucket_of(1000);
            bytes[at..at + 4].copy_from_slice(&bucket.to_ne_bytes());
            bytes
        };
        let mut then = Totals::default();
        then.add(&value(5, u32::MAX - 1));
        let mut now = Totals::default();
        now.add(&value(4, 1));
        now.add(&value(4, 1));
        let delta = now.since(&then);
        assert_eq!(delta.counter(Counter::Operations), 3);
        let total = delta.histogram(Part::Total);
        assert_eq!((total.count(), total.sum_ns()), (4, 3000));
        assert_eq!(delta.histogram(Part::Queue).count(), 0);
    }
}
