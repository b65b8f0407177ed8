//! What an AWS EBS volume counts itself: its NVMe log page 0xD0.
//!
//! The page says how long more was asked of the volume, or of the instance, than was bought: proof
//! where everything else is inference. Layout and call are those of aws-ebs-csi-driver
//! (<https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/064f1860/pkg/metrics/nvme.go>, read
//! 2026-11-21): 4,096 bytes, little endian; a magic number, eleven counters, 416 reserved bytes,
//! and two histograms, of reads and of writes, each a count of bins and 64 bins of 24 bytes.

use std::fs::File;
use std::path::Path;

use record::{LatencyBin, Layer, LayerKind, VolumeCounters};
use units::{Bytes, Nanos};

use crate::identity::describe_target;
use crate::nvme::{LogPage, read_log_page};
use crate::roots::Roots;

const PAGE_SIZE: usize = 4096;
const MAGIC: u64 = 0x3C23_B510;
/// Where the histogram of reads begins; that of writes follows.
const READ_HISTOGRAM: usize = 512;
const BINS_MAX: u64 = 64;
const BIN_SIZE: usize = 24;
const HISTOGRAM_SIZE: usize = 8 + BINS_MAX as usize * BIN_SIZE;
const MODEL: &str = "Amazon Elastic Block Store";

/// The vendor's page of statistics, with its length as the driver asks: a word more than its bytes.
const STATISTICS_PAGE: LogPage<PAGE_SIZE> = LogPage { id: 0xD0, namespace: 1, words: 1024 };

/// The counters of the EBS volumes below a path.
pub fn read_volume_counters(path: &Path, roots: &Roots) -> Vec<VolumeCounters> {
    let Ok(info) = describe_target(path, roots) else { return Vec::new() };
    let volumes = info.stack.iter().filter(|layer| is_ebs_volume(layer));
    volumes.filter_map(|layer| read_counters_of_disk(&layer.name, roots)).collect()
}

/// Whether a disk says that it is an EBS volume.
pub fn is_ebs_volume(layer: &Layer) -> bool {
    layer.kind == LayerKind::Disk && layer.model.as_deref() == Some(MODEL)
}

/// The counters of one disk by its kernel name; `None` where it has no such page, or no permission.
pub fn read_counters_of_disk(name: &str, roots: &Roots) -> Option<VolumeCounters> {
    let file = File::open(roots.root.join("dev").join(name)).ok()?;
    parse_log_page(name, &read_log_page(&file, &STATISTICS_PAGE).ok()?)
}

fn parse_log_page(device: &str, page: &[u8]) -> Option<VolumeCounters> {
    let number = |index: usize| read_number(page, index * 8);
    // The upper half of the first number is reserved.
    if page.len() < PAGE_SIZE || number(0)? & u64::from(u32::MAX) != MAGIC {
        return None;
    }
    let time = |place: usize| Some(Nanos(number(place)?.saturating_mul(1000)));
    Some(VolumeCounters {
        device: device.to_owned(),
        read_ops: number(1)?,
        write_ops: number(2)?,
        read_bytes: Bytes(number(3)?),
        write_bytes: Bytes(number(4)?),
        read_time: time(5)?,
        write_time: time(6)?,
        volume_iops_exceeded: time(7)?,
        volume_throughput_exceeded: time(8)?,
        instance_iops_exceeded: time(9)?,
        instance_throughput_exceeded: time(10)?,
        read_latency: parse_histogram(page, READ_HISTOGRAM),
        write_latency: parse_histogram(page, READ_HISTOGRAM + HISTOGRAM_SIZE),
    })
}

