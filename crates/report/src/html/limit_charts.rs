//! The chart of a search for a limit that people remember: latency over IOPS.

use plotly::common::{Anchor, DashType, Fill, HoverInfo, Line, MarkerSymbol, Mode, Position};
use plotly::layout::{Annotation, Layout};
use plotly::{Plot, Scatter};
use record::{BoundedBy, Curve, CurvePoint, Limit, Record};
use units::{Iops, Nanos};
use workload::{Bound, Direction, Statistic};

use super::limit_rates::{draw_rates, draw_tails};
use super::plot::{
    ALERT_COLOUR, Chart, GUIDE_COLOUR, Point, SERIES_COLOURS, dashed_line, hover_trace_of,
    load_words, mark_doubtful, marker_of, max_iops, titled_axis, to_milliseconds, trace_of,
};
use crate::limit::{
    answered_curves, build_answers, curve_directions, curve_title, format_load, is_ramp,
    knee_place, limit_load_words,
};

/// The bands between percentiles, from the median up, each fainter.
const BANDS: [(&str, &str, &str); 3] = [
    ("p50", "p95", "rgba(47,134,208,0.34)"),
    ("p95", "p99", "rgba(47,134,208,0.20)"),
    ("p99", "p99.9", "rgba(47,134,208,0.10)"),
];
/// From here on, as a share of the most, a long label stands left of its point.
const RIGHT_EDGE_SHARE: f64 = 0.93;
const POINTS_MIN: usize = 3;
/// IOPS that fall by this share of the most from one load to the next have turned back.
const FALL_SHARE_MIN: f64 = 0.03;
/// A device that falls once thrashes; one that turns back more often is unsteady.
const FALLS_MAX: usize = 2;
/// How near to another label, as a share of the chart, a label has no room: across, by
/// character; and down.
const LABEL_SPACING: (f64, f64) = (0.016, 0.06);

/// All charts of a record's curves: the first is the one to remember.
pub(super) fn draw_limit_charts(record: &Record) -> Vec<Chart> {
    let (mut told, ramps): (Vec<&Curve>, Vec<&Curve>) =
        record.judgement_or_default().curves.iter().partition(|curve| !is_ramp(record, curve));
    // A search that ended at once shows nothing; then the ramp before it does.
    let is_short = told.iter().all(|curve| curve.points.len() < POINTS_MIN);
    let shown = told.iter().chain(ramps.iter().filter(|_| is_short));
    let mut charts: Vec<Chart> = shown.map(|curve| draw_latency(record, curve)).collect();
    told.extend(ramps);
    charts.extend(told.iter().filter(|c| c.points.len() > 1).map(|c| draw_rates(record, c)));
    let answered = answered_curves(record).into_iter();
    charts.extend(answered.filter_map(|curve| draw_tails(record, curve)));
    // One that does not fill a row would leave a hole before one that does.
    charts.sort_by_key(|chart| !chart.wide);
    charts
}

fn latency_ms(point: &CurvePoint, direction: Direction, name: &str) -> Option<f64> {
    point.latency_ns.get(direction)?.get(name).copied().map(to_milliseconds)
}

fn draw_latency(record: &Record, curve: &Curve) -> Chart {
    let mut plot = Plot::new();
    let directions = curve_directions(curve);
    if let [only] = directions.as_slice() {
        add_bands(&mut plot, curve, *only);
    }
    for (place, direction) in directions.iter().enumerate() {
        add_percentiles(&mut plot, record, curve, *direction, (place, directions.len() > 1));
    }
    let most = max_iops(curve);
    for bound in &curve.bounds {
        let limit = to_milliseconds(bound.limit.0);
        let line = Scatter::new(vec![0.0, most * 1.06], vec![limit, limit])
            .mode(Mode::Lines)
            .hover_info(HoverInfo::Skip)
            .show_legend(false);
        plot.add_trace(line.line(dashed_line(1.5).color(ALERT_COLOUR)));
    }
    add_bound_points(&mut plot, record, curve);
    add_limit_points(&mut plot, record, curve);
    mark_doubtful(&mut plot, record, curve, |p| {
        Some((p.iops, p.latency_ns.iter().find_map(|(d, _)| latency_ms(p, d, "p99"))?))
    });
    let words = if curve.open_loop { "response time, ms" } else { "total latency, ms" };
    plot.set_layout(
        Layout::new()
            .x_axis(titled_axis("operations per second", false).range(vec![0.0, most * 1.06]))
            .y_axis(titled_axis(words, true))
            .annotations(build_annotations(record, curve)),
    );
    let title = format!("Latency over operations: {}", curve_title(record, curve));
    let wide = curve.points.len() >= POINTS_MIN;
    let id = format!("limit-{}", curve.name);
    Chart { wide, ..Chart::new((id, title), latency_caption(record, curve), &plot) }
}

