//! The presets that are compiled in.

use super::{Preset, PresetError, find_nearest_name};

/// A name and the text of its file.
macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../presets/", $name, ".toml")))),*]
    };
}

/// In the order in which they are listed.
const PRESETS: &[(&str, &str)] = presets! {
    "cloud"
    "vps"
    "snia"
    "etcd"
    "postgresql"
    "mysql"
    "kafka"
    "redis-aof"
    "sqlite"
    "prometheus"
    "oltp"
    "vm-boot"
    "vdi"
    "web-server"
    "file-server"
    "backup"
    "a1"
    "a2"
    "crystaldiskmark"
    "crystaldiskmark-mix"
    "crystaldiskmark-nvme"
    "crystaldiskmark-nvme-mix"
    "crystaldiskmark-nvme-peak"
    "crystaldiskmark-nvme-peak-mix"
    "crystaldiskmark-flash"
    "crystaldiskmark-flash-mix"
    "crystaldiskmark-peak"
    "crystaldiskmark-peak-mix"
    "crystaldiskmark-real"
    "crystaldiskmark-real-mix"
    "crystaldiskmark-demo"
    "crystaldiskmark-9"
    "crystaldiskmark-7"
    "crystaldiskmark-6"
    "crystaldiskmark-5"
    "winsat"
    "hdparm"
    "hdtune"
    "dd"
    "yabs"
    "gnome-disks"
    "metadata"
};

/// The names of all that are compiled in, in the order in which they are listed.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

pub(super) fn find_preset(name: &str, others: &[String]) -> Result<Preset, PresetError> {
    match PRESETS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => Preset::parse(name, text),
        None => {
            let mut names: Vec<&str> = built_in_names().collect();
            names.extend(others.iter().map(String::as_str));
            let near = find_nearest_name(name, names.into_iter());
            Err(PresetError::Unknown { asked: name.to_owned(), near })
        }
    }
}
