//! A run whose coordinator died: fetched from the hosts, and put together.

use std::time::{Duration, Instant};

use analysis::fleet::{Part, Total, merged, thinned};
use futures_util::future::join_all;
use record::{Cell, Completion, Fleet, FleetHost, HostCell, Lost, Record, Tool};
use units::{Bytes, Depth, Iops, Nanos};
use workload::{Job, Pacing};

use super::link::{Link, Trouble};
use super::{Coordinator, PATIENCE};
use crate::agent::Slip;
use crate::error::FleetError;
use crate::message::{Introduction, Order, What};
use crate::name::{Name, RunName};

/// How long an agent that is still measuring may take to end and to judge its record.
const ENDING: Duration = Duration::from_secs(30);
/// Between two looks at that.
const LOOK: Duration = Duration::from_millis(300);

/// What one host kept.
struct Gathered {
    slip: Slip,
    record: Record,
}

/// What was fetched of a run.
#[derive(Debug)]
pub struct Collected {
    /// All of it as one record.
    pub record: Record,
    /// The records of the hosts.
    pub records: Vec<Record>,
    /// Where they came from.
    names: Vec<Name>,
    run: RunName,
}

impl Coordinator {
    /// Fetches what agents kept of a run, and puts it together. Agents that still measure for it
    /// are told to end.
    ///
    /// # Errors
    /// When nobody kept anything of it.
    pub fn collect(&self, run: &RunName, version: &str) -> Result<Collected, FleetError> {
        let keepers = self.keepers(run)?;
        let link = &self.link;
        let fetch = |name| async move {
            let slip = link.fetch::<Slip>(name, run, What::Slip, PATIENCE).await?;
            let record = link.fetch_record(name, run, PATIENCE).await?;
            Ok::<_, Trouble>(Gathered { slip, record })
        };
        let fetched = link.wait(join_all(keepers.iter().map(fetch)));
        let mut gathered = Vec::new();
        for (name, fetched) in keepers.into_iter().zip(fetched) {
            match fetched {
                Ok(record) => gathered.push((name, record)),
                Err(trouble) => {
                    let what = format!("{name}: {}", trouble.words());
                    return Err(FleetError::failed(what, "try again: what it kept is still there"));
                }
            }
        }
        let record = together(run, &gathered, version)?;
        let (names, gathered): (Vec<Name>, Vec<Gathered>) = gathered.into_iter().unzip();
        let records = gathered.into_iter().map(|gathered| gathered.record).collect();
        Ok(Collected { record, records, names, run: run.clone() })
    }

    /// The agents that keep a record of the run, once none of them is measuring for it.
    pub(super) fn keepers(&self, run: &RunName) -> Result<Vec<Name>, FleetError> {
        let until = Instant::now() + ENDING;
        loop {
            let found = self.link.wait(self.roll_call(&[]))?;
            let agents: Vec<Introduction> =
                found.into_iter().filter_map(|found| found.agent.ok()).collect();
            let busy = agents.iter().filter(|agent| agent.busy.as_ref() == Some(run));
            let busy: Vec<Name> = busy.map(|agent| agent.name.clone()).collect();
            if busy.is_empty() {
                let keeps = |agent: &Introduction| agent.kept.iter().any(|kept| kept.run == *run);
                let keepers: Vec<Name> =
                    agents.into_iter().filter(keeps).map(|agent| agent.name).collect();
                return if keepers.is_empty() { Err(nobody(run)) } else { Ok(keepers) };
            }
            if Instant::now() > until {
                let what = format!("{} is still measuring for run {run}", busy[0]);
                return Err(FleetError::failed(what, "try again in a minute"));
            }
            tell_to_end(&self.link, run, &busy);
            std::thread::sleep(LOOK);
        }
    }
}

fn tell_to_end(link: &Link, run: &RunName, busy: &[Name]) {
    let order = Order::Stop { run: Some(run.clone()) };
    link.wait(join_all(busy.iter().map(|name| link.order(name, &order, PATIENCE))));
}

fn nobody(run: &RunName) -> FleetError {
    let what = format!("no agent that is there keeps anything of run {run}");
    FleetError::failed(what, "what is kept where: truedisk fleet list")
}

impl Collected {
    /// Tells the agents that their records are safe here.
    pub fn acknowledge(&self, coordinator: &Coordinator) {
        let link = &coordinator.link;
        let order = Order::Acknowledge { run: self.run.clone() };
        link.wait(join_all(self.names.iter().map(|name| link.order(name, &order, PATIENCE))));
    }
}

