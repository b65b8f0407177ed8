//! The arrows between the crates: who may know whom.

use super::workspace::manifest_key;
use super::workspace::manifest_section;
use super::{Dependency, Finding, Kind, Member};

/// What each crate may depend on of this workspace. A new arrow is an architectural change.
const ALLOWED_DEPENDENCIES: &[(&str, &str)] = &[
    // For builds without the schema of the record.
    ("no-schema", ""),
    ("units", "no-schema"),
    ("output", "units"),
    // Limits on what is read: every crate that reads foreign files may know it.
    ("input", "units"),
    ("message", "input units"),
    ("stats", "units message"),
    ("workload", "units"),
    ("record", "units stats workload input message"),
    // A crate of its own, so that those who only need the schema do not wait for databases.
    ("history", "units message input output stats workload record"),
    ("target", "units message workload record"),
    ("engine", "units stats workload"),
    ("model", "units message input"),
    ("analysis", "units message stats record workload model"),
    // Of fio only the search for similar words.
    ("method", "units message input stats workload record target engine analysis fio"),
    ("ping", "units message stats workload record target engine analysis method"),
    // Live disks; of the analysis what a disk can do.
    ("watch", "units message input stats workload record target engine analysis history"),
    ("report", "units message stats workload record analysis"),
    ("fio", "message workload record units stats input"),
    // Of method: how a cell is built and a file laid out.
    (
        "fio-run",
        "units message input output stats workload record target engine analysis fio \
         method",
    ),
    (
        "fleet",
        "units message input output stats workload record target engine analysis method fio \
         fio-run watch",
    ),
    (
        "truedisk",
        "units message input output stats workload record target engine analysis method ping \
         report fio fio-run fleet model history watch",
    ),
    // It serves the engine's simulated device, and its scenarios name findings of the record.
    ("lab", "units engine record"),
    // Measures simulated worlds, and knows what is true of them.
    ("campaign", "units stats workload record engine analysis method report"),
];

/// May know anything, and are known by no other: they are never shipped.
const CHORE_CRATES: [&str; 2] = ["xtask", "bench"];

/// May be known by any crate's tests, and by nothing else but the chores.
const TEST_CRATE: &str = "lab";

pub(super) fn check(members: &[Member]) -> Vec<Finding> {
    members.iter().filter(|member| !is_chore(&member.name)).flat_map(check_member).collect()
}

fn check_member(member: &Member) -> Vec<Finding> {
    let path = format!("{}/Cargo.toml", member.folder);
    let Some((_, allowed)) = ALLOWED_DEPENDENCIES.iter().find(|(name, _)| *name == member.name)
    else {
        let message = format!(
            "crate '{}' is not in the table of arrows; add it to xtask/src/tidy/dependencies.rs \
             with what it may know",
            member.name
        );
        return vec![Finding::new(&path, 1, message)];
    };
    let ours = member.dependencies.iter().filter(|dependency| dependency.ours);
    // A crate may name itself among its dev-dependencies, to switch on its own features.
    let others = ours.filter(|d| !(d.kind == Kind::Dev && d.name == member.name));
    let wrong = others.filter(|dependency| !is_allowed(allowed, dependency));
    let finding = |dependency: &Dependency| {
        let message =
            format!("'{}' may not know '{}'{}", member.name, dependency.name, advice(dependency));
        Finding::new(&path, manifest_line(member, dependency), message)
    };
    wrong.map(finding).collect()
}

fn is_chore(name: &str) -> bool {
    CHORE_CRATES.contains(&name)
}

fn is_allowed(allowed: &str, dependency: &Dependency) -> bool {
    match dependency.name.as_str() {
        TEST_CRATE => dependency.kind == Kind::Dev,
        name => allowed.split(' ').any(|known| known == name),
    }
}

fn advice(dependency: &Dependency) -> &'static str {
    match (dependency.name.as_str(), dependency.kind) {
        (TEST_CRATE, _) => " outside tests; make it a dev-dependency",
        (name, _) if is_chore(name) => "; chores are known by nobody",
        (_, Kind::Dev) => ", not even in tests; move the test to a crate that knows both",
        (_, Kind::Normal) => "; arrows point one way: move the code, or hand the thing in",
    }
}

fn manifest_line(member: &Member, dependency: &Dependency) -> usize {
    let headings: &[&str] = match dependency.kind {
        Kind::Dev => &["[dev-dependencies]"],
        Kind::Normal => &["[dependencies]", "[build-dependencies]"],
    };
    let mut lines = headings.iter().flat_map(|heading| manifest_section(&member.manifest, heading));
    lines.find(|(_, line)| manifest_key(line) == dependency.name).map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::super::testing::member;
    use super::*;

    fn check_one(name: &str, dependencies: &[&str], expected: &[&str]) {
        let found = check(&[member(name, dependencies)]);
        assert_eq!(found.len(), expected.len(), "{name} {dependencies:?}: {found:?}");
        for (finding, text) in found.iter().zip(expected) {
            assert!(finding.message.contains(text), "{finding}");
        }
    }

    #[test]
    fn arrows_point_one_way() {
        check_one("units", &[], &[]);
        check_one("units", &["stats"], &["'units' may not know 'stats'"]);
        check_one("stats", &["units", "external serde"], &[]);
        check_one("engine", &["units", "record"], &["'engine' may not know 'record'"]);
        check_one("target", &["record"], &[]);
        check_one("report", &["method", "analysis"], &["'report' may not know 'method'"]);
        check_one("fleet", &["report", "method"], &["'fleet' may not know 'report'"]);
        check_one("truedisk", &["fleet", "report", "fio"], &[]);
    }

    #[test]
    fn tests_may_know_the_lab_and_nothing_else_above() {
        check_one("analysis", &["dev lab"], &[]);
        check_one("analysis", &["lab"], &["make it a dev-dependency"]);
        check_one("truedisk", &["lab"], &["make it a dev-dependency"]);
        check_one("record", &["dev analysis"], &["not even in tests"]);
        check_one("record", &["dev record", "dev units"], &[]);
        check_one("lab", &["stats"], &["'lab' may not know 'stats'"]);
    }

    #[test]
    fn chores_know_all_and_are_known_by_nobody() {
        check_one("xtask", &["lab", "truedisk"], &[]);
        check_one("bench", &["lab", "xtask"], &[]);
        for chores in ["dev xtask", "bench"] {
            check_one("method", &[chores], &["known by nobody"]);
        }
    }

    #[test]
    fn a_crate_must_be_in_the_table() {
        check_one("novelty", &[], &["not in the table of arrows"]);
    }

    #[test]
    fn a_finding_points_into_the_manifest() {
        let mut units = member("units", &["stats"]);
        units.manifest = "[package]\n[dependencies]\nstats = { workspace = true }\n".to_owned();
        assert_eq!(check(&[units])[0].line, 3);
    }
}
