//! The answers and the points of a search for a limit, in the words that the terminal and the
//! page share.

use record::{BoundedBy, Cell, Curve, CurvePoint, Limit, LimitPart, Purpose, Record, Status};
use units::{Iops, Nanos, Ratio};
use workload::Direction;

use crate::words::{Mark, MarkUnstable, cell_marks, merge_marks, or_dash};

pub(crate) const LATENCY_FIGURES: [&str; 5] = ["mean", "p50", "p95", "p99", "p99.9"];

pub(crate) fn is_limit(record: &Record) -> bool {
    matches!(record.measured.plan.purpose, Purpose::Limit(_))
}

/// The curves that were asked for: over arrivals, the closed loop before them is only a ramp. A
/// run that was cut short has nothing but that.
pub(crate) fn answered_curves(record: &Record) -> Vec<&Curve> {
    let wanted =
        matches!(&record.measured.plan.purpose, Purpose::Limit(plan) if plan.arrivals.is_some());
    let found: Vec<&Curve> =
        record.judgement_or_default().curves.iter().filter(|c| c.open_loop == wanted).collect();
    if found.is_empty() { record.judgement_or_default().curves.iter().collect() } else { found }
}

/// Whether a curve is only the ramp before the search.
pub(crate) fn is_ramp(record: &Record, curve: &Curve) -> bool {
    answered_curves(record).iter().all(|other| other.open_loop != curve.open_loop)
}

pub(crate) fn curve_title(record: &Record, curve: &Curve) -> String {
    let label = &curve.label;
    match (curve.open_loop, is_ramp(record, curve)) {
        (true, _) => format!("{label} by rate of arrivals"),
        (false, true) => format!("{label} by depth: the ramp before the search"),
        (false, false) => format!("{label} by depth"),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) label: String,
    pub(crate) bound: String,
    pub(crate) iops: String,
    /// `±7.7 %`, or `-`.
    pub(crate) half: String,
    /// Whether its interval is so wide that the rate is none.
    pub(crate) is_vague: bool,
    /// `39,034 to 45,540 (±7.7 %)`, or why there is none.
    pub(crate) interval: String,
    /// `depth 68 + 23`.
    pub(crate) load: String,
    /// `p99 189 us`, or empty.
    pub(crate) statistic: String,
    pub(crate) reached: bool,
    /// What bounds it, in a word or two.
    pub(crate) bounded_by: String,
    /// What bounds it, in a sentence without its end.
    pub(crate) bounded_by_sentence: String,
    /// Whether it was measured again.
    pub(crate) confirmed: &'static str,
    pub(crate) evidence: Vec<String>,
    pub(crate) parts: Vec<String>,
    pub(crate) marks: Vec<Mark>,
}

pub(crate) fn build_answers(record: &Record, curve: &Curve) -> Vec<Answer> {
    curve.limits.iter().map(|limit| build_answer(record, curve, limit)).collect()
}

fn build_answer(record: &Record, curve: &Curve, limit: &Limit) -> Answer {
    let statistic = limit.bound.statistic;
    let of = |value: Option<Nanos>| value.map(|v| format!("{statistic} {v}")).unwrap_or_default();
    let point = curve.points.iter().find(|point| point.newest_cell() == limit.cell);
    let part = |part: &LimitPart| {
        let depth = part.depth.map(|d| format!(" at depth {d}")).unwrap_or_default();
        let is = part.statistic.map(|_| format!(", {}", of(part.statistic))).unwrap_or_default();
        format!("{}: {} IOPS{depth}{is}", part.label, Iops(part.iops))
    };
    let (by, why) = bounded_by_words(limit);
    Answer {
        label: curve.label.clone().text().to_owned(),
        bound: limit.bound.to_string(),
        iops: Iops(limit.iops.value).to_string(),
        half: or_dash(limit.iops.relative_half_width().map(|half| format!("±{}", Ratio(half)))),
        is_vague: !analysis::is_figure(&limit.iops),
        interval: interval_words(&limit.iops),
        load: limit_load_words(limit),
        statistic: of(limit.statistic),
        reached: limit.bounded_by != BoundedBy::Unreachable,
        bounded_by: by,
        bounded_by_sentence: why,
        confirmed: if limit.confirmed {
            "confirmed: measured again"
        } else {
            "not confirmed by a second measurement"
        },
        evidence: limit.because.iter().map(ToString::to_string).collect(),
        parts: limit.parts.iter().map(part).collect(),
        marks: point
            .into_iter()
            .flat_map(|point| point_marks(record, point))
            .chain(unstable_mark(curve))
            .collect(),
    }
}

