//! The answers and the points of a search for a limit, in the words that the terminal and the
//! page share.

use message::{Language, Message, Render as _, label, messages};
use record::{
    BoundedBy, Cell, Curve, CurvePoint, FindingId, Limit, LimitPart, Purpose, Record, Status,
    Verdict,
};
use units::{Iops, Nanos, Ratio};
use workload::Direction;

use crate::fleet::has_waves;
use crate::words::{Mark, cell_marks, mark_vague, merge_marks, or_dash};

pub(crate) const LATENCY_FIGURES: [&str; 5] = ["mean", "p50", "p95", "p99", "p99.9"];

pub(crate) fn is_limit(record: &Record) -> bool {
    matches!(record.measured.plan.purpose, Purpose::Limit(_)) && !has_waves(record)
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

pub(crate) fn curve_title(record: &Record, curve: &Curve) -> Message {
    let label = curve.label.clone();
    match (curve.open_loop, is_ramp(record, curve)) {
        (true, _) => CurveByRate { curve: label }.into(),
        (false, true) => CurveByDepthRamp { curve: label }.into(),
        (false, false) => CurveByDepth { curve: label }.into(),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) label: Message,
    pub(crate) bound: String,
    pub(crate) rate: AnswerRate,
    /// `depth 68 + 23`.
    pub(crate) load: String,
    /// `42,301 IOPS at depth 68 + 23`.
    pub(crate) rate_at_load: String,
    /// `p99 189 us`, or empty.
    pub(crate) statistic: String,
    pub(crate) reached: bool,
    /// What bounds it, in a word or two.
    pub(crate) bounded_by: String,
    /// What bounds it, in a sentence without its end.
    pub(crate) bounded_by_sentence: String,
    /// Whether it was measured again.
    pub(crate) confirmed: String,
    pub(crate) evidence: Vec<String>,
    pub(crate) parts: Vec<String>,
    pub(crate) marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AnswerRate {
    pub(crate) iops: String,
    /// `±7.7 %`, or `-`.
    pub(crate) half: String,
    /// `39,034 to 45,540 (±7.7 %)`, or why there is none.
    pub(crate) interval: String,
}

/// The answers of a curve in a language.
pub(crate) fn build_answers(record: &Record, curve: &Curve, language: Language) -> Vec<Answer> {
    curve.limits.iter().map(|limit| build_answer(record, (curve, limit), language)).collect()
}

fn build_answer(record: &Record, (curve, limit): (&Curve, &Limit), language: Language) -> Answer {
    let statistic = limit.bound.statistic;
    let of = |value: Option<Nanos>| {
        let words = value.map(|v| format!("{statistic} {v}")).unwrap_or_default();
        language.punctuate(&words)
    };
    let figure = |value: String| language.punctuate(&value);
    let point = curve.points.iter().find(|point| point.newest_cell() == limit.cell);
    let part = |part: &LimitPart| {
        let rate = Iops(part.iops);
        let figures: Message = match part.depth.map(|depth| depth.to_string()) {
            Some(depth) => RateAt { rate, load: AtDepth { depth }.into() }.into(),
            None => rate.into(),
        };
        let figures = figures.render(language);
        let is = part.statistic.map(|_| format!(", {}", of(part.statistic))).unwrap_or_default();
        format!("{}: {figures}{is}", (&part.label).render(language))
    };
    let (by, why) = bounded_by_words(limit);
    let confirmed: Message =
        if limit.confirmed { label("limit-confirmed") } else { label("limit-not-confirmed") };
    let half = limit.iops.relative_half_width().map(|half| format!("±{}", Ratio(half)));
    Answer {
        label: curve.label.clone(),
        bound: limit.bound.to_string(),
        rate: AnswerRate {
            iops: figure(mark_vague(Iops(limit.iops.value).to_string(), Some(&limit.iops))),
            half: figure(or_dash(half)),
            interval: interval_words(&limit.iops).render(language),
        },
        load: limit_load_words(limit).render(language),
        rate_at_load: RateAt { rate: Iops(limit.iops.value), load: limit_load_words(limit) }
            .render(language),
        statistic: of(limit.statistic),
        reached: limit.bounded_by != BoundedBy::Unreachable,
        bounded_by: by.render(language),
        bounded_by_sentence: why.render(language),
        confirmed: confirmed.render(language),
        evidence: limit.because.iter().map(|because| because.render(language)).collect(),
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
    (!is_steady).then_some((Status::Warning, label("mark-unstable")))
}

fn interval_words(iops: &stats::Estimate) -> Message {
    match (iops.interval(), iops.relative_half_width()) {
        (Some((low, high)), Some(half)) => {
            IntervalOfRate { low: Iops(low.max(0.0)), high: Iops(high), half: Ratio(half) }.into()
        }
        _ => IntervalMissing { reason: iops.method.clone() }.into(),
    }
}

/// `depth 12`, `depth 9 + 3` of two jobs, `3,286 arrivals/s`.
pub(crate) fn limit_load_words(limit: &Limit) -> Message {
    let own: Vec<String> =
        limit.parts.iter().filter_map(|part| part.depth).map(|d| d.to_string()).collect();
    match limit.rate {
        Some(rate) => AtRate { rate }.into(),
        None if own.len() > 1 => AtDepth { depth: own.join(" + ") }.into(),
        None => AtDepth { depth: limit.depth.to_string() }.into(),
    }
}

/// What bounds a limit: in a word or two, and in a sentence without its end.
fn bounded_by_words(limit: &Limit) -> (Message, Message) {
    let open = limit.rate.is_some();
    let statistic = limit.bound.statistic.to_string();
    match limit.bounded_by {
        BoundedBy::Bound if open => (label("by-bound"), label("by-bound-arrivals")),
        BoundedBy::Bound => (label("by-bound"), label("by-bound-depth")),
        BoundedBy::Saturation if open => (label("by-saturation"), label("by-saturation-arrivals")),
        BoundedBy::Saturation => (label("by-saturation"), label("by-saturation-depth")),
        BoundedBy::ProviderCap => (label("by-provider-cap"), label("by-provider-cap-sentence")),
        BoundedBy::ControlGroup => (label("by-control-group"), label("by-control-group-sentence")),
        BoundedBy::Client => (label("by-client"), label("by-client-sentence")),
        BoundedBy::DepthTried if open => {
            (label("by-highest-rate"), label("by-highest-rate-sentence"))
        }
        BoundedBy::DepthTried => (label("by-deepest"), label("by-deepest-sentence")),
        BoundedBy::Unreachable => {
            let sentence = match limit.statistic {
                Some(value) => ByUnreachableIdle { statistic, value }.into(),
                None => label("by-unreachable-lowest"),
            };
            (label("by-unreachable"), sentence)
        }
        BoundedBy::Unsure => (label("by-unsure"), label("by-unsure-sentence")),
    }
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

/// The points of a curve in a language.
pub(crate) fn point_rows(record: &Record, curve: &Curve, language: Language) -> Vec<PointRow> {
    let points = curve.all_points();
    let most = points.iter().map(|p| p.iops).fold(f64::MIN_POSITIVE, f64::max);
    let directions = curve_directions(curve);
    let figure = |value: String| language.punctuate(&value);
    let row = |point: &CurvePoint| PointRow {
        load: figure(format_load(record, curve, point)),
        iops: figure(Iops(point.iops).to_string()),
        share: point.iops / most,
        outstanding: figure(or_dash(point.outstanding.map(format_short))),
        slowest: LATENCY_FIGURES.map(|name| {
            let figures = point.latency_ns.iter().filter_map(|(_, of)| of.get(name));
            figure(or_dash(figures.max().map(|&ns| Nanos(ns))))
        }),
        parts: directions
            .iter()
            .map(|d| build_direction_row(record, point, (*d, directions.len() > 1), language))
            .collect(),
        notes: point_notes(curve, point, is_ramp(record, curve))
            .into_iter()
            .map(|note| note.render(language))
            .collect(),
        marks: point_marks(record, point),
    };
    points.into_iter().map(row).collect()
}

fn build_direction_row(
    record: &Record,
    point: &CurvePoint,
    (direction, several): (Direction, bool),
    language: Language,
) -> DirectionRow {
    let figures = point.latency_ns.get(direction);
    let figure = |name: &str| {
        let found = figures.and_then(|of| of.get(name));
        language.punctuate(&or_dash(found.map(|&ns| Nanos(ns))))
    };
    let iops = if several { direction_iops(record, point, direction) } else { Some(point.iops) };
    DirectionRow {
        name: if several { direction_words(direction).render(language) } else { String::new() },
        iops: language.punctuate(&or_dash(iops.map(Iops))),
        latency: LATENCY_FIGURES.map(figure),
    }
}

/// `reads`.
pub(crate) fn direction_words(direction: Direction) -> Message {
    match direction {
        Direction::Read => label("series-reads"),
        Direction::Write => label("series-writes"),
        Direction::Trim => label("series-trims"),
        Direction::Sync => label("series-syncs"),
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

fn point_notes(curve: &Curve, point: &CurvePoint, is_ramp: bool) -> Vec<Message> {
    if curve.left_out.contains(point) {
        return vec![label("point-left-out")];
    }
    let found = curve.limits.iter().filter(|limit| {
        !is_ramp && limit.cell == point.newest_cell() && limit.bounded_by != BoundedBy::Unreachable
    });
    let arrow = |limit: &Limit| Message::from_text(format!("<- {}", limit.bound));
    let mut notes: Vec<Message> = found.map(arrow).collect();
    notes.extend(bound_notes(curve, point));
    if knee_place(curve).is_some_and(|place| curve.points[place] == *point) {
        notes.push(label("point-knee"));
    }
    let fall = curve.shape.as_ref().and_then(|shape| shape.fall);
    if fall.is_some_and(|fall| fall.then_depth == point.depth) {
        notes.push(label("point-falls"));
    }
    notes
}

/// What a point breaks, or why that cannot be said; nothing when it keeps all bounds.
fn bound_notes(curve: &Curve, point: &CurvePoint) -> Vec<Message> {
    let with = |wanted: Option<bool>| -> Vec<String> {
        let all = curve.bounds.iter().zip(&point.stands);
        all.filter(|(_, s)| s.within == wanted).map(|(b, _)| b.to_string()).collect()
    };
    let (broken, unknown) = (with(Some(false)), with(None));
    let is_only = curve.bounds.len() == 1;
    let mut notes = Vec::new();
    match broken.len() {
        0 => {}
        1 if is_only => notes.push(label("point-breaks")),
        all if all == curve.bounds.len() => notes.push(label("point-breaks-all")),
        _ => notes.push(BreaksBound { bound: broken.join(", ") }.into()),
    }
    match unknown.len() {
        0 => {}
        1 if is_only => notes.push(label("point-too-few")),
        all if all == curve.bounds.len() => notes.push(label("point-too-few-for-all")),
        _ => notes.push(TooFewFor { bounds: unknown.join(", ") }.into()),
    }
    notes
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

/// What limits the disk, without the findings, which are among the warnings.
pub(crate) fn own_limits(verdict: &Verdict) -> impl Iterator<Item = &Message> {
    verdict.limited_by.iter().filter(|limit| {
        let id = limit.text().split_once(": ").map(|(id, _)| id);
        id.and_then(FindingId::from_name).is_none()
    })
}

messages! {
    CurveByDepth = "curve-by-depth" { curve: Message };
    CurveByDepthRamp = "curve-by-depth-ramp" { curve: Message };
    CurveByRate = "curve-by-rate" { curve: Message };
    AtDepth = "load-at-depth" { depth: String };
    AtRate = "load-at-rate" { rate: Iops };
    RateAt = "limit-rate-at" { rate: Iops, load: Message };
    IntervalOfRate = "interval-of-rate" { low: Iops, high: Iops, half: Ratio };
    IntervalMissing = "interval-missing" { reason: Message };
    ByUnreachableIdle = "by-unreachable-idle" { statistic: String, value: Nanos };
    BreaksBound = "point-breaks-bound" { bound: String };
    TooFewFor = "point-too-few-for" { bounds: String };
}
