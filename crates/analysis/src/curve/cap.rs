//! A configured cap, for limits, the class and `provider-limit`. Three signs together (methodology
//! of throttles): a ceiling over a doubling of depth, a rate calmer than chance, and one that a
//! device at its own limit does not show. A single server of constant time is as even as a cap.

use message::{Message, label, messages};
use record::{
    BoundedBy, Cell, CellRole, Curve, CurvePoint, FindingId, Judgement, Layer, LayerKind, Limit,
    Measured, Purpose, Status,
};
use units::{Iops, Ratio};
use workload::Mix;

use super::levels::probe_rate;
use super::limit::{LimitChoice, build_limit as limit_of};
use super::point::{Load, RISE_MIN};
use super::replay::{LoadConfirmation, confirm_load};
use crate::calm::{
    CALM_MAX, CEILING_WITHIN, CHANCE_SHARE_MAX, SLICE, WINDOW_NS, are_in_rhythm, chance_variation,
    is_calm, sliced_share, swing_together, typical_deviation,
};
use crate::cells::probe_tick_rates;
use crate::evidence::group_limit::{describe_group_limit, find_reached_limit};
use crate::support::find_doubt;

/// Minimum number of probes at the ceiling, over a doubling of depth (methodology of throttles).
const PROBES_MIN: usize = 3;
const DEPTH_RATIO_MIN: f64 = 1.9;
const EXCEEDING_FACTOR: usize = 3;
/// Share of the probes that are as deep as the shallowest at the ceiling and must be there, too,
/// where none comes in slices: of a device's own rates half may be so near to each other by chance.
const AT_CEILING_MIN: f64 = 2.0 / 3.0;
/// Maximum difference in IOPS of operations of another size (methodology: 2 %).
const SAME_RATE: f64 = 0.02;
/// A rate below this share of another is clearly below it.
const CLEARLY_BELOW: f64 = 0.9;
/// What clouds sell (methodology 6.1 to 6.4). Alone it says nothing: one number in ten is so near
/// to one.
const SOLD_RATES: [f64; 22] = [
    120.0, 240.0, 500.0, 1100.0, 2300.0, 3000.0, 3500.0, 3600.0, 4000.0, 5000.0, 7500.0, 10_000.0,
    12_000.0, 15_000.0, 16_000.0, 18_000.0, 20_000.0, 30_000.0, 64_000.0, 80_000.0, 100_000.0,
    160_000.0,
];
const SOLD_WITHIN: f64 = 0.01;

pub(crate) struct RateCap<'a> {
    pub(crate) iops: Iops,
    pub(crate) because: Vec<Message>,
    /// With their depths, ascending.
    pub(crate) probes_at_cap: Vec<(u32, Vec<&'a Cell>)>,
    /// Whether a control group of this host sets it: that is read, not inferred.
    pub(crate) is_local: bool,
}

pub(super) fn is_client_bound(cell: &str, judgement: &Judgement) -> bool {
    judgement.finding(FindingId::ClientBound).is_some_and(|finding| {
        finding.status >= Status::Warning && finding.cells.iter().any(|name| name == cell)
    })
}

