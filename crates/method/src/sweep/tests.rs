//! Whole sweeps of devices with a known law, on the virtual clock.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, LatencyNoise, Medium, NoisyNeighbour, Quirks, Ssd};
use record::{Completion, Part, Purpose};
use units::Seed;
use workload::{Access, Mix};

use super::*;
use crate::request::MeasureRequest;

const CAPACITY: Bytes = Bytes::gib(16);
/// Four servers of 50 us behind a link: 80,000 operations and 1.6 GB a second.
const IOPS: f64 = 80_000.0;
const RATE: f64 = 1.6e9;

fn device(noise: LatencyNoise) -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd { read_ns: 50_000, bytes_per_second: RATE, ..Ssd::FLASH });
    SimulatedDevice::new(DeviceModel { noise, ..DeviceModel::new(CAPACITY.0, medium) }, 5)
}

fn request() -> SweepRequest {
    SweepRequest {
        ask: MeasureRequest {
            path: "simulated".into(),
            size: None,
            read_only: false,
            destroy_data_on: None,
            max_written: None,
            seed: Seed(7),
            command: record::CommandLine::new(["first"]),
            version: "test".to_owned(),
        },
        plan: SweepPlan {
            parts: vec![Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) }],
            block_sizes: [4, 8, 16, 64, 256].map(Bytes::kib).to_vec(),
            depths: vec![1, 64],
            precision: 0.02,
            cell_time: cell_times(Nanos::secs(10)),
            write_shares: Vec::new(),
        },
        budget: Nanos::secs(120),
        earlier: None,
    }
}

/// Stops a run after a number of cells.
struct StopAfter {
    cells: usize,
    stop: StopSignal,
}

impl Observer for StopAfter {
    fn on_phase(&mut self, _: &message::Message, _: f64) {}
    fn on_progress(&mut self, _: &engine::Progress, _: f64) {}
    fn on_note(&mut self, _: &str) {}
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }

    fn on_cell(&mut self, _: &record::Cell) {
        self.cells = self.cells.saturating_sub(1);
        if self.cells == 0 {
            self.stop.raise();
        }
    }
}

/// Runs a sweep that is stopped after `cells` of them, when given.
fn swept(request: &SweepRequest, noise: LatencyNoise, cells: Option<usize>) -> Record {
    swept_on(device(noise), request, cells)
}

fn swept_on(device: SimulatedDevice, request: &SweepRequest, cells: Option<usize>) -> Record {
    validate_request(request).unwrap();
    let stop = StopSignal::default();
    let mut observer = StopAfter { cells: cells.unwrap_or(usize::MAX), stop: stop.clone() };
    let mut session = Session::simulated(device, CAPACITY, &stop, &mut observer);
    if let Some(earlier) = &request.earlier {
        session.resume_run(&earlier.measured, &request.ask.command);
    }
    session.run_steps(|session| measure_plan(session, request, &mut |_| {})).unwrap();
    let plan = build_plan(request);
    session.finish(&request.ask, plan)
}

fn order(record: &Record) -> Vec<String> {
    record.measured.cells.iter().map(|cell| cell.name.clone()).collect()
}

#[test]
fn the_two_limits_of_a_known_law_are_found() {
    let record = swept(&request(), LatencyNoise::Exponential, None);
    assert_eq!(record.measured.completion, Completion::Complete);
    let [one, many] = record.judgement_or_default().two_limits.as_slice() else {
        panic!("{:#?}", record.judgement_or_default().two_limits)
    };
    assert_eq!((one.depth.0, many.depth.0), (1, 64));
    let near = |found: &Option<stats::Estimate>, truth: f64| {
        let value = found.as_ref().unwrap().value;
        assert!((value / truth - 1.0).abs() < 0.05, "{value} is not {truth}: {many:#?}");
    };
    near(&many.iops, IOPS);
    near(&many.bytes_per_second, RATE);
    // One at a time, each costs its turn and its transfer.
    assert!(one.soft, "{one:#?}");
    near(&one.iops, 20_000.0);
    near(&one.bytes_per_second, RATE);
    let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
    let words = message::texts(&verdict.meaning).join("\n");
    assert!(words.contains("up to 2") && words.contains(" beyond. This law misses"), "{words}");
}

