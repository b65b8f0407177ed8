//! Names in text for people.

use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use serde_json::Value;

use super::known::{is_kernel_name, is_plain_word};
use super::{GROUP, MOUNT, OTHER_PATH, Removal, RemovedKind, RemovedName, TARGET};

/// The keys of text for people, and of messages, which are plain text where they have no id.
const TEXT_KEYS: [&str; 33] = [
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
    "headline",
    "degraded",
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
    /// Only in text for people: a name may be a word that a value is written as, such as `read`.
    pub(super) fn clean_text(&mut self, value: &mut Value, is_text: bool) {
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

    pub(super) fn clean_words(&mut self, text: &str) -> String {
        let text = replace_names(text, &self.names);
        let text = self.replace_addresses(&text);
        let words: Vec<String> =
            text.split_inclusive(char::is_whitespace).map(|word| self.clean_path(word)).collect();
        words.concat()
    }

    /// Replaces addresses, with a port or without.
    fn replace_addresses(&mut self, text: &str) -> String {
        let is_part = |c: char| c.is_ascii_hexdigit() || matches!(c, '.' | ':');
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            let joined = rest[..start].ends_with(char::is_alphanumeric);
            let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |end| start + end);
            let token = rest[start..end].trim_end_matches(['.', ':']);
            // A port stays.
            let host = token.parse::<SocketAddr>().ok().and(token.rsplit_once(':'));
            let host = host.map_or(token, |(host, _)| host);
            out.push_str(&rest[..start]);
            match host.parse::<IpAddr>() {
                Ok(_) if !joined => {
                    out.push_str(&self.take(RemovedKind::Address, host, "address"));
                    out.push_str(&token[host.len()..]);
                }
                _ => out.push_str(token),
            }
            out.push_str(&rest[start + token.len()..end]);
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    /// Replaces a path that a word is or contains: `/home/ann/x:`, `file=/srv`, `./plans.toml`.
    fn clean_path(&mut self, word: &str) -> String {
        let is_start = |at: usize| {
            let (before, after) = (&word[..at], &word[at + 1..]);
            let begins = match before.chars().next_back() {
                // `file:///home`; what follows `https://` is no path.
                Some('/') => before.ends_with("://"),
                Some(c) => !c.is_alphanumeric() && c != ')',
                None => true,
            };
            let first = after.chars().next();
            begins && first.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
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

/// Replaces names where they stand alone: `a` is none of the letters of `was`. Of names at one
/// place the first counts; what was put there is not searched again.
fn replace_names(text: &str, names: &[RemovedName]) -> String {
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    let is_job = |name: &RemovedName| matches!(name.kind, RemovedKind::Job | RemovedKind::Preset);
    for name in names.iter().filter(|name| !(is_job(name) && is_plain_word(&name.value))) {
        for (start, _) in text.match_indices(&*name.value) {
            let range = start..start + name.value.len();
            let is_taken = |(taken, _): &(Range<usize>, &str)| {
                taken.start < range.end && range.start < taken.end
            };
            if stands_alone(text, &range) && !found.iter().any(is_taken) {
                found.push((range, &name.substitute));
            }
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let mut out = String::new();
    let mut end = 0;
    for (range, substitute) in found {
        out.extend([&text[end..range.start], substitute]);
        end = range.end;
    }
    out.push_str(&text[end..]);
    out
}

fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let is_inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (before, name, after) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let joins_before = is_inner(before.chars().next_back()) && is_inner(name.chars().next());
    let joins_after = is_inner(after.chars().next()) && is_inner(name.chars().next_back());
    !joins_before && !joins_after
}
