//! What a block device holds, by the marks that file systems and volume managers leave on it.

use std::fs::File;
use std::io;
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
    mark("an f2fs file system", 1024, &[0x10, 0x20, 0xF5, 0xF2]),
    mark("an NTFS file system", 3, b"NTFS    "),
    mark("an exFAT file system", 3, b"EXFAT   "),
    mark("a FAT file system", 82, b"FAT32   "),
    mark("a FAT file system", 54, b"FAT16   "),
    mark("an ISO 9660 file system", 32_769, b"CD001"),
    mark("a squashfs file system", 0, b"hsqs"),
    mark("an LVM physical volume", 512, b"LABELONE"),
    mark("an LVM physical volume", 0, b"LABELONE"),
    mark("a LUKS volume", 0, b"LUKS\xBA\xBE"),
    mark("a member of an md array", 0, &[0xFC, 0x4E, 0x2B, 0xA9]),
    mark("a member of an md array", 4096, &[0xFC, 0x4E, 0x2B, 0xA9]),
    mark("a Ceph OSD", 0, b"bluestore block device"),
    mark("swap space", 4086, b"SWAPSPACE2"),
    mark("a member of a ZFS pool", 131_072, &[0x0C, 0xB1, 0xBA, 0x00, 0, 0, 0, 0]),
    mark("a partition table or boot sector", 510, &[0x55, 0xAA]),
];
/// Up to here all marks lie.
const LOOKED_AT: usize = 132 << 10;

/// What is on `device`; `None` when no mark is known.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn signature(device: &File) -> io::Result<Option<&'static str>> {
    let mut head = vec![0; LOOKED_AT];
    let mut filled = 0;
    while filled < head.len() {
        match device.read_at(&mut head[filled..], filled as u64)? {
            0 => break,
            read => filled += read,
        }
    }
    let stands = |mark: &&Mark| {
        let start = mark.offset as usize;
        head[..filled].get(start..start + mark.bytes.len()) == Some(mark.bytes)
    };
    Ok(MARKS.iter().find(stands).map(|mark| mark.what))
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
}
