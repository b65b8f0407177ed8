//! `opendir`: all files below a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fio::plan::Section;

use super::error::JobsError;

/// Folders in folders that are searched; deeper is a loop of mounts rather than somebody's data.
const DEEPEST: u32 = 64;

/// The regular files below the folders that `section` names, by name; none when it names none.
pub(super) fn files(section: &Section) -> Result<Vec<PathBuf>, JobsError> {
    let mut found = Vec::new();
    for folder in &section.options.target.opendirs {
        search(Path::new(folder), DEEPEST, &mut found).map_err(|error| {
            JobsError::file(&section.name, format!("opendir={folder}: {error}"), None)
        })?;
    }
    let Some((_, first)) = found.first() else {
        return match section.options.target.opendirs.first() {
            None => Ok(Vec::new()),
            Some(folder) => {
                let what = format!("opendir={folder}: there is no file in it");
                Err(JobsError::file(&section.name, what, None))
            }
        };
    };
    let operation = section.options.pattern.rw.operation;
    if operation.writes() || operation.trims() {
        let what = "opendir finds files that were not named, and they are only read";
        return Err(JobsError::file(&section.name, what, Some("name them: filename=a:b")));
    }
    // Every file of a job has the same part used.
    if let Some((path, size)) = found.iter().find(|(_, size)| size != first) {
        let what = format!(
            "opendir found files of {first} and of {size} bytes ({}); of a job all have one size",
            path.display()
        );
        return Err(JobsError::file(&section.name, what, Some("give each size a job of its own")));
    }
    Ok(found.into_iter().map(|(path, _)| path).collect())
}

/// Regular files and their sizes; links are not followed, so that nothing is found twice.
fn search(folder: &Path, deepest: u32, found: &mut Vec<(PathBuf, u64)>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let about = entry.metadata()?;
        if about.is_file() {
            found.push((entry.path(), about.len()));
        } else if about.is_dir() && deepest > 0 {
            search(&entry.path(), deepest - 1, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_folders_of_folders() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).unwrap();
        for name in ["z", "b/a", "b/c/d"] {
            fs::write(at(name), name).unwrap();
        }
        std::os::unix::fs::symlink(at("b"), at("again")).unwrap();
        let mut found = Vec::new();
        search(folder.path(), DEEPEST, &mut found).unwrap();
        assert_eq!(found, [(at("b/a"), 3), (at("b/c/d"), 5), (at("z"), 1)]);
        assert!(search(&at("missing"), DEEPEST, &mut found).is_err());
    }
}
