//! One direction of one job: from fio's keys to totals.

use record::{DirectionTotals, LatencySummary, PercentileMap};
use serde_json::{Map, Value};
use stats::{LatencyHistogram, SparseHistogram, percentile_supported};

/// Larger numbers are no figures of a job: 2^60 bytes are 130 days at 100 GB/s.
const WHOLE_MAX: u64 = 1 << 60;
/// Most samples of a histogram, as of a stored one.
const SAMPLES_MAX: u64 = 1 << 48;

/// What one direction of one job says.
#[derive(Debug, Clone, Default)]
pub(super) struct Direction {
    pub(super) totals: DirectionTotals,
    pub(super) runtime_ms: u64,
    /// How many latencies the summary is of.
    pub(super) count: u64,
    /// Percentiles are of completion latency, because there are none of total latency.
    pub(super) is_completion_latency: bool,
}

fn read_number(object: &Map<String, Value>, key: &str) -> Option<f64> {
    object.get(key).and_then(Value::as_f64).filter(|x| x.is_finite() && *x >= 0.0)
}

fn read_whole(object: &Map<String, Value>, key: &str) -> Option<u64> {
    let value = object.get(key)?;
    let number = value.as_u64().or_else(|| value.as_f64().filter(|x| *x >= 0.0).map(|x| x as u64));
    number.filter(|number| *number <= WHOLE_MAX)
}

/// The figures of a direction; `None` when it moved nothing.
pub(super) fn read_direction(object: &Map<String, Value>) -> Option<Direction> {
    // fio 2 counts bytes in KiB, and has no key that says KiB.
    let old = !object.contains_key("io_kbytes") && !object.contains_key("bw_bytes");
    let unit = if old { 1024 } else { 1 };
    let runtime_ms = read_whole(object, "runtime").unwrap_or(0);
    let seconds = runtime_ms as f64 / 1000.0;
    let per_second =
        |count: Option<u64>| count.filter(|_| runtime_ms > 0).map(|count| count as f64 / seconds);
    let ops = read_whole(object, "total_ios");
    let bytes =
        read_whole(object, "io_bytes").map(|bytes| bytes.saturating_mul(unit).min(WHOLE_MAX));
    let iops = read_number(object, "iops").or_else(|| per_second(ops))?;
    if iops <= 0.0 {
        return None;
    }
    let rate = read_number(object, "bw_bytes")
        .or_else(|| read_number(object, "bw").map(|kib| kib * 1024.0))
        .or_else(|| per_second(bytes))
        .unwrap_or(0.0);
    let ops = ops.unwrap_or((iops * seconds).round() as u64).min(WHOLE_MAX);
    let bytes = bytes.unwrap_or((rate * seconds) as u64).min(WHOLE_MAX);
    let (latency_ns, count, is_completion_latency) = read_latency(object, ops);
    let totals = DirectionTotals {
        ops,
        bytes,
        iops,
        bytes_per_second: rate,
        latency_ns,
        ..DirectionTotals::default()
    };
    Some(Direction { totals, runtime_ms, count, is_completion_latency })
}

/// A latency object by its name of today in nanoseconds, else by that of fio 2 in microseconds.
fn find_latency<'a>(
    object: &'a Map<String, Value>,
    name: &str,
) -> Option<(&'a Map<String, Value>, f64)> {
    let today = object.get(&format!("{name}_ns")).and_then(Value::as_object).map(|o| (o, 1.0));
    today.or_else(|| object.get(name).and_then(Value::as_object).map(|o| (o, 1000.0)))
}

/// Total latency: its mean and ends; percentiles of it, or, where there are none, of completion.
fn read_latency(object: &Map<String, Value>, ops: u64) -> (LatencySummary, u64, bool) {
    let (total, completion) = (find_latency(object, "lat"), find_latency(object, "clat"));
    let counted = |of: Option<(&Map<String, Value>, f64)>| -> u64 {
        let Some((o, _)) = of else { return 0 };
        let some = read_number(o, "mean").is_some_and(|mean| mean > 0.0);
        read_whole(o, "N").unwrap_or(if some { ops } else { 0 })
    };
    let measured = |of: Option<(&Map<String, Value>, f64)>| counted(of) > 0;
    let Some((source, scale)) = total.filter(|t| measured(Some(*t))).or(completion) else {
        return Default::default();
    };
    let count = counted(Some((source, scale)));
    if count == 0 {
        return Default::default();
    }
    let ns = |key: &str| read_number(source, key).map_or(0.0, |value| value * scale);
    let has =
        |of: &(&Map<String, Value>, f64)| of.0.get("percentile").is_some_and(Value::is_object);
    let of_total = total.filter(has);
    let with = of_total.or(completion.filter(has));
    let percentiles = with.map(|of| read_percentiles(of, count)).unwrap_or_default();
    let histogram = total
        .and_then(|(o, _)| read_bins(o))
        .or_else(|| completion.and_then(|(o, _)| read_bins(o)))
        .unwrap_or_default();
    let of_completion = of_total.is_none() && !percentiles.is_empty();
    let summary = LatencySummary {
        mean: ns("mean"),
        stddev: ns("stddev"),
        min: ns("min") as u64,
        max: ns("max") as u64,
        percentiles,
        histogram,
    };
    (summary, count, of_completion)
}

