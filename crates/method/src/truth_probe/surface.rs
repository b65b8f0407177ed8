//! The surface of a device or a large file, where there is time for it.

use record::TargetKind;
use units::{Bytes, Nanos};
use workload::Job;

use crate::error::HaltResult;
use crate::session::Session;
use crate::surface::{STREAM_SHAPE, SurfacePlan, measure_surface};

/// Below this a file says little of the surface that it lies on.
const SIZE_MIN: Bytes = Bytes::gib(1);
/// Fewest and most places: a curve needs ten steps, and more than fifty nobody reads.
const PLACE_COUNT: (u64, u64) = (11, 51);
/// What a place takes at least: 40 ms of coming there twice, 250 ms in sequence, some ten random
/// reads of a disk.
const PLACE_TIME_MIN: Nanos = Nanos::millis(450);
/// Of a place's time, the sequential part; the random part; the rest is for coming there.
const SLICE_SHARE: f64 = 0.55;
const ACCESS_SHARE: f64 = 0.28;
/// Of the time, kept for reading weak places again.
const REPEAT_SHARE: f64 = 0.15;
const SUSPECTS_MAX: usize = 3;

pub(super) fn probe_surface(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let Some(plan) = plan_surface(time) else { return Ok(()) };
    // A file of our own is where the file system put it: its places are not the device's.
    if session.facts.info.kind == TargetKind::Directory || session.whole_size() < SIZE_MIN {
        return Ok(());
    }
    measure_surface(session, base, &plan)
}

fn plan_surface(time: Nanos) -> Option<SurfacePlan> {
    let time = time.0 as f64 * (1.0 - REPEAT_SHARE);
    let places = (time / PLACE_TIME_MIN.0 as f64) as u64;
    if places < PLACE_COUNT.0 {
        return None;
    }
    // An odd number has a place in the middle.
    let places = (places.min(PLACE_COUNT.1) - 1) / 2 * 2 + 1;
    let each = time / places as f64;
    let part = |share: f64| Nanos((each * share) as u64);
    let ((block, depth), slice, access) = (STREAM_SHAPE, part(SLICE_SHARE), part(ACCESS_SHARE));
    Some(SurfacePlan { places, slice, block, depth, access, suspects: SUSPECTS_MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thorough_check_has_time_for_it_and_a_quick_one_has_not() {
        use crate::time_budget::TimeBudget;
        use record::Effort;
        let plan = |effort| {
            plan_surface(Nanos((TimeBudget::for_effort(effort).trials.0 as f64 * 0.3) as u64))
        };
        assert_eq!(plan(Effort::Quick), None);
        assert_eq!(plan(Effort::Standard), None);
        let plan = plan(Effort::Thorough).unwrap();
        assert!(plan.places >= 11, "{plan:?}");
        let once = plan.slice.0 + plan.access.0 + Nanos::millis(80).0;
        assert!(once * plan.places <= Nanos::millis(13_500).0, "{plan:?}");
    }
}
