//! The figures of a screen, by what was asked: the rows of a check, the answers and the curve of a
//! search, the matrix of a sweep, the text of an imitated tool, the slowest of many hosts.

use message::Render as _;
use record::{Curve, CurvePoint, Record};

use super::key_table::{Columns, KeyRow, check_table, key_table};
use super::words::*;
use crate::fleet::{HostShare, build_fleet_report, has_waves};
use crate::limit::{
    Answer, PointRow, answered_curves, build_answers, curve_title, is_limit, point_rows,
};
use crate::outliers::{OutlierReport, SlowRow, build_outlier_report};
use crate::preset::table::{Departure, StepRow, build_step_rows, build_threshold_rows};
use crate::preset::{PresetResult, find_format};
use crate::text::{Style, kept_lines, text_width, wrap_text};
use crate::words::AndMoreOnPage;

/// Points of a curve that are shown: the answer's neighbours.
const POINTS_MAX: usize = 8;
const HOSTS_MAX: usize = 4;
const SLOW_MAX: usize = 10;
const EVIDENCE_MAX: usize = 2;
/// Lines of an imitated text that leave room for the rest.
const IMITATED_MAX: usize = 22;

/// Tables have at most `rows` rows.
pub(super) fn build_body(record: &Record, rows: usize, style: Style) -> Vec<String> {
    let mut lines = if has_waves(record) {
        wave_lines(record, rows, style)
    } else if is_limit(record) {
        limit_lines(record, rows, style)
    } else if let Some(found) = PresetResult::from_record(record) {
        preset_lines(&found, rows, style)
    } else if crate::sweep::is_sweep(record) {
        crate::sweep::summarise_sweep(record, style)
    } else if let Some(found) = &record.measured.metadata {
        crate::metadata::summarise_metadata(found, style)
    } else if crate::replay::is_replay(record) {
        replay_lines(record, rows, style)
    } else {
        check_table(record, rows, style)
    };
    let hosts = fleet_lines(record, rows.min(HOSTS_MAX), style);
    if !hosts.is_empty() && !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(hosts);
    lines
}

/// The figures of the whole load, then what was replayed and how late the generator was.
fn replay_lines(record: &Record, max: usize, style: Style) -> Vec<String> {
    let mut lines = check_table(record, max, style);
    let meaning = record.judgement_or_default().verdict.iter().flat_map(|verdict| &verdict.meaning);
    for facts in meaning.filter(|words| words.id().starts_with("replay-")) {
        lines.extend(wrap_text(&facts.render(style.language), style.prose_width()));
    }
    lines
}

/// The answers of the waves: there is none of all together.
fn wave_lines(record: &Record, max: usize, style: Style) -> Vec<String> {
    let hosts = build_fleet_report(record, style.language);
    let waves = hosts.map(|hosts| hosts.waves).unwrap_or_default();
    let left = waves.len().saturating_sub(max);
    let mut lines: Vec<String> = waves
        .iter()
        .take(max)
        .flat_map(|wave| wrap_text(&wave.line, style.prose_width()))
        .collect();
    if left > 0 {
        lines.push(AndMoreOnPage { count: left }.render(style.language));
    }
    lines
}

/// The answer of each bound, then the curve around the first answer.
fn limit_lines(record: &Record, max: usize, style: Style) -> Vec<String> {
    let curves = answered_curves(record);
    let answers = curves.iter().flat_map(|curve| build_answers(record, curve, style.language));
    let row = |answer: Answer| KeyRow {
        label: LimitRow { curve: answer.label, bound: answer.bound }.render(style.language),
        figures: vec![
            answer.rate.iops,
            answer.rate.half,
            answer.load,
            answer.statistic,
            answer.bounded_by,
        ],
        marks: answer.marks,
    };
    let (load, by) = (style.say("summary-load"), style.say("summary-bounded-by"));
    let latency = style.say("axis-latency");
    let head = ["", "IOPS", "95 %", &load, &latency, &by];
    let answers: Vec<KeyRow> = answers.map(row).collect();
    let points = max.saturating_sub(answers.len()).clamp(3, POINTS_MAX);
    let columns = Columns { head: &head, dispensable: &[5, 2, 4], rows_max: max, has_key: true };
    let mut lines = key_table(&columns, answers, None, style);
    for curve in curves.iter().filter(|curve| curve.all_points().len() > 1).take(1) {
        lines.push(String::new());
        lines.extend(curve_lines(record, curve, points, style));
    }
    lines
}

fn curve_lines(record: &Record, curve: &Curve, max: usize, style: Style) -> Vec<String> {
    let rows = point_rows(record, curve, style.language);
    let shown = choose_points(curve, &rows, max);
    let rows = rows.into_iter().enumerate().filter(|(place, _)| shown.contains(place));
    let row = |(_, row): (usize, PointRow)| {
        let latency = |place: usize| row.slowest[place].clone();
        KeyRow {
            figures: vec![
                row.iops.clone(),
                latency(1),
                latency(3),
                latency(4),
                row.notes.join(", "),
            ],
            label: row.load.clone(),
            marks: row.marks.clone(),
        }
    };
    let title = curve_title(record, curve).render(style.language);
    let head = [title.as_str(), "IOPS", "p50", "p99", "p99.9", ""];
    let columns = Columns { head: &head, dispensable: &[4, 2], rows_max: max, has_key: false };
    key_table(&columns, rows.map(row).collect(), None, style)
}

