//! The modules of a crate: the files they reach, which of them are tests, and their style.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;

use super::facts::is_for_tests;
use super::{Finding, Member, Source};

pub(super) type Sources = BTreeMap<String, Source>;

/// The files reached from the roots of a crate; true for those that only tests reach.
type Reached = BTreeMap<String, bool>;

#[derive(Debug, Clone)]
pub(super) struct Module {
    /// `crate::html::charts`; the first part is the root.
    pub(super) name: String,
    pub(super) file: String,
    /// Of an inline module its own lines, else the whole file's.
    pub(super) lines: RangeInclusive<usize>,
}

pub(super) fn check(members: &[Member], sources: &Sources) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let walk = Walk::new(member, sources);
        let src = format!("{}/src/", member.folder);
        for path in sources.keys().filter(|path| path.starts_with(&src)) {
            if !walk.reached.contains_key(path) {
                let message = "no module reaches this file; declare it with `mod`, or delete it";
                findings.push(Finding::new(path, 1, message));
            }
            if path.ends_with("/mod.rs") {
                let message = "another style of module; call it NAME.rs, beside the folder NAME";
                findings.push(Finding::new(path, 1, message));
            }
        }
        findings.extend(walk.path_attributes);
    }
    findings
}

pub(super) fn mark_tests(members: &[Member], sources: &mut Sources) {
    for member in members {
        for (path, is_test) in Walk::new(member, sources).reached {
            if let Some(source) = sources.get_mut(&path) {
                source.is_test |= is_test;
            }
        }
    }
}

pub(super) fn list_modules(member: &Member, sources: &Sources) -> Vec<Module> {
    Walk::new(member, sources).modules
}

/// The name of the root module at a file where cargo starts a program or a library.
fn root_name(folder: &str, path: &str, sources: &Sources) -> Option<String> {
    let inside = path.strip_prefix(folder)?.strip_prefix('/')?;
    let parts: Vec<&str> = inside.split('/').collect();
    let name = match parts.as_slice() {
        ["build.rs"] => "build",
        ["src", "lib.rs"] => "crate",
        ["src", "main.rs"] if sources.contains_key(&format!("{folder}/src/lib.rs")) => "main",
        ["src", "main.rs"] => "crate",
        ["src", "bin", name] | ["src", "bin", name, "main.rs"] => name,
        _ => return None,
    };
    Some(name.to_owned())
}

struct Walk<'a> {
    sources: &'a Sources,
    reached: Reached,
    modules: Vec<Module>,
    path_attributes: Vec<Finding>,
}

struct Place<'a> {
    path: &'a str,
    name: &'a str,
    /// Where the files of its modules lie.
    children: &'a Path,
    is_test: bool,
}

impl<'a> Walk<'a> {
    fn new(member: &Member, sources: &'a Sources) -> Walk<'a> {
        let (reached, modules, path_attributes) = (Reached::new(), Vec::new(), Vec::new());
        let mut walk = Walk { sources, reached, modules, path_attributes };
        for path in sources.keys() {
            if let Some(name) = root_name(&member.folder, path, sources) {
                let children = parent_folder(path);
                walk.enter_file(&Place { path, name: &name, children: &children, is_test: false });
            }
        }
        walk
    }

    /// A file that was reached for tests is entered again when something else reaches it too.
    fn enter_file(&mut self, place: &Place<'_>) {
        let Some(source) = self.sources.get(place.path) else { return };
        if self.reached.get(place.path).is_some_and(|known| *known <= place.is_test) {
            return;
        }
        self.reached.insert(place.path.to_owned(), place.is_test);
        self.enter_items(&source.syntax.items, place, 1..=usize::MAX);
    }

    fn enter_items(
        &mut self,
        items: &[syn::Item],
        place: &Place<'_>,
        lines: RangeInclusive<usize>,
    ) {
        if !place.is_test {
            let (name, file) = (place.name.to_owned(), place.path.to_owned());
            self.modules.push(Module { name, file, lines });
        }
        for item in items {
            let syn::Item::Mod(module) = item else { continue };
            let is_test = place.is_test || is_for_tests(&module.attrs);
            let name = format!("{}::{}", place.name, module.ident);
            let below = place.children.join(module.ident.to_string());
            if let Some((_, inner)) = &module.content {
                let lines = module.span().start().line..=module.span().end().line;
                let inside = Place { path: place.path, name: &name, children: &below, is_test };
                self.enter_items(inner, &inside, lines);
                continue;
            }
            if let Some(named) = path_attribute(&module.attrs) {
                let message = "`#[path]` hides where a module is; put the file where `mod` looks";
                let line = module.span().start().line;
                self.path_attributes.push(Finding::new(place.path, line, message));
                let file = parent_folder(place.path).join(named).to_string_lossy().into_owned();
                let children = parent_folder(&file);
                self.enter_file(&Place { path: &file, name: &name, children: &children, is_test });
                continue;
            }
            for file in [below.with_extension("rs"), below.join("mod.rs")] {
                let path = &file.to_string_lossy();
                self.enter_file(&Place { path, name: &name, children: &below, is_test });
            }
        }
    }
}

fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    let mut pairs =
        attributes.iter().filter_map(|attribute| attribute.meta.require_name_value().ok());
    let pair = pairs.find(|pair| pair.path.is_ident("path"))?;
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else {
        return None;
    };
    Some(text.value())
}

fn parent_folder(path: &str) -> PathBuf {
    Path::new(path).parent().map(Path::to_path_buf).unwrap_or_default()
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
        let dead = found.iter().filter(|f| f.message.starts_with("no module"));
        let dead: Vec<_> = dead.map(|f| f.path.replace("crates/units/", "")).collect();
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

    #[test]
    fn there_is_one_style_of_modules() {
        let strange = |files: &[(&str, &str)]| -> Vec<String> {
            let found = check(&[member("units", &[])], &sources(files));
            found.iter().map(|f| format!("{}:{}", f.path, f.line)).collect()
        };
        assert!(strange(&[("src/lib.rs", "mod a;"), ("src/a.rs", "")]).is_empty());
        let old = strange(&[("src/lib.rs", "mod a;"), ("src/a/mod.rs", "")]);
        assert_eq!(old, ["crates/units/src/a/mod.rs:1"]);
        let hidden = strange(&[("src/lib.rs", "\n#[path = \"b.rs\"]\nmod a;"), ("src/b.rs", "")]);
        assert_eq!(hidden, ["crates/units/src/lib.rs:2"]);
        // A folder in `tests` is Cargo's way.
        assert!(strange(&[("src/lib.rs", ""), ("tests/common/mod.rs", "")]).is_empty());
    }
}
