//! Does it stay as it is?

use record::{FindingId, Status};
use units::Ratio;

use super::{Explanation, statuses};
use crate::checks::{neighbour, not_settled, stall};
use crate::curve::CEILING_WITHIN;
use crate::pauses::PAUSE_MARGIN;

pub(super) fn burst() -> Explanation {
    Explanation {
        id: FindingId::Burst,
        question: "Was it a burst that ends: credits, or a write cache that fills?",
        meaning:
            "The speed holds for so many operations or bytes, and then falls to another. What \
                lasts is the speed after it."
                .to_owned(),
        method:
            "The rates of the run, and those of one probe of writes after the other, are searched \
                for a lasting fall of their level, with what was moved before it. A fall that only \
                writes show, counted in bytes, is the end of a write cache; one that reads share \
                is the end of a provider's credits."
                .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "no fall, and the run was long enough for those that are known"),
            (Status::NotObservable, "no fall yet; what time it would need to be sure is told"),
            (Status::Note, "a fall, outside the figures that count"),
            (Status::Warning, "figures from before the fall are those of a burst"),
        ]),
        remedy:
            "Take the rate after the fall for work that lasts. check --until-throttled goes on \
                 until a burst ends, --thorough until writes are steady."
                .to_owned(),
        blind_spot:
            "Everything slower than the run: the credits of cloud volumes last from a minute \
                to hours, a write cache as many bytes as it has."
                .to_owned(),
    }
}

pub(super) fn provider_limit() -> Explanation {
    Explanation {
        id: FindingId::ProviderLimit,
        question: "Is the most IOPS a number that somebody set?",
        meaning: "A cap of the provider or the hypervisor, not the disk, sets the limit: deeper \
                queues add waiting and nothing else. More can usually be bought."
            .to_owned(),
        method: format!(
            "Probes over twice the depth and more end within {} of one rate, which hardly any \
             exceeds; most half seconds there are calmer than chance leaves independent \
             operations; and one more thing fits a cap: larger operations or another direction \
             end at the same rate, a virtual disk's rate is one that clouds sell, completions come \
             in slices, or a control group of this system sets it.",
            Ratio(CEILING_WITHIN)
        ),
        statuses: statuses(&[
            (
                Status::Ok,
                "where more depth gave no more, it was no cap; or a control group of this system \
                 set it (os-throttle)",
            ),
            (
                Status::NotObservable,
                "no curve came to an end that was looked at for long enough: cells of a quick run \
                 are too short, and a matrix does not look",
            ),
            (Status::Note, "somebody caps this disk; the value is told, and the numbers stand"),
        ]),
        remedy: "Compare the cap with what you pay for. Size the queue of your program so that it \
                 just reaches it: more only waits."
            .to_owned(),
        blind_spot:
            "A cap above what was reached, a cap that changes with credits (burst), and one \
                that wobbles as much as a device does."
                .to_owned(),
    }
}

pub(super) fn not_settled() -> Explanation {
    Explanation {
        id: FindingId::NotSettled,
        question: "Did the rate hold still while it was measured?",
        meaning:
            "A rate that rises or falls is a moment, not a property: another run, or a longer \
                one, gives another number."
                .to_owned(),
        method: format!(
            "Each cell of at least {} is cut into five parts: their range and slope (the \
             five-round rule), together with a trend or a change of level of at least {} that \
             chance would give in less than {} of the cells. Cells repeated at the end say \
             whether the whole run drifted: at depth 1 and at the depth of the most, both by more \
             than {} and the same way, where intervals or ranks are apart. \
             Rounds of random writing end when five agree.",
            not_settled::LENGTH_MIN,
            Ratio(not_settled::CHANGE_MIN),
            Ratio(not_settled::P_VALUE_MAX),
            Ratio(not_settled::DRIFT_MIN)
        ),
        statuses: statuses(&[
            (Status::Ok, "the rates held still"),
            (Status::NotObservable, "the cells were too short for five rounds"),
            (
                Status::Note,
                "a rate varied without a direction, one of the repetitions differed, or memory's \
                 did, or rounds of writing did not come to agree",
            ),
            (
                Status::Warning,
                "a rate rose or fell while it was measured, rounds of writing went one way, or the \
                 repetitions at the end differed",
            ),
        ]),
        remedy: "Run longer: check without --quick, or --thorough, which writes until the rates \
                 hold still."
            .to_owned(),
        blind_spot:
            "Changes slower than the run: burst credits, a write cache larger than what was \
                written, heat."
                .to_owned(),
    }
}

