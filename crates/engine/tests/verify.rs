//! Damage to what was written is found and named.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;

use engine::{DefectKind, VerifyOutcome};
use support::{SIZE, file, folder, go, job, target};
use units::{Bytes, Depth, Seed};
use workload::{Access, BackendChoice, Job, Mix, Stop, Verify};

const BLOCK: u64 = 4096;

fn read(file: &File, block: u64) -> Vec<u8> {
    let mut bytes = vec![0; BLOCK as usize];
    file.read_exact_at(&mut bytes, block * BLOCK).unwrap();
    bytes
}

#[test]
fn every_kind_of_damage_is_found_by_a_later_pass() {
    let folder = folder();
    let path = file(folder.path());
    let target = target(&path, SIZE);
    let base = Job {
        mix: Mix::Write,
        verify: Some(Verify::AtEnd),
        stop: Stop::operations(4096),
        backend: BackendChoice::IoUring,
        depth: Depth(16),
        ..job()
    };
    assert_eq!(go(&base, &target).verified.unwrap().mismatched, 0);
    let later = Job { mix: Mix::Read, verify: Some(Verify::Earlier), ..base.clone() };
    let look = |job: &Job| -> VerifyOutcome { go(job, &target).verified.unwrap() };
    assert_eq!((look(&later).blocks, look(&later).mismatched), (4096, 0));

    let disk = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mut flipped = read(&disk, 100);
    flipped[3000] ^= 4;
    disk.write_all_at(&flipped, 100 * BLOCK).unwrap();
    disk.write_all_at(&read(&disk, 7), 200 * BLOCK).unwrap();
    disk.write_all_at(&vec![0; BLOCK as usize], 300 * BLOCK).unwrap();
    disk.sync_all().unwrap();
    let found = look(&later);
    assert_eq!(found.mismatched, 3, "{found:?}");
    let kind = |block: u64| {
        found.mismatches.iter().find(|m| m.offset == block * BLOCK).map(|m| m.defect.kind).unwrap()
    };
    assert_eq!(kind(100), DefectKind::Data);
    assert_eq!(kind(200), DefectKind::Offset);
    assert_eq!(kind(300), DefectKind::Zeros);
    let text = found.mismatches.iter().find(|m| m.offset == 100 * BLOCK).unwrap();
    assert!(text.to_string().contains("409600"), "{text}");
    assert!(text.dump().contains('*'), "{}", text.dump());

    // Another run's blocks, as a later pass with another seed sees all of them.
    let foreign = look(&Job { seed: Seed(99), ..later });
    assert_eq!(foreign.mismatched, 4096);
    let others = foreign.mismatches.iter().filter(|m| m.defect.kind == DefectKind::Seed).count();
    assert!(others >= foreign.mismatches.len() - 3, "{:?}", foreign.mismatches[0].defect);
    assert_eq!(foreign.mismatches.len(), 8, "a few are kept, all are counted");
}

#[test]
fn batches_are_read_back_on_the_way() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for (writes, depth, access) in [
        (1, 1, Access::Random),
        (64, 8, Access::Random),
        (100, 16, Access::Sequential),
        (10, 1, Access::RandomRepeating),
    ] {
        let job = Job {
            mix: Mix::Write,
            verify: Some(Verify::Batches { writes }),
            stop: Stop { time: None, bytes: Some(Bytes(1000 * BLOCK)), operations: None },
            backend: BackendChoice::IoUring,
            depth: Depth(depth),
            access,
            ..job()
        };
        let outcome = go(&job, &target);
        let verified = outcome.verified.as_ref().unwrap();
        assert_eq!((verified.blocks, verified.mismatched), (1000, 0), "{writes} {depth}");
        assert_eq!(outcome.requested.ops, [1000, 1000, 0, 0]);
    }
    // As in fio, what is read back is among the operations of a job, and not among its bytes.
    let verify = Some(Verify::Batches { writes: 1 });
    let stop = Stop::operations(1000);
    let job = Job { mix: Mix::Write, verify, stop, depth: Depth(1), ..job() };
    assert_eq!(go(&job, &target).requested.ops, [500, 500, 0, 0]);
}
