//! Reading back what was written.

use super::FillPattern;

/// Reading back what was written.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyOptions {
    /// `verify`.
    pub method: VerifyMethod,
    /// `do_verify`: read back after the writes.
    pub do_verify: bool,
    /// `verify_interval`: a header every so many bytes; 0: one per block.
    pub interval: u64,
    /// `verify_offset`: where the header is in its interval.
    pub offset: u64,
    /// `verify_pattern`.
    pub pattern: Option<FillPattern>,
    /// `verify_fatal`: the first mismatch ends the job.
    pub fatal: bool,
    /// `verify_dump`: write good and bad blocks to files.
    pub dump: bool,
    /// `verify_backlog`: read back after so many blocks; 0: at the end.
    pub backlog: u64,
    /// `verify_backlog_batch`: blocks read back at a time; `None`: the backlog.
    pub backlog_batch: Option<u32>,
    /// `verify_async`: threads that check; 0: the job.
    pub async_threads: u32,
    /// `verify_async_cpus`: their processors.
    pub async_cpus: Vec<u32>,
    /// `verify_only`: check what an earlier run wrote.
    pub only: bool,
    /// `verify_state_save`: keep the state of an interrupted run.
    pub state_save: bool,
    /// `verify_state_load`: use such a state.
    pub state_load: bool,
    /// `verify_write_sequence`: check the order of writes too.
    pub write_sequence: bool,
    /// `verify_header_seed`: check the header's seed too; `None`: where it can be known.
    pub header_seed: Option<bool>,
    /// `experimental_verify`.
    pub experimental: bool,
    /// `trim_percentage`: percent of blocks trimmed before they are checked.
    pub trim_percentage: u8,
    /// `trim_verify_zero`: trimmed blocks must read as zeros.
    pub trim_verify_zero: bool,
    /// `trim_backlog`: trim after so many blocks; 0: none.
    pub trim_backlog: u64,
    /// `trim_backlog_batch`: blocks trimmed at a time; `None`: the backlog.
    pub trim_backlog_batch: Option<u32>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            method: VerifyMethod::None,
            do_verify: true,
            interval: 0,
            offset: 0,
            pattern: None,
            fatal: false,
            dump: false,
            backlog: 0,
            backlog_batch: None,
            async_threads: 0,
            async_cpus: Vec::new(),
            only: false,
            state_save: true,
            state_load: false,
            write_sequence: true,
            header_seed: None,
            experimental: false,
            trim_percentage: 0,
            trim_verify_zero: true,
            trim_backlog: 0,
            trim_backlog_batch: None,
        }
    }
}

/// `verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are names of checksums.
pub enum VerifyMethod {
    None,
    Md5,
    Crc7,
    Crc16,
    Crc32,
    Crc32c,
    Crc64,
    Sha1,
    Sha256,
    Sha512,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Xxhash,
    /// The pattern, without a header.
    Pattern,
    /// The pattern, with a header.
    PatternHeader,
    /// A header without a checksum.
    HeaderOnly,
    /// Everything is generated, nothing compared.
    Null,
}
