//! Interface and depth.

use super::cmdprio::{CmdPrioOptions, read_bssplit, read_levels};
use super::network::NetworkOptions;
use super::spec::*;

/// How operations are submitted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineOptions {
    pub engine: Engine,
    pub direct: bool,
    pub iodepth: u32,
    pub hipri: bool,
    pub nowait: bool,
    pub sqthread_poll: bool,
    pub sqthread_poll_cpu: Option<u32>,
    /// 0: no operation.
    pub force_async: u32,
    pub batch: BatchOptions,
    pub serialize_overlap: bool,
    pub cmdprio: CmdPrioOptions,
    pub stat_type: StatCall,
    pub cpu: CpuOptions,
    pub exec: ExecOptions,
    pub network: NetworkOptions,
    /// Transparent huge pages for a mapping.
    pub thp: bool,
}

/// Of `cpuio`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuOptions {
    /// Percent of a processor; 0: not given.
    pub load: u8,
    pub chunk_us: u64,
    pub mode: CpuMode,
    pub exit_on_io_done: bool,
}

/// Of `exec`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecOptions {
    pub program: Option<String>,
    pub arguments: String,
    /// Seconds between the request to end and the end.
    pub grace_s: u32,
    pub std_redirect: bool,
}

/// How many operations one call concerns; 0: not given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BatchOptions {
    pub submit: u32,
    pub complete_min: u32,
    pub complete_max: u32,
    /// `iodepth_low`
    pub low: u32,
}

impl EngineOptions {
    /// Whether calls may concern several operations.
    pub fn is_batched(&self) -> bool {
        let BatchOptions { submit, complete_min, complete_max, low } = self.batch;
        submit.max(complete_min).max(complete_max) > 1 || (low > 0 && low < self.iodepth)
    }
}

type O = EngineOptions;

/// Engines that send requests through the kernel's ring.
const URING: &[&str] = &["io_uring", "io_uring_cmd"];
/// Engines that set a priority per request.
const PRIO: &[&str] = &["io_uring", "io_uring_cmd", "libaio"];

const OTHERS_CPU: &str = "it would load the processors of another host; leave it out";
const OTHERS_PROGRAM: &str = "an agent starts no program; leave it out";
const HINT: &str = "hints are not passed to the disk; leave it out";

