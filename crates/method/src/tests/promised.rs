//! Promises held against checks of devices with a known law, on the virtual clock: a cap keeps its
//! own plan, and not the next one, whatever else the host does.

use engine::simulated::{
    Bucket, DeviceModel, LatencyNoise, Medium, Quirks, Schedule, Ssd, Throttle,
};
use engine::{SimulatedDevice, StopSignal};
use record::{Effort, Kept, Plan, Promise, Promised, PromisedWhat, Purpose, Record};
use units::{Bytes, Nanos, Seed};
use workload::Bound;

use crate::check_run::CheckRun;
use crate::observer::SilentObserver;
use crate::request::MeasureRequest;
use crate::session::Session;
use crate::time_budget::TimeBudget;

const CAPACITY: Bytes = Bytes::gib(64);

/// A volume with a cap on operations, and credits for a burst above it.
fn volume(iops: f64, burst_iops: f64, credits: f64) -> DeviceModel {
    DeviceModel {
        capacity: CAPACITY.0,
        medium: Medium::Ssd(Ssd {
            channels: 16,
            read_ns: 200_000,
            write_ns: 200_000,
            bytes_per_second: 2e9,
            ..Ssd::FLASH
        }),
        cache: None,
        bucket: Some(Bucket { iops, burst_iops, credits, bytes_per_second: None }),
        stall: None,
        noise: LatencyNoise::LogNormal(0.1),
    }
}

fn check(law: DeviceModel, seed: u64) -> Record {
    check_device(SimulatedDevice::new(law, seed), seed)
}

fn check_device(device: SimulatedDevice, seed: u64) -> Record {
    let ask = MeasureRequest {
        path: "simulated".into(),
        size: None,
        read_only: false,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(seed),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    };
    let stop = StopSignal::default();
    let mut silent = SilentObserver;
    let mut session = Session::simulated(device, CAPACITY, &stop, &mut silent);
    let bounds: Vec<Bound> = ["p99<10ms", "mean<1s"].map(|b| b.parse().unwrap()).to_vec();
    let times = TimeBudget::for_effort(Effort::Standard);
    session
        .run_steps(|session| {
            CheckRun { session, times, bounds: &bounds, spare: Nanos::ZERO, until_throttled: None }
                .measure_cells()
        })
        .unwrap();
    let plan = Plan {
        purpose: Purpose::Check { effort: Effort::Standard, until_throttled: None },
        budget: Nanos::secs(60),
        bounds: bounds.clone(),
        read_only: false,
        span: session.facts.span.length,
        seed: Seed(seed),
    };
    session.finish(&ask, plan)
}

fn answers(record: &Record, always: f64, burst: Option<f64>) -> (Vec<Kept>, String) {
    let mut record = record.clone();
    record.measured.promise = Some(Promise {
        asked: "by hand".to_owned(),
        title: None,
        items: vec![Promised { what: PromisedWhat::Iops, direction: None, always, burst }],
        share: 0.98,
        share_because: message::Message::default(),
        io_unit: None,
        accounting: message::Message::default(),
        burst_lasts: None,
        only_limits: false,
        notes: Vec::new(),
        sources: Vec::new(),
    });
    record.judgement = Some(analysis::judge(&record.measured));
    let outcomes = &record.judgement_or_default().promise;
    (outcomes.iter().map(|o| o.kept).collect(), format!("{outcomes:#?}"))
}

#[test]
fn a_cap_keeps_its_own_plan_and_not_the_next() {
    use Kept::{Kept as Yes, NotKept as No};
    for (iops, next) in [(3e3, 5e3), (5e3, 10e3), (10e3, 15e3), (15e3, 25e3)] {
        for seed in [1, 2] {
            let record = check(volume(iops, iops, 1.0), seed);
            let (own, words) = answers(&record, iops, None);
            assert_eq!(own, [Yes, Yes], "{iops}, seed {seed}: {words}");
            let (other, words) = answers(&record, next, None);
            assert_eq!(other, [No, No], "{iops}, seed {seed}: {words}");
        }
    }
}

#[test]
fn a_throttle_that_lets_through_in_slices_is_known_to_two_percent() {
    use Kept::{Kept as Yes, NotKept as No};
    for (iops, seed) in [(5e3, 1), (5e3, 2), (3e3, 3)] {
        let slice_ns = 100_000_000;
        let throttle = Throttle { slice_ns, ..Throttle::of_requests(Schedule::constant(iops)) };
        let quirks = Quirks { throttles: vec![throttle], ..Quirks::default() };
        let law = volume(1e6, 1e6, 1.0);
        let record = check_device(SimulatedDevice::with_quirks(law, quirks, seed), seed);
        for (share, kept) in [(0.98, Yes), (1.0, Yes), (1.04, No)] {
            let (answers, words) = answers(&record, iops * share, None);
            assert_eq!(answers, [kept, kept], "{iops}, {share}, seed {seed}: {words}");
        }
    }
}

#[test]
fn a_burst_is_seen_and_what_comes_after_it_is_not() {
    use Kept::{CannotTell as Unsure, Kept as Yes};
    let record = check(volume(300.0, 3000.0, 5.4e6), 3);
    let (answers, words) = answers(&record, 300.0, Some(3000.0));
    assert_eq!(answers, [Unsure, Yes, Unsure, Yes], "{words}");
}
