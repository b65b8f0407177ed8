//! `flush`: does making a write durable cost anything? Without cutting the power, nobody can tell
//! an ignored flush from a protected cache, so that is a note. A rotating disk commits at most once
//! per turn.

use record::{TargetInfo, Trial};
use stats::{Estimate, LatencyHistogram};

use super::check::*;
use crate::cells::{is_random_read, read_histogram};

pub(super) static CHECK: Check = Check {
    id: FindingId::Flush,
    method: Some(|| {
        FlushMethod {
            free_max: FREE_MAX,
            commits_min: COMMITS_MIN,
            cost_min: COST_MIN,
            arm_min: ARM_READ_MIN,
            rate_max: TURNS_MAX * TURNS_SLACK,
            turns_max: TURNS_MAX,
            slack: Ratio(TURNS_SLACK - 1.0),
        }
        .into()
    }),
    run: |subject, finding| check(subject.measured, finding),
};

/// Ratio to a write alone below which a flush takes no longer than a command. (The 1.1 of
/// methodology, section 5, row 7, would need a command that takes no time; emptying the cache of a
/// consumer SSD takes 20 to 100 writes.)
const FREE_MAX: f64 = 2.0;
/// Minimum share of the rounds in which it must be so.
const FREE_ROUNDS_MIN: f64 = 0.66;
/// Ratio over all rounds from which a flush has a cost, even if one round in three was disturbed.
const COST_MIN: f64 = 3.0;
/// The cell of commits replaces an uneven trial if it has this many times [`COMMITS_MIN`] commits.
const COMMITS_FACTOR: u64 = 10;
/// Fewer commits than these prove no absence of cost.
const COMMITS_MIN: u64 = 20;
/// The fastest disks turn 15,000 times per minute; 30 % more leave room for two commits in one turn
/// (methodology, section 5, row 8).
const TURNS_MAX: f64 = 15_000.0 / 60.0;
const TURNS_SLACK: f64 = 1.3;
/// Minimum median of random reads by an arm at depth 1: the shortest strokes of the fastest disks.
const ARM_READ_MIN: Nanos = Nanos::micros(2_500);
/// Minimum 5th percentile: an arm has to settle.
const SETTLE_MIN: Nanos = Nanos::micros(800);
/// The 90th to the 10th percentile of an arm and a turn. A cap in front of a fast disk makes all
/// reads equal, or few of them very long.
const ARM_SPREAD: (f64, f64) = (1.5, 8.0);
const READS_MIN: u64 = 30;
/// Minimum share of the flushes that the kernel must have counted for the cost to be theirs.
const COUNTED_SHARE_MIN: f64 = 0.5;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let target = measured.target().ok_or_else(|| label("no-target"))?;
    if target.is_in_memory_file_system() {
        return Err(label("flush-of-memory"));
    }
    let seen = FlushCost::from_record(measured).ok_or_else(|| label("flush-not-measured"))?;
    seen.add_facts(target, finding);
    let too_fast = seen.commit_rate > TURNS_MAX * TURNS_SLACK;
    if let Some(arm) = arm_read_median(measured).filter(|_| too_fast) {
        return Ok(describe_too_fast(measured, &seen, arm, finding));
    }
    let (status, summary) = seen.judge(target);
    finding.status = status;
    if status == Status::Warning {
        finding.remedy = Some(label("remedy-mount-with-barriers"));
    }
    Ok(summary)
}

