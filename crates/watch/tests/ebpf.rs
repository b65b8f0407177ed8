//! The program in the real kernel, on devices of our own, against what the client saw and against
//! the kernel's own counters.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test's helpers may fail the test, and say what they found"
)]

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::simulated::{BadRange, DeviceModel, FirstTouch, Medium, Quirks};
use lab::{LoopDevice, MajorMinor, Need, SimulatedDisk, Throttle, Zram, skip_unless};
use stats::LatencyHistogram;
use target::Roots;
use watch::{
    DeviceSample, DirectionSample, Disk, Probe, Source, SourceKind, Verdict, Waiter, WaiterName,
    WatchSummary, open_source,
};

const MIB: u64 = 1 << 20;
const PAGE: usize = 4096;
const ROUNDS: usize = 20;

#[repr(align(4096))]
struct Page([u8; PAGE]);

fn direct(path: &Path) -> File {
    let flags = rustix::fs::OFlags::DIRECT.bits() as i32;
    OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).unwrap()
}

fn disk(name: &str, number: MajorMinor) -> Disk {
    Disk { name: name.to_owned(), number: (number.major, number.minor) }
}

fn loop_disk(device: &LoopDevice) -> Disk {
    disk(device.name(), device.major_minor())
}

/// The only device of a sample of this source, and the requests that it did not see.
fn sample(source: &mut dyn Source) -> (DeviceSample, u64) {
    let mut sample = source.sample().unwrap();
    assert_eq!(sample.devices.len(), 1, "{:?}", sample.devices);
    (sample.devices.remove(0), sample.missing_requests)
}

fn flushes(device: &DeviceSample) -> Option<u64> {
    device.flush.as_ref().map(|flush| flush.operations)
}

/// Reads pages from one thread per depth; the time of each, sorted.
fn read_pages(file: &File, depth: u64, per_thread: u64) -> Vec<Duration> {
    let read = |thread: u64| {
        let mut page = Box::new(Page([0; PAGE]));
        let time = |n: u64| {
            // Three pages of each thread are new, the others were read before.
            let number = thread * per_thread + n.min(2);
            let begun = Instant::now();
            file.read_exact_at(&mut page.0, number * PAGE as u64).unwrap();
            begun.elapsed()
        };
        (0..per_thread).map(time).collect::<Vec<_>>()
    };
    let read = &read;
    let mut times = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..depth).map(|thread| scope.spawn(move || read(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    times.sort();
    times
}

fn quantile(times: &[Duration], q: f64) -> u64 {
    times[(q * times.len() as f64).ceil() as usize - 1].as_nanos() as u64
}

/// A first read of a page takes 150 ms, later ones 20 ms: so the 50th and the 99th percentile each
/// lie among many that are alike, and what client and scheduler add is far below 5 %.
fn slow_disk() -> SimulatedDisk {
    let medium = Medium::Ram { service_ns: 20_000_000, bytes_per_second: 1e9 };
    let first_touch = Some(FirstTouch { block_bytes: PAGE as u64, fetch_ns: 130_000_000 });
    let quirks = Quirks { first_touch, ..Quirks::default() };
    SimulatedDisk::options(DeviceModel::new(64 * MIB, medium)).quirks(quirks).serve().unwrap()
}

/// Reads at a depth, and holds what the source saw against the counters; the ratios of the
/// kernel's percentiles to the client's.
fn compare_with_client(kind: SourceKind, depth: u64, per_thread: u64) -> Vec<f64> {
    let device = slow_disk().attach().unwrap();
    let file = direct(device.path());
    let disks = [loop_disk(&device)];
    let open = |kind| open_source(Some(kind), &disks, &Roots::host()).unwrap();
    let (mut counters, mut source) = (open(SourceKind::Counters), open(kind));
    let times = read_pages(&file, depth, per_thread);
    let (seen, lost) = sample(&mut *source.source);
    let (counted, _) = sample(&mut *counters.source);
    assert!(source.notes.is_empty());
    assert_eq!(seen.read.operations, depth * per_thread);
    assert_eq!(seen.read.bytes, depth * per_thread * PAGE as u64);
    assert_eq!(counted.read.operations, seen.read.operations);
    assert_eq!(counted.read.bytes, seen.read.bytes);
    assert_eq!((flushes(&seen), seen.errors), (flushes(&counted), Some(0)));
    check_parts(&seen.read, lost);
    check_mean(&seen.read, &counted.read, lost);
    let total = seen.read.total.unwrap();
    let compare = |q: f64| {
        let by_client = quantile(&times, q);
        let ratio = total.quantile(q).unwrap() as f64 / by_client as f64;
        eprintln!(
            "{kind:?}, depth {depth}: p{} is {by_client} ns by the client, {ratio:.4}",
            q * 100.0
        );
        // A request cannot take longer in the kernel than its client waits.
        assert!(ratio <= 1.0 + 1.0 / 64.0, "depth {depth}, {q}: {ratio}");
        ratio
    };
    [0.5, 0.99].map(compare).to_vec()
}

#[test]
fn counts_are_exact_and_percentiles_are_those_of_the_client() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    check_against_client(SourceKind::Ebpf);
}

#[test]
fn tracepoints_have_the_percentiles_of_the_client() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    check_against_client(SourceKind::Trace);
}

