//! Whole replays on devices with a known law, on the virtual clock.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, Medium, NoisyNeighbour, Quirks, Ssd, Stall};
use record::{
    OffsetMap, ReplayOutcome, RequestKind, TraceHeader, TraceRequest, TraceWriter, Trust,
};
use units::Seed;

use super::*;
use crate::observer::SilentObserver;
use crate::write_budget::WriteBudget;

const CAPACITY: Bytes = Bytes::gib(64);

/// Reads and writes of 4 KiB, `gap_ns` apart, a flush after every hundred.
fn write_trace(path: &Path, count: u64, gap_ns: u64) {
    let header =
        TraceHeader { device_size: CAPACITY.0, block_size: 512, started_unix_ns: 1_764_000_000 };
    let mut writer = TraceWriter::new(std::fs::File::create(path).unwrap(), &header).unwrap();
    for number in 0..count {
        let kind = match number % 100 {
            99 => RequestKind::Flush,
            place if place % 10 < 7 => RequestKind::Read,
            _ => RequestKind::Write,
        };
        let request = TraceRequest {
            start_ns: number * gap_ns,
            offset: number * 77_773 % (CAPACITY.0 / 4096) * 4096,
            length: if kind == RequestKind::Flush { 0 } else { 4096 },
            kind,
            is_fua: false,
            latency_ns: Some(900_000),
        };
        writer.push(&request).unwrap();
        if number == count / 2 {
            // Longer than all that is replayed: it is left out.
            let discard = TraceRequest { length: 1 << 30, kind: RequestKind::Discard, ..request };
            writer.push(&discard).unwrap();
        }
    }
    writer.finish(count * gap_ns).unwrap();
}

fn ssd(channels: u32, read_ns: u64) -> SimulatedDevice {
    ssd_beside(channels, read_ns, None)
}

/// With reads of others, from a time on.
fn ssd_beside(channels: u32, read_ns: u64, neighbour: Option<NoisyNeighbour>) -> SimulatedDevice {
    let quirks = Quirks { neighbour, ..Quirks::default() };
    SimulatedDevice::with_quirks(ssd_model(channels, read_ns), quirks, 5)
}

fn ssd_model(channels: u32, read_ns: u64) -> DeviceModel {
    let (bytes_per_second, flush_ns, crowding) = (1e13, 100_000, None);
    let ssd = Ssd { channels, read_ns, write_ns: read_ns, bytes_per_second, flush_ns, crowding };
    DeviceModel::new(CAPACITY.0, Medium::Ssd(ssd))
}

fn request(path: &Path) -> ReplayRequest {
    ReplayRequest {
        ask: MeasureRequest {
            path: "simulated".into(),
            size: None,
            read_only: false,
            destroy_data_on: None,
            max_written: None,
            seed: Seed(7),
            command: record::CommandLine::default(),
            version: "test".to_owned(),
        },
        load: read_load(path, Seed(7)).unwrap(),
        speed: 1.0,
        map: None,
        search: None,
    }
}

/// The trace of two programs, each of which waits for its read and rests as long, on a disk that
/// takes 100 us, and stands still for 30 ms from 0.4 s of each second on.
fn write_closed_trace(path: &Path, seconds: u64) {
    const READ_NS: u64 = 100_000;
    let header = TraceHeader { device_size: CAPACITY.0, block_size: 512, started_unix_ns: 0 };
    let mut writer = TraceWriter::new(std::fs::File::create(path).unwrap(), &header).unwrap();
    let mut next_ns = [0, 50_000];
    for number in 0_u64.. {
        let program = usize::from(next_ns[1] < next_ns[0]);
        let start_ns = next_ns[program];
        if start_ns > seconds * 1_000_000_000 {
            break;
        }
        let within = (start_ns + READ_NS) % 1_000_000_000;
        let stalled = 400_000_000..430_000_000;
        let stall_ns = if stalled.contains(&within) { stalled.end - within } else { 0 };
        let request = TraceRequest {
            start_ns,
            offset: number * 77_773 % (CAPACITY.0 / 4096) * 4096,
            length: 4096,
            kind: RequestKind::Read,
            is_fua: false,
            latency_ns: Some(READ_NS + stall_ns),
        };
        writer.push(&request).unwrap();
        next_ns[program] = start_ns + 2 * READ_NS + stall_ns;
    }
    writer.finish(seconds * 1_000_000_000).unwrap();
}

