use super::*;
use proptest::prelude::*;
use units::Bytes;
use workload::{Access, BlockSizes, Mix, Sizes, Span, SyncKind, SyncPolicy, Weight};

fn job(blocks: u64, access: Access, mix: Mix) -> Job {
    Job {
        access,
        mix,
        span: Span { offset: Bytes(8192), length: Bytes(blocks * 4096) },
        seed: Seed(42),
        ..Job::base()
    }
}

fn is_bijection(n: u64, key: u64) -> bool {
    let permutation = Permutation::new(n, key);
    let mut seen = vec![false; n as usize];
    (0..n).all(|i| {
        let x = permutation.at(i);
        x < n && !std::mem::replace(&mut seen[x as usize], true)
    })
}

#[test]
fn small_and_awkward_sizes_are_permuted() {
    for n in (1..70).chain([127, 128, 129, 1000, 4095, 4096, 4097, 65_537]) {
        assert!(is_bijection(n, n ^ 0x55), "{n}");
    }
}

#[test]
fn golden() {
    // Same seed, same trace, for ever. If this fails, the sequence was changed: do not.
    let permutation = Permutation::new(1_000_000, 42);
    let first: Vec<u64> = (0..8).map(|i| permutation.at(i)).collect();
    assert_eq!(first, GOLDEN_PERMUTATION);
    let mut generator =
        OperationGenerator::new(&job(1000, Access::Random, Mix::Mixed { read_percent: 75 }), 0, 1);
    let first: Vec<(char, u64)> = (0..8)
        .map(|_| generator.next_operation())
        .map(|op| (if op.direction == Direction::Read { 'r' } else { 'w' }, op.offset / 4096))
        .collect();
    assert_eq!(first, GOLDEN_MIX);
}
const GOLDEN_PERMUTATION: [u64; 8] =
    [624_958, 938_878, 312_310, 628_884, 339_446, 19_219, 768_447, 285_364];
const GOLDEN_MIX: [(char, u64); 8] =
    [('r', 760), ('r', 719), ('r', 120), ('r', 417), ('r', 931), ('r', 882), ('w', 39), ('r', 926)];

#[test]
fn looks_random_to_a_disk() {
    // Mean distance between successive blocks of a random order is n/3; of each bit of the
    // block number, half are set; successive differences do not repeat.
    for n in [10_000_u64, 262_144, 1_000_003] {
        let permutation = Permutation::new(n, 7);
        let order: Vec<u64> = (0..10_000).map(|i| permutation.at(i)).collect();
        let distance: f64 =
            order.windows(2).map(|w| w[0].abs_diff(w[1]) as f64).sum::<f64>() / 9_999.0;
        let expected = n as f64 / 3.0;
        assert!((distance / expected - 1.0).abs() < 0.03, "{n}: {distance} {expected}");
        let adjacent = order.windows(2).filter(|w| w[0].abs_diff(w[1]) <= 8).count();
        assert!(adjacent as f64 <= 10.0 + 4.0 * 160_000.0 / n as f64, "{n}: {adjacent}");
        let mut steps: Vec<u64> = order.windows(2).map(|w| w[1].wrapping_sub(w[0])).collect();
        steps.sort_unstable();
        let most = steps.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap();
        assert!(most <= 12, "{n}: one step occurs {most} times");
        let tenths = order.iter().fold([0_u32; 10], |mut t, &x| {
            t[(x * 10 / n) as usize] += 1;
            t
        });
        assert!(tenths.iter().all(|&t| (850..1150).contains(&t)), "{n}: {tenths:?}");
    }
}

#[test]
fn every_block_once_per_pass_and_another_order_next_time() {
    let mut generator = OperationGenerator::new(&job(100, Access::Random, Mix::Read), 0, 1);
    let mut pass = || (0..100).map(|_| generator.next_operation().offset).collect::<Vec<_>>();
    let (first, second) = (pass(), pass());
    assert_ne!(first, second);
    for mut order in [first, second] {
        order.sort_unstable();
        let all: Vec<u64> = (0..100).map(|block| 8192 + block * 4096).collect();
        assert_eq!(order, all);
    }
}

