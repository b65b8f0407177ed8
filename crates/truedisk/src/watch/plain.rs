//! A watch as text: a block per interval, and one of the whole.

use message::{Message, messages};
use report::TextTable;
use units::{Nanos, Ratio};
use watch::{
    DirectionSample, DiskJudgement, DiskSummary, LimitUse, SourceKind, WaiterName, WatchSummary,
    histogram_statistic,
};
use workload::{Direction, Statistic};

use crate::terminal::{self, say, tell};

messages! {
    pub(crate) static MESSAGES;
    Watching = "watch-watching" { disks: message::Names, source: Message };
    WatchedFor = "watch-watched-for" { time: Nanos };
    DiskLine = "watch-disk-line" { disk: String, outstanding: f64 };
    DiskLineUsed = "watch-disk-line-used" {
        disk: String, outstanding: f64, used: Ratio, limit: Message, bound: String, date: String,
        curve: Message
    };
    WaitedPerSecond = "watch-waited-per-second" { time: Nanos };
    MissingRequests = "watch-missing-requests" { count: u64 };
}

/// Rows of the table of those who wait: the longest waiting.
const WAITERS_MAX: usize = 5;
const PERCENTILES: [f64; 3] = [50.0, 99.0, 99.9];

/// What is watched, and by which source.
pub(super) fn render_start(disks: &[String], source: SourceKind, notes: &[Message]) -> String {
    let watching = Watching { disks: disks.iter().collect(), source: describe_source(source) };
    let mut out = tell(watching) + "\n";
    notes.iter().for_each(|note| out.push_str(&wrap(&tell(note.clone()))));
    out
}

pub(super) fn describe_source(source: SourceKind) -> Message {
    let words = Message::find(match source {
        SourceKind::Ebpf => "watch-source-ebpf",
        SourceKind::Counters => "watch-source-counters",
    });
    words.unwrap_or_default()
}

/// One interval: the answer so far, the disks, who waits.
pub(super) fn render_interval(
    time: jiff::Timestamp,
    interval: &WatchSummary,
    judgements: &[DiskJudgement],
) -> String {
    let clock = time.to_zoned(jiff::tz::TimeZone::system()).strftime("%H:%M:%S").to_string();
    let sentence = judgements.first().map(|first| tell(first.sentence.clone())).unwrap_or_default();
    let mut out = format!("\n{}", wrap(&format!("{clock}  {sentence}")));
    out.push_str(&render_figures(interval, judgements));
    out
}

/// The whole watch: the answer of each disk with what to do next, and its figures.
pub(super) fn render_end(summary: &WatchSummary, judgements: &[DiskJudgement]) -> String {
    let mut out = String::new();
    for (place, one) in judgements.iter().enumerate() {
        let is_active = summary.disk(&one.disk).is_some_and(is_active);
        if place > 0 && !is_active {
            continue;
        }
        out.push_str(&wrap(&tell(one.sentence.clone())));
        one.next.iter().for_each(|next| out.push_str(&wrap(&tell(next.clone()))));
    }
    out.push_str(&format!("\n{}\n", tell(WatchedFor { time: summary.length })));
    out.push_str(&render_figures(summary, judgements));
    out
}

fn render_figures(summary: &WatchSummary, judgements: &[DiskJudgement]) -> String {
    let mut out = String::new();
    let disks: Vec<&DiskSummary> = summary.disks.iter().filter(|disk| is_active(disk)).collect();
    if !disks.is_empty() {
        write_disks(&mut out, &disks);
    }
    for disk in &disks {
        let judgement = judgements.iter().find(|one| one.disk == disk.name);
        let used = judgement.and_then(|one| one.used.as_ref());
        let Some(outstanding) = disk.outstanding else { continue };
        out.push_str(&wrap(&tell(disk_line(disk, outstanding, used))));
    }
    if !summary.waiters.is_empty() {
        write_waiters(&mut out, summary);
    }
    if summary.missing_requests > 0 {
        out.push_str(&wrap(&tell(MissingRequests { count: summary.missing_requests })));
    }
    out
}