pub(super) const TABLE: &[Entry<O>] = &[
    choice("ioengine", "psync", "Interface through which operations are done.")
        .without(REFUSED_ENGINES)
        .sets(Any, |o: &mut O| &mut o.engine),
    flag("direct", "0", "Past the page cache (O_DIRECT).").sets(Any, |o: &mut O| &mut o.direct),
    flag("buffered", "1", "Through the page cache; the opposite of direct.")
        .reads(Any, |o: &mut O, reader| reader.read_flag().map(|value| o.direct = !value)),
    flag("atomic", "0", "Writes that happen as a whole or not at all.")
        .refused("writes are not marked as atomic; use direct=1")
        .reads(Any, |o: &mut O, reader| {
            o.direct |= reader.read_flag()?;
            Ok(())
        }),
    int("iodepth", "1", "Operations in flight at the same time, per instance.")
        .range(1, NO_MAX)
        .sets(Any, |o: &mut O| &mut o.iodepth),
    int("iodepth_batch", "1", "Operations sent with one call.")
        .alias(&["iodepth_batch_submit"])
        .under("iodepth")
        .sets(Any, |o: &mut O| &mut o.batch.submit),
    int("iodepth_batch_complete_min", "1", "Fewest completions to wait for with one call.")
        .alias(&["iodepth_batch_complete"])
        .under("iodepth")
        .sets(Any, |o: &mut O| &mut o.batch.complete_min),
    int("iodepth_batch_complete_max", "", "Most completions to take with one call.")
        .under("iodepth")
        .sets(Any, |o: &mut O| &mut o.batch.complete_max),
    int("iodepth_low", "", "Depth down to which completions are awaited before sending again.")
        .under("iodepth")
        .sets(Any, |o: &mut O| &mut o.batch.low),
    flag("serialize_overlap", "0", "Hold an operation back while another one touches its place.")
        .under("iodepth")
        .sets(Any, |o: &mut O| &mut o.serialize_overlap),
    choice("io_submit_mode", "inline", "Who sends operations.")
        .words(SUBMIT)
        .noted("a late operation is timed from its planned start, so offload is not needed"),
    switch("hipri", "", "Poll for completions instead of waiting for an interrupt.")
        .of(&["io_uring", "io_uring_cmd", "pvsync2", "sg", "libblkio"])
        .sets(Any, |o: &mut O| &mut o.hipri),
    percent("hipri_percentage", "100", "Share of operations that are polled for, in percent.")
        .of(&["pvsync2"])
        .refused("all operations are polled for, or none; use hipri"),
    flag("nowait", "", "Fail at once instead of waiting in the call (RWF_NOWAIT).")
        .any()
        .of(&["io_uring", "io_uring_cmd", "libaio", "pvsync2"])
        .reads(Any, |o: &mut O, reader| reader.read_switch().map(|value| o.nowait = value)),
    int("uncached", "", "Drop data from the page cache right after use.")
        .any()
        .of(&["io_uring", "io_uring_cmd", "pvsync2"])
        .refused("few kernels know it; use direct=1 to keep out of the page cache"),
    switch("fixedbufs", "", "Register buffers with the kernel once.").of(URING).checks(),
    switch("registerfiles", "", "Register files with the kernel once.").of(URING).checks(),
    switch("sqthread_poll", "", "A thread of the kernel takes operations, without calls.")
        .of(&["io_uring", "io_uring_cmd", "xnvme"])
        .sets(Any, |o: &mut O| &mut o.sqthread_poll),
    int("sqthread_poll_cpu", "", "Processor of that thread.")
        .any()
        .under("sqthread_poll")
        .of(URING)
        .sets(Any, |o: &mut O| &mut o.sqthread_poll_cpu),
    int("nonvectored", "-1", "Plain reads and writes instead of those with a list of buffers.")
        .any()
        .of(URING)
        .checks(),
    int("force_async", "", "Hand every n-th operation to a worker of the kernel.")
        .any()
        .of(URING)
        .sets(Any, |o: &mut O| &mut o.force_async),
    special("cmdprio_percentage", "", "Share of operations of high priority: read,write.")
        .of(PRIO)
        .range(0, 100)
        .reads(Any, |o: &mut O, reader| read_levels(&mut o.cmdprio.percentage, reader, (0, 100))),
    special("cmdprio_class", "", "Class of those operations: read,write.")
        .of(PRIO)
        .range(1, 3)
        .reads(Any, |o: &mut O, reader| read_levels(&mut o.cmdprio.class, reader, (1, 3))),
    special("cmdprio", "", "Level of those operations: read,write.")
        .of(PRIO)
        .range(0, 7)
        .reads(Any, |o: &mut O, reader| read_levels(&mut o.cmdprio.level, reader, (0, 7))),
    special("cmdprio_hint", "", "Hint of those operations: read,write (newer versions).")
        .of(PRIO)
        .refused(HINT)
        .unread(),
    special("cmdprio_bssplit", "", "Shares of high priority per size of operations.")
        .of(PRIO)
        .reads(Any, |o: &mut O, reader| read_bssplit(&mut o.cmdprio.bssplit, reader)),
    switch("userspace_reap", "", "Read completions straight from shared memory.")
        .of(&["libaio"])
        .noted("completions are always taken with a call"),
    flag("libaio_vectored", "0", "Requests with a list of buffers (newer versions).")
        .of(&["libaio"])
        .noted("requests have one buffer each"),
    int("cpuload", "", "Load of a processor, in percent.").of(&["cpuio"]).reads(
        Local(OTHERS_CPU),
        |o: &mut O, reader| {
            o.cpu.load = u8::try_from(reader.read_u32(1)?.min(100)).unwrap_or(100);
            Ok(())
        },
    ),
    usecs("cpuchunks", "50000", "Length of a busy piece, in microseconds.")
        .of(&["cpuio"])
        .sets(Local(OTHERS_CPU), |o: &mut O| &mut o.cpu.chunk_us),
    choice("cpumode", "noop", "How to be busy.")
        .of(&["cpuio"])
        .sets(Local(OTHERS_CPU), |o: &mut O| &mut o.cpu.mode),
    flag("exit_on_io_done", "0", "End when all jobs with I/O have ended.")
        .any()
        .of(&["cpuio"])
        .sets(Local(OTHERS_CPU), |o: &mut O| &mut o.cpu.exit_on_io_done),
    text("program", "", "Program to run; only with --allow-exec.")
        .of(&["exec"])
        .sets(Local(OTHERS_PROGRAM), |o: &mut O| &mut o.exec.program),
    text("arguments", "", "Its arguments; %r is the run time in seconds, %n the job's name.")
        .of(&["exec"])
        .sets(Local(OTHERS_PROGRAM), |o: &mut O| &mut o.exec.arguments),
    int("grace_time", "1", "Seconds that the program has to end when asked to.")
        .of(&["exec"])
        .sets(Local(OTHERS_PROGRAM), |o: &mut O| &mut o.exec.grace_s),
    flag("std_redirect", "1", "Keep its output in the files NAME.stdout and NAME.stderr.")
        .of(&["exec"])
        .sets(Local(OTHERS_PROGRAM), |o: &mut O| &mut o.exec.std_redirect),
    choice("stat_type", "stat", "Call that looks a name up.")
        .of(&["filestat", "dirstat"])
        .sets(Any, |o: &mut O| &mut o.stat_type),
    int("thp", "", "Ask for huge pages for the mapping.")
        .any()
        .of(&["mmap"])
        .reads(Any, |o: &mut O, reader| reader.read_switch().map(|value| o.thp = value)),
];