#[test]
fn workers_share_one_pass() {
    let job = job(97, Access::Random, Mix::Read);
    let mut offsets: Vec<u64> = (0..4)
        .flat_map(|worker| {
            let mut generator = OperationGenerator::new(&job, worker, 4);
            let share = (97 - worker).div_ceil(4);
            (0..share).map(|_| generator.next_operation().offset).collect::<Vec<_>>()
        })
        .collect();
    offsets.sort_unstable();
    offsets.dedup();
    assert_eq!(offsets.len(), 97);
}

#[test]
fn sequential_ascends_and_starts_over() {
    let mut generator = OperationGenerator::new(&job(3, Access::Sequential, Mix::Write), 0, 1);
    let offsets: Vec<u64> = (0..5).map(|_| generator.next_operation().offset / 4096).collect();
    assert_eq!(offsets, [2, 3, 4, 2, 3]);
}

#[test]
fn directions_may_have_an_order_each() {
    let mut job = job(40, Access::Sequential, Mix::Mixed { read_percent: 50 });
    job.order_per_direction = true;
    let mut generator = OperationGenerator::with_targets(&job, 0, 1, 2);
    let mut next = std::collections::BTreeMap::new();
    for _ in 0..80 {
        let operation = generator.next_operation();
        let expected = next.entry((operation.target, operation.direction)).or_insert(8192);
        assert_eq!(operation.offset, *expected, "{operation:?}");
        *expected += 4096;
    }
    assert_eq!(next.len(), 4);
}

#[test]
fn writes_may_have_another_order() {
    let mut job = job(40, Access::Random, Mix::Mixed { read_percent: 50 });
    job.write_access = Some(Box::new(Access::Sequential));
    let mut generator = OperationGenerator::new(&job, 0, 1);
    let operations: Vec<Operation> = (0..80).map(|_| generator.next_operation()).collect();
    let of = |direction| {
        let own = operations.iter().filter(move |operation| operation.direction == direction);
        own.map(|operation| operation.offset / 4096 - 2).take(30).collect::<Vec<_>>()
    };
    let (mut reads, writes) = (of(Direction::Read), of(Direction::Write));
    assert!(writes.is_sorted() && writes[0] == 0 && writes[29] == 29, "{writes:?}");
    assert!(!reads.is_sorted(), "{reads:?}");
    reads.sort_unstable();
    reads.dedup();
    assert_eq!(reads.len(), 30);
}

#[test]
fn syncs_follow_their_writes() {
    let mut job = job(10, Access::Sequential, Mix::Write);
    job.sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 2 });
    let mut generator = OperationGenerator::new(&job, 0, 1);
    let directions: Vec<Direction> = (0..6).map(|_| generator.next_operation().direction).collect();
    use Direction::{Sync, Write};
    assert_eq!(directions, [Write, Write, Sync, Write, Write, Sync]);
}

/// Offsets and lengths of the first operations, in blocks of 4 KiB from the span's start.
fn places(job: &Job, count: usize) -> Vec<(u64, u32)> {
    let mut generator = OperationGenerator::new(job, 0, 1);
    let operations = (0..count).map(|_| generator.next_operation());
    operations.map(|op| ((op.offset - 8192) / 4096, op.length / 4096)).collect()
}

fn offsets(job: &Job, count: usize) -> Vec<u64> {
    places(job, count).into_iter().map(|(place, _)| place).collect()
}

