//! How a chore ends.

/// How a chore ended when nothing kept it from running. It has printed its findings by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
}

impl Outcome {
    pub(crate) fn from_success(well: bool) -> Self {
        if well { Self::Passed } else { Self::Failed }
    }
}
