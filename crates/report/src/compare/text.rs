//! A comparison on a terminal: at most 100 columns, readable without colour.

use std::fmt::Write as _;

use record::Status;
use record::compare::{
    Basis, CellComparison, Comparison, Effect, Figure, FigureComparison, FigureKind, Outcome, Pair,
};

use super::{
    format_figure, format_interval, format_per_price, format_ratio, left_out_lines, method_words,
    price_words, runs_words, verdict_words,
};
use crate::text::{Style, wrap_text, write_heading, write_wrapped};

const LABEL: usize = 37;
const HOSTS_MAX: usize = 24;
const LEFT_OUT_MAX: usize = 12;

pub fn render_comparison_text(comparison: &Comparison, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold("truedisk compare"));
    for side in &comparison.sides {
        let price = price_words(side, comparison).map(|words| format!(", {words}"));
        let words = format!(
            "{}  {} ({}{})",
            side.label,
            side.name,
            runs_words(side),
            price.unwrap_or_default()
        );
        write_wrapped(&mut out, style, "  ", &words);
    }
    for pair in &comparison.pairs {
        write_pair(&mut out, comparison, pair, style);
    }
    for side in &comparison.sides {
        for cap in &side.caps {
            out.push('\n');
            write_wrapped(&mut out, style, "", &format!("{}: {}", side.label, cap.words));
        }
    }
    out.push('\n');
    write_wrapped(&mut out, style, "", &method_words(comparison));
    out
}

fn write_pair(out: &mut String, comparison: &Comparison, pair: &Pair, style: Style) {
    let name = |place: usize| comparison.sides.get(place).map_or("?", |side| side.label.as_str());
    let (a, b) = (name(pair.a), name(pair.b));
    out.push('\n');
    for line in wrap_text(&pair.headline, style.prose_width()) {
        let _ = writeln!(out, "{}", style.bold(&line));
    }
    for warning in &pair.warnings {
        let before = out.len();
        write_wrapped(out, style, "  ", &format!("! {warning}"));
        let words = out.split_off(before);
        out.push_str(&style.status(Status::Warning, words.trim_end()));
        out.push('\n');
    }
    write_rates(out, pair, (a, b), style);
    write_latencies(out, pair, (a, b), style);
    write_hosts(out, pair, (a, b), style);
    write_prices(out, comparison, pair, (a, b), style);
    let lines = left_out_lines(pair);
    if !lines.is_empty() {
        write_heading(out, style, "Not compared");
        lines.iter().take(LEFT_OUT_MAX).for_each(|line| write_wrapped(out, style, "  ", line));
        if lines.len() > LEFT_OUT_MAX {
            let _ = writeln!(out, "  and {} more", lines.len() - LEFT_OUT_MAX);
        }
    }
}

fn write_rates(out: &mut String, pair: &Pair, (a, b): (&str, &str), style: Style) {
    let title = format!("{b} against {a}");
    let head = format!("{title:<LABEL$}{a:>11}{b:>11}{:>9}  {:<16}verdict", "ratio", "95 %");
    write_heading(out, style, &head);
    for cell in pair.cells.iter().chain(&pair.limits) {
        for (place, figure) in cell.figures.iter().enumerate() {
            let main = place == 0;
            let part = figure.figure.kind == FigureKind::Iops && figure.figure.direction.is_some();
            // Bytes of a fixed size are the operations once more.
            if main || part {
                write_rate_line(out, cell, figure, main, style);
            }
        }
    }
    let _ = writeln!(out, "* holds for all comparisons together; -: no interval.");
}

fn write_rate_line(
    out: &mut String,
    cell: &CellComparison,
    of: &FigureComparison,
    main: bool,
    style: Style,
) {
    let closed = of.figure.kind == FigureKind::Iops;
    let label = match main {
        true if closed => cell.label.clone(),
        true => format!("{}, {}", cell.label, of.figure).into(),
        false => format!("  its {}", of.figure).into(),
    };
    let star = if main && cell.holds_in_family { " *" } else { "" };
    let words = if main { format!("{}{star}", verdict_words(&of.effect)) } else { String::new() };
    let figures = format!(
        "{:>11}{:>11}{:>9}  {:<16}",
        format_figure(&of.figure, of.a.value),
        format_figure(&of.figure, of.b.value),
        format_ratio(of.effect.ratio.value),
        format_interval(&of.effect.ratio),
    );
    let verdict = paint_outcome(&of.effect, &words, style);
    if label.chars().count() >= LABEL {
        write_wrapped(out, style, "", &label);
        let _ = writeln!(out, "{:<LABEL$}{figures}{verdict}", "");
        return;
    }
    let _ = writeln!(out, "{}", format!("{label:<LABEL$}{figures}{verdict}").trim_end());
}

