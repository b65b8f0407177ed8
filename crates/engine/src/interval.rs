//! One slice of a worker's time series, and how it leaves the hot path.

use rtrb::{Consumer, Producer, RingBuffer};
use stats::LatencyHistogram;
use workload::Direction;

/// Fine counts per interval.
pub(crate) const TICKS: usize = 10;

/// What completed in one direction.
#[derive(Debug, Default)]
pub(crate) struct DirectionSlice {
    pub(crate) ops: u64,
    pub(crate) bytes: u64,
    pub(crate) total: LatencyHistogram,
    pub(crate) submission: LatencyHistogram,
    pub(crate) tick_ops: [u64; TICKS],
    pub(crate) tick_latency_ns: [u64; TICKS],
}

impl DirectionSlice {
    fn reset(&mut self) {
        self.ops = 0;
        self.bytes = 0;
        self.total.reset();
        self.submission.reset();
        self.tick_ops = [0; TICKS];
        self.tick_latency_ns = [0; TICKS];
    }
}

/// One slice: the completions reaped from `start_ns` until the next slice of the same worker.
#[derive(Debug)]
pub(crate) struct Slice {
    /// Number of the interval from the start of measuring; negative during the warm-up.
    pub(crate) index: i64,
    /// Per direction; only those that the job has are allocated.
    pub(crate) directions: [Option<Box<DirectionSlice>>; 3],
}

impl Slice {
    fn new(directions: [bool; 3]) -> Self {
        let make = |wanted: bool| wanted.then(|| Box::new(DirectionSlice::default()));
        Self { index: 0, directions: directions.map(make) }
    }

    /// Forgets everything, keeping the memory.
    pub(crate) fn reset(&mut self) {
        self.directions.iter_mut().flatten().for_each(|direction| direction.reset());
    }

    /// Counts one completion.
    #[inline]
    pub(crate) fn record(&mut self, direction: Direction, bytes: u64, ns: u64, tick: usize) {
        if let Some(slice) = &mut self.directions[direction as usize] {
            slice.ops += 1;
            slice.bytes += bytes;
            slice.total.record(ns);
            slice.tick_ops[tick] += 1;
            slice.tick_latency_ns[tick] += ns;
        }
    }
}

/// The worker's end: full slices out, empty ones in.
#[derive(Debug)]
pub(crate) struct SliceSource {
    full: Producer<Box<Slice>>,
    empty: Consumer<Box<Slice>>,
    /// Set when a slice had to be kept because no empty one was there.
    pub(crate) late: u64,
}

/// The collector's end.
#[derive(Debug)]
pub(crate) struct SliceSink {
    pub(crate) full: Consumer<Box<Slice>>,
    pub(crate) empty: Producer<Box<Slice>>,
}

/// Makes both ends with `count` slices in circulation, and the first slice for the worker.
pub(crate) fn channel(count: usize, directions: [bool; 3]) -> (SliceSource, SliceSink, Box<Slice>) {
    let (full, full_out) = RingBuffer::new(count);
    let (mut empty_in, empty) = RingBuffer::new(count);
    for _ in 1..count {
        // The ring has room for all of them: this cannot fail.
        let _ = empty_in.push(Box::new(Slice::new(directions)));
    }
    let source = SliceSource { full, empty, late: 0 };
    let sink = SliceSink { full: full_out, empty: empty_in };
    (source, sink, Box::new(Slice::new(directions)))
}

impl SliceSource {
    /// Sends `slice` off and puts an empty one in its place. When the collector is so late that
    /// none is there, the slice stays and goes on collecting: a longer interval, nothing lost.
    pub(crate) fn exchange(&mut self, slice: &mut Box<Slice>, next_index: i64) {
        match self.empty.pop() {
            Ok(fresh) => {
                let full = std::mem::replace(slice, fresh);
                // Both rings together hold `count` slices, so there is room.
                let pushed = self.full.push(full).is_ok();
                debug_assert!(pushed);
                slice.index = next_index;
            }
            Err(_) => self.late += 1,
        }
    }

    /// Sends the last slice off.
    pub(crate) fn finish(&mut self, slice: Box<Slice>) {
        let pushed = self.full.push(slice).is_ok();
        debug_assert!(pushed);
    }
}
