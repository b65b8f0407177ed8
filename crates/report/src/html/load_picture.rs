//! The one picture of a run: latency over operations per second, with the bound and the answer.

use message::{Language, Message, Render as _, messages};
use record::{BoundedBy, Curve, CurvePoint, Limit, Record};
use units::{Iops, Nanos};

use super::shared::{StatisticOfLatency, StatisticOfResponse, curve_look, load_words, value_axis};
use crate::chart::{Axis, Chart, Colour, Label, NumberFormat, Plot, Point, Series, Symbol};
use crate::limit::{answered_curves, format_load, is_limit, is_ramp, limit_load_words};
use crate::words::{is_invalid, say};

messages! {
    PictureTitle = "picture-title" { statistic: Message };
    PointWords = "picture-point" {
        curve: Message, load: Message, rate: Iops, statistic: String, latency: Nanos
    };
    RampSeries = "picture-ramp" { curve: Message };
    NotCounted = "picture-series-not-counted" { curve: Message };
    AnswerShort = "picture-answer-short" { rate: Iops, load: Message };
    AnswerOf = "picture-answer" { of: Message, rate: Iops, load: Message };
}

/// The percentiles that a reader can switch between, in this order.
const PERCENTILES: [&str; 4] = ["p50", "p95", "p99", "p99.9"];
const POINTS_MIN: usize = 3;

/// One statistic of latency, and its picture.
pub(super) struct LoadPicture {
    pub(super) statistic: String,
    pub(super) chart: Chart,
    /// Whether it is the one that is shown first: that of the bound.
    pub(super) is_main: bool,
}

/// A picture for each percentile, the bound's first in rank; none where nothing has a ladder.
pub(super) fn draw_load_pictures(record: &Record, language: Language) -> Vec<LoadPicture> {
    let curves = pictured_curves(record);
    if curves.is_empty() {
        return Vec::new();
    }
    let bound = curves.iter().find_map(|curve| curve.main_bound()).map(|bound| bound.statistic);
    let main = bound.map_or_else(|| "p99".to_owned(), |statistic| statistic.to_string());
    let mut names: Vec<String> = PERCENTILES.map(str::to_owned).to_vec();
    if !names.contains(&main) && has_statistic(&curves, &main) {
        names.push(main.clone());
    }
    names.retain(|name| has_statistic(&curves, name));
    let main = if names.contains(&main) { main } else { names.last().cloned().unwrap_or_default() };
    let draw = |name: String| LoadPicture {
        is_main: name == main,
        chart: draw_load_picture((record, language), &curves, &name),
        statistic: name,
    };
    names.into_iter().map(draw).collect()
}

/// Those with more than one load; of a search those that answer it, or the ramp where the search
/// ended at once.
fn pictured_curves(record: &Record) -> Vec<&Curve> {
    let all = record.judgement_or_default().curves.iter();
    if !is_limit(record) {
        return if crate::sweep::is_sweep(record) {
            Vec::new()
        } else {
            all.filter(|curve| has_ladder(curve)).collect()
        };
    }
    let answered = answered_curves(record);
    let is_short = answered.iter().all(|curve| curve.points.len() < POINTS_MIN);
    let of_both: Vec<&Curve> = if is_short { all.collect() } else { answered };
    of_both.into_iter().filter(|curve| !curve.all_points().is_empty()).collect()
}

/// Not of a stream, which has one load however often it is visited.
pub(super) fn has_ladder(curve: &Curve) -> bool {
    curve.all_points().len() > 1 && (curve.points.len() != 1 || !curve.limits.is_empty())
}

fn has_statistic(curves: &[&Curve], name: &str) -> bool {
    curves.iter().any(|curve| curve.points.iter().any(|p| latency_at(p, name).is_some()))
}

/// Of reads and writes, the slower.
fn latency_at(point: &CurvePoint, name: &str) -> Option<f64> {
    let values = point.latency_ns.iter().filter_map(|(_, of)| of.get(name));
    values.max().map(|&ns| ns.max(1) as f64)
}

fn draw_load_picture(
    (record, language): (&Record, Language),
    curves: &[&Curve],
    statistic: &str,
) -> Chart {
    let most = |curve: &&Curve| {
        curve.all_points().iter().map(|point| point.iops).fold(f64::MIN_POSITIVE, f64::max)
    };
    let x = value_axis(say("axis-operations", language), curves.iter().map(most));
    let open = curves.iter().any(|curve| curve.open_loop);
    let name = statistic.to_owned();
    let of: Message = match open {
        true => StatisticOfResponse { statistic: name }.into(),
        false => StatisticOfLatency { statistic: name }.into(),
    };
    let y = Axis::log((&of).render(language), NumberFormat::Nanos);
    let mut plot = Plot::new(x, y);
    let mut bounds: Vec<(u64, String)> = Vec::new();
    for (place, curve) in curves.iter().enumerate() {
        add_curve(&mut plot, (record, language), curve, statistic, place);
        let own = curve.bounds.iter().filter(|bound| bound.statistic.to_string() == statistic);
        bounds.extend(own.map(|bound| (bound.limit.0, bound.to_string())));
    }
    bounds.sort();
    bounds.dedup();
    for (limit, words) in bounds {
        plot.add_bound(limit as f64, words);
    }
    for (place, curve) in curves.iter().enumerate() {
        add_answers(&mut plot, (record, language), curve, statistic, (place, curves.len() > 1));
    }
    let title = PictureTitle { statistic: of }.render(language);
    let id = format!("load-{}", statistic.replace('.', "-"));
    Chart::new((id, title), picture_caption(curves, open, language), plot).wide()
}

