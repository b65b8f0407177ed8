//! A comparison, told: on a terminal and as one page, from the comparison alone.

pub(crate) mod charts;
pub(crate) mod page;
pub(crate) mod text;

use message::{Language, Message, Render as _, label, messages};
use record::compare::{Basis, Comparison, Effect, Figure, FigureKind, Outcome, Pair, Side};
use stats::Estimate;
use units::{Iops, Nanos};

use crate::words::{format_day, megabytes, or_dash};

pub use page::render_comparison_html;
pub use text::{render_comparison_summary, render_comparison_text};

pub(crate) fn format_figure(figure: &Figure, value: f64) -> String {
    match figure.kind {
        FigureKind::Iops => Iops(value).to_string(),
        FigureKind::BytesPerSecond => megabytes(value),
        FigureKind::Latency(_) => Nanos(value.round() as u64).to_string(),
    }
}

/// A figure for each unit of money, with three digits or more.
fn format_per_price(figure: &Figure, value: f64) -> String {
    let value = match figure.kind {
        FigureKind::BytesPerSecond => value / 1e6,
        _ => value,
    };
    match value {
        100.0.. => Iops(value).to_string(),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// `x 1.20`, `x 13.0`.
pub(crate) fn format_ratio(ratio: f64) -> String {
    format!("x {}", format_factor(ratio))
}

fn format_factor(ratio: f64) -> String {
    match ratio {
        r if r >= 9.95 => format!("{r:.1}"),
        r if r >= 0.0995 => format!("{r:.2}"),
        r => format!("{r:.4}"),
    }
}

/// `1.18 to 1.22`, or `-`.
pub(crate) fn format_interval(ratio: &Estimate, language: Language) -> String {
    let factor = |ratio: f64| language.punctuate(&format_factor(ratio));
    let words = |(low, high)| Range { low: factor(low), high: factor(high) }.render(language);
    or_dash(ratio.interval().map(words))
}

pub(crate) fn verdict_words(effect: &Effect) -> Message {
    let is_weak = effect.basis == Basis::WithinRuns;
    match (effect.outcome, effect.runs_needed) {
        (Outcome::Faster, _) if is_weak => label("compare-better-one-run"),
        (Outcome::Faster, _) => label("compare-better"),
        (Outcome::Slower, _) if is_weak => label("compare-worse-one-run"),
        (Outcome::Slower, _) => label("compare-worse"),
        (Outcome::Same, _) => label("compare-the-same"),
        (Outcome::CannotTell, Some(runs)) => NeedsRuns { runs }.into(),
        (Outcome::CannotTell, None) => label("compare-cannot-tell"),
    }
}

/// `4 runs, 2026-11-19 to 2026-11-20`; of one run its id, so that it can be found again.
fn runs_words(side: &Side) -> Message {
    let runs = side.runs.len();
    let days = || side.runs.iter().filter_map(|run| run.started).map(format_day);
    match (side.runs.as_slice(), days().min().zip(days().max())) {
        ([run], Some((day, _))) => OneRun { run: run.id.clone(), day }.into(),
        (_, Some((day, last))) if day == last => RunsOfDay { runs, day }.into(),
        (_, Some((first, last))) => RunsOfDays { runs, first, last }.into(),
        (_, None) => Runs { runs }.into(),
    }
}

/// The day of the newest run.
fn newest_day(comparison: &Comparison) -> String {
    let runs = comparison.sides.iter().flat_map(|side| &side.runs);
    runs.filter_map(|run| run.started).max().map(format_day).unwrap_or_default()
}

fn price_words(side: &Side, comparison: &Comparison, language: Language) -> Option<String> {
    let currency = comparison.currency.clone().unwrap_or_default();
    let price = side.price?.to_string();
    let words = Price { price: language.punctuate(&price), currency }.render(language);
    Some(words.replace("  ", " "))
}

fn left_out_lines(pair: &Pair, language: Language) -> Vec<String> {
    let lone = pair.unmatched.iter().map(|lone| -> Message {
        let (side, cell) = (lone.side.clone(), lone.label.clone());
        match lone.nearest.clone() {
            Some(nearest) => OnlySideNearest { side, cell, nearest }.into(),
            None => OnlySide { side, cell }.into(),
        }
    });
    let excluded = pair.excluded.iter().map(|out| -> Message {
        let (side, cell) = (out.side.clone(), out.label.clone());
        Excluded { side, cell, run: out.run.clone(), reason: out.reason.clone() }.into()
    });
    lone.chain(excluded).map(|line| line.render(language)).collect()
}

fn method_words(comparison: &Comparison) -> Message {
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let (margin, least) = (percent(comparison.margin), percent(comparison.least_effect));
    Method { least, margin, comparisons: comparison.comparisons }.into()
}

messages! {
    Range = "range" { low: String, high: String };
    NeedsRuns = "compare-needs-runs" { runs: u64 };
    Runs = "compare-runs" { runs: usize };
    OneRun = "compare-one-run" { run: String, day: String };
    RunsOfDay = "compare-runs-of-day" { runs: usize, day: String };
    RunsOfDays = "compare-runs-of-days" { runs: usize, first: String, last: String };
    Price = "compare-price" { price: String, currency: String };
    OnlySide = "compare-only-side" { side: String, cell: Message };
    OnlySideNearest = "compare-only-side-nearest" {
        side: String, cell: Message, nearest: Message,
    };
    Excluded = "compare-excluded" { side: String, cell: Message, run: String, reason: Message };
    Method = "compare-method" { least: String, margin: String, comparisons: u64 };
}

#[cfg(test)]
pub(crate) mod tests {
    use analysis::compare::{ComparisonCriteria, Group, compare_groups};
    use record::Record;
    use units::Bytes;

    use super::*;
    use crate::Style;

    /// The made-up SSD with its operations multiplied.
    fn run(factor: f64, number: u32) -> Record {
        let mut record = record::fixture::ssd_record();
        for cell in &mut record.measured.cells {
            for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
                totals.iops *= factor;
                totals.bytes_per_second *= factor;
                totals.latency_ns.mean /= factor;
            }
        }
        record.measured.id = format!("{}-{number}", record.measured.id);
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    fn compared(a: &[Record], b: &[Record], prices: Option<(f64, f64)>) -> Comparison {
        fn side(records: &[Record], price: Option<f64>) -> Group<'_> {
            Group {
                runs: records.iter().map(|r| (r, format!("{}.json", r.measured.id))).collect(),
                price,
            }
        }
        let terms = ComparisonCriteria {
            currency: Some("EUR".to_owned()),
            ..ComparisonCriteria::with_defaults("0.1.0")
        };
        let groups = [side(a, prices.map(|p| p.0)), side(b, prices.map(|p| p.1))];
        compare_groups(&groups, &terms).unwrap()
    }

    fn four(factor: f64) -> Vec<Record> {
        [1.0, 1.004, 0.997, 1.002].into_iter().zip(0..).map(|(x, n)| run(x * factor, n)).collect()
    }

    pub(crate) fn comparison() -> Comparison {
        compared(&four(1.0), &four(1.3), None)
    }

    fn text(comparison: &Comparison) -> String {
        let text = render_comparison_text(comparison, Style::PLAIN);
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
        }
        text
    }

    fn check(text: &str, wanted: &[&str]) {
        // Lines are broken anywhere.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in wanted {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
    }

    #[test]
    fn the_terminal_says_ratios_intervals_verdicts_and_money() {
        let comparison = compared(&four(1.0), &four(1.3), Some((24.0, 48.0)));
        let words = [
            "B is 1.30 x faster",
            "random read 4k, depth 64",
            "x 1.30",
            "1.29 to 1.31",
            "better",
            "its write IOPS",
            "Latency, B over A",
            "For each EUR a month",
            "24 EUR a month",
            "x 0.65",
            "a significant result needs",
        ];
        check(&text(&comparison), &words);
        check(&text(&compared(&four(1.0), &four(1.0), None)), &["the same within 5.0 %"]);
        let slower = text(&compared(&four(1.0), &four(0.5), None));
        check(&slower, &["B is 2.00 x slower", "worse"]);
    }

    #[test]
    fn one_figure_has_one_value() {
        let comparison = compared(&four(1.0), &four(1.3), None);
        let large = |text: &str| crate::terminal::large_numbers(text);
        let mut known: Vec<String> = Vec::new();
        for pair in &comparison.pairs {
            let figures = pair.cells.iter().chain(&pair.limits).flat_map(|cell| &cell.figures);
            for of in figures {
                for side in [&of.a, &of.b] {
                    let values = [Some(side.value), side.low, side.high].into_iter().flatten();
                    known.extend(values.flat_map(|value| large(&format_figure(&of.figure, value))));
                }
            }
        }
        let page = render_comparison_html(&comparison, message::Language::English).unwrap();
        let page = crate::terminal::page_text(&page);
        let texts = [text(&comparison), render_comparison_summary(&comparison, Style::PLAIN), page];
        for text in texts {
            assert!(!large(&text).is_empty(), "{text}");
            for number in large(&text) {
                assert!(known.contains(&number), "{number} is no figure of the comparison: {text}");
            }
        }
    }

    #[test]
    fn single_runs_and_few_runs_say_what_they_cannot() {
        let single = text(&compared(&four(1.0)[..1], &four(1.3)[..1], None));
        let wanted = "One run of each side does not show how much runs differ.";
        check(&single, &[wanted, "needs 4 runs"]);
        let three = text(&compared(&four(1.0)[..3], &four(1.3)[..3], None));
        check(&three, &["needs 4 runs", "-"]);
    }

    #[test]
    fn a_page_without_a_ratio_has_no_empty_picture_or_table() {
        let disturbed = |number| {
            let mut record = run(1.0, number);
            let ledgers = record.measured.cells.iter_mut().map(|cell| &mut cell.ledger);
            for layer in ledgers.flat_map(|ledger| &mut ledger.layers) {
                (layer.read_ops, layer.write_ops) = (0, 0);
                (layer.read_bytes, layer.write_bytes) = (Bytes(0), Bytes(0));
            }
            record.judgement = Some(analysis::judge(&record.measured));
            record
        };
        let page = |b: &[Record]| {
            let comparison = compared(&four(1.0), b, None);
            render_comparison_html(&comparison, message::Language::English).unwrap()
        };
        let empty = page(&[0, 1, 2, 3].map(disturbed));
        assert!(empty.contains("<details open><summary>Not compared"), "{empty}");
        assert!(!empty.contains("<figure") && !empty.contains("<tbody>\n</tbody>"), "{empty}");
        assert!(page(&four(1.1)).contains("<figure"));
    }

    /// Runs over four hosts, of which the third's rate is multiplied.
    fn over_hosts(factor: f64, number: u32) -> Record {
        let mut record = record::fixture::fleet_record();
        record.measured.id = format!("{}-{factor}-{number}", record.measured.id);
        let host = &mut record.measured.fleet.as_mut().unwrap().hosts[2];
        for totals in host.cells.iter_mut().filter_map(|part| part.cell.totals.read.as_mut()) {
            totals.iops *= factor * (1.0 + 0.001 * f64::from(number));
        }
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    #[test]
    fn hosts_that_both_sides_have_are_told_each_by_itself() {
        let runs = |factor: f64| -> Vec<Record> { (0..4).map(|n| over_hosts(factor, n)).collect() };
        let comparison = compared(&runs(1.0), &runs(2.0), None);
        let words = ["Host by host, B against A", "host-c 6 x 2.00", "host-d 6 x 1.00"];
        let told = text(&comparison);
        check(&told, &words);
        check(&told, &["4 hosts:/mnt/san", "not among the comparisons counted"]);
        let page = render_comparison_html(&comparison, message::Language::English).unwrap();
        for words in ["<summary>Host by host</summary>", "host-c", "B is 2.00 x faster"] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(!text(&compared(&four(1.0), &four(1.3), None)).contains("Host by host"));
    }

    #[test]
    fn the_page_holds_charts_and_escapes_what_is_foreign() {
        let evil = "</script><script>alert(1)</script>";
        let mut b = four(1.3);
        b[0].measured.environment.hostname = Some(evil.to_owned());
        b[1].measured.cells.iter_mut().for_each(|cell| cell.backend = evil.to_owned());
        let page = render_comparison_html(
            &compared(&four(1.0), &b, Some((24.0, 48.0))),
            message::Language::English,
        )
        .unwrap();
        assert!(!page.contains("<script>alert"));
        check(
            &page,
            &[
                "\"ratios-1-\"",
                "\"depth-1-random-read-4k\"",
                "\"load-1-random-read-4k\"",
                "class=\"same\"",
                "For the money",
                "B is 1.30 x faster",
            ],
        );
        for load in ["src=", "href=", "@import", "url(", "<link", "<iframe", "<script"] {
            assert!(!page.contains(load), "{load}");
        }
    }
}
