//! Reading back.

use super::super::super::job::VerifyMethod;
use super::super::{fill, lists};
use super::Table;

const METHODS: &[(&str, VerifyMethod)] = &[
    ("0", VerifyMethod::None),
    ("crc32c", VerifyMethod::Crc32c),
    ("crc32c-intel", VerifyMethod::Crc32c),
    ("crc32", VerifyMethod::Crc32),
    ("crc16", VerifyMethod::Crc16),
    ("crc7", VerifyMethod::Crc7),
    ("crc64", VerifyMethod::Crc64),
    ("md5", VerifyMethod::Md5),
    ("sha1", VerifyMethod::Sha1),
    ("sha256", VerifyMethod::Sha256),
    ("sha512", VerifyMethod::Sha512),
    ("sha3-224", VerifyMethod::Sha3_224),
    ("sha3-256", VerifyMethod::Sha3_256),
    ("sha3-384", VerifyMethod::Sha3_384),
    ("sha3-512", VerifyMethod::Sha3_512),
    ("xxhash", VerifyMethod::Xxhash),
    ("meta", VerifyMethod::HeaderOnly),
    ("pattern", VerifyMethod::Pattern),
    ("pattern_hdr", VerifyMethod::PatternHeader),
    ("null", VerifyMethod::Null),
];

pub(super) const TABLE: Table = &[
    ("verify", set!(choice verify.method, METHODS)),
    ("do_verify", set!(flag verify.do_verify)),
    ("verify_interval", set!(size verify.interval, 80)),
    ("verify_offset", set!(size verify.offset, 40)),
    ("verify_pattern", |o, i| {
        o.verify.pattern = Some(fill::read_pattern(i, true)?);
        Ok(())
    }),
    ("verify_fatal", set!(flag verify.fatal)),
    ("verify_dump", set!(flag verify.dump)),
    ("verify_backlog", set!(whole verify.backlog, 0)),
    ("verify_backlog_batch", set!(some_u32 verify.backlog_batch, 0)),
    ("verify_async", set!(u32 verify.async_threads, 0)),
    ("verify_async_cpus", |o, i| {
        o.verify.async_cpus = lists::parse_numbers(i.text("processors such as 0-3,5")?)?;
        Ok(())
    }),
    ("verify_only", set!(switch verify.only)),
    ("verify_state_save", set!(flag verify.state_save)),
    ("verify_state_load", set!(flag verify.state_load)),
    ("verify_write_sequence", set!(flag verify.write_sequence)),
    ("verify_header_seed", |o, i| {
        o.verify.header_seed = Some(i.flag()?);
        Ok(())
    }),
    ("experimental_verify", set!(flag verify.experimental)),
    ("trim_percentage", set!(percent verify.trim_percentage)),
    ("trim_verify_zero", set!(flag verify.trim_verify_zero)),
    ("trim_backlog", set!(whole verify.trim_backlog, 0)),
    ("trim_backlog_batch", set!(some_u32 verify.trim_backlog_batch, 0)),
];
