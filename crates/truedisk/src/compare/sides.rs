//! The runs that are compared.

use record::Record;

pub(super) type SourcedRecord = (Record, String);

/// The runs of all sides, and whether measuring them was interrupted.
pub(super) struct ComparedRuns {
    pub(super) sides: Vec<Vec<SourcedRecord>>,
    pub(super) interrupted: bool,
}
