//! A disk that follows a law of [`engine::simulated`]: a file served over FUSE, in real time. What
//! is written is kept in memory.

mod completion;
mod file_system;
mod store;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use engine::simulated::{DeviceModel, Quirks, QuirkyDevice};
use fuser::{BackgroundSession, Config, MountOption, Session, SessionACL};

use crate::names::new_name;
use crate::tools::report_failure;
use crate::undo::unmount_or_hide;
use crate::{LabError, LoopDevice, LoopOptions, Result, Scratch};

use completion::CompletionThread;
use file_system::DiskFileSystem;
pub use store::Fill;
use store::PageStore;

/// How a simulated disk is to be; ends with [`serve`](DiskOptions::serve).
#[derive(Debug, Clone)]
pub struct DiskOptions {
    law: DeviceModel,
    quirks: Quirks,
    fill: Fill,
    seed: u64,
}

impl DiskOptions {
    /// What it does beside its law; nothing by default.
    pub fn quirks(mut self, quirks: Quirks) -> DiskOptions {
        self.quirks = quirks;
        self
    }

    /// What it holds where nothing was written; noise by default.
    pub fn fill(mut self, fill: Fill) -> DiskOptions {
        self.fill = fill;
        self
    }

    /// The seed of everything random in it; 1 by default.
    pub fn seed(mut self, seed: u64) -> DiskOptions {
        self.seed = seed;
        self
    }

    /// Mounts the file system that has the disk in it.
    /// Fails when the capacity is no multiple of 4096, or when there is no FUSE.
    pub fn serve(self) -> Result<SimulatedDisk> {
        let scratch = Scratch::new()?;
        let point = scratch.path().join("mnt");
        let capacity = self.law.capacity;
        if capacity == 0 || !capacity.is_multiple_of(4096) {
            let why = format!("cannot have a disk of {capacity} bytes: no whole pages");
            return Err(LabError::unusable(point, why));
        }
        fs::create_dir(&point).map_err(|e| LabError::io("create", &point, e))?;
        let store = PageStore::new(self.fill, self.quirks.content.is_some());
        let answerer =
            CompletionThread::start(QuirkyDevice::new(self.law, self.quirks, self.seed))?;
        let (store, device) = (Mutex::new(store), answerer.shared());
        let server = DiskFileSystem { capacity, store, device };
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName(new_name("disk")), MountOption::NoAtime];
        config.acl = SessionACL::All;
        let session = Session::new(server, &point, &config)
            .and_then(Session::spawn)
            .map_err(|e| LabError::io("serve a disk over FUSE at", &point, e))?;
        let path = point.join(file_system::FILE_NAME);
        let served = ServedDisk { path, point, session: Some(session), answerer, scratch };
        Ok(SimulatedDisk { served: Arc::new(served) })
    }
}

/// A file that behaves like a disk; unmounted on drop, after a loop device over it. The kernel
/// caches nothing of it. Requests of up to 1 MiB arrive as they are, longer ones in parts.
#[derive(Debug)]
pub struct SimulatedDisk {
    served: Arc<ServedDisk>,
}

impl SimulatedDisk {
    /// A disk that follows `law`, all of it written.
    pub fn new(law: DeviceModel) -> Result<SimulatedDisk> {
        SimulatedDisk::options(law).serve()
    }

    /// A disk that follows `law` and differs from [`SimulatedDisk::new`].
    pub fn options(law: DeviceModel) -> DiskOptions {
        DiskOptions { law, quirks: Quirks::default(), fill: Fill::Noise(1), seed: 1 }
    }

    pub fn path(&self) -> &Path {
        &self.served.path
    }

    /// From now on it follows another law, whose time begins. Capacity and content stay.
    pub fn change(&self, law: DeviceModel, quirks: Quirks) {
        self.served.answerer.shared().replace_device(QuirkyDevice::new(law, quirks, 1));
    }

    /// A block device over it, with counters; a request takes some 30 us longer there.
    pub fn attach(&self) -> Result<LoopDevice> {
        LoopOptions::over(self.path(), self.served.clone()).attach()
    }
}

/// The mounted file system, shared by the disk and a loop device over it.
#[derive(Debug)]
struct ServedDisk {
    path: PathBuf,
    point: PathBuf,
    session: Option<BackgroundSession>,
    /// Stopped after the unmount: fields are dropped in this order.
    answerer: CompletionThread,
    #[expect(dead_code, reason = "held for its drop")]
    scratch: Scratch,
}

impl Drop for ServedDisk {
    fn drop(&mut self) {
        if let Err(error) = unmount_or_hide(&self.point) {
            // Its thread serves the user that stays: it is not waited for.
            return report_failure(Err(error));
        }
        if let Some(session) = self.session.take() {
            // Unmounted it is already: only its thread is to end.
            let ended = session.join();
            report_failure(ended.map_err(|e| LabError::io("stop serving", &self.point, e)));
        }
    }
}
