//! Known loads: fitted, drawn, and fitted again.

use engine::SplitMix64;
use jiff::Timestamp;
use record::profile::{Profile, ProfiledDisk};
use record::{RequestKind, TraceRequest};

use super::choice::{Choice, uniform};
use super::{DrawnRequests, ProfileBuilder};

const SECONDS: u64 = 20;
const LENGTH_NS: u64 = SECONDS * 1_000_000_000;
const DISK_BYTES: u64 = 1 << 30;
const BLOCK: u64 = 4096;
/// Relative to the figure.
const MARGIN: f64 = 0.05;

fn disk() -> ProfiledDisk {
    ProfiledDisk { name: "sim0".to_owned(), size_bytes: DISK_BYTES, block_bytes: 512 }
}

fn fit(requests: &[TraceRequest]) -> Profile {
    let mut builder = ProfileBuilder::new(disk());
    requests.iter().for_each(|request| builder.add(request));
    let profile = builder.finish(Timestamp::UNIX_EPOCH, LENGTH_NS, 0);
    // What is written is what is used.
    Profile::from_toml(&profile.to_toml().unwrap()).unwrap()
}

fn draw_exponential(mean_ns: f64, random: &mut SplitMix64) -> f64 {
    -mean_ns * (1.0 - uniform(random)).ln()
}

/// Gaps in nanoseconds, one after the other.
type Gaps<'a> = &'a mut dyn FnMut(&mut SplitMix64) -> f64;

/// 70 reads to 30 writes of three sizes, a flush after every eighth write, four fifths of the
/// random requests in a tenth of the disk, and reads in sequential runs of eight now and then.
fn make_load(gaps: Gaps<'_>) -> Vec<TraceRequest> {
    let random = &mut SplitMix64(7);
    let sizes = Choice::new([0.6, 0.3, 0.1]);
    let (mut now, mut writes, mut run_left, mut run_end) = (0.0, 0, 0, 0);
    let mut requests = Vec::new();
    loop {
        now += gaps(random);
        if now >= LENGTH_NS as f64 {
            return requests;
        }
        let start_ns = now as u64;
        let base = TraceRequest {
            start_ns,
            offset: 0,
            length: 0,
            kind: RequestKind::Flush,
            is_fua: false,
            latency_ns: Some(500_000),
        };
        if writes == 8 {
            writes = 0;
            requests.push(base);
            continue;
        }
        let length = [4096, 16384, 65536][sizes.draw(random).unwrap()];
        let kind = if uniform(random) < 0.7 { RequestKind::Read } else { RequestKind::Write };
        let is_fua = kind == RequestKind::Write && uniform(random) < 0.1;
        let span = if uniform(random) < 0.8 { DISK_BYTES / 10 } else { DISK_BYTES - (1 << 20) };
        let place = (uniform(random) * (span / BLOCK) as f64) as u64 * BLOCK;
        let (offset, kind) = match kind {
            RequestKind::Read if run_left > 0 => (run_end, kind),
            _ => (place, kind),
        };
        if kind == RequestKind::Read {
            run_left = match run_left {
                0 if uniform(random) < 0.05 => 7,
                left => left.max(1) - 1,
            };
            run_end = offset + u64::from(length);
        }
        writes += u64::from(kind == RequestKind::Write);
        requests.push(TraceRequest { offset, length, kind, is_fua, ..base });
    }
}

fn check_near(what: &str, truth: f64, found: f64) {
    let is_near = (found - truth).abs() <= MARGIN * truth.abs();
    assert!(is_near, "{what}: {truth} became {found}");
}

/// Asserts that the profiles agree. Shares below a hundredth are luck.
fn check_profiles(name: &str, truth: &Profile, found: &Profile) {
    check_near(&format!("{name}: rate"), truth.rate, found.rate);
    for (p, gap) in &truth.arrivals.gaps_ns {
        // The ends are luck; the test of both distributions looks at them.
        if matches!(p.as_str(), "p1" | "p99") {
            continue;
        }
        check_near(&format!("{name}: gap {p}"), *gap as f64, found.arrivals.gaps_ns[p] as f64);
    }
    for (kind, expected) in &truth.kinds {
        let drawn = &found.kinds[kind];
        let check = |what: &str, truth: f64, found: f64| {
            if truth >= 0.01 {
                check_near(&format!("{name}: {kind:?} {what}"), truth, found);
            }
        };
        check("share", expected.share, drawn.share);
        let Some((expected, drawn)) = expected.places.as_ref().zip(drawn.places.as_ref()) else {
            continue;
        };
        check("sequential", expected.sequential, drawn.sequential);
        for ((size, share), (other, found)) in expected.sizes.iter().zip(&drawn.sizes) {
            assert_eq!(size, other);
            check("size", *share, *found);
        }
        // The hot tenth of the disk has six zones and a part of a seventh.
        let hot = |zones: &[f64]| zones[..7].iter().sum::<f64>();
        check("hot zones", hot(&expected.zones), hot(&drawn.zones));
        let moved = expected.zones.iter().zip(&drawn.zones).map(|(a, b)| (a - b).abs());
        assert!(moved.sum::<f64>() / 2.0 <= MARGIN, "{name}: {kind:?} zones");
        assert_eq!(expected.alignment_bytes, drawn.alignment_bytes);
    }
}

