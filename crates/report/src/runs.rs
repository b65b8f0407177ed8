//! A list of runs, and what changed between two of them, on a terminal.

use std::fmt::Write as _;

use message::{Names, Render as _, messages};
use record::{Figure, Figures, Layer, Metric, QueueLimits, Record, RunSummary, Trust, short_id};
use serde_json::{Value, json};
use units::{BytesPerSecond, Iops, Nanos, Ratio};

use crate::figure_name::{name_disk_figure, name_figure};
use crate::text::{FigureTable, Style, TextTable, keep_end, keep_start, text_width, write_wrapped};
use crate::words::or_dash;

/// Widest words of a column.
const HOST_WIDTH: usize = 12;
const TARGET_WIDTH: usize = 16;
/// Where a line has less room for the answers, they stand on lines of their own.
const ANSWER_MIN: usize = 60;
const ANSWER_INDENT: &str = "  ";
/// Blanks between two columns.
const GAP: usize = 2;
/// Widest words of a difference.
const DIFFERENCE_WIDTH: usize = 34;

/// Each run: its date, its short id, what it was, and its answer; on one line where there is room,
/// else on two. The host is named where there are several.
pub fn render_runs(runs: &[RunSummary], style: Style) -> String {
    let answers: Vec<String> = runs.iter().map(|run| answer_words(run, style)).collect();
    let longest = answers.iter().map(|answer| text_width(answer)).max().unwrap_or(0);
    let columns = RunColumns::new(runs, style);
    let room = style.width.saturating_sub(columns.width() + GAP);
    let mut out = String::new();
    if room >= longest.min(ANSWER_MIN) {
        let answers = answers.iter().map(|answer| keep_start(answer, room));
        let (mut head, mut rows) = columns.rows();
        head.push(style.say("head-answer"));
        rows.iter_mut().zip(answers).for_each(|(row, answer)| row.push(answer));
        TextTable::new(head, rows).write(&mut out);
        return out;
    }
    let (head, rows) = columns.with_wide_targets(style.width).rows();
    let mut lines = TextTable::new(head, rows).lines().into_iter();
    out.extend(lines.next().map(|head| head + "\n"));
    for (line, answer) in lines.zip(answers) {
        let answer = keep_start(&answer, style.width.saturating_sub(ANSWER_INDENT.len()));
        let _ = writeln!(out, "{line}\n{ANSWER_INDENT}{answer}");
    }
    out
}

/// The columns of a list of runs without their answers.
struct RunColumns<'a> {
    runs: &'a [RunSummary],
    style: Style,
    shown: Vec<RunColumn>,
    target_width: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum RunColumn {
    Date,
    Run,
    Command,
    Host,
    Target,
    Trust,
}

impl<'a> RunColumns<'a> {
    /// The less needed ones are left out where the terminal is narrow.
    fn new(runs: &'a [RunSummary], style: Style) -> Self {
        use RunColumn::{Command, Date, Host, Run, Target, Trust};
        let shown = vec![Date, Run, Command, Host, Target, Trust];
        let mut columns = Self { runs, style, shown, target_width: TARGET_WIDTH };
        if runs.iter().all(|run| run.host == runs[0].host) {
            columns.shown.retain(|column| *column != Host);
        }
        for dispensable in [Host, Command, Date] {
            if columns.width() > style.width {
                columns.shown.retain(|column| *column != dispensable);
            }
        }
        columns
    }

    /// The targets get the room that is left.
    fn with_wide_targets(self, width: usize) -> Self {
        let left = width.saturating_sub(self.width());
        Self { target_width: self.target_width + left, ..self }
    }

    fn width(&self) -> usize {
        let (head, rows) = self.rows();
        let widest = |at: usize| {
            let cells = rows.iter().chain([&head]).map(|row| text_width(&row[at]));
            cells.max().unwrap_or(0)
        };
        (0..head.len()).map(|at| widest(at) + GAP).sum::<usize>().saturating_sub(GAP)
    }

    fn rows(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let head = self.shown.iter().map(|column| {
            self.style.say(match column {
                RunColumn::Date => "head-date",
                RunColumn::Run => "head-run",
                RunColumn::Command => "head-command",
                RunColumn::Host => "head-host",
                RunColumn::Target => "head-target",
                RunColumn::Trust => "head-trust",
            })
        });
        let row = |run| self.shown.iter().map(|column| self.cell(run, *column)).collect();
        (head.collect(), self.runs.iter().map(row).collect())
    }

