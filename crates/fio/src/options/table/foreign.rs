//! Options of engines that are not run: known, so that the answer is a reason and not a riddle.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Engine;

const WHY: &str = "its engine is not run here; leave it out (see --cmdhelp=ioengine)";
const NET: &[&str] = &["net", "netsplice"];
const CEPH: &[&str] = &["rbd", "rados"];
const CMD: &[&str] = &["io_uring_cmd"];
const SG: &[&str] = &["sg"];
const RPMA: &[&str] =
    &["librpma_apm_client", "librpma_apm_server", "librpma_gpspm_client", "librpma_gpspm_server"];

pub(super) const TABLE: &[OptionSpec] = &[
    choice("cmd_type", C, "Kind of raw command.", &[("nvme", "NVMe")])
        .default("nvme")
        .of(CMD)
        .refused(WHY),
    text("write_mode", C, "Raw command that stands for a write (newer versions).")
        .default("write")
        .of(CMD)
        .refused(WHY),
    text("verify_mode", C, "Raw command that checks (newer versions).")
        .default("read")
        .of(CMD)
        .refused(WHY),
    flag("deac", C, "Deallocate with zeroes (newer versions).").of(CMD).refused(WHY),
    int("md_per_io_size", C, "Bytes of metadata per request (newer versions).")
        .of(&["io_uring_cmd", "xnvme"])
        .refused(WHY),
    flag("pi_act", C, "Let the drive handle protection (newer versions).")
        .of(&["io_uring_cmd", "xnvme"])
        .refused(WHY),
    text("pi_chk", C, "Protection fields to check (newer versions).")
        .of(&["io_uring_cmd", "xnvme"])
        .refused(WHY),
    int("apptag", C, "Tag of protected data (newer versions).")
        .of(&["io_uring_cmd", "xnvme"])
        .refused(WHY),
    int("apptag_mask", C, "Bits of that tag to check (newer versions).")
        .of(&["io_uring_cmd", "xnvme"])
        .refused(WHY),
    percent("cpuload", C, "Load of a processor, in percent.").any().of(&["cpuio"]).refused(WHY),
    usecs("cpuchunks", C, "Length of a busy piece, in microseconds.")
        .default("50000")
        .of(&["cpuio"])
        .refused(WHY),
    choice("cpumode", C, "How to be busy.", &[("noop", "idle steps"), ("qsort", "sorting")])
        .default("noop")
        .of(&["cpuio"])
        .refused(WHY),
    flag("exit_on_io_done", C, "End with the other jobs.")
        .default("0")
        .any()
        .of(&["cpuio"])
        .refused(WHY),
    text("hostname", C, "Name of the other host.").of(&["net", "netsplice", "rdma"]).refused(WHY),
    int("port", C, "Port of the other host.")
        .range(1, 65535)
        .of(&["net", "netsplice", "rdma", "libhdfs"])
        .refused(WHY),
    choice("protocol", C, "Protocol of the connection.", PROTOCOL)
        .alias(&["proto"])
        .default("tcp")
        .of(NET)
        .refused(WHY),
    flag("nodelay", C, "Send small packets at once.").any().of(NET).refused(WHY),
    switch("listen", C, "Wait for the other host to connect.").of(NET).refused(WHY),
    switch("pingpong", C, "Answer each packet.").of(NET).refused(WHY),
    text("interface", C, "Card to send with.").of(NET).refused(WHY),
    int("ttl", C, "Hops a packet may take.").default("1").any().of(NET).refused(WHY),
    size("window_size", C, "Buffer of the connection.").of(NET).refused(WHY),
    int("mss", C, "Largest segment.").any().of(NET).refused(WHY),
    choice("verb", C, "Verb of the transfer.", VERB).default("write").of(&["rdma"]).refused(WHY),
    text("bindname", C, "Own address.").of(&["rdma"]).refused(WHY),
    text("namenode", C, "Name node.").of(&["libhdfs"]).refused(WHY),
    text("hdfsdirectory", C, "Folder in the store.").of(&["libhdfs"]).refused(WHY),
    text("serverip", C, "Address of the server.").of(RPMA).refused(WHY),
    flag("direct_write_to_pmem", C, "Whether direct writes reach the memory.")
        .of(RPMA)
        .refused(WHY),
    flag("busy_wait_polling", C, "Wait busily.").of(RPMA).refused(WHY),
    text("donorname", C, "File that gives blocks.").of(&["e4defrag"]).refused(WHY),
    int("inplace", C, "When the donor's blocks are made.")
        .range(0, 1)
        .of(&["e4defrag"])
        .refused(WHY),
    text("clustername", C, "Name of the cluster.").of(CEPH).refused(WHY),
    text("rbdname", C, "Name of the image.").of(&["rbd"]).refused(WHY),
    text("clientname", C, "User of the cluster.").of(CEPH).refused(WHY),
    text("conf", C, "Settings of the cluster.")
        .default("/etc/ceph/ceph.conf")
        .of(&["rados"])
        .refused(WHY),
    flag("busy_poll", C, "Wait busily.").default("0").of(CEPH).refused(WHY),
    flag("touch_objects", C, "Make objects at the start.").default("1").of(&["rados"]).refused(WHY),
    text("pool", C, "Pool of the store.").of(&["rbd", "rados", "dfs"]).refused(WHY),
    text("cont", C, "Container.").of(&["dfs"]).refused(WHY),
    size("chunk_size", C, "Size of chunks.").of(&["dfs", "libhdfs"]).refused(WHY),
    text("object_class", C, "Class of objects.").of(&["dfs"]).refused(WHY),
    text("volume", C, "Name of the volume.").of(&["gfapi", "gfapi_async"]).refused(WHY),
    text("brick", C, "Brick of the volume.").of(&["gfapi", "gfapi_async"]).refused(WHY),
    flag("single-instance", C, "One connection for all.")
        .any()
        .of(&["gfapi", "gfapi_async"])
        .refused(WHY),
    flag("skip_bad", C, "Leave bad blocks out.").default("0").any().of(&["mtd"]).refused(WHY),
    choice("stat_type", C, "Call to make.", STAT)
        .default("stat")
        .of(&["filestat", "dirstat"])
        .refused(WHY),
    flag("readfua", C, "Reads past the drive's cache.")
        .default("0")
        .any()
        .of(&["sg", "io_uring_cmd"])
        .refused(WHY),
    flag("writefua", C, "Writes past the drive's cache.")
        .default("0")
        .any()
        .of(&["sg", "io_uring_cmd"])
        .refused(WHY),
    choice("sg_write_mode", C, "Raw command that stands for a write.", SG_WRITE)
        .default("write")
        .of(SG)
        .refused(WHY),
    int("stream_id", C, "Number of the write stream.").default("0").any().of(SG).refused(WHY),
    http("http_host", "Host of the store.").default("localhost"),
    http("http_user", "User of the store."),
    http("http_pass", "Password of the store."),
    http("https", "Whether and how the connection is encrypted.").default("off"),
    http("http_mode", "Kind of store: webdav, swift, s3.").default("webdav"),
    http("http_s3_region", "Region of the store.").default("us-east-1"),
    http("http_s3_key", "Secret key."),
    http("http_s3_keyid", "Number of the key."),
    http("http_s3_security_token", "Token of a session (newer versions)."),
    http("http_s3_sse_customer_key", "Key of encryption at the store."),
    http("http_s3_sse_customer_algorithm", "Algorithm of that encryption.").default("AES256"),
    http("http_s3_storage_class", "Class of storage.").default("STANDARD"),
    http("http_swift_auth_token", "Token of the store."),
    http("http_object_mode", "Objects as blocks or as ranges (newer versions)."),
    int("http_verbose", C, "How much is told.").default("0").of(&["http"]).refused(WHY),
    text("uri", C, "Address of the export.").of(&["nbd"]).refused(WHY),
    text("gpu_dev_ids", C, "Graphics cards to use.").of(&["libcufile"]).refused(WHY),
    text("cuda_io", C, "How data reaches the card.")
        .default("cufile")
        .of(&["libcufile"])
        .refused(WHY),
    text("nfs_url", C, "Address of the share.").of(&["nfs"]).refused(WHY),
    text("program", C, "Program to run.").of(&["exec"]).refused(WHY),
    text("arguments", C, "Arguments of the program.").of(&["exec"]).refused(WHY),
    int("grace_time", C, "Seconds the program has to end.")
        .default("1")
        .any()
        .of(&["exec"])
        .refused(WHY),
    flag("std_redirect", C, "Keep the program's output in files.")
        .default("1")
        .any()
        .of(&["exec"])
        .refused(WHY),
    xnvme("xnvme_async", "Backend of asynchronous commands."),
    xnvme("xnvme_sync", "Backend of synchronous commands."),
    xnvme("xnvme_admin", "Backend of administrative commands."),
    xnvme("xnvme_mem", "Where buffers are (newer versions)."),
    xnvme("xnvme_dev_nsid", "Number of the namespace."),
    xnvme("xnvme_dev_subnqn", "Name of the subsystem (newer versions)."),
    xnvme("xnvme_iovec", "Requests with a list of buffers."),
    blkio("libblkio_driver", "Driver (newer versions)."),
    blkio("libblkio_path", "Value of its property path (newer versions)."),
    blkio("libblkio_pre_connect_props", "Properties before connecting (newer versions)."),
    blkio("libblkio_num_entries", "Entries of its queue (newer versions)."),
    blkio("libblkio_queue_size", "Size of its queue (newer versions)."),
    blkio("libblkio_pre_start_props", "Properties before the start (newer versions)."),
    blkio("libblkio_vectored", "Requests with a list of buffers (newer versions)."),
    blkio("libblkio_write_zeroes_on_trim", "Zeroes instead of trims (newer versions)."),
    blkio("libblkio_wait_mode", "How completions are awaited (newer versions)."),
    blkio("libblkio_force_enable_completion_eventfd", "Keep events on (newer versions)."),
];

const fn http(name: &'static str, help: &'static str) -> OptionSpec {
    text(name, C, help).of(&["http"]).refused(WHY)
}

const fn xnvme(name: &'static str, help: &'static str) -> OptionSpec {
    text(name, C, help).of(&["xnvme"]).refused(WHY)
}

const fn blkio(name: &'static str, help: &'static str) -> OptionSpec {
    text(name, C, help).of(&["libblkio"]).refused(WHY)
}

const PROTOCOL: &[(&str, &str)] = &[
    ("tcp", "TCP"),
    ("tcpv6", "TCP over IPv6"),
    ("udp", "UDP"),
    ("udpv6", "UDP over IPv6"),
    ("unix", "a socket file"),
    ("vsock", "a virtual machine's socket (newer versions)"),
];

const VERB: &[(&str, &str)] = &[
    ("write", "write to memory"),
    ("read", "read from memory"),
    ("send", "send"),
    ("recv", "receive"),
];

const STAT: &[(&str, &str)] = &[("stat", "stat"), ("lstat", "lstat"), ("statx", "statx")];

const SG_WRITE: &[(&str, &str)] = &[
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
