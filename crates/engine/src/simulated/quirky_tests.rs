//! Each quirk has a closed form of its own.

use super::schedule::Schedule;
use super::testing::{assert_near, random, random_reads};
use super::throttle::{Throttle, ThrottleScope};
use super::*;

const MIB: u64 = 1 << 20;
const MS: u64 = 1_000_000;

/// Two channels, 100 us per read, 50 us per write, no transfer time.
fn medium() -> Medium {
    Medium::Ssd(Ssd {
        channels: 2,
        write_ns: 50_000,
        bytes_per_second: 0.0,
        flush_ns: MS,
        ..Ssd::FLASH
    })
}

fn device(quirks: Quirks) -> QuirkyDevice {
    QuirkyDevice::new(DeviceModel::new(64 * MIB, medium()), quirks, 42)
}

/// Submits one request at `now_ns` to an idle device, and waits for it.
fn one(device: &mut QuirkyDevice, now_ns: u64, op: Op, content: Content) -> Completion {
    device.submit(now_ns, 7, op, content);
    let mut now_ns = now_ns;
    loop {
        if let Some(done) = device.pop_completion(now_ns) {
            assert_eq!((device.outstanding(), device.next_event_ns()), (0, None));
            return done;
        }
        now_ns = device.next_event_ns().expect("a request in flight completes");
    }
}

/// How long each of several requests took, one after another.
fn latencies(device: &mut QuirkyDevice, ops: &[Op]) -> Vec<u64> {
    let mut now_ns = 0;
    let timed = |op: &Op| {
        let begun_ns = now_ns;
        now_ns = one(device, begun_ns, *op, Content::Noise).time_ns;
        now_ns - begun_ns
    };
    ops.iter().map(timed).collect()
}

fn at(kind: OpKind, offset: u64) -> Op {
    Op { kind, offset, length: 4096 }
}

fn read(offset: u64) -> Op {
    at(OpKind::Read, offset)
}

fn write(offset: u64) -> Op {
    at(OpKind::Write, offset)
}

/// Completions per second of a closed loop at `depth`, and the times of completion.
fn run(
    device: &mut QuirkyDevice,
    depth: u32,
    count: usize,
    mut next: impl FnMut() -> Op,
) -> Vec<u64> {
    let mut now_ns = 0;
    for id in 0..depth {
        device.submit(0, id, next(), Content::Noise);
    }
    let mut times_ns = Vec::new();
    while times_ns.len() < count {
        match device.pop_completion(now_ns) {
            Some(done) => {
                times_ns.push(done.time_ns);
                device.submit(now_ns, done.id, next(), Content::Noise);
            }
            None => now_ns = device.next_event_ns().expect("a request in flight completes"),
        }
    }
    times_ns
}

fn rate(times_ns: &[u64], from_ns: u64, to_ns: u64) -> f64 {
    let inside = times_ns.iter().filter(|time_ns| (from_ns..to_ns).contains(time_ns)).count();
    inside as f64 / ((to_ns - from_ns) as f64 / 1e9)
}

#[test]
fn without_quirks_it_is_the_plain_device() {
    let law = DeviceModel::new(64 * MIB, medium());
    let plain = testing::closed_loop(&law, 8, 5000, random_reads(64 * MIB, 4096));
    let mut quirky = device(Quirks::default());
    let times_ns = run(&mut quirky, 8, 5000, random_reads(64 * MIB, 4096));
    assert_eq!(times_ns, plain.times_ns);
}

#[test]
fn blocks_never_written_are_fast_until_they_are_written() {
    let unmapped = Some(UnmappedReads { read_ns: 5_000, is_counted: true, mapped_bytes: MIB });
    let mut device = device(Quirks { unmapped, ..Quirks::default() });
    let trim = Op { kind: OpKind::Trim, offset: 4096, length: 4096 };
    let ops = [read(0), read(MIB), write(MIB), read(MIB), trim, read(4096), read(8192)];
    let took = latencies(&mut device, &ops);
    assert_eq!(took, [100_000, 5_000, 50_000, 100_000, 50_000, 5_000, 100_000]);
}