/// Programs that wait for a stalled disk start nothing meanwhile, and the open loop goes on: what
/// met a deeper queue than there is not compared.
#[test]
fn stalls_of_the_same_disk_leave_the_comparison_as_it_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_closed_trace(&path, 10);
    let stall = Some(Stall { every_ns: 1_000_000_000, lasts_ns: 30_000_000 });
    let model = DeviceModel { stall, ..ssd_model(64, 100_000) };
    let device = || SimulatedDevice::with_quirks(model.clone(), Quirks::default(), 5);
    let record = replay_on(device(), &request(&path));
    let read = &outcome(&record).latencies[0];
    let there = read.there.unwrap().0 as f64;
    let comparable = read.comparable.as_ref().unwrap();
    assert!((comparable.value / there - 1.0).abs() < 0.25, "{read:?}");
    assert!(comparable.value >= 100_000.0 && comparable.interval().is_some(), "{read:?}");
    assert!(read.here.value > 10.0 * there, "{read:?}");
    let left_out = 1.0 - comparable.n as f64 / read.here.n as f64;
    assert!((0.02..0.04).contains(&left_out), "{left_out}");
    assert!(outcome(&record).slowest >= Nanos::millis(29), "{:?}", outcome(&record));
    let words = headline(&record);
    assert!(words.contains("p99 was 100 us there and is 1"), "{words}");
    let notes = &record.judgement_or_default().verdict.as_ref().unwrap().meaning;
    let note = notes.iter().find(|note| note.text().contains("met a deeper queue"));
    assert!(note.is_some(), "{notes:#?}");

    // Faster than it was captured, its queue is deeper by right.
    let fast = ReplayRequest { speed: 2.0, ..request(&path) };
    let record = replay_on(device(), &fast);
    assert_eq!(outcome(&record).latencies[0].comparable, None);

    // A disk that is slower for every request is slower in the comparison too.
    let slow = DeviceModel { stall: None, ..ssd_model(64, 150_000) };
    let record =
        replay_on(SimulatedDevice::with_quirks(slow, Quirks::default(), 5), &request(&path));
    let comparable = outcome(&record).latencies[0].comparable.clone().unwrap();
    assert!((comparable.value / 150_000.0 - 1.0).abs() < 0.05, "{comparable:?}");
}

/// The judgement of the run, had its generator been late by this in every cell.
fn judge_late(record: &Record, p99: Nanos, max: Nanos) -> Record {
    let mut measured = record.measured.clone();
    for open in measured.cells.iter_mut().filter_map(|cell| cell.open_loop.as_mut()) {
        open.lag_ns.percentiles.insert("p99".to_owned(), p99.0);
        open.lag_ns.max = max.0;
    }
    analysis::judge_record(measured)
}

/// Captured on a disk of 100 us.
#[test]
fn what_the_generator_may_have_added_is_not_the_disks() {
    const LATE: &str = "(the load generator's own lateness may explain it)";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_closed_trace(&path, 5);
    let words_of_reads = |read_us: u64, lateness_us: u64| {
        let record = replay_on(ssd(64, read_us * 1000), &request(&path));
        let late = judge_late(&record, Nanos::micros(lateness_us), Nanos::micros(lateness_us));
        let words = headline(&late);
        words.split("; ").find(|clause| clause.starts_with("reads: ")).unwrap().to_owned()
    };
    let check = |read_us, lateness_us, expected: &str| {
        let words = words_of_reads(read_us, lateness_us);
        assert!(words.ends_with(expected), "{words}");
    };
    check(80, 54, "us] here");
    check(100, 1, "us] here");
    check(150, 54, LATE);
    check(150, 20, "(slower than there)");

    let search = SpeedSearch {
        bounds: vec!["p99<90us".parse().unwrap()],
        probe_max: Nanos::secs(1),
        budget: Nanos::secs(100),
    };
    let request = ReplayRequest { search: Some(search), ..request(&path) };
    let record = replay_on(ssd(64, 100_000), &request);
    let check = |p99_us, max_us, [slowest, limit]: [bool; 2]| {
        let late = judge_late(&record, Nanos::micros(p99_us), Nanos::micros(max_us));
        let words = headline(&late);
        let clauses: Vec<&str> = words.split("; ").collect();
        assert_eq!(clauses[0].ends_with(LATE), slowest, "{words}");
        let last = clauses.last().unwrap();
        assert!(last.starts_with("even at 0.") && last.contains("p99<90us"), "{words}");
        assert_eq!(last.ends_with(LATE), limit, "{words}");
    };
    check(1, 2, [false, false]);
    check(54, 60, [false, true]);
    check(54, 120, [true, true]);
}

