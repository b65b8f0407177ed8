//! What lies under a path: kind, file system, stack of devices.

mod link;
mod mount;
mod stack;

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use record::{FileSystem, Layer, TargetInfo, TargetKind};
use units::Bytes;

use crate::error::TargetError;
use crate::roots::Roots;

pub(crate) use mount::{Mount, mounts};
pub use stack::describe_stack;

/// How many file systems may lie on each other (a loop device on a file on a loop device ...).
const NESTING_MAX: usize = 8;

/// Says what lies under `path`: its kind, its file system and the devices below, in the record's
/// words. Size and direct I/O are filled in when it is opened.
///
/// # Errors
/// When the path does not exist, may not be looked at, or is no folder, file or block device.
pub fn describe(path: &Path, roots: &Roots) -> Result<TargetInfo, TargetError> {
    let absolute = fs::canonicalize(path).map_err(|e| TargetError::io("look at", path, e))?;
    let metadata = fs::metadata(&absolute).map_err(|e| TargetError::io("look at", path, e))?;
    let kind = kind_of(path, &metadata)?;
    let (file_system, stack) = if kind == TargetKind::BlockDevice {
        (None, describe_stack(&device_name(metadata.rdev()), roots))
    } else {
        below_file(&absolute, &metadata, roots)
    };
    let mut unknown = Vec::new();
    if stack.is_empty() {
        unknown.push(match &file_system {
            Some(fs) if fs.memory => format!("{} has no device: it is memory", fs.kind),
            Some(fs) if fs.network => format!("the devices behind {} ({})", fs.source, fs.kind),
            Some(fs) => format!("the device under {} ({})", fs.source, fs.kind),
            None => "the device in sysfs".to_owned(),
        });
    }
    Ok(TargetInfo {
        path: absolute.to_string_lossy().into_owned(),
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

fn kind_of(path: &Path, metadata: &fs::Metadata) -> Result<TargetKind, TargetError> {
    let file_type = metadata.file_type();
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

/// The file system of a file and the devices under it, through overlays and loop devices.
fn below_file(
    path: &Path,
    metadata: &fs::Metadata,
    roots: &Roots,
) -> (Option<FileSystem>, Vec<Layer>) {
    let table = mounts(roots);
    let Some(mount) = mount::of_path(&table, path, &device_name(metadata.dev())) else {
        return (None, describe_stack(&device_name(metadata.dev()), roots));
    };
    let stack = stack_of_mount(mount, &table, roots, NESTING_MAX);
    let statfs = rustix::fs::statvfs(path).ok();
    (Some(mount::file_system(mount, statfs.as_ref())), stack)
}

/// The devices under a mount; an overlay is continued at the folder that takes its writes.
fn stack_of_mount(mount: &Mount, table: &[Mount], roots: &Roots, nesting: usize) -> Vec<Layer> {
    if nesting == 0 {
        return Vec::new();
    }
    if let Some(upper) = mount.overlay_upper() {
        // In a container the upper folder lies outside what can be seen: then nothing is known.
        return mount::of_path(table, Path::new(&upper), "")
            .filter(|below| below.mount_point != mount.mount_point)
            .map(|below| stack_of_mount(below, table, roots, nesting - 1))
            .unwrap_or_default();
    }
    mount.block_device(roots).map(|device| describe_stack(&device, roots)).unwrap_or_default()
}

/// The devices under the file behind a loop device.
pub(crate) fn below_backing_file(file: &str, roots: &Roots) -> Vec<Layer> {
    let table = mounts(roots);
    mount::of_path(&table, Path::new(file), "")
        .map(|mount| stack_of_mount(mount, &table, roots, NESTING_MAX))
        .unwrap_or_default()
}
