//! Fields of a struct: one with many has several subjects. A struct that derives `Serialize` or
//! `Deserialize` is as wide as the file format that it stands for.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::ratchet::Excess;
use super::workspace::Source;

const FIELDS_MAX: usize = 15;

/// Where a struct mirrors a format that is as wide as it is, and why.
const WIDE: &[(&str, &str)] =
    &[("crates/record/", "the schema of a record"), ("crates/fio/src/options", "fio's options")];

pub(super) fn find(sources: &BTreeMap<String, Source>) -> Vec<Excess> {
    let mut excesses = Vec::new();
    for source in sources.values() {
        if WIDE.iter().any(|(place, _)| source.path.starts_with(place)) {
            continue;
        }
        for item in source.facts.structs.iter().filter(|item| item.fields > FIELDS_MAX) {
            if item.is_format || source.in_test(item.line) {
                continue;
            }
            let (name, count) = (&item.name, item.fields);
            let message = format!(
                "{name} has {count} fields, more than {FIELDS_MAX}; group them by subject, or \
                 derive Serialize or Deserialize if it is a file format"
            );
            excesses.push(Excess {
                key: format!("fields of {}::{name}", source.path),
                count,
                unit: "fields",
                findings: vec![Finding::new(&source.path, item.line, message)],
            });
        }
    }
    excesses
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    #[test]
    fn sixteen_fields_are_too_many_outside_of_formats() {
        let wide_with = |attribute: &str, path: &str, fields: usize| {
            let fields: String = (0..fields).map(|n| format!("field_{n}: u8,")).collect();
            let text = format!("{attribute}\nstruct Wide {{ {fields} }}\n");
            let source = source("units", path, &text);
            let found = find(&BTreeMap::from([(path.to_owned(), source)]));
            found.iter().map(|excess| excess.findings[0].to_string()).collect::<Vec<_>>()
        };
        let wide = |path: &str, fields: usize| wide_with("", path, fields);
        assert!(wide("crates/units/src/a.rs", 15).is_empty());
        let message = "Wide has 16 fields, more than 15; group them by subject, or derive \
                       Serialize or Deserialize if it is a file format";
        let path = "crates/units/src/a.rs";
        assert_eq!(wide(path, 16), [format!("{path}:2: {message}")]);
        assert!(wide("crates/record/src/a.rs", 16).is_empty());
        assert!(wide_with("#[derive(Debug, Deserialize)]", path, 16).is_empty());
        assert!(wide_with("#[derive(serde::Serialize)]", path, 16).is_empty());
        assert_eq!(wide_with("#[derive(Debug)]", path, 16).len(), 1);
    }
}