fn latency_caption(record: &Record, curve: &Curve) -> String {
    let found = if is_ramp(record, curve) { Vec::new() } else { build_answers(record, curve) };
    let words = found.into_iter().map(|a| match a.reached {
        true => {
            format!("{}: {} IOPS at {}, what bounds it: {}.", a.bound, a.iops, a.load, a.bounded_by)
        }
        false => format!("{}: {}.", a.bound, a.bounded_by_sentence),
    });
    let mut said: Vec<String> = words.collect();
    let load = if curve.open_loop { "rate of arrivals" } else { "depth" };
    said.push(format!("Each point is a {load}; a hollow one breaks a bound."));
    if is_unsteady(curve) {
        said.push(
            "More load did not always bring more: the lines join the points by operations, not \
             by load."
                .to_owned(),
        );
    }
    if curve_directions(curve).len() > 1 {
        said.push(
            "Reads are solid lines with circles, writes dashed with squares; both stand over the \
             operations of the two together."
                .to_owned(),
        );
    }
    said.join(" ")
}

fn is_unsteady(curve: &Curve) -> bool {
    let least = max_iops(curve) * FALL_SHARE_MIN;
    curve.points.windows(2).filter(|pair| pair[1].iops < pair[0].iops - least).count() > FALLS_MAX
}

/// The points in the order in which lines go through them: by load, so that thrashing bends the
/// line back; by IOPS where it would go to and fro until nothing can be seen.
fn order_points(curve: &Curve) -> Vec<&CurvePoint> {
    let mut points: Vec<&CurvePoint> = curve.points.iter().collect();
    if is_unsteady(curve) {
        points.sort_by(|a, b| a.iops.total_cmp(&b.iops));
    }
    points
}

fn add_bands(plot: &mut Plot, curve: &Curve, direction: Direction) {
    for (low, high, colour) in BANDS {
        let edges: Vec<(f64, f64, f64)> = order_points(curve)
            .into_iter()
            .filter_map(|p| {
                Some((p.iops, latency_ms(p, direction, low)?, latency_ms(p, direction, high)?))
            })
            .collect();
        if edges.len() < 2 {
            continue;
        }
        let there = edges.iter().map(|e| (e.0, e.1));
        let outline = there.chain(edges.iter().rev().map(|e| (e.0, e.2)));
        let area = trace_of(outline, Mode::Lines, format!("{low} to {high}"))
            .hover_info(HoverInfo::Skip)
            .fill(Fill::ToSelf)
            .fill_color(colour)
            .line(Line::new().width(0.0).color(colour));
        plot.add_trace(area);
    }
}

/// The lines of a direction: of one alone every edge of a band, of two the median and the tail.
fn add_percentiles(
    plot: &mut Plot,
    record: &Record,
    curve: &Curve,
    direction: Direction,
    (place, several): (usize, bool),
) {
    let mut names = if several { vec!["p50", "p99"] } else { vec!["p50", "p95", "p99", "p99.9"] };
    if curve.bounds.iter().any(|bound| bound.statistic == Statistic::Mean) {
        names.push("mean");
    }
    for name in names {
        let point = |p: &CurvePoint| {
            let words = format!("{}: {name}", load_words(record, curve, p));
            Some((p.iops, latency_ms(p, direction, name)?, words))
        };
        let known: Vec<Point> = order_points(curve).into_iter().filter_map(point).collect();
        let dash = match (several, place, name) {
            (_, _, "mean") => DashType::Dot,
            (true, 1.., _) => DashType::Dash,
            _ => DashType::Solid,
        };
        let width = match (name, several) {
            ("p99", _) | ("p50", false) => 2.2,
            _ => 1.0,
        };
        let symbol = if place == 0 { MarkerSymbol::Circle } else { MarkerSymbol::Square };
        let colour = SERIES_COLOURS[place % SERIES_COLOURS.len()];
        let whose = if several { format!("{}s ", direction.name()) } else { String::new() };
        let size = if several { 5 } else { 3 };
        let trace = hover_trace_of(&known, Mode::LinesMarkers, format!("{whose}{name}"))
            .marker(marker_of(size, symbol).color(colour))
            .line(Line::new().dash(dash).width(width).color(colour));
        // The bands name the edges already.
        plot.add_trace(if several || name == "mean" { trace } else { trace.show_legend(false) });
    }
}