/// What speaks for a cap: a ceiling that hardly any probe exceeds, calm there, and one sign more.
pub(crate) fn find_cap<'a>(
    curve: &Curve,
    measured: &'a Measured,
    judgement: &'a Judgement,
) -> Option<RateCap<'a>> {
    if curve.open_loop {
        return None;
    }
    let jobs = if curve.independent { 2 } else { 1 };
    let mut probes = curve_probes(curve, measured, jobs);
    // A cap that was lowered holds from some probe on.
    probes.sort_by_key(|(_, probe)| probe[0].started);
    let (first, ceiling, deep_enough) = (0..probes.len()).find_map(|first| {
        let newest = &probes[first..];
        let rates: Vec<(f64, f64)> =
            newest.iter().map(|(_, probe)| (probe_rate(probe), shortest_ns(probe))).collect();
        let ceiling = find_ceiling(&rates, slices_sign(&fastest_cells(newest)).is_some())?;
        let load = |(depth, probe): &(u32, Vec<&Cell>)| {
            let rate = probe_rate(probe);
            let variation = rate_variation(probe, jobs, None);
            (*depth, rate, variation.is_some_and(|variation| is_calm(variation, rate)))
        };
        // A cap that was lowered was clearly higher before.
        let a_little_above = ceiling * (1.0 + CEILING_WITHIN.0)..ceiling / CLEARLY_BELOW;
        let wavers = probes[..first].iter().any(|(_, of)| a_little_above.contains(&probe_rate(of)));
        let loads = Vec::from_iter(newest.iter().map(load));
        let deep_enough = find_only_ceiling(&loads, ceiling).filter(|_| !wavers)?;
        Some((first, ceiling, deep_enough))
    })?;
    let had_more = probes.iter().any(|(_, probe)| probe_rate(probe) * CLEARLY_BELOW > ceiling);
    let mut touching = probes.split_off(first);
    let count = touching.len();
    let touches = |probe: &[&Cell]| (probe_rate(probe) / ceiling - 1.0).abs() <= CEILING_WITHIN.0;
    let depths = Vec::from_iter(touching.iter().map(|(depth, _)| *depth));
    touching.retain(|(depth, probe)| *depth >= deep_enough && touches(probe));
    touching.sort_by_key(|(depth, _)| *depth);
    let (shallowest, deepest) = (touching.first()?.0, touching.last()?.0);
    let by_client =
        touching.iter().flat_map(|(_, p)| p).any(|cell| is_client_bound(&cell.name, judgement));
    let cells: Vec<&Cell> = touching.iter().flat_map(|(_, probe)| probe.iter().copied()).collect();
    // No device serves in slices: one depth is enough to tell them.
    let is_flat = f64::from(deepest) >= DEPTH_RATIO_MIN * f64::from(shallowest);
    let as_deep = depths.iter().filter(|depth| **depth >= shallowest).count() as f64;
    let is_shared = touching.len() as f64 >= AT_CEILING_MIN * as_deep;
    let is_ceiling = is_flat && (is_shared || slices_sign(&cells).is_some());
    if by_client || !(is_ceiling || are_in_rhythm(&cells)) {
        return None;
    }
    let iops = Iops(ceiling);
    let near = ProbesAtCeiling {
        near: touching.len(),
        all: count,
        shallowest,
        deepest,
        within: CEILING_WITHIN,
        iops,
    };
    let is_reached = |cell: &&&Cell| find_reached_limit(measured, cell).is_some();
    let is_local = cells.iter().filter(is_reached).count() * 2 > cells.len();
    let mut because = vec![near.into()];
    if !is_local {
        because.extend(infer_cap(curve, measured, judgement, ceiling, &cells, had_more)?);
    }
    Some(RateCap { iops, because, probes_at_cap: touching, is_local })
}

/// Those whose rate is near to the most: a cap does not show in what does not reach it.
fn fastest_cells<'a>(probes: &[(u32, Vec<&'a Cell>)]) -> Vec<&'a Cell> {
    let most = probes.iter().map(|(_, probe)| probe_rate(probe)).fold(0.0, f64::max);
    let fast = probes.iter().filter(|(_, probe)| probe_rate(probe) >= CLEARLY_BELOW * most);
    fast.flat_map(|(_, probe)| probe.iter().copied()).collect()
}

