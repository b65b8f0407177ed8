//! Where a result stands among typical devices.

use model::ReferenceDevice;
use record::{Curve, Judgement};
use units::{Bytes, Iops};

use crate::support::find_doubt;

/// The rungs are of this size.
const RUNG_SIZE: Bytes = Bytes::kib(4);

/// Places the most random reads of a curve; `None` of another size, or where none can be trusted.
pub(crate) fn describe_rung(judgement: &Judgement, curve: &Curve) -> Option<String> {
    if curve.block_size != RUNG_SIZE {
        return None;
    }
    let sound = |name: &String| find_doubt(judgement, name).is_none();
    let points = curve.points.iter().filter(|point| point.cells.iter().all(sound));
    let most = points.map(|point| point.iops).reduce(f64::max)?;
    let place = model::find_nearest(most);
    let rung =
        |rung: &ReferenceDevice| format!("{} ({}, {})", rung.example, Iops(rung.iops), rung.kind);
    let stand = match (place.above, place.below) {
        (Some(above), Some(below)) => format!("between {} and {}", rung(above), rung(below)),
        (None, Some(below)) => format!("below {}", rung(below)),
        (Some(above), None) => format!("above {}", rung(above)),
        (None, None) => return None,
    };
    Some(format!("On the ladder of typical devices its {} random reads/s are {stand}.", Iops(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder_sentence(spoil: impl Fn(&mut record::Measured)) -> Option<String> {
        let mut record = crate::testing::sample_record();
        spoil(&mut record);
        let judgement = crate::judge(&record);
        describe_rung(&judgement, judgement.curves.first()?)
    }

    #[test]
    fn a_result_stands_between_two_rungs() {
        let words = ladder_sentence(|_| {}).unwrap();
        assert!(words.contains("118,500 random reads/s are between Samsung SSD 870"), "{words}");
    }

    #[test]
    fn what_cannot_be_trusted_has_no_place() {
        let cached = |record: &mut record::Measured| {
            record.cells.iter_mut().for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        };
        assert_eq!(ladder_sentence(cached), None);
    }
}
