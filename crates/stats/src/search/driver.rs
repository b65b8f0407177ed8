//! The search itself.

use super::evidence::{Bracket, Evidence, keeps_margin};
use super::fit::Line;
use super::grid::Grid;
use super::probe::{
    Answer, NextStep, ProbePurpose, ProbeResult, SearchEnd, SearchLimits, UnsureReason,
};
use super::throughput;

#[derive(Debug, Clone, Copy, PartialEq)]
struct TargetLevel {
    level: usize,
    ended_by: SearchEnd,
}

#[derive(Debug, Clone, Copy)]
enum SearchStep {
    Probe { level: usize, why: ProbePurpose, length: f64 },
    Aim(TargetLevel),
    Settle { level: Option<usize>, confirmed: bool, ended_by: SearchEnd },
}

impl SearchStep {
    fn probe(level: usize, why: ProbePurpose) -> Self {
        Self::Probe { level, why, length: 1.0 }
    }

    fn aim(level: usize, ended_by: SearchEnd) -> Self {
        Self::Aim(TargetLevel { level, ended_by })
    }
}

/// A bracket with no probe this close to the bound (ln) is halved: no line reaches that far.
const CLOSE_TO_BOUND: f64 = 0.35;
/// Where only decisions are known, a bracket this narrow (ln) is the answer: 3 %.
const RESOLVED_WIDTH: f64 = 0.03;
/// How far from the crossing a probe may tell more about it than one at it, over how straight it
/// is.
const PROBE_OFFSETS: [f64; 4] = [-0.5, -0.25, 0.25, 0.5];
/// A probe away from the crossing must tell this much more: one at it trusts no line.
const OFFSET_GAIN_MIN: f64 = 1.05;
/// Gaining less than this many times the error aimed at is not worth confirming another level.
const IMPROVEMENT_MIN: f64 = 1.5;
/// Probes of the shallowest level before it may count as failing: spikes must not end the search.
const BASE_PROBES: usize = 5;
/// Probes of the deepest level before IOPS count as no longer rising.
const DEEPEST_PROBES: usize = 2;
/// How much longer a probe gets where an equal one could not decide.
const LONGER_PROBE: f64 = 2.0;
/// The 97.5 % quantile of a median's error: 1.96 times the 1.2533 that it loses against the mean.
const MEDIAN_SLACK: f64 = 2.456;

/// The search for the deepest level within each of several bounds, one after the other.
#[derive(Debug, Clone)]
pub struct Search {
    grid: Grid,
    limits: SearchLimits,
    bounds: usize,
    probes: Vec<ProbeResult>,
    /// Probes asked for on behalf of this bound.
    spent: u32,
    /// What is being confirmed.
    target: Option<TargetLevel>,
    answers: Vec<Answer>,
}

impl Search {
    pub fn new(grid: Grid, bounds: usize, limits: SearchLimits) -> Self {
        let (probes, answers) = (Vec::new(), Vec::new());
        Self { grid, limits, bounds, probes, spent: 0, target: None, answers }
    }

    /// What to probe next. The same until [`Search::add_probe`] gets the result.
    pub fn next_step(&mut self) -> NextStep {
        while self.answers.len() < self.bounds && !self.grid.is_empty() {
            match self.decide_step() {
                SearchStep::Probe { level, why, length } => {
                    return NextStep::Probe { level, value: self.grid.value(level), why, length };
                }
                SearchStep::Aim(target) => self.target = Some(target),
                SearchStep::Settle { level, confirmed, ended_by } => {
                    let answer = self.make_answer(level, confirmed, ended_by);
                    self.answers.push(answer);
                    self.spent = 0;
                    self.target = None;
                }
            }
        }
        NextStep::Done
    }

    /// Takes in what a probe measured; panics unless the level is on the grid and there is one
    /// verdict per bound.
    pub fn add_probe(&mut self, probed: ProbeResult) {
        assert!(probed.level < self.grid.len(), "a probe of no level of the grid");
        assert!(probed.verdicts.len() == self.bounds, "a verdict for every bound");
        self.probes.push(probed);
        self.spent += 1;
    }

    /// The answer for a bound, once it is found.
    pub fn answer(&self, bound: usize) -> Option<&Answer> {
        self.answers.get(bound)
    }

