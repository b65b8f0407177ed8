//! A run without a coordinator: collected from hosts and the server's stream, and merged.

use std::time::{Duration, Instant};

use analysis::fleet::{HostPart, TotalJob, merge_cells, thin_host_cell};
use record::reasons::{AgentGone, CoordinatorGone};
use record::{
    Cell, Completion, Fleet, FleetHost, HostCell, Lost, Measured, Record, SharedFindings, Tool,
};
use units::{Bytes, Depth, Iops, Nanos};
use workload::{Job, Pacing};

use super::client::{Coordinator, ORDER_TIMEOUT};
use super::link::{OrderError, join_fetches};
use crate::error::FleetError;
use crate::message::{AgentInfo, FetchItem, Order, StopCause};
use crate::name::{AgentName, RunName};
use crate::payload;
use crate::spool::{Manifest, absent_hosts};
use crate::stream;

/// Time for an agent to end its run and save the record.
const END_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(300);

pub(super) struct KeptRecord {
    pub(super) manifest: Manifest,
    pub(super) record: Record,
    pub(super) from_stream: bool,
}

type HostError = (AgentName, String);

#[derive(Debug)]
pub struct CollectedRun {
    pub record: Record,
    pub records: Vec<Record>,
    /// Agents that sent their records.
    names: Vec<AgentName>,
    /// Hosts whose records are here.
    hosts: Vec<AgentName>,
    run: RunName,
}

impl Coordinator {
    /// Collects a run from its agents and the server's stream; agents that still measure are
    /// stopped.
    pub fn collect(&self, run: &RunName, version: &str) -> Result<CollectedRun, FleetError> {
        let (mut gathered, troubles) = self.fetch_from_agents(run, self.wait_for_keepers(run)?);
        let mut events = self.fetch_from_stream(run, &mut gathered);
        for (name, trouble) in &troubles {
            if !gathered.iter().any(|(known, _)| known == name) {
                let what = format!("{name}: {trouble}");
                return Err(FleetError::failed(what, "try again: what it kept is still there"));
            }
        }
        if gathered.is_empty() {
            return Err(nothing_kept(run, &events));
        }
        gathered.sort_by(|a, b| a.0.cmp(&b.0));
        events.extend(describe_origins(&gathered));
        let record = merge_records(run, &gathered, events, version)?;
        let hosts = gathered.iter().map(|(name, _)| name.clone()).collect();
        let agents = gathered.iter().filter(|(_, of)| !of.from_stream);
        let names = agents.map(|(name, _)| name.clone()).collect();
        let records = gathered.into_iter().map(|(_, gathered)| gathered.record).collect();
        Ok(CollectedRun { record, records, names, hosts, run: run.clone() })
    }

    fn fetch_from_agents(
        &self,
        run: &RunName,
        keepers: Vec<AgentName>,
    ) -> (Vec<(AgentName, KeptRecord)>, Vec<HostError>) {
        let link = &self.link;
        let fetch = |name| async move {
            let manifest = link.fetch(name, run, FetchItem::Manifest, ORDER_TIMEOUT).await?;
            let record = link.fetch(name, run, FetchItem::Record, ORDER_TIMEOUT).await?;
            let manifest = payload::unpack_json(&manifest).map_err(OrderError::from_text)?;
            let record = payload::unpack_record(record).map_err(OrderError::from_text)?;
            Ok::<_, OrderError>(KeptRecord { manifest, record, from_stream: false })
        };
        let fetched = link.block_on(join_fetches(keepers.iter().map(fetch)));
        let (mut gathered, mut troubles) = (Vec::new(), Vec::new());
        for (name, fetched) in keepers.into_iter().zip(fetched) {
            match fetched {
                Ok(record) => gathered.push((name, record)),
                Err(trouble) => troubles.push((name, trouble.message().text().to_owned())),
            }
        }
        (gathered, troubles)
    }

    /// Adds the records that no agent gave, from the server's stream; returns what failed.
    fn fetch_from_stream(
        &self,
        run: &RunName,
        gathered: &mut Vec<(AgentName, KeptRecord)>,
    ) -> Vec<String> {
        let link = &self.link;
        let keepers = match link.block_on(stream::list_owners(&link.client, Some(run))) {
            Ok(keepers) => keepers,
            Err(error) => return vec![format!("the server's stream was not read: {error}")],
        };
        let is_here = |name: &AgentName| gathered.iter().any(|(known, _)| known == name);
        let wanted: Vec<AgentName> =
            keepers.into_iter().map(|(_, name)| name).filter(|name| !is_here(name)).collect();
        let take = |name| stream::download(&link.client, &link.version, run, name);
        let taken = link.block_on(join_fetches(wanted.iter().map(take)));
        let mut events = Vec::new();
        for (name, taken) in wanted.into_iter().zip(taken) {
            match taken {
                Ok((manifest, record)) => {
                    gathered.push((name, KeptRecord { manifest, record, from_stream: true }));
                }
                Err(error) => events.push(format!(
                    "{name}: its record in the server's stream cannot be used: {error}"
                )),
            }
        }
        events
    }

