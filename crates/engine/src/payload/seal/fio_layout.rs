//! The layout of fio: blocks that it wrote, or that it is to verify. Headers of 3.33 are 40 bytes:
//!
//! | byte | field                                                            |
//! |------|------------------------------------------------------------------|
//! | 0    | magic, 0xacca, u16                                               |
//! | 2    | method, u16                                                      |
//! | 4    | length of the interval in bytes, header included, u32            |
//! | 8    | seed of the body, u64                                            |
//! | 16   | offset of the interval on the target in bytes, u64               |
//! | 24   | time of the write: seconds, u32, and nanoseconds, u32            |
//! | 32   | number of the thread, from 1, u16                                |
//! | 34   | number of the write, from 0, u16                                 |
//! | 36   | CRC-32C of the bytes before, without the final inversion, u32    |
//! | 40   | checksum of the bytes behind it, see [`super::fio_checksum`]     |
//!
//! Those of 3.41 are 48. Byte 2 tells which one it is: in the older header it is a method.
//!
//! | byte | field, where it differs                                          |
//! |------|------------------------------------------------------------------|
//! | 2    | version, 0x81, u8; method, u8                                    |
//! | 32   | number of the write, from 0, u64                                 |
//! | 40   | number of the thread, from 1, u16; two bytes of the body         |
//! | 44   | CRC-32C of the bytes before, without the final inversion, u32    |
//! | 48   | checksum of the bytes behind it                                  |
//!
//! Either is read, whichever the job writes. Numbers are little-endian. A header that lies
//! elsewhere (`verify_offset`) has changed places with the bytes there, after the checksum was
//! made. A place inside of the header's own length is refused: fio cannot read such blocks back.
//! The body is that of the whole block: noise by one seed, or a pattern. The method of a header is
//! not compared with that of the check.

use std::ops::Range;

use crc32c::crc32c;
use workload::SealMethod as Method;

use super::defect::{BlockDefect, DefectKind, ShortBytes};
use super::fio_checksum::{HeaderVersion, SUM_BYTES_MAX, StoredSum};
use super::header::{read_u32, read_u64};
use super::plan::{SealPlan, Stamp};
use crate::mix::mix64;

const HEADER_BYTES_MAX: usize = 48;
/// The longest header with its checksum, that of sha512.
const LONGEST_BYTES: usize = HEADER_BYTES_MAX + SUM_BYTES_MAX;
const MAGIC: u16 = 0xacca;
const VERSION_341: u8 = 0x81;
const GOLDEN_RATIO: u64 = 0x61C8_8646_80B5_83EB;
/// Streams of the noise start at the seed times these.
const STREAM_FACTORS: [u64; 4] = [1, 2, 3, 5];

pub(crate) const fn method_number(method: Method) -> u16 {
    match method {
        Method::Meta => 1,
        Method::Md5 => 2,
        Method::Crc64 => 3,
        Method::Crc32 => 4,
        Method::Crc32c => 5,
        Method::Crc16 => 7,
        Method::Crc7 => 8,
        // fio has no SHA-224.
        Method::Sha224 | Method::Sha256 => 9,
        Method::Sha512 => 10,
        Method::Sha3_224 => 11,
        Method::Sha3_256 => 12,
        Method::Sha3_384 => 13,
        Method::Sha3_512 => 14,
        Method::XxHash => 15,
        Method::Sha1 => 16,
        Method::PatternHeader => 17,
        Method::Pattern => 18,
        Method::Null => 19,
    }
}

/// The noise of a block: four streams of multiplications, word by word in turn.
#[inline]
pub(crate) fn fill_random(seed: u64, block: &mut [u8]) {
    let mut streams = STREAM_FACTORS.map(|factor| seed.wrapping_mul(factor));
    let (steps, rest) = block.as_chunks_mut::<32>();
    for step in steps {
        for (word, stream) in step.as_chunks_mut::<8>().0.iter_mut().zip(&mut streams) {
            *word = stream.to_le_bytes();
            *stream = stream.wrapping_mul(GOLDEN_RATIO);
        }
    }
    let mut stream = streams[0];
    for word in rest.chunks_mut(8) {
        word.copy_from_slice(&stream.to_le_bytes()[..word.len()]);
        stream = stream.wrapping_mul(GOLDEN_RATIO);
    }
}

