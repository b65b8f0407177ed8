//! A run in waves: hosts that did not measure at the same time. Their figures stand side by side;
//! nothing is added up over two waves, so the run has no cells. Each wave has a record of its own,
//! with the totals of its hosts.

use std::collections::BTreeMap;

use message::{Message, messages};
use record::{
    Cell, CellRole, Completion, Finding, FindingId, Fleet, FleetHost, FleetRelay, FleetSpan,
    FleetWave, FleetWaves, HostCell, Judgement, Lost, Measured, Record, StartSpread, Status, Trust,
    Verdict, WaveOutcome,
};
use units::{ErrorKind, Iops, Nanos};
use workload::Bound;

use super::outliers::describe_outliers;
use super::wording::{
    FleetDegraded, FleetHeadlineDegraded, FleetHeadlineSlow, describe_late, describe_lost_relays,
    describe_others, describe_sample_of, group_by_reason, list_outlier_sentences, main_cell,
};
use crate::curve::curve_name;
use crate::verdict::{judge_trust, list_not_seen};

/// Collects the records of waves into the record of their run.
pub struct WaveJoin {
    waves: FleetWaves,
    hosts: Vec<FleetHost>,
    events: Vec<String>,
    /// The first wave's, without its cells and hosts.
    measured: Option<Measured>,
    span: FleetSpan,
    stop_on: Option<Bound>,
    late: Option<Nanos>,
    /// Each once, with its first loss.
    relays: BTreeMap<String, Option<Nanos>>,
    completion: Completion,
}

impl WaveJoin {
    pub fn new(waves: FleetWaves, span: FleetSpan) -> Self {
        Self {
            waves,
            hosts: Vec::new(),
            events: Vec::new(),
            measured: None,
            span,
            stop_on: None,
            late: None,
            relays: BTreeMap::new(),
            completion: Completion::Complete,
        }
    }

    pub const fn has_records(&self) -> bool {
        self.measured.is_some()
    }

    /// Takes the record of a wave that went from `started` to `ended`.
    pub fn add_record(&mut self, record: Record, started: Nanos, ended: Nanos) {
        let outcome = wave_outcome(&record);
        let Record { mut measured, judgement, .. } = record;
        let judgement = judgement.unwrap_or_default();
        let Some(mut fleet) = measured.fleet.take() else { return };
        let starts = fleet.cells.iter().filter(|met| met.hosts.len() > 1).max_by_key(|c| c.skew);
        let (headline, trust) = match judgement.verdict.as_ref() {
            Some(Verdict { headline, trust, .. }) => (headline.clone(), Some(*trust)),
            None => (Message::default(), None),
        };
        let wave = FleetWave {
            hosts: fleet.hosts.iter().map(|host| host.name.clone()).collect(),
            started,
            ended,
            record: Some(measured.id.clone()),
            outcome,
            main_cell: main_cell(&measured, &judgement, &fleet).map(|(cell, _)| cell.name.clone()),
            starts: starts.map(|met| StartSpread::new(&met.cell, met.skew, met.skew_error)),
            headline,
            trust,
            degraded: judgement.degraded,
            findings: judgement.findings,
        };
        self.waves.begun.push(wave);
        for host in &mut fleet.hosts {
            host.cells.iter_mut().for_each(|part| place_in_run(part, &measured, started));
            if let Some(lost) = &mut host.lost {
                lost.at.0 = lost.at.0.saturating_add(started.0);
            }
        }
        self.stop_on = fleet.stop_on;
        self.late = self.late.max(fleet.late);
        for FleetRelay { name, lost_at } in fleet.relays {
            let lost_at = lost_at.map(|at| Nanos(at.0.saturating_add(started.0)));
            let first = self.relays.entry(name).or_default();
            *first = first.or(lost_at);
        }
        self.hosts.append(&mut fleet.hosts);
        self.events.append(&mut fleet.events);
        if let Completion::Partial { reason, failed } = &measured.completion {
            let (reason, failed) = (reason.clone(), *failed);
            self.end(reason, failed);
        }
        match &mut self.measured {
            Some(run) => run.finished = measured.finished,
            None => {
                measured.cells.clear();
                self.measured = Some(measured);
            }
        }
    }

