//! What speaks for an answer, and what to do next, as messages.

use message::{Message, messages};
use record::IoLimit;
use target::shell_quote;
use units::{Bytes, Iops, Nanos, Ratio};
use workload::{Direction, Statistic};

use super::case::{Case, Verdict};
use crate::known::format_date;
use crate::sample::WaiterName;

messages! {
    NotBottleneck = "watch-not-bottleneck" { disk: String, because: Vec<Message> };
    Saturated = "watch-saturated" { disk: String, because: Vec<Message> };
    Capped = "watch-capped" { disk: String, because: Vec<Message> };
    Slow = "watch-slow" { disk: String, because: Vec<Message> };
    CannotTell = "watch-cannot-tell" { disk: String, because: Vec<Message> };
    SaturatedOrCapped = "watch-saturated-or-capped" { disk: String, because: Vec<Message> };

    NothingAsked = "watch-nothing-asked" { time: Nanos };
    ProgramsWaited = "watch-programs-waited" { time: Nanos, share: Ratio };
    BusyShare = "watch-busy-share" { time: Nanos, share: Ratio };
    ReadLatency = "watch-read-latency" { statistic: String, latency: Nanos };
    WriteLatency = "watch-write-latency" { statistic: String, latency: Nanos };
    ReadLatencyOver = "watch-read-latency-over"
        { statistic: String, latency: Nanos, bound: String };
    WriteLatencyOver = "watch-write-latency-over"
        { statistic: String, latency: Nanos, bound: String };
    FlushLatency = "watch-flush-latency" { statistic: String, latency: Nanos };
    FlushLatencyOver = "watch-flush-latency-over"
        { statistic: String, latency: Nanos, bound: String };
    MeanLatency = "watch-mean-latency" { latency: Nanos };
    Outstanding = "watch-outstanding" { outstanding: f64 };
    InQueue = "watch-in-queue" { share: Ratio };
    DoesOf = "watch-does-of"
        { rate: Message, limit: Message, bound: String, date: String, curve: Message };
    DoesOfAtLeast = "watch-does-of-at-least"
        { rate: Message, limit: Message, bound: String, date: String, curve: Message };
    KnownLatency = "watch-known-latency" { latency: Nanos, known: Nanos, date: String };
    KnownCap = "watch-known-cap" { rate: Message, limit: Message, date: String };
    Flat = "watch-flat" { iops: Iops, variation: Ratio };
    GroupUse = "watch-group-use" { share: Ratio };
    Silent = "watch-silent" { time: Nanos, outstanding: f64 };
    WaiterGroup = "watch-waiter-group" { group: String, share: Ratio };
    WaiterWriteback = "watch-waiter-writeback" { share: Ratio };
    ProcessorWaited = "watch-processor-waited" { share: Ratio };
    ProcessorBusy = "watch-processor-busy" { share: Ratio };
    TooFew = "watch-too-few" { operations: u64 };
    NoDistribution = "watch-no-distribution";
    HeldElsewhere = "watch-held-elsewhere";
    LimitUnknown = "watch-limit-unknown";
    SlowLink = "watch-slow-link" { speed: String, speed_max: String };
    FailedNow = "watch-failed-now" { count: u64 };
    FailedCommands = "watch-failed-commands" { count: u64 };
    FlushesAmongWrites = "watch-flushes-among-writes";

    NextLimit = "watch-next-limit" { command: String };
    NextLimitFile = "watch-next-limit-file" { file: String };
    NextProvider = "watch-next-provider";
    NextSaturated = "watch-next-saturated";
    NextDepth = "watch-next-depth";
    NextSlow = "watch-next-slow";
    NextSlowCheck = "watch-next-slow-check" { command: String };
}

/// Shares of a processor's time below this are no reason to name it.
const PROCESSOR_MIN: f64 = 0.10;
/// The processors are what a program needs where they are busy for this share.
const PROCESSOR_BUSY_MIN: f64 = 0.80;
/// Who has less than this share of the waiting is not the one who waits.
const WAITER_MIN: f64 = 0.30;