fn describe_too_fast(
    measured: &Measured,
    seen: &FlushCost,
    arm: Nanos,
    finding: &mut FindingBuilder,
) -> Message {
    let rate = seen.commit_rate;
    let turns_per_minute = TURNS_MAX * 60.0;
    let value = FlushCommitRate { rate: Iops(rate), turns_per_minute, turns: TURNS_MAX };
    let fact = Evidence::figure(label("flush-commits"), value, rate);
    let read = Evidence::text(label("flush-random-reads"), FlushArmMoves { time: arm });
    let is_figure = |cell: &&Cell| matches!(cell.role, CellRole::Main | CellRole::Step);
    for cell in measured.cells.iter().filter(is_figure).filter(|cell| cell.job.sync.is_some()) {
        finding.mark_cell(cell, Status::Warning, fact.clone());
    }
    finding.evidence.retain(|known| *known != fact);
    finding.evidence.insert(0, fact);
    finding.raise_status(Status::Warning, read);
    finding.remedy = Some(label("remedy-find-battery"));
    label("flush-faster-than-turns")
}

struct FlushCost {
    /// Median of a write alone, and of a write with its flush.
    plain: Nanos,
    flushed: Nanos,
    ratio: Estimate,
    free_rounds: f64,
    commits: u64,
    /// Of a write with its flush in the cell of commits.
    commit_median: Option<Nanos>,
    commit_rate: f64,
    /// Counted by the kernel; `None` where no device is counted.
    flushes_counted: Option<u64>,
}

impl FlushCost {
    fn from_record(measured: &Measured) -> Option<Self> {
        let of = |flushed: bool, round: u32| {
            measured.cells.iter().find(|cell| cell.trial == Some(Trial::Flush { flushed, round }))
        };
        let rounds =
            (1..=measured.cells.len() as u32).filter_map(|n| of(false, n).zip(of(true, n)));
        let (plain, flushed): (Vec<&Cell>, Vec<&Cell>) = rounds.unzip();
        let ratios: Vec<f64> = plain
            .iter()
            .zip(&flushed)
            .filter_map(|(without, with)| {
                Some(median_write(&[with])?.0 as f64 / median_write(&[without])?.0.max(1) as f64)
            })
            .collect();
        let commits = flushed.iter().map(|cell| cell.ledger.sync_ops).sum();
        let writes = plain.iter().filter_map(|cell| cell.totals.write.as_ref());
        let alone: u64 = writes.map(|write| write.latency_ns.histogram.count).sum();
        let elapsed: f64 = flushed.iter().map(|cell| cell.elapsed.as_secs_f64()).sum();
        let done = flushed.iter().filter_map(|cell| cell.totals.sync.as_ref()).map(|s| s.ops);
        let counted = flushed.iter().any(|cell| !cell.ledger.layers.is_empty()).then(|| {
            let most = |cell: &&Cell| cell.ledger.layers.iter().map(|layer| layer.flush_ops).max();
            flushed.iter().filter_map(most).sum()
        });
        Some(Self {
            plain: median_write(&plain)?,
            flushed: median_write(&flushed)?,
            free_rounds: ratios.iter().filter(|ratio| **ratio < FREE_MAX).count() as f64
                / ratios.len().max(1) as f64,
            ratio: stats::geometric_mean_of_few(&ratios),
            commits,
            commit_median: commit_median(measured).filter(|_| alone >= COMMITS_MIN),
            commit_rate: done.sum::<u64>() as f64 / elapsed.max(1e-9),
            flushes_counted: counted,
        })
    }

