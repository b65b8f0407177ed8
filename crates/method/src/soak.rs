//! Going on with one workload until a burst ends.

use engine::StopSignal;
use record::{CellRole, Trial};
use units::Nanos;
use workload::Job;

use crate::cell::budget_share;
use crate::error::MethodError;
use crate::session::{Flow, MeasureSession};

impl MeasureSession<'_> {
    /// Runs one job until its time is up, or until `ends` says so of the operations of each
    /// interval so far.
    pub(crate) fn measure_soak(
        &mut self,
        job: &Job,
        words: &str,
        ends: &mut dyn FnMut(&[f64]) -> bool,
    ) -> Result<Flow, MethodError> {
        let (outer, own) = (self.runner.stop, StopSignal::default());
        let (epoch, budget, clock) = (self.runner.epoch_ns, self.budget, self.runner.clock);
        let mut rates = Vec::new();
        let before = self.cells.len();
        let flow = self.measure_cell_until(
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
                watch.on_phase(
                    &format!("{words}, {so_far} so far"),
                    budget_share(&clock, epoch, budget),
                );
            },
        )?;
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(Trial::Soak));
        Ok(flow)
    }
}
