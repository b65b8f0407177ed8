//! Paths that jobs name.

use std::path::{Path, PathBuf};

use fio::plan::{Section, expand_instances, file_names};

use super::error::JobsError;
use super::file_ops::is_device;

/// Files and devices of the jobs.
pub fn data_files(sections: &[Section]) -> impl Iterator<Item = PathBuf> {
    expand_instances(sections).into_iter().flat_map(|instance| {
        let names = file_names(&sections[instance.section], instance.clone, &is_device);
        names.into_iter().map(PathBuf::from)
    })
}

/// Absolute paths of jobs; each once, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetPaths {
    /// Folders in which files are made or found.
    pub folders: Vec<PathBuf>,
    /// Files and devices that are named.
    pub files: Vec<PathBuf>,
}

/// The paths that jobs name; an error for a job without a path, and for relative paths.
pub fn list_target_paths(sections: &[Section]) -> Result<TargetPaths, JobsError> {
    let mut places = TargetPaths::default();
    for section in sections.iter().filter(|of| !of.options.engine.engine.has_no_target()) {
        let target = &section.options.target;
        let looks_like_device = |name: &str| name.starts_with("/dev/");
        let named = match target.opendirs.is_empty() {
            true => file_names(section, 0, &looks_like_device),
            false => target.opendirs.clone(),
        };
        if let Some(path) =
            named.iter().chain(&target.directories).find(|path| !path.starts_with('/'))
        {
            let what =
                format!("job '{}': {path} is a path on this host, not on others", section.name);
            let hint = "give absolute paths: directory=/srv/test, or filename=/srv/test/file";
            return Err(JobsError::request(what, hint));
        }
        // Files in its folders: each clone has others.
        let placed = |path: &&String| {
            target.directories.iter().any(|folder| Path::new(path).starts_with(folder))
        };
        let named_by_itself = named.iter().filter(|path| !placed(path)).map(PathBuf::from);
        if target.opendirs.is_empty() {
            places.folders.extend(target.directories.iter().map(PathBuf::from));
            places.files.extend(named_by_itself);
        } else {
            places.folders.extend(target.opendirs.iter().map(PathBuf::from));
        }
    }
    for list in [&mut places.folders, &mut places.files] {
        list.sort();
        list.dedup();
    }
    Ok(places)
}
