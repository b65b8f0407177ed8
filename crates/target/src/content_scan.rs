//! What a block device holds, by the marks that file systems and volume managers leave on it, and
//! whether there is anything on it at all.
//!
//! Marks are sought at the start and wherever a partition usually begins: a zeroed table leaves the
//! file systems behind it. A raw volume has no mark, so only what is blank wherever it is looked at
//! counts as empty, and only what is blank, random or one pattern in every sector counts as what a
//! benchmark leaves. Up to 4 GiB are read whole; a larger device for 2 s, at even and random
//! places.
//!
//! Blind spots: a volume encrypted without a header, a compressed stream of an unknown format, data
//! that lies only between the places of a large device.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::{FileExt as _, FileTypeExt as _};
use std::time::{Duration, Instant};

use message::Message;
use units::{Bytes, Ratio};

use crate::open::{seek_size, set_direct_io};

/// The message that names the contents, the offset of the mark, its bytes.
type Signature = (&'static str, usize, &'static [u8]);

/// Marks, from the projects' own descriptions of their formats (as libblkid and file(1) have
/// them). Those of a whole disk first: a protective MBR stands before every GPT.
const SIGNATURES: &[Signature] = &[
    ("holds-gpt-partition-table", 512, b"EFI PART"),
    ("holds-gpt-partition-table", 4096, b"EFI PART"),
    ("holds-ext2-3-4-file-system", 1080, &[0x53, 0xEF]),
    ("holds-xfs-file-system", 0, b"XFSB"),
    ("holds-btrfs-file-system", 65_600, b"_BHRfS_M"),
    ("holds-bcachefs-or-bcache-device", 4120, &[0xC6, 0x85, 0x73, 0xF6, 0x4E, 0x1A, 0x45, 0xCA]),
    ("holds-bcachefs-file-system", 4120, &[0xC6, 0x85, 0x73, 0xF6, 0x66, 0xCE, 0x90, 0xA9]),
    ("holds-f2fs-file-system", 1024, &[0x10, 0x20, 0xF5, 0xF2]),
    ("holds-ntfs-file-system", 3, b"NTFS    "),
    ("holds-exfat-file-system", 3, b"EXFAT   "),
    ("holds-fat-file-system", 82, b"FAT32   "),
    ("holds-fat-file-system", 54, b"FAT16   "),
    ("holds-iso-9660-file-system", 32_769, b"CD001"),
    ("holds-squashfs-file-system", 0, b"hsqs"),
    ("holds-lvm-physical-volume", 512, b"LABELONE"),
    ("holds-lvm-physical-volume", 0, b"LABELONE"),
    ("holds-lvm-physical-volume", 1024, b"LABELONE"),
    ("holds-lvm-physical-volume", 1536, b"LABELONE"),
    ("holds-luks-volume", 0, b"LUKS\xBA\xBE"),
    ("holds-member-of-an-md-array", 0, &[0xFC, 0x4E, 0x2B, 0xA9]),
    ("holds-member-of-an-md-array", 4096, &[0xFC, 0x4E, 0x2B, 0xA9]),
    ("holds-ceph-osd", 0, b"bluestore block device"),
    ("holds-swap-space", 4086, b"SWAPSPACE2"),
    ("holds-swap-space", 65_526, b"SWAPSPACE2"),
    ("holds-gzip-stream", 0, &[0x1F, 0x8B, 0x08, 0x00]),
    ("holds-gzip-stream", 0, &[0x1F, 0x8B, 0x08, 0x08]),
    ("holds-xz-stream", 0, &[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    ("holds-zstd-stream", 0, &[0x28, 0xB5, 0x2F, 0xFD]),
    ("holds-lz4-stream", 0, &[0x04, 0x22, 0x4D, 0x18]),
    ("holds-bzip2-stream", 4, &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
    ("holds-zip-archive", 0, b"PK\x03\x04"),
    ("holds-7z-archive", 0, &[0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    ("holds-tar-archive", 257, b"ustar"),
    ("holds-data-encrypted-by-openssl", 0, b"Salted__"),
    ("holds-data-encrypted-by-age", 0, b"age-encryption.org"),
    ("holds-partition-table-or-boot-sector", 510, &[0x55, 0xAA]),
];
/// A ZFS label's ring of uberblocks: where it lies in the first label, the least distance of its
/// places, and how each begins, in either byte order.
const UBERBLOCKS: std::ops::Range<usize> = 128 << 10..256 << 10;
const UBERBLOCK: usize = 1 << 10;
const UBERBLOCK_MAGIC: [[u8; 8]; 2] =
    [[0x0C, 0xB1, 0xBA, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xBA, 0xB1, 0x0C]];
const ZFS_POOL: &str = "holds-member-of-a-zfs-pool";
pub(crate) const WHOLE_MAX: Bytes = Bytes::gib(4);
/// The least that is read at once; all marks of one place lie within.
const SAMPLE_SIZE: u64 = 256 << 10;
/// Read at once where the whole device is.
const READ_SIZE: u64 = 1 << 20;
/// The start, where the first partition begins, and the end, where superblocks of arrays lie.
const HEAD_SIZE: u64 = 16 << 20;
const TAIL_SIZE: u64 = 1 << 20;
/// Time for the places of a larger device.
const SAMPLING_TIME: Duration = Duration::from_secs(2);
/// Evenly spread places that are looked at however long that takes.
const SAMPLES_MIN: u64 = 64;

/// Sectors at which partitions begin beside whole MiB: behind a GPT (34; 40 on a Mac), behind the
/// first track of an MBR (63, until 2010), and 64.
const START_SECTORS: [u64; 4] = [34, 40, 63, 64];
/// MiB at which they begin beyond the head: behind an EFI, boot, recovery or swap partition of a
/// usual size, from 0 or 1 MiB on. md keeps its data from 128 MiB on.
const START_MIB: [u64; 36] = [
    17, 32, 33, 64, 65, 100, 101, 116, 117, 128, 129, 200, 201, 256, 257, 260, 261, 300, 301, 500,
    501, 512, 513, 550, 551, 600, 601, 1024, 1025, 1536, 1537, 2048, 2049, 4096, 4097, 8193,
];

/// Least length of a sector's non-zero part that tells anything, and the least share of the
/// different bytes to be expected of a random one: 0.98 to 1.02 is usual, 0.5 for text.
const SIGNIFICANT_BYTES_MIN: usize = 64;
const RANDOM_SHARE_MIN: f64 = 0.8;
const PATTERN_PERIODS: std::ops::RangeInclusive<usize> = 1..=64;
const SECTOR: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeviceContents {
    /// Known by its mark: the id of the message that names it.
    Marked(&'static str),
    /// Something else.
    Unmarked,
    /// Random bytes or patterns alone.
    Noise,
}

impl DeviceContents {
    pub(crate) fn message(self) -> Message {
        Message::new(
            match self {
                Self::Marked(id) => id,
                Self::Unmarked => "holds-unknown-data",
                Self::Noise => "holds-benchmark-data",
            },
            [],
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanMode {
    /// Before it is written: whole, or for [`SAMPLING_TIME`].
    Thorough,
    /// For a list of devices, or right after a thorough look: both ends, where partitions begin,
    /// and [`SAMPLES_MIN`] places.
    Quick,
}

/// A look at a device: what was found, and how much was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentScan {
    /// What is on it; `None` when all that was read is zeros or erased (0xFF).
    pub(crate) contents: Option<DeviceContents>,
    pub(crate) found_at: Bytes,
    pub(crate) bytes_read: Bytes,
    pub(crate) size: Bytes,
    pub(crate) elapsed: Duration,
}

impl ContentScan {
    /// Why the device is not written: it holds what no benchmark leaves.
    pub(crate) fn refusal_reason(&self) -> Option<String> {
        let held = self.contents.filter(|found| *found != DeviceContents::Noise)?.message();
        let held = held.text();
        Some(match self.found_at {
            Bytes(0) => format!("it holds {held}; searched {self}"),
            at => format!("it holds {held} at {at}; searched {self}"),
        })
    }

    /// What a device that may be written holds, in words.
    pub fn describe_outcome(&self) -> String {
        match self.contents {
            None => format!("no data found in {self}"),
            Some(_) => format!(
                "nothing found but random bytes and patterns, as a benchmark leaves them, in {self}"
            ),
        }
    }
}

/// What was searched, and for how long.
impl fmt::Display for ContentScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, seconds) = (self.size, self.elapsed.as_secs_f64());
        if self.bytes_read == size {
            return write!(f, "all {size}, {seconds:.1} s");
        }
        let share = Ratio(self.bytes_read.0 as f64 / size.0.max(1) as f64);
        write!(f, "{} of {size} ({share}), {seconds:.1} s", self.bytes_read)
    }
}

/// Looks at what is on `device`, until something is found.
pub(crate) fn scan_contents(device: &File, thoroughness: ScanMode) -> io::Result<ContentScan> {
    let begun = Instant::now();
    let mut walk = ContentScanner::new(device)?;
    let found = walk.scan(thoroughness);
    walk.reader.restore_flags();
    let (contents, at) = match found? {
        Some((contents, at)) => (Some(contents), at),
        None => (walk.noise.then_some(DeviceContents::Noise), 0),
    };
    let bytes_read = Bytes(walk.bytes_read());
    let size = Bytes(walk.reader.size);
    Ok(ContentScan { contents, found_at: Bytes(at), bytes_read, size, elapsed: begun.elapsed() })
}

type Found = Option<(DeviceContents, u64)>;

struct ContentScanner<'a> {
    reader: DeviceReader<'a>,
    seen: HashSet<u64>,
    /// Whether any of it is not blank.
    noise: bool,
}

impl<'a> ContentScanner<'a> {
    fn new(device: &'a File) -> io::Result<Self> {
        Ok(Self { reader: DeviceReader::new(device)?, seen: HashSet::new(), noise: false })
    }

    fn scan(&mut self, thoroughness: ScanMode) -> io::Result<Found> {
        let size = self.reader.size;
        let mut found = self.find_signatures()?;
        if found.is_none() {
            found = self.find_data_at(size.saturating_sub(TAIL_SIZE), TAIL_SIZE + SAMPLE_SIZE)?;
        }
        match thoroughness {
            _ if found.is_some() => Ok(found),
            ScanMode::Thorough if size <= WHOLE_MAX.0 => self.read_all(),
            ScanMode::Thorough => self.sample_blocks(SAMPLING_TIME),
            ScanMode::Quick => self.sample_blocks(Duration::ZERO),
        }
    }

    /// The marks of file systems at the start and where partitions begin; of data without a mark
    /// the first that lies there.
    fn find_signatures(&mut self) -> io::Result<Found> {
        let sectors = START_SECTORS.iter().map(|sector| sector * SECTOR as u64);
        let in_head = (0..HEAD_SIZE >> 20).map(|mib| mib << 20);
        let starts: Vec<u64> = in_head.chain(sectors).collect();
        self.count_as_read(0, HEAD_SIZE + SAMPLE_SIZE);
        let head = self.reader.read(0, HEAD_SIZE + SAMPLE_SIZE)?;
        let marked =
            starts.into_iter().find_map(|start| Some((match_signature(head, start)?, start)));
        let mut found = marked.or_else(|| find_data(head, 0, &mut self.noise));
        for start in START_MIB.iter().map(|mib| mib << 20) {
            // A mark tells more than the first data that have none.
            if matches!(found, Some((DeviceContents::Marked(_), _))) || start >= self.reader.size {
                break;
            }
            self.count_as_read(start, SAMPLE_SIZE);
            let bytes = self.reader.read(start, SAMPLE_SIZE)?;
            let marked = match_signature(bytes, 0).map(|held| (held, start));
            found = marked.or(found).or_else(|| find_data(bytes, start, &mut self.noise));
        }
        Ok(found)
    }

    /// Data at a place, by anything that is neither blank nor noise.
    fn find_data_at(&mut self, at: u64, length: u64) -> io::Result<Found> {
        let at = at / SAMPLE_SIZE * SAMPLE_SIZE;
        self.count_as_read(at, length);
        Ok(find_data(self.reader.read(at, length)?, at, &mut self.noise))
    }

    fn read_all(&mut self) -> io::Result<Found> {
        for at in (0..self.reader.size).step_by(READ_SIZE as usize) {
            let found = self.find_data_at(at, READ_SIZE)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Evenly spread places first, then, as long as there is time, even ones and random ones in
    /// turn: data at equal distances could lie between all even ones.
    fn sample_blocks(&mut self, time: Duration) -> io::Result<Found> {
        let begun = Instant::now();
        let blocks = (self.reader.size / SAMPLE_SIZE).max(1);
        let random = RandomState::new();
        for number in 1_u64.. {
            if number > SAMPLES_MIN && begun.elapsed() >= time {
                break;
            }
            let block = match number > SAMPLES_MIN && number % 2 == 0 {
                true => random.hash_one(number) % blocks,
                false => van_der_corput_block(number, blocks),
            };
            let found = self.find_data_at(block * SAMPLE_SIZE, SAMPLE_SIZE)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn count_as_read(&mut self, at: u64, length: u64) {
        let end = at.saturating_add(length).min(self.reader.size);
        self.seen.extend(at / SAMPLE_SIZE..end.div_ceil(SAMPLE_SIZE));
    }

    fn bytes_read(&self) -> u64 {
        (self.seen.len() as u64).saturating_mul(SAMPLE_SIZE).min(self.reader.size)
    }
}

/// The block of a place: the digits of its number in reverse (van der Corput), so that the places
/// are spread evenly whenever the time is up.
fn van_der_corput_block(number: u64, blocks: u64) -> u64 {
    ((u128::from(number.reverse_bits()) * u128::from(blocks)) >> u64::BITS) as u64
}

fn match_signature(bytes: &[u8], start: u64) -> Option<DeviceContents> {
    let bytes = bytes.get(start as usize..)?;
    let stands = |&&(_, at, mark): &&Signature| {
        // Two bytes come by chance, in random data of every 65536th place that is looked at.
        let chance = || start != 0 && mark.len() <= 2 && is_benchmark_sector(sector_of(bytes, at));
        bytes.get(at..at + mark.len()) == Some(mark) && !chance()
    };
    if let Some((id, ..)) = SIGNATURES.iter().find(stands) {
        return Some(DeviceContents::Marked(id));
    }
    let mut places = bytes.get(UBERBLOCKS).unwrap_or_default().chunks(UBERBLOCK);
    let pool = places.any(|place| UBERBLOCK_MAGIC.iter().any(|magic| place.starts_with(magic)));
    pool.then_some(DeviceContents::Marked(ZFS_POOL))
}

fn sector_of(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at / SECTOR * SECTOR..];
    &rest[..rest.len().min(SECTOR)]
}

/// The first sector of what was read at `at` that no benchmark leaves; whether any is not blank is
/// put into `noise`.
fn find_data(bytes: &[u8], at: u64, noise: &mut bool) -> Found {
    if is_blank(bytes) {
        return None;
    }
    *noise = true;
    let place = bytes.chunks(SECTOR).position(|sector| !is_benchmark_sector(sector))?;
    Some((DeviceContents::Unmarked, at + (place * SECTOR) as u64))
}

/// Whether a sector is one that a benchmark may have written: blank, a pattern, or random bytes,
/// with zeros before or behind where its data can be compressed.
fn is_benchmark_sector(sector: &[u8]) -> bool {
    let repeats = |period: usize| sector.iter().zip(&sector[period..]).all(|(a, b)| a == b);
    if is_blank(sector) || PATTERN_PERIODS.filter(|period| *period < sector.len()).any(repeats) {
        return true;
    }
    let first = sector.iter().position(|byte| *byte != 0).unwrap_or(0);
    let last = sector.iter().rposition(|byte| *byte != 0).unwrap_or(0);
    let part = &sector[first..=last];
    let mut known = [false; 256];
    part.iter().for_each(|byte| known[usize::from(*byte)] = true);
    let different = known.iter().filter(|known| **known).count() as f64;
    let expected = 256.0 * (1.0 - (255.0_f64 / 256.0).powi(part.len() as i32));
    part.len() >= SIGNIFICANT_BYTES_MIN && different >= RANDOM_SHARE_MIN * expected
}

/// Zeros, or what an erased flash may read as.
fn is_blank(bytes: &[u8]) -> bool {
    // Compared as a whole: of gigabytes, byte by byte would take seconds.
    const BLANKS: [[u8; 4096]; 2] = [[0; 4096], [0xFF; 4096]];
    BLANKS.iter().any(|blank| bytes.chunks(blank.len()).all(|part| *part == blank[..part.len()]))
}

struct DeviceReader<'a> {
    device: &'a File,
    size: u64,
    direct: bool,
    buffer: Vec<u8>,
}

impl<'a> DeviceReader<'a> {
    /// What direct I/O needs of memory and offsets, on every device.
    const ALIGN: usize = 4096;

    fn new(device: &'a File) -> io::Result<Self> {
        let is_device = device.metadata()?.file_type().is_block_device();
        let direct = is_device && set_direct_io(device, true).is_ok();
        Ok(Self { device, size: seek_size(device)?, direct, buffer: Vec::new() })
    }

    /// The bytes at a place, fewer at the end.
    fn read(&mut self, at: u64, length: u64) -> io::Result<&[u8]> {
        let length = length.min(self.size.saturating_sub(at)) as usize;
        if self.buffer.len() < length + Self::ALIGN {
            self.buffer = vec![0; length + Self::ALIGN];
        }
        // An offset that cannot be found out is that of an aligned allocation.
        let start = self.buffer.as_ptr().align_offset(Self::ALIGN).min(Self::ALIGN);
        let bytes = &mut self.buffer[start..start + length];
        match self.device.read_exact_at(bytes, at) {
            // A device that takes no direct reads, whatever it said when it was asked.
            Err(error) if self.direct && error.kind() == io::ErrorKind::InvalidInput => {
                self.direct = false;
                set_direct_io(self.device, false)?;
                self.device.read_exact_at(bytes, at)?;
            }
            done => done?,
        }
        Ok(bytes)
    }

    fn restore_flags(&mut self) {
        if std::mem::take(&mut self.direct) {
            // What is read through it later is only slower past the cache.
            let _ = set_direct_io(self.device, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::Need;
    use std::process::Command;

    /// What a thorough look finds.
    fn signature(file: &File) -> io::Result<Option<DeviceContents>> {
        scan_contents(file, ScanMode::Thorough).map(|look| look.contents)
    }

    fn look_at(file: &File, thoroughness: ScanMode) -> Option<DeviceContents> {
        scan_contents(file, thoroughness).unwrap().contents
    }

    fn random(count: usize, key: u64) -> Vec<u8> {
        let mut state = key;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    fn scan_made_by(program: &str, arguments: &[&str], size: u64) -> Option<DeviceContents> {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(size).unwrap();
        let done = Command::new(program).args(arguments).arg(file.path()).output().unwrap();
        assert!(done.status.success(), "{program}: {done:?}");
        signature(file.as_file()).unwrap()
    }

    fn marked(id: &'static str) -> Option<DeviceContents> {
        Some(DeviceContents::Marked(id))
    }

    #[test]
    fn what_a_device_holds_has_words_in_every_language() {
        let marked = SIGNATURES.iter().map(|(id, ..)| DeviceContents::Marked(id));
        let pool = DeviceContents::Marked(ZFS_POOL);
        for contents in marked.chain([pool, DeviceContents::Unmarked, DeviceContents::Noise]) {
            let message = contents.message();
            assert!(Message::find(message.id()).is_some(), "{contents:?}");
        }
    }

    #[test]
    fn what_real_programs_leave_is_recognised() {
        lab::skip_unless!(Need::Root);
        assert_eq!(
            scan_made_by("mkfs.ext4", &["-q", "-F"], 16 << 20),
            marked("holds-ext2-3-4-file-system")
        );
        assert_eq!(
            scan_made_by("mkfs.xfs", &["-q", "-f"], 400 << 20),
            marked("holds-xfs-file-system")
        );
        assert_eq!(
            scan_made_by("mkfs.btrfs", &["-q", "-f"], 200 << 20),
            marked("holds-btrfs-file-system")
        );
        assert_eq!(scan_made_by("mkswap", &["-q"], 16 << 20), marked("holds-swap-space"));
    }

    #[test]
    fn an_empty_or_short_device_has_none() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(signature(&file).unwrap(), None);
        file.set_len(100).unwrap();
        assert_eq!(signature(&file).unwrap(), None);
        file.set_len(1 << 20).unwrap();
        assert_eq!(signature(&file).unwrap(), None);
        file.write_at(&[0x55, 0xAA], 510).unwrap();
        assert_eq!(signature(&file).unwrap(), marked("holds-partition-table-or-boot-sector"));
    }

    #[test]
    fn what_lies_behind_a_zeroed_partition_table_is_named_with_its_place() {
        let found = |at: u64, offset: u64, bytes: &[u8]| {
            let file = tempfile::tempfile().unwrap();
            file.set_len(1 << 30).unwrap();
            file.write_all_at(bytes, at + offset).unwrap();
            scan_contents(&file, ScanMode::Quick).unwrap()
        };
        for start in [63 * 512, 34 * 512, 1 << 20, 4 << 20, 8 << 20, 129 << 20, 513 << 20] {
            let look = found(start, 1080, &[0x53, 0xEF]);
            assert_eq!(look.contents, marked("holds-ext2-3-4-file-system"), "{start}");
            assert_eq!(look.found_at, Bytes(start));
            let said = look.refusal_reason().unwrap();
            assert!(said.starts_with("it holds an ext2/3/4 file system at "), "{said}");
        }
        let look = found(1 << 20, 512, b"LABELONE");
        assert_eq!(look.contents, marked("holds-lvm-physical-volume"));
        assert!(look.bytes_read < look.size && look.to_string().contains(" of 1 GiB ("), "{look}");
        // The last kilobytes, whatever the size.
        let file = tempfile::tempfile().unwrap();
        file.set_len((64 << 20) + (255 << 10)).unwrap();
        file.write_all_at(b"md", (64 << 20) + (254 << 10)).unwrap();
        assert_eq!(look_at(&file, ScanMode::Quick), Some(DeviceContents::Unmarked));
    }

    #[test]
    fn two_bytes_of_random_data_are_no_file_system() {
        let mut bytes = random(4 << 20, 7);
        bytes[(1 << 20) + 1080..][..2].copy_from_slice(&[0x53, 0xEF]);
        bytes[(2 << 20) + 510..][..2].copy_from_slice(&[0x55, 0xAA]);
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        assert_eq!(signature(&file).unwrap(), Some(DeviceContents::Noise));
    }

    #[test]
    fn a_device_of_up_to_4_gib_is_read_whole_and_a_larger_one_for_two_seconds() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(64 << 20).unwrap();
        let whole = scan_contents(&file, ScanMode::Thorough).unwrap();
        assert_eq!((whole.contents, whole.bytes_read), (None, whole.size));
        assert!(whole.to_string().starts_with("all 64 MiB, "), "{whole}");
        file.write_all_at(b"the only row of this table", 7 << 20).unwrap();
        let row = scan_contents(&file, ScanMode::Thorough).unwrap();
        assert_eq!((row.contents, row.found_at), (Some(DeviceContents::Unmarked), Bytes::mib(7)));
        let passing = scan_contents(&file, ScanMode::Quick).unwrap();
        assert!(passing.bytes_read <= passing.size, "{passing}");
        let large = tempfile::tempfile().unwrap();
        large.set_len(WHOLE_MAX.0 + 1).unwrap();
        let part = scan_contents(&large, ScanMode::Thorough).unwrap();
        assert!(part.elapsed >= SAMPLING_TIME && part.contents.is_none(), "{part}");
        assert!(
            part.bytes_read > Bytes(HEAD_SIZE + SAMPLES_MIN * SAMPLE_SIZE)
                && part.bytes_read <= part.size
        );
    }

    #[test]
    fn places_are_spread_evenly_whenever_they_end() {
        for count in [64, 1000] {
            let mut places: Vec<u64> =
                (1..=count).map(|number| van_der_corput_block(number, 1 << 20)).collect();
            places.sort_unstable();
            let widest = places.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
            assert!(widest <= 2 * (1 << 20) / count, "{count}: {widest}");
        }
    }

    #[test]
    fn what_is_of_no_known_kind_is_not_nothing() {
        let size = 100 << 20;
        let found = |at: u64, bytes: &[u8]| {
            let file = tempfile::tempfile().unwrap();
            file.set_len(size).unwrap();
            file.write_at(bytes, at).unwrap();
            signature(&file).unwrap()
        };
        let unknown = Some(DeviceContents::Unmarked);
        assert_eq!(found(0, b"#!"), unknown);
        // Compressed contents are as random as what a benchmark leaves: their first bytes tell.
        assert_eq!(found(0, &[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), marked("holds-xz-stream"));
        assert_eq!(found(0, &[0x1F, 0x8B, 0x08, 0x00]), marked("holds-gzip-stream"));
        assert_eq!(found(257, b"ustar"), marked("holds-tar-archive"));
        // As md's version 1.0 and many makers of arrays have it: at the end alone.
        assert_eq!(found(size - 8192, &[0xFC, 0x4E, 0x2B, 0xA9]), unknown);
        let rows: String = (0..300_000).map(|row| format!("row {row} of a table; ")).collect();
        assert_eq!(found(size / 2, rows.as_bytes()), unknown);
        assert_eq!(
            found(4120, b"\xC6\x85\x73\xF6\x66\xCE\x90\xA9"),
            marked("holds-bcachefs-file-system")
        );
        assert_eq!(found(1536, b"LABELONE"), marked("holds-lvm-physical-volume"));
        let pool = marked("holds-member-of-a-zfs-pool");
        assert_eq!(found((128 << 10) + 5 * 1024, &UBERBLOCK_MAGIC[0]), pool);
        assert_eq!(found((255 << 10) + 1024 - 2048, &UBERBLOCK_MAGIC[1]), pool);
        let noise = Some(DeviceContents::Noise);
        assert_eq!(found(0, &random(8 << 20, 1)), noise);
        assert_eq!(found(size / 2, &[0xDE, 0xAD, 0xBE, 0xEF].repeat(1 << 20)), noise);
        // Half compressed away, and the header of a verification in each block.
        let halves = random(1 << 20, 2).chunks(256).flat_map(|r| [r, &[0; 256]].concat()).collect();
        let halves: Vec<u8> = halves;
        assert_eq!(found(0, &halves), noise);
        let mut headed = random(8 << 20, 3);
        for block in headed.chunks_mut(4096) {
            block[..40].copy_from_slice(&[0xCA, 0xAC, 0, 0, 0, 0x10, 0, 0].repeat(5));
        }
        assert_eq!(found(0, &headed), noise);
        // One sector that is none of it.
        headed[(512 << 10)..(512 << 10) + 26].copy_from_slice(b"the only row of this table");
        headed[(512 << 10) + 26..(512 << 10) + 512].fill(0);
        assert_eq!(found(0, &headed), unknown);
        let erased = tempfile::tempfile().unwrap();
        erased.write_all_at(&vec![0xFF; 4 << 20], 0).unwrap();
        assert_eq!(signature(&erased).unwrap(), None);
    }
}
