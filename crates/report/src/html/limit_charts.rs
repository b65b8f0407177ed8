//! Operations over load, with the guides of the operational laws, and the distributions at the
//! limits.

use message::{Language, Message, Render as _, label, messages};
use record::{Curve, CurvePoint, Fit, Record};
use stats::LatencyHistogram;
use units::Depth;
use workload::Direction;

use super::shared::{
    add_distribution, curve_look, depth_axis, distribution_plot, load_words, mark_doubtful,
    point_load,
};
use crate::chart::{Axis, Chart, Colour, Dash, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::limit::{
    answered_curves, curve_directions, curve_title, direction_iops, direction_words, is_ramp,
    point_cells,
};
use crate::words::say;

messages! {
    RatesTitle = "limit-rates" { curve: Message };
    SeriesThrashing = "series-thrashing" { then: Depth, best: Depth };
    SeriesOfDirection = "series-of-direction" { direction: Message, load: Message };
}

/// A law that misses the points by more is not drawn (root mean square, relative).
const RESIDUAL_MAX: f64 = 0.1;
const STEPS: u32 = 48;

pub(super) fn draw_limit_charts(record: &Record, language: Language) -> Vec<Chart> {
    let (mut curves, ramps): (Vec<&Curve>, Vec<&Curve>) =
        record.judgement_or_default().curves.iter().partition(|curve| !is_ramp(record, curve));
    curves.extend(ramps);
    let several = curves.into_iter().filter(|curve| curve.points.len() > 1);
    let mut charts: Vec<Chart> = several.map(|curve| draw_rates(record, curve, language)).collect();
    let answered = answered_curves(record).into_iter();
    charts.extend(answered.filter_map(|curve| draw_tails(record, curve, language)));
    charts
}

fn draw_rates(record: &Record, curve: &Curve, language: Language) -> Chart {
    let x = if curve.open_loop {
        Axis::linear(say("axis-arrivals-planned", language), NumberFormat::Count).starting_at_zero()
    } else {
        let loads = curve.all_points().into_iter().map(point_load);
        depth_axis(say("axis-depth", language), loads)
    };
    let y = Axis::linear(say("axis-operations", language), NumberFormat::Count).starting_at_zero();
    let mut plot = Plot::new(x, y);
    add_guides(&mut plot, curve, language);
    add_series(&mut plot, (record, language), curve, None, 0);
    let directions = curve_directions(curve);
    if directions.len() > 1 {
        for (place, direction) in directions.iter().enumerate() {
            add_series(&mut plot, (record, language), curve, Some(*direction), place + 1);
        }
    }
    add_fall(&mut plot, curve, language);
    mark_doubtful(&mut plot, record, (curve, language), |p| Some((point_load(p), p.iops)));
    let title = RatesTitle { curve: curve_title(record, curve) }.render(language);
    Chart::new((format!("rates-{}", curve.name), title), rates_caption(curve, language), plot)
}

fn rates_caption(curve: &Curve, language: Language) -> String {
    if curve.open_loop {
        return say("limit-rates-served", language);
    }
    let Some(shape) = &curve.shape else { return say("limit-rates-plain", language) };
    let knee = match shape.knee_depth {
        Some(_) => say("limit-rates-knee", language),
        None => say("limit-rates-no-knee", language),
    };
    let mut words = vec![say("limit-rates-guides", language), knee];
    words.extend(close_fit(curve).map(|_| say("limit-rates-law", language)));
    words.join(" ")
}

/// From `low` to `high`, in steps that look equal on a logarithmic axis.
fn log_steps(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let ratio = (high / low).max(1.0).ln();
    (0..=STEPS).map(move |step| low * (ratio * f64::from(step) / f64::from(STEPS)).exp())
}

fn add_guides(plot: &mut Plot, curve: &Curve, language: Language) {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return };
    let (low, high) = (point_load(first), point_load(last));
    let dotted = Look::guide(Dash::Dotted);
    if curve.open_loop {
        plot.add(Series::line(say("series-served", language), dotted, [(0.0, 0.0), (high, high)]));
        return;
    }
    let Some(shape) = curve.shape.as_ref().filter(|shape| shape.idle_latency_ns > 0.0) else {
        return;
    };
    // Of two jobs the lowest load already has more than one outstanding.
    let per_depth = 1e9 / shape.idle_latency_ns;
    let meet = (shape.ceiling_iops / per_depth).max(low);
    let rise = log_steps(low, meet.min(high)).map(|depth| (depth, depth * per_depth));
    plot.add(Series::line(say("series-idle-guide", language), dotted, rise));
    let name = match shape.knee_depth {
        Some(_) => say("series-ceiling", language),
        None => say("series-most-seen", language),
    };
    let level = shape.ceiling_iops;
    let flat = [(meet, level), (high.max(meet), level)];
    plot.add(Series::line(name, Look::guide(Dash::Mixed), flat));
    if let Some(fit) = close_fit(curve) {
        let law = |n: f64| fit.gamma * n / (1.0 + fit.alpha * (n - 1.0) + fit.beta * n * (n - 1.0));
        let points = log_steps(low, high).map(|n| (n, law(n)));
        plot.add(Series::line(say("series-law", language), Look::guide(Dash::Long), points));
    }
}

