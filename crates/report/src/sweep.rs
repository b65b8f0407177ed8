//! A sweep on a terminal: a table of operations and one of bytes per workload, the two limits,
//! and what writes do to reads.
//!
//! Shade stands beside each number, so that the eye finds the best without colour.

use std::fmt::Write as _;

use message::{Message, Render as _, messages};
use record::{Curve, CurvePoint, Interference, InterferencePoint, Purpose, Record, TwoLimits};
use stats::Estimate;
use units::{Bytes, Iops, Nanos, Ratio};

use crate::fleet::has_waves;
use crate::limit::AtDepth;
use crate::text::{
    FigureTable, Style, mark_sign, pad_left, wrap_text, write_heading, write_rows, write_wrapped,
};
use crate::words::{RowDepth, VAGUE, cell_marks, is_invalid, mark_vague, megabytes, or_dash};

/// Width of the column of sizes, and of a column of a depth.
const SIZE: usize = 8;
const COLUMN: usize = 14;
/// From little to much.
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];
/// Imprecise cells that are named.
const NAMED_MAX: usize = 4;

pub(crate) fn is_sweep(record: &Record) -> bool {
    matches!(record.measured.plan.purpose, Purpose::Sweep(_)) && !has_waves(record)
}

/// The curves of a sweep, by workload: `random read` with one for each block size.
pub(crate) fn group_by_workload(record: &Record) -> Vec<(Message, Vec<&Curve>)> {
    let mut workloads: Vec<(Message, Vec<&Curve>)> = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let name = analysis::workload_name(&curve.access, curve.mix);
        match workloads.iter_mut().find(|workload| workload.0.text() == name.text()) {
            Some(workload) => workload.1.push(curve),
            None => workloads.push((name, vec![curve])),
        }
    }
    workloads
}

/// Those that others disturbed too: they are shown, and decide nothing.
pub(crate) fn collect_depths(curves: &[&Curve]) -> Vec<u32> {
    let points = curves.iter().flat_map(|curve| curve.all_points());
    let mut depths: Vec<u32> = points.map(|point| point.depth.0).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

pub(crate) fn point_at(curve: &Curve, depth: u32) -> Option<&CurvePoint> {
    curve.points.iter().find(|point| point.depth.0 == depth)
}

pub(crate) fn left_out_at(curve: &Curve, depth: u32) -> Option<&CurvePoint> {
    curve.left_out.iter().find(|point| point.depth.0 == depth)
}

pub(crate) fn workload_limits<'a>(record: &'a Record, workload: &Message) -> Vec<&'a TwoLimits> {
    let lead = format!("{}, depth ", workload.text());
    let limits = record.judgement_or_default().two_limits.iter();
    limits.filter(|limits| limits.label.text().starts_with(&lead)).collect()
}

/// The matrix of operations of each workload, or the reads beside writes.
pub(crate) fn summarise_sweep(record: &Record, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for (workload, curves) in group_by_workload(record) {
        let iops = |_: &Curve, point: &CurvePoint| (point.iops, Iops(point.iops).to_string());
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(style.bold(&SweepMatrix { workload }.render(style.language)));
        let (matrix, touched) = heat_lines(record, &curves, &iops, style);
        lines.extend(matrix);
        lines.extend(wrap_text(&matrix_key(&curves, touched, style), style.prose_width()));
    }
    if let Some(found) = &record.judgement_or_default().interference {
        let mut text = String::new();
        write_interference(&mut text, record, found, style);
        lines.extend(text.trim_start_matches('\n').lines().map(str::to_owned));
    }
    lines
}

pub(crate) fn write_sweep(out: &mut String, record: &Record, style: Style) {
    for (workload, curves) in group_by_workload(record) {
        let iops = |_: &Curve, point: &CurvePoint| (point.iops, Iops(point.iops).to_string());
        let title = SweepMatrix { workload: workload.clone() }.render(style.language);
        write_heat_table(out, record, (&title, &curves), &iops, style);
        write_precision(out, record, &curves, style);
        let rate = |curve: &Curve, point: &CurvePoint| {
            let rate = point.iops * curve.block_size.0 as f64;
            (rate, megabytes(rate))
        };
        let title = SweepMatrixBytes { workload: workload.clone() }.render(style.language);
        write_heat_table(out, record, (&title, &curves), &rate, style);
        write_two_limits(out, &workload, &workload_limits(record, &workload), style);
    }
    if let Some(found) = &record.judgement_or_default().interference {
        write_interference(out, record, found, style);
    }
}

/// A figure of a point: its size, and how it is printed.
type PointFigure<'a> = &'a dyn Fn(&Curve, &CurvePoint) -> (f64, String);

