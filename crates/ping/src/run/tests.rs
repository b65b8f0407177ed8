//! Whole runs on a simulated device, in its own time.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, Medium};
use method::CounterReading;

use record::{PingFigures, PingRequest, PingTarget, Record};
use units::{Bytes, Nanos};
use workload::{Direction, Span};

use super::*;
use crate::outcome::PingRate;
use crate::ping_target::PingEvidence;
use crate::random_stream::RandomStream;
use crate::settings::{FigureOptions, RequestSchedule, Writes};

const SERVICE_NS: u64 = 200_000;

/// Everything that was said.
#[derive(Default)]
struct Heard {
    requests: Vec<(usize, PingRequest)>,
    windows: Vec<PingFigures>,
    rests: u64,
}

impl PingObserver for Heard {
    fn on_ready(&mut self) {
        assert!(self.requests.is_empty());
    }
    fn on_request(&mut self, target: usize, _: &PingTarget, request: &PingRequest) {
        self.requests.push((target, *request));
    }
    fn on_window(&mut self, _: usize, _: &PingTarget, figures: &PingFigures) {
        self.windows.push(figures.clone());
    }
    fn on_idle(&mut self) {
        self.rests += 1;
    }
    fn on_warning(&mut self, text: &str) {
        panic!("{text}");
    }
}

pub(crate) fn settings() -> PingSettings {
    let default = PingSettings::default();
    PingSettings {
        schedule: RequestSchedule { interval: Nanos::millis(1), count: 10, ..default.schedule },
        seed: 1,
        ..default
    }
}

fn prepared(service_ns: u64) -> OpenPingTarget {
    let medium = Medium::Ram { service_ns, bytes_per_second: 1e15 };
    let law = DeviceModel::new(1 << 30, medium);
    let target = engine::Target::simulated(SimulatedDevice::new(law, 1), Bytes::gib(1));
    let place = PingTarget { path: "sim".to_owned(), ..PingTarget::default() };
    let span = Span { offset: Bytes(0), length: Bytes::gib(1) };
    let random = RandomStream::new(1);
    OpenPingTarget { place, target, span, random, scan: None, evidence: None }
}

fn of(settings: &PingSettings, service_ns: &[u64]) -> (Vec<PingOutcome>, Heard) {
    let mut heard = Heard::default();
    let targets: Vec<_> = service_ns.iter().map(|ns| prepared(*ns)).collect();
    let clock = Clock::monotonic();
    let stop = PingStop::default();
    let pinged =
        run_requesters(settings, &targets, &clock, &Roots::host(), &stop, &mut heard).unwrap();
    (pinged, heard)
}

/// Within a nanosecond of the law's rounding.
fn near(measured: u64, expected: u64) {
    assert!(measured.abs_diff(expected) <= 2, "{measured} is not {expected}");
}

#[test]
fn requests_start_an_interval_apart_and_the_first_does_not_count() {
    let (pinged, heard) = of(&settings(), &[SERVICE_NS]);
    assert_eq!(heard.requests.len(), 10);
    assert_eq!(heard.rests, 9);
    let [one] = &pinged[..] else { panic!("{pinged:?}") };
    assert_eq!((one.figures.counted, one.figures.requests), (9, 10));
    near(one.figures.min_ns, SERVICE_NS);
    near(one.figures.load_ns, 9_000_000 + SERVICE_NS);
    let stats = PingRate { planned: 1000.0, made: Some(1000.0), starts: 10, missed: 0 };
    assert_eq!(one.rate, Some(stats));
    assert_eq!(one.times.count(), 9);
}

/// Rates to a tenth of a start: service times are rounded to whole nanoseconds.
fn rate(settings: &PingSettings, service_ns: u64) -> Option<(u64, Option<u64>, u64)> {
    let rate = of(settings, &[service_ns]).0[0].rate?;
    let tenths = |rate: f64| (rate * 10.0).round() as u64;
    Some((tenths(rate.planned), rate.made.map(tenths), rate.missed))
}

#[test]
fn starts_that_a_slow_device_prevents_are_counted() {
    // Each takes two intervals and a half, and so hinders a start and a half; after the last none
    // was due.
    let slow = |count| {
        rate(
            &PingSettings {
                schedule: RequestSchedule { count, ..settings().schedule },
                ..settings()
            },
            2_500_100,
        )
    };
    assert_eq!(slow(101), Some((10_000, Some(4000), 150)));
    assert_eq!(slow(5), Some((10_000, Some(4000), 6)));
    assert_eq!(slow(1), Some((10_000, None, 0)));
    // Ended by time: of the starts at 1, 2, 3 and 4 ms none was.
    let timed = PingSettings {
        schedule: RequestSchedule { count: 0, time: Nanos::millis(5), ..settings().schedule },
        ..settings()
    };
    assert_eq!(rate(&timed, 9_000_000), Some((10_000, None, 4)));
    assert_eq!(
        rate(
            &PingSettings {
                schedule: RequestSchedule { interval: Nanos::ZERO, ..settings().schedule },
                ..settings()
            },
            100
        ),
        None
    );
}

#[test]
fn a_burst_is_planned_as_it_is_run() {
    // Four in a burst: three follow at once, and the interval counts from the last.
    let burst = PingSettings {
        schedule: RequestSchedule { burst: 4, count: 40, ..settings().schedule },
        ..settings()
    };
    assert_eq!(rate(&burst, SERVICE_NS), Some((25_000, Some(25_000), 0)));
    assert_eq!(
        rate(
            &PingSettings { schedule: RequestSchedule { count: 4, ..burst.schedule }, ..burst },
            SERVICE_NS
        ),
        None,
        "one burst is no plan"
    );
}

