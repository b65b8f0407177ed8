//! Every interface does what it is asked, and its books balance.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};

use engine::{EndReason, FileStamp, Target};
use support::{SIZE, buffered, file, folder, go, go_over, job, refusal, target};
use units::{Bytes, Depth, Iops, Nanos};
use workload::{
    Access, BackendChoice, BlockSizes, Cap, Caps, Direction, DurableWrites, Job, Mix, MmapSwitches,
    NameCall, OperationPriority, Payload, Sizes, Span, Stop, SyncKind, SyncPolicy, TrimKind,
    UringSwitches, Verify,
};

fn switched(set: impl FnOnce(&mut UringSwitches)) -> BackendChoice {
    let mut switches = UringSwitches::default();
    set(&mut switches);
    BackendChoice::IoUringWith(switches)
}

/// Every interface that works on a file with direct I/O.
fn direct() -> Vec<BackendChoice> {
    vec![
        BackendChoice::IoUring,
        switched(|s| s.plain = true),
        switched(|s| s.force_async = true),
        switched(|s| s.sqpoll = true),
        BackendChoice::Libaio,
        BackendChoice::Sync,
        BackendChoice::Psync,
        BackendChoice::Pvsync,
        BackendChoice::Pvsync2 { hipri: false, nowait: false },
        BackendChoice::Threads,
    ]
}

#[test]
fn one_by_one_keeps_the_depth_full() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for backend in [BackendChoice::IoUring, BackendChoice::Libaio] {
        let stop = Stop::operations(2000);
        let job = Job { backend, stop, depth: Depth(8), one_by_one: true, ..job() };
        let outcome = go(&job, &target);
        assert_eq!(outcome.ended, EndReason::Done);
        assert_eq!(outcome.requested.ops, [2000, 0, 0, 0]);
        // All but the first seven start with seven others under way.
        assert_eq!(outcome.activity.started_at[3], 1993, "{backend:?}");
        assert!(outcome.activity.reaped.iter().sum::<u64>() == 2000, "{backend:?}");
    }
}

#[test]
fn operations_on_the_same_bytes_wait_for_each_other_where_that_is_asked() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let same = Span { offset: Bytes(0), length: Bytes::kib(4) };
    let caps = Caps { read: Some(Cap::Operations(Iops(50_000.0))), ..Caps::default() };
    let paces = [(true, Caps::default()), (false, Caps::default()), (false, caps)];
    for backend in [BackendChoice::IoUring, BackendChoice::Libaio, BackendChoice::Null] {
        for (one_by_one, caps) in paces {
            let stop = Stop::operations(2000);
            let depth = Depth(8);
            let (serialize_overlap, span) = (true, same);
            let job =
                Job { backend, stop, depth, one_by_one, caps, serialize_overlap, span, ..job() };
            let outcome = go(&job, &target);
            assert_eq!(outcome.ended, EndReason::Done);
            assert_eq!(outcome.requested.ops, [2000, 0, 0, 0]);
            assert_eq!(outcome.activity.started_at[0], 2000, "{backend:?} {one_by_one}");
        }
    }
    let wide = Job { serialize_overlap: true, depth: Depth(8), one_by_one: true, ..job() };
    let wide = Job { backend: BackendChoice::Libaio, stop: Stop::operations(2000), ..wide };
    let outcome = go(&wide, &target);
    assert!(outcome.activity.started_at[3] > 1500, "{:?}", outcome.activity.started_at);
}

