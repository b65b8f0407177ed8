//! Rules about heads, manifests, ARCHITECTURE.md, decisions and the change log.

use std::collections::{BTreeMap, BTreeSet};

use super::workspace::{manifest_key, manifest_section};
use super::{Dependency, Finding, Kind, Member, Source, Workspace};

/// Lines of `//!` with which a library begins: purpose, limits, invariants, where to start.
const HEAD_LINES_MIN: usize = 5;

pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(workspace.sources.values().filter_map(check_head));
    findings.extend(workspace.members.iter().filter_map(check_member_lints));
    findings.extend(check_safety_lint(&workspace.manifest));
    let document = |path: &str| workspace.documents.get(path).map_or("", String::as_str);
    findings.extend(check_code_map(&workspace.members, document("ARCHITECTURE.md")));
    let decisions = document("docs/decisions.md");
    findings.extend(check_decisions(&workspace.manifest, &workspace.members, decisions));
    findings.extend(check_unreleased(document("CHANGELOG.md")));
    findings.extend(workspace.binaries.iter().map(|path| binary_finding(path)));
    findings
}

/// Programs, core dumps and archives come with `git add` unseen.
fn binary_finding(path: &str) -> Finding {
    let message = "no text, and nothing else is kept here; take it out: git rm --cached";
    Finding::new(path, 1, message)
}

fn check_head(source: &Source) -> Option<Finding> {
    if !source.path.ends_with("/src/lib.rs") {
        return None;
    }
    let lines = source.text.lines().take_while(|line| line.starts_with("//!")).count();
    let message = format!(
        "a head of {lines} lines, fewer than {HEAD_LINES_MIN}; say with `//!` what the crate is \
         for, what it does not do, its invariants, and where to start reading"
    );
    (lines < HEAD_LINES_MIN).then(|| Finding::new(&source.path, 1, message))
}

fn check_member_lints(member: &Member) -> Option<Finding> {
    let on =
        manifest_section(&member.manifest, "[lints]").any(|(_, line)| is_true(line, "workspace"));
    let message = "the workspace's lints are off; add `[lints]` with `workspace = true`";
    (!on).then(|| Finding::new(&format!("{}/Cargo.toml", member.folder), 1, message))
}

fn is_true(line: &str, name: &str) -> bool {
    line.split_once('=').is_some_and(|(key, value)| key.trim() == name && value.trim() == "true")
}

/// Clippy demands a reason for every `unsafe` block, where this lint is on.
fn check_safety_lint(manifest: &str) -> Option<Finding> {
    let mut lints = manifest_section(manifest, "[workspace.lints.clippy]");
    let on = lints.any(|(_, line)| {
        manifest_key(line) == "undocumented_unsafe_blocks"
            && ["deny", "forbid"].iter().any(|level| line.contains(&format!("\"{level}\"")))
    });
    let message = "no `undocumented_unsafe_blocks = \"deny\"` in [workspace.lints.clippy]; add it";
    (!on).then(|| Finding::new("Cargo.toml", 1, message))
}

fn check_code_map(members: &[Member], architecture: &str) -> Vec<Finding> {
    const PATH: &str = "ARCHITECTURE.md";
    let lines = architecture.lines().enumerate();
    let mut below = lines.skip_while(|(_, line)| !line.eq_ignore_ascii_case("## code map"));
    let Some((heading, _)) = below.next() else {
        return vec![Finding::new(PATH, 1, "no section `## Code map`; write one")];
    };
    let map: Vec<&str> =
        below.map(|(_, line)| line).take_while(|line| !line.starts_with("## ")).collect();
    let missing = members.iter().filter(|member| {
        let names = [format!("`{}`", member.folder), format!("`{}`", member.name)];
        !map.iter().any(|line| names.iter().any(|name| line.contains(name)))
    });
    let finding = |member: &Member| {
        let message = format!("`{}` is not in the code map; add its line", member.folder);
        Finding::new(PATH, heading + 1, message)
    };
    missing.map(finding).collect()
}

