//! fio's I/O traces (`write_iolog`, `read_iolog`), versions 2 and 3: one action per line of text.

mod action;
#[cfg(test)]
mod fio_tests;
mod read;
mod replay;
mod write;

pub use action::{Action, IoKind, Version};
pub use read::{Entry, Iolog, IologReader, ReadError, read_all};
pub use replay::{
    ReplayError, ReplaySettings, ReplayStep, replay_steps, replay_target, scale_offset, scale_time,
    wait_time_ns,
};
pub use write::{IologWriter, WriteError};
