//! The hosts of a run over many: what each gave, and how they met.

use std::fmt::Write as _;

use message::{Render as _, messages};
use record::{Record, Status};
use units::Iops;

use crate::fleet::{CellTiming, FleetReport, HostRow, HostShare, WaveRow, build_fleet_report};
use crate::outliers::{SlowRow, build_outlier_report};
use crate::text::{
    FigureTable, Style, keep_start, text_width, wrap_text, write_figures, write_heading,
    write_rows, write_wrapped,
};
use crate::words::AndMoreOnPage;

/// Rows of hosts that are shown; of more, only the slowest.
const HOSTS_MAX: usize = 24;
/// Slow hosts that are shown.
const SLOW_MAX: usize = 10;
const NAME_WIDTH: usize = 20;
/// Widest note beside a host's figures; longer ones follow below.
const NOTE_WIDTH: usize = 16;
const CELLS_MAX: usize = 40;
const WAVES_MAX: usize = 20;

pub(super) fn write_fleet(out: &mut String, record: &Record, style: Style) {
    let Some(hosts) = build_fleet_report(record, style.language) else { return };
    write_heading(out, style, &hosts.title);
    for why in &hosts.degraded {
        let words = DegradedLine { why: why.clone() }.render(style.language);
        for line in wrap_text(&words, style.prose_width() - 2) {
            let _ = writeln!(out, "{}", style.status(Status::Warning, &format!("  {line}")));
        }
    }
    write_outliers(out, record, style);
    write_waves(out, &hosts, style);
    write_shares(out, record, &hosts, style);
    write_cell_timings(out, &hosts, style);
    write_clocks(out, &hosts, style);
}

/// The answer, its evidence, and the slowest hosts.
fn write_outliers(out: &mut String, record: &Record, style: Style) {
    let Some(found) = build_outlier_report(record, style.language) else { return };
    write_wrapped(out, style, "", &found.answer);
    for words in &found.evidence {
        write_wrapped(out, style, "  ", words);
    }
    if found.slow.is_empty() {
        return;
    }
    let row = |row: &SlowRow| {
        let SlowRow { host, load, value, median, times, z_score, labels, .. } = row.clone();
        vec![
            format!("  {}", keep_start(&host, NAME_WIDTH)),
            times,
            value,
            median,
            z_score,
            load,
            labels,
        ]
    };
    let head = ["head-slow-host", "head-slower", "head-measured", "head-median", "head-spreads"]
        .map(|id| style.say(id));
    let [host, times, value, median, spreads] = &head;
    let head = [&**host, times, value, median, spreads, "", ""];
    let rows = found.slow.iter().take(SLOW_MAX).map(row);
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[6, 4, 5]), style);
    if found.slow.len() > SLOW_MAX {
        let more = AndMoreOnPage { count: found.slow.len() - SLOW_MAX };
        write_wrapped(out, style, "  ", &more.render(style.language));
    }
    out.push('\n');
}

fn write_shares(out: &mut String, record: &Record, hosts: &FleetReport, style: Style) {
    if hosts.shares.is_empty() {
        return;
    }
    let (shown, left) = choose_shares(hosts);
    let row = |share: &&HostShare| {
        let [mean, p50, p99] = share.latency.clone();
        let host = format!("  {}", keep_start(&share.host, NAME_WIDTH));
        let HostShare { iops, share, depth, began, note, .. } = (*share).clone();
        vec![host, iops, share, depth, mean, p50, p99, began, keep_start(&note, NOTE_WIDTH)]
    };
    let degraded = crate::words::degraded_words(record, &hosts.cell).unwrap_or_default();
    let degraded = degraded.render(style.language);
    let total = total_row(record, &hosts.cell, keep_start(&degraded, NOTE_WIDTH), style);
    let rows = shown.iter().map(row).chain(total);
    let [share, depth, mean, began] =
        ["head-share", "head-depth", "head-mean", "head-began"].map(|id| style.say(id));
    let head = [&*hosts.label, "IOPS", &share, &depth, &mean, "p50", "p99", &began, ""];
    let table = FigureTable::new(head, rows).dispensable(&[7, 4, 5, 3]);
    write_figures(out, &table, style);
    if left > 0 {
        let words = FasterHosts { count: left }.render(style.language);
        write_wrapped(out, style, "  ", &words);
    }
    if text_width(&degraded) > NOTE_WIDTH {
        write_wrapped(out, style, "  ", &degraded);
    }
    for share in hosts.shares.iter().filter(|share| text_width(&share.note) > NOTE_WIDTH) {
        write_wrapped(out, style, "  ", &format!("{}: {}", share.host, share.note));
    }
}

