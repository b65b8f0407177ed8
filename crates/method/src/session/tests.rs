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

#[test]
fn the_health_of_the_disks_below_is_read_at_the_start_and_at_the_end() {
    use std::os::unix::fs::MetadataExt;

    let folder = lab::Scratch::new().unwrap();
    let path = folder.path().join("data");
    std::fs::write(&path, vec![7_u8; 16 << 20]).unwrap();
    let number = path.metadata().unwrap().dev();
    let number = format!("{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    let tree = lab::SysfsTree::from_text(&format!(
        "sys/dev/block/{number} -> ../../block/sda\n\
         sys/block/sda/dev = {number}\n\
         sys/block/sda/size = 8388608\n\
         sys/block/sda/device/hwmon/hwmon3/temp1_input = 41000\n"
    ))
    .unwrap();
    let roots = Roots::under(tree.root());
    let request = MeasureRequest {
        path,
        size: None,
        read_only: true,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(7),
        command: CommandLine::default(),
        version: "test".to_owned(),
    };
    let budget = LayoutBudget {
        block_sizes: Vec::new(),
        size: Bytes::mib(16),
        layout: Nanos::ZERO,
        budget: Nanos::secs(1),
        measures_writes: false,
        known_writes: None,
        name: None,
    };
    let (effort, until_throttled) = (record::Effort::Quick, None);
    let purpose = record::Purpose::Check { effort, until_throttled };
    let plan = request.plan(purpose, &[], budget.budget);
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let place = Place::Here(&roots);
    let session = Session::open(&request, &budget, place, &plan, &stop, &mut silent).unwrap();
    let sensor = roots.disk_folder("sda").join("device/hwmon/hwmon3/temp1_input");
    std::fs::write(sensor, "52000\n").unwrap();
    let measured = session.finish(&request, plan).measured;
    let [health] = &measured.health[..] else { panic!("{:?}", measured.targets) };
    assert_eq!(health.device, "sda");
    assert_eq!((health.start.celsius, health.end.celsius), (Some(41.0), Some(52.0)));
}
