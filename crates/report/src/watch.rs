//! What a watch saw, told: on a terminal and as a page.

pub(crate) mod compare;
mod pictures;
pub(crate) mod text;

use message::{Language, Message, Render as _, messages};
use record::{
    IoLimit, LimitUse, SourceKind, WaiterName, WatchVerdict, Watched, WatchedDisk, WatchedProbe,
};
use units::{Bytes, Nanos, Ratio};
use workload::Direction;

use crate::words::{format_day, say};

pub(crate) use pictures::draw_watch_pictures;
pub(crate) use text::{summarise_watch, write_watch};

messages! {
    Scope = "watch-scope" { time: Nanos, source: Message };
    DiskLine = "watch-disk-line" { disk: String, outstanding: f64 };
    DiskLineUsed = "watch-disk-line-used" {
        disk: String, outstanding: f64, used: Ratio, limit: Message, bound: String, date: String,
        curve: Message
    };
    WaitedPerSecond = "watch-waited-per-second" { time: Nanos };
    MissingRequests = "watch-missing-requests" { count: u64 };
    Probed = "watch-probe" { mean: Nanos, max: Nanos, count: u64 };
    ProbeWaits = "watch-probe-waiting" { time: Nanos };
    ProbeErrors = "watch-probe-errors" { count: u64 };
    SeriesRead = "watch-series-read" { statistic: String };
    SeriesWrite = "watch-series-write" { statistic: String };
    SeriesFlush = "watch-series-flush" { statistic: String };
    LatencyTitle = "watch-chart-latency" { disk: String };
    LatencyCaption = "watch-chart-latency-caption" { time: Nanos };
    RateTitle = "watch-chart-rate" { disk: String };
    RateCaption = "watch-chart-rate-caption" { time: Nanos };
    UsedOf = "watch-tile-used-of" { limit: Message, bound: String, date: String, curve: Message };
    TileMedian = "watch-tile-median" { latency: Nanos };
    TileMean = "watch-tile-mean" { latency: Nanos };
    AtLeastOfTime = "watch-at-least-of-time" { share: Ratio };
    OfTime = "watch-of-time" { share: Ratio };
    Celsius = "watch-celsius" { disk: String, degrees: f64 };
    ErrorsOf = "watch-errors-of" { disk: String, count: u64 };
    UnseenUse = "watch-unseen-use" { disk: String };
}

/// What a source is, in words.
pub fn describe_source(source: SourceKind) -> Message {
    let words = Message::find(match source {
        SourceKind::Ebpf => "watch-source-ebpf",
        SourceKind::Trace => "watch-source-trace",
        SourceKind::Counters => "watch-source-counters",
    });
    words.unwrap_or_default()
}

/// `unit/process`, where one process is known to ask for most of it.
pub fn name_waiter(who: &WaiterName, process: Option<&str>, language: Language) -> String {
    match (who, process) {
        // The topmost group is no unit.
        (WaiterName::Group(path), Some(process)) if path == "/" => process.to_owned(),
        (WaiterName::Group(path), Some(process)) => format!("{path}/{process}"),
        (WaiterName::Group(path), None) => path.clone(),
        (WaiterName::Writeback, _) => "writeback".to_owned(),
        (WaiterName::Others, _) => say("watch-others", language),
    }
}

/// Its word for a badge.
pub(crate) fn verdict_word(verdict: WatchVerdict, language: Language) -> String {
    let id = match verdict {
        WatchVerdict::NotBottleneck => "watch-badge-not-bottleneck",
        WatchVerdict::Saturated => "watch-badge-saturated",
        WatchVerdict::Capped => "watch-badge-capped",
        WatchVerdict::Slow => "watch-badge-slow",
        WatchVerdict::CannotTell => "watch-badge-cannot-tell",
    };
    say(id, language)
}

fn direction_word(direction: Direction, language: Language) -> String {
    let id = match direction {
        Direction::Read => "watch-read",
        Direction::Sync => "watch-flush",
        _ => "watch-write",
    };
    say(id, language)
}

