//! What the template shows: words and numbers only, ready to print.

use std::collections::HashSet;

use askama::Template;
use message::{Language, Message, Render as _, label, messages};
use record::{Completion, PresetPlan, Promise, Record, Verdict};
use units::{Bytes, Nanos};

use super::charts::{Charts, draw_charts};
use super::facts::{LayerView, build_layer_view, run_facts};
use super::load_picture::{LoadPicture, draw_load_pictures};
use super::replay_tiles::build_replay_tiles;
use super::tiles::{Tile, build_tiles};
use super::trust::{TrustBadge, TrustView, build_trust_badge, build_trust_view};
use crate::devices::Clauses;
use crate::fleet::{FleetReport, build_fleet_report, located_path};
use crate::limit::{PointRow, curve_title, is_limit, own_limits, point_rows};
use crate::metadata::{Grid, build_grids, build_remarks};
use crate::outliers::{OutlierReport, build_outlier_report};
use crate::preset::PresetResult;
use crate::preset::table::{
    Departure, Imitates, StepRow, ThresholdRow, build_step_rows, build_threshold_rows, preset_title,
};
use crate::promise::{PromiseRow, build_promise_rows, promise_terms, promise_title, volume_words};
use crate::replay::results_caption;
use crate::words::{
    BehavesLike, Row, build_key_rows, build_rows, class_context, format_day, format_minute,
    measured_time, say, target_words,
};

messages! {
    TestFile = "page-test-file" { size: Bytes, time: Nanos };
    ShorterFile = "page-shorter-file" { size: Bytes, wanted: Bytes, reason: Message, time: Nanos };
    OwnFiles = "page-own-files" { time: Nanos };
    OnlyRead = "page-only-read" { size: Bytes, time: Nanos };
    SharesCaption = "page-shares-caption" { cell: String };
    HostsLeftOut = "page-hosts-left-out" { count: usize };
    NotesCount = "page-notes" { count: usize };
    MoreCount = "page-more" { count: usize };
    Footer = "page-footer" { version: String, id: String, schema: String };
}

#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Page<'a> {
    record: &'a Record,
    language: Language,
    path: String,
    verdict: Option<&'a Verdict>,
    badge: TrustBadge,
    tiles: Vec<Tile>,
    promised: Option<PromisedView<'a>>,
    pictures: Vec<LoadPicture>,
    charts: Charts,
    rows: Vec<Row>,
    preset: Option<PresetView<'a>>,
    small_files: Vec<Grid>,
    searched: Vec<CurveView>,
    hosts: HostsView,
    trust: TrustView<'a>,
}

/// Empty where a run was of one host.
struct HostsView {
    report: Option<FleetReport>,
    /// Hosts whose rows are left out of the page.
    left_out: usize,
    outliers: Option<OutlierReport>,
}

struct CurveView {
    title: String,
    is_open: bool,
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
    fn from_result(result: &PresetResult<'a>, language: Language) -> Self {
        Self {
            title: preset_title(result.plan, language),
            plan: result.plan,
            steps: build_step_rows(result, language),
            thresholds: build_threshold_rows(result, language),
        }
    }
}

