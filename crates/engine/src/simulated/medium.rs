//! The medium behind one interface, whichever law it follows. A medium takes requests in order of
//! arrival, which may lie ahead of the caller's clock, and gives back completions in order of time.

use super::device_model::{DeviceModel, Medium, Op};
use super::hdd::Disk;
use super::random::NoiseSource;
use super::ssd::Flash;

/// Drains to memory at once: enough to fill its bandwidth.
const RAM_DRAINS: usize = 32;
/// Drains per channel: with hashed placement, four in line keep nearly all channels busy.
const DRAINS_PER_CHANNEL: usize = 4;

#[derive(Debug, Clone)]
pub(super) enum MediumState {
    Flash(Flash),
    Disk(Disk),
}

impl MediumState {
    pub(super) fn new(law: &DeviceModel, seed: u64) -> MediumState {
        let noise = NoiseSource::new(law.noise, seed);
        match &law.medium {
            Medium::Ram { service_ns, bytes_per_second } => {
                MediumState::Flash(Flash::from_ram(*service_ns, *bytes_per_second, noise))
            }
            Medium::Ssd(ssd) => MediumState::Flash(Flash::from_ssd(ssd, noise)),
            Medium::Hdd(hdd) => MediumState::Disk(Disk::new(hdd, law.capacity, noise)),
        }
    }

    /// `arrival_ns` must not go back.
    pub(super) fn submit(&mut self, arrival_ns: u64, tag: u32, op: &Op) {
        match self {
            MediumState::Flash(flash) => flash.submit(arrival_ns, tag, op),
            MediumState::Disk(disk) => disk.submit(arrival_ns, tag, op),
        }
    }

    /// Time and tag of the next completion, as far as the requests so far decide it.
    pub(super) fn peek(&mut self) -> Option<(u64, u32)> {
        match self {
            MediumState::Flash(flash) => flash.peek(),
            MediumState::Disk(disk) => disk.peek(),
        }
    }

    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        match self {
            MediumState::Flash(flash) => flash.pop(),
            MediumState::Disk(disk) => disk.pop(),
        }
    }

    /// Writes that a write-back cache keeps draining at once.
    pub(super) fn drain_width(&self) -> usize {
        match self {
            MediumState::Flash(flash) if flash.channels() == 0 => RAM_DRAINS,
            MediumState::Flash(flash) => flash.channels().saturating_mul(DRAINS_PER_CHANNEL),
            MediumState::Disk(disk) => disk.window,
        }
    }
}
