//! What was promised of the target, and whether it is kept.

use message::{Message, messages};
use serde::{Deserialize, Serialize};
use stats::{Estimate, percentile_supported};
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Bound, Direction};

use crate::absent::is_unset;

/// What a provider, a data sheet or the user states of the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Promise {
    /// As it was asked for: `aws:gp3:100GiB,iops=6000`, `iops=5000,mbps=200`.
    pub asked: String,
    /// For people: `AWS EBS gp3, 100 GiB`; absent when the numbers were given by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The numbers, with every default filled in.
    pub items: Vec<Promised>,
    /// The share of a promised rate that must be there, above 0 and up to 1.
    pub share: f64,
    /// Why that share.
    pub share_because: Message,
    /// The longest transfer that counts as one operation; without it each is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_unit: Option<Bytes>,
    /// How operations are counted, in words.
    pub accounting: Message,
    /// How long a full burst lasts under random operations of 4 KiB that take all they get.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_lasts: Option<Nanos>,
    /// Whether the numbers are upper limits, below which nothing is promised.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub only_limits: bool,
    /// What else belongs to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// Where the numbers were read, with the date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
}

/// One number of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Promised {
    /// Of what.
    pub what: PromisedWhat,
    /// Of which direction; absent when it is for reads and for writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// What there is always: operations or bytes per second, or nanoseconds.
    pub always: f64,
    /// What there is for a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst: Option<f64>,
}

/// What a promised number is about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PromisedWhat {
    /// Operations per second.
    Iops,
    /// Bytes per second.
    BytesPerSecond,
    /// A latency, at the promised IOPS where there are any, else one operation at a time.
    Latency {
        /// The statistic and its limit.
        bound: Bound,
    },
}

impl PromisedWhat {
    /// A promised or measured number with its unit: `5,000 IOPS`, `200 MB/s`, `10.0 ms`.
    pub fn format_value(self, value: f64) -> Message {
        match self {
            Self::Iops => Iops(value).into(),
            Self::BytesPerSecond => BytesPerSecond(value).into(),
            Self::Latency { .. } => Nanos(value.max(0.0).round() as u64).into(),
        }
    }
}

/// Whether a number of a promise is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The whole interval says so.
    Kept,
    /// The whole interval is on the other side, and nothing but the target explains it.
    NotKept,
    /// This run cannot say.
    CannotTell,
}

impl Kept {
    /// As it is printed.
    pub fn label(self) -> Message {
        match self {
            Self::Kept => KeptLabel {}.into(),
            Self::NotKept => NotKeptLabel {}.into(),
            Self::CannotTell => CannotTellLabel {}.into(),
        }
    }
}

/// What became of one number, in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromiseOutcome {
    /// `random reads`, `sequential writes in the burst`.
    pub label: Message,
    /// What it is about.
    pub what: PromisedWhat,
    /// The promised number.
    pub promised: f64,
    /// What had to be there: the promised number, less what is allowed.
    pub needed: f64,
    /// What was measured, as the promise counts it, with its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Estimate>,
    /// The cell that it was measured in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The answer.
    pub kept: Kept,
    /// Why, in words.
    pub why: Message,
}

/// What an EBS volume counted itself while the run went on: the difference of two readings of its
/// NVMe log page 0xD0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct VolumeCounters {
    /// Kernel name of the device.
    pub device: String,
    /// Reads completed.
    pub read_ops: u64,
    /// Writes completed.
    pub write_ops: u64,
    /// Bytes read.
    pub read_bytes: Bytes,
    /// Bytes written.
    pub write_bytes: Bytes,
    /// Time that all reads took together.
    pub read_time: Nanos,
    /// Time that all writes took together.
    pub write_time: Nanos,
    /// Time in which more operations were asked of the volume than were bought.
    pub volume_iops_exceeded: Nanos,
    /// Time in which more bytes were asked of the volume than were bought.
    pub volume_throughput_exceeded: Nanos,
    /// Time in which more operations were asked than the instance can.
    pub instance_iops_exceeded: Nanos,
    /// Time in which more bytes were asked than the instance can.
    pub instance_throughput_exceeded: Nanos,
    /// Latencies of reads within the volume, without the way to it; only bins with operations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_latency: Vec<LatencyBin>,
    /// The same of writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_latency: Vec<LatencyBin>,
}