#[test]
fn books_balance_on_every_backend() {
    let folder = folder();
    let path = file(folder.path());
    let (direct_target, cached) = (target(&path, SIZE), buffered(&path, SIZE));
    let advised = MmapSwitches { random: Some(true), huge_pages: false };
    let on_cache = [
        BackendChoice::Mmap,
        BackendChoice::MmapWith(advised),
        BackendChoice::Splice,
        BackendChoice::IoUring,
        BackendChoice::Psync,
    ];
    let cases = direct()
        .into_iter()
        .map(|backend| (backend, true))
        .chain(on_cache.into_iter().map(|backend| (backend, false)));
    for (backend, direct) in cases {
        for depth in [1, 16] {
            if backend == BackendChoice::Sync && depth > 1 {
                continue; // refused: its threads would share one position
            }
            let mix = Mix::Mixed { read_percent: 50 };
            let stop = Stop::operations(1000);
            let job = Job { backend, mix, stop, direct, depth: Depth(depth), ..job() };
            let outcome = go(&job, if direct { &direct_target } else { &cached });
            let what = format!("{backend:?} at depth {depth}: {:?}", outcome.notes);
            assert_eq!(outcome.ended, EndReason::Done, "{what}");
            assert_eq!(outcome.requested.ops, [500, 500, 0, 0], "{what}");
            assert_eq!(outcome.requested.bytes[0], 500 * 4096, "{what}");
            let little: f64 = outcome.totals.iter().map(|t| t.total.sum_ns() as f64).sum();
            assert!((outcome.activity.outstanding_ns / little - 1.0).abs() < 0.02, "{what}");
            let synchronous = backend.is_synchronous();
            assert_eq!(outcome.threads, if synchronous { depth } else { 1 }, "{what}");
        }
    }
}

#[test]
fn what_is_written_is_what_is_read_on_every_backend() {
    let folder = folder();
    let path = file(folder.path());
    let base = Job {
        mix: Mix::Write,
        verify: Some(Verify::AtEnd),
        stop: Stop::operations(6000), // more than once over the span of 4096 blocks
        depth: Depth(1),
        ..job()
    };
    let mut cases: Vec<(BackendChoice, u32, bool)> =
        direct().into_iter().map(|backend| (backend, 1, true)).collect();
    cases.extend([(BackendChoice::IoUring, 32, true), (BackendChoice::Libaio, 32, true)]);
    cases.push((BackendChoice::Mmap, 1, false));
    cases.extend([(BackendChoice::Splice, 1, true), (BackendChoice::Splice, 1, false)]);
    for (backend, depth, direct) in cases {
        let target = if direct { target(&path, SIZE) } else { buffered(&path, SIZE) };
        let outcome = go(&Job { backend, direct, depth: Depth(depth), ..base.clone() }, &target);
        let verified = outcome.verified.as_ref().unwrap();
        let what = format!("{backend:?}: {:?}", verified.mismatches);
        assert_eq!((verified.blocks, verified.mismatched), (4096, 0), "{what}");
        assert_eq!(outcome.requested.ops, [4096, 6000, 0, 0], "{what}");
        assert_eq!(outcome.total(Direction::Read).ops, 0, "reading back is in no figure");
    }
}

#[test]
fn sizes_of_every_kind_reach_the_device() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let range = Sizes::Range { least: Bytes::kib(4), most: Bytes::kib(64) };
    let sizes = BlockSizes { read: range, ..BlockSizes::default() };
    for backend in [BackendChoice::IoUring, BackendChoice::Libaio, BackendChoice::Psync] {
        let stop = Stop { time: None, bytes: Some(Bytes::mib(8)), operations: None };
        let outcome = go(&Job { backend, stop, sizes: sizes.clone(), ..job() }, &target);
        let (ops, bytes) = (outcome.requested.ops[0], outcome.requested.bytes[0]);
        // Eight outstanding, and each worker of a synchronous backend, may overshoot by one.
        assert!((8 << 20..=(8 << 20) + 8 * 65_536).contains(&bytes), "{backend:?}: {bytes}");
        let mean = bytes as f64 / ops as f64 / 4096.0;
        assert!((7.0..10.0).contains(&mean), "{backend:?}: {mean} blocks on average");
    }
}