fn check_against_client(kind: SourceKind) {
    for (depth, per_thread) in [(1, 60), (16, 40), (64, 40)] {
        // Other programs on the host can only make the client wait longer.
        let mut rounds = (0..ROUNDS).map(|_| compare_with_client(kind, depth, per_thread));
        let found = rounds.any(|ratios| ratios.iter().all(|ratio| *ratio >= 0.95));
        assert!(found, "depth {depth}: more than 5 % below the client in every round");
    }
}

#[test]
fn a_probe_has_the_time_of_the_disk() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    // A block that was never read takes the 20 ms of a read and 130 ms more.
    let device = slow_disk().attach().unwrap();
    let probe = Probe::open(device.path()).unwrap();
    // sleeps because the probe reads once a second
    std::thread::sleep(Duration::from_millis(2_600));
    let seen = probe.take();
    assert_eq!((seen.total.count(), seen.errors, seen.waiting), (3, 0, None));
    let fastest = seen.total.min_ns().unwrap();
    assert!((130_000_000..160_000_000).contains(&fastest), "{fastest}");
    assert_eq!(probe.take().total.count(), 0);
}

/// Every request that was seen has all three latencies, and queue and device add up to the total.
fn check_parts(direction: &DirectionSample, lost: u64) {
    let parts = [&direction.total, &direction.queue, &direction.device];
    let parts: Vec<&LatencyHistogram> = parts.into_iter().flatten().collect();
    assert_eq!(parts.len(), 3);
    parts.iter().for_each(|part| assert_eq!(part.count() + lost, direction.operations));
    assert!(lost * 5 <= direction.operations, "{lost} of {} lost", direction.operations);
    assert_eq!(parts[0].sum_ns(), parts[1].sum_ns() + parts[2].sum_ns());
}

/// The kernel adds up the same times, in milliseconds, a moment later.
fn check_mean(seen: &DirectionSample, counted: &DirectionSample, lost: u64) {
    let (seen_ns, counted_ns) = (seen.mean_ns.unwrap(), counted.mean_ns.unwrap());
    let rounding_ns = 2e6 / seen.operations as f64;
    let tolerance = if lost == 0 { 0.01 } else { 0.1 };
    let difference_ns = (seen_ns - counted_ns).abs();
    assert!(difference_ns <= tolerance * seen_ns + rounding_ns, "{seen_ns} {counted_ns}");
}

