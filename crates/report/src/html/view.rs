//! What the template shows: words and numbers only, ready to print.

use askama::Template;
use record::{Completion, Environment, Finding, Layer, Measured, Record, Status, Trust, Verdict};
use units::Iops;

use super::charts::{Chart, charts};
use crate::fleet::{Hosts, hosts, on_hosts};
use crate::limit::{PointRow, answered, answers, is_limit, over, point_rows};
use crate::metadata::{Grid, grids, remarks};
use crate::preset::PresetResult;
use crate::preset::table::{StepRow, ThresholdRow, heading, step_rows, threshold_rows};
use crate::promise::{PromiseRow, promise_rows, promise_terms, promise_title, volume_words};
use crate::words::{Row, class_beside, layer_words, rows, target_words};

/// The page.
#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Page<'a> {
    measured: &'a Measured,
    pub(super) library: String,
    path: String,
    target: String,
    trust: Badge,
    verdict: Option<&'a Verdict>,
    /// What stands beside the class.
    beside: Vec<String>,
    partial: Option<&'a str>,
    cards: Vec<Card>,
    rows: Vec<Row>,
    /// What a preset gave, where it was one.
    preset: Option<PresetView<'a>>,
    /// Operations on small files, where those were measured.
    small_files: Vec<Grid>,
    remarks: Vec<String>,
    /// What was promised, where something was.
    promised: Option<PromisedView<'a>>,
    /// What volumes counted themselves.
    volumes: Vec<String>,
    /// Of a search: every point of every curve.
    searched: Vec<Searched>,
    bound: String,
    charts: Vec<Chart>,
    /// Of a run over many hosts: what each of them gave, and how they met.
    hosts: Option<Hosts>,
    findings: Vec<&'a Finding>,
    layers: Vec<LayerView>,
    facts: Vec<(&'static str, String)>,
    seconds: i64,
    schema_version: u32,
}

/// How far to trust, in a word, a sign and a sentence.
struct Badge {
    class: &'static str,
    sign: &'static str,
    words: &'static str,
}

/// A key figure.
struct Card {
    title: String,
    figure: String,
    unit: &'static str,
    detail: String,
    /// Further lines: the interval, reads and writes apart.
    more: Vec<String>,
    mark: String,
}

/// The points of a curve of a search.
struct Searched {
    title: String,
    /// What makes the load: `depth`, `arrivals/s`.
    load: &'static str,
    rows: Vec<PointRow>,
}

/// What was promised.
struct PromisedView<'a> {
    title: String,
    rows: Vec<PromiseRow>,
    terms: Vec<String>,
    notes: &'a [String],
    sources: &'a [String],
}

/// What a preset gave.
struct PresetView<'a> {
    title: String,
    imitates: &'a str,
    departures: &'a [String],
    steps: Vec<StepRow>,
    thresholds: Vec<ThresholdRow>,
    notes: &'a [String],
    sources: &'a [String],
}

fn preset_view<'a>(result: &PresetResult<'a>) -> PresetView<'a> {
    let plan = result.plan;
    PresetView {
        title: heading(plan),
        imitates: plan.imitates.trim_end_matches('.'),
        departures: &plan.departures,
        steps: step_rows(result),
        thresholds: threshold_rows(result),
        notes: &plan.notes,
        sources: &plan.sources,
    }
}

/// A device of the stack.
struct LayerView {
    words: String,
    details: Vec<String>,
}

impl<'a> Page<'a> {
    pub(super) fn of(record: &'a Record) -> Self {
        let verdict = record.judged().verdict.as_ref();
        let mut findings: Vec<&Finding> = record.judged().findings.iter().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(rank(finding.status)));
        // The points of a search have a table of their own.
        let of_cells = !is_limit(record) && !crate::sweep::is_sweep(record);
        let rows = if of_cells { rows(record) } else { Vec::new() };
        Self {
            measured: &record.measured,
            library: library(),
            path: format!(
                "{}{}",
                record.measured.target().map_or("", |target| target.path.as_str()),
                on_hosts(record)
            ),
            target: record.measured.target().map(target_words).unwrap_or_default(),
            trust: badge(verdict.map(|v| v.trust)),
            verdict,
            beside: verdict.and_then(|v| v.class.as_ref()).map(class_beside).unwrap_or_default(),
            partial: match &record.measured.completion {
                Completion::Complete => None,
                Completion::Partial { reason, .. } => Some(reason),
            },
            cards: if is_limit(record) { limit_cards(record) } else { cards(record, &rows) },
            rows,
            preset: PresetResult::of(record).map(|result| preset_view(&result)),
            small_files: record.measured.metadata.as_ref().map(grids).unwrap_or_default(),
            remarks: record.measured.metadata.as_ref().map(remarks).unwrap_or_default(),
            promised: record.measured.promise.as_ref().map(|promise| PromisedView {
                title: promise_title(promise),
                rows: promise_rows(record),
                terms: promise_terms(promise),
                notes: &promise.notes,
                sources: &promise.sources,
            }),
            volumes: volume_words(record),
            searched: if is_limit(record) { searched(record) } else { Vec::new() },
            bound: bounds_words(&record.measured.plan.bounds),
            charts: charts(record),
            hosts: hosts(record),
            findings,
            layers: record
                .measured
                .target()
                .map(|t| t.stack.iter().map(layer_view).collect())
                .unwrap_or_default(),
            facts: facts(record),
            schema_version: record.schema_version,
            seconds: record.measured.finished.as_second() - record.measured.started.as_second(),
        }
    }
}