fn is_active(disk: &DiskSummary) -> bool {
    disk.operations() + disk.flushes() > 0
        || disk.outstanding.is_some_and(|outstanding| outstanding > 0.0)
}

fn disk_line(disk: &DiskSummary, outstanding: f64, used: Option<&LimitUse>) -> Message {
    let name = disk.name.clone();
    match used {
        None => DiskLine { disk: name, outstanding }.into(),
        Some(used) => DiskLineUsed {
            disk: name,
            outstanding,
            used: used.share(),
            limit: used.limit_rate.clone(),
            bound: used.bound.to_string(),
            date: used.date(),
            curve: used.curve.clone(),
        }
        .into(),
    }
}

/// A row per disk and direction. Without distributions there are no columns of them.
fn write_disks(out: &mut String, disks: &[&DiskSummary]) {
    let directions = || disks.iter().flat_map(|disk| disk.directions());
    let has_distribution = directions().any(|(_, of)| of.total.is_some());
    let mut head =
        vec![say("watch-head-disk"), String::new(), "IOPS".to_owned(), "MB/s".to_owned()];
    match has_distribution {
        true => {
            head.extend(PERCENTILES.map(|p| format!("p{p}")));
            head.extend([say("watch-head-queue"), say("watch-head-device")]);
        }
        false => head.push(say("head-mean")),
    }
    let rows = disks.iter().flat_map(|disk| {
        let used = disk.directions().filter(|(_, of)| of.operations > 0);
        used.enumerate().map(|(place, (direction, of))| {
            let name = if place == 0 { disk.name.clone() } else { String::new() };
            let (iops, rate) = disk.rate_of(of);
            let (word, rate) = match direction {
                Direction::Read => ("watch-read", format!("{:.1}", rate.as_mb())),
                Direction::Sync => ("watch-flush", "-".to_owned()),
                _ => ("watch-write", format!("{:.1}", rate.as_mb())),
            };
            let mut row = vec![name, say(word), iops.to_string(), rate];
            row.extend(latency_cells(of, has_distribution));
            row.iter().map(|cell| terminal::language().punctuate(cell)).collect()
        })
    });
    TextTable::new(head, rows).right(|column| column > 1).write(out);
}

fn latency_cells(of: &DirectionSample, has_distribution: bool) -> Vec<String> {
    if !has_distribution {
        return vec![or_dash(of.statistic(Statistic::Mean))];
    }
    let p99 = Statistic::Percentile(99.0);
    let parts = [&of.queue, &of.device];
    let parts = parts.map(|part| or_dash(histogram_statistic(part.as_ref(), p99)));
    let total = PERCENTILES.map(|p| or_dash(of.statistic(Statistic::Percentile(p))));
    total.into_iter().chain(parts).collect()
}

fn write_waiters(out: &mut String, summary: &WatchSummary) {
    let head =
        [say("watch-head-who"), say("watch-head-disk"), say("watch-head-waited"), "p99".to_owned()];
    let seconds = summary.length.as_secs_f64().max(1e-9);
    let rows = summary.waiters.iter().take(WAITERS_MAX).map(|waiter| {
        let waited = Nanos::from_secs_f64(waiter.waited_ns as f64 / 1e9 / seconds);
        let p99 = histogram_statistic(waiter.total.as_ref(), Statistic::Percentile(99.0));
        let cells = [
            name_waiter(&waiter.who),
            waiter.device.clone(),
            tell(WaitedPerSecond { time: waited }),
            or_dash(p99),
        ];
        cells.map(|cell| terminal::language().punctuate(&cell)).to_vec()
    });
    TextTable::new(head, rows).right(|column| column > 1).write(out);
}

pub(super) fn name_waiter(who: &WaiterName) -> String {
    match who {
        WaiterName::Group(path) => path.clone(),
        WaiterName::Writeback => "writeback".to_owned(),
        WaiterName::Others => say("watch-others"),
    }
}

fn or_dash(latency: Option<Nanos>) -> String {
    latency.map_or_else(|| "-".to_owned(), |latency| latency.to_string())
}

/// The lines of a paragraph.
fn wrap(text: &str) -> String {
    report::wrap_paragraph(text, terminal::style())
}
