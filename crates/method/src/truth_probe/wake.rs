//! Single reads after a long pause: what does it cost to wake the device?

use record::Trial;
use units::Nanos;
use workload::{Job, Pacing, Stop};

use crate::error::HaltResult;
use crate::session::Session;

/// Long enough for the power states that a drive enters by itself (methodology: 1 s idle); the
/// idle cell of every check has pauses of 50 or 100 ms.
const PAUSE: Nanos = Nanos::secs(1);
/// The least of which there is a median with an interval, and what is enough.
const REQUESTS_MIN: u64 = 6;
const REQUESTS_MAX: u64 = 10;

pub(super) fn probe_wake(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let requests = (time.0 / PAUSE.0).min(REQUESTS_MAX);
    // Only a thorough check has the time.
    if requests < REQUESTS_MIN {
        return Ok(());
    }
    let job = Job {
        name: format!("wake-read-{}", base.block_size.to_compact()),
        pacing: Pacing::Spaced { interval: PAUSE },
        warm_up: Nanos::ZERO,
        stop: Stop::operations(requests),
        ..base.clone()
    };
    session.measure_probe(&job, Trial::Wake { pause: PAUSE })
}