#[test]
fn writes_flushes_and_errors_are_told_apart() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    let law =
        DeviceModel::new(64 * MIB, Medium::Ram { service_ns: 1_000_000, bytes_per_second: 1e9 });
    let bad = vec![BadRange { offset: 32 * MIB, length: PAGE as u64, from_ns: 0 }];
    let quirks = Quirks { bad, ..Quirks::default() };
    let device = SimulatedDisk::options(law).quirks(quirks).serve().unwrap().attach().unwrap();
    let file = direct(device.path());
    let roots = Roots::host();
    let disks = [loop_disk(&device)];
    let mut counters = open_source(Some(SourceKind::Counters), &disks, &roots).unwrap();
    let mut source = open_source(None, &disks, &roots).unwrap();
    assert_eq!(source.source.kind(), SourceKind::Ebpf);
    let mut page = Box::new(Page([7; PAGE]));
    for n in 0..30 {
        file.write_all_at(&page.0, n * PAGE as u64).unwrap();
        if n % 3 == 0 {
            file.sync_data().unwrap();
        }
    }
    file.read_exact_at(&mut page.0, 32 * MIB).unwrap_err();
    let (seen, lost) = sample(&mut *source.source);
    let (counted, _) = sample(&mut *counters.source);
    assert_eq!((seen.write.operations, seen.write.bytes), (30, 30 * PAGE as u64));
    // The counters take a write without data, which asks for a flush, for a write.
    assert_eq!(counted.write.operations, 40);
    assert_eq!((flushes(&seen), flushes(&counted)), (Some(10), Some(10)));
    let flush = seen.flush.as_ref().unwrap();
    let times = flush.total.as_ref().unwrap();
    assert!(times.count() + lost >= 10 && times.sum_ns() > 0, "{times:?}");
    assert_eq!((&flush.queue, flush.bytes), (&None, 0));
    // The read that fails may be among the lost.
    assert_eq!(counted.errors, None);
    assert!(seen.errors == Some(1) || lost > 0, "{:?}", seen.errors);
    check_parts(&seen.write, lost);
    assert_eq!((&counted.write.total, &counted.write.queue), (&None, &None));
    // Nothing more in the next interval.
    let (next, _) = sample(&mut *source.source);
    assert_eq!((next.read.operations, next.write.operations), (0, 0));
    assert_eq!((next.read.mean_ns, next.read.total.unwrap().count()), (None, 0));
}

/// A write that has to be on the disk when it ends: on a disk without FUA its data is followed by a
/// flush, and the kernel completes it twice.
#[test]
fn a_write_with_its_flush_is_one_write_with_the_time_of_both() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    let law =
        DeviceModel::new(64 * MIB, Medium::Ram { service_ns: 1_000_000, bytes_per_second: 1e9 });
    let device = SimulatedDisk::options(law).serve().unwrap().attach().unwrap();
    let flags = rustix::fs::OFlags::DIRECT | rustix::fs::OFlags::DSYNC;
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(flags.bits() as i32);
    let file = options.open(device.path()).unwrap();
    let disks = [loop_disk(&device)];
    let open = |kind| open_source(Some(kind), &disks, &Roots::host()).unwrap();
    let (mut counters, mut source) = (open(SourceKind::Counters), open(SourceKind::Ebpf));
    let page = Box::new(Page([7; PAGE]));
    let begun = Instant::now();
    (0..30).for_each(|n| file.write_all_at(&page.0, n * PAGE as u64).unwrap());
    let by_client = begun.elapsed().as_nanos();
    let (seen, lost) = sample(&mut *source.source);
    let (counted, _) = sample(&mut *counters.source);
    assert_eq!((seen.write.operations, seen.write.bytes), (30, 30 * PAGE as u64));
    assert!(counted.write.operations >= 30, "{counted:?}");
    assert_eq!(counted.write.bytes, seen.write.bytes);
    check_parts(&seen.write, lost);
    let flush = seen.flush.unwrap();
    let times = [seen.write.total.unwrap(), flush.total.unwrap()];
    // The client waits for its writes one after another, and for nothing else for long.
    let sum: u128 = times.iter().map(LatencyHistogram::sum_ns).sum();
    assert!(sum <= by_client && (lost > 0 || sum * 2 >= by_client), "{sum} {by_client}");
    for outstanding in [seen.outstanding.unwrap(), counted.outstanding.unwrap()] {
        assert!(outstanding <= 1.02, "one thread has {outstanding} outstanding");
    }
}

