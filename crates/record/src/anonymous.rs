//! A record for strangers: nothing in it names the host, its users, its paths or the copies of its
//! hardware. What was measured stays.
//!
//! Fields that hold such names are replaced one by one. The names are then searched in all text
//! for people, where paths that no field has are replaced too.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    CommandLine, Environment, Fleet, IoLimit, Layer, Measured, Purpose, TargetInfo, WaiterName,
};

/// What a record loses before it is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemovedKind {
    Host,
    Path,
    Serial,
    VolumeName,
    ControlGroup,
    Process,
    Label,
    CommandLine,
    Source,
}

/// How many different values of each kind were removed.
pub type RemovedCounts = BTreeMap<RemovedKind, usize>;

/// The record without the names of its host; it has to be judged again.
///
/// # Errors
/// A number that is not finite, as for any record that is written.
pub fn anonymise(mut measured: Measured) -> Result<(Measured, RemovedCounts), serde_json::Error> {
    let mut removal = Removal::default();
    removal.clean(&mut measured);
    let mut tree = serde_json::to_value(&measured)?;
    // The longest first: a path may begin with another.
    removal.names.sort_by_key(|name| std::cmp::Reverse(name.value.len()));
    removal.clean_text(&mut tree, false);
    let counts = removal.count();
    Ok((serde_json::from_value(tree)?, counts))
}

struct RemovedName {
    kind: RemovedKind,
    value: String,
    substitute: String,
}

#[derive(Default)]
struct Removal {
    names: Vec<RemovedName>,
}

/// The folders, and what else has a path, all have the same name afterwards.
const TARGET: &str = "/target";
const MOUNT: &str = "/mount";
const OTHER_PATH: &str = "/path";
const GROUP: &str = "/group";

/// The beginnings of names that the kernel gives to disks by itself: before letters, before digits.
const LETTERED_NAMES: [&str; 5] = ["sd", "vd", "xvd", "hd", "dasd"];
const NUMBERED_NAMES: [&str; 12] =
    ["nvme", "mmcblk", "loop", "md", "dm-", "zram", "ram", "sr", "nbd", "bcache", "pmem", "ublkb"];
const LETTERS_MAX: usize = 3;
const KERNEL_NAME_MAX: usize = 14;