/// `"99.000000"` becomes `p99`; only what the sample supports, as everywhere.
fn read_percentiles((object, scale): (&Map<String, Value>, f64), count: u64) -> PercentileMap<u64> {
    let list = object.get("percentile").and_then(Value::as_object).into_iter().flatten();
    let of = |(name, value): (&String, &Value)| {
        let percent: f64 = name.parse().ok()?;
        let ns = value.as_f64().filter(|ns| *ns > 0.0)? * scale;
        percentile_supported(percent, count).then(|| (format!("p{percent}"), ns as u64))
    };
    list.filter_map(of).collect()
}

/// The histogram of `json+`: nanoseconds and their count.
fn read_bins(object: &Map<String, Value>) -> Option<SparseHistogram> {
    let bins = object.get("bins").and_then(Value::as_object).filter(|bins| !bins.is_empty())?;
    let mut histogram = LatencyHistogram::new();
    for (ns, count) in bins {
        let count = count.as_u64()?;
        if histogram.count().saturating_add(count) > SAMPLES_MAX {
            return None;
        }
        histogram.record_many(ns.parse().ok()?, count);
    }
    Some(histogram.to_sparse())
}

/// Clones that ran side by side, as one. Percentiles and spread of the whole cannot be had from
/// those of the parts without their histograms: they are absent.
pub(super) fn merge_clones(parts: &[Direction]) -> Direction {
    let [first, rest @ ..] = parts else { return Direction::default() };
    if rest.is_empty() {
        return first.clone();
    }
    let add = |sum: u64, part: u64| sum.saturating_add(part).min(WHOLE_MAX);
    let sum = |pick: fn(&Direction) -> u64| parts.iter().map(pick).fold(0, add);
    let measured: Vec<&Direction> = parts.iter().filter(|part| part.count > 0).collect();
    let count = measured.iter().map(|part| part.count).fold(0, u64::saturating_add);
    let latency =
        (count > 0 && measured.len() == parts.len()).then(|| merge_latencies(&measured, count));
    let totals = DirectionTotals {
        ops: sum(|part| part.totals.ops),
        bytes: sum(|part| part.totals.bytes),
        iops: parts.iter().map(|part| part.totals.iops).sum(),
        bytes_per_second: parts.iter().map(|part| part.totals.bytes_per_second).sum(),
        latency_ns: latency.unwrap_or_default(),
        ..DirectionTotals::default()
    };
    let runtime_ms = parts.iter().map(|part| part.runtime_ms).max().unwrap_or(0);
    Direction { totals, runtime_ms, count, is_completion_latency: first.is_completion_latency }
}

fn merge_latencies(parts: &[&Direction], count: u64) -> LatencySummary {
    let weight = |part: &Direction| part.count as f64 / count as f64;
    let mean: f64 = parts.iter().map(|part| weight(part) * part.totals.latency_ns.mean).sum();
    let square = |l: &LatencySummary| l.stddev.powi(2) + (l.mean - mean).powi(2);
    let variance: f64 =
        parts.iter().map(|part| weight(part) * square(&part.totals.latency_ns)).sum();
    let mut all = LatencyHistogram::new();
    let whole = parts.iter().all(|part| {
        let bins = &part.totals.latency_ns.histogram;
        bins.count > 0 && all.merge_sparse(bins).is_ok()
    });
    let named = |(name, _): (&str, &u64)| -> Option<(String, u64)> {
        let percent: f64 = name.strip_prefix('p')?.parse().ok()?;
        Some((name.to_owned(), all.quantile(percent / 100.0)?))
    };
    let known = parts.first().map(|part| &part.totals.latency_ns.percentiles).filter(|_| whole);
    LatencySummary {
        mean,
        stddev: variance.sqrt(),
        min: parts.iter().map(|part| part.totals.latency_ns.min).min().unwrap_or(0),
        max: parts.iter().map(|part| part.totals.latency_ns.max).max().unwrap_or(0),
        percentiles: known.into_iter().flat_map(PercentileMap::iter).filter_map(named).collect(),
        histogram: if whole { all.to_sparse() } else { SparseHistogram::default() },
    }
}
