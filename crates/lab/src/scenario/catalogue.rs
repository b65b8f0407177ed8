//! All scenarios.

use std::time::Duration;

use record::FindingId::{
    self, Burst, ClientBound, Compressible, Coverage, Dedup, DeviceCache, FirstTouch, Flush,
    HostCache, IdleLatency, Impossible, LinkBound, Misaligned, Neighbour, NotSettled, OsThrottle,
    PageCache, ProviderLimit, ShortStroke, Stall, Unwritten, ZeroBlocks,
};
use record::Kept;
use record::Status::{Invalid, Note, Warning};

use super::base::Base::{File, Folder, Loop, Memory, Simulated, Zram};
use super::base::LoopVariant::{
    self, Cached, CpuQuota, Partition, PassingNeighbour, Plain, Throttled,
};
use super::definition::{Question, Scenario};
use super::disks;
use crate::laws::{GIB, MIB};
use crate::mount::FileSystem::{Btrfs, Ext4DataJournal};
use crate::recorded::RecordedMachine::{GroupCapped, PcieDowntrained, Sata};
use crate::throttle::Limit::ReadIops;
use crate::{DiskOptions, preallocated_file, sparse_file, written_file};

pub fn all_scenarios() -> Vec<Scenario> {
    [CACHES, CONTENT, LIMITS, LINKS, PLACEMENT, CONTROLS].concat()
}

pub fn find_scenario(name: &str) -> Option<Scenario> {
    all_scenarios().into_iter().find(|scenario| scenario.name == name)
}

/// Memory is true of these: faster than any disk and than this host can ask, and small.
const MEMORY: &[FindingId] = &[Coverage, HostCache, Impossible, DeviceCache, ClientBound];

/// Something answers that is not the disk, or not for long.
const CACHES: &[Scenario] = &[
    Scenario::new("page-cache-tmpfs", Memory(128 * MIB))
        .about("a folder in memory")
        .sized(32 * MIB)
        .raises(&[(PageCache, Invalid)])
        .allows(MEMORY),
    Scenario::new("page-cache-journal", Loop(256 * MIB, Plain))
        .about("ext4 with data=journal, which takes O_DIRECT and does not do it")
        .formatted(Ext4DataJournal)
        .sized(32 * MIB)
        .raises(&[(PageCache, Invalid)])
        .allows(MEMORY),
    Scenario::new("page-cache-loop", Loop(128 * MIB, Cached))
        .about("a loop device whose file is in the page cache")
        .raises(&[(PageCache, Invalid)])
        .allows(MEMORY),
    // So small that a quick run comes back to what it has read.
    Scenario::new("host-cache", Simulated(|| disks::slow_with_cache(GIB / 2, GIB / 2)))
        .about("an SSD of 1 ms behind a host that remembers every block: 10 us the second time")
        .raises(&[(HostCache, Warning)])
        .allows(&[DeviceCache, Impossible, NotSettled]),
    Scenario::new("device-cache", Simulated(|| disks::slow_with_cache(GIB, 64 * MIB)))
        .about("an SSD of 1 ms with a cache of 64 MiB, of 1 GiB")
        .raises(&[(DeviceCache, Note)])
        .allows(&[HostCache])
        .light(),
    Scenario::new("flush-ignored", Simulated(disks::ignoring_flushes))
        .about("an SSD with a write cache that says it is flushed at once, under ext4")
        .written(256 * MIB)
        .raises(&[(Flush, Note)]),
];

/// No disk is asked at all.
const NO_BLOCKS: &[FindingId] = &[ZeroBlocks, Impossible, Coverage, ClientBound];

