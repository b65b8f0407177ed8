//! Visits to the same load, in one run, as one cell.

use std::borrow::Cow;

use message::label;
use record::{Cell, Directions, LatencySummary, Ledger, Pause, Ticks};
use stats::Estimate;
use units::Nanos;
use workload::Direction;

use super::point::wider_interval;
use crate::summary::{compute_confidence, summarise_latency};

/// The figures of all visits together, without what the system counted; `None` of no visit. From
/// three visits on, the interval of a rate is that between visits where that is wider.
pub fn pool_cells<'a>(visits: &[&'a Cell]) -> Option<Cow<'a, Cell>> {
    let (first, more) = visits.split_first()?;
    if more.is_empty() {
        return Some(Cow::Borrowed(first));
    }
    let mut whole = Cell {
        elapsed: Nanos(visits.iter().fold(0, |sum, cell| cell.elapsed.0.saturating_add(sum))),
        totals: pool_totals(visits),
        ledger: Ledger::default(),
        ..(*first).clone()
    };
    more.iter().for_each(|visit| append_series(&mut whole, visit));
    whole.confidence = compute_confidence(&whole);
    for direction in Direction::ALL {
        let Some(totals) = whole.totals.get(direction) else { continue };
        let none =
            || Estimate::without_interval(totals.iops, totals.ops, label("no-interval-no-series"));
        let within = whole.confidence.iops.get(direction).cloned().unwrap_or_else(none);
        let rates =
            Vec::from_iter(visits.iter().filter_map(|v| Some(v.totals.get(direction)?.iops)));
        whole.confidence.iops.set(direction, wider_interval(within, &rates));
    }
    Some(Cow::Owned(whole))
}

pub(crate) fn pool_totals(visits: &[&Cell]) -> Directions {
    let mut all = Directions::default();
    for direction in Direction::ALL {
        let of_visits = || visits.iter().filter_map(|v| Some((*v, v.totals.get(direction)?)));
        let Some((_, first)) = of_visits().next() else { continue };
        let mut pooled = first.clone();
        let seconds: f64 = visits.iter().map(|visit| visit.elapsed.as_secs_f64()).sum();
        let mean = |rate: &dyn Fn(&record::DirectionTotals) -> f64| {
            let weighted = of_visits().map(|(v, totals)| rate(totals) * v.elapsed.as_secs_f64());
            weighted.sum::<f64>() / seconds.max(1e-9)
        };
        (pooled.iops, pooled.bytes_per_second) =
            (mean(&|totals| totals.iops), mean(&|totals| totals.bytes_per_second));
        pooled.ops = of_visits().fold(0, |sum, (_, totals)| totals.ops.saturating_add(sum));
        pooled.bytes = of_visits().fold(0, |sum, (_, totals)| totals.bytes.saturating_add(sum));
        pooled.latency_ns = pool_latencies(of_visits().map(|(_, totals)| &totals.latency_ns));
        let response = of_visits().filter_map(|(_, totals)| totals.response_ns.as_deref());
        pooled.response_ns = first.response_ns.as_ref().map(|_| Box::new(pool_latencies(response)));
        // Each replay is compared with its capture, not several together.
        pooled.comparable_ns = None;
        let submission = of_visits().filter_map(|(_, totals)| totals.submission_ns.as_deref());
        pooled.submission_ns =
            first.submission_ns.as_ref().map(|_| Box::new(pool_latencies(submission)));
        all.set(direction, pooled);
    }
    all
}

fn pool_latencies<'s>(summaries: impl Iterator<Item = &'s LatencySummary>) -> LatencySummary {
    summarise_latency(&summaries.map(|summary| &summary.histogram).collect())
}

/// Puts a visit's series behind those of the visits before it, as if it had followed at once.
fn append_series(whole: &mut Cell, visit: &Cell) {
    let ticks = whole.ticks.directions.iter().map(|(_, series)| series.ops.len()).max();
    let place = Nanos(whole.ticks.tick.0.saturating_mul(ticks.unwrap_or(0) as u64));
    let moved = |at: Nanos| Nanos(at.0.saturating_add(place.0));
    for (direction, series) in visit.ticks.directions.iter() {
        let known = whole.ticks.directions.get(direction).cloned().unwrap_or_default();
        let join = |a: Vec<u64>, b: &[u64]| [a, b.to_vec()].concat();
        let joined = Ticks {
            ops: join(known.ops, &series.ops),
            latency_sum_ns: join(known.latency_sum_ns, &series.latency_sum_ns),
        };
        whole.ticks.directions.set(direction, joined);
    }
    let intervals = visit.intervals.iter().cloned();
    whole.intervals.extend(intervals.map(|mut interval| {
        interval.start = moved(interval.start);
        interval
    }));
    whole.pauses.extend(visit.pauses.iter().map(|p| Pause { start: moved(p.start), ..*p }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, reshape, sample_record};

    #[test]
    fn visits_are_one_cell_with_an_interval_between_them() {
        let pooled = |shares: &[f64]| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "seqread-1m").clone();
            let visit = |share: &f64| {
                let mut visit = cell.clone();
                reshape(&mut visit, |_| *share);
                visit
            };
            let visits: Vec<Cell> = shares.iter().map(visit).collect();
            let whole = pool_cells(&visits.iter().collect::<Vec<_>>()).unwrap().into_owned();
            (cell, whole)
        };
        let half = |cell: &Cell| cell.confidence.iops.read.as_ref()?.relative_half_width();
        let (one, whole) = pooled(&[1.0]);
        assert_eq!((whole.ledger, whole.ticks), (one.ledger, one.ticks));
        let (one, whole) = pooled(&[1.0, 1.1, 0.9]);
        assert!((whole.iops() / one.iops() - 1.0).abs() < 0.01);
        assert_eq!(whole.elapsed.0, 3 * one.elapsed.0);
        let (ours, of_one) = (half(&whole).unwrap(), half(&one).unwrap());
        assert!((0.2..0.3).contains(&ours) && ours > of_one, "{ours} {of_one}");
        // Two are too few to say how visits differ.
        let (one, whole) = pooled(&[1.0, 1.0]);
        let (read, of_one) = (whole.totals.read.unwrap(), one.totals.read.unwrap());
        assert_eq!((read.ops, read.bytes), (2 * of_one.ops, 2 * of_one.bytes));
        assert_eq!(
            read.latency_ns.percentiles.get("p50"),
            of_one.latency_ns.percentiles.get("p50")
        );
        let [ticks, of_one] =
            [whole.ticks, one.ticks].map(|t| t.directions.read.unwrap().ops.len());
        assert_eq!(ticks, 2 * of_one);
        assert!(pool_cells(&[]).is_none());
    }
}
