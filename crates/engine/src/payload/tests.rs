//! The buffers: uniqueness, shares and layout.

use super::*;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::{Seek as _, Write as _};
use units::Seed;

fn buffers(slots: usize, block: usize, payload: &Payload, key: u64) -> Buffers {
    Buffers::new(slots, block, 4096, false, Some(payload), key, PageSize::Small).unwrap()
}

fn copy(buffer: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the buffer has at least `length` bytes and nothing is outstanding.
    unsafe { std::slice::from_raw_parts(buffer, length) }.to_vec()
}

/// The next write of a slot, of 4 KiB.
fn page(buffers: &mut Buffers, slot: u32) -> Vec<u8> {
    copy(buffers.prepare_write(slot, 4096), 4096)
}

#[test]
fn no_sector_is_ever_written_twice() {
    let mut all = [9, 10].map(|key| buffers(4, 4096, &Payload::Unique, key));
    let mut seen = HashSet::new();
    for turn in 0..3000_u32 {
        for each in &mut all {
            for sector in page(each, turn % 4).chunks(SECTOR_BYTES) {
                assert!(seen.insert(sector.to_vec()));
            }
        }
    }
}

#[test]
fn no_sector_is_written_twice_with_varying_lengths() {
    let mut buffers = buffers(4, 8192, &Payload::Unique, 5);
    let mut seen = HashSet::new();
    for turn in 0..3000_u32 {
        let length = 512 * (1 + turn * 7 % 16) + turn % 3 * 100;
        let length = length.min(8192);
        let block = copy(buffers.prepare_write(turn % 4, length), length as usize);
        for sector in block.chunks_exact(SECTOR_BYTES) {
            assert!(seen.insert(sector.to_vec()));
        }
    }
}

#[test]
fn bytes_are_incompressible_by_entropy() {
    let mut buffers = buffers(1, 1 << 20, &Payload::Unique, 3);
    let block = copy(buffers.prepare_write(0, 1 << 20), 1 << 20);
    let mut counts = [0_f64; 256];
    block.iter().for_each(|&b| counts[b as usize] += 1.0);
    let n = block.len() as f64;
    let entropy: f64 = counts.iter().map(|c| -(c / n) * (c / n).log2()).sum();
    assert!(entropy > 7.999, "{entropy}");
    // No 8-byte word occurs twice in a megabyte: nothing for a dictionary to find.
    let words: HashSet<&[u8]> = block.chunks(8).collect();
    assert_eq!(words.len(), block.len() / 8);
}

#[test]
fn buffers_of_different_slots_do_not_overlap() {
    let mut buffers =
        Buffers::new(8, 1000, 512, true, Some(&Payload::Unique), 1, PageSize::Small).unwrap();
    let mut places: Vec<usize> =
        (0..32).map(|i| buffers.prepare_write(i % 8, 1000) as usize).collect();
    places.extend((0..8).map(|slot| buffers.read_buffer(slot) as usize));
    assert!(places.iter().all(|p| p % 512 == 0));
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 40);
    assert!(places.windows(2).all(|w| w[1] - w[0] >= 1000));
}

#[test]
fn touching_changes_a_byte_of_every_sector() {
    let mut buffers = Buffers::new(2, 2048, 512, true, None, 1, PageSize::Small).unwrap();
    buffers.read_buffer_mut(1, 2048).fill(0xff);
    assert_eq!(buffers.touch_read_buffer(1, 1024), buffers.read_buffer(1));
    let bytes = buffers.read_buffer_mut(1, 2048);
    let changed: Vec<usize> = (0..2048).filter(|&place| bytes[place] != 0xff).collect();
    assert_eq!((changed, bytes[512]), (vec![0, 512], 1));
}

#[test]
fn zeros_of_a_device_are_read_before_each_write() {
    let writes =
        |payload: &Payload| Buffers::new(2, 1024, 512, true, Some(payload), 1, PageSize::Small);
    let mut buffers = writes(&Payload::DevZero).unwrap();
    buffers.source = Some(File::open("/dev/zero").unwrap());
    for slot in [1, 0, 1, 1] {
        let place = buffers.prepare_write(slot, 1024);
        let start = place as usize - buffers.arena.pointer_at(0) as usize;
        buffers.buffer_part(start, 1024).fill(7);
        assert_eq!(buffers.prepare_write(slot, 512), place, "each slot has one buffer");
        let bytes = buffers.buffer_part(start, 1024);
        assert!(bytes[..512].iter().all(|byte| *byte == 0) && bytes[512..] == [7; 512]);
    }
    assert_ne!(buffers.prepare_write(0, 512), buffers.prepare_write(1, 512));
    // They are read, and not made: a file of other bytes shows it.
    let mut other = tempfile::tempfile().unwrap();
    other.write_all(&[9; 512]).unwrap();
    other.rewind().unwrap();
    buffers.source = Some(other);
    assert_eq!(copy(buffers.prepare_write(0, 512), 512), [9; 512]);
    assert_eq!(copy(buffers.prepare_write(0, 512), 512), [0; 512], "it has ended");
    // Those of no device are left as they are.
    let mut buffers = writes(&Payload::Zero).unwrap();
    let slot_of = |buffers: &mut Buffers| buffers.prepare_write(0, 512) as usize;
    let start = slot_of(&mut buffers) - buffers.arena.pointer_at(0) as usize;
    let turns = buffers.alternates;
    buffers.buffer_part(start, 512).fill(7);
    for _ in 0..turns {
        slot_of(&mut buffers);
    }
    assert_eq!(buffers.buffer_part(start, 512), [7; 512]);
}

