//! The seam to many hosts: a method that stands on hosts instead of on this one.
//!
//! A search, a matrix or the main cells of a check are led on the coordinator, as they are on one
//! host, and see the totals: their jobs have the depth of all hosts together. [`RemoteHosts`] shares
//! each of them out, and merges what comes back. Who carries the jobs to the hosts is behind
//! [`Hosts`]; this room knows no network.

mod job_split;
mod remote_hosts;
#[cfg(test)]
mod tests;

use std::time::Instant;

use engine::{Progress, StopSignal};
use record::{CellRole, Fleet, FleetHost, FleetSpan, HostCell, Plan};
use workload::Job;

pub use remote_hosts::unsharable_folder_error;
pub(crate) use remote_hosts::{Epoch, RemoteHosts};

use crate::Observer;
use crate::error::MethodError;
use crate::host_session::{HostLayoutBudget, HostReadiness};
use crate::session::MeasureRequest;

/// Many hosts, as a method sees them.
pub trait HostTransport {
    /// Looks at all targets, lets every guard speak, and only then makes all hosts ready.
    ///
    /// # Errors
    /// What one of them refuses, before any of them has begun; that none is left.
    fn prepare(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
        watch: &mut dyn Observer,
    ) -> Result<HostGroup, MethodError>;

    /// Runs on each host its own jobs, all from one instant. `orders` has one list for each host
    /// of the party, in its order; one with nothing to do rests. `progress` is given what all of
    /// them do together.
    ///
    /// # Errors
    /// Only what is wrong with all of them; a host that was lost says so in what it gave.
    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<CellResults, MethodError>;

    /// Ends the run on all hosts, and fills in what is only known then: clocks, records, findings.
    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet);
}

/// What hosts are asked to make ready for.
#[derive(Debug, Clone, Copy)]
pub struct HostRequest<'a> {
    /// What every method is asked.
    pub ask: &'a MeasureRequest,
    /// How much is laid out, and how long all of it may take.
    pub setting: &'a HostLayoutBudget,
    /// The plan of the whole run, for the records of the hosts; its span is not known yet.
    pub plan: &'a Plan,
}

/// The hosts of a run, all of them ready.
#[derive(Debug, Clone)]
pub struct HostGroup {
    /// Under which name the hosts know the run.
    pub run: String,
    /// How they divide what is measured.
    pub span: FleetSpan,
    /// The hosts, ascending by name.
    pub hosts: Vec<ReadyHost>,
    /// Those that were lost before they were ready.
    pub absent: Vec<FleetHost>,
    /// Processors of the smallest of them.
    pub processors: u32,
}

/// One host that is ready.
#[derive(Debug, Clone)]
pub struct ReadyHost {
    /// What is known of it.
    pub host: FleetHost,
    /// What it has.
    pub ready: HostReadiness,
}

/// What came of one cell.
#[derive(Debug)]
pub struct CellResults {
    /// The instant at which all began.
    pub started_at: Instant,
    /// What each host gave, in the order of the party.
    pub results: Vec<HostResult>,
}

/// What one host gave to a cell.
#[derive(Debug)]
pub enum HostResult {
    /// It had nothing to do.
    Idle,
    /// Its cells, in the order of its jobs.
    Cells(Vec<HostCell>),
    /// It was given up, for this reason.
    Lost(String),
}
