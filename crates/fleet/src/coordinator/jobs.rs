//! A run of fio's jobs without a coordinator: collected from its hosts.

use fio_run::{Jobs, Keywords, RemoteResult, SentJobs, type_sent_jobs};
use futures_util::future::join_all;
use record::Lost;
use units::Nanos;

use super::client::{Coordinator, ORDER_TIMEOUT};
use super::link::OrderError;
use super::session::HostJobsResult;
use crate::error::FleetError;
use crate::message::{FetchItem, Order};
use crate::name::{AgentName, RunName};
use crate::spool::{JOBS_PURPOSE, Manifest, SavedJobs};

/// The results of a run of jobs.
#[derive(Debug)]
pub struct CollectedJobs {
    /// The jobs of the run.
    pub jobs: Jobs,
    /// All hosts of the run, ascending by name; those without results are lost.
    pub hosts: Vec<HostJobsResult>,
    /// Agents that sent results.
    names: Vec<AgentName>,
    run: RunName,
}

impl Coordinator {
    /// Collects a run of fio's jobs; `None` if it is another run.
    pub fn collect_jobs(
        &self,
        run: &RunName,
        keywords: &Keywords,
    ) -> Result<Option<CollectedJobs>, FleetError> {
        let keepers = self.wait_for_keepers(run)?;
        let link = &self.link;
        let manifest = |name| link.fetch::<Manifest>(name, run, FetchItem::Slip, ORDER_TIMEOUT);
        let manifests = link.block_on(join_all(keepers.iter().map(manifest)));
        let manifests: Vec<Manifest> =
            manifests.into_iter().collect::<Result<_, _>>().map_err(fetch_error)?;
        if manifests.iter().all(|manifest| manifest.purpose != JOBS_PURPOSE) {
            return Ok(None);
        }
        let kept = |name| link.fetch::<SavedJobs>(name, run, FetchItem::Record, ORDER_TIMEOUT);
        let kept = link.block_on(join_all(keepers.iter().map(kept)));
        let kept: Vec<SavedJobs> =
            kept.into_iter().collect::<Result<_, _>>().map_err(fetch_error)?;
        let Some(asked) = kept.first().map(|kept| kept.jobs.clone()) else { return Ok(None) };
        let jobs = type_sent_jobs(&asked, keywords).map_err(|error| {
            FleetError::failed(error.to_string(), "is this another version of truedisk?")
        })?;
        let gathered = keepers.into_iter().zip(manifests.iter().zip(kept));
        let mut hosts: Vec<HostJobsResult> = gathered
            .map(|(name, (manifest, kept))| checked_result(name, manifest, kept, &asked, &jobs))
            .collect();
        for name in manifests.iter().flat_map(|manifest| &manifest.hosts) {
            if !hosts.iter().any(|host| host.name == *name) {
                hosts.push(lost_host(name.clone(), "its agent is not there, or kept nothing"));
            }
        }
        hosts.sort_by(|a, b| a.name.cmp(&b.name));
        if hosts.iter().all(|host| host.given.is_none()) {
            let why = hosts.iter().find_map(|host| host.lost.as_ref()).map(|of| of.reason.clone());
            let hint = "what they kept is still there";
            return Err(FleetError::failed(why.unwrap_or_default(), hint));
        }
        let names = hosts.iter().filter(|host| host.given.is_some());
        let names = names.map(|host| host.name.clone()).collect();
        Ok(Some(CollectedJobs { jobs, hosts, names, run: run.clone() }))
    }
}

impl CollectedJobs {
    /// Lets the agents remove their copies.
    pub fn acknowledge(&self, coordinator: &Coordinator) {
        let link = &coordinator.link;
        let order = Order::Acknowledge { run: self.run.clone() };
        let sent = self.names.iter().map(|name| link.send_order(name, &order, ORDER_TIMEOUT));
        link.block_on(join_all(sent));
    }
}

/// The result of one host, if it was given the same jobs as the others.
fn checked_result(
    name: AgentName,
    manifest: &Manifest,
    kept: SavedJobs,
    asked: &SentJobs,
    jobs: &Jobs,
) -> HostJobsResult {
    let SavedJobs { jobs: own, given } = kept;
    let unsound = match own == *asked {
        true => given.find_contradiction(&jobs.sections),
        false => Some("it was asked for other jobs".to_owned()),
    };
    if let Some(what) = unsound {
        return lost_host(name, &format!("what it kept is not believed: {what}"));
    }
    HostJobsResult { name, clock_error: Some(manifest.clock_error), lost: None, given: Some(given) }
}

fn lost_host(name: AgentName, reason: &str) -> HostJobsResult {
    let lost = Lost { at: Nanos::ZERO, cell: None, reason: reason.to_owned() };
    let given: Option<RemoteResult> = None;
    HostJobsResult { name, clock_error: None, lost: Some(lost), given }
}

fn fetch_error(trouble: OrderError) -> FleetError {
    FleetError::failed(trouble.message(), "try again: what was kept is still there")
}
