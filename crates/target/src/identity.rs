//! What lies under a path: kind, file system, stack of devices.

mod attributes;
mod link;
mod mount;
mod stack;
mod unseen;

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use message::label;
use record::{FileSystem, LayerKind, TargetInfo, TargetKind};
use units::Bytes;

use crate::error::TargetError;
use crate::folder_entry::Location;
use crate::handle::PathHandle;
use crate::roots::Roots;

pub(crate) use attributes::{read_layer, read_udev_properties};
pub(crate) use mount::{
    Mount, describe_file_system, is_hidden, read_mounts, resolve_device_file, unescape_octal,
};
pub use stack::describe_stack;
pub(crate) use stack::{StackWalk, read_slaves};

/// A folder that a file system on this disk is mounted on to be written.
pub fn find_mounted_folder(disk: &str, roots: &Roots) -> Option<PathBuf> {
    let is_usable = |mount: &Mount| {
        let is_writable = mount.options.iter().any(|option| option == "rw");
        !mount.is_pseudo() && is_writable && mount.root == Path::new("/")
    };
    let (mut nearest, mut below) = (None, None);
    for mount in read_mounts(roots).into_iter().filter(is_usable) {
        let stack = describe_stack(&mount.device, roots);
        let top = stack.iter().find(|layer| layer.kind != LayerKind::Partition);
        if top.is_some_and(|layer| layer.name == disk) {
            nearest.get_or_insert(mount.mount_point);
        } else if stack.iter().any(|layer| layer.name == disk) {
            below.get_or_insert(mount.mount_point);
        }
    }
    nearest.or(below)
}

/// Says what lies under `path`: its kind, its file system and the devices below, in the record's
/// words. Size and direct I/O are filled in when it is opened.
pub fn describe_target(
    path: &(impl Location + ?Sized),
    roots: &Roots,
) -> Result<TargetInfo, TargetError> {
    let handle = path.open_handle()?;
    let path = handle.path();
    let metadata = handle.metadata().map_err(|e| TargetError::from_io("look at", path, e))?;
    let kind = classify_target(path, &metadata.file_type())?;
    let mut walk = StackWalk::new(roots);
    let file_system = if kind == TargetKind::BlockDevice {
        walk.enter_device(&format_device_number(metadata.rdev()), None);
        None
    } else {
        describe_file_below(&handle, &metadata, &mut walk)
    };
    let StackWalk { layers: stack, unknown, .. } = walk;
    let mut unknown: Vec<String> = unknown.iter().map(|what| what.text().to_owned()).collect();
    if stack.is_empty() {
        unknown.push(match &file_system {
            Some(fs) if fs.memory => format!("{} has no device: it is memory", fs.kind),
            Some(fs) if fs.network => format!("the devices behind {} ({})", fs.source, fs.kind),
            Some(fs) => format!("the device under {} ({})", fs.source, fs.kind),
            None => "the device in sysfs".to_owned(),
        });
    }
    Ok(TargetInfo {
        path: handle.resolved().to_string_lossy().into_owned(),
        kind,
        file_system,
        stack,
        size: Bytes(0),
        direct: false,
        dio_memory_align: Bytes(0),
        dio_offset_align: Bytes(0),
        dio_align_source: String::new(),
        extents: None,
        unknown,
    })
}

pub(crate) fn classify_target(
    path: &Path,
    file_type: &fs::FileType,
) -> Result<TargetKind, TargetError> {
    let what = match file_type {
        kind if kind.is_dir() => return Ok(TargetKind::Directory),
        kind if kind.is_file() => return Ok(TargetKind::File),
        kind if kind.is_block_device() => return Ok(TargetKind::BlockDevice),
        kind if kind.is_char_device() => "a character device",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "of an unknown kind",
    };
    Err(TargetError::Unsuitable { path: path.to_owned(), what })
}

/// `major:minor` of a device number.
pub(crate) fn format_device_number(device: u64) -> String {
    format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
}

fn describe_file_below(
    handle: &PathHandle,
    metadata: &fs::Metadata,
    walk: &mut StackWalk,
) -> Option<FileSystem> {
    let device = format_device_number(metadata.dev());
    if walk.table.is_empty() {
        walk.unknown.push(label("unseen-mounts"));
    }
    let Some(mount) = mount::find_mount(&walk.table, handle.resolved(), &device).cloned() else {
        walk.enter_device(&device, None);
        return None;
    };
    walk.enter_mount(&mount, None);
    let statvfs = handle.stat_file_system().ok();
    let statfs = rustix::fs::fstatfs(handle.file()).ok();
    Some(mount::describe_file_system(&mount, statvfs.as_ref(), statfs.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tree;

    #[test]
    fn a_folder_on_a_disk_is_one_that_can_be_written() {
        let tree = Tree::of(
            "sys/dev/block/8:0 -> ../../devices/block/sda\n\
             sys/devices/block/sda/dev = 8:0\n\
             sys/devices/block/sda/size = 4194304\n\
             sys/dev/block/8:1 -> ../../devices/block/sda/sda1\n\
             sys/devices/block/sda/sda1/dev = 8:1\n\
             sys/devices/block/sda/sda1/partition = 1\n\
             sys/devices/block/sda/sda1/size = 4194304\n\
             proc/self/mountinfo = 20 1 8:1 / /ro ro - ext4 /dev/sda1 ro\\n\
             21 1 8:1 /etc/x /etc/x rw - ext4 /dev/sda1 rw\\n\
             22 1 0:30 / /tmp rw - tmpfs tmpfs rw\\n\
             23 1 8:1 / /srv rw - ext4 /dev/sda1 rw\\n\n",
        );
        assert_eq!(find_mounted_folder("sda", &tree.roots), Some(PathBuf::from("/srv")));
        assert_eq!(find_mounted_folder("sdb", &tree.roots), None);
    }
}