/// The number of eight bytes at this offset.
fn read_number(page: &[u8], offset: usize) -> Option<u64> {
    let bytes = page.get(offset..offset + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// The number of bins, and for each its bounds in microseconds and its count, whose upper half is
/// reserved.
fn parse_histogram(page: &[u8], offset: usize) -> Vec<LatencyBin> {
    let bins = read_number(page, offset).unwrap_or(0).min(BINS_MAX);
    let bin = |index: u64| {
        let offset = offset + 8 + index as usize * BIN_SIZE;
        let bound = |offset| Some(Nanos(read_number(page, offset)?.saturating_mul(1000)));
        let count = read_number(page, offset + 16)? & u64::from(u32::MAX);
        Some(LatencyBin { from: bound(offset)?, to: bound(offset + 8)?, count })
    };
    let mut bins: Vec<_> = (0..bins).filter_map(bin).filter(|bin| bin.count > 0).collect();
    bins.sort_unstable_by_key(|bin| bin.from);
    bins
}

/// The difference of two readings, of the volumes in both that did not begin anew.
pub fn subtract_volume_counters(
    before: &[VolumeCounters],
    after: &[VolumeCounters],
) -> Vec<VolumeCounters> {
    let of = |later: &VolumeCounters| {
        let earlier = before.iter().find(|earlier| earlier.device == later.device)?;
        later.since(earlier)
    };
    after.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page by the documented layout.
    fn recorded(counters: [u64; 11]) -> Vec<u8> {
        recorded_with(counters, |_| 7)
    }

    /// With this many operations in each bin of both histograms.
    fn recorded_with(counters: [u64; 11], count: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut page: Vec<u8> = MAGIC.to_le_bytes().to_vec();
        counters.iter().for_each(|number| page.extend(number.to_le_bytes()));
        page.resize(page.len() + 416, 0);
        for _ in 0..2 {
            page.extend(64_u64.to_le_bytes());
            for bin in 0..64_u64 {
                [bin, bin + 1, count(bin)].iter().for_each(|n| page.extend(n.to_le_bytes()));
            }
        }
        // 12 x 8 + 416 + 2 x (8 + 64 x 24) = 3,600; the rest of the page is empty.
        assert_eq!(page.len(), 3600);
        page.resize(PAGE_SIZE, 0);
        page
    }

    const EARLIER: [u64; 11] = [10, 20, 40_960, 81_920, 5_000, 9_000, 0, 0, 0, 0, 1];
    const LATER: [u64; 11] = [110, 20, 450_560, 81_920, 55_000, 9_000, 800_000, 7, 5, 3, 32];

    #[test]
    fn a_page_is_read_by_its_layout() {
        let counters = parse_log_page("nvme1n1", &recorded(LATER)).unwrap();
        assert_eq!((counters.read_ops, counters.write_ops), (110, 20));
        assert_eq!((counters.read_bytes, counters.write_bytes), (Bytes(450_560), Bytes(81_920)));
        assert_eq!(counters.read_time, Nanos::millis(55));
        assert_eq!(counters.volume_iops_exceeded, Nanos::millis(800));
        assert_eq!(counters.volume_throughput_exceeded, Nanos::micros(7));
        assert_eq!(counters.instance_iops_exceeded, Nanos::micros(5));
        assert_eq!(counters.instance_throughput_exceeded, Nanos::micros(3));
    }

    #[test]
    fn histograms_are_read_without_empty_bins() {
        // What stands above a count of 32 bits is reserved.
        let count = |bin: u64| match bin {
            3 => 5 | 9 << 32,
            40 => 8,
            _ => 0,
        };
        let page = recorded_with(LATER, count);
        let bin = |from: u64, count| LatencyBin {
            from: Nanos::micros(from),
            to: Nanos::micros(from + 1),
            count,
        };
        let found = parse_log_page("nvme1n1", &page).unwrap();
        assert_eq!(found.read_latency, [bin(3, 5), bin(40, 8)]);
        assert_eq!(found.write_latency, found.read_latency);
    }

    #[test]
    fn a_page_that_claims_more_bins_than_it_has_is_read_to_its_end() {
        let mut page = recorded(LATER);
        page[READ_HISTOGRAM..READ_HISTOGRAM + 8].fill(0xff);
        assert_eq!(parse_log_page("x", &page).unwrap().read_latency.len(), 64);
    }

    #[test]
    fn what_is_another_page_is_none() {
        let page = recorded(LATER);
        assert!(
            parse_log_page("x", &page[..PAGE_SIZE - 1]).is_none()
                && parse_log_page("x", &[]).is_none()
        );
        assert!(parse_log_page("x", &vec![0; PAGE_SIZE]).is_none());
        let mut other = page.clone();
        other[4] = 1;
        assert!(parse_log_page("x", &other).is_some(), "reserved");
        let mut other = page;
        other[0] ^= 1;
        assert!(parse_log_page("x", &other).is_none());
    }

    #[test]
    fn two_readings_make_a_difference() {
        let reading = |name: &str, numbers| parse_log_page(name, &recorded(numbers)).unwrap();
        let (before, after) = ([reading("a", EARLIER)], [reading("a", LATER)]);
        let counted = subtract_volume_counters(&before, &after);
        assert_eq!(counted[0].read_ops, 100);
        assert_eq!(counted[0].volume_iops_exceeded, Nanos::millis(800));
        assert!(subtract_volume_counters(&after, &before).is_empty(), "counters that began anew");
        assert!(subtract_volume_counters(&[], &after).is_empty());
        assert!(subtract_volume_counters(&before, &[reading("b", LATER)]).is_empty());
    }

    #[test]
    fn a_folder_on_no_volume_has_no_counters() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read_volume_counters(folder.path(), &Roots::host()).is_empty());
        assert!(read_volume_counters(Path::new("/nonexistent"), &Roots::host()).is_empty());
    }
}
