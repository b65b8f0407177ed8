//! Import cycles between the modules of a crate.
//!
//! A module imports another when it names something in it: by `use`, or by a path. Names that the
//! other only re-exports lead to where they are defined, and a re-export itself is no import, so a
//! facade closes no cycle. A parent and its children are modules like any others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::finding::Finding;
use super::modules::{Module, Sources, list_modules};
use super::ratchet::Excess;
use super::workspace::Member;

/// Re-exports are followed this far; a chain that is longer is a circle.
const REEXPORTS_MAX: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cycle {
    pub(super) modules: Vec<String>,
    /// The shortest way from the first one back to itself.
    pub(super) example: Vec<String>,
    place: (String, usize),
}

pub(super) fn find(member: &Member, sources: &Sources) -> Option<Excess> {
    let cycles = find_cycles(member, sources);
    let finding = |cycle: &Cycle| {
        let message = format!(
            "{} modules import each other: {}; move what both sides need into a module of its own",
            cycle.modules.len(),
            cycle.example.join(" -> ")
        );
        Finding::new(&cycle.place.0, cycle.place.1, message)
    };
    (!cycles.is_empty()).then(|| Excess {
        key: format!("cycles in {}", member.name),
        count: cycles.iter().map(|cycle| cycle.modules.len()).sum(),
        unit: "modules in import cycles",
        findings: cycles.iter().map(finding).collect(),
    })
}

pub(super) fn find_cycles(member: &Member, sources: &Sources) -> Vec<Cycle> {
    let graph = Graph::new(&list_modules(member, sources), sources);
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for module in graph.imports.keys() {
        if seen.contains(module) {
            continue;
        }
        let forward = graph.reachable(module);
        let circle: Vec<String> = forward
            .iter()
            .filter(|other| graph.reachable(other).contains(module))
            .cloned()
            .collect();
        seen.extend(circle.iter().cloned());
        if let Some(first) = circle.first().filter(|_| circle.len() > 1) {
            let example = graph.shortest_cycle(first);
            let place = example.get(1).and_then(|next| graph.imports.get(first)?.get(next));
            let place = place.cloned().unwrap_or_default();
            cycles.push(Cycle { modules: circle, example, place });
        }
    }
    cycles
}

/// Which module imports which others, and where: file and line.
struct Graph {
    imports: BTreeMap<String, BTreeMap<String, (String, usize)>>,
}

impl Graph {
    fn new(modules: &[Module], sources: &Sources) -> Graph {
        let names: BTreeSet<&str> = modules.iter().map(|module| module.name.as_str()).collect();
        let scans: BTreeMap<&str, Scan> = modules
            .iter()
            .map(|module| (module.name.as_str(), Scan::of_module(module, modules, sources)))
            .collect();
        let resolver = Resolver { names, scans };
        let mut imports = BTreeMap::new();
        for module in modules {
            let scan = &resolver.scans[module.name.as_str()];
            let own: &mut BTreeMap<_, _> = imports.entry(module.name.clone()).or_default();
            let private = scan.uses.iter().filter(|used| !used.is_reexport);
            for named in private.chain(&scan.paths) {
                let target = resolver.resolve(&module.name, &named.segments, 0);
                if let Some(target) = target.filter(|target| *target != module.name) {
                    own.entry(target).or_insert((module.file.clone(), named.line));
                }
            }
        }
        Graph { imports }
    }

    /// All modules that can be reached from this one; itself too if there is a way back.
    fn reachable(&self, from: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> =
            self.imports.get(from).into_iter().flat_map(BTreeMap::keys).collect();
        while let Some(module) = open.pop() {
            if reached.insert(module.clone()) {
                open.extend(self.imports.get(module).into_iter().flat_map(BTreeMap::keys));
            }
        }
        reached
    }

