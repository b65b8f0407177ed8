//! Trims of a block device, which no file takes: the same operations as with the real fio, the same
//! blocks that are zero afterwards, and the same words on standard error.

use std::fs;

use lab::{LoopDevice, Need};

use crate::harness::run::{Outcome, Side, run, words};
use crate::harness::{folder, gate};

const BLOCK: usize = 4096;

/// Written whole, so that a trimmed block can be told.
const FILL: &str = "--rw=write --bs=64k --refill_buffers";

/// Trims of every kind, alone and with writes that are read back.
const JOBS: &[&str] = &[
    "--rw=trim --io_size=512k",
    "--rw=randtrim --ioengine=libaio --iodepth=8 --io_size=512k",
    "--rw=trim --ioengine=io_uring --iodepth=8 --number_ios=100",
    "--rw=trim --ioengine=posixaio --iodepth=4 --bs=16k",
    "--rw=trim --ioengine=mmap --direct=0 --size=512k",
    "--rw=trim --verify=crc32c --size=512k",
    "--rw=trimwrite --number_ios=5",
    "--rw=trimwrite --ioengine=libaio --iodepth=8",
    "--rw=randtrimwrite --ioengine=io_uring --iodepth=8 --size=768k",
    "--rw=trimwrite --verify=crc32c",
    "--rw=randtrimwrite --verify=md5 --ioengine=libaio --iodepth=8",
    "--rw=randtrimwrite --verify=sha1 --ioengine=io_uring --iodepth=4 --loops=2",
    "--rw=trimwrite --verify=crc32c --trim_percentage=100",
    "--rw=trimwrite --verify=crc32c --trim_percentage=100 --trim_backlog=16",
    "--rw=randtrimwrite --verify=crc32c --trim_percentage=100 --trim_backlog=16 --size=1000k",
    "--rw=trimwrite --verify=crc32c --trim_percentage=100 --trim_backlog=7 --trim_backlog_batch=2",
    "--rw=trimwrite --verify=crc32c --trim_percentage=100 --trim_backlog=16 --trim_verify_zero=0",
    "--rw=trimwrite --verify=meta --trim_percentage=100 --trim_backlog=9 --trim_backlog_batch=4 \
     --trim_verify_zero=0",
    "--rw=trimwrite --verify=md5 --trim_percentage=100 --trim_backlog=16 --loops=2",
    "--rw=trimwrite --verify=pattern --verify_pattern=0x55 --trim_percentage=100 --trim_backlog=3",
    "--rw=randtrimwrite --verify=crc64 --trim_percentage=100 --trim_backlog=5 --io_size=512k \
     --ioengine=libaio",
    "--rw=trimwrite --direct=0 --verify=crc32c --trim_percentage=100 --trim_backlog=16",
    // Nothing is done: written blocks are found where zeros are expected.
    "--rw=trimwrite --verify=crc32c --trim_percentage=100 --trim_backlog=16 --verify_only",
];

/// What must be the same on both sides.
type Result = (i32, [u64; 3], Vec<bool>, Vec<String>);

fn run_on(device: &LoopDevice, side: Side, job: &str) -> Outcome {
    let root = folder().unwrap();
    let dir = root.path().join("d"); // what a program prints is kept beside it
    fs::create_dir(&dir).unwrap();
    let target = device.path().display();
    let mut all = vec!["--output-format=json".to_owned()];
    all.extend(words(&format!(
        "--name=a --filename={target} --size=1m --bs=4k --direct=1 --verify_state_save=0 {job}"
    )));
    if side == Side::Ours {
        all.push(format!("--yes-destroy-data-on={target}"));
    }
    run(side, &all, &dir, None, &[]).unwrap()
}

/// Discards that the device has completed, by the kernel's counter.
fn count_discards(device: &LoopDevice) -> u64 {
    const PLACE: usize = 11;
    let path = format!("/sys/dev/block/{}/stat", device.major_minor());
    let counters = fs::read_to_string(path).unwrap();
    counters.split_whitespace().nth(PLACE).unwrap().parse().unwrap()
}

fn result_of(device: &LoopDevice, side: Side, job: &str) -> Result {
    let filled = run_on(device, Side::Real, FILL);
    assert_eq!(filled.status, 0, "{}", filled.words());
    let before = count_discards(device);
    let outcome = run_on(device, side, job);
    let discards = count_discards(device) - before;
    let json = outcome.stdout.find('{').map_or("", |at| &outcome.stdout[at..]);
    let json: serde_json::Value = serde_json::from_str(json)
        .unwrap_or_else(|error| panic!("{side:?} {job}: {error}: {outcome:?}"));
    let count = |way: &str| json["jobs"][0][way]["total_ios"].as_u64().unwrap();
    let content = fs::read(device.path()).unwrap();
    let zeros = content.chunks(BLOCK).map(|block| block.iter().all(|byte| *byte == 0));
    let mut zeros: Vec<bool> = zeros.collect();
    if job.contains("rw=rand") {
        zeros.sort_unstable(); // the order is our generator's
    }
    let is_talk = |line: &&str| line.starts_with("fio: pid=") || line.contains("entries leaked");
    // A job that takes its operations to be done does none.
    let trimmed = if job.contains("verify_only") { 0 } else { count("trim") };
    assert_eq!(discards, trimmed, "{side:?} {job}: by the device's counter");
    let told = outcome.stderr.lines().filter(|line| !is_talk(line)).map(str::to_owned).collect();
    (outcome.status, ["read", "write", "trim"].map(count), zeros, told)
}

#[test]
fn trims_of_a_device_are_those_of_fio() {
    lab::skip_unless!(Need::LoopDevices);
    let _pass = gate::enter(gate::Company::Any);
    let device = LoopDevice::new(1 << 20).unwrap();
    for job in JOBS {
        let ours = result_of(&device, Side::Ours, job);
        assert_eq!(ours, result_of(&device, Side::Real, job), "{job}");
    }
}

/// fio 3.33 ends at an assertion; 3.41 runs them.
#[test]
fn written_places_are_trimmed_without_a_trim_before() {
    lab::skip_unless!(Need::LoopDevices);
    let _pass = gate::enter(gate::Company::Any);
    let device = LoopDevice::new(1 << 20).unwrap();
    let check = |job: &str, counts: [u64; 3], trimmed: usize| {
        let (status, moved, zeros, told) = result_of(&device, Side::Ours, job);
        assert_eq!((status, moved), (0, counts), "{job}: {told:?}");
        assert_eq!(zeros.iter().filter(|zero| **zero).count(), trimmed, "{job}");
    };
    check("--rw=write --verify=md5 --trim_percentage=100 --trim_backlog=16", [256; 3], 256);
    let some = "--rw=randwrite --verify=md5 --trim_percentage=50 --trim_backlog=1 --number_ios=64";
    check(some, [64, 64, 32], 32);
    check(&format!("{some} --do_verify=0"), [0, 64, 32], 32);
    check(&format!("{some} --trim_verify_zero=0"), [32, 64, 32], 32);
    check("--rw=write --verify=md5 --trim_percentage=100", [256, 256, 0], 0);
    // The pages that were written wait in memory.
    let buffered = "--rw=write --direct=0 --verify=md5 --trim_percentage=100 --trim_backlog=16";
    check(buffered, [256; 3], 256);
}
