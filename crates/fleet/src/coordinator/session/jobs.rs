//! fio's jobs on all hosts.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use engine::StopSignal;
use fio::plan::Section;
use fio::print::EtaState;
use fio_run::{JobsObserver, RemoteResult, SentJobs};
use record::Lost;
use record::reasons::JobsNotBelieved;
use units::{Nanos, Seed};

use super::fleet_session::{FleetSession, LOST_ORDER_TIMEOUT, ORDER_TIMEOUT, RUN_PINGS, host_seed};
use super::remote_host::RemoteHost;
use crate::error::FleetError;
use crate::message::{BeginJobs, FetchItem, Order, Phase, StopCause, add_jobs_progress};
use crate::name::AgentName;
use crate::payload;
use crate::spool::{START_TURN, SavedJobs};

/// A job takes a day at most, and there are waves of them.
const JOBS_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Hosts report as often.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// Age at which a host's progress counts no more.
const STALE_AFTER: Duration = Duration::from_millis(1_500);

#[derive(Clone, Copy)]
pub struct HostJobsRequest<'a> {
    pub jobs: &'a SentJobs,
    /// The same, typed: results are checked against them.
    pub sections: &'a [Section],
    pub read_only: bool,
    /// The device whose data may be destroyed.
    pub destroy: Option<&'a Path>,
    /// For jobs that do not repeat their seed.
    pub fresh: Seed,
}

#[derive(Debug)]
pub struct HostJobsResult {
    pub name: AgentName,
    /// Maximum error of its start; absent if its clock was never measured.
    pub clock_error: Option<Nanos>,
    /// When and why it was given up.
    pub lost: Option<Lost>,
    /// Its figures; absent if it was lost.
    pub given: Option<RemoteResult>,
}

impl FleetSession<'_> {
    /// Runs jobs of fio on all hosts, from one instant; later waves start on each by itself.
    pub fn run_jobs(
        &mut self,
        request: &HostJobsRequest<'_>,
        stop: &StopSignal,
        observer: &mut dyn JobsObserver,
    ) -> Result<Vec<HostJobsResult>, FleetError> {
        observer.on_note(&self.describe_run());
        if let Err(error) = self.link.check_size(&self.begin_jobs(request, 0)) {
            let what = format!("the jobs are too many for one message to a host: {error}");
            return Err(FleetError::wrong_request(what, "use numjobs=N for N copies of a section"));
        }
        let begin = |session: &Self, number| session.begin_jobs(request, number);
        self.begin_run(begin, RUN_PINGS, stop)?;
        let order_time = self.prepare_jobs(stop)?;
        let mut left = self.live_hosts();
        self.start_cell(&mut left, START_TURN, order_time);
        self.watch_jobs(&mut left, stop, observer);
        let mut results = self.fetch_results(&left, request.sections);
        if results.is_empty() {
            return Err(self.all_lost());
        }
        let result = |(number, host): (usize, &RemoteHost)| HostJobsResult {
            name: host.name().clone(),
            clock_error: host.clock_now().map(|clock| clock.error),
            lost: host.lost.clone(),
            given: results.remove(&number),
        };
        Ok(self.hosts.iter().enumerate().map(result).collect())
    }

    fn begin_jobs(&self, request: &HostJobsRequest<'_>, number: usize) -> Order {
        Order::BeginJobs(Box::new(BeginJobs {
            run: self.run.clone(),
            jobs: request.jobs.clone(),
            read_only: request.read_only,
            destroy: request.destroy.map(Path::to_owned),
            fresh: host_seed(request.fresh, number),
            members: self.members(number),
        }))
    }

    /// The time in which all hosts answered an order.
    fn prepare_jobs(&mut self, stop: &StopSignal) -> Result<Duration, FleetError> {
        let awaited = Phase::Armed { turn: START_TURN };
        let armed = |phase: &Phase| (*phase == awaited).then_some(Ok(()));
        let (refused, order_time) = self.prepare_hosts(JOBS_TIMEOUT, &armed, stop)?;
        if stop.is_raised() {
            let hint = "files that the jobs had made by then are left on the hosts, as fio does it";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        self.check_replies(refused, stop)?;
        if self.live_hosts().is_empty() {
            return Err(self.all_lost());
        }
        Ok(order_time)
    }

    fn watch_jobs(
        &mut self,
        left: &mut Vec<usize>,
        stop: &StopSignal,
        observer: &mut dyn JobsObserver,
    ) {
        let finished = |phase: &Phase| matches!(phase, Phase::Finished { .. }).then_some(Ok(()));
        let timing = (START_TURN, JOBS_TIMEOUT, PROGRESS_INTERVAL);
        let who = left.clone();
        let failures = self.wait_for_end(left, timing, &finished, stop, &mut |session| {
            if let Some(total) = session.total_progress(&who) {
                observer.on_progress(&total, 0);
            }
        });
        self.drop_failed(left, failures);
    }

    /// Total of the hosts that run and are not silent.
    fn total_progress(&self, who: &[usize]) -> Option<EtaState> {
        let is_running = |host: &&RemoteHost| {
            matches!(host.phase(), Some(Phase::Measuring { .. }))
                && host.last_heard().elapsed() < STALE_AFTER
        };
        let running = who.iter().map(|&number| &self.hosts[number]).filter(is_running);
        let mut reported = running.filter_map(RemoteHost::jobs_progress);
        let mut total = reported.next()?.clone();
        reported.for_each(|progress| add_jobs_progress(&mut total, progress));
        Some(total)
    }

    /// Fetches results; lost hosts are stopped and keep what they have.
    fn fetch_results(
        &mut self,
        left: &[usize],
        sections: &[Section],
    ) -> BTreeMap<usize, RemoteResult> {
        let mut results = BTreeMap::new();
        self.fetch_from(left, FetchItem::Record, ORDER_TIMEOUT, &mut |session, number, bytes| {
            let saved = bytes.map_err(|error| error.message()).and_then(|bytes| {
                payload::unpack_json::<SavedJobs>(&bytes).map_err(::message::Message::from_text)
            });
            let reason = match saved {
                Ok(saved) => match saved.given.find_contradiction(sections) {
                    None => {
                        session.hosts[number].has_result = true;
                        results.insert(number, saved.given);
                        return;
                    }
                    Some(error) => JobsNotBelieved { error }.into(),
                },
                Err(reason) => reason,
            };
            session.mark_lost(number, reason);
        });
        let stop = |_| self.stop_order(StopCause::Coordinator);
        self.send_to(&self.lost_hosts(), LOST_ORDER_TIMEOUT, stop);
        self.needs_stop = false;
        results
    }

    fn all_lost(&self) -> FleetError {
        let lost = self.hosts.iter().find_map(|host| {
            Some(format!("{}: {}", host.name(), host.lost.as_ref()?.reason.text()))
        });
        let what = format!("all hosts were lost: {}", lost.unwrap_or_default());
        let hint = format!("fetch what they kept: truedisk fleet collect {}", self.run);
        FleetError::failed(what, hint)
    }
}
