//! Can the numbers be believed at all?

use record::{FindingId, Status};
use units::Ratio;

use super::{Explanation, statuses};
use crate::checks::{client_bound as client, coverage, impossible, little, pauses};

pub(super) fn client_bound() -> Explanation {
    Explanation {
        id: FindingId::ClientBound,
        question: "Was the load generator the limit, and not the disk?",
        meaning: "With more processor the same disk would have given more: the number is a lower \
                bound of what it can do."
            .to_owned(),
        method: format!(
            "Workers, or all processors of the host with this process as {} of the load, busy for \
             {} of the time; or a rate of {} of what the same loop reaches on operations that do \
             nothing. Not where the device held {} of the requests all the time: then the workers \
             only waited busily. In an open loop, the lag behind the plan is judged. A heartbeat \
             tells when this process did not run at all: stopped, starved of processors, or the \
             machine suspended. Rates of closed loops leave that time out; a cell is invalid where \
             it is more than {} of its time, or where operations that were outstanding are more \
             than {} of those beyond the percentile of the bound.",
            Ratio(client::OWN_SHARE_MIN),
            Ratio(client::BUSY_MIN),
            Ratio(client::NOP_SHARE_MIN),
            Ratio(client::DEVICE_SHARE_MIN),
            Ratio(pauses::PAUSED_SHARE_MAX),
            Ratio(pauses::TAIL_SHARE_MAX)
        ),
        statuses: statuses(&[
            (Status::Ok, "the generator had processor time to spare"),
            (Status::NotObservable, "nothing was measured under load"),
            (
                Status::Note,
                "writes of an open loop beside its reads started late, in bunches; their rate is \
                 right; or a short pause of this process, which hardly shows in the figures",
            ),
            (Status::Warning, "the processor was the limit, not the disk"),
            (
                Status::Invalid,
                "the generator was late for the plan of an open loop: response times are its own; \
                 or this process did not run for a part of the cell",
            ),
        ]),
        remedy: "Use a host with more or faster processors, larger blocks, or fewer other \
                 processes."
            .to_owned(),
        blind_spot:
            "A hypervisor that hides how little processor time it gives (see neighbour); pauses \
                below 85 ms."
                .to_owned(),
    }
}

pub(super) fn impossible() -> Explanation {
    Explanation {
        id: FindingId::Impossible,
        question: "Does a figure contradict what the device can be?",
        meaning: "Two things that were measured cannot both be true: something other than the \
                device answered, or was counted."
            .to_owned(),
        method: format!(
            "More than {} times what the link carries; the median of a read through the block \
             layer below {}; random reads that move more than {} times (a note) or {} times (a \
             warning) the bytes of sequential ones; a device that completed less than {} of the \
             operations that we did.",
            impossible::LINK_SLACK,
            impossible::READ_LATENCY_MIN,
            impossible::RANDOM_NOTE,
            impossible::RANDOM_WARNING,
            Ratio(impossible::OPS_MIN)
        ),
        statuses: statuses(&[
            (Status::Ok, "nothing contradicts anything"),
            (Status::Note, "random reads a little faster than sequential ones"),
            (Status::Warning, "a figure that is hard to explain"),
            (Status::Invalid, "a figure that cannot be the device's"),
        ]),
        remedy: "Look at what else is marked: page-cache, unwritten, host-cache usually say what \
                 answered instead."
            .to_owned(),
        blind_spot: "Lies that stay within what is possible for such a device.".to_owned(),
    }
}

pub(super) fn coverage() -> Explanation {
    Explanation {
        id: FindingId::Coverage,
        question: "How much of the target was touched, and how often?",
        meaning: "Blocks that are read again and again come from whatever cache is on the way. A \
                thin sample of a large disk says little about the places it never went to."
            .to_owned(),
        method: format!(
            "A span of less than {} fits into any cache; one below {} that was gone through more \
             than {} times was mostly repetition. A span of {} and more of which less than {} was \
             read was sampled thinly.",
            coverage::TINY_SPAN,
            coverage::CACHE_SIZE_MAX,
            coverage::PASSES_MAX,
            coverage::LARGE_SPAN,
            Ratio(coverage::THIN_SHARE)
        ),
        statuses: statuses(&[
            (
                Status::Ok,
                "the span is large enough, and was read hardly more than once, or not thinly",
            ),
            (Status::NotObservable, "nothing was read at random"),
            (
                Status::Note,
                "blocks of a small span were read more than once, or a large one thinly",
            ),
            (
                Status::Warning,
                "the span is so small that any cache holds it, or was gone through so often that \
                 most reads were repetitions",
            ),
        ]),
        remedy: "Give a larger --size, or more time: check --thorough.".to_owned(),
        blind_spot: "How large the caches on the way really are (device-cache, host-cache), and \
                whether the places that were not touched are different."
            .to_owned(),
    }
}

pub(super) fn little() -> Explanation {
    Explanation {
        id: FindingId::Little,
        question: "Do the generator's own books balance, and was the depth kept?",
        meaning: "By Little's law, IOPS times mean latency is the number outstanding. Where that \
                differs from what was counted, operations or time went missing. Where both stay \
                below the depth asked, the device had less to do than the name of the cell says."
            .to_owned(),
        method: format!(
            "Counting and Little's law must agree within {}, or within the few operations at the \
             edges of a short cell. Of the depth asked, less than {} kept is noted, less than {} \
             warned of.",
            Ratio(little::AGREE_WITHIN),
            Ratio(little::NOTE_BELOW),
            Ratio(little::WARNING_BELOW)
        ),
        statuses: statuses(&[
            (Status::Ok, "the books balance, and the depth was kept"),
            (Status::NotObservable, "nothing was measured"),
            (Status::Note, "slots stood idle for a part of the time"),
            (Status::Warning, "far fewer requests were outstanding than were asked"),
            (
                Status::Invalid,
                "the books do not balance: that is a fault of ours, please report it",
            ),
        ]),
        remedy: "Take the achieved depth for the asked one. A faster processor, or more workers, \
                 keep the slots full."
            .to_owned(),
        blind_spot: "Errors that keep both counts in step with each other.".to_owned(),
    }
}