/// Of the header that begins with these bytes.
fn version_of_header(bytes: &[u8]) -> HeaderVersion {
    match bytes.get(2) {
        Some(&VERSION_341) => HeaderVersion::Fio341,
        _ => HeaderVersion::Fio333,
    }
}

/// The header of an interval: what it is, and where it lies. `None` if it does not fit there.
#[inline]
fn find_header(plan: &SealPlan, interval: &[u8]) -> Option<(HeaderVersion, Range<usize>)> {
    let start = plan.header_offset;
    let version = version_of_header(interval.get(start..)?);
    let length = version.header_bytes(plan.method);
    let fits = start + length <= interval.len() && (start == 0 || start >= length);
    fits.then_some((version, start..start + length))
}

#[derive(Debug, Clone, Copy)]
struct FioHeader {
    version: HeaderVersion,
    magic: u16,
    method: u16,
    length: u32,
    seed: u64,
    offset: u64,
    time: (u32, u32),
    thread: u16,
    number: u64,
    checksum: u32,
}

impl FioHeader {
    #[inline]
    fn parse(version: HeaderVersion, bytes: &[u8]) -> Option<Self> {
        let fixed = bytes.get(..version.fixed_bytes())?;
        let half = |at: usize| read_u32(fixed, at & !3) >> (8 * (at & 3));
        let (method, number, thread) = match version {
            HeaderVersion::Fio333 => (half(2) as u16, u64::from(half(34) as u16), half(32) as u16),
            HeaderVersion::Fio341 => (half(3) as u16, read_u64(fixed, 32), half(40) as u16),
        };
        Some(Self {
            version,
            magic: half(0) as u16,
            method,
            length: read_u32(fixed, 4),
            seed: read_u64(fixed, 8),
            offset: read_u64(fixed, 16),
            time: (read_u32(fixed, 24), read_u32(fixed, 28)),
            thread,
            number,
            checksum: read_u32(fixed, version.covered_bytes()),
        })
    }

    #[inline]
    fn write(&self, method: Method, place: &mut [u8]) {
        let Some(fixed) = place.get_mut(..self.version.fixed_bytes()) else { return };
        fixed[..2].copy_from_slice(&MAGIC.to_le_bytes());
        fixed[4..8].copy_from_slice(&self.length.to_le_bytes());
        fixed[8..16].copy_from_slice(&self.seed.to_le_bytes());
        fixed[16..24].copy_from_slice(&self.offset.to_le_bytes());
        fixed[24..28].copy_from_slice(&self.time.0.to_le_bytes());
        fixed[28..32].copy_from_slice(&self.time.1.to_le_bytes());
        match self.version {
            HeaderVersion::Fio333 => {
                fixed[2..4].copy_from_slice(&method_number(method).to_le_bytes());
                fixed[32..34].copy_from_slice(&self.thread.to_le_bytes());
                fixed[34..36].copy_from_slice(&(self.number as u16).to_le_bytes());
            }
            HeaderVersion::Fio341 => {
                fixed[2..4].copy_from_slice(&[VERSION_341, method_number(method) as u8]);
                fixed[32..40].copy_from_slice(&self.number.to_le_bytes());
                fixed[40..42].copy_from_slice(&self.thread.to_le_bytes());
            }
        }
        let (covered, checksum) = fixed.split_at_mut(self.version.covered_bytes());
        checksum.copy_from_slice(&(!crc32c(covered)).to_le_bytes());
    }
}

/// fio counts writes from 0; the older header keeps 16 bits.
fn write_number(version: HeaderVersion, sequence: u64) -> u64 {
    let number = sequence.wrapping_sub(1);
    match version {
        HeaderVersion::Fio333 => u64::from(number as u16),
        HeaderVersion::Fio341 => number,
    }
}

#[inline]
pub(super) fn seal(plan: &SealPlan, block: &mut [u8], offset: u64, sequence: u64, stamp: Stamp) {
    let Some(length) = plan.interval_length(block.len()) else { return };
    let seed = mix64(plan.seed ^ mix64(offset ^ mix64(sequence)));
    fill_body(plan, block, offset, seed);
    let time = stamp.time_ns;
    let version = HeaderVersion::of_layout(plan.layout);
    let mut header = FioHeader {
        version,
        magic: MAGIC,
        method: method_number(plan.method),
        length: length as u32,
        seed,
        offset,
        time: ((time / 1_000_000_000) as u32, (time % 1_000_000_000) as u32),
        thread: (stamp.thread as u16).wrapping_add(1),
        number: write_number(version, sequence),
        checksum: 0,
    };
    for interval in block.chunks_exact_mut(length) {
        seal_interval(plan, interval, &header);
        header.offset = header.offset.wrapping_add(length as u64);
    }
}