/// The largest difference of both distributions, as a part of what is rejected at 1 %.
fn kolmogorov_smirnov(one: &[TraceRequest], other: &[TraceRequest]) -> f64 {
    let gaps = |requests: &[TraceRequest]| {
        let mut gaps: Vec<u64> =
            requests.windows(2).map(|pair| pair[1].start_ns - pair[0].start_ns).collect();
        gaps.sort_unstable();
        gaps
    };
    let (one, other) = (gaps(one), gaps(other));
    let share = |gaps: &[u64], value: u64| {
        gaps.partition_point(|gap| *gap <= value) as f64 / gaps.len() as f64
    };
    let all = one.iter().chain(&other);
    let distance = all.map(|v| (share(&one, *v) - share(&other, *v)).abs()).fold(0.0, f64::max);
    let (n, m) = (one.len() as f64, other.len() as f64);
    distance / (1.628 * ((n + m) / (n * m)).sqrt())
}

fn check_circle(name: &str, dispersion_margin: f64, gaps: Gaps<'_>) {
    let load = make_load(gaps);
    let truth = fit(&load);
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&truth, 3).collect();
    assert!(drawn.is_sorted_by_key(|request| request.start_ns));
    assert!(drawn.iter().all(|r| r.offset + u64::from(r.length) <= DISK_BYTES));
    let found = fit(&drawn);
    check_profiles(name, &truth, &found);
    let rejected = kolmogorov_smirnov(&load, &drawn);
    assert!(rejected < 1.0, "{name}: gaps differ, {rejected} of what is rejected at 1 %");
    for ((window, expected), (_, drawn)) in
        truth.arrivals.dispersion.iter().zip(&found.arrivals.dispersion)
    {
        let ratio = drawn / expected;
        // Few windows: luck.
        if window != "1s" {
            let range = 1.0 / dispersion_margin..dispersion_margin;
            assert!(range.contains(&ratio), "{name}: dispersion at {window}: {ratio} times");
        }
    }
    assert!(truth.to_toml().unwrap().len() < 16 << 10, "small");
}

#[test]
fn independent_arrivals_are_drawn_as_they_were() {
    check_circle("Poisson", 1.3, &mut |random| draw_exponential(500_000.0, random));
}

#[test]
fn bursts_are_drawn_as_bursts() {
    let mut count = 0;
    // Pauses of different lengths come independently of each other, so bursts vary more.
    check_circle("on and off", 2.0, &mut |random| {
        count += 1;
        match count % 60 {
            0 => draw_exponential(20_000_000.0, random),
            _ => draw_exponential(100_000.0, random),
        }
    });
}

/// What fills an interval is the pauses: the gaps within bursts stay as they were.
#[test]
fn gaps_within_bursts_are_not_stretched() {
    let mut busy_ns = 0.0;
    let requests = make_load(&mut |random| {
        let gap = draw_exponential(500_000.0, random);
        busy_ns += gap;
        let ends = busy_ns >= 60e6;
        busy_ns = if ends { 0.0 } else { busy_ns };
        gap + if ends { 60e6 } else { 0.0 }
    });
    let sort_gaps = |all: &[TraceRequest]| {
        let mut gaps: Vec<u64> = all.windows(2).map(|p| p[1].start_ns - p[0].start_ns).collect();
        gaps.sort_unstable();
        gaps
    };
    let truth = sort_gaps(&requests);
    let profile = fit(&requests);
    // One draw's quantiles differ by some 1.5 % by luck.
    let mut drawn = Vec::new();
    for seed in 1..9 {
        drawn.extend(sort_gaps(&Vec::from_iter(DrawnRequests::new(&profile, seed))));
    }
    drawn.sort_unstable();
    for percent in [25, 50, 75, 90, 95] {
        let of = |gaps: &[u64]| gaps[gaps.len() * percent / 100] as f64;
        let (truth, drawn) = (of(&truth), of(&drawn));
        assert!((drawn / truth - 1.0).abs() < 0.03, "p{percent}: {truth} became {drawn}");
    }
}