    /// Runs in the server's stream, with their number of hosts.
    pub fn list_stream_runs(&self) -> Result<Vec<(RunName, usize)>, FleetError> {
        let keepers =
            self.link.block_on(stream::list_owners(&self.link.client, None)).map_err(|error| {
                let what =
                    format!("the server's stream {} was not read: {error}", stream::STREAM_NAME);
                FleetError::failed(what, "may this user ask for it? see docs/agents.md")
            })?;
        let mut runs: Vec<(RunName, usize)> = Vec::new();
        for (run, _) in keepers {
            match runs.last_mut() {
                Some((last, count)) if *last == run => *count += 1,
                _ => runs.push((run, 1)),
            }
        }
        Ok(runs)
    }

    pub(super) fn wait_for_keepers(&self, run: &RunName) -> Result<Vec<AgentName>, FleetError> {
        let until = Instant::now() + END_TIMEOUT;
        loop {
            let found = self.link.block_on(self.discover(&[]))?;
            let agents: Vec<AgentInfo> =
                found.into_iter().filter_map(|found| found.agent.ok()).collect();
            let busy = agents.iter().filter(|agent| agent.busy.as_ref() == Some(run));
            let busy: Vec<AgentName> = busy.map(|agent| agent.name.clone()).collect();
            if busy.is_empty() {
                let keeps = |agent: &AgentInfo| agent.kept.iter().any(|kept| kept.run == *run);
                let keepers: Vec<AgentName> =
                    agents.into_iter().filter(keeps).map(|agent| agent.name).collect();
                return Ok(keepers);
            }
            if Instant::now() > until {
                let what = format!("{} is still measuring for run {run}", busy[0]);
                return Err(FleetError::failed(what, "try again in a minute"));
            }
            let stop = Order::Stop { run: Some(run.clone()), cause: StopCause::CollectCommand };
            self.link.send_to_all(&busy, &stop, ORDER_TIMEOUT);
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

fn nothing_kept(run: &RunName, events: &[String]) -> FleetError {
    let mut what =
        format!("no agent that is there keeps anything of run {run}, nor does the server's stream");
    for event in events {
        what = format!("{what}; {event}");
    }
    FleetError::failed(what, "what is kept where: truedisk fleet list")
}

fn describe_origins(gathered: &[(AgentName, KeptRecord)]) -> Option<String> {
    let names = |from_stream: bool| -> Vec<&str> {
        let of = gathered.iter().filter(|(_, of)| of.from_stream == from_stream);
        of.map(|(name, _)| name.as_str()).collect()
    };
    let (stream, agents) = (names(true), names(false));
    match (stream.is_empty(), agents.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!(
            "all records came from the server's stream {}, none from an agent",
            stream::STREAM_NAME
        )),
        (false, false) => Some(format!(
            "from the server's stream {} came the records of {}, from their agents those of {}",
            stream::STREAM_NAME,
            stream.join(", "),
            agents.join(", ")
        )),
    }
}

impl CollectedRun {
    /// Lets the agents and the server's stream remove their copies.
    pub fn acknowledge(&self, coordinator: &Coordinator) {
        let link = &coordinator.link;
        let order = Order::Acknowledge { run: self.run.clone() };
        link.send_to_all(&self.names, &order, ORDER_TIMEOUT);
        let clear = |host| stream::purge(&link.client, &self.run, Some(host));
        link.block_on(join_fetches(self.hosts.iter().map(clear)));
    }
}

pub(super) fn merge_records(
    run: &RunName,
    gathered: &[(AgentName, KeptRecord)],
    events: Vec<String>,
    version: &str,
) -> Result<Record, FleetError> {
    let Some((_, first)) = gathered.first() else { return Err(nothing_kept(run, &events)) };
    let fullest = gathered.iter().map(|(_, of)| &of.record).max_by_key(|r| r.measured.cells.len());
    let names: Vec<String> = fullest
        .iter()
        .flat_map(|r| r.measured.cells.iter().map(|cell| cell.name.clone()))
        .collect();
    let started = gathered.iter().map(|(_, of)| of.record.measured.started).min();
    let started = started.unwrap_or(first.record.measured.started);
    let mut fleet = Fleet::new(run.to_string(), first.manifest.sharing, fleet_hosts(gathered));
    fleet.events.push(
        "its coordinator was gone: this was put together from what the hosts kept".to_owned(),
    );
    fleet.events.extend(events);
    let missing: Vec<String> =
        fleet.hosts.iter().filter(|h| h.lost.is_some()).map(|h| h.name.clone()).collect();
    let mut cells = Vec::new();
    for name in &names {
        if let Some(cell) = merge_cell(name, gathered, &missing, &mut fleet)? {
            cells.push(cell);
        }
    }
    let reason = CoordinatorGone {}.into();
    let of = &first.record;
    let measured = Measured {
        id: format!("{run}-collected"),
        finished: gathered
            .iter()
            .map(|(_, of)| of.record.measured.finished)
            .max()
            .unwrap_or(of.measured.finished),
        command: of.measured.command.clone(),
        completion: Completion::Partial { reason, failed: false },
        environment: of.measured.environment.clone(),
        targets: of.measured.targets.clone(),
        layout: of.measured.layout.clone(),
        calibration: of.measured.calibration.clone(),
        cells,
        fleet: Some(fleet),
        ..Measured::new(Tool::ours(version), started, of.measured.plan.clone())
    };
    Ok(analysis::judge_record(measured))
}

/// All hosts of the run, ascending by name; hosts without a record are lost.
fn fleet_hosts(gathered: &[(AgentName, KeptRecord)]) -> Vec<FleetHost> {
    let mut shared = SharedFindings::default();
    let of = |(name, KeptRecord { record, manifest, .. }): &(AgentName, KeptRecord)| FleetHost {
        labels: manifest.labels.clone(),
        environment: record.measured.environment.clone(),
        target: record.measured.target().cloned(),
        calibration: record.measured.calibration.clone(),
        record: Some(record.measured.id.clone()),
        completion: Some(record.measured.completion.clone()),
        findings: shared.share(record.judgement_or_default().findings.clone()),
        ..FleetHost::new(name.as_str())
    };
    let mut hosts: Vec<FleetHost> = gathered.iter().map(of).collect();
    for name in absent_hosts(gathered.iter().map(|(name, of)| (name, &of.manifest))) {
        let reason = AgentGone {}.into();
        let lost = Some(Lost { at: Nanos::ZERO, cell: None, reason });
        hosts.push(FleetHost { lost, ..FleetHost::new(name.as_str()) });
    }
    hosts.sort_by(|a, b| a.name.cmp(&b.name));
    hosts
}

fn merge_cell(
    name: &str,
    gathered: &[(AgentName, KeptRecord)],
    missing: &[String],
    fleet: &mut Fleet,
) -> Result<Option<Cell>, FleetError> {
    let part = |(host, of): &(AgentName, KeptRecord)| {
        let cell = Box::new(of.record.measured.cell(name)?.clone());
        let began_ns = of.manifest.began_ns.get(name).copied().unwrap_or(0);
        Some((host.as_str().to_owned(), HostCell { began_ns, cell }, of.manifest.clock_error))
    };
    let given: Vec<(String, HostCell, Nanos)> = gathered.iter().filter_map(part).collect();
    let Some((_, first, _)) = given.first() else { return Ok(None) };
    let job = sum_jobs(given.iter().map(|(_, part, _)| &part.cell.job), fleet.span);
    let Some(job) = job else { return Ok(None) };
    let idle = gathered.iter().filter(|(_, of)| of.record.measured.cell(name).is_none());
    let asked = TotalJob {
        job: &job,
        role: first.cell.role,
        planned: first.cell.started,
        idle: idle.map(|(name, _)| name.to_string()).collect(),
        missing: missing.to_vec(),
    };
    let parts: Vec<HostPart<'_>> = given
        .iter()
        .map(|(host, given, clock_error)| HostPart {
            host,
            host_cell: given,
            clock_error: *clock_error,
        })
        .collect();
    let merged = merge_cells(&asked, &parts).map_err(|error| {
        FleetError::failed(error.to_string(), "look at the records of the hosts in their spools")
    })?;
    fleet.cells.push(merged.fleet_cell);
    for (name, part, _) in given {
        if let Some(host) = fleet.hosts.iter_mut().find(|host| host.name == name) {
            host.cells.push(thin_host_cell(part));
        }
    }
    Ok(Some(merged.cell))
}

/// The sum of the hosts' shares.
fn sum_jobs<'a>(
    shares: impl Iterator<Item = &'a Job> + Clone,
    span: record::FleetSpan,
) -> Option<Job> {
    let first = shares.clone().next()?;
    let depth = shares.clone().fold(0_u32, |sum, job| sum.saturating_add(job.depth.0));
    let rate = shares.clone().fold(0.0, |sum, job| match job.pacing {
        Pacing::Open { rate, .. } => sum + rate.0,
        _ => sum,
    });
    let operations: Option<u64> =
        shares.clone().try_fold(0_u64, |sum, job| Some(sum.saturating_add(job.stop.operations?)));
    let length = shares.fold(0_u64, |sum, job| match span {
        record::FleetSpan::Shared => sum.max(job.span.length.0),
        _ => sum.saturating_add(job.span.length.0),
    });
    let mut job = first.clone();
    job.depth = Depth(depth);
    if let Pacing::Open { rate: of, .. } = &mut job.pacing {
        *of = Iops(rate);
    }
    job.stop.operations = operations;
    job.span.offset = Bytes(0);
    job.span.length = Bytes(length);
    Some(job)
}
