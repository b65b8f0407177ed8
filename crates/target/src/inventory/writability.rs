//! What the guard would say to writing to a device, found out without opening it for writing.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use message::{Message, label, messages};
use record::{Layer, LayerKind, WriteStand};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::ask::{run_with_timeout, shell_quote};
use crate::content_scan::{DeviceContents, ScanMode, scan_contents as look_for_data};
use crate::guard::claim_for_reading;
use crate::identity::{format_device_number, read_udev_properties};
use crate::roots::Roots;
use crate::usage::{DeviceWriters, find_uses};

/// A device that is suspended, or whose paths are all gone, never answers.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// The reasons of the guard, in its words and its order. `missing` says why the path is not the
/// device's file.
pub(super) fn assess_writability(
    layer: &Layer,
    path: &Path,
    missing: Option<&Message>,
    writers: &DeviceWriters,
    roots: &Roots,
) -> WriteStand {
    let mut stand =
        WriteStand { refused: find_uses(&layer.device, roots), ..WriteStand::default() };
    if stand.refused.is_empty() {
        stand.refused.extend(writers.find_writer(&layer.device, roots));
    }
    let reasons: [(bool, Message); 3] = [
        (layer.size.0 == 0, label("write-no-size")),
        (layer.read_only, label("write-kernel-read-only")),
        (layer.kind == LayerKind::Optical, label("write-optical")),
    ];
    stand.refused.extend(reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, why)| why));
    if stand.refused.is_empty() {
        match missing {
            None => inspect_device(&mut stand, layer, path, roots),
            Some(why) => {
                stand.unseen.push(ContentsUnseen { reason: why.clone() }.into());
                stand.holds = contents_by_udev(layer, roots);
            }
        }
    }
    // Nobody should copy a command that destroys what could not be looked at.
    if stand.refused.is_empty() && stand.unseen.is_empty() {
        let name = shell_quote(&path.to_string_lossy());
        stand.command = Some(format!("truedisk check {name} --yes-destroy-data-on {name}"));
    }
    stand
}

/// A name of the device mapper's may have come to mean another device.
pub(super) fn is_device_file(layer: &Layer, path: &Path, roots: &Roots) -> bool {
    std::fs::metadata(roots.host_path(path)).is_ok_and(|found| {
        found.file_type().is_block_device() && format_device_number(found.rdev()) == layer.device
    })
}

fn inspect_device(stand: &mut WriteStand, layer: &Layer, path: &Path, roots: &Roots) {
    let file = roots.host_path(path);
    if accessat(CWD, &file, Access::WRITE_OK, AtFlags::EACCESS).is_err() {
        stand.refused.push(label("write-no-permission"));
    }
    let looked = run_with_timeout(ANSWER_TIMEOUT, "look", move || {
        // Nobody else can mount it while it is claimed: not while a slow disk is read.
        drop(claim_for_reading(&file)?);
        let mut options = OpenOptions::new();
        let device = options.read(true).custom_flags(libc::O_NONBLOCK).open(&file)?;
        look_for_data(&device, ScanMode::Quick)
    });
    match looked.unwrap_or_else(|why| Err(io::Error::other(why))) {
        Ok(look) => stand.holds = look.contents.map(DeviceContents::message),
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            stand.refused.push(KernelBusy { error: error.to_string() }.into());
        }
        Err(error) => {
            stand.unseen.push(BlocksUnseen { reason: error.to_string() }.into());
            stand.holds = contents_by_udev(layer, roots);
        }
    }
}

/// What udev found on it: readable by everyone where the device is not.
fn contents_by_udev(layer: &Layer, roots: &Roots) -> Option<Message> {
    let properties = read_udev_properties(&layer.device, roots);
    let find = |name: &str| properties.get(name).map(ToString::to_string);
    let contents = find("ID_FS_TYPE").map(|kind| ContentsByUdev { kind }.into());
    contents.or_else(|| find("ID_PART_TABLE_TYPE").map(|kind| TableByUdev { kind }.into()))
}

messages! {
    KernelBusy = "write-kernel-busy" { error: String };
    ContentsUnseen = "write-contents-unseen" { reason: Message };
    BlocksUnseen = "write-blocks-unseen" { reason: String };
    ContentsByUdev = "holds-by-udev" { kind: String };
    TableByUdev = "holds-table-by-udev" { kind: String };
}
