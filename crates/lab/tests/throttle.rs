//! Caps hold, to the two per cent that the lab promises, and change while a process runs.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lab::{Limit, LoopDevice, Need, Scratch, Throttle, TokenBucket, skip_unless};

const MIB: u64 = 1 << 20;

/// fio against a device, directly; `words` say what it does.
fn fio(device: &Path, words: &str) -> Command {
    let mut command = Command::new("fio");
    command.args(["--name=probe", "--direct=1", "--time_based", "--norandommap"]);
    command.args(["--ioengine=libaio", "--output-format=terse", "--terse-version=3"]);
    command.args(words.split(' ')).arg(format!("--filename={}", device.display()));
    command
}

/// The fields of fio's terse line: 7 and 8 are the reads' KiB/s and IOPS, 48 and 49 the writes'.
fn terse(mut command: Command) -> Vec<String> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().split(';').map(str::to_owned).collect()
}

/// Sets a limit and expects the rate in that field within two per cent.
fn check(limit: Limit, words: &str, field: usize, expected: f64) {
    let device = LoopDevice::new(32 * MIB).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.set_limit(limit).unwrap();
    let fields = terse(throttle.wrap_command(&fio(device.path(), words)));
    let rate: f64 = fields[field - 1].parse().unwrap();
    let off = (rate / expected - 1.0).abs();
    assert!(off <= 0.02, "{limit:?}: {rate} is {:.1} % off", off * 100.0);
}

#[test]
fn a_cap_on_reads_holds() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Program("fio"));
    check(Limit::ReadIops(3000), "--rw=randread --bs=4k --iodepth=8 --runtime=2", 8, 3000.0);
}

#[test]
fn a_cap_on_writes_holds() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Program("fio"));
    check(Limit::WriteIops(3000), "--rw=randwrite --bs=4k --iodepth=8 --runtime=2", 49, 3000.0);
}

#[test]
fn caps_on_bytes_hold() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Program("fio"));
    // 40.96 MB/s are 40000 KiB/s.
    let read = Limit::ReadBytesPerSecond(40_960_000);
    check(read, "--rw=randread --bs=64k --iodepth=2 --runtime=1", 7, 40_000.0);
    let write = Limit::WriteBytesPerSecond(40_960_000);
    check(write, "--rw=randwrite --bs=64k --iodepth=2 --runtime=1", 48, 40_000.0);
}

/// A child that is killed with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A reader inside the group, going on until it is dropped.
fn reader(device: &LoopDevice, throttle: &Throttle) -> Running {
    let job = fio(device.path(), "--rw=randread --bs=4k --iodepth=8 --runtime=60 --thread");
    let child = throttle.wrap_command(&job).stdout(Stdio::null()).spawn().unwrap();
    let running = Running(child);
    let before = device.read_stat().unwrap().read_ios;
    let started = Instant::now();
    while device.read_stat().unwrap().read_ios < before + 200 {
        assert!(started.elapsed() < Duration::from_secs(5), "fio reads nothing");
        // sleeps because the counter is polled
        thread::sleep(Duration::from_millis(5));
    }
    running
}

/// Reads served and seconds passed during a span of about `ms`.
fn served(device: &LoopDevice, ms: u64) -> (f64, f64) {
    let (before, started) = (device.read_stat().unwrap(), Instant::now());
    // sleeps because reads are counted over a span of time
    thread::sleep(Duration::from_millis(ms));
    let reads = device.read_stat().unwrap().since(before).read_ios;
    (reads as f64, started.elapsed().as_secs_f64())
}

#[test]
fn a_running_reader_can_be_stalled_and_released() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Program("fio"));
    let device = LoopDevice::new(32 * MIB).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(2000).unwrap();
    let _reader = reader(&device, &throttle);
    throttle.cap_read_iops(2).unwrap();
    // What was on its way when the limit changed may still arrive: at most fio's depth.
    let (reads, seconds) = served(&device, 600);
    assert!(reads <= 2.0 * seconds + 9.0, "{reads} reads in {seconds} s of a stall");
    // A released device serves at once what waited, and far more than the stall let through.
    throttle.cap_read_iops(0).unwrap();
    let (reads, seconds) = served(&device, 300);
    assert!(reads > 1000.0 * seconds, "{reads} reads in {seconds} s without a limit");
}

#[test]
fn plans_have_their_steps_in_their_order() {
    let ms = Duration::from_millis;
    let reads = |steps: &[(u64, u64)]| -> Vec<(Duration, Limit)> {
        steps.iter().map(|&(at, n)| (ms(at), Limit::ReadIops(n))).collect()
    };
    assert_eq!(
        plan_periodic((70, 3), ms(10), ms(4), 2),
        reads(&[(0, 70), (6, 3), (10, 70), (16, 3), (20, 70)])
    );
    assert_eq!(plan_stall(ms(5), ms(9), 70), reads(&[(0, 70), (5, 2), (9, 70)]));
    assert_eq!(plan_burst(900, ms(5), 50), reads(&[(0, 900), (5, 50)]));
    assert_eq!(plan_staircase(&[300, 200], ms(5)), reads(&[(0, 300), (5, 200)]));
}

