//! The other side of a run over many hosts: a target on this host, measured on command. Jobs that
//! leave its span, write where nothing may be written, or need too much memory are refused.

use std::os::unix::fs::MetadataExt as _;

use engine::{Clock, Progress, SimulatedDevice, StopSignal, Target};
use record::{CellRole, Completion, HostCell, Plan, Record, TargetInfo, TargetKind};
use target::{PathHandle, Roots, read_boot_id};
use units::{Bytes, Nanos};
use workload::Job;

use crate::defaults::MEMORY_MAX;
use crate::error::{MethodError, refuse};
use crate::host_transport::{HostReadiness, TargetIdentity};
use crate::observer::Observer;
use crate::prepared_target::prepare_span;
use crate::record_builder::{describe_host, ended_early};
use crate::replay::on_hosts::HostReplay;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::sent_profile::SentProfile;
use crate::session::Session;

const CONCURRENT_JOBS_MAX: usize = 2;
/// The longest that one cell may take: a soak of some hours and no more.
const CELL_MAX: Nanos = Nanos::secs(24 * 3600);
/// The most slices of a time series, all of which are held in memory: a day in tenths of a second.
const INTERVALS_MAX: u64 = 1 << 20;

/// A target on this host, ready to be measured at a signal.
pub struct HostSession<'a> {
    session: Session<'a>,
    ask: MeasureRequest,
    replay: Option<HostReplay>,
}

impl<'a> HostSession<'a> {
    /// Whether this host would measure what is asked on `target`, which is open since it was found
    /// to be allowed: everything that the guard says is found out, and nothing is left behind.
    pub fn examine_target(
        ask: &MeasureRequest,
        target: &PathHandle,
        setting: &LayoutBudget,
        roots: &Roots,
        observer: &mut dyn Observer,
    ) -> Result<(TargetInfo, Option<TargetIdentity>), MethodError> {
        let (prepared, span) = prepare_span(ask, target, setting, roots, observer)?;
        let align = prepared.opened.offset_align;
        crate::request_checks::check_block_sizes(&setting.block_sizes, align, span.length)?;
        Ok((prepared.info, identify_target(target, roots)))
    }

