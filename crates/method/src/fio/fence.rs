//! What jobs of another host's asking may touch.

use std::path::{Path, PathBuf};

/// Who says which paths may be touched, where jobs are somebody else's: gives the path without
/// links, for what is measured on it.
pub type Fence<'a> = &'a dyn Fn(&Path, Touch) -> Result<PathBuf, Fenced>;

/// What a job does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// It is read.
    Reads,
    /// It is written, trimmed or removed.
    Writes,
}

/// Why a path may not be touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fenced {
    /// What is wrong.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}