fn paint_outcome(effect: &Effect, words: &str, style: Style) -> String {
    match effect.outcome {
        _ if words.is_empty() => String::new(),
        Outcome::Faster => style.status(Status::Ok, words),
        Outcome::Slower => style.status(Status::Invalid, words),
        Outcome::Same => words.to_owned(),
        Outcome::CannotTell => style.status(Status::Warning, words),
    }
}

fn write_latencies(out: &mut String, pair: &Pair, (a, b): (&str, &str), style: Style) {
    const SHOWN: [&str; 4] = ["mean", "p50", "p99", "p99.9"];
    let of = |cell: &CellComparison, direction, name: &str| -> Option<String> {
        let wanted = Figure { kind: FigureKind::Latency(name.to_owned()), direction };
        let found = cell.figures.iter().find(|figure| figure.figure == wanted)?;
        let told = matches!(found.effect.outcome, Outcome::Faster | Outcome::Slower);
        let star = if told && found.effect.basis == Basis::BetweenRuns { "*" } else { " " };
        Some(format!("{}{star}", format_ratio(found.effect.ratio.value)))
    };
    let mut lines = Vec::new();
    for cell in &pair.cells {
        let figures = cell.figures.iter().map(|figure| &figure.figure);
        let latencies = figures.filter(|figure| matches!(figure.kind, FigureKind::Latency(_)));
        let mut directions: Vec<_> = latencies.map(|figure| figure.direction).collect();
        directions.dedup();
        for direction in directions {
            let label = match direction {
                Some(direction) => format!("{}, {}s", cell.label, direction.name()),
                None => cell.label.clone().text().to_owned(),
            };
            let mut text = format!("{label:<48}");
            for name in SHOWN {
                let words = of(cell, direction, name).unwrap_or_else(|| "- ".to_owned());
                let _ = write!(text, "{words:>12}");
            }
            lines.push(text.trim_end().to_owned());
        }
    }
    if lines.is_empty() {
        return;
    }
    let mut head = format!("{:<48}", format!("Latency, {b} over {a}: less is better"));
    SHOWN.iter().for_each(|name| head.push_str(&format!("{:>12}", format!("{name} "))));
    write_heading(out, style, &head);
    lines.iter().for_each(|line| out.extend([line, "\n"]));
    let _ = writeln!(out, "* the interval between runs is beyond the least effect.");
}

fn write_hosts(out: &mut String, pair: &Pair, (a, b): (&str, &str), style: Style) {
    if pair.hosts.is_empty() {
        return;
    }
    let head = format!("Host by host, {b} against {a}");
    let head = format!("{head:<LABEL$}{:>7}{:>9}  {:<16}verdict", "cells", "ratio", "95 %");
    write_heading(out, style, &head);
    for host in pair.hosts.iter().take(HOSTS_MAX) {
        let line = format!(
            "  {:<35}{:>7}{:>9}  {:<16}",
            host.host.chars().take(34).collect::<String>(),
            host.cells.len(),
            format_ratio(host.effect.ratio.value),
            format_interval(&host.effect.ratio),
        );
        let words = paint_outcome(&host.effect, &verdict_words(&host.effect), style);
        let _ = writeln!(out, "{line}{words}");
    }
    if pair.hosts.len() > HOSTS_MAX {
        let more = pair.hosts.len() - HOSTS_MAX;
        let _ = writeln!(out, "  and {more} more: --html shows all of them");
    }
    let _ = writeln!(out, "Each by its share of every cell; not among the comparisons counted.");
}

fn write_prices(
    out: &mut String,
    comparison: &Comparison,
    pair: &Pair,
    (a, b): (&str, &str),
    style: Style,
) {
    let currency = comparison.currency.as_deref().unwrap_or("unit of money");
    let mut lines = Vec::new();
    for cell in pair.cells.iter().chain(&pair.limits) {
        for figure in cell.figures.iter().filter(|figure| figure.figure.direction.is_none()) {
            let Some(money) = &figure.per_price else { continue };
            lines.push(format!(
                "{:<LABEL$} {:<6}{:>12}{:>12}{:>9}  {}",
                cell.label,
                figure.figure.to_string(),
                format_per_price(&figure.figure, money.a.value),
                format_per_price(&figure.figure, money.b.value),
                format_ratio(money.ratio.value),
                format_interval(&money.ratio),
            ));
        }
    }
    if lines.is_empty() {
        return;
    }
    let title = format!("For each {currency} a month");
    let head = format!("{title:<LABEL$} {:<6}{a:>12}{b:>12}{:>9}  95 %", "", "ratio");
    write_heading(out, style, &head);
    lines.iter().for_each(|line| out.extend([line, "\n"]));
}
