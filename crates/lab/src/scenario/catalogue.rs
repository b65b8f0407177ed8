//! All scenarios: at least one for every truth check, two lies at once, and plain disks of which
//! nothing may be raised.

use std::time::Duration;

use record::FindingId::{
    self, Burst, ClientBound, Compressible, Coverage, Dedup, DeviceCache, FirstTouch, Flush,
    HostCache, IdleLatency, Impossible, LinkBound, Misaligned, Neighbour, NotSettled, OsThrottle,
    PageCache, ProviderLimit, ShortStroke, Stall, Unwritten, ZeroBlocks,
};
use record::Status::{Invalid, Note, Warning};

use super::definition::Scenario;
use super::disks;
use super::recipe::Base::{File, Folder, Loop, Memory, Simulated, Zram};
use super::recipe::LoopVariant::{self, Cached, Partition, Plain, Throttled};
use super::recipe::{Base, Recipe};
use crate::files::{preallocated_file, sparse_file, written_file};
use crate::laws::{GIB, MIB};
use crate::mount::FileSystem::{Btrfs, Ext4, Ext4DataJournal};
use crate::recorded::RecordedMachine::{GroupCapped, PcieDowntrained, Sata};
use crate::simulated::DiskOptions;
use crate::throttle::Limit::ReadIops;

/// All scenarios, the controls last.
#[must_use]
pub fn all_scenarios() -> Vec<Scenario> {
    [CACHES, CONTENT, LIMITS, LINKS, PLACEMENT, CONTROLS].concat()
}

/// The scenario of that name.
#[must_use]
pub fn find_scenario(name: &str) -> Option<Scenario> {
    all_scenarios().into_iter().find(|scenario| scenario.name == name)
}

const fn read(base: Base) -> Recipe {
    Recipe::new(base)
}

/// A base under ext4, with a test file of `bytes` bytes.
const fn write(base: Base, bytes: u64) -> Recipe {
    Recipe::new(base).formatted(Ext4).sized(bytes)
}

/// Memory is true of these: faster than any disk and than this host can ask, and small.
const MEMORY: &[FindingId] = &[Coverage, HostCache, Impossible, DeviceCache, ClientBound];

/// Something answers that is not the disk, or not for long.
const CACHES: &[Scenario] = &[
    Scenario::new(
        "page-cache-tmpfs",
        "a folder in memory",
        read(Memory(128 * MIB)).sized(32 * MIB),
    )
    .raises(&[(PageCache, Invalid)])
    .allows(MEMORY),
    Scenario::new(
        "page-cache-journal",
        "ext4 with data=journal, which takes O_DIRECT and does not do it",
        read(Loop(256 * MIB, Plain)).formatted(Ext4DataJournal).sized(32 * MIB),
    )
    .raises(&[(PageCache, Invalid)])
    .allows(MEMORY),
    Scenario::new(
        "page-cache-loop",
        "a loop device whose file is in the page cache",
        read(Loop(128 * MIB, Cached)),
    )
    .raises(&[(PageCache, Invalid)])
    .allows(MEMORY),
    Scenario::new(
        "host-cache",
        "an SSD of 1 ms behind a host that remembers every block: 10 us the second time",
        // So small that a quick run comes back to what it has read.
        read(Simulated(|| disks::slow_with_cache(GIB / 2, GIB / 2))),
    )
    .raises(&[(HostCache, Warning)])
    .allows(&[DeviceCache, Impossible, NotSettled]),
    Scenario::new(
        "device-cache",
        "an SSD of 1 ms with a cache of 64 MiB, of 1 GiB",
        read(Simulated(|| disks::slow_with_cache(GIB, 64 * MIB))),
    )
    .raises(&[(DeviceCache, Note)])
    .allows(&[HostCache])
    .light(),
    Scenario::new(
        "flush-ignored",
        "an SSD with a write cache that says it is flushed at once, under ext4",
        write(Simulated(disks::ignoring_flushes), 256 * MIB),
    )
    .raises(&[(Flush, Note)]),
];