pub(super) fn build_sentence(verdict: Verdict, disk: &str, because: Vec<Message>) -> Message {
    let disk = disk.to_owned();
    match verdict {
        Verdict::NotBottleneck => NotBottleneck { disk, because }.into(),
        Verdict::Saturated => Saturated { disk, because }.into(),
        Verdict::Capped => Capped { disk, because }.into(),
        Verdict::Slow => Slow { disk, because }.into(),
        Verdict::CannotTell => CannotTell { disk, because }.into(),
    }
}

pub(super) fn describe_waiting(case: &Case<'_>) -> Option<Message> {
    let share = Ratio(case.host.io_pressure?);
    Some(ProgramsWaited { time: case.disk.length, share }.into())
}

/// The mean number outstanding bounds the share of the time with any. The kernel's own share is of
/// the ticks of its clock: requests that follow the same clock fall between them.
pub(super) fn describe_busy(case: &Case<'_>) -> Option<Message> {
    let share = case.disk.busy_share.map(|_| Ratio(case.outstanding.min(1.0)))?;
    Some(BusyShare { time: case.disk.length, share }.into())
}

/// The bounded statistic of the slowest direction, else the mean.
pub(super) fn describe_latency(case: &Case<'_>) -> Option<Message> {
    let Some((direction, latency)) = case.disk.worst(case.bound.statistic) else {
        let latency = case.longer_mean?;
        let is_flush = case.mean != Some(latency);
        let statistic = Statistic::Mean.to_string();
        return Some(match is_flush {
            true => FlushLatency { statistic, latency }.into(),
            false => MeanLatency { latency }.into(),
        });
    };
    let statistic = case.bound.statistic.to_string();
    let bound = case.bound.to_string();
    Some(match (direction, latency >= case.bound.limit) {
        (Direction::Sync, true) => FlushLatencyOver { statistic, latency, bound }.into(),
        (Direction::Sync, false) => FlushLatency { statistic, latency }.into(),
        (Direction::Write, true) => WriteLatencyOver { statistic, latency, bound }.into(),
        (_, true) => ReadLatencyOver { statistic, latency, bound }.into(),
        (Direction::Write, false) => WriteLatency { statistic, latency }.into(),
        (_, false) => ReadLatency { statistic, latency }.into(),
    })
}

pub(super) fn describe_outstanding(case: &Case<'_>) -> Option<Message> {
    (case.outstanding > 0.0).then(|| Outstanding { outstanding: case.outstanding }.into())
}

pub(super) fn describe_queue(case: &Case<'_>) -> Option<Message> {
    let share = case.disk.queue_share()?;
    Some(InQueue { share }.into())
}

pub(super) fn describe_use(case: &Case<'_>) -> Option<Message> {
    let known = case.known_curve()?;
    let (rate, limit) = (known.describe_rate(case.iops), known.describe_rate(known.limit));
    let (bound, date) = (known.bound.to_string(), format_date(known.measured));
    let curve = known.label.clone();
    Some(match known.is_floor() {
        true => DoesOfAtLeast { rate, limit, bound, date, curve }.into(),
        false => DoesOf { rate, limit, bound, date, curve }.into(),
    })
}

pub(super) fn describe_known_latency(case: &Case<'_>) -> Option<Message> {
    let curve = case.known_curve()?;
    let (latency, known) = (case.mean?, curve.mean_at(case.outstanding)?);
    Some(KnownLatency { latency, known, date: format_date(curve.measured) }.into())
}

pub(super) fn describe_group_use(limit: &IoLimit, share: Ratio) -> [Message; 2] {
    [analysis::describe_group_limit(limit), GroupUse { share }.into()]
}