/// The kernel adds a request's time up when it completes: until then, only the number in flight
/// shows that a disk hangs.
#[test]
fn a_disk_that_hangs_is_slow_and_has_requests_outstanding() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::Fuse);
    let medium = Medium::Ram { service_ns: 1_000_000, bytes_per_second: 1e9 };
    let first_touch = Some(FirstTouch { block_bytes: PAGE as u64, fetch_ns: 4_000_000_000 });
    let quirks = Quirks { first_touch, ..Quirks::default() };
    let disk = SimulatedDisk::options(DeviceModel::new(64 * MIB, medium)).quirks(quirks);
    let device = disk.serve().unwrap().attach().unwrap();
    let disks = [loop_disk(&device)];
    let open = |kind| open_source(Some(kind), &disks, &Roots::host()).unwrap().source;
    let mut sources = [SourceKind::Counters, SourceKind::Ebpf].map(open);
    let file = direct(device.path());
    let read = || file.read_exact_at(&mut Box::new(Page([0; PAGE])).0, 0).unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(read);
        let inflight = format!("/sys/block/{}/inflight", device.name());
        while std::fs::read_to_string(&inflight).unwrap().split_whitespace().next() != Some("1") {
            assert!(!reader.is_finished(), "the read did not hang");
            std::thread::yield_now();
        }
        let before = sources.each_mut().map(|source| source.sample().unwrap());
        // sleeps because the watch looks at the disk for this long while it hangs
        std::thread::sleep(Duration::from_secs(2));
        let within = sources.each_mut().map(|source| source.sample().unwrap());
        assert!(!reader.is_finished());
        for sample in &within {
            let judged = watch::judge(&WatchSummary::from_samples([sample]), &[]).remove(0);
            assert_eq!(judged.verdict, Verdict::Slow, "{}", judged.sentence.text());
        }
        reader.join().unwrap();
        for (place, source) in sources.iter_mut().enumerate() {
            let after = source.sample().unwrap();
            let all = WatchSummary::from_samples([&before[place], &within[place], &after]);
            let outstanding = all.disks[0].outstanding.unwrap();
            assert!((0.7..=1.02).contains(&outstanding), "{outstanding} over the whole watch");
        }
    });
}

#[test]
fn each_group_waits_for_its_own_requests() {
    skip_unless!(Need::Root, Need::LoopDevices, Need::BlkioV1);
    let device = LoopDevice::options(4 * MIB).attach().unwrap();
    let group = Throttle::new(device.major_minor()).unwrap();
    let mut source = open_source(None, &[loop_disk(&device)], &Roots::host()).unwrap();
    let mut page = Box::new(Page([0; PAGE]));
    let file = direct(device.path());
    (0..7).for_each(|n| file.read_exact_at(&mut page.0, n * PAGE as u64).unwrap());
    let mut reader = Command::new("dd");
    reader.args(["bs=4k", "count=20", "iflag=direct", "of=/dev/null"]);
    reader.arg(format!("if={}", device.path().display()));
    let status = group.wrap_command(&reader).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
    let sample = source.source.sample().unwrap();
    let name = group.path().file_name().unwrap().to_str().unwrap();
    let is_ours = |who: &WaiterName| matches!(who, WaiterName::Group(p) if p.ends_with(name));
    let (ours, others): (Vec<&Waiter>, Vec<&Waiter>) =
        sample.waiters.iter().partition(|waiter| is_ours(&waiter.who));
    let operations = |waiters: &[&Waiter]| waiters.iter().map(|w| w.operations).sum::<u64>();
    let (of_group, of_others) = (operations(&ours), operations(&others));
    assert!(of_group <= 20 && of_others <= 7, "{of_group} {of_others}");
    assert_eq!(of_group + of_others + sample.missing_requests, 27, "{:?}", sample.waiters);
    assert_eq!(ours[0].device, device.name());
    // A kernel before 6.5 does not say whose threads ask.
    if !ours[0].submitters.is_empty() {
        assert_eq!(ours[0].main_process(), Some("dd"), "{:?}", ours[0].submitters);
        let asked: u64 = ours[0].submitters.iter().map(|one| one.requests).sum();
        assert_eq!(asked, 20, "{:?}", ours[0].submitters);
    }
    assert_eq!(ours[0].bytes, of_group * PAGE as u64);
    let total = ours[0].total.as_ref().unwrap();
    assert_eq!((total.count(), total.sum_ns()), (of_group, u128::from(ours[0].waited_ns)));
    // Nobody waits without requests.
    assert!(source.source.sample().unwrap().waiters.is_empty());
}

