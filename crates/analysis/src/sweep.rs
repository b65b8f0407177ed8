//! What a matrix says: its best cells, and the two limits behind each row of block sizes.

use std::collections::BTreeMap;

use record::{
    Cell, CellRole, Curve, CurvePoint, Judgement, Measured, Purpose, SweepPlan, TwoLimits,
};
use stats::{Estimate, LimitKind};
use units::{Bytes, BytesPerSecond, Depth, Iops, Ratio};

use crate::curve::{pool_iops, workload_name};
use crate::support::{find_doubt, supports};

const SIZES_MIN: usize = 3;
/// Cells differ from the law by about this, however precise they are.
const LAW_ERROR: f64 = 0.02;
/// Half the interval of a cell that was too short to give one.
const UNKNOWN_HALF_WIDTH: f64 = 0.5;
/// A law that misses its cells by more than this explains nothing.
const RESIDUAL_MAX: f64 = 0.25;
/// A limit above this many times the best cell of its row is extrapolated, not measured.
const EXTRAPOLATION_MAX: f64 = 1.5;
/// High over low end of the interval of a limit that a sentence states.
const INTERVAL_RATIO_MAX: f64 = 3.0;
const NORMAL_95: f64 = 1.96;

/// By workload and depth.
pub(crate) fn fit_two_limits(measured: &Measured, judgement: &Judgement) -> Vec<TwoLimits> {
    let Purpose::Sweep(plan) = &measured.plan.purpose else { return Vec::new() };
    let sound = |cell: &&Cell| cell.iops() > 0.0 && supports(judgement, cell);
    let mut all = Vec::new();
    for part in &plan.parts {
        for &depth in &plan.depths {
            let of_row = |cell: &&Cell| {
                let job = &cell.job;
                cell.role == CellRole::Point
                    && (&job.access, job.mix, job.depth.0) == (&part.access, part.mix, depth)
            };
            let cells = measured.cells.iter().filter(of_row).filter(sound);
            all.extend(fit_row(&workload_name(&part.access, part.mix), Depth(depth), cells));
        }
    }
    all
}

fn fit_row<'a>(
    workload: &str,
    depth: Depth,
    cells: impl Iterator<Item = &'a Cell>,
) -> Option<TwoLimits> {
    let mut sizes: BTreeMap<Bytes, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        sizes.entry(cell.job.block_size).or_default().push(cell);
    }
    if sizes.len() < SIZES_MIN {
        return None;
    }
    let point = |(size, cells): (&Bytes, &Vec<&Cell>)| {
        let iops = pool_iops(cells);
        let error = iops.relative_half_width().unwrap_or(UNKNOWN_HALF_WIDTH) / NORMAL_95;
        (size.0 as f64, iops.value, 1.0 / (error.powi(2) + LAW_ERROR.powi(2)))
    };
    let points: Vec<(f64, f64, f64)> = sizes.iter().map(point).collect();
    let found = stats::fit_two_limits(&points)?;
    let names = sizes.values().flatten().map(|cell| cell.name.clone());
    Some(TwoLimits {
        label: format!("{workload}, depth {depth}").into(),
        depth,
        cells: names.collect(),
        iops: found.iops_max,
        bytes_per_second: found.bytes_per_second_max,
        crossover: found.crossover_bytes.map(|size| Bytes(size.value.round() as u64)),
        soft: found.kind == LimitKind::Soft,
        residual: found.error,
    })
}

struct BestPoint<'a> {
    curve: &'a Curve,
    point: &'a CurvePoint,
}

impl BestPoint<'_> {
    fn bytes_per_second(&self) -> f64 {
        self.point.iops * self.curve.block_size.0 as f64
    }

    fn describe_load(&self) -> String {
        format!("{}, depth {}", self.curve.block_size.to_compact(), self.point.depth)
    }
}