    fn shortest_cycle(&self, from: &str) -> Vec<String> {
        let mut open = VecDeque::from([vec![from.to_owned()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = open.pop_front() {
            let last = way.last().and_then(|last| self.imports.get(last));
            for next in last.into_iter().flat_map(BTreeMap::keys) {
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
}

#[derive(Debug, Clone)]
struct Named {
    segments: Vec<String>,
    /// The name by which the module knows it.
    alias: String,
    line: usize,
    is_reexport: bool,
}

#[derive(Debug, Default)]
struct Scan {
    uses: Vec<Named>,
    paths: Vec<Named>,
}

impl Scan {
    /// What stands in the module itself: not in its inner modules, and not in tests.
    fn of_module(module: &Module, modules: &[Module], sources: &Sources) -> Scan {
        let mut scan = Scan::default();
        let Some(source) = sources.get(&module.file) else { return scan };
        let Ok(tokens) = source.text.parse::<TokenStream>() else { return scan };
        scan.read(&tokens.into_iter().collect::<Vec<_>>());
        let is_own = |line: usize| {
            let inner = modules.iter().filter(|other| {
                other.file == module.file && other.name.starts_with(&format!("{}::", module.name))
            });
            module.lines.contains(&line)
                && !source.in_test(line)
                && !inner.into_iter().any(|other| other.lines.contains(&line))
        };
        scan.uses.retain(|named| is_own(named.line));
        scan.paths.retain(|named| is_own(named.line));
        scan
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let rest = &tokens[index + 1..];
            match token {
                TokenTree::Ident(word) if word == "use" => {
                    let length = rest.iter().take_while(|token| !is_punct(token, ';')).count();
                    let is_reexport = is_public(&tokens[..index]);
                    collect_names(&rest[..length], &[], is_reexport, &mut self.uses);
                    index += length;
                }
                TokenTree::Ident(_) if starts_path(&tokens[..index], rest) => {
                    let length = path_length(&tokens[index..]);
                    let path = &tokens[index..index + length];
                    collect_names(path, &[], false, &mut self.paths);
                    index += length - 1;
                }
                TokenTree::Group(group) => {
                    self.read(&group.stream().into_iter().collect::<Vec<_>>());
                }
                _ => {}
            }
            index += 1;
        }
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
fn collect_names(
    tokens: &[TokenTree],
    prefix: &[String],
    is_reexport: bool,
    names: &mut Vec<Named>,
) {
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
                    collect_names(&inner, &segments, is_reexport, names);
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
        names.push(Named { segments, alias, line, is_reexport });
    }
}

struct Resolver<'a> {
    names: BTreeSet<&'a str>,
    scans: BTreeMap<&'a str, Scan>,
}

impl Resolver<'_> {
    fn resolve(&self, from: &str, segments: &[String], depth: usize) -> Option<String> {
        let (first, mut rest) = segments.split_first()?;
        let mut module = match first.as_str() {
            "crate" => from.split("::").next()?.to_owned(),
            "self" => from.to_owned(),
            "super" => parent_module(from)?.to_owned(),
            name => match self.child(from, name) {
                Some(child) => child,
                None => return self.resolve_imported(from, name, rest, depth),
            },
        };
        while let Some((next, more)) = rest.split_first() {
            module = match (next.as_str(), self.child(&module, next)) {
                ("super", _) => parent_module(&module)?.to_owned(),
                (_, Some(child)) => child,
                // An item: of the module itself, or one that it takes from another.
                (name, None) => {
                    return self.resolve_imported(&module, name, more, depth).or(Some(module));
                }
            };
            rest = more;
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
        let uses = &self.scans.get(module)?.uses;
        let used = uses.iter().find(|used| used.alias == name)?;
        if depth >= REEXPORTS_MAX {
            return None;
        }
        let path: Vec<String> = used.segments.iter().chain(rest).cloned().collect();
        self.resolve(module, &path, depth + 1)
    }

    fn child(&self, module: &str, name: &str) -> Option<String> {
        let child = format!("{module}::{name}");
        self.names.contains(child.as_str()).then_some(child)
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
