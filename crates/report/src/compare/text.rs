//! A comparison on a terminal: at most 100 columns, readable without colour.

use std::fmt::Write as _;

use message::{Message, Render as _, messages};
use record::Status;
use record::compare::{
    Basis, CellComparison, Comparison, Figure, FigureComparison, FigureKind, Outcome, Pair, Side,
};

use super::page::SidesTitle;
use super::{
    format_figure, format_interval, format_per_price, format_ratio, left_out_lines, method_words,
    price_words, runs_words, verdict_words,
};
use crate::limit::direction_words;
use crate::text::{FigureTable, Style, write_figures, write_hanging, write_heading, write_wrapped};
use crate::words::{AndMore, AndMoreOnPage};

/// Of one screen: rows of all pairs together, the fewest of a pair, pairs, warnings of a pair.
const ROWS_OF_ALL_MAX: usize = 12;
const ROWS_OF_PAIR_MIN: usize = 4;
const PAIRS_MAX: usize = 3;
const WARNINGS_MAX: usize = 3;
const HOSTS_MAX: usize = 24;
const LEFT_OUT_MAX: usize = 12;

pub fn render_comparison_text(comparison: &Comparison, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold("truedisk compare"));
    for side in &comparison.sides {
        let price = price_words(side, comparison, style.language).map(|words| format!(", {words}"));
        let words = side_words(side, &price.unwrap_or_default(), style);
        write_wrapped(&mut out, style, "  ", &words);
    }
    for pair in &comparison.pairs {
        write_pair(&mut out, comparison, pair, style);
    }
    for side in &comparison.sides {
        for cap in &side.caps {
            out.push('\n');
            let words = (&cap.words).render(style.language);
            write_wrapped(&mut out, style, "", &format!("{}: {words}", side.label));
        }
    }
    out.push('\n');
    write_wrapped(&mut out, style, "", &method_words(comparison).render(style.language));
    out
}

/// The answer of each pair on one screen: the headline, its warnings, and the rates.
pub fn render_comparison_summary(comparison: &Comparison, style: Style) -> String {
    let pairs = comparison.pairs.len().max(1);
    let rows_max = (ROWS_OF_ALL_MAX / pairs).max(ROWS_OF_PAIR_MIN);
    let mut out = String::new();
    for side in &comparison.sides {
        write_wrapped(&mut out, style, "", &side_words(side, "", style));
    }
    for side in &comparison.sides {
        for cap in &side.caps {
            let words = (&cap.words).render(style.language);
            write_wrapped(&mut out, style, "", &format!("{}: {words}", side.label));
        }
    }
    for pair in comparison.pairs.iter().take(PAIRS_MAX) {
        write_pair_summary(&mut out, comparison, pair, rows_max, style);
    }
    if pairs > PAIRS_MAX {
        let _ =
            writeln!(out, "\n{}", MorePairs { count: pairs - PAIRS_MAX }.render(style.language));
    }
    out
}

/// `A  ssd1 (4 runs)`.
fn side_words(side: &Side, price: &str, style: Style) -> String {
    let (name, runs) = (&side.name, runs_words(side));
    let (name, runs) = (name.render(style.language), runs.render(style.language));
    format!("{}  {name} ({runs}{price})", side.label)
}

fn write_pair_summary(
    out: &mut String,
    comparison: &Comparison,
    pair: &Pair,
    rows_max: usize,
    style: Style,
) {
    let name = |place: usize| comparison.sides.get(place).map_or("?", |side| side.label.as_str());
    write_heading(out, style, &(&pair.headline).render(style.language));
    let cells: Vec<&CellComparison> = pair.cells.iter().chain(&pair.limits).collect();
    let row = |cell: &&CellComparison| {
        let figure = cell.figures.first()?;
        Some(rate_row(cell, figure, true, style))
    };
    let rows: Vec<Vec<String>> = cells.iter().filter_map(row).take(rows_max).collect();
    let shown = rows.len();
    if shown > 0 {
        write_rate_table(out, (name(pair.a), name(pair.b)), rows, style);
    }
    if cells.len() > shown {
        let _ =
            writeln!(out, "{}", MoreRates { count: cells.len() - shown }.render(style.language));
    }
    for warning in pair.warnings.iter().take(WARNINGS_MAX) {
        write_hanging(out, style, "! ", "  ", &warning.render(style.language));
    }
    let left = pair.warnings.len().saturating_sub(WARNINGS_MAX)
        + left_out_lines(pair, style.language).len();
    if left > 0 {
        let _ = writeln!(out, "{}", MoreNotes { count: left }.render(style.language));
    }
}