#[test]
fn backward_descends_and_gaps_are_left_out() {
    assert_eq!(offsets(&job(3, Access::Backward, Mix::Read), 5), [2, 1, 0, 2, 1]);
    // As measured with fio 3.41: rw=read:-4k, -8k and -12k.
    let rewound = |blocks: u64| {
        let access = Access::Rewinding { back: Bytes(blocks * 4096) };
        offsets(&job(16, access, Mix::Read), 9)
    };
    assert_eq!(rewound(1), [0; 9]);
    assert_eq!(rewound(2), [0, 14, 13, 12, 11, 10, 9, 8, 7]);
    assert_eq!(rewound(3), [0, 13, 11, 9, 7, 5, 3, 1, 13]);
    let gapped = Access::Gapped { run: Bytes(8192), skip: Bytes(3 * 4096) };
    // Of 12: two, three left out, two, three left out, two.
    let expected = [0, 1, 5, 6, 10, 11, 0, 1];
    assert_eq!(offsets(&job(12, gapped, Mix::Read), 8), expected);
    let odd = Access::Gapped { run: Bytes(4096), skip: Bytes(6144) };
    let job = job(16, odd.clone(), Mix::Read);
    let mut walk = OffsetWalk::new(&job, &odd, 65_536, 1, (0, 1));
    let kib: Vec<u64> = (0..8).map(|_| (walk.next_place(4096).0 - 8192) / 1024).collect();
    assert_eq!(kib, [0, 10, 20, 30, 40, 50, 60, 0]);
}

#[test]
fn repeating_places_repeat_and_stay_inside() {
    let mut seen = offsets(&job(100, Access::RandomRepeating, Mix::Read), 100);
    assert!(seen.iter().all(|place| *place < 100));
    seen.sort_unstable();
    seen.dedup();
    // The expected share of distinct blocks is 1 - 1/e.
    assert!((50..78).contains(&seen.len()), "{}", seen.len());
}

#[test]
fn partly_random_jumps_as_often_as_asked() {
    let order =
        offsets(&job(100_000, Access::PartlyRandom { random_percent: 30 }, Mix::Read), 5000);
    let follows = order.windows(2).filter(|w| w[1] == w[0] + 1).count();
    assert!((3350..3650).contains(&follows), "{follows}");
}

#[test]
fn sizes_differ_by_direction_and_by_share() {
    let size = |blocks: u64| Bytes(blocks * 4096);
    let weights = vec![
        Weight { size: size(1), percent: 70 },
        Weight { size: size(4), percent: 25 },
        Weight { size: size(16), percent: 5 },
    ];
    let sizes = BlockSizes {
        read: Sizes::Weighted(weights),
        write: Sizes::Range { least: size(2), most: size(8) },
        ..BlockSizes::default()
    };
    let job = Job { sizes, ..job(4096, Access::Random, Mix::Mixed { read_percent: 50 }) };
    let mut generator = OperationGenerator::new(&job, 0, 1);
    let mut reads = std::collections::BTreeMap::new();
    let mut writes = std::collections::BTreeMap::new();
    for _ in 0..2000 {
        let op = generator.next_operation();
        let counts = if op.direction == Direction::Read { &mut reads } else { &mut writes };
        *counts.entry(op.length / 4096).or_insert(0) += 1;
        assert!(op.offset + u64::from(op.length) <= 8192 + 4096 * 4096);
        assert_eq!(op.offset % 4096, 0);
    }
    assert_eq!(reads.into_iter().collect::<Vec<_>>(), [(1, 700), (4, 250), (16, 50)]);
    assert_eq!(writes.keys().copied().collect::<Vec<_>>(), [2, 4, 6, 8]);
    assert!(writes.values().all(|count| (190..310).contains(count)), "{writes:?}");
}

#[test]
fn sequential_operations_of_several_sizes_follow_each_other() {
    let range = Sizes::Range { least: Bytes(4096), most: Bytes(4 * 4096) };
    let sizes = BlockSizes { read: range, ..BlockSizes::default() };
    let job = Job { sizes, ..job(64, Access::Sequential, Mix::Read) };
    let all = places(&job, 200);
    for pair in all.windows(2) {
        let (place, length) = pair[0];
        assert!(pair[1].0 == place + u64::from(length) || pair[1].0 == 0, "{pair:?}");
        assert!(place + u64::from(length) <= 64);
    }
}

