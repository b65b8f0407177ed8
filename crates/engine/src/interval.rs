//! One slice of a worker's time series, and how it leaves the hot path.

use rtrb::{Consumer, Producer, RingBuffer};
use stats::LatencyHistogram;
use workload::Direction;

use crate::outcome::{Activity, DirectionSum};

pub(crate) const TICKS_PER_INTERVAL: usize = 10;

#[derive(Debug, Default)]
pub(crate) struct DirectionSlice {
    pub(crate) sum: DirectionSum,
    /// From the end of submission, where every submission is timed.
    pub(crate) completion: Option<LatencyHistogram>,
    pub(crate) tick_ops: [u64; TICKS_PER_INTERVAL],
    pub(crate) tick_latency_ns: [u64; TICKS_PER_INTERVAL],
}

/// The completions reaped from its start until the next slice of the same worker.
#[derive(Debug)]
pub(crate) struct Slice {
    /// Number of the interval from the start of measuring; negative during the warm-up.
    pub(crate) index: i64,
    /// Per direction; only those that the job has are allocated.
    pub(crate) directions: [Option<Box<DirectionSlice>>; 4],
    /// Of the worker, from its start until the end of the slice.
    pub(crate) activity: Activity,
}

impl Slice {
    fn new(layout: SliceLayout) -> Self {
        let slice = |is_used: bool| {
            is_used.then(|| {
                let mut slice = Box::<DirectionSlice>::default();
                slice.sum.response = layout.open_loop.then(LatencyHistogram::new);
                slice.sum.comparable = layout.is_replay.then(LatencyHistogram::new);
                slice.completion = layout.splits_submission.then(LatencyHistogram::new);
                slice
            })
        };
        let directions = layout.directions.map(slice);
        Self { index: 0, directions, activity: Activity::default() }
    }

    /// Clears the counts and keeps the memory.
    pub(crate) fn reset(&mut self) {
        for slice in self.directions.iter_mut().flatten() {
            slice.sum.reset();
            slice.completion.iter_mut().for_each(LatencyHistogram::reset);
            slice.tick_ops = [0; TICKS_PER_INTERVAL];
            slice.tick_latency_ns = [0; TICKS_PER_INTERVAL];
        }
    }

    #[inline]
    pub(crate) fn record(&mut self, direction: Direction, bytes: u64, ns: u64, tick: usize) {
        if let Some(slice) = &mut self.directions[direction as usize] {
            slice.sum.ops += 1;
            slice.sum.bytes += bytes;
            slice.sum.total.record(ns);
            slice.tick_ops[tick] += 1;
            slice.tick_latency_ns[tick] += ns;
        }
    }

    /// Both parts of a latency: of the operations that are counted, and of no others.
    #[inline]
    pub(crate) fn record_parts(&mut self, direction: Direction, submission: u64, completion: u64) {
        if let Some(slice) = &mut self.directions[direction as usize]
            && let Some(completions) = &mut slice.completion
        {
            completions.record(completion);
            slice.sum.submission.record(submission);
        }
    }

    #[inline]
    pub(crate) fn record_response(&mut self, direction: Direction, ns: u64, is_comparable: bool) {
        let Some(slice) = &mut self.directions[direction as usize] else { return };
        let sum = &mut slice.sum;
        sum.response.iter_mut().for_each(|response| response.record(ns));
        if is_comparable {
            sum.comparable.iter_mut().for_each(|comparable| comparable.record(ns));
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SliceLayout {
    /// In the order of their discriminants.
    pub(crate) directions: [bool; 4],
    /// Response times beside service times.
    pub(crate) open_loop: bool,
    /// Of these also those that are comparable with the ones of a capture.
    pub(crate) is_replay: bool,
    /// Completion latencies.
    pub(crate) splits_submission: bool,
}

/// The worker's end: full slices out, empty ones in.
#[derive(Debug)]
pub(crate) struct SliceSource {
    full: Producer<Box<Slice>>,
    empty: Consumer<Box<Slice>>,
    /// On a virtual clock: waits for an empty slice instead of keeping the full one.
    pub(crate) waits_for_empty: bool,
}

/// The collector's end.
#[derive(Debug)]
pub(crate) struct SliceSink {
    pub(crate) full: Consumer<Box<Slice>>,
    pub(crate) empty: Producer<Box<Slice>>,
}

pub(crate) fn slice_channel(
    count: usize,
    shape: SliceLayout,
) -> (SliceSource, SliceSink, Box<Slice>) {
    let (full, full_out) = RingBuffer::new(count);
    let (mut empty_in, empty) = RingBuffer::new(count);
    for _ in 1..count {
        // The ring has room for all of them: this cannot fail.
        let _ = empty_in.push(Box::new(Slice::new(shape)));
    }
    let source = SliceSource { full, empty, waits_for_empty: false };
    let sink = SliceSink { full: full_out, empty: empty_in };
    (source, sink, Box::new(Slice::new(shape)))
}

impl SliceSource {
    /// Sends `slice` off for an empty one. When the collector is late and has none, the slice goes
    /// on collecting: a longer interval, nothing lost.
    pub(crate) fn exchange_slice(&mut self, slice: &mut Box<Slice>, next_index: i64) {
        while self.waits_for_empty && self.empty.is_empty() && !self.empty.is_abandoned() {
            std::thread::yield_now();
        }
        let Ok(fresh) = self.empty.pop() else { return };
        let full = std::mem::replace(slice, fresh);
        slice.index = next_index;
        self.send_last(full);
    }

    pub(crate) fn send_last(&mut self, slice: Box<Slice>) {
        // Both rings together hold `count` slices, so there is room.
        let pushed = self.full.push(slice).is_ok();
        debug_assert!(pushed);
    }
}