#[test]
fn several_targets_share_the_operations() {
    let folder = folder();
    let make = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, vec![1; SIZE.0 as usize]).unwrap();
        target(&path, SIZE)
    };
    let targets = [make("a"), make("b"), make("c")];
    for backend in [BackendChoice::IoUring, BackendChoice::Libaio, BackendChoice::Threads] {
        let stop = Stop::operations(3000);
        let job = Job { backend, stop, mix: Mix::Write, verify: None, depth: Depth(4), ..job() };
        let outcome = support::go_over(&job, &targets);
        assert_eq!(outcome.requested.ops[1], 3000, "{backend:?}");
    }
    // Every file was written to: no block of ones is left where a thousand of 4096 were written.
    for name in ["a", "b", "c"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let untouched = bytes.chunks(4096).filter(|block| block.iter().all(|&b| b == 1)).count();
        assert!(untouched < 4096 - 900, "{name}: {untouched}");
    }
}

#[test]
fn syncs_and_durable_writes_are_done_and_timed() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = Stop::operations(64);
    for kind in [SyncKind::Fsync, SyncKind::Fdatasync, SyncKind::FileRange] {
        for backend in [BackendChoice::IoUring, BackendChoice::Psync, BackendChoice::Libaio] {
            let sync = Some(SyncPolicy { kind, every: 8 });
            let job = Job { backend, sync, stop, mix: Mix::Write, depth: Depth(1), ..job() };
            if kind == SyncKind::FileRange && backend == BackendChoice::Libaio {
                assert!(refusal(&job, &target).contains("libaio has only fsync"));
                continue;
            }
            let outcome = go(&job, &target);
            let syncs = outcome.total(Direction::Sync);
            assert_eq!((syncs.ops, syncs.bytes), (7, 0), "{backend:?} {kind:?}");
            assert_eq!(syncs.total.count(), 7);
        }
    }
    for durable in [DurableWrites::Data, DurableWrites::DataAndMetadata] {
        for backend in [BackendChoice::IoUring, BackendChoice::Libaio, BackendChoice::Threads] {
            let job = Job { backend, durable: Some(durable), stop, mix: Mix::Write, ..job() };
            assert_eq!(go(&job, &target).requested.ops[1], 64, "{backend:?} {durable:?}");
        }
    }
    let job = Job { durable: Some(DurableWrites::Data), mix: Mix::Write, ..job() };
    let psync = Job { backend: BackendChoice::Psync, ..job };
    assert!(refusal(&psync, &target).contains("psync has not"));
}

#[test]
fn trimmed_blocks_are_given_back_or_zeroed() {
    let folder = folder();
    let path = file(folder.path());
    let target = target(&path, SIZE);
    let all = Stop { time: None, bytes: Some(SIZE), operations: None };
    let base = Job { mix: Mix::Trim, stop: all, access: Access::Sequential, ..job() };
    let blocks = || std::fs::metadata(&path).unwrap().blocks();
    let before = blocks();
    let outcome = go(&Job { trim: TrimKind::WriteZeroes, ..base.clone() }, &target);
    assert_eq!(outcome.total(Direction::Trim).bytes, SIZE.0);
    assert!(blocks() >= before, "zeroed blocks stay allocated");
    let mut content = vec![1; 4096];
    File::open(&path).unwrap().read_exact_at(&mut content, 8 << 20).unwrap();
    assert!(content.iter().all(|&byte| byte == 0));
    go(&base, &target);
    assert!(blocks() < before / 100, "{} of {before}", blocks());
    let outcome = go(&Job { mix: Mix::TrimWrite, ..base.clone() }, &target);
    assert_eq!(outcome.requested.ops[1], outcome.requested.ops[3]);
    for backend in [BackendChoice::Libaio, BackendChoice::IoUring] {
        if backend == BackendChoice::IoUring && engine::io_uring_refusal().is_some() {
            continue;
        }
        let job = Job { backend, depth: Depth(4), ..base.clone() };
        let outcome = go(&Job { mix: Mix::TrimWrite, ..job.clone() }, &target);
        assert_eq!(outcome.requested.ops[1], outcome.requested.ops[3]);
        assert!(blocks() > before / 3, "what is written after its trim stays");
        go(&job, &target);
        assert!(blocks() < before / 100, "{} of {before}", blocks());
    }
    let spliced = Job { backend: BackendChoice::Splice, ..base };
    assert!(refusal(&spliced, &target).contains("has no call for"));
}

