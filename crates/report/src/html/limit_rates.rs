//! IOPS over load, with the guides of the operational laws, and the distributions at the limits.

use plotly::Plot;
use plotly::common::{DashType, ErrorData, ErrorType, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use record::{Curve, CurvePoint, Fit, Record};
use stats::LatencyHistogram;
use workload::Direction;

use super::plot::{
    ALERT_COLOUR, Chart, GUIDE_COLOUR, Point, SERIES_COLOURS, add_distribution, doubling_ticks,
    hover_trace_of, load_words, mark_doubtful, marker_of, max_iops, point_load, set_axes,
    titled_axis, trace_of,
};
use crate::limit::{curve_directions, curve_title, direction_iops, point_cells};

/// A law that misses the points by more is not drawn (root mean square, relative).
const RESIDUAL_MAX: f64 = 0.1;
const STEPS: u32 = 48;

pub(super) fn draw_rates(record: &Record, curve: &Curve) -> Chart {
    let mut plot = Plot::new();
    add_guides(&mut plot, curve);
    add_series(&mut plot, record, curve, None, 0);
    let directions = curve_directions(curve);
    if directions.len() > 1 {
        for (place, direction) in directions.iter().enumerate() {
            add_series(&mut plot, record, curve, Some(*direction), place + 1);
        }
    }
    let highest = add_intervals(&mut plot, record, curve).max(max_iops(curve));
    add_fall(&mut plot, curve);
    mark_doubtful(&mut plot, record, curve, |p| Some((point_load(p), p.iops)));
    let x = if curve.open_loop {
        titled_axis("arrivals per second, as planned", false)
    } else {
        let deepest = curve.points.last().map_or(1.0, point_load);
        titled_axis("operations outstanding (depth), doubling", true)
            .tick_values(doubling_ticks(deepest))
    };
    let y = titled_axis("operations per second", false).range(vec![0.0, highest * 1.06]);
    set_axes(&mut plot, x, y);
    let title = format!("Operations over load: {}", curve_title(record, curve));
    Chart::new((format!("rates-{}", curve.name), title), rates_caption(curve), &plot)
}

fn rates_caption(curve: &Curve) -> String {
    if curve.open_loop {
        return "On the dotted line as many come back as arrive; below it the device no longer \
                keeps up, and waits grow without end."
            .to_owned();
    }
    let Some(shape) = &curve.shape else {
        return "Where the line turns flat, more depth only adds latency; where it falls, depth \
                hurts."
            .to_owned();
    };
    let mut said = "Dotted: what no queue can beat. It rises as depth over idle latency, up to \
                    the most that was seen."
        .to_owned();
    said.push_str(if shape.knee_depth.is_some() {
        " The two meet at the knee: beyond it more depth adds latency only."
    } else {
        " The device still gave more at the deepest queue: its ceiling was not seen."
    });
    if close_fit(curve).is_some() {
        said.push_str(" The thin line is the universal scalability law, where it was tested.");
    }
    said
}

fn add_guide(
    plot: &mut Plot,
    points: impl IntoIterator<Item = (f64, f64)>,
    dash: DashType,
    name: &str,
) {
    let line = Line::new().dash(dash).width(1.2).color(GUIDE_COLOUR);
    plot.add_trace(trace_of(points, Mode::Lines, name).hover_info(HoverInfo::Skip).line(line));
}

/// From `low` to `high`, in steps that look equal on a logarithmic axis.
fn log_steps(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let ratio = (high / low).max(1.0).ln();
    (0..=STEPS).map(move |step| low * (ratio * f64::from(step) / f64::from(STEPS)).exp())
}

fn add_guides(plot: &mut Plot, curve: &Curve) {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return };
    let (low, high) = (point_load(first), point_load(last));
    if curve.open_loop {
        add_guide(plot, [(0.0, 0.0), (high, high)], DashType::Dot, "every arrival served");
        return;
    }
    let Some(shape) = curve.shape.as_ref().filter(|shape| shape.idle_latency_ns > 0.0) else {
        return;
    };
    // Of two jobs the lowest load already has more than one outstanding.
    let per_depth = 1e9 / shape.idle_latency_ns;
    let meet = (shape.ceiling_iops / per_depth).max(low);
    let rise = log_steps(low, meet.min(high)).map(|depth| (depth, depth * per_depth));
    add_guide(plot, rise, DashType::Dot, "depth / idle latency");
    let name = if shape.knee_depth.is_some() { "ceiling" } else { "most seen" };
    let level = shape.ceiling_iops;
    add_guide(plot, [(meet, level), (high.max(meet), level)], DashType::Dot, name);
    if let Some(fit) = close_fit(curve) {
        let law = |n: f64| fit.gamma * n / (1.0 + fit.alpha * (n - 1.0) + fit.beta * n * (n - 1.0));
        let points = log_steps(low, high).map(|n| (n, law(n)));
        add_guide(plot, points, DashType::Solid, "scalability law");
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
    let point = |p: &CurvePoint| Some((point_load(p), iops(p)?, load_words(record, curve, p)));
    let known: Vec<Point> = curve.points.iter().filter_map(point).collect();
    let (symbol, dash) = match place {
        0 => (MarkerSymbol::Circle, DashType::Solid),
        1 => (MarkerSymbol::Square, DashType::Dash),
        _ => (MarkerSymbol::Diamond, DashType::DashDot),
    };
    let colour = SERIES_COLOURS[place % SERIES_COLOURS.len()];
    let name = match (direction, curve_directions(curve).len()) {
        (Some(direction), _) => format!("{}s", direction.name()),
        (None, 2..) => "both together".to_owned(),
        _ => "measured".to_owned(),
    };
    let trace =
        hover_trace_of(&known, Mode::LinesMarkers, name).marker(marker_of(7, symbol).color(colour));
    plot.add_trace(trace.line(Line::new().dash(dash).width(1.5).color(colour)));
}

/// The 95 % intervals: of a limit, and of points of a single cell and direction; the highest end.
fn add_intervals(plot: &mut Plot, record: &Record, curve: &Curve) -> f64 {
    let of = |point: &CurvePoint| {
        let limit = curve.limits.iter().find(|limit| limit.cell == point.newest_cell());
        if let Some(found) = limit.and_then(|limit| limit.iops.interval()) {
            return Some(found);
        }
        let cell = record.measured.cell(point.newest_cell()).filter(|_| point.cells.len() == 1)?;
        let mut all = cell.confidence.iops.iter();
        let (_, only) = all.next()?;
        if all.next().is_some() { None } else { only.interval() }
    };
    let known: Vec<(f64, f64, (f64, f64))> =
        curve.points.iter().filter_map(|p| Some((point_load(p), p.iops, of(p)?))).collect();
    if known.is_empty() {
        return 0.0;
    }
    let highest = known.iter().map(|(_, _, (_, high))| *high).fold(0.0, f64::max);
    let error = ErrorData::new(ErrorType::Data)
        .symmetric(false)
        .array(known.iter().map(|(_, y, (_, high))| (high - y).max(0.0)).collect())
        .array_minus(known.iter().map(|(_, y, (low, _))| (y - low).max(0.0)).collect())
        .thickness(1.4)
        .width(5)
        .color(GUIDE_COLOUR);
    let trace = trace_of(known.iter().map(|p| (p.0, p.1)), Mode::Markers, "95 % interval")
        .hover_info(HoverInfo::Skip)
        .marker(Marker::new().size(3).color(GUIDE_COLOUR));
    plot.add_trace(trace.error_y(error));
    highest
}

fn add_fall(plot: &mut Plot, curve: &Curve) {
    let Some(fall) = curve.shape.as_ref().and_then(|shape| shape.fall) else { return };
    let [best, then] = [fall.best_depth, fall.then_depth].map(|depth| f64::from(depth.0));
    let ends = [(best, fall.best_iops), (then, fall.then_iops)];
    let trace = trace_of(ends, Mode::LinesMarkers, "thrashing: more depth, fewer operations")
        .line(Line::new().width(2.0).dash(DashType::LongDash).color(ALERT_COLOUR));
    let marker = marker_of(14, MarkerSymbol::TriangleDownOpen).color(ALERT_COLOUR);
    plot.add_trace(trace.marker(marker));
}

pub(super) fn draw_tails(record: &Record, curve: &Curve) -> Option<Chart> {
    let mut plot = Plot::new();
    let mut drawn: Vec<&str> = Vec::new();
    let directions = curve_directions(curve);
    for limit in &curve.limits {
        let point = curve.points.iter().find(|p| p.newest_cell() == limit.cell);
        let Some(point) = point.filter(|_| !drawn.contains(&limit.cell.as_str())) else { continue };
        for (place, direction) in directions.iter().enumerate() {
            let whole = pool_latency(record, point, *direction);
            if whole.count() == 0 {
                continue;
            }
            let several = directions.len() > 1;
            let whose = if several { format!("{}s, ", direction.name()) } else { String::new() };
            let name = format!("{whose}{}", load_words(record, curve, point));
            let dash = if place == 0 { DashType::Solid } else { DashType::Dash };
            add_distribution(&mut plot, &whole, name, Line::new().dash(dash));
        }
        drawn.push(&limit.cell);
    }
    if drawn.is_empty() {
        return None;
    }
    let words = if curve.open_loop { "response time, ms" } else { "total latency, ms" };
    let y = titled_axis("share of slower operations, %", true);
    set_axes(&mut plot, titled_axis(words, true), y);
    let caption = "At each limit: one operation in a hundred is slower than the latency at 1 %, \
                   the 99th percentile. The further right a line ends, the longer its tail.";
    let title = "How long operations take at the limit";
    Some(Chart::new((format!("tails-{}", curve.name), title), caption, &plot))
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