    fn cell(&self, run: &RunSummary, column: RunColumn) -> String {
        match column {
            RunColumn::Date => run.started.strftime("%Y-%m-%d %H:%M").to_string(),
            RunColumn::Run => short_id(&run.id).to_owned(),
            RunColumn::Command => run.command.clone(),
            RunColumn::Host => keep_start(run.host.as_deref().unwrap_or("-"), HOST_WIDTH),
            RunColumn::Target if run.target.is_empty() => "-".to_owned(),
            RunColumn::Target => keep_end(&run.target, self.target_width),
            RunColumn::Trust => match (run.complete, run.trust) {
                (false, _) => self.style.say("trust-word-partial"),
                (true, Some(Trust::Sound)) => self.style.say("badge-trusted"),
                (true, Some(Trust::Caution)) => self.style.say("badge-caution"),
                (true, Some(Trust::Broken)) => self.style.say("badge-do-not-use"),
                (true, None) => "-".to_owned(),
            },
        }
    }
}

/// The tags and the headline.
fn answer_words(run: &RunSummary, style: Style) -> String {
    let tags = run.tags.iter().map(|tag| format!("[{tag}]"));
    let headline = run.headline.as_ref().map(|words| words.render(style.language));
    tags.chain(headline).collect::<Vec<_>>().join(" ")
}

/// What is different between two runs: target, environment and plan, then the figures that both
/// have. Whether a difference of figures is more than luck is not said here: that takes
/// repetitions.
pub fn render_diff(a: &Record, b: &Record, style: Style) -> String {
    let mut out = String::new();
    let (first, second) = (run_facts(a), run_facts(b));
    let mut rows = vec![vec![style.say("head-run"), a.measured.id.clone(), b.measured.id.clone()]];
    let mut same = Vec::new();
    for ((name, x), (_, y)) in first.iter().zip(&second) {
        if x == y {
            same.push(style.say(name));
        } else {
            let ends = [x, y].map(|text| keep_end(text, DIFFERENCE_WIDTH));
            rows.push([style.say(name)].into_iter().chain(ends).collect());
        }
    }
    TextTable::fitting(["", "A", "B"], rows, style.width).write(&mut out);
    if !same.is_empty() {
        let names = same.into_iter().collect();
        write_wrapped(&mut out, style, "", &SameFacts { names }.render(style.language));
    }
    out.push('\n');
    out.push_str(&render_figures(a, b, style));
    out
}

/// The same as data: each fact and figure that differs, of A and of B.
pub fn diff_json(a: &Record, b: &Record) -> Value {
    let (facts_a, facts_b) = (run_facts(a), run_facts(b));
    let facts = facts_a.iter().zip(&facts_b).filter(|(a, b)| a != b);
    let plain = |id: &str| id.trim_start_matches("fact-").trim_start_matches("layer-").to_owned();
    let facts: Vec<Value> =
        facts.map(|((id, a), (_, b))| json!({"fact": plain(id), "a": a, "b": b})).collect();
    let (first, second) = (Figures::from_record(a), Figures::from_record(b));
    let mut figures = Vec::new();
    for of_a in &first {
        let twin = |of_b: &&Figures| of_b.cell == of_a.cell && of_b.direction == of_a.direction;
        let of_b = second.iter().find(twin);
        for metric in Metric::ALL {
            if let (Some(x), Some(y)) = (of_a.get(metric), of_b.and_then(|b| b.get(metric))) {
                figures.push(json!({"cell": of_a.cell, "direction": of_a.direction,
                    "metric": metric, "a": x, "b": y}));
            }
        }
    }
    json!({"a": a.measured.id, "b": b.measured.id, "differences": facts, "figures": figures})
}

