//! What a pass leaves in the page cache, counted by what this process has read from its disk: one
//! test, because all threads are counted.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::{File, read_to_string};
use std::thread;
use std::time::Duration;

use engine::{ArmedSession, Clock, SessionOptions};
use support::{SIZE, file, folder, job, target_of};
use units::{Bytes, Depth};
use workload::{Access, Job, Stop};

/// Bytes that this process has read from disks.
fn bytes_read() -> u64 {
    let counters = read_to_string("/proc/self/io").unwrap();
    let line = counters.lines().find_map(|line| line.strip_prefix("read_bytes: ")).unwrap();
    line.parse().unwrap()
}

/// Bytes read from the disk in `passes` passes of `access` over the file.
fn read_of_passes(access: &Access, passes: u64, drops_cache: bool) -> u64 {
    let folder = folder();
    let target = target_of(File::open(file(folder.path())).unwrap(), SIZE);
    target.drop_cache(Bytes(0), SIZE);
    let stop = Stop { time: None, bytes: Some(Bytes(passes * SIZE.0)), operations: None };
    let job = Job { access: access.clone(), stop, direct: false, depth: Depth(1), ..job() };
    let (clock, before) = (Clock::best(), bytes_read());
    let options = SessionOptions { drops_cache, ..SessionOptions::default() };
    let armed = ArmedSession::new(&job, &[target], &clock, &options).unwrap();
    let mut session = armed.start(ArmedSession::common_start(&clock), 0, 1);
    while session.poll(&clock, false, &mut |_| {}) {
        thread::sleep(Duration::from_millis(2)); // sleeps because a session is polled
    }
    assert_eq!(session.into_outcome().requested.ops.iter().sum::<u64>(), passes * SIZE.0 / 4096);
    bytes_read() - before
}

#[test]
fn each_pass_reads_from_the_disk_where_the_cache_is_dropped() {
    for access in [Access::Random, Access::Sequential] {
        let one = read_of_passes(&access, 1, false);
        if one < SIZE.0 / 2 {
            println!("skipped: page_cache: the file is on no disk that counts what is read");
            return;
        }
        let kept = read_of_passes(&access, 3, false);
        let dropped = read_of_passes(&access, 3, true);
        assert!(kept < SIZE.0 * 3 / 2, "{access:?}: {kept} with one cache");
        assert!(dropped > SIZE.0 * 5 / 2, "{access:?}: {dropped} with a cache for each pass");
    }
}
