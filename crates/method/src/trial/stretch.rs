//! Random reads over parts of the whole device, where it may be a rotating disk: how their times
//! grow with the part tells what the arm takes, and how they spread what the platter takes.

use record::{TargetKind, Trial};
use units::{Bytes, Nanos};
use workload::{Job, Span, Stop};

use crate::error::MethodError;
use crate::stage::{Flow, Stage};

/// The parts of the whole (methodology 7.2), and their shares of the time: the whole has the
/// widest spread, and needs the most reads.
const PARTS: [(u64, f64); 4] = [(1, 0.4), (4, 0.2), (16, 0.2), (64, 0.2)];
/// Less time than this is a handful of reads.
const LEAST: Nanos = Nanos::millis(400);
/// The first read comes from wherever the last cell left the arm.
const WARM_UP: Nanos = Nanos::millis(20);

pub(super) fn run(stage: &mut Stage<'_>, base: &Job, time: Nanos) -> Result<Flow, MethodError> {
    // A file of our own is no part of the device of which it would be known where it lies.
    let known = stage.info().kind == TargetKind::BlockDevice;
    if !known || time < LEAST || !analysis::may_rotate(&stage.cells, Some(stage.info())) {
        return Ok(Flow::GoOn);
    }
    let whole = stage.whole().0 / Bytes::MIB;
    for (part, share) in PARTS {
        let length = whole / part;
        if length == 0 {
            continue;
        }
        // In the middle: where a disk's tracks are of mean length.
        let offset = Bytes((whole - length) / 2 * Bytes::MIB);
        let size = Bytes(length * Bytes::MIB);
        let job = Job {
            name: format!("stretch-{}", size.compact()),
            span: Span { offset, length: size },
            warm_up: WARM_UP,
            stop: Stop::after(Nanos((time.0 as f64 * share) as u64)),
            ..base.clone()
        };
        let words = format!("random reads over {size}");
        if stage.trial_anywhere(&job, Trial::Stretch { size }, &words)? == Flow::End {
            return Ok(Flow::End);
        }
    }
    Ok(Flow::GoOn)
}