/// Slices, which no device has; or calmer than chance, and one sign more.
fn infer_cap(
    curve: &Curve,
    measured: &Measured,
    judgement: &Judgement,
    ceiling: f64,
    cells: &[&Cell],
    had_more: bool,
) -> Option<Vec<Message>> {
    let jobs = if curve.independent { 2 } else { 1 };
    let slices = slices_sign(cells);
    if are_in_rhythm(cells) {
        return slices.map(|slices| vec![slices]);
    }
    let variation = rate_variation(cells, jobs, Some(ceiling))
        .filter(|variation| is_calm(*variation, ceiling))?;
    let chance = Ratio(chance_variation(ceiling));
    let calm = CalmerThanChance { variation: Ratio(variation), chance };
    let others = other_direction_sign(curve, measured, judgement, ceiling);
    // A cache that is full empties as evenly.
    if had_more && curve.mix != Mix::Read && slices.is_none() && others.is_none() {
        return None;
    }
    let larger = larger_operations_sign(curve, measured, Iops(ceiling));
    let signs = [larger, others, slices, sold_rate_sign(measured, ceiling)];
    let because = Vec::from_iter([calm.into()].into_iter().chain(signs.into_iter().flatten()));
    (because.len() > 1).then_some(because)
}

/// Whether a plateau shows that no cap made it: its cells waver, as much as a device does and
/// without slices or a period, or larger operations come clearly less often. A cap shows most in
/// the deepest of them: where those are calmer than chance, the others say nothing.
pub(crate) fn is_no_cap(curve: &Curve, measured: &Measured, plateau: &[&Cell]) -> bool {
    // The median: a cell from before the rate fell to a cap is above the level.
    let rates = Vec::from_iter(plateau.iter().map(|cell| cell.iops()));
    let level = stats::quantile_of(&rates, 0.5).unwrap_or(0.0);
    let least = CALM_MAX.max(CHANCE_SHARE_MAX * chance_variation(level));
    let wavers = rate_variation(plateau, 1, None).is_some_and(|variation| variation > least);
    // One at a time they take longer, whatever caps them.
    let larger = find_larger_contrast(curve, measured).filter(|larger| larger.job.depth.0 > 1);
    let fewer = larger.is_some_and(|larger| {
        larger.iops() < level * CLEARLY_BELOW && !is_same(byte_ratio(curve, larger, level))
    });
    let deepest = plateau.iter().map(|cell| cell.job.depth.0).max().unwrap_or(0);
    let deep = plateau.iter().copied().filter(|cell| cell.job.depth.0 >= deepest / 2);
    let is_calm_where_deep = rate_variation(&Vec::from_iter(deep), 1, None)
        .is_some_and(|variation| is_calm(variation, level));
    let is_even = is_calm_where_deep || slices_sign(plateau).is_some() || swing_together(plateau);
    fewer || wavers && !is_even
}

fn shortest_ns(probe: &[&Cell]) -> f64 {
    probe.iter().map(|cell| cell.elapsed.0 as f64).fold(f64::MAX, f64::min)
}

/// The rate that most probes have in common, of rates and times in nanoseconds; `None` when too
/// many exceed it. Where operations come in slices, any probe may exceed it by one slice.
fn find_ceiling(rates: &[(f64, f64)], sliced: bool) -> Option<f64> {
    let may_exceed =
        |ns: f64| CEILING_WITHIN.0 + if sliced { SLICE.0 as f64 / ns.max(1.0) } else { 0.0 };
    let supports = |of: f64| {
        let agrees = |&&(rate, ns): &&(f64, f64)| {
            (1.0 - CEILING_WITHIN.0..=1.0 + may_exceed(ns)).contains(&(rate / of))
        };
        rates.iter().filter(agrees).count()
    };
    let around = |of: f64| -> Vec<f64> {
        let near = |rate: &f64| (rate / of - 1.0).abs() <= CEILING_WITHIN.0;
        rates.iter().map(|(rate, _)| *rate).filter(near).collect()
    };
    let near = |of: f64| around(of).len();
    let all = rates.iter().map(|(rate, _)| *rate);
    let shared = all.filter(|rate| near(*rate) >= PROBES_MIN);
    let candidate = shared.max_by_key(|&rate| (supports(rate), near(rate), rate as u64))?;
    let ceiling = stats::quantile_of(&around(candidate), 0.5)?;
    let exceeds = |&&(rate, ns): &&(f64, f64)| rate > ceiling * (1.0 + may_exceed(ns));
    let above = rates.iter().filter(exceeds).count();
    (near(ceiling) >= EXCEEDING_FACTOR * above.max(1)).then_some(ceiling)
}

