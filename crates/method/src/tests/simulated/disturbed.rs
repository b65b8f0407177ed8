//! Checks and searches of devices whose rate changes, or that others use, during the run.

use engine::SimulatedDevice;
use engine::simulated::{
    DeviceModel, LatencyNoise, Medium, NoisyNeighbour, Piece, ProcessStops, Quirks, Schedule, Ssd,
    Throttle,
};
use record::{
    BoundedBy, Cell, CellRole, Curve, CurvePoint, Effort, Finding, FindingId, LimitPlan, Part,
    Record, Status,
};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Mix};

use super::Draw;
use crate::check::CheckRequest;
use crate::limit::LimitRequest;
use crate::request::MeasureRequest;
use crate::simulated::SimulatedTarget;

const CAPACITY: Bytes = Bytes::gib(16);
const SECOND_NS: u64 = 1_000_000_000;

/// 8 channels of 250 us: up to 32,000 operations a second.
fn target(quirks: Quirks) -> SimulatedTarget {
    let (channels, read_ns, write_ns) = (8, 250_000, 250_000);
    let medium = Medium::Ssd(Ssd { channels, read_ns, write_ns, ..Ssd::FLASH });
    let noise = LatencyNoise::LogNormal(0.2);
    let law = DeviceModel { noise, ..DeviceModel::new(CAPACITY.0, medium) };
    let info = record::fixture::ssd_record().measured.targets.remove(0);
    SimulatedTarget {
        device: SimulatedDevice::with_quirks(law, quirks, 5),
        info,
        capacity: CAPACITY,
        io_limits: Vec::new(),
    }
}

fn capped(schedule: Schedule) -> SimulatedTarget {
    let throttles = vec![Throttle::of_requests(schedule)];
    target(Quirks { throttles, ..Quirks::default() })
}

fn ask() -> MeasureRequest {
    MeasureRequest {
        path: "simulated".into(),
        size: None,
        read_only: true,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(7),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    }
}

fn check(target: &SimulatedTarget, effort: Effort) -> Record {
    let bounds = vec!["p99<100ms".parse().unwrap()];
    target.check(&CheckRequest { ask: ask(), effort, bounds, until_throttled: None }).unwrap()
}

fn limit(target: &SimulatedTarget) -> Record {
    let part = Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) };
    let plan = LimitPlan {
        parts: vec![part],
        first_percent: None,
        arrivals: None,
        depth_min: None,
        depth_max: 256,
        probe_max: Nanos::secs(30),
    };
    let bounds = vec!["p99<100ms".parse().unwrap()];
    let request = LimitRequest { ask: ask(), plan, bounds, budget: Nanos::secs(120) };
    target.limit(&request).unwrap()
}

fn near(iops: f64, wanted: f64) -> bool {
    (iops / wanted - 1.0).abs() < 0.03
}

fn headline(record: &Record) -> &str {
    record.judgement_or_default().verdict.as_ref().unwrap().headline.text()
}

fn finding(record: &Record, id: FindingId) -> &Finding {
    record.judgement_or_default().findings.iter().find(|finding| finding.id == id).unwrap()
}

fn random_reads(record: &Record) -> &Curve {
    &record.judgement_or_default().curves[0]
}

#[test]
fn a_step_has_a_figure_per_level_and_its_date() {
    let step = || capped(Schedule::step(9_000.0, 12 * SECOND_NS, 1_300.0));
    let (checked, searched) = (check(&step(), Effort::Standard), limit(&step()));
    for record in [&checked, &searched] {
        let curve = random_reads(record);
        let earlier = curve.earlier.unwrap();
        assert!(near(earlier.iops.0, 9_000.0) && !earlier.gradual, "{earlier:?}");
        assert!((9..=12).contains(&(earlier.until.0 / SECOND_NS)), "{earlier:?}");
        assert!(curve.points.iter().all(|point| near(point.iops, 1_300.0)), "{curve:#?}");
        assert!(near(curve.main_limit().unwrap().iops.value, 1_300.0), "{curve:#?}");
        assert!(headline(record).contains(" or more, then 1,3"), "{}", headline(record));
    }
    let burst = finding(&checked, FindingId::Burst);
    assert_eq!(burst.status, Status::Warning, "{burst:#?}");
    let when = burst.evidence.iter().find(|fact| fact.what == "when").unwrap().figure.unwrap();
    assert!((10.5..=12.1).contains(&when), "{burst:#?}");
}