/// A search with a load of 2,000 requests a second, written to `path`.
fn search_request(path: &Path) -> ReplayRequest {
    write_trace(path, 40_000, 500_000);
    let search = SpeedSearch {
        bounds: vec!["p99<1ms".parse().unwrap()],
        probe_max: Nanos::secs(2),
        budget: Nanos::secs(600),
    };
    ReplayRequest { search: Some(search), ..request(path) }
}

/// The headline of the verdict.
fn headline(record: &Record) -> String {
    record.judgement_or_default().verdict.as_ref().unwrap().headline.text().to_owned()
}

fn replay_on(device: SimulatedDevice, request: &ReplayRequest) -> Record {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let mut session = Session::simulated(device, CAPACITY, &stop, &mut silent);
    let map = run_replay(&mut session, request).unwrap();
    session.finish(&request.ask, build_plan(request, map))
}

fn outcome(record: &Record) -> &ReplayOutcome {
    record.judgement_or_default().replay.as_ref().unwrap()
}

#[test]
fn a_million_requests_are_replayed_on_a_disk_that_keeps_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_trace(&path, 1_000_000, 20_000);
    let request = request(&path);
    let counted = &request.load.load.requests;
    let counted: Vec<_> = counted.iter().map(|(direction, count)| (direction, *count)).collect();
    let expected =
        [(Direction::Read, 700_000), (Direction::Write, 290_000), (Direction::Sync, 10_000)];
    assert_eq!(counted, expected);
    let record = replay_on(ssd(64, 100_000), &request);
    let cell = &record.measured.cells[0];
    let ops = |direction| cell.totals.get(direction).map_or(0, |totals| totals.ops);
    let done = [Direction::Read, Direction::Write, Direction::Sync].map(ops);
    assert_eq!(done, [700_000, 290_000, 10_000]);
    let outcome = outcome(&record);
    assert_eq!((outcome.keeps_up, outcome.invalid, outcome.factor), (Some(true), false, None));
    assert!(outcome.lateness_p99 <= Nanos(100_000), "{outcome:?}");
    assert!(outcome.slowest >= Nanos(100_000) && outcome.slowest < Nanos::millis(2), "{outcome:?}");
    let read = &outcome.latencies[0];
    assert!((read.there.unwrap().0 as f64 / 900_000.0 - 1.0).abs() < 0.02, "{read:?}");
    // One in a hundred waits for the flush.
    assert!((100_000.0..201_000.0).contains(&read.here.value), "{read:?}");
    let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
    let words = headline(&record);
    assert!(words.starts_with("Keeps up with this load: nothing later than "), "{words}");
    assert!(words.contains("reads: p99 was ") && words.contains(" there and is 1"), "{words}");
    assert_ne!(verdict.trust, Trust::Broken, "{verdict:?}");

    // A run that ends before all was planned answers nothing.
    let mut cut = record.measured.clone();
    cut.cells[0].open_loop.as_mut().unwrap().started -= 1;
    assert_eq!(self::outcome(&analysis::judge_record(cut)).keeps_up, None);
}

/// One large request leaves room for a deep queue of small ones; one that no disk takes is refused.
#[test]
fn the_longest_request_bounds_the_memory() {
    let load = |largest| CapturedLoad { largest, ..CapturedLoad::default() };
    assert_eq!(outstanding_max(&load(Bytes::kib(4))), 1024);
    assert!(outstanding_max(&load(Bytes::kib(1280))) >= 200);
    assert!(check_longest(&load(Bytes::mib(16))).is_ok());
    assert!(check_longest(&load(Bytes::gib(2))).is_err());
}

#[test]
fn a_disk_of_half_the_rate_does_not_keep_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_trace(&path, 200_000, 20_000);
    // One server of 40 us: 25,000 requests a second of the 50,000.
    let record = replay_on(ssd(1, 40_000), &request(&path));
    let outcome = outcome(&record);
    assert_eq!(outcome.keeps_up, Some(false), "{outcome:?}");
    assert!((outcome.factor.unwrap() - 0.5).abs() < 0.03, "{outcome:?}");
    assert!(!outcome.invalid, "{outcome:?}");
    let words = headline(&record);
    let share = units::Ratio(outcome.factor.unwrap());
    let said = format!("Does not keep up: completes only {share} of this load in time; ");
    assert!(words.starts_with(&said), "{words}");
    // Twice as slow, it does.
    let slower = ReplayRequest { speed: 0.4, ..request(&path) };
    let record = replay_on(ssd(1, 40_000), &slower);
    assert_eq!(self::outcome(&record).keeps_up, Some(true));
}

