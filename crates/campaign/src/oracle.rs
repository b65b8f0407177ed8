//! Holds what a judgement says of a world against what is true of it.

use std::collections::BTreeSet;

use anyhow::Result;
use record::{
    BoundedBy, Cell, CellRole, Completion, Curve, FindingId, Judgement, Measured, Record, Status,
    StepOutcome,
};
use workload::Pacing;

use crate::blame::{Blame, MISSED_FROM, allowed_blame, blame_of, blames_from, find_missed_cap};
use crate::claims::list_wrong_claims;
use crate::effect::{THERE_FROM, find_cache_loss, lost_share, odd_effect};
use crate::truth::{Levels, Truth, interval_rates};
use crate::world::{Disturbance, Procedure, SimulatedWorld};

/// A figure this far from the truth is wrong.
const WRONG_FROM: f64 = 0.10;
/// A figure may be wrong for this share of the time of its cells.
const WRONG_SHARE_MAX: f64 = 0.25;
/// An interval this wide, as a share of its figure, says that there is no figure.
const NO_FIGURE: f64 = 0.25;
/// An interval of 95 % is missed by twice its half-width once in 10,000 times: then the figure is
/// wrong, however wide the interval.
const MISSED_BY: f64 = 2.0;
/// Rates that differ by less are one level.
const ONE_LEVEL: f64 = 0.02;
/// A cap above this share of the device's rate is not all that decides.
const FAR_BELOW: f64 = 0.4;
/// A load whose levels differ by this factor saw a change.
const CHANGED_FROM: f64 = 1.25;
/// Rounding at the ends of a cell, in operations.
const ENDS: f64 = 2.0;
/// The shortest part of a cell that is a level.
const LEVEL_SHARE: f64 = 0.25;

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
    /// A search had no answer although nothing changes in this world.
    pub(crate) no_answer: bool,
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
    let truth = Truth::new(world, measured)?;
    let mut outcome = Outcome::default();
    let figures = list_figures(measured, judgement);
    let mut effect = 0.0_f64;
    let mut changed = false;
    for figure in &figures {
        let levels = figure.cells.iter().map(|c| truth.levels(c)).collect::<Result<Vec<_>>>()?;
        effect = effect.max(lost_share(world, &figure.cells, &levels));
        effect = effect.max(find_cache_loss(world, &levels));
        let rates = levels.iter().flat_map(|level| level.windows.iter().map(|(_, rate)| *rate));
        let (least, most) = ends_of(rates);
        changed |= most > CHANGED_FROM * least;
        if !is_marked(figure, judgement) && !levels.iter().any(|level| level.has_two_rates) {
            judge_figure(world, figure, &levels, &mut outcome);
        }
    }
    for curve in &judgement.curves {
        outcome.wrong_figures.extend(judge_earlier(curve, measured, &truth)?);
    }
    // Steps of several jobs, and of both directions, have no figure of their own.
    let steps = measured.cells.iter().filter(|cell| cell.step.is_some());
    for cell in steps.filter(|cell| cell.job.pacing == Pacing::Closed) {
        effect = effect.max(lost_share(world, &[cell], &[truth.levels(cell)?]));
    }
    effect = effect.max(odd_effect(world, measured));
    outcome.wrong_limits = list_wrong_claims(&truth, record)?;
    judge_blame(world, record, (effect, changed), &mut outcome);
    outcome.missed.extend(find_missed_cap(&truth, record)?);
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
        let estimate = intervals.read.as_deref().or(intervals.write.as_deref());
        figures.push(Figure {
            what: cell.name.clone(),
            value: cell.iops(),
            half_width: estimate.and_then(stats::Estimate::relative_half_width),
            cells: vec![cell],
        });
    }
    figures.extend(list_preset_figures(measured, judgement));
    figures
}

