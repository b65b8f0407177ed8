//! Round trips, every kind of damage, and settings that contradict each other.

use proptest::prelude::*;

use workload::{SealLayout, SealMethod as Method};

use super::header::MAX_HEADER_BYTES;
use super::plan::header_bytes;
use super::*;

const SEED: u64 = 42;
const OFFSET: u64 = 1 << 20;

/// Settings of a method in its simplest form; with a pattern only where there must be one.
pub(crate) fn settings(method: Method) -> SealSettings {
    let pattern = match method {
        Method::Pattern | Method::PatternHeader => odd_pattern(),
        _ => PatternPlan::default(),
    };
    SealSettings {
        method,
        layout: SealLayout::Own,
        interval: 0,
        header_offset: 0,
        pattern,
        check_sequence: true,
        seed: SEED,
    }
}

pub(crate) fn odd_pattern() -> PatternPlan {
    PatternPlan::new(&[
        PatternPiece::Bytes(&[0xFF]),
        PatternPiece::Offset,
        PatternPiece::Bytes(b"abcd\x0C"),
    ])
}

pub(crate) fn plan(settings: SealSettings) -> SealPlan {
    SealPlan::new(settings, &[]).unwrap()
}

pub(crate) fn sealed(plan: &SealPlan, length: usize, offset: u64, sequence: u64) -> Vec<u8> {
    let mut block = vec![0xEE; length];
    plan.seal(&mut block, offset, sequence, Stamp { time_ns: 1_000_000_007, thread: 3 });
    block
}

fn methods() -> impl Iterator<Item = Method> {
    Method::NAMES.into_iter().map(|(method, _)| method)
}

/// Methods that notice whatever is wrong with the body, and make it of noise.
fn noisy() -> impl Iterator<Item = Method> {
    methods().take_while(|&method| method != Method::Meta)
}

fn kind(plan: &SealPlan, block: &[u8]) -> DefectKind {
    let wrong = plan.check(block, OFFSET, Some(9)).unwrap_err();
    assert!(wrong.at < block.len() as u64 && !wrong.to_string().contains('\n'), "{wrong}");
    wrong.kind
}

#[test]
fn codes_and_names() {
    for (code, method) in (1..).zip(methods()) {
        assert_eq!(method.code(), code);
    }
    assert_eq!(header_bytes(SealLayout::Own, Method::Crc32c), 60);
    assert_eq!(header_bytes(SealLayout::Own, Method::Sha512), MAX_HEADER_BYTES as u32);
    assert_eq!(header_bytes(SealLayout::Own, Method::Pattern), 0);
}

#[test]
fn contradictions() {
    let check = |settings: SealSettings, blocks: &[u32], expected: Option<&str>| {
        let error = SealPlan::new(settings.clone(), blocks).err().map(|error| error.to_string());
        match expected {
            Some(part) => {
                let error = error.unwrap();
                assert!(error.contains(part), "{error}");
            }
            None => assert_eq!(error, None, "{settings:?}"),
        }
    };
    let with = |method, interval, header_offset| SealSettings {
        interval,
        header_offset,
        ..settings(method)
    };
    check(with(Method::Crc32c, 512, 0), &[512, 4096], None);
    check(with(Method::Crc32c, 512, 0), &[4096, 4100], Some("4100 bytes: use a divisor"));
    check(with(Method::Crc32c, 512, 0), &[256], Some("does not divide blocks of 256 bytes"));
    check(with(Method::Crc32c, 61, 0), &[], None);
    check(with(Method::Crc32c, 60, 0), &[], Some("verify_interval of 60 bytes has no room"));
    check(with(Method::Sha512, 0, 0), &[64], Some("block of 64 bytes has no room"));
    check(with(Method::Crc32c, 0, 0), &[64], None);
    check(with(Method::Crc32c, 0, 451), &[512], None);
    check(with(Method::Crc32c, 0, 452), &[512], Some("use at least 513"));
    check(with(Method::Crc32c, 512, u32::MAX), &[4096], Some("verify_offset=4294967295"));
    let bare = |method| SealSettings { pattern: PatternPlan::default(), ..settings(method) };
    check(bare(Method::Pattern), &[512], Some("verify=pattern compares with a pattern"));
    check(bare(Method::PatternHeader), &[512], Some("verify=pattern_hdr compares"));
    // Without headers these mean nothing, as with fio.
    check(with(Method::Pattern, 3000, 9000), &[512], None);
    check(with(Method::Null, 1, 1), &[512], None);
}