pub(crate) fn describe_use(used: &LimitUse) -> Message {
    UsedOf {
        limit: used.limit_rate.clone(),
        bound: used.bound.to_string(),
        date: format_day(used.measured),
        curve: used.curve.clone(),
    }
    .into()
}

/// What reads of our own say.
pub fn describe_probe(probe: &WatchedProbe) -> Vec<Message> {
    let count = probe.reads;
    let took = probe.total.as_ref().map(|total| {
        Probed { mean: Nanos(total.mean as u64), max: Nanos(total.max), count }.into()
    });
    let waits = probe.waiting.map(|time| ProbeWaits { time }.into());
    let failed = (probe.errors > 0).then(|| ProbeErrors { count: probe.errors }.into());
    took.into_iter().chain(waits).chain(failed).collect()
}

/// How long one waited, for each second of the watch.
fn describe_wait(waited: Nanos, length: Nanos) -> Message {
    let share = waited.as_secs_f64() / length.as_secs_f64().max(1e-9);
    WaitedPerSecond { time: Nanos::from_secs_f64(share) }.into()
}

/// The causes that were looked at: what, and what was seen. What cannot be seen here is left out.
pub(crate) fn list_causes(watch: &Watched, language: Language) -> Vec<(String, String)> {
    let host = &watch.host;
    let at_least = |share: f64| Message::from(AtLeastOfTime { share: Ratio(share) });
    let of_time = |share: f64| Message::from(OfTime { share: Ratio(share) });
    let size = |bytes: u64| Message::from_text(Bytes(bytes).to_string());
    let facts = [
        ("watch-fact-pressure", host.io_pressure.map(at_least)),
        ("watch-fact-processors", host.cpu_busy_share.map(of_time)),
        ("watch-fact-cpu-pressure", host.cpu_pressure.map(of_time)),
        ("watch-fact-steal", host.steal_share.map(of_time)),
        ("watch-fact-dirty", host.dirty_bytes.map(size)),
        ("watch-fact-writeback", host.writeback_bytes.map(size)),
    ];
    let mut all: Vec<(String, String)> = Vec::new();
    for (id, value) in facts {
        let value = value.map(|value| language.punctuate(&value.render(language)));
        all.extend(value.map(|value| (say(id, language), value)));
    }
    for disk in watch.disks.iter().filter(|disk| disk.is_active()) {
        let name = disk.name.clone();
        if let Some(count) = disk.errors {
            let words = ErrorsOf { disk: name.clone(), count }.render(language);
            all.push((say("watch-fact-errors", language), words));
        }
        if let Some(degrees) = disk.celsius {
            let words = Celsius { disk: name, degrees }.render(language);
            all.push((say("watch-fact-temperature", language), words));
        }
    }
    for words in watch.probe.iter().flat_map(describe_probe) {
        all.push((say("watch-fact-probe", language), words.render(language)));
    }
    let limit = |limit: &IoLimit| analysis::describe_group_limit(limit).render(language);
    let limits = watch.disks.iter().flat_map(|disk| &disk.limits);
    let limits: Vec<String> = limits.map(limit).collect();
    let words = match limits.is_empty() {
        true => say("fact-none-seen", language),
        false => limits.join("; "),
    };
    all.push((say("watch-fact-limits", language), words));
    all
}

/// What this watch could not see.
pub(crate) fn list_unseen(watch: &Watched, language: Language) -> Vec<String> {
    let mut all: Vec<String> = watch.notes.iter().map(|note| note.render(language)).collect();
    if watch.missing_requests > 0 {
        all.push(MissingRequests { count: watch.missing_requests }.render(language));
    }
    if watch.waiters_estimated {
        all.push(say("watch-waiters-estimated", language));
    }
    let is_unknown = |disk: &&WatchedDisk| disk.used.is_none() && disk.operations() > 0;
    let unknown = watch.disks.iter().filter(is_unknown);
    all.extend(unknown.map(|disk| UnseenUse { disk: disk.name.clone() }.render(language)));
    if watch.host.io_pressure.is_none() {
        all.push(say("watch-unseen-pressure", language));
    }
    all.push(say("watch-unseen-throttle", language));
    all.push(say("watch-unseen-order", language));
    all
}