#[test]
fn cells_are_as_precise_as_was_asked() {
    let record = swept(&request(), LatencyNoise::LogNormal(0.8), None);
    let points: Vec<_> =
        record.judgement_or_default().curves.iter().flat_map(|curve| &curve.points).collect();
    assert_eq!(points.len(), 10);
    for point in points {
        assert!(point.precision.is_some_and(|half| half <= 0.02), "{point:#?}");
        assert!(point.cells.len() <= 3, "{point:#?}");
    }
    let words =
        message::texts(&record.judgement_or_default().verdict.as_ref().unwrap().meaning).join("\n");
    assert!(words.contains("of all 10 cells are known to within ±2.0 %"), "{words}");
}

#[test]
fn cells_that_others_disturbed_are_measured_again() {
    let (start_ns, lasts_ns) = (1_000_000_000, 4_000_000_000);
    let busy = NoisyNeighbour { start_ns, every_ns: 0, lasts_ns, iops: 60_000.0, length: 4096 };
    let medium = Medium::Ssd(Ssd { read_ns: 50_000, bytes_per_second: RATE, ..Ssd::FLASH });
    let model = DeviceModel::new(CAPACITY.0, medium);
    let quirks = Quirks { neighbour: Some(busy), ..Quirks::default() };
    let mut request = request();
    request.plan.precision = 1.0;
    let record = swept_on(SimulatedDevice::with_quirks(model.clone(), quirks, 5), &request, None);
    let disturbed = |cell: &&record::Cell| cell.role == record::CellRole::Disturbed;
    assert!(record.measured.cells.iter().filter(disturbed).count() >= 2);
    let alone = swept_on(SimulatedDevice::new(model, 5), &request, None);
    let points = |record: &Record| -> Vec<(Bytes, u32, f64)> {
        let curves = record.judgement_or_default().curves.iter();
        let points = curves.flat_map(|curve| curve.points.iter().map(move |p| (curve, p)));
        points.map(|(curve, p)| (curve.block_size, p.depth.0, p.iops)).collect()
    };
    let (found, expected) = (points(&record), points(&alone));
    assert_eq!(found.len(), 10);
    for (one, other) in found.iter().zip(&expected) {
        assert_eq!((one.0, one.1), (other.0, other.1));
        assert!((one.2 / other.2 - 1.0).abs() < 0.02, "{one:?} {other:?}");
    }
}

#[test]
fn the_order_follows_from_the_seed() {
    let of = |seed: u64| {
        let mut request = request();
        request.ask.seed = Seed(seed);
        request.plan.precision = 1.0;
        order(&swept(&request, LatencyNoise::None, None))
    };
    let (one, other) = (of(1), of(2));
    assert_eq!(one, of(1));
    assert_ne!(one, other);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_eq!(sorted(one), sorted(other));
}

#[test]
fn what_was_stopped_goes_on_with_what_is_missing() {
    let mut asked = request();
    asked.plan.precision = 1.0;
    let whole = order(&swept(&asked, LatencyNoise::None, None));
    let part = swept(&asked, LatencyNoise::None, Some(4));
    assert!(matches!(part.measured.completion, Completion::Partial { failed: false, .. }));
    let had = order(&part);
    assert_eq!(had.len(), 4, "{had:?}");
    let ask = MeasureRequest { command: record::CommandLine::new(["second"]), ..asked.ask };
    let again = SweepRequest::resume(part.clone(), &ask, None).unwrap();
    let record = swept(&again, LatencyNoise::None, None);
    assert_eq!(record.measured.completion, Completion::Complete);
    assert_eq!(order(&record), whole);
    assert_eq!(record.measured.cells[..had.len()], part.measured.cells[..]);
    assert_eq!(
        (&record.measured.id, &record.measured.command),
        (&part.measured.id, &part.measured.command)
    );
    assert_eq!(record.measured.resumed[0].cells, had.len() as u64);
    assert_eq!(*record.measured.resumed[0].command, ["second"]);
    let error = SweepRequest::resume(record, &ask, None).unwrap_err();
    assert!(error.to_string().contains("is complete"), "{error}");
}

