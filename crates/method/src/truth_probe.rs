//! Truth probes: short measurements within a check, each for one truth check's question. Their
//! cells have the role [`record::CellRole::Trial`]; no row, curve or class is made of them.

mod content;
mod flush;
mod fresh;
mod reread;
mod shifted;
mod stretch;
mod surface;
mod timing;
mod touch;
mod wake;
mod working_set;
mod zero_blocks;

pub(crate) use flush::probe_flush;
pub(crate) use fresh::FreshSpan;
#[cfg(test)]
use record::TargetInfo;
use record::{CellRole, Trial};
use units::Nanos;
use workload::Job;

use crate::error::HaltResult;
use crate::phase::TruthCheck;
use crate::session::Session;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbePhase {
    /// Before anything else is read: the places it reads are not in any cache because of us.
    First,
    AfterReads,
    /// After everything that is measured; here a trial may write.
    Last,
}

type RunProbe = fn(&mut Session<'_>, &Job, Nanos) -> HaltResult;

struct TruthProbe {
    when: ProbePhase,
    share: f64,
    run: RunProbe,
}

/// Every trial, in the order in which they run. The shares of those that run on one target add up
/// to about one; the surface, a part of thorough checks, comes on top.
const TRUTH_PROBES: &[TruthProbe] = &[
    TruthProbe { when: ProbePhase::First, share: 0.12, run: reread::probe_reread },
    TruthProbe { when: ProbePhase::First, share: 0.05, run: zero_blocks::probe_zero_blocks },
    TruthProbe { when: ProbePhase::AfterReads, share: 0.20, run: working_set::probe_working_set },
    TruthProbe { when: ProbePhase::AfterReads, share: 0.02, run: shifted::probe_shifted_reads },
    TruthProbe { when: ProbePhase::AfterReads, share: 0.14, run: wake::probe_wake },
    TruthProbe { when: ProbePhase::Last, share: 0.02, run: shifted::probe_shifted_writes },
    // Only where the device may be a rotating disk, whose caches the other trials leave alone.
    TruthProbe { when: ProbePhase::AfterReads, share: 0.3, run: stretch::probe_stretch },
    // Only where there are 4 s for it, as in a thorough check of a device or a large file.
    TruthProbe { when: ProbePhase::AfterReads, share: 0.3, run: surface::probe_surface },
    // Only where the second read of a block was faster than the first, and last of all reads.
    TruthProbe { when: ProbePhase::AfterReads, share: 0.06, run: reread::probe_reread_later },
    // What these write is of use to nobody: they come when everything else is measured.
    TruthProbe { when: ProbePhase::Last, share: 0.10, run: flush::probe_flush },
    TruthProbe { when: ProbePhase::Last, share: 0.10, run: touch::probe_first_touch },
    TruthProbe { when: ProbePhase::Last, share: 0.25, run: content::probe_content },
];

/// Runs the trials whose turn it is, in `time` for all trials of the run. `base` is a random read
/// at depth 1 from which their jobs are made.
pub(crate) fn run_truth_probes(
    session: &mut Session<'_>,
    base: &Job,
    when: ProbePhase,
    time: Nanos,
) -> HaltResult {
    for trial in TRUTH_PROBES.iter().filter(|trial| trial.when == when) {
        let time = Nanos((time.0 as f64 * trial.share) as u64);
        if time == Nanos::ZERO {
            continue;
        }
        (trial.run)(session, base, time)?;
    }
    Ok(())
}

impl Session<'_> {
    #[cfg(test)]
    pub(crate) fn with_target_info(mut self, info: TargetInfo) -> Self {
        self.facts.info = info;
        self
    }

    /// Runs one job that answers a truth check's question, and keeps its cell; whether the run goes
    /// on. Where nothing completed there is no cell.
    pub(crate) fn measure_probe(&mut self, job: &Job, trial: Trial) -> HaltResult {
        let before = self.cells.len();
        let what = TruthCheck { what: check_of(trial) }.into();
        let result = self.measure_cell(std::slice::from_ref(job), CellRole::Trial, &what);
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(trial));
        result
    }

    /// As [`Session::measure_probe`], for a job that reads anywhere on the whole of the
    /// target.
    pub(crate) fn measure_probe_anywhere(&mut self, job: &Job, trial: Trial) -> HaltResult {
        let name = &job.name;
        assert!(!job.mix.writes(), "{name}: nothing is written outside of what is measured");
        self.with_target(self.whole_size(), None, |session| session.measure_probe(job, trial))
    }
}

/// The truth check that a trial answers, or the name of what it shows.
const fn check_of(trial: Trial) -> &'static str {
    match trial {
        Trial::Reread { .. } => "host-cache",
        Trial::WorkingSet { .. } => "device-cache",
        Trial::Content { .. } => "compressible",
        Trial::Flush { .. } => "flush",
        Trial::Touch { .. } => "first-touch",
        Trial::Wake { .. } => "idle-latency",
        Trial::Shifted { .. } => "misaligned",
        Trial::Stretch { .. } => "short-stroke",
        Trial::Surface { .. } => "surface",
        Trial::Access { .. } => "access",
        Trial::Soak => "burst",
    }
}

#[cfg(test)]
mod testing {
    use engine::SimulatedDevice;
    use engine::simulated::{DeviceModel, Medium, Ssd};
    use units::{Bytes, Nanos};

    pub(super) const CAPACITY: Bytes = Bytes::gib(1);
    pub(super) const WRITE: Nanos = Nanos::micros(100);
    pub(super) const FLUSH: Nanos = Nanos::micros(400);

    pub(super) fn ssd() -> SimulatedDevice {
        let medium =
            Medium::Ssd(Ssd { channels: 8, write_ns: WRITE.0, flush_ns: FLUSH.0, ..Ssd::FLASH });
        SimulatedDevice::new(DeviceModel::new(CAPACITY.0, medium), 5)
    }
}

#[cfg(test)]
mod tests;
