//! Two JSON outputs: the same keys in the same order, written alike, and the determined values.

use std::collections::BTreeSet;

use super::json::Node;

/// Keys that fio got after 3.33; either side may have them. `*` stands for a list's elements.
pub const ADDED_IN_3_42: [&str; 8] = [
    "jobs/*/job_start",
    "jobs/*/latency_target_ns",
    "jobs/*/read/prios/*/priohint",
    "jobs/*/write/prios/*/priohint",
    "jobs/*/latency_window_us",
    "disk_util/*/read_sectors",
    "disk_util/*/write_sectors",
    "disk_util/*/slaves/*/read_sectors",
];

/// Our own key, which no client minds.
const OURS: &str = "truedisk";

/// Texts that name a moment or a version.
const MOVING_TEXTS: [&str; 4] =
    ["fio version", "time", "jobs/*/steadystate/criterion", "jobs/*/steadystate/ss"];

/// Whole numbers that must be equal when the work is determined by its size.
const EXACT: [&str; 7] =
    ["io_bytes", "io_kbytes", "total_ios", "error", "groupid", "total_err", "first_error"];

/// Compares two documents; `exact` when their work is determined. Empty when they agree.
pub fn compare(real: &Node, ours: &Node, exact: bool) -> Vec<String> {
    let mut walk = Walk { exact, problems: Vec::new() };
    walk.value("", "", real, ours);
    walk.problems
}

struct Walk {
    exact: bool,
    problems: Vec<String>,
}

impl Walk {
    /// `path` names the place, `rule` is it with `*` for elements.
    fn value(&mut self, path: &str, rule: &str, real: &Node, ours: &Node) {
        match (real, ours) {
            (Node::Object(_), Node::Object(_)) => self.object(path, rule, real, ours),
            (Node::Array(real), Node::Array(ours)) => self.array(path, rule, real, ours),
            (Node::Text(real), Node::Text(ours)) => self.text(path, rule, real, ours),
            _ if real.class() == ours.class() => self.number(path, rule, real, ours),
            _ => self.problems.push(format!(
                "{path}: written as {} by fio, as {} by ours ({ours:?})",
                real.class(),
                ours.class()
            )),
        }
    }

    fn object(&mut self, path: &str, rule: &str, real: &Node, ours: &Node) {
        if rule.rsplit('/').next() == Some("bins") {
            // Which bins are filled hangs on timing; how they are written does not.
            for (key, node) in ours.members() {
                if key.parse::<u64>().is_err() || node.class() != "int" {
                    self.problems.push(format!("{path}: '{key}' : {node:?} is no bin"));
                }
            }
            return;
        }
        let (old, new) = (kept_fields(rule, real, None), kept_fields(rule, ours, Some(real)));
        let keys = |list: &[(String, Node)]| -> Vec<String> {
            list.iter().map(|(key, _)| key.clone()).collect()
        };
        let (old_keys, new_keys) = (keys(&old), keys(&new));
        if old_keys != new_keys {
            self.problems.push(differing(path, &old_keys, &new_keys));
        }
        // A key may stand twice (`--size` given twice): the nth goes with the nth.
        let mut left = new;
        for (key, node) in &old {
            if let Some(place) = left.iter().position(|(name, _)| name == key) {
                let (_, other) = left.remove(place);
                self.value(&join(path, key), &join(rule, key), node, &other);
            }
        }
    }

    fn array(&mut self, path: &str, rule: &str, real: &[Node], ours: &[Node]) {
        let numbers = |list: &[Node]| list.iter().all(|node| matches!(node, Node::Bare(_)));
        if numbers(real) && numbers(ours) {
            // One a second, or one a processor: their number hangs on timing.
            if let (Some(old), Some(new)) = (real.first(), ours.first())
                && old.class() != new.class()
            {
                self.problems.push(format!("{path}: {} against {}", old.class(), new.class()));
            }
            return;
        }
        if real.len() != ours.len() {
            self.problems.push(format!("{path}: {} elements, ours {}", real.len(), ours.len()));
        }
        for (number, (old, new)) in real.iter().zip(ours).enumerate() {
            self.value(&join(path, &number.to_string()), &join(rule, "*"), old, new);
        }
    }

    fn text(&mut self, path: &str, rule: &str, real: &str, ours: &str) {
        if real != ours && !MOVING_TEXTS.contains(&rule) {
            self.problems.push(format!("{path}: '{real}', ours '{ours}'"));
        }
        if rule == "fio version" && !ours.starts_with("fio-3.") {
            self.problems.push(format!("{path}: '{ours}' does not begin with 'fio-3.'"));
        }
    }

