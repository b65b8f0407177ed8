//! Trials: short measurements within a check, each of which answers one truth check's question
//! (is there a cache, does content matter, does a flush cost anything). Their cells have the role
//! [`record::CellRole::Trial`]; no row, curve or class is made of them.
//!
//! One file each; a trial is told how long it may take, and leaves out what does not fit. All
//! together they take the share of the budget that [`crate::plan::Times::trials`] is.

mod reread;
mod shifted;
mod wake;
mod working_set;
mod zero_blocks;

use units::Nanos;
use workload::Job;

use crate::error::MethodError;
use crate::stage::{Flow, Stage};

/// When a trial has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Before anything else is read: the places it reads are not in any cache because of us.
    First,
    /// After the reads, before the writes.
    AfterReads,
    /// After everything that is measured; here a trial may write.
    Last,
}

/// One trial.
struct Trial {
    when: When,
    /// Its share of the time of all trials.
    share: f64,
    run: fn(&mut Stage<'_>, &Job, Nanos) -> Result<Flow, MethodError>,
}

/// Every trial, in the order in which they run; the shares add up to at most one.
const TRIALS: &[Trial] = &[
    Trial { when: When::First, share: 0.12, run: reread::run },
    Trial { when: When::First, share: 0.05, run: zero_blocks::run },
    Trial { when: When::AfterReads, share: 0.20, run: working_set::run },
    Trial { when: When::AfterReads, share: 0.02, run: shifted::reads },
    Trial { when: When::AfterReads, share: 0.14, run: wake::run },
    Trial { when: When::Last, share: 0.02, run: shifted::writes },
];

/// Runs the trials whose turn it is, in `time` for all trials of the run. `base` is a random read
/// at depth 1 from which their jobs are made.
pub(crate) fn run(
    stage: &mut Stage<'_>,
    base: &Job,
    when: When,
    time: Nanos,
) -> Result<Flow, MethodError> {
    for trial in TRIALS.iter().filter(|trial| trial.when == when) {
        let time = Nanos((time.0 as f64 * trial.share) as u64);
        if (trial.run)(stage, base, time)? == Flow::End {
            return Ok(Flow::End);
        }
    }
    Ok(Flow::GoOn)
}

#[cfg(test)]
mod tests;