impl<'a> Page<'a> {
    pub(super) fn from_record(record: &'a Record, language: Language) -> Self {
        let measured = &record.measured;
        let is_limit = is_limit(record);
        // The points of a search have a table of their own.
        let of_cells = !is_limit && !crate::sweep::is_sweep(record);
        let rows = match () {
            // Its probes are in a picture.
            () if crate::replay::is_replay(record) => build_key_rows(record, language),
            () if of_cells => build_rows(record, language),
            () => Vec::new(),
        };
        let mut hosts = build_fleet_report(record, language);
        let left_out = hosts.as_mut().map_or(0, shorten_host_tables);
        Self {
            record,
            language,
            path: located_path(record, &measured.target_path()).render(language),
            verdict: record.judgement_or_default().verdict.as_ref(),
            badge: build_trust_badge(record, language),
            tiles: match &record.judgement_or_default().replay {
                Some(outcome) => build_replay_tiles(record, outcome, language),
                None => build_tiles(record, &rows, hosts.as_ref(), language),
            },
            promised: measured.promise.as_ref().map(|promise| PromisedView {
                title: promise_title(promise),
                promise,
                rows: build_promise_rows(record, language),
                terms: promise_terms(promise, language),
            }),
            pictures: draw_load_pictures(record, language),
            charts: draw_charts(record, language),
            rows,
            preset: PresetResult::from_record(record)
                .map(|result| PresetView::from_result(&result, language)),
            small_files: measured
                .metadata
                .as_ref()
                .map(|found| build_grids(found, language))
                .unwrap_or_default(),
            searched: if is_limit { build_curve_views(record, language) } else { Vec::new() },
            hosts: HostsView {
                report: hosts,
                left_out,
                outliers: build_outlier_report(record, language),
            },
            trust: build_trust_view(record, language),
        }
    }

    fn command(&self) -> &str {
        self.record.measured.command_name()
    }

    fn host(&self) -> String {
        let host = self.record.measured.describe_host();
        host.unwrap_or_else(|| label("page-unknown-host")).render(self.language)
    }

    fn day(&self) -> String {
        format_day(self.record.measured.started)
    }

    fn time(&self) -> String {
        format_minute(self.record.measured.started)
    }

    fn target(&self) -> String {
        self.record.measured.target().map(target_words).unwrap_or_default().render(self.language)
    }

