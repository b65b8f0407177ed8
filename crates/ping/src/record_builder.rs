//! The account of a run: a record of it for who wants one, and for the truth checks.

use engine::{
    Activity, DirectionInterval, DirectionSum, EndReason, IntervalOutcome, Outcome, Pause,
    RequestedOps,
};
use jiff::Timestamp;
use method::{RunIdentity, build_cell, describe_host};
use record::{
    Cell, CellRole, Completion, Finding, FindingId, Judgement, Ledger, Measured, PingPlan, Plan,
    Purpose, Record, Residency, Status,
};
use target::{CounterSnapshot, Roots};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Job, Mix, Pacing, Span, Stop, SyncKind, SyncPolicy};

use super::ping_target::{OpenPingTarget, PingEvidence};
use super::random_stream::RandomStream;
use super::requester::ScheduleStats;
use super::statistics::{ClosedSlice, DirectionTotals, PingStatistics};
use super::{PingError, PingOutcome, PingRate, PingSettings, Writes};

/// Length of an interval of the series at first.
const INTERVAL: Nanos = Nanos::secs(1);

/// The results that need no record.
pub(super) fn build_outcome(
    settings: &PingSettings,
    ground: &OpenPingTarget,
    course: &PingStatistics,
    end_ns: u64,
    kept: &ScheduleStats,
) -> PingOutcome {
    let [paused, close] = course.sums.each_ref().map(|[reads, writes]| reads.merged_with(writes));
    let mut times = paused.histogram.clone();
    times.merge(&close.histogram);
    PingOutcome {
        place: ground.place.clone(),
        figures: course.figures(end_ns),
        times,
        contrast: settings.contrast.then_some([paused.histogram, close.histogram]),
        rate: compare_rate_with_plan(settings, kept),
        failure: None,
        findings: Vec::new(),
        record: None,
    }
}

/// What became of the plan; `None` without one, or where a single burst does not show it.
fn compare_rate_with_plan(settings: &PingSettings, kept: &ScheduleStats) -> Option<PingRate> {
    if settings.interval == Nanos::ZERO {
        return None;
    }
    let requests = f64::from(settings.depth.max(1)) * settings.burst.max(1) as f64;
    let periods = kept.periods as f64;
    let per_second = |ns: u64| (ns > 0).then(|| requests * 1e9 / (ns as f64 / periods));
    let single = (settings.burst <= 1).then(|| requests / settings.interval.as_secs_f64());
    Some(PingRate {
        planned: per_second(kept.planned_ns).or(single)?,
        made: per_second(kept.made_ns),
        starts: kept.starts,
        missed: kept.missed,
    })
}

/// One target's run, to be judged.
pub(super) struct RecordBuilder<'run> {
    pub(super) settings: &'run PingSettings,
    pub(super) ground: &'run OpenPingTarget,
    pub(super) course: &'run PingStatistics,
    pub(super) started: Timestamp,
    pub(super) roots: &'run Roots,
    /// Whether somebody ended it.
    pub(super) interrupted: bool,
    /// Whether the counters have requests to other targets too.
    pub(super) is_shared: bool,
    /// When this process did not run.
    pub(super) pauses: &'run [Pause],
}

/// Whether a device below `ground` is below another target too, or nothing is known of it but what
/// the kernel charges to the whole process.
pub(super) fn is_device_shared(
    ground: &OpenPingTarget,
    all: &[(OpenPingTarget, RandomStream)],
) -> bool {
    let Some(witness) = &ground.evidence else { return false };
    let stack = &witness.info.stack;
    let mut others = all
        .iter()
        .map(|(other, _)| other)
        .filter(|other| !std::ptr::eq(*other, ground))
        .filter_map(|other| other.evidence.as_ref());
    others.any(|other| {
        let has = |name: &str| other.info.stack.iter().any(|layer| layer.name == name);
        stack.is_empty() || stack.iter().any(|layer| has(&layer.name))
    })
}

