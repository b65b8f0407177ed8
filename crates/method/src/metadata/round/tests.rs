use super::*;
use crate::metadata::tests::in_memory;
use units::Bytes;

/// Something done with a round of this load, in a folder in memory.
fn with_round<T>(load: &MetadataLoad, act: impl FnOnce(&Round) -> T) -> T {
    let parent = in_memory();
    let own = OwnFolder::create(parent.path(), "round").unwrap();
    let leaves = own.leaves(load.folders).unwrap();
    let stop = StopFlag::default();
    let clock = Clock::best();
    let looking = Nanos::millis(20);
    act(&Round { load, leaves: &leaves, own: &own, clock, stop: &stop, looking })
}

/// One warm round of so many files.
fn warm_round(load: &MetadataLoad, files: u64) -> Done {
    with_round(load, |round| round.warm(files, files, None).unwrap())
}

/// How many threads were busy with their operations on average, of a phase.
fn busy(measured: &Measured) -> f64 {
    measured.rate * measured.latency.mean_ns().unwrap() / 1e9
}

#[test]
fn one_thread_does_little_beside_its_operations() {
    let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 1 };
    // The latency of a listing is that of a whole folder, and its rate counts names.
    let ops = MetadataOp::ALL.into_iter().filter(|op| *op != MetadataOp::Readdir);
    let mut best: Vec<(MetadataOp, f64)> = ops.map(|op| (op, 0.0)).collect();
    // A host that takes the processor away between operations hides it: the best of some.
    for _ in 0..20 {
        let done = warm_round(&load, 2000);
        for (op, best) in &mut best {
            let measured = done.measured.iter().find(|measured| measured.operation == *op);
            let busy = busy(measured.unwrap());
            assert!(busy <= 1.001, "{op:?}: {busy}");
            *best = best.max(busy);
        }
    }
    assert!(best.iter().all(|(_, busy)| *busy >= 0.95), "{best:?}");
}

#[test]
fn no_folder_of_a_tree_has_files_of_two_threads() {
    for (threads, folders) in [(1, 64), (4, 64), (6, 60), (10, 60), (12, 60), (100, 100)] {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders, threads };
        with_round(&load, |round| {
            let leaf_of = |thread, number| std::ptr::from_ref(round.leaf(thread, number));
            let mut owners = std::collections::BTreeMap::new();
            for (thread, number) in (0..threads).flat_map(|t| (0..200).map(move |n| (t, n))) {
                let owner = *owners.entry(leaf_of(thread, number)).or_insert(thread);
                assert_eq!(owner, thread, "of {threads}");
            }
            assert_eq!(owners.len(), folders as usize);
            let listed: usize = (0..threads).map(|thread| round.own_leaves(thread).len()).sum();
            assert_eq!(listed, folders as usize);
        });
    }
}

#[test]
fn the_rate_of_looks_does_not_hang_on_how_many_files_there_are() {
    let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 60, threads: 6 };
    let rate = |files, op| {
        let rounds = (0..3).map(|_| {
            let done = warm_round(&load, files);
            let found = done.measured.iter().find(|measured| measured.operation == op);
            found.unwrap().rate
        });
        rounds.fold(0.0, f64::max)
    };
    // Six threads wake within 0.1 ms, and 60 files are asked for in less.
    let tries = (0..5)
        .map(|_| [MetadataOp::Stat, MetadataOp::Open].map(|op| rate(5000, op) / rate(60, op)));
    let all: Vec<[f64; 2]> = tries.collect();
    let is_fair = |ratios: &[f64; 2]| ratios.iter().all(|ratio| (0.5..2.0).contains(ratio));
    assert!(all.iter().any(is_fair), "{all:?}");
}