/// The depth from which on a load comes to a ceiling, where no other ceiling is in these loads, in
/// the order of time: each a depth, a rate, and whether that is calmer than chance. Of the two
/// newest that are deep enough one comes to this ceiling, and none of them is as calm far below it.
fn find_only_ceiling(loads: &[(u32, f64, bool)], ceiling: f64) -> Option<u32> {
    let reaches = |rate: f64| rate >= ceiling * (1.0 - CEILING_WITHIN.0);
    // Where the device's own rate is near to the ceiling, it comes there now and then.
    let is_own = |rate: f64, calm: bool| !calm && !reaches(rate) && rate >= CLEARLY_BELOW * ceiling;
    let is_deep_enough = |depth: u32| {
        let own = loads.iter().filter(|(at, rate, calm)| *at == depth && is_own(*rate, *calm));
        let all = loads.iter().filter(|(at, ..)| *at == depth);
        2 * own.count() < all.count()
    };
    let reaching = loads.iter().filter(|(depth, rate, _)| reaches(*rate) && is_deep_enough(*depth));
    let shallowest = reaching.map(|(depth, ..)| *depth).min()?;
    let deep = || loads.iter().filter(|(depth, ..)| *depth >= shallowest);
    let is_only = deep().rev().take(2).any(|(_, rate, _)| reaches(*rate))
        && !deep().any(|(_, rate, calm)| *calm && *rate < CLEARLY_BELOW * ceiling);
    is_only.then_some(shallowest)
}

/// One cell each, or two at the same time, with their depths, ascending.
fn curve_probes<'a>(
    curve: &Curve,
    measured: &'a Measured,
    jobs: usize,
) -> Vec<(u32, Vec<&'a Cell>)> {
    let of_point = |point: &record::CurvePoint| -> Vec<(u32, Vec<&'a Cell>)> {
        let cells: Vec<&Cell> = point.cells.iter().filter_map(|name| measured.cell(name)).collect();
        cells.chunks(jobs).map(|probe| (point.depth.0, probe.to_vec())).collect()
    };
    curve.points.iter().flat_map(of_point).collect()
}

/// Of half seconds, from a rate that all probes share, or from the mean of each.
fn rate_variation(cells: &[&Cell], jobs: usize, shared: Option<f64>) -> Option<f64> {
    let windows_min = if shared.is_some() { 1 } else { 2 };
    let mut apart = Vec::new();
    for probe in cells.chunks(jobs) {
        let tick = probe[0].ticks.tick.0.max(1);
        let per_window = (WINDOW_NS / tick).max(1) as usize;
        let rates = probe_tick_rates(probe);
        let windows: Vec<f64> = rates
            .chunks_exact(per_window)
            .map(|window| window.iter().sum::<f64>() / per_window as f64)
            .collect();
        let own_mean = windows.iter().sum::<f64>() / windows.len().max(1) as f64;
        let mean = shared.unwrap_or(own_mean);
        if windows.len() >= windows_min && mean > 0.0 {
            apart.extend(windows.iter().map(|window| (window / mean - 1.0).abs()));
        }
    }
    typical_deviation(&apart)
}

fn find_larger_contrast<'a>(curve: &Curve, measured: &'a Measured) -> Option<&'a Cell> {
    measured.cells.iter().find(|cell| {
        cell.role == CellRole::Contrast
            && cell.job.access == curve.access
            && cell.job.mix == curve.mix
            && cell.job.block_size > curve.block_size
    })
}

fn is_same(ratio: f64) -> bool {
    (1.0 - SAME_RATE..=1.0 + SAME_RATE).contains(&ratio)
}

/// Bytes per second of larger operations over those of a curve at `iops`.
fn byte_ratio(curve: &Curve, larger: &Cell, iops: f64) -> f64 {
    let sizes = larger.job.block_size.0 as f64 / curve.block_size.0.max(1) as f64;
    larger.iops() / iops.max(1.0) * sizes
}

