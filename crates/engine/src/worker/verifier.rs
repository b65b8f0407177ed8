//! What a worker knows of the blocks that it wrote, to compare them when they are read back.

use std::collections::BTreeMap;

use workload::{Job, SealLayout, Verify};

use crate::outcome::VerifyOutcome;
use crate::payload::{
    Buffers, Mismatch, PatternPiece, PatternPlan, SealPlan, SealSettings, Stamp, WriteTable,
};
use crate::sequence::{Operation, ScriptStep};

/// Mismatches that are kept with both blocks; more are only counted.
const MISMATCHES_MAX: usize = 8;

#[derive(Debug)]
pub(crate) struct Verifier {
    pub(super) mode: Verify,
    plan: SealPlan,
    thread: u32,
    pub(super) block: u32,
    /// Last sequence number written to each block, one table per target.
    pub(super) tables: Vec<WriteTable>,
    sequence: u64,
    /// Number of the last write of each slot.
    slot_sequences: Vec<u64>,
    /// Number of the write that a script expects at a place of a target.
    scripted: BTreeMap<(u16, u64), u64>,
    /// Writes since the last read-back, in [`Verify::Batches`].
    pub(super) recent: Vec<(u16, u64)>,
    pub(super) batch: usize,
    /// A pass over the span ended: the next must not overtake it.
    pub(super) barrier: bool,
    pub(super) outcome: VerifyOutcome,
}

impl Verifier {
    /// For a job that verifies; fails when there is no memory for the tables.
    pub(crate) fn from_job(
        job: &Job,
        targets: u16,
        worker: u64,
        script: &[ScriptStep],
    ) -> std::io::Result<Option<Box<Self>>> {
        let Some(mode) = job.verify else { return Ok(None) };
        let table = || WriteTable::new(job.span.offset.0, job.block_size.0, job.blocks());
        let (tables, batch) = match mode {
            Verify::Batches { writes } => (targets, writes as usize),
            Verify::AtEnd => (targets, 0),
            Verify::Earlier | Verify::SealOnly => (0, 0),
        };
        Ok(Some(Box::new(Self {
            mode,
            plan: seal_plan(job).map_err(std::io::Error::other)?,
            thread: worker as u32,
            block: job.block_size.0 as u32,
            tables: (0..tables).map(|_| table()).collect::<std::io::Result<_>>()?,
            sequence: job.seal.writes_before,
            slot_sequences: vec![0; job.depth.0 as usize],
            scripted: script
                .iter()
                .filter_map(|step| {
                    let Operation { target, offset, .. } = step.operation;
                    Some(((target, offset), step.sequence?))
                })
                .collect(),
            recent: Vec::with_capacity(batch),
            batch,
            barrier: false,
            outcome: VerifyOutcome {
                mismatches: Vec::with_capacity(MISMATCHES_MAX),
                ..VerifyOutcome::default()
            },
        })))
    }

    pub(super) fn seal_write(
        &mut self,
        buffers: &mut Buffers,
        slot: u32,
        operation: &Operation,
        time_ns: u64,
    ) -> *mut u8 {
        self.sequence += 1;
        if let Some(table) = self.tables.get_mut(operation.target as usize) {
            table.record_write(operation.offset, self.sequence);
        }
        if self.batch > 0 {
            self.recent.push((operation.target, operation.offset));
        }
        // Verified jobs write from the buffers of reads: nothing else fills those.
        if let Some(last) = self.slot_sequences.get_mut(slot as usize) {
            *last = self.sequence;
        }
        let bytes = buffers.read_buffer_mut(slot, operation.length);
        let stamp = Stamp { time_ns, thread: self.thread };
        self.plan.seal(bytes, operation.offset, self.sequence, stamp);
        bytes.as_mut_ptr()
    }

    /// Number of the last write of `slot`; 0 without one.
    pub(super) fn sequence_of(&self, slot: u32) -> u64 {
        self.slot_sequences.get(slot as usize).copied().unwrap_or(0)
    }

    /// Whether the block is as expected.
    pub(super) fn compare(&mut self, operation: &Operation, found: &[u8]) -> bool {
        let table = self.tables.get(operation.target as usize);
        let expected = table
            .and_then(|table| table.expected_sequence(operation.offset))
            .or_else(|| self.scripted.get(&(operation.target, operation.offset)).copied());
        self.outcome.blocks += 1;
        let Err(defect) = self.plan.check(found, operation.offset, expected) else { return true };
        self.outcome.mismatched += 1;
        if self.outcome.mismatches.len() < MISMATCHES_MAX {
            let Operation { target, offset, .. } = *operation;
            let mismatch = Mismatch::new(&self.plan, target, offset, expected, found, defect);
            self.outcome.mismatches.push(mismatch);
        }
        false
    }
}

fn seal_plan(job: &Job) -> Result<SealPlan, String> {
    let seal = &job.seal;
    let mut pieces = Vec::new();
    let mut at = 0;
    for &place in &seal.pattern_offsets {
        let place = (place as usize).min(seal.pattern.len());
        if place > at {
            pieces.push(PatternPiece::Bytes(&seal.pattern[at..place]));
        }
        pieces.push(PatternPiece::Offset);
        at = (place + 8).min(seal.pattern.len());
    }
    if at < seal.pattern.len() {
        pieces.push(PatternPiece::Bytes(&seal.pattern[at..]));
    }
    let settings = SealSettings {
        method: seal.method,
        layout: seal.layout,
        interval: seal.interval,
        header_offset: seal.header_offset,
        pattern: PatternPlan::new(&pieces).restarting(seal.pattern_interval as usize),
        check_sequence: true,
        seed: seal.seed.unwrap_or(job.seed.0),
    };
    let (least, most) = match seal.layout {
        SealLayout::Own => job.sizes.bounds(job.block_size),
        // Reads of other sizes than the writes are in the job that is written.
        _ if job.mix.sends_data() => job.sizes.write.bounds(job.block_size),
        SealLayout::Fio | SealLayout::Fio341 => {
            return SealPlan::new(settings, &[]).map_err(|error| error.to_string());
        }
    };
    SealPlan::new(settings, &[least.0 as u32, most.0 as u32]).map_err(|error| error.to_string())
}
