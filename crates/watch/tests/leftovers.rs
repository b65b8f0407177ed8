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
    let (before, others) = (count_descriptors(), list_bpf_programs().unwrap());
    let source = EbpfSource::open(&[disk], &Roots::host()).unwrap();
    let mut own = list_bpf_programs().unwrap();
    own.retain(|id| !others.contains(id));
    assert!(own.contains(&source.statistics().unwrap().id));
    // That of requests has three maps, that of submitters two; each has its link.
    assert_eq!((own.len(), count_descriptors()), (2, before + 4 + 3 + 2));
    drop(source);
    assert_eq!(count_descriptors(), before);
    // The kernel frees a program when the last processor has left it.
    let patience = Instant::now() + Duration::from_secs(10);
    while own.iter().any(|id| list_bpf_programs().unwrap().contains(id)) {
        assert!(Instant::now() < patience, "of the programs {own:?} some are still there");
        std::thread::yield_now();
    }
}
