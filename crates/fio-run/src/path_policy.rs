//! Paths that jobs of another host may touch.

use std::path::Path;

use target::FolderEntry;

/// Allows a path to jobs of another host: gives its name in an open folder, so that nobody can
/// exchange folders for links afterwards.
pub type PathPolicy<'a> = &'a dyn Fn(&Path, PathAccess) -> Result<FolderEntry, PathRefusal>;

/// Access to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathAccess {
    /// Reads.
    Read,
    /// Writes, trims or removes.
    Write,
}

/// Why a path is forbidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRefusal {
    /// What is wrong.
    pub what: String,
    /// What to do next.
    pub hint: String,
}