/// The label, both figures, their ratio with its interval, and the verdict.
fn rate_row(cell: &CellComparison, of: &FigureComparison, main: bool, style: Style) -> Vec<String> {
    let closed = of.figure.kind == FigureKind::Iops;
    let (label, figure) = (cell.label.clone(), of.figure.label());
    let label = match main {
        true if closed => label.render(style.language),
        true => CellPart { cell: label, part: figure }.render(style.language),
        false => format!("  {}", ItsFigure { figure }.render(style.language)),
    };
    let star = if main && cell.holds_in_family { " *" } else { "" };
    let verdict = || verdict_words(&of.effect).render(style.language);
    let words = if main { format!("{}{star}", verdict()) } else { String::new() };
    let figures = [
        format_figure(&of.figure, of.a.value),
        format_figure(&of.figure, of.b.value),
        format_ratio(of.effect.ratio.value),
        format_interval(&of.effect.ratio, style.language),
    ];
    let figures = figures.iter().map(|figure| style.language.punctuate(figure));
    [label].into_iter().chain(figures).chain([words]).collect()
}

fn write_rate_table(out: &mut String, (a, b): (&str, &str), rows: Vec<Vec<String>>, style: Style) {
    let title = SidesTitle { a: a.to_owned(), b: b.to_owned() }.render(style.language);
    let ratio = style.say("head-ratio");
    let head = [title.as_str(), a, b, &ratio, "95 %", ""];
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[4]), style);
}

fn write_pair(out: &mut String, comparison: &Comparison, pair: &Pair, style: Style) {
    let name = |place: usize| comparison.sides.get(place).map_or("?", |side| side.label.as_str());
    let (a, b) = (name(pair.a), name(pair.b));
    write_heading(out, style, &(&pair.headline).render(style.language));
    for warning in &pair.warnings {
        let before = out.len();
        write_wrapped(out, style, "  ", &format!("! {}", warning.render(style.language)));
        let words = out.split_off(before);
        out.push_str(&style.status(Status::Warning, words.trim_end()));
        out.push('\n');
    }
    write_rates(out, pair, (a, b), style);
    write_latencies(out, pair, (a, b), style);
    write_hosts(out, pair, (a, b), style);
    write_prices(out, comparison, pair, (a, b), style);
    let lines = left_out_lines(pair, style.language);
    if !lines.is_empty() {
        write_heading(out, style, &style.say("page-not-compared"));
        lines.iter().take(LEFT_OUT_MAX).for_each(|line| write_wrapped(out, style, "  ", line));
        if lines.len() > LEFT_OUT_MAX {
            let words = AndMore { count: lines.len() - LEFT_OUT_MAX }.render(style.language);
            write_wrapped(out, style, "  ", &words);
        }
    }
}

fn write_rates(out: &mut String, pair: &Pair, sides: (&str, &str), style: Style) {
    let mut rows = Vec::new();
    for cell in pair.cells.iter().chain(&pair.limits) {
        for (place, figure) in cell.figures.iter().enumerate() {
            let main = place == 0;
            let part = figure.figure.kind == FigureKind::Iops && figure.figure.direction.is_some();
            // Bytes of a fixed size are the operations once more.
            if main || part {
                rows.push(rate_row(cell, figure, main, style));
            }
        }
    }
    write_rate_table(out, sides, rows, style);
    write_wrapped(out, style, "", &style.say("compare-rates-key"));
}

