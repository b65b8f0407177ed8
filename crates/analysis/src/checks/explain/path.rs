//! What lies between the program and the medium?

use record::{FindingId, Status};
use units::Ratio;

use super::{Explanation, statuses};
use crate::checks::{link_bound, misaligned, os_throttle};

pub(super) fn link_bound() -> Explanation {
    Explanation {
        id: FindingId::LinkBound,
        question: "Was the link the limit, or is it slower than it should be?",
        meaning: "The cable, slot or controller sets the data rate, not the disk; or a link was \
                negotiated below what both ends can (downtrained), and wastes a part of the disk."
            .to_owned(),
        method: format!(
            "Every cell's data rate is held against what the negotiated link carries after line \
             coding: {} of it is all that protocols leave. The negotiated speed and width are held \
             against what disk and slot can.",
            Ratio(link_bound::FULL_SHARE)
        ),
        statuses: statuses(&[
            (Status::Ok, "the link had room, and runs at its best"),
            (Status::NotObservable, "no link is shown: a virtual disk, network storage"),
            (Status::Note, "the link is full, as a good disk fills it"),
            (Status::Warning, "the link runs below what both ends can"),
        ]),
        remedy: "Seat the disk again, try another slot, cable or port, and look into the \
                 firmware's settings for the slot."
            .to_owned(),
        blind_spot:
            "Links that the kernel does not show, and switches on the way that others share."
                .to_owned(),
    }
}

pub(super) fn os_throttle() -> Explanation {
    Explanation {
        id: FindingId::OsThrottle,
        question: "Does the operating system itself hold the disk back?",
        meaning:
            "A control group of this system (a container's, a service's) limits the disk: the \
                figure is the limit that was set there."
                .to_owned(),
        method: format!(
            "The limits on this process's groups (io.max, blkio.throttle) for the devices of the \
             target. A cell that reached {} of one ran into it.",
            Ratio(os_throttle::REACHED_SHARE)
        ),
        statuses: statuses(&[
            (Status::Ok, "no limit is set, or none was reached"),
            (Status::Note, "a limit is set, and was not reached"),
            (Status::Warning, "a limit was reached"),
        ]),
        remedy: "Measure outside the container or service, or raise its limit. If that is where \
                 your program runs, the figure is what it gets."
            .to_owned(),
        blind_spot:
            "Limits outside this host (provider-limit), and on groups that this process cannot \
                see."
                .to_owned(),
    }
}

pub(super) fn misaligned() -> Explanation {
    Explanation {
        id: FindingId::Misaligned,
        question: "Do blocks lie across the borders of what the device reads and writes?",
        meaning:
            "A partition or file that starts in the middle of a physical block makes the device \
                read and write two blocks for one, and writes wait for a read first."
                .to_owned(),
        method: format!(
            "The starts of partitions and of loop devices in their files are held against the \
             physical block of the device below, 4 KiB at the least; of a file, the part that lies \
             beside those blocks. What it costs here is shown by blocks that were shifted by 512 \
             bytes, where the device takes them. Up to {} of a file may lie anywhere.",
            Ratio(misaligned::MISALIGNED_SHARE_MIN)
        ),
        statuses: statuses(&[
            (Status::Ok, "everything starts where blocks of the disk start"),
            (Status::NotObservable, "no target, or no block device below it, is known"),
            (
                Status::Note,
                "a start inside a block of 4 KiB, on a rotating disk whose sectors are of 512 \
                 bytes: it does not mind",
            ),
            (
                Status::Warning,
                "a partition, a loop device or a part of the file lies across two blocks of the \
                 disk",
            ),
        ]),
        remedy: "Make the partition anew so that it starts on a full MiB, as current tools do by \
                 themselves."
            .to_owned(),
        blind_spot:
            "Physical blocks that are larger than the device says, and the pages of flash, \
                which no device tells."
                .to_owned(),
    }
}

pub(super) fn short_stroke() -> Explanation {
    Explanation {
        id: FindingId::ShortStroke,
        question: "Was a rotating disk measured over a small part, where its arm hardly moves?",
        meaning:
            "Within a small part the arm has short ways: random reads look up to twice as fast \
                as over the whole disk."
                .to_owned(),
        method: "Of a disk that behaves as if it turned, random reads over parts of growing size: \
                the way of the arm shows as latency that grows with the root of the size, from \
                which the whole disk follows."
            .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "it does not turn, or the part that was measured is as slow as the whole"),
            (
                Status::NotObservable,
                "no random reads one at a time, too few of them to tell a turn, or a cache that \
                 answers most of them",
            ),
            (
                Status::Warning,
                "the figures, of a file or of a device, are those of a small part of a rotating \
                 disk; what the whole would do is told",
            ),
        ]),
        remedy: "Measure the device itself: check --read-only DEVICE reads all over it and \
                 destroys nothing."
            .to_owned(),
        blind_spot:
            "Where on the disk a file lies: outer tracks move nearly twice the bytes of inner \
                ones."
                .to_owned(),
    }
}