#[test]
fn payloads_are_what_they_are_called() {
    let folder = folder();
    let path = file(folder.path());
    let target = target(&path, SIZE);
    let written = |payload: Payload| {
        let stop = Stop { time: None, bytes: Some(Bytes::mib(4)), operations: None };
        go(&Job { payload, stop, mix: Mix::Write, access: Access::Sequential, ..job() }, &target);
        let mut bytes = vec![0; 4 << 20];
        File::open(&path).unwrap().read_exact_at(&mut bytes, 0).unwrap();
        bytes
    };
    assert!(written(Payload::Zero).iter().all(|&byte| byte == 0));
    let tiled = written(Payload::Pattern { bytes: b"disk".to_vec() });
    assert!(tiled.chunks(4).all(|word| word == b"disk"));
    let half = written(Payload::Compressible { percent: 50 });
    let zeros = half.iter().filter(|&&byte| byte == 0).count() as f64 / half.len() as f64;
    assert!((0.48..0.54).contains(&zeros), "{zeros}");
    let copies = written(Payload::Dedupable { percent: 40 });
    let distinct: std::collections::HashSet<&[u8]> = copies.chunks(4096).collect();
    assert!((610..=632).contains(&distinct.len()), "{} of 1024", distinct.len());
}

#[test]
fn what_the_system_refuses_is_named() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = Stop::after(Nanos::millis(50));
    let mut far = Job { stop, ..job() };
    far.placement.cpus = vec![900];
    assert!(refusal(&far, &target).contains("processors asked for"), "{}", refusal(&far, &target));
    let simulated = Job { backend: BackendChoice::Simulated, ..job() };
    assert!(refusal(&simulated, &target).contains("needs one simulated device"));
    let null = Job { backend: BackendChoice::Libaio, ..job() };
    let nothing = Target::null(SIZE);
    assert!(refusal(&null, &nothing).contains("no file and no device"));
    assert!(support::refusal_over(&job(), &[]).contains("0 targets"));
}