/// The lowest load, the answer with its neighbours, and the highest load; what was left out only
/// where there is room.
fn choose_points(curve: &Curve, rows: &[PointRow], max: usize) -> Vec<usize> {
    let points = curve.all_points();
    let sound: Vec<usize> =
        (0..rows.len()).filter(|&place| !curve.left_out.contains(points[place])).collect();
    if sound.len() <= max {
        return sound;
    }
    let is_answer =
        |point: &CurvePoint| curve.limits.iter().any(|limit| point.cells.contains(&limit.cell));
    let answer = sound.iter().position(|&place| is_answer(points[place])).unwrap_or(0);
    let mut chosen = vec![sound[0], sound[sound.len() - 1]];
    let mut near: Vec<usize> = (0..sound.len()).collect();
    near.sort_by_key(|place| place.abs_diff(answer));
    for place in near {
        if chosen.len() < max && !chosen.contains(&sound[place]) {
            chosen.push(sound[place]);
        }
    }
    chosen
}

/// Thresholds first, then the text of the imitated tool, else our own table.
fn preset_lines(found: &PresetResult<'_>, rows_max: usize, style: Style) -> Vec<String> {
    let departures = found.plan.departures.iter().flat_map(|departure| {
        let words = Departure { words: departure.clone() }.render(style.language);
        wrap_text(&words, style.prose_width())
    });
    let mut lines: Vec<String> = departures.collect();
    lines.extend(threshold_lines(found, style));
    let gap = |lines: &mut Vec<String>| {
        if !lines.is_empty() {
            lines.push(String::new());
        }
    };
    if let Some(text) = imitated_lines(found, style) {
        gap(&mut lines);
        lines.extend(text);
        return lines;
    }
    gap(&mut lines);
    let row = |row: StepRow| {
        let [mean, p50, p99, max] = row.latency;
        KeyRow {
            figures: vec![row.iops, row.interval, row.rate, mean, p50, p99, max],
            label: row.label,
            marks: row.marks,
        }
    };
    let (mean, max) = (style.say("head-mean"), style.say("head-max"));
    let head = ["", "IOPS", "95 %", "MB/s", &mean, "p50", "p99", &max];
    let rows = build_step_rows(found, style.language).into_iter().map(row).collect();
    let columns = Columns { head: &head, dispensable: &[7, 4, 5, 2], rows_max, has_key: true };
    lines.extend(key_table(&columns, rows, None, style));
    lines
}

fn threshold_lines(found: &PresetResult<'_>, style: Style) -> Vec<String> {
    let rows = build_threshold_rows(found, style.language);
    let widest = rows.iter().map(|row| text_width(&row.word(style.language))).max().unwrap_or(0);
    let line = |row: &crate::preset::table::ThresholdRow| {
        let text = ThresholdLine {
            what: row.what.clone(),
            measured: row.value.clone(),
            limit: row.limit.clone(),
        };
        let kept = ("", row.kept, &*row.word(style.language));
        kept_lines(style, kept, widest, &text.render(style.language))
    };
    rows.iter().flat_map(line).collect()
}

/// What the imitated tool prints, where it is short and fits.
fn imitated_lines(found: &PresetResult<'_>, style: Style) -> Option<Vec<String>> {
    let name = found.plan.format.as_deref()?;
    let format = find_format(name)?;
    let text = match format.brief {
        Some(brief) => brief(found, style.width),
        None => (format.render)(found),
    };
    let lines: Vec<String> = text.trim_matches('\n').lines().map(str::to_owned).collect();
    let fits = lines.iter().all(|line| text_width(line) <= style.width);
    match lines.len() <= IMITATED_MAX && fits && !lines.is_empty() {
        true => Some(lines),
        false => None,
    }
}

/// The evidence of the answer in the headline, and the slow hosts.
fn slow_host_lines(found: &OutlierReport, style: Style) -> Vec<String> {
    let evidence = found.evidence.iter().take(EVIDENCE_MAX);
    let mut lines: Vec<String> =
        evidence.flat_map(|words| wrap_text(words, style.prose_width())).collect();
    let row = |row: &SlowRow| KeyRow {
        label: row.host.clone(),
        figures: vec![
            row.times.clone(),
            row.value.clone(),
            row.median.clone(),
            row.load.clone(),
            row.labels.clone(),
        ],
        marks: Vec::new(),
    };
    let [host, times, value, median] =
        ["head-slow-host", "head-slower", "head-measured", "head-median"].map(|id| style.say(id));
    let head = [&*host, &times, &value, &median, "", ""];
    let rows = found.slow.iter().map(row).collect();
    let columns = Columns { head: &head, dispensable: &[5, 4], rows_max: SLOW_MAX, has_key: false };
    lines.extend(key_table(&columns, rows, None, style));
    lines
}

/// The totals are in the table; of the hosts, the slowest.
fn fleet_lines(record: &Record, max: usize, style: Style) -> Vec<String> {
    let Some(fleet) = build_fleet_report(record, style.language) else { return Vec::new() };
    let outliers = build_outlier_report(record, style.language);
    if let Some(found) = outliers.filter(|found| !found.slow.is_empty()) {
        return slow_host_lines(&found, style);
    }
    let shares = fleet.slowest_first();
    let row = |share: &&HostShare| {
        let [mean, p50, p99] = share.latency.clone();
        KeyRow {
            label: share.host.clone(),
            figures: vec![
                share.iops.clone(),
                share.share.clone(),
                share.depth.clone(),
                mean,
                p50,
                p99,
                share.note.clone(),
            ],
            marks: Vec::new(),
        }
    };
    let title = Hosts { cell: fleet.label.clone() }.render(style.language);
    let [share, depth, mean] = ["head-share", "head-depth", "head-mean"].map(|id| style.say(id));
    let head = [title.as_str(), "IOPS", &share, &depth, &mean, "p50", "p99", ""];
    let rows = shares.iter().take(max).map(row).collect();
    let columns = Columns { head: &head, dispensable: &[4, 5, 3], rows_max: max, has_key: true };
    key_table(&columns, rows, None, style)
}
