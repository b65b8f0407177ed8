//! What follows a search: the load of an answer is measured until its own probes keep the bound and
//! its rate is known; where they break it, the next lower load is.

use analysis::LoadConfirmation;
use record::Cell;
use stats::search::{Grid, Search, SearchLimits};
use units::Nanos;
use workload::Bound;

use super::probe::{ProbeLoad, Prober, probe_depth};
use crate::error::HaltResult;

/// The least time of a probe that confirms: what the answer rests on should outlast the seconds
/// for which a shared host is busy with something else.
pub(super) const CONFIRM_TIME_MIN: Nanos = Nanos::millis(2_500);
/// The IOPS of an answer are measured on until the interval over its probes is this narrow...
const PRECISION: f64 = 0.03;
/// ... by a few seconds each time...
const EXTENSION: Nanos = Nanos::secs(4);
/// ... and as long as this is not used up per bound: an answer should not take longer than 45 s...
const PRECISE_UNTIL: Nanos = Nanos::secs(38);
/// ... unless none is confirmed by then, because the latency wavers: no answer is worse than a late
/// one.
const CONFIRM_UNTIL: Nanos = Nanos::secs(90);
/// Probes within this share of their median ended at the same rate.
const SAME_RATE: f64 = 0.005;

/// Confirms the answers of a search, bound by bound. Where a cap ended the search, the
/// answer is the shallowest load that comes to it.
pub(super) fn confirm_answers(
    prober: &mut Prober<'_, '_>,
    grid: &Grid,
    search: &Search,
    limits: SearchLimits,
    to_load: impl Fn(f64) -> ProbeLoad,
) -> HaltResult {
    let capped = find_capped_depth(prober).map(|depth| grid.nearest_ln(f64::from(depth).ln()));
    for bound in 0..prober.request.bounds.len() {
        let level = match search.answer(bound) {
            Some(answer) => answer.level,
            None => capped,
        };
        if let Some(level) = level {
            Confirmer { grid, limits, to_load: &to_load, bound }.run(prober, level)?;
        }
    }
    Ok(())
}

struct Confirmer<'a, F: Fn(f64) -> ProbeLoad> {
    grid: &'a Grid,
    limits: SearchLimits,
    to_load: &'a F,
    bound: usize,
}

impl<F: Fn(f64) -> ProbeLoad> Confirmer<'_, F> {
    fn run(&self, prober: &mut Prober<'_, '_>, mut level: usize) -> HaltResult {
        let bounds = prober.request.bounds.len() as u64;
        let until = |time: Nanos| time.0.saturating_mul(bounds).min(prober.request.budget.0);
        let (precise_until, confirm_until) = (until(PRECISE_UNTIL), until(CONFIRM_UNTIL));
        let bound = prober.request.bounds[self.bound];
        // Twice as far each time: where the latency wavers, the next load breaks the bound as well.
        let mut lower_by = 1;
        // The judgement takes no lower load for the answer.
        let load_min = self.grid.value(level) * analysis::LOWER_LOAD_MIN;
        loop {
            let load = (self.to_load)(self.grid.value(level));
            let probes = prober.probes_at(load);
            let confirmation = analysis::confirm_load(&probes, &bound);
            let is_confirmed = confirmation == LoadConfirmation::Confirmed;
            let end = if is_confirmed { precise_until } else { confirm_until };
            if prober.session.elapsed().0 + EXTENSION.0 > end {
                return Ok(());
            }
            match confirmation {
                LoadConfirmation::Broken => {
                    let Some(lower) = level.checked_sub(1) else { return Ok(()) };
                    let wanted = self.grid.ln(level) - excess(&probes, &bound) / self.limits.slope;
                    let lowest = level.saturating_sub(lower_by);
                    let wanted = self.grid.nearest_ln(wanted).min(lowest).min(lower);
                    // A backlog's latency says little about the next load: nothing between here
                    // and a load that has kept the bound is left out.
                    let kept = (wanted..level).rev().find(|&at| self.is_kept(prober, at, &bound));
                    let wanted = kept.unwrap_or(wanted);
                    // Not below the minimum, unless that is the only lower load.
                    level = (wanted..=lower)
                        .find(|at| self.grid.value(*at) >= load_min)
                        .unwrap_or(lower);
                    if self.grid.value(level) < load_min {
                        return Ok(());
                    }
                    lower_by *= 2;
                }
                LoadConfirmation::Open => {
                    prober.probe_for_time(load, CONFIRM_TIME_MIN)?;
                }
                LoadConfirmation::Confirmed if is_vague(&probes) => {
                    prober.probe_for_time(load, EXTENSION)?;
                }
                LoadConfirmation::Confirmed => return Ok(()),
            }
        }
    }

    fn is_kept(&self, prober: &Prober<'_, '_>, level: usize, bound: &Bound) -> bool {
        let probes = prober.probes_at((self.to_load)(self.grid.value(level)));
        let jobs = probes.first().map_or(1, Vec::len);
        analysis::judge_load(&probes.concat(), jobs, bound).within == Some(true)
    }
}

