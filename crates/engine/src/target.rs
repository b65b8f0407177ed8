use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileTypeExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use units::Bytes;
use workload::TargetLimits;

use crate::backend::{SimulatedDevice, SocketEnd, supports_nowait};
use crate::file_lock::TargetLock;
use crate::file_stamp::{FileStamp, SharedStamp};

/// What a job is run on: an open file or device, and what it demands.
#[derive(Debug, Clone)]
pub struct Target {
    pub(crate) medium: TargetMedium,
    /// Size, alignment, writability.
    pub(crate) limits: TargetLimits,
    /// Alignment of buffers in memory that direct I/O needs.
    pub(crate) memory_align: Bytes,
    /// Whether it takes requests without blocking.
    pub(crate) nowait: bool,
    pub(crate) device: bool,
    /// Held while an operation is on it.
    pub(crate) lock: Option<TargetLock>,
}

#[derive(Debug, Clone)]
pub(crate) enum TargetMedium {
    /// Open for what the job does; with O_DIRECT when the job is direct.
    File(Arc<File>),
    Null,
    Simulated(SimulatedDevice),
    Name(Arc<NamedEntry>),
    Socket(Arc<SocketEnd>),
}

/// Opens the file of a name in a folder, for which the engine has no leave itself; makes it where
/// it is missing, and where the last argument is set an existing one is an error.
pub type CreateFile = fn(&File, &CStr, bool) -> io::Result<OwnedFd>;

/// A name in an open folder, whether or not something has it.
#[derive(Debug)]
pub(crate) struct NamedEntry {
    pub(crate) folder: Arc<File>,
    pub(crate) name: CString,
    /// What a call of a job made under the name, or may remove.
    pub(crate) ours: SharedStamp,
    /// Something had the name before.
    pub(crate) existed: bool,
    pub(crate) create: CreateFile,
}

impl Target {
    /// Tries with at most eight reads whether it takes requests without blocking.
    pub fn new(file: File, limits: TargetLimits, memory_align: Bytes) -> Self {
        let block = limits.offset_align.max(Bytes::kib(4));
        let nowait = supports_nowait(&file, block, limits.size);
        let device = file.metadata().is_ok_and(|m| m.file_type().is_block_device());
        let medium = TargetMedium::File(Arc::new(file));
        Self { medium, limits, memory_align, nowait, device, lock: None }
    }

    /// Nothing of the given size: for what the generator itself can do.
    pub fn null(size: Bytes) -> Self {
        Self::without_file(TargetMedium::Null, size)
    }

    pub(crate) fn is_simulated(&self) -> bool {
        matches!(self.medium, TargetMedium::Simulated(_))
    }

    /// Whether it is a simulated device with a clock of its own.
    pub fn is_virtual(&self) -> bool {
        self.virtual_device().is_some()
    }

    /// The simulated device with a clock of its own.
    pub fn virtual_device(&self) -> Option<&SimulatedDevice> {
        match &self.medium {
            TargetMedium::Simulated(device) => Some(device).filter(|device| device.is_virtual()),
            _ => None,
        }
    }

    /// A simulated device of the given size. Data are not kept.
    pub fn simulated(device: SimulatedDevice, size: Bytes) -> Self {
        Self::without_file(TargetMedium::Simulated(device), size)
    }

    /// The name `name` in `folder`, for calls on names. An operation on it counts `size` bytes.
    pub fn from_folder_entry(
        folder: Arc<File>,
        name: &OsStr,
        existed: bool,
        create: CreateFile,
        size: Bytes,
    ) -> io::Result<Self> {
        let name = CString::new(name.as_bytes())?;
        let entry = NamedEntry { folder, name, ours: SharedStamp::default(), existed, create };
        Ok(Self::without_file(TargetMedium::Name(Arc::new(entry)), size))
    }

    /// A connection. Jobs move up to `size` bytes in a pass over it.
    ///
    /// # Errors
    /// The system's, of the socket's options.
    pub fn from_socket(socket: OwnedFd, datagrams: bool, size: Bytes) -> io::Result<Self> {
        let end = Arc::new(SocketEnd::new(socket, datagrams)?);
        Ok(Self::without_file(TargetMedium::Socket(end), size))
    }

    /// Datagrams that did not arrive though later ones did.
    pub fn dropped_datagrams(&self) -> u64 {
        self.socket_end().map_or(0, |end| end.dropped.load(Ordering::Relaxed))
    }

    /// What a call of a job made under this name, or may remove.
    pub fn own_stamp(&self) -> Option<FileStamp> {
        self.named_entry()?.ours.get()
    }

    /// Lets the next call remove what has this name if it still is `stamp`.
    pub fn allow_removal(&self, stamp: FileStamp) {
        if let Some(entry) = self.named_entry() {
            entry.ours.set(Some(stamp));
        }
    }

    fn without_file(medium: TargetMedium, size: Bytes) -> Self {
        let limits = TargetLimits { size, offset_align: Bytes(1), writable: true };
        let memory_align = Bytes(4096);
        Self { medium, limits, memory_align, nowait: true, device: false, lock: None }
    }

    /// The same target, locked for each operation. For calls that block: other interfaces have
    /// several operations on it.
    pub fn with_lock(self, lock: TargetLock) -> Self {
        Self { lock: Some(lock), ..self }
    }

    /// The same target with another size: a file that was cut.
    pub fn with_size(self, size: Bytes) -> Self {
        Self { limits: TargetLimits { size, ..self.limits }, ..self }
    }

    pub fn size(&self) -> Bytes {
        self.limits.size
    }

    pub fn is_device(&self) -> bool {
        self.device
    }

    /// Makes everything that was written durable (fsync).
    pub fn sync(&self) -> io::Result<()> {
        self.file().map_or(Ok(()), File::sync_all)
    }

    /// Makes everything on its file system durable (syncfs).
    pub fn sync_file_system(&self) -> io::Result<()> {
        Ok(self.file().map_or(Ok(()), rustix::fs::syncfs)?)
    }

    /// Asks the kernel to forget the clean pages of these bytes, so that reads reach the device.
    pub fn drop_cache(&self, offset: Bytes, length: Bytes) {
        if let Some(file) = self.file() {
            // Advice: what has no cache refuses it.
            let length = std::num::NonZeroU64::new(length.0);
            let _ = rustix::fs::fadvise(file, offset.0, length, rustix::fs::Advice::DontNeed);
        }
    }

    pub(crate) fn file(&self) -> Option<&File> {
        match &self.medium {
            TargetMedium::File(file) => Some(file),
            _ => None,
        }
    }

    pub(crate) fn socket_end(&self) -> Option<&Arc<SocketEnd>> {
        match &self.medium {
            TargetMedium::Socket(end) => Some(end),
            _ => None,
        }
    }

    pub(crate) fn named_entry(&self) -> Option<&Arc<NamedEntry>> {
        match &self.medium {
            TargetMedium::Name(entry) => Some(entry),
            _ => None,
        }
    }
}