    fn evidence(&self) -> Evidence<'_> {
        Evidence::new(&self.grid, &self.probes, self.answers.len(), self.limits)
    }

    fn probes_left(&self) -> u32 {
        self.limits.probes_max.saturating_sub(self.spent)
    }

    fn decide_step(&self) -> SearchStep {
        let known = self.evidence();
        if let Some(target) = self.target {
            return self.confirm_target(&known, target);
        }
        let cut = known.bracket();
        // The last probes are kept for the confirmation.
        if self.probes_left() <= self.limits.confirm_probes {
            return self.pick_answer(&known, cut);
        }
        if let Some(step) = ask_open_question(&known) {
            return step;
        }
        if cut.fails.is_none() {
            return self.ramp_up(&known);
        }
        turn_to_peak(&known, cut).unwrap_or_else(|| self.narrow_bracket(&known, cut))
    }

    /// Doubles the level while everything holds.
    fn ramp_up(&self, known: &Evidence<'_>) -> SearchStep {
        let saturated = throughput::has_stopped_rising(&known.levels);
        let deepest = known.levels.last().map_or(0, |l| l.tried.level);
        let last = self.grid.len() - 1;
        if !saturated && deepest < last {
            let doubled = self.grid.nearest_ln(self.grid.ln(deepest) + std::f64::consts::LN_2);
            let level = doubled.clamp(deepest + 1, last);
            return SearchStep::probe(level, ProbePurpose::Ramp);
        }
        if let Some(level) = throughput::narrow_peak(known) {
            return SearchStep::probe(level, ProbePurpose::Bisect);
        }
        if saturated {
            let level = throughput::peak_level(&known.levels).map_or(deepest, |l| l.tried.level);
            return SearchStep::aim(level, SearchEnd::Saturation);
        }
        SearchStep::aim(deepest, SearchEnd::DepthTried)
    }

    fn narrow_bracket(&self, known: &Evidence<'_>, cut: Bracket) -> SearchStep {
        let Some(line) = known.line() else {
            return self.halve_bracket(known, cut, RESOLVED_WIDTH);
        };
        if !known.has_close_probe(CLOSE_TO_BOUND)
            && let step @ SearchStep::Probe { .. } =
                self.halve_bracket(known, cut, self.limits.straight / 2.0)
        {
            return step;
        }
        let Some(level) = known.presumed_level(&line, self.farthest_level(known, cut)) else {
            if known.is_unreachable(&line) {
                return self.pick_answer(known, cut);
            }
            return SearchStep::probe(0, ProbePurpose::Bisect);
        };
        if known.is_sharp(&line, level) {
            return SearchStep::aim(level, SearchEnd::Bound);
        }
        let level = self.most_informative_level(known, cut, &line);
        SearchStep::probe(level, ProbePurpose::Bisect)
    }

    /// The level whose probe tells most about the crossing: one next to it, or a bit away.
    fn most_informative_level(&self, known: &Evidence<'_>, cut: Bracket, line: &Line) -> usize {
        let farthest = self.farthest_level(known, cut);
        // What holds may be luck, but not for long.
        let holds = cut.holds.map_or(f64::NEG_INFINITY, |l| l.x - self.limits.straight / 2.0);
        let nearest = holds.max(self.grid.ln(0)).min(self.grid.ln(farthest));
        let crossing = line.crossing().clamp(nearest, self.grid.ln(farthest));
        let gain = |l: &usize| line.variance_gain(crossing, self.grid.ln(*l));
        let near = self.grid.below_ln(crossing).unwrap_or(0).min(farthest);
        let reach = self.limits.straight;
        let away = PROBE_OFFSETS.map(|offset| self.grid.nearest_ln(crossing + offset * reach));
        let beside = away.into_iter().chain([near + 1]).map(|l| l.min(farthest));
        let best = beside.max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap_or(near);
        if gain(&best) > OFFSET_GAIN_MIN * gain(&near) { best } else { near }
    }

    /// Halves the bracket down to `width`; then the level that holds is the answer.
    fn halve_bracket(&self, known: &Evidence<'_>, cut: Bracket, width: f64) -> SearchStep {
        let (Some(holds), Some(fails)) = (cut.holds, cut.fails) else {
            return self.pick_answer(known, cut);
        };
        let wide = fails.x - holds.x > width;
        let between = known.grid.between(holds.tried.level, fails.tried.level);
        match between.filter(|_| wide) {
            Some(level) => SearchStep::probe(level, ProbePurpose::Bisect),
            None => SearchStep::aim(holds.tried.level, SearchEnd::Bound),
        }
    }

    /// The level that the evidence supports, sharp or not.
    fn pick_answer(&self, known: &Evidence<'_>, cut: Bracket) -> SearchStep {
        let level = match known.line() {
            Some(line) => known.presumed_level(&line, self.farthest_level(known, cut)),
            None => cut.holds.map(|l| l.tried.level),
        };
        match level {
            // Nothing failed, so it was not the bound that ended it.
            Some(level) if cut.fails.is_none() => {
                SearchStep::aim(level, SearchEnd::Unsure(UnsureReason::ProbesUsedUp))
            }
            Some(level) => SearchStep::aim(level, SearchEnd::Bound),
            None => self.give_up(known, None),
        }
    }

    /// The deepest level to consider: just beyond a failing one, in case that was a spike.
    fn farthest_level(&self, known: &Evidence<'_>, cut: Bracket) -> usize {
        let deepest = known.levels.last().map_or(0.0, |l| l.x);
        let fails = cut.fails.map(|l| l.x + self.limits.straight / 2.0);
        self.grid.nearest_ln(fails.unwrap_or(deepest + std::f64::consts::LN_2))
    }

    /// Repeats the target, then accepts it or steps down.
    fn confirm_target(&self, known: &Evidence<'_>, target: TargetLevel) -> SearchStep {
        let wanted = self.limits.confirm_probes as usize;
        if known.probes_at(target.level) < wanted && self.probes_left() > 0 {
            return SearchStep::probe(target.level, ProbePurpose::Confirm);
        }
        let confirmed = known.probes_at(target.level) >= wanted;
        let ended_by = target.ended_by;
        if is_accepted(known, target.level) {
            let more = self.try_deeper(known, target).or_else(|| self.look_deeper(known, target));
            if let Some(step) = more.or_else(|| self.try_shallower(known, target)) {
                return step;
            }
            return SearchStep::Settle { level: Some(target.level), confirmed, ended_by };
        }
        if self.probes_left() > 0 {
            return self.reconsider_target(known, target);
        }
        self.give_up(known, self.step_down(known, target))
    }

    /// Looks at the deeper level that the confirmation itself may have shown to be possible.
    fn try_deeper(&self, known: &Evidence<'_>, target: TargetLevel) -> Option<SearchStep> {
        if self.probes_left() <= self.limits.confirm_probes || target.ended_by != SearchEnd::Bound {
            return None;
        }
        let level =
            known.presumed_level(&known.line()?, self.farthest_level(known, known.bracket()))?;
        let worth = known.iops_loss(target.level, level) > IMPROVEMENT_MIN * self.limits.iops_error;
        if level <= target.level || !worth {
            return None;
        }
        if known.probes_at(level) < self.limits.confirm_probes as usize {
            return Some(SearchStep::probe(level, ProbePurpose::Confirm));
        }
        let (level, ended_by) = (Some(level).filter(|l| is_accepted(known, *l))?, target.ended_by);
        Some(SearchStep::Settle { level: Some(level), confirmed: true, ended_by })
    }

    /// Looks again, and longer, at the deepest level before a saturation is believed.
    fn look_deeper(&self, known: &Evidence<'_>, target: TargetLevel) -> Option<SearchStep> {
        let saturated = target.ended_by == SearchEnd::Saturation && known.bracket().fails.is_none();
        if !saturated || self.probes_left() <= self.limits.confirm_probes {
            return None;
        }
        let deepest = known.levels.last()?;
        if deepest.tried.probes < DEEPEST_PROBES {
            let (level, why) = (deepest.tried.level, ProbePurpose::Confirm);
            return Some(SearchStep::Probe { level, why, length: LONGER_PROBE });
        }
        if !throughput::is_rising(known, known.level(target.level)?, deepest) {
            return None;
        }
        // Without new probes the ramp says the same again, so this comes to an end.
        Some(self.ramp_up(known))
            .filter(|step| !matches!(step, SearchStep::Aim(same) if *same == target))
    }

    /// Where only the grid's end stopped the ramp, a shallower depth may give as much: it gets as
    /// many probes as the deepest, and is taken if the two are not clearly apart.
    fn try_shallower(&self, known: &Evidence<'_>, target: TargetLevel) -> Option<SearchStep> {
        if self.limits.offered
            || target.ended_by != SearchEnd::DepthTried
            || self.probes_left() <= self.limits.confirm_probes
        {
            return None;
        }
        let level = throughput::find_as_good(known, known.level(target.level)?)?.tried.level;
        if known.probes_at(level) < self.limits.confirm_probes as usize {
            return Some(SearchStep::probe(level, ProbePurpose::Confirm));
        }
        Some(SearchStep::aim(level, SearchEnd::Saturation))
    }

    /// What follows a target that was not accepted, with probes left: more of them, or a step down.
    fn reconsider_target(&self, known: &Evidence<'_>, target: TargetLevel) -> SearchStep {
        if self.probes_left() > self.limits.confirm_probes && known.bracket().fails.is_some() {
            match self.narrow_bracket(known, known.bracket()) {
                // Only ever down from one target to the next, so this comes to an end.
                SearchStep::Aim(next) if next.level > target.level => {
                    return SearchStep::probe(next.level, ProbePurpose::Confirm);
                }
                SearchStep::Aim(next) if next.level == target.level => {}
                other => return other,
            }
        }
        match self.step_down(known, target) {
            Some(level) => SearchStep::aim(level, SearchEnd::Bound),
            None => self.give_up(known, None),
        }
    }

    fn give_up(&self, known: &Evidence<'_>, level: Option<usize>) -> SearchStep {
        let unreachable = known.line_at(0).is_none_or(|line| known.is_unreachable(&line));
        if level.is_none() && unreachable {
            let confirmed = known.probes_at(0) >= self.limits.confirm_probes as usize;
            return SearchStep::Settle { level: None, confirmed, ended_by: SearchEnd::Unreachable };
        }
        let ended_by = SearchEnd::Unsure(UnsureReason::ProbesUsedUp);
        SearchStep::Settle { level: level.or(Some(0)), confirmed: false, ended_by }
    }

    /// The next level below the target that may hold.
    fn step_down(&self, known: &Evidence<'_>, target: TargetLevel) -> Option<usize> {
        let below = target.level.checked_sub(1)?;
        match known.line_at(target.level) {
            Some(line) => known.presumed_level(&line, below),
            None => Some(below),
        }
    }

    fn make_answer(&self, level: Option<usize>, confirmed: bool, ended_by: SearchEnd) -> Answer {
        let known = self.evidence();
        let estimate = level.and_then(|l| Some(known.line_at(l)?.reported_at(self.grid.ln(l))));
        let monotone = known.is_monotone();
        let ended_by = match ended_by {
            SearchEnd::Bound if !monotone => SearchEnd::Unsure(UnsureReason::NotMonotone),
            other => other,
        };
        Answer {
            level,
            value: level.map(|l| self.grid.value(l)),
            ended_by,
            probes_used: self.spent,
            iops: level.and_then(|l| known.iops(l)),
            log_ratio: estimate.map(|e| e.0),
            log_ratio_error: estimate.map(|e| e.1),
            confirmed,
            monotone,
            tried: known.levels.iter().map(|l| l.tried).collect(),
        }
    }
}