/// No device that moves bytes does as many larger operations at its limit. Where another machine
/// is between, as many bytes are its cap as well.
fn larger_operations_sign(curve: &Curve, measured: &Measured, iops: Iops) -> Option<Message> {
    let larger = find_larger_contrast(curve, measured)?;
    // Where one depth is a little below the cap, the time of an operation sets the rate of both.
    let as_deep = curve.points.iter().find(|point| point.depth == larger.job.depth);
    if as_deep.is_some_and(|point| point.iops < iops.0 * (1.0 - SAME_RATE / 2.0)) {
        return None;
    }
    let (size, as_often) = (curve.block_size.to_compact(), larger.iops() / iops.0.max(1.0));
    let as_many_bytes = is_same(byte_ratio(curve, larger, iops.0));
    let larger = larger.job.block_size.to_compact();
    if is_same(as_often) {
        return Some(LargerAsOften { larger, size }.into());
    }
    let in_bytes = is_provider_disk(measured) && as_many_bytes;
    in_bytes.then(|| LargerAsManyBytes { larger, size }.into())
}

/// A device's own reads and writes do not end at the same rate.
fn other_direction_sign(
    curve: &Curve,
    measured: &Measured,
    judgement: &Judgement,
    iops: f64,
) -> Option<Message> {
    let is_comparable = |other: &&Curve| {
        let plain = !other.open_loop && !other.independent && !curve.independent;
        plain && other.mix != curve.mix && other.access == curve.access
    };
    let ends_here = |other: &&Curve| {
        let probes = curve_probes(other, measured, 1);
        let cells: Vec<&Cell> = probes.iter().map(|(_, probe)| probe[0]).collect();
        let rates = cells.iter().map(|cell| (cell.iops(), cell.elapsed.0 as f64));
        let end = find_ceiling(&Vec::from_iter(rates), slices_sign(&cells).is_some());
        end.is_some_and(|end| (end / iops - 1.0).abs() <= SAME_RATE)
    };
    let other = judgement.curves.iter().filter(is_comparable).find(ends_here)?;
    Some(EndsAtSameRate { label: other.label.clone() }.into())
}

fn sold_rate_sign(measured: &Measured, iops: f64) -> Option<Message> {
    let sold = SOLD_RATES.iter().find(|sold| (iops / *sold - 1.0).abs() <= SOLD_WITHIN)?;
    is_provider_disk(measured).then(|| SoldByClouds { iops: Iops(*sold) }.into())
}

/// Whether another machine provides this disk: it is virtual, or reached over a network.
pub(crate) fn is_provider_disk(measured: &Measured) -> bool {
    let is_remote = |layer: &&Layer| {
        matches!(layer.transport.as_deref(), Some("virtio" | "xen"))
            || layer.kind == LayerKind::NetworkBlock
    };
    let disks = measured.target().map(|target| target.bottom_devices()).unwrap_or_default();
    disks.iter().any(is_remote) || measured.environment.virtualisation.is_some()
}

fn slices_sign(cells: &[&Cell]) -> Option<Message> {
    Some(ServedInSlices { share: sliced_share(cells)? }.into())
}

