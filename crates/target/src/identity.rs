//! What lies under a path: kind, file system, stack of devices.

mod attributes;
mod link;
mod mount;
mod stack;

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use record::{FileSystem, TargetInfo, TargetKind};
use units::Bytes;

use crate::entry::Location;
use crate::error::TargetError;
use crate::handle::PathHandle;
use crate::roots::Roots;

pub(crate) use attributes::{layer, udev_properties};
pub(crate) use mount::{Mount, device_file, file_system, is_hidden, mounts, unescape};
pub use stack::describe_stack;
pub(crate) use stack::{Walk, slaves};

/// Says what lies under `path`: its kind, its file system and the devices below, in the record's
/// words. Size and direct I/O are filled in when it is opened.
///
/// # Errors
/// When the path does not exist, may not be looked at, or is no folder, file or block device.
pub fn describe(path: &(impl Location + ?Sized), roots: &Roots) -> Result<TargetInfo, TargetError> {
    let handle = path.open_handle()?;
    let path = handle.path();
    let metadata = handle.metadata().map_err(|e| TargetError::io("look at", path, e))?;
    let kind = kind_of(path, &metadata.file_type())?;
    let mut walk = Walk::new(roots);
    let file_system = if kind == TargetKind::BlockDevice {
        walk.device(&device_name(metadata.rdev()), None);
        None
    } else {
        below_file(&handle, &metadata, &mut walk)
    };
    let Walk { layers: stack, mut unknown, .. } = walk;
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

pub(crate) fn kind_of(path: &Path, file_type: &fs::FileType) -> Result<TargetKind, TargetError> {
    let what = if file_type.is_dir() {
        return Ok(TargetKind::Directory);
    } else if file_type.is_file() {
        return Ok(TargetKind::File);
    } else if file_type.is_block_device() {
        return Ok(TargetKind::BlockDevice);
    } else if file_type.is_char_device() {
        "a character device"
    } else if file_type.is_fifo() {
        "a pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "of an unknown kind"
    };
    Err(TargetError::Unsuitable { path: path.to_owned(), what })
}

/// `major:minor` of a device number.
pub(crate) fn device_name(device: u64) -> String {
    format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
}

/// The file system of a file; the devices under it go to `walk`.
fn below_file(handle: &PathHandle, metadata: &fs::Metadata, walk: &mut Walk) -> Option<FileSystem> {
    let device = device_name(metadata.dev());
    if walk.table.is_empty() {
        walk.unknown.push("the file system: /proc/self/mountinfo cannot be read".to_owned());
    }
    let Some(mount) = mount::of_path(&walk.table, handle.resolved(), &device).cloned() else {
        walk.device(&device, None);
        return None;
    };
    walk.mount(&mount, None);
    let statvfs = handle.file_system().ok();
    let statfs = rustix::fs::fstatfs(handle.file()).ok();
    Some(mount::file_system(&mount, statvfs.as_ref(), statfs.as_ref()))
}