/// Whether the kernel made this name by counting, so that it names nobody.
fn is_kernel_name(name: &str) -> bool {
    let after = |starts: &[&str]| {
        starts.iter().find_map(|start| name.strip_prefix(start)).map(str::to_owned)
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let is_lettered = after(&LETTERED_NAMES).is_some_and(|rest| {
        let letters = rest.trim_end_matches(is_digit);
        letters.len() <= LETTERS_MAX && letters.bytes().all(|b| b.is_ascii_lowercase())
    });
    let is_numbered = after(&NUMBERED_NAMES).is_some_and(|rest| {
        rest.starts_with(is_digit) && rest.chars().all(|c| is_digit(c) || "npc".contains(c))
    });
    name.len() <= KERNEL_NAME_MAX && (is_lettered || is_numbered)
}

/// The keys of text for people, and of messages, which are plain text where they have no id.
const TEXT_KEYS: [&str; 31] = [
    "text",
    "args",
    "message",
    "notes",
    "events",
    "reason",
    "error",
    "backend_notes",
    "mismatches",
    "unknown",
    "asked",
    "title",
    "root_would_add",
    "caches",
    "method",
    "summary",
    "sentence",
    "next",
    "limit_rate",
    "curve",
    "shortened",
    "label",
    "note",
    "imitates",
    "departures",
    "share_because",
    "accounting",
    "remedy",
    "what",
    "value",
    "detail",
];

impl Removal {
    /// The substitute for a name; the same for the same name.
    fn take(&mut self, kind: RemovedKind, value: &str, substitute: &str) -> String {
        if value.is_empty() || value == substitute {
            return value.to_owned();
        }
        let known = |name: &&RemovedName| name.kind == kind && name.value == value;
        if let Some(known) = self.names.iter().find(known) {
            return known.substitute.clone();
        }
        let numbered = matches!(kind, RemovedKind::Host | RemovedKind::VolumeName);
        let count = self.names.iter().filter(|name| name.kind == kind).count() + 1;
        let substitute =
            if numbered { format!("{substitute}{count}") } else { substitute.to_owned() };
        self.names.push(RemovedName { kind, value: value.to_owned(), substitute });
        self.names.last().map(|name| name.substitute.clone()).unwrap_or_default()
    }

    fn replace(&mut self, kind: RemovedKind, value: &mut String, substitute: &str) {
        *value = self.take(kind, value, substitute);
    }

    fn drop(&mut self, kind: RemovedKind, value: &mut Option<String>) {
        if let Some(value) = value.take() {
            self.take(kind, &value, "removed");
        }
    }

    fn count(&self) -> RemovedCounts {
        let mut counts = RemovedCounts::new();
        for name in &self.names {
            *counts.entry(name.kind).or_default() += 1;
        }
        counts
    }

    fn clean(&mut self, measured: &mut Measured) {
        self.clean_command(measured);
        self.clean_environment(&mut measured.environment);
        measured.targets.iter_mut().for_each(|target| self.clean_target(target));
        for path in measured.imported.iter_mut().flat_map(|imported| &mut imported.paths) {
            self.replace(RemovedKind::Path, path, TARGET);
        }
        if let Some(fleet) = &mut measured.fleet {
            self.clean_fleet(fleet);
        }
        for cell in &mut measured.cells {
            self.clean_cell(cell);
        }
        for volume in &mut measured.volumes {
            self.clean_device_name(&mut volume.device);
        }
        if let Purpose::Preset(plan) = &mut measured.plan.purpose {
            let sources = plan.thresholds.iter_mut().filter_map(|of| of.source.take());
            for source in plan.sources.drain(..).chain(sources) {
                self.take(RemovedKind::Source, &source, "removed");
            }
        }
        for source in measured.promise.iter_mut().flat_map(|promise| promise.sources.drain(..)) {
            self.take(RemovedKind::Source, &source, "removed");
        }
        self.clean_watch(measured);
    }

    fn clean_command(&mut self, measured: &mut Measured) {
        let name = measured.command_name();
        for command in [&mut measured.command]
            .into_iter()
            .chain(measured.resumed.iter_mut().map(|resumed| &mut resumed.command))
        {
            let words = command.join(" ");
            *command = CommandLine::new(["truedisk", name]);
            self.take(RemovedKind::CommandLine, &words, &command.join(" "));
        }
    }

    fn clean_environment(&mut self, environment: &mut Environment) {
        if let Some(host) = &mut environment.hostname {
            self.replace(RemovedKind::Host, host, "host");
        }
        environment.hostname = None;
        environment.io_limits.iter_mut().for_each(|limit| self.clean_limit(limit));
    }

    fn clean_limit(&mut self, limit: &mut IoLimit) {
        self.replace(RemovedKind::ControlGroup, &mut limit.cgroup, GROUP);
        if let Some(name) = &mut limit.device_name {
            self.clean_device_name(name);
        }
    }

    fn clean_target(&mut self, target: &mut TargetInfo) {
        self.replace(RemovedKind::Path, &mut target.path, TARGET);
        target.stack.iter_mut().for_each(|layer| self.clean_layer(layer));
        let Some(fs) = &mut target.file_system else { return };
        self.replace(RemovedKind::Path, &mut fs.mount_point, MOUNT);
        let is_device = fs.source.strip_prefix("/dev/").is_some_and(is_kernel_name);
        if !is_device {
            self.replace(RemovedKind::VolumeName, &mut fs.source, "source");
        }
        // A value may be an address, a user, a path.
        let is_plain = |option: &String| {
            let value = option.split_once('=').map_or("0", |(_, value)| value);
            !option.contains('/') && value.bytes().all(|digit| digit.is_ascii_digit())
        };
        let (kept, removed) = fs.options.drain(..).partition(is_plain);
        fs.options = kept;
        for option in Vec::<String>::from_iter(removed) {
            let value = option.split_once('=').map_or("", |(_, value)| value).to_owned();
            self.take(RemovedKind::Path, &value, OTHER_PATH);
        }
        self.drop(RemovedKind::Path, &mut fs.overlay_upper);
    }

    fn clean_layer(&mut self, layer: &mut Layer) {
        self.clean_device_name(&mut layer.name);
        if let Some(above) = &mut layer.above {
            self.clean_device_name(above);
        }
        self.drop(RemovedKind::Serial, &mut layer.serial);
        self.drop(RemovedKind::Serial, &mut layer.wwid);
        self.drop(RemovedKind::VolumeName, &mut layer.detail);
        if let Some(file) = &mut layer.backing_file {
            self.replace(RemovedKind::Path, file, OTHER_PATH);
        }
    }

    fn clean_device_name(&mut self, name: &mut String) {
        if !is_kernel_name(name.strip_prefix("/dev/").unwrap_or(name)) {
            self.replace(RemovedKind::VolumeName, name, "volume");
        }
    }

    fn clean_cell(&mut self, cell: &mut crate::Cell) {
        for layer in &mut cell.ledger.layers {
            self.clean_device_name(&mut layer.name);
        }
        if let Some(throttle) = &mut cell.ledger.cpu_throttle {
            self.replace(RemovedKind::ControlGroup, &mut throttle.cgroup, GROUP);
        }
    }

    fn clean_fleet(&mut self, fleet: &mut Fleet) {
        for host in &mut fleet.hosts {
            self.replace(RemovedKind::Host, &mut host.name, "host");
            for (name, value) in std::mem::take(&mut host.labels) {
                self.take(RemovedKind::Label, &format!("{name}={value}"), "removed");
            }
            host.record = None;
            self.clean_environment(&mut host.environment);
            host.target.iter_mut().for_each(|target| self.clean_target(target));
            host.cells.iter_mut().for_each(|part| self.clean_cell(&mut part.cell));
        }
        for met in &mut fleet.cells {
            let named = met.hosts.iter_mut().chain(&mut met.idle).chain(&mut met.missing);
            let slowest = met.slowest.iter_mut().map(|slowest| &mut slowest.host);
            named.chain(slowest).for_each(|host| self.replace(RemovedKind::Host, host, "host"));
        }
    }

    fn clean_watch(&mut self, measured: &mut Measured) {
        let Some(watch) = &mut measured.watch else { return };
        for disk in &mut watch.disks {
            self.clean_device_name(&mut disk.name);
            disk.limits.iter_mut().for_each(|limit| self.clean_limit(limit));
        }
        for waiter in &mut watch.waiters {
            if let WaiterName::Group(group) = &mut waiter.who {
                self.replace(RemovedKind::ControlGroup, group, GROUP);
            }
            self.drop(RemovedKind::Process, &mut waiter.process);
            self.clean_device_name(&mut waiter.disk);
        }
    }

    /// Only in text for people: a name may be a word that a value is written as, such as `read`.
    fn clean_text(&mut self, value: &mut Value, is_text: bool) {
        match value {
            Value::String(text) if is_text => *text = self.clean_words(text),
            Value::Array(values) => {
                values.iter_mut().for_each(|value| self.clean_text(value, is_text));
            }
            Value::Object(map) => {
                for (key, value) in map {
                    // The id of a message is none of the words.
                    let is_id = is_text && key == "id";
                    let is_text = is_text || TEXT_KEYS.contains(&key.as_str());
                    self.clean_text(value, is_text && !is_id);
                }
            }
            _ => {}
        }
    }

    fn clean_words(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for name in &self.names {
            text = replace_word(&text, &name.value, &name.substitute);
        }
        let words: Vec<String> =
            text.split_inclusive(char::is_whitespace).map(|word| self.clean_path(word)).collect();
        words.concat()
    }

    /// Replaces a path that a word is or contains: `/home/ann/x:`, `file=/srv`, `./plans.toml`.
    fn clean_path(&mut self, word: &str) -> String {
        let is_start = |at: usize| {
            let before = word[..at].chars().next_back();
            let after = word[at + 1..].chars().next();
            let begins = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, ')' | '/'));
            begins && after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
        };
        let mut slashes = word.match_indices('/').map(|(at, _)| at);
        let Some(start) = slashes.find(|at| is_start(*at)) else { return word.to_owned() };
        let rest = &word[start..];
        let end = rest.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        let path = &rest[..end];
        let ours = [TARGET, MOUNT, OTHER_PATH, GROUP].contains(&path);
        if ours || path.strip_prefix("/dev/").is_some_and(is_kernel_name) {
            return word.to_owned();
        }
        let substitute = self.take(RemovedKind::Path, path, OTHER_PATH);
        let before = word[..start].trim_end_matches(['.', '~']);
        format!("{before}{substitute}{}", &rest[end..])
    }
}

