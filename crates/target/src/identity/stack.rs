//! The stack of block devices under a device number or a mount.

use std::fs;
use std::path::{Path, PathBuf};

use message::Message;
use record::{Layer, LayerKind};

use super::attributes::read_layer;
use super::mount::{self, Mount, read_mounts};
use super::unseen::{BackingFileSystem, FileSystemsNestedDeeper, UpperAssumed, UpperOutside};
use crate::roots::{Roots, list_entries};

/// More layers than this are a broken tree: the largest arrays have some hundred disks.
const LAYERS_MAX: usize = 512;
/// How many file systems may lie on each other (a loop device on a file on a loop device ...).
const NESTING_MAX: usize = 8;

/// The layers under the block device `major:minor`, topmost first.
pub fn describe_stack(device: &str, roots: &Roots) -> Vec<Layer> {
    let mut walk = StackWalk::new(roots);
    walk.enter_device(device, None);
    walk.layers
}

/// A walk down through the layers, each entered once: a tree may contradict itself.
pub(crate) struct StackWalk<'a> {
    roots: &'a Roots,
    pub(crate) table: Vec<Mount>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) unknown: Vec<Message>,
    nesting: usize,
}

impl<'a> StackWalk<'a> {
    pub(crate) fn new(roots: &'a Roots) -> Self {
        let table = read_mounts(roots);
        Self { roots, table, layers: Vec::new(), unknown: Vec::new(), nesting: 0 }
    }

    pub(crate) fn enter_device(&mut self, device: &str, above: Option<&str>) {
        if let Some(folder) = self.roots.block_device(device) {
            self.enter_folder(&folder, above);
        }
    }

    pub(crate) fn enter_mount(&mut self, mount: &Mount, above: Option<&str>) {
        if self.nesting == NESTING_MAX {
            self.unknown.push(FileSystemsNestedDeeper { levels: NESTING_MAX }.into());
            return;
        }
        self.nesting += 1;
        if let Some(upper) = mount.overlay_upper() {
            self.enter_overlay(mount, &upper, above);
        } else {
            for folder in mount.block_devices(self.roots) {
                self.enter_folder(&folder, above);
            }
        }
        self.nesting -= 1;
    }

    fn enter_overlay(&mut self, overlay: &Mount, upper: &str, above: Option<&str>) {
        let found = mount::find_upper_mount(&self.table, overlay, Path::new(upper), self.roots);
        let Some((below, inferred)) = found else {
            self.unknown.push(UpperOutside { upper: upper.to_owned() }.into());
            return;
        };
        let below = below.clone();
        if inferred {
            let (upper, source) = (upper.to_owned(), below.source.clone());
            let mounted_at = below.mount_point.display().to_string();
            self.unknown.push(UpperAssumed { upper, source, mounted_at }.into());
        }
        self.enter_mount(&below, above);
    }

    fn enter_folder(&mut self, folder: &Path, above: Option<&str>) {
        let Some(layer) = read_layer(folder, self.roots, &mut self.unknown) else { return };
        let known = self.layers.iter().any(|known| known.name == layer.name);
        if known || self.layers.len() >= LAYERS_MAX {
            return;
        }
        self.layers.push(Layer { above: above.map(str::to_owned), ..layer.clone() });
        let name = Some(layer.name.as_str());
        if layer.kind == LayerKind::Partition {
            folder.parent().into_iter().for_each(|disk| self.enter_folder(disk, name));
            return;
        }
        read_slaves(folder).iter().for_each(|below| self.enter_folder(below, name));
        if let Some(file) = &layer.backing_file {
            self.enter_backing_file(file, &layer.name);
        }
    }

    fn enter_backing_file(&mut self, file: &str, above: &str) {
        if let Some(folder) = mount::resolve_device_file(file, self.roots) {
            self.enter_folder(&folder, Some(above));
            return;
        }
        match mount::find_mount(&self.table, Path::new(file), "").cloned() {
            Some(mount) => self.enter_mount(&mount, Some(above)),
            None => {
                let (file, device) = (file.to_owned(), above.to_owned());
                self.unknown.push(BackingFileSystem { file, device }.into());
            }
        }
    }
}

pub(crate) fn read_slaves(folder: &Path) -> Vec<PathBuf> {
    let links = list_entries(&folder.join("slaves"));
    links.iter().filter_map(|link| fs::canonicalize(link).ok()).collect()
}
