//! A neighbour on the disk, and a client that is stopped.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use lab::{Freezer, LoopDevice, Need, Neighbour, skip_unless};

const MIB: u64 = 1 << 20;

/// What this process was charged for reading from disks.
fn own_read_bytes() -> u64 {
    let io = fs::read_to_string("/proc/self/io").unwrap();
    let line = io.lines().find_map(|line| line.strip_prefix("read_bytes: ")).unwrap();
    line.parse().unwrap()
}

#[test]
fn a_neighbour_moves_the_device_and_not_our_account() {
    skip_unless!(Need::LoopDevices, Need::Program("fio"));
    let device = LoopDevice::new(16 * MIB).unwrap();
    let neighbour = Neighbour::new(device.path(), 2000).unwrap();
    let (ours, before, started) = (own_read_bytes(), device.read_stat().unwrap(), Instant::now());
    // sleeps because reads are counted over a span of time
    thread::sleep(Duration::from_millis(500));
    let reads = device.read_stat().unwrap().since(before).read_ios as f64;
    let rate = reads / started.elapsed().as_secs_f64();
    assert!((1600.0..2400.0).contains(&rate), "{rate} reads per second");
    // Other tests of this process may run beside this one, but none reads half of what it does.
    let ours = own_read_bytes() - ours;
    assert!((ours as f64) < reads * 4096.0 / 2.0, "{ours} bytes were charged to us");
    let pid = neighbour.pid();
    drop(neighbour);
    assert!(!Path::new(&format!("/proc/{pid}")).exists());
    let before = device.read_stat().unwrap();
    // sleeps because a neighbour that lived on would read meanwhile
    thread::sleep(Duration::from_millis(50));
    assert_eq!(device.read_stat().unwrap(), before);
}

#[test]
fn a_neighbour_that_cannot_read_says_why() {
    skip_unless!(Need::Program("fio"));
    let error = Neighbour::new(Path::new("/dev/null/at/all"), 10).unwrap_err().to_string();
    assert!(
        error.contains("fio --name=neighbour") && error.contains("/dev/null/at/all"),
        "{error}"
    );
}

/// A sleeping child that is killed with the test.
struct Asleep(Child);

impl Asleep {
    fn new() -> Asleep {
        Asleep(Command::new("sleep").arg("60").spawn().unwrap())
    }

    fn stopped(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        stat.contains(") T ")
    }

    fn wait_until_stopped(&self) {
        let started = Instant::now();
        while !self.stopped() {
            assert!(started.elapsed() < Duration::from_secs(5));
            // sleeps because the state is polled
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Asleep {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_is_frozen_and_thawed() {
    let asleep = Asleep::new();
    let ms = Duration::from_millis;
    let freezer = Freezer::new(asleep.0.id(), &[ms(0)..ms(100)]).unwrap();
    asleep.wait_until_stopped();
    freezer.finish().unwrap();
    assert!(!asleep.stopped());

    // Dropped within its span, it thaws at once.
    let freezer = Freezer::new(asleep.0.id(), &[ms(0)..Duration::from_secs(3600)]).unwrap();
    asleep.wait_until_stopped();
    drop(freezer);
    assert!(!asleep.stopped());
}

#[test]
fn only_another_living_process_can_be_frozen() {
    let error = Freezer::new(std::process::id(), &[]).unwrap_err().to_string();
    assert!(error.contains("is this one"), "{error}");
    // No pid is that large: the kernel's limit is 2^22.
    assert!(Freezer::new(4_194_305, &[]).is_err());
    let ms = Duration::from_millis;
    assert!(Freezer::new(Asleep::new().0.id(), &[ms(2)..ms(3), ms(0)..ms(1)]).is_err());
}