    /// What was written or read, and how long it took.
    fn scope(&self) -> String {
        let measured = &self.record.measured;
        let time = measured_time(self.record);
        let time = match time.as_secs() {
            0 => Nanos(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
            _ => Nanos::secs(time.as_secs_f64().round() as u64),
        };
        let words: Message = match &measured.layout {
            Some(layout) => match &layout.shortened {
                Some(reason) => {
                    let (size, wanted) = (layout.written, layout.wanted);
                    ShorterFile { size, wanted, reason: reason.clone(), time }.into()
                }
                None => TestFile { size: layout.written, time }.into(),
            },
            None if measured.metadata.is_some() => OwnFiles { time }.into(),
            None => OnlyRead { size: measured.plan.span, time }.into(),
        };
        words.render(self.language)
    }

    /// What another program's output does not say.
    fn import_notes(&self) -> Vec<String> {
        let imported = self.record.measured.imported.iter();
        imported.flat_map(|of| &of.notes).map(|note| note.render(self.language)).collect()
    }

    fn language(&self) -> Language {
        self.language
    }

    /// The words of a label of the template.
    fn say(&self, id: &str) -> String {
        say(id, self.language)
    }

    fn tell(&self, message: &Message) -> String {
        message.render(self.language)
    }

    fn imitates(&self, plan: &PresetPlan) -> String {
        Imitates { tool: plan.imitates.clone() }.render(self.language)
    }

    fn departure(&self, words: &Message) -> String {
        Departure { words: words.clone() }.render(self.language)
    }

    fn behaves_like(&self, class: &Message) -> String {
        BehavesLike { class: class.clone() }.render(self.language)
    }

    fn steps_caption(&self, steps: &[StepRow]) -> String {
        let caption = say("page-steps-caption", self.language);
        self.explain_vague(caption, steps.iter().any(StepRow::has_vague))
    }

    /// A caption, and what the sign means where the table has it.
    fn explain_vague(&self, mut caption: String, has_vague: bool) -> String {
        if has_vague {
            let key = say("summary-key-vague", self.language);
            let gap = if caption.is_empty() { "" } else { " " };
            caption.push_str(&format!("{gap}{key}{}", self.language.full_stop()));
        }
        caption
    }

    fn results_caption(&self) -> String {
        let has_vague = self.rows.iter().any(Row::has_vague);
        // What its latency is of is among the notes.
        if self.record.measured.imported.is_some() {
            return self.explain_vague(String::new(), has_vague);
        }
        let caption = results_caption(self.record);
        let caption = caption.unwrap_or_else(|| label("page-results-plain-caption"));
        self.explain_vague(caption.render(self.language), has_vague)
    }

    fn shares_caption(&self, cell: &str) -> String {
        SharesCaption { cell: cell.to_owned() }.render(self.language)
    }

    fn hosts_left_out(&self) -> String {
        HostsLeftOut { count: self.hosts.left_out }.render(self.language)
    }

    fn notes_count(&self) -> String {
        NotesCount { count: self.trust.notes.len() }.render(self.language)
    }

    fn more_count(&self) -> String {
        MoreCount { count: self.trust.not_tested_more.len() }.render(self.language)
    }

    fn footer(&self) -> String {
        let measured = &self.record.measured;
        let version = match measured.imported {
            Some(_) => env!("CARGO_PKG_VERSION").to_owned(),
            None => measured.tool.version.clone(),
        };
        let id = measured.id.clone();
        let schema = self.record.schema_version.to_string();
        Footer { version, id, schema }.render(self.language)
    }

    fn class_sentences(&self) -> Vec<String> {
        let class = self.verdict.and_then(|verdict| verdict.class.as_ref());
        let all = class.map(class_context).unwrap_or_default();
        all.into_iter().map(|sentence| sentence.render(self.language)).collect()
    }

    fn limits(&self) -> Vec<String> {
        let all = self.verdict.into_iter().flat_map(own_limits);
        all.map(|limit| limit.render(self.language)).collect()
    }

    fn partial(&self) -> Option<String> {
        match &self.record.measured.completion {
            Completion::Complete => None,
            Completion::Partial { reason, .. } => Some(self.tell(reason)),
        }
    }

    fn remarks(&self) -> Vec<String> {
        let found = self.record.measured.metadata.as_ref();
        found.map(|found| build_remarks(found, self.language)).unwrap_or_default()
    }

    fn root_would_add(&self) -> String {
        let clauses = self.record.measured.environment.root_would_add.clone();
        Clauses { clauses }.render(self.language)
    }

    fn volumes(&self) -> Vec<String> {
        volume_words(self.record, self.language)
    }

    fn layers(&self) -> Vec<LayerView> {
        let target = self.record.measured.target();
        target
            .into_iter()
            .flat_map(|target| &target.stack)
            .map(|layer| build_layer_view(layer, self.record, self.language))
            .collect()
    }

    fn facts(&self) -> Vec<(String, String)> {
        run_facts(self.record, self.language)
    }

    /// Whether the table of hosts is short enough to stand open.
    fn has_few_hosts(&self) -> bool {
        self.hosts.report.as_ref().is_some_and(|hosts| hosts.shares.len() <= HOSTS_OPEN_MAX)
    }
}

/// Rows of hosts that stand open.
const HOSTS_OPEN_MAX: usize = 12;

/// Hosts that have a row on the page; of more, the slowest: a page is to be mailed.
const HOST_ROWS_MAX: usize = 200;

/// How many hosts are left out.
fn shorten_host_tables(hosts: &mut FleetReport) -> usize {
    let left = hosts.hosts.len().saturating_sub(HOST_ROWS_MAX);
    if left > 0 {
        let shares: Vec<_> =
            hosts.slowest_first().into_iter().take(HOST_ROWS_MAX).cloned().collect();
        hosts.shares = shares;
        let shown: HashSet<&str> = hosts.shares.iter().map(|share| &*share.host).collect();
        hosts.hosts.retain(|host| shown.contains(&*host.name));
    }
    left
}

fn build_curve_views(record: &Record, language: Language) -> Vec<CurveView> {
    let curves = record.judgement_or_default().curves.iter();
    let all = curves.filter(|curve| curve.all_points().len() > 1).map(|curve| CurveView {
        title: curve_title(record, curve).render(language),
        is_open: curve.open_loop,
        rows: point_rows(record, curve, language),
    });
    all.collect()
}
