//! Operations over load, with the guides of the operational laws, and the distributions at the
//! limits.

use record::{Curve, CurvePoint, Fit, Record};
use stats::LatencyHistogram;
use workload::Direction;

use super::shared::{
    add_distribution, curve_look, depth_axis, distribution_plot, load_words, mark_doubtful,
    point_load,
};
use crate::chart::{Axis, Chart, Colour, Dash, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::limit::{
    answered_curves, curve_directions, curve_title, direction_iops, is_ramp, point_cells,
};

/// A law that misses the points by more is not drawn (root mean square, relative).
const RESIDUAL_MAX: f64 = 0.1;
const STEPS: u32 = 48;

pub(super) fn draw_limit_charts(record: &Record) -> Vec<Chart> {
    let (mut curves, ramps): (Vec<&Curve>, Vec<&Curve>) =
        record.judgement_or_default().curves.iter().partition(|curve| !is_ramp(record, curve));
    curves.extend(ramps);
    let several = curves.into_iter().filter(|curve| curve.points.len() > 1);
    let mut charts: Vec<Chart> = several.map(|curve| draw_rates(record, curve)).collect();
    let answered = answered_curves(record).into_iter();
    charts.extend(answered.filter_map(|curve| draw_tails(record, curve)));
    charts
}

fn draw_rates(record: &Record, curve: &Curve) -> Chart {
    let x = if curve.open_loop {
        Axis::linear("arrivals per second, as planned", NumberFormat::Count).from_zero()
    } else {
        let loads = curve.all_points().into_iter().map(point_load);
        depth_axis("operations outstanding (depth)", loads)
    };
    let y = Axis::linear("operations per second", NumberFormat::Count).from_zero();
    let mut plot = Plot::new(x, y);
    add_guides(&mut plot, curve);
    add_series(&mut plot, record, curve, None, 0);
    let directions = curve_directions(curve);
    if directions.len() > 1 {
        for (place, direction) in directions.iter().enumerate() {
            add_series(&mut plot, record, curve, Some(*direction), place + 1);
        }
    }
    add_fall(&mut plot, curve);
    mark_doubtful(&mut plot, record, curve, |p| Some((point_load(p), p.iops)));
    let title = format!("Operations over load: {}", curve_title(record, curve));
    Chart::new((format!("rates-{}", curve.name), title), rates_caption(curve), plot)
}

fn rates_caption(curve: &Curve) -> String {
    if curve.open_loop {
        return "On the dotted line every arrival is served; below it the device no longer keeps \
                up, and waits grow without end."
            .to_owned();
    }
    let Some(shape) = &curve.shape else {
        return "Where the line turns flat, more depth only adds latency; where it falls, depth \
                hurts."
            .to_owned();
    };
    let mut words = "Dotted: what no queue can beat. It rises as depth over idle latency, up to \
                     the most that was seen."
        .to_owned();
    words.push_str(if shape.knee_depth.is_some() {
        " The two meet at the knee: beyond it more depth adds latency only."
    } else {
        " The device still gave more at the deepest queue: its ceiling was not seen."
    });
    if close_fit(curve).is_some() {
        words.push_str(" The long dashes are the universal scalability law, where it was tested.");
    }
    words
}

/// From `low` to `high`, in steps that look equal on a logarithmic axis.
fn log_steps(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let ratio = (high / low).max(1.0).ln();
    (0..=STEPS).map(move |step| low * (ratio * f64::from(step) / f64::from(STEPS)).exp())
}

fn add_guides(plot: &mut Plot, curve: &Curve) {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return };
    let (low, high) = (point_load(first), point_load(last));
    let dotted = Look::guide(Dash::Dotted);
    if curve.open_loop {
        plot.add(Series::line("every arrival served", dotted, [(0.0, 0.0), (high, high)]));
        return;
    }
    let Some(shape) = curve.shape.as_ref().filter(|shape| shape.idle_latency_ns > 0.0) else {
        return;
    };
    // Of two jobs the lowest load already has more than one outstanding.
    let per_depth = 1e9 / shape.idle_latency_ns;
    let meet = (shape.ceiling_iops / per_depth).max(low);
    let rise = log_steps(low, meet.min(high)).map(|depth| (depth, depth * per_depth));
    plot.add(Series::line("depth / idle latency", dotted, rise));
    let name = if shape.knee_depth.is_some() { "ceiling" } else { "most seen" };
    let level = shape.ceiling_iops;
    let flat = [(meet, level), (high.max(meet), level)];
    plot.add(Series::line(name, Look::guide(Dash::DashDot), flat));
    if let Some(fit) = close_fit(curve) {
        let law = |n: f64| fit.gamma * n / (1.0 + fit.alpha * (n - 1.0) + fit.beta * n * (n - 1.0));
        let points = log_steps(low, high).map(|n| (n, law(n)));
        plot.add(Series::line("scalability law", Look::guide(Dash::Long), points));
    }
}

