//! A stage over a device with a law, for tests, and the tests of the stage itself.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, Medium, Ssd};

use super::*;
use crate::SilentObserver;

impl<'a> MeasureSession<'a> {
    /// A stage over a device with a law, on the virtual clock.
    pub(crate) fn simulated(
        device: engine::SimulatedDevice,
        capacity: Bytes,
        stop: &'a StopSignal,
        watch: &'a mut dyn Observer,
    ) -> Self {
        let record = record::fixture::ssd_record();
        let clock = Clock::best();
        let epoch_ns = clock.now();
        let target = Target::simulated(device, capacity);
        Self {
            runner: CellRunner { target, observed: None, clock, stop, epoch_ns, end_sync: None },
            observer: watch,
            budget: Nanos::secs(3600),
            span: Span { offset: Bytes(0), length: capacity },
            cells: Vec::new(),
            completion: Completion::Complete,
            seed: Seed(1),
            direct: true,
            writable: true,
            started: Timestamp::now(),
            info: record.measured.targets[0].clone(),
            layout: None,
            content: None,
            calibration: record.measured.calibration,
            io_uring: IoUringStatus { available: true, reason: None },
            given_size: capacity,
            write_budget: None,
            test_file: None,
            resumed_run: None,
            hosts: None,
        }
    }
}

const CAPACITY: Bytes = Bytes::gib(1);

fn device() -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd { channels: 1, ..Ssd::FLASH });
    SimulatedDevice::new(DeviceModel::new(CAPACITY.0, medium), 5)
}

#[test]
fn a_job_that_cannot_begin_does_not_lose_what_was_measured() {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let mut stage = MeasureSession::simulated(device(), CAPACITY, &stop, &mut silent);
    let good = Job { name: "good".to_owned(), ..stage.base_job() };
    let beyond = Span { offset: CAPACITY, length: CAPACITY };
    let bad = Job { name: "bad".to_owned(), span: beyond, ..stage.base_job() };
    let bad = std::slice::from_ref(&bad);
    let error = stage.measure_cell(bad, CellRole::Main, "reads").unwrap_err();
    assert!(matches!(error, MethodError::Engine(_)), "nothing there to lose: {error}");
    assert_eq!(stage.measure_cell(&[good], CellRole::Main, "reads").unwrap(), Flow::Continue);
    assert_eq!(stage.measure_cell(bad, CellRole::Main, "more reads").unwrap(), Flow::End);
    assert_eq!(stage.cells.len(), 1);
    let Completion::Partial { reason, failed: true } = &stage.completion else {
        panic!("{:?}", stage.completion)
    };
    assert!(reason.starts_with("more reads: "), "{reason}");
}
