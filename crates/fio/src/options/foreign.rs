//! Commands, and options that are never run: profiles, and engines that are not run. They are
//! known, so that the answer is a reason.

use super::run::RunOptions;
use super::spec::*;

type O = RunOptions;

const PROFILE: &str = "built-in profiles are not run; write the workload as a job file";
const COMMAND: &str = "an agent starts no program; leave it out";
const ACT: &[&str] = &["profile act"];
const TIOBENCH: &[&str] = &["profile tiobench"];

pub(super) const COMMANDS: &[Entry<O>] = &[
    text("exec_prerun", "", "Command to run before the job; only with --allow-exec.")
        .sets(Local(COMMAND), |o: &mut O| &mut o.exec_prerun),
    text("exec_postrun", "", "Command to run after the job; only with --allow-exec.")
        .sets(Local(COMMAND), |o: &mut O| &mut o.exec_postrun),
    choice("profile", "", "A built-in workload with options of its own.")
        .without(&[("tiobench", PROFILE), ("act", PROFILE)])
        .refused(PROFILE)
        .unread(),
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
    text(name, "", help).under("profile").of(profile).refused(PROFILE).unread()
}

const WHY: &str = "its engine is not run here; leave it out (see --cmdhelp=ioengine)";
const CEPH: &[&str] = &["rbd", "rados"];
const CMD: &[&str] = &["io_uring_cmd"];
const CMD_XNVME: &[&str] = &["io_uring_cmd", "xnvme"];
const SG: &[&str] = &["sg"];
const RPMA: &[&str] =
    &["librpma_apm_client", "librpma_apm_server", "librpma_gpspm_client", "librpma_gpspm_server"];
const HTTP: &[&str] = &["http"];
const XNVME: &[&str] = &["xnvme"];
const BLKIO: &[&str] = &["libblkio"];

impl Entry<O> {
    const fn foreign(self, engines: &'static [&'static str]) -> Self {
        self.of(engines).refused(WHY).unread()
    }
}

