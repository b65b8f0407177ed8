//! A run of fio's jobs without a coordinator: collected from its hosts.

use fio_run::{Jobs, Keywords, SentJobs, type_sent_jobs};
use record::Lost;
use record::reasons::{AgentGone, JobsNotBelieved};
use serde::de::DeserializeOwned;
use units::Nanos;

use super::client::{Coordinator, ORDER_TIMEOUT};
use super::link::{OrderError, join_fetches};
use super::session::HostJobsResult;
use crate::error::FleetError;
use crate::message::{FetchItem, Order};
use crate::name::{AgentName, RunName};
use crate::payload;
use crate::spool::{JOBS_PURPOSE, Manifest, SavedJobs, absent_hosts};

#[derive(Debug)]
pub struct CollectedJobs {
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
        let manifests: Vec<Manifest> = self.fetch_all(run, &keepers, FetchItem::Manifest)?;
        if manifests.iter().all(|manifest| manifest.purpose != JOBS_PURPOSE) {
            return Ok(None);
        }
        let kept: Vec<SavedJobs> = self.fetch_all(run, &keepers, FetchItem::Record)?;
        let Some(asked) = kept.first().map(|kept| kept.jobs.clone()) else { return Ok(None) };
        let jobs = type_sent_jobs(&asked, keywords).map_err(|error| {
            FleetError::failed(error.to_string(), "is this another version of truedisk?")
        })?;
        let absent = absent_hosts(keepers.iter().zip(&manifests));
        let gathered = keepers.into_iter().zip(manifests.iter().zip(kept));
        let mut hosts: Vec<HostJobsResult> = gathered
            .map(|(name, (manifest, kept))| checked_result(name, manifest, kept, &asked, &jobs))
            .collect();
        hosts.extend(absent.into_iter().map(|name| lost_host(name, AgentGone {})));
        hosts.sort_by(|a, b| a.name.cmp(&b.name));
        if hosts.iter().all(|host| host.given.is_none()) {
            let why = hosts.iter().find_map(|host| host.lost.as_ref()).map(|of| of.reason.clone());
            let hint = "what they kept is still there";
            return Err(FleetError::failed(why.unwrap_or_default().text(), hint));
        }
        let names = hosts.iter().filter(|host| host.given.is_some());
        let names = names.map(|host| host.name.clone()).collect();
        Ok(Some(CollectedJobs { jobs, hosts, names, run: run.clone() }))
    }

    fn fetch_all<T: DeserializeOwned>(
        &self,
        run: &RunName,
        keepers: &[AgentName],
        item: FetchItem,
    ) -> Result<Vec<T>, FleetError> {
        let fetch = |name| self.link.fetch(name, run, item, ORDER_TIMEOUT);
        let fetched = self.link.block_on(join_fetches(keepers.iter().map(fetch)));
        let unpacked = fetched.into_iter().map(|bytes| {
            bytes.and_then(|bytes| payload::unpack_json(&bytes).map_err(OrderError::from_text))
        });
        unpacked.collect::<Result<_, _>>().map_err(fetch_error)
    }
}

impl CollectedJobs {
    /// Lets the agents remove their copies.
    pub fn acknowledge(&self, coordinator: &Coordinator) {
        let order = Order::Acknowledge { run: self.run.clone() };
        coordinator.link.send_to_all(&self.names, &order, ORDER_TIMEOUT);
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
        return lost_host(name, JobsNotBelieved { error: what });
    }
    HostJobsResult { name, clock_error: Some(manifest.clock_error), lost: None, given: Some(given) }
}

fn lost_host(name: AgentName, reason: impl Into<::message::Message>) -> HostJobsResult {
    let lost = Lost { at: Nanos::ZERO, cell: None, reason: reason.into() };
    HostJobsResult { name, clock_error: None, lost: Some(lost), given: None }
}

fn fetch_error(trouble: OrderError) -> FleetError {
    FleetError::failed(trouble.message().text(), "try again: what was kept is still there")
}