/// Of steps of one job that only reads or only writes.
fn list_preset_figures<'a>(measured: &'a Measured, judgement: &Judgement) -> Vec<Figure<'a>> {
    let steps = judgement.preset.iter().flat_map(|preset| &preset.steps);
    let figure = |step: &StepOutcome| {
        let [only] = step.figures.as_slice() else { return None };
        let cells = measured
            .cells
            .iter()
            .filter(|cell| cell.role == CellRole::Step)
            .filter(|cell| cell.step.as_ref().is_some_and(|s| s.step == step.step));
        Some(Figure {
            what: format!("step {}", step.step),
            value: only.iops.value,
            half_width: only.iops.relative_half_width(),
            cells: cells.filter(|cell| cell.job.pacing == Pacing::Closed).collect(),
        })
    };
    steps.filter_map(figure).filter(|figure| !figure.cells.is_empty()).collect()
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
        Disturbance::Stall { .. } | Disturbance::Freeze { .. } => levels
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
    // The reference has an error of its own: both are counted.
    let error = levels.iter().map(|level| level.undisturbed.error).fold(0.0, f64::max);
    let half = figure.half_width.unwrap_or(WRONG_FROM).hypot(1.96 * error);
    let is_off = |rate: f64| (figure.value / rate - 1.0).abs() > WRONG_FROM.max(MISSED_BY * half);
    let off: f64 = windows.iter().filter(|(_, rate)| is_off(*rate)).map(|(time, _)| time).sum();
    let mean = windows.iter().map(|(time, rate)| time * rate).sum::<f64>() / time.max(1e-9);
    if off > WRONG_SHARE_MAX * time {
        let (low, high) = ends_of(windows.iter().map(|(_, rate)| *rate));
        let Figure { what, value, half_width, .. } = figure;
        let half = half_width.map_or_else(String::new, |half| format!(" ±{:.1} %", half * 100.0));
        let words = format!("{what}: {value:.0}{half}, unmarked; true {low:.0} to {high:.0}");
        outcome.wrong_figures.push(words);
        return;
    }
    let steady = windows.iter().all(|(_, rate)| (rate / mean - 1.0).abs() < ONE_LEVEL);
    let calm = !matches!(
        world.disturbance,
        Disturbance::Stall { .. }
            | Disturbance::Freeze { .. }
            | Disturbance::Neighbour { .. }
            | Disturbance::WriteCache { .. }
    );
    if let Some(half) = figure.half_width.filter(|_| steady && calm && !is_corner(levels)) {
        outcome.intervals += 1;
        let ops = (mean * time).max(1.0);
        let half = half.hypot(1.96 * error) + ENDS / ops;
        outcome.covered += u32::from((figure.value / mean - 1.0).abs() <= half);
    }
}

/// An earlier level that was none at any time of the loads before its end.
fn judge_earlier(curve: &Curve, measured: &Measured, truth: &Truth<'_>) -> Result<Option<String>> {
    let Some(earlier) = curve.earlier.filter(|earlier| !earlier.gradual) else { return Ok(None) };
    let is_of = |cell: &&Cell| {
        let job = &cell.job;
        (&job.access, job.mix, job.block_size) == (&curve.access, curve.mix, curve.block_size)
            && cell.started < earlier.until
    };
    let (mut rates, value, mut ops) = (Vec::new(), earlier.iops.0, f64::INFINITY);
    for cell in measured.cells.iter().filter(is_of) {
        let levels = truth.levels(cell)?;
        // What a neighbour leaves, and a quota, is in no reference.
        rates.extend(levels.windows.iter().map(|(_, rate)| *rate).chain([levels.mean()]));
        rates.extend(levels.has_two_rates.then_some(levels.undisturbed.iops));
        // A level may end within a window, and was true until then.
        if matches!(truth.world.disturbance, Disturbance::WriteCache { .. }) {
            rates.extend(interval_rates(cell));
        } else if !truth.world.is_stationary() {
            rates.extend(truth.sample_rates(cell, levels.undisturbed.iops)?);
        }
        ops = ops.min(cell.iops() * cell.elapsed.as_secs_f64());
    }
    let disturbed = matches!(
        truth.world.disturbance,
        Disturbance::Neighbour { .. } | Disturbance::Quota { .. } | Disturbance::Holes { .. }
    );
    let chance = MISSED_BY / (LEVEL_SHARE * ops).max(1.0).sqrt();
    let is_near = rates.iter().any(|rate| (value / rate - 1.0).abs() < WRONG_FROM.max(chance));
    let (low, high) = ends_of(rates.iter().copied());
    let words =
        || format!("{} was {value:.0} at first; true {low:.0} to {high:.0}, not near", curve.name);
    Ok((!is_near && !disturbed && !rates.is_empty()).then(words))
}

/// The least and the most of some rates.
fn ends_of(rates: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    (rates.clone().fold(f64::INFINITY, f64::min), rates.fold(0.0, f64::max))
}

/// Where a cap is about as fast as the device, the rate is neither.
fn is_corner(levels: &[Levels]) -> bool {
    levels.iter().any(|level| {
        let share = level.mean() / level.undisturbed.iops;
        (FAR_BELOW..0.999).contains(&share)
    })
}

