//! Where this kernel keeps what the programs read of requests and bios.

use super::btf::{Btf, BtfError, Field};

/// The tracepoint of a completed request: its arguments are the request, the error, and the bytes
/// that were completed.
const COMPLETION: &str = "btf_trace_block_rq_complete";
/// The tracepoint of a new request, in the context of who asks for it: its argument is the request.
const SUBMISSION: &str = "btf_trace_block_io_start";
/// The tracepoints of a bio that a disk is given, and that ends. The bio is the argument of the
/// first since Linux 5.11, and the second argument of the other.
const BIO_SUBMISSION: &str = "btf_trace_block_bio_queue";
const BIO_COMPLETION: &str = "btf_trace_block_bio_complete";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The tracepoint's type.
    pub(crate) completion: u32,
    /// The type of the tracepoint of a new request; absent before Linux 6.5.
    pub(crate) submission: Option<u32>,
    pub(crate) request: RequestLayout,
    /// Absent before Linux 5.12.
    pub(crate) bio: Option<BioLayout>,
    pub(crate) major: Field,
    pub(crate) first_minor: Field,
    /// Its number has changed over the years; absent before Linux 5.8.
    pub(crate) zone_append: Option<i32>,
    /// The bit in the flags that says: the kernel writes dirty pages in the background.
    pub(crate) background: Option<i32>,
    /// The bit in the flags that says: durable once it completes.
    pub(crate) fua: Option<i32>,
    /// In a request's `rq_flags`: it is the data of a write with a flush before or after, and the
    /// write completes once more, without data, when the last of them has.
    pub(crate) flush_sequence: i32,
}

/// What a request and a bio both have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IoLayout {
    /// From it to its disk, pointer by pointer.
    pub(crate) disk: Vec<Field>,
    /// Its operation and flags.
    pub(crate) flags: Field,
    /// From it to the id of its control group, field by field; absent in a kernel that charges I/O
    /// to no group.
    pub(crate) group: Option<Vec<Field>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestLayout {
    pub(crate) io: IoLayout,
    /// What the block layer notes of it.
    pub(crate) rq_flags: Field,
    /// Zero for a request that was never given to the driver.
    pub(crate) state: Field,
    /// Where the bytes begin that are not completed yet.
    pub(crate) sector: Field,
    /// Bytes that are not completed yet.
    pub(crate) length: Field,
    /// When the block layer accepted it.
    pub(crate) accepted_ns: Field,
    /// When the driver got it.
    pub(crate) issued_ns: Field,
}

/// A bio holds no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BioLayout {
    /// The types of its tracepoints.
    pub(crate) submission: u32,
    pub(crate) completion: u32,
    pub(crate) io: IoLayout,
    /// Bytes that are left to do: all of them while it is submitted.
    pub(crate) length: Field,
    /// Not zero for an error.
    pub(crate) status: Field,
}

impl Layout {
    pub(crate) fn find(btf: &Btf) -> Result<Self, BtfError> {
        let request = |path: &str| btf.find_field("request", path);
        let by_queue = || Ok(vec![request("q")?, btf.find_field("request_queue", "disk")?]);
        Ok(Self {
            completion: btf.find_typedef(COMPLETION)?,
            submission: btf.find_typedef(SUBMISSION).ok(),
            request: RequestLayout {
                io: IoLayout {
                    // The request's own pointer went away in Linux 5.17, the queue's came in 5.15.
                    disk: by_queue().or_else(|error: BtfError| {
                        Ok(vec![request("rq_disk").map_err(|_| error)?])
                    })?,
                    flags: request("cmd_flags")?,
                    group: find_group(btf, Some(request("bio")?)).ok(),
                },
                rq_flags: request("rq_flags")?,
                state: request("state")?,
                sector: request("__sector")?,
                length: request("__data_len")?,
                accepted_ns: request("start_time_ns")?,
                issued_ns: request("io_start_time_ns")?,
            },
            bio: find_bio(btf).ok(),
            major: btf.find_field("gendisk", "major")?,
            first_minor: btf.find_field("gendisk", "first_minor")?,
            zone_append: btf.find_constant("REQ_OP_ZONE_APPEND").ok(),
            background: btf.find_constant("__REQ_BACKGROUND").ok(),
            fua: btf.find_constant("__REQ_FUA").ok(),
            // Before Linux 6.11 it was a macro, of which there is no type information.
            flush_sequence: 1 << btf.find_constant("__RQF_FLUSH_SEQ").unwrap_or(4),
        })
    }
}

fn find_bio(btf: &Btf) -> Result<BioLayout, BtfError> {
    let bio = |path: &str| btf.find_field("bio", path);
    Ok(BioLayout {
        submission: btf.find_typedef(BIO_SUBMISSION)?,
        completion: btf.find_typedef(BIO_COMPLETION)?,
        io: IoLayout {
            disk: vec![bio("bi_bdev")?, btf.find_field("block_device", "bd_disk")?],
            flags: bio("bi_opf")?,
            group: find_group(btf, None).ok(),
        },
        length: bio("bi_iter.bi_size")?,
        status: bio("bi_status")?,
    })
}

/// From a bio, or from what has a pointer to one.
fn find_group(btf: &Btf, to_bio: Option<Field>) -> Result<Vec<Field>, BtfError> {
    let from_bio = [
        btf.find_field("bio", "bi_blkg")?,
        btf.find_field("blkcg_gq", "blkcg")?,
        btf.find_field("blkcg", "css.cgroup")?,
        btf.find_field("cgroup", "kn")?,
        btf.find_field("kernfs_node", "id")?,
    ];
    Ok(to_bio.into_iter().chain(from_bio).collect())
}
