//! A figure over many runs: a picture for the terminal, a page with the same, and words.

use std::fmt::Write as _;

use analysis::{NewestLevel, Trend, TrendPoint};
use askama::Template;
use message::{Language, Message, Render as _, label, messages};
use record::{Metric, Record};
use stats::{Estimate, Level};
use units::escape_controls;

use crate::chart::{Axis, Chart, Dash, Look, NumberFormat, Plot, Point, Series};
use crate::figure_name::name_figure;
use crate::html::ReportError;
use crate::runs::format_value;
use crate::text::{Style, write_wrapped};
use crate::words::{format_day, say};

/// Columns of the picture where there is room, and its rows.
const COLUMNS_MAX: usize = 80;
/// Two dates and a gap.
const COLUMNS_MIN: usize = 22;
/// Of the column of values.
const LABEL: usize = 14;
const ROWS: usize = 12;

/// The trend as text: what, a picture, the levels, and what the newest is.
pub fn render_trend_text(subject: &TrendSubject, trend: &Trend, style: Style) -> String {
    let mut out = String::new();
    let say = |message: Message| message.render(style.language);
    write_wrapped(&mut out, style, "", &say(trend_title(subject, trend)));
    if let (Some(first), Some(last)) = (trend.points.first(), trend.points.last()) {
        out.push('\n');
        let columns = style.width.saturating_sub(LABEL + 2).clamp(COLUMNS_MIN, COLUMNS_MAX);
        out.push_str(&draw_text_chart(trend, columns, style.language));
        let (from, to) = (format_day(first.started), format_day(last.started));
        let _ = writeln!(out, "{:>LABEL$}  {from}{to:>1$}", "", columns - from.len());
        out.push('\n');
        for level in &trend.levels {
            write_wrapped(&mut out, style, "", &level_words(trend, level, style.language));
        }
    }
    write_wrapped(&mut out, style, "", &say(verdict_sentence(trend)));
    out
}

/// What a trend is of.
#[derive(Debug, Clone, Default)]
pub struct TrendSubject {
    /// `random read 4k, depth 1`.
    pub figure: Message,
    /// `vm:/srv/data`, or the path alone.
    pub target: String,
    pub version: String,
}

