//! A comparison as one self-contained page.

use askama::Template;
use message::{Language, Message, Render as _, messages};
use record::compare::{
    Basis, Comparison, Effect, FigureComparison, HostComparison, Outcome, Pair, Side,
};

use units::escape_controls;

use super::charts::draw_charts;
use super::{
    format_figure, format_interval, format_per_price, format_ratio, left_out_lines, method_words,
    newest_day, price_words, runs_words,
};
use crate::chart::Chart;
use crate::html::ReportError;
use crate::words::say;

messages! {
    SidesTitle = "compare-sides" { a: String, b: String };
    RatioCaption = "compare-ratio-caption" { a: String, b: String };
    NoDifference = "compare-no-difference" { a: String, b: String };
    SameSides = "compare-same" { a: String, b: String, words: Message };
    MoreRuns = "compare-more-runs" { runs: u64 };
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    language: Language,
    title: String,
    /// Of the newest run.
    day: String,
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
pub fn render_comparison_html(
    comparison: &Comparison,
    language: Language,
) -> Result<String, ReportError> {
    let mut names: Vec<&str> = comparison.sides.iter().map(|side| side.name.text()).collect();
    names.dedup();
    let side = |side: &Side| SideView {
        label: side.label.clone(),
        name: (&side.name).render(language),
        runs: runs_words(side).render(language),
        price: price_words(side, comparison, language).unwrap_or_default(),
        caps: side.caps.iter().map(|cap| (&cap.words).render(language)).collect(),
    };
    let page = Page {
        language,
        title: names.join(" / "),
        day: newest_day(comparison),
        sides: comparison.sides.iter().map(side).collect(),
        pairs: comparison.pairs.iter().map(|pair| build_pair(pair, comparison, language)).collect(),
        currency: comparison
            .currency
            .clone()
            .unwrap_or_else(|| say("compare-no-currency", language)),
        method: method_words(comparison).render(language),
        version: comparison.tool.version.clone(),
        schema: comparison.comparison_version,
    };
    Ok(escape_controls(&page.render()?).into_owned())
}

impl Page {
    fn language(&self) -> Language {
        self.language
    }

    fn say(&self, id: &str) -> String {
        say(id, self.language)
    }

    fn ratio_caption(&self, pair: &PairView) -> String {
        RatioCaption { a: pair.a.clone(), b: pair.b.clone() }.render(self.language)
    }
}

fn build_pair(pair: &Pair, comparison: &Comparison, language: Language) -> PairView {
    let name = |place: usize| {
        comparison.sides.get(place).map_or_else(|| "?".to_owned(), |side| side.label.clone())
    };
    let (a, b) = (name(pair.a), name(pair.b));
    let (mut rows, mut details, mut money) = (Vec::new(), Vec::new(), Vec::new());
    for cell in pair.cells.iter().chain(&pair.limits) {
        for (place, figure) in cell.figures.iter().enumerate() {
            let label = (&cell.label).render(language);
            let star = if cell.holds_in_family { " *" } else { "" };
            match place {
                0 => rows.push(build_row(label, figure, (star, language))),
                _ => details.push(build_row(label, figure, ("", language))),
            }
            money.extend(build_price_row(&cell.label, figure, language));
        }
    }
    let (ratios, curves) = draw_charts(pair, (&a, &b), comparison.margin, language);
    PairView {
        title: SidesTitle { a: a.clone(), b: b.clone() }.render(language),
        answer: answer_words(pair, (&a, &b), language),
        more_runs: more_runs_words(pair, language),
        headline: (&pair.headline).render(language),
        warnings: pair.warnings.iter().map(|warning| warning.render(language)).collect(),
        ratios,
        curves,
        rows,
        details,
        hosts: pair.hosts.iter().map(|host| build_host_row(host, language)).collect(),
        money,
        left_out: left_out_lines(pair, language),
        a,
        b,
    }
}

/// The answer in a few words: that of all cells together, or of the only one.
fn answer_words(pair: &Pair, (a, b): (&str, &str), language: Language) -> String {
    let only = || match pair.cells.as_slice() {
        [cell] => cell.main_figure().map(|main| &main.effect),
        _ => None,
    };
    let Some(effect) = pair.overall.as_ref().or_else(only) else {
        return (&pair.headline).render(language);
    };
    match (effect.outcome, effect.basis) {
        (_, Basis::Figures) => (&pair.headline).render(language),
        (Outcome::CannotTell, _) => {
            NoDifference { a: a.to_owned(), b: b.to_owned() }.render(language)
        }
        (Outcome::Same, _) => {
            let words = effect.words.clone();
            SameSides { a: a.to_owned(), b: b.to_owned(), words }.render(language)
        }
        (Outcome::Faster | Outcome::Slower, _) => (&effect.words).render(language),
    }
}

fn more_runs_words(pair: &Pair, language: Language) -> String {
    let mains = pair.cells.iter().chain(&pair.limits).filter_map(|cell| cell.main_figure());
    let lacking = mains.filter_map(|main| {
        let effect = &main.effect;
        let needed = effect.runs_needed.filter(|_| effect.outcome == Outcome::CannotTell)?;
        Some(needed.saturating_sub(effect.runs.0.min(effect.runs.1)))
    });
    match lacking.max() {
        None | Some(0) => String::new(),
        Some(runs) => MoreRuns { runs }.render(language),
    }
}

fn build_row(
    label: String,
    of: &FigureComparison,
    (star, language): (&str, Language),
) -> ComparisonRow {
    ComparisonRow {
        label,
        figure: of.figure.label().render(language),
        a: language.punctuate(&format_figure(&of.figure, of.a.value)),
        b: language.punctuate(&format_figure(&of.figure, of.b.value)),
        ..build_effect_row(&of.effect, (star, language))
    }
}

fn build_host_row(of: &HostComparison, language: Language) -> ComparisonRow {
    ComparisonRow {
        label: of.host.clone(),
        figure: of.cells.len().to_string(),
        ..build_effect_row(&of.effect, ("", language))
    }
}

fn build_effect_row(effect: &Effect, (star, language): (&str, Language)) -> ComparisonRow {
    ComparisonRow {
        ratio: language.punctuate(&format_ratio(effect.ratio.value)),
        interval: format_interval(&effect.ratio, language),
        words: match effect.basis {
            Basis::Figures => say("compare-one-run-each", language),
            _ if effect.outcome == Outcome::CannotTell => say("compare-cannot-tell", language),
            _ => format!("{}{star}", (&effect.words).render(language)),
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

fn build_price_row(
    label: &Message,
    of: &FigureComparison,
    language: Language,
) -> Option<ComparisonRow> {
    let money = of.per_price.as_ref().filter(|_| of.figure.direction.is_none())?;
    Some(ComparisonRow {
        label: label.render(language),
        figure: of.figure.label().render(language),
        a: language.punctuate(&format_per_price(&of.figure, money.a.value)),
        b: language.punctuate(&format_per_price(&of.figure, money.b.value)),
        ratio: language.punctuate(&format_ratio(money.ratio.value)),
        interval: format_interval(&money.ratio, language),
        ..ComparisonRow::default()
    })
}