fn best_point<'a>(
    judgement: &'a Judgement,
    wanted: impl Fn(&Curve) -> bool,
    figure: impl Fn(&BestPoint<'_>) -> f64,
) -> Option<BestPoint<'a>> {
    let sound =
        |point: &CurvePoint| point.cells.iter().all(|cell| find_doubt(judgement, cell).is_none());
    let curves = judgement.curves.iter().filter(|curve| wanted(curve));
    let all =
        curves.flat_map(|curve| curve.points.iter().map(move |point| BestPoint { curve, point }));
    all.filter(|best| sound(best.point)).max_by(|a, b| figure(a).total_cmp(&figure(b)))
}

pub(crate) fn sweep_headline(measured: &Measured, judgement: &Judgement) -> Option<String> {
    let plan = sweep_plan(measured)?;
    let iops = best_point(judgement, |_| true, |best| best.point.iops)?;
    let rate = best_point(judgement, |_| true, |best| best.bytes_per_second())?;
    let several = plan.parts.len() > 1;
    let name = |best: &BestPoint<'_>| match several {
        true => format!("{}, ", workload_name(&best.curve.access, best.curve.mix)),
        false => String::new(),
    };
    let law = find_law(measured, judgement, &workload_name(&iops.curve.access, iops.curve.mix))
        .map(|limits| format!("; {}", describe_law(limits)))
        .unwrap_or_default();
    Some(format!(
        "At best {} IOPS ({}{}) and {} ({}{}){law}",
        Iops(iops.point.iops),
        name(&iops),
        iops.describe_load(),
        BytesPerSecond(rate.bytes_per_second()),
        name(&rate),
        rate.describe_load(),
    ))
}

fn sweep_plan(measured: &Measured) -> Option<&SweepPlan> {
    match &measured.plan.purpose {
        Purpose::Sweep(plan) if plan.write_shares.is_empty() => Some(plan),
        _ => None,
    }
}

fn find_law<'a>(
    measured: &'a Measured,
    judgement: &'a Judgement,
    workload: &str,
) -> Option<&'a TwoLimits> {
    let own = || {
        let lead = format!("{workload}, depth ");
        judgement.two_limits.iter().filter(move |limits| {
            let explains = limits.residual <= RESIDUAL_MAX && is_law_supported(measured, limits);
            limits.label.starts_with(&lead) && explains
        })
    };
    let both = own().filter(|l| l.iops.is_some() && l.bytes_per_second.is_some());
    both.max_by_key(|limits| limits.depth).or_else(|| own().max_by_key(|limits| limits.depth))
}

/// Whether a law may be stated: its limits are near measured values and known within a factor, and
/// it passes by every cell.
fn is_law_supported(measured: &Measured, limits: &TwoLimits) -> bool {
    let cells = || limits.cells.iter().filter_map(|name| measured.cell(name));
    let known = |limit: &Option<Estimate>, most: f64| {
        limit.as_ref().is_none_or(|limit| {
            let narrow =
                limit.interval().is_some_and(|(low, high)| high <= INTERVAL_RATIO_MAX * low);
            limit.value <= EXTRAPOLATION_MAX * most && narrow
        })
    };
    let passes_by = |cell: &Cell| {
        let law = limits.iops_at(cell.job.block_size.0 as f64);
        law.is_some_and(|law| {
            (1.0 / EXTRAPOLATION_MAX..=EXTRAPOLATION_MAX).contains(&(law / cell.iops()))
        })
    };
    known(&limits.iops, cells().map(Cell::iops).fold(0.0, f64::max))
        && known(&limits.bytes_per_second, cells().map(Cell::bytes_per_second).fold(0.0, f64::max))
        && cells().all(passes_by)
}

fn describe_law(limits: &TwoLimits) -> String {
    let operations = |most: &Estimate| format!("{} operations a second", Iops(most.value));
    let bytes = |most: &Estimate| BytesPerSecond(most.value).to_string();
    match (&limits.iops, &limits.bytes_per_second, limits.crossover) {
        (Some(iops), Some(rate), Some(size)) if limits.soft => format!(
            "at depth {} small blocks tend to {}, large ones to {}, which meet near {}",
            limits.depth,
            operations(iops),
            bytes(rate),
            format_rough_size(size)
        ),
        (Some(iops), Some(rate), Some(size)) => format!(
            "at depth {} about {} up to {}, {} beyond",
            limits.depth,
            operations(iops),
            format_rough_size(size),
            bytes(rate)
        ),
        (Some(iops), ..) => {
            format!("at depth {} about {} at every size", limits.depth, operations(iops))
        }
        (_, Some(rate), _) => {
            format!("at depth {} about {} at every size", limits.depth, bytes(rate))
        }
        _ => format!("at depth {} no limit was reached", limits.depth),
    }
}

