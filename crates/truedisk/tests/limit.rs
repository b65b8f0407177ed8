//! `truedisk limit` on real devices: throttled ones, files, and requests that cannot be met.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::process::Command;

use lab::{LoopDevice, Need, Throttle};
use record::{BoundedBy, Curve, CurvePoint, Record};
use support::{alone, assert_clean, one_of, record_of, run, run_until_known, truedisk};

const LARGE: u64 = 1 << 30;
/// Of a search that sees nothing but the limit of a group: it does not go on.
const CELLS_MAX: usize = 12;

/// A search that keeps nothing and prints its record.
fn limit(args: &[&str]) -> Command {
    let mut command = truedisk(["limit", "--json", "-", "--no-history", "--seed", "1"]);
    command.args(args);
    command
}

fn searched(record: &Record) -> &Curve {
    let open = record.judgement_or_default().curves.iter().find(|curve| curve.open_loop);
    open.unwrap_or(&record.judgement_or_default().curves[0])
}

#[test]
fn a_throttled_device_is_told_from_a_disk_at_its_limit() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(3000).unwrap();
    let path = device.path().to_str().unwrap();
    let args = ["--read-only", "--bound", "p99<200ms", "--probe-max", "1s", path];
    let search = || record_of(throttle.wrap_command(&limit(&args)));
    // Where others take the processors meanwhile, the search says so, and is unsure of its answer.
    let is_sure = |record: &Record| {
        let limit = searched(record).main_limit();
        limit.is_some_and(|limit| limit.bounded_by != BoundedBy::Unsure)
            && record.measured.cells.len() <= CELLS_MAX
    };
    let record = one_of(search, is_sure);
    let limit = searched(&record).main_limit().unwrap();
    assert!((limit.iops.value / 3000.0 - 1.0).abs() < 0.01, "{limit:#?}");
    assert_eq!(limit.bounded_by, BoundedBy::ControlGroup, "{limit:#?}");
    assert!(limit.confirmed && limit.iops.relative_half_width().unwrap() < 0.01, "{limit:#?}");
    let headline = &record.judgement_or_default().verdict.as_ref().unwrap().headline;
    assert!(headline.text().contains(": the limit of a control group"), "{headline:?}");
    let because = &limit.because[0];
    assert!(because.text().starts_with("control group /"), "{because:?}");
    assert!(record.measured.cells.len() <= CELLS_MAX, "{}", record.measured.cells.len());
}

/// Reads and the milliseconds that they took, since the device is there (the kernel's
/// Documentation/admin-guide/iostats.rst: fields 1 and 4).
fn kernel_counts(device: &LoopDevice) -> (f64, f64) {
    let name = device.path().file_name().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
    let fields: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    (fields[0], fields[3])
}

/// The points of the curve against what the kernel counted at the device meanwhile: nobody else
/// reads it, and a loop device holds back nothing before it counts.
#[test]
fn operations_and_latency_of_the_curve_are_those_of_the_kernels_counters() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let before = kernel_counts(&device);
    let args = ["--read-only", "--bound", "p50<200us", "--depth", "16"];
    let args = [&args[..], &["--probe-max", "1s", device.path().to_str().unwrap()]].concat();
    let record = record_of(limit(&args));
    let after = kernel_counts(&device);
    let (reads, took_ms) = (after.0 - before.0, after.1 - before.1);
    let asked: f64 = record.measured.cells.iter().map(|cell| cell.ledger.read_ops as f64).sum();
    assert!((reads / asked - 1.0).abs() < 0.002, "{reads} of {asked}");
    // The record's own sums of the same times.
    let recorded = record.measured.cells.iter().map(|cell| cell.ledger.layers[0].queue_ms as f64);
    let recorded_ms: f64 = recorded.sum();
    assert!((recorded_ms / took_ms - 1.0).abs() < 0.02, "{recorded_ms} of {took_ms} ms");
    let curve = searched(&record);
    let (mut ops, mut ours_ns, mut theirs_ms, mut all_served) = (0.0, 0.0, 0, 0);
    for point in &curve.points {
        let cells: Vec<_> =
            point.cells.iter().map(|name| record.measured.cell(name).unwrap()).collect();
        let count: f64 = cells.iter().map(|c| c.totals.read.as_ref().unwrap().ops as f64).sum();
        let seconds: f64 = cells.iter().map(|cell| cell.elapsed.as_secs_f64()).sum();
        assert!((point.iops * seconds / count - 1.0).abs() < 1e-9, "{point:#?}");
        // What the kernel counted in the same cells: measured time and warm-up.
        let served: u64 = cells.iter().map(|cell| cell.ledger.layers[0].read_ops).sum();
        theirs_ms += cells.iter().map(|cell| cell.ledger.layers[0].queue_ms).sum::<u64>();
        all_served += served;
        let warm_up: f64 = cells.iter().map(|cell| cell.job.warm_up.as_secs_f64()).sum();
        let rate = served as f64 / (seconds + warm_up);
        assert!((point.iops / rate - 1.0).abs() < 0.08, "{} of {rate}", point.iops);
        // A rate that is right and a full queue leave the mean no choice (Little's law).
        let mean_ns = point.latency_ns.read.as_ref().unwrap()["mean"] as f64;
        let outstanding = point.iops * mean_ns / 1e9 / f64::from(point.depth.0);
        assert!(outstanding < 1.02, "{point:#?}");
        assert!(point.depth.0 > 1 || outstanding > 0.93, "{point:#?}");
        ops += count;
        ours_ns += count * mean_ns;
    }
    let (ours_us, theirs_us) = (ours_ns / ops / 1e3, theirs_ms as f64 * 1e3 / all_served as f64);
    // Ours has the way to the device and back in it, theirs has not.
    assert!((theirs_us * 0.98..theirs_us + 60.0).contains(&ours_us), "{ours_us} {theirs_us}");
}

