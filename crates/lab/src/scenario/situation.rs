//! What a scenario has built, and how a command is run in it.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::block::MajorMinor;
use crate::loopdev::LoopDevice;
use crate::mount::{Mount, Tmpfs};
use crate::neighbour::Neighbour;
use crate::scratch::Scratch;
use crate::simulated::SimulatedDisk;
use crate::throttle::Throttle;
use crate::timeline::Timeline;
use crate::tools::copy_context;
use crate::tree::SysfsTree;
use crate::zram::Zram;
use crate::{LabError, Result};

/// The parts of a situation; all is undone when it is dropped, from the users to the used.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) schedule: Option<Timeline>,
    pub(super) neighbour: Option<Neighbour>,
    pub(super) throttle: Option<Throttle>,
    pub(super) mount: Option<Mount>,
    pub(super) device: Option<LoopDevice>,
    pub(super) disk: Option<SimulatedDisk>,
    pub(super) memory: Option<Tmpfs>,
    pub(super) zram: Option<Zram>,
    pub(super) tree: Option<SysfsTree>,
    pub(super) scratch: Option<Scratch>,
}

/// A storage situation that is there until it is dropped, or put [`down`](Situation::down).
pub struct Situation {
    path: PathBuf,
    arguments: Vec<OsString>,
    parts: Parts,
}

impl fmt::Debug for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Situation").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Situation {
    pub(super) fn new(
        path: PathBuf,
        is_read_only: bool,
        size: Option<u64>,
        parts: Parts,
    ) -> Situation {
        let mut arguments: Vec<OsString> = Vec::new();
        arguments.extend(is_read_only.then(|| "--read-only".into()));
        if let Some(bytes) = size {
            arguments.extend(["--size".into(), bytes.to_string().into()]);
        }
        Situation { path, arguments, parts }
    }

    /// What is to be measured.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The arguments of `truedisk check`; the path comes last.
    pub fn arguments(&self) -> Vec<OsString> {
        self.arguments.iter().cloned().chain([self.path.clone().into()]).collect()
    }

    /// Whether nothing may be written.
    pub fn is_read_only(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "--read-only")
    }

    /// The folder that stands for `/` when the hardware is looked at.
    pub fn machine_root(&self) -> Option<&Path> {
        self.parts.tree.as_ref().map(SysfsTree::root)
    }

    /// The number of the loop device, where there is one.
    pub fn device_number(&self) -> Option<MajorMinor> {
        self.parts.device.as_ref().map(LoopDevice::major_minor)
    }

    /// The same command, run inside its control group or on the other machine; its standard
    /// streams are to be set on the returned one.
    pub fn wrap_command(&self, command: &Command) -> Command {
        match (&self.parts.throttle, &self.parts.tree) {
            (Some(throttle), _) => throttle.wrap_command(command),
            (None, Some(tree)) => enter_machine(tree, command),
            (None, None) => copy_command(command),
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
        let device = self.parts.device.as_ref()?;
        let file = Path::new("/sys/block").join(device.name()).join("loop/backing_file");
        let held = std::fs::read(&file).ok()?;
        Some((file, held))
    }

    fn list_paths(&self) -> Vec<PathBuf> {
        let parts = &self.parts;
        let places = [
            parts.throttle.as_ref().map(Throttle::path),
            parts.mount.as_ref().map(Mount::path),
            parts.disk.as_ref().map(SimulatedDisk::path),
            parts.memory.as_ref().map(Tmpfs::path),
            parts.tree.as_ref().map(SysfsTree::root),
            parts.scratch.as_ref().map(Scratch::path),
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
