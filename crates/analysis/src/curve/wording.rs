//! A curve in words.

use record::{BoundedBy, Curve, Limit};
use units::{Iops, Nanos, Ratio};

/// `92,000 random reads/s within p99<10ms at depth 16`.
pub(crate) fn limit_headline(curve: &Curve, limit: &Limit) -> String {
    let is_reads = curve.label.starts_with("random read") && !curve.independent;
    let what = if is_reads { "random reads/s" } else { curve.label.text() };
    if let Some(earlier) = &curve.earlier {
        let most = Iops(curve.points.iter().map(|point| point.iops).fold(0.0, f64::max));
        let (before, until) = (earlier.iops, earlier.until);
        if earlier.gradual {
            let way = if most.0 < before.0 { "falling" } else { "rising" };
            return format!("A ramp: {before} {what} at first, {way} all the time, {most} at last");
        }
        return format!("{before} {what} for the first {until} or more, then {most}");
    }
    if limit.bounded_by == BoundedBy::Unreachable {
        let words = format!("{}: {}", capitalise(&curve.label), describe_unreachable(curve, limit));
        return match limit.because.as_slice() {
            [] => words,
            reasons => format!("{words}; {}", reasons.join("; ")),
        };
    }
    let how = if is_proven(curve, limit) {
        format!("within {}", limit.bound)
    } else {
        format!("(too few to judge {})", limit.bound)
    };
    let why = match limit.bounded_by {
        BoundedBy::ProviderCap => ", a provider's cap",
        BoundedBy::Client => " at least: the client is the limit",
        _ => "",
    };
    let iops = Iops(limit.iops.value);
    let load = match limit.rate {
        Some(rate) => format!(", arriving at {rate} a second"),
        None => format!(" at {}", format_depth(limit)),
    };
    if limit.bounded_by == BoundedBy::Unsure {
        let because = limit.because.join("; ");
        let because = if because.is_empty() { because } else { format!(": {because}") };
        return format!("Cannot tell: {iops} {what} or so{load}{because}");
    }
    let half = limit.iops.relative_half_width();
    let interval = half.map(|half| format!(" (±{})", Ratio(half))).unwrap_or_default();
    let words = format!("{iops} {what} {how}{load}{interval}{why}");
    match limit.because.first().filter(|_| limit.bounded_by == BoundedBy::ControlGroup) {
        Some(group) => format!("{}: {words}", capitalise(group)),
        None => words,
    }
}

/// `depth 16`, or `depth 12 + 4` of two jobs.
fn format_depth(limit: &Limit) -> String {
    let own: Vec<String> =
        limit.parts.iter().filter_map(|part| part.depth).map(|d| d.to_string()).collect();
    match own.len() {
        2.. => format!("depth {}", own.join(" + ")),
        _ => format!("depth {}", limit.depth),
    }
}

pub(crate) fn describe_unreachable(curve: &Curve, limit: &Limit) -> String {
    let statistic = limit.bound.statistic;
    let load = if curve.open_loop { "the lowest rate".to_owned() } else { format_depth(limit) };
    let bound = limit.bound;
    match limit.statistic {
        Some(value) => format!("{bound} is not reachable: idle {statistic} is {value} ({load})"),
        None => format!("{bound} is not kept even at {load}"),
    }
}

fn is_proven(curve: &Curve, limit: &Limit) -> bool {
    let place = curve.limits.iter().position(|l| l.bound == limit.bound).unwrap_or(0);
    let point = curve.points.iter().find(|p| p.newest_cell() == limit.cell);
    point.and_then(|p| p.stands.get(place)).is_some_and(|stand| stand.within.is_some())
}

pub(crate) fn describe_curve(curve: &Curve) -> Vec<String> {
    let limits = curve.limits.iter().map(|limit| describe_limit(curve, limit));
    limits.chain(describe_parts(curve)).chain(describe_shape(curve)).collect()
}

