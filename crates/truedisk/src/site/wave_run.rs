//! A run on many hosts: on all at once, or on one wave after the other, each of which is a whole
//! run of its own.

use std::time::Instant;

use analysis::fleet::WaveJoin;
use engine::{SplitMix64, StopSignal};
use fleet::{AgentInfo, AgentName, Coordinator, RunName, WaveContext, WaveLimits};
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

/// Waves that are lost one after the other, until what they have in common is sought elsewhere.
const LOST_WAVES_MAX: usize = 3;

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
    pub(super) waves: WaveContext,
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
        let mut keep = |record: &Record, packed: Option<&[u8]>| match keeps_records {
            true => save_one(history, record, packed).map_err(|failure| unsaved_records(&failure)),
            false => Ok(()),
        };
        let hosts = self.coordinator.open_session(hosts, self.span, run, &mut keep)?;
        let guarded = std::mem::take(&mut self.waves.guarded);
        let hosts = hosts.with_waves(WaveContext { guarded, ..self.waves });
        let mut hosts = hosts.stop_on(self.stop_on, self.stop);
        let result = method(request, Place::Hosts(&mut hosts), self.stop, observer);
        self.breach = hosts.find_breach().map(|(host, seen)| (host.clone(), seen.clone()));
        if let Some(lost) = hosts.describe_lost_relays() {
            observer.on_note(&lost);
        }
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

    /// A wave begins when the one before it has ended. A wave that is refused, or that is ended on
    /// its hosts, is the last: the next hosts would meet the same. So is the last of several that
    /// are lost in a row, but not one that is lost alone.
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
        let hosts_max = waves.iter().map(Vec::len).max().unwrap_or(0);
        self.waves = WaveContext { guarded: waves.concat(), hosts_max };
        let mut lost_waves = LostWaves::default();
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
            let end = match self.measure_at_once(hosts, name, request, observer, &mut *method) {
                Ok(mut record) => {
                    record.measured.id = format!("{id}-wave{number}");
                    self.keep_wave(&record, observer);
                    let end = find_stopped(&record).or_else(|| lost_waves.add_record(&record));
                    join.add_record(record, started, elapsed_since(begun));
                    end
                }
                Err(error) => {
                    let end = lost_waves.add_error(&error);
                    if !join.has_records() && (self.stop.is_raised() || !error.is_loss()) {
                        return Err(error);
                    }
                    let (of_wave, reason) = (self.mark_breach(of_wave), error_message(&error));
                    join.add_failure(of_wave, reason, started, elapsed_since(begun));
                    end.filter(|_| !self.stop.is_raised() || self.breach.is_some())
                }
            };
            if let Some(reason) = end {
                join.end(reason, true);
                break;
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
        let mut measured = joined.ok_or_else(|| lost_waves.describe_all_lost(planned))?;
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
        if let Err(failure) = save_one(&mut self.history, record, None) {
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

/// A host of the wave that was told to end.
fn find_stopped(record: &Record) -> Option<Message> {
    let ended = Message::from(EndedItself {});
    let mut hosts = record.measured.fleet.as_ref()?.hosts.iter();
    let host = hosts.find(|host| host.lost.as_ref().is_some_and(|lost| lost.reason == ended))?;
    Some(HostLost { host: host.name.clone(), reason: ended }.into())
}

fn error_message(error: &MethodError) -> Message {
    Message::from_text(error.to_string())
}

/// The latest waves of which all hosts were lost.
#[derive(Default)]
struct LostWaves {
    in_a_row: usize,
    /// How the latest was lost.
    reason: Message,
}

impl LostWaves {
    /// Why no further wave begins.
    fn add_record(&mut self, record: &Record) -> Option<Message> {
        let hosts = &record.measured.fleet.as_ref()?.hosts;
        let mut lost = hosts.iter().filter_map(|host| Some((host, host.lost.as_ref()?)));
        let is_lost = lost.clone().count() == hosts.len();
        let Some((host, lost)) = lost.next().filter(|_| is_lost) else {
            self.in_a_row = 0;
            return None;
        };
        let (host, reason) = (host.name.clone(), lost.reason.clone());
        self.add_loss(HostLost { host, reason }.into())
    }

    /// Why no further wave begins.
    fn add_error(&mut self, error: &MethodError) -> Option<Message> {
        match error.is_loss() {
            true => self.add_loss(error_message(error)),
            false => Some(error_message(error)),
        }
    }

    fn add_loss(&mut self, reason: Message) -> Option<Message> {
        self.in_a_row += 1;
        self.reason = reason;
        (self.in_a_row >= LOST_WAVES_MAX).then(|| self.describe())
    }

    fn describe(&self) -> Message {
        WavesLost { count: self.in_a_row, reason: self.reason.clone() }.into()
    }

    fn describe_all_lost(&self, planned: usize) -> MethodError {
        let Self { in_a_row, .. } = self;
        MethodError::Hosts {
            what: format!("{in_a_row} of {planned} waves: {}", self.describe().text()),
            hint: Some("see who is there: truedisk fleet list".to_owned()),
            kind: ErrorKind::Failed,
        }
    }
}

messages! {
    WavesTotalTime = "waves-total-time" { waves: usize };
    WavesLost = "waves-lost" { count: usize, reason: Message };
    WaveBegins = "wave-begins" { wave: u64, waves: usize, hosts: Message };
}

#[cfg(test)]
mod tests {
    use record::fixture::{fleet_record, lose_host};

    use super::*;

    fn lost() -> MethodError {
        MethodError::HostsLost("x: silent".to_owned())
    }

    #[test]
    fn three_lost_waves_in_a_row_are_the_last_and_one_alone_is_not() {
        let mut waves = LostWaves::default();
        assert_eq!(waves.add_error(&lost()), None);
        assert_eq!(waves.add_error(&lost()), None);
        // A host of four is no wave.
        let mut record = fleet_record();
        lose_host(&mut record.measured);
        assert_eq!(waves.add_record(&record), None);
        assert_eq!(waves.add_error(&lost()), None);
        let hosts = &mut record.measured.fleet.as_mut().unwrap().hosts;
        let loss = hosts.iter().find_map(|host| host.lost.clone());
        hosts.iter_mut().for_each(|host| host.lost.clone_from(&loss));
        assert_eq!(waves.add_record(&record), None);
        let end = waves.add_error(&lost()).unwrap();
        let words = "all hosts of 3 waves in a row were lost; of the last wave: all hosts were";
        assert!(end.text().starts_with(words), "{}", end.text());
        let error = waves.describe_all_lost(9).to_string();
        assert_eq!(error, format!("3 of 9 waves: {}", end.text()));
    }

    #[test]
    fn a_wave_that_is_refused_is_the_last() {
        let refused = MethodError::Unready("x: mounted".to_owned());
        let end = LostWaves::default().add_error(&refused).unwrap();
        assert_eq!(end.text(), "x: mounted");
    }
}
