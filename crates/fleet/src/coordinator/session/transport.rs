//! A run as `method` sees it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::StopSignal;
use method::phase::{LayingOutFiles, LookingAtTargets};
use method::{
    CellResults, HostReadiness, HostRequest, HostTransport, MethodError, Observer, ReadyHost,
    TargetIdentity,
};
use record::{CellRole, Fleet, FleetHost, FleetSpan, HostCell, Plan, Record};
use units::Nanos;
use workload::Job;

use super::fleet_session::{
    FleetSession, LOST_ORDER_TIMEOUT, ORDER_TIMEOUT, RUN_PINGS, RecordSink, host_seed,
};
use super::remote_host::RemoteHost;
use crate::coordinator::link::OrderError;
use crate::error::FleetError;
use crate::message::{BeginRun, FetchItem, Order, Phase, StopCause};
use crate::name::AgentName;
use crate::payload;

/// Added to the time of a layout: the last blocks, and a sync.
const LAYOUT_GRACE: Duration = Duration::from_secs(60);
const FINISH_TIMEOUT: Duration = Duration::from_secs(60);
const LOST_FINISH_TIMEOUT: Duration = Duration::from_secs(8);

impl HostTransport for FleetSession<'_> {
    fn share_depth(&self, depth: u32) -> u32 {
        let (hosts, most) = (self.hosts.len() as u64, self.waves.hosts_max as u64);
        let share = (u64::from(depth) * hosts + most / 2).checked_div(most);
        share.map_or(depth, |share| share.max(1) as u32)
    }

    fn prepare(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
        observer: &mut dyn Observer,
    ) -> Result<method::HostGroup, MethodError> {
        observer.on_note(&self.describe_run());
        if let Some(note) = self.prepare_stream() {
            observer.on_note(&note);
        }
        observer.on_phase(&LookingAtTargets {}.into(), 0.0);
        self.ask_guards(asked, stop)?;
        self.begin_cells(asked, RUN_PINGS, stop)?;
        observer.on_phase(&LayingOutFiles {}.into(), 0.0);
        let timeout = Duration::from_nanos(asked.setting.layout.0) + LAYOUT_GRACE;
        let ready = |phase: &Phase| matches!(phase, Phase::Ready).then_some(Ok(()));
        let (refused, _) = self.prepare_hosts(timeout, &ready, stop)?;
        self.check_replies(refused, stop)?;
        let hosts = self.fetch_readiness();
        let absent = self.hosts.iter_mut().filter(|host| host.lost.is_some());
        let processors = hosts.iter().map(|host| host.ready.environment.cpus).min();
        Ok(method::HostGroup {
            run: self.run.to_string(),
            span: self.span,
            processors: processors.unwrap_or(1),
            absent: absent.map(RemoteHost::take_fleet_host).collect(),
            hosts,
        })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&engine::Progress),
    ) -> Result<CellResults, MethodError> {
        Ok(self.measure_cell(orders, role, stop, progress))
    }

    fn load_cells(&mut self, host: usize) -> Result<Vec<HostCell>, String> {
        Self::load_cells(self, host)
    }

    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet) {
        let (mut live, mut lost) = (self.live_hosts(), self.lost_hosts());
        let finish = Order::Finish { run: self.run.clone(), plan: Box::new(plan.clone()) };
        let names = live.iter().map(|&number| self.hosts[number].name());
        let told = self.block_on(self.link.send_to_some(names, &finish, ORDER_TIMEOUT));
        live.retain(|&number| told.binary_search(self.hosts[number].name()).is_ok());
        // A lost host may be back with what it measured.
        let stop = |_| self.stop_order(StopCause::Coordinator);
        let silent = self.send_to(&lost, LOST_ORDER_TIMEOUT, stop);
        lost.retain(|number| silent.iter().all(|(other, _)| other != number));
        self.wait_for(&live, FINISH_TIMEOUT, &is_over, &mut |_| true);
        self.wait_for(&lost, LOST_FINISH_TIMEOUT, &is_over, &mut |_| true);
        fleet.late = self.inbox.late.map(|late| Nanos(late.as_nanos() as u64));
        fleet.stop_on = self.stop_on.as_ref().map(|(bound, _)| *bound);
        self.inbox.close();
        self.collect_records(fleet);
        fleet.relays = self.inbox.relays.describe();
        self.needs_stop = false;
    }
}

