//! Holds what a judgement says of a world against what is true of it.

use std::collections::BTreeSet;

use anyhow::Result;
use record::{BoundedBy, Cell, CellRole, FindingId, Judgement, Limit, Measured, Record, Status};

use crate::truth::{Levels, Truth};
use crate::world::{Disturbance, Procedure, SimulatedWorld};

/// A figure this far from the truth is wrong.
const WRONG_FROM: f64 = 0.10;
/// A figure may be wrong for this share of the time of its cells.
const WRONG_SHARE_MAX: f64 = 0.25;
/// An interval this wide, as a share of its figure, says that there is no figure.
const NO_FIGURE: f64 = 0.25;
/// A true statistic this far above its bound breaks a confirmed limit.
const BROKEN_FROM: f64 = 1.1;
/// What takes less than this need not be found, and what takes less than the second is not there.
const MISSED_FROM: f64 = 0.20;
const THERE_FROM: f64 = 0.02;
/// Rates that differ by less are one level.
const ONE_LEVEL: f64 = 0.02;
/// A cap above this share of the device's rate is not all that decides.
const FAR_BELOW: f64 = 0.4;
/// A cap whose levels differ by this factor has changed.
const CHANGED_FROM: f64 = 1.25;
/// Rounding at the ends of a cell, in operations.
const ENDS: f64 = 2.0;

/// What can be blamed for a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blame {
    Cap,
    /// The rate moved: a burst ended, or it did not settle.
    Change,
    Stall,
    Neighbour,
    Client,
    /// What is in no world: caches, holes, errors.
    Other,
}

/// How a judgement stands to the truth.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) figures: u32,
    pub(crate) intervals: u32,
    pub(crate) covered: u32,
    pub(crate) wrong_figures: Vec<String>,
    pub(crate) wrong_limits: Vec<String>,
    pub(crate) false_blame: Vec<String>,
    pub(crate) missed: Vec<String>,
    /// What could have been missed.
    pub(crate) disturbed: bool,
    /// The check said that it could not look.
    pub(crate) cannot_tell: bool,
}

impl Outcome {
    fn failure_classes(&self) -> [&Vec<String>; 4] {
        [&self.wrong_figures, &self.wrong_limits, &self.false_blame, &self.missed]
    }

    /// The first way in which it fails.
    pub(crate) fn failure_class(&self) -> Option<usize> {
        self.failure_classes().iter().position(|failures| !failures.is_empty())
    }

    /// The first failure of a way.
    pub(crate) fn failure_in(&self, class: usize) -> Option<String> {
        self.failure_classes().get(class)?.first().cloned()
    }

    pub(crate) fn failures(&self) -> impl Iterator<Item = &String> {
        self.failure_classes().into_iter().flatten()
    }
}

/// A number that is given to a reader.
struct Figure<'a> {
    what: String,
    value: f64,
    half_width: Option<f64>,
    cells: Vec<&'a Cell>,
}

pub(crate) fn compare(world: &SimulatedWorld, record: &Record) -> Result<Outcome> {
    let measured = &record.measured;
    let judgement = record.judgement_or_default();
    let truth = Truth::new(world, measured);
    let mut outcome = Outcome::default();
    let figures = list_figures(measured, judgement);
    let mut effect = 0.0_f64;
    let (mut lowest_cap, mut highest) = (f64::INFINITY, 0.0_f64);
    for figure in &figures {
        let levels = figure.cells.iter().map(|c| truth.levels(c)).collect::<Result<Vec<_>>>()?;
        effect = effect.max(lost_share(world, &figure.cells, &levels));
        for level in &levels {
            for (_, rate) in &level.windows {
                highest = highest.max(*rate);
                if *rate < (1.0 - WRONG_FROM) * level.undisturbed.iops {
                    lowest_cap = lowest_cap.min(*rate);
                }
            }
        }
        if !is_marked(figure, judgement) {
            judge_figure(world, figure, &levels, &mut outcome);
        }
    }
    for curve in &judgement.curves {
        for limit in &curve.limits {
            judge_limit(&truth, measured, limit, &mut outcome)?;
        }
    }
    let changed = highest > CHANGED_FROM * lowest_cap;
    judge_blame(world, judgement, (effect, changed), &mut outcome);
    Ok(outcome)
}

