//! What a matrix says: its best cells, and the two limits behind each row of block sizes.

use std::collections::BTreeMap;

use message::{Message, messages};
use record::{
    Cell, CellRole, Curve, CurvePoint, Judgement, Measured, Purpose, SweepPlan, TwoLimits,
};
use stats::{Estimate, LimitKind};
use units::{Bytes, BytesPerSecond, Depth, Iops, Ratio};
use workload::{Access, Mix};

use crate::curve::{WorkloadAtDepth, is_point_figure, pool_iops, workload_name};
use crate::headline::{Basis, Headline};
use crate::support::supports;
use crate::words::show_estimate;

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
            all.extend(fit_row(workload_name(&part.access, part.mix), Depth(depth), cells));
        }
    }
    all
}

fn fit_row<'a>(
    workload: Message,
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
        label: WorkloadAtDepth { workload, depth }.into(),
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

    /// `4k, depth 16`.
    fn describe_load(&self) -> Message {
        let workload = Message::from_text(self.curve.block_size.to_compact());
        WorkloadAtDepth { workload, depth: self.point.depth }.into()
    }

    /// `random read 4k, depth 16`.
    fn describe(&self) -> Message {
        WorkloadAtDepth { workload: self.curve.label.clone(), depth: self.point.depth }.into()
    }
}

fn best_point<'a>(
    measured: &Measured,
    judgement: &'a Judgement,
    wanted: impl Fn(&Curve) -> bool,
    figure: impl Fn(&BestPoint<'_>) -> f64,
) -> Option<BestPoint<'a>> {
    let curves = judgement.curves.iter().filter(|curve| wanted(curve));
    let all =
        curves.flat_map(|curve| curve.points.iter().map(move |point| BestPoint { curve, point }));
    all.filter(|best| is_comparable_point(measured, judgement, best.point))
        .max_by(|a, b| figure(a).total_cmp(&figure(b)))
}

/// Whether a point may be the best of a sweep: its cells support a conclusion, and its interval is
/// narrow enough for a figure.
pub fn is_comparable_point(measured: &Measured, judgement: &Judgement, point: &CurvePoint) -> bool {
    let supported =
        |name: &String| measured.cell(name).is_some_and(|cell| supports(judgement, cell));
    is_point_figure(point) && point.cells.iter().all(supported)
}

pub(crate) fn sweep_headline(measured: &Measured, judgement: &Judgement) -> Option<Headline> {
    let plan = sweep_plan(measured)?;
    let iops = best_point(measured, judgement, |_| true, |best| best.point.iops)?;
    let rate = best_point(measured, judgement, |_| true, |best| best.bytes_per_second())?;
    let describe = match plan.parts.len() {
        0 | 1 => BestPoint::describe_load,
        _ => BestPoint::describe,
    };
    let headline = BestOfSweep {
        iops: Iops(iops.point.iops),
        at: describe(&iops),
        rate: BytesPerSecond(rate.bytes_per_second()),
        rate_at: describe(&rate),
    };
    let cells = [&iops, &rate].into_iter().flat_map(|best| &best.point.cells).cloned().collect();
    Some(Headline { words: headline.into(), basis: Basis::Cells(cells) })
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
    (access, mix): (&Access, Mix),
) -> Option<&'a TwoLimits> {
    let is_own = |limits: &&TwoLimits| {
        let cell = limits.cells.first().and_then(|name| measured.cell(name));
        let explains = limits.residual <= RESIDUAL_MAX && is_law_supported(measured, limits);
        explains && cell.is_some_and(|cell| (&cell.job.access, cell.job.mix) == (access, mix))
    };
    let own = || judgement.two_limits.iter().filter(is_own);
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

fn describe_law(limits: &TwoLimits) -> Message {
    let depth = limits.depth;
    let iops = limits.iops.as_ref().map(|most| show_estimate(most, Iops));
    let rate = limits.bytes_per_second.as_ref().map(|most| show_estimate(most, BytesPerSecond));
    match (iops, rate, limits.crossover.map(round_size)) {
        (Some(iops), Some(rate), Some(size)) if limits.soft => {
            SoftLaw { depth, iops, rate, size }.into()
        }
        (Some(iops), Some(rate), Some(size)) => HardLaw { depth, iops, rate, size }.into(),
        (Some(limit), ..) | (_, Some(limit), _) => OneLimit { depth, limit }.into(),
        _ => NoLimit { depth }.into(),
    }
}

