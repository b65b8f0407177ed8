//! Reading back what was written.

use super::fill::{FillPattern, PATTERN_HOSTS, read_pattern};
use super::spec::*;

/// Reading back what was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VerifyOptions {
    pub method: VerifyMethod,
    pub do_verify: bool,
    pub only: bool,
    /// Bytes per header; 0: one header per block.
    pub interval: u64,
    pub offset: u64,
    pub pattern: Option<FillPattern>,
    /// Bytes of a block after which the pattern starts again; 0: never.
    pub pattern_interval: u64,
    pub layout: VerifyLayout,
    pub write_sequence: bool,
    pub dump: bool,
    pub fatal: bool,
    /// 0: at the end.
    pub backlog: u64,
    pub state_save: bool,
    pub state_load: bool,
    pub trims: VerifyTrims,
}

/// Trims of what a job wrote, before it is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VerifyTrims {
    /// Share of the writes whose places are trimmed.
    pub percent: u32,
    /// Writes after which places are trimmed; 0: never.
    pub backlog: u64,
    /// Places to trim each time; 0: `backlog`.
    pub batch: u64,
    /// Trimmed places must read as zeros; else they are not read.
    pub expects_zeros: bool,
}

impl VerifyOptions {
    /// Whether written places are trimmed. As in fio 3.41, `do_verify=0` does not change it.
    pub fn trims_places(&self) -> bool {
        let verifies = self.method != VerifyMethod::None || self.pattern.is_some();
        self.trims.percent > 0 && self.trims.backlog > 0 && verifies
    }
}

type O = VerifyOptions;

const STATE: &str = "it keeps a file on the host beside what is measured; leave it out";

pub(super) const TABLE: &[Entry<O>] = &[
    choice("verify", "0", "Checksum or pattern by which data is checked.")
        .sets(Any, |o: &mut O| &mut o.method),
    flag("do_verify", "1", "Read back after writing.")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.do_verify),
    switch("verify_only", "", "Write nothing; check what an earlier run wrote.")
        .sets(Any, |o: &mut O| &mut o.only),
    size("verify_interval", "", "Bytes to which a checksum belongs; the block, when not given.")
        .range(80, NO_MAX)
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.interval),
    size("verify_offset", "", "Where the header stands inside of its interval.")
        .range(40, NO_MAX)
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.offset),
    special("verify_pattern", "", "Bytes to write and to expect: text, number, file, %o.")
        .under("verify")
        .reads(PATTERN_HOSTS, |o: &mut O, reader| {
            read_pattern(reader, true).map(|value| o.pattern = Some(value))
        }),
    size(
        "verify_pattern_interval",
        "0",
        "Bytes after which the pattern starts again (newer versions).",
    )
    .range(0, NO_MAX)
    .under("verify")
    .sets(Any, |o: &mut O| &mut o.pattern_interval),
    choice("verify_layout", "fio", "Headers and checksums on the target (not in fio).")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.layout),
    flag("verify_fatal", "0", "End at the first block that is wrong.")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.fatal),
    flag("verify_dump", "0", "Keep the wrong block and the expected one as files.")
        .under("verify")
        .sets(LocalUnlessOff(STATE), |o: &mut O| &mut o.dump),
    int("verify_async", "0", "Number of threads that check.")
        .under("verify")
        .noted("the job checks by itself"),
    special("verify_async_cpus", "", "Processors of those threads.")
        .under("verify_async")
        .noted("the job checks by itself"),
    int("verify_backlog", "", "Number of written blocks after which they are read back.")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.backlog),
    int("verify_backlog_batch", "", "Number of blocks to read back each time.")
        .under("verify")
        .noted("everything is read back at the end"),
    flag("verify_state_save", "1", "Keep at the end what was written, for a later check.")
        .under("verify")
        .sets(LocalUnlessOff(STATE), |o: &mut O| &mut o.state_save),
    flag("verify_state_load", "", "Check up to where an earlier run had come.")
        .under("verify")
        .sets(LocalUnlessOff(STATE), |o: &mut O| &mut o.state_load),
    flag("verify_write_sequence", "1", "Check the order number of a block (newer versions).")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.write_sequence),
    flag("verify_header_seed", "1", "Check the random seed of a block (newer versions).")
        .under("verify")
        .noted("the seed of a block is always checked"),
    special("verify_policy", "", "A choice of what is checked, of newer versions.")
        .under("verify")
        .refused("every block that was written is checked; leave it out")
        .unread(),
    flag("experimental_verify", "", "Find places again by making them anew, not from a list.")
        .under("verify")
        .noted("how written places are remembered is up to our engine"),
    percent("trim_percentage", "0", "Share of written blocks to trim, in percent.")
        .under("verify")
        .sets(Any, |o: &mut O| &mut o.trims.percent),
    flag("trim_verify_zero", "1", "Expect trimmed blocks to read as zeros.")
        .under("trim_percentage")
        .sets(Any, |o: &mut O| &mut o.trims.expects_zeros),
    int("trim_backlog", "", "Number of written blocks after which blocks are trimmed.")
        .under("trim_percentage")
        .sets(Any, |o: &mut O| &mut o.trims.backlog),
    int("trim_backlog_batch", "", "Number of blocks to trim each time.")
        .under("trim_percentage")
        .sets(Any, |o: &mut O| &mut o.trims.batch),
    deprecated("verifysort", "blocks are read back in the order that fits the device"),
    deprecated("verifysort_nr", "blocks are read back in the order that fits the device"),
];

/// `verify_layout`, an option of ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum VerifyLayout {
    #[default]
    Fio,
    Fio341,
    Own,
}

impl Choice for VerifyLayout {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("fio", "that of fio 3.33; of 3.41 it is read too", Self::Fio),
        ("fio-3.41", "that of fio 3.41, which reads no older one", Self::Fio341),
        ("own", "ours: it covers every byte, and has the number of the write", Self::Own),
    ];
}

/// `verify`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum VerifyMethod {
    #[default]
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
    Pattern,
    PatternHeader,
    HeaderOnly,
    Null,
}

impl Choice for VerifyMethod {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("0", "nothing is checked", Self::None),
        ("crc32c", "CRC-32C, by the processor where it can", Self::Crc32c),
        ("crc32c-intel", "the same as crc32c", Self::Crc32c),
        ("crc32", "CRC-32", Self::Crc32),
        ("crc16", "CRC-16", Self::Crc16),
        ("crc7", "CRC-7: misses one error in 128", Self::Crc7),
        ("crc64", "CRC-64", Self::Crc64),
        ("md5", "MD5", Self::Md5),
        ("sha1", "SHA-1", Self::Sha1),
        ("sha256", "as fio stores it: 8 bytes of a SHA-256", Self::Sha256),
        (
            "sha512",
            "as fio 3.33: the first and last 128 bytes; all with verify_layout=fio-3.41",
            Self::Sha512,
        ),
        ("sha3-224", "SHA3-224", Self::Sha3_224),
        ("sha3-256", "SHA3-256", Self::Sha3_256),
        ("sha3-384", "SHA3-384", Self::Sha3_384),
        ("sha3-512", "SHA3-512", Self::Sha3_512),
        ("xxhash", "xxHash, 32 bits", Self::Xxhash),
        ("meta", "time, number and place only; obsolete", Self::HeaderOnly),
        ("pattern", "the bytes of verify_pattern, without a header", Self::Pattern),
        ("pattern_hdr", "", Self::PatternHeader),
        ("null", "the way through the code without a check", Self::Null),
    ];
}
