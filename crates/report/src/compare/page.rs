//! A comparison as one self-contained page.

use askama::Template;
use record::compare::{
    Basis, Comparison, Effect, FigureComparison, HostComparison, Outcome, Pair, Side,
};

use units::escape_controls;

use super::charts::draw_charts;
use super::{
    format_figure, format_interval, format_per_price, format_ratio, left_out_lines, method_words,
    price_words, runs_words,
};
use crate::chart::Chart;
use crate::html::ReportError;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    title: String,
    sides: Vec<SideView>,
    pairs: Vec<PairView>,
    currency: String,
    method: String,
    version: String,
    schema: u32,
}

struct SideView {
    label: String,
    name: String,
    runs: String,
    price: String,
    caps: Vec<String>,
}

struct PairView {
    title: String,
    /// The whole in a few words.
    answer: String,
    headline: String,
    /// How many runs would tell, once for all cells; empty where the runs at hand tell.
    more_runs: String,
    a: String,
    b: String,
    warnings: Vec<String>,
    ratios: Chart,
    curves: Vec<Chart>,
    /// The figure of each cell that its verdict is about.
    rows: Vec<ComparisonRow>,
    /// The other figures.
    details: Vec<ComparisonRow>,
    /// The hosts that both sides have; the figure is how many cells each has.
    hosts: Vec<ComparisonRow>,
    money: Vec<ComparisonRow>,
    left_out: Vec<String>,
}

#[derive(Default)]
struct ComparisonRow {
    label: String,
    figure: String,
    a: String,
    b: String,
    ratio: String,
    interval: String,
    words: String,
    class: &'static str,
}

/// The whole comparison as one page that needs nothing from anywhere.
///
/// # Errors
/// Only when the template fails, which its tests rule out.
pub fn render_comparison_html(comparison: &Comparison) -> Result<String, ReportError> {
    let names: Vec<&str> = comparison.sides.iter().map(|side| side.name.as_str()).collect();
    let side = |side: &Side| SideView {
        label: side.label.clone(),
        name: side.name.clone(),
        runs: runs_words(side),
        price: price_words(side, comparison).unwrap_or_default(),
        caps: side.caps.iter().map(|cap| cap.words.to_string()).collect(),
    };
    let page = Page {
        title: names.join(" against "),
        sides: comparison.sides.iter().map(side).collect(),
        pairs: comparison.pairs.iter().map(|pair| build_pair(pair, comparison)).collect(),
        currency: comparison.currency.clone().unwrap_or_else(|| "no currency was given".to_owned()),
        method: method_words(comparison),
        version: comparison.tool.version.clone(),
        schema: comparison.comparison_version,
    };
    Ok(escape_controls(&page.render()?).into_owned())
}

fn build_pair(pair: &Pair, comparison: &Comparison) -> PairView {
    let name = |place: usize| {
        comparison.sides.get(place).map_or_else(|| "?".to_owned(), |side| side.label.clone())
    };
    let (a, b) = (name(pair.a), name(pair.b));
    let (mut rows, mut details, mut money) = (Vec::new(), Vec::new(), Vec::new());
    for cell in pair.cells.iter().chain(&pair.limits) {
        for (place, figure) in cell.figures.iter().enumerate() {
            let label = cell.label.to_string();
            let star = if cell.holds_in_family { " *" } else { "" };
            match place {
                0 => rows.push(build_row(label, figure, star)),
                _ => details.push(build_row(label, figure, "")),
            }
            money.extend(build_price_row(&cell.label, figure));
        }
    }
    let (ratios, curves) = draw_charts(pair, (&a, &b), comparison.margin);
    PairView {
        title: format!("{b} against {a}"),
        answer: answer_words(pair, (&a, &b)),
        more_runs: more_runs_words(pair),
        headline: pair.headline.to_string(),
        warnings: pair.warnings.iter().map(ToString::to_string).collect(),
        ratios,
        curves,
        rows,
        details,
        hosts: pair.hosts.iter().map(build_host_row).collect(),
        money,
        left_out: left_out_lines(pair),
        a,
        b,
    }
}

/// The answer in a few words: that of all cells together, or of the only one.
fn answer_words(pair: &Pair, (a, b): (&str, &str)) -> String {
    let only = || match pair.cells.as_slice() {
        [cell] => cell.main_figure().map(|main| &main.effect),
        _ => None,
    };
    let Some(effect) = pair.overall.as_ref().or_else(only) else {
        return pair.headline.to_string();
    };
    match (effect.outcome, effect.basis) {
        (_, Basis::Figures) => pair.headline.to_string(),
        (Outcome::CannotTell, _) => format!("No difference shown between {a} and {b}"),
        (Outcome::Same, _) => format!("{a} and {b} are {}", effect.words),
        (Outcome::Faster | Outcome::Slower, _) => effect.words.to_string(),
    }
}

fn more_runs_words(pair: &Pair) -> String {
    let mains = pair.cells.iter().chain(&pair.limits).filter_map(|cell| cell.main_figure());
    let lacking = mains.filter_map(|main| {
        let effect = &main.effect;
        let needed = effect.runs_needed.filter(|_| effect.outcome == Outcome::CannotTell)?;
        Some(needed.saturating_sub(effect.runs.0.min(effect.runs.1)))
    });
    match lacking.max() {
        None | Some(0) => String::new(),
        Some(more) => {
            format!("The cells that cannot be told need up to {more} more runs of each side.")
        }
    }
}

fn build_row(label: String, of: &FigureComparison, star: &str) -> ComparisonRow {
    ComparisonRow {
        label,
        figure: of.figure.to_string(),
        a: format_figure(&of.figure, of.a.value),
        b: format_figure(&of.figure, of.b.value),
        ..build_effect_row(&of.effect, star)
    }
}

fn build_host_row(of: &HostComparison) -> ComparisonRow {
    ComparisonRow {
        label: of.host.clone(),
        figure: of.cells.len().to_string(),
        ..build_effect_row(&of.effect, "")
    }
}

fn build_effect_row(effect: &Effect, star: &str) -> ComparisonRow {
    ComparisonRow {
        ratio: format_ratio(effect.ratio.value),
        interval: format_interval(&effect.ratio),
        words: match effect.basis {
            Basis::Figures => "one run each: no interval between runs".to_owned(),
            _ if effect.outcome == Outcome::CannotTell => "cannot tell".to_owned(),
            _ => format!("{}{star}", effect.words),
        },
        class: effect_class(effect),
        ..ComparisonRow::default()
    }
}

const fn effect_class(effect: &Effect) -> &'static str {
    match effect.outcome {
        Outcome::Faster => "better",
        Outcome::Slower => "worse",
        Outcome::Same => "",
        Outcome::CannotTell => "open",
    }
}

fn build_price_row(label: &str, of: &FigureComparison) -> Option<ComparisonRow> {
    let money = of.per_price.as_ref().filter(|_| of.figure.direction.is_none())?;
    Some(ComparisonRow {
        label: label.to_owned(),
        figure: of.figure.to_string(),
        a: format_per_price(&of.figure, money.a.value),
        b: format_per_price(&of.figure, money.b.value),
        ratio: format_ratio(money.ratio.value),
        interval: format_interval(&money.ratio),
        ..ComparisonRow::default()
    })
}
