//! Import cycles between the modules of a crate.
//!
//! A module imports another when it names something in it: by `use`, or by a path. Names that the
//! other only re-exports lead to where they are defined, and a re-export itself is no import, so a
//! facade closes no cycle. A parent and its children are modules like any others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::modules::list_modules;
use super::{Finding, Member, Module, Sources};

/// Re-exports are followed this far; a chain that is longer is a circle.
const REEXPORTS_MAX: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cycle {
    pub(super) modules: Vec<String>,
    /// The shortest way from the first one back to itself.
    pub(super) example: Vec<String>,
    place: (String, usize),
}

pub(super) fn check(member: &Member, sources: &Sources) -> Vec<Finding> {
    let finding = |cycle: &Cycle| {
        let message = format!(
            "{} modules import each other: {}; move what both sides need into a module of its own",
            cycle.modules.len(),
            cycle.example.join(" -> ")
        );
        Finding::new(&cycle.place.0, cycle.place.1, message)
    };
    find_cycles(member, sources).iter().map(finding).collect()
}

pub(super) fn find_cycles(member: &Member, sources: &Sources) -> Vec<Cycle> {
    let imports = list_imports(&list_modules(member, sources), sources);
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for module in imports.keys() {
        if seen.contains(module) {
            continue;
        }
        let is_circular = |other: &String| list_reachable(&imports, other).contains(module);
        let circle: Vec<String> =
            list_reachable(&imports, module).into_iter().filter(is_circular).collect();
        seen.extend(circle.iter().cloned());
        if let Some(first) = circle.first().filter(|_| circle.len() > 1) {
            let example = find_shortest_cycle(&imports, first);
            let place = example.get(1).and_then(|next| imports.get(first)?.get(next));
            let place = place.cloned().unwrap_or_default();
            cycles.push(Cycle { modules: circle, example, place });
        }
    }
    cycles
}

/// Which module imports which others, and where: file and line.
type Imports = BTreeMap<String, BTreeMap<String, (String, usize)>>;

fn list_imports(modules: &[Module], sources: &Sources) -> Imports {
    let names = |module: &Module| (module.name.clone(), list_names(module, modules, sources));
    let resolver = Resolver { names: modules.iter().map(names).collect() };
    let mut imports = Imports::new();
    for module in modules {
        let own = imports.entry(module.name.clone()).or_default();
        let names = resolver.names[&module.name].iter();
        for named in names.filter(|named| named.kind != NameKind::Reexport) {
            let target = resolver.resolve(&module.name, &named.segments, 0);
            if let Some(target) = target.filter(|target| *target != module.name) {
                own.entry(target).or_insert((module.file.clone(), named.line));
            }
        }
    }
    imports
}

fn imported<'a>(imports: &'a Imports, module: &str) -> impl Iterator<Item = &'a String> + use<'a> {
    imports.get(module).into_iter().flat_map(BTreeMap::keys)
}

/// All modules that can be reached from this one; itself too if there is a way back.
fn list_reachable(imports: &Imports, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = imported(imports, from).collect();
    while let Some(module) = open.pop() {
        if reached.insert(module.clone()) {
            open.extend(imported(imports, module));
        }
    }
    reached
}

