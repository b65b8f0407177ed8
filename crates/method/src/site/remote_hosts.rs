//! Many hosts that measure together: each gets its share of every job, and their results are
//! merged.

mod job_split;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use analysis::fleet::{
    HostPart, MergeError, TotalJob, is_one_storage, merge_thin_cells, thin_host_cell,
};
use engine::{Progress, StopSignal};
use message::Message;
use record::reasons::FiguresUnusable;
use record::{
    Calibration, Cell, CellRole, Fleet, FleetHost, FleetSpan, HostCell, Lost, Plan, TargetKind,
};
use target::Roots;
use units::{Bytes, Iops, Nanos};
use workload::{Job, Span};

use super::facts::{RunClock, SiteFacts};
use crate::cell::other_job_name;
use crate::defaults::SPAN_MIN;
use crate::error::{MethodError, refuse};
use crate::host_transport::{
    CellResults, HostGroup, HostReadiness, HostResult, HostTransport, ReadyHost,
};
use job_split::HostShare;

pub(crate) struct RemoteHosts<'a> {
    hosts: &'a mut dyn HostTransport,
    /// The readiness of the first host, and what is needed of the others': there may be thousands.
    first: HostReadiness,
    ready: Vec<HostLimits>,
    calibration: Calibration,
    absent: Vec<FleetHost>,
    pub(crate) processors: u32,
    fleet: Fleet,
    turn: u64,
}

struct HostLimits {
    span: Span,
    offset_align: Bytes,
    direct: bool,
    writable: bool,
}

impl<'a> RemoteHosts<'a> {
    pub(crate) fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        clock: &RunClock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError> {
        let orders = self.jobs_by_host(jobs)?;
        let round = self.hosts.measure(orders, role, stop, progress)?;
        self.turn += 1;
        let at = clock.elapsed();
        let since_start = round.started_at.elapsed().as_nanos().try_into().unwrap_or(0);
        let began = Nanos(at.0.saturating_sub(since_start));
        let parts = self.load_parts(round, jobs, at);
        let mut cells = Vec::new();
        for ((place, job), parts) in jobs.iter().enumerate().zip(parts) {
            let planned = Nanos(began.0 + job.warm_up.0);
            let Some(mut cell) = self.merge_job_results(job, role, planned, parts) else {
                continue;
            };
            cell.beside = other_job_name(jobs, place);
            cells.push(cell);
        }
        if cells.is_empty() && self.living_hosts().next().is_none() {
            return Err(self.all_lost_error());
        }
        Ok(cells)
    }

    pub(crate) fn finish(mut self, plan: &Plan) -> Fleet {
        self.fleet.hosts.reserve_exact(self.absent.len());
        self.fleet.hosts.append(&mut self.absent);
        self.fleet.hosts.sort_by(|a, b| a.name.cmp(&b.name));
        self.hosts.finish(plan, &mut self.fleet);
        self.fleet
    }

    pub(crate) fn new(
        hosts: &'a mut dyn HostTransport,
        party: HostGroup,
    ) -> Result<Self, MethodError> {
        let HostGroup { run, span, hosts: members, absent, processors } = party;
        if members.is_empty() {
            return Err(lost_error(&absent));
        }
        let folder = |member: &ReadyHost| member.ready.info.kind == TargetKind::Directory;
        if span != FleetSpan::Own && members.iter().any(folder) {
            return Err(unsharable_folder_error(span));
        }
        if span == FleetSpan::Split {
            check_divisible(&members)?;
        }
        let first = members[0].ready.clone();
        let calibration = sum_calibrations(&members);
        let limits = |ready: HostReadiness| HostLimits {
            span: ready.span,
            offset_align: ready.offset_align,
            direct: ready.direct,
            writable: ready.writable,
        };
        let (of_hosts, ready) = members.into_iter().map(|m| (m.host, limits(m.ready))).unzip();
        let fleet = Fleet::new(run, span, of_hosts);
        Ok(Self { hosts, first, ready, calibration, absent, processors, fleet, turn: 0 })
    }