/// Who waits most, where one does most of the waiting.
pub(super) fn describe_waiter(case: &Case<'_>) -> Option<Message> {
    let all: u64 = case.waiters.iter().map(|waiter| waiter.waited_ns).sum();
    let first = case.waiters.first()?;
    let share = Ratio(first.waited_ns as f64 / all.max(1) as f64);
    if share.0 < WAITER_MIN {
        return None;
    }
    match &first.who {
        WaiterName::Group(group) => Some(WaiterGroup { group: group.clone(), share }.into()),
        WaiterName::Writeback => Some(WaiterWriteback { share }.into()),
        WaiterName::Others => None,
    }
}

/// That programs wait for processors, where they do.
pub(super) fn describe_processors(case: &Case<'_>) -> Option<Message> {
    let waited = case.host.cpu_pressure.filter(|share| *share >= PROCESSOR_MIN);
    let busy = case.host.cpu_busy_share.filter(|share| *share >= PROCESSOR_BUSY_MIN);
    match (waited, busy) {
        (Some(share), _) => Some(ProcessorWaited { share: Ratio(share) }.into()),
        (None, Some(share)) => Some(ProcessorBusy { share: Ratio(share) }.into()),
        (None, None) => None,
    }
}

/// What may make it slow, as the kernel and the disk show it.
pub(super) fn describe_causes(case: &Case<'_>) -> Vec<Message> {
    let health = &case.facts.health;
    let slow = health.link.as_ref().filter(|link| link.downtrained);
    let link = slow.and_then(|link| {
        let (speed, speed_max) = (link.current.clone(), link.max.clone()?);
        Some(SlowLink { speed, speed_max }.into())
    });
    let now = case.disk.errors.filter(|count| *count > 0);
    let before = health.failed_commands.filter(|count| *count > 0);
    let failed = match (now, before) {
        (Some(count), _) => Some(FailedNow { count }.into()),
        // The source saw that none failed.
        (None, _) if case.disk.errors.is_some() => None,
        (None, Some(count)) => Some(FailedCommands { count }.into()),
        (None, None) => None,
    };
    health.run.describe_causes().into_iter().chain(link).chain(failed).collect()
}

pub(super) fn next_for_slow(case: &Case<'_>) -> Option<Message> {
    Some(match (&case.facts.measurable, case.facts.is_device) {
        (Some(path), false) => {
            NextSlowCheck { command: format!("truedisk check {}", shell_quote(path)) }.into()
        }
        _ => NextSlow {}.into(),
    })
}

/// The command that measures what the disk can do with this load.
pub(super) fn limit_command(case: &Case<'_>) -> Option<Message> {
    if case.known_curve().is_some() || case.disk.has_flushes_among_writes() {
        return None;
    }
    let path = shell_quote(case.facts.measurable.as_ref()?);
    let (size, reads) = (case.disk.block_size()?, case.disk.read_share()?);
    let read_percent = (reads.0 * 100.0).round() as u64;
    let load = match read_percent {
        // Nothing is written to a device: what it reads is measured.
        _ if case.facts.is_device => "--read-only --rw randread".to_owned(),
        95.. => "--rw randread".to_owned(),
        0..=5 => "--rw randwrite".to_owned(),
        percent => format!("--rw randrw --mix {percent}"),
    };
    let command = format!("truedisk limit {path} {load} --bs {}", round_size(size).to_compact());
    Some(NextLimit { command }.into())
}

/// The nearest power of two, of at least 4 KiB.
fn round_size(size: Bytes) -> Bytes {
    let power = (size.0.max(4096) as f64).log2().round() as u32;
    Bytes(1 << power.min(30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_what_is_measured() {
        let check = |size: u64, expected: &str| {
            assert_eq!(round_size(Bytes(size)).to_compact(), expected);
        };
        check(512, "4k");
        check(4_096, "4k");
        check(5_000, "4k");
        check(14_000, "16k");
        check(700_000, "512k");
        check(1_048_576, "1m");
    }
}
