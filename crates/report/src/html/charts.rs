//! The charts of the page, as plotly figures.

use plotly::common::{DashType, Line, Mode};
use plotly::{Plot, Scatter};
use record::{Cell, CellRole, Curve, Record};
use stats::LatencyHistogram;
use workload::Pacing;

use super::plot::{
    Chart, Point, add_distribution, axis_from_zero, build_points_trace, cross_out, depth_axis,
    draw_left_out, set_axes, titled_axis, to_milliseconds, trace_of,
};
use crate::words::{bounded_words, cell_label, is_invalid};

const DRAWN_PERCENTILES: [f64; 4] = [50.0, 95.0, 99.0, 99.9];

pub(super) fn draw_charts(record: &Record) -> Vec<Chart> {
    let mut charts: Vec<Chart> = if crate::limit::is_limit(record) {
        super::limit_charts::draw_limit_charts(record)
    } else if crate::sweep::is_sweep(record) {
        super::sweep_charts::draw_sweep_charts(record)
    } else {
        draw_check_charts(record)
    };
    charts.extend(super::surface_charts::draw_surface_charts(record));
    charts.extend(super::fleet_charts::draw_fleet_charts(record));
    charts.extend(draw_over_time(record, "iops"));
    charts.extend(draw_over_time(record, "p99"));
    charts.extend(draw_first_write(record));
    charts
}

fn draw_check_charts(record: &Record) -> Vec<Chart> {
    let curves = record.judgement_or_default().curves.iter().filter(|curve| has_ladder(curve));
    let mut charts: Vec<Chart> = curves.map(|c| draw_latency_over_load(record, c)).collect();
    if !charts.is_empty() {
        charts.push(draw_iops_over_depth(record));
    }
    charts.extend(draw_distributions(record));
    charts
}

fn merge_data_latency(cell: &Cell) -> LatencyHistogram {
    let mut whole = LatencyHistogram::new();
    for totals in cell.data_directions() {
        // A damaged histogram was refused when the record was read.
        let _ = whole.merge_sparse(&totals.latency_ns.histogram);
    }
    whole
}

/// Not of a stream, which has one load however often it is visited.
fn has_ladder(curve: &Curve) -> bool {
    curve.all_points().len() > 1 && (curve.points.len() != 1 || !curve.limits.is_empty())
}

fn draw_latency_over_load(record: &Record, curve: &Curve) -> Chart {
    let mut plot = Plot::new();
    let cells: Vec<&Cell> =
        curve.points.iter().filter_map(|p| record.measured.cell(p.newest_cell())).collect();
    let mut invalid = Vec::new();
    for percentile in DRAWN_PERCENTILES {
        let mut points = Vec::new();
        for cell in &cells {
            let whole = merge_data_latency(cell);
            let supported = stats::percentile_supported(percentile, whole.count());
            let Some(ns) = whole.quantile(percentile / 100.0).filter(|_| supported) else {
                continue;
            };
            let load = match &cell.job.pacing {
                Pacing::Open { rate, .. } => format!("{rate} IOPS planned"),
                Pacing::Closed | Pacing::Spaced { .. } => format!("depth {}", cell.job.depth),
            };
            let point = (cell.iops(), to_milliseconds(ns), load);
            if is_invalid(record, &cell.name) {
                invalid.push(point.clone());
            }
            points.push(point);
        }
        let name = format!("p{percentile}");
        plot.add_trace(build_points_trace(&points, Mode::LinesMarkers, name));
    }
    cross_out(&mut plot, &invalid);
    let most = cells.iter().map(|cell| cell.iops()).fold(0.0, f64::max);
    draw_bounds(&mut plot, curve, most);
    let x = titled_axis("operations per second", false);
    set_axes(&mut plot, x, titled_axis("total latency, ms", true));
    let paced = cells.iter().any(|cell| matches!(cell.job.pacing, Pacing::Open { .. }));
    let load = if paced { "a rate of arrivals" } else { "a depth" };
    let caption = format!("Each point is {load}. {}.", bounded_words(record, curve));
    let title = format!("{}: latency over load", curve.label);
    Chart::new((format!("load-{}", curve.name), title), caption, &plot)
}

fn draw_bounds(plot: &mut Plot, curve: &Curve, most: f64) {
    for bound in &curve.bounds {
        let limit = to_milliseconds(bound.limit.0);
        let ends = [(0.0, limit), (most, limit)];
        let line = trace_of(ends, Mode::Lines, format!("bound {bound}"));
        plot.add_trace(line.line(Line::new().dash(DashType::Dash)));
    }
}

fn draw_iops_over_depth(record: &Record) -> Chart {
    let mut plot = Plot::new();
    let (mut invalid, mut left_out) = (Vec::new(), Vec::new());
    let curves = record.judgement_or_default().curves.iter();
    let curves: Vec<&Curve> = curves.filter(|curve| has_ladder(curve)).collect();
    for curve in &curves {
        let point =
            |p: &record::CurvePoint| (f64::from(p.depth.0), p.iops, p.newest_cell().to_owned());
        let points: Vec<Point> = curve.points.iter().map(point).collect();
        left_out.extend(curve.left_out.iter().map(point));
        invalid
            .extend(points.iter().chain(&left_out).filter(|p| is_invalid(record, &p.2)).cloned());
        plot.add_trace(build_points_trace(&points, Mode::LinesMarkers, curve.label.text()));
    }
    cross_out(&mut plot, &invalid);
    draw_left_out(&mut plot, &left_out);
    let points = curves.iter().flat_map(|curve| curve.all_points());
    let mut depths: Vec<f64> = points.map(|p| f64::from(p.depth.0)).collect();
    depths.sort_by(f64::total_cmp);
    depths.dedup();
    set_axes(&mut plot, depth_axis(depths), titled_axis("operations per second", false));
    let caption =
        "Where a line turns flat, more depth only adds latency; where it falls, depth hurts.";
    Chart::new(("depth", "Operations over depth"), caption, &plot)
}

