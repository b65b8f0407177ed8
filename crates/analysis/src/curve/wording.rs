//! A curve in words.

use message::{Message, Names, label, messages};
use record::{BoundedBy, Curve, EarlierRate, Limit, LimitPart};
use units::{Depth, Iops, Nanos, Ratio};
use workload::{Access, Mix};

/// `92,000 random reads/s within p99<10ms at depth 16`.
pub(crate) fn limit_headline(curve: &Curve, limit: &Limit) -> Message {
    if let Some(earlier) = &curve.earlier {
        return headline_of_change(curve, earlier);
    }
    let has_reasons = !limit.because.is_empty();
    let because = limit.because.clone();
    if limit.bounded_by == BoundedBy::Unreachable {
        let (label, unreachable) = (curve.label.clone(), describe_unreachable(curve, limit));
        return match has_reasons {
            true => UnreachableBecause { label, unreachable, because }.into(),
            false => UnreachableHeadline { label, unreachable }.into(),
        };
    }
    let (rate, load) = (describe_rate(curve, limit.iops.value), describe_load(limit));
    if limit.bounded_by == BoundedBy::Unsure {
        return match has_reasons {
            true => UnsureBecause { rate, load, because }.into(),
            false => UnsureHeadline { rate, load }.into(),
        };
    }
    let bound = limit.bound.to_string();
    let headline = match limit.iops.relative_half_width().map(Ratio) {
        _ if !is_proven(curve, limit) => HeadlineUnproven { rate, bound, load }.into(),
        Some(half) => HeadlineWithInterval { rate, bound, load, half }.into(),
        None => Headline { rate, bound, load }.into(),
    };
    match limit.bounded_by {
        BoundedBy::ProviderCap => HeadlineOfCap { headline }.into(),
        BoundedBy::ControlGroup => HeadlineOfGroup { headline }.into(),
        BoundedBy::Client => HeadlineOfClient { headline }.into(),
        _ => headline,
    }
}

fn headline_of_change(curve: &Curve, earlier: &EarlierRate) -> Message {
    let after = curve.points.iter().map(|point| point.iops).fold(0.0, f64::max);
    let before = describe_rate(curve, earlier.iops.0);
    match earlier.gradual {
        true if after < earlier.iops.0 => RampDown { before, after: Iops(after) }.into(),
        true => RampUp { before, after: Iops(after) }.into(),
        false => LevelChanged { before, until: earlier.until, after: Iops(after) }.into(),
    }
}

fn describe_rate(curve: &Curve, iops: f64) -> Message {
    let iops = Iops(iops);
    let is_random = curve.access != Access::Sequential && !curve.independent;
    match curve.mix {
        Mix::Read if is_random => RandomReadRate { iops }.into(),
        Mix::Write if is_random => RandomWriteRate { iops }.into(),
        _ => RateOf { iops, label: curve.label.clone() }.into(),
    }
}

/// `depth 16`, `depth 12 + 4` of two jobs, or `20,000 arrivals/s`.
fn describe_load(limit: &Limit) -> Message {
    let depths = limit.parts.iter().filter_map(|part| part.depth);
    let depths: Vec<String> = depths.map(|depth| depth.to_string()).collect();
    match (limit.rate, depths.len()) {
        (Some(rate), _) => LoadArrivals { rate }.into(),
        (None, 2..) => LoadDepths { depths: depths.join(" + ") }.into(),
        (None, _) => LoadDepth { depth: limit.depth }.into(),
    }
}

pub(crate) fn describe_unreachable(curve: &Curve, limit: &Limit) -> Message {
    let load = if curve.open_loop { label("curve-load-lowest") } else { describe_load(limit) };
    let (bound, statistic) = (limit.bound.to_string(), limit.bound.statistic.to_string());
    // A search may have begun deeper than one operation at a time.
    let is_idle = curve.open_loop || !limit.parts.is_empty() || limit.depth.0 <= 1;
    match limit.statistic.filter(|_| is_idle) {
        Some(value) => Unreachable { bound, statistic, value, load }.into(),
        None => UnreachableUnknown { bound, load }.into(),
    }
}

