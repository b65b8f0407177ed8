//! The whole comparison in a line or two.

use record::compare::{Basis, CellComparison, Comparison, Outcome, Pair, Side};

use super::effect::{format_ratio, format_run_counts};

pub(super) fn write_headlines(comparison: &mut Comparison) {
    let headlines: Vec<String> =
        comparison.pairs.iter().map(|pair| pair_headline(pair, comparison)).collect();
    for (pair, headline) in comparison.pairs.iter_mut().zip(headlines) {
        pair.headline = headline.into();
    }
}

fn pair_headline(pair: &Pair, comparison: &Comparison) -> String {
    let b = comparison.sides.get(pair.b).map_or("B", |side| side.label.as_str());
    let all: Vec<&CellComparison> = pair.cells.iter().chain(&pair.limits).collect();
    let weak = |cell: &&CellComparison| {
        cell.main_figure().is_some_and(|main| main.effect.basis != Basis::BetweenRuns)
    };
    let mut words = match all.iter().all(weak) {
        _ if all.is_empty() => vec![describe_nothing_usable(pair)],
        true => describe_single_runs(&all, b),
        false => describe_many_runs(pair, &all, comparison, b),
    };
    for side in [pair.a, pair.b].iter().filter_map(|&place| comparison.sides.get(place)) {
        words.extend(describe_cap(side));
    }
    words.join(" ")
}

fn describe_nothing_usable(pair: &Pair) -> String {
    let reason = pair.excluded.first().map_or("", |excluded| excluded.reason.text());
    format!("Cannot tell: what both sides measured was left out ({reason}).")
}

fn describe_cap(side: &Side) -> Option<String> {
    let cap = side.caps.first()?;
    (cap.iops.0 > 0.0).then(|| format!("{} looks capped at {} IOPS.", side.label, cap.iops))
}

fn describe_single_runs(all: &[&CellComparison], b: &str) -> Vec<String> {
    let speed_ratio = |cell: &&CellComparison| {
        let main = cell.main_figure()?;
        let ratio = main.effect.ratio.value;
        Some(if main.figure.more_is_better() { ratio } else { 1.0 / ratio })
    };
    let ratios: Vec<f64> = all.iter().filter_map(speed_ratio).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    // Many times as much is easier to read than a small part.
    let (more, less, least, most) = match most < 1.0 {
        true => ("A", b, 1.0 / most, 1.0 / least),
        false => (b, "A", least, most),
    };
    let range = match ratios.len() {
        1 => format!("{more} gives {} x what {less} gives", format_ratio(least)),
        count => {
            let (least, most) = (format_ratio(least), format_ratio(most));
            format!("{more} gives {least} to {most} x what {less} gives, over {count} cells")
        }
    };
    vec![
        format!("{range}, in one run each."),
        "One run each carries no interval for the difference between runs.".to_owned(),
    ]
}

fn describe_many_runs(
    pair: &Pair,
    all: &[&CellComparison],
    comparison: &Comparison,
    b: &str,
) -> Vec<String> {
    let mut words = Vec::new();
    let count = |wanted: &dyn Fn(&CellComparison) -> bool| all.iter().filter(|c| wanted(c)).count();
    let is = |cell: &CellComparison, outcome: Outcome| {
        cell.main_figure().is_some_and(|main| main.effect.outcome == outcome)
    };
    let sure = |cell: &CellComparison, outcome| is(cell, outcome) && cell.holds_in_family;
    let faster = count(&|cell| sure(cell, Outcome::Faster));
    let slower = count(&|cell| sure(cell, Outcome::Slower));
    let same = count(&|cell| is(cell, Outcome::Same));
    let open = count(&|cell| is(cell, Outcome::CannotTell));
    let alone = all.len() - faster - slower - same - open;
    let runs = all.iter().filter_map(|cell| cell.main_figure()).map(|main| main.effect.runs).max();
    let runs = format_run_counts(runs.unwrap_or((0, 0)));
    if let Some(overall) = &pair.overall {
        let mixed = faster > 0 && slower > 0;
        let but = if mixed { ", but it depends on the workload" } else { "" };
        let told = overall.outcome != Outcome::CannotTell;
        let runs = if told { format!(" ({runs})") } else { String::new() };
        words.push(format!("All cells together: {}{but}{runs}.", overall.words));
    } else if let [only] = all {
        let verdict = only.main_figure().map_or("", |main| main.effect.words.text());
        return vec![format!("{}: {verdict} ({runs}).", only.label)];
    }
    let parts = [(faster, "faster"), (slower, "slower"), (same, "the same")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, what)| format!("{what} in {number}")).collect();
    let mut said = Vec::new();
    if !parts.is_empty() {
        said.push(format!("{b} is {}", parts.join(", ")));
    }
    if alone > 0 {
        said.push(format!("{alone} differ each by itself, but not surely all of them"));
    }
    if open > 0 {
        said.push(format!("{open} cannot be told"));
    }
    let said = said.join("; ");
    words.push(format!(
        "Of {} comparisons: {said} (Holm, 5 % for all {}).",
        all.len(),
        comparison.comparisons
    ));
    let least = all
        .iter()
        .filter_map(|cell| cell.main_figure())
        .map(|m| m.effect.runs.0.min(m.effect.runs.1));
    if least.max().unwrap_or(0) < comparison.family_runs_needed && comparison.comparisons > 1 {
        words.push(format!(
            "With {} comparisons, {} runs each are needed before any of them can stand alone.",
            comparison.comparisons, comparison.family_runs_needed
        ));
    }
    words
}