/// What the bytes are, or were, decides how fast they are.
const CONTENT: &[Scenario] = &[
    Scenario::new("unwritten-sparse", File(sparse_file, 128 * MIB))
        .about("a file without a block")
        .raises(&[(Unwritten, Invalid)])
        .allows(NO_BLOCKS),
    Scenario::new("unwritten-preallocated", File(preallocated_file, 128 * MIB))
        .about("a file whose blocks are reserved and unwritten")
        .raises(&[(Unwritten, Invalid)])
        .allows(NO_BLOCKS),
    Scenario::new("zero-blocks", Simulated(disks::blank))
        .about("a new volume: blocks never written are read in 20 us, others in 300 us")
        .raises(&[(ZeroBlocks, Warning)])
        .allows(&[Unwritten, HostCache, Impossible]),
    Scenario::new("compressible-disk", Simulated(disks::compressing_ssd))
        .about("a disk that stores zeros and what compresses in 30 us, under ext4")
        .written(256 * MIB)
        .raises(&[(Compressible, Note)])
        .allows(&[Dedup]),
    Scenario::new("compressible-btrfs", Loop(GIB, Plain))
        .about("btrfs that compresses everything")
        .formatted(Btrfs { compress: true })
        .sized(256 * MIB)
        .raises(&[(Compressible, Note)])
        // It reads compressed files through the page cache, whatever was asked.
        .allows(&[PageCache, Dedup, HostCache, Impossible, NotSettled, Unwritten]),
    Scenario::new("dedup", Simulated(disks::deduplicating))
        .about("a disk that knows blocks it has stored already, in 30 us, under ext4")
        .written(256 * MIB)
        .raises(&[(Dedup, Note)])
        .allows(&[Compressible]),
    Scenario::new("first-touch", Simulated(disks::from_snapshot))
        .about("a volume from a snapshot: each 512 KiB is fetched in 5 ms when first read")
        .raises(&[(FirstTouch, Warning)])
        // It becomes faster while it is measured, and that is what it is.
        .allows(&[NotSettled, HostCache]),
    Scenario::new("compressible-and-burst", Simulated(disks::compressing_burst))
        .about("a compressing disk whose credits end after some seconds, under ext4")
        .written(64 * MIB)
        .raises(&[(Compressible, Note), (Burst, Warning)])
        .allows(&[NotSettled, Dedup])
        .light(),
];

