//! Sessions over a device with a law.

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};

use workload::Span;

use super::*;
use crate::observer::SilentObserver;

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
    let error = session
        .measure_cell(bad, CellRole::Main, &message::Message::from_text("reads"))
        .unwrap_err();
    assert!(
        matches!(error, Halt::Failed(MethodError::Engine(_))),
        "nothing there to lose: {error:?}"
    );
    session.measure_cell(&[good], CellRole::Main, &message::Message::from_text("reads")).unwrap();
    let halt = session
        .measure_cell(bad, CellRole::Main, &message::Message::from_text("more reads"))
        .unwrap_err();
    assert!(matches!(halt, Halt::Ended));
    assert_eq!(session.cells.len(), 1);
    let Completion::Partial { reason, failed: true } = &session.completion else {
        panic!("{:?}", session.completion)
    };
    assert!(reason.text().starts_with("more reads: "), "{reason:?}");
}
