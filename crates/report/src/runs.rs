//! A list of runs, and what changed between two of them, on a terminal.

use record::{Figure, Figures, Layer, Metric, QueueLimits, Record, RunSummary, Trust, short_id};
use serde_json::{Value, json};
use units::{BytesPerSecond, Iops, Nanos};

use crate::text::{Style, TextTable, keep_end, keep_start, text_width, write_wrapped};
use crate::words::or_dash;

/// Widest words of a column.
const HOST_WIDTH: usize = 12;
const TARGET_WIDTH: usize = 16;
/// Width of an answer where the terminal leaves less.
const ANSWER_MIN: usize = 12;
/// Widest words of a difference.
const DIFFERENCE_WIDTH: usize = 34;

/// A line for each run: its date, its short id, what it was, and its answer. The host is named
/// where there are several.
pub fn render_runs(runs: &[RunSummary], style: Style) -> String {
    let hosts = runs.iter().any(|run| run.host != runs[0].host);
    let figures = |run: &RunSummary| {
        let trust = match (run.complete, run.trust) {
            (false, _) => "partial",
            (true, Some(Trust::Sound)) => "sound",
            (true, Some(Trust::Caution)) => "caution",
            (true, Some(Trust::Broken)) => "BROKEN",
            (true, None) => "-",
        };
        let host = hosts.then(|| keep_start(run.host.as_deref().unwrap_or("-"), HOST_WIDTH));
        let target = keep_end(if run.target.is_empty() { "-" } else { &run.target }, TARGET_WIDTH);
        let date = run.started.strftime("%Y-%m-%d %H:%M").to_string();
        let first = [date, short_id(&run.id).to_owned(), run.command.clone()];
        first.into_iter().chain(host).chain([target, trust.to_owned()]).collect::<Vec<_>>()
    };
    let mut head = vec!["date (UTC)", "run", "command"];
    head.extend(hosts.then_some("host"));
    head.extend(["target", "trust", "answer"]);
    let rows: Vec<Vec<String>> = runs.iter().map(figures).collect();
    let column = |place: usize| rows.iter().map(|row| text_width(&row[place])).max().unwrap_or(0);
    let used: usize =
        (0..head.len() - 1).map(|place| column(place).max(head[place].len()) + 2).sum();
    let room = style.width.saturating_sub(used).max(ANSWER_MIN);
    let with_answer = |(mut row, run): (Vec<String>, &RunSummary)| {
        let tags = run.tags.iter().map(|tag| format!("[{tag}]"));
        let words: Vec<String> = tags.chain(run.headline.clone()).collect();
        row.push(keep_start(&words.join(" "), room));
        row
    };
    let mut out = String::new();
    TextTable::new(head, rows.into_iter().zip(runs).map(with_answer)).write(&mut out);
    out
}

/// What is different between two runs: target, environment and plan, then the figures that both
/// have. Whether a difference of figures is more than luck is not said here: that takes
/// repetitions.
pub fn render_diff(a: &Record, b: &Record) -> String {
    let mut out = String::new();
    let (first, second) = (run_facts(a), run_facts(b));
    let mut rows = vec![vec!["run".to_owned(), a.measured.id.clone(), b.measured.id.clone()]];
    let mut same = Vec::new();
    for ((name, x), (_, y)) in first.iter().zip(&second) {
        if x == y {
            same.push(*name);
        } else {
            let ends = [x, y].map(|text| keep_end(text, DIFFERENCE_WIDTH));
            rows.push([(*name).to_owned()].into_iter().chain(ends).collect());
        }
    }
    TextTable::new(["", "A", "B"], rows).write(&mut out);
    if !same.is_empty() {
        write_wrapped(&mut out, Style::PLAIN, "", &format!("the same: {}", same.join(", ")));
    }
    out.push('\n');
    out.push_str(&render_figures(a, b));
    out
}