#[test]
fn what_was_read_is_not_written() {
    let mut buffers =
        Buffers::new(2, 4096, 4096, true, Some(&Payload::Zero), 1, PageSize::Small).unwrap();
    buffers.read_buffer_mut(0, 4096).fill(7);
    for _ in 0..buffers.alternates * 2 {
        assert_eq!(page(&mut buffers, 0), [0; 4096]);
    }
}

#[test]
fn patterns_start_every_block() {
    let bytes = b"truedisk!".to_vec();
    let mut buffers = buffers(3, 8192, &Payload::Pattern { bytes: bytes.clone() }, 1);
    for turn in 0..600 {
        for (at, &byte) in page(&mut buffers, turn % 3).iter().enumerate() {
            assert_eq!(byte, bytes[at % bytes.len()]);
        }
    }
}

/// Percent of 4 KiB that a compressor saves, the worst and the best of a few hundred blocks.
fn saved(percent: u8, compressed: impl Fn(&[u8]) -> usize) -> (f64, f64) {
    let mut buffers = buffers(4, 4096, &Payload::Compressible { percent }, 11);
    (0..200).fold((100.0, 0.0), |(worst, best), turn| {
        let length = compressed(&page(&mut buffers, turn % 4)) as f64;
        let share = 100.0 * (1.0 - length / 4096.0);
        (share.min(worst), share.max(best))
    })
}

fn deflate(block: &[u8]) -> usize {
    let mut encoder =
        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(block).unwrap();
    encoder.finish().unwrap().len()
}

#[test]
fn deflate_saves_the_share_of_every_block() {
    for percent in [10, 20, 30, 40, 50, 60, 70, 80, 90] {
        let (worst, best) = saved(percent, deflate);
        assert!((worst - f64::from(percent)).abs() <= 3.0, "{percent}: {worst}");
        assert!((best - f64::from(percent)).abs() <= 3.0, "{percent}: {best}");
    }
}

#[test]
fn compressible_sectors_are_unique_down_to_the_stamp() {
    for percent in [0, 50, 96, 97, 99] {
        let mut buffers = buffers(2, 4096, &Payload::Compressible { percent }, 2);
        let mut seen = HashSet::new();
        for turn in 0..1000 {
            for sector in page(&mut buffers, turn % 2).chunks(SECTOR_BYTES) {
                assert!(seen.insert(sector.to_vec()), "{percent}");
            }
        }
    }
    let mut buffers = buffers(2, 4096, &Payload::Compressible { percent: 100 }, 2);
    assert_eq!(page(&mut buffers, 0), [0; 4096]);
}

#[test]
fn copies_have_their_exact_share() {
    for percent in [0, 1, 10, 37, 50, 90, 99, 100_u8] {
        let mut buffers = buffers(4, 4096, &Payload::Dedupable { percent }, 6);
        let start = buffers.arena.pointer_at(buffers.copied_start) as usize;
        let mut times: HashMap<Vec<u8>, usize> = HashMap::new();
        for group in 0..10 {
            let mut copies = 0;
            for turn in 0..100 {
                let buffer = buffers.prepare_write(turn % 4, 4096);
                copies += usize::from(buffer as usize >= start);
                *times.entry(copy(buffer, 4096)).or_default() += 1;
            }
            assert_eq!(copies, usize::from(percent), "{percent}: group {group}");
        }
        let copied: Vec<usize> = times.values().copied().filter(|&times| times > 1).collect();
        assert!(copied.len() <= COPIED_BLOCKS);
        if percent != 1 {
            // At 1 % ten copies are made of eight blocks: six of them only once so far.
            assert_eq!(copied.iter().sum::<usize>(), 10 * usize::from(percent), "{percent}");
        }
    }
}

#[test]
fn copies_may_be_compressible_too() {
    let both = |copies_percent, compressible_percent| Payload::DedupableCompressible {
        copies_percent,
        compressible_percent,
    };
    let mut made = buffers(4, 4096, &both(40, 50), 6);
    let mut times: HashMap<Vec<u8>, usize> = HashMap::new();
    for turn in 0..1000 {
        let block = page(&mut made, turn % 4);
        let share = 100.0 * (1.0 - deflate(&block) as f64 / 4096.0);
        assert!((share - 50.0).abs() <= 3.0, "{share}");
        *times.entry(block.to_vec()).or_default() += 1;
    }
    let copied: usize = times.values().filter(|&&times| times > 1).sum();
    assert_eq!((copied, times.len()), (400, 600 + COPIED_BLOCKS));
    let mut nothing = buffers(4, 4096, &both(40, 100), 6);
    assert_eq!(page(&mut nothing, 0), [0; 4096]);
}

