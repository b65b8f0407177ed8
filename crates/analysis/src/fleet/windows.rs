//! What all hosts together completed in a part of a cell's time.

use std::collections::BTreeMap;

use record::{PerDirection, Slowest, Window, WindowRate};
use units::Nanos;
use workload::Direction;

use super::part::PlacedPart;

/// A shorter common time says nothing of the whole.
const SHARE_MIN: f64 = 0.1;

/// From the last begin until the first was done; `None` where there was hardly any time.
pub(super) fn first_done_window(parts: &[PlacedPart<'_>]) -> Option<Window> {
    let from = parts.iter().map(|part| part.begin).max()?;
    let to = parts.iter().map(|part| part.end).min()?;
    let whole = parts.iter().map(|part| part.end).max()?;
    let length = to.checked_sub(from)?;
    (length > 0 && length as f64 >= SHARE_MIN * whole as f64).then(|| build_window(parts, from, to))
}

pub(super) fn last_done_window(parts: &[PlacedPart<'_>]) -> Window {
    build_window(parts, 0, parts.iter().map(|part| part.end).max().unwrap_or(0))
}

fn build_window(parts: &[PlacedPart<'_>], from: u64, to: u64) -> Window {
    let length = Nanos(to - from);
    let seconds = length.as_secs_f64().max(1e-9);
    let mut rates = PerDirection::default();
    for direction in Direction::ALL {
        let (mut ops, mut bytes, mut any) = (0.0, 0.0, false);
        for part in parts {
            let Some(totals) = part.cell.totals.get(direction) else { continue };
            let share = completed_share(part, direction, from, to);
            any = true;
            ops += totals.ops as f64 * share;
            bytes += totals.bytes as f64 * share;
        }
        if any {
            let (iops, bytes_per_second) = (ops / seconds, bytes / seconds);
            rates.set(direction, WindowRate { ops, bytes, iops, bytes_per_second });
        }
    }
    Window { start: Nanos(from), length, rates }
}

/// By a host's ticks; what came after the last whole tick is spread evenly over the rest.
fn completed_share(part: &PlacedPart<'_>, direction: Direction, from: u64, to: u64) -> f64 {
    if from <= part.begin && to >= part.end {
        return 1.0;
    }
    let ops = part.cell.totals.get(direction).map_or(0, |totals| totals.ops);
    if ops == 0 {
        return 0.0;
    }
    let (from, to) = (from as f64 - part.begin as f64, to as f64 - part.begin as f64);
    let within = |start: f64, end: f64| {
        let overlap = to.min(end) - from.max(start);
        if end > start { (overlap / (end - start)).clamp(0.0, 1.0) } else { 0.0 }
    };
    let tick = part.cell.ticks.tick.0 as f64;
    let series = part.cell.ticks.directions.get(direction).filter(|_| tick > 0.0);
    let counts: &[u64] = series.map_or(&[], |series| &series.ops);
    let (mut counted, mut inside) = (0_u64, 0.0);
    for (place, &count) in counts.iter().enumerate() {
        let start = place as f64 * tick;
        counted = counted.saturating_add(count);
        inside += count as f64 * within(start, start + tick);
    }
    let rest = ops.saturating_sub(counted) as f64;
    inside += rest * within(counts.len() as f64 * tick, part.cell.elapsed.0 as f64);
    (inside / ops as f64).clamp(0.0, 1.0)
}

/// The host with the highest mean latency over the median of those that have as much depth; `None`
/// where no two have the same.
pub(super) fn find_slowest(parts: &[PlacedPart<'_>]) -> Option<Slowest> {
    let mut depths: BTreeMap<u32, Vec<(f64, &str)>> = BTreeMap::new();
    for part in parts {
        let means = depths.entry(part.cell.job.depth.0).or_default();
        means.extend(mean_latency_ns(part).map(|mean| (mean, part.host)));
    }
    let of_depth =
        depths.into_values().filter(|means| means.len() > 1).filter_map(slowest_of_depth);
    let ratio = |slowest: &Slowest| slowest.mean_ns / slowest.median_ns.max(1.0);
    of_depth.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
}

fn slowest_of_depth(mut means: Vec<(f64, &str)>) -> Option<Slowest> {
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = means.len() / 2;
    let median_ns = match means.len() % 2 {
        0 => f64::midpoint(means[middle - 1].0, means[middle].0),
        _ => means[middle].0,
    };
    let &(mean_ns, host) = means.last()?;
    Some(Slowest { host: host.to_owned(), mean_ns, median_ns })
}

/// Of reads and writes together, or of what else it did; in an open loop of response times.
fn mean_latency_ns(part: &PlacedPart<'_>) -> Option<f64> {
    let mean = |wanted: &dyn Fn(Direction) -> bool| {
        let (mut sum, mut count) = (0.0, 0.0);
        for (_, totals) in part.cell.totals.iter().filter(|(direction, _)| wanted(*direction)) {
            let latency = totals.response_ns.as_ref().unwrap_or(&totals.latency_ns);
            sum += latency.mean * totals.ops as f64;
            count += totals.ops as f64;
        }
        (count > 0.0 && sum.is_finite()).then(|| sum / count)
    };
    let data = |direction| matches!(direction, Direction::Read | Direction::Write);
    mean(&data).or_else(|| mean(&|_| true))
}