/// No disk is asked at all.
const NO_BLOCKS: &[FindingId] =
    &[ZeroBlocks, PageCache, HostCache, Impossible, Coverage, ClientBound];

/// What the bytes are, or were, decides how fast they are.
const CONTENT: &[Scenario] = &[
    Scenario::new("unwritten-sparse", "a file without a block", read(File(sparse_file, 128 * MIB)))
        .raises(&[(Unwritten, Invalid)])
        .allows(NO_BLOCKS),
    Scenario::new(
        "unwritten-preallocated",
        "a file whose blocks are reserved and unwritten",
        read(File(preallocated_file, 128 * MIB)),
    )
    .raises(&[(Unwritten, Invalid)])
    .allows(NO_BLOCKS),
    Scenario::new(
        "zero-blocks",
        "a new volume: blocks never written are read in 20 us, others in 300 us",
        read(Simulated(disks::blank)),
    )
    .raises(&[(ZeroBlocks, Warning)])
    .allows(&[Unwritten, HostCache, Impossible]),
    Scenario::new(
        "compressible-disk",
        "a disk that stores zeros and what compresses in 30 us, under ext4",
        write(Simulated(disks::compressing_ssd), 256 * MIB),
    )
    .raises(&[(Compressible, Note)])
    .allows(&[Dedup]),
    Scenario::new(
        "compressible-btrfs",
        "btrfs that compresses everything",
        read(Loop(GIB, Plain)).formatted(Btrfs { compress: true }).sized(256 * MIB),
    )
    .raises(&[(Compressible, Note)])
    // It reads compressed files through the page cache, whatever was asked.
    .allows(&[PageCache, Dedup, HostCache, Impossible, NotSettled, Unwritten]),
    Scenario::new(
        "dedup",
        "a disk that knows blocks it has stored already, in 30 us, under ext4",
        write(Simulated(disks::deduplicating), 256 * MIB),
    )
    .raises(&[(Dedup, Note)])
    .allows(&[Compressible]),
    Scenario::new(
        "first-touch",
        "a volume from a snapshot: each 512 KiB is fetched in 5 ms when first read",
        read(Simulated(disks::from_snapshot)),
    )
    .raises(&[(FirstTouch, Warning)])
    // It becomes faster while it is measured, and that is what it is.
    .allows(&[NotSettled, HostCache]),
    Scenario::new(
        "compressible-and-burst",
        "a compressing disk whose credits end after some seconds, under ext4",
        write(Simulated(disks::compressing_burst), 64 * MIB),
    )
    .raises(&[(Compressible, Note), (Burst, Warning)])
    .allows(&[NotSettled, Dedup])
    .light(),
];

