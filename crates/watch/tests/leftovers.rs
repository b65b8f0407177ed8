//! What a source leaves behind. A process of its own: descriptors of other tests would count.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::fs;
use std::time::{Duration, Instant};

use lab::{LoopDevice, Need, skip_unless};
use target::{Roots, list_bpf_programs};
use watch::{Disk, EbpfSource};

fn count_descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn nothing_is_left_when_a_source_is_dropped() {
    skip_unless!(Need::Root, Need::LoopDevices);
    let device = LoopDevice::options(1 << 20).sparse().direct_io(false).attach().unwrap();
    let number = device.major_minor();
    let disk = Disk { name: device.name().to_owned(), number: (number.major, number.minor) };
    let before = count_descriptors();
    let source = EbpfSource::open(&[disk], &Roots::host()).unwrap();
    let id = source.statistics().unwrap().id;
    assert!(list_bpf_programs().unwrap().contains(&id));
    // Three maps, the program and its link.
    assert_eq!(count_descriptors(), before + 5);
    drop(source);
    assert_eq!(count_descriptors(), before);
    // The kernel frees a program when the last processor has left it.
    let patience = Instant::now() + Duration::from_secs(10);
    while list_bpf_programs().unwrap().contains(&id) {
        assert!(Instant::now() < patience, "program {id} is still there");
        std::thread::yield_now();
    }
}