/// How far the probes of a load are above the bound, as a logarithm.
fn excess(probes: &[Vec<&Cell>], bound: &Bound) -> f64 {
    let jobs = probes.first().map_or(1, Vec::len);
    let statistic = analysis::judge_load(&probes.concat(), jobs, bound).statistic;
    let ratio = |value: Nanos| value.0 as f64 / bound.limit.0.max(1) as f64;
    statistic.map_or(0.0, |value| ratio(value).ln().max(0.0))
}

fn is_vague(probes: &[Vec<&Cell>]) -> bool {
    let rates: Vec<f64> = probes.iter().map(|probe| probe_rate(probe)).collect();
    let half = stats::geometric_mean_of_few(&rates).relative_half_width();
    half.is_some_and(|half| half > PRECISION)
}

fn probe_rate(probe: &[&Cell]) -> f64 {
    probe.iter().map(|cell| cell.iops()).sum()
}

/// The shallowest depth from which on probes, over a doubling of depth, end at one rate because a
/// control group limits them, or a throttle lets them through in slices; and no bound is broken
/// there. More probes would only see the cap again.
pub(super) fn find_capped_depth(prober: &Prober<'_, '_>) -> Option<u32> {
    let stack = &prober.session.facts.info.stack;
    let is_held = |probe: &Vec<&Cell>| {
        analysis::is_sliced(probe) || probe.iter().any(|c| analysis::is_group_limited(c, stack))
    };
    let held: Vec<Vec<&Cell>> = prober.probes().into_iter().filter(is_held).collect();
    let rates: Vec<f64> = held.iter().map(|probe| probe_rate(probe)).collect();
    let median = stats::quantile_of(&rates, 0.5)?;
    let at_cap = held.iter().filter(|p| (probe_rate(p) / median - 1.0).abs() <= SAME_RATE);
    let depths: Vec<u32> = at_cap.map(|probe| probe_depth(probe)).collect();
    let (depth_min, depth_max) = (*depths.iter().min()?, *depths.iter().max()?);
    // The load that the judgement names: a little less than the cap is as good.
    let all = prober.probes();
    let as_good = all.iter().filter(|p| probe_rate(p) >= median * analysis::AS_GOOD_MIN);
    let first = as_good.map(|probe| probe_depth(probe)).min()?;
    let probes = prober.probes_at(ProbeLoad::Depth(first));
    let jobs = probes.first().map_or(1, Vec::len);
    let mut bounds = prober.request.bounds.iter();
    let is_kept = bounds
        .all(|bound| analysis::judge_load(&probes.concat(), jobs, bound).within == Some(true));
    let is_seen =
        depths.len() >= analysis::CONFIRMING_PROBES && depth_max >= depth_min.saturating_mul(2);
    (is_seen && is_kept).then_some(first)
}
