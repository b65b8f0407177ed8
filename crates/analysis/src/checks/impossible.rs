//! `impossible`: does a figure contradict what the device can be?
//!
//! More bytes than the link carries, an answer through the block layer faster than any device
//! gives one, random reads that move more bytes than sequential ones, a device that completed
//! fewer operations than we did: each names two things that cannot both be true. Blind spot:
//! lies that stay within the possible.

use record::{Cell, CellRole, Evidence, Finding, FindingId, LayerKind, Record, Status};
use units::{BytesPerSecond, Nanos};
use workload::{Access, Mix};

use super::Tally;

/// Links may round; what is 2 % above is not on the link.
const LINK_SLACK: f64 = 1.02;
/// The fastest device behind a block layer (Optane, polled) needs about 3.5 us a read.
const FASTEST_READ: Nanos = Nanos(3_000);
/// Random may beat sequential by chance, not by this.
const RANDOM_OVER_SEQUENTIAL: f64 = 1.25;

pub(super) fn check(record: &Record) -> Finding {
    let mut tally = Tally::new(FindingId::Impossible);
    above_link(record, &mut tally);
    for cell in &record.cells {
        too_fast(cell, record, &mut tally);
    }
    random_over_sequential(record, &mut tally);
    let summary = if tally.status == Status::Ok {
        "no figure contradicts what the device can be".to_owned()
    } else {
        "a figure contradicts what the device can be: something else answered".to_owned()
    };
    tally.finish(summary, Some("find out what answered: a cache of the host, of a controller, RAM"))
}

fn above_link(record: &Record, tally: &mut Tally) {
    let Some(target) = record.target() else {
        return;
    };
    let links: Vec<f64> = target
        .bottom_devices()
        .iter()
        .filter_map(|layer| layer.link.as_ref())
        .map(|link| link.ceiling.0)
        .collect();
    if links.is_empty() {
        return;
    }
    let ceiling: f64 = links.iter().sum();
    for cell in &record.cells {
        let share = cell.bytes_per_second() / ceiling;
        if share > LINK_SLACK {
            let value = format!(
                "{} over a link that carries {}",
                BytesPerSecond(cell.bytes_per_second()),
                BytesPerSecond(ceiling)
            );
            tally.touch(cell, Status::Invalid, Evidence::figure(&cell.name, value, share));
        }
    }
}

/// A read at depth 1 faster than any device. Memory that says so itself (zram, a RAM disk) is no
/// contradiction.
fn too_fast(cell: &Cell, record: &Record, tally: &mut Tally) {
    let says_memory = record.target().is_some_and(|target| {
        target.file_system.as_ref().is_some_and(|fs| fs.memory)
            || target.stack.iter().any(|l| matches!(l.kind, LayerKind::Zram | LayerKind::Ram))
    });
    let p50 = cell.totals.read.as_ref().and_then(|t| t.latency_ns.percentiles.get("p50"));
    let Some(&p50) = p50.filter(|_| cell.job.depth.0 == 1 && !says_memory) else {
        return;
    };
    if Nanos(p50) < FASTEST_READ {
        let value = format!("half of the reads took less than {}", Nanos(p50));
        tally.touch(cell, Status::Invalid, Evidence::figure(&cell.name, value, p50 as f64));
    }
}

fn random_over_sequential(record: &Record, tally: &mut Tally) {
    let rate = |access: Access| {
        record
            .cells
            .iter()
            .filter(|c| c.role != CellRole::Idle)
            .filter(|c| c.job.access == access && c.job.mix == Mix::Read)
            .max_by(|a, b| a.bytes_per_second().total_cmp(&b.bytes_per_second()))
    };
    let (Some(random), Some(sequential)) = (rate(Access::Random), rate(Access::Sequential)) else {
        return;
    };
    let ratio = random.bytes_per_second() / sequential.bytes_per_second().max(1.0);
    // Only where the sequential cell had at least as many bytes outstanding.
    let outstanding = |c: &Cell| u64::from(c.job.depth.0) * c.job.block_size.0;
    if ratio > RANDOM_OVER_SEQUENTIAL && outstanding(sequential) >= outstanding(random) {
        let value = format!(
            "{} at random, {} in sequence",
            BytesPerSecond(random.bytes_per_second()),
            BytesPerSecond(sequential.bytes_per_second())
        );
        tally.touch(random, Status::Warning, Evidence::figure(&random.name, value, ratio));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};
    use record::Link;

    #[test]
    fn more_than_the_link_carries_is_impossible() {
        let mut record = record();
        record.targets[0].stack[0].link = Some(Link {
            kind: "sata".to_owned(),
            current: "3.0 Gbps".to_owned(),
            max: None,
            ceiling: BytesPerSecond::mb(300.0),
            downtrained: false,
        });
        assert_eq!(check(&record).status, Status::Invalid);
    }

    #[test]
    fn answers_faster_than_any_device_are_impossible() {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        let latency = &mut cell.totals.read.as_mut().unwrap().latency_ns;
        latency.percentiles.insert("p50".to_owned(), 1_200);
        assert_eq!(check(&record).status, Status::Invalid);
        record.targets[0].stack[0].kind = LayerKind::Zram;
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn random_beyond_sequential_is_suspicious() {
        let mut record = record();
        let cell = cell_mut(&mut record, "seqread-1m");
        cell.totals.read.as_mut().unwrap().bytes_per_second = 50e6;
        assert_eq!(check(&record).status, Status::Warning);
    }
}
