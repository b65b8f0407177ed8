//! What a disk is good for, and what it is too slow for.

use message::{Message, messages};
use record::{BoundedBy, Cell, Curve, Limit};
use stats::Estimate;
use units::{BytesPerSecond, Iops, Nanos};

use super::{READ_SIZE, VerdictFacts};
use crate::curve::is_figure;
use crate::preset::keeps_limit;

/// etcd asks for a 99th percentile of WAL fsync below 10 ms (etcd FAQ).
const ETCD_FSYNC: Nanos = Nanos::millis(10);
/// Conventions of this program.
const INTERACTIVE_READ_MAX: Nanos = Nanos::millis(1);
const BUSY_DATABASE_IOPS: f64 = 20_000.0;
const COMMIT_RATE_MIN: f64 = 1_000.0;
const STREAM_RATE: BytesPerSecond = BytesPerSecond::from_mb(200.0);
const ARCHIVE_RATE: BytesPerSecond = BytesPerSecond::from_mb(20.0);

impl VerdictFacts<'_> {
    /// The 99th percentile of an fdatasync, and whether it is fast enough for etcd; `None` where
    /// that cannot be told.
    fn etcd_fsync(&self) -> Option<(Nanos, bool)> {
        let cell = self.commits.as_ref()?;
        let value = *cell.totals.sync.as_ref()?.latency_ns.percentiles.get("p99")?;
        let own = cell.confidence.percentiles_ns.sync.as_ref().and_then(|all| all.get("p99"));
        let bare = || Estimate::without_interval(value as f64, 1, Message::default());
        let p99 = own.cloned().unwrap_or_else(bare);
        Some((Nanos(value), keeps_limit(&p99, |ns| ns < ETCD_FSYNC.0 as f64)?))
    }

    /// What it is good for, and what it is too slow for. What was not measured well enough is in
    /// neither.
    pub(super) fn list_uses(&self) -> (Vec<Message>, Vec<Message>) {
        let (mut good, mut too_slow): (Vec<Message>, Vec<Message>) = (Vec::new(), Vec::new());
        match self.etcd_fsync() {
            Some((p99, true)) => {
                let times = times_faster(p99, ETCD_FSYNC);
                good.push(GoodForEtcd { p99, needed: ETCD_FSYNC, times }.into());
            }
            Some((p99, false)) => too_slow.push(TooSlowForEtcd { p99, needed: ETCD_FSYNC }.into()),
            None => {}
        }
        let is_vague =
            |cell: &Cell| cell.confidence.iops.sync.as_ref().is_some_and(|r| !is_figure(r));
        let commits = self.commit_rate().filter(|_| !self.commits.as_deref().is_some_and(is_vague));
        if let Some((rate, _)) = commits {
            let (needed, times) = (Iops(COMMIT_RATE_MIN), rate / COMMIT_RATE_MIN);
            let rate = Iops(rate);
            match times >= 1.0 {
                true => good.push(GoodForCommits { rate, needed, times }.into()),
                false => too_slow.push(TooSlowForCommits { rate, needed }.into()),
            }
        }
        let is_answer = |(_, limit): &(&Curve, &Limit)| {
            !matches!(limit.bounded_by, BoundedBy::Unreachable | BoundedBy::Unsure)
        };
        let reads = self.random_read_curve().filter(is_answer);
        let reads =
            reads.filter(|(curve, limit)| curve.block_size == READ_SIZE && is_figure(&limit.iops));
        if let Some((_, limit)) = reads {
            let (iops, bound) = (Iops(limit.iops.value), limit.bound.to_string());
            let (needed, times) = (Iops(BUSY_DATABASE_IOPS), iops.0 / BUSY_DATABASE_IOPS);
            // What a cap, the processor or the depths that were tried end is the least it gives.
            let is_most = matches!(limit.bounded_by, BoundedBy::Bound | BoundedBy::Saturation);
            match times >= 1.0 {
                true => good.push(GoodForDatabases { iops, bound, needed, times }.into()),
                false if is_most => {
                    too_slow.push(TooSlowForDatabases { iops, bound, needed }.into());
                }
                false => {}
            }
        }
        if let Some(latency) = self.median_read_latency() {
            let (needed, times) =
                (INTERACTIVE_READ_MAX, times_faster(latency, INTERACTIVE_READ_MAX));
            match latency < INTERACTIVE_READ_MAX {
                true => good.push(GoodForSystem { latency, needed, times }.into()),
                false => too_slow.push(TooSlowForSystem { latency, needed }.into()),
            }
        }
        if let Some((read, write)) = self.sequential_read.zip(self.sequential_write) {
            let rate = BytesPerSecond(read.0.min(write.0));
            let times = |needed: BytesPerSecond| rate.0 / needed.0;
            if times(STREAM_RATE) >= 1.0 {
                let (needed, times) = (STREAM_RATE, times(STREAM_RATE));
                good.push(GoodForStreaming { rate, needed, times }.into());
            } else {
                too_slow.push(TooSlowForStreaming { rate, needed: STREAM_RATE }.into());
                if times(ARCHIVE_RATE) >= 1.0 {
                    let (needed, times) = (ARCHIVE_RATE, times(ARCHIVE_RATE));
                    good.push(GoodForArchives { rate, needed, times }.into());
                }
            }
        }
        (good, too_slow)
    }
}

