//! What keeps a saturated device from more: itself, the client, or a cap that somebody set.

use record::{BoundedBy, Cell, CellRole, Curve, CurvePoint, FindingId, Limit, Record, Status};
use units::{Iops, Ratio};

use super::limit::{Choice, limit as limit_of};
use super::point::{Load, probe_rates, tick_rates};

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
/// Variation from half a second to the next that is worth a thought (methodology: 2 % over
/// seconds), and its share of what independent operations would vary by chance: one over the root
/// of their number. Only what counts operations is calmer than that.
const CALM: f64 = 0.02;
const CALMER: f64 = 0.5;
/// A throttle that serves in slices is wild within a tenth of a second and calm over this.
const WINDOW_NS: u64 = 500_000_000;
/// So many windows say something, and so large a share of them is most.
const WINDOWS_MIN: usize = 4;
const MOST: f64 = 0.75;
/// Operations of another size that come within this of as many (methodology: 2 %).
const FLAT: f64 = 0.02;
/// Share of ticks without any operation, from which operations come in slices.
const SLICED: f64 = 0.2;
/// And so many times the share that is empty by chance.
const SLICED_RATIO: f64 = 3.0;

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
        let deepest = curve.points.iter().rev().take(2).map(CurvePoint::cell);
        let deepest_starved = deepest.into_iter().any(|cell| starved(cell, record));
        for place in 0..curve.limits.len() {
            let limit = &curve.limits[place];
            let saturated = limit.bounded_by == BoundedBy::Saturation;
            if let Some(capped) = cap.as_ref().and_then(|cap| at_cap(curve, place, cap, record)) {
                curve.limits[place] = capped;
            } else if saturated && (deepest_starved || starved(&limit.cell, record)) {
                let limit = &mut curve.limits[place];
                limit.bounded_by = BoundedBy::Client;
                limit.because.push("the workers had no processor time left".to_owned());
            }
        }
    }
    record.curves = curves;
}

/// Whether the generator itself was the limit of a cell.
fn starved(cell: &str, record: &Record) -> bool {
    record.findings.iter().any(|finding| {
        finding.id == FindingId::ClientBound
            && finding.status >= Status::Warning
            && finding.cells.iter().any(|name| name == cell)
    })
}

/// The limit under a cap: the shallowest load that reaches it, never one above what the search
/// answered. `None` where the bound is met before the cap is.
fn at_cap(curve: &Curve, place: usize, cap: &Cap<'_>, record: &Record) -> Option<Limit> {
    let limit = curve.limits.get(place)?;
    if limit.bounded_by == BoundedBy::Unreachable {
        return None;
    }
    let shallowest = cap.touching.first()?.0;
    let point = curve.points.iter().position(|point| {
        (shallowest..=limit.depth.0).contains(&point.depth.0)
            && cap.touching.iter().any(|(depth, _)| *depth == point.depth.0)
            && point.stands.get(place).is_none_or(|stand| stand.within != Some(false))
    })?;
    let jobs = if curve.independent { 2 } else { 1 };
    let cells = curve.points[point].cells.iter().filter_map(|name| record.cell(name)).collect();
    let choice = Choice {
        point: 0,
        bounded_by: BoundedBy::ProviderCap,
        confirmed: cap.touching.iter().filter(|(d, _)| *d == curve.points[point].depth.0).count()
            > 1,
        because: cap.because.clone(),
    };
    let points = std::slice::from_ref(&curve.points[point]);
    Some(limit_of(limit.bound, choice, points, &[Load { cells, jobs }]))
}

/// What speaks for a cap, when enough does: a ceiling that probes of different depths reach and
/// hardly any exceeds, calm there, and one sign more.
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
    let by_client = touching.iter().flat_map(|(_, p)| p).any(|cell| starved(&cell.name, record));
    if by_client || f64::from(deepest) < DOUBLING * f64::from(shallowest) {
        return None;
    }
    let cells: Vec<&Cell> = touching.iter().flat_map(|(_, probe)| probe.iter().copied()).collect();
    let chance = (ceiling * WINDOW_NS as f64 / 1e9).max(1.0).sqrt().recip();
    let calm = CALM.min(CALMER * chance);
    let variation = variation(&cells, jobs).filter(|variation| *variation <= calm)?;
    let ceiling = Iops(ceiling);
    let mut because = vec![
        format!(
            "{} of {} probes, from depth {shallowest} to {deepest}, end within {} of {ceiling}",
            touching.len(),
            rates.len(),
            Ratio(TOUCHES)
        ),
        format!(
            "most half seconds differ by {} at most, where chance alone would make it {}",
            Ratio(variation),
            Ratio(chance)
        ),
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
    let around = |of: f64| -> Vec<f64> {
        rates.iter().copied().filter(|rate| (rate / of - 1.0).abs() <= TOUCHES).collect()
    };
    let near = |of: f64| around(of).len();
    let candidate = rates.iter().copied().max_by_key(|&rate| (near(rate), rate as u64))?;
    let ceiling = stats::quantile_of(&around(candidate), 0.5)?;
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
        let rates = probe_rates(probe);
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
    // So many are empty by chance where operations are rare.
    let tick_s = cells.first()?.ticks.tick.as_secs_f64();
    let per_tick = ticks.iter().sum::<f64>() / ticks.len().max(1) as f64 * tick_s;
    (share >= SLICED && share >= SLICED_RATIO * (-per_tick).exp()).then(|| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_is_what_most_probes_share() {
        let check = |rates: &[f64], expected: Option<f64>| {
            assert_eq!(ceiling(rates), expected, "{rates:?}");
        };
        check(&[2990.0, 3000.0, 3000.0, 3001.0, 2439.0, 1542.0], Some(3000.0));
        // One probe after a pause may exceed it, but not as many as reach it.
        check(&[3361.0, 3000.0, 3000.0, 3000.0], Some(3000.0));
        check(&[3361.0, 3200.0, 3000.0, 3000.0, 3000.0], None);
        check(&[3000.0, 3000.0], None);
        check(&[81e3, 84e3, 88e3, 92e3, 95e3], None);
        check(&[], None);
    }

    #[test]
    fn a_smooth_curve_has_no_cap() {
        let mut record = record::fixture::limit();
        crate::judge(&mut record);
        let limits = record.curves.iter().flat_map(|curve| &curve.limits);
        assert!(limits.clone().count() > 0);
        for limit in limits {
            assert_ne!(limit.bounded_by, BoundedBy::ProviderCap, "{limit:#?}");
        }
    }
}
