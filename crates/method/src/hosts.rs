//! The seam to many hosts: a method that stands on hosts instead of on this one.
//!
//! A search, a matrix or the main cells of a check are led on the coordinator, as they are on one
//! host, and see the totals: their jobs have the depth of all hosts together. [`Standing`] shares
//! each of them out, and merges what comes back. Who carries the jobs to the hosts is behind
//! [`Hosts`]; this room knows no network.

mod share;
mod standing;
#[cfg(test)]
mod tests;

use std::time::Instant;

use engine::{Progress, StopFlag};
use record::{CellRole, Fleet, FleetHost, FleetSpan, HostCell, Plan};
use workload::Job;

pub use standing::not_shared;
pub(crate) use standing::{Epoch, Standing};

use crate::Watch;
use crate::error::MethodError;
use crate::stage::Ask;
use crate::station::{Readiness, Setting};

/// Many hosts, as a method sees them.
pub trait Hosts {
    /// Looks at all targets, lets every guard speak, and only then makes all hosts ready.
    ///
    /// # Errors
    /// What one of them refuses, before any of them has begun; that none is left.
    fn prepare(
        &mut self,
        asked: &Asked<'_>,
        stop: &StopFlag,
        watch: &mut dyn Watch,
    ) -> Result<Party, MethodError>;

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
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Round, MethodError>;

    /// Ends the run on all hosts, and fills in what is only known then: clocks, records, findings.
    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet);
}

/// What hosts are asked to make ready for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// What every method is asked.
    pub ask: &'a Ask,
    /// How much is laid out, and how long all of it may take.
    pub setting: &'a Setting,
    /// The plan of the whole run, for the records of the hosts; its span is not known yet.
    pub plan: &'a Plan,
}

/// The hosts of a run, all of them ready.
#[derive(Debug, Clone)]
pub struct Party {
    /// Under which name the hosts know the run.
    pub run: String,
    /// How they divide what is measured.
    pub span: FleetSpan,
    /// The hosts, ascending by name.
    pub members: Vec<Member>,
    /// Those that were lost before they were ready.
    pub absent: Vec<FleetHost>,
    /// Processors of the smallest of them.
    pub processors: u32,
}

/// One host that is ready.
#[derive(Debug, Clone)]
pub struct Member {
    /// What is known of it.
    pub host: FleetHost,
    /// What it has.
    pub ready: Readiness,
}

/// What came of one cell.
#[derive(Debug)]
pub struct Round {
    /// The instant at which all began.
    pub began: Instant,
    /// What each host gave, in the order of the party.
    pub gave: Vec<Gave>,
}

/// What one host gave to a cell.
#[derive(Debug)]
pub enum Gave {
    /// It had nothing to do.
    Rested,
    /// Its cells, in the order of its jobs.
    Cells(Vec<HostCell>),
    /// It was given up, for this reason.
    Lost(String),
}
