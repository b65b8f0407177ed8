//! `idle-latency`: what does a read cost that comes after a pause?

use record::{Layer, LayerKind, TargetInfo, Trial};
use stats::{Estimate, LatencyHistogram, percentile_estimate};
use workload::Pacing;

use super::check::*;
use crate::cells::{CpuShares, is_random_read, read_histogram};

pub(super) static CHECK: Check = Check {
    id: FindingId::IdleLatency,
    method: None,
    run: |subject, finding| check(subject.measured, finding),
};

/// Ratio of the medians (methodology, section 5, row 17), and more than a processor needs to wake
/// from light sleep.
const NOTE_RATIO_MIN: f64 = 2.0;
const NOTE_EXCESS_MIN: Nanos = Nanos::micros(30);
/// No idle processor or hypervisor alone takes this long: the drive or its link sleeps.
const WARNING_EXCESS_MIN: Nanos = Nanos::millis(1);
/// Nor this many times as long, with more than the deepest sleep of a processor (about 200 us) per
/// layer: a loop device wakes a thread of its own.
const WARNING_RATIO_MIN: f64 = 5.0;
const DEEP_SLEEP: Nanos = Nanos::micros(250);
/// Standard errors by which the mean rank of reads after a pause is above that of the usual ones:
/// one in a thousand by chance. Where reads come from two places, holes and a device, few reads
/// have a median of the one and many a median of the other.
const RANK_ERRORS: f64 = 3.1;
/// With the processors busier than this, a reader that slept may have waited for one of them.
const BUSY_MAX: f64 = 0.5;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut alone = measured.cells.iter().filter(|c| is_random_read(c) && c.job.depth.0 == 1);
    let main = alone.find(|cell| cell.role == CellRole::Main);
    let (main, usual) = main
        .and_then(|cell| Some((cell, Reads::of_cell(cell)?)))
        .ok_or_else(|| label("idle-latency-no-usual"))?;
    let value = IdleLatencyUsual { median: to_nanos(&usual.median) };
    finding.add_figure(Message::from_text(&main.name), value, usual.median.value);
    let layers = measured.target().map_or(1, longest_chain);
    let deep = Nanos(DEEP_SLEEP.0 * layers as u64);
    let mut slowest: Option<(Nanos, Nanos)> = None;
    for cell in measured.cells.iter().filter(|c| c.job.block_size == main.job.block_size) {
        let known = pause_before_read(cell).zip(Reads::of_cell(cell));
        let Some((pause, paused)) = known else { continue };
        judge_cell(cell, (&paused, &usual), deep, finding);
        slowest = slowest.max(Some((to_nanos(&paused.median), pause)));
    }
    let (took, pause) = slowest.ok_or_else(|| label("idle-latency-too-few"))?;
    let usual = to_nanos(&usual.median);
    Ok(match finding.status {
        Status::Warning => IdleLatencyAsleep { pause, took, usual }.into(),
        Status::Note => IdleLatencySlower { pause, took, usual }.into(),
        _ => IdleLatencyAlike { pause, factor: NOTE_RATIO_MIN as u64, usual }.into(),
    })
}

/// Devices on the longest way down to a disk: a read wakes one member of an array.
fn longest_chain(target: &TargetInfo) -> usize {
    let chain = |bottom: &Layer| {
        let (mut layer, mut devices) = (Some(bottom), 0);
        // A stack that leads in circles ends too.
        for _ in &target.stack {
            let Some(here) = layer else { break };
            devices += usize::from(here.kind != LayerKind::Partition);
            let above = |layer: &&Layer| Some(&layer.name) == here.above.as_ref();
            layer = target.stack.iter().find(above);
        }
        devices
    };
    target.bottom_devices().into_iter().map(chain).max().unwrap_or(1).max(1)
}

fn pause_before_read(cell: &Cell) -> Option<Nanos> {
    let paused = cell.role == CellRole::Idle || matches!(cell.trial, Some(Trial::Wake { .. }));
    match cell.job.pacing {
        Pacing::Spaced { interval } if paused => Some(interval),
        _ => None,
    }
}