/// What each wave came to, and when.
fn write_waves(out: &mut String, hosts: &FleetReport, style: Style) {
    if hosts.waves.is_empty() {
        return;
    }
    let shown = || hosts.waves.iter().take(WAVES_MAX);
    let row = |row: &WaveRow| {
        let WaveRow { number, hosts, from, to, skew, record, .. } = row.clone();
        vec![format!("  {number}"), hosts, from, to, skew, record]
    };
    let head =
        ["head-waves", "head-hosts", "head-from", "head-to", "head-skew"].map(|id| style.say(id));
    let [waves, of_hosts, from, to, skew] = &head;
    let own = style.say("head-own-record");
    let head = [&**waves, of_hosts, from, to, skew, &own];
    write_figures(out, &FigureTable::new(head, shown().map(row)).dispensable(&[5]), style);
    shown().for_each(|row| write_wrapped(out, style, "  ", &row.line));
    if hosts.waves.len() > WAVES_MAX {
        let more = AndMoreOnPage { count: hosts.waves.len() - WAVES_MAX };
        write_wrapped(out, style, "  ", &more.render(style.language));
    }
    out.push('\n');
}

/// All, or the slowest and those that gave nothing, in the order of their names.
fn choose_shares(hosts: &FleetReport) -> (Vec<&HostShare>, usize) {
    if hosts.shares.len() <= HOSTS_MAX {
        return (hosts.shares.iter().collect(), 0);
    }
    let mut slow = hosts.slowest_first();
    slow.truncate(HOSTS_MAX);
    slow.sort_by(|a, b| a.host.cmp(&b.host));
    (slow, hosts.shares.len() - HOSTS_MAX)
}

fn total_row(record: &Record, cell: &str, note: String, style: Style) -> Option<Vec<String>> {
    let cell = record.measured.cell(cell)?;
    let figure = |value: String| style.language.punctuate(&value);
    let [mean, p50, p99] = crate::fleet::summarize_latency(cell).1.map(figure);
    let (iops, depth) = (figure(Iops(cell.iops()).to_string()), cell.job.depth.to_string());
    let none = String::new;
    Some(vec![
        format!("  {}", style.say("fleet-total")),
        iops,
        none(),
        depth,
        mean,
        p50,
        p99,
        none(),
        note,
    ])
}

fn write_cell_timings(out: &mut String, hosts: &FleetReport, style: Style) {
    if hosts.met.is_empty() {
        return;
    }
    let [title, of_hosts, skew, error, first, last] = [
        "page-how-the-hosts-met",
        "head-hosts",
        "head-skew",
        "head-known-to",
        "head-first-done",
        "head-last-done",
    ]
    .map(|id| style.say(id));
    let head = [&*title, &of_hosts, &skew, &error, &first, "IOPS", &last, "IOPS"];
    let met: Vec<&CellTiming> = hosts.met.iter().take(CELLS_MAX).collect();
    let row = |row: &&CellTiming| {
        let row = (*row).clone();
        vec![
            format!("  {}", keep_start(&row.cell, 21)),
            row.hosts,
            row.skew,
            row.error,
            row.first_done,
            row.first_iops,
            row.last_done,
            row.last_iops,
        ]
    };
    let table = FigureTable::new(head, met.iter().map(row)).dispensable(&[6, 7, 4, 3]);
    out.push('\n');
    write_rows(out, &table, style, |out, place| {
        let note = &met[place].note;
        if !note.is_empty() {
            write_wrapped(out, style, "    ", &format!("^ {note}"));
        }
    });
    if hosts.met.len() > CELLS_MAX {
        let more = AndMoreOnPage { count: hosts.met.len() - CELLS_MAX };
        write_wrapped(out, style, "  ", &more.render(style.language));
    }
    write_wrapped(out, style, "", &style.say("fleet-met-key"));
}

