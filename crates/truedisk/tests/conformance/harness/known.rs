//! Differences that are meant: `known_differences.txt`.

use std::collections::BTreeMap;

const TEXT: &str = include_str!("../known_differences.txt");

/// A difference that is meant.
pub struct Known {
    /// Why.
    pub reason: String,
    /// Whether the case may agree all the same.
    pub may_agree: bool,
}

/// Case name to reason.
///
/// # Errors
/// A line without a reason.
pub fn read_known_differences() -> Result<BTreeMap<String, Known>, String> {
    parse(TEXT)
}

fn parse(text: &str) -> Result<BTreeMap<String, Known>, String> {
    let mut all = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, reason)) = line.split_once(": ") else {
            return Err(format!("known_differences.txt:{}: no reason after ': '", number + 1));
        };
        let (name, may_agree) = match name.strip_prefix('~') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let known = Known { reason: reason.to_string(), may_agree };
        if all.insert(name.to_string(), known).is_some() {
            return Err(format!("known_differences.txt:{}: {name} stands twice", number + 1));
        }
    }
    Ok(all)
}

#[test]
fn lines_are_names_with_reasons() {
    let check = |text: &str, expected: usize| assert_eq!(parse(text).unwrap().len(), expected);
    check("# nothing\n\na: because\nb: why\n", 2);
    assert!(parse("a\n").is_err());
    assert!(parse("a: x\na: y\n").is_err());
    assert!(parse("~a: x\n").unwrap()["a"].may_agree);
}
