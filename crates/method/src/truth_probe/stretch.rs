//! Random reads over parts of the whole device, where it may be a rotating disk: how their times
//! grow with the part tells what the arm takes, and how they spread what the platter takes.

use record::{TargetKind, Trial};
use units::{Bytes, Nanos};
use workload::{Access, Job, Span, Stop};

use crate::error::HaltResult;
use crate::session::Session;

/// The parts of the whole (methodology 7.2), and their shares of the time. The smallest is added
/// for the platter alone: there the seek is next to the same each time, and still much more is
/// reached than a drive's cache holds.
const PARTS: [(u64, f64); 5] = [(1, 0.35), (4, 0.15), (16, 0.15), (64, 0.15), (1024, 0.2)];
/// Less time than this is a handful of reads.
const TIME_MIN: Nanos = Nanos::millis(300);
/// The first read comes from wherever the last cell left the arm.
const WARM_UP: Nanos = Nanos::millis(20);
/// Of the time, and at least: for reads towards the start, each of which waits for a whole turn.
const BACKWARD: (f64, Nanos) = (0.1, Nanos::millis(150));
/// Their block: a few hundredths of a turn, so that the one before has passed for sure.
const STEP: Bytes = Bytes::kib(64);
/// The part that these walk through: more than they come through.
const WALK: u64 = 64 * Bytes::MIB;

pub(super) fn probe_stretch(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    if time < TIME_MIN || !analysis::may_rotate(&session.cells, Some(&session.facts.info)) {
        return Ok(());
    }
    let backward = Nanos((time.0 as f64 * BACKWARD.0) as u64).max(BACKWARD.1);
    read_backward(session, base, backward)?;
    // Of a file of our own it is not known where on the device it lies.
    if session.facts.info.kind != TargetKind::BlockDevice {
        return Ok(());
    }
    read_parts(session, base, Nanos(time.0.saturating_sub(backward.0)))
}

fn read_backward(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let Span { offset, length } = session.facts.span;
    let size = Bytes(length.0.min(WALK));
    let job = Job {
        name: "stretch-backward".to_owned(),
        access: Access::Backward,
        block_size: STEP,
        span: Span { offset, length: size },
        warm_up: WARM_UP,
        stop: Stop::after(time),
        ..base.clone()
    };
    session.measure_probe(&job, Trial::Stretch { size })
}

fn read_parts(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let whole = session.whole_size().0 / Bytes::MIB;
    // The whole was read already where all of it is measured.
    let parts =
        if session.facts.span.length.0 / Bytes::MIB >= whole { &PARTS[1..] } else { &PARTS[..] };
    let shares: f64 = parts.iter().map(|part| part.1).sum();
    for (part, share) in parts {
        let length = whole / part;
        if length == 0 {
            continue;
        }
        // In the middle: where a disk's tracks are of mean length.
        let offset = Bytes((whole - length) / 2 * Bytes::MIB);
        let size = Bytes(length * Bytes::MIB);
        let job = Job {
            name: format!("stretch-{}", size.to_compact()),
            span: Span { offset, length: size },
            warm_up: WARM_UP,
            stop: Stop::after(Nanos((time.0 as f64 * share / shares) as u64)),
            ..base.clone()
        };
        session.measure_probe_anywhere(&job, Trial::Stretch { size })?;
    }
    Ok(())
}
