use std::collections::BTreeMap;

use super::finding::Finding;
use super::ratchet::Excess;
use super::workspace::Source;

const COLUMNS_MAX: usize = 100;
const FUNCTION_LINES_MAX: usize = 70;
/// Without the tests at the end of the file.
const FILE_LINES_MAX: usize = 500;

/// Lines that are too long: there is no exception.
pub(super) fn check(sources: &BTreeMap<String, Source>) -> Vec<Finding> {
    sources.values().flat_map(long_lines).collect()
}

/// Functions and files that are too long: `path::function` and `path` in the ratchet.
pub(super) fn find(sources: &BTreeMap<String, Source>) -> Vec<Excess> {
    sources.values().filter(|source| !source.is_test).flat_map(long_items).collect()
}

fn long_items(source: &Source) -> Vec<Excess> {
    let path = &source.path;
    let functions = source.facts.functions.iter();
    let functions = functions.filter(|function| !source.in_test(function.line)).map(|function| {
        let advice = "split it where it changes its subject";
        let key = format!("{path}::{}", function.name);
        (key, function.line, function.lines, FUNCTION_LINES_MAX, advice)
    });
    let all = source.text.lines().count();
    let lines = source.facts.trailing_tests.map_or(all, |line| line - 1);
    let file = (path.clone(), 1, lines, FILE_LINES_MAX, "split it into modules");
    let items = functions.chain([file]).filter(|(_, _, lines, max, _)| lines > max);
    let excess = |(key, line, lines, max, advice): (String, _, _, _, _)| {
        let message = format!("{key} has {lines} lines, more than {max}; {advice}");
        let findings = vec![Finding::new(path, line, message)];
        Excess { key, count: lines, unit: "lines", findings }
    };
    items.map(excess).collect()
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
        let mut findings = check(&sources);
        findings.extend(super::super::ratchet::check(find(&sources), ratchet));
        findings.iter().map(ToString::to_string).collect()
    }

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
