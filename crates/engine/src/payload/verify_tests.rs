//! Verification: round trips, every kind of mismatch, and the bytes for ever.

use super::*;
use proptest::prelude::*;

const SEED: u64 = 42;
const OFFSET: u64 = 1 << 20;

fn block(sequence: u64) -> Vec<u8> {
    made(4096, SEED, OFFSET, sequence)
}

fn kind_of(found: &[u8]) -> MismatchKind {
    let mismatch = check(found, SEED, OFFSET, Some(9)).unwrap_err();
    assert_eq!(mismatch.offset, OFFSET);
    assert_eq!(mismatch.length as usize, found.len());
    assert_eq!(mismatch.expected, made(found.len(), SEED, OFFSET, 9));
    assert_eq!(mismatch.found, found);
    let at = mismatch.first_difference.unwrap();
    assert_eq!(mismatch.expected[..at], found[..at]);
    assert_ne!(mismatch.expected[at], found[at]);
    mismatch.kind
}

#[test]
fn golden() {
    // Same seed, same block, for ever. If this fails, old targets can no longer be verified.
    let block = made(4096, 42, 8192, 7);
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    assert_eq!(hex(&block[..40]), GOLDEN_HEADER);
    assert_eq!(hex(&block[40..72]), GOLDEN_BODY);
    assert_eq!(hex(&block[512..544]), GOLDEN_SECTOR);
    assert_eq!(hex(&block[4088..]), GOLDEN_END);
}
const GOLDEN_HEADER: &str =
    "74647631b493931f2a00000000000000002000000000000007000000000000000010000000000000";
const GOLDEN_BODY: &str = "dad401a07ef1c866e8ef32751a3951a7b1e3906c527f7ac4f51cad3321b232bf";
const GOLDEN_SECTOR: &str = "cd646893ebbe270112664e95dcc84c1fb06a6d68c985f7aef8389706c661a3c9";
const GOLDEN_END: &str = "b26d17ca2cf75796";

#[test]
fn header_fields_are_where_the_table_says() {
    let block = made(1000, 0x0102_0304_0506_0708, 0x1112_1314_1516_1718, 0x2122_2324_2526_2728);
    assert_eq!(block[..4], *b"tdv1");
    assert_eq!(word(&block, 8), 0x0102_0304_0506_0708);
    assert_eq!(word(&block, 16), 0x1112_1314_1516_1718);
    assert_eq!(word(&block, 24), 0x2122_2324_2526_2728);
    assert_eq!(word32(&block, 32), 1000);
    assert_eq!(word32(&block, 36), 0);
    let mut without = block.clone();
    without[4..8].fill(0);
    assert_eq!(crc32c(&without), word32(&block, 4));
    // The check value of CRC-32C (Castagnoli), as in RFC 3720.
    assert_eq!(crc32c(b"123456789"), 0xE306_9283);
}

#[test]
fn never_written() {
    assert_eq!(kind_of(&[0; 4096]), MismatchKind::NeverWritten);
    let mismatch = check(&[0; 4096], SEED, OFFSET, None).unwrap_err();
    assert_eq!(mismatch.kind, MismatchKind::NeverWritten);
    assert_eq!(mismatch.first_difference, None);
    assert!(mismatch.to_string().contains("never written; expected any"), "{mismatch}");
}

#[test]
fn stale() {
    assert_eq!(kind_of(&block(3)), MismatchKind::Stale { found_sequence: 3 });
    // A shorter write of this block, before what else was there.
    let mut shorter = vec![7; 4096];
    stamp(&mut shorter[..1024], SEED, OFFSET, 3);
    assert_eq!(kind_of(&shorter), MismatchKind::Stale { found_sequence: 3 });
    let text = check(&block(3), SEED, OFFSET, Some(9)).unwrap_err().to_string();
    assert!(text.contains("stale; expected seed 42 offset 1048576 sequence 9"), "{text}");
    assert!(text.contains("found seed 42 offset 1048576 sequence 3"), "{text}");
}

#[test]
fn misplaced() {
    let found = made(4096, SEED, 4096, 9);
    assert_eq!(kind_of(&found), MismatchKind::Misplaced { found_offset: 4096 });
}

#[test]
fn foreign() {
    assert_eq!(kind_of(&made(4096, 43, OFFSET, 9)), MismatchKind::Foreign);
}

