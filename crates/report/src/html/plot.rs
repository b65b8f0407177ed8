//! What the charts of the pages have in common: the figure and its words, axes, colours.

use plotly::common::{DashType, Line, LineShape, Marker, MarkerSymbol, Mode, Title};
use plotly::layout::{Axis, AxisType, Layout, RangeMode};
use plotly::{Plot, Scatter};
use record::{Curve, CurvePoint, Record};
use stats::LatencyHistogram;

use crate::limit::{format_load, point_marks};
use crate::words::has_invalid;

/// Colours that can be told apart on white and on black; shapes and dashes say the same.
pub(crate) const SERIES_COLOURS: [&str; 3] = ["#2f86d0", "#c27a10", "#2e9a5b"];
pub(crate) const GUIDE_COLOUR: &str = "#7d8b99";
pub(crate) const ALERT_COLOUR: &str = "#d64a3f";
pub(crate) const POINTS_MAX: usize = 160;

pub(crate) struct Chart {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) caption: String,
    /// The figure, safe inside a script element.
    pub(crate) json: String,
    /// Whether it has a row of its own.
    pub(crate) wide: bool,
    /// In pixels, where it grows with what it shows; else 0.
    pub(crate) height: usize,
}

impl Chart {
    pub(crate) fn new(
        (id, title): (impl Into<String>, impl Into<String>),
        caption: impl Into<String>,
        plot: &Plot,
    ) -> Chart {
        let (id, title, caption) = (id.into(), title.into(), caption.into());
        Chart { id, title, caption, json: script_json(plot), wide: false, height: 0 }
    }
}

/// The figure's JSON; inside a script element only a "<" can begin something else.
pub(crate) fn script_json(plot: &Plot) -> String {
    plot.to_json().replace('<', "\\u003c")
}

pub(crate) fn set_axes(plot: &mut Plot, x: Axis, y: Axis) {
    plot.set_layout(Layout::new().x_axis(x).y_axis(y));
}

pub(crate) fn trace_of(
    points: impl IntoIterator<Item = (f64, f64)>,
    mode: Mode,
    name: impl AsRef<str>,
) -> Box<Scatter<f64, f64>> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    Scatter::new(x, y).mode(mode).name(name)
}

/// A trace with the words of each point where the pointer is.
pub(crate) fn hover_trace_of(
    points: &[Point],
    mode: Mode,
    name: impl AsRef<str>,
) -> Box<Scatter<f64, f64>> {
    trace_of(points.iter().map(|p| (p.0, p.1)), mode, name)
        .hover_text_array(points.iter().map(|point| point.2.clone()).collect())
}

pub(crate) fn marker_of(size: usize, symbol: MarkerSymbol) -> Marker {
    Marker::new().size(size).symbol(symbol)
}

pub(crate) fn dashed_line(width: f64) -> Line {
    Line::new().dash(DashType::Dash).width(width)
}

pub(crate) fn titled_axis(title: &str, log: bool) -> Axis {
    let axis = Axis::new().title(Title::with_text(title)).auto_margin(true);
    if log { axis.type_(AxisType::Log) } else { axis }
}

/// An axis on which the height is the figure: it begins at zero.
pub(crate) fn axis_from_zero(title: &str) -> Axis {
    titled_axis(title, false).range_mode(RangeMode::ToZero)
}

pub(crate) fn to_milliseconds(ns: u64) -> f64 {
    ns as f64 / 1e6
}

pub(crate) type Point = (f64, f64, String);

pub(crate) fn build_points_trace(
    points: &[Point],
    mode: Mode,
    name: impl AsRef<str>,
) -> Box<Scatter<f64, f64>> {
    trace_of(points.iter().map(|p| (p.0, p.1)), mode, name)
        .text_array(points.iter().map(|p| p.2.clone()).collect::<Vec<_>>())
        .marker(marker_of(7, MarkerSymbol::Circle))
}

/// Crosses over the points of invalid cells, so that they are seen without colour.
pub(crate) fn cross_out(plot: &mut Plot, invalid: &[Point]) {
    if !invalid.is_empty() {
        let trace = build_points_trace(invalid, Mode::Markers, "INVALID");
        plot.add_trace(trace.marker(marker_of(16, MarkerSymbol::XThinOpen)));
    }
}

/// Draws points hollow: no conclusion is drawn from them.
pub(crate) fn draw_left_out(plot: &mut Plot, points: &[Point]) {
    if !points.is_empty() {
        let trace = build_points_trace(points, Mode::Markers, "left out");
        plot.add_trace(trace.marker(marker_of(10, MarkerSymbol::CircleOpen)));
    }
}

/// Adds a line through latencies in ms and the percentage of operations above each, thinned out.
pub(crate) fn add_distribution(
    plot: &mut Plot,
    histogram: &LatencyHistogram,
    name: String,
    line: Line,
) {
    let total = histogram.count() as f64;
    let buckets: Vec<(u64, u64, u64)> = histogram.buckets().collect();
    let step = buckets.len().div_ceil(POINTS_MAX).max(1);
    let mut above = total;
    let mut points = Vec::new();
    for (place, (start, _, count)) in buckets.iter().enumerate() {
        if place % step == 0 || place + 1 == buckets.len() {
            points.push((to_milliseconds((*start).max(1)), 100.0 * above / total));
        }
        above -= *count as f64;
    }
    plot.add_trace(trace_of(points, Mode::Lines, name).line(line.shape(LineShape::Hv)));
}

/// Depth, or arrivals per second.
pub(crate) fn point_load(point: &CurvePoint) -> f64 {
    point.rate.map_or(f64::from(point.depth.0), |rate| rate.0)
}

/// Powers of two up to the deepest load, for a logarithmic axis.
pub(crate) fn doubling_ticks(deepest: f64) -> Vec<f64> {
    let powers = (0..=20).map(|power| f64::from(1_u32 << power));
    powers.take_while(|depth| *depth <= deepest * 1.5).collect()
}

pub(crate) fn depth_axis(ticks: Vec<f64>) -> Axis {
    titled_axis("operations outstanding (depth)", true).tick_values(ticks)
}

/// Draws the points of a curve that support no conclusion hollow, and crosses over those that a
/// finding calls invalid, where `place` puts them.
pub(crate) fn mark_doubtful(
    plot: &mut Plot,
    record: &Record,
    curve: &Curve,
    place: impl Fn(&CurvePoint) -> Option<(f64, f64)>,
) {
    let drawn = |p: &CurvePoint| {
        let (x, y) = place(p)?;
        Some((x, y, load_words(record, curve, p)))
    };
    let all = curve.all_points();
    let invalid = all.into_iter().filter(|p| has_invalid(&point_marks(record, p)));
    cross_out(plot, &invalid.filter_map(drawn).collect::<Vec<_>>());
    draw_left_out(plot, &curve.left_out.iter().filter_map(drawn).collect::<Vec<_>>());
}

/// `depth 12`, `3,286 arrivals/s`.
pub(crate) fn load_words(record: &Record, curve: &Curve, point: &CurvePoint) -> String {
    let load = format_load(record, curve, point);
    if curve.open_loop { format!("{load} arrivals/s") } else { format!("depth {load}") }
}

/// The part of an id that a name gives: letters and digits, else hyphens.
pub(crate) fn id_of(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

pub(crate) fn max_iops(curve: &Curve) -> f64 {
    curve.points.iter().map(|p| p.iops).fold(1.0, f64::max)
}