/// Whether a curve says that its rate was another one before, or that its repeats contradict each
/// other.
fn names_change(curve: &Curve) -> bool {
    curve.earlier.is_some() || curve.limits.iter().any(|l| l.bounded_by == BoundedBy::Unsure)
}

/// What is wrong with the changes that the curves name: also with their time and kind where the
/// world has one change.
fn find_false_changes<'r>(
    world: &SimulatedWorld,
    record: &'r Record,
    is_there: bool,
) -> impl Iterator<Item = &'static str> + use<'r> {
    let step_ns = match world.disturbance {
        Disturbance::Step { at_ms, .. } => Some(at_ms * 1_000_000),
        _ => None,
    };
    let cells = &record.measured.cells;
    let last_end = move |ns: u64| {
        let began = cells.iter().filter(|cell| cell.started.0 < ns);
        began.map(|cell| cell.started.0 + cell.elapsed.0).max().unwrap_or(0)
    };
    let changes = record.judgement_or_default().curves.iter().filter_map(|curve| curve.earlier);
    changes.filter_map(move |earlier| match step_ns {
        _ if !is_there => Some("is not there"),
        Some(_) if earlier.gradual => Some("is no ramp"),
        Some(ns) if earlier.until.0 > last_end(ns) => Some("was earlier"),
        _ => None,
    })
}

fn judge_blame(
    world: &SimulatedWorld,
    record: &Record,
    (effect, changed): (f64, bool),
    outcome: &mut Outcome,
) {
    let allowed = match effect > THERE_FROM {
        true => allowed_blame(&world.disturbance),
        false => &[],
    };
    let mut blamed = BTreeSet::new();
    if matches!(record.measured.completion, Completion::Partial { failed: true, .. }) {
        blamed.insert(Blame::Error);
    }
    let mut looked = false;
    for finding in &record.judgement_or_default().findings {
        let Some(blame) = blame_of(finding.id) else { continue };
        if finding.id == FindingId::Flush && world.device.rotates {
            // The simulated platter goes on writing where a flush left it, without a turn.
            continue;
        }
        // That no control group of this host limits it says nothing of other caps.
        let says_all = finding.id != FindingId::OsThrottle || world.shown_limit().is_some();
        let looks = finding.status != Status::NotObservable && says_all;
        looked |= allowed.contains(&blame) && looks;
        if finding.id == FindingId::NotSettled && finding.status == Status::Note {
            // That a repetition differed is named, and nothing is blamed.
            blamed.insert(blame);
        }
        if finding.status < blames_from(finding.id) {
            continue;
        }
        blamed.insert(blame);
        let has_cap = world.device.is_even() || world.device.capped_percent > 0;
        let is_alike = blame == Blame::Cap && has_cap;
        if !allowed.contains(&blame) && !is_alike {
            let words = format!("false {}: {}", finding.id, finding.summary.text());
            outcome.false_blame.push(words);
        }
    }
    let curves = &record.judgement_or_default().curves;
    if curves.iter().any(names_change) {
        blamed.insert(Blame::Change);
    }
    let is_there = allowed.contains(&Blame::Change);
    let false_changes = find_false_changes(world, record, is_there);
    outcome.false_blame.extend(false_changes.map(|why| format!("false change: it {why}")));
    outcome.no_answer = world.is_stationary()
        && curves.iter().flat_map(|c| &c.limits).any(|l| l.bounded_by == BoundedBy::Unsure);
    outcome.disturbed = effect >= MISSED_FROM;
    if !outcome.disturbed || allowed.iter().any(|blame| blamed.contains(blame)) {
        return;
    }
    let is_unseen = allowed.contains(&Blame::Cap) && (!changed || world.is_stationary());
    if !looked || is_unseen && says_blind(world, record) {
        outcome.cannot_tell = true;
    } else {
        let lost = effect * 100.0;
        outcome.missed.push(format!("missed: it took {lost:.0} % of a rate, and nothing is named"));
    }
}

/// A quick check and a preset say that they cannot see a cap that does not change, and any that it
/// cannot see one that wobbles as much as a device does.
fn says_blind(world: &SimulatedWorld, record: &Record) -> bool {
    let finding = record.judgement_or_default().finding(FindingId::ProviderLimit);
    let is_said = finding.is_some_and(|finding| finding.status == Status::NotObservable);
    let wobbles = matches!(world.disturbance, Disturbance::Period { .. });
    let is_short = matches!(world.procedure, Procedure::Quick | Procedure::Preset(_));
    is_said && world.shown_limit().is_none() && (is_short || wobbles)
}
