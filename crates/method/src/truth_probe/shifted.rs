//! Blocks that start in the middle of a block of the device: what does that cost here?

use record::Trial;
use units::{Bytes, Nanos};
use workload::{Job, Mix, Span, Stop};

use crate::error::HaltResult;
use crate::session::Session;

/// The smallest sector: the least by which a partition of old lies beside the blocks.
const SHIFT: Bytes = Bytes(512);
/// Aligned, shifted, shifted, aligned: what changes steadily meanwhile falls out.
const ORDER: [Bytes; 4] = [Bytes(0), SHIFT, SHIFT, Bytes(0)];
/// Operations of each: enough for a median known to a few percent.
const OPERATIONS_MAX: u64 = 500;

pub(super) fn probe_shifted_reads(
    session: &mut Session<'_>,
    base: &Job,
    time: Nanos,
) -> HaltResult {
    run_shifted(session, base, Mix::Read, time)
}

/// Writes come last of all: they leave blocks that lie across others.
pub(super) fn probe_shifted_writes(
    session: &mut Session<'_>,
    base: &Job,
    time: Nanos,
) -> HaltResult {
    if session.facts.writable { run_shifted(session, base, Mix::Write, time) } else { Ok(()) }
}

fn run_shifted(session: &mut Session<'_>, base: &Job, mix: Mix, time: Nanos) -> HaltResult {
    // A device of 4 KiB sectors, or buffered reads, cannot be asked.
    let takes = session.opened().is_none_or(|opened| opened.direct && opened.offset_align <= SHIFT);
    if !takes {
        return Ok(());
    }
    let verb = if mix == Mix::Read { "read" } else { "write" };
    let length = Bytes(session.facts.span.length.0 - base.block_size.0);
    for by in ORDER {
        let job = Job {
            name: format!("shifted-{verb}-by-{}", by.0),
            mix,
            span: Span { offset: Bytes(session.facts.span.offset.0 + by.0), length },
            warm_up: Nanos::ZERO,
            stop: Stop {
                operations: Some(OPERATIONS_MAX),
                ..Stop::after(Nanos(time.0 / ORDER.len() as u64))
            },
            ..base.clone()
        };
        session.measure_probe(&job, Trial::Shifted { by })?;
    }
    Ok(())
}