/// The points at the bounded statistics, filled where they keep the bound, with their load where
/// there is room for it.
fn add_bound_points(plot: &mut Plot, record: &Record, curve: &Curve) {
    let all = collect_bound_points(record, curve);
    for (within, name, symbol) in [
        (Some(true), "keeps its bound", MarkerSymbol::Circle),
        (Some(false), "breaks a bound", MarkerSymbol::CircleOpen),
        (None, "too few to say", MarkerSymbol::DiamondOpen),
    ] {
        let own = all.iter().filter(|point| point.0 == within);
        let points: Vec<Point> = own.map(|point| point.1.clone()).collect();
        if points.is_empty() {
            continue;
        }
        let colour =
            if curve_directions(curve).len() > 1 { GUIDE_COLOUR } else { SERIES_COLOURS[0] };
        let marker = marker_of(9, symbol).color(colour).line(Line::new().width(1.5).color(colour));
        plot.add_trace(hover_trace_of(&points, Mode::Markers, name).marker(marker));
    }
    add_load_labels(plot, record, curve);
}

/// Every point at every bounded statistic once; one that breaks any bound of it breaks.
fn collect_bound_points(record: &Record, curve: &Curve) -> Vec<(Option<bool>, Point)> {
    let mut statistics: Vec<Statistic> = Vec::new();
    for bound in &curve.bounds {
        if !statistics.contains(&bound.statistic) {
            statistics.push(bound.statistic);
        }
    }
    let mut all = Vec::new();
    for statistic in statistics {
        for point in &curve.points {
            let own = |(bound, _): &(&Bound, _)| bound.statistic == statistic;
            let stands: Vec<_> = curve.bounds.iter().zip(&point.stands).filter(own).collect();
            let Some(value) = stands.iter().find_map(|(_, stand)| stand.statistic) else {
                continue;
            };
            let word = |(bound, stand): &(&Bound, &record::Stand)| match stand.within {
                Some(true) => format!("keeps {bound}"),
                Some(false) => format!("breaks {bound}"),
                None => format!("too few for {bound}"),
            };
            let words: Vec<String> = stands.iter().map(word).collect();
            let breaks = stands.iter().any(|(_, s)| s.within == Some(false));
            let is_known = stands.iter().all(|(_, s)| s.within.is_some());
            let within = if breaks { Some(false) } else { is_known.then_some(true) };
            let load = load_words(record, curve, point);
            let words = format!("{load}: {statistic} {value}, {}", words.join(", "));
            all.push((within, (point.iops, to_milliseconds(value.0), words)));
        }
    }
    all
}

fn add_load_labels(plot: &mut Plot, record: &Record, curve: &Curve) {
    let Some(direction) = curve_directions(curve).first().copied() else { return };
    let median = |p: &CurvePoint| latency_ms(p, direction, "p50");
    let y_of = |p: &CurvePoint| median(p).map(|y| y.max(1e-6).log10());
    let all: Vec<f64> = curve.points.iter().filter_map(y_of).collect();
    let tallest = curve.points.iter().filter_map(|p| latency_ms(p, direction, "p99.9"));
    let top = tallest.fold(1e-6, f64::max).log10();
    let height = (top - all.iter().copied().fold(f64::INFINITY, f64::min)).max(0.1);
    let mut placed: Vec<(f64, f64)> = Vec::new();
    let mut shown: Vec<Point> = Vec::new();
    for point in &curve.points {
        let (Some(y), Some(ms)) = (y_of(point), median(point)) else { continue };
        let at = (point.iops / max_iops(curve), y / height);
        let words = format_load(record, curve, point);
        let across = LABEL_SPACING.0 * words.chars().count().max(2) as f64;
        let near =
            |p: &(f64, f64)| (p.0 - at.0).abs() < across && (p.1 - at.1).abs() < LABEL_SPACING.1;
        if !placed.iter().any(near) {
            placed.push(at);
            shown.push((point.iops, ms, words));
        }
    }
    // Long words at the edge would be cut off.
    let is_cut = |p: &Point| p.2.len() > 4 && p.0 > max_iops(curve) * RIGHT_EDGE_SHARE;
    let side = |p| if is_cut(p) { Position::BottomLeft } else { Position::BottomRight };
    let sides = shown.iter().map(side).collect();
    let (x, y) = shown.iter().map(|p| (p.0, p.1)).unzip();
    let trace = Scatter::<f64, f64>::new(x, y)
        .mode(Mode::Text)
        .text_array(shown.into_iter().map(|p| p.2).collect::<Vec<String>>())
        .text_position_array(sides)
        .hover_info(HoverInfo::Skip)
        .show_legend(false);
    plot.add_trace(trace);
}

