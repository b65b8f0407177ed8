//! What a finding blames, and what of it is true of a world.

use record::{FindingId, Status};

use crate::world::Disturbance;

/// What can be blamed for a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Blame {
    Cap,
    /// The rate moved: a burst ended, or it did not settle.
    Change,
    Stall,
    Neighbour,
    Client,
    Idle,
    Error,
    Holes,
    PageCache,
    /// A cache of the device or behind it.
    DeviceCache,
    Impossible,
    /// What is in no world.
    Other,
}

pub(crate) fn blame_of(id: FindingId) -> Option<Blame> {
    Some(match id {
        FindingId::ProviderLimit | FindingId::OsThrottle => Blame::Cap,
        FindingId::Burst | FindingId::NotSettled => Blame::Change,
        FindingId::Stall => Blame::Stall,
        FindingId::Neighbour => Blame::Neighbour,
        FindingId::ClientBound => Blame::Client,
        FindingId::IdleLatency => Blame::Idle,
        FindingId::Unwritten => Blame::Holes,
        FindingId::PageCache => Blame::PageCache,
        FindingId::Impossible => Blame::Impossible,
        FindingId::HostCache | FindingId::DeviceCache => Blame::DeviceCache,
        // True of a link that the world draws, and of what is read of a device.
        FindingId::LinkBound | FindingId::Coverage | FindingId::ShortStroke => return None,
        _ => Blame::Other,
    })
}

/// A cap and a burst are blamed by a note; everything else by a warning.
pub(crate) fn blames_from(id: FindingId) -> Status {
    match id {
        FindingId::ProviderLimit | FindingId::Burst => Status::Note,
        _ => Status::Warning,
    }
}

pub(crate) fn allowed_blame(disturbance: &Disturbance) -> &'static [Blame] {
    match disturbance {
        Disturbance::Nothing => &[],
        Disturbance::Cap { .. } => &[Blame::Cap],
        Disturbance::Step { .. }
        | Disturbance::Period { .. }
        | Disturbance::Ramp { .. }
        | Disturbance::Bucket { .. } => &[Blame::Change, Blame::Cap],
        Disturbance::Stall { .. } => &[Blame::Stall, Blame::Change],
        // One that asks for more than the device has fills its queues.
        Disturbance::Neighbour { .. } => &[Blame::Neighbour, Blame::Change, Blame::Stall],
        Disturbance::Stop { .. } | Disturbance::Quota { .. } => &[Blame::Client],
        Disturbance::Sleep { .. } => &[Blame::Idle],
        Disturbance::Error { .. } => &[Blame::Error],
        // Writes fill the holes.
        Disturbance::Holes { .. } => &[Blame::Holes, Blame::Change],
        // A stream leaves the part that memory holds; reads from memory are not the device's rate.
        Disturbance::PageCache { .. } => &[Blame::PageCache, Blame::Change, Blame::Impossible],
        // What waits for a full cache waits for all that it holds.
        Disturbance::WriteCache { .. } => &[Blame::Change, Blame::DeviceCache, Blame::Stall],
    }
}