/// That the device changed while it was searched belongs next to the number.
fn unstable_mark(curve: &Curve) -> Option<Mark> {
    let is_steady = curve.shape.as_ref()?.steady?;
    (!is_steady).then_some((Status::Warning, MarkUnstable {}.into()))
}

fn interval_words(iops: &stats::Estimate) -> String {
    match (iops.interval(), iops.relative_half_width()) {
        (Some((low, high)), Some(half)) => {
            format!("95 %: {} to {} (±{})", Iops(low), Iops(high), Ratio(half))
        }
        _ => format!("95 %: none, {}", iops.method),
    }
}

/// `depth 12`, `depth 9 + 3` of two jobs, `3,286 arrivals/s`.
pub(crate) fn limit_load_words(limit: &Limit) -> String {
    let own: Vec<String> =
        limit.parts.iter().filter_map(|part| part.depth).map(|d| d.to_string()).collect();
    match limit.rate {
        Some(rate) => format!("{rate} arrivals/s"),
        None if own.len() > 1 => format!("depth {}", own.join(" + ")),
        None => format!("depth {}", limit.depth),
    }
}

/// What bounds a limit: in a word or two, and in a sentence without its end.
fn bounded_by_words(limit: &Limit) -> (String, String) {
    let open = limit.rate.is_some();
    let more = if open { "a higher rate" } else { "more depth" };
    let statistic = limit.bound.statistic;
    let saturation = format!("saturation: {more} only adds latency");
    let unreachable = match limit.statistic {
        Some(value) => format!("not reachable: idle {statistic} is {value}"),
        None => "not reachable: even the lowest load breaks it".to_owned(),
    };
    let (word, sentence) = match limit.bounded_by {
        BoundedBy::Bound if open => ("latency bound", "the latency bound: more arrivals break it"),
        BoundedBy::Bound => {
            ("latency bound", "the latency bound: more depth gives more, but breaks it")
        }
        BoundedBy::Saturation => ("saturation", &*saturation),
        BoundedBy::ProviderCap => {
            ("provider's cap", "a provider's cap: no device is this flat, so the rate is capped")
        }
        BoundedBy::ControlGroup => ("control group", "a control group of this host, not the disk"),
        BoundedBy::Client => (
            "client",
            "the client: no processor time was left here; the device can do at least this",
        ),
        BoundedBy::DepthTried if open => {
            ("highest rate tried", "the highest rate tried: it may give more")
        }
        BoundedBy::DepthTried => ("deepest tried", "the deepest queue tried: it may give more"),
        BoundedBy::Unreachable => ("not reachable", &*unreachable),
        BoundedBy::Unsure => ("unsure", "unsure: repeat it when nothing else uses the device"),
    };
    (word.to_owned(), sentence.to_owned())
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointRow {
    /// `12`, `9 + 3`, `3,286`.
    pub(crate) load: String,
    pub(crate) iops: String,
    /// As a share of the most of the curve.
    pub(crate) share: f64,
    pub(crate) outstanding: String,
    /// Of the slowest direction: the same figures as those of `parts`.
    pub(crate) slowest: [String; 5],
    pub(crate) parts: Vec<DirectionRow>,
    /// `<- p99<1ms`, `breaks`, `knee`, `falls`.
    pub(crate) notes: Vec<String>,
    pub(crate) marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DirectionRow {
    /// `reads`; empty where there is only one.
    pub(crate) name: String,
    pub(crate) iops: String,
    pub(crate) latency: [String; 5],
}

pub(crate) fn curve_directions(curve: &Curve) -> Vec<Direction> {
    let has = |d: &Direction| curve.points.iter().any(|p| p.latency_ns.get(*d).is_some());
    Direction::ALL.into_iter().filter(has).collect()
}

pub(crate) fn point_rows(record: &Record, curve: &Curve) -> Vec<PointRow> {
    let points = curve.all_points();
    let most = points.iter().map(|p| p.iops).fold(f64::MIN_POSITIVE, f64::max);
    let directions = curve_directions(curve);
    let row = |point: &CurvePoint| PointRow {
        load: format_load(record, curve, point),
        iops: Iops(point.iops).to_string(),
        share: point.iops / most,
        outstanding: or_dash(point.outstanding.map(format_short)),
        slowest: LATENCY_FIGURES.map(|name| {
            let figures = point.latency_ns.iter().filter_map(|(_, of)| of.get(name));
            or_dash(figures.max().map(|&ns| Nanos(ns)))
        }),
        parts: directions
            .iter()
            .map(|d| build_direction_row(record, point, *d, directions.len() > 1))
            .collect(),
        notes: point_notes(curve, point, is_ramp(record, curve)),
        marks: point_marks(record, point),
    };
    points.into_iter().map(row).collect()
}

fn build_direction_row(
    record: &Record,
    point: &CurvePoint,
    direction: Direction,
    several: bool,
) -> DirectionRow {
    let figures = point.latency_ns.get(direction);
    let figure = |name: &str| or_dash(figures.and_then(|of| of.get(name)).map(|&ns| Nanos(ns)));
    let iops = if several { direction_iops(record, point, direction) } else { Some(point.iops) };
    DirectionRow {
        name: if several { format!("{}s", direction.name()) } else { String::new() },
        iops: or_dash(iops.map(Iops)),
        latency: LATENCY_FIGURES.map(figure),
    }
}

pub(crate) fn direction_iops(
    record: &Record,
    point: &CurvePoint,
    direction: Direction,
) -> Option<f64> {
    // As `analysis::pool_cells` has it; of two jobs each has its own direction.
    let (mut sum, mut seconds) = (0.0, 0.0);
    for cell in point_cells(record, point) {
        let Some(totals) = cell.totals.get(direction) else { continue };
        let time = cell.elapsed.as_secs_f64();
        (sum, seconds) = (sum + totals.iops * time, seconds + time);
    }
    (seconds > 0.0).then(|| sum / seconds)
}

pub(crate) fn point_cells<'a>(
    record: &'a Record,
    point: &'a CurvePoint,
) -> impl Iterator<Item = &'a Cell> {
    point.cells.iter().filter_map(|name| record.measured.cell(name))
}

