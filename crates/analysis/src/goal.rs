//! Whether a run did what was asked of it, from its record alone: what its exit status says.

use record::{
    BoundedBy, Completion, Fleet, FleetWaves, Kept, Limit, Measured, Purpose, Record, WaveOutcome,
};
use units::ErrorKind;
use workload::Bound;

use crate::headline::is_open_headline;

/// Whether a target does what was asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Met,
    NotMet,
    /// The run ended before that was known.
    Unknown,
}

/// How a run failed; `None` where it did what was asked.
pub fn find_failure(record: &Record) -> Option<ErrorKind> {
    let waves = record.measured.fleet.as_ref().and_then(|fleet| fleet.waves.as_ref());
    let failed = matches!(record.measured.completion, Completion::Partial { failed: true, .. });
    let breach = record.measured.fleet.as_ref().and_then(Fleet::find_breach);
    match judge_goal(record) {
        _ if breach.is_some() => Some(ErrorKind::Refused),
        _ if failed => Some(ErrorKind::Failed),
        _ if waves.is_some() => waves.and_then(find_wave_failure),
        Goal::Unknown => Some(ErrorKind::Failed),
        _ if record.measured.fleet.as_ref().is_some_and(Fleet::is_incomplete) => {
            Some(ErrorKind::Failed)
        }
        Goal::NotMet => Some(ErrorKind::NotMet),
        Goal::Met => None,
    }
}

/// The worst of what the waves came to.
fn find_wave_failure(waves: &FleetWaves) -> Option<ErrorKind> {
    let ended = |outcome| waves.begun.iter().any(|wave| wave.outcome == outcome);
    match () {
        () if ended(WaveOutcome::Failed) => Some(ErrorKind::Failed),
        () if ended(WaveOutcome::NotMet) => Some(ErrorKind::NotMet),
        () => None,
    }
}

fn judge_goal(record: &Record) -> Goal {
    let goal = match &record.measured.plan.purpose {
        Purpose::Limit(_) => judge_bounds(record),
        Purpose::Preset(_) => judge_thresholds(record),
        Purpose::Metadata(_) => judge_small_files(&record.measured),
        Purpose::Replay(_) => judge_speeds(record),
        _ => Goal::Met,
    };
    let promise = &record.judgement_or_default().promise;
    match promise.iter().any(|outcome| outcome.kept == Kept::NotKept) {
        // That is an answer, also where a search beside it has none.
        true => Goal::NotMet,
        false => goal,
    }
}

/// Whether every bound got its answer, from the loop that was asked for: a bound that no load
/// keeps is not met, and one that the search did not come to is unknown.
fn judge_bounds(record: &Record) -> Goal {
    let open =
        matches!(&record.measured.plan.purpose, Purpose::Limit(plan) if plan.arrivals.is_some());
    let complete = record.measured.completion == Completion::Complete;
    // What is searched with an open loop begins with a closed one.
    let searched =
        record.judgement_or_default().curves.iter().filter(|curve| curve.open_loop == open);
    // A search that is cut short knows only what it measured again; one that ends undecided has no
    // answer.
    let answers: Vec<&Limit> = searched
        .flat_map(|curve| &curve.limits)
        .filter(|limit| complete || limit.confirmed)
        .filter(|limit| limit.bounded_by != BoundedBy::Unsure)
        .collect();
    let answered = |bound: &Bound| answers.iter().any(|limit| limit.bound == *bound);
    match () {
        () if !record.measured.plan.bounds.iter().all(answered) => Goal::Unknown,
        () if answers.iter().any(|l| l.bounded_by == BoundedBy::Unreachable) => Goal::NotMet,
        () => Goal::Met,
    }
}

/// A recommendation that is missed fails nothing. Without a threshold, a figure is what was asked.
fn judge_thresholds(record: &Record) -> Goal {
    let judgement = record.judgement_or_default();
    let (Purpose::Preset(plan), Some(preset)) = (&record.measured.plan.purpose, &judgement.preset)
    else {
        return Goal::Unknown;
    };
    let mut judged = plan.thresholds.iter().zip(&preset.thresholds);
    let is_missed = judged.any(|(asked, found)| !asked.recommended && found.kept == Kept::NotKept);
    match judgement.verdict.as_ref() {
        _ if is_missed => Goal::NotMet,
        Some(verdict) if !is_open_headline(&verdict.headline) => Goal::Met,
        _ => Goal::Unknown,
    }
}