pub(crate) fn explain_limits(measured: &Measured, judgement: &Judgement) -> Vec<Curve> {
    let mut curves = judgement.curves.clone();
    for curve in &mut curves {
        let cap = find_cap(curve, measured, judgement);
        let deepest = curve.points.iter().rev().take(2).map(CurvePoint::newest_cell);
        let deepest_starved = deepest.into_iter().any(|cell| is_client_bound(cell, judgement));
        for place in 0..curve.limits.len() {
            let limit = &curve.limits[place];
            let saturated = limit.bounded_by == BoundedBy::Saturation;
            if let Some(capped) =
                cap.as_ref().and_then(|cap| limit_at_cap(curve, place, cap, measured))
            {
                curve.limits[place] = capped;
            } else if saturated && (deepest_starved || is_client_bound(&limit.cell, judgement)) {
                let limit = &mut curve.limits[place];
                limit.bounded_by = BoundedBy::Client;
                limit.because.push(label("cap-workers-starved"));
            }
            name_group_limit(measured, &mut curve.limits[place]);
            let limit = &mut curve.limits[place];
            limit.confirmed &= find_doubt(judgement, &limit.cell).is_none();
            doubt_disturbed(curve, place);
            doubt_unconfirmed(measured, judgement, curve, place);
        }
        let at_cap = |iops: f64| cap.as_ref().is_some_and(|cap| iops * RISE_MIN >= cap.iops.0);
        // What falls back to a cap after a slice more is no thrashing.
        if let Some(shape) = &mut curve.shape {
            shape.fall = shape.fall.filter(|fall| !at_cap(fall.then_iops));
        }
    }
    curves
}

/// If higher loads were tried and all disturbed, the highest undisturbed load is no known limit.
fn doubt_disturbed(curve: &mut Curve, place: usize) {
    let load = |point: &CurvePoint| (point.rate.map_or(0.0, |rate| rate.0), point.depth);
    let is_higher = |left: &CurvePoint| curve.points.iter().all(|point| load(left) > load(point));
    let limit = &curve.limits[place];
    if limit.bounded_by == BoundedBy::DepthTried && curve.left_out.iter().any(is_higher) {
        curve.limits[place] = limit.clone().doubted(label("curve-higher-loads-disturbed"));
    }
}

/// A search that did not confirm its answer is not sure of it, nor is one whose first load was
/// disturbed sure that no load keeps the bound. It says whether measurements of its own were
/// disturbed.
fn doubt_unconfirmed(measured: &Measured, judgement: &Judgement, curve: &mut Curve, place: usize) {
    let Purpose::Limit(plan) = &measured.plan.purpose else { return };
    let limit = &mut curve.limits[place];
    let is_answer = curve.open_loop == plan.arrivals.is_some();
    if !is_answer || limit.bounded_by == BoundedBy::Unsure || limit.confirmed {
        return;
    }
    limit.bounded_by = BoundedBy::Unsure;
    let is_disturbed = |name: &String| {
        find_doubt(judgement, name).is_some()
            || measured.cell(name).is_some_and(|cell| cell.role == CellRole::Disturbed)
    };
    let mut of_curve = curve.points.iter().chain(&curve.left_out).flat_map(|point| &point.cells);
    let why = match of_curve.any(is_disturbed) {
        true => "cap-unconfirmed-disturbed",
        false => "cap-unconfirmed",
    };
    limit.because.push(label(why));
}

/// A control group whose limit the answer ran into is what bounds it, and comes first.
fn name_group_limit(measured: &Measured, limit: &mut Limit) {
    let Some(cell) = measured.cell(&limit.cell) else { return };
    let Some(reached) = find_reached_limit(measured, cell) else { return };
    if !matches!(limit.bounded_by, BoundedBy::Unreachable | BoundedBy::Unsure) {
        limit.bounded_by = BoundedBy::ControlGroup;
    }
    limit.because.insert(0, describe_group_limit(reached.limit));
}

