//! `os-throttle`: does the operating system itself hold the disk back?

use record::{DirectionTotals, IoLimit, QueueLimits};

use super::check::*;
use crate::cells::format_cell_count;

pub(super) static CHECK: Check = Check {
    id: FindingId::OsThrottle,
    question: "Does the operating system itself hold the disk back?",
    meaning: "A control group of this system (a container's, a service's) limits the disk: the \
        figure is the limit that was set there.",
    method: || {
        format!(
            "The limits on this process's groups (io.max, blkio.throttle) for the devices of the \
             target. A cell that reached {REACHED_SHARE} of one ran into it."
        )
    },
    ok: "no limit is set, or none was reached",
    note: "a limit is set, and was not reached",
    warning: "a limit was reached",
    remedy: "Measure outside the container or service, or raise its limit. If that is where your \
        program runs, the figure is what it gets.",
    blind_spot: "Limits outside this host (provider-limit), and on groups that this process cannot \
        see.",
    short_remedy: "measure outside the limited group to see the disk itself",
    run: |subject, finding| check(subject.figures, finding),
    ..Check::BLANK
};

/// A cell at this share of a limit ran into it.
const REACHED_SHARE: Ratio = Ratio(0.90);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let stack = measured.target().map_or(&[][..], |target| &target.stack);
    let ours = |limit: &&IoLimit| stack.iter().any(|layer| layer.device == limit.device);
    for limit in measured.environment.io_limits.iter().filter(ours) {
        finding.raise_status(Status::Note, Evidence::text(&limit.file, describe_limit(limit)));
        for cell in &measured.cells {
            if let Some((share, value)) = reached_share(cell, limit) {
                finding.mark(cell, Status::Warning, value, share);
            }
        }
    }
    for layer in measured.target().map(|target| target.bottom_devices()).unwrap_or_default() {
        if let Some(words) = layer.queue.as_ref().and_then(describe_queue) {
            finding.evidence.push(Evidence::text(&layer.name, words));
        }
    }
    Ok(match finding.status {
        Status::Warning => {
            let cells = format_cell_count(finding.cells.len());
            format!("a control group caps the disk: {cells} ran into it")
        }
        Status::Note => "a control group limits this disk, but nothing ran into it".to_owned(),
        _ => "no control group limits this disk".to_owned(),
    })
}

fn describe_queue(queue: &QueueLimits) -> Option<String> {
    let scheduler = queue.scheduler.as_ref().map(|name| format!("scheduler {name}"));
    let requests = queue.nr_requests.map(|n| format!("{n} requests at once"));
    let writeback = queue
        .other
        .get("wbt_lat_usec")
        .filter(|value| value.as_str() != "0")
        .map(|us| format!("buffered writes held back above {us} us (wbt)"));
    let parts: Vec<String> = [scheduler, requests, writeback].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn describe_limit(limit: &IoLimit) -> String {
    let name = limit.device_name.as_deref().unwrap_or(&limit.device);
    let iops = |what: &str, value: Option<Iops>| value.map(|v| format!("{v} {what}s/s"));
    let rate = |what: &str, value: Option<BytesPerSecond>| value.map(|v| format!("{v} {what}"));
    let parts: Vec<String> = [
        iops("read", limit.read_iops),
        iops("write", limit.write_iops),
        rate("read", limit.read_bytes),
        rate("written", limit.write_bytes),
        limit.other.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let most = if parts.is_empty() { "no figure given".to_owned() } else { parts.join(", ") };
    format!("{name} in {}: at most {most}", limit.cgroup)
}

fn reached_share(cell: &Cell, limit: &IoLimit) -> Option<(f64, String)> {
    let (read, write) = (cell.totals.read.as_ref(), cell.totals.write.as_ref());
    let iops = |totals: Option<&DirectionTotals>, most: Option<Iops>, what: &str| {
        let (iops, most) = (totals?.iops, most?.0);
        Some((iops, most, format!("{} {what}/s", Iops(iops))))
    };
    let rate = |totals: Option<&DirectionTotals>, most: Option<BytesPerSecond>| {
        let (rate, most) = (totals?.bytes_per_second, most?.0);
        Some((rate, most, BytesPerSecond(rate).to_string()))
    };
    let used = [
        iops(read, limit.read_iops, "reads"),
        iops(write, limit.write_iops, "writes"),
        rate(read, limit.read_bytes),
        rate(write, limit.write_bytes),
    ];
    let used = used.into_iter().flatten().filter(|(_, most, _)| *most > 0.0);
    let (share, words) = used
        .map(|(value, most, words)| (value / most, words))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    (share >= REACHED_SHARE.0).then(|| (share, format!("{} of the limit: {words}", Ratio(share))))
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
        assert!(fact.contains("scheduler none") && fact.contains("2000 us"), "{fact}");
    }
}