/// The same as data: each fact and figure that differs, of A and of B.
pub fn diff_json(a: &Record, b: &Record) -> Value {
    let (facts_a, facts_b) = (run_facts(a), run_facts(b));
    let facts = facts_a.iter().zip(&facts_b).filter(|(a, b)| a != b);
    let facts: Vec<Value> =
        facts.map(|((name, a), (_, b))| json!({"fact": name, "a": a, "b": b})).collect();
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
        ("tool", format!("{} {}", record.measured.tool.name, record.measured.tool.version)),
        ("command", record.measured.command_name().to_owned()),
        ("path", record.measured.target_path()),
        ("file system", mount.map(system).unwrap_or_default()),
        ("device", of_device(|device| Some(device.name.clone()))),
        ("model", of_device(|device| device.model.clone())),
        ("serial", of_device(|device| device.serial.clone())),
        ("firmware", of_device(|device| device.firmware.clone())),
        ("device size", device.map_or_else(String::new, |device| size(device.size))),
        ("scheduler", setting(|queue| queue.scheduler.clone())),
        ("write cache", setting(|queue| queue.write_cache.clone())),
        ("queue", setting(|queue| queue.nr_requests.map(|count| count.to_string()))),
        ("O_DIRECT", target.map_or_else(String::new, |target| target.direct.to_string())),
        ("host", record.measured.host().unwrap_or_default()),
        ("system", words(&environment.os)),
        ("kernel", environment.kernel.clone()),
        ("processor", words(&environment.cpu_model)),
        ("processors", Some(environment.cpus).filter(|n| *n > 0).map_or_else(String::new, count)),
        ("memory", environment.memory.map_or_else(String::new, |memory| memory.to_string())),
        ("virtualisation", words(&environment.virtualisation)),
        ("I/O limits", format!("{}", environment.io_limits.len())),
        ("budget", if plan.budget.0 == 0 { String::new() } else { plan.budget.to_string() }),
        ("bounds", bounds.join(" ")),
        ("read only", plan.read_only.to_string()),
        ("span", size(plan.span)),
    ]
}

fn render_figures(a: &Record, b: &Record) -> String {
    let (first, second) = (Figures::from_record(a), Figures::from_record(b));
    let (mut rows, mut alone) = (Vec::new(), Vec::new());
    for of_a in &first {
        let twin = |of_b: &&Figures| of_b.cell == of_a.cell && of_b.direction == of_a.direction;
        let Some(of_b) = second.iter().find(twin) else {
            alone.push(of_a.cell.as_str());
            continue;
        };
        let mark = if of_a.invalid || of_b.invalid { "X " } else { "" };
        let name = match of_a.direction.as_str() {
            "all" => of_a.cell.clone(),
            direction => format!("{} {direction}", of_a.cell),
        };
        let mut row = vec![format!("{mark}{}", keep_start(&name, 2 * TARGET_WIDTH - 4))];
        for metric in [Metric::Iops, Metric::P99] {
            let (x, y) = (of_a.get(metric), of_b.get(metric));
            row.extend([format_figure(metric, x), format_figure(metric, y), format_ratio(x, y)]);
        }
        rows.push(row);
    }
    let mut out = String::new();
    if rows.is_empty() {
        out.push_str("no cell was measured in both\n");
    } else {
        let head = ["", "IOPS A", "IOPS B", "B / A", "p99 A", "p99 B", "B / A"];
        TextTable::new(head, rows).right(|column| column > 0).write(&mut out);
    }
    let only_b = second.iter().filter(|b| !first.iter().any(|a| a.cell == b.cell)).count();
    if !alone.is_empty() || only_b > 0 {
        out.push_str(&format!("only in A: {} figures; only in B: {only_b}\n", alone.len()));
    }
    if first.iter().chain(&second).any(|figures| figures.invalid) {
        out.push_str("X: a check found that these numbers must not be used\n");
    }
    out.push_str("Whether a difference is more than luck: truedisk compare, with several runs.\n");
    out
}

pub(crate) fn format_figure(metric: Metric, figure: Option<Figure>) -> String {
    or_dash(figure.map(|figure| format_value(metric, figure.value)))
}

pub(crate) fn format_value(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Iops => Iops(value).to_string(),
        Metric::BytesPerSecond => BytesPerSecond(value).to_string(),
        _ => Nanos(value.max(0.0).round() as u64).to_string(),
    }
}

fn format_ratio(a: Option<Figure>, b: Option<Figure>) -> String {
    match (a, b) {
        (Some(a), Some(b)) if a.value > 0.0 => format!("{:.2}", b.value / a.value),
        _ => "-".to_owned(),
    }
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
        run.tags = vec!["before-the-upgrade".to_owned(), "nightly".to_owned()];
        let other = RunSummary { host: None, tags: Vec::new(), ..run.clone() };
        let text = render_runs(&[run, other], Style::PLAIN);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        for words in ["/end", "2026-11-18 11:06  0badcafe", "118,000 random", "[before-the"] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn a_difference_names_what_changed_and_only_that() {
        let a = judged(|_| ());
        let b = judged(|record| {
            record.measured.id = "b".to_owned();
            record.measured.environment.kernel = "6.99.0".to_owned();
            record.measured.cells[0].totals.read.as_mut().unwrap().iops = 10_000.0;
        });
        let text = render_diff(&a, &b);
        assert!(text.contains("6.99.0"), "{text}");
        let same = text.split("the same:").nth(1).unwrap();
        assert!(same.contains("host") && !same.contains("kernel"), "{text}");
        let row = text.lines().find(|line| line.starts_with("randread-4k-qd1 read")).unwrap();
        assert!(row.contains("20,000") && row.contains("10,000") && row.contains("0.50"), "{row}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}
