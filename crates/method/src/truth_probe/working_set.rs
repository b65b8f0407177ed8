//! Random reads over ever larger parts of the span: where does a cache in front of the medium end?
//! Each part is first read as a whole. The smallest part and the whole span are measured three
//! times, in turns, so that a slow moment is not taken for a size.

use record::{Cell, Trial};
use units::{Bytes, Depth, Nanos};
use workload::{Job, Span, Stop};

use crate::error::HaltResult;
use crate::session::Session;

/// The smallest part; caches of drives begin at 8 MiB, and smaller ones change no figure.
const PART_MIN: Bytes = Bytes::mib(16);
/// From one part to the next: two octaves, or one where there is so much time.
const COARSE: u64 = 4;
const FINE: u64 = 2;
const FINE_FROM: Nanos = Nanos::secs(8);
/// How a part is read as a whole: in large blocks, for the time, and out of order, because some
/// caches let streams pass by.
const WARM_BLOCK: Bytes = Bytes::mib(1);
const WARM_DEPTH: Depth = Depth(4);
/// The deeper of the two measurements: how many reads a cache answers. Left out of a quick check.
const DEEP: Depth = Depth(16);
const DEEP_FROM: Nanos = Nanos::millis(600);
/// Reads of a measurement: one per millisecond of the trial, within these. The share of hits among
/// 400 is known to 5 percentage points.
const READS_MIN: u64 = 400;
const READS_MAX: u64 = 4000;
const MEASUREMENTS: u64 = 12;

pub(super) fn probe_working_set(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let whole = session.facts.span.length;
    if whole.0 < PART_MIN.0 * COARSE {
        return Ok(());
    }
    // A disk that turns has no time for it; there `stretch` looks at its arm instead.
    if analysis::is_slow_as_arm(&session.cells, Some(&session.facts.info)) {
        return Ok(());
    }
    let reads = (time.0 / 1_000_000).clamp(READS_MIN, READS_MAX);
    let each = Nanos(time.0 / MEASUREMENTS);
    let mut sweep =
        WorkingSetProbe { session, base, reads, each, left: time, warm_ns_per_byte: 0.0 };
    let factor = if time >= FINE_FROM { FINE } else { COARSE };
    let between = std::iter::successors(Some(PART_MIN.0 * factor), |size| Some(size * factor));
    let deep = time >= DEEP_FROM;
    for (size, deep) in [(PART_MIN, deep), (whole, deep), (PART_MIN, false), (whole, false)] {
        sweep.measure_part(size, deep)?;
    }
    for size in between.take_while(|size| size * 2 <= whole.0).map(Bytes) {
        if !sweep.has_time_for(size) {
            break;
        }
        sweep.measure_part(size, deep)?;
    }
    sweep.measure_part(PART_MIN, false)?;
    sweep.measure_part(whole, false)
}

struct WorkingSetProbe<'run, 'session> {
    session: &'run mut Session<'session>,
    base: &'run Job,
    reads: u64,
    each: Nanos,
    left: Nanos,
    warm_ns_per_byte: f64,
}

impl WorkingSetProbe<'_, '_> {
    fn has_time_for(&self, size: Bytes) -> bool {
        let warm = (size.0 + PART_MIN.0) as f64 * self.warm_ns_per_byte;
        warm + 4.0 * self.each.0 as f64 <= self.left.0 as f64
    }

    fn measure_part(&mut self, size: Bytes, deep: bool) -> HaltResult {
        // The whole has been read by everything before, as far as a cache can hold it.
        if size < self.session.facts.span.length {
            self.warm_part(size)?;
        }
        let depths: &[(Depth, u64)] =
            if deep { &[(Depth(1), 1), (DEEP, 4)] } else { &[(Depth(1), 1)] };
        for &(depth, times) in depths {
            let stop = Stop { operations: Some(self.reads * times), ..Stop::after(self.each) };
            let job = Job { depth, stop, ..self.build_job(size) };
            self.measure(&job, size)?;
        }
        Ok(())
    }

    fn warm_part(&mut self, size: Bytes) -> HaltResult {
        let job = self.build_job(size);
        let job = Job {
            name: format!("{}-warm", job.name),
            block_size: WARM_BLOCK,
            depth: WARM_DEPTH,
            // At most a quarter of the time: a disk this slow is measured with what it has read.
            stop: Stop { bytes: Some(size), ..Stop::after(Nanos(self.each.0 * MEASUREMENTS / 4)) },
            ..job
        };
        let before = self.left;
        self.measure(&job, size)?;
        let took = before.0.saturating_sub(self.left.0);
        self.warm_ns_per_byte = took as f64 / size.0 as f64;
        Ok(())
    }

    fn build_job(&self, size: Bytes) -> Job {
        Job {
            name: format!("working-set-{}", size.to_compact()),
            span: Span { offset: self.session.facts.span.offset, length: size },
            warm_up: Nanos::ZERO,
            ..self.base.clone()
        }
    }

    fn measure(&mut self, job: &Job, size: Bytes) -> HaltResult {
        let before = self.session.cells.len();
        self.session.measure_probe(job, Trial::WorkingSet { size })?;
        let took = self.session.cells.get(before).map_or(self.each, |cell: &Cell| cell.elapsed);
        self.left = Nanos(self.left.0.saturating_sub(took.0));
        Ok(())
    }
}