    /// Takes a wave that measured nothing.
    pub fn add_failure(
        &mut self,
        hosts: Vec<FleetHost>,
        reason: Message,
        started: Nanos,
        ended: Nanos,
    ) {
        self.waves.begun.push(FleetWave {
            hosts: hosts.iter().map(|host| host.name.clone()).collect(),
            started,
            ended,
            record: None,
            outcome: WaveOutcome::Failed,
            main_cell: None,
            starts: None,
            headline: reason.clone(),
            trust: None,
            degraded: Vec::new(),
            findings: Vec::new(),
        });
        let lost = Lost { at: ended, cell: None, reason };
        let with_loss = |host| FleetHost { lost: Some(lost.clone()), ..host };
        self.hosts.extend(hosts.into_iter().map(with_loss));
    }

    /// Ends the run early, with the reason that its latest wave has.
    pub fn end(&mut self, reason: Message, failed: bool) {
        if self.completion == Completion::Complete {
            let wave = self.waves.begun.len();
            let reason = WaveEnded { wave, waves: self.waves.planned, reason }.into();
            self.completion = Completion::Partial { reason, failed };
        }
    }

    /// The run, not judged yet; `None` where nothing was measured.
    pub fn finish(self, run: String, id: String, not_begun: Vec<String>) -> Option<Measured> {
        let Self {
            mut waves,
            mut hosts,
            events,
            measured,
            span,
            stop_on,
            late,
            relays,
            completion,
        } = self;
        hosts.sort_by(|a, b| a.name.cmp(&b.name));
        waves.not_begun = not_begun;
        let waves = Some(waves);
        let relays = relays.into_iter().map(|(name, lost_at)| FleetRelay { name, lost_at });
        let relays = relays.collect();
        let fleet = Fleet { events, waves, stop_on, late, relays, ..Fleet::new(run, span, hosts) };
        Some(Measured { id, completion, fleet: Some(fleet), ..measured? })
    }
}

/// Times count from the begin of the run; the role is what the total was used for in the end.
fn place_in_run(part: &mut HostCell, wave: &Measured, started: Nanos) {
    part.cell.started.0 = part.cell.started.0.saturating_add(started.0);
    let total = wave.cell(&part.cell.name);
    if total.is_none_or(|total| total.role == CellRole::Disturbed) {
        part.cell.role = CellRole::Disturbed;
    }
}

fn wave_outcome(record: &Record) -> WaveOutcome {
    match (crate::find_failure(record), &record.measured.completion) {
        (Some(ErrorKind::NotMet), _) => WaveOutcome::NotMet,
        (Some(_), _) => WaveOutcome::Failed,
        (None, Completion::Complete) => WaveOutcome::Met,
        (None, Completion::Partial { .. }) => WaveOutcome::Ended,
    }
}

/// The findings of the waves, the hosts held against each other, and no figure of all together.
pub(crate) fn judge_waves(measured: &Measured, fleet: &Fleet, waves: &FleetWaves) -> Judgement {
    let mut degraded: Vec<Message> =
        waves.begun.iter().flat_map(|wave| wave.degraded.iter().cloned()).collect();
    let lost = waves.begun.iter().zip(1..).filter(|(wave, _)| wave.record.is_none());
    degraded.extend(lost.map(|(wave, number)| {
        let reason = wave.headline.clone();
        WaveEnded { wave: number, waves: waves.planned, reason }.into()
    }));
    if !waves.not_begun.is_empty() {
        let (hosts, left) = (waves.not_begun.len(), waves.planned - waves.begun.len() as u64);
        degraded.push(WavesNotBegun { waves: left, hosts }.into());
    }
    let mut judgement = Judgement {
        findings: FindingId::ALL.iter().filter_map(|id| worst_finding(*id, waves)).collect(),
        outliers: super::find_outliers(measured, fleet),
        degraded,
        ..Judgement::default()
    };
    judgement.verdict = Some(build_verdict(measured, &judgement, fleet, waves));
    judgement
}