/// The margin of a latency below what is needed.
fn times_faster(latency: Nanos, needed: Nanos) -> f64 {
    needed.0 as f64 / latency.0.max(1) as f64
}

messages! {
    GoodForEtcd = "verdict-good-for-etcd" { p99: Nanos, needed: Nanos, times: f64 };
    GoodForCommits = "verdict-good-for-commits" { rate: Iops, needed: Iops, times: f64 };
    GoodForDatabases = "verdict-good-for-databases" {
        iops: Iops, bound: String, needed: Iops, times: f64,
    };
    GoodForSystem = "verdict-good-for-system" { latency: Nanos, needed: Nanos, times: f64 };
    GoodForStreaming = "verdict-good-for-streaming" {
        rate: BytesPerSecond, needed: BytesPerSecond, times: f64,
    };
    GoodForArchives = "verdict-good-for-archives" {
        rate: BytesPerSecond, needed: BytesPerSecond, times: f64,
    };
    TooSlowForEtcd = "verdict-too-slow-for-etcd" { p99: Nanos, needed: Nanos };
    TooSlowForCommits = "verdict-too-slow-for-commits" { rate: Iops, needed: Iops };
    TooSlowForDatabases = "verdict-too-slow-for-databases" {
        iops: Iops, bound: String, needed: Iops,
    };
    TooSlowForSystem = "verdict-too-slow-for-system" { latency: Nanos, needed: Nanos };
    TooSlowForStreaming = "verdict-too-slow-for-streaming" {
        rate: BytesPerSecond, needed: BytesPerSecond,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    /// A cap of this host, its processor or the depths that were tried are not the disk's fault.
    #[test]
    fn only_the_most_that_a_disk_gives_is_too_slow() {
        let record = sample_record();
        let judgement = crate::judge(&record);
        let told = |bounded_by: BoundedBy, iops: f64| {
            let mut judgement = judgement.clone();
            let limit = &mut judgement.curves[0].limits[0];
            (limit.bounded_by, limit.iops) = (bounded_by, limit.iops.clone().map(|_| iops));
            let (good, too_slow) = VerdictFacts::from_record(&record, &judgement).list_uses();
            let has = |uses: &[Message]| uses.iter().any(|text| text.text().contains("indexes"));
            (has(&good), has(&too_slow))
        };
        assert_eq!(told(BoundedBy::Saturation, 15_000.0), (false, true));
        assert_eq!(told(BoundedBy::Bound, 15_000.0), (false, true));
        for cause in [BoundedBy::Client, BoundedBy::ControlGroup, BoundedBy::DepthTried] {
            assert_eq!(told(cause, 15_000.0), (false, false), "{cause:?}");
            assert_eq!(told(cause, 25_000.0), (true, false), "{cause:?}");
        }
    }
}
