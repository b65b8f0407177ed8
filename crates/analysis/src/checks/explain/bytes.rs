//! Did the bytes come from the medium?

use record::{FindingId, Status};
use units::Ratio;

use super::{Explanation, statuses};
use crate::checks::{page_cache, unwritten};

pub(super) fn page_cache() -> Explanation {
    Explanation {
        id: FindingId::PageCache,
        question: "Did the bytes reach the device, or did memory answer?",
        meaning:
            "The number is that of memory, not of the disk: often ten to a thousand times too \
                good."
                .to_owned(),
        method: format!(
            "The bytes that were asked are held against those that the kernel charged to this \
             process and those that the device says it served. A cell of which the device served \
             less than {} came from the page cache; so did one whose cached part grew by more \
             than {} where nothing is counted. A file system in memory (tmpfs) is known by its \
             kind.",
            Ratio(page_cache::SERVED_MIN),
            Ratio(page_cache::CACHED_GROWTH_MAX)
        ),
        statuses: statuses(&[
            (Status::Ok, "the device moved the bytes that were asked"),
            (Status::NotObservable, "neither a device nor this process is counted"),
            (Status::Note, "the page cache was to answer: ping -C"),
            (Status::Warning, "O_DIRECT was refused, or the cache grew, yet nothing proves more"),
            (Status::Invalid, "the device moved fewer bytes than were asked, or it is memory"),
        ]),
        remedy: "Mount without data=journal and without compression, or measure the device itself \
                 with --read-only. A loop device needs direct I/O (losetup --direct-io=on)."
            .to_owned(),
        blind_spot:
            "A cache that no counter of this host sees: the hypervisor's (host-cache) or the \
                disk's own (device-cache)."
                .to_owned(),
    }
}

pub(super) fn unwritten() -> Explanation {
    Explanation {
        id: FindingId::Unwritten,
        question: "Had the blocks been written before they were read?",
        meaning: "A hole, or a block that was reserved and never written, reads as zeros without \
                any device: reads of it measure the file system."
            .to_owned(),
        method: format!(
            "The file system is asked how the file is allocated (FIEMAP). More than {} of the \
             range without written blocks is too much.",
            Ratio(unwritten::UNWRITTEN_SHARE_MAX)
        ),
        statuses: statuses(&[
            (Status::Ok, "every block that was read had been written"),
            (Status::NotObservable, "a raw device, or a file system without FIEMAP"),
            (Status::Note, "a part is compressed, encrypted, shared or kept in metadata"),
            (Status::Invalid, "a part of the file was never written"),
        ]),
        remedy: "Measure a file that was written from end to end, or give a folder: truedisk then \
                 writes a file of its own first."
            .to_owned(),
        blind_spot:
            "Blocks that a thin volume or an SSD never got, under a file system that did write \
                them once, or on a raw device (zero-blocks)."
                .to_owned(),
    }
}

pub(super) fn zero_blocks() -> Explanation {
    Explanation {
        id: FindingId::ZeroBlocks,
        question: "Do reads of empty blocks make the device look fast?",
        meaning: "A thin volume, a trimmed SSD and many cloud disks answer for a block that was \
                never written from a table, without touching the medium. Reads of an empty device \
                measure that table."
            .to_owned(),
        method:
            "Random blocks are read with a look at what they hold: the share that is all zeros, \
                and whether those were answered faster than blocks with data."
                .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "hardly a block was zeros; of blocks that this run wrote, none"),
            (Status::NotObservable, "contents were not looked at, or too few of them"),
            (Status::Note, "many blocks are zeros, and no faster than others, or too few to time"),
            (
                Status::Warning,
                "zeros are answered faster, or nearly everything is zeros with no data to compare",
            ),
            (
                Status::Invalid,
                "nearly everything is zeros, and answered faster than data; or blocks that this \
                 run wrote read back as zeros: the device loses data",
            ),
        ]),
        remedy: "Write the whole device once before you measure it, or measure a folder on it: \
                 truedisk then reads only what it wrote."
            .to_owned(),
        blind_spot:
            "Empty blocks that read as something other than zeros, and blocks of zeros that \
                somebody wrote and that do come from the medium."
                .to_owned(),
    }
}

pub(super) fn host_cache() -> Explanation {
    Explanation {
        id: FindingId::HostCache,
        question: "Does a cache below this system answer: the hypervisor's, an array's?",
        meaning:
            "The second read of a block comes from somebody's memory. The numbers hold for as \
                long as your data fit there, and nobody else wants the room."
                .to_owned(),
        method: "Blocks that this run had not touched are read at random, and at once again. A \
                second pass that is much faster than the first, and faster than reads of the whole \
                span, comes from a cache; so do reads of a virtual disk that take no longer than \
                memory does."
            .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "the second read is no faster than the first"),
            (Status::NotObservable, "no fresh blocks to read, or too few"),
            (Status::Note, "the second read is faster; the figures come from a larger span"),
            (Status::Warning, "the figures themselves come from a cache below this system"),
        ]),
        remedy: "Measure a span larger than the memory of the host, or ask the provider how its \
                 disks are cached (QEMU: cache=none)."
            .to_owned(),
        blind_spot:
            "A cache that already held the blocks before their first read, for instance since \
                the test file was written, unless it is faster than any disk."
                .to_owned(),
    }
}

pub(super) fn device_cache() -> Explanation {
    Explanation {
        id: FindingId::DeviceCache,
        question: "How large is the cache of the device, and do the figures come from it?",
        meaning: "Within its cache a device is faster than on its medium. A span that mostly fits \
                measures the cache; a database that does not fit will be slower."
            .to_owned(),
        method: "Random reads within parts of the span that grow step by step. A step in latency \
                shows where the cache ends; its size and the two latencies are fitted to the share \
                of reads that it can answer."
            .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "small and large parts of the span are as fast"),
            (Status::NotObservable, "the span is too small, or the steps too uneven"),
            (Status::Note, "there is a cache, much smaller than the span; its size is told"),
            (Status::Warning, "most of the span fits into the cache"),
        ]),
        remedy: "Give a --size several times as large as the cache that is named, or take the \
                 latency of the medium that is told beside it."
            .to_owned(),
        blind_spot:
            "A cache larger than the span, which answers everything alike, and one that does \
                not keep what was read at random."
                .to_owned(),
    }
}
