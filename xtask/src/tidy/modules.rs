//! Which files a crate's modules reach: the others are dead. And which of them are tests only.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::Finding;
use super::facts::is_for_tests;
use super::workspace::{Member, Source};

type Sources = BTreeMap<String, Source>;

/// The files reached from the roots of a crate; true for those that only tests reach.
type Reached = BTreeMap<String, bool>;

/// Files under `src` that no module names.
pub(super) fn check(members: &[Member], sources: &Sources) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let reached = reach_files(member, sources);
        let src = format!("{}/src/", member.folder);
        let dead = sources.keys().filter(|path| path.starts_with(&src));
        for path in dead.filter(|path| !reached.contains_key(*path)) {
            let message = "no module reaches this file; declare it with `mod`, or delete it";
            findings.push(Finding::new(path, 1, message));
        }
    }
    findings
}

/// Marks the sources that only tests reach.
pub(super) fn mark_tests(members: &[Member], sources: &mut Sources) {
    for member in members {
        for (path, is_test) in reach_files(member, sources) {
            if let Some(source) = sources.get_mut(&path) {
                source.is_test |= is_test;
            }
        }
    }
}

fn reach_files(member: &Member, sources: &Sources) -> Reached {
    let mut reached = Reached::new();
    for path in sources.keys().filter(|path| is_root(&member.folder, path)) {
        let folder = parent_folder(path);
        follow_file(path, &folder, false, sources, &mut reached);
    }
    reached
}

/// Whether cargo starts a program or a library at that file.
fn is_root(folder: &str, path: &str) -> bool {
    let Some(inside) = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) else {
        return false;
    };
    let parts: Vec<&str> = inside.split('/').collect();
    matches!(
        parts.as_slice(),
        ["build.rs"]
            | ["src", "lib.rs" | "main.rs"]
            | ["src", "bin", _]
            | ["src", "bin", _, "main.rs"]
    )
}

/// Enters a file, whose modules lie in `children`. A file that was reached for tests is entered
/// again when something else reaches it too.
fn follow_file(
    path: &str,
    children: &Path,
    is_test: bool,
    sources: &Sources,
    reached: &mut Reached,
) {
    let Some(source) = sources.get(path) else {
        return;
    };
    if reached.get(path).is_some_and(|known| *known <= is_test) {
        return;
    }
    reached.insert(path.to_owned(), is_test);
    follow_items(path, &source.syntax.items, children, is_test, sources, reached);
}

fn follow_items(
    path: &str,
    items_here: &[syn::Item],
    children: &Path,
    is_test: bool,
    sources: &Sources,
    reached: &mut Reached,
) {
    for item in items_here {
        let syn::Item::Mod(module) = item else {
            continue;
        };
        let is_test = is_test || is_for_tests(&module.attrs);
        let name = module.ident.to_string();
        if let Some((_, inner)) = &module.content {
            follow_items(path, inner, &children.join(name), is_test, sources, reached);
            continue;
        }
        if let Some(named) = path_attribute(&module.attrs) {
            let file = join_path(&parent_folder(path), &named);
            follow_file(&file, &parent_folder(&file), is_test, sources, reached);
            continue;
        }
        let below = children.join(&name);
        for file in [below.with_extension("rs"), below.join("mod.rs")] {
            follow_file(&file.to_string_lossy(), &below, is_test, sources, reached);
        }
    }
}

fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

fn parent_folder(path: &str) -> PathBuf {
    Path::new(path).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Joins and resolves `..`, without asking the file system.
fn join_path(folder: &Path, relative: &str) -> String {
    let mut joined = PathBuf::new();
    for part in folder.join(relative).components() {
        match part {
            Component::ParentDir => drop(joined.pop()),
            Component::CurDir => {}
            other => joined.push(other),
        }
    }
    joined.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{member, source};
    use super::*;

    /// Files as `name: text`, below crates/units.
    fn sources(files: &[(&str, &str)]) -> Sources {
        let file = |(name, text): &(&str, &str)| {
            let path = format!("crates/units/{name}");
            (path.clone(), source("units", &path, text))
        };
        files.iter().map(file).collect()
    }

    fn check_dead(files: &[(&str, &str)], expected: &[&str]) {
        let found = check(&[member("units", &[])], &sources(files));
        let dead: Vec<_> = found.iter().map(|f| f.path.replace("crates/units/", "")).collect();
        assert_eq!(dead, expected, "{files:?}");
    }

    #[test]
    fn every_way_to_declare_a_module_reaches_its_file() {
        check_dead(&[("src/lib.rs", "mod a;"), ("src/a.rs", "")], &[]);
        check_dead(
            &[("src/lib.rs", "mod a;"), ("src/a/mod.rs", "mod b;"), ("src/a/b.rs", "")],
            &[],
        );
        check_dead(&[("src/lib.rs", "mod a;"), ("src/a.rs", "mod b;"), ("src/a/b.rs", "")], &[]);
        check_dead(&[("src/lib.rs", "mod a { mod b; }"), ("src/a/b.rs", "")], &[]);
        check_dead(&[("src/lib.rs", "#[path = \"z/q.rs\"] mod a;"), ("src/z/q.rs", "")], &[]);
        check_dead(&[("src/main.rs", ""), ("src/bin/x.rs", ""), ("tests/t.rs", "")], &[]);
    }

    #[test]
    fn a_file_that_nothing_names_is_dead() {
        check_dead(&[("src/lib.rs", "mod a;"), ("src/a.rs", ""), ("src/b.rs", "")], &["src/b.rs"]);
        // A module of a dead file is dead as well.
        check_dead(
            &[("src/lib.rs", ""), ("src/a.rs", "mod b;"), ("src/a/b.rs", "")],
            &["src/a.rs", "src/a/b.rs"],
        );
    }

    #[test]
    fn what_only_tests_reach_is_a_test() {
        let mut sources = sources(&[
            ("src/lib.rs", "#[cfg(test)] mod t; mod a;"),
            ("src/t.rs", "mod u;"),
            ("src/t/u.rs", ""),
            ("src/a.rs", ""),
        ]);
        mark_tests(&[member("units", &[])], &mut sources);
        let tests = sources.values().filter(|source| source.is_test);
        let tests: Vec<_> = tests.map(|source| source.path.as_str()).collect();
        assert_eq!(tests, ["crates/units/src/t.rs", "crates/units/src/t/u.rs"]);
    }
}
