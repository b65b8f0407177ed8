//! The presets that are compiled in, and why there may be no such preset.

use super::crystaldiskmark;
use super::plan::Preset;

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../presets/", $name, ".toml")))),*]
    };
}

/// Of the field and of applications; CrystalDiskMark's are listed between these and the next.
const APPLICATIONS: &[(&str, &str)] = presets! {
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
};

const TOOLS: &[(&str, &str)] = presets! {
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
    let names = |presets: &'static [(&'static str, _)]| presets.iter().map(|(name, _)| *name);
    names(APPLICATIONS).chain(crystaldiskmark::NAMES).chain(names(TOOLS))
}

impl Preset {
    /// The preset of this name among those that are compiled in.
    pub fn find(name: &str, others: &[String]) -> Result<Self, PresetError> {
        let mut files = APPLICATIONS.iter().chain(TOOLS);
        if let Some((_, text)) = files.find(|(known, _)| *known == name) {
            return Self::parse(name, text);
        }
        if let Some(text) = crystaldiskmark::render_text(name) {
            return Self::parse(name, &text);
        }
        let mut names: Vec<&str> = built_in_names().collect();
        names.extend(others.iter().map(String::as_str));
        Err(PresetError::Unknown {
            asked: name.to_owned(),
            near: find_nearest_name(name, names.into_iter()),
        })
    }
}

/// Why there is no such preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    #[error("unknown preset '{asked}'{}", suggestion(near.as_deref()))]
    Unknown { asked: String, near: Option<String> },
    #[error("preset '{name}', line {line}: {}", input::shorten_message(reason))]
    Broken { name: String, line: usize, reason: String },
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

pub(super) fn find_nearest_name<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<String> {
    ::fio::options::lookup::nearest_word(name, names).map(str::to_owned)
}