    fn judge(&self, target: &TargetInfo) -> (Status, Message) {
        let sent = self
            .flushes_counted
            .is_none_or(|n| n as f64 >= COUNTED_SHARE_MIN * self.commits as f64);
        let options = target.file_system.as_ref().map_or(&[][..], |fs| &fs.options);
        let barred = options.iter().any(|o| ["nobarrier", "barrier=0"].contains(&o.as_str()));
        let all = self.flushed.0 as f64 / self.plain.0.max(1) as f64;
        let free =
            all < FREE_MAX && self.commits >= COMMITS_MIN && self.free_rounds >= FREE_ROUNDS_MIN;
        let mostly = all > COST_MIN && self.free_rounds <= 1.0 - FREE_ROUNDS_MIN;
        let costs = mostly || self.ratio.interval().is_some_and(|(low, _)| low > FREE_MAX);
        let long = self
            .commit_median
            .filter(|with| with.0 as f64 <= FREE_MAX * self.plain.0 as f64)
            .filter(|_| !free && !costs);
        let (free, with) = (free || long.is_some(), long.unwrap_or(self.flushed));
        let without = self.plain;
        let disks = target.bottom_devices();
        let is_virtual = !disks.is_empty() && disks.iter().all(|disk| disk.is_virtual());
        match is_cache_volatile(target) {
            Some(true) if !sent && barred => (Status::Warning, label("flush-barred")),
            Some(false) => (Status::Ok, label("flush-not-needed")),
            // That is how virtual disks are: nothing that this one has to be suspected of.
            Some(true) if sent && free && is_virtual => {
                (Status::NotObservable, FlushOfVirtualDisk { with, without }.into())
            }
            Some(true) if sent && free => (Status::Note, FlushIsFree { with, without }.into()),
            _ if costs => (Status::Ok, FlushCosts { with, without }.into()),
            None => (Status::NotObservable, label("flush-of-unknown-cache")),
            _ if !sent => (Status::NotObservable, label("flush-not-counted")),
            _ => (Status::NotObservable, label("flush-uneven")),
        }
    }

    fn add_facts(&self, target: &TargetInfo, finding: &mut FindingBuilder) {
        let (median, times) = (self.flushed, self.ratio.value);
        let value: Message = match self.ratio.interval() {
            Some((low, high)) => FlushTimes { median, times, low, high }.into(),
            None => FlushTimesOfFew { median, times }.into(),
        };
        finding.add_figure(label("flush-write"), value, times);
        for layer in &target.stack {
            if let Some(says) = layer.queue.as_ref().and_then(|queue| queue.write_cache.as_ref()) {
                let what = FlushCacheOf { device: layer.name.clone() };
                finding.evidence.push(Evidence::text(what, Message::from_text(says)));
            }
        }
        if let Some(counted) = self.flushes_counted {
            let value = FlushesCounted { counted, commits: self.commits };
            finding.add_figure(label("flush-flushes"), value, counted as f64);
        }
    }
}

fn commit_median(measured: &Measured) -> Option<Nanos> {
    let commits = |cell: &&Cell| cell.job.sync.is_some() && cell.role == CellRole::Main;
    let cell = measured.cells.iter().find(commits)?;
    let many = cell.ledger.sync_ops >= COMMITS_FACTOR * COMMITS_MIN && cell.error.is_none();
    many.then(|| median_write(&[cell])).flatten()
}

/// Median of a write, with the sync that follows where there is one.
fn median_write(cells: &[&Cell]) -> Option<Nanos> {
    let median = |pick: fn(&Cell) -> Option<&record::DirectionTotals>| {
        let mut all = LatencyHistogram::new();
        for totals in cells.iter().filter_map(|cell| pick(cell)) {
            all.merge_sparse(&totals.latency_ns.histogram).ok()?;
        }
        all.quantile(0.5)
    };
    let write = median(|cell| cell.totals.write.as_deref())?;
    let syncs = cells.iter().any(|cell| cell.job.sync.is_some());
    let sync = if syncs { median(|cell| cell.totals.sync.as_deref())? } else { 0 };
    Some(Nanos(write.saturating_add(sync)))
}

/// `None` where no device says anything.
fn is_cache_volatile(target: &TargetInfo) -> Option<bool> {
    let claims =
        target.stack.iter().filter_map(|layer| layer.queue.as_ref()?.write_cache.as_deref());
    claims.map(|claim| claim == "write back").reduce(|a, b| a || b)
}

