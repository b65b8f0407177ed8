//! A control group of version 1 of our own, and the processor time that one may grant.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::names::new_name;
use crate::sweep::sweep_once;
use crate::tools::{copy_context, report_failure, retry, write_text};
use crate::undo::{REMOVE_LIMIT, find_group_root, read_members, remove_group};
use crate::{LabError, Result};

/// Removed on drop. Its processes then go back to the group above.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    root: PathBuf,
    path: PathBuf,
}

impl ControlGroup {
    /// Fails when the controller is not ours to use.
    pub(crate) fn create(controller: &str, kind: &str) -> Result<ControlGroup> {
        sweep_once();
        let root = find_group_root(controller)?;
        let path = root.join(new_name(kind));
        fs::create_dir(&path).map_err(|e| LabError::io("create the group", &path, e))?;
        Ok(ControlGroup { root, path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        write_text(self.path.join(file), text)
    }

    pub(crate) fn add_process(&self, pid: u32) -> Result<()> {
        self.write("cgroup.procs", &pid.to_string())
    }

    /// The same command, started inside the group. Its standard streams are to be set on the
    /// returned one.
    pub(crate) fn wrap_command(&self, command: &Command) -> Command {
        let mut inside = Command::new("sh");
        // If joining fails, the program must not start at all.
        inside.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]);
        inside.arg(self.path.join("cgroup.procs"));
        inside.arg(command.get_program()).args(command.get_args());
        copy_context(command, &mut inside);
        inside
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let outcome = retry(REMOVE_LIMIT, || {
            for pid in read_members(&self.path)? {
                // A process that has just ended cannot be moved, and need not be.
                let _ = write_text(self.root.join("cgroup.procs"), &pid.to_string());
            }
            remove_group(&self.path)
        });
        report_failure(outcome);
    }
}

/// A control group that grants its processes a part of one processor; removed on drop.
#[derive(Debug)]
pub struct CpuQuota {
    group: ControlGroup,
}

impl CpuQuota {
    /// Grants `percent` of one processor, in the kernel's periods of 100 ms.
    pub fn new(percent: u32) -> Result<CpuQuota> {
        let group = ControlGroup::create("cpu", "quota")?;
        group.write("cpu.cfs_quota_us", &(percent * 1000).to_string())?;
        Ok(CpuQuota { group })
    }

    /// As [`crate::Throttle::wrap_command`].
    pub fn wrap_command(&self, command: &Command) -> Command {
        self.group.wrap_command(command)
    }

    pub fn path(&self) -> &Path {
        self.group.path()
    }
}