fn worst_finding(id: FindingId, waves: &FleetWaves) -> Option<Finding> {
    let found = |wave: &FleetWave| wave.findings.iter().find(|of| of.id == id).cloned();
    let all = || waves.begun.iter().zip(1..).filter_map(|(wave, n)| Some((n, found(wave)?)));
    let status: Status = all().map(|(_, finding)| finding.status).max()?;
    let mut worst = all().filter(|(_, finding)| finding.status == status);
    let (wave, finding) = worst.next()?;
    let count = 1 + worst.count();
    let (waves, told) = (waves.begun.len(), finding.summary.clone());
    let summary = match count {
        1 => WaveFinding { wave, waves, finding: told }.into(),
        _ => WavesFinding { count, waves, wave, finding: told }.into(),
    };
    // The cells are those of the wave's record.
    Some(Finding { summary, cells: Vec::new(), ..finding })
}

fn build_verdict(
    measured: &Measured,
    judgement: &Judgement,
    fleet: &Fleet,
    waves: &FleetWaves,
) -> Verdict {
    let (hosts, count, most) = (fleet.hosts.len(), waves.begun.len(), waves.hosts_max());
    let mut headline: Message = WavesHeadline { hosts, waves: count, most }.into();
    let own = judge_trust(measured, judgement, &headline);
    let mut trust = waves.begun.iter().filter_map(|wave| wave.trust).fold(own, Trust::max);
    let mut limited_by = Vec::new();
    if let Some(why) = judgement.degraded.first().cloned() {
        headline = FleetHeadlineDegraded { headline, why }.into();
        trust = trust.max(Trust::Caution);
        let all = judgement.degraded.iter().cloned();
        limited_by.extend(all.map(|why| Message::from(FleetDegraded { why })));
    }
    let mut meaning = Vec::new();
    if let Some(outliers) = &judgement.outliers {
        if !outliers.slow.is_empty() {
            headline = FleetHeadlineSlow { headline, slow: describe_outliers(outliers) }.into();
        }
        meaning.extend(list_outlier_sentences(outliers));
    }
    meaning.extend(describe_sample_of(fleet));
    meaning.extend(describe_each(fleet));
    meaning.extend(describe_starts(waves));
    meaning.extend(describe_others(fleet));
    meaning.extend(describe_late(fleet));
    meaning.extend(describe_lost_relays(fleet));
    Verdict {
        headline,
        trust,
        class: None,
        meaning,
        good_for: Vec::new(),
        too_slow_for: Vec::new(),
        limited_by,
        not_seen: group_by_reason(&list_not_seen(measured, judgement), judgement),
    }
}

/// The figures of each host in the main cell of its wave.
pub fn list_wave_figures(fleet: &Fleet) -> Vec<(&FleetHost, &HostCell)> {
    let waves = fleet.waves.iter().flat_map(|waves| &waves.begun);
    let of_wave = |wave: &'_ FleetWave| {
        let (hosts, cell) = (wave.hosts.clone(), wave.main_cell.clone());
        hosts.into_iter().filter_map(move |name| {
            let host = fleet.host(&name)?;
            Some((host, host.cell(cell.as_deref()?)?))
        })
    };
    let mut figures: Vec<(&FleetHost, &HostCell)> = waves.flat_map(of_wave).collect();
    figures.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    figures
}

/// What hosts measured by themselves, where all had the same load.
fn describe_each(fleet: &Fleet) -> Option<Message> {
    let figures = list_wave_figures(fleet);
    let load = |cell: &Cell| {
        (curve_name(&cell.job.access, cell.job.mix, cell.job.block_size).0, cell.job.depth)
    };
    let first = &figures.first()?.1.cell;
    if figures.iter().any(|(_, part)| load(&part.cell) != load(first)) {
        return None;
    }
    let rate = |(host, part): &(&FleetHost, &HostCell)| (part.cell.iops(), host.name.clone());
    let mut rates: Vec<(f64, String)> = figures.iter().map(rate).collect();
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = stats::median(rates.iter().map(|of| of.0))?;
    let (least, most) = (rates.first()?.clone(), rates.last()?.clone());
    let each = WavesEach {
        hosts: rates.len(),
        load: curve_name(&first.job.access, first.job.mix, first.job.block_size).1,
        depth: u64::from(first.job.depth.0),
        least: Iops(least.0),
        slowest: least.1,
        most: Iops(most.0),
        fastest: most.1,
        median: Iops(median),
    };
    (rates.len() > 1).then(|| each.into())
}