#[test]
fn of_a_rate_that_goes_to_and_fro_nothing_can_be_told() {
    let period = || capped(Schedule::period((8_000.0, 2 * SECOND_NS), (2_000.0, 2 * SECOND_NS)));
    let check = |record: Record| {
        let limit = random_reads(&record).main_limit().unwrap();
        assert_eq!(limit.bounded_by, BoundedBy::Unsure, "{limit:#?}");
        assert!(headline(&record).starts_with("Uncertain: "), "{}", headline(&record));
        let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
        assert!(!message::texts(&verdict.meaning).join("\n").contains("thrashing"), "{verdict:#?}");
    };
    check(self::check(&period(), Effort::Standard));
    check(self::check(&period(), Effort::Quick));
    check(limit(&period()));
}

#[test]
fn a_ramp_is_called_a_ramp() {
    let ramp = || capped(Schedule::ramp(9_000.0, (2 * SECOND_NS, 40 * SECOND_NS), 2_000.0));
    for record in [check(&ramp(), Effort::Standard), limit(&ramp())] {
        assert!(headline(&record).starts_with("Gradual decline: "), "{}", headline(&record));
        assert!(headline(&record).contains("falling all the time"), "{}", headline(&record));
        let limit = random_reads(&record).main_limit().unwrap();
        assert_eq!(limit.bounded_by, BoundedBy::Unsure, "{limit:#?}");
        let burst = finding(&record, FindingId::Burst);
        assert!(burst.status < Status::Warning, "{burst:#?}");
    }
}

#[test]
fn a_rate_that_rises_all_the_time_is_no_answer() {
    let ramp = || capped(Schedule::ramp(2_000.0, (2 * SECOND_NS, 40 * SECOND_NS), 9_000.0));
    let (checked, searched) = (check(&ramp(), Effort::Standard), limit(&ramp()));
    for record in [&checked, &searched] {
        let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
        assert_eq!(verdict.headline.id(), "curve-ramp-up", "{}", headline(record));
        let limit = random_reads(record).main_limit().unwrap();
        assert_eq!(limit.bounded_by, BoundedBy::Unsure, "{limit:#?}");
    }
    assert_eq!(analysis::find_failure(&searched), Some(units::ErrorKind::Failed));
}

/// Reads of others as fast as the device serves them, from a time on.
fn with_neighbour(start_s: f64, lasts_s: f64) -> SimulatedTarget {
    let (start_ns, lasts_ns) = ((start_s * 1e9) as u64, (lasts_s * 1e9) as u64);
    let busy = NoisyNeighbour { start_ns, every_ns: 0, lasts_ns, iops: 30_000.0, length: 4096 };
    target(Quirks { neighbour: Some(busy), ..Quirks::default() })
}

#[test]
fn disturbed_rungs_are_measured_again_when_the_neighbour_is_gone() {
    let check = |start_s, lasts_s, effort| {
        let alone = check(&target(Quirks::default()), effort);
        let record = check(&with_neighbour(start_s, lasts_s), effort);
        let again = |cell: &&Cell| cell.role == CellRole::Disturbed;
        assert!(record.measured.cells.iter().filter(again).count() > 0);
        let curve = random_reads(&record);
        let mut both = 0;
        for point in &curve.points {
            let same = |other: &&CurvePoint| other.depth == point.depth;
            let Some(other) = random_reads(&alone).points.iter().find(same) else { continue };
            assert!(near(point.iops, other.iops), "{point:#?} {other:#?}");
            both += 1;
        }
        assert!(both >= 4, "{curve:#?}");
        let verdict = record.judgement_or_default().verdict.as_ref().unwrap();
        assert!(!message::texts(&verdict.meaning).join("\n").contains("thrashing"), "{verdict:#?}");
    };
    check(10.0, 15.0, Effort::Standard);
    // While depth 4 is measured.
    check(2.2, 0.5, Effort::Quick);
}

#[test]
fn a_search_measures_again_after_a_stop_that_swallowed_a_probe() {
    for (start_s, lasts_s) in [(0, 5), (3, 4)] {
        let stops = ProcessStops {
            start_ns: start_s * SECOND_NS,
            every_ns: 0,
            lasts_ns: lasts_s * SECOND_NS,
        };
        let stopped = target(Quirks::default());
        let stopped =
            SimulatedTarget { device: stopped.device.measured_by(Some(stops), None), ..stopped };
        let record = limit(&stopped);
        assert_eq!(record.measured.completion, record::Completion::Complete);
        let limit = random_reads(&record).main_limit().unwrap();
        let alone = self::limit(&target(Quirks::default()));
        let alone = random_reads(&alone).main_limit().unwrap().iops.value;
        assert!(near(limit.iops.value, alone) && limit.confirmed, "{limit:#?}");
    }
}