/// The law, where it follows the points.
fn close_fit(curve: &Curve) -> Option<Fit> {
    curve.shape.as_ref()?.fit.filter(|fit| fit.residual < RESIDUAL_MAX)
}

fn add_series(
    plot: &mut Plot,
    (record, language): (&Record, Language),
    curve: &Curve,
    direction: Option<Direction>,
    place: usize,
) {
    let iops = |p: &CurvePoint| match direction {
        Some(direction) => direction_iops(record, p, direction),
        None => Some(p.iops),
    };
    let point = |p: &CurvePoint| {
        let between = if direction.is_none() { point_interval(record, curve, p) } else { None };
        let words = load_words(record, curve, p).render(language);
        Some(Point { y_between: between, ..Point::new(point_load(p), iops(p)?, words) })
    };
    let known: Vec<Point> = curve.points.iter().filter_map(point).collect();
    let name: Message = match (direction, curve_directions(curve).len()) {
        (Some(direction), _) => direction_words(direction),
        (None, 2..) => label("series-together"),
        _ => label("series-measured"),
    };
    plot.add(Series::joined(name.render(language), curve_look(place), known));
}

/// The 95 % interval of a limit, or of a point of a single cell and direction.
fn point_interval(record: &Record, curve: &Curve, point: &CurvePoint) -> Option<(f64, f64)> {
    let limit = curve.limits.iter().find(|limit| limit.cell == point.newest_cell());
    if let Some(found) = limit.and_then(|limit| limit.iops.positive_interval()) {
        return Some(found);
    }
    let cell = record.measured.cell(point.newest_cell()).filter(|_| point.cells.len() == 1)?;
    let mut all = cell.confidence.iops.iter();
    let (_, only) = all.next()?;
    if all.next().is_some() { None } else { only.positive_interval() }
}

fn add_fall(plot: &mut Plot, curve: &Curve, language: Language) {
    let Some(fall) = curve.shape.as_ref().and_then(|shape| shape.fall) else { return };
    let [best, then] = [fall.best_depth, fall.then_depth].map(|depth| f64::from(depth.0));
    let ends = [(best, fall.best_iops), (then, fall.then_iops)];
    let words = SeriesThrashing { then: fall.then_depth, best: fall.best_depth }.render(language);
    let look = Look::guide(Dash::Long).colour(Colour::Alert).symbol(Symbol::TriangleDown);
    let points = ends.map(|(x, y)| Point::new(x, y, words.clone())).to_vec();
    plot.add(Series::joined(words.clone(), look.hollow().size(7.0), points));
}

fn draw_tails(record: &Record, curve: &Curve, language: Language) -> Option<Chart> {
    let mut plot = distribution_plot(curve.open_loop, language);
    let mut drawn: Vec<&str> = Vec::new();
    let directions = curve_directions(curve);
    let mut place = 0;
    for limit in &curve.limits {
        let point = curve.points.iter().find(|p| p.newest_cell() == limit.cell);
        let Some(point) = point.filter(|_| !drawn.contains(&limit.cell.as_str())) else { continue };
        for direction in &directions {
            let whole = pool_latency(record, point, *direction);
            if whole.count() == 0 {
                continue;
            }
            let load = load_words(record, curve, point);
            let name = match directions.len() {
                2.. => SeriesOfDirection { direction: direction_words(*direction), load }.into(),
                _ => load,
            };
            add_distribution(&mut plot, &whole, name.render(language), Look::line(place));
            place += 1;
        }
        drawn.push(&limit.cell);
    }
    if plot.is_empty() {
        return None;
    }
    let (title, caption) = (say("limit-tails", language), say("chart-tails-caption", language));
    Some(Chart::new((format!("tails-{}", curve.name), title), caption, plot))
}

/// The distribution of a direction over all cells of a point; of an open loop, of responses.
fn pool_latency(record: &Record, point: &CurvePoint, direction: Direction) -> LatencyHistogram {
    let totals = point_cells(record, point).filter_map(|cell| cell.totals.get(direction));
    totals.map(|of| &of.response_ns.as_deref().unwrap_or(&of.latency_ns).histogram).collect()
}
