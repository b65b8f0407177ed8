//! The ratchet: known exceptions to a limit, `KEY NUMBER` each, which may only shrink.

use std::collections::BTreeMap;

use super::Finding;

pub(super) const RATCHET_FILE: &str = "xtask/ratchet.txt";

#[derive(Clone)]
pub(super) struct Excess {
    /// As the ratchet names it.
    pub(super) key: String,
    pub(super) count: usize,
    pub(super) unit: &'static str,
    pub(super) findings: Vec<Finding>,
}

/// What is beyond its limit and not excepted, and exceptions that are out of date.
pub(super) fn check(excesses: Vec<Excess>, ratchet: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut excepted = BTreeMap::new();
    for (number, line) in entries(ratchet) {
        match parse_entry(line) {
            Some((key, count)) => drop(excepted.insert(key, (count, number))),
            None => {
                let message = "not an entry; write `KEY NUMBER`";
                findings.push(Finding::new(RATCHET_FILE, number, message));
            }
        }
    }
    for excess in excesses {
        let known = excepted.remove(excess.key.as_str());
        findings.extend(judge(excess, known));
    }
    for (key, (_, line)) in excepted {
        let message = format!("{key} is within the limit, or gone; remove this entry");
        findings.push(Finding::new(RATCHET_FILE, line, message));
    }
    findings
}

/// The ratchet with the numbers of today where they are smaller, without entries not needed.
pub(super) fn lower(excesses: &[Excess], ratchet: &str) -> String {
    let lowered = |line: &str| {
        let Some((key, known)) = parse_entry(line).filter(|_| is_entry(line)) else {
            return Some(format!("{line}\n"));
        };
        let now = excesses.iter().find(|excess| excess.key == key)?.count;
        Some(format!("{key} {}\n", known.min(now)))
    };
    ratchet.lines().filter_map(lowered).collect()
}

fn is_entry(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn entries(ratchet: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(ratchet.lines()).filter(|(_, line)| is_entry(line))
}

fn parse_entry(line: &str) -> Option<(&str, usize)> {
    let (key, count) = line.trim().rsplit_once(' ')?;
    Some((key.trim(), count.parse().ok()?))
}

fn judge(excess: Excess, known: Option<(usize, usize)>) -> Vec<Finding> {
    let Excess { key, count, unit, findings } = excess;
    match known {
        None => findings,
        Some((known, _)) if known < count => {
            let message = format!("{key} grew from {known} to {count} {unit}");
            let place = findings.first().map_or((RATCHET_FILE, 1), |f| (f.path.as_str(), f.line));
            let grew = Finding::new(place.0, place.1, message);
            [vec![grew], findings].concat()
        }
        Some((known, entry)) if known > count => {
            let message = format!("{key} shrank from {known} {unit}; write {count} here");
            vec![Finding::new(RATCHET_FILE, entry, message)]
        }
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excess(key: &str, count: usize) -> Excess {
        let findings = vec![Finding::new("a.rs", 7, format!("{count} lines; split it"))];
        Excess { key: key.to_owned(), count, unit: "lines", findings }
    }

    #[test]
    fn numbers_are_lowered_and_never_raised() {
        let ratchet = "# why\na.rs 80\nb.rs 90\n\ngone.rs 70\n";
        let lowered = lower(&[excess("a.rs", 75), excess("b.rs", 95), excess("c.rs", 99)], ratchet);
        assert_eq!(lowered, "# why\na.rs 75\nb.rs 90\n\n");
    }

    #[test]
    fn what_grew_is_shown_with_its_places() {
        let found = check(vec![excess("a.rs", 81)], "a.rs 80\n");
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a.rs:7: a.rs grew from 80 to 81 lines", "a.rs:7: 81 lines; split it"]);
    }
}