#[test]
fn with_a_neighbour_all_the_time_nothing_is_told_of_the_disk() {
    let record = check(&with_neighbour(0.0, 1e4), Effort::Quick);
    let words = "Cannot tell what the disk does alone: others used the disk";
    assert!(headline(&record).starts_with(words), "{}", headline(&record));
    // What each costs is paid from the time that is left.
    let last = record.measured.cells.last().unwrap();
    assert!(last.started < Nanos::secs(15), "{}", last.started);
}

#[test]
fn a_stream_is_one_figure_of_three_visits_over_the_run() {
    for effort in [Effort::Quick, Effort::Standard] {
        let record = check(&target(Quirks::default()), effort);
        let curves = &record.judgement_or_default().curves;
        let stream = curves.iter().find(|curve| curve.access == Access::Sequential).unwrap();
        let [point] = stream.points.as_slice() else { panic!("{stream:#?}") };
        assert_eq!(point.cells, ["seqread-1m", "seqread-1m-2", "seqread-1m-3"]);
        assert!(stream.limits.is_empty() && point.precision.is_some(), "{stream:#?}");
        let starts: Vec<u64> =
            point.cells.iter().map(|name| record.measured.cell(name).unwrap().started.0).collect();
        let last = record.measured.cells.last().unwrap().started.0;
        assert!(starts[0] < last / 2 && starts[2] > last / 4 * 3, "{starts:?} of {last}");
        let figures = record::Figures::from_record(&record);
        let of_stream = figures.iter().filter(|of| of.cell.starts_with("seqread-1m"));
        let rates: Vec<f64> =
            of_stream.map(|of| of.get(record::Metric::Iops).unwrap().value).collect();
        assert_eq!(rates, [point.iops]);
    }
}

/// A link whose rate goes to another one within ±20 % each second or so.
fn wandering(seed: u64) -> SimulatedTarget {
    let mut draw = Draw(engine::SplitMix64(seed));
    let mut piece = || {
        let rate = 2e8 * draw.log_between(0.8, 1.25);
        Piece::flat((draw.between(0.6, 1.8) * 1e9) as u64, rate)
    };
    let schedule = Schedule { pieces: (0..60).map(|_| piece()).collect(), repeats: true };
    let throttle = Throttle { in_bytes: true, ..Throttle::of_requests(schedule) };
    target(Quirks { throttles: vec![throttle], ..Quirks::default() })
}

#[test]
fn the_interval_of_a_stream_holds_nine_of_ten_other_runs() {
    let runs: Vec<Record> = (1..=20).map(|seed| check(&wandering(seed), Effort::Quick)).collect();
    let interval = |value: f64, half: f64| (value * (1.0 - half), value * (1.0 + half));
    let share_held = |figures: &[(f64, (f64, f64))]| {
        let others = |i: usize| figures.iter().enumerate().filter(move |(j, _)| *j != i);
        let held = |i: usize, (low, high): (f64, f64)| {
            others(i).filter(|(_, of)| (low..=high).contains(&of.0)).count()
        };
        let sum: usize = figures.iter().enumerate().map(|(i, of)| held(i, of.1)).sum();
        sum as f64 / (figures.len() * (figures.len() - 1)) as f64
    };
    let stream = |record: &Record| {
        let curves = &record.judgement_or_default().curves;
        let curve = curves.iter().find(|curve| curve.access == Access::Sequential).unwrap();
        (curve.points[0].iops, interval(curve.points[0].iops, curve.points[0].precision.unwrap()))
    };
    let one_visit = |record: &Record| {
        let cell = record.measured.cell("seqread-1m").unwrap();
        let half = cell.confidence.iops.read.as_ref().unwrap().relative_half_width();
        (cell.iops(), interval(cell.iops(), half.unwrap_or(0.0)))
    };
    let pooled = share_held(&runs.iter().map(stream).collect::<Vec<_>>());
    let single = share_held(&runs.iter().map(one_visit).collect::<Vec<_>>());
    println!("of three visits {pooled:.2}, of one {single:.2}");
    assert!(pooled >= 0.85 && single < 0.5, "{pooled} {single}");
}
