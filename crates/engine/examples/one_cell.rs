//! Runs one cell on a file or device and prints its figures: for measuring the engine itself.
//!
//! `one_cell PATH|null|simulated [rw=read|write|mix] [bs=4096] [depth=1] [secs=3] [warm=0]
//! [backend=auto|io_uring|libaio|sync|psync|pvsync|pvsync2|threads|mmap|null]
//! [access=random|sequential|zipf] [size=BYTES] [spaced_ms=0] [sync=0] [direct=1]
//! [rate=0] [arrivals=constant|poisson] [payload=unique|zero|compress] [verify=0] [instances=1]`;
//! prints one JSON object per direction, or one for all instances.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use engine::simulated::{DeviceModel, Medium, Ssd};
use engine::{Clock, SimulatedDevice, StopSignal, Target, run_job, run_together};
use units::{Bytes, Depth, Iops, Nanos, Seed};
use workload::{
    Access, Arrivals, BackendChoice, Direction, Distribution, Job, Mix, Pacing, Payload, Span,
    Stop, SyncKind, SyncPolicy, TargetLimits, Verify,
};

const SEED_DISTANCE: u64 = 0x9E37_79B9_7F4A_7C15;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a path");
    let given: HashMap<String, String> = args
        .map(|a| a.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())).expect("key=value"))
        .collect();
    let text = |key: &str, default: &str| given.get(key).map_or(default, String::as_str).to_owned();
    let number = |key: &str, default: f64| given.get(key).map_or(default, |v| v.parse().unwrap());
    let mix = match text("rw", "read").as_str() {
        "read" => Mix::Read,
        "write" => Mix::Write,
        _ => Mix::Mixed { read_percent: 75 },
    };
    let (target, size) = open(&path, mix, number("direct", 1.0) > 0.0, number("size", 0.0) as u64);
    let block = number("bs", 4096.0) as u64;
    let job = Job {
        name: "cell".to_owned(),
        access: match text("access", "random").as_str() {
            "sequential" => Access::Sequential,
            "zipf" => Access::Distributed(Distribution::Zipf { theta: 1.2 }),
            _ => Access::Random,
        },
        mix,
        block_size: Bytes(block),
        depth: Depth(number("depth", 1.0) as u32),
        pacing: match (number("spaced_ms", 0.0) as u64, number("rate", 0.0)) {
            (0, 0.0) => Pacing::Closed,
            (0, rate) => Pacing::Open {
                rate: Iops(rate),
                arrivals: match text("arrivals", "constant").as_str() {
                    "poisson" => Arrivals::Poisson,
                    _ => Arrivals::Constant,
                },
            },
            (ms, _) => Pacing::Spaced { interval: Nanos::millis(ms) },
        },
        sync: (number("sync", 0.0) > 0.0)
            .then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        warm_up: Nanos::from_secs_f64(number("warm", 0.0)),
        stop: Stop::after(Nanos::from_secs_f64(number("secs", 3.0))),
        span: Span { offset: Bytes(0), length: Bytes(size / block * block) },
        payload: match text("payload", "unique").as_str() {
            "zero" => Payload::Zero,
            "compress" => Payload::Compressible { percent: 50 },
            _ => Payload::Unique,
        },
        verify: (number("verify", 0.0) > 0.0).then_some(Verify::AtEnd),
        direct: number("direct", 1.0) > 0.0,
        seed: Seed(number("seed", 1.0) as u64),
        backend: backend(&text("backend", "auto")),
        ..Job::base()
    };
    let clock = Clock::best();
    let instances = number("instances", 1.0) as u64;
    if instances > 1 {
        return tell_shares(&job, instances, &target, &clock);
    }
    let stop = StopSignal::default();
    tell(&run_job(&job, &[target], &clock, &stop, &mut |_| {}).expect("run"));
}

fn backend(name: &str) -> BackendChoice {
    match name {
        "threads" => BackendChoice::Threads,
        "io_uring" => BackendChoice::IoUring,
        "libaio" => BackendChoice::Libaio,
        "sync" => BackendChoice::Sync,
        "psync" => BackendChoice::Psync,
        "pvsync" => BackendChoice::Pvsync,
        "pvsync2" => BackendChoice::Pvsync2 { hipri: false, nowait: false },
        "mmap" => BackendChoice::Mmap,
        "null" => BackendChoice::Null,
        _ => BackendChoice::Auto,
    }
}

