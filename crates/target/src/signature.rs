//! What a block device holds, by the marks that file systems and volume managers leave on it, and
//! whether there is anything on it at all.
//!
//! Much leaves no mark that could be known: a database's raw volume, an array whose superblock is
//! of another maker. So only what is blank wherever it is looked at counts as empty, and only what
//! is blank, random or one pattern over and over in every sector counts as what a benchmark leaves.
//! Blind spot: a volume encrypted without a header is as random as that.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt;

/// A mark: what it tells, where it lies, how it reads.
struct Mark {
    what: &'static str,
    offset: u64,
    bytes: &'static [u8],
}

const fn mark(what: &'static str, offset: u64, bytes: &'static [u8]) -> Mark {
    Mark { what, offset, bytes }
}

/// Marks, from the projects' own descriptions of their formats (as libblkid and file(1) have
/// them). Those of a whole disk first: a protective MBR stands before every GPT.
const MARKS: &[Mark] = &[
    mark("a GPT partition table", 512, b"EFI PART"),
    mark("a GPT partition table", 4096, b"EFI PART"),
    mark("an ext2/3/4 file system", 1080, &[0x53, 0xEF]),
    mark("an xfs file system", 0, b"XFSB"),
    mark("a btrfs file system", 65_600, b"_BHRfS_M"),
    mark("a bcachefs or bcache device", 4120, &[0xC6, 0x85, 0x73, 0xF6, 0x4E, 0x1A, 0x45, 0xCA]),
    mark("a bcachefs file system", 4120, &[0xC6, 0x85, 0x73, 0xF6, 0x66, 0xCE, 0x90, 0xA9]),
    mark("an f2fs file system", 1024, &[0x10, 0x20, 0xF5, 0xF2]),
    mark("an NTFS file system", 3, b"NTFS    "),
    mark("an exFAT file system", 3, b"EXFAT   "),
    mark("a FAT file system", 82, b"FAT32   "),
    mark("a FAT file system", 54, b"FAT16   "),
    mark("an ISO 9660 file system", 32_769, b"CD001"),
    mark("a squashfs file system", 0, b"hsqs"),
    mark("an LVM physical volume", 512, b"LABELONE"),
    mark("an LVM physical volume", 0, b"LABELONE"),
    mark("an LVM physical volume", 1024, b"LABELONE"),
    mark("an LVM physical volume", 1536, b"LABELONE"),
    mark("a LUKS volume", 0, b"LUKS\xBA\xBE"),
    mark("a member of an md array", 0, &[0xFC, 0x4E, 0x2B, 0xA9]),
    mark("a member of an md array", 4096, &[0xFC, 0x4E, 0x2B, 0xA9]),
    mark("a Ceph OSD", 0, b"bluestore block device"),
    mark("swap space", 4086, b"SWAPSPACE2"),
    mark("swap space", 65_526, b"SWAPSPACE2"),
    mark("a partition table or boot sector", 510, &[0x55, 0xAA]),
];
/// A ZFS label's ring of uberblocks: where it lies in the first label, how far its places are
/// apart at least, and how each begins that is filled, on a machine of either byte order.
const UBERBLOCKS: std::ops::Range<usize> = 128 << 10..256 << 10;
const UBERBLOCK: usize = 1 << 10;
const UBERBLOCK_MAGIC: [[u8; 8]; 2] =
    [[0x0C, 0xB1, 0xBA, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xBA, 0xB1, 0x0C]];
/// So much of either end is looked at: all marks lie within, and superblocks at the end.
const END: u64 = 1 << 20;
/// Between the ends so many places are looked at, of so many bytes each.
const PLACES: u64 = 64;
const PLACE: u64 = 4 << 10;

/// A sector's non-zero part has to be so long for its bytes to tell anything, and a random one has
/// at least so large a share of the different bytes that are to be expected of it: 0.98 to 1.02 for
/// all but one in a million, and 0.5 for text.
const TELLING: usize = 64;
const RANDOM: f64 = 0.8;
/// Periods of patterns that are looked for.
const PERIODS: std::ops::RangeInclusive<usize> = 1..=64;
const SECTOR: usize = 512;

/// What a device holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// What is known by its mark, in words.
    Marked(&'static str),
    /// Something else.
    Unmarked,
    /// Random bytes or patterns alone.
    Noise,
}

impl Held {
    /// As a reason or a reader has it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Marked(what) => what,
            Self::Unmarked => "data of no known kind",
            Self::Noise => "what a benchmark left, or a volume encrypted without a header",
        }
    }
}

/// What is on `device`; `None` when all that was looked at is zeros or erased (0xFF).
///
/// # Errors
/// When it cannot be read.
pub(crate) fn signature(device: &File) -> io::Result<Option<Held>> {
    let head = read(device, 0, END)?;
    let stands = |mark: &&Mark| {
        let start = mark.offset as usize;
        head.get(start..start + mark.bytes.len()) == Some(mark.bytes)
    };
    if let Some(mark) = MARKS.iter().find(stands) {
        return Ok(Some(Held::Marked(mark.what)));
    }
    let ring = head.get(UBERBLOCKS).unwrap_or_default();
    let mut places = ring.chunks(UBERBLOCK);
    if places.any(|place| UBERBLOCK_MAGIC.iter().any(|magic| place.starts_with(magic))) {
        return Ok(Some(Held::Marked("a member of a ZFS pool")));
    }
    unmarked(device, head)
}