#[test]
fn a_file_of_our_own_is_searched_with_two_independent_jobs_and_removed() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["--size", "256m", "--rw", "randread+randwrite", "--mix", "50", "--depth", "16"];
    let record = record_of(limit(&[&args[..], &["--bound", "p95<50ms", path]].concat()));
    assert_clean(folder.path());
    let curve = searched(&record);
    assert!(curve.independent && curve.points[0].depth.0 == 2, "{curve:#?}");
    for cell in &record.measured.cells {
        let beside = record.measured.cell(cell.beside.as_deref().unwrap()).unwrap();
        assert_eq!(beside.beside.as_deref(), Some(cell.name.as_str()));
        assert!(cell.totals.read.is_some() != beside.totals.read.is_some());
        // Their measured times are the same but for their starts.
        let apart = cell.started.0.abs_diff(beside.started.0);
        assert!(apart < 50_000_000, "{apart} ns");
    }
    let parts = &curve.main_limit().unwrap().parts;
    assert_eq!(parts.len(), 2, "{parts:#?}");
}

#[test]
fn an_open_loop_finds_a_rate_below_the_most_of_the_closed_loop() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(4000).unwrap();
    let path = device.path().to_str().unwrap();
    let args = ["--read-only", "--open-loop=constant", "--bound", "p90<100ms"];
    let args = [&args[..], &["--probe-max", "1500ms", path]].concat();
    let search = || record_of(throttle.wrap_command(&limit(&args)));
    // The kernel's throttle lets a slice of a tenth of a second more through after each pause. Once
    // requests wait in it, though, it lets through about 2,400 of 4,000 a second until none waits:
    // a rate below the cap breaks too, where the host's processors were taken for a slice.
    let confirmed_rate = |record: &Record| {
        let limit = searched(record).main_limit().filter(|limit| limit.confirmed);
        limit.and_then(|limit| limit.rate).map_or(0.0, |rate| rate.0)
    };
    let near_cap = 0.8 * 4000.0..1.08 * 4000.0;
    let record = one_of(search, |record| confirmed_rate(record) >= near_cap.start);
    let (curve, rate) = (searched(&record), confirmed_rate(&record));
    assert!(near_cap.contains(&rate), "{:#?}", curve.main_limit());
    // Above the cap a queue grows. A slice of the throttle serves its first 400 requests at once,
    // and p90<100ms allows as many more to wait until nine tenths of a probe are over: one of 1.5 s
    // can keep the bound up to 4,000 + 800 / (0.9 * 1.5) = 4,593 requests/s.
    let can_stand = |point: &CurvePoint| {
        let cells = point.cells.iter().map(|name| record.measured.cell(name).unwrap());
        let seconds = cells.map(|cell| cell.elapsed.as_secs_f64() + cell.job.warm_up.as_secs_f64());
        4000.0 + 800.0 / 0.9 / seconds.fold(f64::INFINITY, f64::min)
    };
    let stands = |point: &&CurvePoint| point.stands[0].within != Some(false);
    let too_fast = |point: &&CurvePoint| point.rate.unwrap().0 > can_stand(point);
    let stand: Vec<_> = curve.points.iter().filter(stands).filter(too_fast).collect();
    assert!(stand.is_empty(), "beside {rate}: {stand:#?}");
}

#[test]
fn a_bound_that_cannot_be_kept_is_status_3_and_says_what_idle_is() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    // A device of its own, whatever others do with the disk below.
    let device = LoopDevice::new(LARGE).unwrap();
    let path = device.path().to_str().unwrap();
    let args = ["limit", "--no-history", "--read-only", "--bound", "p50<1us", path];
    let output = run_until_known(|| run(truedisk(args)));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("p50<1us is not reachable: idle p50 is"), "{text}");
}

#[test]
fn requests_that_cannot_be_right_are_refused_with_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let check = |args: &[&str], words: &str| {
        let output = run(truedisk([&["limit", "--no-history"], args, &[path]].concat()));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
    };
    check(&["--bound", "p99"], "a statistic, '<' and a time");
    check(&["--bound", "p99.9999999<1ms"], "longest probe");
    check(&["--depth", "0"], "asks for nothing");
    check(&["--depth", "1,4,64"], "takes no list of depths");
    check(&["--depth", "1,8..64"], "takes no list of depths");
    check(&["--rw", "randrw", "--mix", "100"], "no mix");
    check(&["--rw", "randread", "--mix", "50"], "only one of them is asked");
    check(&["--rw", "randread+randread"], "one of reads and one of writes");
    check(&["--rw", "randread+randwrite+read"], "at most two");
    check(&["--rw", "randwrite", "--read-only"], "--read-only forbids it");
    check(&["--read-only"], "is a folder");
    check(&["--bs", "4k,8k"], "a search has one block size, but 2 were given");
    check(&["--rw", "randread+randwrite", "--open-loop"], "two jobs have two");
    check(&["--probe-max", "0s"], "measures nothing");
    assert_clean(folder.path());
}
