//! The builder of a run: a record of it for who wants one, and for the truth checks.

use engine::{Activity, DirectionSum, EndReason, IntervalOutcome, Outcome, Pause, RequestedOps};
use jiff::Timestamp;
use message::{Message, label};
use method::{begin_record, build_cell, describe_host};
use record::reasons::Interrupted;
use record::{
    Cell, CellRole, Completion, Finding, FindingId, Ledger, Measured, PingPlan, Plan, Purpose,
    Record, Status,
};
use target::Roots;
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Job, Mix, Pacing, Stop, SyncKind, SyncPolicy};

use crate::error::PingError;
use crate::outcome::{PingOutcome, PingRate};
use crate::ping_target::{OpenPingTarget, PingEvidence};
use crate::requester::{RequesterEnd, ScheduleStats};
use crate::settings::{PingSettings, Writes};
use crate::statistics::{DirectionTotals, PingStatistics};

/// Length of an interval of the series at first.
const INTERVAL: Nanos = Nanos::secs(1);

/// What became of the plan; `None` without one, or where a single burst does not show it.
fn compare_rate_with_plan(settings: &PingSettings, stats: &ScheduleStats) -> Option<PingRate> {
    if settings.schedule.interval == Nanos::ZERO {
        return None;
    }
    let requests =
        f64::from(settings.schedule.depth.max(1)) * settings.schedule.burst.max(1) as f64;
    let periods = stats.periods as f64;
    let per_second = |ns: u64| (ns > 0).then(|| requests * 1e9 / (ns as f64 / periods));
    let single =
        (settings.schedule.burst <= 1).then(|| requests / settings.schedule.interval.as_secs_f64());
    Some(PingRate {
        planned: per_second(stats.planned_ns).or(single)?,
        made: per_second(stats.made_ns),
        starts: stats.starts,
        missed: stats.missed,
    })
}

pub(crate) struct RecordBuilder<'run> {
    pub(crate) settings: &'run PingSettings,
    pub(crate) targets: &'run [OpenPingTarget],
    pub(crate) started: Timestamp,
    pub(crate) roots: &'run Roots,
    pub(crate) interrupted: bool,
    /// When this process did not run.
    pub(crate) pauses: Vec<Pause>,
}

/// Whether a device below `prepared` is below another target too, or nothing is known of it but
/// what the kernel charges to the whole process.
fn is_device_shared(prepared: &OpenPingTarget, all: &[OpenPingTarget]) -> bool {
    let Some(evidence) = &prepared.evidence else { return false };
    let stack = &evidence.info.stack;
    let others = all.iter().filter(|other| !std::ptr::eq(*other, prepared));
    others.filter_map(|other| other.evidence.as_ref()).any(|other| {
        let has = |name: &str| other.info.stack.iter().any(|layer| layer.name == name);
        stack.is_empty() || stack.iter().any(|layer| has(&layer.name))
    })
}

/// Whether the pauses of a contrast are pauses of the device below.
///
/// # Errors
/// When one target's bursts fall into another's pauses, as far as can be known.
pub(crate) fn check_idle_pauses(
    settings: &PingSettings,
    all: &[OpenPingTarget],
) -> Result<(), PingError> {
    let disturbed = all.iter().find(|prepared| is_device_shared(prepared, all));
    match disturbed.filter(|_| settings.contrast) {
        Some(prepared) => Err(PingError::invalid_setup(
            format!(
                "--contrast: {} may be on a device with another of these targets, whose requests \
                 fall into its pauses",
                prepared.place.path
            ),
            "ping one after the other",
        )),
        None => Ok(()),
    }
}

/// Counters of several targets together can show that too little was moved for any of them; that
/// enough was moved for one of them they cannot.
fn is_ambiguous(finding: &mut Finding) -> bool {
    if finding.id != FindingId::PageCache || finding.status != Status::Ok {
        return false;
    }
    finding.status = Status::NotObservable;
    finding.summary = label("ping-shared-device");
    true
}