/// The points of the curves, the limits, and the other rows.
fn list_figures<'a>(measured: &'a Measured, judgement: &Judgement) -> Vec<Figure<'a>> {
    let mut figures = Vec::new();
    for curve in &judgement.curves {
        for point in &curve.points {
            figures.push(Figure {
                what: format!("{} at depth {}", curve.name, point.depth),
                value: point.iops,
                half_width: point.precision,
                cells: point.cells.iter().filter_map(|name| measured.cell(name)).collect(),
            });
        }
        let limits = curve.limits.iter().filter(|limit| {
            !matches!(limit.bounded_by, BoundedBy::Unsure | BoundedBy::Unreachable)
        });
        for limit in limits {
            let point = curve.points.iter().find(|point| point.depth == limit.depth);
            let names = point.map(|point| point.cells.as_slice()).unwrap_or_default();
            figures.push(Figure {
                what: format!("limit of {} at depth {}", curve.name, limit.depth),
                value: limit.iops.value,
                half_width: limit.iops.relative_half_width(),
                cells: names.iter().filter_map(|name| measured.cell(name)).collect(),
            });
        }
    }
    let is_commit = |cell: &&Cell| cell.role == CellRole::Main && cell.job.sync.is_some();
    let rows = measured.cells.iter().filter(is_commit);
    for cell in rows {
        let intervals = &cell.confidence.iops;
        let estimate = intervals.read.as_ref().or(intervals.write.as_ref());
        figures.push(Figure {
            what: cell.name.clone(),
            value: cell.iops(),
            half_width: estimate.and_then(stats::Estimate::relative_half_width),
            cells: vec![cell],
        });
    }
    figures
}

/// Whether a finding or a wide interval warns a reader of a figure.
fn is_marked(figure: &Figure<'_>, judgement: &Judgement) -> bool {
    let touches = |names: &[String]| {
        names.is_empty() || figure.cells.iter().any(|cell| names.contains(&cell.name))
    };
    let warned =
        judgement.findings.iter().any(|f| f.status >= Status::Warning && touches(&f.cells));
    warned || figure.half_width.is_some_and(|half| half > NO_FIGURE)
}

fn judge_figure(
    world: &SimulatedWorld,
    figure: &Figure<'_>,
    levels: &[Levels],
    outcome: &mut Outcome,
) {
    outcome.figures += 1;
    let windows: Vec<(f64, f64)> = match world.disturbance {
        // Silences are the device's own: the figure is the mean with or without them.
        Disturbance::Stall { .. } => levels
            .iter()
            .flat_map(|level| {
                let (mean, most) = (level.mean(), level.undisturbed.iops);
                level
                    .windows
                    .iter()
                    .map(move |(time, _)| (*time, figure.value.max(mean.min(most)).min(most)))
            })
            .collect(),
        _ => levels.iter().flat_map(|level| level.windows.clone()).collect(),
    };
    let time: f64 = windows.iter().map(|(time, _)| time).sum();
    let is_off = |rate: f64| (figure.value / rate - 1.0).abs() > WRONG_FROM;
    let off: f64 = windows.iter().filter(|(_, rate)| is_off(*rate)).map(|(time, _)| time).sum();
    let mean = windows.iter().map(|(time, rate)| time * rate).sum::<f64>() / time.max(1e-9);
    if off > WRONG_SHARE_MAX * time {
        let low = windows.iter().map(|(_, rate)| *rate).fold(f64::INFINITY, f64::min);
        let high = windows.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
        let Figure { what, value, half_width, .. } = figure;
        let half = half_width.map_or_else(String::new, |half| format!(" ±{:.1} %", half * 100.0));
        let words = format!("{what}: {value:.0}{half}, unmarked; true {low:.0} to {high:.0}");
        outcome.wrong_figures.push(words);
        return;
    }
    let steady = windows.iter().all(|(_, rate)| (rate / mean - 1.0).abs() < ONE_LEVEL);
    let calm =
        !matches!(world.disturbance, Disturbance::Stall { .. } | Disturbance::Neighbour { .. });
    if let Some(half) = figure.half_width.filter(|_| steady && calm && !is_corner(levels)) {
        outcome.intervals += 1;
        // The reference has an error of its own: both are counted.
        let error = levels.iter().map(|level| level.undisturbed.error).fold(0.0, f64::max);
        let ops = (mean * time).max(1.0);
        let half = half.hypot(1.96 * error) + ENDS / ops;
        outcome.covered += u32::from((figure.value / mean - 1.0).abs() <= half);
    }
}

/// Where a cap is about as fast as the device, the rate is neither.
fn is_corner(levels: &[Levels]) -> bool {
    levels.iter().any(|level| {
        let share = level.mean() / level.undisturbed.iops;
        (FAR_BELOW..0.999).contains(&share)
    })
}

