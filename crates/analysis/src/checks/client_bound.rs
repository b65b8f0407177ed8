//! `client-bound`: was the load generator the limit? Not where the device held nearly all requests:
//! then busy workers only polled. Of an open loop, the lag behind its plan is judged.

use record::{LatencySummary, OpenLoop};

use super::check::*;
use crate::cells::{DEVICE_SHARE_MIN, cell_beside, is_device_full};
use crate::evidence::generator_pauses::{PAUSED_SHARE_MAX, TAIL_SHARE_MAX, judge_pauses};
use crate::evidence::withheld_cpu::{
    HELD_BACK_WARNING, WITHHELD_INVALID, WITHHELD_WARNING, judge_withheld_cpu,
};

pub(super) static CHECK: Check = Check {
    id: FindingId::ClientBound,
    method: Some(|| {
        ClientBoundMethod {
            own_min: OWN_SHARE_MIN,
            busy_min: BUSY_MIN,
            nop_min: NOP_SHARE_MIN,
            device_min: DEVICE_SHARE_MIN,
            paused_max: PAUSED_SHARE_MAX,
            tail_max: TAIL_SHARE_MAX,
            withheld_warning: WITHHELD_WARNING,
            held_back: HELD_BACK_WARNING,
            withheld_invalid: WITHHELD_INVALID,
        }
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Busy share from which the processor counts as the limit (methodology: 90 %).
const BUSY_MIN: Ratio = Ratio(0.90);
/// Share of the host's busy time that must be this process's.
const OWN_SHARE_MIN: Ratio = Ratio(0.5);
/// Share of the rate on no-operations.
const NOP_SHARE_MIN: Ratio = Ratio(0.6);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut outcome = judge_load(measured, finding);
    for judge in [judge_pauses, judge_withheld_cpu] {
        let mut other = FindingBuilder::new(finding.remedy.clone());
        if let Some(summary) = judge(measured, &mut other) {
            outcome = Ok(join_findings(finding, outcome, other, summary));
        }
    }
    outcome
}

/// The worse of the two, with the evidence of both, and the cells of both if equally bad.
fn join_findings(
    finding: &mut FindingBuilder,
    outcome: Outcome,
    mut other: FindingBuilder,
    summary: Message,
) -> Message {
    let summary = match outcome {
        Ok(first) if finding.status > other.status => first,
        _ => {
            std::mem::swap(finding, &mut other);
            summary
        }
    };
    if finding.status == other.status {
        other.cells.retain(|name| !finding.cells.contains(name));
        finding.cells.append(&mut other.cells);
    }
    finding.evidence.append(&mut other.evidence);
    summary
}

fn judge_load(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut busiest: f64 = 0.0;
    let mut looked = false;
    let is_load = |cell: &&Cell| cell.role != CellRole::Idle && cell.elapsed.0 > 0;
    for cell in measured.cells.iter().filter(is_load) {
        looked = true;
        if let Some(open) = &cell.open_loop {
            judge_open_loop(cell, open, finding);
            continue;
        }
        let (share, words) = busy_share(cell, measured);
        busiest = busiest.max(share);
        if share >= BUSY_MIN.0 {
            finding.mark(cell, Status::Warning, words, share);
        }
    }
    if !looked {
        return Err(label("client-bound-nothing"));
    }
    let cells = finding.cells.len();
    Ok(match finding.status {
        Status::Invalid => ClientBoundLate { cells }.into(),
        Status::Note => ClientBoundWritesLate { cells }.into(),
        Status::Ok => ClientBoundSpare { share: Ratio(busiest) }.into(),
        _ => ClientBoundBusy { cells }.into(),
    })
}

fn judge_open_loop(cell: &Cell, open: &OpenLoop, finding: &mut FindingBuilder) {
    if !open.generator_late {
        return;
    }
    let p99 = |latency: &LatencySummary| {
        Nanos(latency.percentiles.get("p99").copied().unwrap_or(latency.max))
    };
    let lag = p99(&open.lag_ns);
    let response = cell.data_directions().filter_map(|t| t.response_ns.as_deref().map(p99)).max();
    let response = response.unwrap_or(Nanos::ZERO);
    // Of writes next to reads only the rate is shown, and that is right.
    let beside = cell.role == CellRole::Interference;
    let status = if beside { Status::Note } else { Status::Invalid };
    finding.mark(cell, status, ClientBoundLag { lag, response }, lag.as_secs_f64());
}

/// The strongest sign of a busy generator, as a share to compare with [`BUSY_MIN`], in words.
fn busy_share(cell: &Cell, measured: &Measured) -> (f64, Message) {
    let elapsed = cell.elapsed.0 as f64;
    let beside = cell_beside(cell, measured);
    let on_processors = |threads: u32| threads.min(measured.environment.cpus).max(1);
    let workers = on_processors(cell.cpu.threads);
    // Counters of the process and of the device are those of both jobs.
    let threads_beside = beside.map_or(0, |other| other.cpu.threads);
    let all_workers = on_processors(cell.cpu.threads.saturating_add(threads_beside));
    let used = cell.cpu.user.0 as f64 + cell.cpu.system.0 as f64;
    let worker = used / (elapsed * f64::from(workers));
    let mut worst = (worker, ClientBoundWorkers { share: Ratio(worker) }.into());
    if let Some(system) = &cell.ledger.system
        && system.cpu_total.0 > 0
    {
        // The kernel's helpers (io_uring workers) count as the generator's.
        let available = cell.ledger.elapsed.0 as f64 * f64::from(all_workers);
        let process = system.cpu_self.0 as f64 / available.max(1.0);
        if process > worst.0 {
            let (share, processors) = (Ratio(process), all_workers);
            worst = (process, ClientBoundProcess { share, processors }.into());
        }
        let busy = 1.0 - system.cpu_idle.0 as f64 / system.cpu_total.0 as f64;
        let own = system.cpu_self.0 as f64 / (system.cpu_total.0 as f64 * busy).max(1.0);
        if own >= OWN_SHARE_MIN.0 && busy > worst.0 {
            worst = (busy, ClientBoundHost { share: Ratio(busy), own: Ratio(own) }.into());
        }
    }
    if worst.0 >= BUSY_MIN.0 && is_device_full(cell, beside, &measured.targets) {
        worst = (0.0, Message::default());
    }
    let (calibration, shallow) = (&measured.calibration, cell.job.depth.0 < 32);
    let nop = if shallow { calibration.nop_iops_depth_1 } else { calibration.nop_iops_depth_32 };
    if let Some(Iops(nop)) = nop
        && cell.iops() > NOP_SHARE_MIN.0 * nop
    {
        let words = ClientBoundLoop { rate: Iops(cell.iops()), most: Iops(nop) };
        worst = (worst.0.max(BUSY_MIN.0), words.into());
    }
    worst
}

messages! {
    ClientBoundMethod = "check-client-bound-method" {
        own_min: Ratio, busy_min: Ratio, nop_min: Ratio, device_min: Ratio, paused_max: Ratio,
        tail_max: Ratio, withheld_warning: Ratio, held_back: Ratio, withheld_invalid: Ratio,
    };
    ClientBoundLate = "client-bound-late" { cells: usize };
    ClientBoundWritesLate = "client-bound-writes-late" { cells: usize };
    ClientBoundSpare = "client-bound-spare" { share: Ratio };
    ClientBoundBusy = "client-bound-busy" { cells: usize };
    ClientBoundLag = "client-bound-lag" { lag: Nanos, response: Nanos };
    ClientBoundWorkers = "client-bound-workers" { share: Ratio };
    ClientBoundProcess = "client-bound-process" { share: Ratio, processors: u32 };
    ClientBoundHost = "client-bound-host" { share: Ratio, own: Ratio };
    ClientBoundLoop = "client-bound-loop" { rate: Iops, most: Iops };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::SystemCounters;
    use units::Nanos;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn busy_workers_are_the_limit() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        cell.cpu.system = Nanos((cell.elapsed.0 as f64 * 0.93) as u64);
        cell.ledger.layers[0].queue_ms /= 2;
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert_eq!(finding.cells, ["randread-4k-qd16"]);
    }

    #[test]
    fn busy_hosts_count_only_when_this_process_is_the_cause() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        cell.ledger.layers[0].queue_ms /= 2;
        let total = Nanos(2 * cell.elapsed.0);
        let with = |own: u64| SystemCounters {
            cpu_total: total,
            cpu_idle: Nanos(total.0 / 50),
            cpu_self: Nanos(own),
            ..SystemCounters::default()
        };
        cell.ledger.system = Some(with(total.0 * 9 / 10));
        assert_eq!(check(&record).status, Status::Warning);
        cell_mut(&mut record, "randread-4k-qd16").ledger.system = Some(with(total.0 / 10));
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn two_jobs_share_the_processors_and_the_device() {
        // One worker each, and both together keep one processor and a half busy.
        let busy = |record: &mut Measured, own: f64, queue: f64| {
            for cell in &mut record.cells {
                let elapsed = cell.ledger.elapsed.0 as f64;
                cell.ledger.system = Some(SystemCounters {
                    cpu_total: Nanos((elapsed * 4.0) as u64),
                    cpu_idle: Nanos((elapsed * (4.0 - own)) as u64),
                    cpu_self: Nanos((elapsed * own) as u64),
                    ..SystemCounters::default()
                });
                cell.ledger.layers[0].queue_ms = (elapsed / 1e6 * queue) as u64;
            }
        };
        let mut record = record::fixture::two_job_limit_record().measured;
        record.environment.cpus = 4;
        busy(&mut record, 1.5, 0.0);
        assert_eq!(check(&record).status, Status::Ok);
        busy(&mut record, 1.9, 0.0);
        assert_eq!(check(&record).status, Status::Warning);
        // The device held all of the shallowest pair, but of a deeper one only a part.
        let depth = |cell: &Cell| cell.job.depth.0;
        let one = depth(&record.cells[0]);
        let total = one + depth(&record.cells[1]);
        record.cells.truncate(2);
        busy(&mut record, 1.9, f64::from(total));
        assert_eq!(check(&record).status, Status::Ok);
        busy(&mut record, 1.9, f64::from(one));
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn the_loop_itself_is_a_ceiling() {
        let mut record = sample_record();
        record.calibration.nop_iops_depth_1 = Some(Iops(21_000.0));
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn an_open_loop_is_judged_by_its_lag_and_not_by_its_spinning() {
        let check = |late: bool, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            cell.cpu.user = cell.elapsed;
            cell.ledger.layers[0].queue_ms /= 2;
            let latency = cell.totals.read.as_ref().unwrap().latency_ns.clone();
            cell.totals.read.as_mut().unwrap().response_ns = Some(Box::new(latency.clone()));
            cell.open_loop = Some(Box::new(OpenLoop {
                started: 1000,
                lag_ns: latency,
                generator_late: late,
                ..OpenLoop::default()
            }));
            let finding = check(&record);
            assert_eq!(finding.status, status, "{finding:?}");
        };
        check(true, Status::Invalid);
        check(false, Status::Ok);
    }

    #[test]
    fn a_device_holds_no_more_than_its_queue_takes() {
        let check = |requests: u64, hardware_queues: Option<u64>, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd128");
            cell.cpu.system = cell.elapsed;
            let device = &mut cell.ledger.layers[0];
            device.queue_ms /= 2;
            let device = device.name.clone();
            let mut layers = record.targets.iter_mut().flat_map(|target| &mut target.stack);
            let layer = layers.find(|layer| layer.name == device).unwrap();
            let queue = layer.queue.as_mut().unwrap();
            (queue.nr_requests, queue.hardware_queues) = (Some(requests), hardware_queues);
            assert_eq!(CHECK.judge_alone(&record).status, status, "{requests} {hardware_queues:?}");
        };
        check(64, Some(1), Status::Ok);
        check(64, Some(2), Status::Warning);
        check(256, Some(1), Status::Warning);
        // A mapped device, and a foreign record.
        check(64, None, Status::Warning);
        check(0, Some(1), Status::Warning);
    }

    #[test]
    fn busy_waiting_for_a_full_device_is_not_the_client() {
        let check = |name: &str, queue_share: f64, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, name);
            cell.cpu.system = cell.elapsed;
            let device = &mut cell.ledger.layers[0];
            device.queue_ms = (device.queue_ms as f64 * queue_share) as u64;
            assert_eq!(check(&record).status, status, "{name} {queue_share}");
        };
        check("randread-4k-qd64", 0.98, Status::Ok);
        check("randread-4k-qd64", 0.6, Status::Warning);
        // One at a time: an in-kernel device works on our processor, the rest is the loop's.
        check("randread-4k-qd1", 0.95, Status::Ok);
        check("randread-4k-qd1", 0.5, Status::Warning);
    }
}