fn find_shortest_cycle(imports: &Imports, from: &str) -> Vec<String> {
    let mut open = VecDeque::from([vec![from.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = open.pop_front() {
        for next in way.last().into_iter().flat_map(|last| imported(imports, last)) {
            let longer = || way.iter().cloned().chain([next.clone()]).collect();
            if next == from {
                return longer();
            }
            if seen.insert(next) {
                open.push_back(longer());
            }
        }
    }
    Vec::new()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Use,
    Reexport,
    Path,
}

#[derive(Debug, Clone)]
struct Named {
    kind: NameKind,
    segments: Vec<String>,
    /// The name by which the module knows it.
    alias: String,
    line: usize,
}

/// The names with a path in the module itself: not in its inner modules, and not in tests.
fn list_names(module: &Module, modules: &[Module], sources: &Sources) -> Vec<Named> {
    let mut names = Vec::new();
    let Some(source) = sources.get(&module.file) else { return names };
    let Ok(tokens) = source.text.parse::<TokenStream>() else { return names };
    read_names(tokens, &mut names);
    let inside = format!("{}::", module.name);
    let inner = modules.iter().filter(|other| other.file == module.file);
    let inner: Vec<_> = inner.filter(|other| other.name.starts_with(&inside)).collect();
    names.retain(|Named { line, .. }| {
        module.lines.contains(line)
            && !source.in_test(*line)
            && !inner.iter().any(|other| other.lines.contains(line))
    });
    names
}

fn read_names(tokens: TokenStream, names: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let (before, rest) = (&tokens[..index], &tokens[index + 1..]);
        match token {
            TokenTree::Ident(word) if word == "use" => {
                let length = rest.iter().take_while(|token| !is_punct(token, ';')).count();
                let kind = if is_public(before) { NameKind::Reexport } else { NameKind::Use };
                collect_names(&rest[..length], &[], kind, names);
                index += length;
            }
            TokenTree::Ident(_) if starts_path(before, rest) => {
                let length = path_length(&tokens[index..]);
                collect_names(&tokens[index..index + length], &[], NameKind::Path, names);
                index += length - 1;
            }
            TokenTree::Group(group) => read_names(group.stream(), names),
            _ => {}
        }
        index += 1;
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_double_colon(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is_punct(first, ':') && is_punct(second, ':'))
}

/// Whether a `use` behind these tokens is `pub`, also to a part of the crate only.
fn is_public(before: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "pub");
    match before {
        [.., word, TokenTree::Group(_)] => is_pub(word),
        [.., word] => is_pub(word),
        [] => false,
    }
}

/// Whether a word between these tokens is the first of a path.
fn starts_path(before: &[TokenTree], after: &[TokenTree]) -> bool {
    let follows = before.len() >= 2 && is_double_colon(&before[before.len() - 2..]);
    let is_field = before.last().is_some_and(|token| is_punct(token, '.'));
    is_double_colon(after) && !follows && !is_field
}

/// How many tokens a path has that begins here, with the braces at its end.
fn path_length(tokens: &[TokenTree]) -> usize {
    let mut length = 1;
    while is_double_colon(&tokens[length..]) {
        match tokens.get(length + 2) {
            Some(TokenTree::Ident(_)) => length += 3,
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                return length + 3;
            }
            _ => return length,
        }
    }
    length
}

/// The names of a path or of the tree behind `use`.
fn collect_names(tokens: &[TokenTree], prefix: &[String], kind: NameKind, names: &mut Vec<Named>) {
    for branch in tokens.split(|token| is_punct(token, ',')) {
        let mut segments = prefix.to_vec();
        let mut alias = None;
        let mut line = 0;
        for token in branch {
            line = token.span().start().line;
            match token {
                TokenTree::Ident(word) if word == "as" => alias = Some(String::new()),
                TokenTree::Ident(word) if alias.is_some() => alias = Some(word.to_string()),
                TokenTree::Ident(word) => segments.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => segments.push("*".to_owned()),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    collect_names(&inner, &segments, kind, names);
                    segments.clear();
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        // `use a::b::{self}` names `a::b`.
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let Some(last) = segments.last() else { continue };
        let alias = alias.unwrap_or_else(|| last.clone());
        names.push(Named { kind, segments, alias, line });
    }
}

struct Resolver {
    names: BTreeMap<String, Vec<Named>>,
}

impl Resolver {
    /// The module that a path leads to; none of another crate's.
    fn resolve(&self, from: &str, segments: &[String], depth: usize) -> Option<String> {
        let mut module = from.to_owned();
        for (index, name) in segments.iter().enumerate() {
            let child = format!("{module}::{name}");
            module = match name.as_str() {
                "crate" => from.split("::").next()?.to_owned(),
                "self" => module,
                "super" => parent_module(&module)?.to_owned(),
                _ if self.names.contains_key(&child) => child,
                // An item: one that the module takes from another, or its own.
                _ => {
                    let rest = &segments[index + 1..];
                    let imported = self.resolve_imported(&module, name, rest, depth);
                    return imported.or_else(|| (index > 0).then_some(module));
                }
            };
        }
        Some(module)
    }

    /// What a module knows by a name that it has imported.
    fn resolve_imported(
        &self,
        module: &str,
        name: &str,
        rest: &[String],
        depth: usize,
    ) -> Option<String> {
        let mut uses = self.names.get(module)?.iter().filter(|used| used.kind != NameKind::Path);
        let used = uses.find(|used| used.alias == name).filter(|_| depth < REEXPORTS_MAX)?;
        let path: Vec<String> = used.segments.iter().chain(rest).cloned().collect();
        self.resolve(module, &path, depth + 1)
    }
}

fn parent_module(module: &str) -> Option<&str> {
    module.rsplit_once("::").map(|(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{member, source};
    use super::*;

    /// The modules of each cycle in files below crates/units/src.
    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(name, text): &(&str, &str)| {
            let path = format!("crates/units/src/{name}");
            (path.clone(), source("units", &path, text))
        };
        let sources: Sources = files.iter().map(file).collect();
        let found = find_cycles(&member("units", &[]), &sources);
        found.iter().map(|cycle| cycle.example.join(" ").replace("crate::", "")).collect()
    }

    #[test]
    fn modules_that_use_each_other_are_a_cycle() {
        let lib = ("lib.rs", "mod a; mod b;");
        assert_eq!(cycles(&[lib, ("a.rs", "use crate::b::B;"), ("b.rs", "")]), [""; 0]);
        let both = [lib, ("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { super::a::g(); }")];
        assert_eq!(cycles(&both), ["a b a"]);
    }

    #[test]
    fn longer_ways_and_paths_in_macros_count() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use super::{b::{self, B}, X};"),
            ("b.rs", "fn f() { println!(\"{}\", crate::c::VALUE); }"),
            ("c.rs", "use crate::a::A as Other;"),
        ];
        assert_eq!(cycles(&files), ["a b c a"]);
    }

    #[test]
    fn a_parent_and_its_child_are_two_modules() {
        let child = ("a/b.rs", "use super::A;");
        let lib = ("lib.rs", "mod a;");
        let calls = ("a.rs", "mod b; struct A; fn f() { b::g(); }");
        assert_eq!(cycles(&[lib, calls, child]), ["a a::b a"]);
        let leaf = ("a.rs", "mod b; mod c; use c::A; fn f() { b::g(); }");
        assert_eq!(cycles(&[lib, leaf, child, ("a/c.rs", "pub struct A;")]), [""; 0]);
    }

    #[test]
    fn a_facade_closes_no_cycle() {
        let files = [
            ("lib.rs", "mod error; mod a; pub use error::{Error, Result}; pub use a::A;"),
            ("error.rs", "pub struct Error;"),
            ("a.rs", "use crate::{Error, Result}; fn f() -> crate::Result {}"),
        ];
        assert_eq!(cycles(&files), [""; 0]);
        // But what the facade re-exports leads to where it is defined.
        let through = [
            ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("a.rs", "use crate::B;"),
            ("b.rs", "use crate::A;"),
        ];
        assert_eq!(cycles(&through), ["a b a"]);
    }

    #[test]
    fn tests_and_other_crates_are_not_looked_at() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use b::B; use std::fmt; use crate::b::C;"),
            (
                "b.rs",
                "#[cfg(test)]\nmod tests { use crate::a::A; }\n#[cfg(test)]\nuse crate::a::D;",
            ),
        ];
        assert_eq!(cycles(&files), [""; 0]);
    }
}