impl TrendSubject {
    /// The figure of a cell or a limit, as `history list --json` names them, in words.
    pub fn new(record: &Record, (cell, direction): (&str, &str), target: &str) -> Self {
        let named = name_figure(record, cell, direction);
        let figure = named.unwrap_or_else(|| Message::from_text(cell));
        let target = match record.measured.describe_host() {
            Some(host) => format!("{}:{target}", host.text()),
            None => target.to_owned(),
        };
        Self { figure, target, version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

fn trend_title(subject: &TrendSubject, trend: &Trend) -> Message {
    let metric = trend.metric.name().to_owned();
    let TrendSubject { figure, target, .. } = subject.clone();
    TrendTitle { metric, figure, target, runs: trend.points.len() }.into()
}

/// One `*` for each run, or for the runs that share a column; `|` where the level changed.
fn draw_text_chart(trend: &Trend, columns: usize, language: Language) -> String {
    let values = || trend.points.iter().map(|point| point.figure.value);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    // Of equal values a line in the middle.
    let (low, high) = if high > low { (low, high) } else { (low * 0.9, high * 1.1) };
    let count = trend.points.len();
    let columns = count.min(columns);
    let column = |place: usize| place * columns / count.max(1);
    let row = |value: f64| {
        let share = (high - value) / (high - low).max(f64::MIN_POSITIVE);
        ((share * (ROWS - 1) as f64).round() as usize).min(ROWS - 1)
    };
    let mut grid = vec![vec![' '; columns]; ROWS];
    for level in trend.levels.iter().skip(1) {
        for line in &mut grid {
            line[column(level.from)] = '|';
        }
    }
    for (place, value) in values().enumerate() {
        grid[row(value)][column(place)] = '*';
    }
    let mut out = String::new();
    for (place, line) in grid.iter().enumerate() {
        let at = high - (high - low) * place as f64 / (ROWS - 1) as f64;
        let has_label = place % 4 == 0 || place == ROWS - 1;
        let label = if has_label { format_value(trend.metric, at) } else { String::new() };
        let line: String = line.iter().collect();
        let _ = writeln!(out, "{:>LABEL$}  {}", language.punctuate(&label), line.trim_end());
    }
    out
}

fn level_words(trend: &Trend, level: &Level, language: Language) -> String {
    let (from, to) = (&trend.points[level.from], &trend.points[level.to - 1]);
    let words = LevelWords {
        from: format_day(from.started),
        to: format_day(to.started),
        runs: level.to - level.from,
        middle: language.punctuate(&format_value(trend.metric, level.median)),
    };
    match level.ratio.as_ref().map(ratio_words) {
        Some(change) => LevelWithChange { level: words.into(), change }.render(language),
        None => words.render(language),
    }
}

/// `-12.0 % (-13.1 to -10.9) against the level before`.
fn ratio_words(ratio: &Estimate) -> Message {
    let percent = |ratio: f64| format!("{:+.1}", (ratio - 1.0) * 100.0);
    let change = percent(ratio.value);
    match ratio.interval() {
        Some((low, high)) => {
            ChangeBetween { change, low: percent(low), high: percent(high) }.into()
        }
        None => Change { change }.into(),
    }
}

/// What the newest level is, in a sentence.
pub fn verdict_sentence(trend: &Trend) -> Message {
    let begun = trend.levels.last().map(|level| trend.points[level.from].id.clone());
    let run = begun.unwrap_or_default();
    match &trend.newest {
        NewestLevel::TooFew { needed } => {
            TooFewRuns { runs: trend.points.len(), needed: *needed }.into()
        }
        NewestLevel::Same => label("trend-no-change"),
        NewestLevel::Better(ratio) => BetterSince { run, change: ratio_words(ratio) }.into(),
        NewestLevel::Worse(ratio) => WorseSince { run, change: ratio_words(ratio) }.into(),
        NewestLevel::Changed(ratio) => ChangedSince { run, change: ratio_words(ratio) }.into(),
        NewestLevel::Within(ratio) => WithinSince { run, change: ratio_words(ratio) }.into(),
    }
}

messages! {
    TrendTitle = "trend-title" {
        metric: String, figure: Message, target: String, runs: usize,
    };
    LevelWords = "trend-level-words" { from: String, to: String, runs: usize, middle: String };
    LevelWithChange = "trend-level-with-change" { level: Message, change: Message };
    Change = "trend-change" { change: String };
    ChangeBetween = "trend-change-between" { change: String, low: String, high: String };
    TooFewRuns = "trend-too-few" { runs: usize, needed: usize };
    BetterSince = "trend-better" { run: String, change: Message };
    WorseSince = "trend-worse" { run: String, change: Message };
    ChangedSince = "trend-changed" { run: String, change: Message };
    WithinSince = "trend-within" { run: String, change: Message };
}

#[derive(Template)]
#[template(path = "trend.html")]
struct Page {
    language: Language,
    title: String,
    target: String,
    /// Of the newest run.
    day: String,
    /// Of the first and of the newest run.
    days: String,
    version: String,
    verdict: String,
    is_worse: bool,
    levels: Vec<String>,
    chart: Chart,
}

/// The same as a page in one file.
///
/// # Errors
/// Only when the template fails, which its tests rule out.
pub fn render_trend_html(
    subject: &TrendSubject,
    trend: &Trend,
    language: Language,
) -> Result<String, ReportError> {
    let day = |point: &TrendPoint| format_day(point.started);
    let (first, last) = (trend.points.first().map(day), trend.points.last().map(day));
    let page = Page {
        language,
        title: trend_title(subject, trend).render(language),
        target: subject.target.clone(),
        days: match first.zip(last.clone()) {
            Some((first, last)) if first != last => format!("{first} - {last}"),
            _ => last.clone().unwrap_or_default(),
        },
        day: last.unwrap_or_default(),
        version: subject.version.clone(),
        verdict: verdict_sentence(trend).render(language),
        is_worse: matches!(trend.newest, NewestLevel::Worse(_)),
        levels: trend.levels.iter().map(|level| level_words(trend, level, language)).collect(),
        chart: draw_trend(trend_title(subject, trend).render(language), trend, language),
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
}

/// Runs with their intervals, and the levels.
fn draw_trend(title: String, trend: &Trend, language: Language) -> Chart {
    let (scale, unit, format) = match trend.metric {
        Metric::Iops => (1.0, "IOPS", NumberFormat::Count),
        Metric::BytesPerSecond => (1e-6, "MB/s", NumberFormat::Count),
        Metric::Used => (100.0, trend.metric.name(), NumberFormat::Percent),
        _ => (1.0, trend.metric.name(), NumberFormat::Nanos),
    };
    let mut plot = Plot::new(Axis::linear("", NumberFormat::Day), Axis::linear(unit, format));
    let time = |point: &TrendPoint| point.started.as_second() as f64;
    let run = |point: &TrendPoint| {
        let figure = point.figure;
        let words = format!("{}: {}", point.id, format_value(trend.metric, figure.value));
        let between = figure.between.map(|(low, high)| (low.max(0.0) * scale, high * scale));
        Point { y_between: between, ..Point::new(time(point), figure.value * scale, words) }
    };
    let runs = trend.points.iter().map(run).collect();
    plot.add(Series::points(say("trend-run", language), Look::series(0).size(3.5), runs));
    let mut levels = Vec::new();
    for level in &trend.levels {
        let of = &trend.points[level.from..level.to];
        levels.extend(of.iter().map(|point| (time(point), Some(level.median * scale))));
        levels.extend(of.last().map(|point| (time(point), None)));
    }
    let look = Look::series(1).dash(Dash::Solid).width(2.5);
    plot.add(Series::line_with_gaps(say("trend-level", language), look, levels));
    let caption = say("trend-caption", language);
    Chart::new(("trend", title), caption, plot).wide()
}

#[cfg(test)]
mod tests {
    use analysis::analyse_trend;
    use record::Figure;

    use super::*;

    fn fallen(count: usize) -> Trend {
        let point = |place: usize| {
            let level = if place < count / 2 { 100_000.0 } else { 80_000.0 };
            let value = level * (1.0 + 0.002 * ((place * 7 % 5) as f64 - 2.0));
            let second = 1_795_000_000 + 86_400 * place as i64;
            TrendPoint {
                id: format!("run-<{place}>"),
                started: jiff::Timestamp::from_second(second).unwrap(),
                figure: Figure { value, between: Some((value * 0.99, value * 1.01)) },
            }
        };
        analyse_trend(Metric::Iops, (0..count).map(point).collect())
    }

    fn subject(target: &str) -> TrendSubject {
        let mut record = record::fixture::ssd_record();
        record.measured.environment.hostname = Some("testhost".to_owned());
        TrendSubject::new(&record, ("randread-4k-qd1", "read"), target)
    }

    #[test]
    fn a_limit_is_named_in_words() {
        use record::limit_name;

        let record = record::fixture::limit_record();
        let judged = analysis::judge_record(record.measured);
        let curve = &judged.judgement_or_default().curves[0];
        let name = limit_name(curve, &curve.limits[0]);
        let subject = TrendSubject::new(&judged, (&name, "all"), "/srv");
        assert!(subject.figure.text().starts_with("random read 4k within "), "{subject:?}");
        let other = TrendSubject::new(&judged, ("vda", "read"), "/srv");
        assert_eq!(other.figure, "vda");
    }

    #[test]
    fn a_fall_is_drawn_marked_and_said() {
        let text = render_trend_text(&subject("/srv"), &fallen(200), Style::PLAIN);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        assert!(text.contains("REGRESSION since run run-<100>: -20.0 %"), "{text}");
        let picture: Vec<&str> = text.lines().skip(2).take(ROWS).collect();
        let bars = picture.iter().filter(|line| line.contains('|')).count();
        assert!(bars >= ROWS - 1, "{text}");
        let chinese = Style { language: Language::Chinese, ..Style::PLAIN };
        let text = render_trend_text(&subject("/srv"), &fallen(200), chinese);
        assert!(text.contains("，相对前一水平"), "{text}");
        // The first run is at the top, the last at the bottom.
        assert!(picture[0].contains('*') && picture[ROWS - 1].ends_with('*'), "{text}");
    }

    #[test]
    fn few_runs_and_none_are_told_without_a_claim() {
        let text = render_trend_text(&subject("/srv"), &fallen(1), Style::PLAIN);
        assert!(text.contains("1 run\n") && text.contains("too few"), "{text}");
        assert!(render_trend_text(&subject("/srv"), &fallen(0), Style::PLAIN).contains("too few"));
    }

    #[test]
    fn the_page_says_the_same_and_nothing_breaks_out_of_it() {
        let page = render_trend_html(&subject("/srv/<b>"), &fallen(60), Language::English).unwrap();
        assert!(page.contains("REGRESSION") && page.contains("&#60;b&#62;"));
        let title = page.split("<title>").nth(1).and_then(|rest| rest.split('<').next());
        assert_eq!(title, Some("truedisk trend: testhost:/srv/&#60;b&#62;, 2027-01-16"));
        assert!(page.contains("random read 4k, depth 1 on testhost"), "{page}");
        assert!(!page.contains("run-<"));
    }
}
