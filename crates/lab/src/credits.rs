//! Credits of a burstable volume, in real time: a cap of a control group that follows them.

use std::time::Instant;

/// A volume that may burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBucket {
    /// Reads per second while there are credits.
    pub burst: u64,
    /// Reads per second without, and credits gained per second.
    pub baseline: u64,
    /// Credits at the start, and the most that are kept; each read takes one.
    pub credits: u64,
}

/// A spent bucket must hold credits for this time before the next burst begins.
const BURST_SECONDS_MIN: f64 = 0.1;

#[derive(Debug)]
pub(crate) struct TokenBucketState {
    bucket: TokenBucket,
    remaining: f64,
    is_bursting: bool,
    /// The device's reads when they were last counted, and when that was.
    reads: u64,
    at: Instant,
}

impl TokenBucketState {
    /// A full bucket on a device that has served `reads` reads.
    pub(crate) fn new_full(bucket: TokenBucket, reads: u64, now: Instant) -> TokenBucketState {
        let (remaining, is_bursting) = (bucket.credits as f64, bucket.credits > 0);
        TokenBucketState { bucket, remaining, is_bursting, reads, at: now }
    }

    pub(crate) fn update(&mut self, reads: u64, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        let spent = reads.wrapping_sub(self.reads) as f64;
        (self.reads, self.at) = (reads, now);
        let left = self.remaining + seconds * self.bucket.baseline as f64 - spent;
        self.remaining = left.clamp(0.0, self.bucket.credits as f64);
        let next = self.bucket.burst as f64 * BURST_SECONDS_MIN;
        self.is_bursting =
            if self.is_bursting { self.remaining > 0.0 } else { self.remaining >= next };
    }

    pub(crate) fn cap(&self) -> u64 {
        if self.is_bursting { self.bucket.burst } else { self.bucket.baseline }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_saturated_volume_bursts_for_credits_by_burst_minus_baseline() {
        let bucket = TokenBucket { burst: 4000, baseline: 1000, credits: 6000 };
        let begun = Instant::now();
        let mut credits = TokenBucketState::new_full(bucket, 0, begun);
        let (mut reads, mut last_burst, mut bursts) = (0, 0, 0);
        for tick in 1..=500_u32 {
            let before = credits.cap();
            reads += before / 100;
            credits.update(reads, begun + Duration::from_millis(10) * tick);
            if before == 4000 {
                (last_burst, bursts) = (tick, bursts + 1);
            }
        }
        // 6000 / (4000 - 1000) = 2 seconds, at once and never again.
        assert_eq!((last_burst, bursts), (200, 200));
        // A rest of two seconds gives 2000 credits, enough for the next burst.
        credits.update(reads, begun + Duration::from_secs(7));
        assert_eq!(credits.cap(), 4000);
    }
}
