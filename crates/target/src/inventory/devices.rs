//! The block devices, each after what it lies on.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use message::{Message, messages};
use record::{Device, DiskHealth, Layer, LayerKind};
use units::Bytes;

use super::ask::shell_quote;
use super::writability::{assess_writability, is_device_file};
use crate::health::read_health;
use crate::identity::{Mount, is_hidden, read_layer, read_slaves, resolve_device_file};
use crate::limits::SIZE_MIN;
use crate::roots::{Roots, file_name_of, list_entries, read_trimmed};
use crate::usage::DeviceWriters;

/// Every block device but loop devices without a file behind them.
pub(super) fn list_devices(table: &[Mount], roots: &Roots) -> Vec<Device> {
    let folders = list_entries(&roots.sys.join("dev/block"));
    let writers = DeviceWriters::scan_processes(roots);
    let resolved = folders.iter().filter_map(|folder| std::fs::canonicalize(folder).ok());
    let mut devices: Vec<Device> =
        resolved.filter_map(|folder| describe_device(&folder, table, &writers, roots)).collect();
    devices.sort_by_key(|device| natural_sort_key(&device.layer.name));
    let whole = devices.iter().filter(|other| other.layer.kind != LayerKind::Partition);
    let over: Vec<(String, Vec<String>)> =
        whole.map(|other| (other.layer.name.clone(), other.lies_on.clone())).collect();
    for device in &mut devices {
        let holders = over.iter().filter(|(_, lies_on)| lies_on.contains(&device.layer.name));
        device.holders = holders.map(|(name, _)| name.clone()).collect();
    }
    sort_by_stack(devices)
}

fn describe_device(
    folder: &Path,
    table: &[Mount],
    writers: &DeviceWriters,
    roots: &Roots,
) -> Option<Device> {
    let mut unknown = Vec::new();
    let layer = read_layer(folder, roots, &mut unknown)?;
    let empty = layer.size.0 == 0;
    if empty && layer.kind == LayerKind::Loop && layer.backing_file.is_none() {
        return None;
    }
    let path = device_path(&layer, roots);
    let missing: Option<Message> = match is_device_file(&layer, Path::new(&path), roots) {
        true => None,
        false if roots.host_path(Path::new(&path)).exists() => {
            Some(OtherDeviceFile { path: path.clone(), device: layer.name.clone() }.into())
        }
        false => Some(NoDeviceFile { path: path.clone() }.into()),
    };
    unknown.extend(missing.clone());
    let health = read_device_health(&layer, roots, &mut unknown);
    let is_on = |mount: &&Mount| mount.block_devices(roots).iter().any(|device| device == folder);
    let mut mounts: Vec<&Mount> = table.iter().filter(is_on).collect();
    let mut mounted_on: Vec<String> =
        mounts.iter().map(|mount| mount.mount_point.to_string_lossy().into_owned()).collect();
    mounted_on.dedup();
    let write = assess_writability(&layer, Path::new(&path), missing.as_ref(), writers, roots);
    mounts.retain(|mount| !is_hidden(mount, table));
    let measure = match empty {
        true => None,
        false => suggest_command(&path, missing.is_none(), &layer, &mounts, roots, &mut unknown),
    };
    Some(Device {
        lies_on: find_lower_devices(folder, &layer, roots),
        claims: layer.describe_claim().filter(|_| layer.kind == LayerKind::Disk),
        health,
        removable: read_trimmed(&folder.join("removable")).is_some_and(|text| text == "1"),
        mounted_on,
        holders: Vec::new(),
        path,
        layer,
        write,
        measure,
        unknown,
    })
}

fn read_device_health(
    layer: &Layer,
    roots: &Roots,
    unknown: &mut Vec<Message>,
) -> Option<DiskHealth> {
    if layer.kind != LayerKind::Disk {
        return None;
    }
    let (health, error) = read_health(&layer.name, roots);
    // That there is no device file is said already.
    let error = error.filter(|error| error.kind() != ErrorKind::NotFound);
    unknown.extend(error.map(|error| HealthUnseen { reason: error.to_string() }.into()));
    (!health.is_unknown()).then_some(health)
}