fn is_over(phase: &Phase) -> Option<Result<(), String>> {
    phase.is_over().then_some(Ok(()))
}

/// Storage that several hosts share is legal: only one host can tell that two are the same.
fn check_distinct_targets(
    targets: impl Iterator<Item = (AgentName, TargetIdentity)>,
    path: &Path,
) -> Result<(), FleetError> {
    let mut agents: HashMap<TargetIdentity, AgentName> = HashMap::new();
    for (name, target) in targets {
        if let Some(other) = agents.get(&target) {
            let what = format!(
                "{other} and {name} are agents of one host, and {} is the same for both: it would \
                 count as two targets",
                path.display()
            );
            let hint = "choose one of them with --hosts, or give --span shared";
            return Err(FleetError::wrong_request(what, hint));
        }
        agents.insert(target, name);
    }
    Ok(())
}

impl FleetSession<'_> {
    fn begin_cells(
        &mut self,
        asked: &HostRequest<'_>,
        pings: u32,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let begin = |session: &Self, n| Order::Begin(Box::new(session.begin_order(asked, n)));
        self.begin_run(begin, pings, stop)?;
        let target = |host: &'_ RemoteHost| match host.phase() {
            Some(Phase::Examined { target }) => Some((host.name().clone(), target.clone()?)),
            _ => None,
        };
        match self.span {
            FleetSpan::Own => {
                check_distinct_targets(self.hosts.iter().filter_map(target), &asked.ask.path)
            }
            FleetSpan::Shared | FleetSpan::Split => Ok(()),
        }
    }

    /// Begins a run on all hosts of all waves, which ends when the guards have spoken. A host that
    /// does not answer is asked again in its own wave.
    fn ask_guards(&mut self, asked: &HostRequest<'_>, stop: &StopSignal) -> Result<(), FleetError> {
        let all = std::mem::take(&mut self.waves.guarded);
        if all.is_empty() {
            return Ok(());
        }
        let run = format!("{}-guards", self.run)
            .parse()
            .map_err(|error: String| FleetError::failed(error, "is the clock of this host set?"))?;
        let keep: RecordSink<'_> = &mut |_, _| Ok(());
        let mut guards = FleetSession::new(self.link, (all, Arc::default()), self.span, run, keep)?;
        // Nothing is measured yet: others' requests end nothing.
        let stop_on = self.stop_on.as_ref();
        guards.stop_on = stop_on.map(|(bound, _)| (*bound, StopSignal::default()));
        guards.begin_cells(asked, 0, stop)?;
        let live = guards.live_hosts();
        let end = |_| guards.stop_order(StopCause::TargetChecked);
        guards.send_to(&live, ORDER_TIMEOUT, end);
        guards.wait_for(&live, LOST_FINISH_TIMEOUT, &is_over, &mut |_| true);
        guards.needs_stop = false;
        Ok(())
    }

    fn begin_order(&self, asked: &HostRequest<'_>, number: usize) -> BeginRun {
        let ask = asked.ask;
        BeginRun {
            run: self.run.clone(),
            path: ask.path.clone(),
            size: ask.size,
            read_only: ask.read_only,
            destroy: ask.destroy_data_on.clone(),
            seed: host_seed(ask.seed, number),
            command: ask.command.clone(),
            setting: asked.setting.clone(),
            plan: asked.plan.clone(),
            profile: asked.profile.cloned(),
            stop_on: self.stop_on.as_ref().map(|(bound, _)| *bound),
            sharing: self.span,
            members: self.members(number),
        }
    }

    /// The readiness of each host; a host that does not send it is lost.
    fn fetch_readiness(&mut self) -> Vec<ReadyHost> {
        let (who, what) = (self.live_hosts(), FetchItem::Readiness);
        let mut hosts = Vec::new();
        self.fetch_from(&who, what, ORDER_TIMEOUT, &mut |session, number, bytes| {
            let ready = bytes.and_then(|bytes| {
                payload::unpack_json::<HostReadiness>(&bytes).map_err(OrderError::from_text)
            });
            match ready {
                Ok(ready) => {
                    let host = FleetHost {
                        environment: ready.environment.clone(),
                        target: Some(ready.info.clone()),
                        calibration: ready.calibration.clone(),
                        ..session.hosts[number].take_fleet_host()
                    };
                    session.hosts[number].was_ready = true;
                    hosts.push(ReadyHost { host, ready });
                }
                Err(error) => session.mark_lost(number, error.message()),
            }
        });
        hosts
    }

    /// Keeps the record of each host, one after the other, and what the run's record has of it.
    fn collect_records(&mut self, fleet: &mut Fleet) {
        let (live, lost) = (self.live_hosts(), self.lost_hosts());
        let mut places: HashMap<String, &mut FleetHost> =
            fleet.hosts.iter_mut().map(|host| (host.name.clone(), host)).collect();
        let events = &mut fleet.events;
        for (who, timeout) in [(live, ORDER_TIMEOUT), (lost, LOST_ORDER_TIMEOUT)] {
            self.fetch_from(&who, FetchItem::Record, timeout, &mut |session, number, bytes| {
                let remote = &session.hosts[number];
                let Some(host) = places.get_mut(remote.name().as_str()) else { return };
                host.clock = remote.clock_now().or(host.clock);
                host.others = remote.others().cloned();
                let record = bytes.and_then(|bytes| {
                    payload::unpack_to_keep(bytes).map_err(OrderError::from_text)
                });
                match record {
                    Ok((record, packed)) => {
                        if session.unsaved.is_none() {
                            session.unsaved = (session.keep)(&record, packed.as_deref()).err();
                        }
                        session.take_record(number, record, host);
                    }
                    Err(error) if host.lost.is_none() => events.push(format!(
                        "{}: its own record is not here: {}; fetch it: truedisk fleet collect {}",
                        host.name,
                        error.message().text(),
                        session.run
                    )),
                    Err(_) => {}
                }
            });
        }
    }

    fn take_record(&mut self, number: usize, record: Record, host: &mut FleetHost) {
        self.hosts[number].has_result = true;
        let findings = record.judgement.map(|judgement| judgement.findings);
        host.findings = self.findings.share(findings.unwrap_or_default());
        host.record = Some(record.measured.id);
        host.completion = Some(record.measured.completion);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_agents_of_one_host_on_one_file_are_not_two_targets() {
        let target = |name: &str, (boot_id, device, inode): (&str, u64, u64)| {
            let boot_id = boot_id.to_owned();
            (name.parse().unwrap(), TargetIdentity { boot_id, device, inode })
        };
        let check = |second: (&str, u64, u64), is_refused: bool| {
            let targets = [target("a", ("b1", 8, 12)), target("b", second)];
            let came = check_distinct_targets(targets.into_iter(), Path::new("/srv/x"));
            assert_eq!(came.is_err(), is_refused, "{second:?}");
            if let Err(error) = came {
                assert!(error.to_string().starts_with("a and b are agents of one host"), "{error}");
                assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
            }
        };
        check(("b1", 8, 12), true);
        // Another host, which may share the storage; another device; another file.
        check(("b2", 8, 12), false);
        check(("b1", 9, 12), false);
        check(("b1", 8, 13), false);
    }
}