#[test]
fn what_contradicts_itself_is_refused_before_anything_is_measured() {
    let check = |spoil: &dyn Fn(&mut SweepRequest), words: &str| {
        let mut request = request();
        spoil(&mut request);
        let error = validate_request(&request).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
        assert!(error.hint().is_some());
    };
    check(&|r| r.plan.parts.clear(), "the list of workloads is empty");
    check(&|r| r.plan.block_sizes.clear(), "the list of block sizes is empty");
    check(&|r| r.plan.depths.clear(), "the list of depths is empty");
    check(&|r| r.plan.depths = (1..=401).collect(), "2005 cells are more than 2000");
    check(&|r| r.budget = Nanos::secs(5), "10 cells need at least 14.6");
    check(&|r| r.plan.cell_time = cell_times(Nanos::millis(1)), "too short");
    check(&|r| r.plan.block_sizes = vec![Bytes::gib(1)], "at the same time need 64");
    check(
        &|r| (r.ask.read_only, r.plan.parts[0].mix) = (true, Mix::Write),
        "--read-only forbids it",
    );
    check(
        &|r| (r.ask.read_only, r.plan.write_shares) = (true, vec![0.5]),
        "--interference writes, but --read-only",
    );
}

#[test]
fn blocks_larger_than_what_is_measured_are_refused() {
    let mut asked = request();
    asked.plan.block_sizes = vec![Bytes::mib(64)];
    let check =
        |sizes: &[Bytes]| request_checks::check_block_sizes(sizes, Bytes(1), Bytes::mib(64));
    let error = check(&asked.plan.block_sizes).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    asked.plan.block_sizes = vec![Bytes::mib(16)];
    assert!(check(&asked.plan.block_sizes).is_ok());
}

#[test]
fn huge_times_do_not_wrap() {
    let most = Nanos(u64::MAX);
    let mut asked = request();
    asked.plan.cell_time = (most, most);
    let error = validate_request(&asked).unwrap_err();
    assert!(error.to_string().contains("10 cells need at least"), "{error}");
    let mut asked = request();
    asked.plan.precision = 1.0;
    asked.plan.block_sizes.truncate(1);
    (asked.budget, asked.plan.cell_time.1) = (most, most);
    let mut part = swept(&asked, LatencyNoise::None, Some(1));
    assert_eq!(part.measured.cells.len(), 1);
    part.measured.plan.budget = most;
    (part.measured.cells[0].elapsed, part.measured.cells[0].job.warm_up) = (most, most);
    let mut again = part.measured.cells[0].clone();
    again.name.push_str("-2");
    part.measured.cells.push(again);
    let request = SweepRequest::resume(part.clone(), &asked.ask, None).unwrap();
    assert!(request.budget < Nanos::secs(2), "all was spent: {}", request.budget);
    let record = swept(&request, LatencyNoise::None, None);
    assert_eq!(record.measured.completion, Completion::Complete);
    if let Purpose::Sweep(plan) = &mut part.measured.plan.purpose {
        plan.cell_time = (most, most);
    }
    assert!(SweepRequest::resume(part, &asked.ask, None).is_ok());
}

#[test]
fn a_file_that_asks_for_too_many_cells_is_refused_before_they_are_counted() {
    let mut asked = request();
    asked.plan.precision = 1.0;
    let mut part = swept(&asked, LatencyNoise::None, Some(1));
    let Purpose::Sweep(plan) = &mut part.measured.plan.purpose else { panic!() };
    plan.depths = (1..=401).collect();
    let error = SweepRequest::resume(part, &asked.ask, None).unwrap_err();
    assert!(error.to_string().contains("2005 cells are more than 2000"), "{error}");
    assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
}
