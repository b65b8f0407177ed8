//! Where results are written: the one module that opens destinations.
//!
//! A command names its inputs with [`Destinations::protect`] and opens every place that it will
//! write to with [`Destinations::open`], before it measures anything. A [`Destination`] takes the
//! bytes of a report, a page, a record, an export or a log. A regular file is replaced as a whole
//! by [`Destination::commit`], or stays as it is. [`save_private`] keeps the program's own files,
//! which nobody but their owner may read.
//!
//! What it deliberately does not do: know what it writes, or measure anything.
//!
//! Invariants
//! - No block device is opened, not even for a look. The only character devices that are written
//!   are the null device and whatever the caller's own descriptors are open on.
//! - A name is looked at once through a descriptor (`O_PATH`); what is opened later is what was
//!   looked at. A name that means something else at the end is looked at again, by the same rules.
//! - A regular file is never truncated. It is replaced by `rename`, and only if it is no input and
//!   the caller's [`FileGuard`] has nothing against it, at the start and at the end.
//! - There is no `unsafe`.
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

pub use destination::{Destination, Destinations};
pub use error::OutputError;
pub use private::{make_private_file, make_private_folder, save_private};
pub use rules::FileGuard;
pub use temporary::remove_temporaries;
