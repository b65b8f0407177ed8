//! Where the cells of a procedure are measured: on a target of this host, or on many hosts.

mod calibration;
pub(crate) mod facts;
pub(crate) mod local;
pub(crate) mod remote_hosts;

use engine::{Progress, StopSignal};
use record::{Cell, CellRole, Fleet, Plan};
use workload::Job;

use crate::error::MethodError;
use crate::run_clock::RunClock;
use local::LocalSite;

pub(crate) trait Site {
    fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        clock: &RunClock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError>;

    fn processors(&self) -> u32;

    fn local(&self) -> Option<&LocalSite> {
        None
    }

    fn local_mut(&mut self) -> Option<&mut LocalSite> {
        None
    }

    /// Ends the run; what became of the hosts, where they are many. A test file is removed.
    fn finish(self: Box<Self>, plan: &Plan) -> Option<Fleet>;
}

impl Site for LocalSite {
    fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        _: &RunClock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError> {
        Ok(self.runner.measure(jobs, role, stop, progress)?)
    }

    fn processors(&self) -> u32 {
        std::thread::available_parallelism().map_or(1, usize::from) as u32
    }

    fn local(&self) -> Option<&LocalSite> {
        Some(self)
    }

    fn local_mut(&mut self) -> Option<&mut LocalSite> {
        Some(self)
    }

    fn finish(self: Box<Self>, _: &Plan) -> Option<Fleet> {
        None
    }
}
