//! Runs the procedure of a world on its device.

use anyhow::Result;
use method::simulated::SimulatedTarget;
use method::{CheckRequest, LimitRequest, MeasureRequest};
use record::{Effort, Layer, LayerKind, LimitPlan, Part, Record, TargetInfo, TargetKind};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Bound, Mix};

use crate::world::{CAPACITY, Procedure, SimulatedWorld};

/// Times the service time: a p99 that a check asks for.
const CHECK_BOUND_FACTOR: u64 = 20;

pub(crate) fn measure(world: &SimulatedWorld) -> Result<Record> {
    let device = world.build_device(true, world.seed);
    let target = SimulatedTarget { device, info: describe_target(), capacity: CAPACITY };
    let effort = match world.procedure {
        Procedure::Quick => Effort::Quick,
        Procedure::Standard => Effort::Standard,
        Procedure::Limit(factor) => {
            let ask = request(world, true);
            let bounds = vec![p99_bound(world, u64::from(factor))?];
            let part = Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) };
            let plan = LimitPlan {
                parts: vec![part],
                first_percent: None,
                arrivals: None,
                depth_max: 256,
                probe_max: Nanos::secs(30),
            };
            let request = LimitRequest { ask, plan, bounds, budget: Nanos::secs(120) };
            return Ok(target.limit(&request)?);
        }
    };
    let bounds = vec![p99_bound(world, CHECK_BOUND_FACTOR)?];
    let ask = request(world, false);
    Ok(target.check(&CheckRequest { ask, effort, bounds, until_throttled: None })?)
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

/// A raw device of a virtual machine.
fn describe_target() -> TargetInfo {
    let mut info = record::fixture::ssd_record().measured.targets.remove(0);
    let layer = Layer {
        name: "sdz".to_owned(),
        kind: LayerKind::Disk,
        above: None,
        size: CAPACITY,
        model: None,
        transport: Some("virtio".to_owned()),
        rotational: Some(false),
        link: None,
        ..info.stack[0].clone()
    };
    info.path = "/dev/sdz".to_owned();
    info.kind = TargetKind::BlockDevice;
    (info.file_system, info.extents, info.size) = (None, None, CAPACITY);
    info.stack = vec![layer];
    info
}
