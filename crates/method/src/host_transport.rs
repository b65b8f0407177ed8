//! Many hosts as a procedure sees them. Who carries the jobs to them is behind [`HostTransport`]:
//! no network is known here.

use std::time::Instant;

use engine::{Progress, StopSignal};
use message::Message;
use record::{
    CellRole, Environment, Fleet, FleetHost, FleetSpan, HostCell, LayoutRun, Plan, TargetInfo,
};
use serde::{Deserialize, Serialize};
use target::Roots;
use units::Bytes;
use workload::{Job, Span};

use crate::error::MethodError;
use crate::observer::Observer;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::sent_profile::SentProfile;

pub enum Place<'a> {
    /// On this host, which these trees describe.
    Here(&'a Roots),
    /// On many hosts, by all of them at the same time.
    Hosts(&'a mut dyn HostTransport),
}

/// Carries jobs to many hosts, and their results back.
pub trait HostTransport {
    /// What these hosts do together of a depth that was asked: a wave with fewer hosts than others
    /// has less, so that the hosts of all waves have as much each.
    fn share_depth(&self, depth: u32) -> u32 {
        depth
    }

    /// Looks at all targets, lets every guard speak, and only then makes all hosts ready.
    fn prepare(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
        observer: &mut dyn Observer,
    ) -> Result<HostGroup, MethodError>;

    /// Runs on each host its own jobs, all from one instant. `orders` has one list for each host
    /// of the party, in its order; one with nothing to do rests. `progress` is given what all of
    /// them do together.
    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<CellResults, MethodError>;

    /// The cells that a host gave to the last measurement, in the order of its jobs. They are
    /// read anew each time: those of all hosts need not be in memory.
    fn load_cells(&mut self, host: usize) -> Result<Vec<HostCell>, String>;

    /// Ends the run on all hosts, and fills in what is only known then: clocks, records, findings.
    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet);
}

#[derive(Debug, Clone, Copy)]
pub struct HostRequest<'a> {
    pub ask: &'a MeasureRequest,
    /// How much is laid out, and how long all of it may take.
    pub setting: &'a LayoutBudget,
    /// The plan of the whole run, for the records of the hosts; its span is not known yet.
    pub plan: &'a Plan,
    /// What a replay draws its requests from.
    pub profile: Option<&'a SentProfile>,
}

#[derive(Debug, Clone)]
pub struct HostGroup {
    /// Under which name the hosts know the run.
    pub run: String,
    /// How they divide what is measured.
    pub span: FleetSpan,
    /// The hosts, ascending by name.
    pub hosts: Vec<ReadyHost>,
    pub absent: Vec<FleetHost>,
    pub processors: u32,
}

#[derive(Debug, Clone)]
pub struct ReadyHost {
    pub host: FleetHost,
    pub ready: HostReadiness,
}

#[derive(Debug)]
pub struct CellResults {
    pub started_at: Instant,
    /// What each host gave, in the order of the party.
    pub results: Vec<HostResult>,
}

#[derive(Debug)]
pub enum HostResult {
    /// It had nothing to do.
    Idle,
    /// Its cells can be loaded.
    Measured,
    /// It was given up, for this reason.
    Lost(Message),
}

/// Tells a file or device from all others of all hosts. Containers of one host have one boot id,
/// copies of one virtual machine have two.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TargetIdentity {
    /// The kernel's id of the running system.
    pub boot_id: String,
    /// Device of the file, or the block device itself.
    pub device: u64,
    /// 0 for a block device.
    pub inode: u64,
}

/// What a host has when it is ready.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostReadiness {
    pub environment: Environment,
    pub info: TargetInfo,
    pub calibration: record::Calibration,
    /// The part of the target that it measures.
    pub span: Span,
    /// Sizes and offsets are multiples of this.
    pub offset_align: Bytes,
    pub direct: bool,
    pub writable: bool,
    pub layout: Option<LayoutRun>,
}
