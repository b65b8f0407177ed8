//! The charts of the appendix that every record can have, and which charts a record has.

use message::{Language, Message, Render as _, messages};
use record::{Cell, CellRole, Curve, Record};
use stats::LatencyHistogram;

use super::load_picture::has_ladder;
use super::range_charts::{draw_small_files, draw_step_rates};
use super::shared::{
    GappedLine, StatisticOfLatency, add_distribution, cross_look, curve_look, depth_axis,
    distribution_plot, thin_out,
};
use crate::chart::{Axis, Chart, Dash, Look, NumberFormat, Plot, Point, Series};
use crate::words::{cell_label, is_invalid, say};
use workload::Direction;

messages! {
    InvalidSeries = "chart-invalid-series" { series: String };
}

/// The charts of a record: those that answer first, and those of the appendix.
pub(super) struct Charts {
    pub(super) answers: Vec<Chart>,
    pub(super) details: Vec<Chart>,
}

pub(super) fn draw_charts(record: &Record, language: Language) -> Charts {
    let mut answers = super::surface_charts::draw_surface_charts(record, language);
    if answers.is_empty() {
        answers.extend(draw_step_rates(record, language));
    }
    let small_files = record.measured.metadata.iter();
    answers.extend(small_files.flat_map(|found| draw_small_files(found, language)));
    let mut details = Vec::new();
    if crate::limit::is_limit(record) {
        details.extend(super::limit_charts::draw_limit_charts(record, language));
    } else if crate::sweep::is_sweep(record) {
        let sweep = super::sweep_charts::draw_sweep_charts(record, language);
        answers.extend(sweep.maps);
        details.extend(sweep.lines);
    } else if crate::replay::is_replay(record) {
        answers.extend(super::replay_charts::draw_replay_charts(record, language));
    } else {
        details.extend(draw_over_depth(record, language));
        details.extend(draw_distributions(record, language));
    }
    details.extend(super::fleet_charts::draw_fleet_charts(record, language));
    details.extend(draw_over_time(record, TimeFigure::Iops, language));
    details.extend(draw_over_time(record, TimeFigure::P99, language));
    details.extend(draw_first_write(record, language));
    Charts { answers, details }
}