/// Flushes that follow a write at once do so again, however the other gaps are.
#[test]
fn a_flush_follows_as_soon_as_it_did() {
    let mut load = Vec::new();
    let random = &mut SplitMix64(5);
    for request in make_load(&mut |random| draw_exponential(500_000.0, random)) {
        let last = load.last().copied().unwrap_or(request);
        match request.kind {
            RequestKind::Flush => {
                let after_ns = 10_000.0 + uniform(random) * 10_000.0;
                load.push(TraceRequest { start_ns: last.start_ns + after_ns as u64, ..request });
            }
            _ => load.push(request),
        }
    }
    load.sort_by_key(|request| request.start_ns);
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&fit(&load), 2).collect();
    let median_and_longest = |all: &[TraceRequest]| {
        let flushes = all.windows(2).filter(|pair| pair[1].kind == RequestKind::Flush);
        let mut after_ns: Vec<u64> =
            flushes.map(|pair| pair[1].start_ns - pair[0].start_ns).collect();
        after_ns.sort_unstable();
        [after_ns[after_ns.len() / 2] as f64, after_ns[after_ns.len() - 1] as f64]
    };
    let (truth, found) = (median_and_longest(&load), median_and_longest(&drawn));
    check_near("median", truth[0], found[0]);
    check_near("longest", truth[1], found[1]);
    let rejected = kolmogorov_smirnov(&load, &drawn);
    assert!(rejected < 1.0, "gaps differ, {rejected} of what is rejected at 1 %");
}

#[test]
fn a_rate_that_changes_is_drawn_where_it_was() {
    let mut now = 0.0;
    let gaps: Gaps<'_> = &mut |random| {
        let is_busy = (now as u64 / 5_000_000_000).is_multiple_of(2);
        let gap = draw_exponential(if is_busy { 200_000.0 } else { 4_000_000.0 }, random);
        now += gap;
        gap
    };
    let load = make_load(gaps);
    let truth = fit(&load);
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&truth, 5).collect();
    assert!(kolmogorov_smirnov(&load, &drawn) < 1.0);
    let count = |requests: &[TraceRequest], second: u64| {
        requests.iter().filter(|r| r.start_ns / 1_000_000_000 == second).count()
    };
    for second in [1, 3, 6, 8, 11, 18] {
        let (before, after) = (count(&load, second), count(&drawn, second));
        let margin = (before / 10).max(60);
        assert!(before.abs_diff(after) <= margin, "second {second}: {before} became {after}");
    }
}

fn read_at(start_ns: u64) -> TraceRequest {
    TraceRequest {
        start_ns,
        offset: start_ns % 1000 * 4096,
        length: 4096,
        kind: RequestKind::Read,
        is_fua: false,
        latency_ns: None,
    }
}

/// Seconds of two patterns: evenly spaced ones of 1,000 requests, and bursts of two, of which half
/// have 1,040 requests and half 1,400. 1,040 is nearer to 1,000 than to the mean of the bursts.
#[test]
fn a_second_is_drawn_from_the_level_that_has_its_gaps() {
    const SHORT_NS: u64 = 20_000;
    let starts = (0..SECONDS).flat_map(|second| {
        let (requests, burst) =
            [(1_000, 1), (1_040, 2), (1_000, 1), (1_400, 2)][second as usize % 4];
        let bursts = requests / burst;
        (0..requests).map(move |place| {
            let burst_ns = 1_000_000_000 * (place / burst) / bursts;
            second * 1_000_000_000 + burst_ns + place % burst * SHORT_NS
        })
    });
    let load: Vec<TraceRequest> = starts.map(read_at).collect();
    let profile = fit(&load);
    assert_eq!(profile.arrivals.levels.len(), 2, "{:?}", profile.arrivals.levels);
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&profile, 3).collect();
    let count_short = |load: &[TraceRequest]| {
        let is_short = |pair: &&[TraceRequest]| pair[1].start_ns - pair[0].start_ns < 2 * SHORT_NS;
        load.windows(2).filter(is_short).count() as f64
    };
    check_near("short gaps", count_short(&load), count_short(&drawn));
}