fn describe_limit(curve: &Curve, limit: &Limit) -> String {
    let label = capitalise(&curve.label);
    let iops = Iops(limit.iops.value);
    let at = format_depth(limit);
    if limit.bounded_by == BoundedBy::Unreachable {
        return format!(
            "{label}: {} ({iops} operations a second).",
            describe_unreachable(curve, limit)
        );
    }
    if !is_proven(curve, limit) {
        return format!(
            "{label}: {iops} operations a second at {at}; too few to say whether {} is kept.",
            limit.bound
        );
    }
    let bound = limit.bound;
    let is = limit.statistic.map(|s| format!(" ({} is {s})", bound.statistic)).unwrap_or_default();
    let because = match limit.because.as_slice() {
        [] => String::new(),
        reasons => format!(" What says so: {}.", reasons.join("; ")),
    };
    if let Some(rate) = limit.rate {
        return format!(
            "{label}: requests that arrive at {rate} a second, whatever becomes of earlier ones, \
             are answered within {bound}{is}{}.{because}",
            match limit.bounded_by {
                BoundedBy::Saturation => "; that is the most that the device keeps up with",
                BoundedBy::Unsure => "; this is not certain",
                _ => "",
            }
        );
    }
    let sentence = match limit.bounded_by {
        BoundedBy::Saturation => {
            format!("at {at}{is}; more depth adds latency, not operations.")
        }
        BoundedBy::Bound => {
            format!("within {bound}, at {at}{is}; a deeper queue gives more, but breaks the bound.")
        }
        BoundedBy::DepthTried => {
            format!("at {at}{is}, the deepest tried; it may give more still.")
        }
        BoundedBy::ProviderCap => format!(
            "from {at} on{is}, again and again: a configured cap, not what the disk can do."
        ),
        BoundedBy::ControlGroup => format!(
            "at {at}{is}: the limit of a control group of this host, not what the disk can do."
        ),
        BoundedBy::Client => format!(
            "at {at}{is}, at least; the processor of this host was the limit, not the disk."
        ),
        BoundedBy::Unsure => {
            format!("or so at {at}{is}: not certain.")
        }
        BoundedBy::Unreachable => String::new(), // said above
    };
    format!("{label}: {iops} operations a second {sentence}{because}")
}

fn describe_parts(curve: &Curve) -> Option<String> {
    let limit = curve.main_limit()?;
    if limit.parts.is_empty() || limit.bounded_by == BoundedBy::Unreachable {
        return None;
    }
    let statistic = limit.bound.statistic;
    let parts: Vec<String> = limit
        .parts
        .iter()
        .map(|part| {
            let depth = part.depth.map(|d| format!(" at depth {d}")).unwrap_or_default();
            let is = part.statistic.map(|s| format!(", {statistic} {s}")).unwrap_or_default();
            format!("{}: {}{depth}{is}", part.label, Iops(part.iops))
        })
        .collect();
    let why = if curve.independent {
        "The two jobs do not wait for each other: slow writes leave the reads their depth, as \
         different programs do. In a mix (randrw) both share one queue, and a slow write holds a \
         place that a read could have had."
    } else {
        "Both share one queue: a slow one holds a place that the other could have had. Two jobs \
         (--rw randread+randwrite) would each keep their own depth."
    };
    Some(format!("Of these, {}. {why}", parts.join("; ")))
}

fn describe_shape(curve: &Curve) -> Vec<String> {
    let Some(shape) = &curve.shape else { return Vec::new() };
    let mut said = Vec::new();
    if let Some(fall) = &shape.fall {
        said.push(format!(
            "{}: thrashing. At depth {} it does {} operations a second, at depth {} only {}: keep \
             the queue at depth {}.",
            capitalise(&curve.label),
            fall.best_depth,
            Iops(fall.best_iops),
            fall.then_depth,
            Iops(fall.then_iops),
            fall.best_depth
        ));
    } else if let Some(knee) = shape.knee_depth.filter(|knee| *knee >= 1.5) {
        let bend = shape.bend_depth.map(|d| format!("; the measured line bends most at depth {d}"));
        let bend = bend.unwrap_or_default();
        said.push(format!(
            "{}: the knee is near depth {knee:.0} ({} at best, times {} idle{bend}): up to there \
             more depth brings more operations, beyond it longer waits.",
            capitalise(&curve.label),
            Iops(shape.ceiling_iops),
            Nanos(shape.idle_latency_ns.round() as u64)
        ));
    }
    if shape.steady == Some(false) {
        said.push(format!(
            "{}: latency did not rise steadily with the load: the device is unstable, the search \
             unreliable. Repeat it when nothing else uses the device.",
            capitalise(&curve.label)
        ));
    }
    said
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
