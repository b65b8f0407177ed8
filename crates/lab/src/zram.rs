//! The compressed RAM disk `/dev/zram0`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::block::{self, DeviceStat, MajorMinor};
use crate::names::alive;
use crate::sweep::sweep_once;
use crate::tools::{complain, read, retry, wait_until, write};
use crate::{LabError, Result};

/// There is one device, so there is one lock; the kernel lets it go when its owner dies. It holds
/// the owner's pid while the device is set up.
const LOCK: &str = "/tmp/truedisk-lab-zram.lock";
const NAME: &str = "zram0";
const DEVICE: &str = "/dev/zram0";

/// How long another test may hold the device.
const TURN_LIMIT: Duration = Duration::from_secs(60);
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
        let mut lock = open_lock()?;
        wait_until("become free", Path::new(DEVICE), TURN_LIMIT, || taken(&lock))?;
        let folder = block::sysfs(NAME);
        if is_set_up()? {
            wait_until_idle()?;
            reset()?;
        }
        note(&mut lock, &std::process::id().to_string())?;
        let zram = Zram { lock, major_minor: block::major_minor(NAME)? };
        write(folder.join("disksize"), &disksize.to_string())?;
        Ok(zram)
    }

    /// `/dev/zram0`.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(DEVICE)
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
    pub fn stat(&self) -> Result<DeviceStat> {
        block::stat(NAME)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let outcome = retry(RESET_LIMIT, reset);
        if outcome.is_ok() {
            complain(note(&mut self.lock, ""));
        }
        complain(outcome);
    }
}

/// Resets the device when the run that set it up was killed; says whether there was one.
pub(crate) fn sweep() -> Result<bool> {
    if !Path::new(LOCK).exists() {
        return Ok(false);
    }
    let mut lock = open_lock()?;
    if !taken(&lock)? {
        return Ok(false);
    }
    let mut owner = String::new();
    lock.read_to_string(&mut owner).map_err(|e| LabError::io("read", LOCK, e))?;
    let Ok(owner) = owner.trim().parse() else {
        return Ok(false);
    };
    if alive(owner) {
        return Ok(false);
    }
    retry(RESET_LIMIT, reset)?;
    note(&mut lock, "")?;
    Ok(true)
}

fn is_set_up() -> Result<bool> {
    Ok(read(block::sysfs(NAME).join("initstate"))? != "0")
}

/// Waits until whoever has set the device up, and holds no lock of ours, has reset it or left it.
fn wait_until_idle() -> Result<()> {
    let (mut seen, mut since) = (block::stat(NAME)?, Instant::now());
    wait_until("become idle", Path::new(DEVICE), TURN_LIMIT, || {
        let now = block::stat(NAME)?;
        if now != seen {
            (seen, since) = (now, Instant::now());
        }
        Ok(since.elapsed() >= IDLE_TIME || !is_set_up()?)
    })
}

/// The kernel refuses with "device or resource busy" while anything has the device open.
fn reset() -> Result<()> {
    write(block::sysfs(NAME).join("reset"), "1")
}

fn open_lock() -> Result<File> {
    // Anybody may put things into /tmp: a link there is not followed.
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits() as i32)
        .open(LOCK)
        .map_err(|e| LabError::io("open the lock", LOCK, e))
}

fn taken(lock: &File) -> Result<bool> {
    match flock(lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(e) => Err(LabError::io("lock", LOCK, e)),
    }
}

fn note(lock: &mut File, owner: &str) -> Result<()> {
    lock.set_len(0)
        .and_then(|()| lock.rewind())
        .and_then(|()| lock.write_all(owner.as_bytes()))
        .map_err(|e| LabError::io("write to", LOCK, e))
}
