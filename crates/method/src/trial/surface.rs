//! The surface of a device or a large file, where there is time for it.

use record::TargetKind;
use units::{Bytes, Nanos};
use workload::Job;

use crate::error::MethodError;
use crate::stage::{Flow, Stage};
use crate::surface::{STREAM, SurfacePlan, surface};

/// Below this a file says little of the surface that it lies on.
const LARGE: Bytes = Bytes::gib(1);
/// Fewest and most places: a curve needs ten steps, and more than fifty nobody reads.
const PLACES: (u64, u64) = (11, 51);
/// What a place takes at least: 40 ms of coming there twice, 250 ms in sequence, some ten random
/// reads of a disk.
const PLACE: Nanos = Nanos::millis(450);
/// Of a place's time, the sequential part; the random part; the rest is for coming there.
const SLICE: f64 = 0.55;
const ACCESS: f64 = 0.28;
/// Of the time, kept for reading weak places again.
const AGAIN: f64 = 0.15;
/// Places that are read again, at most.
const SUSPECTS: usize = 3;

pub(super) fn run(stage: &mut Stage<'_>, base: &Job, time: Nanos) -> Result<Flow, MethodError> {
    let Some(plan) = planned(time) else { return Ok(Flow::GoOn) };
    // A file of our own is where the file system put it: its places are not the device's.
    if stage.info().kind == TargetKind::Directory || stage.whole() < LARGE {
        return Ok(Flow::GoOn);
    }
    surface(stage, base, &plan)
}

/// How a surface is looked at in so much time; `None` where it is too little.
fn planned(time: Nanos) -> Option<SurfacePlan> {
    let time = time.0 as f64 * (1.0 - AGAIN);
    let places = (time / PLACE.0 as f64) as u64;
    if places < PLACES.0 {
        return None;
    }
    // An odd number has a place in the middle.
    let places = (places.min(PLACES.1) - 1) / 2 * 2 + 1;
    let each = time / places as f64;
    let part = |share: f64| Nanos((each * share) as u64);
    let ((block, depth), slice, access) = (STREAM, part(SLICE), part(ACCESS));
    Some(SurfacePlan { places, slice, block, depth, access, suspects: SUSPECTS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thorough_check_has_time_for_it_and_a_quick_one_has_not() {
        use crate::plan::Times;
        use record::Effort;
        let plan = |effort| planned(Nanos((Times::of(effort).trials.0 as f64 * 0.3) as u64));
        assert_eq!(plan(Effort::Quick), None);
        assert_eq!(plan(Effort::Standard), None);
        let plan = plan(Effort::Thorough).unwrap();
        assert!(plan.places >= 11, "{plan:?}");
        let once = plan.slice.0 + plan.access.0 + Nanos::millis(80).0;
        assert!(once * plan.places <= Nanos::millis(13_500).0, "{plan:?}");
    }
}
