//! Trials: short measurements within a check, each of which answers one truth check's question
//! (is there a cache, does content matter, does a flush cost anything). Their cells have the role
//! [`record::CellRole::Trial`]; no row, curve or class is made of them.
//!
//! One file each; a trial is told how long it may take, and leaves out what does not fit. All
//! together they take the share of the budget that [`crate::plan::Times::trials`] is.

mod content;
mod flush;
mod fresh;
mod reread;
mod shifted;
mod touch;
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
    // What these write is of use to nobody: they come when everything else is measured.
    Trial { when: When::Last, share: 0.10, run: flush::run },
    Trial { when: When::Last, share: 0.10, run: touch::run },
    Trial { when: When::Last, share: 0.25, run: content::run },
];

/// What a cell takes beside its measuring: workers made ready, started, waited for, and counters
/// read twice. Measured 5 to 12 ms.
const AROUND_A_CELL: Nanos = Nanos::millis(8);

/// How long each of `cells` cells may measure when all of them take `time`; not below `least`,
/// for a shorter one says nothing.
fn slice(time: Nanos, cells: u64, least: Nanos) -> Nanos {
    let each = Nanos(time.0 / cells.max(1));
    Nanos(each.0.saturating_sub(AROUND_A_CELL.0)).max(least)
}

/// When a trial of `time` that runs late gives up what is left of it.
fn deadline(stage: &Stage<'_>, time: Nanos) -> Nanos {
    Nanos(stage.used().0 + time.0 + time.0 / 4)
}

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

/// A device of which the tests of the trials know everything.
#[cfg(test)]
mod testing {
    use engine::SimulatedDevice;
    use engine::simulated::{Law, Medium, Scatter, Ssd};
    use units::{Bytes, Nanos};

    pub(super) const CAPACITY: Bytes = Bytes::gib(1);
    pub(super) const WRITE: Nanos = Nanos::micros(100);
    pub(super) const FLUSH: Nanos = Nanos::micros(400);

    pub(super) fn ssd() -> SimulatedDevice {
        let medium = Medium::Ssd(Ssd {
            channels: 8,
            read_ns: 100_000,
            write_ns: WRITE.0,
            bytes_per_second: 1e9,
            flush_ns: FLUSH.0,
            crowding: None,
        });
        let (cache, bucket, stall, noise) = (None, None, None, Scatter::None);
        SimulatedDevice::new(Law { capacity: CAPACITY.0, medium, cache, bucket, stall, noise }, 5)
    }
}

#[cfg(test)]
mod tests;