fn format_rough_size(size: Bytes) -> String {
    match size.0 as f64 {
        large if large >= 10.0 * Bytes::MIB as f64 => {
            format!("{:.0} MiB", large / Bytes::MIB as f64)
        }
        middle if middle >= 1.5 * Bytes::KIB as f64 => {
            format!("{:.0} KiB", middle / Bytes::KIB as f64)
        }
        small => format!("{small:.0} B"),
    }
}

pub(crate) fn describe_sweep(measured: &Measured, judgement: &Judgement) -> Vec<String> {
    let Some(plan) = sweep_plan(measured) else {
        return Vec::new();
    };
    let mut said = Vec::new();
    for part in &plan.parts {
        let of_part = |curve: &Curve| curve.access == part.access && curve.mix == part.mix;
        let (Some(iops), Some(rate)) = (
            best_point(judgement, of_part, |best| best.point.iops),
            best_point(judgement, of_part, |best| best.bytes_per_second()),
        ) else {
            continue;
        };
        let name = workload_name(&part.access, part.mix);
        said.push(format!(
            "{name}: the most operations come at {}: {} a second; the most bytes at {}: {}.",
            iops.describe_load(),
            Iops(iops.point.iops),
            rate.describe_load(),
            BytesPerSecond(rate.bytes_per_second())
        ));
        said.extend(
            find_law(measured, judgement, &name).map(|limits| describe_fitted_law(&name, limits)),
        );
    }
    said.extend(describe_precision(judgement, plan));
    said.extend(measured.resumed.iter().map(|resumed| {
        format!(
            "The run was interrupted, and gone on with at {}, after {} measurements.",
            resumed.at, resumed.cells
        )
    }));
    said
}

fn describe_fitted_law(name: &str, limits: &TwoLimits) -> String {
    let between = |estimate: &Option<Estimate>, show: &dyn Fn(f64) -> String| {
        let (low, high) = estimate.as_ref()?.interval()?;
        Some(format!("{} to {}", show(low), show(high)))
    };
    let iops = between(&limits.iops, &|x| Iops(x).to_string());
    let rate = between(&limits.bytes_per_second, &|x| BytesPerSecond(x).to_string());
    let intervals: Vec<String> = [iops, rate].into_iter().flatten().collect();
    let intervals = match intervals.as_slice() {
        [] => String::new(),
        some => format!(" (95 %: {})", some.join(", ")),
    };
    format!(
        "{name}: {}{intervals}; the law misses the cells by {}.",
        describe_law(limits),
        Ratio(limits.residual)
    )
}

fn describe_precision(judgement: &Judgement, plan: &SweepPlan) -> Option<String> {
    let points = || {
        let curves = judgement.curves.iter();
        curves.flat_map(|curve| curve.points.iter().map(move |point| BestPoint { curve, point }))
    };
    let wanted = |point: &CurvePoint| point.precision.is_some_and(|half| half <= plan.precision);
    let (all, kept) = (points().count(), points().filter(|best| wanted(best.point)).count());
    let half = |best: &BestPoint<'_>| best.point.precision.unwrap_or(f64::INFINITY);
    let widest = points().max_by(|a, b| half(a).total_cmp(&half(b)))?;
    let asked = Ratio(plan.precision);
    if kept == all {
        return Some(format!("The IOPS of all {all} cells are known to within ±{asked} (95 %)."));
    }
    let widest_is = match widest.point.precision {
        Some(half) => format!("is known to within ±{}", Ratio(half)),
        None => "is too short to give an interval".to_owned(),
    };
    Some(format!(
        "The IOPS of {kept} of {all} cells are known to within ±{asked} (95 %); {}, depth {}, {}. \
         More time (--budget, --cell-max) narrows that, unless the device itself is uneven.",
        widest.curve.label, widest.point.depth, widest_is
    ))
}
