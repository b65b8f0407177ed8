//! The mounted file systems that keep files.

use std::path::Path;
use std::time::Duration;

use message::{Message, label, messages};
use record::{FileSystem, Mounted};
use rustix::fs::{Access, AtFlags, CWD, StatFs, StatVfs, accessat, statfs, statvfs};

use super::ask::{run_with_timeout, shell_quote};
use crate::identity::{Mount, StackWalk, describe_file_system, is_hidden};
use crate::roots::Roots;

/// A file system whose host is gone never says how large it is.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Those that can be reached, by mount point.
pub(super) fn list_file_systems(table: &[Mount], roots: &Roots) -> Vec<Mounted> {
    let keeps = |mount: &&Mount| !mount.is_pseudo() && !is_hidden(mount, table);
    let mut mounts: Vec<Mounted> =
        table.iter().filter(keeps).map(|mount| describe_mounted(mount, roots)).collect();
    mounts.sort_by(|a, b| a.file_system.mount_point.cmp(&b.file_system.mount_point));
    mounts
}

fn describe_mounted(mount: &Mount, roots: &Roots) -> Mounted {
    let mut unknown: Vec<Message> = Vec::new();
    let place = roots.host_path(&mount.mount_point);
    let sizes = query_sizes(&place, mount);
    let sizes = sizes.map_err(|reason| unknown.push(SizeUnseen { reason }.into())).ok();
    let (vfs, fs) = sizes.unzip();
    let system = describe_file_system(mount, vfs.as_ref(), fs.as_ref());
    let mut walk = StackWalk::new(roots);
    walk.enter_mount(mount, None);
    unknown.append(&mut walk.unknown);
    let on_top = walk.layers.iter().filter(|layer| layer.above.is_none());
    let devices: Vec<String> = on_top.map(|layer| layer.name.clone()).collect();
    // Asked only where the first question was answered: it may hang as well.
    let single_file = vfs.is_some() && place.is_file();
    let measure = suggest_command(&system, single_file, &devices);
    let can_write = || accessat(CWD, &place, Access::WRITE_OK, AtFlags::EACCESS).is_ok();
    if measure.is_some() && vfs.is_some() && !can_write() {
        unknown.push(label("mount-no-permission"));
    }
    Mounted {
        root: mount.root.to_string_lossy().into_owned(),
        what: describe_kind(&system),
        file_system: system,
        devices,
        single_file,
        measure,
        unknown,
    }
}

/// What the file system says of itself; one that another host or a program serves may never answer.
fn query_sizes(place: &Path, mount: &Mount) -> Result<(StatVfs, StatFs), String> {
    let place = place.to_owned();
    let ask = move || -> rustix::io::Result<_> { Ok((statvfs(&place)?, statfs(&place)?)) };
    let served = describe_file_system(mount, None, None).network || mount.kind.starts_with("fuse");
    let answer = if served { run_with_timeout(ANSWER_TIMEOUT, "statvfs", ask)? } else { ask() };
    answer.map_err(|error| error.to_string())
}

/// What it is, where it is no disk of this host.
fn describe_kind(system: &FileSystem) -> Option<Message> {
    if let Some(upper) = system.overlay_upper.clone() {
        return Some(WritableOverlay { upper }.into());
    }
    Some(match system.kind.as_str() {
        _ if system.memory => label("mount-memory"),
        _ if system.network => label("mount-other-host"),
        "overlay" => label("mount-overlay"),
        kind if kind == "fuse" || kind.starts_with("fuse.") => label("mount-fuse"),
        _ => return None,
    })
}

fn suggest_command(system: &FileSystem, single_file: bool, devices: &[String]) -> Option<String> {
    if !system.read_only && !single_file {
        return Some(format!("truedisk check {}", shell_quote(&system.mount_point)));
    }
    let [device] = devices else { return None };
    let device = shell_quote(&format!("/dev/{device}"));
    (!single_file).then(|| format!("truedisk check --read-only {device}"))
}

messages! {
    SizeUnseen = "mount-size-unseen" { reason: String };
    WritableOverlay = "mount-overlay-upper" { upper: String };
}