/// At a high rate a group's fast requests are drawn, and its slow ones all count. The disk's own
/// figures are of every request.
#[test]
fn those_who_wait_at_a_high_rate_add_up_to_the_disk() {
    skip_unless!(Need::Root, Need::LoopDevices);
    let device = LoopDevice::options(4 * MIB).attach().unwrap();
    let mut source = open_source(None, &[loop_disk(&device)], &Roots::host()).unwrap();
    let file = direct(device.path());
    let read_for = |seconds: f64| {
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let mut page = Box::new(Page([0; PAGE]));
                    for n in 0.. {
                        if Instant::now() > end {
                            break;
                        }
                        let place = (thread * 128 + n % 128) * PAGE as u64;
                        file.read_exact_at(&mut page.0, place).unwrap();
                    }
                });
            }
        });
    };
    read_for(0.0);
    source.source.sample().unwrap();
    for is_drawn in [false, true] {
        read_for(0.5);
        let sample = source.source.sample().unwrap();
        let read = &sample.devices[0].read;
        let rate = read.operations as f64 / 0.5;
        let total = read.total.as_ref().unwrap();
        let waiters = sample.waiters.iter();
        let (operations, waited_ns) = waiters.fold((0, 0), |(operations, waited_ns), waiter| {
            (operations + waiter.operations, waited_ns + u128::from(waiter.waited_ns))
        });
        let ratios =
            [operations as f64 / total.count() as f64, waited_ns as f64 / total.sum_ns() as f64];
        eprintln!("{rate:.0} reads/s, drawn: {}, {ratios:.4?}", sample.waiters_estimated);
        if !sample.waiters_estimated {
            assert_eq!(ratios, [1.0, 1.0]);
            // A machine with little time for the test counts each.
            assert!(!is_drawn || rate < 20_000.0, "{rate} reads/s, and none was drawn");
            continue;
        }
        assert!(is_drawn);
        // Of the numbers six sigma of one in eight; latencies differ as well.
        let sigma = (7.0 / total.count() as f64).sqrt();
        assert!((ratios[0] - 1.0).abs() < 6.0 * sigma, "{ratios:?}");
        assert!((ratios[1] - 1.0).abs() < 9.0 * sigma, "{ratios:?}");
    }
}

/// Reads single pages, one after the other; how many, until `end`.
fn read_until(file: &File, end: &AtomicBool) -> u64 {
    let mut page = Box::new(Page([0; PAGE]));
    let mut count = 0;
    while !end.load(Ordering::SeqCst) {
        file.read_exact_at(&mut page.0, count % 1024 * PAGE as u64).unwrap();
        count += 1;
    }
    count
}

/// Above 16,000 requests per second one of eight is counted: what it stands for is held against
/// what the threads counted themselves.
#[test]
fn at_a_high_rate_each_thread_has_the_share_that_it_asked_for() {
    skip_unless!(Need::Root, Need::LoopDevices);
    let device = LoopDevice::options(64 * MIB).sparse().direct_io(false).attach().unwrap();
    let file = direct(device.path());
    let mut source = open_source(None, &[loop_disk(&device)], &Roots::host()).unwrap();
    let read_for = |time: Duration| {
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let start = |name: &str| {
                let named = std::thread::Builder::new().name(name.to_owned());
                named.spawn_scoped(scope, || read_until(&file, &end)).unwrap()
            };
            let threads = [start("often"), start("often"), start("often"), start("seldom")];
            // sleeps because that is how long they read
            std::thread::sleep(time);
            end.store(true, Ordering::SeqCst);
            threads.map(|thread| thread.join().unwrap())
        })
    };
    read_for(Duration::from_secs(1));
    let (first, _) = sample(&mut *source.source);
    let [first_often, second, third, seldom] = read_for(Duration::from_secs(3));
    let found = source.source.sample().unwrap();
    if found.waiters.iter().all(|waiter| waiter.submitters.is_empty()) {
        return; // a kernel before 6.5
    }
    let asked = |name: &str| {
        let submitters = found.waiters.iter().flat_map(|waiter| &waiter.submitters);
        let named = submitters.filter(|one| one.name == name);
        named.map(|one| one.requests).collect::<Vec<u64>>()
    };
    for (name, truth) in [("often", first_often + second + third), ("seldom", seldom)] {
        let counts = asked(name);
        // A machine with little time for the test counts each.
        if first.read.operations > 32_000 {
            assert!(counts.iter().all(|count| count % 8 == 0), "not drawn: {counts:?}");
        }
        let estimate = counts.iter().sum::<u64>() as f64;
        // Five standard deviations of what one draw of eight can be off.
        let slack = 5.0 * (7.0 * truth as f64).sqrt();
        eprintln!("{name}: {estimate} of {truth} +- {slack:.0}");
        assert!((estimate - truth as f64).abs() <= slack, "{name}: {estimate}, not {truth}");
    }
}

