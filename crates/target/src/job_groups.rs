//! Control groups of version 1 for disks, where threads of one process may be in different groups.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::control_groups::find_own_groups;
use crate::identity::read_mounts;
use crate::roots::Roots;

/// File that moves the thread which writes 0 to it.
const THREADS: &str = "tasks";
/// The weight of the kernel's older scheduler, and that of today's.
const WEIGHTS: [&str; 2] = ["blkio.weight", "blkio.bfq.weight"];

/// The groups of a run. Those that it made are removed with it, and others get their own weights
/// back.
#[derive(Debug, Default)]
pub struct JobGroups {
    /// Where the groups are, and the own group of this program; empty before the first is made.
    root: PathBuf,
    home: PathBuf,
    /// Groups of this run, and whether they stay.
    made: Vec<(PathBuf, bool)>,
    /// Files of groups that were there, and what they had.
    weights: Vec<(PathBuf, String)>,
}

impl JobGroups {
    /// Makes the group `name` if it is missing, and sets its weight. One that it makes `stays`, or
    /// is removed with `self`; the weight of one that was there is set back then. The error says
    /// what failed.
    pub fn prepare(
        &mut self,
        name: &str,
        weight: Option<u32>,
        stays: bool,
        roots: &Roots,
    ) -> Result<(), String> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if name.is_empty() || !Path::new(name).components().all(is_plain) {
            return Err("is no name of a group".to_owned());
        }
        if self.root.as_os_str().is_empty() {
            let found = find_groups(roots);
            (self.root, self.home) =
                found.ok_or("no control groups of version 1 with blkio are mounted".to_owned())?;
        }
        let group = self.root.join(name);
        let is_new = match fs::create_dir(&group) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(format!("make it: {error}")),
        };
        if is_new {
            self.made.push((group.clone(), stays));
        }
        let Some(weight) = weight else { return Ok(()) };
        self.set_weight(&group, weight).map_err(|error| format!("set its weight: {error}"))
    }

    fn set_weight(&mut self, group: &Path, weight: u32) -> io::Result<()> {
        let files = WEIGHTS.map(|name| group.join(name));
        let file = files.iter().find(|file| file.exists()).unwrap_or(&files[0]);
        let is_ours = self.made.iter().any(|(made, _)| made == group);
        let before = if is_ours { None } else { Some(fs::read_to_string(file)?) };
        fs::write(file, weight.to_string())?;
        self.weights.extend(before.map(|before| (file.clone(), before)));
        Ok(())
    }

    /// Calls `start`, whose threads begin in the group `name`, which was prepared.
    pub fn start_inside<T>(&self, name: &str, start: impl FnOnce() -> T) -> io::Result<T> {
        fs::write(self.root.join(name).join(THREADS), "0")?;
        let started = start();
        fs::write(self.home.join(THREADS), "0")?;
        Ok(started)
    }
}

impl Drop for JobGroups {
    fn drop(&mut self) {
        // Of a group that several jobs weighed, the first had what was there.
        for (file, before) in self.weights.iter().rev() {
            let _ = fs::write(file, before.trim());
        }
        for (group, _) in self.made.iter().rev().filter(|(_, stays)| !stays) {
            // A group that another program entered meanwhile stays.
            let _ = fs::remove_dir(group);
        }
    }
}

/// The root of the groups, and the own group of this program.
fn find_groups(roots: &Roots) -> Option<(PathBuf, PathBuf)> {
    let own = find_own_groups("blkio", roots, &read_mounts(roots));
    let mut own = own.into_iter().filter(|group| group.is_v1).map(|group| group.folder);
    let home = own.next()?;
    Some((own.next_back().unwrap_or_else(|| home.clone()), home))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weight that a group has after a run of two jobs, the second of which weighs it 150.
    fn weight_after(before: Option<&str>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("g").join(WEIGHTS[0]);
        if let Some(before) = before {
            fs::create_dir(folder.path().join("g")).unwrap();
            fs::write(&file, before).unwrap();
        }
        let mut groups = JobGroups::default();
        (groups.root, groups.home) = (folder.path().to_owned(), folder.path().to_owned());
        for weight in [200, 150] {
            groups.prepare("g", Some(weight), true, &Roots::host()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), weight.to_string());
        }
        drop(groups);
        fs::read_to_string(&file).unwrap()
    }

    #[test]
    fn a_new_group_that_stays_keeps_its_newest_weight_and_an_old_one_its_own() {
        assert_eq!(weight_after(None), "150");
        assert_eq!(weight_after(Some("300")), "300");
    }
}
