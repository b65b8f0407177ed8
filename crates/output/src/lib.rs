//! Opens all destinations of results.
//!
//! A command names its inputs with [`Destinations::protect`] and opens every destination with
//! [`Destinations::open`] before it measures. A [`Destination`] takes the bytes of a result; a
//! regular file is replaced as a whole by [`Destination::commit`]. [`save_private`] writes the
//! program's own files.
//!
//! Invariants
//! - No block device is opened. Character devices are written only if they are the null device,
//!   or open as the caller's own descriptors.
//! - A name is inspected through a descriptor (`O_PATH`), and what is opened later is what was
//!   inspected. A name that changes is inspected again.
//! - A regular file is never truncated. It is replaced by `rename`, and only if it is no input and
//!   the [`FileGuard`] agrees, at the start and at the end.
//!
//! Start reading at [`Destinations`].

#![forbid(unsafe_code)]

mod destination;
mod entry;
mod error;
mod private;
mod replace;
mod rules;
mod temporary;
#[cfg(test)]
mod tests;

pub use destination::{Destination, Destinations, make_folder};
pub use entry::is_dash;
pub use error::OutputError;
pub use private::{
    make_private_file, make_private_folder, make_scratch_file, save_private, write_private,
};
pub use rules::FileGuard;
pub use temporary::remove_temporaries;
