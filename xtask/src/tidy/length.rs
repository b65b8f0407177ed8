//! Lengths of lines, functions and files, and the ratchet for those that are too long already.
//!
//! `xtask/ratchet.txt` has `path::function LINES` for a function and `path LINES` for a file. An
//! entry states the length exactly, so it can only shrink: longer is a finding, and so is shorter
//! as long as the entry does not say so.

use std::collections::BTreeMap;

use super::Finding;
use super::workspace::Source;

/// Columns of a line, as rustfmt.toml has it.
const COLUMNS_MAX: usize = 100;
/// Lines of a function, from its signature to its closing brace: what fits on a screen.
const FUNCTION_LINES_MAX: usize = 70;
/// Lines of a file, without the tests at its end.
const FILE_LINES_MAX: usize = 500;

const RATCHET_FILE: &str = "xtask/ratchet.txt";

pub(super) fn check(sources: &BTreeMap<String, Source>, ratchet: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = sources.values().flat_map(long_lines).collect();
    let mut excepted = BTreeMap::new();
    for (index, line) in ratchet.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_entry(line) {
            Some((key, lines)) => drop(excepted.insert(key, (lines, index + 1))),
            None => {
                let message = "not an entry; write `path::function LINES` or `path LINES`";
                findings.push(Finding::new(RATCHET_FILE, index + 1, message));
            }
        }
    }
    for long in sources.values().flat_map(long_items) {
        findings.extend(judge_length(&long, excepted.remove(long.key.as_str())));
    }
    for (key, (_, line)) in excepted {
        let message = format!("{key} is within the limit, or gone; remove this entry");
        findings.push(Finding::new(RATCHET_FILE, line, message));
    }
    findings
}

fn parse_entry(line: &str) -> Option<(&str, usize)> {
    let (key, lines) = line.rsplit_once(' ')?;
    Some((key.trim(), lines.parse().ok()?))
}

/// A function or a file beyond its limit.
struct LongItem {
    /// As the ratchet names it.
    key: String,
    path: String,
    line: usize,
    lines: usize,
    max: usize,
    /// What to do.
    advice: &'static str,
}

fn judge_length(long: &LongItem, excepted: Option<(usize, usize)>) -> Option<Finding> {
    let LongItem { key, lines, max, advice, .. } = long;
    match excepted {
        None => {
            let message = format!("{key} has {lines} lines, more than {max}; {advice}");
            Some(Finding::new(&long.path, long.line, message))
        }
        Some((known, _)) if known < *lines => {
            let message = format!("{key} grew from {known} to {lines} lines; {advice}");
            Some(Finding::new(&long.path, long.line, message))
        }
        Some((known, entry)) if known > *lines => {
            let message = format!("{key} shrank from {known} lines; write {lines} here");
            Some(Finding::new(RATCHET_FILE, entry, message))
        }
        Some(_) => None,
    }
}

fn long_items(source: &Source) -> Vec<LongItem> {
    if source.is_test {
        return Vec::new();
    }
    let path = &source.path;
    let outside = source.facts.functions.iter().filter(|function| !source.in_test(function.line));
    let mut all: Vec<LongItem> = outside
        .map(|function| LongItem {
            key: format!("{path}::{}", function.name),
            path: path.clone(),
            line: function.line,
            lines: function.lines,
            max: FUNCTION_LINES_MAX,
            advice: "split it where it changes its subject",
        })
        .collect();
    all.push(LongItem {
        key: path.clone(),
        path: path.clone(),
        line: 1,
        lines: source.facts.trailing_tests.map_or(source.text.lines().count(), |line| line - 1),
        max: FILE_LINES_MAX,
        advice: "split it into modules",
    });
    all.retain(|long| long.lines > long.max);
    all
}

fn long_lines(source: &Source) -> Vec<Finding> {
    let numbered = source.text.lines().enumerate();
    // A URL cannot be wrapped.
    let long = numbered
        .map(|(index, line)| (index + 1, line.chars().count(), line))
        .filter(|(_, columns, line)| *columns > COLUMNS_MAX && !line.contains("://"));
    let finding = |(number, columns, _)| {
        let message = format!("{columns} columns, more than {COLUMNS_MAX}; wrap the line");
        Finding::new(&source.path, number, message)
    };
    long.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    const PATH: &str = "crates/units/src/a.rs";

    fn found(text: &str, ratchet: &str) -> Vec<String> {
        let sources = BTreeMap::from([(PATH.to_owned(), source("units", PATH, text))]);
        check(&sources, ratchet).iter().map(ToString::to_string).collect()
    }

    /// A function of that many lines.
    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "g();\n".repeat(lines - 2))
    }

    #[test]
    fn a_line_of_101_columns_is_too_long_unless_it_holds_a_url() {
        assert!(found(&format!("// {}", "é".repeat(97)), "").is_empty());
        let long = found(&format!("fn a() {{}}\n// {}", "é".repeat(98)), "");
        let message = "101 columns, more than 100; wrap the line";
        assert_eq!(long, [format!("{PATH}:2: {message}")]);
        assert!(found(&format!("// https://{}", "x".repeat(100)), "").is_empty());
    }

    #[test]
    fn a_function_of_71_lines_is_too_long_outside_tests() {
        assert!(found(&function(70), "").is_empty());
        let message = "::f has 71 lines, more than 70; split it where it changes its subject";
        assert_eq!(found(&function(71), ""), [format!("{PATH}:1: {PATH}{message}")]);
        let test = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(90));
        assert!(found(&test, "").is_empty());
    }

    #[test]
    fn tests_at_the_end_do_not_count_as_the_files_length() {
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        let code = "const A: u8 = 1;\n".repeat(500);
        assert!(found(&format!("{code}{tests}"), "").is_empty());
        let long = found(&format!("{code}\n{tests}"), "");
        assert_eq!(
            long,
            [format!("{PATH}:1: {PATH} has 501 lines, more than 500; split it into modules")]
        );
    }

    #[test]
    fn the_ratchet_lets_an_exception_shrink_only() {
        let entry = |lines: usize| format!("# why\n{PATH}::f {lines}\n");
        assert!(found(&function(80), &entry(80)).is_empty());
        let grew = found(&function(81), &entry(80));
        assert!(grew[0].contains("grew from 80 to 81 lines"), "{grew:?}");
        let shrank = found(&function(79), &entry(80));
        assert!(shrank[0].starts_with("xtask/ratchet.txt:2: "), "{shrank:?}");
        assert!(shrank[0].ends_with("shrank from 80 lines; write 79 here"), "{shrank:?}");
        let gone = found(&function(60), &entry(80));
        assert!(gone[0].ends_with("remove this entry"), "{gone:?}");
        assert!(found("", "nonsense\n")[0].contains("not an entry"));
    }
}