#[test]
fn time_ends_a_run_before_it_would_wait_beyond() {
    let (pinged, _) = of(
        &PingSettings {
            schedule: RequestSchedule { count: 0, time: Nanos::millis(5), ..settings().schedule },
            ..settings()
        },
        &[SERVICE_NS],
    );
    assert_eq!(pinged[0].figures.requests, 5);
}

#[test]
fn bursts_are_told_apart_from_what_comes_after_a_pause() {
    let (pinged, heard) = of(
        &PingSettings {
            contrast: true,
            schedule: RequestSchedule { burst: 4, ..settings().schedule },
            ..settings()
        },
        &[SERVICE_NS],
    );
    let ends: Vec<u64> =
        heard.requests.iter().filter(|(_, r)| r.ends_burst).map(|(_, r)| r.number).collect();
    assert_eq!(ends, [4, 8]);
    // 1 is for warming up; 5 and 9 come after a pause.
    let [paused, close] = pinged[0].contrast.as_ref().unwrap();
    assert_eq!((paused.count(), close.count()), (2, 7));
}

/// A target with evidence of what its requests did; on the host no device of it is counted.
pub(crate) fn witnessed(service_ns: u64) -> OpenPingTarget {
    let mut prepared = prepared(service_ns);
    let roots = Roots::host();
    prepared.evidence = Some(PingEvidence {
        info: record::fixture::ssd_record().measured.targets[0].clone(),
        before: CounterReading {
            cached: None,
            counters: target::CounterSnapshot::take(&[], &roots),
        },
        file: std::fs::File::open("/dev/null").unwrap(),
    });
    prepared
}

fn record(settings: &PingSettings, service_ns: u64) -> Record {
    let settings = PingSettings { record: true, ..settings.clone() };
    let targets = vec![witnessed(service_ns)];
    let (clock, stop) = (Clock::monotonic(), PingStop::default());
    let heard = &mut Heard::default();
    let mut pinged =
        run_requesters(&settings, &targets, &clock, &Roots::host(), &stop, heard).unwrap();
    pinged.remove(0).record.unwrap()
}

#[test]
fn rates_back_to_back_are_of_the_time_in_bursts() {
    let burst = PingSettings {
        contrast: true,
        schedule: RequestSchedule {
            burst: 8,
            interval: Nanos::millis(10),
            count: 80,
            ..settings().schedule
        },
        ..settings()
    };
    let record = record(&burst, SERVICE_NS);
    let [idle, busy] = &record.measured.cells[..] else { panic!("{:?}", record.measured.cells) };
    let reads = busy.totals.read.as_ref().unwrap();
    assert_eq!(reads.ops, 70);
    assert!((reads.iops / 5000.0 - 1.0).abs() < 0.05, "{}", reads.iops);
    assert!((busy.achieved_depth.counted - 1.0).abs() < 0.05, "{:?}", busy.achieved_depth);
    // Nine pauses of 10 ms less one request, each with a request at its end.
    assert_eq!(idle.totals.read.as_ref().unwrap().ops, 9);
    near(idle.elapsed.0 / 1000, 9 * 10_000);
}

#[test]
fn reads_and_writes_take_turns_and_windows_are_told() {
    let (pinged, heard) = of(
        &PingSettings {
            writes: Writes::Alternating,
            figures: FigureOptions { window_count: 3, ..settings().figures },
            ..settings()
        },
        &[SERVICE_NS],
    );
    let written = heard.requests.iter().filter(|(_, r)| r.direction == Direction::Write);
    assert_eq!(written.count(), 5);
    assert_eq!(heard.requests[0].1.direction, Direction::Write);
    assert_eq!(heard.windows.iter().map(|w| w.counted).collect::<Vec<_>>(), [3, 3, 3]);
    assert_eq!(pinged[0].figures.counted, 9);
}

#[test]
fn several_targets_and_a_depth_each_get_their_count() {
    let free = PingSettings {
        schedule: RequestSchedule { interval: Nanos::ZERO, depth: 3, ..settings().schedule },
        figures: FigureOptions { warmup: 0, ..settings().figures },
        ..settings()
    };
    let (pinged, heard) = of(&free, &[SERVICE_NS, 3 * SERVICE_NS]);
    for (target, one) in pinged.iter().enumerate() {
        assert_eq!(one.figures.requests, 10);
        assert_eq!(one.rate, None);
        let of_target = heard.requests.iter().filter(|(at, _)| *at == target);
        let mut numbers: Vec<u64> = of_target.map(|(_, request)| request.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    }
    assert!(pinged[1].figures.avg_ns > 2.9 * SERVICE_NS as f64);
}

#[test]
fn a_bell_ends_a_run_without_end() {
    let endless = PingSettings {
        schedule: RequestSchedule { count: 0, ..settings().schedule },
        ..settings()
    };
    let stop = PingStop::default();
    stop.raise();
    let mut heard = Heard::default();
    let targets = vec![prepared(SERVICE_NS)];
    let clock = Clock::monotonic();
    let pinged =
        run_requesters(&endless, &targets, &clock, &Roots::host(), &stop, &mut heard).unwrap();
    assert_eq!(pinged[0].figures, PingFigures::default());
}
