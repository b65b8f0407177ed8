//! A site: where the cells of a procedure are measured.
//!
//! `local` is a target of this host, or a simulated device in tests; `remote_hosts` are many hosts
//! that measure together. Cells, budget and completion belong to the procedure's session.

mod calibration;
pub(crate) mod local;
pub(crate) mod remote_hosts;

use engine::{Progress, StopSignal};
use record::{Calibration, Cell, CellRole, Fleet, LayoutRun, Plan, TargetInfo};
use target::Roots;
use units::Bytes;
use workload::{Job, Span};

use crate::error::MethodError;
use crate::run_clock::RunClock;
use local::LocalSite;

/// What is known of a site.
#[derive(Debug, Clone)]
pub(crate) struct SiteFacts {
    /// The target, as it was opened; of many hosts that of the first.
    pub(crate) info: TargetInfo,
    /// The part that is measured.
    pub(crate) span: Span,
    /// Whether the page cache is bypassed.
    pub(crate) direct: bool,
    /// Whether it may be written.
    pub(crate) writable: bool,
    /// Sizes and offsets are multiples of this.
    pub(crate) offset_align: Bytes,
    /// Size of the device or file that was given, whatever part of it is measured.
    pub(crate) given_size: Bytes,
    /// How the test file was written, where there is one.
    pub(crate) layout: Option<LayoutRun>,
    pub(crate) calibration: Calibration,
    /// What describes the host that leads the run.
    pub(crate) roots: Roots,
}

/// Runs the jobs of a session.
pub(crate) trait Site {
    /// Runs jobs at the same time and returns their cells, in the order of the jobs.
    fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        clock: &RunClock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError>;

    /// Processors that workers may use; of many hosts those of the smallest.
    fn processors(&self) -> u32;

    /// The target of this host, where it is one.
    fn local(&self) -> Option<&LocalSite> {
        None
    }

    /// As [`Self::local`].
    fn local_mut(&mut self) -> Option<&mut LocalSite> {
        None
    }

    /// Ends the run; what became of the hosts, where they are many. A test file is removed.
    fn finish(self: Box<Self>, plan: &Plan) -> Option<Fleet>;
}
