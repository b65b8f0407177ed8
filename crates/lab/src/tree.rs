//! Fake sysfs and procfs: a machine that a test describes in a few lines.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::{LabError, Result, Scratch};

/// A tree of folders, files and links, built from a listing; removed on drop. An entry per line:
///
/// ```text
/// sys/block/sda/size = 1953525168
/// sys/dev/block/8:0 -> ../../block/sda
/// sys/block/sda/holders/
/// ```
///
/// `\n` in a content is a newline; every other backslash stands for itself, as mountinfo needs it.
#[derive(Debug)]
pub struct SysfsTree {
    scratch: Scratch,
}

impl SysfsTree {
    /// Builds the tree that a listing describes.
    /// Fails when a line is none of the above, names something twice, or leaves the tree.
    pub fn from_text(text: &str) -> Result<SysfsTree> {
        let scratch = Scratch::new()?;
        for (n, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            build_entry(scratch.path(), line)
                .map_err(|why| LabError::unusable(format!("line {} of the tree", n + 1), why))?;
        }
        Ok(SysfsTree { scratch })
    }

    /// The folder that stands for `/`.
    pub fn root(&self) -> &Path {
        self.scratch.path()
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Entry<'a> {
    File(&'a str, &'a str),
    Link(&'a str, &'a str),
    Folder(&'a str),
}

/// What a line says; the separator that comes first counts, since a content may hold the other.
fn parse_entry(line: &str) -> Option<Entry<'_>> {
    // An empty content's line ends at its sign.
    let end = line.strip_suffix(" =").map(|path| (path, ""));
    let file = line.split_once(" = ").or(end);
    let link = line.split_once(" -> ");
    match (file, link) {
        (Some((path, content)), Some((other, _))) if path.len() < other.len() => {
            Some(Entry::File(path, content))
        }
        (_, Some((path, target))) => Some(Entry::Link(path, target)),
        (Some((path, content)), None) => Some(Entry::File(path, content)),
        (None, None) => line.strip_suffix('/').map(Entry::Folder),
    }
}

fn build_entry(root: &Path, line: &str) -> std::result::Result<(), String> {
    let entry = parse_entry(line)
        .ok_or_else(|| format!("is no `path = content`, `path -> target` or `path/`: {line}"))?;
    let (Entry::File(path, _) | Entry::Link(path, _) | Entry::Folder(path)) = entry;
    let path = path.trim_end();
    let mut place = root.to_owned();
    let parts =
        split_relative_path(path).ok_or_else(|| format!("names a path outside of it: {path}"))?;
    let (last, folders) = parts.split_last().ok_or_else(|| format!("names no path: {line}"))?;
    for folder in folders {
        place.push(folder);
        make_folder(&place).map_err(|e| format!("cannot make {}: {e}", place.display()))?;
    }
    place.push(last);
    let made = match entry {
        Entry::Folder(_) => make_folder(&place),
        Entry::File(_, content) => make_file(&place, &content.replace("\\n", "\n")),
        Entry::Link(_, target) => {
            if !stays_inside(folders.len(), Path::new(target)) {
                return Err(format!("links to a place outside of it: {target}"));
            }
            symlink(target, &place)
        }
    };
    made.map_err(|e| format!("cannot make {path}: {e}"))
}

/// The parts of a path that goes down only.
fn split_relative_path(path: &str) -> Option<Vec<PathBuf>> {
    Path::new(path)
        .components()
        .map(|part| match part {
            Component::Normal(name) => Some(PathBuf::from(name)),
            _ => None,
        })
        .collect()
}

/// Whether a link in a folder so deep points into the tree, read by its letters.
fn stays_inside(depth: usize, target: &Path) -> bool {
    let mut depth = Some(depth);
    for part in target.components() {
        depth = match part {
            Component::Normal(_) => depth.map(|d| d + 1),
            Component::ParentDir => depth.and_then(|d| d.checked_sub(1)),
            Component::CurDir => depth,
            Component::RootDir | Component::Prefix(_) => None,
        };
    }
    depth.is_some()
}

/// Makes a folder unless it is there; a link in its place is refused, as it may lead out.
fn make_folder(path: &Path) -> std::io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        _ => fs::create_dir(path),
    }
}

fn make_file(path: &Path, content: &str) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    std::io::Write::write_all(&mut file, content.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_they_look_like() {
        let check = |line, expected| assert_eq!(parse_entry(line), expected, "{line}");
        check("a/b = 1", Some(Entry::File("a/b", "1")));
        check("a/b = x -> y = z", Some(Entry::File("a/b", "x -> y = z")));
        check("a/b -> ../c = d", Some(Entry::Link("a/b", "../c = d")));
        check("a/b =", Some(Entry::File("a/b", "")));
        check("a/b/", Some(Entry::Folder("a/b")));
        check("a/b", None);
        check("a/b=1", None);
    }

    #[test]
    fn a_tree_is_built_as_listed() {
        let tree = SysfsTree::from_text(
            "# a disk behind a 3 Gb/s link\n\
             sys/devices/ata1/link/sata_spd = 3.0 Gbps\\n\n\
             sys/devices/ata1/block/sda/size = 1953525168\n\
             sys/devices/ata1/block/sda/dev =\n\
             sys/devices/ata1/block/sda/holders/\n\
             sys/block/sda -> ../devices/ata1/block/sda\n\
             \n\
             proc/self/mountinfo = 1 0 8:0 / /a\\040b rw\\n2 1 8:1 / /c rw\\n\n",
        )
        .unwrap();
        let text = |path: &str| fs::read_to_string(tree.root().join(path)).unwrap();
        assert_eq!(text("sys/devices/ata1/link/sata_spd"), "3.0 Gbps\n");
        assert_eq!(text("sys/block/sda/size"), "1953525168");
        assert_eq!(text("sys/block/sda/dev"), "");
        assert_eq!(text("proc/self/mountinfo"), "1 0 8:0 / /a\\040b rw\n2 1 8:1 / /c rw\n");
        assert!(tree.root().join("sys/block/sda/holders").is_dir());
        let root = tree.root().to_owned();
        drop(tree);
        assert!(!root.exists());
    }

    #[test]
    fn wrong_lines_are_named() {
        let check = |text: &str, expected: &str| {
            let error = SysfsTree::from_text(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        };
        check("# fine\nnonsense", "line 2 of the tree is no `path = content`");
        check("/etc/x = 1", "outside");
        check("a/../../x = 1", "outside");
        check("a -> /etc", "links to a place outside");
        check("a/b -> ../../etc", "links to a place outside");
        check("a = 1\na = 2", "line 2 of the tree cannot make a: File exists");
        check("a -> b\na/c = 1", "line 2 of the tree cannot make");
    }
}