/// What the operations of a pass touch: for each place how often, in units of `unit`.
fn visits(job: &Job, workers: u64, unit: u64) -> Vec<u32> {
    let length = job.span.length.0;
    let mut touched = vec![0; (length / unit) as usize];
    let mut generators: Vec<_> =
        (0..workers).map(|worker| OperationGenerator::new(job, worker, workers)).collect();
    let mut ended = vec![false; workers as usize];
    while ended.contains(&false) {
        for (generator, ended) in generators.iter_mut().zip(&mut ended).filter(|(_, e)| !**e) {
            let operation = generator.next_operation();
            *ended = generator.take_new_pass();
            let first = (operation.offset - job.span.offset.0) / unit;
            let count = u64::from(operation.length) / unit;
            (first..first + count).for_each(|place| touched[place as usize] += 1);
        }
    }
    touched
}

#[test]
fn a_pass_without_repeats_leaves_a_stale_cache() {
    let after_third = |access: Access| {
        let mut generator = OperationGenerator::new(&job(3, access, Mix::Read), 0, 1);
        let stale = (0..7).map(|_| {
            let stale = generator.take_stale_target().is_some();
            generator.next_operation();
            stale
        });
        stale.collect::<Vec<_>>()
    };
    let expected = [false, false, false, true, false, false, true];
    assert_eq!(after_third(Access::Sequential), expected);
    assert_eq!(after_third(Access::Random), expected);
    assert_eq!(after_third(Access::RandomRepeating), [false; 7]);
}

#[test]
fn cut_operations_visit_every_place_once() {
    let weight = |size: u64, percent| Weight { size: Bytes(size), percent };
    let split = Sizes::Weighted(vec![weight(4096, 50), weight(65_536, 50)]);
    let odd = Sizes::Weighted(vec![weight(4096, 30), weight(6144, 70)]);
    let range = Sizes::Range { least: Bytes(512), most: Bytes(4096) };
    for access in [Access::Random, Access::Sequential, Access::Backward] {
        for (sizes, unit) in [(&split, 4096), (&range, 512), (&odd, 2048)] {
            let random = access == Access::Random;
            if random && unit == 2048 {
                continue; // places of 4 KiB, as fio's map has them
            }
            let sizes = BlockSizes { write: sizes.clone(), cut: true, ..BlockSizes::default() };
            let block_size = sizes.write.bounds(Bytes(4096)).0;
            let all = [sizes.write.clone(), sizes.write.clone()];
            let [read, trim] = all;
            let sizes = BlockSizes { read, trim, ..sizes };
            let job = Job { sizes, block_size, ..job(163, access.clone(), Mix::Write) };
            for workers in if random { 1..=3 } else { 1..=1 } {
                let counts = visits(&job, workers, unit);
                let once = counts.iter().filter(|count| **count == 1).count();
                // What is smaller than the smallest size is left out at the end.
                let left_out = usize::from(unit == 2048);
                assert!(counts.iter().all(|count| *count <= 1), "{job:?}");
                assert!(once >= counts.len() - left_out, "{once} {job:?}");
            }
        }
    }
}

#[test]
fn operations_in_order_have_only_sizes_of_the_job() {
    let weight = |size: u64, percent| Weight { size: Bytes(size), percent };
    let write = Sizes::Weighted(vec![weight(4096, 1), weight(65_536, 99)]);
    for access in [Access::Sequential, Access::Backward] {
        let sizes = BlockSizes { write: write.clone(), cut: true, ..BlockSizes::default() };
        let job = Job { sizes, block_size: Bytes(4096), ..job(75, access, Mix::Write) };
        let mut generator = OperationGenerator::new(&job, 0, 1);
        let mut lengths: Vec<u32> = (0..15).map(|_| generator.next_operation().length).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [vec![4096; 11], vec![65_536; 4]].concat());
    }
}