#[test]
fn blocks_that_do_not_fit_are_left_and_told() {
    let plan = plan(SealSettings { interval: 1000, ..settings(Method::Crc64) });
    for length in [0, 1, 64, 999, 1001, 2500] {
        let block = sealed(&plan, length, 0, 0);
        assert!(block.iter().all(|&byte| byte == 0xEE));
        let wrong = plan.check(&block, 0, None).unwrap_err();
        assert_eq!(wrong.kind, DefectKind::Length);
        assert_eq!((wrong.expected.number(), wrong.found.number()), (1000, length as u64));
    }
    assert_eq!(plan.check(&sealed(&plan, 3000, 0, 0), 0, None), Ok(()));
}

#[test]
fn blocks_of_others_are_named() {
    for method in methods().filter(|method| method.has_header()) {
        let ours = plan(settings(method));
        let other = plan(SealSettings { seed: 43, ..settings(method) });
        assert_eq!(kind(&ours, &sealed(&other, 4096, OFFSET, 9)), DefectKind::Seed);
        // Swapped with its neighbour.
        assert_eq!(kind(&ours, &sealed(&ours, 4096, OFFSET + 4096, 9)), DefectKind::Offset);
        assert_eq!(kind(&ours, &sealed(&ours, 4096, OFFSET, 8)), DefectKind::Sequence);
        let text = ours.check(&sealed(&ours, 4096, OFFSET, 8), OFFSET, Some(9)).unwrap_err();
        assert!(text.to_string().starts_with("stale, of write 8 and not 9 at its byte 32"));
        assert_eq!(
            kind(&ours, &sealed(&ours, 2048, OFFSET, 9)[..2048].repeat(2)),
            DefectKind::Length
        );
        // An earlier write, shorter.
        assert_eq!(kind(&ours, &sealed(&ours, 2048, OFFSET, 3).repeat(2)), DefectKind::Sequence);
        assert_eq!(kind(&ours, &[0; 4096]), DefectKind::Zeros);
        assert_eq!(kind(&ours, &[0xAA; 4096]), DefectKind::Magic);
        let next = Method::NAMES[usize::from(method.code()) % 12].0;
        if next != method {
            let other = plan(settings(next));
            assert_eq!(kind(&ours, &sealed(&other, 4096, OFFSET, 9)), DefectKind::Format);
        }
    }
    let blind = plan(SealSettings { check_sequence: false, ..settings(Method::Md5) });
    assert_eq!(blind.check(&sealed(&blind, 4096, OFFSET, 8), OFFSET, Some(9)), Ok(()));
    // A pattern with the offset in it is misplaced too, if less clearly.
    let pattern = plan(settings(Method::Pattern));
    assert_eq!(kind(&pattern, &sealed(&pattern, 4096, OFFSET + 4096, 9)), DefectKind::Pattern);
}