/// Something holds the disk back, all the time or from some time on.
const LIMITS: &[Scenario] = &[
    Scenario::new("burst", Simulated(disks::burst))
        .about("a volume of 4000 IOPS until 8000 credits are spent, then 1000")
        .raises(&[(Burst, Warning)])
        .allows(&[NotSettled, ProviderLimit])
        .light(),
    // The test file takes 256 MiB of it; the rest is written while it is measured.
    Scenario::new("burst-slc", Simulated(disks::with_slc_cache))
        .about("an SSD that writes 320 MiB fast and then 8 MB/s, under ext4")
        .written(256 * MIB)
        .raises(&[(Burst, Warning)])
        .allows(&[NotSettled])
        .standard()
        .light(),
    Scenario::new("burst-collection", Simulated(disks::collecting_garbage))
        .about("an SSD that collects garbage after 24 MiB of random writes: 8 MB/s, under ext4")
        .written(256 * MIB)
        .raises(&[(Burst, Warning)])
        .allows(&[NotSettled])
        .standard()
        .light(),
    provider_limit("provider-limit-3000", || disks::capped(3000.0), 3000.0)
        .about("a volume that its provider limits to 3000 IOPS")
        .light(),
    provider_limit("provider-limit-5000", || disks::capped(5000.0), 5000.0)
        .about("the same, 5000 IOPS"),
    provider_limit("provider-limit-10000", || disks::capped(10_000.0), 10_000.0)
        .about("the same, 10,000 IOPS"),
    provider_limit("provider-limit-15000", || disks::capped(15_000.0), 15_000.0)
        .about("the same, 15,000 IOPS"),
    Scenario::new("os-throttle", Loop(GIB, Throttled(0, &[])))
        .about("a control group that caps reads at 1000 per second")
        .raises(&[(OsThrottle, Warning)])
        .allows(&[ProviderLimit])
        .fixes_read_iops(1000.0)
        .light(),
    Scenario::new("limit-os-throttle", Loop(GIB, Throttled(0, &[])))
        .about("the same, and the most reads within p99<100ms")
        .with_question(Question::Limit("p99<100ms"))
        .raises(&[(OsThrottle, Warning)])
        .fixes_read_iops(1000.0)
        .light(),
    Scenario::new("limit-provider", Simulated(|| disks::capped(3000.0)))
        .about("a volume that its provider limits to 3000 IOPS, and the most within p99<50ms")
        .with_question(Question::Limit("p99<50ms"))
        .raises(&[(ProviderLimit, Note)])
        .fixes_read_iops(3000.0)
        .light(),
    promise("promise-kept", "iops=5000", Kept::Kept),
    promise("promise-less", "iops=4900", Kept::Kept),
    promise("promise-not-kept", "iops=5200", Kept::NotKept),
    // In the middle of the first cell, which takes a second.
    Scenario::new(
        "stall",
        Loop(
            GIB,
            Throttled(
                1200,
                &[(Duration::ZERO, ReadIops(2)), (Duration::from_millis(400), ReadIops(1000))],
            ),
        ),
    )
    .about("a device that falls silent for 400 ms")
    .raises(&[(Stall, Warning)])
    .allows(&[OsThrottle, NotSettled])
    .light(),
    // The first cell reads 1100 with its warm-up, and is repeated later.
    Scenario::new("not-settled", Loop(GIB, Throttled(3000, &[(Duration::ZERO, ReadIops(300))])))
        .about("a cap that falls from 1000 to 300 after the first cell")
        .raises(&[(NotSettled, Warning)])
        // What waits while the kernel sets the new cap waits by the new one for its whole time:
        // 190 ms of silence were seen.
        .allows(&[OsThrottle, Burst, Stall])
        .light(),
    // From the first read on, in the middle of the reads.
    Scenario::new(
        "rate-step",
        Loop(
            GIB,
            Throttled(
                1,
                &[(Duration::ZERO, ReadIops(9000)), (Duration::from_secs(12), ReadIops(1300))],
            ),
        ),
    )
    .about("a cap of 9000 for 12 s, then of 1300")
    .raises(&[(Burst, Warning), (OsThrottle, Warning)])
    .allows(&[NotSettled, ProviderLimit, Stall])
    .fixes_read_iops(1300.0)
    .standard()
    .light(),
    Scenario::new(
        "neighbour-passing",
        Loop(GIB, PassingNeighbour(Duration::from_secs(10), Duration::from_secs(15))),
    )
    .about("another process that reads from the device in seconds 10 to 25")
    .raises(&[(Neighbour, Note)])
    .allows(&[NotSettled])
    .standard(),
    Scenario::new("cpu-quota", Loop(GIB, CpuQuota(5)))
        .about("a control group that grants the measuring process a twentieth of a processor")
        .raises(&[(ClientBound, Warning)])
        .allows(&[NotSettled, Neighbour, Stall, IdleLatency]),
    Scenario::new("neighbour-process", Loop(GIB, LoopVariant::Neighbour(8000)))
        .about("another process that reads from the same device")
        .raises(&[(Neighbour, Warning)])
        .allows(&[NotSettled]),
    Scenario::new("neighbour-hidden", Simulated(disks::with_noisy_neighbour))
        .about("another tenant of the device who takes most of it for 1 of every 3 seconds")
        .raises(&[(NotSettled, Note)])
        .allows(&[Neighbour, Stall, Burst])
        .standard(),
    Scenario::new("client-bound", Zram(GIB))
        .about("a disk of memory, faster than this host can ask")
        .raises(&[(ClientBound, Warning)])
        .allows(&[ZeroBlocks, HostCache, Impossible, PageCache]),
    Scenario::new("idle-latency", Simulated(disks::sleeping))
        .about("an SSD that sleeps after 20 ms and needs 10 ms to wake up")
        .raises(&[(IdleLatency, Note)]),
    Scenario::new("host-cache-and-cap", Simulated(disks::cached_and_capped))
        .about("a host's cache in front of an SSD of 600 us, and a provider's limit of 5000 IOPS")
        .raises(&[(HostCache, Warning), (ProviderLimit, Note)])
        .allows(&[Impossible, NotSettled, DeviceCache])
        .standard(),
];

const fn provider_limit(name: &'static str, disk: fn() -> DiskOptions, iops: f64) -> Scenario {
    Scenario::new(name, Simulated(disk))
        .raises(&[(ProviderLimit, Note)])
        .fixes_read_iops(iops)
        .standard()
}

/// A volume that its provider limits to 5000 IOPS.
const fn promise(name: &'static str, numbers: &'static str, kept: Kept) -> Scenario {
    provider_limit(name, || disks::capped(5000.0), 5000.0)
        .about("a volume that its provider limits to 5000 IOPS, against what was promised")
        .with_question(Question::Promise(numbers, kept))
}