#[test]
fn reads_above_the_device_are_not_counted() {
    let read_ns = 5_000;
    let counted = |quirks: Quirks| {
        let mut device = device(quirks);
        let ops = [read(0), read(MIB - 4096), read(MIB), write(0), read(0), write(2 * MIB)];
        let took = latencies(&mut device, &ops);
        (took, device.counters(u64::MAX / 2))
    };
    let page_cache = Some(PageCache { bytes: MIB, read_ns });
    let (took, counters) = counted(Quirks { page_cache, ..Quirks::default() });
    assert_eq!(took, [5_000, 5_000, 100_000, 50_000, 5_000, 50_000]);
    assert_eq!((counters.reads, counters.writes), (1, 2));
    let unmapped = |is_counted| {
        let unmapped = Some(UnmappedReads { read_ns, is_counted, mapped_bytes: 0 });
        counted(Quirks { unmapped, ..Quirks::default() })
    };
    let (took, counters) = unmapped(false);
    assert_eq!(took, [5_000, 5_000, 5_000, 50_000, 100_000, 50_000]);
    assert_eq!((counters.reads, counters.writes), (1, 2));
    assert_eq!(unmapped(true).1.reads, 4);
}

#[test]
fn a_block_is_fetched_once_and_all_wait_for_the_same_fetch() {
    let first_touch = Some(FirstTouch { block_bytes: MIB, fetch_ns: 5 * MS });
    let mut device = device(Quirks { first_touch, ..Quirks::default() });
    device.submit(0, 1, read(0), Content::Noise);
    device.submit(2 * MS, 2, read(4096), Content::Noise);
    let fetched = [device.pop_completion(5 * MS), device.pop_completion(5 * MS)];
    assert_eq!(fetched.map(|done| done.map(|done| done.time_ns)), [Some(5 * MS); 2]);
    let later = one(&mut device, 6 * MS, read(8192), Content::Noise);
    assert_eq!(later.time_ns, 6 * MS + 100_000);
    let next = one(&mut device, 7 * MS, read(MIB), Content::Noise);
    assert_eq!(next.time_ns, 12 * MS);
}

#[test]
fn an_ignored_flush_waits_for_nothing() {
    let flush = at(OpKind::Flush, 0);
    assert_eq!(latencies(&mut device(Quirks::default()), &[write(0), flush]), [50_000, MS]);
    let quirks = Quirks { ignored_flush_ns: Some(2_000), ..Quirks::default() };
    assert_eq!(latencies(&mut device(quirks), &[write(0), flush]), [50_000, 2_000]);
}

#[test]
fn writes_fall_to_the_direct_rate_when_the_cache_in_the_flash_is_full() {
    let (bytes, direct) = (16 * MIB, 4e6);
    let slc = SlcCache { bytes, drain_bytes_per_second: 0.0, direct_bytes_per_second: direct };
    let mut device = device(Quirks { slc: Some(slc), ..Quirks::default() });
    let times_ns = run(&mut device, 4, 8000, random(OpKind::Write, 64 * MIB, 4096));
    // The cache takes 4096 writes at nearly 2 per 50 us, the rest goes at 4 MB/s.
    let filled_ns = times_ns[4095];
    assert!(filled_ns < 150 * MS, "{filled_ns}");
    assert_near(rate(&times_ns, filled_ns + 10 * MS, filled_ns + 1000 * MS), direct / 4096.0, 0.01);
}

#[test]
fn a_cache_in_the_flash_is_emptied_meanwhile() {
    let slc = SlcCache { bytes: MIB, drain_bytes_per_second: 1e9, direct_bytes_per_second: 1e6 };
    let mut device = device(Quirks { slc: Some(slc), ..Quirks::default() });
    let times_ns = run(&mut device, 1, 2000, random(OpKind::Write, 64 * MIB, 4096));
    // One write per 50 us is 82 MB/s, less than is emptied: it never fills.
    assert_eq!(times_ns.last(), Some(&(2000 * 50_000)));
}

#[test]
fn random_writes_are_slow_when_the_spare_blocks_are_used_up() {
    let law = GarbageCollection { after_bytes: 4 * MIB, bytes_per_second: 8e6 };
    let quirks = Quirks { collection: Some(law), ..Quirks::default() };
    let times_ns = run(&mut device(quirks.clone()), 4, 6000, random(OpKind::Write, 64 * MIB, 4096));
    let begun_ns = times_ns[1023];
    assert!(begun_ns < 40 * MS, "{begun_ns}");
    assert_near(rate(&times_ns, begun_ns + 10 * MS, begun_ns + 1000 * MS), 8e6 / 4096.0, 0.01);
    // In order, it never begins.
    let mut place = 0;
    let in_order = || {
        place += 4096;
        write(place % (64 * MIB))
    };
    let times_ns = run(&mut device(quirks), 1, 6000, in_order);
    assert_eq!(times_ns.last(), Some(&(6000 * 50_000)));
}