#[test]
fn torn_blocks_are_named() {
    for method in noisy() {
        let ours = plan(settings(method));
        let new = sealed(&ours, 4096, OFFSET, 9);
        let foreign = sealed(&plan(SealSettings { seed: 7, ..settings(method) }), 4096, OFFSET, 9);
        for other in [sealed(&ours, 4096, OFFSET, 8), foreign] {
            for at in (512..4096).step_by(512) {
                let torn = [&new[..at], &other[at..]].concat();
                let wrong = ours.check(&torn, OFFSET, Some(9)).unwrap_err();
                assert_eq!((wrong.kind, wrong.at), (DefectKind::Torn, at as u64), "{wrong}");
                assert_eq!(ours.check(&torn, OFFSET, None).unwrap_err(), wrong);
            }
        }
        let old = sealed(&ours, 4096, OFFSET, 8);
        let torn = [&old[..1024], &new[1024..]].concat();
        let wrong = ours.check(&torn, OFFSET, Some(9)).unwrap_err();
        assert_eq!((wrong.kind, wrong.at), (DefectKind::Torn, 1024));
        let text =
            "torn, of write 9 of seed 42 and not 8 of seed 42 as its header at its byte 1024";
        assert!(wrong.to_string().starts_with(text), "{wrong}");
        // Damaged on top: no version of anything.
        let mut torn = torn;
        torn[1100] ^= 1;
        assert_eq!(ours.check(&torn, OFFSET, None).unwrap_err().kind, DefectKind::Data);
    }
}

#[test]
fn zeroed_sectors_are_named() {
    for method in methods() {
        for (interval, header_offset) in [(0, 0), (0, 480), (512, 0), (1024, 900), (2048, 1000)] {
            let ours = plan(SealSettings { interval, header_offset, ..settings(method) });
            for sector in 0..8 {
                let mut block = sealed(&ours, 4096, OFFSET, 9);
                block[sector * 512..][..512].fill(0);
                let Err(wrong) = ours.check(&block, OFFSET, Some(9)) else {
                    // Header sectors of Meta are found, others are not looked at.
                    assert!(matches!(method, Method::Meta | Method::Null));
                    continue;
                };
                assert_eq!(wrong.kind, DefectKind::Zeros, "{method:?} {interval} {header_offset}");
                assert_eq!(wrong.at / 512, sector as u64, "{wrong}");
            }
        }
    }
}

#[test]
fn sectors_are_unique() {
    let ours = plan(settings(Method::XxHash));
    let mut seen = std::collections::HashSet::new();
    for write in 0..2000_u64 {
        for sector in sealed(&ours, 4096, write % 50 * 4096, write).chunks(512) {
            assert!(seen.insert(sector.to_vec()));
        }
    }
}

#[test]
fn damaged_data_says_which_bytes() {
    for header_offset in [0, 100, 3000] {
        let ours = plan(SealSettings { header_offset, ..settings(Method::Crc32) });
        let sound = sealed(&ours, 8192, OFFSET, 9);
        for at in [90, 99, 700, 4095, 4096, 8185, 8191].into_iter().filter(|&at| at > 64) {
            let mut block = sound.clone();
            block[at] ^= 0x81;
            let wrong = ours.check(&block, OFFSET, None).unwrap_err();
            assert_eq!((wrong.kind, wrong.at), (DefectKind::Data, at as u64));
            let end = (at + 16).min(8192);
            assert_eq!(wrong.found.as_slice(), &block[at..end]);
            // The bytes expected in the place of a header are those below it.
            if at >= header_offset as usize + 60 || end <= header_offset as usize {
                assert_eq!(wrong.expected.as_slice(), &sound[at..end], "{header_offset} {at}");
            }
        }
    }
}

/// Any plan with a length of blocks that it fits, mostly a multiple of 512 bytes.
fn any_plan() -> impl Strategy<Value = (SealPlan, usize)> {
    let lengths = prop_oneof![
        6 => (1_usize..=16).prop_map(|n| n * 512),
        6 => 512_usize..20_000,
        1 => Just(2300),
        1 => Just(1 << 20),
        1 => (1_usize..=2048).prop_map(|n| n * 512),
    ];
    let method = prop::sample::select(methods().collect::<Vec<_>>());
    (method, lengths, any::<(bool, bool, u64, prop::sample::Index, prop::sample::Index)>())
        .prop_map(|(method, length, (pattern, check_sequence, seed, parts, place))| {
            let least = header_bytes(SealLayout::Own, method) as usize + 1;
            let divisors: Vec<usize> = (1..=64)
                .filter(|parts| length.is_multiple_of(*parts) && length / parts >= least)
                .map(|parts| length / parts)
                .collect();
            let interval = divisors[parts.index(divisors.len())];
            let header_offset = place.index(interval - least + 1) as u32;
            let interval = if interval == length { 0 } else { interval as u32 };
            let mut settings = settings(method);
            if pattern {
                settings.pattern = odd_pattern();
            }
            let settings =
                SealSettings { interval, header_offset, check_sequence, seed, ..settings };
            (SealPlan::new(settings, &[length as u32]).unwrap(), length)
        })
}

