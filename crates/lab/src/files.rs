//! Files in the three states that a block of a file can be in: absent, unwritten, written.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use engine::SplitMix64;
use rustix::fs::{Advice, FallocateFlags, fadvise, fallocate};

use crate::{LabError, Result};

const CHUNK: usize = 1 << 20;

/// A file of `size` bytes without a single block: reads return zeroes and touch no disk.
/// Fails when the file exists already, or cannot be made.
pub fn sparse_file(folder: &Path, name: &str, size: u64) -> Result<PathBuf> {
    let (path, file) = create_file(folder, name)?;
    file.set_len(size).map_err(|e| LabError::io("set the size of", &path, e))?;
    sync_file(&file, &path)?;
    Ok(path)
}

/// A file of `size` bytes whose blocks are reserved but unwritten.
pub fn preallocated_file(folder: &Path, name: &str, size: u64) -> Result<PathBuf> {
    let (path, file) = create_file(folder, name)?;
    fallocate(&file, FallocateFlags::empty(), 0, size)
        .map_err(|e| LabError::io("preallocate", &path, e))?;
    sync_file(&file, &path)?;
    Ok(path)
}

/// A file of `size` bytes of random data, no two blocks alike, no longer in the page cache.
pub fn written_file(folder: &Path, name: &str, size: u64) -> Result<PathBuf> {
    let (path, mut file) = create_file(folder, name)?;
    let mut random = make_unique_random();
    let mut buffer = vec![0; CHUNK];
    let mut left = size;
    while left > 0 {
        fill_noise(&mut random, &mut buffer);
        let part = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
        file.write_all(&buffer[..part]).map_err(|e| LabError::io("write to", &path, e))?;
        left -= part as u64;
    }
    sync_file(&file, &path)?;
    fadvise(&file, 0, None, Advice::DontNeed)
        .map_err(|e| LabError::io("drop from the page cache", &path, e))?;
    Ok(path)
}

fn create_file(folder: &Path, name: &str) -> Result<(PathBuf, File)> {
    let path = folder.join(name);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|e| LabError::io("create", &path, e))?;
    Ok((path, file))
}

fn sync_file(file: &File, path: &Path) -> Result<()> {
    file.sync_all().map_err(|e| LabError::io("sync", path, e))
}

/// A stream of random numbers that no other of this or another process shares.
fn make_unique_random() -> SplitMix64 {
    static STREAM: AtomicU64 = AtomicU64::new(1);
    let stream = STREAM.fetch_add(1, Ordering::Relaxed);
    let mut start = SplitMix64((u64::from(std::process::id()) << 32) ^ stream);
    SplitMix64(start.next_bits())
}

/// Random bytes, in whole words.
pub(crate) fn fill_noise(random: &mut SplitMix64, buffer: &mut [u8]) {
    for word in buffer.chunks_exact_mut(8) {
        word.copy_from_slice(&random.next_bits().to_le_bytes());
    }
}