/// Something holds the disk back, all the time or from some time on.
const LIMITS: &[Scenario] = &[
    Scenario::new(
        "burst",
        "a volume of 4000 IOPS until 8000 credits are spent, then 1000",
        read(Simulated(disks::burst)),
    )
    .raises(&[(Burst, Warning)])
    .allows(&[NotSettled, ProviderLimit])
    .light(),
    Scenario::new(
        "burst-slc",
        "an SSD that writes 320 MiB fast and then 8 MB/s, under ext4",
        // The test file takes 256 MiB of it; the rest is written while it is measured.
        write(Simulated(disks::with_slc_cache), 256 * MIB),
    )
    .raises(&[(Burst, Warning)])
    .allows(&[NotSettled])
    .standard()
    .light(),
    Scenario::new(
        "burst-collection",
        "an SSD that collects garbage after 24 MiB of random writes: 8 MB/s, under ext4",
        write(Simulated(disks::collecting_garbage), 256 * MIB),
    )
    .raises(&[(Burst, Warning)])
    .allows(&[NotSettled])
    .standard()
    .light(),
    provider_limit(
        "provider-limit-3000",
        "a volume that its provider limits to 3000 IOPS",
        || disks::capped(3000.0),
        3000.0,
    )
    .light(),
    provider_limit("provider-limit-5000", "the same, 5000 IOPS", || disks::capped(5000.0), 5000.0),
    provider_limit(
        "provider-limit-10000",
        "the same, 10,000 IOPS",
        || disks::capped(10_000.0),
        10_000.0,
    ),
    provider_limit(
        "provider-limit-15000",
        "the same, 15,000 IOPS",
        || disks::capped(15_000.0),
        15_000.0,
    ),
    Scenario::new(
        "os-throttle",
        "a control group that caps reads at 1000 per second",
        read(Loop(GIB, Throttled(0, &[]))),
    )
    .raises(&[(OsThrottle, Warning)])
    .allows(&[ProviderLimit])
    .fixes_read_iops(1000.0)
    .light(),
    Scenario::new(
        "stall",
        "a device that falls silent for 400 ms",
        // In the middle of the first cell, which takes a second.
        read(Loop(
            GIB,
            Throttled(
                1200,
                &[(Duration::ZERO, ReadIops(2)), (Duration::from_millis(400), ReadIops(1000))],
            ),
        )),
    )
    .raises(&[(Stall, Warning)])
    .allows(&[OsThrottle, NotSettled])
    .light(),
    Scenario::new(
        "not-settled",
        "a cap that falls from 1000 to 300 after the first cell",
        // The first cell reads 1100 with its warm-up, and is repeated later.
        read(Loop(GIB, Throttled(3000, &[(Duration::ZERO, ReadIops(300))]))),
    )
    .raises(&[(NotSettled, Warning)])
    // What waits while the kernel sets the new cap waits by the new one for its whole time:
    // 190 ms of silence were seen.
    .allows(&[OsThrottle, Burst, Stall])
    .light(),
    Scenario::new(
        "neighbour-process",
        "another process that reads from the same device",
        read(Loop(GIB, LoopVariant::Neighbour(8000))),
    )
    .raises(&[(Neighbour, Warning)])
    .allows(&[NotSettled]),
    Scenario::new(
        "neighbour-hidden",
        "another tenant of the device who takes most of it for 1 of every 3 seconds",
        read(Simulated(disks::with_noisy_neighbour)),
    )
    .raises(&[(NotSettled, Note)])
    .allows(&[Neighbour, Stall, Burst])
    .standard(),
    Scenario::new(
        "client-bound",
        "a disk of memory, faster than this host can ask",
        read(Zram(GIB)),
    )
    .raises(&[(ClientBound, Warning)])
    .allows(&[ZeroBlocks, HostCache, Impossible, PageCache]),
    Scenario::new(
        "idle-latency",
        "an SSD that sleeps after 20 ms and needs 10 ms to wake up",
        read(Simulated(disks::sleeping)),
    )
    .raises(&[(IdleLatency, Note)]),
    Scenario::new(
        "host-cache-and-cap",
        "a host's cache in front of an SSD of 600 us, and a provider's limit of 5000 IOPS",
        read(Simulated(disks::cached_and_capped)),
    )
    .raises(&[(HostCache, Warning), (ProviderLimit, Note)])
    .allows(&[Impossible, NotSettled, DeviceCache])
    .standard(),
];

const fn provider_limit(
    name: &'static str,
    about: &'static str,
    disk: fn() -> DiskOptions,
    iops: f64,
) -> Scenario {
    Scenario::new(name, about, read(Simulated(disk)))
        .raises(&[(ProviderLimit, Note)])
        .fixes_read_iops(iops)
        .standard()
}

