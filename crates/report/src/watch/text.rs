//! A watch on a terminal.

use message::{Message, Render as _};
use record::{
    Completion, LatencySummary, Record, Status, Watched, WatchedDirection, WatchedDisk,
    percentile_of,
};
use workload::Direction;

use super::{
    DiskLine, DiskLineUsed, MissingRequests, Scope, describe_probe, describe_source, describe_wait,
    direction_word, list_causes, list_unseen, name_waiter,
};
use crate::terminal::Partial;
use crate::text::{FigureTable, Style, keep_end, write_heading, write_painted, write_wrapped};
use crate::words::{format_day, or_dash, target_words, title_words};

/// Rows of the table of those who wait, on one screen.
const WAITERS_MAX: usize = 5;
/// Widest name of one who waits: the end of a long path says most.
const WAITER_WIDTH: usize = 60;
const PERCENTILES: [&str; 3] = ["p50", "p99", "p99.9"];

/// A stored watch on one screen.
pub(crate) fn summarise_watch(record: &Record, watch: &Watched, style: Style) -> String {
    let mut out = String::new();
    write_head(&mut out, record, watch, style);
    out.push('\n');
    out.push_str(&render_watch_answers(watch, style));
    out.push('\n');
    out.push_str(&render_watch_figures(watch, style));
    out
}

/// All of a stored watch.
pub(crate) fn write_watch(record: &Record, watch: &Watched, style: Style) -> String {
    let mut out = String::new();
    write_head(&mut out, record, watch, style);
    out.push('\n');
    out.push_str(&render_watch_answers(watch, style));
    out.push('\n');
    write_disks(&mut out, watch, style);
    write_waiters(&mut out, watch, usize::MAX, style);
    write_heading(&mut out, style, &style.say("watch-page-causes"));
    for (what, words) in list_causes(watch, style.language) {
        write_wrapped(&mut out, style, "  ", &format!("{what}: {words}"));
    }
    write_heading(&mut out, style, &style.say("text-not-seen"));
    for words in list_unseen(watch, style.language) {
        write_wrapped(&mut out, style, "  ", &words);
    }
    out
}

fn write_head(out: &mut String, record: &Record, watch: &Watched, style: Style) {
    let measured = &record.measured;
    let title = title_words(record, "truedisk watch".to_owned());
    write_painted(out, style, &title.render(style.language), |line| style.bold(line));
    if let Some(target) = measured.target() {
        write_wrapped(out, style, "", &target_words(target).render(style.language));
    }
    write_wrapped(out, style, "", &scope_words(watch).render(style.language));
    if let Completion::Partial { reason, .. } = &measured.completion {
        let words = Partial { reason: reason.clone() }.render(style.language);
        write_painted(out, style, &words, |line| style.status(Status::Warning, line));
    }
}

pub(crate) fn scope_words(watch: &Watched) -> Message {
    Scope { time: watch.length, source: describe_source(watch.source) }.into()
}

/// The answer of each disk that did something, and of the first; with what to do next.
pub fn render_watch_answers(watch: &Watched, style: Style) -> String {
    let mut out = String::new();
    for (place, disk) in watch.disks.iter().enumerate() {
        if place > 0 && !disk.is_active() {
            continue;
        }
        let sentence = (&disk.sentence).render(style.language);
        write_painted(&mut out, style, &sentence, |line| style.status(verdict_status(disk), line));
        let next = disk.next.as_ref().map(|next| next.render(style.language));
        next.iter().for_each(|next| write_wrapped(&mut out, style, "", next));
    }
    out
}

fn verdict_status(disk: &WatchedDisk) -> Status {
    use record::WatchVerdict::{CannotTell, NotBottleneck};
    match disk.verdict {
        NotBottleneck => Status::Ok,
        CannotTell => Status::Note,
        _ => Status::Warning,
    }
}

/// The disks, and those who waited longest.
pub fn render_watch_figures(watch: &Watched, style: Style) -> String {
    let mut out = String::new();
    write_disks(&mut out, watch, style);
    for words in watch.probe.iter().flat_map(describe_probe) {
        write_wrapped(&mut out, style, "", &words.render(style.language));
    }
    write_waiters(&mut out, watch, WAITERS_MAX, style);
    if watch.waiters_estimated {
        write_wrapped(&mut out, style, "", &style.say("watch-waiters-estimated"));
    }
    if watch.missing_requests > 0 {
        let words = MissingRequests { count: watch.missing_requests };
        write_wrapped(&mut out, style, "", &words.render(style.language));
    }
    out
}

fn write_disks(out: &mut String, watch: &Watched, style: Style) {
    let disks: Vec<&WatchedDisk> = watch.disks.iter().filter(|disk| disk.is_active()).collect();
    if !disks.is_empty() {
        let (head, rows) = disk_rows(&disks, style.language);
        write_table(out, &FigureTable::new(head, rows).dispensable(&[7, 6, 5, 2]), style);
    }
    for disk in disks {
        let Some(outstanding) = disk.outstanding else { continue };
        write_wrapped(out, style, "", &disk_line(disk, outstanding).render(style.language));
    }
}

fn write_table(out: &mut String, table: &FigureTable, style: Style) {
    let (head, rows) = table.lines(style.width);
    for line in head.iter().chain(rows.iter().flatten()) {
        out.extend([line.trim_end(), "\n"]);
    }
}

