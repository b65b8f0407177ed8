//! `os-throttle`: does the operating system itself hold the disk back?

use message::Names;
use record::{IoLimit, QueueLimits};

use super::check::*;
use crate::evidence::group_limit::{
    NEAR_SHARE, REACHED_SHARE, SLICED_SHARE, describe_limit, find_near_limit, find_reached_limit,
};

pub(super) static CHECK: Check = Check {
    id: FindingId::OsThrottle,
    method: Some(|| {
        let (reached, sliced, near) = (REACHED_SHARE, SLICED_SHARE, NEAR_SHARE);
        OsThrottleMethod { reached, sliced, near }.into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let stack = measured.target().map_or(&[][..], |target| &target.stack);
    let ours = |limit: &&IoLimit| stack.iter().any(|layer| layer.device == limit.device);
    let of_cells = measured.cells.iter().flat_map(|cell| &cell.ledger.io_limits);
    let mut limits: Vec<&IoLimit> = Vec::new();
    for limit in measured.environment.io_limits.iter().filter(ours).chain(of_cells) {
        if !limits.contains(&limit) {
            limits.push(limit);
            let fact = Evidence::text(Message::from_text(&limit.file), describe_limit(limit));
            finding.raise_status(Status::Note, fact);
        }
    }
    let mut near_cells = 0;
    for cell in &measured.cells {
        if let Some(reached) = find_reached_limit(measured, cell) {
            finding.mark(cell, Status::Warning, reached.describe(), reached.share);
        } else if let Some(near) = find_near_limit(measured, cell) {
            near_cells += 1;
            finding.add_figure(Message::from_text(&cell.name), near.describe(), near.share);
        }
    }
    for layer in measured.target().map(|target| target.bottom_devices()).unwrap_or_default() {
        if let Some(words) = layer.queue.as_ref().and_then(describe_queue) {
            finding.evidence.push(Evidence::text(Message::from_text(&layer.name), words));
        }
    }
    Ok(match finding.status {
        Status::Warning => OsThrottleReached { cells: finding.cells.len() }.into(),
        Status::Note if near_cells > 0 => OsThrottleNear { cells: near_cells }.into(),
        Status::Note => label("os-throttle-not-reached"),
        _ => label("os-throttle-none"),
    })
}

fn describe_queue(queue: &QueueLimits) -> Option<Message> {
    let scheduler = queue.scheduler.clone().map(|name| OsThrottleScheduler { name }.into());
    let requests = queue.nr_requests.map(|requests| OsThrottleRequests { requests }.into());
    let writeback = queue.other.get("wbt_lat_usec").and_then(|value| value.parse().ok());
    let writeback = writeback
        .filter(|us| *us > 0)
        .map(|us| OsThrottleWriteback { latency: Nanos::micros(us) }.into());
    let settings: Vec<Message> = [scheduler, requests, writeback].into_iter().flatten().collect();
    (!settings.is_empty()).then(|| OsThrottleQueue { settings: Names(settings) }.into())
}

messages! {
    OsThrottleMethod = "check-os-throttle-method" { reached: Ratio, sliced: Ratio, near: Ratio };
    OsThrottleReached = "os-throttle-reached" { cells: usize };
    OsThrottleNear = "os-throttle-near" { cells: usize };
    OsThrottleQueue = "os-throttle-queue" { settings: Names };
    OsThrottleScheduler = "os-throttle-scheduler" { name: String };
    OsThrottleRequests = "os-throttle-requests" { requests: u64 };
    OsThrottleWriteback = "os-throttle-writeback" { latency: Nanos };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn limited(device: &str, iops: f64) -> Measured {
        let mut record = sample_record();
        record.environment.io_limits.push(IoLimit {
            cgroup: "/box".to_owned(),
            file: "blkio.throttle.read_iops_device".to_owned(),
            device: device.to_owned(),
            device_name: None,
            read_iops: Some(Iops(iops)),
            write_iops: None,
            read_bytes: None,
            write_bytes: None,
            other: None,
        });
        record
    }

    #[test]
    fn limits_on_our_device_are_told_and_reached_ones_warned_of() {
        let check = |device, iops, status| {
            assert_eq!(check(&limited(device, iops)).status, status, "{device} {iops}");
        };
        check("254:0", 118_000.0, Status::Warning);
        check("254:0", 900_000.0, Status::Note);
        // The fastest cell comes to seven tenths of it.
        let near = self::check(&limited("254:0", 169_000.0));
        assert_eq!((near.status, near.cells.len()), (Status::Note, 0));
        assert!(near.summary.text().contains("came near"), "{near:#?}");
        check("8:16", 3000.0, Status::Ok);
    }

    #[test]
    fn the_queue_is_evidence_and_never_an_accusation() {
        let mut record = sample_record();
        let queue = record.targets[0].stack[0].queue.as_mut().unwrap();
        queue.other.insert("wbt_lat_usec".to_owned(), "2000".to_owned());
        let finding = check(&record);
        assert_eq!(finding.status, Status::Ok);
        let fact = &finding.evidence[0].value;
        assert!(
            fact.text().contains("scheduler none") && fact.text().contains("2.00 ms"),
            "{fact:?}"
        );
    }
}
