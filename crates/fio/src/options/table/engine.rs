//! Interfaces and depth.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Engine;

const CMDPRIO: &str = "one priority holds for all operations; use prio and prioclass";

pub(super) const TABLE: &[OptionSpec] = &[
    choice("ioengine", C, "Interface through which operations are done.", ENGINES)
        .without(REFUSED_ENGINES)
        .default("psync"),
    flag("direct", C, "Past the page cache (O_DIRECT).").default("0"),
    flag("buffered", C, "Through the page cache; the opposite of direct.").default("1"),
    flag("atomic", C, "Writes that happen as a whole or not at all.")
        .default("0")
        .refused("writes are not marked as atomic; use direct=1"),
    int("iodepth", C, "Operations in flight at the same time, per instance.")
        .default("1")
        .range(1, NO_MAX),
    int("iodepth_batch", C, "Operations sent with one call.")
        .alias(&["iodepth_batch_submit"])
        .default("1")
        .under("iodepth")
        .noted(BATCH),
    int("iodepth_batch_complete_min", C, "Fewest completions to wait for with one call.")
        .alias(&["iodepth_batch_complete"])
        .default("1")
        .under("iodepth")
        .noted(BATCH),
    int("iodepth_batch_complete_max", C, "Most completions to take with one call.")
        .under("iodepth")
        .noted(BATCH),
    int("iodepth_low", C, "Depth down to which completions are awaited before sending again.")
        .under("iodepth")
        .noted(BATCH),
    flag("serialize_overlap", C, "Hold an operation back while another one touches its place.")
        .default("0")
        .under("iodepth")
        .refused("operations are not compared with those in flight; use iodepth=1"),
    choice("io_submit_mode", C, "Who sends operations.", SUBMIT)
        .default("inline")
        .noted("a late operation is timed from its planned start, so offload is not needed"),
    switch("hipri", C, "Poll for completions instead of waiting for an interrupt.").of(&[
        "io_uring",
        "io_uring_cmd",
        "pvsync2",
        "sg",
        "libblkio",
    ]),
    percent("hipri_percentage", C, "Share of operations that are polled for, in percent.")
        .default("100")
        .of(&["pvsync2"])
        .refused("all operations are polled for, or none; use hipri"),
    flag("nowait", C, "Fail at once instead of waiting in the call (RWF_NOWAIT).").any().of(&[
        "io_uring",
        "io_uring_cmd",
        "libaio",
        "pvsync2",
    ]),
    int("uncached", C, "Drop data from the page cache right after use.")
        .any()
        .of(&["io_uring", "io_uring_cmd", "pvsync2"])
        .refused("few kernels know it; use direct=1 to keep out of the page cache"),
    switch("fixedbufs", C, "Register buffers with the kernel once.").of(URING),
    switch("registerfiles", C, "Register files with the kernel once.").of(URING),
    switch("sqthread_poll", C, "A thread of the kernel takes operations, without calls.").of(&[
        "io_uring",
        "io_uring_cmd",
        "xnvme",
    ]),
    int("sqthread_poll_cpu", C, "Processor of that thread.").any().under("sqthread_poll").of(URING),
    int("nonvectored", C, "Plain reads and writes instead of those with a list of buffers.")
        .default("-1")
        .any()
        .of(URING),
    int("force_async", C, "Hand every so many-th operation to a worker of the kernel.")
        .any()
        .of(URING),
    special("cmdprio_percentage", C, "Share of operations of high priority: read,write.")
        .of(PRIO)
        .range(0, 100)
        .refused(CMDPRIO),
    special("cmdprio_class", C, "Class of those operations: read,write.")
        .of(PRIO)
        .range(1, 3)
        .refused(CMDPRIO),
    special("cmdprio", C, "Level of those operations: read,write.")
        .of(PRIO)
        .range(0, 7)
        .refused(CMDPRIO),
    special("cmdprio_hint", C, "Hint of those operations: read,write (newer versions).")
        .of(PRIO)
        .refused(CMDPRIO),
    special("cmdprio_bssplit", C, "Shares of high priority per size of operations.")
        .of(PRIO)
        .refused(CMDPRIO),
    switch("userspace_reap", C, "Read completions straight from shared memory.")
        .of(&["libaio"])
        .noted("completions are always taken with a call"),
    flag("libaio_vectored", C, "Requests with a list of buffers (newer versions).")
        .default("0")
        .of(&["libaio"])
        .noted("requests have one buffer each"),
    int("thp", C, "Ask for huge pages for the mapping.")
        .any()
        .of(&["mmap"])
        .refused("mappings are of plain pages; leave it out"),
];

const BATCH: &str = "our engine sends and takes what is ready, in batches of its own";

/// Engines we run.
const ENGINES: &[(&str, &str)] = &[
    ("psync", "pread and pwrite"),
    ("sync", "lseek, read and write"),
    ("vsync", "readv and writev, neighbours in one call"),
    ("pvsync", "preadv and pwritev"),
    ("pvsync2", "preadv2 and pwritev2"),
    ("io_uring", "Linux io_uring"),
    ("libaio", "Linux native asynchronous requests"),
    ("posixaio", "run as psync with a note, one operation at a time"),
    ("mmap", "copies from and to a mapping of the file"),
    ("null", "nothing is moved; shows the cost of the tool itself"),
];

const NETWORK: &str = "it measures a network, not a disk; use iperf3";
const CEPH: &str = "Ceph's libraries are not linked; map the image (rbd map) and use its device";
const GLUSTER: &str = "Gluster's library is not linked; mount the volume and use a file";
const METADATA: &str = "only contents of files are measured, not their names; use mdtest";
const PMEM: &str = "its library is not linked; use mmap on a file system with dax";
const OTHER_OS: &str = "it is of another operating system; use io_uring or psync";
const VENDOR: &str = "its vendor's library is not linked; mount it and use io_uring or psync";
const SPACE: &str = "it measures the file system's allocation, not the disk";

/// Engines of fio's that we do not run.
const REFUSED_ENGINES: &[(&str, &str)] = &[
    ("io_uring_cmd", "raw NVMe commands are not sent; use io_uring on the block device"),
    ("sg", "raw SCSI commands are not sent; use io_uring on the block device"),
    ("splice", "data is not passed through a pipe; use psync"),
    ("net", NETWORK),
    ("netsplice", NETWORK),
    ("rdma", NETWORK),
    ("cpuio", "it loads processors, not a disk; use stress-ng"),
    ("falloc", SPACE),
    ("ftruncate", SPACE),
    ("e4defrag", SPACE),
    ("filecreate", METADATA),
    ("filestat", METADATA),
    ("filedelete", METADATA),
    ("dircreate", METADATA),
    ("dirstat", METADATA),
    ("dirdelete", METADATA),
    ("exec", "a job file never starts commands; run it from your script"),
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
    ("mtd", "flash without a block layer is not measured"),
    ("dev-dax", PMEM),
    ("libpmem", PMEM),
    ("pmemblk", PMEM),
    ("librpma_apm_client", PMEM),
    ("librpma_apm_server", PMEM),
    ("librpma_gpspm_client", PMEM),
    ("librpma_gpspm_server", PMEM),
    ("libzbc", "zoned block devices are not run"),
    ("solarisaio", OTHER_OS),
    ("windowsaio", OTHER_OS),
];

const SUBMIT: &[(&str, &str)] =
    &[("inline", "the job itself"), ("offload", "threads of their own")];
