//! From the requests of a load to the operations of the engine: places, lengths and starts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Operation, ScriptStep};
use record::{OffsetMap, RequestKind, TraceRequest};
use units::{Bytes, Nanos};
use workload::{Direction, Span};

use super::load::{LoadError, LoadFile, LoadRequests};

/// Within a step of this size offsets stay as they are, so that sequential requests stay
/// sequential.
const SCALE_STEP: u64 = Bytes::MIB;
/// A slot is this part of a smaller target...
const SLOTS: u64 = 64;
/// ... and has at most this number of steps.
const SLOT_STEPS_MAX: u64 = 64;

/// Where requests go, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepRules {
    pub(crate) map: OffsetMap,
    /// The part of the target that is measured.
    pub(crate) span: Span,
    /// Size of what the load was captured on.
    pub(crate) source: Bytes,
    /// Offsets and lengths are multiples of this.
    pub(crate) align: Bytes,
    pub(crate) speed: f64,
    /// Only where the load writes.
    pub(crate) replays_flushes: bool,
    /// Requests that started earlier in the capture are left out.
    pub(crate) from: Nanos,
    /// No request starts from here on.
    pub(crate) until: Nanos,
    /// The longest request that was seen before.
    pub(crate) largest: Bytes,
}

impl StepRules {
    /// `None` for a request that is not replayed.
    fn convert(&self, request: &TraceRequest, queue: &mut QueueThere) -> Option<ScriptStep> {
        let is_replayed = self.replays_flushes || request.kind != RequestKind::Flush;
        let direction = request.kind.direction().filter(|_| is_replayed)?;
        let outstanding_max = queue.add(request);
        let (offset, length) = match direction {
            Direction::Sync => (0, 0),
            _ => self.place(request.offset, u64::from(request.length)),
        };
        let operation = Operation { direction, target: 0, length, offset };
        let since_ns = request.start_ns.checked_sub(self.from.0)?;
        let due_ns = Some((since_ns as f64 / self.speed) as u64);
        Some(ScriptStep { operation, due_ns, sequence: None, outstanding_max })
    }

    /// Offset and length on the target.
    fn place(&self, offset: u64, length: u64) -> (u64, u32) {
        let align = self.align.0.max(1);
        let size = self.span.length.0;
        // The survey refused what is longer than the target.
        let length = length.max(1).next_multiple_of(align).min(size);
        let offset = match self.map {
            OffsetMap::AsIs => offset,
            OffsetMap::Wrap => offset % size.max(1),
            OffsetMap::Scale => scale_offset(offset, self.source.0, size),
        };
        let offset = (offset - offset % align).min(size - length);
        (self.span.offset.0 + offset - offset % align, u32::try_from(length).unwrap_or(u32::MAX))
    }
}

/// The queue that requests met where they were captured. A disk that stalls delays few requests of
/// a program that waits for them, and all that an open loop starts meanwhile: response times are
/// compared for those requests that meet no deeper queue here.
#[derive(Debug)]
pub(crate) enum QueueThere {
    /// Of a trace: when those that have started so far were done.
    Traced(BinaryHeap<Reverse<u64>>),
    /// Of a profile: the deepest.
    Deepest(u32),
    /// The load is replayed at another speed.
    Unknown,
}

impl QueueThere {
    /// Requests outstanding that are counted: more than a replay has.
    const COUNTED_MAX: usize = 1 << 16;

    pub(crate) fn new(file: &LoadFile, speed: f64) -> Self {
        match &file.profile {
            _ if (speed - 1.0).abs() > f64::EPSILON => Self::Unknown,
            Some((profile, _)) => {
                Self::Deepest(u32::try_from(profile.outstanding.max).unwrap_or(u32::MAX))
            }
            None => Self::Traced(BinaryHeap::new()),
        }
    }

    /// How many requests were outstanding when this one started; absent where its latency is not
    /// known.
    fn add(&mut self, request: &TraceRequest) -> Option<u32> {
        let done_ns = match self {
            Self::Unknown => return None,
            Self::Deepest(most) => return Some(*most),
            Self::Traced(done_ns) => done_ns,
        };
        let latency_ns = request.latency_ns?;
        while done_ns.peek().is_some_and(|first| first.0 <= request.start_ns) {
            done_ns.pop();
        }
        let count = done_ns.len();
        if count < Self::COUNTED_MAX {
            done_ns.push(Reverse(request.start_ns.saturating_add(latency_ns)));
        }
        u32::try_from(count).ok()
    }
}

/// On a smaller target several places fall on one: a sequential run passes over a whole slot before
/// it comes to the same place again.
fn scale_offset(offset: u64, source: u64, size: u64) -> u64 {
    let steps = |bytes: u64| bytes.div_ceil(SCALE_STEP).max(1);
    let (from, to) = (steps(source), steps(size));
    let slot = if from > to { (to / SLOTS).clamp(1, SLOT_STEPS_MAX) } else { 1 };
    let step = offset / SCALE_STEP;
    let scaled = (u128::from(step) * u128::from(to) / u128::from(from)) as u64;
    let step = (scaled - scaled % slot + step % slot).min(to - 1);
    step * SCALE_STEP + offset % SCALE_STEP
}

/// What went wrong with the file of a load while it was replayed.
pub(crate) type ReadFailure = Arc<Mutex<Option<LoadError>>>;

