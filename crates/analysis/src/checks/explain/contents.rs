//! Does it matter what is written, whether it is flushed, and whether it is new?

use record::{FindingId, Status};

use super::{Explanation, statuses};
use crate::checks::{content, first_touch as touch, flush};

/// How two contents are compared.
fn compared(what: &str) -> String {
    format!(
        "At the end the same place is written and read back in short slices, in turn with unique \
         data, zeros and copies, and the median latencies are compared. {what} at least {} times \
         as fast as unique data, with an interval that stays above {}, count as faster; that they \
         are not is said where the interval ends below {}.",
        content::FASTER_MIN,
        content::CLEAR_MIN,
        content::EXCLUDED_MAX
    )
}

pub(super) fn compressible() -> Explanation {
    let told = "What the file system says of itself counts without any timing: a mount option that \
                compresses, zeros that were stored encoded (FIEMAP).";
    Explanation {
        id: FindingId::Compressible,
        question: "Are zeros faster than other data, because they are cut short?",
        meaning:
            "The file system, a thin volume or the controller compresses, or leaves zeros out. \
                Tools that write zeros (dd if=/dev/zero) measure that. truedisk writes data that \
                nobody can make smaller, so its own figures stand."
                .to_owned(),
        method: format!("{} {told}", compared("Zeros")),
        statuses: statuses(&[
            (Status::Ok, "zeros are no faster than unique data"),
            (
                Status::NotObservable,
                "nothing was written past the page cache, the slices were too uneven, or \
                 deduplication explains the same",
            ),
            (Status::Note, "zeros are faster, or the file system says that it compresses"),
        ]),
        remedy: "Test with data like yours. Take figures of tools that write zeros for nothing."
            .to_owned(),
        blind_spot:
            "A cache that takes the short writes before anybody looks at what they hold. How \
                much your own data would gain: between nothing and what zeros gain."
                .to_owned(),
    }
}

pub(super) fn dedup() -> Explanation {
    Explanation {
        id: FindingId::Dedup,
        question: "Are copies of the same blocks faster, because they are stored once?",
        meaning: "Somebody below stores equal blocks once (VDO, ZFS with dedup, an array). Tools \
                that write one buffer over and over measure that. No two sectors that truedisk \
                writes are equal, so its own figures stand."
            .to_owned(),
        method: compared("Copies of a few blocks that do not compress"),
        statuses: statuses(&[
            (Status::Ok, "copies are no faster than unique data"),
            (
                Status::NotObservable,
                "nothing was written past the page cache, the slices were too uneven, or the file \
                 system compresses, which explains the same",
            ),
            (Status::Note, "copies are faster than unique data"),
        ]),
        remedy:
            "Test with data like yours. Tell fio to refill its buffers (refill_buffers), or to \
                 write as many copies as you have (dedupe_percentage)."
                .to_owned(),
        blind_spot:
            "Deduplication that works later, in the background, and a cache that takes the \
                short writes before anybody compares them."
                .to_owned(),
    }
}

pub(super) fn flush() -> Explanation {
    Explanation {
        id: FindingId::Flush,
        question: "Does making a write durable cost anything, or is the flush ignored?",
        meaning: "A device whose cache is volatile has to empty it at every flush, and that takes \
                time. Where it takes next to none, the flush is ignored, or the cache is \
                protected by capacitors, a battery or the host's own storage. Without cutting the \
                power nobody can tell which. A rotating disk that commits faster than it turns \
                has a cache that answers in its place."
            .to_owned(),
        method: format!(
            "One client overwrites the same place in 4 KiB, in turn without and with an fdatasync \
             after each write. Less than {} times the median of a write alone, over at least {} \
             commits, is no more than a command's way there and back; {} times is a cost. What the \
             device says of its cache (queue/write_cache) and the flushes that the kernel counted \
             stand beside it. A disk that says that it turns, outside of virtual machines, whose \
             random reads take {} or more, spread as an arm and a turn spread them, can make at \
             most {:.0} commits a second ({:.0} turns, and {:.0} % more).",
            flush::FREE_MAX,
            flush::COMMITS_MIN,
            flush::COST_MIN,
            flush::ARM_READ_MIN,
            flush::TURNS_MAX * flush::TURNS_SLACK,
            flush::TURNS_MAX,
            (flush::TURNS_SLACK - 1.0) * 100.0
        ),
        statuses: statuses(&[
            (Status::Ok, "a flush takes its time, or the device says that it needs none"),
            (Status::NotObservable, "nothing was flushed, or it was too uneven to say"),
            (Status::Note, "a flush takes no longer than a write though the cache is volatile"),
            (
                Status::Warning,
                "a rotating disk commits faster than it turns, or the file system is mounted to \
                 send no flushes",
            ),
        ]),
        remedy: "Ask the maker or the provider whether the cache survives a loss of power. Of a \
                 controller, look whether its battery is good; a disk's own cache can be switched \
                 off (hdparm -W 0, nvme set-feature -f 6 -v 0)."
            .to_owned(),
        blind_spot:
            "A device that takes its time and forgets the data anyway. Only a power cut proves \
                that data survive one."
                .to_owned(),
    }
}

pub(super) fn first_touch() -> Explanation {
    Explanation {
        id: FindingId::FirstTouch,
        question: "Is the first access of a block slower than the next?",
        meaning: "A thin volume allocates at the first write, and a volume made from a snapshot \
                fetches at the first read. New disks and growing files are slower than the figures \
                of blocks that were touched before."
            .to_owned(),
        method: format!(
            "Places that this run has not written are written, and at once again by the same job. \
             On a device a first pass that takes {} times as long counts, on a file {} times, for \
             there the file system has its own part in it; the interval must stay above {}. Of \
             reads, fresh blocks are read twice and held against reads of blocks that the run has \
             written itself.",
            touch::SLOWER_MIN,
            touch::SLOWER_ON_FILE_MIN,
            touch::CLEAR_MIN
        ),
        statuses: statuses(&[
            (Status::Ok, "the first access is as fast as the next"),
            (Status::NotObservable, "no fresh place was left, or the places were too uneven"),
            (Status::Note, "the first write is slower than the next"),
            (Status::Warning, "the first read is slower: the volume is filled when it is read"),
        ]),
        remedy: "Write the whole volume once, or read it once where it comes from a snapshot, \
                 before its speed matters."
            .to_owned(),
        blind_spot:
            "Places that somebody used before this run and never gave back (TRIM): they are no \
                longer new to the device."
                .to_owned(),
    }
}
