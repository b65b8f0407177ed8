//! What the charts of the pages have in common: the figure and its words, axes, colours.

use plotly::common::{Marker, MarkerSymbol, Mode, Title};
use plotly::layout::{Axis, AxisType, Layout, RangeMode};
use plotly::{Plot, Scatter};
use record::{Curve, CurvePoint, Record};
use stats::LatencyHistogram;

use crate::limit::format_load;

/// Colours that can be told apart on white and on black; shapes and dashes say the same.
pub(crate) const SERIES_COLOURS: [&str; 3] = ["#2f86d0", "#c27a10", "#2e9a5b"];
pub(crate) const GUIDE_COLOUR: &str = "#7d8b99";
pub(crate) const ALERT_COLOUR: &str = "#d64a3f";
/// Points kept of a distribution.
pub(crate) const POINTS_MAX: usize = 160;

/// A chart with the words that go with it.
pub(crate) struct Chart {
    pub(crate) id: String,
    pub(crate) title: String,
    /// The sentence that the chart shows.
    pub(crate) caption: String,
    /// The figure, safe inside a script element.
    pub(crate) json: String,
    /// Whether it has a row of its own.
    pub(crate) wide: bool,
    /// In pixels, where it grows with what it shows; else 0.
    pub(crate) height: usize,
}

pub(crate) fn build_chart(id: String, title: String, caption: String, plot: &Plot) -> Chart {
    // Inside a script element only a "<" can begin something else.
    let json = plot.to_json().replace('<', "\\u003c");
    Chart { id, title, caption, json, wide: false, height: 0 }
}

pub(crate) fn set_axes(plot: &mut Plot, x: Axis, y: Axis) {
    plot.set_layout(Layout::new().x_axis(x).y_axis(y));
}

/// A trace through points, without the words of any.
pub(crate) fn trace_of<T>(points: &[(f64, f64, T)]) -> Box<Scatter<f64, f64>> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point.0, point.1)).unzip();
    Scatter::new(x, y)
}

/// The same, with the words of each point where the pointer is.
pub(crate) fn hover_trace_of(points: &[Point]) -> Box<Scatter<f64, f64>> {
    trace_of(points).hover_text_array(points.iter().map(|point| point.2.clone()).collect())
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

/// A point of a curve: x, y, and the words shown when it is pointed at.
pub(crate) type Point = (f64, f64, String);

pub(crate) fn build_points_trace(points: &[Point]) -> Box<Scatter<f64, f64>> {
    trace_of(points)
        .text_array(points.iter().map(|p| p.2.clone()).collect::<Vec<_>>())
        .marker(Marker::new().size(7).symbol(MarkerSymbol::Circle))
}

/// Crosses over the points of invalid cells, so that they are seen without colour.
pub(crate) fn cross_out(plot: &mut Plot, invalid: &[Point]) {
    if !invalid.is_empty() {
        let cross = Marker::new().size(16).symbol(MarkerSymbol::XThinOpen);
        let trace = build_points_trace(invalid).marker(cross).mode(Mode::Markers).name("INVALID");
        plot.add_trace(trace);
    }
}

/// Latencies in ms and the percentage of operations above each, thinned out.
pub(crate) fn share_of_slower(histogram: &LatencyHistogram) -> (Vec<f64>, Vec<f64>) {
    let total = histogram.count() as f64;
    let buckets: Vec<(u64, u64, u64)> = histogram.buckets().collect();
    let step = buckets.len().div_ceil(POINTS_MAX).max(1);
    let mut above = total;
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (place, (start, _, count)) in buckets.iter().enumerate() {
        if place % step == 0 || place + 1 == buckets.len() {
            x.push(to_milliseconds((*start).max(1)));
            y.push(100.0 * above / total);
        }
        above -= *count as f64;
    }
    (x, y)
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
