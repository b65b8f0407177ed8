//! A stage's ground where that is hosts: jobs out, totals back, and what became of each host.

use analysis::fleet::{MergeError, Part, Total, merged, thinned};
use engine::{Clock, Progress, StopFlag};
use record::{
    Calibration, Cell, CellRole, Fleet, FleetHost, FleetSpan, HostCell, LayoutRun, Lost, Plan,
    TargetInfo, TargetKind,
};
use units::{Bytes, Iops, Nanos};
use workload::{Job, Span};

use super::share::{self, Place};
use super::{Gave, Hosts, Member, Party, Round};
use crate::error::MethodError;
use crate::ground::SPAN_MIN;
use crate::station::Readiness;

/// The hosts of a run, and what they gave so far.
pub(crate) struct Standing<'a> {
    hosts: &'a mut dyn Hosts,
    ready: Vec<Readiness>,
    /// Hosts that were lost before they were ready.
    absent: Vec<FleetHost>,
    pub(crate) processors: u32,
    fleet: Fleet,
    /// Cells so far.
    turn: u64,
}

/// Clock and start of a run, by which cells are placed in it.
#[derive(Clone, Copy)]
pub(crate) struct Epoch {
    pub(crate) clock: Clock,
    pub(crate) ns: u64,
}

impl Epoch {
    fn now(&self) -> Nanos {
        Nanos(self.clock.now() - self.ns)
    }
}

impl<'a> Standing<'a> {
    /// On hosts that are ready.
    pub(crate) fn new(hosts: &'a mut dyn Hosts, party: Party) -> Result<Self, MethodError> {
        let Party { run, span, members, absent, processors } = party;
        if members.is_empty() {
            return Err(MethodError::request("no host is left", "see truedisk fleet list"));
        }
        let folder = |member: &Member| member.ready.info.kind == TargetKind::Directory;
        if span != FleetSpan::Own && members.iter().any(folder) {
            return Err(not_shared(span));
        }
        if span == FleetSpan::Split {
            divisible(&members)?;
        }
        let (of_hosts, ready) = members.into_iter().map(|m| (m.host, m.ready)).unzip();
        let fleet = Fleet::begun(run, span, of_hosts);
        Ok(Self { hosts, ready, absent, processors, fleet, turn: 0 })
    }

    /// What all of them measure together.
    pub(crate) fn span(&self) -> Span {
        let lengths = self.ready.iter().map(|ready| ready.span.length.0);
        let length = match self.fleet.span {
            FleetSpan::Own => lengths.sum(),
            FleetSpan::Shared => lengths.max().unwrap_or(0),
            FleetSpan::Split => {
                let all = self.ready.len() as u64;
                share::part_length(Bytes(lengths.max().unwrap_or(0)), all).0 * all
            }
        };
        Span { offset: Bytes(0), length: Bytes(length) }
    }

    /// Sizes and offsets that every host can take are multiples of this.
    pub(crate) fn offset_align(&self) -> Bytes {
        self.ready.iter().map(|ready| ready.offset_align).max().unwrap_or(Bytes(512))
    }

    /// Whether all hosts bypass the page cache.
    pub(crate) fn direct(&self) -> bool {
        self.ready.iter().all(|ready| ready.direct)
    }

    /// Whether all hosts may write.
    pub(crate) fn writable(&self) -> bool {
        self.ready.iter().all(|ready| ready.writable)
    }

    /// The target of the first host; those of all are with the hosts.
    pub(crate) fn info(&self) -> TargetInfo {
        self.ready[0].info.clone()
    }

    /// How the test file of the first host was written, where there is one.
    pub(crate) fn layout(&self) -> Option<LayoutRun> {
        self.ready[0].layout.clone()
    }