#[inline]
fn fill_body(plan: &SealPlan, block: &mut [u8], offset: u64, seed: u64) {
    match plan.pattern.is_empty() {
        true => fill_random(seed, block),
        false => plan.pattern.fill(block, offset),
    }
}

/// Writes the header of an interval whose body is there already.
#[inline]
fn seal_interval(plan: &SealPlan, interval: &mut [u8], header: &FioHeader) {
    let length = header.version.header_bytes(plan.method);
    let place = plan.header_offset..plan.header_offset + length;
    let (front, body) = interval.split_at_mut(length);
    let sum = StoredSum::of(header.version, plan.method, &[body]);
    header.write(plan.method, front);
    let from = header.version.fixed_bytes();
    front[from..from + sum.as_slice().len()].copy_from_slice(sum.as_slice());
    if place.start > 0 {
        let mut moved = [0; LONGEST_BYTES];
        moved[..place.len()].copy_from_slice(&interval[..place.len()]);
        interval.copy_within(place.clone(), 0);
        interval[place.clone()].copy_from_slice(&moved[..place.len()]);
    }
}

/// The body of a sealed interval in the order in which it was made.
#[inline]
fn body_parts<'a>(interval: &'a [u8], header: &Range<usize>) -> [&'a [u8]; 3] {
    match header.start {
        0 => [&interval[header.end..], &[], &[]],
        start => {
            [&interval[header.len()..start], &interval[..header.len()], &interval[header.end..]]
        }
    }
}

/// As [`SealPlan::check`].
#[inline]
pub(super) fn check(
    plan: &SealPlan,
    block: &[u8],
    offset: u64,
    sequence: Option<u64>,
) -> Result<(), BlockDefect> {
    let Some(length) = plan.interval_length(block.len()) else {
        return Err(super::defect::describe_misfit(plan, block.len()));
    };
    for (base, interval) in (0..).step_by(length).zip(block.chunks_exact(length)) {
        let (version, place) = check_header(plan, interval, base, offset, sequence)?;
        let parts = body_parts(interval, &place);
        let compares = match plan.method {
            Method::PatternHeader => true,
            Method::Meta => !plan.pattern.is_empty(),
            _ => false,
        };
        if compares {
            check_pattern(plan, &parts, base + place.len(), offset)?;
        }
        let sum = StoredSum::of(version, plan.method, &parts);
        let from = version.fixed_bytes();
        let stored = &interval[place][from..];
        if stored[..sum.as_slice().len()] != *sum.as_slice() {
            let at = base + plan.header_offset + from;
            return Err(defect(DefectKind::Data, at, stored, sum.as_slice()));
        }
    }
    Ok(())
}

#[inline]
fn check_header(
    plan: &SealPlan,
    interval: &[u8],
    base: usize,
    offset: u64,
    sequence: Option<u64>,
) -> Result<(HeaderVersion, Range<usize>), BlockDefect> {
    let at = base + plan.header_offset;
    let found = find_header(plan, interval).and_then(|(version, place)| {
        Some((FioHeader::parse(version, &interval[place.clone()])?, place))
    });
    let Some((header, range)) = found else {
        let bytes = interval.get(plan.header_offset..).unwrap_or_default();
        return Err(defect(DefectKind::Magic, at, &MAGIC.to_le_bytes(), bytes));
    };
    let version = header.version;
    let number = |kind, place, expected: u64, found: u64| {
        Err(defect(kind, at + place, &expected.to_le_bytes(), &found.to_le_bytes()))
    };
    let place = offset.wrapping_add(base as u64);
    let expected = sequence.map_or(header.number, |sequence| write_number(version, sequence));
    let checksum = !crc32c(&interval[range.start..range.start + version.covered_bytes()]);
    if header.magic != MAGIC {
        return number(DefectKind::Magic, 0, MAGIC.into(), header.magic.into());
    }
    if header.length as usize != interval.len() {
        return number(DefectKind::Length, 4, interval.len() as u64, header.length.into());
    }
    if header.offset != place {
        return number(DefectKind::Offset, 16, place, header.offset);
    }
    if header.number != expected {
        let place = if version == HeaderVersion::Fio333 { 34 } else { 32 };
        return number(DefectKind::Sequence, place, expected, header.number);
    }
    if header.checksum != checksum {
        let place = version.covered_bytes();
        return number(DefectKind::HeaderChecksum, place, checksum.into(), header.checksum.into());
    }
    Ok((version, range))
}

