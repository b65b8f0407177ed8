//! Options that are never run: commands, profiles, and engines that are not run. They are known, so
//! that the answer is a reason.

use super::run::RunOptions;
use super::spec::{Entry, Words, choice, flag, int, percent, size, switch, text, usecs};

/// No entry sets a field.
type O = RunOptions;

const PROFILE: &str = "built-in profiles are not run; write the workload as a job file";
const ACT: &[&str] = &["profile act"];
const TIOBENCH: &[&str] = &["profile tiobench"];

pub(super) const COMMANDS: &[Entry<O>] = &[
    text("exec_prerun", "Command to run before the job.")
        .refused("a job file never starts commands; run it before, in your script")
        .checks(),
    text("exec_postrun", "Command to run after the job.")
        .refused("a job file never starts commands; run it afterwards, in your script")
        .checks(),
    choice("profile", "A built-in workload with options of its own.")
        .without(&[("tiobench", PROFILE), ("act", PROFILE)])
        .refused(PROFILE),
    profile_option(ACT, "device-names", "Devices of the profile act, separated by commas."),
    profile_option(ACT, "load", "Load multiplier of the profile act."),
    profile_option(ACT, "test-duration", "Run time of the profile act."),
    profile_option(ACT, "threads-per-queue", "Threads per device of the profile act."),
    profile_option(ACT, "read-req-num-512-blocks", "Sectors per read of the profile act."),
    profile_option(
        ACT,
        "large-block-op-kbytes",
        "Kilobytes per large operation of the profile act.",
    ),
    profile_option(ACT, "prep", "Have the profile act prepare its devices."),
    profile_option(TIOBENCH, "block", "Block size of the profile tiobench."),
    profile_option(TIOBENCH, "numruns", "Number of runs of the profile tiobench."),
    profile_option(TIOBENCH, "dir", "Folder of the profile tiobench."),
];

const fn profile_option(
    profile: &'static [&'static str],
    name: &'static str,
    help: &'static str,
) -> Entry<O> {
    text(name, help).under("profile").of(profile).refused(PROFILE)
}

const WHY: &str = "its engine is not run here; leave it out (see --cmdhelp=ioengine)";
const NET: &[&str] = &["net", "netsplice"];
const CEPH: &[&str] = &["rbd", "rados"];
const CMD: &[&str] = &["io_uring_cmd"];
const CMD_XNVME: &[&str] = &["io_uring_cmd", "xnvme"];
const SG: &[&str] = &["sg"];
const RPMA: &[&str] =
    &["librpma_apm_client", "librpma_apm_server", "librpma_gpspm_client", "librpma_gpspm_server"];
const HTTP: &[&str] = &["http"];
const XNVME: &[&str] = &["xnvme"];
const BLKIO: &[&str] = &["libblkio"];

const fn foreign(engines: &'static [&'static str], entry: Entry<O>) -> Entry<O> {
    entry.of(engines).refused(WHY)
}