impl RecordBuilder<'_> {
    pub(crate) fn build_outcome(
        &self,
        prepared: &OpenPingTarget,
        statistics: &PingStatistics,
        end: RequesterEnd,
    ) -> PingOutcome {
        let [paused, close] =
            statistics.sums.each_ref().map(|[reads, writes]| reads.merged_with(writes));
        let mut times = paused.histogram.clone();
        times.merge(&close.histogram);
        let evidence = prepared.evidence.as_ref();
        let mut record = evidence.map(|evidence| {
            self.build_record(prepared, evidence, statistics, end.failure.is_some())
        });
        let findings = record.as_mut().map_or_else(Vec::new, |record| self.judge(prepared, record));
        PingOutcome {
            place: prepared.place.clone(),
            figures: statistics.figures(end.end_ns),
            times,
            contrast: self.settings.contrast.then_some([paused.histogram, close.histogram]),
            rate: compare_rate_with_plan(self.settings, &end.stats),
            failure: end.failure,
            findings,
            record: record.filter(|_| self.settings.record),
        }
    }

    /// Judges the record; what the truth checks say of requests that is worth showing.
    fn judge(&self, prepared: &OpenPingTarget, record: &mut Record) -> Vec<Finding> {
        if self.settings.record {
            record.measured.environment = describe_host(self.roots);
            record.judgement = Some(analysis::judge(&record.measured));
        } else {
            record.judged_mut().findings = analysis::run_checks(&record.measured);
        }
        let paused = record.measured.cells.iter().any(|cell| !cell.pauses.is_empty());
        let findings = &mut record.judged_mut().findings;
        let mut ambiguous = false;
        if is_device_shared(prepared, self.targets) {
            findings.iter_mut().for_each(|finding| ambiguous |= is_ambiguous(finding));
        }
        // Whether requests reached the device and found something there, and whether the program
        // itself ran.
        let shown = |finding: &&Finding| {
            let worth = finding.status >= Status::Warning;
            match finding.id {
                FindingId::PageCache => worth || ambiguous,
                FindingId::Unwritten => worth,
                // Its own requests one at a time are no load: only that it did not run counts.
                FindingId::ClientBound => paused && finding.status >= Status::Note,
                _ => false,
            }
        };
        findings.iter().filter(shown).cloned().collect()
    }

    fn build_record(
        &self,
        prepared: &OpenPingTarget,
        evidence: &PingEvidence,
        statistics: &PingStatistics,
        failed: bool,
    ) -> Record {
        let settings = self.settings;
        let seed = Seed(settings.seed);
        let has_end = settings.schedule.count > 0 || settings.schedule.time > Nanos::ZERO;
        let partial = |reason: Message, failed| Completion::Partial { reason, failed };
        let plan = Plan {
            purpose: Purpose::Ping(build_plan(settings)),
            budget: settings.schedule.time,
            bounds: Vec::new(),
            read_only: !settings.writes.any(),
            span: prepared.span.length,
            seed,
        };
        let completion = match (failed, self.interrupted && has_end) {
            (true, _) => partial(label("reason-request-failed"), true),
            (false, true) => partial(Interrupted {}.into(), false),
            (false, false) => Completion::Complete,
        };
        Record::from_measured(Measured {
            cells: self.build_cells(prepared, evidence, statistics),
            ..begin_record(
                self.started,
                seed,
                &settings.command,
                &settings.version,
                plan,
                completion,
                evidence.info.clone(),
            )
        })
    }

    /// One cell; where requests after a pause and back to back are shown apart, one of each.
    fn build_cells(
        &self,
        prepared: &OpenPingTarget,
        evidence: &PingEvidence,
        statistics: &PingStatistics,
    ) -> Vec<Cell> {
        let job = build_job(self.settings, prepared);
        let [reads, writes] = statistics.transferred;
        let asked = Ledger {
            read_ops: reads.0,
            read_bytes: Bytes(reads.1),
            write_ops: writes.0,
            write_bytes: Bytes(writes.1),
            ..Ledger::default()
        };
        let after = evidence.read_again(prepared.span, self.roots);
        let ledger = evidence.before.ledger_until(&after, asked);
        let [paused, close] = &statistics.sums;
        let cell =
            |job: &Job, role: CellRole, sums: [DirectionTotals; 2], elapsed_ns: u64, series| {
                let outcome = self.build_engine_outcome(&sums, elapsed_ns, series);
                let mut cell = build_cell(job, role, &outcome, ledger.clone(), outcome.started_ns);
                cell.confidence = analysis::compute_confidence(&cell);
                cell
            };
        if !self.settings.contrast {
            let both = std::array::from_fn(|side| paused[side].merged_with(&close[side]));
            let series = statistics.series();
            return vec![cell(&job, CellRole::Main, both, statistics.elapsed_ns(), series)];
        }
        let idle = Job { name: format!("{}-after-pause", job.name), ..job.clone() };
        let name = format!("{}-back-to-back", job.name);
        let busy = Job { name, pacing: Pacing::Closed, ..job.clone() };
        // The pauses are of the idle cell: a rate back to back is one of the time in bursts.
        let [idle_ns, busy_ns] = statistics.spans_ns;
        vec![
            cell(&idle, CellRole::Idle, paused.clone(), idle_ns, Vec::new()),
            cell(&busy, CellRole::Main, close.clone(), busy_ns, Vec::new()),
        ]
    }

    fn build_engine_outcome(
        &self,
        sums: &[DirectionTotals; 2],
        elapsed_ns: u64,
        intervals: Vec<IntervalOutcome>,
    ) -> Outcome {
        let total = |sum: &DirectionTotals| DirectionSum {
            ops: sum.ops,
            bytes: sum.bytes,
            total: sum.histogram.clone(),
            ..DirectionSum::default()
        };
        let [reads, writes] = sums.each_ref().map(total);
        let busy_ns = sums.iter().map(|sum| sum.histogram.sum_ns() as f64).sum();
        Outcome {
            backend: if self.settings.io.submitted { "libaio" } else { "psync" },
            notes: Vec::new(),
            threads: self.settings.schedule.depth.max(1),
            started_ns: 0,
            elapsed_ns,
            pauses: self.pauses_during_requests(sums),
            intervals,
            tick_ns: 0,
            totals: [reads, writes, DirectionSum::default(), DirectionSum::default()],
            activity: Activity { outstanding_ns: busy_ns, ..Activity::default() },
            requested: RequestedOps::default(),
            errors: Vec::new(),
            open_loop: None,
            verified: None,
            ended: EndReason::Done,
        }
    }

    /// The pauses that some request may have been outstanding in: hardly longer than the longest
    /// request took.
    fn pauses_during_requests(&self, sums: &[DirectionTotals; 2]) -> Vec<Pause> {
        let longest_ns = sums.iter().filter_map(|sum| sum.histogram.max_ns()).max().unwrap_or(0);
        let outstanding = |pause: &&Pause| pause.length_ns <= longest_ns + longest_ns / 8;
        self.pauses.iter().filter(outstanding).copied().collect()
    }
}