fn draw_over_depth(record: &Record, language: Language) -> Option<Chart> {
    let curves = record.judgement_or_default().curves.iter();
    let curves: Vec<&Curve> = curves.filter(|curve| has_ladder(curve)).collect();
    let points = curves.iter().flat_map(|curve| curve.all_points());
    let x = depth_axis(say("axis-depth", language), points.map(|p| f64::from(p.depth.0)));
    let y = Axis::linear(say("axis-operations", language), NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(x, y);
    let (mut invalid, mut left_out) = (Vec::new(), Vec::new());
    for (place, curve) in curves.iter().enumerate() {
        let point = |p: &record::CurvePoint| {
            Point::new(f64::from(p.depth.0), p.iops, p.newest_cell().to_owned())
        };
        let points: Vec<Point> = curve.points.iter().map(point).collect();
        left_out.extend(curve.left_out.iter().map(point));
        invalid.extend(points.iter().filter(|p| is_invalid(record, &p.words)).cloned());
        plot.add(Series::joined((&curve.label).render(language), curve_look(place), points));
    }
    if plot.is_empty() {
        return None;
    }
    plot.add_points(&say("series-invalid", language), cross_look(), invalid);
    plot.add_points(
        &say("series-disturbed", language),
        Look::guide(Dash::Solid).hollow(),
        left_out,
    );
    let title = say("chart-depth", language);
    Some(Chart::new(("depth", title), say("chart-depth-caption", language), plot))
}

/// A line for each load and direction; the visits to one load are one line.
fn draw_distributions(record: &Record, language: Language) -> Option<Chart> {
    let is_main = |cell: &&Cell| matches!(cell.role, CellRole::Main | CellRole::Idle);
    let mut lines: Vec<(String, LatencyHistogram)> = Vec::new();
    for cell in record.measured.cells.iter().filter(is_main) {
        for (direction, totals) in cell.totals.iter() {
            let sparse = &totals.latency_ns.histogram;
            let name = distribution_name(record, cell, direction, language);
            let place = lines.iter().position(|line| line.0 == name).unwrap_or(lines.len());
            if place == lines.len() {
                lines.push((name, LatencyHistogram::new()));
            }
            // One that cannot be read is left out, here as in the figures.
            let _ = lines[place].1.merge_sparse(sparse);
        }
    }
    lines.retain(|line| line.1.count() > 0);
    if lines.is_empty() {
        return None;
    }
    let mut plot = distribution_plot(false, language);
    for (place, (name, whole)) in lines.into_iter().enumerate() {
        add_distribution(&mut plot, &whole, name, Look::line(place));
    }
    let title = say("chart-tails", language);
    Some(Chart::new(("tails", title), say("chart-tails-caption", language), plot))
}

fn distribution_name(
    record: &Record,
    cell: &Cell,
    direction: Direction,
    language: Language,
) -> String {
    let label = cell_label(cell).render(language);
    let name = match cell.totals.iter().count() > 1 {
        true => {
            let part = say(&format!("series-{}s", direction.name()), language);
            format!("{label} ({part})")
        }
        false => label,
    };
    match is_invalid(record, &cell.name) {
        true => InvalidSeries { series: name }.render(language),
        false => name,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimeFigure {
    Iops,
    P99,
}

/// IOPS or p99 of every interval over the whole run, a line per kind of workload.
fn draw_over_time(record: &Record, figure: TimeFigure, language: Language) -> Option<Chart> {
    let of_interval = match figure {
        TimeFigure::Iops => interval_iops,
        TimeFigure::P99 => interval_p99,
    };
    let mut lines: Vec<(String, GappedLine)> = Vec::new();
    // Trials are many, short, and no part of the run's own story.
    let shown = |cell: &&Cell| !matches!(cell.role, CellRole::Idle | CellRole::Trial);
    for cell in record.measured.cells.iter().filter(shown) {
        let kind = kind_label(cell).render(language);
        let place = lines.iter().position(|line| line.0 == kind).unwrap_or(lines.len());
        if place == lines.len() {
            lines.push((kind, Vec::new()));
        }
        let line = &mut lines[place].1;
        for interval in &cell.intervals {
            let at = (cell.started.0 + interval.start.0) as f64 / 1e9;
            line.push((at, of_interval(interval)));
        }
        // A missing value breaks the line between cells.
        line.push(((cell.started.0 + cell.elapsed.0) as f64 / 1e9, None));
    }
    // A kind has the same colour in every chart.
    let mut lines: Vec<(usize, (String, GappedLine))> = lines.into_iter().enumerate().collect();
    lines.retain(|(_, line)| line.1.iter().filter(|point| point.1.is_some()).count() > 1);
    if lines.is_empty() {
        return None;
    }
    let (id, title, caption, y) = match figure {
        TimeFigure::Iops => (
            "time-iops",
            say("chart-time-operations", language),
            say("chart-time-operations-caption", language),
            Axis::linear(say("axis-operations", language), NumberFormat::Count).starting_at_zero(),
        ),
        TimeFigure::P99 => (
            "time-p99",
            say("chart-time-p99", language),
            say("chart-time-p99-caption", language),
            Axis::log(p99_words(language), NumberFormat::Nanos),
        ),
    };
    let mut plot = Plot::new(Axis::linear(say("axis-seconds", language), NumberFormat::Count), y);
    for (place, (kind, points)) in lines {
        let look = Look::line(place).dash(Dash::Solid).width(1.2);
        plot.add(Series::line_with_gaps(kind, look, thin_out(points)));
    }
    Some(Chart::new((id, title), caption, plot).wide())
}

/// What a cell measures, at whatever depth: `random read 4k`.
fn kind_label(cell: &Cell) -> Message {
    let job = &cell.job;
    match job.sync {
        Some(_) => cell_label(cell),
        None => analysis::curve_name(&job.access, job.mix, job.block_size).1,
    }
}

fn p99_words(language: Language) -> String {
    StatisticOfLatency { statistic: "p99".to_owned() }.render(language)
}

fn interval_iops(interval: &record::Interval) -> Option<f64> {
    let data = [&interval.directions.read, &interval.directions.write].into_iter().flatten();
    let ops: u64 = data.map(|d| d.ops).sum();
    (interval.length.0 > 0).then(|| ops as f64 * 1e9 / interval.length.0 as f64)
}

fn interval_p99(interval: &record::Interval) -> Option<f64> {
    let mut whole = LatencyHistogram::new();
    for direction in [&interval.directions.read, &interval.directions.write].into_iter().flatten() {
        whole.merge_sparse(&direction.total).ok()?;
    }
    let supported = stats::percentile_supported(99.0, whole.count());
    whole.quantile(0.99).filter(|_| supported).map(|ns| ns as f64)
}

/// The first write of the test file, MB/s over what was written.
fn draw_first_write(record: &Record, language: Language) -> Option<Chart> {
    let layout = record.measured.layout.as_ref().filter(|layout| layout.series.len() > 2)?;
    let seconds = layout.interval.as_secs_f64();
    let mut written = 0.0;
    // The last interval is cut short: its rate would be too low.
    let whole = layout.series[..layout.series.len() - 1].iter().map(|bytes| {
        written += *bytes as f64 / 1e9;
        (written, Some(*bytes as f64 / seconds / 1e6))
    });
    let x = Axis::linear(say("axis-written", language), NumberFormat::Count);
    let y = Axis::linear("MB/s", NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(x, y);
    let points = thin_out(whole.collect());
    plot.add(Series::line_with_gaps("", Look::series(0), points));
    let title = say("chart-first-write", language);
    Some(Chart::new(("first-write", title), say("chart-first-write-caption", language), plot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_visits_to_one_load_are_one_line() {
        let mut record = record::fixture::ssd_record();
        let mut again = record.measured.cell("randread-4k-qd1").unwrap().clone();
        again.name.push_str("-2");
        record.measured.cells.push(again);
        record.judgement = Some(analysis::judge(&record.measured));
        let charts = draw_charts(&record, Language::English);
        let tails = charts.details.iter().find(|chart| chart.id == "tails").unwrap();
        let drawn = tails.to_file(Language::English);
        assert_eq!(drawn.matches(">random read 4k, depth 1</text>").count(), 1, "{drawn}");
    }
}