/// Replaces a name where it stands alone: `a` is none of the letters of `was`.
fn replace_word(text: &str, name: &str, substitute: &str) -> String {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let joins = |c: Option<char>, edge: Option<char>| {
            c.is_some_and(is_inner) && edge.is_some_and(is_inner)
        };
        let is_part = joins(before.chars().next_back(), name.chars().next())
            || joins(after.chars().next(), name.chars().next_back());
        out.extend([before, if is_part { name } else { substitute }]);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use message::Message;

    use super::*;
    use crate::Record;

    fn records() -> Vec<Record> {
        let mut records = vec![
            crate::fixture::ssd_record(),
            crate::fixture::limit_record(),
            crate::fixture::fleet_record(),
            crate::fixture::watch_record(),
        ];
        let mut lost = crate::fixture::fleet_record();
        crate::fixture::lose_host(&mut lost.measured);
        records.push(lost);
        records
    }

    /// Keys of what stays: kinds of hardware and software, names of our own, words for people.
    const KEPT_KEYS: &[&str] = &[
        "arch",
        "backend",
        "cell",
        "cpu_model",
        "curve",
        "device",
        "dio_align_source",
        "id",
        "kernel",
        "kind",
        "method",
        "name",
        "options",
        "os",
        "reason",
        "root_would_add",
        "run",
        "scheduler",
        "summary",
        "text",
        "transport",
        "version",
        "virtualisation",
        "write_cache",
    ];

    /// The places of all strings of a tree.
    fn list_strings(value: &Value, place: &str, all: &mut Vec<String>) {
        match value {
            Value::String(_) => all.push(place.to_owned()),
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate().take(2) {
                    list_strings(value, &format!("{place}/{at}"), all);
                }
            }
            Value::Object(map) => {
                for (key, value) in map {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    list_strings(value, &format!("{place}/{key}"), all);
                }
            }
            _ => {}
        }
    }

    fn key_of(place: &str) -> &str {
        place.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default()
    }

    #[test]
    fn no_text_survives_that_is_not_known_to_name_nobody() {
        let mut kept = std::collections::BTreeSet::new();
        for mut record in records() {
            // Every cell is as the first.
            record.measured.cells.truncate(1);
            record.measured.cells.iter_mut().for_each(|cell| cell.intervals.truncate(1));
            let tree = serde_json::to_value(&record.measured).unwrap();
            let mut places = Vec::new();
            list_strings(&tree, "", &mut places);
            for place in places {
                let mut marked = tree.clone();
                *marked.pointer_mut(&place).unwrap() = Value::from("markerword");
                // Words of a list of ours, and times, cannot be others.
                let Ok(measured) = serde_json::from_value::<Measured>(marked) else { continue };
                let (clean, _) = anonymise(measured).unwrap();
                if serde_json::to_string(&clean).unwrap().contains("markerword") {
                    kept.insert(key_of(&place).to_owned());
                }
            }
        }
        assert_eq!(Vec::from_iter(kept), KEPT_KEYS);
    }

    #[test]
    fn who_and_where_it_was_is_removed_everywhere() {
        let mut record = crate::fixture::ssd_record();
        let measured = &mut record.measured;
        let word = |name: &str| format!("marker{name}");
        measured.environment.hostname = Some(word("host"));
        measured.environment.root_would_add =
            vec![Message::from_text("root reads /home/markeruser/markerfile: of markerhost")];
        measured.command = CommandLine::new(["truedisk", "check", "/home/markeruser/data"]);
        let target = &mut measured.targets[0];
        target.path = "/home/markeruser/data".to_owned();
        let fs = target.file_system.as_mut().unwrap();
        fs.mount_point = "/home/markeruser".to_owned();
        fs.source = "markerserver:/export/markershare".to_owned();
        fs.options = vec!["rw".into(), "addr=10.1.2.3".into(), "username=markeruser".into()];
        let layer = &mut target.stack[0];
        layer.serial = Some(word("serial"));
        layer.wwid = Some(word("wwid"));
        layer.name = "markergroup-markervolume".to_owned();
        layer.backing_file = Some("/home/markeruser/disk.img".to_owned());
        let reason = "cannot read '/home/markeruser/data/x y': markerhost is gone (./markerplan)";
        measured.completion =
            crate::Completion::Partial { reason: Message::from_text(reason), failed: true };
        measured.environment.io_limits.push(IoLimit {
            cgroup: "/user.slice/markeruser.slice".to_owned(),
            ..IoLimit::default()
        });
        for cell in &mut measured.cells {
            cell.ledger.layers[0].name = "markergroup-markervolume".to_owned();
        }
        let (clean, removed) = anonymise(record.measured.clone()).unwrap();
        let json = serde_json::to_string(&clean).unwrap();
        let at = json.find("marker").map(|at| &json[at.saturating_sub(80)..at + 40]);
        assert_eq!(at, None);
        assert!(!json.contains("10.1.2.3") && !json.contains("/home"));
        for kind in [
            RemovedKind::Host,
            RemovedKind::Path,
            RemovedKind::Serial,
            RemovedKind::VolumeName,
            RemovedKind::ControlGroup,
            RemovedKind::CommandLine,
        ] {
            assert!(removed.contains_key(&kind), "{kind:?}: {removed:?}");
        }
        // The figures and the kind of hardware stay, and the parts of the record fit each other.
        assert_eq!(clean.cells[0].totals, record.measured.cells[0].totals);
        assert_eq!(clean.environment.kernel, record.measured.environment.kernel);
        assert_eq!(clean.targets[0].stack[0].name, clean.cells[0].ledger.layers[0].name);
        assert_eq!(clean.targets[0].stack[0].model, record.measured.targets[0].stack[0].model);
    }

    #[test]
    fn words_that_only_look_like_names_stay() {
        let check = |text: &str, expected: &str| {
            let mut removal = Removal::default();
            removal.take(RemovedKind::Host, "a", "host");
            assert_eq!(removal.clean_words(text), expected);
        };
        check("75/25 mix, 4 MB/s, n/a", "75/25 mix, 4 MB/s, n/host1");
        check("was at a disk", "was at host1 disk");
        check("on /dev/sda1 and /dev/vg/home", "on /dev/sda1 and /path");
        check("see https://example.net/x", "see https://example.net/x");
        check("in ~/x, ./y.toml:z and ../w.", "in /path, /path and /path.");
        check("file='/srv/x y'", "file='/path y'");
    }

    #[test]
    fn the_kernels_own_names_are_known() {
        for name in ["sda", "sdaa1", "vda", "nvme0n1p2", "dm-3", "md127", "mmcblk0", "loop12"] {
            assert!(is_kernel_name(name), "{name}");
        }
        for name in ["sdcustomer", "vg-home", "mdbackup", "ramsey", "customer", "vdproduction"] {
            assert!(!is_kernel_name(name), "{name}");
        }
    }
}