/// To a whole KiB or MiB: a crossover is not known better.
fn round_size(size: Bytes) -> Bytes {
    let unit = match size.0 as f64 {
        large if large >= 10.0 * Bytes::MIB as f64 => Bytes::MIB,
        middle if middle >= 1.5 * Bytes::KIB as f64 => Bytes::KIB,
        _ => 1,
    };
    Bytes(size.0.saturating_add(unit / 2) / unit * unit)
}

pub(crate) fn describe_sweep(measured: &Measured, judgement: &Judgement) -> Vec<Message> {
    let Some(plan) = sweep_plan(measured) else {
        return Vec::new();
    };
    let mut said = Vec::new();
    for part in &plan.parts {
        let of_part = |curve: &Curve| curve.access == part.access && curve.mix == part.mix;
        let (Some(iops), Some(rate)) = (
            best_point(measured, judgement, of_part, |best| best.point.iops),
            best_point(measured, judgement, of_part, |best| best.bytes_per_second()),
        ) else {
            continue;
        };
        let workload = || workload_name(&part.access, part.mix);
        let best = BestOfWorkload {
            workload: workload(),
            iops: Iops(iops.point.iops),
            at: iops.describe_load(),
            rate: BytesPerSecond(rate.bytes_per_second()),
            rate_at: rate.describe_load(),
        };
        said.push(best.into());
        let law = find_law(measured, judgement, (&part.access, part.mix));
        said.extend(law.map(|limits| {
            let (law, residual) = (describe_law(limits), Ratio(limits.residual));
            FittedLaw { workload: workload(), law, residual }.into()
        }));
    }
    said.extend(describe_precision(judgement, plan));
    said.extend(
        measured.resumed.iter().map(|resumed| {
            SweepResumed { at: resumed.at.to_string(), cells: resumed.cells }.into()
        }),
    );
    said
}

fn describe_precision(judgement: &Judgement, plan: &SweepPlan) -> Vec<Message> {
    let points = || {
        let curves = judgement.curves.iter();
        curves.flat_map(|curve| curve.points.iter().map(move |point| BestPoint { curve, point }))
    };
    let wanted = |point: &CurvePoint| point.precision.is_some_and(|half| half <= plan.precision);
    let (all, kept) = (points().count(), points().filter(|best| wanted(best.point)).count());
    let half = |best: &BestPoint<'_>| best.point.precision.unwrap_or(f64::INFINITY);
    let Some(widest) = points().max_by(|a, b| half(a).total_cmp(&half(b))) else {
        return Vec::new();
    };
    let asked = Ratio(plan.precision);
    let cells = judgement.curves.iter().map(count_left_out).sum();
    let left_out = (cells > 0).then(|| NotCounted { cells }.into());
    if kept == all {
        let all = AllPrecise { cells: all, asked }.into();
        return [all].into_iter().chain(left_out).collect();
    }
    let cell = widest.describe();
    let least = match widest.point.precision {
        Some(half) => LeastPrecise { cell, half: Ratio(half) }.into(),
        None => WithoutPrecision { cell }.into(),
    };
    let some = SomePrecise { kept, cells: all, asked }.into();
    [some, least].into_iter().chain(left_out).collect()
}

/// Loads of which no visit supports a conclusion.
pub fn count_left_out(curve: &Curve) -> usize {
    let is_counted = |depth| curve.points.iter().any(|point| point.depth == depth);
    curve.left_out.iter().filter(|point| !is_counted(point.depth)).count()
}

messages! {
    BestOfSweep = "sweep-best" {
        iops: Iops, at: Message, rate: BytesPerSecond, rate_at: Message,
    };
    BestOfWorkload = "sweep-best-of-workload" {
        workload: Message, iops: Iops, at: Message, rate: BytesPerSecond, rate_at: Message,
    };
    SoftLaw = "sweep-soft-law" { depth: Depth, iops: Message, rate: Message, size: Bytes };
    HardLaw = "sweep-hard-law" { depth: Depth, iops: Message, rate: Message, size: Bytes };
    OneLimit = "sweep-one-limit" { depth: Depth, limit: Message };
    NoLimit = "sweep-no-limit" { depth: Depth };
    FittedLaw = "sweep-fitted-law" { workload: Message, law: Message, residual: Ratio };
    AllPrecise = "sweep-all-precise" { cells: usize, asked: Ratio };
    SomePrecise = "sweep-some-precise" { kept: usize, cells: usize, asked: Ratio };
    NotCounted = "sweep-not-counted" { cells: usize };
    LeastPrecise = "sweep-least-precise" { cell: Message, half: Ratio };
    WithoutPrecision = "sweep-without-precision" { cell: Message };
    SweepResumed = "sweep-resumed" { at: String, cells: u64 };
}
