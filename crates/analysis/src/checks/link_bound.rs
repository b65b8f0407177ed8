//! `link-bound`: was the link the limit, or is it slower than it should be?

use record::{Layer, Link};

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::LinkBound,
    method: Some(|| LinkBoundMethod { full: FULL_SHARE }.into()),
    run: |subject, finding| check(subject.figures, finding),
};

/// Protocol overhead takes 8 to 15 % of a link; a cell above this share has nothing left.
const FULL_SHARE: Ratio = Ratio(0.85);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let disks = measured.target().map(|target| target.bottom_devices()).unwrap_or_default();
    let links: Vec<(&Layer, &Link)> =
        disks.iter().filter_map(|layer| Some((*layer, layer.link.as_ref()?))).collect();
    if links.is_empty() {
        return Err(label("link-bound-not-shown"));
    }
    let most = link_ceiling(&disks);
    if most.is_none() && !links.iter().any(|(_, link)| link.downtrained) {
        return Err(label("link-bound-not-of-every-disk"));
    }
    for cell in &measured.cells {
        let Some((ceiling, duplex)) = most else { break };
        let rate = link_rate(cell, duplex);
        let share = rate.0 / ceiling.0;
        if share > FULL_SHARE.0 {
            let value = LinkUsed { rate, ceiling };
            finding.mark(cell, Status::Note, value, share);
        }
    }
    let full = finding.cells.len();
    for (layer, link) in &links {
        let status = if link.downtrained { Status::Warning } else { Status::Ok };
        let name = Message::from_text(&layer.name);
        finding.raise_status(status, Evidence::text(name, describe_link(link)));
    }
    Ok(match (finding.status, most, full) {
        (Status::Warning, ..) => label("link-bound-downtrained"),
        (_, Some((ceiling, _)), 0) => LinkHadRoom { ceiling }.into(),
        (_, _, cells) => LinkFull { cells, share: FULL_SHARE }.into(),
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

fn describe_link(link: &Link) -> Message {
    let (kind, speed) = (link.kind.clone(), link.current.clone());
    match link.max.clone() {
        Some(max) => LinkSpeedBelow { kind, speed, max }.into(),
        None => LinkSpeed { kind, speed }.into(),
    }
}

messages! {
    LinkBoundMethod = "check-link-bound-method" { full: Ratio };
    LinkUsed = "link-bound-used" { rate: BytesPerSecond, ceiling: BytesPerSecond };
    LinkHadRoom = "link-bound-had-room" { ceiling: BytesPerSecond };
    LinkFull = "link-bound-full" { cells: usize, share: Ratio };
    LinkSpeed = "link-bound-speed" { kind: String, speed: String };
    LinkSpeedBelow = "link-bound-speed-below" { kind: String, speed: String, max: String };
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