#[test]
fn a_disk_without_a_request_queue_has_the_percentiles_of_the_client() {
    skip_unless!(Need::Root, Need::Zram);
    let zram = Zram::new(16 * MIB).unwrap();
    let name = zram.path().file_name().unwrap().to_str().unwrap();
    let disks = [disk(name, zram.major_minor())];
    let mut source = open_source(None, &disks, &Roots::host()).unwrap();
    let ids: Vec<&str> = source.notes.iter().map(message::Message::id).collect();
    assert_eq!((source.source.kind(), &ids[..]), (SourceKind::Ebpf, &["watch-bios-timed"][..]));
    let file = direct(zram.path());
    // Words in a random order: the device works to take them out.
    let mut random = 1_u64;
    let mut word = |_| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 58).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()
    };
    let bytes: Vec<[u8; 8]> = (0..(MIB as usize + PAGE) / 8).map(&mut word).collect();
    let mut bytes = bytes.concat();
    let begin = bytes.as_ptr().align_offset(PAGE);
    let block = &mut bytes[begin..begin + MIB as usize];
    (0..16).for_each(|n| file.write_all_at(block, n * MIB).unwrap());
    let written = sample(&mut *source.source).0;
    assert_eq!((written.write.operations, written.write.bytes), (16, 16 * MIB));
    let mut compare = |_| {
        let mut read = |n: u64| {
            let begun = Instant::now();
            file.read_exact_at(block, n % 16 * MIB).unwrap();
            begun.elapsed()
        };
        let mut times: Vec<Duration> = (0..400).map(&mut read).collect();
        times.sort();
        let mut sample = source.source.sample().unwrap();
        let waiters = std::mem::take(&mut sample.waiters);
        let [seen] = &sample.devices[..] else { panic!("{:?}", sample.devices) };
        assert_eq!((seen.read.operations, seen.read.bytes), (400, 400 * MIB));
        assert_eq!((seen.errors, flushes(seen)), (Some(0), Some(0)));
        // What it is not known of is absent.
        assert_eq!((&seen.read.queue, &seen.read.device), (&None, &None));
        let total = seen.read.total.as_ref().unwrap();
        // The kernel skips a program now and then.
        assert!((360..=400).contains(&total.count()), "{} reads were seen", total.count());
        let of_device = |waiter: &&Waiter| waiter.device == name;
        let asked: Vec<&Waiter> = waiters.iter().filter(of_device).collect();
        let operations: u64 = asked.iter().map(|waiter| waiter.operations).sum();
        assert_eq!(operations, total.count());
        assert!(asked.iter().any(|waiter| waiter.submitters.iter().any(|by| by.requests >= 400)));
        let ratio = |q| total.quantile(q).unwrap() as f64 / quantile(&times, q) as f64;
        let ratios = [0.5, 0.9].map(ratio);
        eprintln!("{name}: seen to client's {ratios:.3?}");
        assert!(ratios.iter().all(|ratio| *ratio <= 1.02), "{ratios:?}");
        // The client's time has the system call, and pages to be pinned.
        ratios.iter().all(|ratio| *ratio >= 0.85)
    };
    // As above, others can only make the client wait longer.
    assert!((0..ROUNDS).any(&mut compare), "more than 15 % below the client in every round");
    // At a high rate the bios of an interval are drawn if the one before was at a high rate too.
    let mut medians = Vec::new();
    for is_drawn in [false, true] {
        let end = Instant::now() + Duration::from_millis(300);
        while Instant::now() < end {
            file.read_exact_at(&mut block[..PAGE], 0).unwrap();
        }
        let sample = source.source.sample().unwrap();
        let [seen] = &sample.devices[..] else { panic!("{:?}", sample.devices) };
        let total = seen.read.total.as_ref().unwrap();
        medians.push(total.quantile(0.5).unwrap() as f64);
        let (operations, seen) = (seen.read.operations, total.count());
        eprintln!("{name}: {seen} of {operations}");
        let slack = if is_drawn { 5.0 * (7.0 * operations as f64).sqrt() } else { 0.0 };
        assert!(seen as f64 <= operations as f64 + slack, "{seen} of {operations}");
        assert!(seen as f64 >= operations as f64 * 0.9 - slack, "{seen} of {operations}");
        // A machine with little time for the test times each.
        assert!(!is_drawn || operations < 32_000 || seen % 8 == 0, "not drawn: {seen}");
    }
    // Those that are drawn are like all.
    eprintln!("{name}: medians {medians:?}");
    assert!((medians[1] / medians[0] - 1.0).abs() <= 0.1, "{medians:?}");
}
