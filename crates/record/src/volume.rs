//! What a provider counts of a volume.

use message::{Message, messages};
use serde::{Deserialize, Serialize};
use stats::percentile_supported;
use units::JsonSchema;
use units::{Bytes, Nanos};

/// What an EBS volume counted itself: a reading of its NVMe log page 0xD0, or what two differ by.
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
    /// Latencies of reads within the volume, without the way to it: in ascending order, without
    /// empty bins.
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

/// A limit that a provider sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderLimit {
    VolumeIops,
    VolumeThroughput,
    InstanceIops,
    InstanceThroughput,
}

impl ProviderLimit {
    /// Says for how long, of `length`, more was asked than it allows.
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
    /// What the volume counted since `earlier`; `None` where a counter fell: it began anew.
    pub fn since(&self, earlier: &Self) -> Option<Self> {
        Some(Self {
            read_latency: subtract_bins(&self.read_latency, &earlier.read_latency),
            write_latency: subtract_bins(&self.write_latency, &earlier.write_latency),
            ..self.combine(earlier, u64::checked_sub)?
        })
    }

    /// Adds what the same volume counted later.
    pub fn add(&mut self, later: &Self) {
        let sum = self.combine(later, |sum, more| Some(sum.saturating_add(more)));
        let read_latency = add_bins(&self.read_latency, &later.read_latency);
        let write_latency = add_bins(&self.write_latency, &later.write_latency);
        if let Some(sum) = sum {
            *self = Self { read_latency, write_latency, ..sum };
        }
    }

    /// All counters, without the histograms.
    fn combine(&self, other: &Self, of: impl Fn(u64, u64) -> Option<u64>) -> Option<Self> {
        let bytes = |one: Bytes, other: Bytes| of(one.0, other.0).map(Bytes);
        let time = |one: Nanos, other: Nanos| of(one.0, other.0).map(Nanos);
        Some(Self {
            device: self.device.clone(),
            read_ops: of(self.read_ops, other.read_ops)?,
            write_ops: of(self.write_ops, other.write_ops)?,
            read_bytes: bytes(self.read_bytes, other.read_bytes)?,
            write_bytes: bytes(self.write_bytes, other.write_bytes)?,
            read_time: time(self.read_time, other.read_time)?,
            write_time: time(self.write_time, other.write_time)?,
            volume_iops_exceeded: time(self.volume_iops_exceeded, other.volume_iops_exceeded)?,
            volume_throughput_exceeded: time(
                self.volume_throughput_exceeded,
                other.volume_throughput_exceeded,
            )?,
            instance_iops_exceeded: time(
                self.instance_iops_exceeded,
                other.instance_iops_exceeded,
            )?,
            instance_throughput_exceeded: time(
                self.instance_throughput_exceeded,
                other.instance_throughput_exceeded,
            )?,
            read_latency: Vec::new(),
            write_latency: Vec::new(),
        })
    }

    /// The limit that was exceeded for the longest time, and that time.
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

impl LatencyBin {
    fn has_range_of(&self, other: &Self) -> bool {
        (self.from, self.to) == (other.from, other.to)
    }
}

/// The volume counts with 32 bits, from 0 again when they are full.
fn subtract_bins(later: &[LatencyBin], earlier: &[LatencyBin]) -> Vec<LatencyBin> {
    let subtract = |bin: &LatencyBin| {
        let before = earlier.iter().find(|other| other.has_range_of(bin));
        let before = before.map_or(0, |before| before.count);
        let count = (bin.count as u32).wrapping_sub(before as u32);
        LatencyBin { count: u64::from(count), ..*bin }
    };
    later.iter().map(subtract).filter(|bin| bin.count > 0).collect()
}

fn add_bins(one: &[LatencyBin], other: &[LatencyBin]) -> Vec<LatencyBin> {
    let mut sum = one.to_vec();
    for more in other {
        match sum.iter_mut().find(|bin| bin.has_range_of(more)) {
            Some(bin) => bin.count = bin.count.saturating_add(more.count),
            None => sum.push(*more),
        }
    }
    sum.sort_unstable_by_key(|bin| bin.from);
    sum
}

messages! {
    VolumeIopsExceeded = "volume-iops-exceeded" { time: Nanos, length: Nanos };
    VolumeThroughputExceeded = "volume-throughput-exceeded" { time: Nanos, length: Nanos };
    InstanceIopsExceeded = "instance-iops-exceeded" { time: Nanos, length: Nanos };
    InstanceThroughputExceeded = "instance-throughput-exceeded" { time: Nanos, length: Nanos };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(from_us: u64, count: u64) -> LatencyBin {
        LatencyBin { from: Nanos::micros(from_us), to: Nanos::micros(2 * from_us), count }
    }

    /// Every counter has another value, so that none is taken for another.
    fn counters(step: u64) -> VolumeCounters {
        let time = |place: u64| Nanos::secs(place * step);
        VolumeCounters {
            device: "nvme1n1".to_owned(),
            read_ops: step,
            write_ops: 2 * step,
            read_bytes: Bytes(3 * step),
            write_bytes: Bytes(4 * step),
            read_time: time(5),
            write_time: time(6),
            volume_iops_exceeded: time(7),
            volume_throughput_exceeded: time(8),
            instance_iops_exceeded: time(9),
            instance_throughput_exceeded: time(10),
            read_latency: vec![bin(1, step), bin(4, 5 * step)],
            write_latency: vec![bin(2, 3 * step)],
        }
    }

    #[test]
    fn parts_add_up_to_what_was_subtracted() {
        let later = counters(7);
        assert_eq!(later.since(&counters(2)), Some(counters(5)));
        let mut sum = counters(5);
        sum.add(&counters(2));
        assert_eq!(sum, later);
        assert_eq!(counters(2).since(&later), None);
    }

    #[test]
    fn bins_are_joined_by_their_ranges_and_counts_begin_again_at_0() {
        let sum = add_bins(&[bin(1, 1), bin(8, 1)], &[bin(4, 2), bin(8, 3)]);
        assert_eq!(sum, [bin(1, 1), bin(4, 2), bin(8, 4)]);
        let more = subtract_bins(&[bin(1, 1), bin(4, 6)], &[bin(1, u64::from(u32::MAX))]);
        assert_eq!(more, [bin(1, 2), bin(4, 6)]);
        assert!(subtract_bins(&sum, &sum).is_empty());
    }

    /// A percentile of the bins is where the percentile of their operations is.
    #[test]
    fn a_percentile_lies_in_the_bin_of_its_operation() {
        let check = |bins: &[LatencyBin], percentile: f64, expected: Option<u64>| {
            let found = find_percentile_bin(bins, percentile).map(|bin| bin.from);
            assert_eq!(found, expected.map(Nanos::micros), "p{percentile} of {bins:?}");
        };
        let bins = [bin(1, 500), bin(2, 489), bin(4, 10), bin(8, 1)];
        check(&bins, 50.0, Some(1));
        check(&bins, 50.1, Some(2));
        check(&bins, 98.9, Some(2));
        check(&bins, 99.0, Some(4));
        check(&[bin(1, 9)], 99.0, None);
        check(&[], 50.0, None);
    }
}
