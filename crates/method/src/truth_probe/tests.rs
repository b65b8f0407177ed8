//! Whole checks of devices with a known law, on the virtual clock: what the trials of reads find.

use engine::simulated::{
    Cache, DeviceModel, FirstTouch, IdleSleep, LatencyNoise, Medium, Quirks, Ssd,
};
use engine::{SimulatedDevice, StopSignal};
use record::{Effort, Finding, FindingId, Plan, Purpose, Record, Status};
use stats::search::Grid;
use units::{Bytes, Seed};

use super::*;
use crate::check_run::CheckRun;
use crate::request::MeasureRequest;
use crate::time_budget::TimeBudget;
use crate::{SilentObserver, session};

/// What these trials are for.
const FOUND_BY_READING: [FindingId; 5] = [
    FindingId::HostCache,
    FindingId::DeviceCache,
    FindingId::FirstTouch,
    FindingId::IdleLatency,
    FindingId::Misaligned,
];

/// Eight channels of 100 us, behind 2 GB/s, with the scatter of a real drive.
fn law(capacity: Bytes) -> DeviceModel {
    let medium = Medium::Ssd(Ssd {
        channels: 8,
        write_ns: 30_000,
        bytes_per_second: 2e9,
        flush_ns: 500_000,
        ..Ssd::FLASH
    });
    let (cache, bucket, stall, noise) = (None, None, None, LatencyNoise::LogNormal(0.15));
    DeviceModel { cache, bucket, stall, noise, ..DeviceModel::new(capacity.0, medium) }
}

fn cached(capacity: Bytes, cache: Bytes) -> DeviceModel {
    let cache = Some(Cache { bytes: cache.0, latency_ns: 12_000, write_back: false });
    DeviceModel { cache, ..law(capacity) }
}

/// The reading part of a check: trials, reads with pauses, a few cells, trials again.
fn checked(law: DeviceModel, quirks: Quirks, effort: Effort, seed: u64) -> Record {
    let capacity = Bytes(law.capacity);
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let device = SimulatedDevice::with_quirks(law, quirks, seed);
    let mut session = session::Session::simulated(device, capacity, &stop, &mut silent);
    session.facts.writable = false;
    session.seed = Seed(seed);
    let bounds = ["p99<10ms".parse().unwrap()];
    // A short curve and a short stream: what is asked here is asked beside them.
    let depths = Grid::new([1.0, 4.0]);
    let sequential = Nanos::millis(50);
    let times = TimeBudget { depths, probes: (2, 0), sequential, ..TimeBudget::for_effort(effort) };
    let budget = times.budget;
    session
        .run_steps(|session| {
            CheckRun { session, times, bounds: &bounds, spare: Nanos::ZERO, until_throttled: None }
                .measure_cells()
        })
        .unwrap();
    let ask = MeasureRequest {
        path: "simulated".into(),
        size: None,
        read_only: true,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(seed),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    };
    let plan = Plan {
        purpose: Purpose::Check { effort, until_throttled: None },
        budget,
        bounds: bounds.to_vec(),
        read_only: true,
        span: capacity,
        seed: Seed(seed),
    };
    session.finish(&ask, plan)
}

fn finding(record: &Record, id: FindingId) -> &Finding {
    record.judgement_or_default().findings.iter().find(|finding| finding.id == id).unwrap()
}

fn assert_status(record: &Record, id: FindingId, status: Status) {
    let found = finding(record, id);
    assert_eq!(found.status, status, "{found:#?}");
}

#[test]
fn a_plain_device_raises_none_of_them() {
    for seed in 0..20 {
        let record = checked(law(Bytes::gib(4)), Quirks::default(), Effort::Quick, seed);
        for id in FOUND_BY_READING {
            assert_status(&record, id, Status::Ok);
        }
    }
}

#[test]
fn the_trials_take_no_more_than_their_time() {
    for effort in [Effort::Quick, Effort::Standard] {
        let record = checked(law(Bytes::gib(4)), Quirks::default(), effort, 1);
        let trials = record.measured.cells.iter().filter(|cell| cell.trial.is_some());
        let took: u64 = trials.map(|cell| cell.elapsed.0).sum();
        let share: f64 = TRUTH_PROBES.iter().map(|trial| trial.share).sum();
        let most = TimeBudget::for_effort(effort).trials.0 as f64 * share;
        assert!(took as f64 <= most, "{effort:?}: {took} of {most}");
    }
}

#[test]
fn the_same_blocks_are_read_twice_and_where_that_was_faster_a_third_time() {
    // A cache that keeps everything: a single other block would be a miss.
    let record = checked(cached(Bytes::gib(4), Bytes::gib(8)), Quirks::default(), Effort::Quick, 3);
    let passes: Vec<_> = record
        .measured
        .cells
        .iter()
        .filter_map(|cell| match cell.trial {
            Some(record::Trial::Reread { pass }) => Some((pass, cell)),
            _ => None,
        })
        .collect();
    let longest = |cell: &record::Cell| cell.totals.read.as_ref().unwrap().latency_ns.max;
    let (pairs, later) = passes.split_at(10);
    for pair in pairs.chunks(2) {
        let [(1, first), (2, again)] = pair else { panic!("{}", pair.len()) };
        assert_eq!(first.ledger.read_ops, again.ledger.read_ops);
        assert!(longest(again) < 13_000 && longest(first) > 80_000, "every second read is a hit");
    }
    assert_eq!(later.len(), 3);
    for (pass, cell) in later {
        assert!(*pass == 3 && longest(cell) < 13_000, "it still holds them: {}", longest(cell));
    }
    let plain = checked(law(Bytes::gib(4)), Quirks::default(), Effort::Quick, 3);
    let is_later = |cell: &&record::Cell| cell.trial == Some(record::Trial::Reread { pass: 3 });
    assert_eq!(plain.measured.cells.iter().filter(is_later).count(), 0);
}

