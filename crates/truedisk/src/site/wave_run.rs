//! A run on many hosts: on all at once, or on one wave after the other, each of which is a whole
//! run of its own.

use std::time::Instant;

use analysis::fleet::WaveJoin;
use engine::{SplitMix64, StopSignal};
use fleet::{AgentInfo, AgentName, Coordinator, RunName, WaveLimits};
use history::History;
use jiff::Timestamp;
use message::{Message, messages};
use method::{MeasureRequest, MethodError, Observer, Place, make_run_id};
use record::reasons::{EndedItself, HostLost, Interrupted};
use record::{Completion, FleetHost, FleetSpan, FleetWaves, OthersSeen, Record};
use units::{ErrorKind, Nanos, Seed};
use workload::Bound;

use super::host_records::{save_one, unsaved_records};
use crate::terminal;

pub(super) type RunMethod<'m> = &'m mut dyn for<'a> FnMut(
    MeasureRequest,
    Place<'a>,
    &'a StopSignal,
    &'a mut dyn Observer,
) -> Result<Record, MethodError>;

pub(super) struct HostRun<'a> {
    pub(super) coordinator: &'a Coordinator,
    pub(super) span: FleetSpan,
    pub(super) limits: &'a WaveLimits,
    pub(super) keeps_records: bool,
    pub(super) stop: &'a StopSignal,
    /// The bound on the latency of others' requests; `stop` is raised when it is not kept.
    pub(super) stop_on: Option<Bound>,
    /// The host where it was not kept, and all that it saw of others.
    pub(super) breach: Option<(AgentName, OthersSeen)>,
    /// Opened for the first record.
    pub(super) history: Option<History>,
}

impl HostRun<'_> {
    pub(super) fn measure_at_once(
        &mut self,
        hosts: Vec<AgentInfo>,
        run: RunName,
        request: MeasureRequest,
        observer: &mut dyn Observer,
        method: RunMethod<'_>,
    ) -> Result<Record, MethodError> {
        let (history, keeps_records) = (&mut self.history, self.keeps_records);
        let mut keep = |record: &Record| match keeps_records {
            true => save_one(history, record).map_err(|failure| unsaved_records(&failure)),
            false => Ok(()),
        };
        let hosts = self.coordinator.open_session(hosts, self.span, run, &mut keep)?;
        let mut hosts = hosts.stop_on(self.stop_on, self.stop);
        let result = method(request, Place::Hosts(&mut hosts), self.stop, observer);
        self.breach = hosts.find_breach().map(|(host, seen)| (host.clone(), seen.clone()));
        let reason = describe_breach(self.stop_on, self.breach.as_ref());
        let record = match (result, reason) {
            (Err(error), None) => return Err(error),
            (Err(_), Some(reason)) => return Err(refuse_slowing(&reason)),
            (Ok(record), None) => record,
            (Ok(record), Some(reason)) => end_record(record, reason),
        };
        // Hosts may remove only what is safe here.
        if let Err(unsaved) = hosts.acknowledge() {
            observer.on_note(unsaved);
        }
        Ok(record)
    }

    /// A wave begins when the one before it has ended. A wave that fails as a whole, or that is
    /// ended on its hosts, is the last: the next hosts may fail for the same reason.
    pub(super) fn measure_waves(
        &mut self,
        waves: Vec<Vec<AgentInfo>>,
        request: &MeasureRequest,
        observer: &mut dyn Observer,
        method: RunMethod<'_>,
    ) -> Result<Record, MethodError> {
        let (begun, planned) = (Instant::now(), waves.len());
        let run = new_run_name(request.seed.0)?;
        let id = make_run_id(Timestamp::now(), request.seed);
        let mut join = WaveJoin::new(self.describe_limits(planned), self.span);
        observer.on_note(&terminal::tell(WavesTotalTime { waves: planned }));
        let mut left = (1..).zip(waves);
        for (number, hosts) in left.by_ref() {
            let words = WaveBegins {
                wave: number,
                waves: planned,
                hosts: record::describe_host_count(hosts.len()),
            };
            observer.on_note(&terminal::tell(words));
            let of_wave: Vec<FleetHost> = hosts.iter().map(describe_agent).collect();
            let started = elapsed_since(begun);
            let name = wave_run_name(&run, number)?;
            let request = wave_request(request, number);
            match self.measure_at_once(hosts, name, request, observer, &mut *method) {
                Ok(mut record) => {
                    record.measured.id = format!("{id}-wave{number}");
                    self.keep_wave(&record, observer);
                    let loss = find_ending_loss(&record);
                    join.add_record(record, started, elapsed_since(begun));
                    if let Some(reason) = loss {
                        join.end(reason, true);
                        break;
                    }
                }
                Err(error) if !join.has_records() => return Err(error),
                Err(error) => {
                    let reason = Message::from_text(error.to_string());
                    let of_wave = self.mark_breach(of_wave);
                    join.add_failure(of_wave, reason.clone(), started, elapsed_since(begun));
                    if !self.stop.is_raised() || self.breach.is_some() {
                        join.end(reason, true);
                        break;
                    }
                }
            }
            if self.stop.is_raised() {
                join.end(Interrupted {}.into(), false);
                break;
            }
        }
        let not_begun = left.flat_map(|(_, hosts)| hosts).map(|host| host.name.to_string());
        let mut not_begun: Vec<String> = not_begun.collect();
        not_begun.sort();
        let joined = join.finish(run.to_string(), id, not_begun);
        let mut measured =
            joined.ok_or_else(|| MethodError::Unready("nothing was measured".to_owned()))?;
        measured.plan.seed = request.seed;
        Ok(analysis::judge_record(measured))
    }

    /// The hosts of a wave that measured nothing, with what ended it.
    fn mark_breach(&self, mut hosts: Vec<FleetHost>) -> Vec<FleetHost> {
        let Some((name, seen)) = &self.breach else { return hosts };
        if let Some(host) = hosts.iter_mut().find(|host| host.name == name.as_str()) {
            host.others = Some(seen.clone());
        }
        hosts
    }

    fn describe_limits(&self, planned: usize) -> FleetWaves {
        let limits = &self.limits;
        let per_tag = limits.per_tag.iter();
        FleetWaves {
            at_most: limits.at_most.map(|hosts| u64::from(hosts.get())),
            per_tag: per_tag
                .map(|limit| (limit.key.clone(), u64::from(limit.hosts_max.get())))
                .collect(),
            planned: planned as u64,
            ..FleetWaves::default()
        }
    }

    /// Its totals are in its own record only.
    fn keep_wave(&mut self, record: &Record, observer: &mut dyn Observer) {
        if !self.keeps_records {
            return;
        }
        if let Err(failure) = save_one(&mut self.history, record) {
            let id = &record.measured.id;
            observer.on_note(&format!("{id} was not kept: {}", failure.message));
        }
    }
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
pub(crate) fn new_run_name(seed: u64) -> Result<RunName, MethodError> {
    let name = format!("{}-{:08x}", Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), seed as u32);
    name.parse().map_err(|error: String| MethodError::Request {
        what: error,
        hint: "is the clock of this host set?".to_owned(),
    })
}