    /// Looks at the target, lays out a test file where it is a folder, and makes ready to measure.
    pub fn prepare(
        ask: &MeasureRequest,
        target: &PathHandle,
        setting: &LayoutBudget,
        roots: &Roots,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, MethodError> {
        let session = Session::open_on(ask, target, setting, roots, stop, observer)?;
        match &session.completion {
            Completion::Partial { reason, .. } => {
                Err(MethodError::Unready(reason.text().to_owned()))
            }
            Completion::Complete => Ok(Self { session, ask: ask.clone(), replay: None }),
        }
    }

    /// The same with a load, which jobs of the role [`CellRole::Replay`] replay.
    pub fn with_profile(
        self,
        profile: Option<&SentProfile>,
        plan: &Plan,
    ) -> Result<Self, MethodError> {
        let replay = profile.map(|profile| HostReplay::new(profile, plan)).transpose()?;
        Ok(Self { replay, ..self })
    }

    /// The same session, whose operations go to a simulated device of the target's size instead
    /// of to the target, which nothing reads or writes any more. For measuring what agents and
    /// their coordinator cost, with more hosts than there are disks; no command leads here.
    pub fn with_simulated_device(mut self, device: SimulatedDevice) -> Self {
        if let Some(local) = self.session.site.local_mut() {
            let size = local.runner.target.size();
            local.runner.target = Target::simulated(device, size);
            // Nothing reaches the disks below the target: their counters say nothing.
            local.runner.observed = None;
        }
        // No page cache lies before it.
        self.session.facts.direct = true;
        self.session.facts.info.direct = true;
        self
    }

    #[cfg(test)]
    pub(crate) fn with_session(session: Session<'a>, ask: MeasureRequest) -> Self {
        Self { session, ask, replay: None }
    }

    pub fn readiness(&self) -> HostReadiness {
        let session = &self.session;
        HostReadiness {
            environment: describe_host(&session.facts.roots),
            info: session.described_info(),
            calibration: session.facts.calibration.clone(),
            span: session.facts.span,
            offset_align: session.facts.offset_align,
            direct: session.facts.direct,
            writable: session.facts.writable,
            layout: session.facts.layout.clone(),
        }
    }

    /// Measures one cell, or two at the same time, from the instant that `start` gives as a reading
    /// of the clock once all workers are ready. `None` where it gives none. Names and seeds are
    /// taken as they come.
    pub fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        start: &mut dyn FnMut(&Clock) -> Option<u64>,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Vec<HostCell>>, MethodError> {
        self.check_jobs(jobs)?;
        let facts = &self.session.facts;
        let Some(local) = self.session.site.local_mut() else { return Ok(None) };
        let replay = self.replay.as_ref().filter(|_| role == CellRole::Replay);
        if let (Some(replay), [job]) = (replay, jobs) {
            replay.load_into(&mut local.runner, facts, job.span)?;
        }
        let begun = local.runner.measure_at_start(jobs, role, stop, start, observer)?;
        if let Some(error) = replay.and_then(HostReplay::take_failure) {
            return Err(error);
        }
        let Some(begun) = begun else { return Ok(None) };
        // The coordinator has a job measured again whose first figures it left out.
        self.session.cells.retain(|cell| jobs.iter().all(|job| job.name != cell.name));
        self.session.cells.extend(begun.cells.iter().cloned());
        let host_cell = |(cell, late): (record::Cell, Nanos)| HostCell {
            began_ns: i64::try_from(late.0).unwrap_or(i64::MAX),
            cell: Box::new(cell),
        };
        Ok(Some(begun.cells.into_iter().zip(begun.late).map(host_cell).collect()))
    }

    fn check_jobs(&self, jobs: &[Job]) -> Result<(), MethodError> {
        if jobs.is_empty() || jobs.len() > CONCURRENT_JOBS_MAX {
            let what = format!("{} jobs at the same time", jobs.len());
            return refuse(what, "one or two can be measured together");
        }
        let whole = self.session.facts.span;
        for job in jobs {
            let end = job.span.offset.0.checked_add(job.span.length.0);
            let inside = end.is_some_and(|end| {
                job.span.offset >= whole.offset && end <= whole.offset.0 + whole.length.0
            });
            let memory = job.max_block_size().0.saturating_mul(u64::from(job.depth.0));
            let time = job.stop.time.unwrap_or(CELL_MAX).0.min(CELL_MAX.0);
            let intervals = time.saturating_add(job.warm_up.0) / job.interval.0.max(1);
            let endless = job.stop.time.is_none_or(|time| time > CELL_MAX);
            let refusals = [
                (!inside, "leaves the part of the target that it may touch".to_owned()),
                (
                    job.mix.writes() && !self.session.facts.writable,
                    "writes, and nothing may be written here".to_owned(),
                ),
                (memory > MEMORY_MAX.0, format!("needs {} at the same time", Bytes(memory))),
                (job.verify.is_some(), "reads back and compares, which no cell does".to_owned()),
                (
                    endless && job.stop.operations.is_none(),
                    "has no end that is near enough".to_owned(),
                ),
                (job.warm_up > CELL_MAX, format!("warms up for {}", job.warm_up)),
                (
                    job.interval > CELL_MAX || intervals > INTERVALS_MAX,
                    format!("has intervals of {}", job.interval),
                ),
            ];
            if let Some((_, what)) = refusals.into_iter().find(|(is_refused, _)| *is_refused) {
                return refuse(format!("job '{}' {what}", job.name), "ask for another job");
            }
        }
        Ok(())
    }

    /// Says how it goes, while nothing is measured.
    pub fn elapsed(&self) -> Nanos {
        self.session.elapsed()
    }

    /// The record of everything that was measured here, judged; `early` is why that is not all.
    /// The test file is removed.
    pub fn finish(mut self, plan: Plan, early: Option<String>) -> Record {
        if let Some(reason) = early {
            self.session.completion = ended_early(message::Message::from_text(reason));
        }
        let plan = Plan {
            read_only: self.ask.read_only || self.session.facts.info.kind == TargetKind::File,
            ..plan
        };
        self.session.finish(&self.ask, plan)
    }
}

fn identify_target(target: &PathHandle, roots: &Roots) -> Option<TargetIdentity> {
    let metadata = target.metadata().ok().filter(|metadata| !metadata.is_dir())?;
    let (device, inode) = match target.is_block_device() {
        true => (metadata.rdev(), 0),
        false => (metadata.dev(), metadata.ino()),
    };
    Some(TargetIdentity { boot_id: read_boot_id(roots)?, device, inode })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use units::Seed;

    use super::*;
    use crate::observer::SilentObserver;

    /// The folder that an agent measures in is exchanged for a link out of what is allowed, all
    /// the time: test files are made, swept and removed where it was opened.
    #[test]
    fn exchanging_folders_leads_no_test_file_elsewhere() {
        const ROUNDS: u32 = 60;
        let scratch = lab::Scratch::new().unwrap();
        let base = fs::canonicalize(scratch.path()).unwrap();
        let (sub, link, out) =
            (base.join("allowed/sub"), base.join("allowed/link"), base.join("out"));
        fs::create_dir_all(&sub).unwrap();
        fs::create_dir(&out).unwrap();
        symlink(&out, &link).unwrap();
        let leftover = b"truedisk test file 1\nid dead\n";
        fs::write(out.join(".truedisk-dead.tmp"), leftover).unwrap();
        let allowed = PathHandle::open(&base.join("allowed")).unwrap();
        let roots = Roots::host();
        let setting = LayoutBudget {
            block_sizes: Vec::new(),
            size: Bytes::mib(16),
            layout: Nanos::secs(1),
            budget: Nanos::secs(10),
            measures_writes: true,
            known_writes: None,
            name: None,
        };
        let ask = MeasureRequest {
            path: sub.clone(),
            size: Some(Bytes::mib(16)),
            read_only: false,
            destroy_data_on: None,
            seed: Seed(7),
            command: record::CommandLine::default(),
            max_written: None,
            version: "test".to_owned(),
        };
        let (mut done, mut refused) = (0, 0);
        let exchange = lab::NameExchanger::start(&sub, &link);
        while done < ROUNDS {
            let Ok(target) = allowed.open_beneath("sub".as_ref()) else {
                refused += 1;
                continue;
            };
            HostSession::examine_target(&ask, &target, &setting, &roots, &mut SilentObserver)
                .unwrap();
            done += 1;
        }
        drop(exchange);
        assert!(refused > 0, "it was never exchanged");
        let names = |folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names(&out).collect::<Vec<_>>(), [".truedisk-dead.tmp"]);
        assert_eq!(fs::read(out.join(".truedisk-dead.tmp")).unwrap(), leftover);
        assert_eq!(names(&sub).count(), 0, "nothing is left behind");
    }
}