fn draw_distributions(record: &Record) -> Option<Chart> {
    let mut plot = Plot::new();
    let is_main = |cell: &&Cell| matches!(cell.role, CellRole::Main | CellRole::Idle);
    let mains: Vec<&Cell> = record.measured.cells.iter().filter(is_main).collect();
    if mains.is_empty() {
        return None;
    }
    for cell in mains {
        for (direction, totals) in cell.totals.iter() {
            let Ok(whole) = totals.latency_ns.histogram.to_histogram() else {
                continue;
            };
            let several = cell.totals.iter().count() > 1;
            let suffix = if several { format!(", {}s", direction.name()) } else { String::new() };
            let note = if is_invalid(record, &cell.name) { " (INVALID)" } else { "" };
            let name = format!("{}{suffix}{note}", cell_label(cell));
            add_distribution(&mut plot, &whole, name, Line::new());
        }
    }
    let y = titled_axis("share of slower operations, %", true);
    set_axes(&mut plot, titled_axis("total latency, ms", true), y);
    let caption = "One operation in a hundred is slower than the latency at 1 %: the 99th \
                   percentile. The further right a line ends, the longer its tail.";
    Some(Chart::new(("tails", "How long operations take"), caption, &plot))
}

/// IOPS or p99 of every interval over the whole run, a line per kind of workload.
fn draw_over_time(record: &Record, what: &str) -> Option<Chart> {
    let mut plot = Plot::new();
    let figure = if what == "iops" { interval_iops } else { interval_p99_ms };
    let mut lines: Vec<(String, Vec<f64>, Vec<Option<f64>>)> = Vec::new();
    // Trials are many, short, and no part of the run's own story.
    let shown = |cell: &&Cell| !matches!(cell.role, CellRole::Idle | CellRole::Trial);
    for cell in record.measured.cells.iter().filter(shown) {
        let kind = cell_label(cell).split(',').next().unwrap_or_default().to_owned();
        let place = lines.iter().position(|line| line.0 == kind).unwrap_or(lines.len());
        if place == lines.len() {
            lines.push((kind, Vec::new(), Vec::new()));
        }
        let line = &mut lines[place];
        for interval in &cell.intervals {
            let at = (cell.started.0 + interval.start.0) as f64 / 1e9;
            line.1.push(at);
            line.2.push(figure(interval));
        }
        // A missing value breaks the line between cells.
        line.1.push((cell.started.0 + cell.elapsed.0) as f64 / 1e9);
        line.2.push(None);
    }
    if lines.is_empty() {
        return None;
    }
    for (kind, x, y) in lines {
        plot.add_trace(Scatter::new(x, y).mode(Mode::Lines).name(kind).connect_gaps(false));
    }
    let (id, title, unit, caption) = if what == "iops" {
        (
            "time-iops",
            "The run in time: operations",
            "operations per second",
            if crate::limit::is_limit(record) {
                "Each point is a tenth of a second. Steps are the probes of the search; a dip \
                 inside a step is the disk's, or a neighbour's."
            } else if record.judgement_or_default().curves.is_empty() {
                "Each point is a tenth of a second. Where no step changes, a dip is the disk's, or \
                 a neighbour's."
            } else {
                "Each point is a tenth of a second. Steps are the ladder of depths; a dip inside \
                 a step is the disk's, or a neighbour's."
            },
        )
    } else {
        (
            "time-p99",
            "The run in time: 99th percentile",
            "p99 of total latency, ms",
            "The 99th percentile of each tenth of a second, where it holds enough operations.",
        )
    };
    set_axes(&mut plot, titled_axis("seconds", false), titled_axis(unit, what != "iops"));
    Some(Chart::new((id, title), caption, &plot))
}

fn interval_iops(interval: &record::Interval) -> Option<f64> {
    let data = [&interval.directions.read, &interval.directions.write].into_iter().flatten();
    let ops: u64 = data.map(|d| d.ops).sum();
    (interval.length.0 > 0).then(|| ops as f64 * 1e9 / interval.length.0 as f64)
}

fn interval_p99_ms(interval: &record::Interval) -> Option<f64> {
    let mut whole = LatencyHistogram::new();
    for direction in [&interval.directions.read, &interval.directions.write].into_iter().flatten() {
        whole.merge_sparse(&direction.total).ok()?;
    }
    let supported = stats::percentile_supported(99.0, whole.count());
    whole.quantile(0.99).filter(|_| supported).map(to_milliseconds)
}

/// The first write of the test file, MB/s over what was written.
fn draw_first_write(record: &Record) -> Option<Chart> {
    let layout = record.measured.layout.as_ref().filter(|layout| layout.series.len() > 2)?;
    let seconds = layout.interval.as_secs_f64();
    let mut written = 0.0;
    // The last interval is cut short: its rate would be too low.
    let whole = layout.series[..layout.series.len() - 1].iter().map(|bytes| {
        written += *bytes as f64 / 1e9;
        (written, *bytes as f64 / seconds / 1e6)
    });
    let mut plot = Plot::new();
    plot.add_trace(trace_of(whole, Mode::Lines, "first write"));
    set_axes(&mut plot, titled_axis("GB written", false), axis_from_zero("MB/s"));
    let caption = "The first time each block of the test file was written, in sequence. A step \
                   down is the end of a write cache or of credits.";
    Some(Chart::new(("first-write", "First write"), caption, &plot))
}
