//! `truedisk capture` on loop devices, under loads of ours.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lab::{LoopDevice, Need};
use method::profile::ProfileBuilder;
use record::profile::{Profile, ProfiledDisk};
use record::{RequestKind, TraceEnd, TraceHeader, TraceReader, TraceRequest, TraceWriter};
use rustix::process::{Pid, Signal, kill_process};
use support::{alone, beside, copy_program, record_of, run, truedisk};
use units::Seed;

/// Relative to the figure.
const MARGIN: f64 = 0.05;
const PATIENCE: Duration = Duration::from_secs(20);

fn capture(device: &Path, words: &[&str]) -> Command {
    let mut command = truedisk(["capture"]);
    command.arg(device).args(words);
    command
}

/// Starts a capture, and waits until it sees requests.
fn start_capture(device: &Path, words: &[&str]) -> Child {
    let mut command = capture(device, words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("capturing the requests of loop"), "{first}");
    child
}

fn interrupt(child: Child) -> String {
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn read_profile(path: &Path) -> Profile {
    Profile::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// 70 reads to 30 writes of three sizes, a flush after every eighth write, and four fifths of the
/// requests in a tenth of the disk.
fn start_load(device: &Path, seconds: u32) -> Child {
    let file = format!("--filename={}", device.display());
    let runtime = format!("--runtime={seconds}");
    let words = "fio --name=load --rw=randrw --rwmixread=70 --bssplit=4k/50:16k/30:64k/20 \
                 --direct=1 --ioengine=libaio --iodepth=32 --rate_iops=700,300 \
                 --rate_process=poisson --fdatasync=8 --random_distribution=zoned:80/10:20/90 \
                 --time_based";
    let mut load = truedisk(words.split_whitespace());
    load.args([&file, &runtime]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        // sleeps because neither counters nor lists of the kernel can be waited for
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn check_near(what: &str, truth: f64, found: f64) {
    assert!((found - truth).abs() <= MARGIN * truth, "{what}: {truth}, captured {found}");
}

#[test]
fn a_known_load_is_captured_and_ctrl_c_leaves_nothing_behind() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let disk = LoopDevice::new(256 << 20).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (profile, trace) = (folder.path().join("a.tdprofile"), folder.path().join("a.tdtrace"));
    let mut load = start_load(disk.path(), 8);
    // It reads the whole disk before it begins.
    let begun = disk.read_stat().unwrap().write_ios;
    wait_until("the load begins", || disk.read_stat().unwrap().write_ios > begun + 100);
    let programs = target::list_bpf_programs().unwrap();
    let words = ["-o", profile.to_str().unwrap(), "--trace", trace.to_str().unwrap()];
    let child = start_capture(disk.path(), &words);
    let before = disk.read_stat().unwrap();
    load.wait().unwrap();
    let after = disk.read_stat().unwrap();
    let text = interrupt(child);
    wait_until("no program is left", || {
        target::list_bpf_programs().unwrap().iter().all(|id| programs.contains(id))
    });

    let found = read_profile(&profile);
    let share = |kind: RequestKind| found.kinds[&kind].share * found.requests as f64;
    let (reads, writes) = (after.read_ios - before.read_ios, after.write_ios - before.write_ios);
    let flushes = share(RequestKind::Flush);
    check_near("reads", reads as f64, share(RequestKind::Read));
    // The kernel counts a flush among the writes.
    check_near("writes", writes as f64, share(RequestKind::Write) + flushes);
    check_near("flushes", share(RequestKind::Write) / 8.0, flushes);
    check_near("lost", found.requests as f64, (found.requests + found.lost) as f64);
    let length = found.length_ns as f64 / 1e9;
    check_near("rate", found.requests as f64 / length, found.rate);
    for kind in [RequestKind::Read, RequestKind::Write] {
        let of = &found.kinds[&kind];
        let places = of.places.as_ref().unwrap();
        let bytes: f64 = places.sizes.iter().map(|(size, share)| f64::from(*size) * share).sum();
        let mean = 4096.0 * (0.5 + 4.0 * 0.3 + 16.0 * 0.2);
        assert!((bytes / mean - 1.0).abs() < 0.1, "{kind:?}: {bytes} bytes");
        let sizes: Vec<u32> = places.sizes.iter().map(|(size, _)| *size).collect();
        assert_eq!(sizes, [4096, 16384, 65536]);
        // The hot tenth of 64 zones.
        let hot = places.zones[..6].iter().sum::<f64>() + 0.4 * places.zones[6];
        check_near("hot zones", 0.8, hot);
        assert!(places.sequential < 0.02 && places.alignment_bytes == 4096);
        assert!(of.latency_ns["p99"] >= of.latency_ns["p50"]);
    }
    for words in ["IOPS over", "reads: ", "mostly 4 KiB", "flushes: ", "profile: ", "trace: "] {
        assert!(text.contains(words), "no '{words}' in {text}");
    }

    let mut reader = TraceReader::new(std::fs::File::open(&trace).unwrap()).unwrap();
    let requests: Vec<TraceRequest> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(requests.len() as u64, found.requests);
    assert!(matches!(reader.end(), Some(TraceEnd::Whole { .. })));
    // The kernel's own sum of the same times.
    let reads = requests.iter().filter(|request| request.kind == RequestKind::Read);
    let traced_ms = reads.map(|read| read.latency_ns.unwrap() as f64 / 1e6).sum();
    check_near("time of reads", after.since(before).read_ms as f64, traced_ms);
}

/// Reads a millisecond apart, no two beside each other: what the kernel is asked for while they are
/// replayed is what stands in the trace.
#[test]
fn what_is_replayed_is_what_was_traced() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let disk = LoopDevice::new(DISK).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let planned: Vec<TraceRequest> = (0..3000)
        .map(|number| TraceRequest {
            start_ns: number * 1_000_000 + number * number % 7 * 50_000,
            offset: number * 7919 % 4000 * 16_384,
            length: [4096, 8192][(number % 2) as usize],
            kind: RequestKind::Read,
            is_fua: false,
            latency_ns: None,
        })
        .collect();
    write_trace(&path("plan.tdtrace"), &planned, 3);

    let [profile, trace] =
        ["a.tdprofile", "a.tdtrace"].map(|name| path(name).display().to_string());
    let child = start_capture(disk.path(), &["-o", &profile, "--trace", &trace]);
    let mut replay = truedisk(["replay", "--json", "-", "--no-history"]);
    replay.arg(path("plan.tdtrace")).arg(disk.path());
    let record = record_of(replay);
    interrupt(child);

    let reader = TraceReader::new(std::fs::File::open(&trace).unwrap()).unwrap();
    let seen: Vec<TraceRequest> = reader.map(Result::unwrap).collect();
    let places: HashMap<u64, usize> =
        planned.iter().enumerate().map(|(place, request)| (request.offset, place)).collect();
    let planned_start =
        |request: &TraceRequest| Some(planned[*places.get(&request.offset)?].start_ns);
    let begun = seen.iter().filter_map(|of| of.start_ns.checked_sub(planned_start(of)?));
    let mut begun: Vec<u64> = begun.collect();
    begun.sort_unstable();
    let begun = begun[begun.len() / 2];
    // Before the replay its target is looked at: the last look is some milliseconds away.
    // Requests that come together share a start, and have no order.
    let (mut done, mut delays) = (Vec::new(), Vec::new());
    for request in seen.iter().filter(|request| request.start_ns + 3_000_000 > begun) {
        let place = places[&request.offset];
        assert_eq!((request.kind, request.length), (RequestKind::Read, planned[place].length));
        done.push((request.start_ns, place));
        delays.push(request.start_ns as i64 - (begun + planned[place].start_ns) as i64);
    }
    done.sort_unstable();
    assert!(done.windows(2).all(|pair| pair[0].1 < pair[1].1), "{done:?}");
    // All of them, but for those that the kernel did not show.
    let lost = read_profile(Path::new(&profile)).lost as usize;
    assert!(done.len() + lost >= planned.len(), "{} and {lost} lost", done.len());
    assert!(lost * 100 <= planned.len(), "{lost}");
    // At their times, or said to be late.
    delays.sort_unstable();
    let [p1, p50, p99] = [1, 50, 99].map(|percent| delays[delays.len() * percent / 100]);
    let said = record.judgement_or_default().replay.as_ref().unwrap().lateness_p99.0 as i64;
    assert!(p99 - p50 < 100_000 + said && p50 - p1 < 100_000 + said, "{p1} {p50} {p99}, {said}");
}

const DISK: u64 = 64 << 20;
/// Starts are promised to be less late than this at p99.
const LATENESS_MAX_NS: u64 = 100_000;

/// A trace of a disk of 64 MiB.
fn write_trace(path: &Path, requests: &[TraceRequest], seconds: u64) {
    let header = TraceHeader { device_size: DISK, block_size: 512, started_unix_ns: 0 };
    let mut writer = TraceWriter::new(std::fs::File::create(path).unwrap(), &header).unwrap();
    requests.iter().for_each(|request| writer.push(request).unwrap());
    writer.finish(seconds * 1_000_000_000).unwrap();
}

/// Bursts of 60 ms and pauses as long, of 70 reads to 30 writes of three sizes, four fifths of them
/// in a tenth of the disk; a fifth of the reads go on where the last read ended, and after eight
/// writes comes a flush.
fn write_bursts(path: &Path, seconds: u64) {
    let mut requests = Vec::new();
    let mut state = 7_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let (mut busy_ns, mut writes, mut read_end) = (0.0, 0, 0);
    loop {
        busy_ns -= uniform().ln() * 500_000.0;
        let bursts = (busy_ns / 60e6).floor();
        let start_ns = (busy_ns + bursts * 60e6) as u64;
        if start_ns >= seconds * 1_000_000_000 {
            break;
        }
        let kind = if uniform() < 0.7 { RequestKind::Read } else { RequestKind::Write };
        let length = [4096, 4096, 4096, 4096, 4096, 16_384, 16_384, 16_384, 65_536, 65_536]
            [(uniform() * 10.0) as usize];
        let (from, of) = if uniform() < 0.8 { (0.0, 0.1) } else { (0.1, 0.9) };
        let place = (from + of * uniform()) * DISK as f64;
        let mut offset = (place as u64 / 4096 * 4096).min(DISK - u64::from(length));
        if kind == RequestKind::Read {
            if uniform() < 0.2 && read_end + u64::from(length) <= DISK {
                offset = read_end;
            }
            read_end = offset + u64::from(length);
        }
        let request =
            TraceRequest { start_ns, offset, length, kind, is_fua: false, latency_ns: None };
        requests.push(request);
        writes += u64::from(kind == RequestKind::Write);
        if kind == RequestKind::Write && writes % 8 == 0 {
            let flush = TraceRequest { offset: 0, length: 0, kind: RequestKind::Flush, ..request };
            requests.push(flush);
        }
    }
    write_trace(path, &requests, seconds);
}

/// What the kernel is asked for while a load is replayed, from its first request on, and whether
/// the replay was on time.
fn capture_replay(
    disk: &LoopDevice,
    load: &Path,
    trace: &Path,
    seed: u64,
) -> (Vec<TraceRequest>, bool) {
    let child = start_capture(disk.path(), &["--trace", trace.to_str().unwrap()]);
    let mut replay = truedisk(["replay", "--json", "-", "--no-history", "--seed"]);
    replay
        .arg(seed.to_string())
        .arg(load)
        .arg(disk.path())
        .arg("--yes-destroy-data-on")
        .arg(disk.path());
    let record = record_of(replay);
    interrupt(child);
    let said = record.judgement_or_default().replay.as_ref().unwrap();
    let is_on_time = said.lateness_p99.0 < LATENESS_MAX_NS;

    let mut planned = Vec::new();
    let survey = method::read_load(load, Seed(seed)).unwrap();
    survey.for_each_request(|request| planned.push(*request)).unwrap();
    let reader = TraceReader::new(std::fs::File::open(trace).unwrap()).unwrap();
    let seen: Vec<TraceRequest> = reader.map(Result::unwrap).collect();
    std::fs::remove_file(trace).unwrap();
    // Before the load the disk is looked at and written: its end is that of the plan.
    let last = |all: &[TraceRequest]| {
        all.iter().rfind(|of| of.kind != RequestKind::Flush).unwrap().start_ns
    };
    let begun = last(&seen).saturating_sub(last(&planned));
    let of_load = seen.into_iter().filter(|of| of.start_ns + 3_000_000 >= begun);
    let from_start =
        |of: TraceRequest| TraceRequest { start_ns: of.start_ns.saturating_sub(begun), ..of };
    (of_load.map(from_start).collect(), is_on_time)
}

/// One of a host whose processors are taken says nothing of the load: it is made again.
fn capture_on_time(disk: &LoopDevice, load: &Path, trace: &Path) -> Vec<TraceRequest> {
    let mut replays = (1..=5).map(|seed| capture_replay(disk, load, trace, seed));
    let on_time = replays.find(|(_, is_on_time)| *is_on_time);
    on_time.unwrap_or_else(|| panic!("each of five replays was late")).0
}

fn fit(requests: &[TraceRequest], seconds: u64) -> Profile {
    let (name, size_bytes, block_bytes) = ("loop".to_owned(), DISK, 512);
    let mut builder = ProfileBuilder::new(ProfiledDisk { name, size_bytes, block_bytes });
    requests.iter().for_each(|request| builder.add(request));
    builder.finish(jiff::Timestamp::UNIX_EPOCH, seconds * 1_000_000_000, 0)
}

/// The times from one start to the next, in ascending order: before flushes, and before others.
fn sort_gaps(all: &[TraceRequest]) -> [Vec<u64>; 2] {
    let gap = |pair: &[TraceRequest]| {
        (pair[1].start_ns - pair[0].start_ns, pair[1].kind == RequestKind::Flush)
    };
    let (flushes, others): (Vec<_>, Vec<_>) = all.windows(2).map(gap).partition(|gap| gap.1);
    [flushes, others].map(|gaps| {
        let mut gaps: Vec<u64> = gaps.into_iter().map(|(gap, _)| gap).collect();
        gaps.sort_unstable();
        gaps
    })
}

/// The largest distance of two distributions of gaps, at which gap, and how much is expected once
/// in a hundred.
fn compare_gaps(one: &[u64], other: &[u64]) -> (f64, u64, f64) {
    let below = |all: &[u64], gap| all.partition_point(|g| *g <= gap) as f64 / all.len() as f64;
    let distance = |gap: &u64| ((below(one, *gap) - below(other, *gap)).abs(), *gap);
    let distances = one.iter().chain(other).map(distance);
    let (most, at) = distances.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let (n, m) = (one.len() as f64, other.len() as f64);
    (most, at, 1.63 * ((n + m) / (n * m)).sqrt())
}

/// The first figure in which the profiles differ by more than 5 %.
fn find_difference(first: &Profile, second: &Profile) -> Option<String> {
    let mut pairs = vec![("rate".to_owned(), first.rate, second.rate)];
    for (kind, of) in &first.kinds {
        let Some(other) = second.kinds.get(kind) else { return Some(format!("no {kind:?}")) };
        pairs.push((format!("share {kind:?}"), of.share, other.share));
        let Some((places, others)) = of.places.as_ref().zip(other.places.as_ref()) else {
            continue;
        };
        if places.sequential > 0.1 {
            pairs.push((format!("sequential {kind:?}"), places.sequential, others.sequential));
        }
        for (size, share) in &places.sizes {
            let other = others.sizes.iter().find(|(other, _)| other == size);
            let other = other.map_or(0.0, |(_, share)| *share);
            if *share > 0.05 {
                pairs.push((format!("{size} of {kind:?}"), *share, other));
            }
        }
        let hot = |zones: &[f64]| zones[..zones.len() / 10].iter().sum::<f64>();
        pairs.push((format!("zones {kind:?}"), hot(&places.zones), hot(&others.zones)));
    }
    let differs = |(_, a, b): &(String, f64, f64)| (a - b).abs() > MARGIN * a;
    let found = pairs.into_iter().find(differs);
    found.map(|(what, first, second)| format!("{what}: {first}, then {second}"))
}

/// The circle: what is captured of the replay of a profile is that profile.
///
/// A replay starts requests some microseconds late, and those that were due meanwhile together. So
/// gaps are not compared with those of the capture that the profile is of, but with those of a
/// replay of that capture, request by request: both went through the clock of one replay more.
#[test]
fn what_is_replayed_from_a_profile_is_captured_as_that_profile() {
    lab::skip_unless!(Need::LoopDevices);
    const SECONDS: u64 = 8;
    let _alone = alone();
    let disk = LoopDevice::new(DISK).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write_bursts(&path("load.tdtrace"), SECONDS);
    let first = capture_on_time(&disk, &path("load.tdtrace"), &path("seen"));
    write_trace(&path("first.tdtrace"), &first, SECONDS);
    let profile = fit(&first, SECONDS);
    std::fs::write(path("load.tdprofile"), profile.to_toml().unwrap()).unwrap();
    let mut wrong = String::new();
    let mut second = Vec::new();
    let mut reference = None;
    // One replay draws 2,500 writes: a size that a fifth of them has is off by 4 % (one sigma).
    // Shares are those of all replays; gaps are compared within one, and with another reference
    // after one that differs: the host may have changed.
    for seed in 1..=5 {
        let [flushes, one] = reference.take().unwrap_or_else(|| {
            sort_gaps(&capture_on_time(&disk, &path("first.tdtrace"), &path("seen")))
        });
        let (seen, is_on_time) =
            capture_replay(&disk, &path("load.tdprofile"), &path("seen"), seed);
        let [other_flushes, other] = sort_gaps(&seen);
        let shift_ns = (seed - 1) * SECONDS * 1_000_000_000;
        second.extend(
            seen.into_iter().map(|of| TraceRequest { start_ns: of.start_ns + shift_ns, ..of }),
        );
        let difference = find_difference(&profile, &fit(&second, seed * SECONDS));
        let (distance, at_ns, most) = compare_gaps(&one, &other);
        // Those that the clock of a replay can keep.
        let quantiles = [50, 75, 90]
            .map(|percent| [&one, &other].map(|gaps| gaps[gaps.len() * percent / 100] as f64));
        let are_near = quantiles.iter().all(|[a, b]| (a - b).abs() <= MARGIN * a);
        // A flush follows its write at once: in less time than starts are promised to keep.
        let [soon, soon_again] = [&flushes, &other_flushes].map(|gaps| gaps[gaps.len() / 2]);
        let are_soon = soon.abs_diff(soon_again) < LATENESS_MAX_NS;
        let found = format!(
            "{difference:?}; {quantiles:?}; {distance} of {most} at {at_ns} ns; \
             flushes after {soon}, then {soon_again} ns; on time: {is_on_time}"
        );
        let are_gaps_alike = are_near && are_soon && distance <= most;
        if difference.is_none() && are_gaps_alike {
            println!("{seed} replays: {found}");
            return;
        }
        reference = are_gaps_alike.then_some([flushes, one]);
        wrong += &format!("{found}\n");
    }
    panic!("{wrong}");
}

/// Reads a block of the device every millisecond until it is dropped.
struct Reads(Child);

impl Reads {
    fn start(device: &Path) -> Self {
        let file = format!("--filename={}", device.display());
        let words = "fio --name=reads --rw=randread --bs=4k --direct=1 --rate_iops=1000 \
                     --readonly --time_based --runtime=60";
        let mut load = truedisk(words.split_whitespace().chain([file.as_str()]));
        Self(load.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Reads {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_trace_ends_at_its_largest_size_and_replaces_nothing() {
    lab::skip_unless!(Need::LoopDevices);
    let _beside = beside();
    let disk = LoopDevice::new(16 << 20).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (profile, trace) = (path("a.tdprofile"), path("a.tdtrace"));

    let idle = run(capture(disk.path(), &["--for", "100ms", "-o", &profile]));
    assert_eq!(idle.status.code(), Some(1), "{idle:?}");
    assert!(String::from_utf8_lossy(&idle.stderr).contains("no request came to loop"), "{idle:?}");
    assert!(!Path::new(&profile).exists());

    let _reads = Reads::start(disk.path());
    let words = ["--for", "15s", "-o", &profile, "--trace", &trace, "--max-size", "8k"];
    let output = run(capture(disk.path(), &words));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("reached its largest size of 8 KiB"), "{text}");
    let bytes = std::fs::metadata(&trace).unwrap().len();
    assert!((7 << 10..=8 << 10).contains(&bytes), "{bytes}");
    let found = read_profile(Path::new(&profile));
    let reader = TraceReader::new(std::fs::File::open(&trace).unwrap()).unwrap();
    assert_eq!(reader.map(Result::unwrap).count() as u64, found.requests);
    check_near("rate", found.requests as f64 / (found.length_ns as f64 / 1e9), found.rate);

    // A short one, whose profile replaces the earlier one.
    let output = run(capture(disk.path(), &["--for", "500ms", "-q", "-o", &profile]));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(read_profile(Path::new(&profile)).length_ns > 400_000_000);

    let check = |words: &[&str], status: i32, expected: &str| {
        let output = run(capture(disk.path(), words));
        assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(expected), "{words:?}: {text}");
    };
    let device = disk.path().to_str().unwrap();
    check(&["--trace", &trace], 4, "it exists, and has to be a new file");
    check(&["-o", device], 4, "it is a block device");
    check(&["-o", &path("b"), "--trace", &path("b")], 2, "the same file");
    check(&[], 2, "--output");
    check(&["-o", &path("b"), "--for", "0s"], 2, "no time");
    check(&["-o", &path("b"), "--max-size", "1k"], 2, "--trace");
    let output = run(capture(Path::new("/proc"), &["-o", &path("b")]));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn without_privileges_one_error_says_what_is_needed() {
    lab::skip_unless!(Need::Root, Need::LoopDevices, Need::Program("setpriv"));
    let disk = LoopDevice::new(16 << 20).unwrap();
    // The program may lie where nobody else may look: a copy does not.
    let place = lab::Scratch::new().unwrap();
    let copy = place.path().join("truedisk");
    copy_program(&copy);
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(place.path(), open).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&copy);
    command.arg("capture").arg(disk.path()).args(["--for", "1s", "-o", "a.tdprofile"]);
    let output = run({
        command.current_dir(place.path()).stdin(Stdio::null());
        command
    });
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    let expected = "truedisk: cannot capture: it needs root, or CAP_BPF and CAP_PERFMON\n\
                    hint: run it as root: sudo truedisk capture ...\n";
    assert_eq!(text, expected);
    assert!(output.stdout.is_empty() && !place.path().join("a.tdprofile").exists());
}