#[test]
fn a_search_finds_how_many_times_the_load_is_carried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    let request = search_request(&path);
    let record = replay_on(ssd(1, 100_000), &request);
    let limit = &outcome(&record).limits[0];
    let probes: Vec<_> =
        record.measured.cells.iter().map(|c| (&c.name, c.iops(), c.elapsed)).collect();
    assert!(limit.keeps.is_some() && limit.breaks.is_some(), "{limit:?} {probes:#?}");
    // One server: 10,000 a second, five times the load.
    let (keeps, breaks) = (limit.keeps.unwrap(), limit.breaks.unwrap());
    assert!(keeps > 4.0 && keeps < breaks && breaks < 5.6, "{limit:?}");
    assert!(limit.confirmed, "{limit:?} {probes:#?}");
    let words = headline(&record);
    assert!(words.contains("times this load it breaks p99<1ms"), "{words}");
    assert!(!words.contains("not confirmed"), "{words}");

    // Probes in which the generator was late say nothing of the disk.
    let mut late = record.measured.clone();
    for cell in late.cells.iter_mut().skip(1) {
        cell.open_loop.as_mut().unwrap().generator_late = true;
    }
    let record = analysis::judge_record(late);
    let limit = &outcome(&record).limits[0];
    assert_eq!((limit.keeps, limit.breaks, limit.confirmed), (Some(1.0), None, false));
    let words = headline(&record);
    assert!(words.contains("not confirmed"), "{words}");
}

fn neighbour(start: Nanos, lasts: Nanos) -> NoisyNeighbour {
    let (start_ns, lasts_ns) = (start.0, lasts.0);
    NoisyNeighbour { start_ns, every_ns: 0, lasts_ns, iops: 8_000.0, length: 4096 }
}

/// A disk that others use does not say what it carries alone.
#[test]
fn beside_others_a_disk_that_is_behind_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_trace(&path, 20_000, 200_000);
    // One server: 10,000 a second, of which the load asks for half, and others for the most.
    let busy = neighbour(Nanos::ZERO, Nanos::secs(600));
    let record = replay_on(ssd_beside(1, 100_000, Some(busy)), &request(&path));
    let outcome = outcome(&record);
    assert_eq!((outcome.keeps_up, outcome.factor), (None, None), "{outcome:?}");
    let words = headline(&record);
    assert!(words.contains("others"), "{words}");
    let alone = replay_on(ssd(1, 100_000), &request(&path));
    assert_eq!(self::outcome(&alone).keeps_up, Some(true));
}

#[test]
fn a_disturbed_probe_of_a_search_is_measured_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    let request = search_request(&path);
    let searched = |busy: Option<NoisyNeighbour>| {
        let record = replay_on(ssd_beside(1, 100_000, busy), &request);
        let aside = |cell: &&record::Cell| cell.role == CellRole::Disturbed;
        let count = record.measured.cells.iter().filter(aside).count();
        (outcome(&record).limits[0].clone(), count)
    };
    // The load itself takes 20 s: from the second probe on, for three of them.
    let busy = neighbour(Nanos::secs(22), Nanos::secs(6));
    let ((alone, none), (beside, aside)) = (searched(None), searched(Some(busy)));
    assert!(none == 0 && aside > 0, "{none} {aside}");
    assert_eq!((beside.keeps, beside.confirmed), (alone.keeps, true), "{alone:?} {beside:?}");

    // Where nothing may be written any more, what was disturbed is all there is.
    for mib in [100, 150, 200] {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let busy = neighbour(Nanos::secs(22), Nanos::secs(600));
        let device = ssd_beside(1, 100_000, Some(busy));
        let mut session = Session::simulated(device, CAPACITY, &stop, &mut silent);
        session.write_budget = Some(WriteBudget::new(Bytes::mib(mib)));
        run_replay(&mut session, &request).unwrap();
        assert!(session.has_write_shortfall(), "{mib} MiB last");
        let roles: Vec<CellRole> = session.cells.iter().map(|cell| cell.role).collect();
        assert_eq!(roles.last(), Some(&CellRole::Replay), "{mib} MiB: {roles:?}");
    }
}

#[test]
fn offsets_that_do_not_fit_are_refused_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.tdtrace");
    write_trace(&path, 1000, 1000);
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let small = Bytes::gib(1);
    let mut session = Session::simulated(ssd(4, 10_000), small, &stop, &mut silent);
    let as_is = ReplayRequest { map: Some(OffsetMap::AsIs), ..request(&path) };
    let error = run_replay(&mut session, &as_is).unwrap_err();
    assert!(error.to_string().contains("its offsets do not fit as they are"), "{error}");
    assert!(error.hint().unwrap().contains("--map scale"));
    assert_eq!(run_replay(&mut session, &request(&path)).unwrap(), OffsetMap::Scale);
}
