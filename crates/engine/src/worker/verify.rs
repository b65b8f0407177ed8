//! What was written is read back and compared.

use std::sync::atomic::Ordering;

use workload::{Direction, Job, Verify};

use super::Worker;
use crate::backend::Backend;
use crate::payload::{
    Buffers, Mismatch, PatternPiece, PatternPlan, SealPlan, SealSettings, Stamp, WriteTable,
};
use crate::sequence::Operation;

/// Mismatches that are kept with both blocks; more are only counted.
const MISMATCHES_MAX: usize = 8;

/// What a worker knows of the blocks that it wrote.
#[derive(Debug)]
pub(crate) struct Verifier {
    mode: Verify,
    plan: SealPlan,
    thread: u32,
    block: u32,
    /// Last sequence number written to each block, one table per target.
    tables: Vec<WriteTable>,
    sequence: u64,
    /// Written since the last look, in [`Verify::Batches`].
    recent: Vec<(u16, u64)>,
    batch: usize,
    /// A pass over the span ended: what follows must not overtake it.
    barrier: bool,
    verified: u64,
    mismatched: u64,
    mismatches: Vec<Mismatch>,
}

/// The outcome of verification.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct VerifyReport {
    /// Blocks compared.
    pub(crate) verified: u64,
    /// Of them: not what was expected.
    pub(crate) mismatched: u64,
    /// The first of those.
    pub(crate) mismatches: Vec<Mismatch>,
}

impl Verifier {
    /// For a job that verifies; `None` for others.
    ///
    /// # Errors
    /// When there is no memory for the tables.
    pub(crate) fn from_job(
        job: &Job,
        targets: u16,
        worker: u64,
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
            sequence: 0,
            recent: Vec::with_capacity(batch),
            batch,
            barrier: false,
            verified: 0,
            mismatched: 0,
            mismatches: Vec::with_capacity(MISMATCHES_MAX),
        })))
    }

    /// Whether every read of the job is compared.
    pub(crate) fn checks_all_reads(&self) -> bool {
        self.mode == Verify::Earlier
    }

    /// The buffer for a write, with header and body.
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
        let bytes = buffers.read_buffer_mut(slot, operation.length);
        let stamp = Stamp { time_ns, thread: self.thread };
        self.plan.seal(bytes, operation.offset, self.sequence, stamp);
        bytes.as_mut_ptr()
    }

    fn compare(&mut self, operation: &Operation, found: &[u8]) {
        let table = self.tables.get(operation.target as usize);
        let expected = table.and_then(|table| table.expected_sequence(operation.offset));
        self.verified += 1;
        if let Err(wrong) = self.plan.check(found, operation.offset, expected) {
            self.mismatched += 1;
            if self.mismatches.len() < MISMATCHES_MAX {
                let Operation { target, offset, .. } = *operation;
                let mismatch = Mismatch::new(&self.plan, target, offset, expected, found, wrong);
                self.mismatches.push(mismatch);
            }
        }
    }

    /// The outcome.
    pub(super) fn report(self) -> VerifyReport {
        VerifyReport {
            verified: self.verified,
            mismatched: self.mismatched,
            mismatches: self.mismatches,
        }
    }
}

/// The seal of a job's blocks.
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
        interval: seal.interval,
        header_offset: seal.header_offset,
        pattern: PatternPlan::new(&pieces),
        check_sequence: true,
        seed: seal.seed.unwrap_or(job.seed.0),
    };
    let (least, most) = job.sizes.bounds(job.block_size);
    SealPlan::new(settings, &[least.0 as u32, most.0 as u32]).map_err(|error| error.to_string())
}