    /// What all load generators can do together.
    pub(crate) fn calibration(&self) -> Calibration {
        let sum = |pick: &dyn Fn(&Calibration) -> Option<Iops>| {
            let known: Option<Vec<f64>> =
                self.ready.iter().map(|ready| pick(&ready.calibration).map(|i| i.0)).collect();
            known.map(|rates| Iops(rates.iter().sum()))
        };
        Calibration {
            nop_iops_depth_1: sum(&|calibration| calibration.nop_iops_depth_1),
            nop_iops_depth_32: sum(&|calibration| calibration.nop_iops_depth_32),
            ..self.ready[0].calibration.clone()
        }
    }

    /// Measures jobs on all hosts that are left, and merges what they gave.
    pub(crate) fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopFlag,
        epoch: Epoch,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, MethodError> {
        let orders = self.orders(jobs)?;
        let round = self.hosts.measure(orders, role, stop, watch)?;
        self.turn += 1;
        let began = Nanos(
            epoch.now().0.saturating_sub(round.began.elapsed().as_nanos().try_into().unwrap_or(0)),
        );
        let at = epoch.now();
        let gave = self.losses(round, jobs, at);
        let mut cells = Vec::new();
        for (place, job) in jobs.iter().enumerate() {
            let planned = Nanos(began.0 + job.warm_up.0);
            let Some(mut cell) = self.total(job, role, planned, &gave) else { continue };
            let beside = jobs.iter().enumerate().find(|(other, _)| *other != place);
            cell.beside = beside.map(|(_, job)| job.name.clone());
            cells.push(cell);
        }
        if cells.is_empty() && self.living().next().is_none() {
            return Err(self.all_lost());
        }
        Ok(cells)
    }

    fn all_lost(&self) -> MethodError {
        let why = |host: &FleetHost| {
            let lost = host.lost.as_ref()?;
            Some(format!("{}: {}", host.name, lost.reason))
        };
        let hosts = self.fleet.hosts.iter().chain(&self.absent);
        MethodError::HostsLost(hosts.filter_map(why).collect::<Vec<_>>().join("; "))
    }

    /// Numbers of the hosts that are left.
    fn living(&self) -> impl Iterator<Item = usize> {
        let hosts = self.fleet.hosts.iter().enumerate();
        hosts.filter(|(_, host)| host.lost.is_none()).map(|(number, _)| number)
    }

    /// The jobs of each host; none for those that are lost.
    fn orders(&self, jobs: &[Job]) -> Result<Vec<Vec<Job>>, MethodError> {
        let living: Vec<usize> = self.living().collect();
        if living.is_empty() {
            return Err(self.all_lost());
        }
        let place = |&number: &usize| Place { span: self.ready[number].span, number };
        let places: Vec<Place> = living.iter().map(place).collect();
        let all = self.ready.len();
        let shared = share::orders(jobs, &places, self.fleet.span, all, self.turn);
        let mut orders = vec![Vec::new(); all];
        for (number, jobs) in living.into_iter().zip(shared) {
            orders[number] = jobs;
        }
        Ok(orders)
    }

    /// Writes down who was lost, and gives back what the others gave.
    fn losses(&mut self, round: Round, jobs: &[Job], at: Nanos) -> Vec<Vec<HostCell>> {
        let cell = jobs.first().map_or("", |job| job.name.as_str());
        let mut gave = Vec::new();
        for (number, came) in round.gave.into_iter().enumerate() {
            match came {
                Gave::Rested => gave.push(Vec::new()),
                Gave::Cells(cells) => gave.push(cells),
                Gave::Lost(reason) => {
                    self.lose(number, cell, reason, at);
                    gave.push(Vec::new());
                }
            }
        }
        gave
    }

    fn lose(&mut self, number: usize, cell: &str, reason: String, at: Nanos) {
        let Some(host) = self.fleet.hosts.get_mut(number) else { return };
        host.lost = Some(Lost { at, cell: Some(cell.to_owned()), reason });
    }