/// What the hardware says of itself, and what it then delivers.
const LINKS: &[Scenario] = &[
    Scenario::new(
        "link-downtrained-sata",
        "a SATA disk for 6 Gb/s whose port came up with 3 Gb/s, and delivers 250 MB/s",
        // 3 Gb/s carry 300 MB/s, of which frames leave some 275.
        read(Simulated(|| disks::linked(275e6))).on_machine(Sata { rate: "3.0 Gbps" }),
    )
    .raises(&[(LinkBound, Warning)])
    .allows(&[Coverage]),
    Scenario::new(
        "link-downtrained-pcie",
        "an NVMe disk for PCIe 4.0 x4 in a slot that gives it 2.5 GT/s x1, 220 MB/s",
        read(Simulated(|| disks::linked(230e6))).on_machine(PcieDowntrained),
    )
    .raises(&[(LinkBound, Warning)])
    .allows(&[Coverage]),
    Scenario::new(
        "impossible",
        "a disk that delivers more than the link of 1.5 Gb/s it is said to hang on",
        read(Loop(GIB, Plain)).on_machine(Sata { rate: "1.5 Gbps" }),
    )
    .raises(&[(LinkBound, Warning), (Impossible, Invalid)])
    .allows(&[HostCache]),
    Scenario::new(
        "os-throttle-recorded",
        "a container whose group of version 2 caps reads at 3000, on a volume that does so",
        read(Simulated(disks::capped_ssd)).on_machine(GroupCapped),
    )
    .raises(&[(OsThrottle, Warning)])
    .allows(&[ProviderLimit])
    .fixes_read_iops(3000.0)
    .light(),
];

/// Where the measured part lies on the disk, and how much of it there is.
const PLACEMENT: &[Scenario] = &[
    Scenario::new(
        "coverage",
        "a file of 32 MiB, which any cache holds",
        read(File(written_file, 32 * MIB)),
    )
    .raises(&[(Coverage, Warning)])
    .allows(&[HostCache, DeviceCache]),
    Scenario::new(
        "misaligned",
        "a partition that begins at sector 63",
        // Where DOS put the first partition: after one track.
        read(Loop(GIB, Partition(63))),
    )
    .raises(&[(Misaligned, Warning)]),
    Scenario::new(
        "misaligned-written",
        "ext4 on a partition that begins at sector 63",
        // A file that no cache is suspected of holding.
        write(Loop(2 * GIB, Partition(63)), GIB),
    )
    .raises(&[(Misaligned, Warning)]),
    Scenario::new(
        "short-stroke",
        "the first 2 of the 64 GiB of a disk of 7200 rpm",
        read(Simulated(|| disks::hdd(64 * GIB))).sized(2 * GIB),
    )
    .raises(&[(ShortStroke, Warning)])
    .allows(&[Coverage])
    .light(),
];

/// Plain disks, of which nothing may be raised.
const CONTROLS: &[Scenario] = &[
    Scenario::new("control-folder", "a folder on the real disk of this machine", read(Folder)),
    Scenario::new(
        "control-loop",
        "an idle loop device over a file of random data",
        read(Loop(GIB, Plain)),
    ),
    Scenario::new(
        "control-ssd",
        "a simulated SSD of 300 us, to be read",
        read(Simulated(disks::plain_ssd)),
    ),
    Scenario::new(
        "control-ssd-written",
        "the same under ext4, with flushes that cost what they should",
        write(Simulated(disks::plain_ssd), 256 * MIB),
    ),
    Scenario::new(
        "control-hdd",
        "a simulated disk of 7200 rpm and 8 GiB, to be read as a whole",
        read(Simulated(|| disks::hdd(8 * GIB))),
    )
    .light(),
    Scenario::new(
        "control-hdd-written",
        "a simulated disk of 7200 rpm with a write cache of 16 MiB, under ext4",
        // Most of it is measured, so that the arm has its way to go.
        write(Simulated(disks::cached_hdd), 640 * MIB),
    )
    // Writes are fast until the cache is full, as they are: that may be said. And so may the
    // silence of some 600 ms after random writes, until there is room for a large one.
    .allows(&[Burst, NotSettled, Stall])
    .light(),
];
