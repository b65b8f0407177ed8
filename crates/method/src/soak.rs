//! Going on with one workload until a burst ends.

use engine::StopFlag;
use record::{CellRole, Trial};
use units::Nanos;
use workload::Job;

use crate::cell::share;
use crate::error::MethodError;
use crate::stage::{Flow, Stage};

impl Stage<'_> {
    /// Runs one job until its time is up, or until `ends` says so of the operations of each
    /// interval so far.
    pub(crate) fn soak(
        &mut self,
        job: &Job,
        words: &str,
        ends: &mut dyn FnMut(&[f64]) -> bool,
    ) -> Result<Flow, MethodError> {
        let (outer, own) = (self.bench.stop, StopFlag::default());
        let (epoch, budget, clock) = (self.bench.epoch_ns, self.budget, self.bench.clock);
        let mut rates = Vec::new();
        let before = self.cells.len();
        let flow = self.cell_until(
            std::slice::from_ref(job),
            CellRole::Trial,
            words,
            &own,
            &mut |progress, watch| {
                if progress.silent_ns == 0 {
                    rates.push(progress.iops);
                }
                // The first interval is that of the warm-up.
                let measured = rates.get(1..).unwrap_or_default();
                if outer.is_raised() || ends(measured) {
                    own.raise();
                }
                let so_far = Nanos(job.interval.0 * measured.len() as u64);
                watch.phase(&format!("{words}, {so_far} so far"), share(&clock, epoch, budget));
            },
        )?;
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(Trial::Soak));
        Ok(flow)
    }
}
