//! Blocks that start in the middle of a block of the device: what does that cost here?

use record::Trial;
use units::{Bytes, Nanos};
use workload::{Job, Mix, Span, Stop};

use crate::error::MethodError;
use crate::session::{Flow, MeasureSession};

/// The smallest sector: the least by which a partition of old lies beside the blocks.
const SHIFT: Bytes = Bytes(512);
/// Aligned, shifted, shifted, aligned: what changes steadily meanwhile falls out.
const ORDER: [Bytes; 4] = [Bytes(0), SHIFT, SHIFT, Bytes(0)];
/// Operations of each; the median of so many is known to a few percent.
const OPERATIONS_MAX: u64 = 500;

pub(super) fn probe_shifted_reads(
    stage: &mut MeasureSession<'_>,
    base: &Job,
    time: Nanos,
) -> Result<Flow, MethodError> {
    run_shifted(stage, base, Mix::Read, time)
}

/// Writes come last of all: they leave blocks that lie across others.
pub(super) fn probe_shifted_writes(
    stage: &mut MeasureSession<'_>,
    base: &Job,
    time: Nanos,
) -> Result<Flow, MethodError> {
    if stage.writable { run_shifted(stage, base, Mix::Write, time) } else { Ok(Flow::Continue) }
}

fn run_shifted(
    stage: &mut MeasureSession<'_>,
    base: &Job,
    mix: Mix,
    time: Nanos,
) -> Result<Flow, MethodError> {
    // A device of 4 KiB sectors, or buffered reads, cannot be asked.
    let takes = stage.opened().is_none_or(|opened| opened.direct && opened.offset_align <= SHIFT);
    if !takes {
        return Ok(Flow::Continue);
    }
    let verb = if mix == Mix::Read { "read" } else { "write" };
    let length = Bytes(stage.span.length.0 - base.block_size.0);
    for by in ORDER {
        let job = Job {
            name: format!("shifted-{verb}-by-{}", by.0),
            mix,
            span: Span { offset: Bytes(stage.span.offset.0 + by.0), length },
            warm_up: Nanos::ZERO,
            stop: Stop {
                time: Some(Nanos(time.0 / ORDER.len() as u64)),
                bytes: None,
                operations: Some(OPERATIONS_MAX),
            },
            ..base.clone()
        };
        if stage.measure_probe(&job, Trial::Shifted { by }, "blocks across two of the device's")?
            == Flow::End
        {
            return Ok(Flow::End);
        }
    }
    Ok(Flow::Continue)
}