#[test]
fn torn_between_any_two_versions() {
    let other_run = made(4096, 43, OFFSET, 2);
    for other in [block(3), vec![0; 4096], other_run] {
        for at in (512..4096).step_by(512) {
            let torn = [&block(9)[..at], &other[at..]].concat();
            assert_eq!(kind_of(&torn), MismatchKind::Torn { at });
            let torn = [&other[..at], &block(9)[at..]].concat();
            assert_eq!(kind_of(&torn), MismatchKind::Torn { at });
        }
    }
    let torn = [&block(9)[..1024], &block(8)[1024..]].concat();
    let text = check(&torn, SEED, OFFSET, Some(9)).unwrap_err().to_string();
    assert!(text.contains("torn at its byte 1024"), "{text}");
    assert!(text.contains("from its byte 1024 sequence 8 of seed 42"), "{text}");
    let mut torn = block(9);
    torn[512..1024].fill(0);
    let text = check(&torn, SEED, OFFSET, Some(9)).unwrap_err().to_string();
    assert!(text.contains("from its byte 512 zeros"), "{text}");
}

#[test]
fn corrupt() {
    let mut found = block(9);
    found[1024..1536].fill(0xAA);
    assert_eq!(kind_of(&found), MismatchKind::Corrupt);
    assert_eq!(kind_of(&[0xAA; 4096]), MismatchKind::Corrupt);
    // The tail of another version, damaged too.
    let mut torn = [&block(9)[..1024], &block(8)[1024..]].concat();
    torn[2000] ^= 1;
    assert_eq!(kind_of(&torn), MismatchKind::Corrupt);
    // The right write of half the length.
    let mut half = block(9);
    stamp(&mut half[..2048], SEED, OFFSET, 9);
    assert_eq!(kind_of(&half), MismatchKind::Corrupt);
    // Too short to be verified.
    let mut short = [1; 63];
    stamp(&mut short, SEED, OFFSET, 9);
    assert_eq!(short, [1; 63]);
    assert_eq!(check(&short, SEED, OFFSET, Some(9)).unwrap_err().kind, MismatchKind::Corrupt);
    assert_eq!(check(&[], SEED, OFFSET, None).unwrap_err().kind, MismatchKind::NeverWritten);
}

#[test]
fn without_an_expected_sequence_the_likely_one_is_told() {
    assert_eq!(check(&block(5), SEED, OFFSET, None), Ok(()));
    for damaged in [0, 3, 20, 26, 300, 600, 4000] {
        let mut found = block(5);
        found[damaged] ^= 0x10;
        let mismatch = check(&found, SEED, OFFSET, None).unwrap_err();
        assert_eq!(mismatch.kind, MismatchKind::Corrupt);
        assert_eq!(mismatch.expected, block(5), "{damaged}");
        assert_eq!(mismatch.first_difference, Some(damaged));
    }
}

#[test]
fn sectors_of_verified_blocks_are_unique() {
    let mut seen = std::collections::HashSet::new();
    for write in 0..2000_u64 {
        for sector in made(4096, SEED, write % 50 * 4096, write).chunks(SECTOR) {
            assert!(seen.insert(sector.to_vec()));
        }
    }
}

proptest! {
    #[test]
    fn round_trip(length in 64_usize..20_000, seed: u64, offset: u64, sequence: u64) {
        let block = made(length, seed, offset, sequence);
        prop_assert_eq!(check(&block, seed, offset, Some(sequence)), Ok(()));
        prop_assert_eq!(check(&block, seed, offset, None), Ok(()));
        prop_assert!(check(&block, !seed, offset, None).is_err());
        prop_assert!(check(&block, seed, !offset, None).is_err());
        prop_assert!(check(&block, seed, offset, Some(!sequence)).is_err());
        for (index, sector) in block.chunks(SECTOR).enumerate().filter(|(_, s)| s.len() >= 64) {
            prop_assert_eq!(version_of(index, sector, offset), Some((seed, sequence)));
        }
    }

    #[test]
    fn bodies_do_not_depend_on_the_length(length in 64_usize..9000, sequence: u64) {
        let (short, long) = (made(length, 1, 2, sequence), made(9000, 1, 2, sequence));
        prop_assert_eq!(&short[HEADER_BYTES..], &long[HEADER_BYTES..length]);
    }

    #[test]
    fn a_flipped_bit_anywhere_is_found(length in 64_usize..9000, bit: prop::sample::Index) {
        let mut found = made(length, SEED, OFFSET, 9);
        let bit = bit.index(length * 8);
        found[bit / 8] ^= 1 << (bit % 8);
        let mismatch = check(&found, SEED, OFFSET, Some(9)).unwrap_err();
        prop_assert_eq!(mismatch.kind, MismatchKind::Corrupt);
        prop_assert_eq!(mismatch.first_difference, Some(bit / 8));
    }

    #[test]
    fn no_bytes_at_all_upset_it(
        found in prop::collection::vec(any::<u8>(), 0..2000),
        header: bool,
        expected: Option<u64>,
    ) {
        let mut found = found;
        if header && found.len() >= HEADER_BYTES {
            found[..4].copy_from_slice(b"tdv1");
        }
        let mismatch = check(&found, SEED, OFFSET, expected).unwrap_err();
        prop_assert!(!mismatch.to_string().contains('\n'));
        prop_assert!(mismatch.dump().lines().count() <= 9);
    }
}