/// `12`, `9 + 3` of two jobs, `3,286` arrivals.
pub(crate) fn format_load(record: &Record, curve: &Curve, point: &CurvePoint) -> String {
    if let Some(rate) = point.rate {
        return rate.to_string();
    }
    let own: Vec<String> =
        point_cells(record, point).take(2).map(|c| c.job.depth.to_string()).collect();
    if curve.independent && own.len() == 2 { own.join(" + ") } else { point.depth.to_string() }
}

fn format_short(value: f64) -> String {
    if value < 99.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

fn point_notes(curve: &Curve, point: &CurvePoint, is_ramp: bool) -> Vec<String> {
    if curve.left_out.contains(point) {
        return vec!["left out".to_owned()];
    }
    let found = curve.limits.iter().filter(|limit| {
        !is_ramp && limit.cell == point.newest_cell() && limit.bounded_by != BoundedBy::Unreachable
    });
    let mut notes: Vec<String> = found.map(|limit| format!("<- {}", limit.bound)).collect();
    notes.extend(bound_notes(curve, point));
    if knee_place(curve).is_some_and(|place| curve.points[place] == *point) {
        notes.push("knee".to_owned());
    }
    let fall = curve.shape.as_ref().and_then(|shape| shape.fall);
    if fall.is_some_and(|fall| fall.then_depth == point.depth) {
        notes.push("falls".to_owned());
    }
    notes
}

/// What a point breaks, or why that cannot be said; nothing when it keeps all bounds.
fn bound_notes(curve: &Curve, point: &CurvePoint) -> Vec<String> {
    let with = |wanted: Option<bool>| -> Vec<String> {
        let all = curve.bounds.iter().zip(&point.stands);
        all.filter(|(_, s)| s.within == wanted).map(|(b, _)| b.to_string()).collect()
    };
    let words = |alone: &str, verb: &str, which: Vec<String>| match which.len() {
        0 => None,
        1 if curve.bounds.len() == 1 => Some(alone.to_owned()),
        some if some == curve.bounds.len() => Some(format!("{verb} all")),
        _ => Some(format!("{verb} {}", which.join(", "))),
    };
    let broken = words("breaks", "breaks", with(Some(false)));
    broken.into_iter().chain(words("too few to say", "too few for", with(None))).collect()
}

pub(crate) fn knee_place(curve: &Curve) -> Option<usize> {
    let depth = curve.shape.as_ref()?.knee_depth?;
    let away = |point: &CurvePoint| (f64::from(point.depth.0) / depth).ln().abs();
    let nearest =
        |a: &usize, b: &usize| away(&curve.points[*a]).total_cmp(&away(&curve.points[*b]));
    (0..curve.points.len()).min_by(nearest)
}

/// What touches any cell of a point, worst first, each finding once.
pub(crate) fn point_marks(record: &Record, point: &CurvePoint) -> Vec<Mark> {
    merge_marks(point.cells.iter().flat_map(|cell| cell_marks(record, cell)))
}
