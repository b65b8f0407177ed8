//! What keeps a saturated device from more: itself, the client, or a cap that somebody set.

use record::{BoundedBy, Cell, CellRole, Curve, FindingId, Record, Status};
use units::{Iops, Ratio};

use super::point::tick_rates;

/// Of a plateau: by so little may IOPS differ when the depth doubles (methodology of throttles:
/// 2 %).
const FLAT: f64 = 0.02;
/// Variation of tenths of a second on a plateau that no device keeps (methodology: 2 % over
/// seconds).
const CALM: f64 = 0.02;
/// A throttle that serves in slices is wild within a tenth of a second and calm over a second.
const WINDOW_NS: u64 = 500_000_000;
/// A doubled depth must take this much longer, or something else changed too.
const LONGER: (f64, f64) = (1.7, 2.3);
/// Share of ticks without any operation, from which a plateau is served in slices.
const SLICED: f64 = 0.2;
/// Signs of a cap beside the flat plateau that have to be seen.
const SIGNS_MIN: usize = 1;

/// Says of each limit by saturation what causes it, now that the findings are known.
pub(crate) fn explain(record: &mut Record) {
    let mut curves = std::mem::take(&mut record.curves);
    for curve in &mut curves {
        let cap = cap(curve, record);
        let client = |cell: &str| {
            record.findings.iter().any(|finding| {
                finding.id == FindingId::ClientBound
                    && finding.status >= Status::Warning
                    && finding.cells.iter().any(|name| name == cell)
            })
        };
        let deepest_busy = curve.points.iter().rev().take(2).any(|p| client(p.cell()));
        for limit in &mut curve.limits {
            if !matches!(limit.bounded_by, BoundedBy::Saturation | BoundedBy::DepthTried) {
                continue;
            }
            if let Some(because) = &cap {
                limit.bounded_by = BoundedBy::ProviderCap;
                limit.because.clone_from(because);
            } else if limit.bounded_by == BoundedBy::Saturation
                && (client(&limit.cell) || deepest_busy)
            {
                limit.bounded_by = BoundedBy::Client;
                limit.because.push("the workers had no processor time left".to_owned());
            }
        }
    }
    record.curves = curves;
}

/// What speaks for a cap, when enough does: a plateau that is flat and calm, and one sign more.
fn cap(curve: &Curve, record: &Record) -> Option<Vec<String>> {
    if curve.open_loop {
        return None;
    }
    let plateau = plateau(curve)?;
    let cells: Vec<&Cell> = plateau
        .iter()
        .flat_map(|&place| &curve.points[place].cells)
        .filter_map(|name| record.cell(name))
        .collect();
    let jobs = if curve.independent { 2 } else { 1 };
    let variation = variation(&cells, jobs)?;
    if variation > CALM {
        return None;
    }
    let iops = Iops(curve.points[plateau[0]].iops);
    let (first, last) = (plateau[0], plateau[plateau.len() - 1]);
    let mut because = vec![format!(
        "from depth {} to {} operations stay at {iops}, within {}, and latency grows with the \
         depth",
        curve.points[first].depth,
        curve.points[last].depth,
        Ratio(spread(curve, &plateau)),
    )];
    because.push(format!("half a second differs from the next by {} only", Ratio(variation)));
    let plain = because.len();
    because.extend(same_for_larger(curve, record, iops));
    because.extend(in_slices(&cells));
    because.extend(by_this_system(&cells, record));
    (because.len() >= plain + SIGNS_MIN).then_some(because)
}