/// `p99<10ms`, or several with commas.
fn bounds_words(bounds: &[workload::Bound]) -> String {
    let words: Vec<String> = bounds.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// Findings worth reading come first; what could not be seen stands before what is fine.
fn rank(status: Status) -> u8 {
    match status {
        Status::Invalid => 4,
        Status::Warning => 3,
        Status::Note => 2,
        Status::NotObservable => 1,
        Status::Ok => 0,
    }
}

fn badge(trust: Option<Trust>) -> Badge {
    match trust {
        Some(Trust::Sound) => Badge {
            class: "sound",
            sign: "✓",
            words: "Sound: every check that could look found nothing against the numbers.",
        },
        Some(Trust::Caution) => Badge {
            class: "caution",
            sign: "!",
            words: "Caution: the numbers stand, with the warnings below.",
        },
        Some(Trust::Broken) => Badge {
            class: "broken",
            sign: "✗",
            words: "Broken: numbers marked INVALID are not the disk's.",
        },
        None => Badge {
            class: "caution",
            sign: "?",
            words: "Not judged: no truth check looks at such a run.",
        },
    }
}

/// plotly.js as the crate embeds it, without the formula renderer that follows it.
pub(crate) fn library() -> String {
    let both = plotly::Plot::offline_js_sources();
    let tag = "<script type=\"text/javascript\">";
    match both.match_indices(tag).nth(1) {
        Some((second, _)) => both[..second].to_owned(),
        None => both,
    }
}

/// One card per bound.
fn limit_cards(record: &Record) -> Vec<Card> {
    let all = answered(record).into_iter().flat_map(|curve| answers(record, curve));
    all.map(|answer| {
        let (figure, unit, detail) = if answer.reached {
            let is = if answer.statistic.is_empty() {
                String::new()
            } else {
                format!(" ({})", answer.statistic)
            };
            let detail = format!("at {}{is}, {}", answer.load, answer.by);
            (answer.iops, "IOPS", detail)
        } else {
            let detail = format!("{}; {} IOPS at {}", answer.why, answer.iops, answer.load);
            ("none".to_owned(), "", detail)
        };
        Card {
            title: format!("{} within {}", answer.label, answer.bound),
            figure,
            unit,
            detail,
            more: [vec![answer.interval, answer.confirmed.to_owned()], answer.parts].concat(),
            mark: answer.marks.into_iter().next().map(|mark| mark.1).unwrap_or_default(),
        }
    })
    .collect()
}

fn searched(record: &Record) -> Vec<Searched> {
    let all = record.judged().curves.iter().map(|curve| Searched {
        title: over(record, curve),
        load: if curve.open_loop { "arrivals/s" } else { "depth" },
        rows: point_rows(record, curve),
    });
    all.collect()
}

fn cards(record: &Record, rows: &[Row]) -> Vec<Card> {
    let mark = |row: &Row| row.marks.first().map(|m| m.1.clone()).unwrap_or_default();
    let mut cards: Vec<Card> = Vec::new();
    for curve in &record.judged().curves {
        let Some(limit) = curve.limit() else { continue };
        let Some(row) = rows.iter().find(|row| row.cell == limit.cell) else {
            continue;
        };
        let interval = limit.iops.relative_half_width().map(|h| format!(", ±{}", units::Ratio(h)));
        cards.push(Card {
            title: curve.label.clone(),
            figure: Iops(limit.iops.value).to_string(),
            unit: "IOPS",
            detail: format!(
                "within {} at depth {}{}",
                limit.bound,
                limit.depth,
                interval.unwrap_or_default()
            ),
            more: Vec::new(),
            mark: mark(row),
        });
    }
    for row in rows.iter().filter(|row| row.label.starts_with("sequential")) {
        cards.push(Card {
            title: row.label.clone(),
            figure: row.rate.clone(),
            unit: "MB/s",
            detail: format!("{} of 1 MiB a second {}", row.iops, row.interval),
            more: Vec::new(),
            mark: mark(row),
        });
    }
    if let Some(row) = rows.iter().find(|row| row.label.trim() == "the fdatasync") {
        cards.push(Card {
            title: "commits, one client".to_owned(),
            figure: row.iops.clone(),
            unit: "per second",
            detail: format!("4 KiB write + fdatasync; fdatasync p99 {}", row.latency[2]),
            more: Vec::new(),
            mark: mark(row),
        });
    }
    cards
}

fn layer_view(layer: &Layer) -> LayerView {
    let mut details = Vec::new();
    let mut say = |name: &str, value: Option<String>| {
        details.extend(value.map(|value| format!("{name} {value}")));
    };
    say("serial", layer.serial.clone());
    say("firmware", layer.firmware.clone());
    say("rotational (as claimed)", layer.rotational.map(|r| if r { "yes" } else { "no" }.into()));
    if let Some(queue) = &layer.queue {
        say("scheduler", queue.scheduler.clone());
        say("sector", queue.logical_block_size.map(|b| b.to_string()));
        say("physical sector", queue.physical_block_size.map(|b| b.to_string()));
        say("write cache:", queue.write_cache.clone());
        say("requests", queue.nr_requests.map(|n| n.to_string()));
        say("largest request", queue.max_request.map(|b| b.to_string()));
        say("hardware queues", queue.hardware_queues.map(|n| n.to_string()));
    }
    if let Some(link) = &layer.link {
        let most = link.max.as_ref().map(|m| format!(" of {m}")).unwrap_or_default();
        say(
            "link",
            Some(format!("{} {}{most}, carries {}", link.kind, link.current, link.ceiling)),
        );
    }
    say("file", layer.backing_file.clone());
    say(
        "bypasses the cache of that file:",
        layer.backing_direct.map(|d| if d { "yes" } else { "no" }.into()),
    );
    LayerView { words: layer_words(layer), details }
}

/// `2 x AMD EPYC`; empty where nothing is known.
fn processor(environment: &Environment) -> String {
    match (environment.cpus, environment.cpu_model.as_deref()) {
        (0, None) => String::new(),
        (0, Some(model)) => model.to_owned(),
        (count, model) => format!("{count} x {}", model.unwrap_or("?")),
    }
}

fn facts(record: &Record) -> Vec<(&'static str, String)> {
    let environment = &record.measured.environment;
    let calibration = &record.measured.calibration;
    // Another tool did not look.
    let unseen =
        if record.measured.imported.is_some() { String::new() } else { "none seen".to_owned() };
    let mut facts = vec![
        ("run", record.measured.id.clone()),
        ("started", record.measured.started.to_string()),
        ("command", record.measured.command.join(" ")),
        (
            if record.measured.fleet.is_some() { "coordinator" } else { "host" },
            environment.hostname.clone().unwrap_or_default(),
        ),
        ("system", environment.os.clone().unwrap_or_default()),
        ("kernel", format!("{} {}", environment.kernel, environment.arch).trim().to_owned()),
        ("processor", processor(environment)),
        ("memory", environment.memory.map(|m| m.to_string()).unwrap_or_default()),
        ("virtualisation", environment.virtualisation.clone().unwrap_or_else(|| unseen.clone())),
        ("container", environment.container.as_ref().map_or(unseen, |c| c.kind.clone())),
        (
            "user",
            match environment.root {
                Some(true) => "root".to_owned(),
                Some(false) => "not root".to_owned(),
                None => String::new(),
            },
        ),
        (
            "io_uring",
            environment.io_uring.as_ref().map_or_else(String::new, |ring| {
                ring.reason.clone().unwrap_or_else(|| "available".to_owned())
            }),
        ),
    ];
    if let Some(imported) = &record.measured.imported {
        facts.push(("measured by", imported.version.clone()));
        facts.push(("known of it", imported.notes.join("; ")));
    } else {
        facts.push(("seed", record.measured.plan.seed.0.to_string()));
        facts.push(("span", record.measured.plan.span.to_string()));
        let clock =
            format!("{:?}, {:.0} ns a reading", calibration.clock, calibration.clock_read_ns);
        facts.push(("clock", clock));
    }
    if let (Some(one), Some(many)) = (calibration.nop_iops_depth_1, calibration.nop_iops_depth_32) {
        let words = format!("{one}/s at depth 1, {many}/s at depth 32, on no-operations");
        facts.push(("generator", words));
    }
    for limit in &environment.io_limits {
        facts.push((
            "control group",
            format!("{} {} on {}", limit.cgroup, limit.file, limit.device),
        ));
    }
    facts.retain(|fact| !fact.1.is_empty());
    facts
}
