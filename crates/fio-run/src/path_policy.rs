//! What jobs of another host's asking may touch.

use std::path::Path;

use target::FolderEntry;

/// Says which paths the jobs of another host may touch: gives the name in its folder, which is open
/// from then on. Everything is done there, so that nobody who exchanges folders for links leads the
/// jobs elsewhere.
pub type PathPolicy<'a> = &'a dyn Fn(&Path, PathAccess) -> Result<FolderEntry, PathRefusal>;

/// What a job does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathAccess {
    /// It is read.
    Read,
    /// It is written, trimmed or removed.
    Write,
}

/// Why a path may not be touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRefusal {
    /// What is wrong.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}
