use super::facts::Struct;
use super::{Finding, Source};

const COLUMNS_MAX: usize = 100;
const FUNCTION_LINES_MAX: usize = 70;
/// Without the tests at the end of the file.
const FILE_LINES_MAX: usize = 500;
const FIELDS_MAX: usize = 15;

/// Where a struct mirrors a format that is as wide as it is, and why.
const WIDE: &[(&str, &str)] =
    &[("crates/record/", "the schema of a record"), ("crates/fio/src/options", "fio's options")];

/// Lines, and outside of tests functions, files and structs, beyond their limits.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = long_lines(source);
    if !source.is_test {
        findings.extend(long_items(source));
        findings.extend(wide_structs(source));
    }
    findings
}

fn long_items(source: &Source) -> Vec<Finding> {
    let path = &source.path;
    let functions = source.facts.functions.iter();
    let functions = functions.filter(|function| !source.in_test(function.line)).map(|function| {
        let advice = "split it where it changes its subject";
        let name = format!("{path}::{}", function.name);
        (name, function.line, function.lines, FUNCTION_LINES_MAX, advice)
    });
    let all = source.text.lines().count();
    let lines = source.facts.trailing_tests.map_or(all, |line| line - 1);
    let file = (path.clone(), 1, lines, FILE_LINES_MAX, "split it into modules");
    let items = functions.chain([file]).filter(|(_, _, lines, max, _)| lines > max);
    let finding = |(name, line, lines, max, advice): (String, _, _, _, _)| {
        Finding::new(path, line, format!("{name} has {lines} lines, more than {max}; {advice}"))
    };
    items.map(finding).collect()
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

fn wide_structs(source: &Source) -> Vec<Finding> {
    if WIDE.iter().any(|(place, _)| source.path.starts_with(place)) {
        return Vec::new();
    }
    let structs = source.facts.structs.iter().filter(|item| item.fields > FIELDS_MAX);
    let structs = structs.filter(|item| !item.is_format && !source.in_test(item.line));
    let finding = |item: &Struct| {
        let (name, count) = (&item.name, item.fields);
        let message = format!(
            "{name} has {count} fields, more than {FIELDS_MAX}; group them by subject, or derive \
             Serialize or Deserialize if it is a file format"
        );
        Finding::new(&source.path, item.line, message)
    };
    structs.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    const PATH: &str = "crates/units/src/a.rs";

    fn found(text: &str) -> Vec<String> {
        check(&source("units", PATH, text)).iter().map(ToString::to_string).collect()
    }

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "g();\n".repeat(lines - 2))
    }

    #[test]
    fn a_line_of_101_columns_is_too_long_unless_it_holds_a_url() {
        assert!(found(&format!("// {}", "é".repeat(97))).is_empty());
        let long = found(&format!("fn a() {{}}\n// {}", "é".repeat(98)));
        let message = "101 columns, more than 100; wrap the line";
        assert_eq!(long, [format!("{PATH}:2: {message}")]);
        assert!(found(&format!("// https://{}", "x".repeat(100))).is_empty());
    }

    #[test]
    fn a_function_of_71_lines_is_too_long_outside_tests() {
        assert!(found(&function(70)).is_empty());
        let message = "::f has 71 lines, more than 70; split it where it changes its subject";
        assert_eq!(found(&function(71)), [format!("{PATH}:1: {PATH}{message}")]);
        let test = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(90));
        assert!(found(&test).is_empty());
    }

    #[test]
    fn tests_at_the_end_do_not_count_as_the_files_length() {
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        let code = "const A: u8 = 1;\n".repeat(500);
        assert!(found(&format!("{code}{tests}")).is_empty());
        let long = found(&format!("{code}\n{tests}"));
        assert_eq!(
            long,
            [format!("{PATH}:1: {PATH} has 501 lines, more than 500; split it into modules")]
        );
    }

    #[test]
    fn sixteen_fields_are_too_many_outside_of_formats() {
        let wide_with = |attribute: &str, path: &str, fields: usize| {
            let fields: String = (0..fields).map(|n| format!("field_{n}: u8,")).collect();
            let text = format!("{attribute}\nstruct Wide {{ {fields} }}\n");
            let found = check(&source("units", path, &text));
            let found = found.into_iter().filter(|finding| finding.message.contains(" fields"));
            found.map(|finding| finding.to_string()).collect::<Vec<_>>()
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
