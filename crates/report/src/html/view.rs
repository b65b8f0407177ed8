//! What the template shows: words and numbers only, ready to print.

use askama::Template;
use record::{
    Completion, Environment, Finding, Layer, PresetPlan, Promise, Record, Status, Trust, Verdict,
};
use units::Iops;

use super::charts::draw_charts;
use super::plot::Chart;
use crate::fleet::{FleetReport, build_fleet_report, hosts_suffix};
use crate::limit::{PointRow, answered_curves, build_answers, curve_title, is_limit, point_rows};
use crate::metadata::{Grid, build_grids, build_remarks};
use crate::preset::PresetResult;
use crate::preset::table::{
    StepRow, ThresholdRow, build_step_rows, build_threshold_rows, preset_title,
};
use crate::promise::{PromiseRow, build_promise_rows, promise_terms, promise_title, volume_words};
use crate::words::{Row, build_rows, class_context, is_incomplete, layer_words, target_words};

#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Page<'a> {
    record: &'a Record,
    pub(super) library: String,
    path: String,
    verdict: Option<&'a Verdict>,
    cards: Vec<Card>,
    rows: Vec<Row>,
    preset: Option<PresetView<'a>>,
    small_files: Vec<Grid>,
    promised: Option<PromisedView<'a>>,
    searched: Vec<CurveView>,
    charts: Vec<Chart>,
    hosts: Option<FleetReport>,
    findings: Vec<&'a Finding>,
}

struct TrustBadge {
    class: &'static str,
    sign: &'static str,
    words: &'static str,
}

struct Card {
    title: String,
    figure: String,
    unit: &'static str,
    detail: String,
    /// Further lines: the interval, reads and writes apart.
    more: Vec<String>,
    mark: String,
}

struct CurveView {
    title: String,
    load: &'static str,
    rows: Vec<PointRow>,
}

struct PromisedView<'a> {
    title: String,
    promise: &'a Promise,
    rows: Vec<PromiseRow>,
    terms: Vec<String>,
}

struct PresetView<'a> {
    title: String,
    plan: &'a PresetPlan,
    steps: Vec<StepRow>,
    thresholds: Vec<ThresholdRow>,
}

impl<'a> PresetView<'a> {
    fn from_result(result: &PresetResult<'a>) -> Self {
        Self {
            title: preset_title(result.plan),
            plan: result.plan,
            steps: build_step_rows(result),
            thresholds: build_threshold_rows(result),
        }
    }
}

struct LayerView {
    words: String,
    details: Vec<String>,
}