#[test]
fn the_seed_decides_the_requests() {
    let load = make_load(&mut |random| draw_exponential(5_000_000.0, random));
    let profile = fit(&load);
    let draw = |seed: u64| DrawnRequests::new(&profile, seed).collect::<Vec<_>>();
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn a_scan_stays_a_scan() {
    let request = |index: u64| TraceRequest {
        start_ns: index * 1_000_000,
        offset: index * 65536 % DISK_BYTES,
        length: 65536,
        kind: RequestKind::Read,
        is_fua: false,
        latency_ns: Some(300_000),
    };
    let load: Vec<TraceRequest> = (0..SECONDS * 1000).map(request).collect();
    let truth = fit(&load);
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&truth, 1).collect();
    let follows = drawn.windows(2).filter(|p| p[1].offset == p[0].offset + 65536).count();
    assert!(follows as f64 > 0.99 * drawn.len() as f64, "{follows} of {}", drawn.len());
    check_near("gaps", 1e6, fit(&drawn).arrivals.gaps_ns["p50"] as f64);
}

#[test]
fn quiet_disks_have_profiles_too() {
    let empty = fit(&[]);
    assert_eq!((empty.requests, DrawnRequests::new(&empty, 1).count()), (0, 0));
    let flush = |start_ns| TraceRequest {
        start_ns,
        offset: 0,
        length: 0,
        kind: RequestKind::Flush,
        is_fua: false,
        latency_ns: None,
    };
    for starts in [&[5_u64][..], &[0, 0, 0], &[1, 13_000_000_000, LENGTH_NS - 1]] {
        let load: Vec<TraceRequest> = starts.iter().map(|start| flush(*start)).collect();
        let drawn: Vec<TraceRequest> = DrawnRequests::new(&fit(&load), 1).collect();
        let flushes = drawn.iter().filter(|r| r.kind == RequestKind::Flush).count();
        assert_eq!((drawn.len(), flushes), (load.len(), load.len()), "{starts:?}");
        assert!(drawn.iter().all(|request| request.start_ns <= LENGTH_NS));
    }
}

/// The first requests flush, and nothing else does.
#[test]
fn what_follows_the_last_flush_counts() {
    let request = |index: u64| TraceRequest {
        start_ns: index * 1_000_000,
        offset: index * 7919 % 100_000 * 4096,
        length: 4096,
        kind: if matches!(index, 0 | 10) { RequestKind::Flush } else { RequestKind::Write },
        is_fua: false,
        latency_ns: None,
    };
    let load: Vec<TraceRequest> = (0..SECONDS * 1000).map(request).collect();
    let flushes = |load: &[TraceRequest]| {
        load.iter().filter(|request| request.kind == RequestKind::Flush).count()
    };
    let drawn: Vec<TraceRequest> = DrawnRequests::new(&fit(&load), 1).collect();
    // A random number of them: two are expected.
    assert_eq!(drawn.len(), load.len());
    assert!((1..=20).contains(&flushes(&drawn)), "{} of {}", flushes(&drawn), load.len());
}

/// The capture ends in the middle of a second, after a long pause.
#[test]
fn the_rest_of_a_capture_is_of_its_own_level() {
    let fit_until = |load: &[TraceRequest], length_ns| {
        let mut builder = ProfileBuilder::new(disk());
        load.iter().for_each(|request| builder.add(request));
        let profile = builder.finish(Timestamp::UNIX_EPOCH, length_ns, 0);
        Profile::from_toml(&profile.to_toml().unwrap()).unwrap()
    };
    let lone = fit_until(&[read_at(20_400_000_000)], 20_500_000_000);
    assert_eq!(DrawnRequests::new(&lone, 1).count(), 1);
    // Ten slow seconds, ten fast ones, and a slow rest.
    let slow = |from: u64, count| (0..count).map(move |index| from + index * 20_000_000);
    let fast = (0..10_000).map(|index| 10_000_000_000 + index * 1_000_000);
    let starts = slow(0, 500).chain(fast).chain(slow(20_000_000_000, 45));
    let load: Vec<TraceRequest> = starts.map(read_at).collect();
    let levels = fit_until(&load, 20_900_000_000).arrivals.levels;
    let [slow, fast] = levels.as_slice() else { panic!("{levels:?}") };
    check_near("slow rate", 50.0, slow.rate);
    check_near("fast rate", 1000.0, fast.rate);
}
