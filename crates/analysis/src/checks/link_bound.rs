//! `link-bound`: was the link the limit, or is it slower than it should be?
//!
//! Compares the data rate of every cell with what the negotiated link carries after line coding,
//! and the negotiated link with what both ends can. Blind spot: links that the kernel does not
//! show (virtual disks, a provider's network).

use record::{Evidence, Finding, FindingId, Layer, Link, Record, Status};
use units::{BytesPerSecond, Ratio};

use super::{Tally, not_observable};

/// Protocol overhead takes 8 to 15 % of a link; a cell above this share has nothing left.
const FULL: f64 = 0.85;

pub(super) fn check(record: &Record) -> Finding {
    let id = FindingId::LinkBound;
    let links = record.target().map(|target| {
        target
            .bottom_devices()
            .into_iter()
            .filter_map(|layer| Some((layer, layer.link.as_ref()?)))
            .collect::<Vec<_>>()
    });
    let Some(links) = links.filter(|links| !links.is_empty()) else {
        return not_observable(id, "no link is shown for this device (virtual or network storage)");
    };
    let mut tally = Tally::new(id);
    let ceiling: f64 = links.iter().map(|(_, link)| link.ceiling.0).sum();
    for cell in &record.cells {
        let share = cell.bytes_per_second() / ceiling;
        if share > FULL {
            let value = format!(
                "{} of {}",
                BytesPerSecond(cell.bytes_per_second()),
                BytesPerSecond(ceiling)
            );
            tally.touch(cell, Status::Note, Evidence::figure(&cell.name, value, share));
        }
    }
    let full = tally.cells.len();
    for (layer, link) in &links {
        let status = if link.downtrained { Status::Warning } else { Status::Ok };
        tally.raise(status, Evidence::text(&layer.name, words(layer, link)));
    }
    let summary = match (tally.status, full) {
        (Status::Warning, _) => {
            "the link runs slower than both ends can: check slot, cable and port".to_owned()
        }
        (_, 0) => format!("the link had room: it carries {}", BytesPerSecond(ceiling)),
        (_, n) => format!(
            "the link is the limit in {}: above {} of what it carries",
            super::cells(n),
            Ratio(FULL)
        ),
    };
    tally.finish(summary, Some("a faster link would show more of the disk"))
}

fn words(layer: &Layer, link: &Link) -> String {
    let most = link.max.as_ref().map(|max| format!(", could be {max}")).unwrap_or_default();
    format!("{} {} at {}{most}", layer.name, link.kind, link.current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    fn with_link(ceiling_mb: f64, downtrained: bool) -> Record {
        let mut record = record();
        record.targets[0].stack[0].link = Some(Link {
            kind: "sata".to_owned(),
            current: "3.0 Gbps".to_owned(),
            max: Some("6.0 Gbps".to_owned()),
            ceiling: BytesPerSecond::mb(ceiling_mb),
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
        assert_eq!(super::check(&record()).status, Status::NotObservable);
    }
}
