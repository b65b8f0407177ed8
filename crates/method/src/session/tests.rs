//! A session over a device with a law, for tests, and the tests of the session itself.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};

use engine::Target;
use workload::Span;

use super::*;
use crate::cell::CellRunner;
use crate::observer::SilentObserver;

impl<'a> Session<'a> {
    /// A session over a device with a law, on the virtual clock.
    pub(crate) fn simulated(
        device: engine::SimulatedDevice,
        capacity: Bytes,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let measured = record::fixture::ssd_record().measured;
        let clock = RunClock::start(Clock::best(), Nanos::secs(3600));
        let runner = CellRunner {
            target: Target::simulated(device, capacity),
            observed: None,
            clock: clock.clock,
            epoch_ns: clock.epoch_ns,
            end_sync: None,
        };
        let facts = SiteFacts {
            info: measured.targets[0].clone(),
            span: Span { offset: Bytes(0), length: capacity },
            direct: true,
            writable: true,
            offset_align: Bytes(512),
            given_size: capacity,
            layout: None,
            calibration: measured.calibration,
            roots: Roots::host(),
        };
        let site = LocalSite { runner, test_file: None };
        Self::new(Site::Local(Box::new(site)), facts, clock, Seed(1), stop, observer)
    }
}

const CAPACITY: Bytes = Bytes::gib(1);

fn device() -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd {
        channels: 1,
        read_ns: 100_000,
        write_ns: 100_000,
        bytes_per_second: 1e9,
        flush_ns: 100_000,
        crowding: None,
    });
    let (cache, bucket, stall, noise) = (None, None, None, LatencyNoise::None);
    SimulatedDevice::new(
        DeviceModel { capacity: CAPACITY.0, medium, cache, bucket, stall, noise },
        5,
    )
}

#[test]
fn a_job_that_cannot_begin_does_not_lose_what_was_measured() {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let mut session = Session::simulated(device(), CAPACITY, &stop, &mut silent);
    let good = Job { name: "good".to_owned(), ..session.base_job() };
    let beyond = Span { offset: CAPACITY, length: CAPACITY };
    let bad = Job { name: "bad".to_owned(), span: beyond, ..session.base_job() };
    let bad = std::slice::from_ref(&bad);
    let error = session.measure_cell(bad, CellRole::Main, "reads").unwrap_err();
    assert!(
        matches!(error, Halt::Failed(MethodError::Engine(_))),
        "nothing there to lose: {error:?}"
    );
    session.measure_cell(&[good], CellRole::Main, "reads").unwrap();
    let halt = session.measure_cell(bad, CellRole::Main, "more reads").unwrap_err();
    assert!(matches!(halt, Halt::Ended));
    assert_eq!(session.cells.len(), 1);
    let Completion::Partial { reason, failed: true } = &session.completion else {
        panic!("{:?}", session.completion)
    };
    assert!(reason.starts_with("more reads: "), "{reason}");
}