fn picture_caption(curves: &[&Curve], open: bool, language: Language) -> String {
    let mut words = vec![match open {
        true => say("picture-of-rates", language),
        false => say("picture-of-depths", language),
    }];
    if curves.iter().any(|curve| !curve.bounds.is_empty()) {
        words.push(say("picture-bound", language));
    }
    words.push(say("picture-not-counted", language));
    words.join(" ")
}

/// The points that support a conclusion, joined where more load gave more; the others hollow.
fn add_curve(
    plot: &mut Plot,
    (record, language): (&Record, Language),
    curve: &Curve,
    statistic: &str,
    place: usize,
) {
    let point = |p: &CurvePoint| {
        let latency = latency_at(p, statistic)?;
        let words = PointWords {
            curve: curve.label.clone(),
            load: load_words(record, curve, p),
            rate: Iops(p.iops),
            statistic: statistic.to_owned(),
            latency: Nanos(latency as u64),
        };
        Some(Point::new(p.iops, latency, words.render(language)))
    };
    let counts = |p: &&CurvePoint| !p.cells.iter().any(|cell| is_invalid(record, cell));
    let sound: Vec<Point> = curve.points.iter().filter(counts).filter_map(point).collect();
    let is_out = |p: &&CurvePoint| !counts(p);
    let left_out = curve.points.iter().filter(is_out).chain(&curve.left_out);
    let left_out: Vec<Point> = left_out.filter_map(point).collect();
    let name = if is_ramp(record, curve) && is_limit(record) {
        RampSeries { curve: curve.label.clone() }.render(language)
    } else {
        (&curve.label).render(language)
    };
    plot.add(Series::joined_where_rising(name, curve_look(place), sound));
    let grey = curve_look(place).hollow().colour(Colour::Guide);
    let not_counted = NotCounted { curve: curve.label.clone() };
    plot.add_points(&not_counted.render(language), grey, left_out);
    // The words of an answer name its load.
    let answered = |p: &&CurvePoint| {
        let mut starred = curve.limits.iter().filter(|l| is_starred(record, curve, l, statistic));
        starred.any(|limit| limit.cell == p.newest_cell())
    };
    for p in curve.points.iter().filter(counts).filter(|p| !answered(p)) {
        if let Some(latency) = latency_at(p, statistic) {
            plot.labels.push(Label::new(p.iops, latency, format_load(record, curve, p)));
        }
    }
}

/// Whether a limit is an answer that the picture of this statistic shows.
fn is_starred(record: &Record, curve: &Curve, limit: &Limit, statistic: &str) -> bool {
    let is_answer = !matches!(limit.bounded_by, BoundedBy::Unreachable | BoundedBy::Unsure);
    let is_of_ramp = is_limit(record) && is_ramp(record, curve);
    let is_own = limit.bound.statistic.to_string() == statistic && limit.statistic.is_some();
    is_answer && is_own && !is_of_ramp && !is_invalid(record, &limit.cell)
}

fn add_answers(
    plot: &mut Plot,
    (record, language): (&Record, Language),
    curve: &Curve,
    statistic: &str,
    (place, several): (usize, bool),
) {
    for limit in curve.limits.iter().filter(|l| is_starred(record, curve, l, statistic)) {
        let Some(ns) = limit.statistic else { continue };
        let latency = ns.0.max(1) as f64;
        let (rate, load) = (Iops(limit.iops.value), limit_load_words(limit));
        let short = AnswerShort { rate, load: load.clone() }.render(language);
        let of = match (several, curve.bounds.len() > 1) {
            (true, _) => Some(curve.label.clone()),
            (false, true) => Some(message::Message::from_text(limit.bound.to_string())),
            (false, false) => None,
        };
        let long = of.map(|of| AnswerOf { of, rate, load }.render(language));
        let words = long.unwrap_or_else(|| short.clone());
        let look = curve_look(place).symbol(Symbol::Star).size(10.0);
        let point = Point {
            x_between: limit.iops.positive_interval(),
            ..Point::new(limit.iops.value, latency, words.clone())
        };
        plot.add(Series::points("", look, vec![point]));
        plot.labels.push(Label::new(limit.iops.value, latency, words).needed(look.colour, short));
    }
}
