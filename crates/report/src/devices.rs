//! What is on a host, as `truedisk devices` tells it.

use std::fmt::Write as _;

use message::{Message, Names, Render as _, label, messages};
use record::{Device, Inventory, Layer, LayerKind, Link, Mounted, Swap};
use units::{Bytes, BytesPerSecond};

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
    page.write_health(&mut out);
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

    fn tell(&self, message: Message) -> String {
        message.render(self.style.language)
    }

    fn figure(&self, size: Bytes) -> String {
        self.style.language.punctuate(&size.to_string())
    }

    /// The head is named by the ids of its labels; the columns in `right` hold numbers.
    fn write_table(&self, out: &mut String, head: &[&str], rows: Rows, right: &[usize]) {
        let word = |id: &&str| if id.is_empty() { String::new() } else { self.style.say(id) };
        let table = TextTable::fitting(head.iter().map(word), rows, self.width);
        table.right(|column| right.contains(&column)).write(out);
    }

    /// Those that are something: RAM disks and devices that are not set up are only named.
    fn shown_devices(&self) -> impl Iterator<Item = &Device> {
        self.inventory.devices.iter().filter(|device| !is_idle(device))
    }

    fn write_devices(&self, out: &mut String) {
        self.write_title(out, &self.style.say("devices-title"));
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
                self.figure(device.layer.size),
                self.tell(device_words(device)),
                or_dash(device.layer.link.as_ref().map(|link| self.tell(link_words(link)))),
                queue,
                cache,
                sectors,
            ]
        };
        let rows: Rows = self.shown_devices().map(row).collect();
        if rows.is_empty() {
            self.write_paragraph(out, &self.style.say("devices-none"));
        } else {
            let head = [
                "head-device",
                "head-size",
                "head-claims",
                "head-link",
                "head-queue",
                "head-cache",
                "head-sectors",
            ];
            self.write_table(out, &head, rows, &[1]);
        }
        let idle = self.inventory.devices.iter().filter(|device| is_idle(device));
        let names: Names = idle.map(|device| device.layer.name.as_str()).collect();
        if !names.0.is_empty() {
            self.write_paragraph(out, &self.tell(IdleDevices { names }.into()));
        }
    }

    /// What disks say of their health, where they do: what is wrong first.
    fn write_health(&self, out: &mut String) {
        let row = |device: &Device| {
            let health = device.health.as_ref()?;
            let mut clauses = health.describe_problems();
            clauses.extend(health.describe());
            Some(vec![device.layer.name.clone(), self.tell(Clauses { clauses }.into())])
        };
        let rows: Rows = self.shown_devices().filter_map(row).collect();
        if !rows.is_empty() {
            self.write_title(out, &self.style.say("devices-health"));
            self.write_table(out, &["head-device", "head-health"], rows, &[]);
        }
    }

    fn write_permissions(&self, out: &mut String) {
        if self.shown_devices().next().is_none() {
            return;
        }
        self.write_title(out, &self.style.say("devices-may-write"));
        let rows = self.shown_devices().map(|device| {
            let [word, why] = permission_words(device);
            vec![device.layer.name.clone(), self.tell(word), self.tell(why)]
        });
        self.write_table(out, &["head-device", "", "head-why"], rows.collect(), &[]);
        self.write_paragraph(out, &self.style.say("devices-write-note"));
    }

    fn write_file_systems(&self, out: &mut String) {
        let shown: Vec<&Mounted> =
            self.inventory.mounts.iter().filter(|mount| !mount.single_file).collect();
        if !shown.is_empty() {
            self.write_title(out, &self.style.say("devices-file-systems"));
            let row = |mount: &&Mounted| {
                let system = &mount.file_system;
                let size = |bytes: Bytes| or_dash((system.size.0 > 0).then(|| self.figure(bytes)));
                vec![
                    system.mount_point.clone(),
                    system.kind.clone(),
                    size(system.size),
                    size(system.free),
                    self.tell(mount_words(mount)),
                ]
            };
            let rows = shown.iter().map(row).collect();
            let head = ["head-mounted-on", "head-kind", "head-size", "head-free", "head-on"];
            self.write_table(out, &head, rows, &[2, 3]);
        }
        for swap in &self.inventory.swaps {
            let Swap { path, size, used } = swap.clone();
            self.write_paragraph(out, &self.tell(SwapSpace { path, used, size }.into()));
        }
    }

    /// Each command once, whole on its line, to be copied; memory is no disk to be measured, and a
    /// folder that is mounted a second time elsewhere is no other one.
    fn write_commands(&self, out: &mut String) {
        let mounts = &self.inventory.mounts;
        let is_whole = |mount: &&Mounted| {
            let source = &mount.file_system.source;
            let same = |other: &Mounted| other.root == "/" && other.file_system.source == *source;
            mount.root == "/" || !mounts.iter().any(same)
        };
        let disks = mounts.iter().filter(|mount| !mount.file_system.memory).filter(is_whole);
        let of_mounts = disks.filter_map(|mount| mount.measure.as_ref());
        let of_devices = self.shown_devices().filter_map(|device| device.measure.as_ref());
        let mut commands: Vec<&String> = Vec::new();
        for command in of_mounts.chain(of_devices) {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
        if !commands.is_empty() {
            self.write_title(out, &self.style.say("devices-measure"));
            for command in commands {
                let _ = writeln!(out, "  {command}");
            }
        }
    }

    fn write_unknowns(&self, out: &mut String) {
        let render = |what: &Message| what.render(self.style.language);
        let mut lines: Vec<String> = self.inventory.unknown.iter().map(render).collect();
        for device in self.shown_devices() {
            let name = &device.layer.name;
            let unseen = device.write.unseen.iter().chain(&device.unknown).map(render);
            lines.extend(unseen.map(|what| format!("{name}: {what}")));
        }
        for mount in &self.inventory.mounts {
            let place = &mount.file_system.mount_point;
            lines.extend(mount.unknown.iter().map(render).map(|what| format!("{place}: {what}")));
        }
        if !lines.is_empty() {
            self.write_title(out, &self.style.say("devices-unknown"));
            lines.iter().for_each(|line| write_wrapped_to(out, "  ", line, self.width));
        }
    }
}