fn write_latencies(out: &mut String, pair: &Pair, (a, b): (&str, &str), style: Style) {
    const SHOWN: [&str; 4] = ["mean", "p50", "p99", "p99.9"];
    let of = |cell: &CellComparison, direction, name: &str| -> Option<String> {
        let wanted = Figure { kind: FigureKind::Latency(name.to_owned()), direction };
        let found = cell.figures.iter().find(|figure| figure.figure == wanted)?;
        let told = matches!(found.effect.outcome, Outcome::Faster | Outcome::Slower);
        let star = if told && found.effect.basis == Basis::BetweenRuns { "*" } else { " " };
        let ratio = style.language.punctuate(&format_ratio(found.effect.ratio.value));
        Some(format!("{ratio}{star}"))
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for cell in &pair.cells {
        let figures = cell.figures.iter().map(|figure| &figure.figure);
        let latencies = figures.filter(|figure| matches!(figure.kind, FigureKind::Latency(_)));
        let mut directions: Vec<_> = latencies.map(|figure| figure.direction).collect();
        directions.dedup();
        for direction in directions {
            let label: Message = match direction {
                Some(direction) => {
                    CellPart { cell: cell.label.clone(), part: direction_words(direction) }.into()
                }
                None => cell.label.clone(),
            };
            let label = label.render(style.language);
            let figures =
                SHOWN.map(|name| of(cell, direction, name).unwrap_or_else(|| "- ".into()));
            rows.push([label].into_iter().chain(figures).collect());
        }
    }
    if rows.is_empty() {
        return;
    }
    let title = LatencyTitle { a: a.to_owned(), b: b.to_owned() }.render(style.language);
    let mean = format!("{} ", style.say("head-mean"));
    let head = [title.as_str(), &mean, "p50 ", "p99 ", "p99.9 "];
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[4, 1]), style);
    write_wrapped(out, style, "", &style.say("compare-latency-key"));
}

fn write_hosts(out: &mut String, pair: &Pair, (a, b): (&str, &str), style: Style) {
    if pair.hosts.is_empty() {
        return;
    }
    let title = HostsTitle { a: a.to_owned(), b: b.to_owned() }.render(style.language);
    let row = |host: &record::compare::HostComparison| {
        vec![
            host.host.clone(),
            host.cells.len().to_string(),
            style.language.punctuate(&format_ratio(host.effect.ratio.value)),
            format_interval(&host.effect.ratio, style.language),
            verdict_words(&host.effect).render(style.language),
        ]
    };
    let (cells, ratio) = (style.say("head-cells"), style.say("head-ratio"));
    let head = [title.as_str(), &cells, &ratio, "95 %", ""];
    let rows = pair.hosts.iter().take(HOSTS_MAX).map(row);
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[1, 3]), style);
    if pair.hosts.len() > HOSTS_MAX {
        let more = AndMoreOnPage { count: pair.hosts.len() - HOSTS_MAX };
        write_wrapped(out, style, "  ", &more.render(style.language));
    }
    write_wrapped(out, style, "", &style.say("compare-hosts-note"));
}

fn write_prices(
    out: &mut String,
    comparison: &Comparison,
    pair: &Pair,
    (a, b): (&str, &str),
    style: Style,
) {
    let currency = comparison.currency.clone();
    let currency = currency.unwrap_or_else(|| style.say("compare-unit-of-money"));
    let mut rows = Vec::new();
    for cell in pair.cells.iter().chain(&pair.limits) {
        for figure in cell.figures.iter().filter(|figure| figure.figure.direction.is_none()) {
            let Some(money) = &figure.per_price else { continue };
            rows.push(vec![
                CellPart { cell: cell.label.clone(), part: figure.figure.label() }
                    .render(style.language),
                style.language.punctuate(&format_per_price(&figure.figure, money.a.value)),
                style.language.punctuate(&format_per_price(&figure.figure, money.b.value)),
                style.language.punctuate(&format_ratio(money.ratio.value)),
                format_interval(&money.ratio, style.language),
            ]);
        }
    }
    if rows.is_empty() {
        return;
    }
    let title = MoneyTitle { currency }.render(style.language);
    let ratio = style.say("head-ratio");
    let head = [title.as_str(), a, b, &ratio, "95 %"];
    write_figures(out, &FigureTable::new(head, rows).dispensable(&[4]), style);
}

messages! {
    MorePairs = "compare-more-pairs" { count: usize };
    MoreRates = "compare-more-rates" { count: usize };
    MoreNotes = "compare-more-notes" { count: usize };
    CellPart = "compare-cell-part" { cell: Message, part: Message };
    ItsFigure = "compare-its-figure" { figure: Message };
    LatencyTitle = "compare-latency-title" { a: String, b: String };
    HostsTitle = "compare-hosts-title" { a: String, b: String };
    MoneyTitle = "compare-money-title" { currency: String };
}
