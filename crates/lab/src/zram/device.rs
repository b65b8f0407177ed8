//! The device `/dev/zram0` and its lock.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::block;
use crate::names::is_alive;
use crate::tools::{read_text, retry, write_text};
use crate::{LabError, Result};

/// The kernel lets it go when its owner dies. It holds the owner's pid while the device is set up.
const LOCK_PATH: &str = "/tmp/truedisk-lab-zram.lock";
pub(super) const DEVICE_NAME: &str = "zram0";
pub(super) const DEVICE_PATH: &str = "/dev/zram0";

pub(super) const RESET_LIMIT: Duration = Duration::from_secs(2);

/// Resets the device when the run that set it up was killed.
pub(crate) fn reset_orphaned() -> Result<()> {
    if !Path::new(LOCK_PATH).exists() {
        return Ok(());
    }
    let mut lock = open_lock_file()?;
    if !try_lock(&lock)? {
        return Ok(());
    }
    let mut owner = String::new();
    lock.read_to_string(&mut owner).map_err(|e| LabError::io("read", LOCK_PATH, e))?;
    let Ok(owner) = owner.trim().parse() else {
        return Ok(());
    };
    if is_alive(owner) {
        return Ok(());
    }
    retry(RESET_LIMIT, reset_device)?;
    write_owner(&mut lock, "")
}

pub(super) fn is_set_up() -> Result<bool> {
    Ok(read_text(block::sysfs_folder(DEVICE_NAME).join("initstate"))? != "0")
}

/// The kernel refuses with "device or resource busy" while anything has the device open.
pub(super) fn reset_device() -> Result<()> {
    write_text(block::sysfs_folder(DEVICE_NAME).join("reset"), "1")
}

pub(super) fn open_lock_file() -> Result<File> {
    // Anybody may put things into /tmp: a link there is not followed.
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits() as i32)
        .open(LOCK_PATH)
        .map_err(|e| LabError::io("open the lock", LOCK_PATH, e))
}

pub(super) fn try_lock(lock: &File) -> Result<bool> {
    match flock(lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(e) => Err(LabError::io("lock", LOCK_PATH, e)),
    }
}

pub(super) fn write_owner(lock: &mut File, owner: &str) -> Result<()> {
    lock.set_len(0)
        .and_then(|()| lock.rewind())
        .and_then(|()| lock.write_all(owner.as_bytes()))
        .map_err(|e| LabError::io("write to", LOCK_PATH, e))
}
