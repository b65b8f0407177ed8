//! What keeps a saturated device from more: itself, the client, or a cap that somebody set.

use record::{BoundedBy, Cell, CellRole, Curve, FindingId, Limit, Record, Status};
use units::{Depth, Iops, Ratio};

use super::point::{Load, tick_rates};

/// Probes this close to the same rate have reached the same ceiling. What disturbs a probe
/// only lowers it, so that those below say nothing against a cap; a device's own most differs from
/// probe to probe by more than this.
const TOUCHES: f64 = 0.005;
/// So many probes have to reach it, over at least a doubling of depth (methodology of throttles:
/// the same at twice the depth).
const PROBES_MIN: usize = 3;
const DOUBLING: f64 = 1.9;
/// So many times as many as exceed it.
const EXCEED_RARELY: usize = 3;
/// Variation from half a second to the next that no device keeps (methodology: 2 % over seconds).
const CALM: f64 = 0.02;
/// A throttle that serves in slices is wild within a tenth of a second and calm over this.
const WINDOW_NS: u64 = 500_000_000;
/// So many windows say something, and so large a share of them is most.
const WINDOWS_MIN: usize = 4;
const MOST: f64 = 0.75;
/// Operations of another size that come within this of as many (methodology: 2 %).
const FLAT: f64 = 0.02;
/// Share of ticks without any operation, from which operations come in slices.
const SLICED: f64 = 0.2;

/// A cap that was found.
struct Cap<'a> {
    because: Vec<String>,
    /// The probes that reached it, with their depths, ascending.
    touching: Vec<(u32, Vec<&'a Cell>)>,
}

/// Says of each limit by saturation what causes it, now that the findings are known.
pub(crate) fn explain(record: &mut Record) {
    let mut curves = std::mem::take(&mut record.curves);
    for curve in &mut curves {
        let cap = cap(curve, record);
        let starved = |cell: &str| {
            record.findings.iter().any(|finding| {
                finding.id == FindingId::ClientBound
                    && finding.status >= Status::Warning
                    && finding.cells.iter().any(|name| name == cell)
            })
        };
        let deepest_starved = curve.points.iter().rev().take(2).any(|p| starved(p.cell()));
        for limit in &mut curve.limits {
            let saturated = limit.bounded_by == BoundedBy::Saturation;
            if let Some(cap) = cap.as_ref().filter(|_| limit.bounded_by != BoundedBy::Unreachable) {
                at_cap(limit, cap, curve.independent);
            } else if saturated && (starved(&limit.cell) || deepest_starved) {
                limit.bounded_by = BoundedBy::Client;
                limit.because.push("the workers had no processor time left".to_owned());
            }
        }
    }
    record.curves = curves;
}

/// The limit under a cap: the shallowest depth that reaches it and keeps the bound. Where the
/// bound breaks before, the cap is not what keeps it.
fn at_cap(limit: &mut Limit, cap: &Cap<'_>, independent: bool) {
    let jobs = if independent { 2 } else { 1 };
    let depths = cap.touching.iter().map(|(depth, _)| *depth);
    let mut loads = depths.collect::<Vec<u32>>();
    loads.dedup();
    let load = |depth: u32| {
        let of = cap.touching.iter().filter(|(d, _)| *d == depth);
        Load { cells: of.flat_map(|(_, probe)| probe.iter().copied()).collect(), jobs }
    };
    let kept = loads
        .iter()
        .map(|&depth| (depth, load(depth)))
        .find(|(_, load)| load.stand(&limit.bound).within != Some(false));
    let Some((depth, load)) = kept else { return };
    limit.bounded_by = BoundedBy::ProviderCap;
    limit.because.clone_from(&cap.because);
    limit.depth = Depth(depth);
    limit.iops = load.iops_estimate();
    limit.statistic = load.statistic(limit.bound.statistic);
    if let Some(cell) = load.cells.last() {
        limit.cell.clone_from(&cell.name);
    }
}

/// What speaks for a cap, when enough does: a ceiling that probes of different depths reach and
/// none exceeds, calm there, and one sign more.
fn cap<'a>(curve: &Curve, record: &'a Record) -> Option<Cap<'a>> {
    if curve.open_loop {
        return None;
    }
    let jobs = if curve.independent { 2 } else { 1 };
    let probes = probes(curve, record, jobs);
    let rate = |probe: &[&Cell]| probe.iter().map(|cell| cell.iops()).sum::<f64>();
    let rates: Vec<f64> = probes.iter().map(|(_, probe)| rate(probe)).collect();
    let ceiling = ceiling(&rates)?;
    let touches = |rate: f64| (rate / ceiling - 1.0).abs() <= TOUCHES;
    let touching: Vec<(u32, Vec<&Cell>)> =
        probes.into_iter().filter(|(_, probe)| touches(rate(probe))).collect();
    let (shallowest, deepest) = (touching.first()?.0, touching.last()?.0);
    if f64::from(deepest) < DOUBLING * f64::from(shallowest) {
        return None;
    }
    let cells: Vec<&Cell> = touching.iter().flat_map(|(_, probe)| probe.iter().copied()).collect();
    let variation = variation(&cells, jobs).filter(|variation| *variation <= CALM)?;
    let ceiling = Iops(ceiling);
    let mut because = vec![
        format!(
            "{} of {} probes, from depth {shallowest} to {deepest}, end within {} of {ceiling}",
            touching.len(),
            rates.len(),
            Ratio(TOUCHES)
        ),
        format!("most half seconds differ by {} at most", Ratio(variation)),
    ];
    let plain = because.len();
    because.extend(same_for_larger(curve, record, ceiling));
    because.extend(in_slices(&cells));
    because.extend(by_this_system(&cells, record));
    (because.len() > plain).then_some(Cap { because, touching })
}

/// The rate that the most probes have in common; `None` when too many exceed it. A few may: a
/// throttle lets through what was saved in a pause.
fn ceiling(rates: &[f64]) -> Option<f64> {
    let near = |of: f64| rates.iter().filter(|rate| (*rate / of - 1.0).abs() <= TOUCHES).count();
    let ceiling = rates.iter().copied().max_by_key(|&rate| (near(rate), rate as u64))?;
    let above = rates.iter().filter(|rate| **rate > ceiling * (1.0 + TOUCHES)).count();
    (near(ceiling) >= PROBES_MIN && near(ceiling) >= EXCEED_RARELY * above).then_some(ceiling)
}

/// The probes of a curve with their depths, ascending: one cell each, or two at the same time.
fn probes<'a>(curve: &Curve, record: &'a Record, jobs: usize) -> Vec<(u32, Vec<&'a Cell>)> {
    let of_point = |point: &record::CurvePoint| -> Vec<(u32, Vec<&'a Cell>)> {
        let cells: Vec<&Cell> = point.cells.iter().filter_map(|name| record.cell(name)).collect();
        cells.chunks(jobs).map(|probe| (point.depth.0, probe.to_vec())).collect()
    };
    curve.points.iter().flat_map(of_point).collect()
}

/// By how much most half seconds differ from their probe's mean: the share that three in four stay
/// within, for a throttle that was starved of processor time catches up. `None` below four.
fn variation(cells: &[&Cell], jobs: usize) -> Option<f64> {
    let mut apart = Vec::new();
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
        if windows.len() >= 2 && mean > 0.0 {
            apart.extend(windows.iter().map(|window| (window / mean - 1.0).abs()));
        }
    }
    (apart.len() >= WINDOWS_MIN).then(|| stats::quantile_of(&apart, MOST)).flatten()
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
