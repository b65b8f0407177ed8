//! The medium behind one interface, whichever law it follows.
//!
//! A medium takes requests in order of arrival and gives back completions in order of time.
//! Arrivals may lie ahead of the caller's clock (a bucket delays requests); a medium decides
//! nothing at a moment before it has every request that arrives up to then.

use super::hdd::Disk;
use super::law::{Law, Medium, Op};
use super::rng::Noise;
use super::ssd::Flash;

/// Requests a cache may have draining to memory at once: enough to fill its bandwidth.
const RAM_DRAINS: usize = 32;

/// Requests a cache may have draining per channel: with hashed placement, about four in line
/// per channel keep nearly all channels busy.
const DRAINS_PER_CHANNEL: usize = 4;

/// The state of a medium.
#[derive(Debug, Clone)]
pub(super) enum State {
    Flash(Flash),
    Disk(Disk),
}

impl State {
    pub(super) fn new(law: &Law, seed: u64) -> State {
        let noise = Noise::new(law.noise, seed);
        match &law.medium {
            Medium::Ram { service_ns, bytes_per_second } => {
                State::Flash(Flash::ram(*service_ns, *bytes_per_second, noise))
            }
            Medium::Ssd(ssd) => State::Flash(Flash::ssd(ssd, noise)),
            Medium::Hdd(hdd) => State::Disk(Disk::new(hdd, law.capacity, noise)),
        }
    }

    /// `arrival_ns` must not go back from one call to the next.
    pub(super) fn submit(&mut self, arrival_ns: u64, tag: u32, op: &Op) {
        match self {
            State::Flash(flash) => flash.submit(arrival_ns, tag, op),
            State::Disk(disk) => disk.submit(arrival_ns, tag, op),
        }
    }

    /// Time and tag of the next completion, as far as the requests so far decide it.
    pub(super) fn peek(&mut self) -> Option<(u64, u32)> {
        match self {
            State::Flash(flash) => flash.peek(),
            State::Disk(disk) => disk.peek(),
        }
    }

    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        match self {
            State::Flash(flash) => flash.pop(),
            State::Disk(disk) => disk.pop(),
        }
    }

    /// Writes that a write-back cache keeps at the medium at once to drain at its full rate.
    pub(super) fn drain_width(&self) -> usize {
        match self {
            State::Flash(flash) if flash.channels() == 0 => RAM_DRAINS,
            State::Flash(flash) => flash.channels().saturating_mul(DRAINS_PER_CHANNEL),
            State::Disk(disk) => disk.window(),
        }
    }
}
