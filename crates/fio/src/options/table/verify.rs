//! Reading back what was written.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Verify;

const TRIM: &str = "trimming of what is verified is not run; use a job with rw=trim";

pub(super) const TABLE: &[OptionSpec] = &[
    choice("verify", C, "Checksum or pattern by which data is checked.", VERIFY)
        .without(REFUSED)
        .default("0"),
    flag("do_verify", C, "Read back after writing.").default("1").under("verify"),
    switch("verify_only", C, "Write nothing; check what an earlier run wrote."),
    size("verify_interval", C, "Bytes to which a checksum belongs; the block, when not given.")
        .range(80, NO_MAX)
        .under("verify"),
    size("verify_offset", C, "Where the header stands inside of its interval.")
        .range(40, NO_MAX)
        .under("verify"),
    special("verify_pattern", C, "Bytes to write and to expect: text, number, file, %o.")
        .under("verify"),
    flag("verify_pattern_interval", C, "Start the pattern anew per interval (newer versions).")
        .default("0")
        .under("verify")
        .refused("the pattern runs through the block; set verify_interval to its length"),
    flag("verify_fatal", C, "End at the first block that is wrong.").default("0").under("verify"),
    flag("verify_dump", C, "Keep the wrong block and the expected one as files.")
        .default("0")
        .under("verify"),
    int("verify_async", C, "Number of threads that check.")
        .default("0")
        .under("verify")
        .noted("the job checks by itself"),
    special("verify_async_cpus", C, "Processors of those threads.")
        .under("verify_async")
        .noted("the job checks by itself"),
    int("verify_backlog", C, "Read back each time so many blocks were written.").under("verify"),
    int("verify_backlog_batch", C, "Number of blocks to read back each time.")
        .under("verify")
        .noted("everything is read back at the end"),
    flag("verify_state_save", C, "Keep at the end what was written, for a later check.")
        .default("1")
        .under("verify"),
    flag("verify_state_load", C, "Check up to where an earlier run had come.").under("verify"),
    flag("verify_write_sequence", C, "Check the order number of a block (newer versions).")
        .default("1")
        .under("verify")
        .noted("blocks are checked by place and content"),
    flag("verify_header_seed", C, "Check the random seed of a block (newer versions).")
        .default("1")
        .under("verify")
        .noted("the seed of a block is always checked"),
    special("verify_policy", C, "A choice of what is checked, of newer versions.")
        .under("verify")
        .refused("every block that was written is checked; leave it out"),
    flag("experimental_verify", C, "Find places again by making them anew, not from a list.")
        .under("verify")
        .noted("how written places are remembered is up to our engine"),
    percent("trim_percentage", C, "Share of written blocks to trim, in percent.")
        .default("0")
        .under("verify")
        .refused(TRIM),
    flag("trim_verify_zero", C, "Expect zeroes where was trimmed.")
        .default("1")
        .under("trim_percentage")
        .refused(TRIM),
    int("trim_backlog", C, "Trim each time so many blocks were written.")
        .under("trim_percentage")
        .refused(TRIM),
    int("trim_backlog_batch", C, "Number of blocks to trim each time.")
        .under("trim_percentage")
        .refused(TRIM),
    old("verifysort", C, "blocks are read back in the order that fits the device"),
    old("verifysort_nr", C, "blocks are read back in the order that fits the device"),
];

const VERIFY: &[(&str, &str)] = &[
    ("0", "nothing is checked"),
    ("crc32c", "CRC-32C, by the processor where it can"),
    ("crc32c-intel", "the same as crc32c"),
    ("crc32", "CRC-32"),
    ("crc16", "CRC-16"),
    ("crc7", "CRC-7: misses one error in 128"),
    ("crc64", "CRC-64"),
    ("md5", "MD5"),
    ("sha1", "SHA-1"),
    ("sha256", "SHA-256"),
    ("sha512", "SHA-512"),
    ("xxhash", "xxHash, 32 bits"),
    ("meta", "time, number and place only; obsolete"),
    ("pattern", "the bytes of verify_pattern, without a header"),
    ("null", "the way through the code without a check"),
];

const SHA3: &str = "it is slow and adds nothing here; use sha256 or sha512";

const REFUSED: &[(&str, &str)] =
    &[("sha3-224", SHA3), ("sha3-256", SHA3), ("sha3-384", SHA3), ("sha3-512", SHA3)];