#[test]
fn a_device_that_rests_must_wake_up() {
    let sleep = Some(IdleSleep { after_ns: 20 * MS, wake_ns: 10 * MS });
    let mut device = device(Quirks { sleep, ..Quirks::default() });
    let check = |device: &mut QuirkyDevice, at_ns, expected_ns| {
        let done = one(device, at_ns, read(0), Content::Noise);
        assert_eq!(done.time_ns - at_ns, expected_ns, "at {at_ns}");
    };
    check(&mut device, 0, 100_000);
    check(&mut device, 20 * MS, 100_000);
    check(&mut device, 41 * MS, 10 * MS + 100_000);
    check(&mut device, 60 * MS, 100_000);
}

#[test]
fn a_neighbour_takes_its_part_while_it_is_busy_and_nothing_otherwise() {
    let neighbour = NoisyNeighbour {
        start_ns: 500 * MS,
        every_ns: 1000 * MS,
        lasts_ns: 500 * MS,
        iops: 10_000.0,
        length: 4096,
    };
    let mut device = device(Quirks { neighbour: Some(neighbour), ..Quirks::default() });
    let times_ns = run(&mut device, 32, 50_000, random_reads(64 * MIB, 4096));
    // Two channels of 100 us do 20,000 per second, nearly all of them at depth 32.
    let (alone, beside) =
        (rate(&times_ns, 1010 * MS, 1490 * MS), rate(&times_ns, 1510 * MS, 1990 * MS));
    assert_near(alone, 20_000.0, 0.03);
    assert_near(beside, 10_000.0, 0.06);
}

#[test]
fn a_neighbour_of_an_idle_device_costs_no_time() {
    let neighbour = NoisyNeighbour {
        start_ns: 0,
        every_ns: 1000 * MS,
        lasts_ns: 1000 * MS,
        iops: 9e5,
        length: 4096,
    };
    let mut device = device(Quirks { neighbour: Some(neighbour), ..Quirks::default() });
    // A year later: what came in between is not gone through one by one.
    let later_ns = 365 * 86_400_000 * MS;
    assert!(one(&mut device, later_ns, read(0), Content::Noise).time_ns > later_ns);
}

#[test]
fn what_the_bytes_are_decides() {
    let content =
        ContentTimes { zeros_ns: Some(1_000), compressible_ns: Some(9_000), copy_ns: None };
    let mut device = device(Quirks { content: Some(content), ..Quirks::default() });
    let mut check = |n: u64, content, expected_ns| {
        let begun_ns = n * MS;
        let done = one(&mut device, begun_ns, write(0), content);
        assert_eq!(done.time_ns - begun_ns, expected_ns, "{content:?}");
    };
    check(1, Content::Noise, 50_000);
    check(2, Content::Zeros, 1_000);
    check(3, Content::Compressible, 9_000);
    check(4, Content::Copy, 50_000);
}

#[test]
fn bad_places_fail_and_their_neighbours_do_not() {
    let bad = vec![BadRange { offset: 8192, length: 512, from_ns: 0 }];
    let mut device = device(Quirks { bad, ..Quirks::default() });
    for (op, failed) in [
        (read(4096), false),
        (read(8192), true),
        (write(8192), true),
        (Op { kind: OpKind::Read, offset: 0, length: 1 << 20 }, true),
        (read(12_288), false),
        (at(OpKind::Flush, 8192), false),
    ] {
        let now_ns = device.next_event_ns().unwrap_or(MS);
        assert_eq!(one(&mut device, now_ns, op, Content::Noise).failed, failed, "{op:?}");
    }
}

#[test]
fn a_place_goes_bad_at_its_time() {
    let bad = vec![BadRange { offset: 8192, length: 512, from_ns: 50 * MS }];
    let mut device = device(Quirks { bad, ..Quirks::default() });
    assert!(!one(&mut device, MS, read(8192), Content::Noise).failed);
    assert!(one(&mut device, 50 * MS, read(8192), Content::Noise).failed);
}

#[test]
fn a_split_operation_counts_as_its_requests_and_a_cap_lets_so_many_through() {
    let throttles = vec![Throttle::of_requests(Schedule::constant(1_000.0))];
    let quirks = Quirks { throttles, split_bytes: 128 << 10, ..Quirks::default() };
    for (length, requests) in [(4096, 1), (128 << 10, 1), (129 << 10, 2), (1 << 20, 8)] {
        let mut device = device(quirks.clone());
        let times_ns = run(&mut device, 8, 300, random_reads(64 * MIB, length));
        let counted = device.counters(u64::MAX / 2);
        assert_eq!((counted.reads, counted.read_bytes), (300 * requests, 300 * u64::from(length)));
        assert_near(rate(&times_ns, 0, times_ns[299]), 1_000.0 / requests as f64, 0.03);
    }
}