/// A volume over a network with a cache that what is read after them drives them out of: no block
/// was fetched.
#[test]
fn blocks_that_are_slow_the_third_time_were_in_a_cache() {
    let DeviceModel { medium: Medium::Ssd(ssd), .. } = law(Bytes::gib(64)) else { panic!() };
    for seed in 0..5 {
        let law = DeviceModel {
            medium: Medium::Ssd(Ssd { read_ns: 1_200_000, ..ssd.clone() }),
            cache: Some(Cache { bytes: 48 << 20, latency_ns: 200_000, write_back: false }),
            ..law(Bytes::gib(64))
        };
        let record = checked(law, Quirks::default(), Effort::Quick, seed);
        assert!(finding(&record, FindingId::FirstTouch).status < Status::Note);
        let cache = finding(&record, FindingId::HostCache);
        let third = cache.evidence.iter().find(|fact| fact.what == "third reads, after all others");
        assert!(third.unwrap().figure.unwrap() > 1e6, "{cache:#?}");
    }
}

#[test]
fn a_cache_that_holds_everything_is_seen_by_second_reads() {
    for seed in 0..3 {
        let law = cached(Bytes::mib(512), Bytes::gib(8));
        let record = checked(law, Quirks::default(), Effort::Quick, seed);
        assert_status(&record, FindingId::HostCache, Status::Warning);
        assert!(finding(&record, FindingId::FirstTouch).status < Status::Note);
    }
}

#[test]
fn the_size_of_a_cache_is_found_within_an_octave() {
    let check = |mib: u64, effort, capacity: Bytes| {
        let law = cached(capacity, Bytes::mib(mib));
        let record = checked(law, Quirks::default(), effort, mib);
        let found = finding(&record, FindingId::DeviceCache);
        assert_eq!(found.status, Status::Note, "{mib} MiB: {found:#?}");
        let size = found.evidence.iter().find(|fact| fact.what == "size of the cache").unwrap();
        let ratio = size.figure.unwrap() / Bytes::mib(mib).0 as f64;
        assert!((0.5..=2.0).contains(&ratio), "{mib} MiB: {ratio}: {found:#?}");
    };
    check(24, Effort::Quick, Bytes::gib(1));
    check(40, Effort::Quick, Bytes::gib(1));
    for mib in [32, 64, 100, 200, 400] {
        check(mib, Effort::Standard, Bytes::gib(4));
    }
}

#[test]
fn a_span_that_mostly_lies_in_the_cache_is_a_warning() {
    let law = cached(Bytes::mib(512), Bytes::mib(360));
    let record = checked(law, Quirks::default(), Effort::Standard, 1);
    assert_status(&record, FindingId::DeviceCache, Status::Warning);
}

#[test]
fn blocks_that_are_fetched_when_first_touched_are_no_cache() {
    let check = |block_bytes: u64, fetch_ns, seed| {
        let first_touch = Some(FirstTouch { block_bytes, fetch_ns });
        let quirks = Quirks { first_touch, ..Quirks::default() };
        // A volume over a network, as those are that fetch their blocks.
        let DeviceModel { medium: Medium::Ssd(ssd), .. } = law(Bytes::gib(64)) else { panic!() };
        let medium = Medium::Ssd(Ssd { read_ns: 400_000, ..ssd });
        let law = DeviceModel { medium, ..law(Bytes::gib(64)) };
        let record = checked(law, quirks, Effort::Quick, seed);
        assert_status(&record, FindingId::FirstTouch, Status::Warning);
        assert!(finding(&record, FindingId::HostCache).status < Status::Note);
        assert!(finding(&record, FindingId::DeviceCache).status < Status::Note);
    };
    for seed in 0..5 {
        check(4096, 2_000_000, seed);
        check(512 << 10, 3_000_000, seed);
        // So slow that the first region has too few reads, and the others take longer for it.
        check(512 << 10, 5_000_000, seed);
        check(512 << 10, 12_000_000, seed);
    }
}

#[test]
fn a_device_that_falls_asleep_is_heard() {
    let quirks = |wake_ns| {
        let sleep = Some(IdleSleep { after_ns: 20_000_000, wake_ns });
        Quirks { sleep, ..Quirks::default() }
    };
    let status = |wake_ns| {
        let record = checked(law(Bytes::gib(4)), quirks(wake_ns), Effort::Quick, 1);
        finding(&record, FindingId::IdleLatency).status
    };
    assert_eq!(status(5_000_000), Status::Warning);
    assert_eq!(status(150_000), Status::Note);
    assert_eq!(status(50_000), Status::Ok);
}

#[test]
fn shares_leave_nothing_over() {
    let share = |runs: &[super::RunProbe]| -> f64 {
        let own = TRUTH_PROBES
            .iter()
            .filter(|trial| runs.iter().any(|run| std::ptr::fn_addr_eq(trial.run, *run)));
        own.map(|trial| trial.share).sum()
    };
    let all: f64 = TRUTH_PROBES.iter().map(|trial| trial.share).sum();
    // The surface is a part of a thorough check, and answers no truth check's question; a third
    // read follows a faster second one only.
    let extra = [surface::probe_surface, reread::probe_reread_later];
    let solid = all - share(&[stretch::probe_stretch]) - share(&extra);
    assert!(solid <= 1.0 + 1e-9, "{solid}");
    let rotating = all - share(&[working_set::probe_working_set]) - share(&extra);
    assert!(rotating <= 1.1 + 1e-9, "of an eighth of the budget: {rotating}");
}