/// A draw until one fits would take a billion of them for the last bytes.
#[test]
fn sizes_within_what_is_left_of_a_span_have_the_chances_of_fitting_ones() {
    let bytes = |size: u64| Bytes(size);
    for write in [
        Sizes::Any { least: bytes(4096), most: bytes(1 << 30) },
        Sizes::Range { least: bytes(4096), most: bytes(1 << 30) },
    ] {
        let sizes = BlockSizes { write: write.clone(), cut: true, ..BlockSizes::default() };
        let job = Job { sizes, block_size: Bytes(4096), ..job(75, Access::Sequential, Mix::Write) };
        let span = 75 * 4096;
        let firsts = (0..4000).map(|seed| {
            let job = Job { seed: Seed(seed), ..job.clone() };
            u64::from(OperationGenerator::new(&job, 0, 1).next_operation().length)
        });
        let firsts: Vec<u64> = firsts.collect();
        assert!(firsts.iter().all(|length| (4096..=span).contains(length)));
        let mean = firsts.iter().sum::<u64>() as f64 / firsts.len() as f64;
        let middle = (4096 + span) as f64 / 2.0;
        assert!((mean / middle - 1.0).abs() < 0.05, "{write:?}: {mean} of {middle}");
        // Many passes to the end, whose rest may be a single block.
        let mut generator = OperationGenerator::new(&job, 0, 1);
        for _ in 0..1000 {
            let operation = generator.next_operation();
            let end = operation.offset + u64::from(operation.length);
            assert!(end <= job.span.offset.0 + span, "{operation:?}");
        }
    }
}

#[test]
fn targets_of_different_lengths_are_passed_over_once() {
    use workload::TargetOrder as Order;
    let lengths = [3, 1, 0, 5].map(|blocks| Bytes(blocks * 4096));
    for access in [Access::Sequential, Access::Random] {
        for targets in [Order::RoundRobin, Order::Random, Order::Sequential] {
            let base = job(5, access.clone(), Mix::Write);
            let order = targets.clone();
            let job = Job { targets, span_lengths: lengths.to_vec(), ..base };
            let mut generator = OperationGenerator::with_targets(&job, 0, 1, 4);
            for _ in 0..3 {
                let mut pass: Vec<(u16, u64)> = (0..9)
                    .map(|_| generator.next_operation())
                    .map(|op| (op.target, op.offset / 4096 - 2))
                    .collect();
                pass.sort_unstable();
                let block = |target, count| (0..count).map(move |place| (target, place));
                let expected: Vec<_> = block(0, 3).chain(block(1, 1)).chain(block(3, 5)).collect();
                assert_eq!(pass, expected, "{order:?}");
            }
        }
    }
}

