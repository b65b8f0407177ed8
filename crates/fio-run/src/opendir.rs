//! `opendir`: all files below a folder.

use std::path::Path;

use fio::plan::Section;
use target::{FolderEntry, PathHandle, TargetError};

use super::error::JobsError;

/// Limit of nested folders; deeper is a loop of mounts.
const DEPTH_MAX: u32 = 64;

/// The regular files below `opendir`, by name; empty without the option.
pub(super) fn find_files(
    section: &Section,
    open: &dyn Fn(&Path) -> Result<PathHandle, JobsError>,
) -> Result<Vec<FolderEntry>, JobsError> {
    let mut found = Vec::new();
    for folder in &section.options.target.opendirs {
        search_folder(&open(Path::new(folder))?, DEPTH_MAX, &mut found).map_err(|error| {
            let what = format!("opendir={folder}: {error}");
            JobsError::file(&section.name, what, "name a folder that you may read")
        })?;
    }
    let Some((_, first)) = found.first() else {
        return match section.options.target.opendirs.first() {
            None => Ok(Vec::new()),
            Some(folder) => {
                let what = format!("opendir={folder}: there is no file in it");
                Err(JobsError::file(&section.name, what, "name a folder that has files"))
            }
        };
    };
    let operation = section.options.pattern.rw.operation;
    if operation.writes() || operation.trims() {
        let what = "opendir finds files that were not named, and they are only read";
        return Err(JobsError::file(&section.name, what, "name them: filename=a:b"));
    }
    // All files of a job have the same region.
    if let Some((entry, size)) = found.iter().find(|(_, size)| size != first) {
        let what = format!(
            "opendir found files of {first} and of {size} bytes ({}); of a job all have one size",
            entry.path().display()
        );
        return Err(JobsError::file(&section.name, what, "give each size a job of its own"));
    }
    Ok(found.into_iter().map(|(entry, _)| entry).collect())
}

/// Regular files and their sizes; links are not followed.
fn search_folder(
    folder: &PathHandle,
    deepest: u32,
    found: &mut Vec<(FolderEntry, u64)>,
) -> Result<(), TargetError> {
    let failed = |attempt| {
        let path = folder.path().to_owned();
        move |source| TargetError::Io { attempt, path, source }
    };
    for name in folder.list_names().map_err(failed("read"))? {
        let entry = folder.entry_named(&name)?;
        let below = match entry.open() {
            Ok(Some(below)) => below,
            // A link, or gone meanwhile.
            Ok(None) | Err(TargetError::NotOpened { .. }) => continue,
            Err(error) => return Err(error),
        };
        let about = below.metadata().map_err(failed("look into"))?;
        if about.is_file() {
            found.push((entry, about.len()));
        } else if about.is_dir() && deepest > 0 {
            search_folder(&below, deepest - 1, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        search_folder(&PathHandle::open(folder.path()).unwrap(), DEPTH_MAX, &mut found).unwrap();
        let found: Vec<_> =
            found.iter().map(|(entry, size)| (entry.path().to_owned(), *size)).collect();
        assert_eq!(found, [(at("b/a"), 3), (at("b/c/d"), 5), (at("z"), 1)]);
    }
}
