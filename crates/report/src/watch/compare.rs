//! Two watches side by side, on a terminal.

use std::fmt::Write as _;

use message::{Message, Render as _, messages};
use record::compare::{FigureKind, WatchComparison, WatchFigure, WatchPair, WatchSide};
use units::Nanos;
use workload::Direction;

use super::{describe_source, direction_word};
use crate::compare::{format_figure, format_ratio};
use crate::text::{FigureTable, Style, write_figures, write_heading, write_wrapped};
use crate::words::format_minute;

messages! {
    SideWords = "compare-watch-side" { run: String, when: String, time: Nanos, source: Message };
    SideOnHost = "compare-watch-side-on" {
        run: String, host: String, when: String, time: Nanos, source: Message,
    };
}

pub fn render_watch_comparison(comparison: &WatchComparison, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold("truedisk compare"));
    for side in &comparison.sides {
        let words = side_words(side).render(style.language);
        write_wrapped(&mut out, style, "  ", &format!("{}  {words}", side.label));
    }
    if comparison.pairs.is_empty() {
        out.push('\n');
        write_wrapped(&mut out, style, "", &style.say("compare-watch-no-disk"));
    }
    comparison.pairs.iter().for_each(|pair| write_pair(&mut out, pair, style));
    out.push('\n');
    write_wrapped(&mut out, style, "", &style.say("compare-watch-method"));
    out
}

fn side_words(side: &WatchSide) -> Message {
    let when = format_minute(side.started);
    let (run, time, source) = (side.run.clone(), side.length, describe_source(side.source));
    match side.host.clone() {
        Some(host) => SideOnHost { run, host, when, time, source }.into(),
        None => SideWords { run, when, time, source }.into(),
    }
}

fn write_pair(out: &mut String, pair: &WatchPair, style: Style) {
    write_heading(out, style, &(&pair.words).render(style.language));
    let row = |of: &WatchFigure| {
        let value = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format_figure(&of.figure, value))
        };
        let ratio = of.ratio.map_or_else(|| "-".to_owned(), format_ratio);
        let cells = [value(of.a), value(of.b), ratio];
        let cells = cells.map(|cell| style.language.punctuate(&cell));
        [figure_label(of, style)].into_iter().chain(cells).collect()
    };
    let head = ["", "A", "B", "B / A"];
    write_figures(out, &FigureTable::new(head, pair.figures.iter().map(row)), style);
}

/// `read p99`.
fn figure_label(of: &WatchFigure, style: Style) -> String {
    let figure = match &of.figure.kind {
        FigureKind::Iops => "IOPS".to_owned(),
        FigureKind::BytesPerSecond => "MB/s".to_owned(),
        FigureKind::Latency(statistic) if statistic == "mean" => style.say("head-mean"),
        FigureKind::Latency(statistic) => statistic.clone(),
    };
    let direction = of.figure.direction.unwrap_or(Direction::Read);
    format!("{} {figure}", direction_word(direction, style.language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_side_by_side_and_the_load_is_said() {
        let (a, mut b) = (record::fixture::watch_record(), record::fixture::watch_record());
        let render = |b: &record::Record| {
            let comparison = analysis::compare::compare_watches(&a, b).unwrap();
            let text = render_watch_comparison(&comparison, Style::PLAIN);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let same = render(&b);
        for words in ["read IOPS 3,805 3,805 x 1.00", "flush p99", "no controlled measurement"] {
            assert!(same.contains(words), "{words} is missing in {same}");
        }
        let disk = &mut b.measured.watch.as_mut().unwrap().disks[0];
        disk.read.operations *= 3;
        let other = render(&b);
        assert!(other.contains("x 3.00") && other.contains("no verdict"), "{other}");
    }
}
