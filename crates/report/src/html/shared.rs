//! What the charts of the pages have in common.

use message::{Language, Message, Render as _, messages};
use record::{Curve, CurvePoint, Record};
use stats::LatencyHistogram;

use crate::chart::{Axis, Dash, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::limit::{AtDepth, AtRate, format_load, point_marks};
use crate::words::{has_invalid, say};

messages! {
    StatisticOfLatency = "statistic-of-latency" { statistic: String };
    StatisticOfResponse = "statistic-of-response" { statistic: String };
}

/// Points of a line; longer series are thinned out to it.
pub(crate) const POINTS_MAX: usize = 400;
/// Values that are further apart than this have a logarithmic axis.
const LINEAR_SPREAD_MAX: f64 = 12.0;
const DISTRIBUTION_POINTS_MAX: usize = 120;

/// A curve of several has its colour, its symbol and its dash.
pub(crate) fn curve_look(place: usize) -> Look {
    let dash = match place {
        0 => Dash::Solid,
        1 => Dash::Dashed,
        2 => Dash::Mixed,
        _ => Dash::Dotted,
    };
    Look::series(place).dash(dash)
}

/// Depth, or arrivals per second.
pub(crate) fn point_load(point: &CurvePoint) -> f64 {
    point.rate.map_or(f64::from(point.depth.0), |rate| rate.0)
}

/// `depth 12`, `3,286 arrivals/s`.
pub(crate) fn load_words(record: &Record, curve: &Curve, point: &CurvePoint) -> Message {
    match point.rate {
        Some(rate) => AtRate { rate }.into(),
        None => AtDepth { depth: format_load(record, curve, point) }.into(),
    }
}

/// An axis on which the values can be told apart.
pub(crate) fn value_axis(title: String, values: impl Iterator<Item = f64> + Clone) -> Axis {
    let values = values.filter(|value| *value > 0.0);
    let (least, most) = (values.clone().fold(f64::MAX, f64::min), values.fold(0.0_f64, f64::max));
    match most > LINEAR_SPREAD_MAX * least {
        true => Axis::log(title, NumberFormat::Count),
        false => Axis::linear(title, NumberFormat::Count).starting_at_zero(),
    }
}

/// Depths on a logarithmic axis, each with its own tick where there is room.
pub(crate) fn depth_axis(title: String, depths: impl IntoIterator<Item = f64>) -> Axis {
    let mut all: Vec<f64> = depths.into_iter().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let ticks = all.into_iter().map(|depth| (depth, format!("{depth:.0}"))).collect();
    Axis::log(title, NumberFormat::Count).ticks(ticks)
}

/// Adds points that support no conclusion hollow, and crosses over those that are invalid.
pub(crate) fn mark_doubtful(
    plot: &mut Plot,
    record: &Record,
    (curve, language): (&Curve, Language),
    place: impl Fn(&CurvePoint) -> Option<(f64, f64)>,
) {
    let point = |p: &CurvePoint| {
        let (x, y) = place(p)?;
        Some(Point::new(x, y, load_words(record, curve, p).render(language)))
    };
    let all = curve.all_points();
    let invalid = all.into_iter().filter(|p| has_invalid(&point_marks(record, p)));
    plot.add_points(
        &say("series-invalid", language),
        cross_look(),
        invalid.filter_map(point).collect(),
    );
    let left_out = curve.left_out.iter().filter_map(point).collect();
    plot.add_points(
        &say("series-disturbed", language),
        Look::guide(Dash::Solid).hollow(),
        left_out,
    );
}

/// A plot of rows with names, and the height at which the row of a place stands: the first on top.
pub(crate) fn row_plot(
    x: Axis,
    names: Vec<String>,
    row_height: f64,
) -> (Plot, impl Fn(usize) -> f64) {
    let rows = names.len() as f64;
    // The axis grows upwards.
    let height = move |place: usize| rows - place as f64;
    let ticks = names.into_iter().enumerate().map(|(place, name)| (height(place), name));
    let y = Axis::linear("", NumberFormat::Count).ticks(ticks.rev().collect());
    let mut plot = Plot::new(x, y.range(0.4, rows.max(1.0) + 0.6));
    plot.set_height(row_height * rows.max(1.0) + 10.0);
    (plot, height)
}

/// Crosses over points that must not be used.
pub(crate) fn cross_look() -> Look {
    Look::guide(Dash::Solid).symbol(Symbol::Cross).size(6.0).colour(crate::chart::Colour::Alert)
}

/// The axes of distributions.
pub(crate) fn distribution_plot(open_loop: bool, language: Language) -> Plot {
    let latency = match open_loop {
        true => say("axis-response", language),
        false => say("axis-latency", language),
    };
    let y = Axis::log(say("axis-slower-share", language), NumberFormat::Percent);
    Plot::new(Axis::log(latency, NumberFormat::Nanos), y)
}

/// Adds the share of operations above each latency, as steps, thinned out.
pub(crate) fn add_distribution(
    plot: &mut Plot,
    histogram: &LatencyHistogram,
    name: String,
    look: Look,
) {
    let total = histogram.count() as f64;
    let buckets: Vec<(u64, u64, u64)> = histogram.buckets().collect();
    let step = buckets.len().div_ceil(DISTRIBUTION_POINTS_MAX).max(1);
    let mut above = total;
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (place, (start, _, count)) in buckets.iter().enumerate() {
        if place % step == 0 || place + 1 == buckets.len() {
            let at = ((*start).max(1) as f64, 100.0 * above / total);
            // A step: level up to here, then down.
            points.extend(points.last().map(|last| (at.0, last.1)));
            points.push(at);
        }
        above -= *count as f64;
    }
    plot.add(Series::line(name, look, points));
}

/// A line of which a missing value is a gap.
pub(crate) type GappedLine = Vec<(f64, Option<f64>)>;

/// A line with at most as many points as a picture shows: each the mean of those it stands for. A
/// missing value stays a gap.
pub(crate) fn thin_out(points: GappedLine) -> GappedLine {
    let step = points.len().div_ceil(POINTS_MAX).max(1);
    if step == 1 {
        return points;
    }
    let mut thinned = Vec::new();
    for run in points.split_inclusive(|point| point.1.is_none()) {
        for chunk in run.chunks(step) {
            let known: Vec<f64> = chunk.iter().filter_map(|point| point.1).collect();
            if !known.is_empty() {
                thinned.push((chunk[0].0, Some(known.iter().sum::<f64>() / known.len() as f64)));
            }
        }
        thinned.extend(run.last().filter(|point| point.1.is_none()));
    }
    thinned
}

/// The part of an id that a name gives: letters and digits, else hyphens.
pub(crate) fn id_of(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_thinned_out_and_keeps_its_gaps() {
        let long = |place: u32| (f64::from(place), (place != 1_000).then_some(2.0));
        let thinned = thin_out((0..2_000).map(long).collect());
        assert!(thinned.len() <= POINTS_MAX + 2, "{}", thinned.len());
        assert_eq!(thinned.iter().filter(|point| point.1.is_none()).count(), 1);
        assert!(thinned.iter().all(|point| point.1.is_none_or(|value| value == 2.0)));
    }
}
