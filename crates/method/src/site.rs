//! Where the cells of a procedure are measured: on a target of this host, or on many hosts.

pub(crate) mod facts;
pub(crate) mod local;
pub(crate) mod remote_hosts;

use engine::{Progress, StopSignal};
use record::{Cell, CellRole, Fleet, Plan};
use workload::Job;

use crate::error::MethodError;
use facts::RunClock;
use local::LocalSite;
use remote_hosts::RemoteHosts;

pub(crate) enum Site<'a> {
    Local(Box<LocalSite>),
    Hosts(Box<RemoteHosts<'a>>),
}

impl Site<'_> {
    pub(crate) fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        clock: &RunClock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError> {
        match self {
            Self::Local(local) => Ok(local.runner.measure(jobs, role, stop, progress)?),
            Self::Hosts(hosts) => hosts.measure(jobs, role, stop, clock, progress),
        }
    }

    pub(crate) fn processors(&self) -> u32 {
        match self {
            Self::Local(_) => std::thread::available_parallelism().map_or(1, usize::from) as u32,
            Self::Hosts(hosts) => hosts.processors.max(1),
        }
    }

    /// How many hosts measure.
    pub(crate) fn hosts(&self) -> u32 {
        match self {
            Self::Local(_) => 1,
            Self::Hosts(hosts) => hosts.count(),
        }
    }

    /// How many targets are measured that have nothing to do with each other: the hosts, where
    /// each has a disk of its own.
    pub(crate) fn separate_targets(&self) -> u32 {
        match self {
            Self::Local(_) => 1,
            Self::Hosts(hosts) => hosts.separate_targets(),
        }
    }

    pub(crate) fn local(&self) -> Option<&LocalSite> {
        match self {
            Self::Local(local) => Some(local),
            Self::Hosts(_) => None,
        }
    }

    pub(crate) fn local_mut(&mut self) -> Option<&mut LocalSite> {
        match self {
            Self::Local(local) => Some(local),
            Self::Hosts(_) => None,
        }
    }

    /// Ends the run; what became of the hosts, where they are many. A test file is removed.
    pub(crate) fn finish(self, plan: &Plan) -> Option<Fleet> {
        match self {
            Self::Local(_) => None,
            Self::Hosts(hosts) => Some(hosts.finish(plan)),
        }
    }
}