/// Compares a body, which begins at byte `from` of the block, with the pattern.
fn check_pattern(
    plan: &SealPlan,
    parts: &[&[u8]],
    from: usize,
    offset: u64,
) -> Result<(), BlockDefect> {
    let mut from = from;
    for part in parts {
        if !plan.pattern.matches_at(part, from, offset) {
            let mut expected = vec![0; part.len()];
            plan.pattern.fill_from(&mut expected, from, offset);
            let same = expected.iter().zip(*part).take_while(|(a, b)| a == b).count();
            return Err(defect(DefectKind::Pattern, from + same, &expected[same..], &part[same..]));
        }
        from += part.len();
    }
    Ok(())
}

#[cold]
fn defect(kind: DefectKind, at: usize, expected: &[u8], found: &[u8]) -> BlockDefect {
    let (expected, found) = (ShortBytes::new(expected), ShortBytes::new(found));
    BlockDefect { kind, at: at as u64, expected, found }
}

/// The checksum that the interval with byte `at` of the block has, and the one of its bytes.
pub(crate) fn sums(plan: &SealPlan, block: &[u8], at: u64) -> Option<(Vec<u8>, Vec<u8>)> {
    let interval = interval_at(plan, block, at)?;
    let (version, place) = find_header(plan, interval)?;
    let sum = StoredSum::of(version, plan.method, &body_parts(interval, &place));
    let stored = interval.get(place)?.get(version.fixed_bytes()..)?;
    Some((stored.to_vec(), sum.as_slice().to_vec()))
}

fn interval_at<'a>(plan: &SealPlan, block: &'a [u8], at: u64) -> Option<&'a [u8]> {
    let length = plan.interval_length(block.len())?;
    block.chunks_exact(length).nth(usize::try_from(at).ok()? / length)
}

/// Length without the checksum, and method, of the header in the interval with byte `at` of the
/// block; zeros if there is none.
pub(crate) fn header_of(plan: &SealPlan, block: &[u8], at: u64) -> (u64, u16) {
    let header = || {
        let interval = interval_at(plan, block, at).filter(|_| plan.method.has_header())?;
        let (version, place) = find_header(plan, interval)?;
        FioHeader::parse(version, &interval[place])
    };
    header().map_or((0, 0), |header| (header.version.fixed_bytes() as u64, header.method))
}