#[test]
fn copies_of_a_working_set_are_of_the_first_blocks() {
    for (copies_percent, blocks, compressible_percent) in [(40, 50, 0), (80, 10, 50), (50, 1, 0)] {
        let payload =
            Payload::WorkingSet { copies_percent, blocks, compressible_percent, shared: None };
        let mut made = buffers(4, 4096, &payload, 6);
        let mut times: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut first: Vec<Vec<u8>> = Vec::new();
        for turn in 0..1000 {
            let block = page(&mut made, turn % 4).to_vec();
            let share = 100.0 * (1.0 - deflate(&block) as f64 / 4096.0);
            assert!((share - f64::from(compressible_percent)).abs() <= 3.0, "{share}");
            if !times.contains_key(&block) {
                first.push(block.clone());
            }
            *times.entry(block).or_default() += 1;
        }
        // The very first write has nothing to copy.
        let copies = 1000 - times.len();
        assert!(copies.abs_diff(10 * usize::from(copies_percent)) <= 1, "{copies}");
        let (set, rest) = first.split_at(blocks as usize);
        assert!(set.iter().all(|block| times[block] > 1));
        assert!(rest.iter().all(|block| times[block] == 1));
    }
}

#[test]
fn jobs_copy_blocks_of_a_set_that_they_share() {
    let written = |job: u64| {
        let shared = Some(SharedSet { seed: Seed(7), job, jobs: 2 });
        let (copies_percent, blocks, compressible_percent) = (50, 20, 0);
        let payload = Payload::WorkingSet { copies_percent, blocks, compressible_percent, shared };
        let mut made = buffers(4, 4096, &payload, 6 + job);
        let pages = (0..1000).map(|turn| page(&mut made, turn % 4).to_vec());
        pages.collect::<HashSet<_>>()
    };
    let (first, second) = (written(0), written(1));
    // 500 writes are no copies: 10 blocks of the set, and 490 of their own.
    assert_eq!((first.len(), second.len()), (510, 510));
    assert_eq!(first.intersection(&second).count(), 20);
}

#[test]
fn blocks_that_are_no_copies_share_no_sector() {
    let mut buffers = buffers(4, 4096, &Payload::Dedupable { percent: 50 }, 6);
    let mut times: HashMap<Vec<u8>, usize> = HashMap::new();
    for turn in 0..1000 {
        for sector in page(&mut buffers, turn % 4).chunks(SECTOR_BYTES) {
            *times.entry(sector.to_vec()).or_default() += 1;
        }
    }
    assert_eq!(times.values().filter(|&&times| times == 1).count(), 500 * 8);
}

proptest! {
    #[test]
    fn every_length_and_slot_is_inside(
        slots in 1_u32..9,
        block in 1_usize..20_000,
        length in 0_u32..30_000,
        reads: bool,
        kind in 0..7,
    ) {
        let payload = match kind {
            0 => Payload::Unique,
            1 => Payload::Zero,
            2 => Payload::Pattern { bytes: vec![1, 2, 3] },
            3 => Payload::Compressible { percent: 40 },
            4 => Payload::DedupableCompressible { copies_percent: 40, compressible_percent: 50 },
            5 => Payload::WorkingSet {
                copies_percent: 40,
                blocks: 9,
                compressible_percent: 50,
                shared: None,
            },
            _ => Payload::Dedupable { percent: 40 },
        };
        let (slot_count, payload) = (slots as usize, Some(&payload));
        let made = Buffers::new(slot_count, block, 512, reads, payload, 1, PageSize::Small);
        let mut buffers = made.unwrap();
        let end = buffers.arena.pointer_at(0) as usize + buffers.arena.length();
        for turn in 0..200 {
            let slot = turn % slots;
            prop_assert!(buffers.prepare_write(slot, length) as usize + block <= end);
            prop_assert!(buffers.read_buffer(slot) as usize + block <= end);
        }
    }
}

#[test]
fn a_repeated_buffer_differs_in_offset_and_time_only() {
    let check = |scrambled, expected: usize| {
        let mut made = buffers(1, 4096, &Payload::Repeated { scrambled }, 6);
        let first = copy(made.prepare_write_at(0, 4096, 0, 1), 4096);
        let later = copy(made.prepare_write_at(0, 4096, 1 << 40, 7_000_000_001), 4096);
        let changed = first.iter().zip(&later).filter(|(a, b)| a != b).count();
        assert_eq!(changed, expected);
        // At byte 48 of a sector: the seconds; its offset where the time and the offset say.
        let number = |at: usize| u64::from_le_bytes(later[at..at + 8].try_into().unwrap());
        let offset = (1_u64 << 40) + 512;
        assert_eq!((number(512 + 48), number(512 + 64)) == (7, offset), scrambled);
    };
    check(false, 0);
    // In each sector a byte of the offset and a byte of the seconds.
    check(true, 16);
}