    /// What all of them measure together; the target is that of the first host.
    pub(crate) fn facts(&self) -> SiteFacts {
        let first = &self.first;
        let span = Span { offset: Bytes(0), length: self.span_length() };
        SiteFacts {
            info: first.info.clone(),
            span,
            direct: self.ready.iter().all(|ready| ready.direct),
            writable: self.ready.iter().all(|ready| ready.writable),
            offset_align: self.ready.iter().map(|r| r.offset_align).max().unwrap_or(Bytes(512)),
            given_size: span.length,
            layout: first.layout.clone(),
            calibration: self.calibration.clone(),
            roots: Roots::host(),
            health: Vec::new(),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        self.ready.len() as u32
    }

    pub(crate) fn separate_targets(&self) -> u32 {
        if is_one_storage(&self.fleet) { 1 } else { self.count() }
    }

    /// The smallest and the largest part that a host measures.
    pub(crate) fn span_range(&self) -> (Bytes, Bytes) {
        let part = |whole: Bytes| match self.fleet.span {
            FleetSpan::Split => job_split::host_span_length(whole, self.ready.len() as u64),
            FleetSpan::Own | FleetSpan::Shared => whole,
        };
        let spans = || self.ready.iter().map(|ready| part(ready.span.length));
        (spans().min().unwrap_or_default(), spans().max().unwrap_or_default())
    }

    /// What all of them measure together.
    fn span_length(&self) -> Bytes {
        let (_, largest) = self.span_range();
        match self.fleet.span {
            FleetSpan::Own => Bytes(self.ready.iter().map(|ready| ready.span.length.0).sum()),
            FleetSpan::Shared => largest,
            FleetSpan::Split => Bytes(largest.0 * self.ready.len() as u64),
        }
    }

    fn all_lost_error(&self) -> MethodError {
        lost_error(self.fleet.hosts.iter().chain(&self.absent))
    }

    fn living_hosts(&self) -> impl Iterator<Item = usize> {
        let hosts = self.fleet.hosts.iter().enumerate();
        hosts.filter(|(_, host)| host.lost.is_none()).map(|(number, _)| number)
    }

    fn jobs_by_host(&self, jobs: &[Job]) -> Result<Vec<Vec<Job>>, MethodError> {
        let living: Vec<usize> = self.living_hosts().collect();
        if living.is_empty() {
            return Err(self.all_lost_error());
        }
        let place = |&number: &usize| HostShare { span: self.ready[number].span, number };
        let places: Vec<HostShare> = living.iter().map(place).collect();
        let all = self.ready.len();
        let shared = job_split::split_jobs(jobs, &places, self.fleet.span, all, self.turn);
        let mut orders = vec![Vec::new(); all];
        for (number, jobs) in living.into_iter().zip(shared) {
            orders[number] = jobs;
        }
        Ok(orders)
    }

    /// What each host gave to each job, without its series.
    fn load_parts(
        &mut self,
        round: CellResults,
        jobs: &[Job],
        at: Nanos,
    ) -> Vec<Vec<Option<HostCell>>> {
        let mut parts = vec![vec![None; round.results.len()]; jobs.len()];
        let cell = jobs.first().map_or("", |job| job.name.as_str());
        for (number, result) in round.results.into_iter().enumerate() {
            let loaded = match result {
                HostResult::Idle => continue,
                HostResult::Lost(reason) => Err(reason),
                HostResult::Measured => self.hosts.load_cells(number).map_err(Message::from_text),
            };
            match loaded {
                Ok(mut cells) => {
                    for (job, parts) in jobs.iter().zip(&mut parts) {
                        parts[number] = take_part(&mut cells, job).map(thin_host_cell);
                    }
                }
                Err(reason) => self.record_loss(number, cell, reason, at),
            }
        }
        parts
    }

    fn record_loss(&mut self, number: usize, cell: &str, reason: Message, at: Nanos) {
        let Some(host) = self.fleet.hosts.get_mut(number) else { return };
        host.lost = Some(Lost { at, cell: Some(cell.to_owned()), reason });
    }

    /// The total of one job, which is kept with what each host gave to it; `None` where nobody
    /// gave anything. A host whose figures contradict themselves is lost, too.
    fn merge_job_results(
        &mut self,
        job: &Job,
        role: CellRole,
        planned: Nanos,
        mut parts: Vec<Option<HostCell>>,
    ) -> Option<Cell> {
        let merged = loop {
            let total = self.expected_total(job, role, planned, &parts);
            let known = self.fleet.hosts.iter().enumerate();
            let numbers: HashMap<&str, usize> =
                known.map(|(number, host)| (host.name.as_str(), number)).collect();
            let of_hosts = collect_parts(&self.fleet.hosts, &parts);
            let came = merge_thin_cells(&total, &of_hosts, &mut |host| {
                let cells = self.hosts.load_cells(numbers[host])?;
                let whole = cells.into_iter().find(|part| part.cell.name == job.name);
                whole.map(Cow::Owned).ok_or_else(|| "its cell is gone".to_owned())
            });
            match came {
                Ok(merged) => break merged,
                Err(MergeError::NoHosts { .. }) => return None,
                Err(MergeError::Damaged { host, what, .. }) => {
                    let number = *numbers.get(host.as_str())?;
                    parts[number].take()?;
                    let reason = FiguresUnusable { error: what }.into();
                    self.record_loss(number, &job.name, reason, planned);
                }
            }
        };
        // A job that is measured again takes the place of its first figures.
        self.fleet.cells.retain(|cell| cell.cell != job.name);
        self.fleet.cells.push(merged.fleet_cell);
        for (host, part) in self.fleet.hosts.iter_mut().zip(parts) {
            host.cells.retain(|cell| cell.cell.name != job.name);
            // A vector that grows by itself has room for twice as many.
            host.cells.reserve_exact(usize::from(part.is_some()));
            host.cells.extend(part);
        }
        Some(merged.cell)
    }

    fn expected_total<'job>(
        &self,
        job: &'job Job,
        role: CellRole,
        planned: Nanos,
        parts: &[Option<HostCell>],
    ) -> TotalJob<'job> {
        let names = |lost: bool| -> Vec<String> {
            let without = self.fleet.hosts.iter().zip(parts).filter(|(_, part)| part.is_none());
            let of = without.filter(|(host, _)| host.lost.is_some() == lost);
            of.map(|(host, _)| host.name.clone()).collect()
        };
        let mut missing = names(true);
        missing.extend(self.absent.iter().map(|host| host.name.clone()));
        TotalJob { job, role, planned, idle: names(false), missing }
    }
}

