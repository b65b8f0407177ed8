//! The compressed RAM disk `/dev/zram0`.

pub(crate) mod device;

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::block;
use crate::sweep::sweep_once;
use crate::tools::{report_failure, retry, wait_until, write_text};
use crate::{DeviceStat, MajorMinor, Result};
use device::{
    DEVICE_NAME, DEVICE_PATH, RESET_LIMIT, is_set_up, open_lock_file, reset_device, try_lock,
    write_owner,
};

const LOCK_WAIT_MAX: Duration = Duration::from_secs(60);
/// A device that others have set up is unused when it has served nothing for this time.
const IDLE_TIME: Duration = Duration::from_secs(3);

/// `/dev/zram0` at a size of our own; reset on drop. One at a time on the machine: the next waits.
#[derive(Debug)]
pub struct Zram {
    /// Held until after the reset in `drop`.
    lock: File,
    major_minor: MajorMinor,
}

impl Zram {
    /// Waits for its turn, resets the device if nobody uses it, and sets its size in bytes.
    /// Fails when it is in use by something else, or cannot be set up.
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

    pub fn path(&self) -> &Path {
        Path::new(DEVICE_PATH)
    }

    pub fn major_minor(&self) -> MajorMinor {
        self.major_minor
    }

    /// What the device has served so far.
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

/// Waits until the program that has set the device up without our lock has reset it or left it.
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
