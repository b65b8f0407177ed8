//! Curves over load, and the most IOPS within a latency bound.

mod cap;
mod falls;
mod levels;
mod limit;
mod naming;
mod point;
mod pool;
mod replay;
mod shape;
pub(crate) mod wording;

use message::messages;
use record::{Cell, CellRole, Curve, CurvePoint, Judgement, Limit, Measured, Purpose};
use units::{Bytes, Depth, Iops};
use workload::{Access, Mix, Pacing};

pub(crate) use cap::{RateCap, explain_limits, find_cap, is_no_cap, is_provider_disk};
pub use limit::{AS_GOOD_MIN, is_figure, is_point_figure};
pub(crate) use naming::WorkloadAtDepth;
pub use naming::{curve_name, describe_beside, workload_name};
use point::Load;
pub use point::{RISE_MIN, judge_load, judge_probe, pool_iops};
pub(crate) use point::{hold_cell_levels, is_stable, pool_latency_figures};
pub use pool::pool_cells;
pub(crate) use pool::pool_totals;
pub use replay::{
    CONFIRMING_PROBES, LOWER_LOAD_MIN, LoadConfirmation, confirm_load, depth_grid, rate_grid,
};

use crate::lists::find_or_push;
use crate::support::{fell_silent, find_doubt, prefer_supported};
use levels::{LevelChange, Probe};

#[derive(Debug, Clone, PartialEq)]
struct CurveKind {
    /// One job, or two at the same time.
    parts: Vec<(Access, Mix, Bytes)>,
    open_loop: bool,
}