/// The limits that are reached, with where they stand; a ramp before a search answers nothing.
fn reached_limits<'a>(record: &Record, curve: &'a Curve) -> Vec<(&'a Limit, f64, Nanos)> {
    let answers = !is_ramp(record, curve);
    let limits = curve.limits.iter().filter(|_| answers);
    let limits = limits.filter(|l| l.bounded_by != BoundedBy::Unreachable);
    limits.filter_map(|l| Some((l, l.iops.value, l.statistic?))).collect()
}

fn add_limit_points(plot: &mut Plot, record: &Record, curve: &Curve) {
    let all = reached_limits(record, curve);
    if all.is_empty() {
        return;
    }
    let point = |(limit, iops, statistic): &(&Limit, f64, Nanos)| {
        (*iops, to_milliseconds(statistic.0), limit_label(limit))
    };
    let points: Vec<Point> = all.iter().map(point).collect();
    let trace = hover_trace_of(&points, Mode::Markers, "the most within a bound");
    plot.add_trace(trace.marker(marker_of(15, MarkerSymbol::Star).color(ALERT_COLOUR)));
}

/// `p99<1ms: 66k IOPS at depth 12`.
fn limit_label(limit: &Limit) -> String {
    let iops = format_brief(limit.iops.value);
    match limit.rate {
        Some(rate) => format!("{}: {} arrivals/s", limit.bound, format_brief(rate.0)),
        None => format!("{}: {iops} IOPS at {}", limit.bound, limit_load_words(limit)),
    }
}

/// `66k`, `1.2M`: enough for a picture.
fn format_brief(iops: f64) -> String {
    match iops {
        0.0..10_000.0 => Iops(iops).to_string(),
        0.0..1e6 => format!("{:.0}k", iops / 1e3),
        _ => format!("{:.1}M", iops / 1e6),
    }
}

/// The words inside the picture. Text in annotations is markup: it must not come from outside.
fn build_annotations(record: &Record, curve: &Curve) -> Vec<Annotation> {
    let most = max_iops(curve);
    let mut all = Vec::new();
    for bound in &curve.bounds {
        let label = Annotation::new()
            .text(escape_markup(&bound.to_string()))
            .x_ref("paper")
            .x(0.0)
            .x_anchor(Anchor::Left)
            .y_anchor(Anchor::Bottom)
            .y(to_milliseconds(bound.limit.0).log10())
            .show_arrow(false);
        all.push(label);
    }
    let found = reached_limits(record, curve);
    for (place, (limit, x, statistic)) in found.iter().enumerate() {
        // Limits at the same place stand above each other.
        let same = found[..place].iter().filter(|other| (other.1, other.2) == (*x, *statistic));
        let rise = -36.0 - 26.0 * same.count() as f64;
        let at = (*x, to_milliseconds(statistic.0));
        all.push(arrow_annotation(&limit_label(limit), at, rise, most));
    }
    let directions = curve_directions(curve);
    let at = |point: &CurvePoint, name| {
        directions.iter().find_map(|d| Some((point.iops, latency_ms(point, *d, name)?)))
    };
    let depth = curve.shape.as_ref().and_then(|shape| shape.knee_depth);
    if let (Some(place), Some(depth)) = (knee_place(curve), depth)
        && let Some(at) = at(&curve.points[place], "p50")
    {
        let words = format!("knee: near depth {depth:.0}");
        // Below the median there is always room to the right.
        all.push(arrow_annotation(&words, at, 44.0, f64::INFINITY));
    }
    if let Some(fall) = curve.shape.as_ref().and_then(|shape| shape.fall)
        && let Some(point) = curve.points.iter().find(|p| p.depth == fall.then_depth)
        && let Some(at) = at(point, "p99")
    {
        let words =
            format!("thrashing: fewer at depth {} than at {}", fall.then_depth, fall.best_depth);
        all.push(arrow_annotation(&words, at, -70.0, most));
    }
    all
}

/// Words with an arrow to a point, on the side that has room.
fn arrow_annotation(words: &str, (x, y): (f64, f64), rise: f64, most: f64) -> Annotation {
    let is_right = x > most / 2.0;
    Annotation::new()
        .text(escape_markup(words))
        .x(x)
        .y(y.log10())
        .ax(if is_right { -24.0 } else { 24.0 })
        .ay(rise)
        .x_anchor(if is_right { Anchor::Right } else { Anchor::Left })
        .show_arrow(true)
        .arrow_head(2)
        .arrow_width(1.2)
        .stand_off(6.0)
}

fn escape_markup(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;")
}
