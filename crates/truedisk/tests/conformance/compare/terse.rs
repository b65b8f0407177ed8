//! Lines of `;`: as many fields, each written alike.

use super::json::number_class;

/// Field of the KiB read, from zero, without the field of fio's version that v2 lacks.
const READ_KIB: usize = 4;

/// How one field is written; texts as they stand.
fn class(field: &str) -> String {
    if let Some((label, value)) = field.split_once("%=") {
        return format!("{label}%={}", number_class(value));
    }
    if let Some(number) = field.strip_suffix('%') {
        return format!("{}%", number_class(number));
    }
    if field.starts_with("fio-3.") {
        return "fio-3.".to_string();
    }
    number_class(field)
}

/// Compares two lines; `exact` when the amounts are determined.
pub fn compare(real: &str, ours: &str, exact: bool) -> Vec<String> {
    let split = |line: &str| line.split(';').map(str::to_string).collect::<Vec<_>>();
    let (old, new) = (split(real), split(ours));
    let mut problems = Vec::new();
    if old.len() != new.len() {
        problems.push(format!("terse: {} fields, ours {}", old.len(), new.len()));
    }
    let version = old.first().map_or("", String::as_str);
    let base = usize::from(version != "2");
    let way = if version == "5" { 47 } else { 41 };
    let amounts = [READ_KIB + base, READ_KIB + base + way];
    for (place, (a, b)) in old.iter().zip(&new).enumerate() {
        // Version, group and error are determined; so are the amounts if the work is.
        let fixed = place < 4 + base || (exact && amounts.contains(&place));
        if class(a) != class(b) || (fixed && a != b && !a.starts_with("fio-3.")) {
            problems.push(format!("terse field {}: '{a}', ours '{b}'", place + 1));
        }
    }
    problems
}

/// Whether a line is a terse one.
pub fn is_terse(line: &str) -> bool {
    let version = line.as_bytes().first().is_some_and(|byte| (b'2'..=b'5').contains(byte));
    version && line.as_bytes().get(1) == Some(&b';') && line.matches(';').count() > 50
}

#[test]
fn fields_are_compared_by_how_they_are_written() {
    let check = |real: &str, ours: &str, expected: usize| {
        assert_eq!(compare(real, ours, true).len(), expected);
    };
    check("3;fio-3.33;a;0;0;1024;7;1.5", "3;fio-3.42;a;0;0;1024;9;2.5", 0);
    check("3;fio-3.33;a;0;0;1024;7", "3;fio-3.42;a;0;0;1028;9", 1);
    check("3;fio-3.33;a;0;0;1024;7", "3;fio-3.33;a;0;0;1024;7.5", 1);
    check("3;fio-3.33;a;0;0;1;1.000000%=7", "3;fio-3.33;a;0;0;1;2.000000%=7", 1);
    check("3;fio-3.33;a;0;0;1;0.5%", "3;fio-3.33;a;0;0;1;0.55%", 1);
    check("3;fio-3.33;a;0;0", "3;fio-3.33;a;0", 1);
}
