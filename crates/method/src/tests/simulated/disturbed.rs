//! Checks and searches of devices whose rate changes, or that others use, during the run.

use engine::SimulatedDevice;
use engine::simulated::{
    DeviceModel, LatencyNoise, Medium, NoisyNeighbour, Quirks, Schedule, Ssd, Throttle,
};
use record::{Curve, Effort, LimitPlan, Part, Record};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Mix};

use crate::check::CheckRequest;
use crate::limit::LimitRequest;
use crate::request::MeasureRequest;
use crate::simulated::SimulatedTarget;

const CAPACITY: Bytes = Bytes::gib(16);
const SECOND_NS: u64 = 1_000_000_000;

/// 32 channels of 500 us: up to 64,000 operations a second.
fn target(quirks: Quirks) -> SimulatedTarget {
    let (channels, read_ns, write_ns) = (32, 100_000, 100_000);
    let medium = Medium::Ssd(Ssd { channels, read_ns, write_ns, ..Ssd::FLASH });
    let noise = LatencyNoise::LogNormal(0.2);
    let law = DeviceModel { noise, ..DeviceModel::new(CAPACITY.0, medium) };
    let info = record::fixture::ssd_record().measured.targets.remove(0);
    SimulatedTarget { device: SimulatedDevice::with_quirks(law, quirks, 5), info, capacity: CAPACITY }
}

fn capped(schedule: Schedule) -> SimulatedTarget {
    let throttles = vec![Throttle::of_requests(schedule)];
    target(Quirks { throttles, ..Quirks::default() })
}

fn ask() -> MeasureRequest {
    MeasureRequest {
        path: "simulated".into(),
        size: None,
        read_only: true,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(7),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    }
}

fn check(target: &SimulatedTarget, effort: Effort) -> Record {
    let bounds = vec!["p99<100ms".parse().unwrap()];
    target.check(&CheckRequest { ask: ask(), effort, bounds, until_throttled: None }).unwrap()
}

fn limit(target: &SimulatedTarget) -> Record {
    let part = Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) };
    let plan = LimitPlan {
        parts: vec![part],
        first_percent: None,
        arrivals: None,
        depth_max: 256,
        probe_max: Nanos::secs(30),
    };
    let bounds = vec!["p99<100ms".parse().unwrap()];
    let request = LimitRequest { ask: ask(), plan, bounds, budget: Nanos::secs(120) };
    target.limit(&request).unwrap()
}

fn show(name: &str, record: &Record) {
    let judgement = record.judgement_or_default();
    println!("=== {name}");
    for cell in &record.measured.cells {
        if cell.trial.is_none() {
            println!("{:>10} {:>8.3} {:?} {} {:.0}", cell.started.to_string(), cell.elapsed.as_secs_f64(), cell.role, cell.name, cell.iops());
        }
    }
    for curve in &judgement.curves {
        println!("{} earlier {:?}", curve.label, curve.earlier);
        for point in &curve.points {
            println!("   {} {:.0} {:?} {:?}", point.depth, point.iops, point.precision, point.cells);
        }
        for point in &curve.left_out {
            println!("   out {} {:.0} {:?} {:?}", point.depth, point.iops, point.precision, point.cells);
        }
        println!("   limit {:?}", curve.main_limit());
    }
    let verdict = judgement.verdict.as_ref().unwrap();
    println!("HEAD {}\n{:#?}\n{:#?}", verdict.headline, verdict.meaning, verdict.limited_by);
    for finding in &judgement.findings {
        if finding.status >= record::Status::Note {
            println!("{:?} {:?} {} {:?}", finding.status, finding.id, finding.summary, finding.evidence.iter().map(|e| format!("{}: {}", e.what, e.value)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn explore() {
    let step = || capped(Schedule::step(9_000.0, 12 * SECOND_NS, 1_300.0));
    show("step, check", &check(&step(), Effort::Standard));
    show("step, limit", &limit(&step()));
    let period = || capped(Schedule::period((8_000.0, 2 * SECOND_NS), (2_000.0, 2 * SECOND_NS)));
    show("period, check", &check(&period(), Effort::Standard));
    show("period, quick", &check(&period(), Effort::Quick));
    show("period, limit", &limit(&period()));
    let ramp = || capped(Schedule::ramp(9_000.0, (2 * SECOND_NS, 40 * SECOND_NS), 2_000.0));
    show("ramp, check", &check(&ramp(), Effort::Standard));
    show("ramp, limit", &limit(&ramp()));
    let neighbour = |start_s: f64, lasts_s: f64| {
        let busy = NoisyNeighbour {
            start_ns: (start_s * 1e9) as u64,
            every_ns: 0,
            lasts_ns: (lasts_s * 1e9) as u64,
            iops: 200_000.0,
            length: 4096,
        };
        target(Quirks { neighbour: Some(busy), ..Quirks::default() })
    };
    show("neighbour, check", &check(&neighbour(10.0, 15.0), Effort::Standard));
    show("neighbour, quick", &check(&neighbour(1.9, 0.5), Effort::Quick));
    show("neighbour always, quick", &check(&neighbour(0.0, 1e4), Effort::Quick));
    show("neighbour, limit", &limit(&neighbour(10.0, 15.0)));
    let _: Option<&Curve> = None;
}