/// Whether a device is only a place for one, or a RAM disk, and nobody uses it.
fn is_idle(device: &Device) -> bool {
    let unused = device.mounted_on.is_empty() && device.holders.is_empty();
    unused && (device.layer.size.0 == 0 || device.layer.kind == LayerKind::Ram)
}

fn device_words(device: &Device) -> Message {
    let layer = &device.layer;
    let kind = kind_words(layer.kind);
    let words = match (&device.claims, &layer.detail, &layer.backing_file) {
        (Some(claims), ..) => Message::from_text(claims),
        (_, Some(detail), _) => DeviceDetail { kind, detail: detail.clone() }.into(),
        (.., Some(file)) => DeviceOver { kind, file: file.clone() }.into(),
        _ => kind,
    };
    match device.removable {
        true => RemovableDevice { device: words }.into(),
        false => words,
    }
}

fn link_words(link: &Link) -> Message {
    let (kind, current, ceiling) = (link.kind.clone(), link.current.clone(), link.ceiling);
    let words: Message = match link.max.clone() {
        Some(max) => LinkOf { kind, current, max, ceiling }.into(),
        None => LinkAlone { kind, current, ceiling }.into(),
    };
    if link.downtrained { LinkBelow { link: words }.into() } else { words }
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

/// Whether a device may be written, in a word, and why.
fn permission_words(device: &Device) -> [Message; 2] {
    let stand = &device.write;
    if !stand.refused.is_empty() {
        return [label("device-no"), Clauses { clauses: stand.refused.clone() }.into()];
    }
    match (stand.holds.clone(), stand.unseen.is_empty()) {
        (Some(held), _) => [label("device-loses-data"), HoldsData { held }.into()],
        (None, true) => [label("device-yes"), label("device-unused")],
        (None, false) => [label("device-unknown"), label("device-unseen")],
    }
}

fn mount_words(mount: &Mounted) -> Message {
    let system = &mount.file_system;
    let devices = || mount.devices.iter().map(String::as_str).collect::<Names>();
    let mut words: Message = match (&mount.what, mount.devices.is_empty()) {
        (Some(what), true) => MountOf { what: what.clone(), source: system.source.clone() }.into(),
        (Some(what), false) => MountOfOn { what: what.clone(), devices: devices() }.into(),
        (None, false) => Message::from_text(mount.devices.join(", ")),
        (None, true) => Message::from_text(system.source.clone()),
    };
    if mount.root != "/" {
        words = MountRoot { mount: words, root: mount.root.clone() }.into();
    }
    match system.read_only {
        true => MountReadOnly { mount: words }.into(),
        false => words,
    }
}

messages! {
    IdleDevices = "devices-idle" { names: Names };
    SwapSpace = "devices-swap" { path: String, used: Bytes, size: Bytes };
    DeviceDetail = "device-detail" { kind: Message, detail: String };
    DeviceOver = "device-over" { kind: Message, file: String };
    RemovableDevice = "device-removable" { device: Message };
    LinkAlone = "device-link" { kind: String, current: String, ceiling: BytesPerSecond };
    LinkOf = "device-link-of" {
        kind: String, current: String, max: String, ceiling: BytesPerSecond,
    };
    LinkBelow = "device-link-below" { link: Message };
    HoldsData = "device-holds" { held: Message };
    Clauses = "clauses" { clauses: Vec<Message> };
    MountOf = "mount-of" { what: Message, source: String };
    MountOfOn = "mount-of-on" { what: Message, devices: Names };
    MountRoot = "mount-root" { mount: Message, root: String };
    MountReadOnly = "mount-read-only" { mount: Message };
}

#[cfg(test)]
mod tests;
