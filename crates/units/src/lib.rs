//! Quantities: the numbers that all crates exchange, as types.
//!
//! Sizes, times, rates and depths have one parser and one printer. No other crate is needed.
//!
//! - Inside the program latency is nanoseconds and size is bytes, as integers.
//! - Sizes are read with binary suffixes (`4k` = 4096); rates are printed in decimal MB/s
//!   (1 MB = 1,000,000 bytes), as disks are sold.
//! - Parsing never guesses: trailing garbage, a sign, an overflow and an empty text are errors.
#![forbid(unsafe_code)]

mod bytes;
mod count;
mod number;
mod rate;
mod text;
mod time;

/// What types of the record derive: their part of its JSON Schema, where one is asked for.
#[cfg(not(feature = "schema"))]
pub use no_schema::JsonSchema;
#[cfg(feature = "schema")]
pub use schemars::JsonSchema;

pub use bytes::Bytes;
pub use count::{Depth, Ratio, Seed, group_digits};
pub use number::{ErrorKind, ParseError};
pub use rate::{BytesPerSecond, Iops};
pub use text::{escape_controls, escape_json, quote_csv};
pub use time::Nanos;