/// Operations with a latency in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyBin {
    pub from: Nanos,
    pub to: Nanos,
    pub count: u64,
}

/// The bin in which a percentile lies; `None` where there are too few operations for it.
pub fn find_percentile_bin(bins: &[LatencyBin], percentile: f64) -> Option<LatencyBin> {
    let total = bins.iter().fold(0_u64, |sum, bin| sum.saturating_add(bin.count));
    if !percentile_supported(percentile, total) {
        return None;
    }
    let rank = total as f64 * percentile / 100.0;
    let mut below = 0.0;
    bins.iter().copied().find(|bin| {
        below += bin.count as f64;
        below >= rank
    })
}

fn add_bins(bins: &mut Vec<LatencyBin>, more: &[LatencyBin]) {
    for later in more {
        match bins.iter_mut().find(|bin| (bin.from, bin.to) == (later.from, later.to)) {
            Some(bin) => bin.count = bin.count.saturating_add(later.count),
            None => bins.push(*later),
        }
    }
    bins.sort_unstable_by_key(|bin| bin.from);
}

/// A limit that a provider sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderLimit {
    VolumeIops,
    VolumeThroughput,
    InstanceIops,
    InstanceThroughput,
}

impl ProviderLimit {
    /// For how long of a time more was asked than it allows.
    pub fn describe_exceeded(self, time: Nanos, length: Nanos) -> Message {
        match self {
            Self::VolumeIops => VolumeIopsExceeded { time, length }.into(),
            Self::VolumeThroughput => VolumeThroughputExceeded { time, length }.into(),
            Self::InstanceIops => InstanceIopsExceeded { time, length }.into(),
            Self::InstanceThroughput => InstanceThroughputExceeded { time, length }.into(),
        }
    }
}

impl VolumeCounters {
    /// Adds what the same volume counted later.
    pub fn add(&mut self, later: &Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.read_ops, later.read_ops);
        add(&mut self.write_ops, later.write_ops);
        add(&mut self.read_bytes.0, later.read_bytes.0);
        add(&mut self.write_bytes.0, later.write_bytes.0);
        add(&mut self.read_time.0, later.read_time.0);
        add(&mut self.write_time.0, later.write_time.0);
        add(&mut self.volume_iops_exceeded.0, later.volume_iops_exceeded.0);
        add(&mut self.volume_throughput_exceeded.0, later.volume_throughput_exceeded.0);
        add(&mut self.instance_iops_exceeded.0, later.instance_iops_exceeded.0);
        add(&mut self.instance_throughput_exceeded.0, later.instance_throughput_exceeded.0);
        add_bins(&mut self.read_latency, &later.read_latency);
        add_bins(&mut self.write_latency, &later.write_latency);
    }

    /// The limit beyond which was asked for the longest time, and that time.
    pub fn longest_exceeded(&self) -> (ProviderLimit, Nanos) {
        let all = [
            (ProviderLimit::VolumeIops, self.volume_iops_exceeded),
            (ProviderLimit::VolumeThroughput, self.volume_throughput_exceeded),
            (ProviderLimit::InstanceIops, self.instance_iops_exceeded),
            (ProviderLimit::InstanceThroughput, self.instance_throughput_exceeded),
        ];
        all.into_iter().max_by_key(|(_, time)| *time).unwrap_or(all[0])
    }
}

messages! {
    pub(crate) static MESSAGES;
    KeptLabel = "record-kept";
    NotKeptLabel = "record-not-kept";
    CannotTellLabel = "record-cannot-tell";
    VolumeIopsExceeded = "volume-iops-exceeded" { time: Nanos, length: Nanos };
    VolumeThroughputExceeded = "volume-throughput-exceeded" { time: Nanos, length: Nanos };
    InstanceIopsExceeded = "instance-iops-exceeded" { time: Nanos, length: Nanos };
    InstanceThroughputExceeded = "instance-throughput-exceeded" { time: Nanos, length: Nanos };
}