pub(super) const ENGINES: &[Entry<O>] = &[
    foreign(
        CMD,
        choice("cmd_type", "Kind of raw command.").words(&[("nvme", "NVMe")]).default("nvme"),
    ),
    foreign(
        CMD,
        text("write_mode", "Raw command that stands for a write (newer versions).")
            .default("write"),
    ),
    foreign(CMD, text("verify_mode", "Raw command that checks (newer versions).").default("read")),
    foreign(CMD, flag("deac", "Deallocate with zeroes (newer versions).")),
    foreign(CMD_XNVME, int("md_per_io_size", "Bytes of metadata per request (newer versions).")),
    foreign(CMD_XNVME, flag("pi_act", "Let the drive handle protection (newer versions).")),
    foreign(CMD_XNVME, text("pi_chk", "Protection fields to check (newer versions).")),
    foreign(CMD_XNVME, int("apptag", "Tag of protected data (newer versions).")),
    foreign(CMD_XNVME, int("apptag_mask", "Bits of that tag to check (newer versions).")),
    foreign(&["cpuio"], percent("cpuload", "Load of a processor, in percent.").any()),
    foreign(
        &["cpuio"],
        usecs("cpuchunks", "Length of a busy piece, in microseconds.").default("50000"),
    ),
    foreign(
        &["cpuio"],
        choice("cpumode", "How to be busy.")
            .words(&[("noop", "idle steps"), ("qsort", "sorting")])
            .default("noop"),
    ),
    foreign(&["cpuio"], flag("exit_on_io_done", "End with the other jobs.").default("0").any()),
    foreign(&["net", "netsplice", "rdma"], text("hostname", "Name of the other host.")),
    foreign(
        &["net", "netsplice", "rdma", "libhdfs"],
        int("port", "Port of the other host.").range(1, 65535),
    ),
    foreign(
        NET,
        choice("protocol", "Protocol of the connection.")
            .words(PROTOCOL)
            .alias(&["proto"])
            .default("tcp"),
    ),
    foreign(NET, flag("nodelay", "Send small packets at once.").any()),
    foreign(NET, switch("listen", "Wait for the other host to connect.")),
    foreign(NET, switch("pingpong", "Answer each packet.")),
    foreign(NET, text("interface", "Card to send with.")),
    foreign(NET, int("ttl", "Hops a packet may take.").default("1").any()),
    foreign(NET, size("window_size", "Buffer of the connection.")),
    foreign(NET, int("mss", "Largest segment.").any()),
    foreign(&["rdma"], choice("verb", "Verb of the transfer.").words(VERB).default("write")),
    foreign(&["rdma"], text("bindname", "Own address.")),
    foreign(&["libhdfs"], text("namenode", "Name node.")),
    foreign(&["libhdfs"], text("hdfsdirectory", "Folder in the store.")),
    foreign(RPMA, text("serverip", "Address of the server.")),
    foreign(RPMA, flag("direct_write_to_pmem", "Whether direct writes reach the memory.")),
    foreign(RPMA, flag("busy_wait_polling", "Wait busily.")),
    foreign(&["e4defrag"], text("donorname", "File that gives blocks.")),
    foreign(&["e4defrag"], int("inplace", "When the donor's blocks are made.").range(0, 1)),
    foreign(CEPH, text("clustername", "Name of the cluster.")),
    foreign(&["rbd"], text("rbdname", "Name of the image.")),
    foreign(CEPH, text("clientname", "User of the cluster.")),
    foreign(&["rados"], text("conf", "Settings of the cluster.").default("/etc/ceph/ceph.conf")),
    foreign(CEPH, flag("busy_poll", "Wait busily.").default("0")),
    foreign(&["rados"], flag("touch_objects", "Make objects at the start.").default("1")),
    foreign(&["rbd", "rados", "dfs"], text("pool", "Pool of the store.")),
    foreign(&["dfs"], text("cont", "Container.")),
    foreign(&["dfs", "libhdfs"], size("chunk_size", "Size of chunks.")),
    foreign(&["dfs"], text("object_class", "Class of objects.")),
    foreign(&["gfapi", "gfapi_async"], text("volume", "Name of the volume.")),
    foreign(&["gfapi", "gfapi_async"], text("brick", "Brick of the volume.")),
    foreign(&["gfapi", "gfapi_async"], flag("single-instance", "One connection for all.").any()),
    foreign(&["mtd"], flag("skip_bad", "Leave bad blocks out.").default("0").any()),
    foreign(
        &["filestat", "dirstat"],
        choice("stat_type", "Call to make.").words(STAT).default("stat"),
    ),
    foreign(
        &["sg", "io_uring_cmd"],
        flag("readfua", "Reads past the drive's cache.").default("0").any(),
    ),
    foreign(
        &["sg", "io_uring_cmd"],
        flag("writefua", "Writes past the drive's cache.").default("0").any(),
    ),
    foreign(
        SG,
        choice("sg_write_mode", "Raw command that stands for a write.")
            .words(SG_WRITE)
            .default("write"),
    ),
    foreign(SG, int("stream_id", "Number of the write stream.").default("0").any()),
    foreign(HTTP, text("http_host", "Host of the store.").default("localhost")),
    foreign(HTTP, text("http_user", "User of the store.")),
    foreign(HTTP, text("http_pass", "Password of the store.")),
    foreign(HTTP, text("https", "Whether and how the connection is encrypted.").default("off")),
    foreign(HTTP, text("http_mode", "Kind of store: webdav, swift, s3.").default("webdav")),
    foreign(HTTP, text("http_s3_region", "Region of the store.").default("us-east-1")),
    foreign(HTTP, text("http_s3_key", "Secret key.")),
    foreign(HTTP, text("http_s3_keyid", "Number of the key.")),
    foreign(HTTP, text("http_s3_security_token", "Token of a session (newer versions).")),
    foreign(HTTP, text("http_s3_sse_customer_key", "Key of encryption at the store.")),
    foreign(
        HTTP,
        text("http_s3_sse_customer_algorithm", "Algorithm of that encryption.").default("AES256"),
    ),
    foreign(HTTP, text("http_s3_storage_class", "Class of storage.").default("STANDARD")),
    foreign(HTTP, text("http_swift_auth_token", "Token of the store.")),
    foreign(HTTP, text("http_object_mode", "Objects as blocks or as ranges (newer versions).")),
    foreign(&["http"], int("http_verbose", "How much is told.").default("0")),
    foreign(&["nbd"], text("uri", "Address of the export.")),
    foreign(&["libcufile"], text("gpu_dev_ids", "Graphics cards to use.")),
    foreign(&["libcufile"], text("cuda_io", "How data reaches the card.").default("cufile")),
    foreign(&["nfs"], text("nfs_url", "Address of the share.")),
    foreign(&["exec"], text("program", "Program to run.")),
    foreign(&["exec"], text("arguments", "Arguments of the program.")),
    foreign(&["exec"], int("grace_time", "Seconds the program has to end.").default("1").any()),
    foreign(
        &["exec"],
        flag("std_redirect", "Keep the program's output in files.").default("1").any(),
    ),
    foreign(XNVME, text("xnvme_async", "Backend of asynchronous commands.")),
    foreign(XNVME, text("xnvme_sync", "Backend of synchronous commands.")),
    foreign(XNVME, text("xnvme_admin", "Backend of administrative commands.")),
    foreign(XNVME, text("xnvme_mem", "Where buffers are (newer versions).")),
    foreign(XNVME, text("xnvme_dev_nsid", "Number of the namespace.")),
    foreign(XNVME, text("xnvme_dev_subnqn", "Name of the subsystem (newer versions).")),
    foreign(XNVME, text("xnvme_iovec", "Requests with a list of buffers.")),
    foreign(BLKIO, text("libblkio_driver", "Driver (newer versions).")),
    foreign(BLKIO, text("libblkio_path", "Value of its property path (newer versions).")),
    foreign(
        BLKIO,
        text("libblkio_pre_connect_props", "Properties before connecting (newer versions)."),
    ),
    foreign(BLKIO, text("libblkio_num_entries", "Entries of its queue (newer versions).")),
    foreign(BLKIO, text("libblkio_queue_size", "Size of its queue (newer versions).")),
    foreign(
        BLKIO,
        text("libblkio_pre_start_props", "Properties before the start (newer versions)."),
    ),
    foreign(BLKIO, text("libblkio_vectored", "Requests with a list of buffers (newer versions).")),
    foreign(
        BLKIO,
        text("libblkio_write_zeroes_on_trim", "Zeroes instead of trims (newer versions)."),
    ),
    foreign(BLKIO, text("libblkio_wait_mode", "How completions are awaited (newer versions).")),
    foreign(
        BLKIO,
        text("libblkio_force_enable_completion_eventfd", "Keep events on (newer versions)."),
    ),
];

const PROTOCOL: Words = &[
    ("tcp", "TCP"),
    ("tcpv6", "TCP over IPv6"),
    ("udp", "UDP"),
    ("udpv6", "UDP over IPv6"),
    ("unix", "a socket file"),
    ("vsock", "a virtual machine's socket (newer versions)"),
];

const VERB: Words = &[
    ("write", "write to memory"),
    ("read", "read from memory"),
    ("send", "send"),
    ("recv", "receive"),
];

const STAT: Words = &[("stat", "stat"), ("lstat", "lstat"), ("statx", "statx")];

const SG_WRITE: Words = &[
    ("write", "WRITE"),
    ("write_and_verify", "WRITE AND VERIFY"),
    ("verify", "the same as write_and_verify"),
    ("write_same", "WRITE SAME"),
    ("same", "the same as write_same"),
    ("write_same_ndob", "WRITE SAME without data"),
    ("verify_bytchk_00", "VERIFY, the medium only"),
    ("verify_bytchk_01", "VERIFY, all bytes"),
    ("verify_bytchk_11", "VERIFY, one block"),
    ("write_stream", "WRITE STREAM"),
];