fn run_facts(record: &Record) -> Vec<(&'static str, String)> {
    let environment = &record.measured.environment;
    let plan = &record.measured.plan;
    let target = record.measured.target();
    let device = target.and_then(|target| target.top_device());
    let mount = target.and_then(|target| target.file_system.as_ref());
    let words = |text: &Option<String>| text.clone().unwrap_or_default();
    let of_device = |get: fn(&Layer) -> Option<String>| device.and_then(get).unwrap_or_default();
    let queue = device.and_then(|device| device.queue.as_ref());
    let setting = |get: fn(&QueueLimits) -> Option<String>| queue.and_then(get).unwrap_or_default();
    let bounds: Vec<String> = plan.bounds.iter().map(ToString::to_string).collect();
    let size = |bytes: units::Bytes| if bytes.0 == 0 { String::new() } else { bytes.to_string() };
    let count = |number: u32| number.to_string();
    let system = |file: &record::FileSystem| {
        format!("{} {} ({})", file.kind, file.source, file.options.join(","))
    };
    vec![
        ("fact-tool", format!("{} {}", record.measured.tool.name, record.measured.tool.version)),
        ("fact-command", record.measured.command_name().to_owned()),
        ("fact-path", record.measured.target_path()),
        ("fact-file-system", mount.map(system).unwrap_or_default()),
        ("fact-device", of_device(|device| Some(device.name.clone()))),
        ("fact-model", of_device(|device| device.model.clone())),
        ("layer-serial", of_device(|device| device.serial.clone())),
        ("layer-firmware", of_device(|device| device.firmware.clone())),
        ("fact-device-size", device.map_or_else(String::new, |device| size(device.size))),
        ("layer-scheduler", setting(|queue| queue.scheduler.clone())),
        ("fact-write-cache", setting(|queue| queue.write_cache.clone())),
        ("fact-queue", setting(|queue| queue.nr_requests.map(|count| count.to_string()))),
        ("O_DIRECT", target.map_or_else(String::new, |target| target.direct.to_string())),
        ("fact-host", record.measured.host().unwrap_or_default()),
        ("fact-system", words(&environment.os)),
        ("fact-kernel", environment.kernel.clone()),
        ("fact-processor", words(&environment.cpu_model)),
        (
            "fact-processors",
            Some(environment.cpus).filter(|n| *n > 0).map_or_else(String::new, count),
        ),
        ("fact-memory", environment.memory.map_or_else(String::new, |memory| memory.to_string())),
        ("fact-virtualisation", words(&environment.virtualisation)),
        ("fact-io-limits", format!("{}", environment.io_limits.len())),
        ("fact-budget", if plan.budget.0 == 0 { String::new() } else { plan.budget.to_string() }),
        ("fact-bounds", bounds.join(" ")),
        ("fact-read-only", plan.read_only.to_string()),
        ("fact-span", size(plan.span)),
    ]
}

fn render_figures(a: &Record, b: &Record, style: Style) -> String {
    let (first, second) = (Figures::from_record(a), Figures::from_record(b));
    let (mut rows, mut alone) = (Vec::new(), Vec::new());
    for of_a in &first {
        let twin = |of_b: &&Figures| of_b.cell == of_a.cell && of_b.direction == of_a.direction;
        let Some(of_b) = second.iter().find(twin) else {
            alone.push(of_a.cell.as_str());
            continue;
        };
        let mark = if of_a.invalid || of_b.invalid { "X " } else { "" };
        let name = name_figure(a, &of_a.cell, &of_a.direction)
            .unwrap_or_else(|| name_disk_figure(&of_a.cell, &of_a.direction))
            .render(style.language);
        let mut row = vec![format!("{mark}{name}")];
        for metric in [Metric::Iops, Metric::P99] {
            let (x, y) = (of_a.get(metric), of_b.get(metric));
            let figures = [format_figure(metric, x), format_figure(metric, y), format_ratio(x, y)];
            row.extend(figures.map(|figure| style.language.punctuate(&figure)));
        }
        rows.push(row);
    }
    let mut out = String::new();
    if rows.is_empty() {
        write_wrapped(&mut out, style, "", &style.say("diff-no-common-cell"));
    } else {
        let head = ["", "IOPS A", "IOPS B", "B / A", "p99 A", "p99 B", "B / A"];
        let table = FigureTable::new(head, rows).dispensable(&[4, 5]);
        let (head, rows) = table.lines(style.width);
        let lines = head.iter().chain(rows.iter().flatten());
        lines.for_each(|line| out.extend([line.as_str(), "\n"]));
    }
    let only_b = second.iter().filter(|b| !first.iter().any(|a| a.cell == b.cell)).count();
    if !alone.is_empty() || only_b > 0 {
        let words = AloneFigures { a: alone.len(), b: only_b }.render(style.language);
        write_wrapped(&mut out, style, "", &words);
    }
    if first.iter().chain(&second).any(|figures| figures.invalid) {
        write_wrapped(&mut out, style, "", &style.say("diff-invalid-key"));
    }
    write_wrapped(&mut out, style, "", &style.say("diff-hint"));
    out
}