const SUBMIT: Words = &[("inline", "the job itself"), ("offload", "threads of their own")];

/// `ioengine`: the engines that are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Engine {
    Sync,
    #[default]
    Psync,
    Vsync,
    Pvsync,
    Pvsync2,
    Libaio,
    IoUring,
    Posixaio,
    Mmap,
    Splice,
    Falloc,
    Ftruncate,
    FileCreate,
    FileStat,
    FileDelete,
    DirCreate,
    DirStat,
    DirDelete,
    CpuIo,
    Exec,
    Net,
    Null,
}

impl Choice for Engine {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("psync", "pread and pwrite", Self::Psync),
        ("sync", "lseek, read and write", Self::Sync),
        ("vsync", "readv and writev, neighbours in one call", Self::Vsync),
        ("pvsync", "preadv and pwritev", Self::Pvsync),
        ("pvsync2", "preadv2 and pwritev2", Self::Pvsync2),
        ("io_uring", "Linux io_uring", Self::IoUring),
        ("libaio", "Linux native asynchronous requests", Self::Libaio),
        ("posixaio", "run as psync with a note, one operation at a time", Self::Posixaio),
        ("mmap", "copies from and to a mapping of the file", Self::Mmap),
        ("splice", "moves data through a pipe; reads go past the page cache", Self::Splice),
        ("falloc", "fallocate of each range, in files that the run makes", Self::Falloc),
        ("ftruncate", "ftruncate to each offset, of files that the run makes", Self::Ftruncate),
        ("filecreate", "opens each file once, and makes those that are missing", Self::FileCreate),
        ("filestat", "looks each file up once", Self::FileStat),
        ("filedelete", "removes each file, which truedisk must have made", Self::FileDelete),
        ("dircreate", "makes each folder", Self::DirCreate),
        ("dirstat", "looks each folder up once", Self::DirStat),
        ("dirdelete", "removes each folder, which truedisk must have made", Self::DirDelete),
        ("cpuio", "keeps a processor busy, and moves nothing", Self::CpuIo),
        ("exec", "runs a program beside the other jobs, with --allow-exec", Self::Exec),
        ("net", "sends blocks to, or receives them from, another job or host", Self::Net),
        ("null", "nothing is moved; shows the cost of the tool itself", Self::Null),
    ];
}

/// `cpumode`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CpuMode {
    #[default]
    Noop,
    Qsort,
}

impl Choice for CpuMode {
    const CHOICES: &'static [(&'static str, &'static str, Self)] =
        &[("noop", "idle steps", Self::Noop), ("qsort", "sorting", Self::Qsort)];
}

/// `stat_type`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StatCall {
    #[default]
    Stat,
    Lstat,
    Statx,
}