fn disk_line(disk: &WatchedDisk, outstanding: f64) -> Message {
    let name = disk.name.clone();
    match &disk.used {
        None => DiskLine { disk: name, outstanding }.into(),
        Some(used) => DiskLineUsed {
            disk: name,
            outstanding,
            used: used.share(),
            limit: used.limit_rate.clone(),
            bound: used.bound.to_string(),
            date: format_day(used.measured),
            curve: used.curve.clone(),
        }
        .into(),
    }
}

/// A row per disk and direction. Without distributions there are no columns of them.
pub(crate) fn disk_rows(
    disks: &[&WatchedDisk],
    language: message::Language,
) -> (Vec<String>, Vec<Vec<String>>) {
    let say = |id: &str| crate::words::say(id, language);
    let directions = || disks.iter().flat_map(|disk| disk.directions());
    let has_distribution = directions().any(|(_, of)| of.total.is_some());
    let mut head = vec![say("watch-head-disk"), "IOPS".to_owned(), "MB/s".to_owned()];
    match has_distribution {
        true => {
            head.extend(PERCENTILES.map(str::to_owned));
            head.extend([say("watch-head-queue"), say("watch-head-device")]);
        }
        false => head.push(say("head-mean")),
    }
    let rows = disks.iter().flat_map(|disk| {
        let used = disk.directions().filter(|(_, of)| of.operations > 0);
        used.map(|(direction, of)| {
            let (iops, rate) = disk.rate_of(of);
            let rate = match direction {
                Direction::Sync => "-".to_owned(),
                _ => format!("{:.1}", rate.as_mb()),
            };
            let name = format!("{} {}", disk.name, direction_word(direction, language));
            let cells = [iops.to_string(), rate].into_iter();
            let cells = cells.chain(latency_cells(of, has_distribution));
            let cells = cells.map(|cell| language.punctuate(&cell));
            [name].into_iter().chain(cells).collect()
        })
    });
    (head, rows.collect())
}

fn latency_cells(of: &WatchedDirection, has_distribution: bool) -> Vec<String> {
    if !has_distribution {
        return vec![or_dash(of.mean())];
    }
    let p99 = |part: &Option<LatencySummary>| or_dash(percentile_of(part.as_ref(), "p99"));
    let total = PERCENTILES.map(|name| or_dash(of.percentile(name)));
    total.into_iter().chain([p99(&of.queue), p99(&of.device)]).collect()
}

fn write_waiters(out: &mut String, watch: &Watched, max: usize, style: Style) {
    if watch.waiters.is_empty() {
        return;
    }
    let (head, rows) = waiter_rows(watch, (max, WAITER_WIDTH), style.language);
    write_table(out, &FigureTable::new(head, rows).dispensable(&[3]), style);
}

pub(crate) fn waiter_rows(
    watch: &Watched,
    (max, name_width): (usize, usize),
    language: message::Language,
) -> (Vec<String>, Vec<Vec<String>>) {
    let say = |id: &str| crate::words::say(id, language);
    let (mb, p99) = ("MB/s".to_owned(), "p99".to_owned());
    let head =
        vec![say("watch-head-who"), say("watch-head-disk"), say("watch-head-waited"), mb, p99];
    let seconds = watch.length.as_secs_f64().max(1e-9);
    let rows = watch.waiters.iter().take(max).map(|waiter| {
        let cells = [
            describe_wait(waiter.waited, watch.length).render(language),
            format!("{:.1}", waiter.bytes as f64 / 1e6 / seconds),
            or_dash(waiter.p99),
        ];
        let cells = cells.map(|cell| language.punctuate(&cell));
        let name =
            keep_end(&name_waiter(&waiter.who, waiter.process.as_deref(), language), name_width);
        [name, waiter.disk.clone()].into_iter().chain(cells).collect()
    });
    (head, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(render: fn(&Record, &Watched, Style) -> String, width: usize) -> String {
        let record = record::fixture::watch_record();
        let style = Style { width, ..Style::PLAIN };
        render(&record, record.measured.watch.as_ref().unwrap(), style)
    }

    #[test]
    fn a_stored_watch_says_what_the_live_one_said() {
        for (width, show) in [(100, summarise_watch as fn(&_, &_, _) -> _), (60, write_watch)] {
            let text = render(show, width);
            let widest = text.lines().map(crate::text::text_width).max();
            assert!(widest.is_some_and(|widest| widest <= width), "{text}");
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for words in [
                "truedisk watch of /srv/data on db-3, 2026-11-18",
                "vda is slow though lightly used: hardly any request completed",
                "vda read 3,805",
                "1.41 outstanding; used: 6.9 %",
                "1.10 s/s",
                "writeback",
                "12 requests",
            ] {
                assert!(flat.contains(words), "{words} is missing at {width}: {text}");
            }
        }
        let all = render(write_watch, 100);
        for words in ["Causes looked at", "vda: 41", "Not seen", "22 %"] {
            assert!(all.contains(words), "{words}: {all}");
        }
    }

    #[test]
    fn counters_have_means_and_no_percentile() {
        let mut record = record::fixture::watch_record();
        let watch = record.measured.watch.as_mut().unwrap();
        watch.source = record::SourceKind::Counters;
        watch.waiters.clear();
        let disk = &mut watch.disks[0];
        let directions = [&mut disk.read, &mut disk.write].into_iter().chain(&mut disk.flush);
        for of in directions {
            (of.total, of.queue, of.device) = (None, None, None);
        }
        let text = render_watch_figures(watch, Style::PLAIN);
        let has_more = ["p50", "p99.9", "writeback"].iter().any(|words| text.contains(words));
        assert!(text.contains("mean") && !has_more, "{text}");
    }
}