pub(crate) fn format_figure(metric: Metric, figure: Option<Figure>) -> String {
    or_dash(figure.map(|figure| format_value(metric, figure.value)))
}

pub(crate) fn format_value(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Iops => Iops(value).to_string(),
        Metric::BytesPerSecond => BytesPerSecond(value).to_string(),
        Metric::Used => Ratio(value).to_string(),
        _ => Nanos(value.max(0.0).round() as u64).to_string(),
    }
}

fn format_ratio(a: Option<Figure>, b: Option<Figure>) -> String {
    match (a, b) {
        (Some(a), Some(b)) if a.value > 0.0 => format!("{:.2}", b.value / a.value),
        _ => "-".to_owned(),
    }
}

messages! {
    SameFacts = "diff-same" { names: Names };
    AloneFigures = "diff-alone" { a: usize, b: usize };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(spoil: impl Fn(&mut Record)) -> Record {
        let mut record = record::fixture::ssd_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    #[test]
    fn a_list_fits_the_terminal_whatever_its_words() {
        let mut run = RunSummary::from_record(&judged(|_| ()));
        run.host = Some("a-host-with-a-very-long-name.example.org".to_owned());
        run.target = format!("/srv/{}/end", "x".repeat(200));
        run.tags = vec!["nightly".to_owned()];
        let other = RunSummary { host: None, tags: Vec::new(), ..run.clone() };
        let runs = [run, other];
        let check = |columns: usize, lines: usize, answer: &str| {
            let text = render_runs(&runs, Style { width: columns, ..Style::PLAIN });
            assert!(text.lines().all(|line| text_width(line) <= columns), "{columns}: {text}");
            assert_eq!(text.lines().count(), lines, "{columns}: {text}");
            for words in ["/end", "0badcafe", "[nightly] 118,000", answer] {
                assert!(text.contains(words), "{words} at {columns}: {text}");
            }
        };
        check(160, 3, "118,000 random reads/s within p99<10ms at depth 64");
        check(100, 5, "118,000 random reads/s within p99<10ms at depth 64");
        check(80, 5, "118,000 random reads/s within p99<10ms at depth 64");
        check(60, 5, "118,000 random reads/s within p99<10ms");
        check(40, 5, "118,000 random reads");
        let text = render_runs(&runs, Style::PLAIN);
        assert!(text.contains("2026-11-18 11:06  0badcafe"), "{text}");
        // Short answers stand beside their runs.
        let answer = Some(message::Message::from_text("1,200 IOPS"));
        let short = RunSummary { target: "/srv".to_owned(), headline: answer, ..runs[1].clone() };
        let text = render_runs(&[short], Style { width: 80, ..Style::PLAIN });
        assert_eq!(text.lines().count(), 2, "{text}");
    }

    #[test]
    fn a_difference_names_what_changed_and_only_that() {
        let a = judged(|_| ());
        let b = judged(|record| {
            record.measured.id = "b".to_owned();
            record.measured.environment.kernel = "6.99.0".to_owned();
            record.measured.cells[0].totals.read.as_mut().unwrap().iops = 10_000.0;
        });
        let text = render_diff(&a, &b, Style::PLAIN);
        assert!(text.contains("6.99.0"), "{text}");
        let same = text.split("The same:").nth(1).unwrap();
        assert!(same.contains("host") && !same.contains("kernel"), "{text}");
        let row = text.lines().find(|line| line.starts_with("random read 4k, depth 1 ")).unwrap();
        // All visits together, as in the table of a run.
        assert!(row.contains("19,920") && row.contains("10,000") && row.contains("0.50"), "{row}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}
