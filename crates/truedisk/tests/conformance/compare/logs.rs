//! Logs: the same columns, written alike, and as many lines where that is determined.

use std::collections::BTreeSet;

/// How one column is written; whole numbers, `0x0000`, anything else as it stands.
fn class(field: &str) -> String {
    match field.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            format!("hex.{}", hex.len())
        }
        _ => super::json::number_class(field),
    }
}

fn shapes(text: &str) -> BTreeSet<String> {
    text.lines()
        .map(|line| {
            let classes: Vec<String> = line.split(", ").map(class).collect();
            // Histograms have 1856 columns; their number says it all.
            let shown = classes.iter().take(9).cloned().collect::<Vec<_>>().join(",");
            format!("{} columns: {shown}", classes.len())
        })
        .collect()
}

/// The directions a log names in its third column (second in histograms).
fn ways(text: &str, name: &str) -> BTreeSet<String> {
    let place = usize::from(!name.contains("_hist")) + 1;
    text.lines().filter_map(|line| line.split(", ").nth(place)).map(str::to_string).collect()
}

/// Compares two logs; with `lines` they must have this number of them.
pub fn compare(name: &str, real: &str, ours: &str, lines: Option<usize>) -> Vec<String> {
    let mut problems = Vec::new();
    let (old, new) = (shapes(real), shapes(ours));
    if old != new {
        problems.push(format!("{name}: lines are {old:?}, ours {new:?}"));
    }
    if ways(real, name) != ways(ours, name) && !name.contains("max") {
        let (old, new) = (ways(real, name), ways(ours, name));
        problems.push(format!("{name}: directions {old:?}, ours {new:?}"));
    }
    let (old, new) = (real.lines().count(), ours.lines().count());
    match lines {
        Some(count) if old != count || new != count => {
            problems.push(format!("{name}: {count} lines expected, fio {old}, ours {new}"));
        }
        None if old == 0 || new == 0 => {
            problems.push(format!("{name}: is empty (fio {old} lines, ours {new})"));
        }
        _ => {}
    }
    problems
}

#[test]
fn columns_and_their_numbers_count() {
    let check = |real: &str, ours: &str, lines, expected: usize| {
        assert_eq!(compare("a_lat.1.log", real, ours, lines).len(), expected);
    };
    check("0, 7, 0, 4096, 0, 0x0000\n", "5, 9, 0, 4096, 0, 0x0001\n", Some(1), 0);
    check("0, 7, 0, 4096, 0, 0x0000\n", "5, 9, 0, 4096, 0, 0\n", Some(1), 1);
    check("0, 7, 0, 4096, 0\n", "0, 7, 1, 4096, 0\n", None, 1);
    check("0, 7, 0, 4096, 0\n", "0,7,0,4096,0\n", None, 2);
    check("", "", None, 1);
}