/// `/dev/mapper/vg0-root` for what the device mapper makes, where udev made that name.
fn device_path(layer: &Layer, roots: &Roots) -> String {
    use LayerKind::{Crypt, DeviceMapper, Lvm, Multipath};
    let is_mapped = matches!(layer.kind, Lvm | Crypt | Multipath | DeviceMapper);
    let name = layer.detail.as_ref().filter(|_| is_mapped);
    let named = name.map(|name| format!("/dev/mapper/{name}"));
    let named = named.filter(|path| roots.host_path(Path::new(path)).exists());
    named.unwrap_or_else(|| format!("/dev/{}", layer.name))
}

fn find_lower_devices(folder: &Path, layer: &Layer, roots: &Roots) -> Vec<String> {
    let below: Vec<PathBuf> = match (layer.kind, &layer.backing_file) {
        (LayerKind::Partition, _) => folder.parent().map(Path::to_owned).into_iter().collect(),
        (_, Some(file)) => resolve_device_file(file, roots).into_iter().collect(),
        _ => read_slaves(folder),
    };
    below.iter().map(|folder| file_name_of(folder).replace('!', "/")).collect()
}

fn suggest_command(
    path: &str,
    there: bool,
    layer: &Layer,
    mounts: &[&Mount],
    roots: &Roots,
    unknown: &mut Vec<Message>,
) -> Option<String> {
    let writable =
        |mount: &&&Mount| !mount.options.iter().chain(&mount.super_options).any(|o| o == "ro");
    let whole = |mount: &&&Mount| mount.root == Path::new("/");
    // A folder of it does as well: a subvolume, or what is mounted twice.
    let part = |mount: &&&Mount| roots.host_path(&mount.mount_point).is_dir();
    let writable = || mounts.iter().filter(writable);
    let folder = writable().find(whole).or_else(|| writable().find(part));
    if let Some(mount) = folder {
        let folder = shell_quote(&mount.mount_point.to_string_lossy());
        return Some(format!("truedisk check {folder}"));
    }
    if layer.size < SIZE_MIN {
        unknown.push(TooSmall { size_min: SIZE_MIN }.into());
        return None;
    }
    there.then(|| format!("truedisk check --read-only {}", shell_quote(path)))
}

fn sort_by_stack(devices: Vec<Device>) -> Vec<Device> {
    fn descend(name: &str, devices: &[Device], done: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
        for (place, device) in devices.iter().enumerate() {
            if device.lies_on.first().is_some_and(|on| on == name) && done.insert(place) {
                order.push(place);
                descend(&device.layer.name, devices, done, order);
            }
        }
    }
    let (mut done, mut order) = (BTreeSet::new(), Vec::new());
    let known = |name: &String| devices.iter().any(|device| device.layer.name == *name);
    for (place, device) in devices.iter().enumerate() {
        if !device.lies_on.first().is_some_and(known) && done.insert(place) {
            order.push(place);
            descend(&device.layer.name, &devices, &mut done, &mut order);
        }
    }
    // A tree that contradicts itself loses nothing.
    order.extend((0..devices.len()).filter(|place| !done.contains(place)));
    order.into_iter().map(|place| devices[place].clone()).collect()
}

/// Names with their numbers as numbers: sda2 before sda10.
fn natural_sort_key(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        parts.push((word.to_owned(), tail[..end].parse().unwrap_or(0)));
        rest = &tail[end..];
    }
    parts
}

messages! {
    NoDeviceFile = "device-file-missing" { path: String };
    OtherDeviceFile = "device-file-other" { path: String, device: String };
    TooSmall = "device-too-small" { size_min: Bytes };
    HealthUnseen = "device-health-unseen" { reason: String };
}