pub(super) const ENGINES: &[Entry<O>] = &[
    choice("cmd_type", "nvme", "Kind of raw command.").words(&[("nvme", "NVMe")]).foreign(CMD),
    text("write_mode", "write", "Raw command that stands for a write (newer versions).")
        .foreign(CMD),
    text("verify_mode", "read", "Raw command that checks (newer versions).").foreign(CMD),
    flag("deac", "", "Deallocate with zeroes (newer versions).").foreign(CMD),
    int("md_per_io_size", "", "Bytes of metadata per request (newer versions).").foreign(CMD_XNVME),
    flag("pi_act", "", "Let the drive handle protection (newer versions).").foreign(CMD_XNVME),
    text("pi_chk", "", "Protection fields to check (newer versions).").foreign(CMD_XNVME),
    int("apptag", "", "Tag of protected data (newer versions).").foreign(CMD_XNVME),
    int("apptag_mask", "", "Bits of that tag to check (newer versions).").foreign(CMD_XNVME),
    choice("verb", "write", "Verb of the transfer.").words(VERB).foreign(&["rdma"]),
    text("bindname", "", "Own address.").foreign(&["rdma"]),
    text("namenode", "", "Name node.").foreign(&["libhdfs"]),
    text("hdfsdirectory", "", "Folder in the store.").foreign(&["libhdfs"]),
    text("serverip", "", "Address of the server.").foreign(RPMA),
    flag("direct_write_to_pmem", "", "Whether direct writes reach the memory.").foreign(RPMA),
    flag("busy_wait_polling", "", "Wait busily.").foreign(RPMA),
    text("donorname", "", "File that gives blocks.").foreign(&["e4defrag"]),
    int("inplace", "", "When the donor's blocks are made.").range(0, 1).foreign(&["e4defrag"]),
    text("clustername", "", "Name of the cluster.").foreign(CEPH),
    text("rbdname", "", "Name of the image.").foreign(&["rbd"]),
    text("clientname", "", "User of the cluster.").foreign(CEPH),
    text("conf", "/etc/ceph/ceph.conf", "Settings of the cluster.").foreign(&["rados"]),
    flag("busy_poll", "0", "Wait busily.").foreign(CEPH),
    flag("touch_objects", "1", "Make objects at the start.").foreign(&["rados"]),
    text("pool", "", "Pool of the store.").foreign(&["rbd", "rados", "dfs"]),
    text("cont", "", "Container.").foreign(&["dfs"]),
    size("chunk_size", "", "Size of chunks.").foreign(&["dfs", "libhdfs"]),
    text("object_class", "", "Class of objects.").foreign(&["dfs"]),
    text("volume", "", "Name of the volume.").foreign(&["gfapi", "gfapi_async"]),
    text("brick", "", "Brick of the volume.").foreign(&["gfapi", "gfapi_async"]),
    flag("single-instance", "", "One connection for all.").any().foreign(&["gfapi", "gfapi_async"]),
    flag("skip_bad", "0", "Leave bad blocks out.").any().foreign(&["mtd"]),
    flag("readfua", "0", "Reads past the drive's cache.").any().foreign(&["sg", "io_uring_cmd"]),
    flag("writefua", "0", "Writes past the drive's cache.").any().foreign(&["sg", "io_uring_cmd"]),
    choice("sg_write_mode", "write", "Raw command that stands for a write.")
        .words(SG_WRITE)
        .foreign(SG),
    int("stream_id", "0", "Number of the write stream.").any().foreign(SG),
    text("http_host", "localhost", "Host of the store.").foreign(HTTP),
    text("http_user", "", "User of the store.").foreign(HTTP),
    text("http_pass", "", "Password of the store.").foreign(HTTP),
    text("https", "off", "Whether and how the connection is encrypted.").foreign(HTTP),
    text("http_mode", "webdav", "Kind of store: webdav, swift, s3.").foreign(HTTP),
    text("http_s3_region", "us-east-1", "Region of the store.").foreign(HTTP),
    text("http_s3_key", "", "Secret key.").foreign(HTTP),
    text("http_s3_keyid", "", "Number of the key.").foreign(HTTP),
    text("http_s3_security_token", "", "Token of a session (newer versions).").foreign(HTTP),
    text("http_s3_sse_customer_key", "", "Key of encryption at the store.").foreign(HTTP),
    text("http_s3_sse_customer_algorithm", "AES256", "Algorithm of that encryption.").foreign(HTTP),
    text("http_s3_storage_class", "STANDARD", "Class of storage.").foreign(HTTP),
    text("http_swift_auth_token", "", "Token of the store.").foreign(HTTP),
    text("http_object_mode", "", "Objects as blocks or as ranges (newer versions).").foreign(HTTP),
    int("http_verbose", "0", "Verbosity.").foreign(&["http"]),
    text("uri", "", "Address of the export.").foreign(&["nbd"]),
    text("gpu_dev_ids", "", "Graphics cards to use.").foreign(&["libcufile"]),
    text("cuda_io", "cufile", "How data reaches the card.").foreign(&["libcufile"]),
    text("nfs_url", "", "Address of the share.").foreign(&["nfs"]),
    text("xnvme_async", "", "Backend of asynchronous commands.").foreign(XNVME),
    text("xnvme_sync", "", "Backend of synchronous commands.").foreign(XNVME),
    text("xnvme_admin", "", "Backend of administrative commands.").foreign(XNVME),
    text("xnvme_mem", "", "Where buffers are (newer versions).").foreign(XNVME),
    text("xnvme_dev_nsid", "", "Number of the namespace.").foreign(XNVME),
    text("xnvme_dev_subnqn", "", "Name of the subsystem (newer versions).").foreign(XNVME),
    text("xnvme_iovec", "", "Requests with a list of buffers.").foreign(XNVME),
    text("libblkio_driver", "", "Driver (newer versions).").foreign(BLKIO),
    text("libblkio_path", "", "Value of its property path (newer versions).").foreign(BLKIO),
    text("libblkio_pre_connect_props", "", "Properties before connecting (newer versions).")
        .foreign(BLKIO),
    text("libblkio_num_entries", "", "Entries of its queue (newer versions).").foreign(BLKIO),
    text("libblkio_queue_size", "", "Size of its queue (newer versions).").foreign(BLKIO),
    text("libblkio_pre_start_props", "", "Properties before the start (newer versions).")
        .foreign(BLKIO),
    text("libblkio_vectored", "", "Requests with a list of buffers (newer versions).")
        .foreign(BLKIO),
    text("libblkio_write_zeroes_on_trim", "", "Zeroes instead of trims (newer versions).")
        .foreign(BLKIO),
    text("libblkio_wait_mode", "", "How completions are awaited (newer versions).").foreign(BLKIO),
    text("libblkio_force_enable_completion_eventfd", "", "Keep events on (newer versions).")
        .foreign(BLKIO),
];

const VERB: Words = &[
    ("write", "write to memory"),
    ("read", "read from memory"),
    ("send", "send"),
    ("recv", "receive"),
];

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