/// The same of what has no known mark, by its start and by what else is looked at.
fn unmarked(mut device: &File, head: Vec<u8>) -> io::Result<Option<Held>> {
    let size = device.seek(SeekFrom::End(0))?;
    let tail = std::iter::once((size.saturating_sub(END) / PLACE * PLACE, END));
    let between = (1..=PLACES).map(|place| {
        let at = u128::from(size) * u128::from(place) / u128::from(PLACES + 1);
        (at as u64 / PLACE * PLACE, PLACE)
    });
    let mut blank = true;
    let mut next = Some(head);
    let mut others = tail.chain(between);
    while let Some(bytes) = next {
        if !is_blank(&bytes) {
            blank = false;
            if !bytes.chunks(SECTOR).all(is_noise) {
                return Ok(Some(Held::Unmarked));
            }
        }
        next = others.next().map(|(at, length)| read(device, at, length)).transpose()?;
    }
    Ok(if blank { None } else { Some(Held::Noise) })
}

/// Whether a sector is one that a benchmark may have written: blank, a pattern, or random bytes,
/// with zeros before or behind where its data can be compressed.
fn is_noise(sector: &[u8]) -> bool {
    let repeats = |period: usize| sector.iter().zip(&sector[period..]).all(|(a, b)| a == b);
    if is_blank(sector) || PERIODS.filter(|period| *period < sector.len()).any(repeats) {
        return true;
    }
    let first = sector.iter().position(|byte| *byte != 0).unwrap_or(0);
    let last = sector.iter().rposition(|byte| *byte != 0).unwrap_or(0);
    let part = &sector[first..=last];
    let different = part.iter().collect::<BTreeSet<_>>().len() as f64;
    let expected = 256.0 * (1.0 - (255.0_f64 / 256.0).powi(part.len() as i32));
    part.len() >= TELLING && different >= RANDOM * expected
}

/// Zeros, or what an erased flash may read as.
fn is_blank(bytes: &[u8]) -> bool {
    [0, 0xFF].iter().any(|blank| bytes.iter().all(|byte| byte == blank))
}

/// The bytes at a place, fewer at the end.
fn read(device: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        match device.read_at(&mut bytes[filled..], at + filled as u64)? {
            0 => break,
            more => filled += more,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::Need;
    use std::process::Command;

    fn made(program: &str, arguments: &[&str], size: u64) -> Option<Held> {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(size).unwrap();
        let done = Command::new(program).args(arguments).arg(file.path()).output().unwrap();
        assert!(done.status.success(), "{program}: {done:?}");
        signature(file.as_file()).unwrap()
    }

    fn marked(what: &'static str) -> Option<Held> {
        Some(Held::Marked(what))
    }

    #[test]
    fn what_real_programs_leave_is_recognised() {
        lab::skip_unless!(Need::Root);
        assert_eq!(made("mkfs.ext4", &["-q", "-F"], 16 << 20), marked("an ext2/3/4 file system"));
        assert_eq!(made("mkfs.xfs", &["-q", "-f"], 400 << 20), marked("an xfs file system"));
        assert_eq!(made("mkfs.btrfs", &["-q", "-f"], 200 << 20), marked("a btrfs file system"));
        assert_eq!(made("mkswap", &["-q"], 16 << 20), marked("swap space"));
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
        assert_eq!(signature(&file).unwrap(), marked("a partition table or boot sector"));
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
        let unknown = Some(Held::Unmarked);
        assert_eq!(found(0, b"#!"), unknown);
        // As md's version 1.0 and many makers of arrays have it: at the end alone.
        assert_eq!(found(size - 8192, &[0xFC, 0x4E, 0x2B, 0xA9]), unknown);
        let rows: String = (0..300_000).map(|row| format!("row {row} of a table; ")).collect();
        assert_eq!(found(size / 2, rows.as_bytes()), unknown);
        assert_eq!(
            found(4120, b"\xC6\x85\x73\xF6\x66\xCE\x90\xA9"),
            marked("a bcachefs file system")
        );
        assert_eq!(found(1536, b"LABELONE"), marked("an LVM physical volume"));
        let pool = marked("a member of a ZFS pool");
        assert_eq!(found((128 << 10) + 5 * 1024, &UBERBLOCK_MAGIC[0]), pool);
        assert_eq!(found((255 << 10) + 1024 - 2048, &UBERBLOCK_MAGIC[1]), pool);
        let random = |count: usize, key: u64| -> Vec<u8> {
            let mut state = key;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            };
            (0..count).map(|_| next()).collect()
        };
        let noise = Some(Held::Noise);
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