/// The shallowest load that reaches the cap whenever it is measured; `None` where the bound is met
/// before the cap is. The rate is that of all probes at the cap.
fn limit_at_cap(
    curve: &Curve,
    place: usize,
    cap: &RateCap<'_>,
    measured: &Measured,
) -> Option<Limit> {
    let limit = curve.limits.get(place)?;
    if limit.bounded_by == BoundedBy::Unreachable || is_changing(limit) {
        return None;
    }
    let shallowest = cap.probes_at_cap.first()?.0;
    let keeps = |point: &CurvePoint| point.stands.get(place).and_then(|stand| stand.within);
    let probes_at = |depth: u32| cap.probes_at_cap.iter().filter(move |(of, _)| *of == depth);
    let is_at_cap = |point: &CurvePoint| {
        let cells = probes_at(point.depth.0).map(|(_, probe)| probe.len()).sum::<usize>();
        cells == point.cells.len()
    };
    let point = curve.points.iter().find(|point| {
        (shallowest..=limit.depth.0).contains(&point.depth.0)
            && is_at_cap(point)
            && keeps(point) != Some(false)
    })?;
    // At a cap a deeper queue only waits longer: where it keeps the bound, a shallower one does.
    let confirming = curve.points.iter().filter(|other| {
        other.depth >= point.depth && keeps(point).is_some() && keeps(other) == Some(true)
    });
    let loads: Vec<Vec<Vec<&Cell>>> = confirming
        .map(|other| probes_at(other.depth.0).map(|(_, probe)| probe.clone()).collect())
        .collect();
    // The probes of one load, or those of all of them, as at any other answer.
    let confirms =
        |probes: &[Vec<&Cell>]| confirm_load(probes, &limit.bound) == LoadConfirmation::Confirmed;
    let confirmed = loads.iter().any(|load| confirms(load)) || confirms(&loads.concat());
    let jobs = if curve.independent { 2 } else { 1 };
    let cells = point.cells.iter().filter_map(|name| measured.cell(name)).collect();
    let all = cap.probes_at_cap.iter().flat_map(|(_, probe)| probe.iter().copied()).collect();
    let choice = LimitChoice {
        point: 0,
        bounded_by: BoundedBy::ProviderCap,
        confirmed,
        because: cap.because.clone(),
    };
    let iops = Load { cells: all, jobs }.iops_estimate();
    Some(limit_of(limit.bound, choice, point, &Load { cells, jobs }, iops))
}

/// Whether a limit is doubted because the rate has no level: the end of a ramp is no cap.
fn is_changing(limit: &Limit) -> bool {
    let without_level = ["curve-rate-alternates", "curve-rate-changes"];
    limit.because.iter().any(|why| without_level.contains(&why.id()))
}

