//! Runs the procedure of a world on its device.

use std::fmt::Write as _;

use anyhow::Result;
use method::simulated::SimulatedTarget;
use method::{CheckRequest, LimitRequest, MeasureRequest, Preset, PresetRequest};
use record::{
    Effort, ExtentSummary, Layer, LayerKind, LimitPlan, Measured, Part, Promise, Promised,
    PromisedWhat, Record, TargetInfo, TargetKind,
};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Bound, Direction, Mix};

use crate::world::{CAPACITY, DEVICE_NUMBER, Procedure, SimulatedWorld};

/// Times the service time: a p99 that a check asks for.
const CHECK_BOUND_FACTOR: u64 = 20;

pub(crate) fn measure(world: &SimulatedWorld) -> Result<Record> {
    let device = world.build_device(true, world.seed);
    let (info, capacity) = (describe_target(world), CAPACITY);
    let io_limits = Vec::from_iter(world.shown_limit());
    let target = SimulatedTarget { device, info, capacity, io_limits };
    let effort = match world.procedure {
        Procedure::Quick => Effort::Quick,
        Procedure::Standard | Procedure::Promise(_) => Effort::Standard,
        Procedure::Preset(name) => {
            let (ask, preset) = (request(world, false), Preset::find(name, &[])?);
            return Ok(target.preset(&PresetRequest { ask, preset, budget: None })?);
        }
        Procedure::Limit(factor) => {
            let ask = request(world, true);
            let bounds = vec![p99_bound(world, u64::from(factor))?];
            let part = Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) };
            let plan = LimitPlan {
                parts: vec![part],
                first_percent: None,
                arrivals: None,
                depth_min: None,
                depth_max: 256,
                probe_max: Nanos::secs(30),
            };
            let request = LimitRequest { ask, plan, bounds, budget: Nanos::secs(120) };
            return Ok(target.limit(&request)?);
        }
    };
    let bounds = vec![p99_bound(world, CHECK_BOUND_FACTOR)?];
    let ask = request(world, false);
    let record = target.check(&CheckRequest { ask, effort, bounds, until_throttled: None })?;
    Ok(match world.procedure {
        Procedure::Promise(percent) => {
            let iops = world.device.percent_of_ceiling(percent);
            let measured = Measured { promise: Some(promise_reads(iops)), ..record.measured };
            analysis::judge_record(measured)
        }
        _ => record,
    })
}

/// A number of random reads a second, always.
fn promise_reads(iops: f64) -> Promise {
    let (what, direction) = (PromisedWhat::Iops, Some(Direction::Read));
    Promise {
        asked: format!("iops={iops}"),
        title: None,
        items: vec![Promised { what, direction, always: iops, burst: None }],
        share: 0.98,
        share_because: Default::default(),
        io_unit: None,
        accounting: Default::default(),
        burst_lasts: None,
        only_limits: false,
        notes: Vec::new(),
        sources: Vec::new(),
    }
}

/// What a reader of the world's record sees, and a line for each cell.
pub(crate) fn render_report(world: &SimulatedWorld) -> Result<String> {
    let record = measure(world)?;
    let mut text = report::render_terminal(&record, report::Style::PLAIN);
    for cell in &record.measured.cells {
        let (name, role, iops) = (&cell.name, cell.role, cell.iops());
        let (start, time) = (cell.started.as_secs_f64(), cell.elapsed.as_secs_f64());
        writeln!(text, "{start:8.3} s {time:7.3} s {iops:9.1} {role:?} {name}")?;
    }
    Ok(text)
}

fn p99_bound(world: &SimulatedWorld, factor: u64) -> Result<Bound> {
    Ok(format!("p99<{}us", world.device.service_us * factor).parse()?)
}

fn request(world: &SimulatedWorld, read_only: bool) -> MeasureRequest {
    MeasureRequest {
        path: "/dev/sdz".into(),
        size: None,
        read_only,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(world.seed),
        command: record::CommandLine::default(),
        version: "campaign".to_owned(),
    }
}

/// A raw device of a virtual machine; with holes, a file on it.
fn describe_target(world: &SimulatedWorld) -> TargetInfo {
    let mut info = record::fixture::ssd_record().measured.targets.remove(0);
    let layer = Layer {
        name: "simulated".to_owned(),
        device: DEVICE_NUMBER.to_owned(),
        kind: LayerKind::Disk,
        above: None,
        size: CAPACITY,
        model: None,
        transport: Some("virtio".to_owned()),
        rotational: Some(world.device.rotates),
        link: None,
        ..info.stack[0].clone()
    };
    info.path = "/dev/sdz".to_owned();
    info.kind = TargetKind::BlockDevice;
    (info.file_system, info.size) = (None, CAPACITY);
    info.extents = match (info.extents, world.holes()) {
        (Some(extents), Some(holes)) => {
            info.kind = TargetKind::File;
            Some(ExtentSummary { length: CAPACITY, holes, ..extents })
        }
        _ => None,
    };
    info.stack = vec![layer];
    info
}