fn write_heat_table(
    out: &mut String,
    record: &Record,
    (title, curves): (&str, &[&Curve]),
    figure: PointFigure<'_>,
    style: Style,
) {
    write_heading(out, style, title);
    let (lines, touched) = heat_lines(record, curves, figure, style);
    lines.iter().for_each(|line| out.extend([line, "\n"]));
    write_wrapped(out, style, "", &matrix_key(curves, touched, style));
}

fn matrix_key(curves: &[&Curve], touched: bool, style: Style) -> String {
    let key = style.say(if touched { "sweep-key-marked" } else { "sweep-key" });
    let has_vague = curves.iter().any(|curve| curve.all_points().into_iter().any(is_vague));
    match has_vague {
        true => format!("{key} {}{}", style.say("summary-key-vague"), style.language.full_stop()),
        false => key,
    }
}

/// The matrix, in as many parts as the terminal asks for; and whether a finding touches it.
fn heat_lines(
    record: &Record,
    curves: &[&Curve],
    figure: PointFigure<'_>,
    style: Style,
) -> (Vec<String>, bool) {
    let all =
        curves.iter().flat_map(|curve| curve.all_points().into_iter().map(|p| figure(curve, p).0));
    let most = all.fold(f64::MIN_POSITIVE, f64::max);
    let best = curves.iter().flat_map(|curve| {
        let points = curve.points.iter().filter(|point| is_comparable(record, point));
        points.map(|point| figure(curve, point).0)
    });
    let best = best.fold(f64::MIN_POSITIVE, f64::max);
    let (mut lines, mut touched) = (Vec::new(), false);
    let per_part = (style.width.saturating_sub(SIZE) / COLUMN).max(1);
    for columns in collect_depths(curves).chunks(per_part) {
        let mut head = format!("{:<SIZE$}", "");
        for depth in columns {
            let words = AtDepth { depth: depth.to_string() }.render(style.language);
            head.push_str(&pad_left(&format!("{words}  "), COLUMN));
        }
        lines.push(style.bold(head.trim_end()));
        for curve in curves {
            let mut line = format!("{:>width$}  ", curve.block_size.to_compact(), width = SIZE - 2);
            for &depth in columns {
                let sound = point_at(curve, depth);
                let Some(point) = sound.or_else(|| left_out_at(curve, depth)) else {
                    let _ = write!(line, "{:>COLUMN$}", "-  ");
                    continue;
                };
                let (value, words) = figure(curve, point);
                let sign = match point_sign(record, point) {
                    ' ' if sound.is_none() => '!',
                    sign => sign,
                };
                touched |= sign != ' ';
                let is_best = value >= best && sound.is_some() && is_comparable(record, point);
                let star = if is_best { '*' } else { ' ' };
                let vague = if is_vague(point) { VAGUE } else { "" };
                let words = style.language.punctuate(&words);
                let words = format!("{} {vague}{words}{star}{sign}", shade_of(value / most));
                line.push_str(&pad_left(&words, COLUMN));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    (lines, touched)
}

fn is_comparable(record: &Record, point: &CurvePoint) -> bool {
    analysis::is_comparable_point(&record.measured, record.judgement_or_default(), point)
}

/// Whether the interval is so wide that the rate is no figure.
fn is_vague(point: &CurvePoint) -> bool {
    !analysis::is_point_figure(point)
}

fn shade_of(share: f64) -> char {
    let place = (share * SHADES.len() as f64).ceil() as usize;
    SHADES[place.clamp(1, SHADES.len()) - 1]
}

fn point_sign(record: &Record, point: &CurvePoint) -> char {
    let marks = point.cells.iter().flat_map(|cell| cell_marks(record, cell));
    mark_sign(marks.map(|mark| mark.0).max())
}

fn write_precision(out: &mut String, record: &Record, curves: &[&Curve], style: Style) {
    let Purpose::Sweep(plan) = &record.measured.plan.purpose else { return };
    let mut wide: Vec<(f64, String)> = Vec::new();
    let mut cells = 0_usize;
    for curve in curves {
        for point in &curve.points {
            cells += 1;
            let half = point.precision.unwrap_or(f64::INFINITY);
            if half > plan.precision {
                let size = Message::from_text(curve.block_size.to_compact());
                let cell: Message = RowDepth { curve: size, depth: point.depth }.into();
                let words: Message = match point.precision {
                    Some(half) => WithInterval { value: cell, half: Ratio(half) }.into(),
                    None => TooShort { cell }.into(),
                };
                wide.push((half, words.render(style.language)));
            }
        }
    }
    wide.sort_by(|a, b| b.0.total_cmp(&a.0));
    let asked = Ratio(plan.precision);
    if wide.is_empty() {
        write_wrapped(out, style, "", &AllWithin { cells, asked }.render(style.language));
    } else {
        let within = cells - wide.len();
        let words = SomeWithin { within, cells, asked }.render(style.language);
        write_wrapped(out, style, "", &words);
        let named: Vec<&str> = wide.iter().take(NAMED_MAX).map(|wide| wide.1.as_str()).collect();
        write_wrapped(out, style, "  ", &named.join("; "));
    }
    let left_out = curves.iter().map(|curve| analysis::count_left_out(curve)).sum();
    if left_out > 0 {
        write_wrapped(out, style, "", &NotCounted { cells: left_out }.render(style.language));
    }
}

fn write_two_limits(out: &mut String, workload: &Message, limits: &[&TwoLimits], style: Style) {
    if limits.is_empty() {
        return;
    }
    let title = TwoLimitsTitle { workload: workload.clone() }.render(style.language);
    write_heading(out, style, &title);
    let row = |law: &&TwoLimits| {
        let iops = format_estimate(law.iops.as_ref(), &|x| Iops(x).to_string(), style);
        let rate = format_estimate(law.bytes_per_second.as_ref(), &megabytes, style);
        let meet = or_dash(law.crossover.map(format_kib));
        let misfit = style.language.punctuate(&Ratio(law.residual).to_string());
        vec![format!("  {}", law.depth), iops, rate, style.language.punctuate(&meet), misfit]
    };
    let [depth, meet, misfit] =
        ["head-depth", "head-meet-at", "head-misfit"].map(|id| style.say(id));
    let head = [&format!("  {depth}"), "IOPS", "MB/s", &meet, &misfit];
    let table = FigureTable::new(head, limits.iter().map(row)).dispensable(&[4, 3, 2]);
    write_rows(out, &table, style, |_, _| {});
    write_wrapped(out, style, "", &style.say("sweep-two-limits-key"));
}

fn format_estimate(
    estimate: Option<&Estimate>,
    show: &dyn Fn(f64) -> String,
    style: Style,
) -> String {
    let Some(estimate) = estimate else { return "-".to_owned() };
    let show = |value: f64| style.language.punctuate(&show(value));
    match estimate.interval() {
        Some((low, high)) => {
            let (value, low, high) = (show(estimate.value), show(low.max(0.0)), show(high));
            ValueWithRange { value, low, high }.render(style.language)
        }
        None => show(estimate.value),
    }
}

/// A size that was estimated, in whole KiB.
pub(crate) fn format_kib(size: Bytes) -> String {
    format!("{:.0} KiB", size.0 as f64 / Bytes::KIB as f64)
}

fn write_interference(out: &mut String, record: &Record, found: &Interference, style: Style) {
    let title = BesideWrites { workload: found.label.clone() }.render(style.language);
    write_heading(out, style, &title);
    let row = |point: &InterferencePoint| {
        let half = or_dash(point.reads.relative_half_width().map(|h| format!("±{}", Ratio(h))));
        let [mean, p50, p99] = ["mean", "p50", "p99"]
            .map(|name| or_dash(point.latency_ns.get(name).map(|&ns| Nanos(ns))));
        let [p50_worse, p99_worse] = ["p50", "p99"]
            .map(|name| or_dash(point.worse.get(name).map(|times| format!("x {times:.1}"))));
        let invalid = point.cells.iter().any(|cell| is_invalid(record, cell));
        let mark = if invalid { "X" } else { " " };
        let share = format!("{mark} {:.0} %", 100.0 * point.share);
        let reads = mark_vague(Iops(point.reads.value).to_string(), Some(&point.reads));
        let figures = [point.writes.to_string(), reads, half, mean, p50, p50_worse, p99, p99_worse];
        let figures = figures.iter().map(|figure| style.language.punctuate(figure));
        [share].into_iter().chain(figures).collect()
    };
    let [share, writes, reads, mean, worse] =
        ["head-share", "unit-writes", "unit-reads", "head-mean", "head-worse"]
            .map(|id| style.say(id));
    let head =
        [&format!("  {share}"), &*writes, &reads, "95 %", &mean, "p50", &worse, "p99", &worse];
    let table = FigureTable::new(head, found.points.iter().map(row)).dispensable(&[4, 6, 5, 3]);
    write_rows(out, &table, style, |_, _| {});
    let words = BesideKey { most: found.writes_most }.render(style.language);
    write_wrapped(out, style, "", &words);
}

messages! {
    SweepMatrix = "sweep-matrix" { workload: Message };
    SweepMatrixBytes = "sweep-matrix-bytes" { workload: Message };
    WithInterval = "with-interval" { value: Message, half: Ratio };
    TooShort = "sweep-too-short" { cell: Message };
    AllWithin = "sweep-within-all" { cells: usize, asked: Ratio };
    SomeWithin = "sweep-within-some" { within: usize, cells: usize, asked: Ratio };
    NotCounted = "sweep-not-counted" { cells: usize };
    TwoLimitsTitle = "sweep-two-limits" { workload: Message };
    ValueWithRange = "value-with-range" { value: String, low: String, high: String };
    BesideWrites = "sweep-beside-writes" { workload: Message };
    BesideKey = "sweep-beside-key" { most: Iops };
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use record::{CellRole, Part, SweepPlan};
    use units::Depth;
    use workload::{Access, Mix};

    /// A matrix of a device with two limits: 95,000 operations and 1,600 MB a second.
    pub(crate) fn record(depths: &[u32]) -> Record {
        let mut record = record::fixture::ssd_record();
        let template = record.measured.cell("randread-4k-qd64").unwrap().clone();
        let sizes = [4, 16, 64, 256, 1024].map(Bytes::kib);
        record.measured.cells.clear();
        for &depth in depths {
            for size in sizes {
                let mut cell = template.clone();
                let iops =
                    (95_000.0_f64 * f64::from(depth.min(16)) / 16.0).min(1.6e9 / size.0 as f64);
                let factor = iops / template.iops();
                cell.role = CellRole::Point;
                cell.name = format!("randread-{}-qd{depth}", size.to_compact());
                (cell.job.block_size, cell.job.depth) = (size, Depth(depth));
                let totals = cell.totals.read.as_mut().unwrap();
                totals.iops = iops;
                totals.ops = (iops * cell.elapsed.as_secs_f64()) as u64;
                totals.bytes_per_second = iops * size.0 as f64;
                let estimate = cell.confidence.iops.read.as_mut().unwrap();
                estimate.value *= factor;
                estimate.low = estimate.low.map(|low| low * factor);
                estimate.high = estimate.high.map(|high| high * factor);
                record.measured.cells.push(cell);
            }
        }
        let (access, mix, block_size) = (Access::Random, Mix::Read, sizes[0]);
        record.measured.plan.bounds.clear();
        record.measured.plan.purpose = Purpose::Sweep(SweepPlan {
            parts: vec![Part { access, mix, block_size }],
            block_sizes: sizes.to_vec(),
            depths: depths.to_vec(),
            precision: 0.02,
            cell_time: (Nanos::millis(700), Nanos::secs(10)),
            write_shares: Vec::new(),
        });
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    fn plain(record: &Record) -> String {
        let mut out = String::new();
        write_sweep(&mut out, record, Style::PLAIN);
        out
    }

    #[test]
    fn a_depth_that_others_disturbed_is_shown_and_is_never_the_highest() {
        let mut record = record(&[1, 4]);
        for cell in record.measured.cells.iter_mut().filter(|cell| cell.job.depth == Depth(4)) {
            cell.ledger.layers[0].read_bytes.0 *= 2;
        }
        record.judgement = Some(analysis::judge(&record.measured));
        let curves = &record.judgement_or_default().curves;
        assert!(curves.iter().all(|curve| left_out_at(curve, 4).is_some()));
        let text = plain(&record);
        let row = text.lines().find(|line| line.trim_start().starts_with("4k")).unwrap();
        assert!(row.contains("5,938*") && row.contains("23,750 !"), "{text}");
        assert!(text.contains("depth 4") && text.contains("!: see the warnings"), "{text}");
        assert!(!text.contains("-  "), "nothing is missing: {text}");
        let sizes = curves.len();
        let words = format!("{sizes} cells are not counted: they support no conclusion");
        assert!(text.contains(&words), "{text}");
        let meaning = &record.judgement_or_default().verdict.as_ref().unwrap().meaning;
        assert!(meaning.iter().any(|said| said.text().starts_with(&words)), "{meaning:?}");
    }

    #[test]
    fn both_tables_and_the_limits_are_shown() {
        let text = plain(&record(&[1, 4, 16, 64]));
        for words in
            ["random read, IOPS by", "random read, MB/s by", "depth 64", "95,000", "16 KiB", "█"]
        {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(text.contains("█ 95,000*"), "{text}");
    }

    #[test]
    fn a_wide_matrix_is_split() {
        let text = plain(&record(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]));
        for line in text.lines() {
            assert!(
                line.chars().count() <= crate::text::WIDTH,
                "{} columns: {line}",
                line.chars().count()
            );
        }
        assert!(text.contains("depth 2048"), "{text}");
    }

    #[test]
    fn what_was_not_measured_is_shown_as_missing() {
        let mut record = record(&[1, 4]);
        record.measured.cells.retain(|cell| cell.name != "randread-64k-qd4");
        record.judgement = Some(analysis::judge(&record.measured));
        let text = plain(&record);
        let row = text.lines().find(|line| line.trim_start().starts_with("64k")).unwrap();
        assert!(row.trim_end().ends_with('-'), "{row}");
    }
}
