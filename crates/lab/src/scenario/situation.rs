//! What a scenario has built, and how a command is run in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::copy_context;
use crate::{
    CpuQuota, LabError, LoopDevice, MajorMinor, Mount, Neighbour, Result, Scratch, SimulatedDisk,
    SysfsTree, Throttle, Timeline, Tmpfs, Zram,
};

/// A storage situation that is there until it is dropped, from the users to the used, or
/// [torn down](Situation::tear_down).
#[derive(Debug, Default)]
pub struct Situation {
    pub(super) path: PathBuf,
    pub(super) is_read_only: bool,
    pub(super) size: Option<u64>,
    pub(super) schedule: Option<Timeline>,
    pub(super) neighbour: Option<Neighbour>,
    pub(super) throttle: Option<Throttle>,
    pub(super) quota: Option<CpuQuota>,
    pub(super) mount: Option<Mount>,
    pub(super) device: Option<LoopDevice>,
    pub(super) disk: Option<SimulatedDisk>,
    pub(super) memory: Option<Tmpfs>,
    pub(super) zram: Option<Zram>,
    pub(super) tree: Option<SysfsTree>,
    pub(super) scratch: Option<Scratch>,
}

impl Situation {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The arguments of `truedisk check`; the path comes last.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        arguments.extend(self.is_read_only.then(|| "--read-only".into()));
        if let Some(bytes) = self.size {
            arguments.extend(["--size".into(), bytes.to_string().into()]);
        }
        arguments.push(self.path.clone().into());
        arguments
    }

    /// Whether nothing may be written.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The folder that stands for `/` when the hardware is looked at.
    pub fn machine_root(&self) -> Option<&Path> {
        self.tree.as_ref().map(SysfsTree::root)
    }

    pub fn device_number(&self) -> Option<MajorMinor> {
        self.device.as_ref().map(LoopDevice::major_minor)
    }

    /// The same command, run inside its control group or on the other machine; its standard
    /// streams are to be set on the returned one.
    pub fn wrap_command(&self, command: &Command) -> Command {
        match (&self.throttle, &self.quota, &self.tree) {
            (Some(throttle), ..) => throttle.wrap_command(command),
            (None, Some(quota), _) => quota.wrap_command(command),
            (None, None, Some(tree)) => enter_machine(tree, command),
            (None, None, None) => copy_command(command),
        }
    }

    /// Undoes it now. Fails when a folder, a mount, a group or a device of it is still there.
    pub fn tear_down(self) -> Result<()> {
        let (places, attached) = (self.list_paths(), self.read_backing_file());
        drop(self);
        let place = places.into_iter().find(|place| place.exists());
        let still = attached.filter(|(file, held)| std::fs::read(file).ok().as_ref() == Some(held));
        match place.or(still.map(|(file, _)| file)) {
            None => Ok(()),
            Some(left) => Err(LabError::unusable(left, "is left behind")),
        }
    }

    /// The file of sysfs that says what the loop device is attached to, and what it says.
    fn read_backing_file(&self) -> Option<(PathBuf, Vec<u8>)> {
        let device = self.device.as_ref()?;
        let file = Path::new("/sys/block").join(device.name()).join("loop/backing_file");
        let held = std::fs::read(&file).ok()?;
        Some((file, held))
    }

    fn list_paths(&self) -> Vec<PathBuf> {
        let places = [
            self.throttle.as_ref().map(Throttle::path),
            self.quota.as_ref().map(CpuQuota::path),
            self.mount.as_ref().map(Mount::path),
            self.disk.as_ref().map(SimulatedDisk::path),
            self.memory.as_ref().map(Tmpfs::path),
            self.tree.as_ref().map(SysfsTree::root),
            self.scratch.as_ref().map(Scratch::path),
        ];
        places.into_iter().flatten().map(Path::to_owned).collect()
    }
}

/// Shows a process another machine. If a mount fails, the program must not start at all.
const ENTER_MACHINE_SCRIPT: &str = "\
    mount --bind \"$0/sys\" /sys || exit 125
    for file in \"$0\"/proc/self/*; do
        mount --bind \"$file\" \"/proc/$$/${file##*/}\" || exit 125
    done
    exec \"$@\"";

fn enter_machine(tree: &SysfsTree, command: &Command) -> Command {
    let mut outer = Command::new("unshare");
    outer.args(["--mount", "sh", "-c", ENTER_MACHINE_SCRIPT]).arg(tree.root());
    outer.arg(command.get_program()).args(command.get_args());
    copy_context(command, &mut outer);
    outer
}

fn copy_command(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    copy_context(command, &mut copy);
    copy
}
