//! What is on a host, as `truedisk devices` tells it.

use std::fmt::Write as _;

use record::{Device, Inventory, Layer, LayerKind, Link, Mounted};
use units::Bytes;

use crate::text::{Style, TextTable, WIDTH, write_wrapped_to};
use crate::words::{kind_words, or_dash};

/// Narrower than this nothing can be read.
const WIDTH_MIN: usize = 40;

/// What is here, for a terminal of `width` columns: devices, file systems, whether each device may
/// be written, and the command that measures each next.
pub fn render_devices(inventory: &Inventory, style: Style, width: usize) -> String {
    let width = width.clamp(WIDTH_MIN, WIDTH);
    let page = DevicesPage { inventory, style, width };
    let mut out = String::new();
    page.write_devices(&mut out);
    page.write_permissions(&mut out);
    page.write_file_systems(&mut out);
    page.write_commands(&mut out);
    page.write_unknowns(&mut out);
    out
}

type Rows = Vec<Vec<String>>;

struct DevicesPage<'a> {
    inventory: &'a Inventory,
    style: Style,
    width: usize,
}

impl DevicesPage<'_> {
    fn write_title(&self, out: &mut String, text: &str) {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}{}", self.style.bold(text));
    }

    fn write_paragraph(&self, out: &mut String, text: &str) {
        write_wrapped_to(out, "", text, self.width);
    }

    /// The columns in `right` hold numbers.
    fn write_table(&self, out: &mut String, head: &[&str], rows: Rows, right: &[usize]) {
        let table = TextTable::new(head.iter().copied(), rows).fit(self.width);
        table.right(|column| right.contains(&column)).write(out);
    }

    /// Those that are something: RAM disks and devices that are not set up are only named.
    fn shown_devices(&self) -> impl Iterator<Item = &Device> {
        self.inventory.devices.iter().filter(|device| !is_idle(device))
    }

    fn write_devices(&self, out: &mut String) {
        self.write_title(out, "Block devices");
        let depth = |device: &Device| {
            let mut depth = 0;
            let mut on = device.lies_on.first();
            while let Some(below) = on.and_then(|name| self.inventory.device(name)) {
                depth += 1;
                on = below.lies_on.first().filter(|_| depth < 8);
            }
            depth
        };
        let row = |device: &Device| {
            let [queue, cache, sectors] = queue_columns(&device.layer);
            vec![
                format!("{}{}", "  ".repeat(depth(device)), device.layer.name),
                device.layer.size.to_string(),
                device_words(device),
                or_dash(device.layer.link.as_ref().map(link_words)),
                queue,
                cache,
                sectors,
            ]
        };
        let rows: Rows = self.shown_devices().map(row).collect();
        if rows.is_empty() {
            self.write_paragraph(out, "None can be seen here.");
        } else {
            let head = ["device", "size", "what it claims", "link", "queue", "cache", "sectors"];
            self.write_table(out, &head, rows, &[1]);
        }
        let idle = self.inventory.devices.iter().filter(|device| is_idle(device));
        let idle: Vec<&str> = idle.map(|device| device.layer.name.as_str()).collect();
        if !idle.is_empty() {
            let names = idle.join(", ");
            let words = format!("Not set up, empty, or memory, and left out here: {names}.");
            self.write_paragraph(out, &words);
        }
    }

    fn write_permissions(&self, out: &mut String) {
        if self.shown_devices().next().is_none() {
            return;
        }
        self.write_title(out, "May they be written?");
        let rows = self.shown_devices().map(|device| {
            let [word, why] = permission_words(device);
            vec![device.layer.name.clone(), word, why]
        });
        self.write_table(out, &["device", "", "why"], rows.collect(), &[]);
        self.write_paragraph(
            out,
            "Nothing was opened for writing to find this out, and the guard looks again before \
             anything is. A device is written only when it is named twice: truedisk check DEVICE \
             --yes-destroy-data-on DEVICE.",
        );
    }

    fn write_file_systems(&self, out: &mut String) {
        let shown: Vec<&Mounted> =
            self.inventory.mounts.iter().filter(|mount| !mount.single_file).collect();
        if !shown.is_empty() {
            self.write_title(out, "File systems");
            let row = |mount: &&Mounted| {
                let system = &mount.file_system;
                let size = |bytes: Bytes| or_dash((system.size.0 > 0).then_some(bytes));
                vec![
                    system.mount_point.clone(),
                    system.kind.clone(),
                    size(system.size),
                    size(system.free),
                    mount_words(mount),
                ]
            };
            let rows = shown.iter().map(row).collect();
            self.write_table(out, &["mounted on", "kind", "size", "free", "on"], rows, &[2, 3]);
        }
        for swap in &self.inventory.swaps {
            let text = format!("Swap space: {}, {} of {} used.", swap.path, swap.used, swap.size);
            self.write_paragraph(out, &text);
        }
    }

    /// Each command once, whole on its line, to be copied; memory is no disk to be measured.
    fn write_commands(&self, out: &mut String) {
        let disks = self.inventory.mounts.iter().filter(|mount| !mount.file_system.memory);
        let of_mounts = disks.filter_map(|mount| mount.measure.as_ref());
        let of_devices = self.shown_devices().filter_map(|device| device.measure.as_ref());
        let mut commands: Vec<&String> = Vec::new();
        for command in of_mounts.chain(of_devices) {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
        if !commands.is_empty() {
            self.write_title(out, "To measure next");
            for command in commands {
                let _ = writeln!(out, "  {command}");
            }
        }
    }

    fn write_unknowns(&self, out: &mut String) {
        let mut lines = self.inventory.unknown.clone();
        for device in self.shown_devices() {
            let name = &device.layer.name;
            let unseen = device.write.unseen.iter().chain(&device.unknown);
            lines.extend(unseen.map(|what| format!("{name}: {what}")));
        }
        for mount in &self.inventory.mounts {
            let place = &mount.file_system.mount_point;
            lines.extend(mount.unknown.iter().map(|what| format!("{place}: {what}")));
        }
        if !lines.is_empty() {
            self.write_title(out, "Could not be found out");
            lines.iter().for_each(|line| write_wrapped_to(out, "  ", line, self.width));
        }
    }
}