struct Reads {
    latencies: LatencyHistogram,
    median: Estimate,
}

impl Reads {
    fn of_cell(cell: &Cell) -> Option<Self> {
        let latencies = read_histogram(cell)?;
        let median = percentile_estimate(&latencies, 50.0)?;
        Some(Self { latencies, median })
    }

    /// Whether these few reads, not only those in their middle, are slower than others, of which
    /// there are many (Mann-Whitney).
    fn rank_above(&self, others: &LatencyHistogram) -> bool {
        let n = self.latencies.count();
        let values = (1..=n).filter_map(|rank| self.latencies.at_rank(rank));
        let below = |ns| 1.0 - others.count_above(ns) / others.count().max(1) as f64;
        let mean = values.map(below).sum::<f64>() / n.max(1) as f64;
        let error = (12.0 * n as f64).sqrt().recip();
        mean > 0.5 + RANK_ERRORS * error
    }
}

fn to_nanos(p50: &Estimate) -> Nanos {
    Nanos(p50.value as u64)
}

/// `deep` is the longest that processors sleep on the way to the device and back.
fn judge_cell(
    cell: &Cell,
    (paused_reads, usual_reads): (&Reads, &Reads),
    deep: Nanos,
    finding: &mut FindingBuilder,
) {
    let (paused, usual) = (&paused_reads.median, &usual_reads.median);
    let (times, more) = (paused.value / usual.value.max(1.0), paused.value - usual.value);
    let apart = paused.low.zip(usual.high).is_some_and(|(low, high)| low > high)
        && paused_reads.rank_above(&usual_reads.latencies);
    let longer = |limit: Nanos| more >= limit.0 as f64;
    let asleep = longer(WARNING_EXCESS_MIN) || (times >= WARNING_RATIO_MIN && longer(deep));
    let (median, reads) = (to_nanos(paused), paused.n);
    let busy = CpuShares::from_cell(cell).map(|cpu| 1.0 - cpu.idle.min(1.0));
    let value: Message = match busy.map(Ratio) {
        Some(busy) => IdleLatencyPausedBusy { median, reads, times, busy }.into(),
        None => IdleLatencyPaused { median, reads, times }.into(),
    };
    let fact = Evidence::figure(Message::from_text(&cell.name), value, times);
    if !(apart && times > NOTE_RATIO_MIN && longer(NOTE_EXCESS_MIN)) {
        finding.evidence.push(fact);
        return;
    }
    let is_device = asleep && busy.is_none_or(|share| share <= BUSY_MAX);
    finding.mark_cell(cell, if is_device { Status::Warning } else { Status::Note }, fact);
}