fn describe_breach(
    stop_on: Option<Bound>,
    breach: Option<&(AgentName, OthersSeen)>,
) -> Option<Message> {
    let (host, seen) = breach?;
    Some(seen.breach.as_ref()?.describe(host.as_str(), &stop_on?))
}

fn refuse_slowing(reason: &Message) -> MethodError {
    MethodError::Hosts {
        what: reason.text().to_owned(),
        hint: Some("measure when others need the disks less, or raise --stop-on".to_owned()),
        kind: ErrorKind::Refused,
    }
}

fn end_record(mut record: Record, reason: Message) -> Record {
    record.measured.completion = Completion::Partial { reason, failed: true };
    analysis::judge_record(record.measured)
}

fn elapsed_since(begun: Instant) -> Nanos {
    Nanos(begun.elapsed().as_nanos().try_into().unwrap_or(u64::MAX))
}

fn describe_agent(agent: &AgentInfo) -> FleetHost {
    FleetHost { labels: agent.labels.clone(), ..FleetHost::new(agent.name.as_str()) }
}

/// Agents keep records by the name of the run: `fleet collect` of a wave whose coordinator is gone
/// adds up the hosts of that wave.
fn wave_run_name(run: &RunName, number: u64) -> Result<RunName, MethodError> {
    let name = format!("{run}-wave{number}");
    name.parse().map_err(MethodError::Unready)
}

/// Seeds tell the records of hosts of different waves apart.
fn wave_request(request: &MeasureRequest, number: u64) -> MeasureRequest {
    let seed = Seed(SplitMix64(request.seed.0.wrapping_add(number)).next_bits());
    MeasureRequest { seed, ..request.clone() }
}

/// The loss of a host that lets no further wave begin: it was told to end, or nobody was left.
fn find_ending_loss(record: &Record) -> Option<Message> {
    let hosts = &record.measured.fleet.as_ref()?.hosts;
    let mut lost = hosts.iter().filter_map(|host| Some((host, host.lost.as_ref()?)));
    let ended = Message::from(EndedItself {});
    let (host, lost) = match lost.clone().count() == hosts.len() {
        true => lost.next(),
        false => lost.find(|(_, lost)| lost.reason == ended),
    }?;
    let (host, reason) = (host.name.clone(), lost.reason.clone());
    Some(HostLost { host, reason }.into())
}

messages! {
    pub(crate) static MESSAGES;
    WavesTotalTime = "waves-total-time" { waves: usize };
    WaveBegins = "wave-begins" { wave: u64, waves: usize, hosts: Message };
}