/// The block that should be there instead of `found`, by the seeds in its headers.
pub(super) fn rebuild(plan: &SealPlan, found: &[u8], offset: u64) -> Vec<u8> {
    let mut block = vec![0; found.len()];
    let Some(length) = plan.interval_length(found.len()) else { return block };
    let mut whole = vec![0; found.len()];
    let mut seed = None;
    for (base, interval) in (0..).step_by(length).zip(found.chunks_exact(length)) {
        let Some((version, place)) = find_header(plan, interval) else { continue };
        let Some(mut header) = FioHeader::parse(version, &interval[place]) else { continue };
        if seed != Some(header.seed) {
            seed = Some(header.seed);
            fill_body(plan, &mut whole, offset, header.seed);
        }
        header.length = length as u32;
        header.offset = offset.wrapping_add(base as u64);
        let rebuilt = &mut block[base..base + length];
        rebuilt.copy_from_slice(&whole[base..base + length]);
        seal_interval(plan, rebuilt, &header);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::super::tests::settings;
    use super::*;
    use crate::payload::seal::{PatternPiece, PatternPlan, SealSettings};
    use proptest::prelude::*;
    use workload::SealLayout;

    fn plan(layout: SealLayout, settings: SealSettings) -> SealPlan {
        SealPlan::new(SealSettings { layout, ..settings }, &[]).unwrap()
    }

    fn sealed(plan: &SealPlan, length: usize, offset: u64) -> Vec<u8> {
        let mut block = vec![0; length];
        plan.seal(&mut block, offset, 7, Stamp { time_ns: 3_000_000_009, thread: 0 });
        block
    }

    /// The first 80 bytes of a block that fio wrote: verify=crc64, bs=512.
    #[test]
    fn the_header_is_as_fio_writes_it() {
        let block = sealed(&plan(SealLayout::Fio, settings(Method::Crc64)), 512, 1024);
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(&block[..8]), "caac030000020000");
        assert_eq!(hex(&block[16..36]), "0004000000000000030000000900000001000600");
        assert_eq!(read_u32(&block, 36), !crc32c(&block[..36]));
    }

    /// The header of a block that fio 3.41 wrote: verify=crc64, bs=512, the third of the file.
    const OF_FIO_341: &str = "\
        caac810300020000d09204acf314984100040000000000000000000063add6080200000000000000\
        0100c618bda35ebeb8cf296aac9b4a63";

    #[test]
    fn blocks_of_newer_versions_are_read_too() {
        let mut block = vec![0; 512];
        let byte = |at: usize| u8::from_str_radix(&OF_FIO_341[2 * at..2 * at + 2], 16).unwrap();
        let header: Vec<u8> = (0..56).map(byte).collect();
        fill_random(read_u64(&header, 8), &mut block);
        assert_eq!(block[42..44], header[42..44]);
        block[..56].copy_from_slice(&header);
        for layout in [SealLayout::Fio, SealLayout::Fio341] {
            let plan = plan(layout, settings(Method::Crc64));
            assert_eq!(plan.check(&block, 1024, Some(3)), Ok(()));
            assert_eq!(plan.rebuild(&block, 1024, None), block);
            assert_eq!(header_of(&plan, &block, 0), (48, method_number(Method::Crc64)));
        }
        block[44] ^= 1;
        let wrong = plan(SealLayout::Fio, settings(Method::Crc64)).check(&block, 1024, None);
        assert_eq!(wrong.unwrap_err().kind, DefectKind::HeaderChecksum);
    }

    proptest! {
        #[test]
        fn what_is_sealed_is_sound_and_rebuilt(
            method in prop::sample::select(&Method::NAMES[..]),
            intervals in 1_usize..4,
            layout in prop::sample::select(vec![SealLayout::Fio, SealLayout::Fio341]),
            header_offset in prop::sample::select(vec![0_u32, 176, 177, 400]),
            with_pattern: bool,
            restart in prop::sample::select(vec![0_usize, 100, 512]),
            flip: prop::sample::Index,
        ) {
            let method = method.0;
            prop_assume!(method != Method::Null);
            let length = 1024 * intervals;
            let mut settings = SealSettings { interval: 1024, header_offset, ..settings(method) };
            if with_pattern || !settings.pattern.is_empty() {
                let pieces = [PatternPiece::Bytes(b"abc"), PatternPiece::Offset];
                settings.pattern = PatternPlan::new(&pieces).restarting(restart);
            }
            let other = match layout {
                SealLayout::Fio => SealLayout::Fio341,
                _ => SealLayout::Fio,
            };
            let reader = self::plan(other, settings.clone());
            let plan = plan(layout, settings);
            let mut block = sealed(&plan, length, 4096);
            prop_assert_eq!(plan.check(&block, 4096, Some(7)), Ok(()));
            prop_assert_eq!(reader.check(&block, 4096, Some(7)), Ok(()));
            let far = plan.check(&block, 4096, Some(7 + (1 << 16)));
            prop_assert_eq!(far.is_ok(), layout == SealLayout::Fio || !method.has_header());
            if method.has_header() {
                prop_assert_eq!(plan.check(&block, 4096, Some(8)).unwrap_err().kind,
                    DefectKind::Sequence);
                prop_assert_eq!(&plan.rebuild(&block, 4096, None), &block);
            }
            let place = flip.index(length);
            block[place] ^= 1;
            let in_header = plan.header_range().contains(&(place % 1024));
            let sees_body = match method {
                Method::Meta => with_pattern,
                Method::Sha512 => layout == SealLayout::Fio341,
                _ => true,
            };
            if in_header || sees_body {
                prop_assert!(plan.check(&block, 4096, None).is_err(), "{:?} {}", method, place);
            }
        }
    }
}