/// The target and its size.
fn open(path: &str, mix: Mix, direct: bool, size: u64) -> (Target, u64) {
    let or = |default: u64| if size > 0 { size } else { default };
    match path {
        "null" => (Target::null(Bytes(or(1 << 40))), or(1 << 40)),
        "simulated" => {
            let medium = Medium::Ssd(Ssd {
                channels: 32,
                read_ns: 80_000,
                write_ns: 20_000,
                bytes_per_second: 3e9,
                ..Ssd::FLASH
            });
            let capacity = or(1 << 40);
            let law = DeviceModel::new(capacity, medium);
            (Target::simulated(SimulatedDevice::new(law, 1), Bytes(capacity)), capacity)
        }
        _ => {
            let file = OpenOptions::new()
                .read(true)
                .write(mix.writes())
                .custom_flags(libc::O_DIRECT * i32::from(direct))
                .open(path)
                .expect("open");
            let metadata = file.metadata().unwrap();
            let whole = if metadata.file_type().is_block_device() {
                let name = std::path::Path::new(path).file_name().unwrap().to_string_lossy();
                let sectors = std::fs::read_to_string(format!("/sys/block/{name}/size")).unwrap();
                sectors.trim().parse::<u64>().unwrap() * 512
            } else {
                metadata.len()
            };
            let size = or(whole);
            let limits = TargetLimits {
                size: Bytes(size),
                offset_align: Bytes(512),
                writable: mix.writes(),
            };
            (Target::new(file, limits, Bytes(4096)), size)
        }
    }
}

/// Runs `instances` of a job together and prints how evenly they shared the device.
fn tell_shares(job: &Job, instances: u64, target: &Target, clock: &Clock) {
    // Seeds far apart, so that instances do not walk through the same sequence a step behind.
    let apart = |number: u64| Seed(job.seed.0.wrapping_add(number.wrapping_mul(SEED_DISTANCE)));
    let jobs: Vec<Job> =
        (0..instances).map(|number| Job { seed: apart(number), ..job.clone() }).collect();
    let stop = StopSignal::default();
    let outcomes = run_together(&jobs, target, clock, &stop, &mut |_, _| {}).expect("run");
    let ops: Vec<u64> = outcomes.iter().map(|o| o.total(Direction::Read).ops).collect();
    let mean = ops.iter().sum::<u64>() as f64 / ops.len() as f64;
    let share = |ops: Option<&u64>| ops.map_or(0.0, |&ops| ops as f64 / mean);
    let skew = outcomes.iter().map(|o| o.activity.start_skew_ns).max().unwrap_or(0);
    println!(
        "{{\"instances\":{},\"mean_ops\":{mean:.1},\"least\":{:.4},\"most\":{:.4},\
         \"start_skew_ns\":{skew}}}",
        ops.len(),
        share(ops.iter().min()),
        share(ops.iter().max()),
    );
}

/// One line of JSON per direction.
fn tell(outcome: &engine::Outcome) {
    let seconds = outcome.elapsed_ns as f64 / 1e9;
    for direction in [Direction::Read, Direction::Write, Direction::Sync] {
        let sum = outcome.total(direction);
        if sum.ops == 0 {
            continue;
        }
        let open = outcome.open_loop.as_ref();
        let p = |q| sum.total.quantile(q).unwrap_or(0);
        println!(
            "{{\"direction\":\"{}\",\"backend\":\"{}\",\"iops\":{:.1},\"mean\":{:.1},\"p50\":{},\
             \"p99\":{},\"p999\":{},\"max\":{},\"slat_mean\":{:.1},\"slat_n\":{},\"ops\":{},\
             \"asked_ops\":{},\"depth\":{:.4},\"little\":{:.4},\"user_ns_per_op\":{:.1},\
             \"sys_ns_per_op\":{:.1},\"intervals\":{},\"ended\":\"{:?}\",\"notes\":{:?},\
             \"response_p99\":{},\"lag_p99\":{},\
             \"held\":{},\"generator_late\":{},\"mismatched\":{},\"verified\":{}}}",
            direction.name(),
            outcome.backend,
            sum.ops as f64 / seconds,
            sum.total.mean_ns().unwrap_or(0.0),
            p(0.5),
            p(0.99),
            p(0.999),
            sum.total.max_ns().unwrap_or(0),
            sum.submission.mean_ns().unwrap_or(0.0),
            sum.submission.count(),
            sum.ops,
            outcome.requested.ops[direction as usize],
            outcome.activity.outstanding_ns / outcome.elapsed_ns as f64,
            sum.total.sum_ns() as f64 / outcome.elapsed_ns as f64,
            outcome.activity.cpu_ns.0 as f64 / sum.ops as f64,
            outcome.activity.cpu_ns.1 as f64 / sum.ops as f64,
            outcome.intervals.len(),
            outcome.ended,
            outcome.notes,
            sum.response.as_ref().and_then(|r| r.quantile(0.99)).unwrap_or(0),
            open.and_then(|o| o.lag.quantile(0.99)).unwrap_or(0),
            open.map_or(0, |o| o.held),
            open.is_some_and(|o| o.generator_late),
            outcome.verified.as_ref().map_or(0, |v| v.mismatched),
            outcome.verified.as_ref().map_or(0, |v| v.blocks),
        );
    }
}
