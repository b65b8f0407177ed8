//! Common parts of an agent's runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use method::TargetIdentity;
use record::FleetSpan;

use super::mailbox::{Mailbox, Task};
use crate::message::{Phase, Refusal, RunMembers};
use crate::name::RunName;
use crate::spool::{Manifest, Spool};

pub(super) struct RunContext {
    pub(super) labels: BTreeMap<String, String>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) spool: Arc<Spool>,
}

impl RunContext {
    /// Runs `work` and sets its result as the last phase.
    pub(super) fn carry_out(&self, work: impl FnOnce() -> Result<String, Refusal>) {
        self.mailbox.set_phase(match work() {
            Ok(record) => Phase::Finished { record },
            Err(refusal) => Phase::Failed(refusal),
        });
    }

    pub(super) fn wait_for_prepare(&self, target: Option<TargetIdentity>) -> Result<(), Refusal> {
        self.mailbox.set_phase(Phase::Examined { target });
        match self.mailbox.next_task() {
            Some(Task::Prepare) => Ok(()),
            _ => Err(self.ended_before_measuring()),
        }
    }

    pub(super) fn ended_before_measuring(&self) -> Refusal {
        let reason = self.mailbox.end_reason();
        let reason = reason.unwrap_or_else(|| "the run was ended".to_owned());
        Refusal::failed(format!("{reason}, before anything was measured"))
    }

    /// The manifest of a result without cells.
    pub(super) fn manifest(
        &self,
        run: &RunName,
        purpose: &str,
        started: Timestamp,
        members: &RunMembers,
    ) -> Manifest {
        Manifest {
            run: run.clone(),
            started,
            purpose: purpose.to_owned(),
            began_ns: BTreeMap::new(),
            clock_error: self.mailbox.clock_error(),
            labels: self.labels.clone(),
            sharing: FleetSpan::Own,
            hosts: members.names.clone(),
            host_count: members.count,
        }
    }
}