/// A level that has to be probed first: the shallowest, or an undecided one.
fn ask_open_question(known: &Evidence<'_>) -> Option<SearchStep> {
    if known.probes_at(0) == 0 {
        return Some(SearchStep::probe(0, ProbePurpose::Base));
    }
    let undecided = known.levels.iter().find(|l| l.holds().is_none());
    if let Some(undecided) = undecided {
        let (level, why) = (undecided.tried.level, ProbePurpose::Bisect);
        return Some(SearchStep::Probe { level, why, length: LONGER_PROBE });
    }
    let base = known.levels.first()?;
    let failing = base.holds() == Some(false) && known.levels.len() == 1;
    let more = failing && base.tried.probes < BASE_PROBES;
    more.then_some(SearchStep::probe(0, ProbePurpose::Base))
}

/// Turns to the level of the most IOPS if they already fall where the bound still holds.
fn turn_to_peak(known: &Evidence<'_>, cut: Bracket) -> Option<SearchStep> {
    let holding = cut.holds?;
    let peak = throughput::peak_level(&known.levels)?;
    let beyond = cut.fails.unwrap_or(holding);
    // The crossing lies on the falling side, whichever IOPS it has.
    if peak.x > holding.x || !throughput::is_falling(peak, &beyond) {
        return None;
    }
    if let Some(level) = throughput::narrow_peak(known) {
        return Some(SearchStep::probe(level, ProbePurpose::Bisect));
    }
    let level = peak.tried.level;
    is_accepted(known, level).then_some(SearchStep::aim(level, SearchEnd::Saturation))
}

fn is_accepted(known: &Evidence<'_>, level: usize) -> bool {
    let own = known.level(level);
    let Some(line) = known.line_at(level) else {
        return own.is_some_and(|l| l.holds() == Some(true));
    };
    let slack = |probes: usize| MEDIAN_SLACK * line.scale / (probes as f64).sqrt();
    let median_passes =
        own.is_none_or(|l| l.tried.log_ratio.is_none_or(|ratio| ratio <= slack(l.tried.probes)));
    median_passes && keeps_margin(&line, known.grid.ln(level))
}