pub(super) fn neighbour() -> Explanation {
    let (note, warning) = (neighbour::NOTE_ABOVE, neighbour::WARNING_ABOVE);
    Explanation {
        id: FindingId::Neighbour,
        question: "Did somebody else use the disk or the processors meanwhile?",
        meaning: "The figures are those of a disk that was shared, or of a host that was busy: on \
                its own it would be better."
            .to_owned(),
        method: format!(
            "What the device served beyond what was asked is others' I/O: {} of ours and {} MB/s \
             are noted, {} and {} MB/s are warned of. Processor time that the hypervisor took \
             away is noted from {} and warned of from {}; so are other processes with {} of the \
             processors and more, where less than {} was idle. Others' writes are noted where \
             the device wrote {} times as often as it was asked.",
            Ratio(note.0),
            note.1,
            Ratio(warning.0),
            warning.1,
            Ratio(neighbour::STEAL_NOTE),
            Ratio(neighbour::STEAL_WARNING),
            Ratio(neighbour::FOREIGN_MIN),
            Ratio(neighbour::IDLE_MIN),
            neighbour::WRITE_FACTOR
        ),
        statuses: statuses(&[
            (Status::Ok, "nobody else used disk or processors"),
            (Status::NotObservable, "neither the device nor the host is counted"),
            (Status::Note, "somebody did, too little to matter; or it was measured again"),
            (Status::Warning, "somebody used enough of them to change the figures"),
        ]),
        remedy: "Measure when the host is quiet. Stolen processor time is the provider's: another \
                 hour or another host is better."
            .to_owned(),
        blind_spot: "Neighbours on the provider's side of a virtual disk, who show only as noise \
                (not-settled, stall)."
            .to_owned(),
    }
}

pub(super) fn idle_latency() -> Explanation {
    Explanation {
        id: FindingId::IdleLatency,
        question: "Is the first request after a pause slower?",
        meaning:
            "Device, link, host or processor go to sleep when nothing is asked, and need time \
                to wake. Programs that ask now and then see that time, and the figures of a busy \
                device do not."
                .to_owned(),
        method:
            "Single reads with pauses between them are held against reads one after the other, \
                as a ratio and in absolute time: virtual hosts alone take a fraction of a \
                millisecond to wake."
                .to_owned(),
        statuses: statuses(&[
            (Status::Ok, "a pause makes no difference worth a word"),
            (Status::NotObservable, "no reads with pauses were made"),
            (Status::Note, "the first read after a pause is slower; the cost is told"),
            (Status::Warning, "waking takes so long that it is what a quiet program sees"),
        ]),
        remedy: "Where it matters, keep the device awake: APST off for NVMe \
                 (nvme_core.default_ps_max_latency_us=0), no spin-down for disks (hdparm -S 0), \
                 shallower idle states for the processor."
            .to_owned(),
        blind_spot:
            "Which of them slept, and deeper sleep that takes longer pauses than those that \
                were made."
                .to_owned(),
    }
}

pub(super) fn stall() -> Explanation {
    Explanation {
        id: FindingId::Stall,
        question: "Did the device fall silent?",
        meaning: "For a moment nothing was answered at all. A closed loop sends nothing while it \
                waits, so percentiles hardly show it; everybody who wanted the disk meanwhile \
                waited."
            .to_owned(),
        method: format!(
            "Gaps between completions of at least {}, in which {} operations or more would have \
             completed at the mean rate, and which are at least {} times as long as most \
             operations take. Time in which this process itself did not run is not counted \
             (client-bound), nor are {} before and after it.",
            stall::GAP_MIN,
            stall::MISSED_MIN,
            stall::PACE_FACTOR,
            PAUSE_MARGIN
        ),
        statuses: statuses(&[
            (Status::Ok, "no such silence"),
            (Status::NotObservable, "nothing was measured in which one would show"),
            (Status::Warning, "the device fell silent; when, and how long, is told"),
        ]),
        remedy: "Measure again. If it comes back, look at the kernel's log for timeouts and \
                 resets, at the SSD's firmware (garbage collection), at the provider's status."
            .to_owned(),
        blind_spot:
            "Silences shorter than a tenth of a second, and those between two cells. On a host \
                whose processors are busy, a thread of this process that waits for one looks like \
                a silent device (neighbour)."
                .to_owned(),
    }
}
