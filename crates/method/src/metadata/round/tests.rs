use super::*;
use crate::metadata::tests::in_memory;
use units::Bytes;

/// Something done with a round of this load, in a folder in memory.
fn with_round<T>(load: &MetadataLoad, act: impl FnOnce(&mut Round) -> T) -> T {
    let parent = in_memory();
    let own = TestFolder::create(parent.path(), "round").unwrap();
    let leaves = own.create_leaves(load.folders).unwrap();
    let stop = StopSignal::default();
    let (clock, until_ns, looking) = (Clock::best(), u64::MAX, Nanos::millis(20));
    let (leaves, own, stop, cold_looking) = (&leaves, &own, &stop, Nanos(u64::MAX));
    act(&mut Round { load, leaves, own, clock, stop, until_ns, looking, cold_looking })
}

/// One warm round of this number of files.
fn warm_round(load: &MetadataLoad, files: u64) -> LoadSamples {
    with_round(load, |round| {
        let mut done = LoadSamples::default();
        round.run_warm(files, files, None, &mut done).unwrap();
        done
    })
}

/// How many threads were busy with their operations on average, of a phase.
fn busy(measured: &OperationSample) -> f64 {
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
            let leaf_of = |thread, number| std::ptr::from_ref(round.leaf_of_file(thread, number));
            let mut owners = std::collections::BTreeMap::new();
            for (thread, number) in (0..threads).flat_map(|t| (0..200).map(move |n| (t, n))) {
                let owner = *owners.entry(leaf_of(thread, number)).or_insert(thread);
                assert_eq!(owner, thread, "of {threads}");
            }
            assert_eq!(owners.len(), folders as usize);
            let listed: usize =
                (0..threads).map(|thread| round.leaves_of_thread(thread).len()).sum();
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
    let tries = (0..5).map(|_| {
        let looks = [MetadataOp::Stat, MetadataOp::Open];
        let ratios = looks.map(|op| rate(5000, op) / rate(60, op));
        let is_fair = ratios.iter().all(|ratio| (0.5..2.0).contains(ratio));
        if is_fair { Ok(()) } else { Err(ratios) }
    });
    let failed: Vec<_> = tries.take_while(Result::is_err).filter_map(Result::err).collect();
    assert!(failed.len() < 5, "{failed:?}");
}

#[test]
fn nothing_is_begun_after_the_time_was_up() {
    for threads in [1, 3] {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads };
        with_round(&load, |round| {
            let late = |round: &Round, files| {
                let mut done = LoadSamples::default();
                let ended = round.run_warm(files, files, None, &mut done).unwrap_err();
                assert!(matches!(ended, EndReason::TimeUp), "{ended:?}");
                done
            };
            round.until_ns = 0;
            late(round, 100);
            assert_eq!(round.count_entries().unwrap(), 0);
            // More than any host makes in that time; what was begun was made.
            round.until_ns = round.clock.now() + Nanos::millis(20).0;
            late(round, 1_000_000);
            assert!(round.count_entries().unwrap() < 1_000_000);
            // What was measured by then is kept: with looks that never end, the making.
            round.delete_files(0).unwrap();
            round.until_ns = round.clock.now() + Nanos::secs(1).0;
            round.looking = Nanos::secs(1000);
            let done = late(round, 10);
            assert_eq!(done.files, 10_u64.next_multiple_of(u64::from(threads)));
            assert_eq!(done.measured.len(), 1);
        });
    }
}

#[test]
fn what_the_folders_list_is_kept_when_it_is_not_what_was_made() {
    let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 2 };
    with_round(&load, |round| {
        round.leaves[0].create(&SmallFileName::original_name(1000), b"", false).unwrap();
        let mut done = LoadSamples::default();
        let ended = round.run_warm(10, 10, None, &mut done).unwrap_err();
        assert!(
            matches!(&ended, EndReason::Inconsistent(words) if words.contains("list 11")),
            "{ended:?}"
        );
        let counted = done.counted.unwrap();
        assert_eq!((counted.made, counted.found), (10, 11));
    });
}

#[test]
fn a_random_order_meets_every_file_once() {
    for (folders, threads) in [(1, 1), (64, 1), (60, 6)] {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders, threads };
        with_round(&load, |round| {
            let share = 130;
            let files = share * u64::from(threads);
            round.create_files(files, files, None, &mut LoadSamples::default()).unwrap();
            // A file that is met again is gone, and who met none would leave one.
            let order = Some(Permutation::new(share, 7));
            let each = |op| {
                let pass = FilePass { operation: op, share, order, looking: Nanos(0) };
                round.run_pass(pass).unwrap();
                round.count_entries().unwrap()
            };
            let left = [MetadataOp::Stat, MetadataOp::Rename, MetadataOp::Delete].map(each);
            assert_eq!(left, [files, files, 0]);
        });
    }
    let order = Permutation::new(130, 7);
    assert!((0..130).filter(|index| order.at(*index) == *index).count() < 10);
}

#[test]
fn a_cold_look_ends_when_its_time_is_over() {
    let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 2 };
    with_round(&load, |round| {
        round.create_files(2000, 2000, None, &mut LoadSamples::default()).unwrap();
        let mut looked = |op, cold_looking| {
            round.cold_looking = cold_looking;
            let order = Some(Permutation::new(1000, 7));
            let pass = FilePass { operation: op, share: 1000, order, looking: Nanos(0) };
            let measured = round.run_pass(pass).unwrap();
            assert_eq!(measured.cache, CacheState::Dropped);
            measured.latency.count()
        };
        for op in [MetadataOp::Stat, MetadataOp::Open] {
            assert_eq!(looked(op, Nanos(u64::MAX)), 2000, "{op:?}");
            // A few by each thread, so that there is a figure.
            assert_eq!(looked(op, Nanos(0)), 2 * COLD_FILES_MIN, "{op:?}");
        }
        // A folder is listed to its end.
        assert_eq!(looked(MetadataOp::Readdir, Nanos(0)), 2);
    });
}