fn is_proven(curve: &Curve, limit: &Limit) -> bool {
    let place = curve.limits.iter().position(|l| l.bound == limit.bound).unwrap_or(0);
    let point = curve.points.iter().find(|p| p.newest_cell() == limit.cell);
    point.and_then(|p| p.stands.get(place)).is_some_and(|stand| stand.within.is_some())
}

pub(crate) fn describe_curve(curve: &Curve) -> Vec<Message> {
    let limits = curve.limits.iter().flat_map(|limit| describe_limit(curve, limit));
    limits.chain(describe_parts(curve)).chain(describe_shape(curve)).collect()
}

fn describe_limit(curve: &Curve, limit: &Limit) -> Vec<Message> {
    let (label, iops) = (curve.label.clone(), Iops(limit.iops.value));
    if limit.bounded_by == BoundedBy::Unreachable {
        let unreachable = describe_unreachable(curve, limit);
        return vec![LimitUnreachable { label, unreachable, iops }.into()];
    }
    let (load, bound) = (describe_load(limit), limit.bound.to_string());
    if !is_proven(curve, limit) {
        return vec![LimitUnproven { label, iops, load, bound }.into()];
    }
    let bound = match limit.statistic {
        Some(value) => {
            BoundAndValue { bound, statistic: limit.bound.statistic.to_string(), value }.into()
        }
        None => Message::from_text(bound),
    };
    let cause = cause_name(limit);
    let mut said = vec![LimitFigure { label: label.clone(), iops, bound, load, cause }.into()];
    let because = limit.because.clone();
    match limit.bounded_by {
        _ if because.is_empty() => {}
        BoundedBy::Unsure => said.push(LimitDoubt { label, because }.into()),
        _ => said.push(LimitEvidence { label, because }.into()),
    }
    said
}

/// By which the words choose what bounds a limit.
fn cause_name(limit: &Limit) -> &'static str {
    match (limit.bounded_by, limit.rate) {
        (BoundedBy::Saturation, Some(_)) => "arrivals-saturation",
        (BoundedBy::Unsure, _) => "unsure",
        (_, Some(_)) => "arrivals",
        (BoundedBy::Saturation, _) => "saturation",
        (BoundedBy::Bound, _) => "bound",
        (BoundedBy::DepthTried, _) => "depth-tried",
        (BoundedBy::ProviderCap, _) => "provider-cap",
        (BoundedBy::ControlGroup, _) => "control-group",
        (BoundedBy::Client, _) => "client",
        (BoundedBy::Unreachable, _) => "unreachable",
    }
}

fn describe_parts(curve: &Curve) -> Vec<Message> {
    let limit = curve.main_limit();
    let reached = limit.filter(|limit| limit.bounded_by != BoundedBy::Unreachable);
    let Some(limit) = reached.filter(|limit| !limit.parts.is_empty()) else { return Vec::new() };
    let part = |part: &LimitPart| {
        let depth = part.depth.map(|depth| LoadDepth { depth }.into());
        let statistic = limit.bound.statistic.to_string();
        let value = part.statistic.map(|value| StatisticValue { statistic, value }.into());
        let figures = [Some(Iops(part.iops).into()), depth, value].into_iter().flatten().collect();
        PartFigures { label: part.label.clone(), figures: Names(figures) }.into()
    };
    let why =
        if curve.independent { label("curve-queues-apart") } else { label("curve-queue-shared") };
    vec![Parts { parts: limit.parts.iter().map(part).collect() }.into(), why]
}

fn describe_shape(curve: &Curve) -> Vec<Message> {
    let Some(shape) = &curve.shape else { return Vec::new() };
    let label = || curve.label.clone();
    let mut said = Vec::new();
    if let Some(fall) = &shape.fall {
        let (best, most) = (fall.best_depth, Iops(fall.best_iops));
        let (then, iops) = (fall.then_depth, Iops(fall.then_iops));
        said.push(Thrashing { label: label(), best, most, then, iops }.into());
    } else if let Some(knee) = shape.knee_depth.filter(|knee| *knee >= 1.5) {
        said.push(
            Knee {
                label: label(),
                depth: knee.round() as u64,
                most: Iops(shape.ceiling_iops),
                idle: Nanos(shape.idle_latency_ns.round() as u64),
            }
            .into(),
        );
        said.extend(shape.bend_depth.map(|depth| Bend { label: label(), depth }.into()));
    }
    if shape.steady == Some(false) {
        said.push(Unsteady { label: label() }.into());
    }
    said
}

