//! Through which kernel interface the engine works.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::Nanos;

/// Through which kernel interface the engine works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackendChoice {
    /// io_uring where the kernel allows it, else threads.
    Auto,
    IoUring,
    /// io_uring with its special switches.
    IoUringWith(UringSwitches),
    /// Linux's older asynchronous interface (io_submit), which is asynchronous for direct I/O only.
    Libaio,
    /// lseek, then read or write; a thread per outstanding operation.
    Sync,
    /// pread and pwrite; a thread per outstanding operation.
    Psync,
    /// preadv and pwritev; a thread per outstanding operation.
    Pvsync,
    /// preadv2 and pwritev2 with their flags; a thread per outstanding operation.
    Pvsync2 {
        /// RWF_HIPRI: completion is polled for, where the device can be.
        hipri: bool,
        /// RWF_NOWAIT: what would block fails, and is tried again.
        nowait: bool,
    },
    /// One thread per outstanding operation, each with preadv2/pwritev2.
    Threads,
    /// Memory copies to and from a mapping of the file; a thread per outstanding operation.
    Mmap,
    /// The same, with advice to the kernel about the mapping.
    MmapWith(MmapSwitches),
    /// Pages through a pipe (splice); a thread per outstanding operation.
    Splice,
    /// fallocate of the range of each operation: a write makes the file longer, a read does not.
    Falloc,
    /// ftruncate to the offset of each write.
    Ftruncate,
    /// A call on the name of each target instead of a transfer.
    Names(NameCall),
    /// The processor is busy for a time per operation, and no target is used.
    Busy {
        time: Nanos,
        sorts: bool,
    },
    /// A block is sent to, or received from, the other end of the target's connection.
    Socket {
        /// Each block is answered by one of the same length.
        answers: bool,
    },
    /// Nothing is done: what the generator itself can do.
    Null,
    /// The target's simulated device, on a virtual clock.
    Simulated,
}

/// A call on a name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameCall {
    /// open with O_CREAT. Closing the file is not part of the operation.
    CreateFile,
    CreateFolder,
    /// stat, which follows a link.
    Stat,
    Lstat,
    Statx,
    RemoveFile,
    RemoveFolder,
}

/// Advice to the kernel about a mapping.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MmapSwitches {
    /// MADV_RANDOM or MADV_SEQUENTIAL; neither without it.
    pub random: Option<bool>,
    /// MADV_HUGEPAGE: transparent huge pages, where the file system has them.
    pub huge_pages: bool,
}

/// io_uring's switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UringSwitches {
    /// IORING_SETUP_IOPOLL: completions are polled from the device.
    pub iopoll: bool,
    /// IORING_SETUP_SQPOLL: a kernel thread takes submissions.
    pub sqpoll: bool,
    /// The processor that thread is pinned to.
    pub sqpoll_cpu: Option<u32>,
    /// IOSQE_ASYNC: every request goes to a kernel thread at once.
    pub force_async: bool,
    /// Without registered buffers and files.
    pub plain: bool,
}

impl BackendChoice {
    /// Whether an operation blocks its thread, so that depth takes threads.
    pub const fn is_synchronous(self) -> bool {
        matches!(
            self,
            Self::Sync
                | Self::Psync
                | Self::Pvsync
                | Self::Pvsync2 { .. }
                | Self::Threads
                | Self::Mmap
                | Self::MmapWith(_)
                | Self::Splice
                | Self::Falloc
                | Self::Ftruncate
                | Self::Names(_)
                | Self::Busy { .. }
                | Self::Socket { .. }
        )
    }

    /// Whether blocks can be given back through it. Those calls block: on an asynchronous
    /// interface each is waited for when it is submitted.
    pub const fn can_trim(self) -> bool {
        matches!(self, Self::Auto | Self::Null | Self::Simulated)
            || matches!(self, Self::IoUring | Self::IoUringWith(_) | Self::Libaio)
            || (self.is_synchronous()
                && !matches!(
                    self,
                    Self::Mmap
                        | Self::MmapWith(_)
                        | Self::Splice
                        | Self::Ftruncate
                        | Self::Names(_)
                        | Self::Busy { .. }
                        | Self::Socket { .. }
                ))
    }
}
