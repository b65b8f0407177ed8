//! The version that the formats name.

/// What every format names as the version: tools read the number after `fio-`.
pub const VERSION: &str = "fio-3.42-truedisk";
