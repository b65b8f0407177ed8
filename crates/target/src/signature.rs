//! What a block device holds, by the marks that file systems and volume managers leave on it, and
//! whether there is anything on it at all.
//!
//! Much leaves no mark that could be known: a volume encrypted without a header, a database's raw
//! volume, an array whose superblock is of another maker. So only what is zeros, or erased,
//! wherever it is looked at counts as empty.

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

/// What is on `device`, in words: a known mark's, or that it is of no known kind; `None` when all
/// that was looked at is zeros or erased (0xFF).
///
/// # Errors
/// When it cannot be read.
pub(crate) fn signature(device: &File) -> io::Result<Option<&'static str>> {
    let head = read(device, 0, END)?;
    let stands = |mark: &&Mark| {
        let start = mark.offset as usize;
        head.get(start..start + mark.bytes.len()) == Some(mark.bytes)
    };
    if let Some(mark) = MARKS.iter().find(stands) {
        return Ok(Some(mark.what));
    }
    let ring = head.get(UBERBLOCKS).unwrap_or_default();
    let mut places = ring.chunks(UBERBLOCK);
    if places.any(|place| UBERBLOCK_MAGIC.iter().any(|magic| place.starts_with(magic))) {
        return Ok(Some("a member of a ZFS pool"));
    }
    Ok(if is_empty(device, &head)? { None } else { Some("data of no known kind") })
}

/// Whether nothing was ever written wherever it is looked at.
fn is_empty(mut device: &File, head: &[u8]) -> io::Result<bool> {
    let size = device.seek(SeekFrom::End(0))?;
    if !is_blank(head) || !is_blank(&read(device, size.saturating_sub(END), END)?) {
        return Ok(false);
    }
    for place in 1..=PLACES {
        let at = (u128::from(size) * u128::from(place) / u128::from(PLACES + 1)) as u64;
        if !is_blank(&read(device, at / PLACE * PLACE, PLACE)?) {
            return Ok(false);
        }
    }
    Ok(true)
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

    fn made(program: &str, arguments: &[&str], size: u64) -> Option<&'static str> {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(size).unwrap();
        let done = Command::new(program).args(arguments).arg(file.path()).output().unwrap();
        assert!(done.status.success(), "{program}: {done:?}");
        signature(file.as_file()).unwrap()
    }

    #[test]
    fn what_real_programs_leave_is_recognised() {
        lab::skip_unless!(Need::Root);
        assert_eq!(made("mkfs.ext4", &["-q", "-F"], 16 << 20), Some("an ext2/3/4 file system"));
        assert_eq!(made("mkfs.xfs", &["-q", "-f"], 400 << 20), Some("an xfs file system"));
        assert_eq!(made("mkfs.btrfs", &["-q", "-f"], 200 << 20), Some("a btrfs file system"));
        assert_eq!(made("mkswap", &["-q"], 16 << 20), Some("swap space"));
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
        assert_eq!(signature(&file).unwrap(), Some("a partition table or boot sector"));
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
        let unknown = Some("data of no known kind");
        assert_eq!(found(0, b"#!"), unknown);
        // As md's version 1.0 and many makers of arrays have it: at the end alone.
        assert_eq!(found(size - 8192, &[0xFC, 0x4E, 0x2B, 0xA9]), unknown);
        assert_eq!(found(size / 2, &[7; 8 << 20]), unknown);
        assert_eq!(
            found(4120, b"\xC6\x85\x73\xF6\x66\xCE\x90\xA9"),
            Some("a bcachefs file system")
        );
        assert_eq!(found(1536, b"LABELONE"), Some("an LVM physical volume"));
        let pool = Some("a member of a ZFS pool");
        assert_eq!(found((128 << 10) + 5 * 1024, &UBERBLOCK_MAGIC[0]), pool);
        assert_eq!(found((255 << 10) + 1024 - 2048, &UBERBLOCK_MAGIC[1]), pool);
        let erased = tempfile::tempfile().unwrap();
        erased.write_all_at(&vec![0xFF; 4 << 20], 0).unwrap();
        assert_eq!(signature(&erased).unwrap(), None);
    }
}
