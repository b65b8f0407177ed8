//! The compressed RAM disk `/dev/zram0`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::block::{self, DeviceStat, MajorMinor};
use crate::names::is_alive;
use crate::sweep::sweep_once;
use crate::tools::{read_text, report_failure, retry, wait_until, write_text};
use crate::{LabError, Result};

/// There is one device, so there is one lock; the kernel lets it go when its owner dies. It holds
/// the owner's pid while the device is set up.
const LOCK_PATH: &str = "/tmp/truedisk-lab-zram.lock";
const DEVICE_NAME: &str = "zram0";
const DEVICE_PATH: &str = "/dev/zram0";

/// How long another test may hold the device.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(60);
/// For how long a device that others have set up, without our lock, must have served nothing
/// before it counts as unused: longer than a script pauses between two runs.
const IDLE_TIME: Duration = Duration::from_secs(3);
/// How long the device may stay busy after its last user.
const RESET_LIMIT: Duration = Duration::from_secs(2);

/// `/dev/zram0` at a size of our own; reset on drop. One at a time on the machine: the next waits.
#[derive(Debug)]
pub struct Zram {
    /// Held until after the reset in `drop`.
    lock: File,
    major_minor: MajorMinor,
}

impl Zram {
    /// Waits for its turn, resets the device if nobody uses it, and sets its size in bytes. A
    /// device that is set up already is unused when it has served nothing for three seconds.
    ///
    /// # Errors
    /// When it is in use by something else, or cannot be set up.
    pub fn new(disksize: u64) -> Result<Zram> {
        sweep_once();
        let mut lock = open_lock_file()?;
        wait_until("become free", Path::new(DEVICE_PATH), LOCK_WAIT_MAX, || try_lock(&lock))?;
        let folder = block::sysfs_folder(DEVICE_NAME);
        if is_set_up()? {
            wait_until_idle()?;
            reset_device()?;
        }
        write_owner(&mut lock, &std::process::id().to_string())?;
        let zram = Zram { lock, major_minor: block::read_major_minor(DEVICE_NAME)? };
        write_text(folder.join("disksize"), &disksize.to_string())?;
        Ok(zram)
    }

    /// `/dev/zram0`.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(DEVICE_PATH)
    }

    /// Its device number.
    #[must_use]
    pub fn major_minor(&self) -> MajorMinor {
        self.major_minor
    }

    /// What the device has served so far.
    ///
    /// # Errors
    /// When sysfs cannot be read.
    pub fn read_stat(&self) -> Result<DeviceStat> {
        block::read_stat(DEVICE_NAME)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let outcome = retry(RESET_LIMIT, reset_device);
        if outcome.is_ok() {
            report_failure(write_owner(&mut self.lock, ""));
        }
        report_failure(outcome);
    }
}

/// Resets the device when the run that set it up was killed; says whether there was one.
pub(crate) fn reset_orphaned() -> Result<bool> {
    if !Path::new(LOCK_PATH).exists() {
        return Ok(false);
    }
    let mut lock = open_lock_file()?;
    if !try_lock(&lock)? {
        return Ok(false);
    }
    let mut owner = String::new();
    lock.read_to_string(&mut owner).map_err(|e| LabError::io("read", LOCK_PATH, e))?;
    let Ok(owner) = owner.trim().parse() else {
        return Ok(false);
    };
    if is_alive(owner) {
        return Ok(false);
    }
    retry(RESET_LIMIT, reset_device)?;
    write_owner(&mut lock, "")?;
    Ok(true)
}

fn is_set_up() -> Result<bool> {
    Ok(read_text(block::sysfs_folder(DEVICE_NAME).join("initstate"))? != "0")
}

/// Waits until whoever has set the device up, and holds no lock of ours, has reset it or left it.
fn wait_until_idle() -> Result<()> {
    let (mut seen, mut since) = (block::read_stat(DEVICE_NAME)?, Instant::now());
    wait_until("become idle", Path::new(DEVICE_PATH), LOCK_WAIT_MAX, || {
        let now = block::read_stat(DEVICE_NAME)?;
        if now != seen {
            (seen, since) = (now, Instant::now());
        }
        Ok(since.elapsed() >= IDLE_TIME || !is_set_up()?)
    })
}

/// The kernel refuses with "device or resource busy" while anything has the device open.
fn reset_device() -> Result<()> {
    write_text(block::sysfs_folder(DEVICE_NAME).join("reset"), "1")
}

fn open_lock_file() -> Result<File> {
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

fn try_lock(lock: &File) -> Result<bool> {
    match flock(lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(e) => Err(LabError::io("lock", LOCK_PATH, e)),
    }
}

fn write_owner(lock: &mut File, owner: &str) -> Result<()> {
    lock.set_len(0)
        .and_then(|()| lock.rewind())
        .and_then(|()| lock.write_all(owner.as_bytes()))
        .map_err(|e| LabError::io("write to", LOCK_PATH, e))
}
