//! What several truth checks conclude from the same cells.

pub(crate) mod contents;
pub(crate) mod generator_pauses;
pub(crate) mod group_limit;
pub(crate) mod reread;
pub(crate) mod withheld_cpu;
pub(crate) mod working_set;
