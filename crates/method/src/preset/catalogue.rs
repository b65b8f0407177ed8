//! The presets that are compiled in, and why there may be no such preset.

use super::crystaldiskmark;
use super::plan::Preset;

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../presets/", $name, ".toml")))),*]
    };
}

/// The files of each group, in the order in which they are listed.
const GROUPS: [(&str, &[(&str, &str)]); 6] = [
    ("servers", SERVERS),
    ("applications", APPLICATIONS),
    ("cards", CARDS),
    // Of these there are no files: `crystaldiskmark` writes them.
    ("crystaldiskmark", &[]),
    ("tools", TOOLS),
    ("small-files", SMALL_FILES),
];

const SERVERS: &[(&str, &str)] = presets! {
    "cloud"
    "vps"
    "snia"
};

const APPLICATIONS: &[(&str, &str)] = presets! {
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
};

const CARDS: &[(&str, &str)] = presets! {
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
};

const SMALL_FILES: &[(&str, &str)] = presets! {
    "metadata"
};

/// The presets that are compiled in: the id of each group (`preset-group-ID` is its title), and its
/// names.
pub fn built_in_groups() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    GROUPS.into_iter().map(|(group, files)| match files {
        [] => (group, crystaldiskmark::NAMES.to_vec()),
        files => (group, files.iter().map(|(name, _)| *name).collect()),
    })
}

/// The names of all that are compiled in.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    built_in_groups().flat_map(|(_, names)| names)
}

impl Preset {
    /// The preset of this name among those that are compiled in.
    pub fn find(name: &str, others: &[String]) -> Result<Self, PresetError> {
        let mut files = GROUPS.into_iter().flat_map(|(_, files)| files);
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