messages! {
    ProbesAtCeiling = "cap-probes-at-ceiling" {
        near: usize, all: usize, shallowest: u32, deepest: u32, within: Ratio, iops: Iops,
    };
    CalmerThanChance = "cap-calmer-than-chance" { variation: Ratio, chance: Ratio };
    LargerAsOften = "cap-larger-as-often" { larger: String, size: String };
    LargerAsManyBytes = "cap-larger-as-many-bytes" { larger: String, size: String };
    EndsAtSameRate = "cap-ends-at-same-rate" { label: Message };
    SoldByClouds = "cap-sold-by-clouds" { iops: Iops };
    ServedInSlices = "cap-served-in-slices" { share: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cell_mut;

    #[test]
    fn the_ceiling_is_what_most_probes_share() {
        let check = |rates: &[f64], expected: Option<f64>| {
            let long: Vec<(f64, f64)> = rates.iter().map(|rate| (*rate, 2e9)).collect();
            assert_eq!(find_ceiling(&long, false), expected, "{rates:?}");
        };
        check(&[2990.0, 3000.0, 3000.0, 3001.0, 2439.0, 1542.0], Some(3000.0));
        // One probe after a pause may exceed it, but not more than reach it.
        check(&[3361.0, 3000.0, 3000.0, 3000.0], Some(3000.0));
        check(&[3361.0, 3200.0, 3000.0, 3000.0, 3000.0], None);
        check(&[3000.0, 3000.0], None);
        check(&[81e3, 84e3, 88e3, 92e3, 95e3], None);
        check(&[], None);
    }

    #[test]
    fn probes_of_a_throttle_may_hold_one_slice_more() {
        let with = |rate: f64, sliced| {
            let short = [(rate, 0.7e9); 2];
            find_ceiling(&[&[(3000.0, 2e9); 3][..], &short].concat(), sliced)
        };
        // As measured: 7 slices of 300 in each of 0.68 s, more of them than of the long ones.
        let long = [(3000.0, 3e9), (3000.0, 2e9), (3000.0, 2e9), (3000.0, 2e9)];
        let short = [(3088.2, 0.68e9); 7];
        let disturbed = [(3035.3, 0.68e9), (1992.6, 0.68e9), (1855.9, 0.68e9)];
        let rates = [&long[..], &short, &disturbed].concat();
        assert_eq!(find_ceiling(&rates, true), Some(3000.0));
        assert_eq!(with(3300.0, true), Some(3000.0));
        assert_eq!(with(3600.0, true), None);
        assert_eq!(with(3300.0, false), None);
    }

    #[test]
    fn a_ceiling_with_another_one_beside_it_is_none() {
        let load = |depth: u32, rate: f64| (depth, rate, false);
        let burst = [load(1, 1202.0), load(2, 1202.0), load(4, 1204.0), load(2, 1203.0)];
        let with = |more: &[(u32, f64, bool)]| {
            find_only_ceiling(&[&burst, more].concat(), 1202.0).is_some()
        };
        assert!(with(&[]));
        assert!(with(&[load(4, 967.0)]), "one load may be disturbed");
        assert!(with(&[load(4, 967.0), load(8, 1202.0)]));
        assert!(!with(&[load(1, 967.0), load(2, 967.0)]));
        // It wavers less than chance allows: that is a ceiling, too.
        assert!(!with(&[(4, 967.0, true)]));
        assert!(!with(&[(4, 967.0, true), load(8, 1202.0)]));
        let shallow = [(4, 3000.0), (8, 3000.0), (16, 3001.0), (2, 2439.0), (1, 1542.0)];
        let shallow = shallow.map(|(depth, rate)| (depth, rate, true));
        assert_eq!(find_only_ceiling(&shallow, 3000.0), Some(4));
        // The device itself comes near to the ceiling at depth 1, and there now and then.
        let near = [(1, 4988.6), (1, 5086.5), (1, 4878.0), (1, 4696.0), (1, 4790.0)];
        let of = |loads: &[(u32, f64)], calm| {
            Vec::from_iter(loads.iter().map(|(depth, rate)| (*depth, *rate, calm)))
        };
        let deep = of(&[(2, 5000.0), (4, 5000.0), (2, 5000.0)], true);
        let with_own = |calm| find_only_ceiling(&[deep.clone(), of(&near, calm)].concat(), 5000.0);
        assert_eq!((with_own(false), with_own(true)), (Some(2), None));
    }

    #[test]
    fn an_answer_that_is_not_confirmed_says_whether_measurements_were_disturbed() {
        let check = |record: &Measured, why: &str| {
            let judgement = crate::judge(record);
            let limit = judgement.curves[0].main_limit().unwrap();
            assert!(!limit.confirmed && limit.bounded_by == BoundedBy::Unsure, "{limit:#?}");
            assert_eq!(limit.because.last().unwrap().id(), why, "{limit:#?}");
        };
        // Each load was measured once.
        let mut record = record::fixture::limit_record().measured;
        check(&record, "cap-unconfirmed");
        // What disturbs a measurement of something else says nothing of this answer.
        let mut beside = record.clone();
        let other = cell_mut(&mut beside, "randread-4k-qd512");
        (other.role, other.job.block_size) = (CellRole::Contrast, units::Bytes::kib(8));
        other.ledger.layers[0].read_bytes.0 *= 3;
        check(&beside, "cap-unconfirmed");
        cell_mut(&mut record, "randread-4k-qd512").ledger.layers[0].read_bytes.0 *= 2;
        check(&record, "cap-unconfirmed-disturbed");
    }

    #[test]
    fn a_smooth_curve_has_no_cap() {
        let record = record::fixture::limit_record().measured;
        let judgement = crate::judge(&record);
        let limits = judgement.curves.iter().flat_map(|curve| &curve.limits);
        assert!(limits.clone().count() > 0);
        for limit in limits {
            assert_ne!(limit.bounded_by, BoundedBy::ProviderCap, "{limit:#?}");
        }
    }
}