/// The law, where it follows the points.
fn close_fit(curve: &Curve) -> Option<Fit> {
    curve.shape.as_ref()?.fit.filter(|fit| fit.residual < RESIDUAL_MAX)
}

fn add_series(
    plot: &mut Plot,
    record: &Record,
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
        let words = load_words(record, curve, p);
        Some(Point { y_between: between, ..Point::new(point_load(p), iops(p)?, words) })
    };
    let known: Vec<Point> = curve.points.iter().filter_map(point).collect();
    let name = match (direction, curve_directions(curve).len()) {
        (Some(direction), _) => format!("{}s", direction.name()),
        (None, 2..) => "both together".to_owned(),
        _ => "measured".to_owned(),
    };
    plot.add(Series::joined(name, curve_look(place), known));
}

/// The 95 % interval of a limit, or of a point of a single cell and direction.
fn point_interval(record: &Record, curve: &Curve, point: &CurvePoint) -> Option<(f64, f64)> {
    let limit = curve.limits.iter().find(|limit| limit.cell == point.newest_cell());
    if let Some(found) = limit.and_then(|limit| limit.iops.interval()) {
        return Some(found);
    }
    let cell = record.measured.cell(point.newest_cell()).filter(|_| point.cells.len() == 1)?;
    let mut all = cell.confidence.iops.iter();
    let (_, only) = all.next()?;
    if all.next().is_some() { None } else { only.interval() }
}

fn add_fall(plot: &mut Plot, curve: &Curve) {
    let Some(fall) = curve.shape.as_ref().and_then(|shape| shape.fall) else { return };
    let [best, then] = [fall.best_depth, fall.then_depth].map(|depth| f64::from(depth.0));
    let ends = [(best, fall.best_iops), (then, fall.then_iops)];
    let words =
        format!("thrashing: fewer at depth {} than at {}", fall.then_depth, fall.best_depth);
    let look = Look::guide(Dash::Long).colour(Colour::Alert).symbol(Symbol::TriangleDown);
    let points = ends.map(|(x, y)| Point::new(x, y, words.clone())).to_vec();
    plot.add(Series::joined(words.clone(), look.hollow().size(7.0), points));
}

fn draw_tails(record: &Record, curve: &Curve) -> Option<Chart> {
    let mut plot = distribution_plot(if curve.open_loop { "response time" } else { "latency" });
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
            let several = directions.len() > 1;
            let whose = if several { format!("{}s, ", direction.name()) } else { String::new() };
            let name = format!("{whose}{}", load_words(record, curve, point));
            add_distribution(&mut plot, &whole, name, Look::line(place));
            place += 1;
        }
        drawn.push(&limit.cell);
    }
    if plot.is_empty() {
        return None;
    }
    let caption = "At each limit: one operation in a hundred is slower than the latency at 1 %, \
                   the 99th percentile. The further right a line ends, the longer its tail.";
    let title = "How long operations take at the limit";
    Some(Chart::new((format!("tails-{}", curve.name), title), caption, plot))
}

/// The distribution of a direction over all cells of a point; of an open loop, of responses.
fn pool_latency(record: &Record, point: &CurvePoint, direction: Direction) -> LatencyHistogram {
    let mut whole = LatencyHistogram::new();
    for totals in point_cells(record, point).filter_map(|cell| cell.totals.get(direction)) {
        let latency = totals.response_ns.as_ref().unwrap_or(&totals.latency_ns);
        let _ = whole.merge_sparse(&latency.histogram);
    }
    whole
}