    /// The total of one job, which is kept with what each host gave to it; `None` where nobody
    /// gave anything. A host whose figures contradict themselves is lost, too.
    fn total(
        &mut self,
        job: &Job,
        role: CellRole,
        planned: Nanos,
        gave: &[Vec<HostCell>],
    ) -> Option<Cell> {
        let of_job =
            |cells: &Vec<HostCell>| cells.iter().find(|c| c.cell.name == job.name).cloned();
        let mut parts: Vec<Option<HostCell>> = gave.iter().map(of_job).collect();
        let merged = loop {
            let total = self.asked(job, role, planned, &parts);
            let came = merged(&total, &self.parts(&parts));
            match came {
                Ok(merged) => break merged,
                Err(MergeError::Nobody { .. }) => return None,
                Err(MergeError::Damaged { host, what, .. }) => {
                    let number = self.fleet.hosts.iter().position(|known| known.name == host)?;
                    parts[number].take()?;
                    let reason = format!("its figures cannot be used: {what}");
                    self.lose(number, &job.name, reason, planned);
                }
            }
        };
        self.fleet.cells.push(merged.met);
        for (host, part) in self.fleet.hosts.iter_mut().zip(parts) {
            host.cells.extend(part.map(|part| thinned(&part)));
        }
        Some(merged.cell)
    }

    /// What was asked of all hosts together, and who of them gave nothing.
    fn asked<'job>(
        &self,
        job: &'job Job,
        role: CellRole,
        planned: Nanos,
        parts: &[Option<HostCell>],
    ) -> Total<'job> {
        let names = |lost: bool| -> Vec<String> {
            let without = self.fleet.hosts.iter().zip(parts).filter(|(_, part)| part.is_none());
            let of = without.filter(|(host, _)| host.lost.is_some() == lost);
            of.map(|(host, _)| host.name.clone()).collect()
        };
        let mut missing = names(true);
        missing.extend(self.absent.iter().map(|host| host.name.clone()));
        Total { job, role, planned, idle: names(false), missing }
    }

    fn parts<'part>(&'part self, given: &'part [Option<HostCell>]) -> Vec<Part<'part>> {
        let part = |(host, given): (&'part FleetHost, &'part Option<HostCell>)| {
            let clock_error = host.clock.map_or(Nanos::ZERO, |clock| clock.error);
            Some(Part { host: &host.name, given: given.as_ref()?, clock_error })
        };
        self.fleet.hosts.iter().zip(given).filter_map(part).collect()
    }

    /// Ends the run on all hosts; what is known of them then.
    pub(crate) fn finish(mut self, plan: &Plan) -> Fleet {
        self.fleet.hosts.append(&mut self.absent);
        self.fleet.hosts.sort_by(|a, b| a.name.cmp(&b.name));
        self.hosts.finish(plan, &mut self.fleet);
        self.fleet
    }
}

/// Why hosts cannot share a folder. Each of them finds out itself, before anything is laid out.
#[must_use]
pub fn not_shared(span: FleetSpan) -> MethodError {
    let what = format!(
        "--span {} is for one file or device that all hosts share, but in a folder each host makes \
         a test file of its own",
        span.name()
    );
    MethodError::request(what, "name the file or device, or leave --span out")
}

/// Refuses to divide what is not one target, or too small for so many.
fn divisible(members: &[Member]) -> Result<(), MethodError> {
    let first = members[0].ready.span;
    let other = members.iter().find(|member| member.ready.span != first);
    if let Some(other) = other {
        let (a, b) = (&members[0], other);
        let what = format!(
            "--span split divides one target, but {} has {} and {} has {}",
            a.host.name, a.ready.span.length, b.host.name, b.ready.span.length
        );
        return Err(MethodError::request(what, "give --size, or leave --span out"));
    }
    let part = share::part_length(first.length, members.len() as u64);
    if part < SPAN_MIN {
        let count = members.len();
        let what = format!("a part of {part} for each of {count} hosts is too small");
        return Err(MethodError::request(
            what,
            format!("give at least {SPAN_MIN} to each: --size"),
        ));
    }
    Ok(())
}
