//! A run of fio's jobs whose coordinator died: fetched from the hosts that kept it.

use futures_util::future::join_all;
use method::fio::{Given, Jobs, Keywords, SentJobs, told};
use record::Lost;
use units::Nanos;

use super::Coordinator;
use super::party::JobsHost;
use super::{PATIENCE, link::Trouble};
use crate::agent::{JOBS, JobsKept, Slip};
use crate::error::FleetError;
use crate::message::{Order, What};
use crate::name::{Name, RunName};

/// What was fetched of a run of jobs.
#[derive(Debug)]
pub struct JobsCollected {
    /// The jobs, as they were asked for.
    pub jobs: Jobs,
    /// All hosts of the run, ascending by name; those without figures here are lost.
    pub hosts: Vec<JobsHost>,
    run: RunName,
}

impl Coordinator {
    /// Fetches what agents kept of a run, where it is one of fio's jobs; `None` where it is
    /// another. Agents that still measure for it are told to end.
    ///
    /// # Errors
    /// When nobody kept anything of it, or it cannot be read.
    pub fn collect_jobs(
        &self,
        run: &RunName,
        keywords: &Keywords,
    ) -> Result<Option<JobsCollected>, FleetError> {
        let keepers = self.keepers(run)?;
        let link = &self.link;
        let slip = |name| link.fetch::<Slip>(name, run, What::Slip, PATIENCE);
        let slips = link.wait(join_all(keepers.iter().map(slip)));
        let slips: Vec<Slip> = slips.into_iter().collect::<Result<_, _>>().map_err(unfetched)?;
        if slips.iter().all(|slip| slip.purpose != JOBS) {
            return Ok(None);
        }
        let kept = |name| link.fetch::<JobsKept>(name, run, What::Record, PATIENCE);
        let kept = link.wait(join_all(keepers.iter().map(kept)));
        let kept: Vec<JobsKept> = kept.into_iter().collect::<Result<_, _>>().map_err(unfetched)?;
        let Some(asked) = kept.first().map(|kept| kept.jobs.clone()) else { return Ok(None) };
        let jobs = told(&asked, keywords).map_err(|error| {
            FleetError::failed(error.to_string(), "is this another version of truedisk?")
        })?;
        let gathered = keepers.into_iter().zip(slips.iter().zip(kept));
        let mut hosts: Vec<JobsHost> =
            gathered.map(|(name, (slip, kept))| host(name, slip, kept, &asked, &jobs)).collect();
        for name in slips.iter().flat_map(|slip| &slip.hosts) {
            if !hosts.iter().any(|host| host.name == *name) {
                hosts.push(absent(name.clone(), "its agent is not there, or kept nothing"));
            }
        }
        hosts.sort_by(|a, b| a.name.cmp(&b.name));
        if hosts.iter().all(|host| host.given.is_none()) {
            let why = hosts.iter().find_map(|host| host.lost.as_ref()).map(|of| of.reason.clone());
            let hint = "what they kept is still there";
            return Err(FleetError::failed(why.unwrap_or_default(), hint));
        }
        Ok(Some(JobsCollected { jobs, hosts, run: run.clone() }))
    }
}

impl JobsCollected {
    /// Tells the agents that their figures are safe here.
    pub fn acknowledge(&self, coordinator: &Coordinator) {
        let link = &coordinator.link;
        let order = Order::Acknowledge { run: self.run.clone() };
        let gave = self.hosts.iter().filter(|host| host.given.is_some());
        link.wait(join_all(gave.map(|host| link.order(&host.name, &order, PATIENCE))));
    }
}

/// What one host kept, where it is what the others were asked, too.
fn host(name: Name, slip: &Slip, kept: JobsKept, asked: &SentJobs, jobs: &Jobs) -> JobsHost {
    let JobsKept { jobs: own, given } = kept;
    let unsound = match own == *asked {
        true => given.unsound(&jobs.sections),
        false => Some("it was asked for other jobs".to_owned()),
    };
    if let Some(what) = unsound {
        return absent(name, &format!("what it kept is not believed: {what}"));
    }
    JobsHost { name, clock_error: Some(slip.clock_error), lost: None, given: Some(given) }
}

fn absent(name: Name, reason: &str) -> JobsHost {
    let lost = Lost { at: Nanos::ZERO, cell: None, reason: reason.to_owned() };
    let given: Option<Given> = None;
    JobsHost { name, clock_error: None, lost: Some(lost), given }
}

fn unfetched(trouble: Trouble) -> FleetError {
    FleetError::failed(trouble.words(), "try again: what was kept is still there")
}