fn write_clocks(out: &mut String, hosts: &FleetReport, style: Style) {
    let known: Vec<&HostRow> = hosts.hosts.iter().filter(|host| !host.clock.is_empty()).collect();
    if known.is_empty() {
        return;
    }
    let row = |host: &&HostRow| {
        let name = format!("  {}", keep_start(&host.name, NAME_WIDTH));
        vec![name, host.clock.clone(), host.round_trip.clone(), host.record.clone()]
    };
    let head = ["fleet-clocks", "head-against-coordinator", "head-round-trip", "head-own-record"]
        .map(|id| style.say(id));
    let rows = known.iter().take(HOSTS_MAX).map(row);
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[3, 2]), style);
    if known.len() > HOSTS_MAX {
        let more = AndMoreOnPage { count: known.len() - HOSTS_MAX };
        write_wrapped(out, style, "  ", &more.render(style.language));
    }
}

messages! {
    DegradedLine = "fleet-degraded-line" { why: String };
    FasterHosts = "fleet-faster-hosts" { count: usize };
}

#[cfg(test)]
mod tests {
    use super::super::{render_terminal, tests::check_width};
    use crate::text::Style;
    use record::Record;

    fn render_with(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::fleet_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        let text = render_terminal(&record, Style::PLAIN);
        check_width(&text);
        text
    }

    #[test]
    fn every_host_the_total_and_the_starts_are_told() {
        let text = render_with(|_| {});
        for words in [
            "limit of /mnt/san on 4 hosts",
            "4 hosts on one target, each on a part of its own",
            "host-c",
            "slowest",
            "total",
            "Timing of the hosts",
            "Clocks",
            "The slowest host is host-c",
            "The hosts began within",
        ] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(!text.contains("DEGRADED") && !text.contains("egraded"), "{text}");
    }

    #[test]
    fn a_lost_host_stands_next_to_the_numbers() {
        let text = render_with(|record| record::fixture::lose_host(&mut record.measured));
        for words in [
            "3 of 4 hosts",
            "DEGRADED: host-b was lost",
            "silent for 5 s",
            "^ without host-b",
            "degraded: 3 of 4 hosts",
            "Degraded: host-b was lost",
        ] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(text.contains("Totals marked degraded lack a host"), "{text}");
        assert!(!text.contains("found no problem") && !text.contains("can be used"), "{text}");
    }

    #[test]
    fn slow_hosts_are_named_the_slowest_first_and_not_all_of_them() {
        let text = render_with(|record| {
            record::fixture::multiply_hosts(&mut record.measured, 600);
            let fleet = record.measured.fleet.as_mut().unwrap();
            fleet.span = record::FleetSpan::Own;
            let alike = fleet.hosts[0].cells.clone();
            for (number, host) in fleet.hosts.iter_mut().enumerate() {
                host.cells.clone_from(&alike);
                let times = if number % 40 == 0 { 1.5 + number as f64 / 1e3 } else { 1.0 };
                for part in &mut host.cells {
                    part.cell.totals.read.as_mut().unwrap().iops /= times;
                }
            }
        });
        for words in ["15 of 600 hosts are slow: 15 of them", "2.06 x", "host-560", "and 5 more"] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(text.find("host-560") < text.find("host-240"), "{text}");
    }

    #[test]
    fn of_very_many_hosts_the_slowest_are_shown() {
        let text = render_with(|record| record::fixture::multiply_hosts(&mut record.measured, 60));
        assert!(text.contains("and 36 faster hosts"), "{text}");
        assert!(text.contains("slowest"), "{text}");
    }

    #[test]
    fn a_run_in_waves_is_printed_as_it_was() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/golden/waves.json");
        let record = record::store::load_record(golden.as_ref()).unwrap();
        let text = render_terminal(&record, Style::PLAIN);
        assert_eq!(text, include_str!("../testdata/waves.txt"));
        // The page has a table of its waves, and of the hosts of all of them.
        let page = crate::render_html(&record, message::Language::English).unwrap();
        let (_, table) = page.split_once("<caption>The hosts of a wave").unwrap();
        let (table, _) = table.split_once("</table>").unwrap();
        assert_eq!(table.trim(), include_str!("../testdata/waves.html").trim());
    }
}