fn sum_calibrations(members: &[ReadyHost]) -> Calibration {
    let sum = |pick: &dyn Fn(&Calibration) -> Option<Iops>| {
        let rates = members.iter().map(|member| pick(&member.ready.calibration).map(|i| i.0));
        let known: Option<Vec<f64>> = rates.collect();
        known.map(|rates| Iops(rates.iter().sum()))
    };
    Calibration {
        nop_iops_depth_1: sum(&|calibration| calibration.nop_iops_depth_1),
        nop_iops_depth_32: sum(&|calibration| calibration.nop_iops_depth_32),
        ..members[0].ready.calibration.clone()
    }
}

fn take_part(cells: &mut Vec<HostCell>, job: &Job) -> Option<HostCell> {
    let place = cells.iter().position(|part| part.cell.name == job.name)?;
    Some(cells.swap_remove(place))
}

fn collect_parts<'part>(
    hosts: &'part [FleetHost],
    given: &'part [Option<HostCell>],
) -> Vec<HostPart<'part>> {
    let part = |(host, given): (&'part FleetHost, &'part Option<HostCell>)| {
        let clock_error = host.clock.map_or(Nanos::ZERO, |clock| clock.error);
        Some(HostPart { host: &host.name, host_cell: given.as_ref()?, clock_error })
    };
    hosts.iter().zip(given).filter_map(part).collect()
}

fn lost_error<'a>(hosts: impl IntoIterator<Item = &'a FleetHost>) -> MethodError {
    let why = |host: &FleetHost| {
        let lost = host.lost.as_ref()?;
        Some(format!("{}: {}", host.name, lost.reason.text()))
    };
    let whys: Vec<_> = hosts.into_iter().filter_map(why).collect();
    MethodError::HostsLost(whys.join("; "))
}

/// Why hosts cannot share a folder. Each of them finds out itself, before anything is laid out.
pub fn unsharable_folder_error(span: FleetSpan) -> MethodError {
    let what = format!(
        "--span {} is for one file or device that all hosts share, but in a folder each host makes \
         a test file of its own",
        span.name()
    );
    MethodError::invalid_request(what, "name the file or device, or leave --span out")
}

fn check_divisible(members: &[ReadyHost]) -> Result<(), MethodError> {
    let first = members[0].ready.span;
    let other = members.iter().find(|member| member.ready.span != first);
    if let Some(other) = other {
        let (a, b) = (&members[0], other);
        let what = format!(
            "--span split divides one target, but {} has {} and {} has {}",
            a.host.name, a.ready.span.length, b.host.name, b.ready.span.length
        );
        return refuse(what, "give --size, or leave --span out");
    }
    let part = job_split::host_span_length(first.length, members.len() as u64);
    if part < SPAN_MIN {
        let count = members.len();
        let what = format!("a part of {part} for each of {count} hosts is too small");
        return refuse(what, format!("give at least {SPAN_MIN} to each: --size"));
    }
    Ok(())
}
