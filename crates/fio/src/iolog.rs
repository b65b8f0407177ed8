//! fio's I/O traces (`write_iolog`, `read_iolog`), versions 2 and 3: one action per line of text.

mod action;
#[cfg(test)]
mod fio_tests;
mod read;
mod replay;
mod write;

pub use action::{Action, IoKind, Version};
pub use read::{Entry, IologReader, ReadError};
pub use replay::{ReplayStep, replay_steps};
pub use write::{IologWriter, WriteError};
