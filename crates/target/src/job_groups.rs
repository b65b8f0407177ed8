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
    /// Groups to remove.
    made: Vec<PathBuf>,
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
        if is_new && !stays {
            self.made.push(group.clone());
        }
        let Some(weight) = weight else { return Ok(()) };
        self.set_weight(&group, weight, !is_new).map_err(|error| format!("set its weight: {error}"))
    }

    fn set_weight(&mut self, group: &Path, weight: u32, was_there: bool) -> io::Result<()> {
        let files = WEIGHTS.map(|name| group.join(name));
        let file = files.iter().find(|file| file.exists()).unwrap_or(&files[0]);
        let before = if was_there { Some(fs::read_to_string(file)?) } else { None };
        fs::write(file, weight.to_string())?;
        let is_ours = self.made.iter().any(|made| made == group);
        self.weights.extend(before.filter(|_| !is_ours).map(|before| (file.clone(), before)));
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
        for group in self.made.iter().rev() {
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