/// The points of a flat end: at least a doubling of depth, IOPS the same, latency doubled.
fn plateau(curve: &Curve) -> Option<Vec<usize>> {
    let most = curve.points.iter().map(|point| point.iops).fold(0.0, f64::max);
    let flat: Vec<usize> = (0..curve.points.len())
        .filter(|&place| curve.points[place].iops >= most * (1.0 - FLAT))
        .collect();
    let (first, last) = (*flat.first()?, *flat.last()?);
    let (shallow, deep) = (&curve.points[first], &curve.points[last]);
    // All deeper points belong to it: one that falls is no cap.
    let whole = flat.len() == curve.points.len() - first;
    let growth = mean(deep)? / mean(shallow)?;
    let wanted = f64::from(deep.depth.0) / f64::from(shallow.depth.0.max(1));
    let grows = growth / wanted > LONGER.0 / 2.0 && growth / wanted < LONGER.1 / 2.0;
    (whole && wanted >= 1.9 && grows).then_some(flat)
}

fn mean(point: &record::CurvePoint) -> Option<f64> {
    point
        .latency_ns
        .iter()
        .filter_map(|(_, figures)| figures.get("mean"))
        .max()
        .map(|&ns| ns as f64)
}

fn spread(curve: &Curve, places: &[usize]) -> f64 {
    let rates = places.iter().map(|&place| curve.points[place].iops);
    let (low, high) =
        rates.fold((f64::MAX, 0.0_f64), |(low, high), rate| (low.min(rate), high.max(rate)));
    (high - low) / high.max(1.0)
}

/// The variation of windows of half a second over all cells of a plateau: standard deviation over
/// mean, within each cell, so that a drift between them does not count. `None` below four windows.
fn variation(cells: &[&Cell], jobs: usize) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0);
    for probe in cells.chunks(jobs) {
        let tick = probe[0].ticks.tick.0.max(1);
        let per_window = (WINDOW_NS / tick).max(1) as usize;
        let mut rates = tick_rates(probe[0]);
        for other in &probe[1..] {
            rates.iter_mut().zip(tick_rates(other)).for_each(|(sum, more)| *sum += more);
        }
        let windows: Vec<f64> = rates
            .chunks_exact(per_window)
            .map(|window| window.iter().sum::<f64>() / per_window as f64)
            .collect();
        let mean = windows.iter().sum::<f64>() / windows.len().max(1) as f64;
        if windows.len() < 2 || mean <= 0.0 {
            continue;
        }
        squares += windows.iter().map(|w| (w / mean - 1.0).powi(2)).sum::<f64>();
        freedom += windows.len() - 1;
    }
    (freedom >= 3).then(|| (squares / freedom as f64).sqrt())
}

/// Larger operations come as often: no device that moves bytes does that at its limit.
fn same_for_larger(curve: &Curve, record: &Record, iops: Iops) -> Option<String> {
    let larger = record.cells.iter().find(|cell| {
        cell.role == CellRole::Contrast
            && cell.job.access == curve.access
            && cell.job.mix == curve.mix
            && cell.job.block_size > curve.block_size
    })?;
    let ratio = larger.iops() / iops.0.max(1.0);
    ((1.0 - FLAT..=1.0 + FLAT).contains(&ratio)).then(|| {
        format!(
            "operations of {} come just as often as those of {}",
            larger.job.block_size.compact(),
            curve.block_size.compact()
        )
    })
}

/// Operations come in slices with nothing between them.
fn in_slices(cells: &[&Cell]) -> Option<String> {
    let ticks: Vec<f64> = cells.iter().flat_map(|cell| tick_rates(cell)).collect();
    let empty = ticks.iter().filter(|rate| **rate == 0.0).count() as f64;
    let share = empty / ticks.len().max(1) as f64;
    (share >= SLICED).then(|| {
        format!("they are let through in slices: nothing completes in {} of the time", Ratio(share))
    })
}

/// A control group of this very system sets it.
fn by_this_system(cells: &[&Cell], record: &Record) -> Option<String> {
    let touched = record.findings.iter().find(|finding| {
        finding.id == FindingId::OsThrottle
            && finding.status == Status::Warning
            && finding.cells.iter().any(|name| cells.iter().any(|cell| cell.name == *name))
    })?;
    let fact = touched.evidence.first()?;
    Some(format!("a control group of this system sets it: {} {}", fact.what, fact.value))
}