/// The largest share of the rate of any cell that something took.
fn lost_share(world: &SimulatedWorld, cells: &[&Cell], levels: &[Levels]) -> f64 {
    let lost = |(cell, level): (&&Cell, &Levels)| match world.disturbance {
        Disturbance::Neighbour { .. } => {
            let ledger = &cell.ledger;
            let all = ledger.layers.first().map_or(0, |layer| layer.read_ops + layer.write_ops);
            let others = all.saturating_sub(ledger.read_ops + ledger.write_ops);
            let there = if others > 0 { 1.0 } else { 0.0 };
            there * (1.0 - cell.iops() / level.undisturbed.iops)
        }
        _ => 1.0 - level.mean() / level.undisturbed.iops,
    };
    cells.iter().zip(levels).map(lost).fold(0.0, f64::max)
}

fn judge_limit(
    truth: &Truth<'_>,
    measured: &Measured,
    limit: &Limit,
    outcome: &mut Outcome,
) -> Result<()> {
    let Some(cell) = measured.cell(&limit.cell) else { return Ok(()) };
    if !limit.confirmed || !truth.world.is_stationary() {
        return Ok(());
    }
    let p99_ns = truth.tail_ns(&cell.job)?;
    if p99_ns as f64 > BROKEN_FROM * limit.bound.limit.0 as f64 {
        outcome.wrong_limits.push(format!(
            "limit at depth {} is confirmed for {}; true p99 {} us",
            limit.depth,
            limit.bound,
            p99_ns / 1_000
        ));
    }
    Ok(())
}

fn blame_of(id: FindingId) -> Option<Blame> {
    Some(match id {
        FindingId::ProviderLimit | FindingId::OsThrottle => Blame::Cap,
        FindingId::Burst | FindingId::NotSettled => Blame::Change,
        FindingId::Stall => Blame::Stall,
        FindingId::Neighbour => Blame::Neighbour,
        FindingId::ClientBound => Blame::Client,
        // True of a link that the world draws, and of what is read of a device.
        FindingId::LinkBound | FindingId::Coverage | FindingId::ShortStroke => return None,
        _ => Blame::Other,
    })
}

/// A cap and a burst are blamed by a note; everything else by a warning.
fn blames_from(id: FindingId) -> Status {
    match id {
        FindingId::ProviderLimit | FindingId::Burst => Status::Note,
        _ => Status::Warning,
    }
}

fn allowed_blame(disturbance: &Disturbance) -> &'static [Blame] {
    match disturbance {
        Disturbance::Nothing => &[],
        Disturbance::Cap { .. } => &[Blame::Cap],
        Disturbance::Step { .. }
        | Disturbance::Period { .. }
        | Disturbance::Ramp { .. }
        | Disturbance::Bucket { .. } => &[Blame::Change, Blame::Cap],
        Disturbance::Stall { .. } => &[Blame::Stall, Blame::Change],
        Disturbance::Neighbour { .. } => &[Blame::Neighbour, Blame::Change],
    }
}

fn judge_blame(
    world: &SimulatedWorld,
    judgement: &Judgement,
    (effect, changed): (f64, bool),
    outcome: &mut Outcome,
) {
    let allowed = if effect > THERE_FROM { allowed_blame(&world.disturbance) } else { &[] };
    let mut blamed = BTreeSet::new();
    let mut looked = false;
    for finding in &judgement.findings {
        let Some(blame) = blame_of(finding.id) else { continue };
        looked |= allowed.contains(&blame) && finding.status != Status::NotObservable;
        if finding.status < blames_from(finding.id) {
            continue;
        }
        blamed.insert(blame);
        if !allowed.contains(&blame) {
            let words = format!("false {}: {}", finding.id, finding.summary);
            outcome.false_blame.push(words);
        }
    }
    outcome.disturbed = effect >= MISSED_FROM;
    if !outcome.disturbed || allowed.iter().any(|blame| blamed.contains(blame)) {
        return;
    }
    // A quick check says that it cannot see a cap that does not change.
    let unseen = allowed.contains(&Blame::Cap) && (!changed || world.is_stationary());
    if !looked || (world.procedure == Procedure::Quick && unseen) {
        outcome.cannot_tell = true;
    } else {
        let lost = effect * 100.0;
        outcome.missed.push(format!("missed: it took {lost:.0} % of a rate, and nothing is named"));
    }
}