/// Whether a device is only a place for one, or a RAM disk, and nobody uses it.
fn is_idle(device: &Device) -> bool {
    let unused = device.mounted_on.is_empty() && device.holders.is_empty();
    unused && (device.layer.size.0 == 0 || device.layer.kind == LayerKind::Ram)
}

fn device_words(device: &Device) -> String {
    let layer = &device.layer;
    let kind = kind_words(layer.kind);
    let mut words = match (&device.claims, &layer.detail, &layer.backing_file) {
        (Some(claims), ..) => claims.clone(),
        (_, Some(detail), _) => format!("{kind} {detail}"),
        (.., Some(file)) => format!("{kind} over {file}"),
        _ => kind.to_owned().text().to_owned(),
    };
    if device.removable {
        words.push_str(", removable");
    }
    words
}

fn link_words(link: &Link) -> String {
    let most = link.max.as_ref().map(|max| format!(" of {max}")).unwrap_or_default();
    let down = if link.downtrained { ", below what it can" } else { "" };
    format!("{} {}{most}: {} at most{down}", link.kind, link.current, link.ceiling)
}

/// Scheduler and depth, cache, sectors; of a partition they are those of its disk.
fn queue_columns(layer: &Layer) -> [String; 3] {
    let Some(queue) = layer.queue.as_ref().filter(|_| layer.kind != LayerKind::Partition) else {
        return [const { String::new() }; 3];
    };
    let scheduler = or_dash(queue.scheduler.as_ref());
    let depth = match (queue.nr_requests, queue.hardware_queues) {
        (Some(depth), Some(queues)) if queues > 1 => format!(", {queues} x {depth}"),
        (Some(depth), _) => format!(", {depth}"),
        (None, _) => String::new(),
    };
    let [logical, physical] = [queue.logical_block_size, queue.physical_block_size]
        .map(|bytes| or_dash(bytes.map(|bytes| bytes.0)));
    let cache = or_dash(queue.write_cache.as_ref());
    [format!("{scheduler}{depth}"), cache, format!("{logical}/{physical}")]
}

fn permission_words(device: &Device) -> [String; 2] {
    let stand = &device.write;
    let refused = stand.refused.join("; ");
    let held =
        stand.holds.as_ref().map(|held| format!("nothing here uses it, but it holds {held}"));
    let (word, why) = match (&held, stand.unseen.is_empty()) {
        _ if !stand.refused.is_empty() => ("no", refused.as_str()),
        (Some(held), _) => ("loses data", held.as_str()),
        (None, true) => ("yes", "nothing here uses it, and nothing is found on it"),
        (None, false) => ("unknown", "nothing is seen to use it; see below"),
    };
    [word, why].map(str::to_owned)
}

fn mount_words(mount: &Mounted) -> String {
    let system = &mount.file_system;
    let mut words = match (&mount.what, mount.devices.is_empty()) {
        (Some(what), true) => format!("{what} ({})", system.source),
        (Some(what), false) => format!("{what}, on {}", mount.devices.join(", ")),
        (None, false) => mount.devices.join(", "),
        (None, true) => system.source.clone(),
    };
    if mount.root != "/" {
        let _ = write!(words, ": its {}", mount.root);
    }
    if system.read_only {
        words.push_str(", read-only");
    }
    words
}

#[cfg(test)]
mod tests;