/// Median of the random reads at depth 1, where the disk says that it turns, nothing virtual or
/// throttled is on the way, and the reads look like those of an arm.
fn arm_read_median(measured: &Measured) -> Option<Nanos> {
    let disks = measured.target()?.bottom_devices();
    let turns = !disks.is_empty() && disks.iter().all(|disk| disk.rotational == Some(true));
    let host = &measured.environment;
    if !turns || host.virtualisation.is_some() || !host.io_limits.is_empty() {
        return None;
    }
    let alone = |cell: &&Cell| {
        let small = cell.job.depth.0 == 1 && cell.job.block_size <= Bytes::kib(16);
        cell.role == CellRole::Main && is_random_read(cell) && small
    };
    let histogram = read_histogram(measured.cells.iter().find(alone)?)?;
    let at = |q: f64| histogram.quantile(q);
    let (quickest, low, median, high) = (at(0.05)?, at(0.1)?, at(0.5)?, at(0.9)?);
    let spread = high as f64 / low.max(1) as f64;
    let is_arm = histogram.count() >= READS_MIN
        && median >= ARM_READ_MIN.0
        && quickest >= SETTLE_MIN.0
        && (ARM_SPREAD.0..=ARM_SPREAD.1).contains(&spread);
    is_arm.then_some(Nanos(median))
}

