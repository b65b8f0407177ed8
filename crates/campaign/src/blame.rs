//! What a finding blames, and what of it is true of a world.

use anyhow::Result;
use record::{FindingId, Record, Status};

use crate::truth::Truth;
use crate::world::Disturbance;

/// What takes less than this need not be found.
pub(crate) const MISSED_FROM: f64 = 0.20;

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
        Disturbance::Cap { .. } | Disturbance::Group { .. } => &[Blame::Cap],
        Disturbance::Step { .. }
        | Disturbance::Period { .. }
        | Disturbance::Ramp { .. }
        | Disturbance::Bucket { .. } => &[Blame::Change, Blame::Cap],
        Disturbance::Stall { .. } | Disturbance::Freeze { .. } => &[Blame::Stall, Blame::Change],
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

/// A cap beside another disturbance that took much, and of which it is said that there is none.
pub(crate) fn find_missed_cap(truth: &Truth<'_>, record: &Record) -> Result<Option<String>> {
    let (measured, judgement) = (&record.measured, record.judgement_or_default());
    let finding = judgement.finding(FindingId::ProviderLimit);
    let says_none = finding.is_some_and(|finding| finding.status == Status::Ok);
    if truth.world.device.capped_percent == 0 || !says_none {
        return Ok(None);
    }
    let names = judgement.curves.iter().flat_map(|curve| &curve.points).flat_map(|p| &p.cells);
    let mut took = 0.0_f64;
    for cell in names.filter_map(|name| measured.cell(name)) {
        let left = truth.reference(&cell.job, false)?.iops;
        took = took.max(1.0 - left / truth.uncapped_rate(&cell.job)?);
    }
    let words = || format!("missed: a cap took {:.0} % of a rate, and none is named", took * 100.0);
    Ok((took >= MISSED_FROM).then(words))
}