pub(crate) fn take_failure(failure: &ReadFailure) -> Option<LoadError> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The operations of a load until its end, or until it cannot be read: then `failure` says why.
pub(crate) fn load_steps(
    requests: LoadRequests,
    rules: StepRules,
    mut queue: QueueThere,
    failure: ReadFailure,
) -> impl Iterator<Item = ScriptStep> + Send {
    let requests = requests.map_while(move |request| {
        // Discards are not replayed, and may be of any length.
        let is_longer = |request: &TraceRequest| {
            request.kind.direction().is_some() && u64::from(request.length) > rules.largest.0
        };
        let error = match request {
            Ok(request) if is_longer(&request) => LoadError::Changed,
            Ok(request) => return Some(request),
            Err(error) => error,
        };
        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        None
    });
    let until_ns = rules.until.0;
    requests
        .filter_map(move |request| rules.convert(&request, &mut queue))
        .take_while(move |step| step.due_ns.unwrap_or(0) < until_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: StepRules = StepRules {
        map: OffsetMap::AsIs,
        span: Span { offset: Bytes(4096), length: Bytes::mib(8) },
        source: Bytes::mib(80),
        align: Bytes(512),
        speed: 1.0,
        replays_flushes: true,
        from: Nanos::ZERO,
        until: Nanos(u64::MAX),
        largest: Bytes::mib(1),
    };

    #[test]
    fn places_follow_the_rule_and_stay_on_the_target() {
        let check = |map, offset: u64, length, expected| {
            assert_eq!(StepRules { map, ..RULES }.place(offset, length), expected, "{map:?}");
        };
        check(OffsetMap::AsIs, 8192, 4096, (12_288, 4096));
        check(OffsetMap::AsIs, 700, 100, (4096 + 512, 512));
        check(OffsetMap::Wrap, (8 << 20) + 8192, 4096, (12_288, 4096));
        check(OffsetMap::Wrap, (16 << 20) - 512, 4096, (4096 + (8 << 20) - 4096, 4096));
        check(OffsetMap::Scale, 79 << 20, 4096, (4096 + (7 << 20), 4096));
        check(OffsetMap::Scale, (10 << 20) + 8192, 4096, (4096 + (1 << 20) + 8192, 4096));
        for offset in (0..80 << 20).step_by(777_777) {
            for map in [OffsetMap::Wrap, OffsetMap::Scale] {
                let (place, length) = StepRules { map, ..RULES }.place(offset, 65_536);
                assert!(place >= 4096 && place + u64::from(length) <= 4096 + (8 << 20));
                assert!(place.is_multiple_of(512));
            }
        }
    }

    #[test]
    fn a_sequential_run_on_a_smaller_target_passes_over_a_slot() {
        let place = |mib: u64| scale_offset(mib << 20, 10 << 30, 1 << 30) >> 20;
        let run: Vec<u64> = (0..16).map(place).collect();
        assert_eq!(run, Vec::from_iter(0..16));
        assert_eq!((place(16), place(5 * 1024), place(10 * 1024 - 1)), (0, 512, 1023));
    }

    #[test]
    fn starts_follow_the_speed_and_flushes_the_writes() {
        let flush = TraceRequest {
            start_ns: 9_000,
            offset: 0,
            length: 0,
            kind: RequestKind::Flush,
            is_fua: false,
            latency_ns: None,
        };
        let fast = StepRules { speed: 3.0, ..RULES };
        assert_eq!(fast.convert(&flush, &mut QueueThere::Unknown).unwrap().due_ns, Some(3000));
        let later = StepRules { from: Nanos(8_000), ..RULES };
        assert_eq!(later.convert(&flush, &mut QueueThere::Unknown).unwrap().due_ns, Some(1000));
        assert!(
            StepRules { from: Nanos(9_001), ..RULES }
                .convert(&flush, &mut QueueThere::Unknown)
                .is_none()
        );
        assert!(
            StepRules { replays_flushes: false, ..RULES }
                .convert(&flush, &mut QueueThere::Unknown)
                .is_none()
        );
        assert!(
            RULES
                .convert(
                    &TraceRequest { kind: RequestKind::Discard, ..flush },
                    &mut QueueThere::Unknown
                )
                .is_none()
        );
    }

    #[test]
    fn the_queue_there_is_what_was_outstanding_when_a_request_started() {
        let request = |start_ns, latency_ns| TraceRequest {
            start_ns,
            offset: 0,
            length: 4096,
            kind: RequestKind::Write,
            is_fua: false,
            latency_ns,
        };
        let mut queue = QueueThere::Traced(BinaryHeap::new());
        let mut check = |start_ns, latency_ns, kind, expected| {
            let request = TraceRequest { kind, ..request(start_ns, latency_ns) };
            let step = RULES.convert(&request, &mut queue);
            assert_eq!(step.map(|step| step.outstanding_max), expected, "{start_ns}");
        };
        let write = RequestKind::Write;
        check(0, Some(100), write, Some(Some(0)));
        check(0, Some(10), RequestKind::Read, Some(Some(1)));
        check(5, Some(900), RequestKind::Discard, None);
        check(10, Some(20), RequestKind::Flush, Some(Some(1)));
        check(99, None, write, Some(None));
        check(99, Some(1), write, Some(Some(1)));
        check(100, Some(1), write, Some(Some(0)));
        let mut deepest = QueueThere::Deepest(7);
        let step = RULES.convert(&request(0, None), &mut deepest).unwrap();
        assert_eq!(step.outstanding_max, Some(7));
    }
}
