//! Interface, depth, batches and flushes.

/// How operations are submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineOptions {
    /// `ioengine`.
    pub engine: Engine,
    /// `direct`, or not `buffered`: past the page cache.
    pub direct: bool,
    /// `atomic`: untorn writes.
    pub atomic: bool,
    /// `sync`: synchronous writes.
    pub sync: SyncMode,
    /// `iodepth`: operations in flight.
    pub iodepth: u32,
    /// `iodepth_batch`: operations per submission; 0: all that are free.
    pub batch_submit: u32,
    /// `iodepth_batch_complete_min`: completions to wait for; 0: only look.
    pub batch_complete_min: u32,
    /// `iodepth_batch_complete_max`: completions taken at once; `None`: the least.
    pub batch_complete_max: Option<u32>,
    /// `iodepth_low`: refill only below this depth; `None`: `iodepth`.
    pub iodepth_low: Option<u32>,
    /// `io_submit_mode`.
    pub submit_mode: SubmitMode,
    /// `serialize_overlap`: no two operations on the same bytes at a time.
    pub serialize_overlap: bool,
    /// `hipri`: poll for completions (`io_uring`, `pvsync2`).
    pub hipri: bool,
    /// `hipri_percentage`: percent of the operations with `hipri` (`pvsync2`).
    pub hipri_percentage: u8,
    /// `nowait`: fail rather than block (`io_uring`, `libaio`, `pvsync2`).
    pub nowait: bool,
    /// `uncached`: drop pages after use (`io_uring`, `pvsync2`).
    pub uncached: bool,
    /// `fixedbufs`: registered buffers (`io_uring`).
    pub fixedbufs: bool,
    /// `registerfiles`: registered files (`io_uring`).
    pub registerfiles: bool,
    /// `sqthread_poll`: a kernel thread submits (`io_uring`).
    pub sqthread_poll: bool,
    /// `sqthread_poll_cpu`: the processor of that thread.
    pub sqthread_poll_cpu: Option<u32>,
    /// `nonvectored`: plain instead of vectored commands (`io_uring`).
    pub nonvectored: bool,
    /// `force_async`: hand every n-th operation to a worker (`io_uring`); 0: none.
    pub force_async: u32,
    /// `userspace_reap`: read completions from shared memory (`libaio`).
    pub userspace_reap: bool,
    /// `libaio_vectored`: vectored commands (`libaio`).
    pub libaio_vectored: bool,
    /// `thp`: huge pages for mappings (`mmap`).
    pub thp: bool,
    /// `cmdprio_*`: priority per operation (`io_uring`, `libaio`).
    pub cmdprio: CommandPriority,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            engine: Engine::Psync,
            direct: false,
            atomic: false,
            sync: SyncMode::None,
            iodepth: 1,
            batch_submit: 1,
            batch_complete_min: 1,
            batch_complete_max: None,
            iodepth_low: None,
            submit_mode: SubmitMode::Inline,
            serialize_overlap: false,
            hipri: false,
            hipri_percentage: 100,
            nowait: false,
            uncached: false,
            fixedbufs: false,
            registerfiles: false,
            sqthread_poll: false,
            sqthread_poll_cpu: None,
            nonvectored: true,
            force_async: 0,
            userspace_reap: false,
            libaio_vectored: false,
            thp: false,
            cmdprio: CommandPriority::default(),
        }
    }
}

/// `ioengine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// `read`/`write` with `lseek`.
    Sync,
    /// `pread`/`pwrite`.
    Psync,
    /// Neighbouring operations joined into one `readv`/`writev`.
    Vsync,
    /// `preadv`/`pwritev`.
    Pvsync,
    /// `preadv2`/`pwritev2`.
    Pvsync2,
    /// Linux native asynchronous I/O.
    Libaio,
    /// `io_uring`.
    IoUring,
    /// POSIX asynchronous I/O.
    Posixaio,
    /// Memory mappings.
    Mmap,
    /// Nothing is done.
    Null,
}

impl Engine {
    /// Its word, as fio prints it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sync => "sync",
            Self::Psync => "psync",
            Self::Vsync => "vsync",
            Self::Pvsync => "pvsync",
            Self::Pvsync2 => "pvsync2",
            Self::Libaio => "libaio",
            Self::IoUring => "io_uring",
            Self::Posixaio => "posixaio",
            Self::Mmap => "mmap",
            Self::Null => "null",
        }
    }

    /// Whether an operation is done when its submission returns; depth is then always 1.
    #[must_use]
    pub const fn is_synchronous(self) -> bool {
        !matches!(self, Self::Libaio | Self::IoUring | Self::Posixaio | Self::Null)
    }
}

/// `sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncMode {
    /// Ordinary writes.
    None,
    /// `O_SYNC`.
    Sync,
    /// `O_DSYNC`.
    Dsync,
}

/// `io_submit_mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitMode {
    /// By the job itself.
    Inline,
    /// By a pool of threads.
    Offload,
}

/// `cmdprio_*`; arrays are for reads and writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandPriority {
    /// Percent of the operations with the priority.
    pub percentage: [u8; 2],
    /// Class, 0 to 3; 0 or unset: real time.
    pub class: [Option<u8>; 2],
    /// Level, 0 to 7.
    pub level: [u8; 2],
    /// `cmdprio_bssplit`, as text.
    pub bssplit: Option<String>,
}

/// Flushes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncOptions {
    /// `fsync`: after every n writes; 0: never.
    pub fsync: u32,
    /// `fdatasync`: after every n writes; 0: never.
    pub fdatasync: u32,
    /// `write_barrier`: every n-th write is a barrier; 0: none.
    pub write_barrier: u32,
    /// `sync_file_range`.
    pub sync_file_range: Option<SyncFileRange>,
    /// `end_fsync`: flush at the end of the job.
    pub end_fsync: bool,
    /// `end_syncfs`: flush the file system at the end.
    pub end_syncfs: bool,
    /// `fsync_on_close`.
    pub fsync_on_close: bool,
}

/// `sync_file_range=wait_before,write,wait_after:n`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SyncFileRange {
    /// Wait for pages already on their way.
    pub wait_before: bool,
    /// Start writing dirty pages.
    pub write: bool,
    /// Wait for those.
    pub wait_after: bool,
    /// After how many writes.
    pub every: u32,
}