#[test]
fn calls_on_names_make_look_up_and_remove() {
    let folder = folder();
    let open = std::sync::Arc::new(File::open(folder.path()).unwrap());
    let block = Bytes::kib(4);
    let create: engine::CreateFile = |folder, name, exclusive| {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW;
        let flags = if exclusive { flags | OFlags::EXCL } else { flags };
        Ok(openat(folder, name, flags, Mode::RUSR | Mode::WUSR)?)
    };
    let names = |existed: bool| -> Vec<Target> {
        let name = |n: u32| std::ffi::OsString::from(format!("n{n}"));
        let target =
            |n| Target::from_folder_entry(open.clone(), &name(n), existed, create, block).unwrap();
        (0..3).map(target).collect()
    };
    let run = |call: NameCall, targets: &[Target], operations: u64| {
        let span = Span { offset: Bytes(0), length: block };
        let stop = Stop::operations(operations);
        let backend = BackendChoice::Names(call);
        let depth = Depth(1);
        let access = Access::Sequential;
        let job = Job { backend, stop, span, depth, access, direct: false, ..job() };
        go_over(&job, targets)
    };
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    let kinds = [
        (NameCall::CreateFile, NameCall::RemoveFile, true),
        (NameCall::CreateFolder, NameCall::RemoveFolder, false),
    ];
    for (create, remove, again) in kinds {
        let targets = names(false);
        let outcome = run(create, &targets, 3);
        assert_eq!((outcome.ended, outcome.requested.ops), (EndReason::Done, [3, 0, 0, 0]));
        let stamps: Vec<FileStamp> = targets.iter().filter_map(Target::own_stamp).collect();
        assert_eq!((stamps.len(), count()), (3, 3), "{create:?}");
        // An open makes or opens; mkdir only makes.
        let second = run(create, &targets, 3);
        assert_eq!(second.ended == EndReason::Done, again, "{create:?}: {:?}", second.ended);
        let old = names(true);
        assert_eq!(run(create, &old, 3).ended == EndReason::Done, again);
        assert!(!old.iter().any(|target| target.own_stamp().is_some()));
        for call in [NameCall::Stat, NameCall::Lstat, NameCall::Statx] {
            assert_eq!(run(call, &old, 30).requested.ops, [30, 0, 0, 0], "{call:?}");
        }
        let failure = |targets: &[Target]| match run(remove, targets, 3).ended {
            EndReason::Failed(failure) => failure.errno,
            other => panic!("{remove:?}: {other:?}"),
        };
        assert_eq!((failure(&old), count()), (libc::ENOENT, 3), "no removal was allowed");
        for (target, stamp) in old.iter().zip(&stamps) {
            target.allow_removal(*stamp);
        }
        // Another file or folder has the name for a while.
        let at = |name: &str| folder.path().join(name);
        std::fs::rename(at("n1"), at("moved")).unwrap();
        match remove {
            NameCall::RemoveFile => std::fs::write(at("n1"), "").unwrap(),
            _ => std::fs::create_dir(at("n1")).unwrap(),
        }
        assert_eq!((failure(&old), count()), (libc::ESTALE, 3), "{remove:?}: only n0 is gone");
        old[0].allow_removal(stamps[0]);
        assert_eq!(failure(&old), libc::ENOENT);
        std::fs::rename(at("moved"), at("n1")).unwrap();
        assert_eq!(run(remove, &old[1..], 2).ended, EndReason::Done);
        assert_eq!(count(), 0);
        assert_eq!(failure(&old), libc::ENOENT);
    }
    let written = names(false);
    assert_eq!(run(NameCall::CreateFile, &written, 3).ended, EndReason::Done);
    std::fs::write(folder.path().join("n0"), "precious").unwrap();
    let ended = run(NameCall::RemoveFile, &written, 3).ended;
    assert!(matches!(&ended, EndReason::Failed(failure) if failure.errno == libc::ESTALE));
    assert_eq!(std::fs::read(folder.path().join("n0")).unwrap(), b"precious");
    std::fs::remove_file(folder.path().join("n0")).unwrap();
    std::fs::remove_file(folder.path().join("n1")).unwrap();
    std::os::unix::fs::symlink("elsewhere", folder.path().join("n1")).unwrap();
    let EndReason::Failed(failure) = run(NameCall::CreateFile, &names(false), 3).ended else {
        panic!("a link was followed")
    };
    assert_eq!(failure.errno, libc::ELOOP);
    assert!(!folder.path().join("elsewhere").exists());
}

#[test]
fn operations_have_priorities_of_their_own() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let (low, idle) = (2 << 13 | 7, 3 << 13);
    let rule =
        |direction, size, percent, ioprio| OperationPriority { direction, size, percent, ioprio };
    let priorities = vec![
        rule(Direction::Read, None, 25, low),
        rule(Direction::Write, Some(Bytes::kib(4)), 100, idle),
        rule(Direction::Write, Some(Bytes::kib(8)), 100, low),
    ];
    let mix = Mix::Mixed { read_percent: 50 };
    let job = Job { priorities, mix, stop: Stop::operations(2000), ..job() };
    for backend in [BackendChoice::IoUring, BackendChoice::Libaio] {
        let outcome = go(&Job { backend, ..job.clone() }, &target);
        assert_eq!(outcome.ended, EndReason::Done, "{backend:?}");
        let count = |direction, ioprio| {
            let found = outcome.total(direction).priorities.iter();
            found.filter(|of| of.ioprio == ioprio).map(|of| of.total.count()).sum::<u64>()
        };
        let lower = count(Direction::Read, Some(low));
        assert!((150..350).contains(&lower), "{backend:?}: {lower}");
        assert_eq!(count(Direction::Read, None), 1000 - lower);
        assert_eq!(count(Direction::Write, Some(idle)), 1000);
        assert_eq!(count(Direction::Write, None) + count(Direction::Write, Some(low)), 0);
    }
    let said = refusal(&Job { backend: BackendChoice::Psync, ..job }, &target);
    assert!(said.contains("sends no priority with an operation"), "{said}");
}
