//! Opening what is measured, for reading.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, StatxFlags, statx};
use units::Bytes;
use workload::Limits;

use crate::error::TargetError;

/// Alignment that is assumed where neither statx nor the device tells: one page.
const ALIGN_ASSUMED: u64 = 4096;

/// An open target.
#[derive(Debug)]
pub struct Opened {
    /// The open file.
    pub file: File,
    /// Size of the file or device.
    pub size: Bytes,
    /// Whether O_DIRECT was accepted.
    pub direct: bool,
    /// Alignment that direct I/O needs of buffers.
    pub memory_align: Bytes,
    /// Alignment that direct I/O needs of offsets and lengths.
    pub offset_align: Bytes,
    /// Where the alignments come from: `statx`, `BLKSSZGET`, `assumed`.
    pub align_source: &'static str,
    /// Whether it was opened for writing.
    pub writable: bool,
}

impl Opened {
    /// What a job on it must respect.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { size: self.size, offset_align: self.offset_align, writable: self.writable }
    }
}

/// Opens an existing file or device for reading, bypassing the page cache where it can be.
///
/// # Errors
/// When it does not exist, may not be read, or is empty.
pub fn open_for_reading(path: &Path) -> Result<Opened, TargetError> {
    open(path, false)
}

/// Opens with O_DIRECT; without it where that is refused, which the caller sees in `direct`.
pub(crate) fn open(path: &Path, writable: bool) -> Result<Opened, TargetError> {
    let attempt = if writable { "write" } else { "read" };
    let with =
        |flags: i32| OpenOptions::new().read(true).write(writable).custom_flags(flags).open(path);
    let (file, direct) = match with(libc::O_DIRECT) {
        Ok(file) => (file, true),
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            (with(0).map_err(|e| TargetError::io(attempt, path, e))?, false)
        }
        Err(error) => return Err(TargetError::io(attempt, path, error)),
    };
    describe_open(file, direct, writable).map_err(|e| TargetError::io("look at", path, e))
}

fn describe_open(file: File, direct: bool, writable: bool) -> io::Result<Opened> {
    let metadata = file.metadata()?;
    let is_device = metadata.file_type().is_block_device();
    let size = if is_device { device_size(&file)? } else { metadata.len() };
    let told = statx(&file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN)
        .ok()
        .filter(|s| s.stx_mask & StatxFlags::DIOALIGN.bits() != 0);
    let (memory_align, offset_align, align_source, possible) = match told {
        // Zero means that this file cannot be read directly, whatever open said.
        Some(s) if s.stx_dio_offset_align == 0 => (ALIGN_ASSUMED, ALIGN_ASSUMED, "statx", false),
        Some(s) => {
            (u64::from(s.stx_dio_mem_align), u64::from(s.stx_dio_offset_align), "statx", true)
        }
        None if is_device => match rustix::fs::ioctl_blksszget(&file) {
            Ok(sector) => (u64::from(sector), u64::from(sector), "BLKSSZGET", true),
            Err(_) => (ALIGN_ASSUMED, ALIGN_ASSUMED, "assumed", true),
        },
        None => (ALIGN_ASSUMED, ALIGN_ASSUMED, "assumed", true),
    };
    Ok(Opened {
        file,
        size: Bytes(size),
        direct: direct && possible,
        memory_align: Bytes(memory_align),
        offset_align: Bytes(offset_align),
        align_source,
        writable,
    })
}

/// The end of a device is where a seek to the end lands.
fn device_size(file: &File) -> io::Result<u64> {
    Ok(rustix::fs::seek(file, rustix::fs::SeekFrom::End(0))?)
}
