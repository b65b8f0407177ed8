//! The token bucket of a cloud volume: requests over the limit are delayed, first in first out.
//!
//! Credits refill at the baseline rate, are bounded, and are spent at up to the burst rate (Amazon
//! EBS User Guide, "General Purpose SSD volumes", gp2: 5.4 million credits, burst 3,000 IOPS). One
//! request takes one credit whatever its length; a byte rate stands for the splitting of long ones.

use super::device_model::{Bucket, Op, OpKind, ns_per_unit};

/// Absorbs rounding in the balance: a credit that lacks this little counts as whole.
const CREDIT_SLACK: f64 = 1e-9;

/// Times are fractions of nanoseconds so that pacing does not drift.
#[derive(Debug, Clone)]
pub(super) struct TokenBucket {
    credits: f64,
    credits_max: f64,
    /// Nanoseconds to gain one credit; zero means credits do not limit.
    refill_ns: f64,
    /// Shortest time between two admissions while credits last.
    gap_ns: f64,
    ns_per_byte: f64,
    updated_ns: f64,
    paced_ns: f64,
    bytes_paced_ns: f64,
    admitted_ns: u64,
}

impl TokenBucket {
    pub(super) fn new(bucket: &Bucket) -> TokenBucket {
        let most = if bucket.credits.is_finite() { bucket.credits.max(1.0) } else { f64::MAX };
        let refill_ns = ns_per_unit(bucket.iops);
        // Without a baseline there is no limit, and so no burst rate either.
        let burst = bucket.burst_iops.max(bucket.iops);
        TokenBucket {
            credits: most,
            credits_max: most,
            refill_ns,
            gap_ns: if refill_ns > 0.0 { ns_per_unit(burst) } else { 0.0 },
            ns_per_byte: bucket.bytes_per_second.map_or(0.0, ns_per_unit),
            updated_ns: 0.0,
            paced_ns: 0.0,
            bytes_paced_ns: 0.0,
            admitted_ns: 0,
        }
    }

    /// When a request submitted at `now_ns` is admitted. Never before an earlier request.
    pub(super) fn admit_ns(&mut self, now_ns: u64, op: &Op) -> u64 {
        let earliest_ns = now_ns.max(self.admitted_ns);
        self.admitted_ns = match op.kind {
            OpKind::Flush | OpKind::Trim => earliest_ns,
            OpKind::Read | OpKind::Write => {
                self.spend_credit(earliest_ns, op.length).max(earliest_ns)
            }
        };
        self.admitted_ns
    }

    fn spend_credit(&mut self, earliest_ns: u64, length: u32) -> u64 {
        let mut start_ns = self.paced_ns.max(self.bytes_paced_ns);
        // The request itself must be there; rounding up the last admission must not delay it.
        if (start_ns.ceil() as u64) < earliest_ns {
            start_ns = earliest_ns as f64;
        }
        if self.refill_ns > 0.0 {
            start_ns = self.take_credit(start_ns);
        }
        self.paced_ns = start_ns + self.gap_ns;
        self.bytes_paced_ns = start_ns + f64::from(length) * self.ns_per_byte;
        start_ns.ceil() as u64
    }

    /// Waits for one credit from `start_ns` on and takes it; when that was.
    fn take_credit(&mut self, start_ns: f64) -> f64 {
        let gained = (start_ns - self.updated_ns).max(0.0) / self.refill_ns;
        self.credits = (self.credits + gained).min(self.credits_max);
        let lacking = 1.0 - self.credits;
        let taken_ns = if lacking > CREDIT_SLACK {
            self.credits = 1.0;
            start_ns + lacking * self.refill_ns
        } else {
            start_ns
        };
        self.credits -= 1.0;
        self.updated_ns = taken_ns;
        taken_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    fn read(length: u32) -> Op {
        Op { kind: OpKind::Read, offset: 0, length }
    }

    /// Admissions per second of a queue that is never empty.
    fn admitted(bucket: &Bucket, seconds: usize) -> Vec<u32> {
        let mut state = TokenBucket::new(bucket);
        let mut counts = vec![0; seconds];
        while let Some(count) =
            counts.get_mut((state.admit_ns(0, &read(4096)) / SECOND_NS) as usize)
        {
            *count += 1;
        }
        counts
    }

    #[test]
    fn a_full_bucket_bursts_for_the_closed_form_and_then_runs_at_the_baseline() {
        let bucket =
            Bucket { iops: 1000.0, burst_iops: 3000.0, credits: 10_000.0, bytes_per_second: None };
        // 10000 / (3000 - 1000) = 5 seconds.
        for (second, count) in admitted(&bucket, 9).into_iter().enumerate() {
            let expected = if second < 5 { 3000.0 } else { 1000.0 };
            assert!((f64::from(count) - expected).abs() <= 2.0, "second {second}: {count}");
        }
    }

    #[test]
    fn credits_come_back_while_the_volume_is_idle() {
        let bucket = Bucket { iops: 100.0, burst_iops: 1e6, credits: 50.0, bytes_per_second: None };
        let mut state = TokenBucket::new(&bucket);
        let at = |state: &mut TokenBucket, now_ns| {
            (0..51).map(|_| state.admit_ns(now_ns, &read(512))).max().unwrap_or(0) - now_ns
        };
        let first_ns = at(&mut state, 0);
        assert!(first_ns > 9_000_000, "the 51st waits for a refill: {first_ns}");
        let second_ns = at(&mut state, 10 * SECOND_NS);
        assert!(second_ns.abs_diff(first_ns) < 1_000, "{second_ns} after {first_ns}");
    }

    #[test]
    fn bytes_limit_beside_operations() {
        let bucket = Bucket {
            iops: 1e6,
            burst_iops: 1e6,
            credits: 1.0,
            bytes_per_second: Some(4096.0 * 250.0),
        };
        for count in admitted(&bucket, 4) {
            assert!(count.abs_diff(250) <= 1, "{count}");
        }
    }

    #[test]
    fn requests_under_the_limit_pass_at_once_and_flushes_keep_their_place() {
        let bucket = Bucket { iops: 10.0, burst_iops: 10.0, credits: 1.0, bytes_per_second: None };
        let mut state = TokenBucket::new(&bucket);
        assert_eq!(state.admit_ns(5, &read(512)), 5);
        let delayed_ns = state.admit_ns(6, &read(512));
        assert_eq!(delayed_ns, 100_000_005);
        let flush = Op { kind: OpKind::Flush, offset: 0, length: 0 };
        assert_eq!(state.admit_ns(7, &flush), delayed_ns);
    }

    #[test]
    fn a_baseline_of_nothing_means_no_limit() {
        let bucket = Bucket { iops: 0.0, burst_iops: 5.0, credits: 0.0, bytes_per_second: None };
        let mut state = TokenBucket::new(&bucket);
        assert!((0..100).all(|now_ns| state.admit_ns(now_ns, &read(512)) == now_ns));
    }
}
