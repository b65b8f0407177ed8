//! What the blocks hold before anything is measured: zeros are often blocks that were never
//! written. A thread of its own reads them: if the device never answers, the run goes on.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use engine::{Clock, Permutation};
use record::ContentSample;
use stats::{LatencyHistogram, percentile_estimate};
use target::BlockReader;
use units::{Bytes, Nanos};
use workload::{Job, Span};

use crate::error::HaltResult;
use crate::session::Session;

/// Blocks looked at, at most (methodology: 1000 random 4 KiB blocks); a share of 1 % is then known
/// to a third of itself.
const BLOCKS_MAX: u64 = 1000;

type BlockResult = std::io::Result<(u64, bool)>;

pub(super) fn probe_zero_blocks(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    let Some(opened) = session.opened() else { return Ok(()) };
    let clock = session.clock.clock;
    let started = clock.now();
    // Without a descriptor or a thread there is no sample, and `zero-blocks` says so.
    let looked = BlockReader::new(opened, base.block_size).and_then(|reader| {
        // Not the blocks that the trials before have read.
        let places = pick_offsets(session.facts.span, base.block_size, base.seed.0 ^ 0xB10C);
        let (send, looked) = sync_channel(64);
        std::thread::Builder::new()
            .name("look-at-blocks".to_owned())
            .spawn(move || read_blocks(reader, places, clock, &send))?;
        Ok(looked)
    });
    if let Ok(looked) = looked {
        let until = started + time.0;
        session.content = collect_sample(&looked, base.block_size, clock, started, until);
    }
    Ok(())
}

fn pick_offsets(span: Span, block: Bytes, key: u64) -> impl Iterator<Item = u64> + Send + 'static {
    let blocks = span.length.0 / block.0;
    let order = Permutation::new(blocks, key);
    (0..blocks.min(BLOCKS_MAX)).map(move |index| span.offset.0 + order.at(index) * block.0)
}

fn read_blocks(
    mut reader: BlockReader,
    places: impl Iterator<Item = u64>,
    clock: Clock,
    send: &SyncSender<BlockResult>,
) {
    for place in places {
        let submitted = clock.now();
        let result = reader.read(place);
        let took = clock.now() - submitted;
        let failed = result.is_err();
        let looked = result.map(|()| (took, reader.holds_zeros()));
        if send.send(looked).is_err() || failed {
            return;
        }
    }
}

fn collect_sample(
    looked: &Receiver<BlockResult>,
    block_size: Bytes,
    clock: Clock,
    started: u64,
    until: u64,
) -> Option<ContentSample> {
    let (mut zeros, mut data) = (LatencyHistogram::new(), LatencyHistogram::new());
    let mut error = None;
    loop {
        let left = Duration::from_nanos(until.saturating_sub(clock.now()));
        match looked.recv_timeout(left) {
            Ok(Ok((took, true))) => zeros.record(took),
            Ok(Ok((took, false))) => data.record(took),
            Ok(Err(failed)) => {
                error = Some(failed.to_string());
                break;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    let blocks = zeros.count() + data.count();
    (blocks > 0 || error.is_some()).then(|| ContentSample {
        block_size,
        blocks,
        zero: zeros.count(),
        zero_p50_ns: percentile_estimate(&zeros, 50.0),
        data_p50_ns: percentile_estimate(&data, 50.0),
        elapsed: Nanos(clock.now() - started),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_blocks_of_the_span_and_differ() {
        let span = Span { offset: Bytes::mib(1), length: Bytes::mib(16) };
        let mut found: Vec<u64> = pick_offsets(span, Bytes::kib(4), 7).collect();
        assert_eq!(found.len() as u64, BLOCKS_MAX);
        let end = span.offset.0 + span.length.0;
        assert!(found.iter().all(|p| p % 4096 == 0 && (span.offset.0..end).contains(p)));
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len() as u64, BLOCKS_MAX);
        let few = Span { length: Bytes::kib(20), ..span };
        assert_eq!(pick_offsets(few, Bytes::kib(4), 7).count(), 5);
    }

    #[test]
    fn what_came_in_time_is_counted_by_content() {
        let clock = Clock::best();
        let (send, looked) = sync_channel(64);
        for i in 0..40 {
            let zero = i % 4 == 0;
            send.send(Ok((if zero { 20_000 } else { 100_000 }, zero))).unwrap();
        }
        send.send(Err(std::io::Error::other("broken"))).unwrap();
        let now = clock.now();
        let until = now + Nanos::secs(60).0;
        let sample = collect_sample(&looked, Bytes::kib(4), clock, now, until).unwrap();
        assert_eq!((sample.blocks, sample.zero), (40, 10));
        let (zero, data) = (sample.zero_p50_ns.unwrap(), sample.data_p50_ns.unwrap());
        assert!((zero.value / 20_000.0 - 1.0).abs() < 0.01 && zero.n == 10);
        assert!((data.value / 100_000.0 - 1.0).abs() < 0.01 && data.n == 30);
        assert_eq!(sample.error.as_deref(), Some("broken"));
    }

    #[test]
    fn a_device_that_never_answers_holds_nothing_up() {
        let clock = Clock::best();
        let (_silent, looked) = sync_channel(1);
        let now = clock.now();
        assert_eq!(collect_sample(&looked, Bytes::kib(4), clock, now, now), None);
    }
}