    fn number(&mut self, path: &str, rule: &str, real: &Node, ours: &Node) {
        let (Node::Bare(real), Node::Bare(ours)) = (real, ours) else { return };
        if real == ours {
            return;
        }
        let last = rule.rsplit('/').next().unwrap_or(rule);
        let is_zero = |text: &str| text.parse::<f64>().is_ok_and(|value| value == 0.0);
        let counted = last == "N" || last == "total_ios" || last == "io_bytes";
        // When the last fsync of a queue comes hangs on what was reaped before it.
        let sync = rule.contains("/sync/");
        if (self.exact && !sync && EXACT.contains(&last)) || last == "error" || last == "groupid" {
            self.problems.push(format!("{path}: {real}, ours {ours}"));
        } else if counted && is_zero(real) != is_zero(ours) {
            self.problems.push(format!("{path}: {real}, ours {ours}: one counts, one does not"));
        }
    }
}

/// Members without those that only one version has. `real` is given for our side: a bare flag
/// among the options counts only if the reference lists it too (3.33 dropped them).
fn kept_fields(rule: &str, node: &Node, real: Option<&Node>) -> Vec<(String, Node)> {
    let flag_of_later = |key: &str, value: &Node| {
        rule.ends_with("options")
            && *value == Node::Text(String::new())
            && real.is_some_and(|real| real.get(key).is_none())
    };
    node.members()
        .iter()
        .filter(|(key, value)| {
            let added = ADDED_IN_3_42.contains(&join(rule, key).as_str());
            let own = rule.is_empty() && key == OURS;
            !(added || own || flag_of_later(key, value))
        })
        .cloned()
        .collect()
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}/{key}") }
}

fn differing(path: &str, real: &[String], ours: &[String]) -> String {
    let (a, b): (BTreeSet<_>, BTreeSet<_>) = (real.iter().collect(), ours.iter().collect());
    let missing: Vec<_> = a.difference(&b).collect();
    let extra: Vec<_> = b.difference(&a).collect();
    if missing.is_empty() && extra.is_empty() {
        return format!("{path}: order of keys: {real:?}\n  ours {ours:?}");
    }
    format!("{path}: keys missing {missing:?}, extra {extra:?}")
}

/// How fio lays its JSON out: one member a line, two blanks a level, ` : ` after keys. Clients read
/// it line by line.
pub fn layout(text: &str) -> Vec<String> {
    let mut level = 0_usize;
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let body = line.trim_start_matches(' ');
        let closes = body.starts_with('}') || body.starts_with(']');
        level = level.saturating_sub(usize::from(closes));
        let spaced = !body.starts_with('"') || body.contains("\" : ") || !body.contains("\":");
        // An empty object holds an empty line.
        if !body.is_empty() && (line.len() - body.len() != 2 * level || !spaced) {
            problems.push(format!("JSON line {}: laid out otherwise: '{line}'", number + 1));
        }
        level += usize::from(body.ends_with('{') || body.ends_with('['));
    }
    problems.truncate(5);
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::json::read;

    #[test]
    fn differences_are_found_and_later_keys_let_be() {
        let check = |real: &str, ours: &str, expected: usize| {
            let (real, ours) = (read(real).unwrap().0, read(ours).unwrap().0);
            let found = compare(&real, &ours, true);
            assert_eq!(found.len(), expected, "{found:?}");
        };
        check("{\"a\":1,\"b\":2}", "{\"a\":7,\"b\":3}", 0);
        check("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", 1);
        check("{\"a\":1}", "{\"a\":1,\"truedisk\":{}}", 0);
        check("{\"a\":1}", "{\"a\":1.0}", 1);
        check("{\"a\":1.000000}", "{\"a\":1.00}", 1);
        check("{\"a\":{\"io_bytes\":1}}", "{\"a\":{\"io_bytes\":2}}", 1);
        check("{\"jobs\":[{}]}", "{\"jobs\":[{\"job_start\":5}]}", 0);
        check("{\"jobs\":[{}]}", "{\"jobs\":[{\"extra\":5}]}", 1);
        check("{\"job options\":{}}", "{\"job options\":{\"time_based\":\"\"}}", 0);
        check("{\"job options\":{}}", "{\"job options\":{\"rw\":\"read\"}}", 1);
        check("{\"job options\":{\"bs\":\"4k\"}}", "{\"job options\":{\"bs\":\"4096\"}}", 1);
        check("{\"bins\":{\"1\":2}}", "{\"bins\":{\"3\":2}}", 0);
        check("{\"x\":{\"bins\":{\"1\":2}}}", "{\"x\":{\"bins\":{\"3\":2,\"4\":9}}}", 0);
        check("{\"x\":{\"bins\":{\"1\":2}}}", "{\"x\":{\"bins\":{\"3\":2.5}}}", 1);
        check("{\"a\":[1,2]}", "{\"a\":[1,2,3]}", 0);
    }

    #[test]
    fn layout_is_two_blanks_a_level() {
        let check = |text: &str, expected: usize| assert_eq!(layout(text).len(), expected);
        check("{\n  \"a\" : 1,\n  \"b\" : {\n    \"c\" : 2\n  }\n}", 0);
        check("{\n  \"a\": 1\n}", 1);
        check("{\n    \"a\" : 1\n}", 1);
    }
}