#[test]
fn a_schedule_changes_the_limits_and_a_drop_ends_it() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1);
    let device = LoopDevice::options(MIB).sparse().attach().unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    let limits = || {
        let file = throttle.path().join("blkio.throttle.read_iops_device");
        fs::read_to_string(file).unwrap().trim().to_owned()
    };
    let shown = |n: u64| format!("{} {n}", device.major_minor());
    let ms = Duration::from_millis;
    throttle.schedule_limits(plan_staircase(&[300, 200, 100], ms(5))).unwrap().finish().unwrap();
    assert_eq!(limits(), shown(100));
    throttle.schedule_limits(plan_burst(900, ms(5), 50)).unwrap().finish().unwrap();
    assert_eq!(limits(), shown(50));
    throttle.schedule_limits(vec![(ms(0), Limit::ReadIops(0))]).unwrap().finish().unwrap();
    assert_eq!(limits(), "");
    throttle.schedule_limits(plan_periodic((70, 3), ms(4), ms(2), 2)).unwrap().finish().unwrap();
    assert_eq!(limits(), shown(70));
    let hour = Duration::from_secs(3600);
    drop(throttle.schedule_limits(plan_stall(hour, hour * 2, 7)).unwrap());
    assert!(throttle.schedule_limits(plan_stall(hour, ms(0), 7)).is_err());
}

#[test]
fn a_bucket_bursts_until_its_credits_are_spent() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1, Need::Program("fio"));
    let device = LoopDevice::new(32 * MIB).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    let bucket = TokenBucket { burst: 4000, baseline: 1000, credits: 3000 };
    let _refill = throttle.start_token_bucket(bucket).unwrap();
    let before = device.read_stat().unwrap();
    let job = fio(device.path(), "--rw=randread --bs=4k --iodepth=8 --runtime=3");
    let rate: f64 = terse(throttle.wrap_command(&job))[7].parse().unwrap();
    // One second of the burst (3000 / (4000 - 1000)), and two at the baseline.
    let expected = (4000.0 + 2.0 * 1000.0) / 3.0;
    let served = device.read_stat().unwrap().since(before).read_ios;
    assert!((rate / expected - 1.0).abs() < 0.05, "{rate} per second, {served} in all");
}

#[test]
fn a_group_goes_and_lets_its_processes_live() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1);
    let device = LoopDevice::options(MIB).sparse().attach().unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    let mut asleep = Running(Command::new("sleep").arg("60").spawn().unwrap());
    let pid = asleep.0.id();
    throttle.add_process(pid).unwrap();
    let group = throttle.path().to_owned();
    let cgroup = || fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap();
    assert!(cgroup().contains(group.file_name().unwrap().to_str().unwrap()));
    drop(throttle);
    assert!(!group.exists());
    assert!(!cgroup().contains("truedisk-lab-"));
    assert!(asleep.0.try_wait().unwrap().is_none());
}

#[test]
fn a_command_started_inside_keeps_what_it_was_told() {
    skip_unless!(Need::LoopDevices, Need::BlkioV1);
    let device = LoopDevice::options(MIB).sparse().attach().unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    let scratch = Scratch::new().unwrap();
    let mut told = Command::new("sh");
    told.args(["-c", "echo \"$1|$A|$(pwd)\"; cat /proc/self/cgroup", "sh", "two words"]);
    told.env("A", "b").current_dir(scratch.path());
    let output = throttle.wrap_command(&told).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.starts_with(&format!("two words|b|{}\n", scratch.path().display())));
    assert!(output.contains(throttle.path().file_name().unwrap().to_str().unwrap()));
}

/// `usual` reads per second, but almost none, 2 per second, between two moments.
fn plan_stall(from: Duration, until: Duration, usual: u64) -> Vec<(Duration, Limit)> {
    let steps = [(Duration::ZERO, usual), (from, 2), (until, usual)];
    steps.map(|(at, n)| (at, Limit::ReadIops(n))).into()
}

/// `burst` reads per second at first, `baseline` when the credit is used up.
fn plan_burst(burst: u64, lasts: Duration, baseline: u64) -> Vec<(Duration, Limit)> {
    vec![(Duration::ZERO, Limit::ReadIops(burst)), (lasts, Limit::ReadIops(baseline))]
}

/// `usual` reads per second, but `low` in the last `lasts` of every `every`, for `times` periods.
fn plan_periodic(
    (usual, low): (u64, u64),
    every: Duration,
    lasts: Duration,
    times: u32,
) -> Vec<(Duration, Limit)> {
    let begins = every.saturating_sub(lasts);
    let period =
        |n: u32| [(every * n, Limit::ReadIops(usual)), (every * n + begins, Limit::ReadIops(low))];
    let end = (every * times, Limit::ReadIops(usual));
    (0..times).flat_map(period).chain([end]).collect()
}

/// The given caps on reads one after another, each for `each`: a disk that never settles.
fn plan_staircase(caps: &[u64], each: Duration) -> Vec<(Duration, Limit)> {
    (0u32..).zip(caps).map(|(n, cap)| (each * n, Limit::ReadIops(*cap))).collect()
}
