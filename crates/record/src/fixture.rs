//! Records of a plain virtio SSD, made up for tests: deterministic, consistent in themselves, and
//! without anything that a check should find.

mod build;
mod fleet;
mod host;
mod watch;

use std::sync::LazyLock;

use units::{Bytes, Depth, Iops, Nanos};
use workload::{Access, Arrivals, Mix, Pacing};

use crate::{CellRole, Measured, Purpose, Record};
use build::{CellShape, build_cell, build_search, empty_record};

/// The record; not judged yet.
pub fn ssd_record() -> Record {
    // Its latencies are recorded one by one: once is enough for all tests.
    static MADE: LazyLock<Measured> = LazyLock::new(build_ssd);
    Record::from_measured(MADE.clone())
}

fn build_ssd() -> Measured {
    let read = Mix::Read;
    let write = Mix::Write;
    let mixed = Mix::Mixed { read_percent: 75 };
    let mut shapes = Vec::new();
    let mut random = |name, role, mix, depth, iops, seconds| {
        let (access, block, sync) = (Access::Random, Bytes::kib(4), false);
        shapes.push(CellShape { name, role, mix, access, block, depth, iops, seconds, sync });
    };
    random("randread-4k-qd1", CellRole::Main, read, 1, 20_000.0, 3);
    random("randread-4k-qd4", CellRole::Ladder, read, 4, 52_000.0, 1);
    random("randread-4k-qd16", CellRole::Ladder, read, 16, 92_000.0, 1);
    random("randread-4k-qd64", CellRole::Ladder, read, 64, 118_000.0, 1);
    random("randread-4k-qd128", CellRole::Ladder, read, 128, 118_500.0, 1);
    random("randwrite-4k-qd1", CellRole::Main, write, 1, 17_000.0, 3);
    random("randwrite-4k-qd16", CellRole::Ladder, write, 16, 80_000.0, 1);
    random("randwrite-4k-qd64", CellRole::Ladder, write, 64, 82_000.0, 1);
    random("randrw75-4k-qd1", CellRole::Main, mixed, 1, 18_000.0, 2);
    random("randrw75-4k-qd16", CellRole::Ladder, mixed, 16, 85_000.0, 1);
    random("randread-4k-qd1-repeat", CellRole::Repeat, read, 1, 19_800.0, 2);
    for (name, mix, iops) in [("seqread-1m", read, 500.0), ("seqwrite-1m", write, 450.0)] {
        let (access, block) = (Access::Sequential, Bytes::mib(1));
        let role = CellRole::Main;
        shapes.push(CellShape {
            name,
            role,
            mix,
            access,
            block,
            depth: 8,
            iops,
            seconds: 3,
            sync: false,
        });
    }
    shapes.push(CellShape {
        name: "syncwrite-4k",
        role: CellRole::Main,
        mix: write,
        access: Access::Sequential,
        block: Bytes::kib(4),
        depth: 1,
        iops: 9_000.0,
        seconds: 3,
        sync: true,
    });
    let mut started = Nanos::secs(9);
    let mut cells = Vec::new();
    for shape in &shapes {
        cells.push(build_cell(shape, started));
        started = Nanos(started.0 + shape.seconds * 1_100_000_000);
    }
    Measured { cells, ..empty_record() }
}

/// A search for a limit on a made-up device that gives `100,000 d / (d + 10)` IOPS at depth `d`:
/// 100 us idle, 100,000 IOPS at the most, a knee at depth 10.
pub fn limit_record() -> Record {
    let depths = [1, 2, 4, 8, 10, 16, 24, 32, 64, 128, 256, 512];
    let probes = depths.map(|depth| ("randread-4k", Mix::Read, depth, depth));
    Record::from_measured(build_search(&probes.map(|probe| vec![probe])))
}

/// The same with two jobs at the same time, of whose depth the writes have a quarter.
pub fn two_job_limit_record() -> Record {
    let mut record = build_search(&[4, 8, 16, 32, 64].map(|depth| {
        let (reads, writes) = (depth * 3 / 4, depth / 4);
        vec![("randread-4k", Mix::Read, reads, depth), ("randwrite-4k", Mix::Write, writes, depth)]
    }));
    for pair in record.cells.chunks_exact_mut(2) {
        let both = format!("{}+{}", pair[0].job.depth, pair[1].job.depth);
        pair[0].name = format!("randread-4k-qd{both}");
        pair[1].name = format!("randwrite-4k-qd{both}");
        (pair[0].beside, pair[1].beside) = (Some(pair[1].name.clone()), Some(pair[0].name.clone()));
    }
    Record::from_measured(record)
}

/// The same over arrivals: the device keeps up with every rate, and waits are as in the closed
/// loop of as many IOPS.
pub fn open_loop_limit_record() -> Record {
    let mut record = limit_record().measured;
    let mut open = record.cells.clone();
    for cell in &mut open {
        let rate = Iops(cell.iops());
        cell.name = format!("randread-4k-rate{:.0}", rate.0);
        cell.job.pacing = Pacing::Open { rate, arrivals: Arrivals::Poisson };
        cell.job.depth = Depth(4096);
        cell.started = Nanos(cell.started.0 + Nanos::secs(30).0);
        if let Some(totals) = &mut cell.totals.read {
            totals.response_ns = Some(Box::new(totals.latency_ns.clone()));
        }
    }
    record.cells.extend(open);
    if let Purpose::Limit(plan) = &mut record.plan.purpose {
        plan.arrivals = Some(Arrivals::Poisson);
    }
    Record::from_measured(record)
}

/// A search over four hosts on one shared volume; the third has a slower way to it.
pub fn fleet_record() -> Record {
    // Its latencies are recorded one by one: once is enough for all tests.
    static MADE: LazyLock<Measured> = LazyLock::new(fleet::build_fleet);
    Record::from_measured(MADE.clone())
}

/// A watch of a minute, of one disk, by a source that sees every request.
pub fn watch_record() -> Record {
    // Its latencies are recorded one by one: once is enough for all tests.
    static MADE: LazyLock<Measured> = LazyLock::new(watch::build_watch);
    Record::from_measured(MADE.clone())
}

/// Takes the second host away from the third cell on, as a coordinator that lost it would.
pub fn lose_host(record: &mut Measured) {
    fleet::lose_second_host(record);
}

/// Makes `count` hosts of the four, all alike in their turn.
pub fn multiply_hosts(record: &mut Measured, count: usize) {
    fleet::multiply_fleet_hosts(record, count);
}
