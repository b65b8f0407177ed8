//! What jobs of another host's asking may touch.

use std::path::Path;

use target::FolderEntry;

/// Says which paths the jobs of another host may touch: gives the name in its folder, which is open
/// from then on. Everything is done there, so that nobody who exchanges folders for links leads the
/// jobs elsewhere.
pub type Fence<'a> = &'a dyn Fn(&Path, Touch) -> Result<FolderEntry, Fenced>;

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
