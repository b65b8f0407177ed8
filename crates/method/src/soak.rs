//! Going on with one workload until a burst ends.

use engine::StopSignal;
use record::{CellRole, Trial};
use units::Nanos;
use workload::Job;

use crate::error::HaltResult;
use crate::session::Session;

impl Session<'_> {
    /// Runs one job until its time is up, or until `ends` says so of the operations of each
    /// interval so far.
    pub(crate) fn measure_soak(
        &mut self,
        job: &Job,
        words: &str,
        ends: &mut dyn FnMut(&[f64]) -> bool,
    ) -> HaltResult {
        let (outer, own, clock) = (self.stop, StopSignal::default(), self.clock);
        let mut rates = Vec::new();
        let before = self.cells.len();
        let result = self.measure_cell_until(
            std::slice::from_ref(job),
            CellRole::Trial,
            words,
            &own,
            &mut |progress, observer| {
                if progress.silent_ns == 0 {
                    rates.push(progress.iops);
                }
                // The first interval is that of the warm-up.
                let measured = rates.get(1..).unwrap_or_default();
                if outer.is_raised() || ends(measured) {
                    own.raise();
                }
                let so_far = Nanos(job.interval.0 * measured.len() as u64);
                observer.on_phase(&format!("{words}, {so_far} so far"), clock.share_used());
            },
        );
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(Trial::Soak));
        result
    }
}