fn describe_starts(waves: &FleetWaves) -> Option<Message> {
    let starts =
        waves.begun.iter().zip(1..).filter_map(|(wave, n)| Some((n, wave.starts.as_ref()?)));
    let (wave, worst) = starts.max_by_key(|(_, starts)| starts.skew)?;
    let StartSpread { cell, skew, min, max } = worst.clone();
    Some(WavesStarts { wave, cell, skew, min, max }.into())
}

messages! {
    WaveEnded = "wave-ended" { wave: usize, waves: u64, reason: Message };
    WavesNotBegun = "waves-not-begun" { waves: u64, hosts: usize };
    WaveFinding = "wave-finding" { wave: usize, waves: usize, finding: Message };
    WavesFinding = "waves-finding" {
        count: usize, waves: usize, wave: usize, finding: Message,
    };
    WavesHeadline = "waves-headline" { hosts: usize, waves: usize, most: usize };
    WavesEach = "waves-each" {
        hosts: usize,
        load: Message,
        depth: u64,
        least: Iops,
        slowest: String,
        most: Iops,
        fastest: String,
        median: Iops,
    };
    WavesStarts = "waves-starts" {
        wave: usize, cell: String, skew: Nanos, min: Nanos, max: Nanos,
    };
}

#[cfg(test)]
mod tests {
    use record::fixture::{fleet_record, lose_host};
    use record::{Effort, Purpose};

    use super::*;

    /// A run of two waves, of the hosts of the fixture with names of their own.
    fn joined(spoil: impl Fn(usize, &mut Measured)) -> Measured {
        let planned = FleetWaves { at_most: Some(4), planned: 2, ..FleetWaves::default() };
        let mut join = WaveJoin::new(planned, FleetSpan::Own);
        for wave in 0..2 {
            let mut measured = fleet_record().measured;
            let (effort, until_throttled) = (Effort::Quick, None);
            measured.plan.purpose = Purpose::Check { effort, until_throttled };
            let fleet = measured.fleet.as_mut().unwrap();
            fleet.span = FleetSpan::Own;
            for host in &mut fleet.hosts {
                host.name = format!("{}{wave}", host.name);
            }
            for met in &mut fleet.cells {
                met.hosts.iter_mut().for_each(|host| *host = format!("{host}{wave}"));
            }
            spoil(wave, &mut measured);
            let started = Nanos::secs(100 * wave as u64);
            let record = crate::judge_record(measured);
            join.add_record(record, started, Nanos(started.0 + Nanos::secs(60).0));
        }
        join.finish("run".to_owned(), "id".to_owned(), Vec::new()).unwrap()
    }

    #[test]
    fn a_run_in_waves_has_every_host_and_no_total() {
        let measured = joined(|_, _| ());
        let fleet = measured.fleet.as_ref().unwrap();
        assert!(measured.cells.is_empty() && fleet.cells.is_empty());
        assert_eq!(fleet.hosts.len(), 8);
        let waves = fleet.waves.as_ref().unwrap();
        assert!(waves.begun.iter().all(|wave| wave.hosts.len() == 4));
        let started = |host: &str| fleet.host(host).unwrap().cells[0].cell.started;
        assert_eq!(started("host-a1").0 - started("host-a0").0, Nanos::secs(100).0);
        let judgement = crate::judge(&measured);
        assert!(judgement.curves.is_empty(), "a curve would be a total");
        let outliers = judgement.outliers.as_ref().unwrap();
        assert_eq!(outliers.compared, 8, "hosts of all waves are held against each other");
        let verdict = judgement.verdict.unwrap();
        let headline = verdict.headline.text();
        assert!(headline.starts_with("8 hosts in 2 waves of at most 4: no total"), "{headline}");
        let said = verdict.meaning.iter().map(Message::text).collect::<Vec<_>>().join("\n");
        for words in ["8 hosts, each by itself", "wave 2 began within 350 us", "120 us to 580 us"] {
            assert!(said.contains(words), "'{words}' is missing in:\n{said}");
        }
    }