/// Whether a disk keeps up is the answer, not a failure. A bound that breaks at every speed is.
fn judge_speeds(record: &Record) -> Goal {
    let limits = record.judgement_or_default().replay.iter().flat_map(|of| &of.limits);
    let is_broken = |limit: &record::ReplayLimit| limit.keeps.is_none() && limit.breaks.is_some();
    if limits.into_iter().any(is_broken) { Goal::NotMet } else { Goal::Met }
}

fn judge_small_files(measured: &Measured) -> Goal {
    let is_measured = measured.metadata.as_ref().is_some_and(|found| !found.phases.is_empty());
    if is_measured { Goal::Met } else { Goal::Unknown }
}

#[cfg(test)]
mod tests {
    use message::Message;
    use record::{LimitPlan, PromiseOutcome, PromisedWhat};
    use units::Nanos;
    use workload::Arrivals;

    use super::*;
    use crate::testing::sample_record;

    fn searched() -> Record {
        let mut record = crate::judge_record(sample_record());
        record.measured.plan.purpose = Purpose::Limit(LimitPlan {
            parts: Vec::new(),
            first_percent: None,
            arrivals: None,
            depth_min: None,
            depth_max: 1024,
            probe_max: Nanos::secs(30),
        });
        record.judged_mut().curves.truncate(1);
        record
    }

    #[test]
    fn a_bound_without_an_answer_is_neither_kept_nor_broken() {
        let check = |spoil: &dyn Fn(&mut Record), expected| {
            let mut record = searched();
            spoil(&mut record);
            assert_eq!(find_failure(&record), expected);
        };
        let (failed, not_met) = (Some(ErrorKind::Failed), Some(ErrorKind::NotMet));
        let cut_short = |record: &mut Record| {
            let reason = Message::from_text("the time of 10 min was up");
            record.measured.completion = Completion::Partial { reason, failed: false };
        };
        check(&|_| (), None);
        check(&|r| r.judged_mut().curves.clear(), failed);
        check(&|r| r.judged_mut().curves[0].limits.clear(), failed);
        check(&|r| r.measured.plan.bounds.push("p50<1ms".parse().unwrap()), failed);
        check(&|r| r.judged_mut().curves[0].limits[0].bounded_by = BoundedBy::Unreachable, not_met);
        check(&|r| r.judged_mut().curves[0].limits[0].bounded_by = BoundedBy::Unsure, failed);
        check(
            &|r| {
                cut_short(r);
                r.judged_mut().curves[0].limits[0].confirmed = true;
            },
            None,
        );
        check(
            &|r| {
                cut_short(r);
                r.judged_mut().curves[0].limits[0].confirmed = false;
            },
            failed,
        );
    }

    #[test]
    fn a_promise_that_is_not_kept_is_an_answer_without_one_of_the_search() {
        let mut record = searched();
        record.judged_mut().curves.clear();
        for (kept, expected) in
            [(Kept::NotKept, ErrorKind::NotMet), (Kept::CannotTell, ErrorKind::Failed)]
        {
            let (label, why) = (Message::from_text("reads"), Message::from_text("it is slower"));
            let (what, promised, needed) = (PromisedWhat::Iops, 3000.0, 3000.0);
            let (measured, cell) = (None, None);
            record.judged_mut().promise =
                vec![PromiseOutcome { label, what, promised, needed, measured, cell, kept, why }];
            assert_eq!(find_failure(&record), Some(expected));
        }
    }

    #[test]
    fn the_closed_loop_before_an_open_one_is_no_answer() {
        let mut record = searched();
        let Purpose::Limit(plan) = &mut record.measured.plan.purpose else { panic!() };
        plan.arrivals = Some(Arrivals::Poisson);
        assert_eq!(find_failure(&record), Some(ErrorKind::Failed));
        record.judged_mut().curves[0].open_loop = true;
        assert_eq!(find_failure(&record), None);
    }
}