messages! {
    IdleLatencyUsual = "idle-latency-usual" { median: Nanos };
    IdleLatencyAsleep = "idle-latency-asleep" { pause: Nanos, took: Nanos, usual: Nanos };
    IdleLatencySlower = "idle-latency-slower" { pause: Nanos, took: Nanos, usual: Nanos };
    IdleLatencyAlike = "idle-latency-alike" { pause: Nanos, factor: u64, usual: Nanos };
    IdleLatencyPaused = "idle-latency-paused" { median: Nanos, reads: u64, times: f64 };
    IdleLatencyPausedBusy = "idle-latency-paused-busy" {
        median: Nanos, reads: u64, times: f64, busy: Ratio,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        add_trial_cell, cell_mut, latencies_around, sample_record, set_read_latencies,
    };

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    /// The usual read takes 50 us here, and one after a pause so long.
    fn after(pause: Nanos, took_us: u64) -> Measured {
        let mut record = sample_record();
        set_read_latencies(
            cell_mut(&mut record, "randread-4k-qd1"),
            &latencies_around(50_000, 400),
        );
        let cell = add_trial_cell(&mut record, "wake-read-4k", Trial::Wake { pause });
        cell.job.pacing = Pacing::Spaced { interval: pause };
        set_read_latencies(cell, &latencies_around(took_us * 1000, 10));
        record
    }

    #[test]
    fn waking_is_noted_and_sleeping_is_told() {
        let check = |took_us, status| {
            let finding = check(&after(Nanos::secs(1), took_us));
            assert_eq!(finding.status, status, "{took_us}: {finding:#?}");
        };
        check(50, Status::Ok);
        check(75, Status::Ok);
        check(110, Status::Note);
        check(240, Status::Note); // 4.8 times: a hypervisor's wake-up
        check(400, Status::Warning);
        check(1_200, Status::Warning);
    }

    #[test]
    fn each_layer_may_wake_a_processor() {
        let check = |took_us, status| {
            let mut record = after(Nanos::millis(50), took_us);
            let disk = record.targets[0].stack[0].clone();
            let device = record::Layer { kind: LayerKind::Loop, name: "loop0".into(), ..disk };
            record.targets[0].stack[0].above = Some("loop0".to_owned());
            record.targets[0].stack.insert(0, device);
            assert_eq!(check(&record).status, status, "{took_us}");
        };
        check(400, Status::Note);
        check(700, Status::Warning);
    }

    #[test]
    fn the_members_of_an_array_are_beside_each_other() {
        let mut record = after(Nanos::millis(50), 700);
        let disk = record.targets[0].stack[0].clone();
        let array = record::Layer { kind: LayerKind::Raid, name: "md0".into(), ..disk.clone() };
        let member = |name: &str| record::Layer {
            name: name.into(),
            above: Some("md0".to_owned()),
            ..disk.clone()
        };
        record.targets[0].stack = vec![array, member("a"), member("b"), member("c"), member("d")];
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn a_slow_disk_that_takes_no_longer_after_a_pause_is_ok() {
        let mut record = after(Nanos::millis(50), 9_000);
        set_read_latencies(
            cell_mut(&mut record, "randread-4k-qd1"),
            &latencies_around(8_000_000, 100),
        );
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn a_few_reads_from_the_farther_of_two_places_are_not_asleep() {
        let check = |near: usize, far_ns: u64, status| {
            let mut record = after(Nanos::millis(50), 899);
            let main = cell_mut(&mut record, "randread-4k-qd1");
            let usual = [latencies_around(29_000, 550), latencies_around(899_000, 450)].concat();
            set_read_latencies(main, &usual);
            let far = latencies_around(far_ns, 10 - near);
            let paused = [latencies_around(29_000, near), far].concat();
            set_read_latencies(cell_mut(&mut record, "wake-read-4k"), &paused);
            assert_eq!(super::tests::check(&record).status, status, "{near} {far_ns}");
        };
        check(1, 899_000, Status::Ok);
        // Both places sleep.
        check(0, 4_000_000, Status::Warning);
    }

    #[test]
    fn busy_processors_may_be_what_was_waited_for() {
        let mut record = after(Nanos::secs(1), 1_200);
        let name = "wake-read-4k";
        let system = cell_mut(&mut record, name).ledger.system.get_or_insert_default();
        (system.cpu_total, system.cpu_idle) = (Nanos::secs(20), Nanos::secs(5));
        assert_eq!(check(&record).status, Status::Note);
        let system = cell_mut(&mut record, name).ledger.system.get_or_insert_default();
        system.cpu_idle = Nanos::secs(19);
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn the_cell_of_every_check_is_enough() {
        let mut record = after(Nanos::millis(50), 3_000);
        let cell = record.cells.last_mut().unwrap();
        (cell.role, cell.trial) = (CellRole::Idle, None);
        assert_eq!(check(&record).status, Status::Warning);
        set_read_latencies(record.cells.last_mut().unwrap(), &[3_000_000; 4]);
        assert_eq!(check(&record).status, Status::NotObservable);
        record.cells.clear();
        assert_eq!(check(&record).status, Status::NotObservable);
    }
}