fn build_plan(settings: &PingSettings) -> PingPlan {
    PingPlan {
        size: settings.size,
        interval: settings.schedule.interval,
        burst: settings.schedule.burst,
        warmup: settings.figures.warmup,
        uncached: !settings.io.cached,
        min_time: Some(settings.figures.min_time).filter(|time| *time > Nanos::ZERO),
        max_time: Some(settings.figures.max_time).filter(|time| *time < Nanos(u64::MAX)),
        contrast: settings.contrast,
    }
}

fn build_job(settings: &PingSettings, prepared: &OpenPingTarget) -> Job {
    let (mix, verb) = match settings.writes {
        Writes::None => (Mix::Read, "read"),
        Writes::All => (Mix::Write, "write"),
        Writes::Alternating => (Mix::Mixed { read_percent: 50 }, "rw"),
    };
    let (access, order) = match settings.io.linear {
        true => (Access::Sequential, "seq"),
        false => (Access::RandomRepeating, "rand"),
    };
    let syncs = settings.writes.any() && !settings.io.cached;
    Job {
        name: format!("ping-{order}{verb}-{}", settings.size.to_compact()),
        access,
        mix,
        block_size: settings.size,
        depth: Depth(settings.schedule.depth.max(1)),
        pacing: match settings.schedule.interval {
            Nanos::ZERO => Pacing::Closed,
            interval => Pacing::Spaced { interval },
        },
        sync: syncs.then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        durable: settings.single_options().durable,
        warm_up: Nanos::ZERO,
        stop: Stop {
            time: Some(settings.schedule.time).filter(|time| *time > Nanos::ZERO),
            bytes: None,
            operations: Some(settings.schedule.count).filter(|count| *count > 0),
        },
        span: prepared.span,
        direct: settings.io.direct,
        seed: Seed(settings.seed),
        backend: match settings.io.submitted {
            true => BackendChoice::Libaio,
            false => BackendChoice::Psync,
        },
        interval: INTERVAL,
        ..Job::base()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::witnessed;
    use crate::settings::RequestSchedule;

    #[test]
    fn requesters_together_have_the_sum_of_their_rates() {
        let two = PingSettings {
            schedule: RequestSchedule {
                depth: 2,
                interval: Nanos::millis(1),
                ..crate::run::tests::settings().schedule
            },
            ..crate::run::tests::settings()
        };
        // One makes every start; the other one of three, and has lost two for each.
        let mut stats = ScheduleStats {
            starts: 10,
            periods: 9,
            planned_ns: 9_000_000,
            made_ns: 9_000_000,
            missed: 0,
        };
        stats.add_requester(&ScheduleStats {
            starts: 4,
            periods: 3,
            planned_ns: 3_000_000,
            made_ns: 9_000_000,
            missed: 6,
        });
        let rate = compare_rate_with_plan(&two, &stats).unwrap();
        assert_eq!((rate.planned, rate.starts, rate.missed), (2000.0, 14, 6));
        assert!((rate.made.unwrap() - 12.0 / 0.009).abs() < 1e-6, "{rate:?}");
    }

    #[test]
    fn targets_that_share_a_device_are_never_found_innocent() {
        let on = |names: &[&str]| {
            let mut prepared = witnessed(1000);
            let stack = &mut prepared.evidence.as_mut().unwrap().info.stack;
            let layer = stack[0].clone();
            let layer = |name: &&str| record::Layer { name: (*name).to_owned(), ..layer.clone() };
            *stack = names.iter().map(layer).collect();
            prepared
        };
        let all = |stacks: &[&[&str]]| {
            let targets: Vec<_> = stacks.iter().map(|names| on(names)).collect();
            targets.iter().map(|prepared| is_device_shared(prepared, &targets)).collect::<Vec<_>>()
        };
        assert_eq!(all(&[&["sda"]]), [false]);
        assert_eq!(all(&[&["sda"], &["sdb"]]), [false, false]);
        assert_eq!(all(&[&["dm-0", "sda"], &["sdb"], &["sda"]]), [true, false, true]);
        assert_eq!(all(&[&[], &["sdb"]]), [true, false], "only the process is counted");
        let refused = |stacks: &[&[&str]], contrast| {
            let targets: Vec<_> = stacks.iter().map(|names| on(names)).collect();
            let settings = PingSettings { contrast, ..crate::run::tests::settings() };
            check_idle_pauses(&settings, &targets).is_err()
        };
        assert!(refused(&[&["sda1", "sda"], &["sda2", "sda"]], true));
        assert!(!refused(&[&["sda1", "sda"], &["sda2", "sda"]], false));
        assert!(!refused(&[&["sda"], &["sdb"]], true));
        let mut finding = Finding {
            id: FindingId::PageCache,
            status: Status::Ok,
            summary: message::Message::default(),
            evidence: Vec::new(),
            cells: Vec::new(),
            remedy: None,
        };
        assert!(is_ambiguous(&mut finding));
        assert_eq!(finding.status, Status::NotObservable);
        assert_ne!(finding.summary.text(), finding.summary.id(), "it has words");
        finding.status = Status::Invalid;
        assert!(!is_ambiguous(&mut finding), "all of them together had too little");
    }
}
