//! What the guard would say to writing to a device, found out without opening it for writing.

use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::Duration;

use record::{Layer, LayerKind, WriteStand};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::ask::{run_with_timeout, shell_quote};
use crate::content_scan::{ScanMode, scan_contents as look_for_data};
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
    missing: Option<&str>,
    writers: &DeviceWriters,
    roots: &Roots,
) -> WriteStand {
    let mut stand =
        WriteStand { refused: find_uses(&layer.device, roots), ..WriteStand::default() };
    if stand.refused.is_empty() {
        stand.refused.extend(writers.find_writer(&layer.device, roots));
    }
    for (is_so, why) in [
        (layer.size.0 == 0, "it has no size: it is not set up, or there is no medium in it"),
        (layer.read_only, "the kernel has it read-only"),
        (layer.kind == LayerKind::Optical, "optical media are not written"),
    ] {
        stand.refused.extend(is_so.then(|| why.to_owned()));
    }
    if stand.refused.is_empty() {
        match missing {
            None => inspect_device(&mut stand, layer, path, roots),
            Some(why) => {
                let what = "whether a program has claimed it, and what is on it";
                stand.unseen.push(format!("{what}: {why}"));
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
        stand.refused.push("this user may not write to it".to_owned());
    }
    let looked = run_with_timeout(ANSWER_TIMEOUT, "look", move || {
        claim_for_reading(&file).and_then(|device| look_for_data(&device, ScanMode::Quick))
    });
    match looked.unwrap_or_else(|why| Err(io::Error::other(why))) {
        Ok(look) => stand.holds = look.contents.map(|found| found.description().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            stand.refused.push(format!("the kernel says that it is in use: {error}"));
        }
        Err(error) => {
            stand.unseen.push(format!("whether a program has claimed it, and its blocks: {error}"));
            stand.holds = contents_by_udev(layer, roots);
        }
    }
}

/// What udev found on it: readable by everyone where the device is not.
fn contents_by_udev(layer: &Layer, roots: &Roots) -> Option<String> {
    let properties = read_udev_properties(&layer.device, roots);
    let kind = properties.get("ID_FS_TYPE").map(|kind| format!("{kind}, by udev"));
    let table = properties.get("ID_PART_TABLE_TYPE");
    kind.or_else(|| table.map(|kind| format!("a partition table ({kind}), by udev")))
}