/// Every dependency that is not for tests alone has its line.
fn check_decisions(manifest: &str, members: &[Member], decisions: &str) -> Vec<Finding> {
    let known: BTreeSet<&str> = decisions.split('`').skip(1).step_by(2).collect();
    let mut wanted = BTreeMap::new();
    let used: Vec<_> = members.iter().flat_map(external_dependencies).collect();
    for (line, text) in manifest_section(manifest, "[workspace.dependencies]") {
        let name = manifest_key(text);
        let mut uses = used.iter().filter(|dependency| dependency.name == name).peekable();
        let for_tests = uses.peek().is_some() && uses.all(|use_| use_.kind == Kind::Dev);
        let ours = members.iter().any(|member| member.name == name) || text.contains("path =");
        if !ours && !for_tests {
            wanted.insert(name, ("Cargo.toml".to_owned(), line));
        }
    }
    // A crate may have one that it does not share.
    for member in members {
        for dependency in
            external_dependencies(member).filter(|dependency| dependency.kind == Kind::Normal)
        {
            let place = (format!("{}/Cargo.toml", member.folder), 1);
            wanted.entry(dependency.name.as_str()).or_insert(place);
        }
    }
    let missing = wanted.into_iter().filter(|(name, _)| !known.contains(name));
    let finding = |(name, (path, line)): (&str, (String, usize))| {
        let message = format!(
            "dependency `{name}` is not in docs/decisions.md; add need, tree, licence, and what \
             it replaces"
        );
        Finding::new(&path, line, message)
    };
    missing.map(finding).collect()
}

fn external_dependencies(member: &Member) -> impl Iterator<Item = &Dependency> {
    member.dependencies.iter().filter(|dependency| !dependency.ours)
}

fn check_unreleased(changelog: &str) -> Option<Finding> {
    let there = changelog.lines().any(|line| {
        let title = line.strip_prefix("## ").map(|title| title.trim_matches(['[', ']', ' ']));
        title.is_some_and(|title| title.eq_ignore_ascii_case("unreleased"))
    });
    let message = "no section `## [Unreleased]`; add it, and say what changes for users";
    (!there).then(|| Finding::new("CHANGELOG.md", 1, message))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{member, source};
    use super::*;

    #[test]
    fn a_library_begins_with_a_head() {
        let check =
            |path: &str, lines: usize| check_head(&source("a", path, &"//! x\n".repeat(lines)));
        assert!(check("crates/a/src/lib.rs", 5).is_none());
        assert!(check("crates/a/src/lib.rs", 4).unwrap().message.contains("a head of 4 lines"));
        assert!(check("crates/a/src/b.rs", 0).is_none());
        let late = source("a", "crates/a/src/lib.rs", &format!("\n{}", "//! x\n".repeat(5)));
        assert!(check_head(&late).is_some());
    }

    #[test]
    fn members_take_the_workspaces_lints() {
        let mut units = member("units", &[]);
        assert!(check_member_lints(&units).is_none());
        units.manifest = "[package]\nworkspace = true\n[lints]\n".to_owned();
        assert_eq!(check_member_lints(&units).unwrap().path, "crates/units/Cargo.toml");
    }

    #[test]
    fn unsafe_blocks_must_say_why() {
        let check = |level: &str| {
            let lint = format!("undocumented_unsafe_blocks = \"{level}\"\n");
            check_safety_lint(&format!("[workspace.lints.clippy]\ntodo = \"deny\"\n{lint}"))
                .is_none()
        };
        assert!(check("deny") && check("forbid"));
        assert!(!check("allow") && !check("warn"));
        assert!(check_safety_lint("").is_some());
    }

    #[test]
    fn every_crate_is_in_the_code_map() {
        let check = |text: &str| check_code_map(&[member("units", &[])], text).len();
        assert_eq!(check("# A\n## Code map\n- `crates/units`: quantities\n## Next\n"), 0);
        assert_eq!(check("## Code map\n- `units`\n"), 0);
        assert_eq!(check("`units`\n## Code map\n## Next\n`units`\n"), 1);
        assert_eq!(check("units"), 1);
    }

    #[test]
    fn every_dependency_is_a_decision() {
        let manifest = "[workspace.dependencies]\nunits = { path = \"crates/units\" }\n\
                        serde = \"1\"\ninsta = \"1\"\n";
        let members = [member("units", &["external serde", "external-dev insta", "external libc"])];
        let check = |text: &str| {
            let found = check_decisions(manifest, &members, text);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(check("- `serde`: x\n- `libc`: y\n").is_empty());
        let found = check("- `libc`: not serde\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("Cargo.toml:3: dependency `serde`"), "{found:?}");
        assert!(check("`serde`")[0].starts_with("crates/units/Cargo.toml:1: dependency `libc`"));
    }

    #[test]
    fn the_change_log_has_a_place_for_what_comes() {
        assert!(check_unreleased("# Changes\n## [Unreleased]\n").is_none());
        assert!(check_unreleased("## Unreleased\n").is_none());
        assert!(check_unreleased("## 1.0\nunreleased\n").is_some());
    }
}