impl Choice for StatCall {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("stat", "stat, which follows a link", Self::Stat),
        ("lstat", "lstat, which does not", Self::Lstat),
        ("statx", "statx", Self::Statx),
    ];
}

impl Engine {
    /// Its word, as fio prints it.
    pub fn word(self) -> &'static str {
        self.choice_word()
    }

    /// Whether an operation changes the length or the space of its file, and moves no data.
    pub const fn changes_length(self) -> bool {
        matches!(self, Self::Falloc | Self::Ftruncate)
    }

    /// Whether an operation is a call on the name of a file or folder: one for each in a loop.
    pub const fn calls_names(self) -> bool {
        self.calls_folders() || matches!(self, Self::FileCreate | Self::FileStat | Self::FileDelete)
    }

    /// Whether these names are those of folders.
    pub const fn calls_folders(self) -> bool {
        matches!(self, Self::DirCreate | Self::DirStat | Self::DirDelete)
    }

    pub const fn creates_names(self) -> bool {
        matches!(self, Self::FileCreate | Self::DirCreate)
    }

    pub const fn removes_names(self) -> bool {
        matches!(self, Self::FileDelete | Self::DirDelete)
    }

    /// Whether a job only passes time.
    pub const fn passes_time(self) -> bool {
        matches!(self, Self::CpuIo | Self::Exec)
    }

    /// Whether no file is used.
    pub const fn has_no_target(self) -> bool {
        matches!(self, Self::Null | Self::CpuIo | Self::Exec | Self::Net)
    }

    /// Whether fio reports no disks under its targets.
    pub const fn is_diskless(self) -> bool {
        self.has_no_target() || matches!(self, Self::FileCreate) || self.calls_folders()
    }

    /// Whether an operation is done when its submission returns; depth is then always 1.
    pub const fn is_synchronous(self) -> bool {
        !matches!(self, Self::Libaio | Self::IoUring | Self::Posixaio | Self::Null)
    }
}

const NETWORK: &str = "it measures a network, not a disk; use iperf3";
const CEPH: &str = "Ceph's libraries are not linked; map the image (rbd map) and use its device";
const GLUSTER: &str = "Gluster's library is not linked; mount the volume and use a file";
const PMEM: &str = "its library is not linked; use mmap on a file system with dax";
const OTHER_OS: &str = "it is of another operating system; use io_uring or psync";
const VENDOR: &str = "its vendor's library is not linked; mount it and use io_uring or psync";
const SPACE: &str = "it measures the file system's allocation, not the disk; use falloc";

const REFUSED_ENGINES: Words = &[
    ("io_uring_cmd", "raw NVMe commands are not sent; use io_uring on the block device"),
    ("sg", "raw SCSI commands are not sent; use io_uring on the block device"),
    ("netsplice", "pages are not moved between pipe and socket; use net"),
    ("rdma", NETWORK),
    ("e4defrag", SPACE),
    ("external", "other programs are not loaded; use one of the engines listed"),
    ("rados", CEPH),
    ("rbd", CEPH),
    ("gfapi", GLUSTER),
    ("gfapi_async", GLUSTER),
    ("http", "object stores are not measured; use a tool such as warp"),
    ("nbd", "connect it with nbd-client and use its device"),
    ("libiscsi", "log in with iscsiadm and use its device"),
    ("nfs", "mount it and use a file"),
    ("libhdfs", VENDOR),
    ("dfs", VENDOR),
    ("ime_psync", VENDOR),
    ("ime_psyncv", VENDOR),
    ("ime_aio", VENDOR),
    ("libcufile", VENDOR),
    ("libblkio", "its library is not linked; use io_uring on the block device"),
    ("xnvme", "its library is not linked; use io_uring on the block device"),
    ("mtd", "flash without a block layer is not measured; use a block device over it (ubiblock)"),
    ("dev-dax", PMEM),
    ("libpmem", PMEM),
    ("pmemblk", PMEM),
    ("librpma_apm_client", PMEM),
    ("librpma_apm_server", PMEM),
    ("librpma_gpspm_client", PMEM),
    ("librpma_gpspm_server", PMEM),
    ("libzbc", "zoned block devices are not run; use io_uring on a device without zones"),
    ("solarisaio", OTHER_OS),
    ("windowsaio", OTHER_OS),
];