/// What the hardware says of itself, and what it then delivers.
const LINKS: &[Scenario] = &[
    // 3 Gb/s carry 300 MB/s, of which frames leave some 275.
    Scenario::new("link-downtrained-sata", Simulated(|| disks::linked(275e6)))
        .about("a SATA disk for 6 Gb/s whose port came up with 3 Gb/s, and delivers 250 MB/s")
        .on_machine(Sata { rate: "3.0 Gbps" })
        .raises(&[(LinkBound, Warning)])
        .allows(&[Coverage]),
    Scenario::new("link-downtrained-pcie", Simulated(|| disks::linked(230e6)))
        .about("an NVMe disk for PCIe 4.0 x4 in a slot that gives it 2.5 GT/s x1, 220 MB/s")
        .on_machine(PcieDowntrained)
        .raises(&[(LinkBound, Warning)])
        .allows(&[Coverage]),
    Scenario::new("impossible", Loop(GIB, Plain))
        .about("a disk that delivers more than the link of 1.5 Gb/s it is said to hang on")
        .on_machine(Sata { rate: "1.5 Gbps" })
        .raises(&[(LinkBound, Warning), (Impossible, Invalid)])
        .allows(&[HostCache]),
    Scenario::new("os-throttle-recorded", Simulated(disks::capped_ssd))
        .about("a container whose group of version 2 caps reads at 3000, on a volume that does so")
        .on_machine(GroupCapped)
        .raises(&[(OsThrottle, Warning)])
        .allows(&[ProviderLimit])
        .fixes_read_iops(3000.0)
        .light(),
];

/// Where the measured part lies on the disk, and how much of it there is.
const PLACEMENT: &[Scenario] = &[
    Scenario::new("coverage", File(written_file, 32 * MIB))
        .about("a file of 32 MiB, which any cache holds")
        .raises(&[(Coverage, Warning)])
        .allows(&[HostCache, DeviceCache]),
    // Where DOS put the first partition: after one track.
    Scenario::new("misaligned", Loop(GIB, Partition(63)))
        .about("a partition that begins at sector 63")
        .raises(&[(Misaligned, Warning)]),
    // A file that no cache is suspected of holding.
    Scenario::new("misaligned-written", Loop(2 * GIB, Partition(63)))
        .about("ext4 on a partition that begins at sector 63")
        .written(GIB)
        .raises(&[(Misaligned, Warning)]),
    Scenario::new("short-stroke", Simulated(|| disks::hdd(64 * GIB)))
        .about("the first 2 of the 64 GiB of a disk of 7200 rpm")
        .sized(2 * GIB)
        .raises(&[(ShortStroke, Warning)])
        .allows(&[Coverage])
        .light(),
];

/// Plain disks, of which nothing may be raised.
const CONTROLS: &[Scenario] = &[
    Scenario::new("control-limit", Loop(GIB, Plain))
        .about("an idle loop device, and the most reads within p99.9<5ms")
        .with_question(Question::Limit("p99.9<5ms")),
    Scenario::new("control-folder", Folder).about("a folder on the real disk of this machine"),
    Scenario::new("control-loop", Loop(GIB, Plain))
        .about("an idle loop device over a file of random data"),
    Scenario::new("control-ssd", Simulated(disks::plain_ssd))
        .about("a simulated SSD of 300 us, to be read"),
    Scenario::new("control-ssd-written", Simulated(disks::plain_ssd))
        .about("the same under ext4, with flushes that cost what they should")
        .written(256 * MIB),
    Scenario::new("control-hdd", Simulated(|| disks::hdd(8 * GIB)))
        .about("a simulated disk of 7200 rpm and 8 GiB, to be read as a whole")
        .light(),
    // Most of it is measured, so that the arm has its way to go.
    Scenario::new("control-hdd-written", Simulated(disks::cached_hdd))
        .about("a simulated disk of 7200 rpm with a write cache of 16 MiB, under ext4")
        .written(640 * MIB)
        // Writes are fast until the cache is full, as they are: that may be said. And so may the
        // silence of some 600 ms after random writes, until there is room for a large one.
        .allows(&[Burst, NotSettled, Stall])
        .light(),
];