impl<B: Backend> Worker<'_, B> {
    /// Whether nothing more may start before what is out has come back.
    pub(super) fn has_barrier(&mut self) -> bool {
        let pass_ended = self.generator.take_new_pass();
        let Some(verifier) = &mut self.verifier else { return false };
        if matches!(verifier.mode, Verify::Earlier | Verify::SealOnly) {
            return false;
        }
        verifier.barrier |= pass_ended;
        verifier.barrier || (verifier.batch > 0 && verifier.recent.len() >= verifier.batch)
    }

    /// Waits out a barrier and reads back what is due; `false` when the loop must end.
    pub(super) fn pass_barrier(&mut self) -> bool {
        if !self.has_barrier() || !self.batch.is_empty() {
            return true;
        }
        if !self.drain_outstanding() {
            return false;
        }
        let Some(verifier) = &mut self.verifier else { return true };
        verifier.barrier = false;
        if verifier.batch > 0 && verifier.recent.len() >= verifier.batch {
            let mut recent = std::mem::take(&mut verifier.recent);
            let sound = self.read_back(&mut recent.iter().copied(), true);
            recent.clear();
            if let Some(verifier) = &mut self.verifier {
                verifier.recent = recent;
            }
            return sound;
        }
        true
    }

    /// Takes completions, in the figures, until nothing is outstanding.
    fn drain_outstanding(&mut self) -> bool {
        while self.outstanding > 0 {
            if let Err(error) = self.backend.submit_and_wait() {
                return self.fail_interface(&error);
            }
            let reaped = self.now();
            self.accrue_outstanding(reaped);
            if reaped >= self.next_event_ns && !self.handle_time_event(reaped) {
                return false;
            }
            self.reap_completions(reaped);
            if self.error.is_some() {
                return false;
            }
        }
        true
    }

    /// Reads blocks of this worker and compares them, with as many outstanding as there are slots.
    /// In the ledger; in the figures when they are `counted`.
    fn read_back(&mut self, blocks: &mut dyn Iterator<Item = (u16, u64)>, counted: bool) -> bool {
        let length = self.verifier.as_ref().map_or(0, |verifier| verifier.block);
        let mut left = true;
        while left || self.outstanding > 0 {
            while left && !self.free.is_empty() && self.batch.len() < self.batch.capacity() {
                let Some((target, offset)) = blocks.next() else {
                    left = false;
                    break;
                };
                let Some(slot) = self.free.pop() else { break };
                let operation = Operation { direction: Direction::Read, target, length, offset };
                let operations = self.started_operations;
                let bytes = self.started_bytes;
                self.start_operation(slot, operation, 0);
                // What is read back does not use up what the job was to do.
                (self.started_operations, self.started_bytes) = (operations, bytes);
            }
            let submitted = self.now();
            self.stamp_batch(submitted);
            self.batch.clear();
            if self.outstanding == 0 {
                break;
            }
            if let Err(error) = self.backend.submit_and_wait() {
                return self.fail_interface(&error);
            }
            let reaped = self.now();
            self.accrue_outstanding(reaped);
            self.compare_completions(reaped, counted);
            if self.error.is_some() || self.shared.stop.load(Ordering::Relaxed) {
                return false;
            }
        }
        true
    }

    fn compare_completions(&mut self, reaped: u64, counted: bool) {
        while let Some((slot, result)) = self.backend.reap() {
            let place = self.slots[slot as usize];
            if result != (place.operation.length - place.moved) as i32 {
                self.handle_unexpected(slot, result);
                continue;
            }
            self.outstanding -= 1;
            self.free.push(slot);
            let bytes = u64::from(place.operation.length);
            self.count_requested(Direction::Read, bytes);
            if counted {
                let latency = reaped.saturating_sub(place.submitted_ns);
                self.slice.record(Direction::Read, bytes, latency, self.tick);
            }
            self.check_slot(slot);
        }
    }

    /// Compares what the read in `slot` brought.
    pub(super) fn check_slot(&mut self, slot: u32) {
        let operation = self.slots[slot as usize].operation;
        if let Some(verifier) = &mut self.verifier {
            verifier.compare(&operation, self.buffers.read_buffer_mut(slot, operation.length));
        }
    }

    /// Reads back everything that was written, in ascending order.
    pub(super) fn verify_at_end(&mut self) {
        let Some(verifier) = &mut self.verifier else { return };
        let counted = matches!(verifier.mode, Verify::Batches { .. });
        let mut places: Vec<(u16, u64)> = match verifier.mode {
            Verify::Earlier | Verify::SealOnly => return,
            Verify::Batches { .. } => std::mem::take(&mut verifier.recent),
            // The loop is over: here memory may be asked for.
            Verify::AtEnd => (0_u16..)
                .zip(&verifier.tables)
                .flat_map(|(target, table)| table.iter().map(move |(offset, _)| (target, offset)))
                .collect(),
        };
        self.read_back(&mut places.drain(..), counted);
    }
}