/// Whether the pauses of a contrast are pauses of the device below.
///
/// # Errors
/// When one target's bursts fall into another's pauses, as far as can be known.
pub(super) fn check_idle_pauses(
    settings: &PingSettings,
    all: &[(OpenPingTarget, RandomStream)],
) -> Result<(), PingError> {
    let disturbed =
        all.iter().map(|(ground, _)| ground).find(|ground| is_device_shared(ground, all));
    match disturbed.filter(|_| settings.contrast) {
        Some(ground) => Err(PingError::invalid_setup(
            format!(
                "--contrast: {} may be on a device with another of these targets, whose requests \
                 fall into its pauses",
                ground.place.path
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
    "the targets share a device, whose counters do not tell them apart"
        .clone_into(&mut finding.summary);
    true
}

impl RecordBuilder<'_> {
    /// Adds what the truth checks say, and the record where it is wanted.
    pub(super) fn judge(&self, pinged: &mut PingOutcome) {
        let Some(witness) = &self.ground.evidence else { return };
        let mut record = self.build_record(witness, pinged.failure.is_some());
        if self.settings.record {
            record.measured.environment = describe_host(self.roots);
            record.judgement = Some(analysis::judge(&record.measured));
        } else {
            record.judged_mut().findings =
                analysis::run_checks(&record.measured, &Judgement::default());
        }
        let mut mixed = false;
        if self.is_shared {
            record
                .judged_mut()
                .findings
                .iter_mut()
                .for_each(|finding| mixed |= is_ambiguous(finding));
        }
        // Whether requests reached the device and found something there, and whether the program
        // itself ran.
        let told = |finding: &&Finding| {
            let worth = finding.status >= Status::Warning;
            let paused = record.measured.cells.iter().any(|cell| !cell.pauses.is_empty());
            match finding.id {
                FindingId::PageCache => worth || mixed,
                FindingId::Unwritten => worth,
                // Its own requests one at a time are no load: only that it did not run counts.
                FindingId::ClientBound => paused && finding.status >= Status::Note,
                _ => false,
            }
        };
        pinged.findings =
            record.judgement_or_default().findings.iter().filter(told).cloned().collect();
        pinged.record = self.settings.record.then_some(record);
    }

    fn build_record(&self, witness: &PingEvidence, failed: bool) -> Record {
        let settings = self.settings;
        let seed = Seed(settings.seed);
        let has_end = settings.count > 0 || settings.time > Nanos::ZERO;
        let partial =
            |reason: &str, failed| Completion::Partial { reason: reason.to_owned(), failed };
        let plan = Plan {
            purpose: Purpose::Ping(build_plan(settings)),
            budget: settings.time,
            bounds: Vec::new(),
            read_only: !settings.writes.any(),
            span: self.ground.span,
            seed,
        };
        let identity = RunIdentity {
            started: self.started,
            seed,
            command: &settings.command,
            version: &settings.version,
        };
        let completion = match (failed, self.interrupted && has_end) {
            (true, _) => partial("a request failed", true),
            (false, true) => partial("interrupted", false),
            (false, false) => Completion::Complete,
        };
        Record::from_measured(Measured {
            cells: self.build_cells(witness),
            ..identity.begin_record(plan, completion, witness.info.clone())
        })
    }

    /// One cell; where requests after a pause and back to back are told apart, one of each.
    fn build_cells(&self, witness: &PingEvidence) -> Vec<Cell> {
        let (job, ledger) = (build_job(self.settings, self.ground), self.build_ledger(witness));
        let [paused, close] = &self.course.sums;
        let cell =
            |job: &Job, role: CellRole, sums: [DirectionTotals; 2], elapsed_ns: u64, series| {
                let outcome = self.build_engine_outcome(&sums, elapsed_ns, series);
                let mut cell = build_cell(job, role, &outcome, ledger.clone(), outcome.started_ns);
                cell.confidence = analysis::compute_confidence(&cell);
                cell
            };
        if !self.settings.contrast {
            let both = std::array::from_fn(|side| paused[side].merged_with(&close[side]));
            let series = self.course.series();
            return vec![cell(&job, CellRole::Main, both, self.course.elapsed_ns(), series)];
        }
        let idle = Job { name: format!("{}-after-pause", job.name), ..job.clone() };
        let name = format!("{}-back-to-back", job.name);
        let busy = Job { name, pacing: Pacing::Closed, ..job.clone() };
        // The pauses are of the idle cell: a rate back to back is one of the time in bursts.
        let [idle_ns, busy_ns] = self.course.spans_ns;
        vec![
            cell(&idle, CellRole::Idle, paused.clone(), idle_ns, Vec::new()),
            cell(&busy, CellRole::Main, close.clone(), busy_ns, Vec::new()),
        ]
    }

    fn build_engine_outcome(
        &self,
        sums: &[DirectionTotals; 2],
        elapsed_ns: u64,
        series: Vec<ClosedSlice>,
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
            backend: if self.settings.submitted { "libaio" } else { "psync" },
            notes: Vec::new(),
            threads: self.settings.depth.max(1),
            started_ns: 0,
            elapsed_ns,
            pauses: self.pauses_during_requests(sums),
            intervals: series.into_iter().map(convert_interval).collect(),
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

    fn build_ledger(&self, witness: &PingEvidence) -> Ledger {
        let difference =
            CounterSnapshot::take(&witness.info.stack, self.roots).deltas_since(&witness.before);
        let [reads, writes] = self.course.transferred;
        let now = witness.query_residency_again(self.ground);
        Ledger {
            elapsed: difference.elapsed,
            read_ops: reads.0,
            read_bytes: Bytes(reads.1),
            write_ops: writes.0,
            write_bytes: Bytes(writes.1),
            process: difference.process,
            layers: difference.layers,
            residency: witness.cached_before.zip(now).map(|(then, now)| Residency {
                method: now.0.to_owned(),
                pages: now.1,
                cached_before: then.2,
                cached_after: now.2,
            }),
            system: difference.system,
            ..Ledger::default()
        }
    }
}

fn build_plan(settings: &PingSettings) -> PingPlan {
    PingPlan {
        size: settings.size,
        interval: settings.interval,
        burst: settings.burst,
        warmup: settings.warmup,
        uncached: !settings.cached,
        min_time: Some(settings.min_time).filter(|time| *time > Nanos::ZERO),
        max_time: Some(settings.max_time).filter(|time| *time < Nanos(u64::MAX)),
        contrast: settings.contrast,
    }
}

fn build_job(settings: &PingSettings, ground: &OpenPingTarget) -> Job {
    let mix = match settings.writes {
        Writes::None => Mix::Read,
        Writes::All => Mix::Write,
        Writes::Alternating => Mix::Mixed { read_percent: 50 },
    };
    let (access, order) = match settings.linear {
        true => (Access::Sequential, "seq"),
        false => (Access::RandomRepeating, "rand"),
    };
    let verb = match settings.writes {
        Writes::None => "read",
        Writes::All => "write",
        Writes::Alternating => "rw",
    };
    let syncs = settings.writes.any() && !settings.cached;
    Job {
        name: format!("ping-{order}{verb}-{}", settings.size.to_compact()),
        access,
        mix,
        block_size: settings.size,
        depth: Depth(settings.depth.max(1)),
        pacing: match settings.interval {
            Nanos::ZERO => Pacing::Closed,
            interval => Pacing::Spaced { interval },
        },
        sync: syncs.then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        durable: settings.single_options().durable,
        warm_up: Nanos::ZERO,
        stop: Stop {
            time: Some(settings.time).filter(|time| *time > Nanos::ZERO),
            bytes: None,
            operations: Some(settings.count).filter(|count| *count > 0),
        },
        span: Span { offset: ground.offset, length: ground.span },
        direct: settings.direct,
        seed: Seed(settings.seed),
        backend: match settings.submitted {
            true => BackendChoice::Libaio,
            false => BackendChoice::Psync,
        },
        interval: INTERVAL,
        ..Job::base()
    }
}

fn convert_interval(past: ClosedSlice) -> IntervalOutcome {
    let [reads, writes] = past.sides.map(|side| {
        side.map(|(ops, bytes, total)| DirectionInterval {
            ops,
            bytes,
            total,
            submission: None,
            completion: None,
            response: None,
        })
    });
    IntervalOutcome {
        start_ns: past.start_ns,
        length_ns: past.length_ns,
        directions: [reads, writes, None, None],
        tick_ops: Default::default(),
        tick_latency_ns: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::witnessed;
    use super::*;

    #[test]
    fn requesters_together_have_the_sum_of_their_rates() {
        let two = PingSettings {
            depth: 2,
            interval: Nanos::millis(1),
            ..super::super::tests::settings()
        };
        // One makes every start; the other one of three, and has lost two for each.
        let mut kept = ScheduleStats {
            starts: 10,
            periods: 9,
            planned_ns: 9_000_000,
            made_ns: 9_000_000,
            missed: 0,
        };
        kept.add_requester(&ScheduleStats {
            starts: 4,
            periods: 3,
            planned_ns: 3_000_000,
            made_ns: 9_000_000,
            missed: 6,
        });
        let rate = compare_rate_with_plan(&two, &kept).unwrap();
        assert_eq!((rate.planned, rate.starts, rate.missed), (2000.0, 14, 6));
        assert!((rate.made.unwrap() - 12.0 / 0.009).abs() < 1e-6, "{rate:?}");
    }

    #[test]
    fn targets_that_share_a_device_are_never_found_innocent() {
        let on = |names: &[&str]| {
            let (mut ground, random) = witnessed(1000);
            let stack = &mut ground.evidence.as_mut().unwrap().info.stack;
            let layer = stack[0].clone();
            let layer = |name: &&str| record::Layer { name: (*name).to_owned(), ..layer.clone() };
            *stack = names.iter().map(layer).collect();
            (ground, random)
        };
        let all = |stacks: &[&[&str]]| {
            let grounds: Vec<_> = stacks.iter().map(|names| on(names)).collect();
            grounds.iter().map(|(ground, _)| is_device_shared(ground, &grounds)).collect::<Vec<_>>()
        };
        assert_eq!(all(&[&["sda"]]), [false]);
        assert_eq!(all(&[&["sda"], &["sdb"]]), [false, false]);
        assert_eq!(all(&[&["dm-0", "sda"], &["sdb"], &["sda"]]), [true, false, true]);
        assert_eq!(all(&[&[], &["sdb"]]), [true, false], "only the process is counted");
        let refused = |stacks: &[&[&str]], contrast| {
            let grounds: Vec<_> = stacks.iter().map(|names| on(names)).collect();
            let settings = PingSettings { contrast, ..super::super::tests::settings() };
            check_idle_pauses(&settings, &grounds).is_err()
        };
        assert!(refused(&[&["sda1", "sda"], &["sda2", "sda"]], true));
        assert!(!refused(&[&["sda1", "sda"], &["sda2", "sda"]], false));
        assert!(!refused(&[&["sda"], &["sdb"]], true));
        let mut finding = Finding {
            id: FindingId::PageCache,
            status: Status::Ok,
            summary: String::new(),
            evidence: Vec::new(),
            cells: Vec::new(),
            remedy: None,
        };
        assert!(is_ambiguous(&mut finding));
        assert_eq!(finding.status, Status::NotObservable);
        finding.status = Status::Invalid;
        assert!(!is_ambiguous(&mut finding), "all of them together had too little");
    }
}
