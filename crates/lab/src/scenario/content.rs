//! What the bytes are, or were, decides how fast they are.

use engine::simulated::{ContentTimes, FirstTouch, Quirks, UnmappedReads};
use record::Effort::Quick;
use record::FindingId::{
    Burst, ClientBound, Compressible, Coverage, Dedup, FirstTouch as Touch, HostCache, Impossible,
    NotSettled, PageCache, Unwritten, ZeroBlocks,
};
use record::Status::{Invalid, Note, Warning};

use super::caches::{build_read_only, build_written};
use super::situation::{Parts, Situation};
use super::{GroundTruth, Scenario};
use crate::Result;
use crate::files::{preallocated_file, sparse_file};
use crate::laws::{self, GIB, MIB};
use crate::loopdev::LoopDevice;
use crate::mount::{FileSystem, Mount};
use crate::need::Need;
use crate::scratch::Scratch;
use crate::simulated::{Fill, SimulatedDisk};

const UNWRITTEN: GroundTruth = GroundTruth {
    raises: &[(Unwritten, Invalid)],
    // No disk is asked at all.
    allows: &[ZeroBlocks, PageCache, HostCache, Impossible, Coverage, ClientBound],
    read_iops: None,
};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "unwritten-sparse",
        about: "a file without a block",
        truth: UNWRITTEN,
        needs: &[],
        effort: Quick,
        light: false,
        build: sparse,
    },
    Scenario {
        name: "unwritten-preallocated",
        about: "a file whose blocks are reserved and unwritten",
        truth: UNWRITTEN,
        needs: &[],
        effort: Quick,
        light: false,
        build: preallocated,
    },
    Scenario {
        name: "zero-blocks",
        about: "a new volume: blocks never written are read in 20 us, others in 300 us",
        truth: GroundTruth {
            raises: &[(ZeroBlocks, Warning)],
            allows: &[Unwritten, HostCache, Impossible],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: blank,
    },
    Scenario {
        name: "compressible-disk",
        about: "a disk that stores zeros and what compresses in 30 us, under ext4",
        truth: GroundTruth { raises: &[(Compressible, Note)], allows: &[Dedup], read_iops: None },
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: compressing,
    },
    Scenario {
        name: "compressible-btrfs",
        about: "btrfs that compresses everything",
        truth: GroundTruth {
            raises: &[(Compressible, Note)],
            // It reads compressed files through the page cache, whatever was asked.
            allows: &[PageCache, Dedup, HostCache, Impossible, NotSettled, Unwritten],
            read_iops: None,
        },
        needs: &[Need::LoopDevices, Need::FileSystem("btrfs")],
        effort: Quick,
        light: false,
        build: btrfs,
    },
    Scenario {
        name: "dedup",
        about: "a disk that knows blocks it has stored already, in 30 us, under ext4",
        truth: GroundTruth { raises: &[(Dedup, Note)], allows: &[Compressible], read_iops: None },
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: false,
        build: deduplicating,
    },
    Scenario {
        name: "first-touch",
        about: "a volume from a snapshot: each 512 KiB is fetched in 5 ms when first read",
        truth: GroundTruth {
            raises: &[(Touch, Warning)],
            // It becomes faster while it is measured, and that is what it is.
            allows: &[NotSettled, HostCache],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices],
        effort: Quick,
        light: false,
        build: first_touch,
    },
    Scenario {
        name: "compressible-and-burst",
        about: "a compressing disk whose credits end after some seconds, under ext4",
        truth: GroundTruth {
            raises: &[(Compressible, Note), (Burst, Warning)],
            allows: &[NotSettled, Dedup],
            read_iops: None,
        },
        needs: &[Need::Fuse, Need::LoopDevices, Need::FileSystem("ext4")],
        effort: Quick,
        light: true,
        build: compressing_burst,
    },
];

fn file(make: fn(&std::path::Path, &str, u64) -> Result<std::path::PathBuf>) -> Result<Situation> {
    let scratch = Scratch::new()?;
    let path = make(scratch.path(), "data", 128 * MIB)?;
    Ok(Situation::from_read_only(&path, Parts { scratch: Some(scratch), ..Parts::default() }))
}

fn sparse() -> Result<Situation> {
    file(sparse_file)
}

fn preallocated() -> Result<Situation> {
    file(preallocated_file)
}

fn blank() -> Result<Situation> {
    let unmapped = Some(UnmappedReads { read_ns: 20_000, mapped_bytes: 0 });
    let quirks = Quirks { unmapped, ..Quirks::default() };
    build_read_only(SimulatedDisk::options(laws::ssd()).quirks(quirks).fill(Fill::Zeros))
}

fn compresses() -> Quirks {
    let fast = Some(30_000);
    let content = ContentTimes { zeros_ns: fast, compressible_ns: fast, copy_ns: None };
    Quirks { content: Some(content), ..Quirks::default() }
}

fn compressing() -> Result<Situation> {
    Ok(build_written(SimulatedDisk::options(laws::ssd()).quirks(compresses()))?
        .with_size(256 * MIB))
}

fn compressing_burst() -> Result<Situation> {
    let law = super::limits::bursting_law();
    Ok(build_written(SimulatedDisk::options(law).quirks(compresses()))?.with_size(64 * MIB))
}

fn btrfs() -> Result<Situation> {
    let device = LoopDevice::new(GIB)?;
    let mount = Mount::new(&device, FileSystem::Btrfs { compress: true })?;
    let path = mount.path().to_owned();
    let parts = Parts { mount: Some(mount), device: Some(device), ..Parts::default() };
    Ok(Situation::from_folder(&path, parts).with_size(256 * MIB))
}

fn deduplicating() -> Result<Situation> {
    let content = ContentTimes { copy_ns: Some(30_000), ..ContentTimes::default() };
    let quirks = Quirks { content: Some(content), ..Quirks::default() };
    Ok(build_written(SimulatedDisk::options(laws::ssd()).quirks(quirks))?.with_size(256 * MIB))
}

fn first_touch() -> Result<Situation> {
    let first_touch = Some(FirstTouch { block_bytes: 512 << 10, fetch_ns: 5_000_000 });
    let quirks = Quirks { first_touch, ..Quirks::default() };
    build_read_only(SimulatedDisk::options(laws::plain(4 * GIB, laws::ssd().medium)).quirks(quirks))
}
