//! What the guard would say to writing to a device, found out without opening it for writing.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use record::{Layer, WriteStand};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::quoted;
use crate::guard::claim_for_a_look;
use crate::identity::{device_name, udev_properties};
use crate::roots::Roots;
use crate::signature::signature;
use crate::usage::uses;

/// The reasons of the guard, in its words and its order; what it would see only by claiming the
/// device is looked at where nothing else speaks against writing.
pub(super) fn stand(layer: &Layer, path: &Path, roots: &Roots) -> WriteStand {
    let mut stand = WriteStand { refused: uses(&layer.device, roots), ..WriteStand::default() };
    if layer.size.0 == 0 {
        let why = "it has no size: it is not set up, or there is no medium in it";
        stand.refused.push(why.to_owned());
    }
    if layer.read_only {
        stand.refused.push("the kernel has it read-only".to_owned());
    }
    if stand.refused.is_empty() {
        look(&mut stand, layer, path, roots);
    }
    if stand.refused.is_empty() {
        let name = quoted(&path.to_string_lossy());
        stand.command = Some(format!("truedisk check {name} --yes-destroy-data-on {name}"));
    }
    stand
}

fn look(stand: &mut WriteStand, layer: &Layer, path: &Path, roots: &Roots) {
    let file = roots.absolute(path);
    let is_it = |found: &Metadata| {
        found.file_type().is_block_device() && device_name(found.rdev()) == layer.device
    };
    if !std::fs::metadata(&file).is_ok_and(|found| is_it(&found)) {
        let why = format!("{} is not the device file of {}", path.display(), layer.name);
        stand.unseen.push(format!("whether somebody has claimed it, and what is on it: {why}"));
        stand.holds = by_udev(layer, roots);
        return;
    }
    if accessat(CWD, &file, Access::WRITE_OK, AtFlags::EACCESS).is_err() {
        stand.refused.push("this user may not write to it".to_owned());
    }
    match claim_for_a_look(&file).and_then(|device| signature(&device)) {
        Ok(held) => stand.holds = held.map(str::to_owned),
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            stand.refused.push(format!("the kernel says that it is in use: {error}"));
        }
        Err(error) => {
            stand.unseen.push(format!("whether somebody has claimed it, and its blocks: {error}"));
            stand.holds = by_udev(layer, roots);
        }
    }
}

/// What udev found on it: readable by everyone where the device is not.
fn by_udev(layer: &Layer, roots: &Roots) -> Option<String> {
    let properties = udev_properties(&layer.device, roots);
    let kind = properties.get("ID_FS_TYPE").map(|kind| format!("{kind}, by udev"));
    let table = properties.get("ID_PART_TABLE_TYPE");
    kind.or_else(|| table.map(|kind| format!("a partition table ({kind}), by udev")))
}