messages! {
    RandomReadRate = "curve-random-read-rate" { iops: Iops };
    RandomWriteRate = "curve-random-write-rate" { iops: Iops };
    RateOf = "curve-rate-of" { iops: Iops, label: Message };
    LoadDepth = "curve-load-depth" { depth: Depth };
    LoadDepths = "curve-load-depths" { depths: String };
    LoadArrivals = "curve-load-arrivals" { rate: Iops };
    Headline = "curve-headline" { rate: Message, bound: String, load: Message };
    HeadlineWithInterval = "curve-headline-with-interval" {
        rate: Message, bound: String, load: Message, half: Ratio,
    };
    HeadlineUnproven = "curve-headline-unproven" { rate: Message, bound: String, load: Message };
    HeadlineOfCap = "curve-headline-of-cap" { headline: Message };
    HeadlineOfGroup = "curve-headline-of-group" { headline: Message };
    HeadlineOfClient = "curve-headline-of-client" { headline: Message };
    LevelChanged = "curve-level-changed" { before: Message, until: Nanos, after: Iops };
    RampDown = "curve-ramp-down" { before: Message, after: Iops };
    RampUp = "curve-ramp-up" { before: Message, after: Iops };
    Unreachable = "curve-unreachable" {
        bound: String, statistic: String, value: Nanos, load: Message,
    };
    UnreachableUnknown = "curve-unreachable-unknown" { bound: String, load: Message };
    UnreachableHeadline = "curve-unreachable-headline" { label: Message, unreachable: Message };
    UnreachableBecause = "curve-unreachable-because" {
        label: Message, unreachable: Message, because: Vec<Message>,
    };
    UnsureHeadline = "curve-unsure" { rate: Message, load: Message };
    UnsureBecause = "curve-unsure-because" { rate: Message, load: Message, because: Vec<Message> };
    LimitUnreachable = "curve-limit-unreachable" {
        label: Message, unreachable: Message, iops: Iops,
    };
    LimitUnproven = "curve-limit-unproven" {
        label: Message, iops: Iops, load: Message, bound: String,
    };
    BoundAndValue = "curve-bound-and-value" { bound: String, statistic: String, value: Nanos };
    /// `cause` is a name of [`cause_name`].
    LimitFigure = "curve-limit-figure" {
        label: Message, iops: Iops, bound: Message, load: Message, cause: &'static str,
    };
    LimitEvidence = "curve-limit-evidence" { label: Message, because: Vec<Message> };
    LimitDoubt = "curve-limit-doubt" { label: Message, because: Vec<Message> };
    Parts = "curve-parts" { parts: Vec<Message> };
    PartFigures = "curve-part-figures" { label: Message, figures: Names };
    StatisticValue = "curve-statistic-value" { statistic: String, value: Nanos };
    Thrashing = "curve-thrashing" {
        label: Message, best: Depth, most: Iops, then: Depth, iops: Iops,
    };
    Knee = "curve-knee" { label: Message, depth: u64, most: Iops, idle: Nanos };
    Bend = "curve-bend" { label: Message, depth: Depth };
    Unsteady = "curve-unsteady" { label: Message };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_has_the_interval_of_its_figure() {
        let mut curve = crate::judge(&crate::testing::sample_record()).curves.remove(0);
        let headline = |curve: &Curve| limit_headline(curve, curve.main_limit().unwrap());
        let with = headline(&curve);
        assert_eq!(with.id(), "curve-headline-with-interval");
        assert!(with.text().contains("(±1"), "{with:?}");
        let iops = &mut curve.limits[0].iops;
        (iops.low, iops.high) = (None, None);
        assert_eq!(headline(&curve).id(), "curve-headline");
    }
}
