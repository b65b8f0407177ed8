//! Which cells support a conclusion about the device. Headline, limits, knee, thrashing, class,
//! promise, threshold and comparison all ask here.

use message::{Message, label, messages};
use record::{Cell, CellRole, Curve, Finding, FindingId, Judgement, Status};

/// Whether a conclusion may be drawn from a cell: nothing disturbed it, it was not measured again,
/// and it is of the newest level of the device.
pub(crate) fn supports(judgement: &Judgement, cell: &Cell) -> bool {
    cell.role != CellRole::Disturbed
        && find_doubt(judgement, &cell.name).is_none()
        && !is_of_earlier_level(judgement, cell)
}

/// What disturbed a cell: it is invalid, or others used the disk meanwhile.
pub(crate) fn find_doubt<'a>(judgement: &'a Judgement, cell: &str) -> Option<&'a Finding> {
    let marks = judgement.severe_findings(cell);
    marks.into_iter().find(|f| f.status == Status::Invalid || f.id == FindingId::Neighbour)
}

/// Whether the device stopped answering in a cell: its rate is that of no level.
pub(crate) fn fell_silent(judgement: &Judgement, cell: &Cell) -> bool {
    judgement.severe_findings(&cell.name).iter().any(|finding| finding.id == FindingId::Stall)
}

/// Why no conclusion may be drawn from a cell; `None` where one may.
pub(crate) fn describe_unsupported(judgement: &Judgement, cell: &Cell) -> Option<Message> {
    let doubt = find_doubt(judgement, &cell.name).map(describe_doubt);
    doubt.or_else(|| is_of_earlier_level(judgement, cell).then(|| label("support-earlier-level")))
}

/// `INVALID page-cache: ...`, `neighbour: ...`.
pub(crate) fn describe_doubt(doubt: &Finding) -> Message {
    let (check, summary) = (doubt.id.to_string(), doubt.summary.clone());
    match doubt.status {
        Status::Invalid => DoubtInvalid { check, summary }.into(),
        _ => Doubt { check, summary }.into(),
    }
}

/// Of the cells of one load those whose figures count together.
pub fn choose_cells<'a>(judgement: &Judgement, cells: &[&'a Cell]) -> Vec<&'a Cell> {
    prefer_supported(cells, |cell| supports(judgement, cell))
}

pub(crate) fn is_of_earlier_level(judgement: &Judgement, cell: &Cell) -> bool {
    let left_out = |curve: &Curve| curve.left_out.iter().any(|p| p.cells.contains(&cell.name));
    let of_mix = judgement.curves.iter().filter(|curve| curve.mix == cell.job.mix);
    // When exactly it changed is not known: what its curve leaves out ran between both levels.
    of_mix
        .filter_map(|curve| Some((curve, curve.earlier?)))
        .any(|(curve, level)| cell.started < level.until || left_out(curve))
}

/// Of some items those that support a conclusion; all of them where none does, and then they are
/// marked.
pub(crate) fn prefer_supported<T: Clone>(all: &[T], supports: impl Fn(&T) -> bool) -> Vec<T> {
    let supported: Vec<T> = all.iter().filter(|item| supports(item)).cloned().collect();
    if supported.is_empty() { all.to_vec() } else { supported }
}

messages! {
    Doubt = "support-doubt" { check: String, summary: Message };
    DoubtInvalid = "support-doubt-invalid" { check: String, summary: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use units::Nanos;

    #[test]
    fn a_disturbed_cell_or_one_of_an_earlier_level_supports_nothing() {
        let mut record = sample_record();
        let judgement = crate::judge(&record);
        let cell = record.cell("randread-4k-qd16").unwrap().clone();
        assert!(supports(&judgement, &cell));
        assert!(!supports(&judgement, &Cell { role: CellRole::Disturbed, ..cell.clone() }));
        cell_mut(&mut record, &cell.name).ledger.layers[0].read_bytes.0 *= 2;
        let disturbed = crate::judge(&record);
        assert!(!supports(&disturbed, &cell));
        assert_eq!(find_doubt(&disturbed, &cell.name).unwrap().id, FindingId::Neighbour);
        assert!(supports(&disturbed, record.cell("randread-4k-qd64").unwrap()));
        let mut fell = judgement;
        let until = Nanos(cell.started.0 + 1);
        fell.curves[0].earlier =
            Some(record::EarlierRate { iops: units::Iops(1e5), until, gradual: false });
        assert!(!supports(&fell, &cell));
        assert!(supports(&fell, record.cell("randwrite-4k-qd16").unwrap()));
    }

    #[test]
    fn where_nothing_supports_everything_is_told() {
        assert_eq!(prefer_supported(&[1, 2, 3], |n| *n > 1), [2, 3]);
        assert_eq!(prefer_supported(&[1, 2, 3], |n| *n > 3), [1, 2, 3]);
    }
}
