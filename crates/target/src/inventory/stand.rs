//! What the guard would say to writing to a device, found out without opening it for writing.

use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::Duration;

use record::{Layer, LayerKind, WriteStand};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::{answer_within, quoted};
use crate::guard::claim_for_a_look;
use crate::identity::{device_name, udev_properties};
use crate::roots::Roots;
use crate::signature::{Thoroughness, look as look_for_data};
use crate::usage::{Writers, uses};

/// How long a device may take to be opened and looked at: one that is suspended, or whose paths are
/// all gone, never answers.
const ANSWER_MOST: Duration = Duration::from_secs(2);

/// The reasons of the guard, in its words and its order; what it would see only by claiming the
/// device is looked at where nothing else speaks against writing. `file` says why the path is not
/// the device's file, where it is not.
pub(super) fn stand(
    layer: &Layer,
    path: &Path,
    file: Result<(), &str>,
    writers: &Writers,
    roots: &Roots,
) -> WriteStand {
    let mut stand = WriteStand { refused: uses(&layer.device, roots), ..WriteStand::default() };
    if stand.refused.is_empty() {
        stand.refused.extend(writers.of(&layer.device, roots));
    }
    if layer.size.0 == 0 {
        let why = "it has no size: it is not set up, or there is no medium in it";
        stand.refused.push(why.to_owned());
    }
    if layer.read_only {
        stand.refused.push("the kernel has it read-only".to_owned());
    }
    if layer.kind == LayerKind::Optical {
        stand.refused.push("optical media are not written".to_owned());
    }
    if stand.refused.is_empty() {
        match file {
            Ok(()) => look(&mut stand, layer, path, roots),
            Err(why) => {
                let what = "whether somebody has claimed it, and what is on it";
                stand.unseen.push(format!("{what}: {why}"));
                stand.holds = by_udev(layer, roots);
            }
        }
    }
    // Nobody should copy a command that destroys what could not be looked at.
    if stand.refused.is_empty() && stand.unseen.is_empty() {
        let name = quoted(&path.to_string_lossy());
        stand.command = Some(format!("truedisk check {name} --yes-destroy-data-on {name}"));
    }
    stand
}

/// Whether the file is that of the device: a name of the device mapper's may have come to mean
/// another.
pub(super) fn is_the_file(layer: &Layer, path: &Path, roots: &Roots) -> bool {
    std::fs::metadata(roots.absolute(path)).is_ok_and(|found| {
        found.file_type().is_block_device() && device_name(found.rdev()) == layer.device
    })
}

fn look(stand: &mut WriteStand, layer: &Layer, path: &Path, roots: &Roots) {
    let file = roots.absolute(path);
    if accessat(CWD, &file, Access::WRITE_OK, AtFlags::EACCESS).is_err() {
        stand.refused.push("this user may not write to it".to_owned());
    }
    let looked = answer_within(ANSWER_MOST, "look", move || {
        claim_for_a_look(&file).and_then(|device| look_for_data(&device, Thoroughness::InPassing))
    });
    match looked.unwrap_or_else(|why| Err(io::Error::other(why))) {
        Ok(look) => stand.holds = look.contents.map(|found| found.words().to_owned()),
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
