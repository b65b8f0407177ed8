//! Labels that are named by their id, as templates, tables and lists of facts do.

use message::{Language, Render as _, label};

pub(crate) fn say(id: &str, language: Language) -> String {
    label(id).render(language)
}
