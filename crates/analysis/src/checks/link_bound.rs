//! `link-bound`: was the link the limit, or is it slower than it should be?

use record::{Layer, Link};

use super::check::*;
use crate::cells::format_cell_count;

pub(super) static CHECK: Check = Check {
    id: FindingId::LinkBound,
    method: Some(|| {
        format!(
            "Every cell's data rate is held against what the negotiated link carries after line \
             coding: {FULL_SHARE} of it is all that protocols leave. The negotiated speed and \
             width are held against what disk and slot can."
        )
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Protocol overhead takes 8 to 15 % of a link; a cell above this share has nothing left.
const FULL_SHARE: Ratio = Ratio(0.85);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let disks = measured.target().map(|target| target.bottom_devices()).unwrap_or_default();
    let links: Vec<(&Layer, &Link)> =
        disks.iter().filter_map(|layer| Some((*layer, layer.link.as_ref()?))).collect();
    if links.is_empty() {
        return Err("no link is shown for this device (virtual or network storage)".into());
    }
    let most = link_ceiling(&disks);
    if most.is_none() && !links.iter().any(|(_, link)| link.downtrained) {
        return Err("not every disk of the target shows its link".into());
    }
    for cell in &measured.cells {
        let Some((ceiling, duplex)) = most else { break };
        let rate = link_rate(cell, duplex);
        let share = rate.0 / ceiling.0;
        if share > FULL_SHARE.0 {
            let value = format!("{rate} of {ceiling}");
            finding.mark(cell, Status::Note, value, share);
        }
    }
    let full = finding.cells.len();
    for (layer, link) in &links {
        let status = if link.downtrained { Status::Warning } else { Status::Ok };
        finding.raise_status(status, Evidence::text(&layer.name, describe_link(layer, link)));
    }
    Ok(match (finding.status, most, full) {
        (Status::Warning, ..) => {
            "the link runs slower than both ends can: check slot, cable and port".to_owned().into()
        }
        (_, Some((ceiling, _)), 0) => format!("the link had room: it carries {ceiling}").into(),
        (_, _, n) => {
            let cells = format_cell_count(n);
            format!("the link is the limit in {cells}: above {FULL_SHARE} of what it carries")
                .into()
        }
    })
}

/// What the links of all disks carry one way, and whether they carry as much the other way at the
/// same time; `None` where a disk does not show its link.
pub(super) fn link_ceiling(disks: &[&Layer]) -> Option<(BytesPerSecond, bool)> {
    let mut sum = 0.0;
    let mut duplex = true;
    for disk in disks {
        let link = disk.link.as_ref()?;
        sum += link.ceiling.0;
        // SATA sends one way at a time; so does USB up to 480 Mb/s, which is not told apart here.
        duplex &= link.kind != "sata";
    }
    (sum > 0.0).then_some((BytesPerSecond(sum), duplex))
}

/// The rate of the busier direction, or of both.
pub(super) fn link_rate(cell: &Cell, duplex: bool) -> BytesPerSecond {
    let rates = cell.data_directions().map(|totals| totals.bytes_per_second);
    BytesPerSecond(if duplex { rates.fold(0.0, f64::max) } else { rates.sum() })
}

fn describe_link(layer: &Layer, link: &Link) -> String {
    let most = link.max.as_ref().map(|max| format!(", could be {max}")).unwrap_or_default();
    format!("{} {} at {}{most}", layer.name, link.kind, link.current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn with_link(ceiling_mb: f64, downtrained: bool) -> Measured {
        let mut record = sample_record();
        record.targets[0].stack[0].link = Some(Link {
            kind: "sata".to_owned(),
            current: "3.0 Gbps".to_owned(),
            max: Some("6.0 Gbps".to_owned()),
            ceiling: BytesPerSecond::from_mb(ceiling_mb),
            downtrained,
        });
        record
    }

    #[test]
    fn full_and_slow_links_are_told() {
        let check = |mb, slow, expected| assert_eq!(check(&with_link(mb, slow)).status, expected);
        check(600.0, false, Status::Note); // the test record reads 520 MB/s
        check(5000.0, false, Status::Ok);
        check(5000.0, true, Status::Warning);
        assert_eq!(self::check(&sample_record()).status, Status::NotObservable);
    }

    #[test]
    fn a_disk_without_a_link_leaves_the_sum_unknown() {
        let mut record = with_link(100.0, false);
        let mut other = record.targets[0].stack[0].clone();
        (other.name, other.link) = ("sdb".to_owned(), None);
        record.targets[0].stack.push(other);
        assert_eq!(check(&record).status, Status::NotObservable);
        record.targets[0].stack[0].link.as_mut().unwrap().downtrained = true;
        assert_eq!(check(&record).status, Status::Warning);
    }
}
