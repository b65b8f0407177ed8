//! IOPS over load, with the guides of the operational laws, and the distributions at the limits.

use plotly::common::{
    DashType, ErrorData, ErrorType, HoverInfo, Line, LineShape, Marker, MarkerSymbol, Mode,
};
use plotly::{Plot, Scatter};
use record::{Curve, CurvePoint, Fit, Record};
use stats::LatencyHistogram;
use workload::Direction;

use super::plot::{
    ALERT_COLOUR, Chart, GUIDE_COLOUR, SERIES_COLOURS, build_chart, cross_out, hover_trace_of,
    load_words, max_iops, set_axes, share_of_slower, titled_axis, trace_of,
};
use crate::limit::{curve_directions, curve_title, direction_iops, point_cells, point_marks};

/// A law that misses the points by more is not drawn (root mean square, relative).
const RESIDUAL_MAX: f64 = 0.1;
/// Steps in which a guide is drawn.
const STEPS: u32 = 48;

/// IOPS over depth, or achieved over planned arrivals.
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
    cross_out(&mut plot, &invalid_points(record, curve));
    let x = if curve.open_loop {
        titled_axis("arrivals per second, as planned", false)
    } else {
        let deepest = curve.points.last().map_or(1.0, point_load);
        let powers = (0..=20).map(|power| f64::from(1u32 << power));
        titled_axis("operations outstanding (depth), doubling", true)
            .tick_values(powers.take_while(|depth| *depth <= deepest * 1.5).collect())
    };
    let y = titled_axis("operations per second", false).range(vec![0.0, highest * 1.06]);
    set_axes(&mut plot, x, y);
    let title = format!("Operations over load: {}", curve_title(record, curve));
    build_chart(format!("rates-{}", curve.name), title, rates_caption(curve), &plot)
}

fn rates_caption(curve: &Curve) -> String {
    if curve.open_loop {
        return "On the dotted line as many come back as arrive; below it the device no longer \
                keeps up, and waits grow without end."
            .to_owned();
    }
    let shape = curve.shape.as_ref();
    let Some(shape) = shape else {
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

/// Depth, or arrivals a second.
fn point_load(point: &CurvePoint) -> f64 {
    point.rate.map_or(f64::from(point.depth.0), |rate| rate.0)
}

fn add_guide(plot: &mut Plot, x: Vec<f64>, y: Vec<f64>, dash: DashType, name: &str) {
    let line = Line::new().dash(dash).width(1.2).color(GUIDE_COLOUR);
    let trace = Scatter::new(x, y).mode(Mode::Lines).name(name).hover_info(HoverInfo::Skip);
    plot.add_trace(trace.line(line));
}

/// From `low` to `high`, in steps that look equal on a logarithmic axis.
fn log_steps(low: f64, high: f64) -> Vec<f64> {
    let ratio = (high / low).max(1.0).ln();
    (0..=STEPS).map(|step| low * (ratio * f64::from(step) / f64::from(STEPS)).exp()).collect()
}

fn add_guides(plot: &mut Plot, curve: &Curve) {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return };
    let (low, high) = (point_load(first), point_load(last));
    if curve.open_loop {
        add_guide(plot, vec![0.0, high], vec![0.0, high], DashType::Dot, "every arrival served");
        return;
    }
    let Some(shape) = curve.shape.as_ref().filter(|shape| shape.idle_latency_ns > 0.0) else {
        return;
    };
    // Of two jobs the lowest load already has more than one outstanding.
    let per_depth = 1e9 / shape.idle_latency_ns;
    let meet = (shape.ceiling_iops / per_depth).max(low);
    let x = log_steps(low, meet.min(high));
    let y = x.iter().map(|depth| depth * per_depth).collect();
    add_guide(plot, x, y, DashType::Dot, "depth / idle latency");
    let name = if shape.knee_depth.is_some() { "ceiling" } else { "most seen" };
    let level = shape.ceiling_iops;
    add_guide(plot, vec![meet, high.max(meet)], vec![level, level], DashType::Dot, name);
    if let Some(fit) = close_fit(curve) {
        let x = log_steps(low, high);
        let law =
            |n: &f64| fit.gamma * n / (1.0 + fit.alpha * (n - 1.0) + fit.beta * n * (n - 1.0));
        let y = x.iter().map(law).collect();
        add_guide(plot, x, y, DashType::Solid, "scalability law");
    }
}

/// The law, where it follows the points.
fn close_fit(curve: &Curve) -> Option<Fit> {
    curve.shape.as_ref()?.fit.filter(|fit| fit.residual < RESIDUAL_MAX)
}

/// All directions together, or one of them.
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
    let known: Vec<(f64, f64, String)> = curve
        .points
        .iter()
        .filter_map(|p| Some((point_load(p), iops(p)?, load_words(record, curve, p))))
        .collect();
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
    let trace = hover_trace_of(&known)
        .mode(Mode::LinesMarkers)
        .name(name)
        .marker(Marker::new().size(7).symbol(symbol).color(colour))
        .line(Line::new().dash(dash).width(1.5).color(colour));
    plot.add_trace(trace);
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
    let trace = trace_of(&known)
        .mode(Mode::Markers)
        .name("95 % interval")
        .hover_info(HoverInfo::Skip)
        .marker(Marker::new().size(3).color(GUIDE_COLOUR))
        .error_y(error);
    plot.add_trace(trace);
    highest
}