    #[test]
    fn a_relay_of_several_waves_is_named_once_and_its_first_loss_is_said() {
        let relay = |name: &str, lost_at: Option<u64>| FleetRelay {
            name: name.to_owned(),
            lost_at: lost_at.map(Nanos::secs),
        };
        let measured = joined(|wave, measured| {
            let lost_at = [None, Some(2)][wave];
            measured.fleet.as_mut().unwrap().relays = vec![relay("r1", None), relay("r2", lost_at)];
        });
        // The second wave began 100 s into the run.
        let expected = [relay("r1", None), relay("r2", Some(102))];
        assert_eq!(measured.fleet.as_ref().unwrap().relays, expected);
        let said = |measured: &Measured| {
            let meaning = crate::judge(measured).verdict.unwrap().meaning;
            let mut lost = meaning.iter().filter(|words| words.id() == "fleet-relays-lost");
            lost.next().map(|words| words.text().to_owned())
        };
        let words = "Relays lost: 1 of 2 (r2). The coordinator listened to their hosts itself; no \
                     figure passes through a relay.";
        assert_eq!(said(&measured).as_deref(), Some(words));
        assert_eq!(said(&joined(|_, _| ())), None);
        let mut at_once = fleet_record().measured;
        at_once.fleet.as_mut().unwrap().relays = expected.into();
        assert_eq!(said(&at_once).as_deref(), Some(words));
    }

    #[test]
    fn what_each_host_gave_has_its_ends_and_its_median() {
        let measured = joined(|wave, measured| {
            let hosts = &mut measured.fleet.as_mut().unwrap().hosts;
            for (place, host) in hosts.iter_mut().enumerate() {
                for part in &mut host.cells {
                    let totals = part.cell.totals.read.as_mut().unwrap();
                    totals.iops = (1000 * (1 + place + 4 * wave)) as f64;
                }
            }
        });
        let verdict = crate::judge(&measured).verdict.unwrap();
        let said = verdict.meaning.iter().find(|words| words.id() == "waves-each").unwrap().text();
        let expected = "1,000 (host-a0) to 8,000 (host-d1) IOPS, median 4,500.";
        assert!(said.ends_with(expected), "{said}");
    }

    #[test]
    fn the_worst_of_the_waves_is_that_of_the_run() {
        let check = |spoil: &dyn Fn(usize, &mut Measured), expected| {
            let record = crate::judge_record(joined(spoil));
            assert_eq!(crate::find_failure(&record), expected);
            record.judgement_or_default().clone()
        };
        check(&|_, _| (), None);
        let degraded = check(
            &|wave, measured| {
                if wave == 1 {
                    lose_host(measured);
                }
            },
            Some(ErrorKind::Failed),
        );
        assert!(degraded.degraded.iter().any(|why| why.text().contains("host-b1 was lost")));
        assert!(degraded.verdict.unwrap().trust >= Trust::Caution);
        let warned = check(
            &|wave, measured| {
                if wave == 1 {
                    let finding = &mut measured.fleet.as_mut().unwrap().hosts[0].findings;
                    let page_cache = finding.iter_mut().find(|f| f.id == FindingId::PageCache);
                    std::sync::Arc::make_mut(page_cache.unwrap()).status = Status::Warning;
                }
            },
            None,
        );
        let finding = warned.finding(FindingId::PageCache).unwrap();
        assert_eq!(finding.status, Status::Warning);
        assert!(finding.summary.text().starts_with("wave 2 of 2: host-a1"), "{finding:?}");
    }

    #[test]
    fn what_did_not_begin_and_what_failed_is_said() {
        let planned = FleetWaves { planned: 4, ..FleetWaves::default() };
        let mut join = WaveJoin::new(planned, FleetSpan::Own);
        join.add_record(crate::judge_record(fleet_record().measured), Nanos(0), Nanos::secs(60));
        let lost = vec![FleetHost::new("x")];
        let reason = Message::from_text("x: refused");
        join.add_failure(lost, reason.clone(), Nanos::secs(60), Nanos::secs(61));
        join.end(reason, true);
        let left = vec!["y".to_owned(), "z".to_owned()];
        let measured = join.finish("run".to_owned(), "id".to_owned(), left).unwrap();
        let record = crate::judge_record(measured);
        assert_eq!(crate::find_failure(&record), Some(ErrorKind::Failed));
        let Completion::Partial { reason, failed: true } = &record.measured.completion else {
            panic!("{:?}", record.measured.completion);
        };
        assert_eq!(reason.text(), "wave 2 of 4: x: refused");
        let degraded = record.judgement_or_default().degraded.iter().map(Message::text);
        let degraded = degraded.collect::<Vec<_>>().join("\n");
        assert!(degraded.contains("2 waves with 2 hosts did not begin"), "{degraded}");
    }
}