#[test]
fn a_neighbour_that_comes_once_is_counted_while_it_is_there() {
    let neighbour = NoisyNeighbour {
        start_ns: 1000 * MS,
        every_ns: 0,
        lasts_ns: 500 * MS,
        iops: 10_000.0,
        length: 8192,
    };
    let mut device = device(Quirks { neighbour: Some(neighbour), ..Quirks::default() });
    let times_ns = run(&mut device, 32, 50_000, random_reads(64 * MIB, 4096));
    let during = rate(&times_ns, 1010 * MS, 1490 * MS);
    assert!(during < 12_000.0, "{during}");
    assert_near(rate(&times_ns, 1510 * MS, 2000 * MS), 20_000.0, 0.03);
    let counted = device.counters(2_500 * MS);
    assert_near(counted.reads as f64 - 50_000.0, 5_000.0, 0.01);
    assert_eq!(counted.read_bytes, 50_000 * 4096 + (counted.reads - 50_000) * 8192);
}

#[test]
fn a_throttle_holds_requests_back_before_the_device_and_others_pass_it() {
    let scope = ThrottleScope::Writes;
    let throttle = Throttle { scope, ..Throttle::of_requests(Schedule::constant(1_000.0)) };
    let mut device = device(Quirks { throttles: vec![throttle], ..Quirks::default() });
    let times_ns = run(&mut device, 8, 5_000, random(OpKind::Write, 64 * MIB, 4096));
    assert_near(rate(&times_ns, 0, 4_000 * MS), 1_000.0, 0.01);
    let start_ns = times_ns.last().copied().unwrap() + MS;
    for _ in 0..3 {
        let write = Op { kind: OpKind::Write, offset: 0, length: 4096 };
        device.submit(start_ns, 1, write, Content::Noise);
    }
    device.submit(start_ns, 2, read(64), Content::Noise);
    let first = device.next_event_ns().and_then(|time_ns| device.pop_completion(time_ns));
    assert!(first.is_some_and(|done| done.time_ns < start_ns + MS), "{first:?}");
}

#[test]
fn requests_that_were_given_up_are_served_and_not_reported() {
    let mut device = device(Quirks::default());
    (0..8).for_each(|id| device.submit(0, id, read(u64::from(id)), Content::Noise));
    device.give_up_outstanding();
    assert_eq!((device.outstanding(), device.next_event_ns()), (0, None));
    device.submit(1, 99, read(64), Content::Noise);
    assert_eq!(device.pop_completion(10 * MS).map(|done| done.id), Some(99));
    assert_eq!(device.pop_completion(10 * MS), None);
    assert_eq!((device.outstanding(), device.counters(10 * MS).reads), (0, 9));
}

#[test]
fn a_frozen_file_system_holds_writes_and_flushes_back_until_its_end_and_no_reads() {
    let freeze = Freeze { start_ns: 100 * MS, lasts_ns: 50 * MS };
    let mut device = device(Quirks { freeze: Some(freeze), ..Quirks::default() });
    let flush = Op { kind: OpKind::Flush, offset: 0, length: 0 };
    for (now_ms, op, after_ms) in [
        (99, write(0), 99),
        (100, read(0), 100),
        (101, write(0), 150),
        (149, flush, 150),
        (150, write(0), 150),
    ] {
        // Each on a device of its own time: what completes late is awaited.
        let mut device = device.clone();
        let done_ns = one(&mut device, now_ms * MS, op, Content::Noise).time_ns;
        assert!((after_ms * MS..(after_ms + 2) * MS).contains(&done_ns), "{now_ms}: {done_ns}");
    }
    // A queue that is full of held writes goes on at once, as the same device without a freeze.
    let mut plain = self::device(Quirks::default());
    let writes =
        |device: &mut QuirkyDevice| run(device, 8, 20_000, random(OpKind::Write, 64 * MIB, 4096));
    let (times_ns, plain_ns) = (writes(&mut device), writes(&mut plain));
    assert!(rate(&times_ns, 101 * MS, 150 * MS) < 1.0);
    for (from_ms, to_ms) in [(0, 100), (151, 400)] {
        let of = |times_ns: &[u64]| rate(times_ns, from_ms * MS, to_ms * MS);
        assert_near(of(&times_ns), of(&plain_ns), 0.03);
    }
}