fn add_fall(plot: &mut Plot, curve: &Curve) {
    let Some(fall) = curve.shape.as_ref().and_then(|shape| shape.fall) else { return };
    let x = vec![f64::from(fall.best_depth.0), f64::from(fall.then_depth.0)];
    let marker = Marker::new().size(14).symbol(MarkerSymbol::TriangleDownOpen).color(ALERT_COLOUR);
    let trace = Scatter::new(x, vec![fall.best_iops, fall.then_iops])
        .mode(Mode::LinesMarkers)
        .name("thrashing: more depth, fewer operations")
        .line(Line::new().width(2.0).dash(DashType::LongDash).color(ALERT_COLOUR))
        .marker(marker);
    plot.add_trace(trace);
}

fn invalid_points(record: &Record, curve: &Curve) -> Vec<(f64, f64, String)> {
    let bad = |p: &&CurvePoint| {
        point_marks(record, p).iter().any(|(status, _)| *status == record::Status::Invalid)
    };
    let at = |p: &CurvePoint| (point_load(p), p.iops, load_words(record, curve, p));
    curve.points.iter().filter(bad).map(at).collect()
}

/// The share of operations slower than a latency, at each limit of a curve.
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
            let whose = match directions.len() {
                1 => String::new(),
                _ => format!("{}s, ", direction.name()),
            };
            let name = format!("{whose}{}", load_words(record, curve, point));
            let dash = if place == 0 { DashType::Solid } else { DashType::Dash };
            let (x, y) = share_of_slower(&whole);
            let line = Line::new().shape(LineShape::Hv).dash(dash);
            plot.add_trace(Scatter::new(x, y).mode(Mode::Lines).name(name).line(line));
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
    let title = "How long operations take at the limit".to_owned();
    Some(build_chart(format!("tails-{}", curve.name), title, caption.into(), &plot))
}

/// The distribution of a direction over all cells of a point; of an open loop, of responses.
fn pool_latency(record: &Record, point: &CurvePoint, direction: Direction) -> LatencyHistogram {
    let mut whole = LatencyHistogram::new();
    for totals in point_cells(record, point).filter_map(|cell| cell.totals.get(direction)) {
        let latency = totals.response_ns.as_ref().unwrap_or(&totals.latency_ns);
        // A damaged histogram was refused when the record was read.
        let _ = whole.merge_sparse(&latency.histogram);
    }
    whole
}
