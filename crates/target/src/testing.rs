//! What the tests share: trees, and folders on the real disk.

use crate::roots::Roots;

/// A described host, as files and links in a temporary folder.
pub(crate) struct Tree {
    pub(crate) roots: Roots,
    _tree: lab::SysfsTree,
}

impl Tree {
    /// Lays out what a test describes itself.
    pub(crate) fn of(text: &str) -> Self {
        let tree = lab::SysfsTree::from_text(text).unwrap();
        Self { roots: Roots::under(tree.root()), _tree: tree }
    }
}

/// A folder on the real disk: /tmp may be memory.
pub(crate) fn on_disk() -> lab::Scratch {
    lab::Scratch::new().unwrap()
}
