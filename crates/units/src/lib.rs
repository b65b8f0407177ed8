//! Quantities: the numbers that all crates exchange, as types.
//!
//! One parser and one printer for sizes, times, rates and depths live here, so that `4k` means
//! 4096 bytes everywhere and a latency is printed the same way in the table, the report and an
//! error. It depends on no other crate.
//!
//! Invariants
//! - Inside the program latency is nanoseconds and size is bytes, as integers.
//! - Sizes are read with binary suffixes (`4k` = 4096); rates are printed in decimal MB/s
//!   (1 MB = 1,000,000 bytes), as disks are sold.
//! - Parsing never guesses: trailing garbage, a sign, an overflow or an empty text is an error
//!   that quotes the text.
//!
//! [`escape_controls`] and [`escape_json`] make foreign text harmless before it is shown.
//!
//! Start reading at [`Bytes`], then [`Nanos`].
#![forbid(unsafe_code)]

mod bytes;
mod count;
mod error_kind;
mod number;
mod rate;
mod text;
mod time;

pub use bytes::Bytes;
pub use count::{Depth, Ratio, Seed, group_digits};
pub use error_kind::ErrorKind;
pub use number::ParseError;
pub use rate::{BytesPerSecond, Iops};
pub use text::{escape_controls, escape_json};
pub use time::Nanos;