/// The curves of a record: cells of one workload over depth, or over the rate of arrivals.
pub(crate) fn build_curves(measured: &Measured, judgement: &Judgement) -> Vec<Curve> {
    let mut groups: Vec<(CurveKind, Vec<Vec<&Cell>>)> = Vec::new();
    for probe in group_probes(measured) {
        let part = |cell: &&Cell| (cell.job.access.clone(), cell.job.mix, cell.job.block_size);
        let open_loop = probe.iter().any(|cell| cell.job.is_open_loop());
        let kind = CurveKind { parts: probe.iter().map(part).collect(), open_loop };
        find_or_push(&mut groups, |group| group.0 == kind, || (kind.clone(), vec![])).1.push(probe);
    }
    let any_counted = |group: &(CurveKind, Vec<Probe<'_>>)| group.1.iter().any(is_counted);
    if groups.iter().any(any_counted) {
        groups.retain(any_counted);
    }
    if let Purpose::Sweep(plan) = &measured.plan.purpose {
        // Its cells ran in an order that says nothing.
        let place = |kind: &CurveKind| {
            let (access, mix, size) = &kind.parts[0];
            let part = plan.parts.iter().position(|p| p.access == *access && p.mix == *mix);
            (part, *size)
        };
        groups.sort_by_key(|group| place(&group.0));
    }
    groups.sort_by_key(|(_, probes)| is_stream(&probes[0]));
    let curve = |(kind, probes): (CurveKind, Vec<Probe<'_>>)| {
        build_curve(&kind, &probes, judgement, measured)
    };
    groups.into_iter().map(curve).collect()
}

fn group_probes(measured: &Measured) -> Vec<Vec<&Cell>> {
    let mut probes: Vec<Vec<&Cell>> = Vec::new();
    let is_search = matches!(measured.plan.purpose, Purpose::Limit(_));
    let of_curve = |cell: &&Cell| is_curve_cell(cell) || (is_search && is_disturbed_probe(cell));
    for cell in measured.cells.iter().filter(of_curve) {
        let pair = cell.beside.as_deref();
        match probes.iter_mut().find(|p| p.len() == 1 && Some(p[0].name.as_str()) == pair) {
            Some(probe) => probe.push(cell),
            None => probes.push(vec![cell]),
        }
    }
    probes.retain(|probe| probe[0].beside.is_none() || probe.len() == 2);
    probes
}

fn is_curve_cell(cell: &Cell) -> bool {
    let job = &cell.job;
    let role = match cell.role {
        CellRole::Main => matches!(job.access, Access::Random | Access::Sequential),
        CellRole::Ladder | CellRole::Repeat => job.access == Access::Random,
        CellRole::Probe | CellRole::Point => true,
        _ => false,
    };
    role && job.sync.is_none() && cell.iops() > 0.0
}

/// A probe that was cut short, or measured again: it is shown, and decides nothing.
fn is_disturbed_probe(cell: &Cell) -> bool {
    cell.role == CellRole::Disturbed && cell.iops() > 0.0
}

fn is_counted(probe: &Probe<'_>) -> bool {
    !probe.iter().any(|cell| is_disturbed_probe(cell))
}

/// One load that streams, however often it is visited: a bound on latency is none on it.
fn is_stream(probe: &[&Cell]) -> bool {
    probe.iter().any(|c| c.role == CellRole::Main && c.job.access == Access::Sequential)
}

fn build_curve(
    kind: &CurveKind,
    all: &[Probe<'_>],
    judgement: &Judgement,
    measured: &Measured,
) -> Curve {
    let bounds = &measured.plan.bounds;
    let supports =
        |probe: &Probe<'_>| probe.iter().all(|cell| find_doubt(judgement, &cell.name).is_none());
    let counted = Vec::from_iter(all.iter().filter(|probe| is_counted(probe)).cloned());
    let mut probes = prefer_supported(&counted, supports);
    let answers = |probe: &&Probe<'_>| !probe.iter().any(|cell| fell_silent(judgement, cell));
    let answered = Vec::from_iter(probes.iter().filter(answers).cloned());
    let change = find_level_change(kind, &answered);
    probes.retain(|probe| probe[0].started >= change.at);
    let others = Vec::from_iter(all.iter().filter(|probe| !probes.contains(probe)).cloned());
    let of_loads = |loads: &[Load<'_>]| Vec::from_iter(loads.iter().map(|l| l.to_point(bounds)));
    let loads = group_by_load(&probes, kind.parts.len());
    let points: Vec<CurvePoint> = of_loads(&loads);
    let left_out = of_loads(&group_by_load(&others, kind.parts.len()));
    let names = kind.parts.iter().map(|(access, mix, size)| curve_name(access, *mix, *size));
    let pair = names.reduce(|a, b| (format!("{}+{}", a.0, b.0), describe_beside(a.1, b.1)));
    let (name, label) = pair.unwrap_or_default();
    let (access, mix, block_size) = kind.parts[0].clone();
    let searched = replay::choose_limits(&probes, measured, &points);
    let bounded = if all.iter().any(|probe| is_stream(probe)) { 0 } else { bounds.len() };
    let limits = (0..bounded)
        .filter_map(|place| {
            let found = searched.get(place).and_then(Option::as_ref).cloned();
            let choice = found.or_else(|| limit::choose_unsearched(place, &points))?;
            let (point, load) = (&points[choice.point], &loads[choice.point]);
            let iops = load.iops_estimate();
            let limit = limit::build_limit(bounds[place], choice, point, load, iops);
            Some(doubt_changing(limit, &change))
        })
        .collect();
    Curve {
        name: if kind.open_loop { format!("{name}-open") } else { name },
        label,
        access,
        mix,
        block_size,
        bounds: bounds.clone(),
        open_loop: kind.open_loop,
        independent: kind.parts.len() > 1,
        shape: change.is_level().then(|| shape::build_shape(&points, &loads)).flatten(),
        points,
        left_out,
        earlier: change.earlier,
        limits,
    }
}

/// Of a closed loop, whose rate is the device's.
fn find_level_change(kind: &CurveKind, probes: &[Probe<'_>]) -> LevelChange {
    if kind.open_loop {
        return LevelChange::default();
    }
    let depths = |probe: &Probe<'_>| Vec::from_iter(probe.iter().map(|cell| cell.job.depth));
    let mut loads: Vec<(Vec<Depth>, Vec<&Probe<'_>>)> = Vec::new();
    for probe in drop_starved_probes(probes) {
        let key = depths(probe);
        find_or_push(&mut loads, |load| load.0 == key, || (key.clone(), vec![])).1.push(probe);
    }
    let falls = falls::find_falls(&drop_starved_probes(probes));
    let of_loads = loads.into_iter().map(|(_, probes)| probes);
    LevelChange::find(&Vec::from_iter(of_loads.chain(falls)))
}

fn doubt_changing(limit: Limit, change: &LevelChange) -> Limit {
    match (change.alternates, change.earlier) {
        (Some((least, most)), _) => limit.doubted(RateAlternates { least, most }.into()),
        (None, Some(earlier)) if earlier.gradual => {
            limit.doubted(RateChanges { first: earlier.iops }.into())
        }
        _ => limit,
    }
}

fn drop_starved_probes<'p, 'a>(probes: &'p [Vec<&'a Cell>]) -> Vec<&'p Vec<&'a Cell>> {
    let same = |a: &[&Cell], b: &[&Cell]| {
        a.iter().zip(b).all(|(a, b)| a.job.depth == b.job.depth && a.job.pacing == b.job.pacing)
    };
    let most = |probe: &[&Cell]| {
        let again = probes.iter().filter(|other| same(other, probe));
        again.map(|other| other[0].job.workers).max().unwrap_or(1)
    };
    probes.iter().filter(|probe| probe[0].job.workers == most(probe)).collect()
}

fn group_by_load<'a>(probes: &[Vec<&'a Cell>], jobs: usize) -> Vec<Load<'a>> {
    let key = |cells: &[&Cell]| -> f64 {
        match cells[0].job.pacing {
            Pacing::Open { rate, .. } => rate.0,
            _ => cells.iter().take(jobs).map(|cell| f64::from(cell.job.depth.0)).sum(),
        }
    };
    let mut loads: Vec<Load<'a>> = Vec::new();
    for probe in drop_starved_probes(probes) {
        let none = || Load { cells: Vec::new(), jobs };
        let same = |load: &Load<'_>| key(&load.cells) == key(probe);
        find_or_push(&mut loads, same, none).cells.extend(probe);
    }
    loads.sort_by(|a, b| key(&a.cells).total_cmp(&key(&b.cells)));
    loads
}

messages! {
    RateAlternates = "curve-rate-alternates" { least: Iops, most: Iops };
    RateChanges = "curve-rate-changes" { first: Iops };
}

#[cfg(test)]
mod tests {
    use record::BoundedBy;

    use super::*;
    use crate::testing::{cell_mut, sample_record};

    #[test]
    fn cells_of_one_depth_are_pooled() {
        let mut record = sample_record();
        let mut again = cell_mut(&mut record, "randread-4k-qd16").clone();
        again.name = "randread-4k-qd16-2".to_owned();
        let read = again.totals.read.as_mut().unwrap();
        (read.ops, read.iops) = (read.ops / 2, read.iops / 2.0);
        record.cells.push(again);
        let curves = build_curves(&record, &Judgement::default());
        let read = curves.iter().find(|c| c.name == "randread-4k").unwrap();
        let of_16: Vec<_> = read.points.iter().filter(|p| p.depth.0 == 16).collect();
        assert_eq!(of_16.len(), 1);
        assert_eq!(of_16[0].cells, ["randread-4k-qd16", "randread-4k-qd16-2"]);
        assert!((of_16[0].iops / 92_000.0 - 0.75).abs() < 0.01, "{}", of_16[0].iops);
    }

    #[test]
    fn a_stall_is_no_other_level() {
        let earlier = |silent: bool| {
            let mut record = sample_record();
            let mut again = cell_mut(&mut record, "randread-4k-qd16").clone();
            again.name = "randread-4k-qd16-2".to_owned();
            again.started = units::Nanos::secs(100);
            let read = again.totals.read.as_mut().unwrap();
            (read.ops, read.iops) = (read.ops / 3, read.iops / 3.0);
            if silent {
                again.ticks.directions.read.as_mut().unwrap().ops[20..80].fill(0);
            }
            record.cells.push(again);
            let curves = crate::judge(&record).curves;
            curves.into_iter().find(|c| c.name == "randread-4k").unwrap().earlier
        };
        assert!(earlier(false).is_some());
        assert_eq!(earlier(true), None);
    }

    #[test]
    fn where_others_disturbed_the_highest_loads_the_limit_is_not_known() {
        let mut record = sample_record();
        let limit = |record: &Measured| {
            let curves = crate::judge(record).curves;
            curves.iter().find(|c| c.name == "randread-4k").unwrap().main_limit().unwrap().clone()
        };
        assert_ne!(limit(&record).bounded_by, BoundedBy::Unsure);
        let deep = record
            .cells
            .iter_mut()
            .filter(|cell| cell.name.starts_with("randread-4k-qd") && cell.job.depth.0 > 4);
        deep.for_each(|cell| cell.ledger.layers[0].read_bytes.0 *= 2);
        let disturbed = limit(&record);
        assert_eq!(disturbed.bounded_by, BoundedBy::Unsure, "{disturbed:#?}");
        assert!(disturbed.because[0].text().contains("higher loads"), "{disturbed:#?}");
    }

    #[test]
    fn points_are_judged_by_mean_maximum_and_percentile() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16"); // mean 174 us
        let check = |bound: &str, within| {
            let load = Load { cells: vec![cell], jobs: 1 };
            assert_eq!(load.judge_bound(&bound.parse().unwrap()).within, within, "{bound}");
        };
        check("mean<1ms", Some(true));
        check("mean<100us", Some(false));
        check("max<10ms", Some(true));
        check("p99<10ms", Some(true));
        check("p99<200us", Some(false));
        check("p50<10ms", Some(true));
    }

    #[test]
    fn too_few_operations_decide_nothing() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        cell.intervals.clear();
        let mut few = stats::LatencyHistogram::new();
        (0..20).for_each(|_| few.record(9_000_000));
        cell.totals.read.as_mut().unwrap().latency_ns = crate::summarise_latency(&few);
        let load = Load { cells: vec![cell], jobs: 1 };
        let point = load.judge_bound(&"p99.9<10ms".parse().unwrap());
        assert_eq!(point, record::Stand { statistic: None, within: None });
    }
}
