//! What is printed and kept beside a verification.
//!
//! Those of `verify_dump`: what was read and what should have been, for a hex editor.
//!
//! As fio 3.33 does, one pair per wrong block, named after the last part of the file's path and
//! the offset in decimal bytes, in the working directory.

mod state;
mod wrong_block;

pub use state::{StateError, VerifyState, state_name};
pub use wrong_block::{Wrong, WrongBlock, trimmed_block_text};

/// Name of the dump of byte `offset` of `file`: `side` is `received`, `expected` or `hdr_fail`.
pub fn dump_name(file: &str, offset: u64, side: &str) -> String {
    let base = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file);
    format!("{base}.{offset}.{side}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_named_as_fio_names_them() {
        assert_eq!(dump_name("/d/jj.0.0", 4096, "received"), "jj.0.0.4096.received");
        assert_eq!(dump_name("f", 0, "expected"), "f.0.expected");
    }
}