/// Whether a method looks at byte `at` of a block.
fn covers(plan: &SealPlan, length: usize, at: usize) -> bool {
    let interval = if plan.interval == 0 { length } else { plan.interval };
    let header = plan.header_offset
        ..plan.header_offset + header_bytes(SealLayout::Own, plan.method) as usize;
    match plan.method {
        Method::Null => false,
        Method::Meta => header.contains(&(at % interval)),
        _ => true,
    }
}

proptest! {
    #[test]
    fn round_trip((plan, length) in any_plan(), offset: u64, sequence: u64) {
        let block = sealed(&plan, length, offset, sequence);
        prop_assert_eq!(plan.check(&block, offset, Some(sequence)), Ok(()));
        prop_assert_eq!(plan.check(&block, offset, None), Ok(()));
        let stale = plan.check(&block, offset, Some(!sequence));
        let sees = plan.check_sequence && plan.method.has_header();
        prop_assert_eq!(stale.err().map(|w| w.kind), sees.then_some(DefectKind::Sequence));
        if plan.method.has_header() {
            prop_assert_eq!(&plan.rebuild(&block, offset, None), &block);
            let misplaced = plan.check(&block, !offset, None).unwrap_err();
            prop_assert_eq!(misplaced.kind, DefectKind::Offset);
        }
    }

    #[test]
    fn a_flipped_bit_is_found(
        (plan, length) in any_plan(),
        offset: u64,
        sequence: u64,
        bit: prop::sample::Index,
    ) {
        let sound = sealed(&plan, length, offset, sequence);
        let bit = bit.index(length * 8);
        let mut block = sound.clone();
        block[bit / 8] ^= 1 << (bit % 8);
        match plan.check(&block, offset, None) {
            Ok(()) => prop_assert!(!covers(&plan, length, bit / 8)),
            Err(wrong) => {
                prop_assert!(covers(&plan, length, bit / 8));
                let at = bit / 8;
                let interval = plan.interval_length(length).unwrap();
                let header = plan.header_offset
                    ..plan.header_offset + header_bytes(SealLayout::Own, plan.method) as usize;
                if header.contains(&(at % interval)) {
                    let kinds = [DefectKind::Magic, DefectKind::HeaderChecksum];
                    prop_assert!(kinds.contains(&wrong.kind), "{}", wrong);
                    prop_assert_eq!(wrong.at as usize / interval, at / interval);
                } else {
                    prop_assert!(matches!(wrong.kind, DefectKind::Data | DefectKind::Pattern));
                    prop_assert_eq!(wrong.at, at as u64, "{}", wrong);
                }
                prop_assert_ne!(wrong.expected, wrong.found);
                prop_assert_eq!(plan.rebuild(&block, offset, Some(sequence)).len(), length);
            }
        }
    }

    #[test]
    fn no_bytes_at_all_upset_it(
        (plan, length) in any_plan(),
        noise in prop::collection::vec(any::<u8>(), 1..200),
        header: bool,
        cut: bool,
        expected: Option<u64>,
    ) {
        let length = if cut { length / 3 } else { length };
        let mut block: Vec<u8> = noise.iter().copied().cycle().take(length).collect();
        if header && length >= plan.header_offset + 4 {
            block[plan.header_offset..][..4].copy_from_slice(b"tdsl");
        }
        if let Err(wrong) = plan.check(&block, OFFSET, expected) {
            prop_assert!(!wrong.to_string().contains('\n'));
            prop_assert_eq!(plan.rebuild(&block, OFFSET, expected).len(), block.len());
        } else {
            prop_assert!(plan.method == Method::Null || length == 0);
        }
    }
}
