//! Whole checks of devices with a known law, on the virtual clock: disks that turn, and classes.

use engine::simulated::DeviceModel;
use engine::{SimulatedDevice, StopSignal};
use record::{Effort, Layer, LayerKind, Plan, Purpose, Record, TargetInfo, TargetKind};
use units::{Bytes, Nanos, Seed};

use crate::check_run::CheckRun;
use crate::observer::SilentObserver;
use crate::request::MeasureRequest;
use crate::session::Session;
use crate::time_budget::TimeBudget;

mod classes;
mod disks;
mod disturbed;

pub(crate) use disks::turning;

/// For laws drawn by seed.
struct Draw(engine::SplitMix64);

impl Draw {
    /// Evenly between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.0.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly in the logarithm.
    fn log_between(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
}

/// What is measured, and how.
struct Subject {
    law: DeviceModel,
    seed: u64,
    /// How the device is attached, as sysfs would say.
    transport: &'static str,
    rotational: bool,
    /// The part that is measured, from its start.
    span: Bytes,
    writable: bool,
    times: TimeBudget,
}

/// The target of a raw device of that size.
fn raw(subject: &Subject) -> TargetInfo {
    let mut info = record::fixture::ssd_record().measured.targets.remove(0);
    let size = Bytes(subject.law.capacity);
    let layer = Layer {
        name: "sdz".to_owned(),
        kind: LayerKind::Disk,
        above: None,
        size,
        model: None,
        transport: Some(subject.transport.to_owned()),
        rotational: Some(subject.rotational),
        link: None,
        ..info.stack[0].clone()
    };
    info.path = "/dev/sdz".to_owned();
    info.kind = TargetKind::BlockDevice;
    (info.file_system, info.extents, info.size) = (None, None, size);
    info.stack = vec![layer];
    info
}

/// The record of a check of a simulated raw device, by the code of `check` after the layout.
fn checked(subject: &Subject) -> Record {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let device = SimulatedDevice::new(subject.law.clone(), subject.seed);
    let capacity = Bytes(subject.law.capacity);
    let mut session =
        Session::simulated(device, capacity, &stop, &mut silent).with_target_info(raw(subject));
    session.facts.span.length = subject.span;
    session.facts.writable = subject.writable;
    session.seed = Seed(subject.seed);
    let bounds = ["p99<10ms".parse().unwrap()];
    session
        .run_steps(|session| {
            CheckRun {
                session,
                times: subject.times.clone(),
                bounds: &bounds,
                spare: Nanos::ZERO,
                until_throttled: None,
            }
            .measure_cells()
        })
        .unwrap();
    let ask = MeasureRequest {
        path: "/dev/sdz".into(),
        size: None,
        read_only: !subject.writable,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(subject.seed),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    };
    let plan = Plan {
        purpose: Purpose::Check { effort: Effort::Standard, until_throttled: None },
        budget: Nanos::secs(60),
        bounds: bounds.to_vec(),
        read_only: !subject.writable,
        span: subject.span,
        seed: Seed(subject.seed),
    };
    session.finish(&ask, plan)
}
