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
mod stretch;
mod surface;
mod touch;
mod wake;
mod working_set;
mod zero_blocks;

pub(crate) use flush::run as flushes;
pub(crate) use fresh::Fresh;
use record::{CellRole, TargetInfo, TargetKind};
use units::{Bytes, Nanos};
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

/// Runs a trial on a stage, from a base job, in so much time.
type Run = fn(&mut Stage<'_>, &Job, Nanos) -> Result<Flow, MethodError>;

/// One trial.
struct Trial {
    when: When,
    /// Its share of the time of all trials.
    share: f64,
    run: Run,
}

/// Every trial, in the order in which they run. The shares of those that run on one target add up
/// to about one; the surface, a part of thorough checks, comes on top.
const TRIALS: &[Trial] = &[
    Trial { when: When::First, share: 0.12, run: reread::run },
    Trial { when: When::First, share: 0.05, run: zero_blocks::run },
    Trial { when: When::AfterReads, share: 0.20, run: working_set::run },
    Trial { when: When::AfterReads, share: 0.02, run: shifted::reads },
    Trial { when: When::AfterReads, share: 0.14, run: wake::run },
    Trial { when: When::Last, share: 0.02, run: shifted::writes },
    // Only where the device may be a rotating disk, whose caches the other trials leave alone.
    Trial { when: When::AfterReads, share: 0.3, run: stretch::run },
    // Only where there are 4 s for it, as in a thorough check of a device or a large file.
    Trial { when: When::AfterReads, share: 0.3, run: surface::run },
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
        if time == Nanos::ZERO {
            continue;
        }
        if (trial.run)(stage, base, time)? == Flow::End {
            return Ok(Flow::End);
        }
    }
    Ok(Flow::GoOn)
}

impl Stage<'_> {
    /// Says that the simulated device lies under the run as this target.
    #[cfg(test)]
    pub(crate) fn described(mut self, info: TargetInfo) -> Self {
        self.info = info;
        self
    }

    /// What is known of the target.
    pub(crate) fn info(&self) -> &TargetInfo {
        &self.info
    }

    /// Size of all that may be read: the whole device or file, also where only a part is measured;
    /// of a file of our own what was written.
    pub(crate) fn whole(&self) -> Bytes {
        match self.info.kind {
            TargetKind::Directory => Bytes(self.span.offset.0 + self.span.length.0),
            TargetKind::File | TargetKind::BlockDevice => self.given,
        }
    }

    /// Runs one job that answers a truth check's question, and keeps its cell; whether the run goes
    /// on. Where nothing completed there is no cell.
    pub(crate) fn trial(
        &mut self,
        job: &Job,
        trial: record::Trial,
        words: &str,
    ) -> Result<Flow, MethodError> {
        let before = self.cells.len();
        let flow = self.cell(std::slice::from_ref(job), CellRole::Trial, words)?;
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(trial));
        Ok(flow)
    }

    /// As [`Stage::trial`], for a job that reads anywhere on the whole of the target.
    ///
    /// # Panics
    /// When the job writes.
    pub(crate) fn trial_anywhere(
        &mut self,
        job: &Job,
        trial: record::Trial,
        words: &str,
    ) -> Result<Flow, MethodError> {
        assert!(!job.mix.writes(), "{words}: nothing is written outside of what is measured");
        let whole = self.bench.target.clone().resized(self.whole());
        let measured = std::mem::replace(&mut self.bench.target, whole);
        let flow = self.trial(job, trial, words);
        self.bench.target = measured;
        flow
    }
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
