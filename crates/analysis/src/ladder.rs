//! Where a result stands among typical devices.

use message::{Message, messages};
use model::ReferenceDevice;
use record::{Curve, Judgement, Measured};
use units::{Bytes, Iops};

use crate::support::supports;

/// The rungs are of this size.
const RUNG_SIZE: Bytes = Bytes::kib(4);

/// Places the most random reads of a curve; `None` of another size, or where none can be trusted.
pub(crate) fn describe_rung(
    measured: &Measured,
    judgement: &Judgement,
    curve: &Curve,
) -> Option<Message> {
    if curve.block_size != RUNG_SIZE {
        return None;
    }
    let sound = |name: &String| measured.cell(name).is_some_and(|cell| supports(judgement, cell));
    let points = curve.points.iter().filter(|point| point.cells.iter().all(sound));
    let most = points.map(|point| point.iops).reduce(f64::max)?;
    let place = model::find_nearest(most);
    let name = |&ReferenceDevice { example, iops, kind, .. }: &ReferenceDevice| {
        Rung { example, iops: Iops(iops), kind }.into()
    };
    let iops = Iops(most);
    match (place.above.map(name), place.below.map(name)) {
        (Some(above), Some(below)) => Some(BetweenRungs { iops, above, below }.into()),
        (None, Some(below)) => Some(BelowRungs { iops, below }.into()),
        (Some(above), None) => Some(AboveRungs { iops, above }.into()),
        (None, None) => None,
    }
}

messages! {
    /// `kind` is `measured`, `sold` or `computed`: the words choose by it.
    Rung = "ladder-rung" { example: &'static str, iops: Iops, kind: &'static str };
    BetweenRungs = "ladder-between" { iops: Iops, above: Message, below: Message };
    BelowRungs = "ladder-below" { iops: Iops, below: Message };
    AboveRungs = "ladder-above" { iops: Iops, above: Message };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder_sentence(spoil: impl Fn(&mut record::Measured)) -> Option<Message> {
        let mut record = crate::testing::sample_record();
        spoil(&mut record);
        let judgement = crate::judge(&record);
        describe_rung(&record, &judgement, judgement.curves.first()?)
    }

    #[test]
    fn a_result_stands_between_two_rungs() {
        let words = ladder_sentence(|_| {}).unwrap();
        assert!(
            words.text().contains("118,500 random reads/s are between Samsung SSD 870"),
            "{words:?}"
        );
    }

    #[test]
    fn only_what_supports_a_conclusion_has_a_place() {
        let words = |made: record::Measured| ladder_sentence(|record| *record = made.clone());
        let check = |made, expected: &str| {
            let words = words(made).unwrap();
            assert!(words.text().contains(expected), "{words:?}");
        };
        check(crate::testing::disturbed_record(), "92,000 random reads/s");
        check(crate::testing::fallen_record(), "3,960 random reads/s");
    }

    #[test]
    fn what_cannot_be_trusted_has_no_place() {
        let cached = |record: &mut record::Measured| {
            record.cells.iter_mut().for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        };
        assert_eq!(ladder_sentence(cached), None);
    }
}
