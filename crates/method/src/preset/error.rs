//! Why there is no such preset.

/// Why there is no such preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// No preset of that name.
    #[error("unknown preset '{asked}'{}", suggestion(near.as_deref()))]
    Unknown {
        /// As written.
        asked: String,
        /// The name that is most like it.
        near: Option<String>,
    },
    /// The text of a preset is wrong.
    #[error("preset '{name}', line {line}: {}", input::shorten_message(reason))]
    Broken {
        /// What the preset is called.
        name: String,
        /// Where in its text.
        line: usize,
        /// What is wrong.
        reason: String,
    },
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
