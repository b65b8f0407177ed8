//! Runs one cell on a file or device and prints its figures: for measuring the engine itself.
//!
//! `one_cell PATH [rw=read|write|mix] [bs=4096] [depth=1] [secs=3] [warm=0] [backend=auto]
//! [access=random] [size=BYTES] [spaced_ms=0] [sync=0]`; prints one JSON object.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use engine::{Clock, StopFlag, Target, run};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{
    Access, BackendChoice, Direction, Job, Limits, Mix, Pacing, Payload, Span, Stop, SyncKind,
    SyncPolicy,
};

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
    let file = OpenOptions::new()
        .read(true)
        .write(mix.writes())
        .custom_flags(libc::O_DIRECT * i32::from(number("direct", 1.0) > 0.0))
        .open(&path)
        .expect("open");
    let metadata = file.metadata().unwrap();
    let size = if metadata.file_type().is_block_device() {
        let name = std::path::Path::new(&path).file_name().unwrap().to_owned();
        let sectors =
            std::fs::read_to_string(format!("/sys/block/{}/size", name.to_string_lossy())).unwrap();
        sectors.trim().parse::<u64>().unwrap() * 512
    } else {
        metadata.len()
    };
    let size = number("size", size as f64) as u64;
    let block = number("bs", 4096.0) as u64;
    let job = Job {
        name: "cell".to_owned(),
        access: if text("access", "random") == "random" {
            Access::Random
        } else {
            Access::Sequential
        },
        mix,
        block_size: Bytes(block),
        depth: Depth(number("depth", 1.0) as u32),
        pacing: match number("spaced_ms", 0.0) as u64 {
            0 => Pacing::Closed,
            ms => Pacing::Spaced { interval: Nanos::millis(ms) },
        },
        sync: (number("sync", 0.0) > 0.0)
            .then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        warm_up: Nanos::from_secs_f64(number("warm", 0.0)),
        stop: Stop::after(Nanos::from_secs_f64(number("secs", 3.0))),
        span: Span { offset: Bytes(0), length: Bytes(size / block * block) },
        payload: Payload::Unique,
        direct: true,
        seed: Seed(number("seed", 1.0) as u64),
        backend: match text("backend", "auto").as_str() {
            "threads" => BackendChoice::Threads,
            "io_uring" => BackendChoice::IoUring,
            _ => BackendChoice::Auto,
        },
        interval: Nanos::millis(100),
    };
    let limits = Limits { size: Bytes(size), offset_align: Bytes(512), writable: mix.writes() };
    let target = Target::new(file, limits, Bytes(4096));
    let clock = Clock::best();
    let outcome = run(&job, &target, &clock, &StopFlag::default(), &mut |_| {}).expect("run");
    tell(&outcome);
}

/// One line of JSON per direction.
fn tell(outcome: &engine::Outcome) {
    let seconds = outcome.elapsed_ns as f64 / 1e9;
    for direction in [Direction::Read, Direction::Write, Direction::Sync] {
        let sum = outcome.total(direction);
        if sum.ops == 0 {
            continue;
        }
        let p = |q| sum.total.quantile(q).unwrap_or(0);
        println!(
            "{{\"direction\":\"{}\",\"backend\":\"{}\",\"iops\":{:.1},\"mean\":{:.1},\"p50\":{},\
             \"p99\":{},\"p999\":{},\"max\":{},\"slat_mean\":{:.1},\"slat_n\":{},\"ops\":{},\
             \"asked_ops\":{},\"depth\":{:.4},\"little\":{:.4},\"user_ns_per_op\":{:.1},\
             \"sys_ns_per_op\":{:.1},\"intervals\":{},\"ended\":\"{:?}\",\"notes\":{:?}}}",
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
            outcome.asked.ops[direction as usize],
            outcome.outstanding_ns / outcome.elapsed_ns as f64,
            sum.total.sum_ns() as f64 / outcome.elapsed_ns as f64,
            outcome.cpu_ns.0 as f64 / sum.ops as f64,
            outcome.cpu_ns.1 as f64 / sum.ops as f64,
            outcome.intervals.len(),
            outcome.ended,
            outcome.notes,
        );
    }
}
