//! Written blocks are read back and compared.

use workload::{Direction, Verify};

use super::state::Worker;
use crate::backend::Backend;
use crate::outcome::OperationError;
use crate::sequence::Operation;

impl<B: Backend> Worker<'_, B> {
    /// Whether nothing may start before the outstanding operations are back.
    pub(super) fn has_barrier(&mut self) -> bool {
        let pass_ended = self.generator.take_new_pass();
        let Some(verifier) = &mut self.verifier else { return false };
        if matches!(verifier.mode, Verify::Earlier | Verify::SealOnly) {
            return false;
        }
        verifier.barrier |= pass_ended;
        verifier.barrier || (verifier.batch > 0 && verifier.recent.len() >= verifier.batch)
    }

    /// Waits out a barrier and reads back the blocks that are due; `false` when the loop must end.
    pub(super) fn pass_barrier(&mut self) -> bool {
        if !self.has_barrier() || !self.slots.batch.is_empty() {
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

    /// Reaps into the figures until nothing is outstanding.
    fn drain_outstanding(&mut self) -> bool {
        while self.slots.outstanding > 0 {
            if let Err(error) = self.backend.submit_and_wait() {
                return self.fail_interface(&error);
            }
            let Some(reaped) = self.read_clock() else { return false };
            self.reap_completions(reaped, u64::MAX);
            if self.failures.fatal.is_some() {
                return false;
            }
        }
        true
    }

    /// Reads blocks of this worker and compares them, with all slots; in the figures when
    /// `counted`.
    fn read_back(&mut self, blocks: &mut dyn Iterator<Item = (u16, u64)>, counted: bool) -> bool {
        let length = self.verifier.as_ref().map_or(0, |verifier| verifier.block);
        let mut left = true;
        while left || self.slots.outstanding > 0 {
            let room = self.slots.batch.capacity();
            while left && !self.slots.free.is_empty() && self.slots.batch.len() < room {
                let Some((target, offset)) = blocks.next() else {
                    left = false;
                    break;
                };
                let Some(slot) = self.slots.free.pop() else { break };
                let operation = Operation { direction: Direction::Read, target, length, offset };
                let started_bytes = self.counters.started_bytes;
                self.start_operation(slot, operation, 0);
                // As in fio, what is read back counts as operations of the job, not as its bytes.
                self.counters.started_bytes = started_bytes;
            }
            let submitted = self.now();
            self.stamp_batch(submitted);
            self.slots.batch.clear();
            if self.slots.outstanding == 0 {
                break;
            }
            if let Err(error) = self.backend.submit_and_wait() {
                return self.fail_interface(&error);
            }
            let reaped = self.now();
            self.accrue_outstanding(reaped);
            self.compare_completions(reaped, counted);
            if self.failures.fatal.is_some() || self.is_stopped() {
                return false;
            }
        }
        true
    }

    fn compare_completions(&mut self, reaped: u64, counted: bool) {
        while let Some((slot, result)) = self.backend.reap() {
            let place = self.slots.entries[slot as usize];
            if result != (place.operation.length - place.moved) as i32 {
                self.handle_unexpected(slot, result);
                continue;
            }
            self.slots.release(slot);
            let bytes = u64::from(place.operation.length);
            self.count_requested(Direction::Read, bytes);
            let latency = reaped.saturating_sub(place.submitted_ns);
            if let Some(tracer) = &mut self.link.tracer
                && self.timing.measuring
            {
                tracer.record(&self.slots.entries[slot as usize], reaped, 0, 0);
            }
            if counted {
                self.link.slice.record(Direction::Read, bytes, latency, self.timing.tick);
            } else {
                self.counters.activity.outside_latencies_ns += latency as i64;
            }
            self.check_slot(slot);
        }
    }

    pub(super) fn check_slot(&mut self, slot: u32) {
        let operation = self.slots.entries[slot as usize].operation;
        let Some(verifier) = &mut self.verifier else { return };
        let is_right =
            verifier.compare(&operation, self.buffers.read_buffer_mut(slot, operation.length));
        if !is_right && self.behaviour.mismatch_is_fatal {
            self.failures.fatal.get_or_insert(OperationError {
                direction: operation.direction,
                offset: operation.offset,
                length: u64::from(operation.length),
                errno: libc::EILSEQ,
                short: 0,
            });
        }
    }

    /// As in fio, what a batch lacks is not read back after the time is up.
    pub(super) fn verify_at_end(&mut self, has_time: bool) {
        let Some(verifier) = &mut self.verifier else { return };
        let counted = matches!(verifier.mode, Verify::Batches { .. });
        let mut places: Vec<(u16, u64)> = match verifier.mode {
            Verify::Earlier | Verify::SealOnly => return,
            Verify::Batches { .. } if !has_time => return,
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
