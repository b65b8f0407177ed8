//! A comparison as one self-contained page.

use askama::Template;
use record::compare::{
    Basis, Comparison, Effect, FigureComparison, HostComparison, Outcome, Pair, Side,
};

use super::charts::draw_charts;
use super::{
    format_figure, format_interval, format_per_price, format_ratio, left_out_lines, method_words,
    price_words, runs_words,
};
use crate::html::plot::Chart;
use crate::html::{ReportError, escape_page, plotly_source};

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
    library: String,
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
    headline: String,
    a: String,
    b: String,
    warnings: Vec<String>,
    charts: Vec<Chart>,
    rows: Vec<ComparisonRow>,
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
    let names: Vec<&str> = comparison.sides.iter().map(|side| side.name.text()).collect();
    let side = |side: &Side| SideView {
        label: side.label.clone(),
        name: side.name.to_string(),
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
        library: plotly_source(),
    };
    Ok(escape_page(&page.render()?, &page.library))
}

fn build_pair(pair: &Pair, comparison: &Comparison) -> PairView {
    let name = |place: usize| {
        comparison.sides.get(place).map_or_else(|| "?".to_owned(), |side| side.label.clone())
    };
    let (a, b) = (name(pair.a), name(pair.b));
    let (mut rows, mut money) = (Vec::new(), Vec::new());
    for cell in pair.cells.iter().chain(&pair.limits) {
        for (place, figure) in cell.figures.iter().enumerate() {
            let star = if place == 0 && cell.holds_in_family { " *" } else { "" };
            let label = if place == 0 { cell.label.clone() } else { String::new().into() };
            rows.push(build_row(label.text().to_owned(), figure, star));
            money.extend(build_price_row(&cell.label, figure));
        }
    }
    PairView {
        title: format!("{b} against {a}"),
        headline: pair.headline.clone().text().to_owned(),
        warnings: pair.warnings.iter().map(ToString::to_string).collect(),
        charts: draw_charts(pair, (&a, &b)),
        rows,
        hosts: pair.hosts.iter().map(build_host_row).collect(),
        money,
        left_out: left_out_lines(pair),
        a,
        b,
    }
}

fn build_row(label: String, of: &FigureComparison, star: &str) -> ComparisonRow {
    ComparisonRow {
        label,
        figure: of.figure.label().to_string(),
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
        figure: of.figure.label().to_string(),
        a: format_per_price(&of.figure, money.a.value),
        b: format_per_price(&of.figure, money.b.value),
        ratio: format_ratio(money.ratio.value),
        interval: format_interval(&money.ratio),
        ..ComparisonRow::default()
    })
}
