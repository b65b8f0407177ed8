//! How operations reach the kernel: one small trait ([`Backend`]), one file per interface.

mod blocking;
mod busy;
mod interface;
mod libaio;
mod mapped;
mod names;
mod null;
mod one_at_a_time;
mod probe;
mod simulated;
mod sockets;
mod spliced;
mod uring;
mod with_trims;

pub(crate) use blocking::{Blocking, SyscallFamily, SyscallMode};
pub(crate) use busy::Busy;
pub(crate) use interface::{Backend, Request, sync_file};
pub(crate) use libaio::Libaio;
pub(crate) use mapped::Mapped;
pub(crate) use names::NameCalls;
pub(crate) use null::Null;
pub(crate) use one_at_a_time::{OneAtATime, Perform};
pub use probe::io_uring_refusal;
pub(crate) use probe::supports_nowait;
pub(crate) use simulated::Simulated;
pub use simulated::SimulatedDevice;
pub use sockets::LINK_CLOSE;
pub(crate) use sockets::{SocketEnd, Sockets};
pub(crate) use spliced::Spliced;
pub(crate) use uring::{Ring, RingConfig};
pub(crate) use with_trims::WithTrims;
