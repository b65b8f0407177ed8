//! A record for strangers: nothing in it names the host, its users, its paths or the copies of its
//! hardware. What was measured stays.
//!
//! Fields that hold such names are replaced one by one. The names are then searched in all text
//! for people, where paths that no field has are replaced too.

use std::collections::BTreeMap;

mod chosen;
mod known;
#[cfg(test)]
mod tests;
mod text;

use crate::{
    CommandLine, Environment, Fleet, IoLimit, Layer, Measured, PresetPlan, Purpose, TargetInfo,
    WaiterName,
};
use known::{is_kernel_name, is_known_mount_option};

/// What a record loses before it is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemovedKind {
    Host,
    Address,
    Path,
    Serial,
    VolumeName,
    ControlGroup,
    Process,
    Label,
    CommandLine,
    Source,
    Job,
    /// A name in a preset of a person's own.
    Preset,
}

/// How many different values of each kind were removed.
pub type RemovedCounts = BTreeMap<RemovedKind, usize>;

/// The record without the names of its host; it has to be judged again. A preset keeps its words
/// where `is_built_in` knows it.
///
/// # Errors
/// A number that is not finite, as for any record that is written.
pub fn anonymise(
    mut measured: Measured,
    is_built_in: impl Fn(&PresetPlan) -> bool,
) -> Result<(Measured, RemovedCounts), serde_json::Error> {
    let mut removal = Removal::default();
    if let Purpose::Preset(plan) = &measured.plan.purpose
        && !is_built_in(plan)
    {
        removal.clean_preset(&mut measured);
    }
    if measured.imported.is_some() {
        removal.clean_jobs(&mut measured);
    }
    removal.clean(&mut measured);
    let mut tree: serde_json::Value = serde_json::from_slice(&serde_json::to_vec(&measured)?)?;
    // The longest first: a path may begin with another.
    removal.names.sort_by_key(|name| std::cmp::Reverse(name.value.len()));
    removal.clean_text(&mut tree, false);
    let counts = removal.count();
    Ok((serde_json::from_slice(&serde_json::to_vec(&tree)?)?, counts))
}

struct RemovedName {
    kind: RemovedKind,
    value: String,
    /// The substitute without its number.
    stem: String,
    substitute: String,
    /// Whether it is another name of what has one: it is no further value.
    is_alias: bool,
}

#[derive(Default)]
struct Removal {
    names: Vec<RemovedName>,
}

/// Substitutes that are numbered.
const NUMBERED: [&str; 7] = ["host", "address", "source", "volume", "job", "step", "group"];

/// The folders, and what else has a path, all have the same name afterwards.
const TARGET: &str = "/target";
const MOUNT: &str = "/mount";
const OTHER_PATH: &str = "/path";
const GROUP: &str = "/group";

impl Removal {
    /// The substitute for a name; the same for the same name. Where nothing is a letter or a digit
    /// there is no name: `/`.
    fn take(&mut self, kind: RemovedKind, value: &str, stem: &str) -> String {
        if value == stem || !value.contains(char::is_alphanumeric) {
            return value.to_owned();
        }
        let of_stem = |name: &&RemovedName| name.kind == kind && name.stem == stem;
        if let Some(known) = self.names.iter().filter(of_stem).find(|name| name.value == value) {
            return known.substitute.clone();
        }
        let count = self.names.iter().filter(of_stem).filter(|name| !name.is_alias).count() + 1;
        let is_numbered = NUMBERED.contains(&stem);
        let substitute = if is_numbered { format!("{stem}{count}") } else { stem.to_owned() };
        let (value, stem, taken) = (value.to_owned(), stem.to_owned(), substitute.clone());
        self.names.push(RemovedName { kind, value, stem, substitute, is_alias: false });
        taken
    }

    /// Another name of what has a substitute.
    fn add_alias(&mut self, kind: RemovedKind, value: &str, substitute: &str) {
        if value.contains(char::is_alphanumeric) {
            let (value, substitute) = (value.to_owned(), substitute.to_owned());
            self.names.push(RemovedName {
                kind,
                value,
                stem: String::new(),
                substitute,
                is_alias: true,
            });
        }
    }

    /// The name of a host. In sentences it may be short: `db` of `db.example.net`.
    fn take_host(&mut self, host: &str) -> String {
        let substitute = self.take(RemovedKind::Host, host, "host");
        if let Some((short, _)) = host.split_once('.')
            && short.contains(char::is_alphabetic)
        {
            self.add_alias(RemovedKind::Host, short, &substitute);
        }
        substitute
    }

    fn replace(&mut self, kind: RemovedKind, value: &mut String, stem: &str) {
        *value = self.take(kind, value, stem);
    }

    fn replace_host(&mut self, host: &mut String) {
        *host = self.take_host(host);
    }

    fn drop(&mut self, kind: RemovedKind, value: &mut Option<String>) {
        if let Some(value) = value.take() {
            self.take(kind, &value, "removed");
        }
    }

    fn count(&self) -> RemovedCounts {
        let mut counts = RemovedCounts::new();
        for name in self.names.iter().filter(|name| !name.is_alias) {
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
        for health in &mut measured.health {
            self.clean_device_name(&mut health.device);
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
        if let Some(host) = environment.hostname.take() {
            self.take_host(&host);
        }
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
        let (kept, removed) =
            fs.options.drain(..).partition(|option| is_known_mount_option(option));
        fs.options = kept;
        for option in Vec::<String>::from_iter(removed) {
            let value = option.split_once('=').map_or(&*option, |(_, value)| value);
            self.take(RemovedKind::Path, value, OTHER_PATH);
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
            self.replace_host(&mut host.name);
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
            named.chain(slowest).for_each(|host| self.replace_host(host));
        }
        if let Some(waves) = &mut fleet.waves {
            for wave in &mut waves.begun {
                wave.hosts.iter_mut().for_each(|host| self.replace_host(host));
                wave.record = None;
            }
            waves.not_begun.iter_mut().for_each(|host| self.replace_host(host));
            for name in std::mem::take(&mut waves.per_tag).into_keys() {
                self.take(RemovedKind::Label, &name, "removed");
            }
        }
    }

    fn clean_watch(&mut self, measured: &mut Measured) {
        let Some(watch) = &mut measured.watch else { return };
        for disk in &mut watch.disks {
            self.clean_device_name(&mut disk.name);
            let volume = disk.volume.iter_mut();
            volume.for_each(|volume| self.clean_device_name(&mut volume.device));
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
}