/// One record of what hosts kept; pure but for the name of this host.
fn together(
    run: &RunName,
    gathered: &[(Name, Gathered)],
    version: &str,
) -> Result<Record, FleetError> {
    let Some((_, first)) = gathered.first() else { return Err(nobody(run)) };
    let fullest = gathered.iter().map(|(_, of)| &of.record).max_by_key(|r| r.cells.len());
    let names: Vec<String> =
        fullest.iter().flat_map(|r| r.cells.iter().map(|cell| cell.name.clone())).collect();
    let started = gathered.iter().map(|(_, of)| of.record.started).min();
    let started = started.unwrap_or(first.record.started);
    let mut fleet = Fleet::begun(run.to_string(), first.slip.sharing, hosts(gathered));
    fleet.events.push(
        "its coordinator was gone: this was put together from what the hosts kept".to_owned(),
    );
    let missing: Vec<String> =
        fleet.hosts.iter().filter(|h| h.lost.is_some()).map(|h| h.name.clone()).collect();
    let mut cells = Vec::new();
    for name in &names {
        if let Some(cell) = total(name, gathered, &missing, &mut fleet)? {
            cells.push(cell);
        }
    }
    let reason = "its coordinator was gone before it was over".to_owned();
    let of = &first.record;
    let mut record = Record {
        id: format!("{run}-collected"),
        finished: gathered.iter().map(|(_, of)| of.record.finished).max().unwrap_or(of.finished),
        command: of.command.clone(),
        completion: Completion::Partial { reason, failed: false },
        environment: of.environment.clone(),
        targets: of.targets.clone(),
        layout: of.layout.clone(),
        calibration: of.calibration.clone(),
        cells,
        fleet: Some(fleet),
        ..Record::begun(Tool::ours(version), started, of.plan.clone())
    };
    analysis::judge(&mut record);
    Ok(record)
}

/// All hosts of the run, ascending by name; those without a record here are lost.
fn hosts(gathered: &[(Name, Gathered)]) -> Vec<FleetHost> {
    let of = |(name, Gathered { record, slip }): &(Name, Gathered)| FleetHost {
        labels: slip.labels.clone(),
        environment: record.environment.clone(),
        target: record.target().cloned(),
        calibration: record.calibration.clone(),
        record: Some(record.id.clone()),
        completion: Some(record.completion.clone()),
        findings: record.findings.clone(),
        ..FleetHost::named(name.as_str())
    };
    let mut hosts: Vec<FleetHost> = gathered.iter().map(of).collect();
    let all = gathered.iter().flat_map(|(_, of)| &of.slip.hosts);
    for name in all {
        if !hosts.iter().any(|host| host.name == name.as_str()) {
            let reason = "its agent is not there, or kept nothing".to_owned();
            let lost = Some(Lost { at: Nanos::ZERO, cell: None, reason });
            hosts.push(FleetHost { lost, ..FleetHost::named(name.as_str()) });
        }
    }
    hosts.sort_by(|a, b| a.name.cmp(&b.name));
    hosts
}

/// The total of the cell of this name, of those hosts that have it.
fn total(
    name: &str,
    gathered: &[(Name, Gathered)],
    missing: &[String],
    fleet: &mut Fleet,
) -> Result<Option<Cell>, FleetError> {
    let part = |(host, of): &(Name, Gathered)| {
        let cell = of.record.cell(name)?.clone();
        let began_ns = of.slip.began_ns.get(name).copied().unwrap_or(0);
        Some((host.as_str().to_owned(), HostCell { began_ns, cell }, of.slip.clock_error))
    };
    let given: Vec<(String, HostCell, Nanos)> = gathered.iter().filter_map(part).collect();
    let Some((_, first, _)) = given.first() else { return Ok(None) };
    let job = whole_job(given.iter().map(|(_, part, _)| &part.cell.job), fleet.span);
    let Some(job) = job else { return Ok(None) };
    let idle = gathered.iter().filter(|(_, of)| of.record.cell(name).is_none());
    let asked = Total {
        job: &job,
        role: first.cell.role,
        planned: first.cell.started,
        idle: idle.map(|(name, _)| name.to_string()).collect(),
        missing: missing.to_vec(),
    };
    let parts: Vec<Part<'_>> = given
        .iter()
        .map(|(host, given, clock_error)| Part { host, given, clock_error: *clock_error })
        .collect();
    let merged = merged(&asked, &parts).map_err(|error| {
        FleetError::failed(error.to_string(), "look at the records of the hosts in their spools")
    })?;
    fleet.cells.push(merged.met);
    for (name, part, _) in &given {
        if let Some(host) = fleet.hosts.iter_mut().find(|host| host.name == *name) {
            host.cells.push(thinned(part));
        }
    }
    Ok(Some(merged.cell))
}

/// The job of which these are the shares.
fn whole_job<'a>(
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