messages! {
    FlushMethod = "check-flush-method" {
        free_max: f64, commits_min: u64, cost_min: f64, arm_min: Nanos, rate_max: f64,
        turns_max: f64, slack: Ratio,
    };
    FlushCommitRate = "flush-commit-rate" { rate: Iops, turns_per_minute: f64, turns: f64 };
    FlushArmMoves = "flush-arm-moves" { time: Nanos };
    FlushOfVirtualDisk = "flush-of-virtual-disk" { with: Nanos, without: Nanos };
    FlushIsFree = "flush-is-free" { with: Nanos, without: Nanos };
    FlushCosts = "flush-costs" { with: Nanos, without: Nanos };
    FlushTimes = "flush-times" { median: Nanos, times: f64, low: f64, high: f64 };
    FlushTimesOfFew = "flush-times-of-few" { median: Nanos, times: f64 };
    FlushCacheOf = "flush-cache-of" { device: String };
    FlushesCounted = "flush-flushes-counted" { counted: u64, commits: u64 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::LatencySummary;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn summary(latencies: impl Iterator<Item = u64>) -> LatencySummary {
        let mut histogram = LatencyHistogram::new();
        latencies.for_each(|ns| histogram.record(ns));
        crate::summarise_latency(&histogram)
    }

    /// Adds three rounds of 20 writes without and with flushes, of a disk that is no virtual one.
    fn tried(record: &mut Measured, plain: Nanos, sync: Nanos, counted: u64) {
        record.targets[0].stack[0].transport = Some("sata".to_owned());
        let sample = record.cell("syncwrite-4k").unwrap().clone();
        for round in 1..=3 {
            for flushed in [false, true] {
                let mut cell = sample.clone();
                cell.name = format!("flush-{round}-{flushed}");
                cell.role = CellRole::Trial;
                cell.trial = Some(Trial::Flush { flushed, round });
                let noisy = |ns: u64| (0..20).map(move |i| ns + ns * (i + u64::from(round)) / 200);
                cell.totals.write.as_mut().unwrap().latency_ns = summary(noisy(plain.0));
                cell.ledger.sync_ops = 0;
                if flushed {
                    let totals = cell.totals.sync.as_mut().unwrap();
                    (totals.ops, totals.latency_ns) = (20, summary(noisy(sync.0)));
                    cell.ledger.sync_ops = 20;
                    cell.ledger.layers[0].flush_ops = counted;
                    cell.elapsed = Nanos(20 * (plain.0 + sync.0));
                } else {
                    (cell.totals.sync, cell.job.sync) = (None, None);
                }
                record.cells.push(cell);
            }
        }
    }

    fn cache(record: &mut Measured, says: &str) {
        let queue = record.targets[0].stack[0].queue.as_mut().unwrap();
        queue.write_cache = Some(says.to_owned());
    }

    #[test]
    fn the_cache_of_a_virtual_disk_is_its_hosts() {
        let mut record = sample_record();
        tried(&mut record, Nanos::micros(50), Nanos::micros(30), 20);
        cache(&mut record, "write back");
        assert_eq!(check(&record).status, Status::Note);
        record.targets[0].stack[0].transport = Some("virtio".to_owned());
        let finding = check(&record);
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.text().contains("a write takes 8"), "{}", finding.summary.text());
    }

    #[test]
    fn a_flush_that_costs_nothing_is_noted_where_the_cache_is_volatile() {
        let check = |sync_us: u64, says: &str, counted: u64, status: Status| {
            let mut record = sample_record();
            tried(&mut record, Nanos::micros(50), Nanos::micros(sync_us), counted);
            cache(&mut record, says);
            let finding = self::check(&record);
            assert_eq!(finding.status, status, "{sync_us} {says} {counted}: {finding:#?}");
        };
        check(2, "write back", 20, Status::Note);
        check(900, "write back", 20, Status::Ok);
        check(2, "write through", 0, Status::Ok);
        check(2, "write back", 0, Status::NotObservable);
        check(30, "write back", 20, Status::Note); // a command's way there and back
        check(75, "write back", 20, Status::Ok);
    }

    #[test]
    fn an_uneven_trial_claims_no_absence_of_cost() {
        let mut record = sample_record();
        tried(&mut record, Nanos::micros(50), Nanos::micros(2), 20);
        for (number, sync) in [(1, 2_000), (2, 60_000), (3, 900_000)] {
            let wanted = Some(Trial::Flush { flushed: true, round: number });
            let cell = record.cells.iter_mut().find(|cell| cell.trial == wanted).unwrap();
            cell.totals.sync.as_mut().unwrap().latency_ns = summary((0..20).map(|_| sync));
        }
        cell_mut(&mut record, "syncwrite-4k").ledger.sync_ops = 0;
        assert_eq!(check(&record).status, Status::NotObservable);
    }

    /// The trial of a host that is starved: two of three rounds were free, all together cost much.
    fn starved() -> Measured {
        let mut record = sample_record();
        tried(&mut record, Nanos::micros(50), Nanos::micros(2), 20);
        for (number, ops, sync) in [(1, 3, 2_000), (2, 3, 9_000), (3, 12, 900_000)] {
            let wanted = Some(Trial::Flush { flushed: true, round: number });
            let cell = record.cells.iter_mut().find(|cell| cell.trial == wanted).unwrap();
            cell.ledger.sync_ops = ops;
            let totals = cell.totals.sync.as_mut().unwrap();
            (totals.ops, totals.latency_ns) = (ops, summary((0..ops).map(|_| sync)));
        }
        cell_mut(&mut record, "syncwrite-4k").ledger.sync_ops = 0;
        record
    }

    #[test]
    fn a_few_slow_commits_among_free_ones_are_no_cost() {
        let finding = check(&starved());
        assert_eq!(finding.status, Status::NotObservable, "{finding:#?}");
    }

    #[test]
    fn where_the_trial_was_starved_the_cell_of_commits_stands_in() {
        let with = |sync_us: u64, commits: u64| {
            let mut record = starved();
            let cell = cell_mut(&mut record, "syncwrite-4k");
            cell.ledger.sync_ops = commits;
            cell.totals.write.as_mut().unwrap().latency_ns = summary((0..400).map(|_| 50_000));
            let slow = sync_us * 1000;
            cell.totals.sync.as_mut().unwrap().latency_ns = summary((0..400).map(|_| slow));
            check(&record).status
        };
        assert_eq!(with(20, 400), Status::Note);
        assert_eq!(with(20, 40), Status::NotObservable);
        assert_eq!(with(200, 400), Status::NotObservable);
    }

    #[test]
    fn few_commits_and_no_trial_prove_nothing() {
        let mut record = sample_record();
        assert_eq!(check(&record).status, Status::NotObservable);
        tried(&mut record, Nanos::micros(50), Nanos::micros(2), 20);
        record.cells.iter_mut().for_each(|cell| cell.ledger.sync_ops = 2);
        assert_eq!(check(&record).status, Status::NotObservable);
        record.targets[0].stack.clear();
        assert_eq!(check(&record).status, Status::NotObservable);
    }

    #[test]
    fn a_mount_without_barriers_is_no_durable_one() {
        let mut record = sample_record();
        tried(&mut record, Nanos::micros(50), Nanos::micros(2), 0);
        record.targets[0].file_system.as_mut().unwrap().options.push("nobarrier".to_owned());
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert!(finding.summary.text().contains("switched off by a mount option"));
        // A kernel that takes the option and flushes nevertheless is not to blame.
        for cell in &mut record.cells {
            cell.ledger.layers[0].flush_ops = 20;
        }
        assert_eq!(check(&record).status, Status::Note);
    }

    /// On a host of its own, a disk that says that it turns.
    fn disk() -> Measured {
        let mut record = sample_record();
        record.environment.virtualisation = None;
        let layer = &mut record.targets[0].stack[0];
        (layer.rotational, layer.transport) = (Some(true), Some("sata".to_owned()));
        record
    }

    /// Reads as of a disk of 7,200 turns: up to a turn of 8.3 ms after a seek of 4 ms.
    fn turning() -> LatencySummary {
        summary((0..80).map(|i| 4_000_000 + 8_300_000 * i / 80))
    }

    #[test]
    fn a_disk_that_commits_faster_than_it_turns_has_a_cache_that_answers() {
        let check = |reads: LatencySummary, sync: Nanos, status: Status| {
            let mut record = disk();
            cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap().latency_ns =
                reads;
            tried(&mut record, Nanos::micros(50), sync, 20);
            let finding = self::check(&record);
            assert_eq!(finding.status, status, "{finding:#?}");
            if status == Status::Warning {
                assert_eq!(finding.cells, ["syncwrite-4k"]);
                assert!(finding.evidence[0].value.text().contains("15,000 rpm"));
            }
        };
        check(turning(), Nanos::micros(200), Status::Warning);
        // Once a turn is what it can do.
        check(turning(), Nanos::micros(8_300), Status::Ok);
        // A cap of 200 operations a second in front of a fast disk has no arm.
        let capped = || summary((0..200).map(|i| 5_000_000 + i * 1_000));
        check(capped(), Nanos::micros(200), Status::Ok);
        let sliced = || summary((0..200).map(|i| if i % 5 == 0 { 90_000_000 } else { 100_000 }));
        check(sliced(), Nanos::micros(200), Status::Ok);
        // Nor has an SSD on a starved host: some of its reads are as fast as ever.
        let starved = |i: u64| if i < 20 { 300_000 } else { 4_000_000 + i * 9_000 };
        check(summary((0..200).map(starved)), Nanos::micros(200), Status::Ok);
    }

    #[test]
    fn a_virtual_disk_is_not_believed_to_turn() {
        let mut record = disk();
        cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap().latency_ns =
            turning();
        tried(&mut record, Nanos::micros(50), Nanos::micros(200), 20);
        assert_eq!(check(&record).status, Status::Warning);
        record.environment.virtualisation = Some("KVM".to_owned());
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn a_throttled_group_is_no_arm() {
        let mut record = disk();
        cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap().latency_ns =
            turning();
        tried(&mut record, Nanos::micros(50), Nanos::micros(200), 20);
        record.environment.io_limits = vec![record::IoLimit {
            cgroup: "/box".to_owned(),
            file: "io.max".to_owned(),
            device: "254:0".to_owned(),
            device_name: None,
            read_iops: Some(units::Iops(200.0)),
            write_iops: None,
            read_bytes: None,
            write_bytes: None,
            other: None,
        }];
        assert_eq!(check(&record).status, Status::Ok);
    }
}