#[test]
fn several_targets_are_taken_in_turn() {
    let base = job(3, Access::Sequential, Mix::Read);
    let order = |targets| {
        let mut generator =
            OperationGenerator::with_targets(&Job { targets, ..base.clone() }, 0, 1, 3);
        (0..9).map(|_| generator.next_operation()).map(|op| op.target).collect::<Vec<_>>()
    };
    use workload::TargetOrder as Order;
    assert_eq!(order(Order::RoundRobin), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(order(Order::Sequential), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let turns = |job: Job| {
        let mut generator = OperationGenerator::with_targets(&job, 0, 1, 3);
        (0..9).map(|_| generator.next_operation().target).collect::<Vec<_>>()
    };
    // A turn ends with the target.
    let batches = Job { target_batch: 2, ..base.clone() };
    assert_eq!(turns(batches), [0, 0, 1, 1, 2, 2, 0, 1, 2]);
    assert_eq!(turns(Job { open_targets: Some(2), ..base.clone() }), [0, 1, 0, 1, 0, 1, 2, 2, 2]);
    let law = workload::Distribution::Zipf { theta: 1.2 };
    let skewed = turns(Job { targets: Order::Distributed(law), ..base.clone() });
    assert!(skewed.iter().all(|target| *target < 3), "{skewed:?}");
    let mut generator =
        OperationGenerator::with_targets(&Job { targets: Order::Random, ..base }, 0, 1, 3);
    let mut random: Vec<u16> = (0..60).map(|_| generator.next_operation().target).collect();
    random.sort_unstable();
    random.dedup();
    assert_eq!(random, [0, 1, 2]);
}

/// More targets than a word of their map has bits.
#[test]
fn of_many_targets_few_are_open_and_each_is_passed_once() {
    const TARGETS: u16 = 150;
    const BLOCKS: u16 = 3;
    use workload::TargetOrder as Order;
    for targets in [Order::RoundRobin, Order::Random, Order::Sequential] {
        for open in [1, 7, 64, 200] {
            let base = job(u64::from(BLOCKS), Access::Sequential, Mix::Read);
            let job = Job { targets: targets.clone(), open_targets: Some(open), ..base };
            let mut generator = OperationGenerator::with_targets(&job, 0, 1, TARGETS);
            for _ in 0..3 {
                let mut visits = [0; TARGETS as usize];
                for _ in 0..TARGETS * BLOCKS {
                    visits[usize::from(generator.next_operation().target)] += 1;
                    let begun = visits.iter().filter(|visits| (1..BLOCKS).contains(*visits));
                    let begun = begun.count();
                    assert!(begun <= open as usize, "{targets:?}: {begun} of {open} are open");
                }
                assert_eq!(visits, [BLOCKS; TARGETS as usize], "{targets:?}, {open} open");
            }
        }
    }
}

#[test]
fn a_sequence_begins_anew_after_its_bytes() {
    use workload::Repetition;
    let range = Sizes::Range { least: Bytes(512), most: Bytes(4096) };
    let sizes =
        BlockSizes { write: range.clone(), read: range, cut: true, ..BlockSizes::default() };
    for (access, mix) in [
        (Access::Random, Mix::Mixed { read_percent: 30 }),
        (Access::RandomRepeating, Mix::Write),
        (Access::Sequential, Mix::Mixed { read_percent: 50 }),
    ] {
        let after = Bytes(7 * 4096);
        let passes = |same_order| {
            let repeat = Some(Box::new(Repetition { after, same_order }));
            let job = Job { repeat, order_per_direction: true, ..job(20, access.clone(), mix) };
            let job = match access {
                Access::Random => Job { sizes: sizes.clone(), block_size: Bytes(512), ..job },
                _ => job,
            };
            let mut generator = OperationGenerator::with_targets(&job, 0, 1, 2);
            std::array::from_fn::<Vec<Operation>, 3, _>(|_| {
                let (mut pass, mut bytes) = (Vec::new(), 0);
                while bytes < after.0 {
                    pass.push(generator.next_operation());
                    bytes += u64::from(pass[pass.len() - 1].length);
                }
                pass
            })
        };
        let [first, second, third] = passes(true);
        assert!(first == second && second == third, "{access:?}");
        let [first, second, _] = passes(false);
        assert_ne!(first, second, "{access:?}");
        let starts = [&first, &second].map(|pass| pass[0].offset);
        assert!(access != Access::Sequential || starts[0] == starts[1], "{starts:?}");
    }
}

#[test]
fn what_is_trimmed_is_then_written() {
    let mut generator = OperationGenerator::new(&job(50, Access::Random, Mix::TrimWrite), 0, 1);
    for _ in 0..60 {
        let (trim, write) = (generator.next_operation(), generator.next_operation());
        assert_eq!((trim.direction, write.direction), (Direction::Trim, Direction::Write));
        assert_eq!(trim.offset, write.offset);
    }
}

/// As measured with fio 3.33: `rw=trimwrite nrfiles=3`.
#[test]
fn each_target_has_its_turn_to_be_trimmed_or_written() {
    let job = job(5, Access::Sequential, Mix::TrimWrite);
    let mut generator = OperationGenerator::with_targets(&job, 0, 1, 3);
    let mut done = [[0; 2]; 3];
    for number in 0..30 {
        let operation = generator.next_operation();
        let target = usize::from(operation.target);
        assert_eq!(target, number % 3);
        let way = usize::from(operation.direction == Direction::Write);
        assert_eq!((way, operation.offset), (number / 3 % 2, 8192 + 4096 * done[target][way]));
        done[target][way] += 1;
    }
    assert_eq!(done, [[5; 2]; 3]);
}

proptest! {
    #[test]
    fn permutations_are_bijections(n in 1_u64..5000, key: u64) {
        prop_assert!(is_bijection(n, key));
    }

    #[test]
    fn mixes_are_exact(read_percent in 1_u8..=99, groups in 1_u64..20) {
        let job = job(1000, Access::Random, Mix::Mixed { read_percent });
        let mut generator = OperationGenerator::new(&job, 0, 1);
        let reads = (0..groups * 100)
            .filter(|_| generator.next_operation().direction == Direction::Read)
            .count() as u64;
        prop_assert_eq!(reads, groups * u64::from(read_percent));
    }

    #[test]
    fn same_seed_same_trace(seed: u64, blocks in 1_u64..1000) {
        let mut job = job(blocks, Access::Random, Mix::Mixed { read_percent: 50 });
        job.seed = Seed(seed);
        let generator = || OperationGenerator::new(&job, 0, 1);
        let (mut a, mut b) = (generator(), generator());
        for _ in 0..200 {
            prop_assert_eq!(a.next_operation(), b.next_operation());
        }
    }
}

/// Block numbers of the first `count` operations.
fn block_numbers(blocks: u64, access: Access, count: usize) -> Vec<u64> {
    let mut generator = OperationGenerator::new(&job(blocks, access, Mix::Read), 0, 1);
    (0..count).map(|_| (generator.next_operation().offset - 8192) / 4096).collect()
}

#[test]
fn runs_begin_anywhere_and_go_on_from_there() {
    let runs = block_numbers(1000, Access::RandomRuns { operations: 4, identical: false }, 4000);
    // A run that comes to the end of the span is cut there.
    let mut lengths = vec![1];
    let mut starts = std::collections::BTreeSet::from([runs[0]]);
    for pair in runs.windows(2) {
        if pair[1] == pair[0] + 1 && *lengths.last().unwrap() < 4 {
            *lengths.last_mut().unwrap() += 1;
        } else {
            lengths.push(1);
            starts.insert(pair[1]);
        }
    }
    let whole = lengths.iter().filter(|length| **length == 4).count();
    assert!(whole * 100 > lengths.len() * 98, "{whole} of {}", lengths.len());
    assert!(starts.len() > 400 && *starts.last().unwrap() > 900, "{}", starts.len());
    let same = block_numbers(1000, Access::RandomRuns { operations: 3, identical: true }, 300);
    assert!(same.chunks(3).all(|run| run.iter().all(|place| *place == run[0])));
}

#[test]
fn zones_are_left_when_enough_was_moved() {
    let zone = |blocks: u64| Bytes(blocks * 4096);
    let zones = |bytes, repeats| Access::ZonedRandom {
        zone: zone(100),
        skip: zone(50),
        bytes: zone(bytes),
        repeats,
    };
    let access = zones(20, false);
    let places = block_numbers(450, access, 80);
    for (number, part) in (0..4).zip(places.chunks(20)) {
        let start = [0, 150, 300, 0][number];
        assert!(part.iter().all(|place| (start..start + 100).contains(place)), "{part:?}");
    }
    let distinct = |places: &[u64]| places.iter().collect::<std::collections::HashSet<_>>().len();
    // Twice all places of a zone, then those of the next.
    let places = block_numbers(450, zones(200, false), 300);
    let of_zones: Vec<usize> = places.chunks(100).map(distinct).collect();
    assert_eq!(of_zones, [100; 3]);
    assert!(distinct(&block_numbers(450, zones(200, true), 100)) < 80);
    // The end cuts the last zone, whose places all come.
    let places = block_numbers(340, zones(40, false), 160);
    let last: std::collections::BTreeSet<u64> = places[80..120].iter().copied().collect();
    assert!(last.into_iter().eq(300..340) && places[120..].iter().all(|place| *place < 100));
}