impl<'a> Page<'a> {
    pub(super) fn from_record(record: &'a Record) -> Self {
        let judgement = record.judgement_or_default();
        let measured = &record.measured;
        let mut findings: Vec<&Finding> = judgement.findings.iter().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(status_rank(finding.status)));
        let is_limit = is_limit(record);
        // The points of a search have a table of their own.
        let of_cells = !is_limit && !crate::sweep::is_sweep(record);
        let rows =
            if of_cells { build_rows(record, message::Language::English) } else { Vec::new() };
        let path = measured.target().map_or("", |target| target.path.as_str());
        Self {
            record,
            library: plotly_source(),
            path: format!("{path}{}", hosts_suffix(record)),
            verdict: judgement.verdict.as_ref(),
            cards: if is_limit { build_limit_cards(record) } else { build_cards(record, &rows) },
            rows,
            preset: PresetResult::from_record(record).as_ref().map(PresetView::from_result),
            small_files: measured.metadata.as_ref().map(build_grids).unwrap_or_default(),
            promised: measured.promise.as_ref().map(|promise| PromisedView {
                title: promise_title(promise),
                promise,
                rows: build_promise_rows(record),
                terms: promise_terms(promise),
            }),
            searched: if is_limit { build_curve_views(record) } else { Vec::new() },
            charts: draw_charts(record),
            hosts: build_fleet_report(record),
            findings,
        }
    }

    fn target(&self) -> String {
        self.record.measured.target().map(target_words).unwrap_or_default()
    }

    fn trust(&self) -> TrustBadge {
        trust_badge(self.verdict.map(|verdict| verdict.trust), self.record)
    }

    fn beside(&self) -> Vec<String> {
        let class = self.verdict.and_then(|verdict| verdict.class.as_ref());
        class.map(class_context).unwrap_or_default()
    }

    fn partial(&self) -> Option<&str> {
        match &self.record.measured.completion {
            Completion::Complete => None,
            Completion::Partial { reason, .. } => Some(reason),
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.record.measured.metadata.as_ref().map(build_remarks).unwrap_or_default()
    }

    fn volumes(&self) -> Vec<String> {
        volume_words(self.record)
    }

    /// `p99<10ms`, or several with commas.
    fn bound(&self) -> String {
        let bounds = self.record.measured.plan.bounds.iter();
        bounds.map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    fn layers(&self) -> Vec<LayerView> {
        let target = self.record.measured.target();
        target.into_iter().flat_map(|target| &target.stack).map(build_layer_view).collect()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        run_facts(self.record)
    }

    fn seconds(&self) -> i64 {
        self.record.measured.finished.as_second() - self.record.measured.started.as_second()
    }
}

/// Findings worth reading come first; what could not be seen stands before what is fine.
fn status_rank(status: Status) -> u8 {
    match status {
        Status::Invalid => 4,
        Status::Warning => 3,
        Status::Note => 2,
        Status::NotObservable => 1,
        Status::Ok => 0,
    }
}

fn trust_badge(trust: Option<Trust>, record: &Record) -> TrustBadge {
    let (class, sign, words) = match trust {
        Some(Trust::Sound) => {
            ("sound", "✓", "Sound: every check that could look found nothing against the numbers.")
        }
        Some(Trust::Caution) if !analysis::has_figures(&record.measured) => {
            ("caution", "?", "Nothing was measured to its end: no number can be trusted.")
        }
        Some(Trust::Caution) if is_incomplete(record) => {
            ("caution", "!", "Caution: totals marked degraded lack a host; see the warnings below.")
        }
        Some(Trust::Caution) => {
            ("caution", "!", "Caution: numbers without a warning stand; read the warnings below.")
        }
        Some(Trust::Broken) => {
            ("broken", "✗", "Broken: numbers marked INVALID are not the disk's.")
        }
        None => ("caution", "?", "Not judged: no truth check looks at such a run."),
    };
    TrustBadge { class, sign, words }
}

/// plotly.js as the crate embeds it, without the formula renderer that follows it.
pub(crate) fn plotly_source() -> String {
    let both = plotly::Plot::offline_js_sources();
    let tag = "<script type=\"text/javascript\">";
    match both.match_indices(tag).nth(1) {
        Some((second, _)) => both[..second].to_owned(),
        None => both,
    }
}

fn build_limit_cards(record: &Record) -> Vec<Card> {
    let all = answered_curves(record).into_iter().flat_map(|curve| build_answers(record, curve));
    all.map(|answer| {
        let (figure, unit, detail) = if answer.reached {
            let is = match answer.statistic.as_str() {
                "" => String::new(),
                statistic => format!(" ({statistic})"),
            };
            let detail = format!("at {}{is}, {}", answer.load, answer.bounded_by);
            (answer.iops, "IOPS", detail)
        } else {
            let detail =
                format!("{}; {} IOPS at {}", answer.bounded_by_sentence, answer.iops, answer.load);
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

fn build_curve_views(record: &Record) -> Vec<CurveView> {
    let curves = record.judgement_or_default().curves.iter();
    let all = curves.filter(|curve| curve.all_points().len() > 1).map(|curve| CurveView {
        title: curve_title(record, curve),
        load: if curve.open_loop { "arrivals/s" } else { "depth" },
        rows: point_rows(record, curve),
    });
    all.collect()
}

fn build_card(row: &Row, title: &str, figure: &str, unit: &'static str, detail: String) -> Card {
    Card {
        title: title.to_owned(),
        figure: figure.to_owned(),
        unit,
        detail,
        more: Vec::new(),
        mark: row.marks.first().map(|mark| mark.1.clone()).unwrap_or_default(),
    }
}

fn build_cards(record: &Record, rows: &[Row]) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let Some(limit) = curve.main_limit() else { continue };
        let Some(row) = rows.iter().find(|row| row.cell == limit.cell) else { continue };
        let interval = limit.iops.relative_half_width().map(|h| format!(", ±{}", units::Ratio(h)));
        let interval = interval.unwrap_or_default();
        let detail = format!("within {} at depth {}{interval}", limit.bound, limit.depth);
        let figure = Iops(limit.iops.value).to_string();
        cards.push(build_card(row, &curve.label, &figure, "IOPS", detail));
    }
    for row in rows.iter().filter(|row| row.label.starts_with("sequential")) {
        let detail = format!("{} of 1 MiB a second {}", row.iops, row.interval);
        cards.push(build_card(row, &row.label, &row.rate, "MB/s", detail));
    }
    if let Some(row) = rows.iter().find(|row| row.label.trim() == "the fdatasync") {
        let detail = format!("4 KiB write + fdatasync; fdatasync p99 {}", row.latency[2]);
        cards.push(build_card(row, "commits, one client", &row.iops, "per second", detail));
    }
    cards
}

fn build_layer_view(layer: &Layer) -> LayerView {
    let mut details = Vec::new();
    let mut say = |name: &str, value: Option<String>| {
        details.extend(value.map(|value| format!("{name} {value}")));
    };
    say("serial", layer.serial.clone());
    say("firmware", layer.firmware.clone());
    let yes_or_no = |is: bool| if is { "yes" } else { "no" }.to_owned();
    say("rotational (as claimed)", layer.rotational.map(yes_or_no));
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
        let words = format!("{} {}{most}, carries {}", link.kind, link.current, link.ceiling);
        say("link", Some(words));
    }
    say("file", layer.backing_file.clone());
    say("bypasses the cache of that file:", layer.backing_direct.map(yes_or_no));
    LayerView { words: layer_words(layer), details }
}

fn processor_words(environment: &Environment) -> String {
    match (environment.cpus, environment.cpu_model.as_deref()) {
        (0, None) => String::new(),
        (0, Some(model)) => model.to_owned(),
        (count, model) => format!("{count} x {}", model.unwrap_or("?")),
    }
}

fn run_facts(record: &Record) -> Vec<(&'static str, String)> {
    let environment = &record.measured.environment;
    let calibration = &record.measured.calibration;
    // Another tool did not look.
    let unseen = if record.measured.imported.is_some() { "" } else { "none seen" };
    let host = if record.measured.fleet.is_some() { "coordinator" } else { "host" };
    let user = environment.root.map(|is_root| if is_root { "root" } else { "not root" });
    let io_uring = environment.io_uring.as_ref();
    let io_uring = io_uring.map(|ring| ring.reason.as_deref().unwrap_or("available"));
    let container = environment.container.as_ref().map_or(unseen, |of| of.kind.as_str());
    let virtualisation = environment.virtualisation.as_deref().unwrap_or(unseen);
    let mut facts = vec![
        ("run", record.measured.id.clone()),
        ("started", record.measured.started.to_string()),
        ("command", record.measured.command.join(" ")),
        (host, environment.hostname.clone().unwrap_or_default()),
        ("system", environment.os.clone().unwrap_or_default()),
        ("kernel", format!("{} {}", environment.kernel, environment.arch).trim().to_owned()),
        ("processor", processor_words(environment)),
        ("memory", environment.memory.map(|m| m.to_string()).unwrap_or_default()),
        ("virtualisation", virtualisation.to_owned()),
        ("container", container.to_owned()),
        ("user", user.unwrap_or_default().to_owned()),
        ("io_uring", io_uring.unwrap_or_default().to_owned()),
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
        let words = format!("{} {} on {}", limit.cgroup, limit.file, limit.device);
        facts.push(("control group", words));
    }
    facts.retain(|fact| !fact.1.is_empty());
    facts
}
