//! Facts about one file, collected in one pass. Functions and tests come from the syntax tree, the
//! rest from the tokens: the inside of a macro is no syntax to `syn`.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) functions: Vec<Function>,
    pub(super) tests: Vec<RangeInclusive<usize>>,
    /// Where a `#[cfg(test)] mod` at the very end begins.
    pub(super) trailing_tests: Option<usize>,
    pub(super) unsafes: Vec<usize>,
    pub(super) ignores: Vec<usize>,
    pub(super) sleeps: Vec<usize>,
    /// Ways to open a file for writing, to stdout and stderr, and to the command line, as written.
    pub(super) writes: Vec<(usize, String)>,
    pub(super) streams: Vec<(usize, String)>,
    pub(super) command_lines: Vec<(usize, String)>,
    /// Every identifier; `fn NAME` where a function is defined.
    pub(super) identifiers: Vec<(usize, String)>,
    pub(super) structs: Vec<Struct>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) fields: usize,
    /// Whether it derives `Serialize` or `Deserialize`: it is as wide as its file format.
    pub(super) is_format: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
}

impl Facts {
    pub(super) fn collect(text: &str, syntax: &syn::File) -> syn::Result<Self> {
        let mut visitor = Visitor::default();
        visitor.visit_file(syntax);
        let mut facts = visitor.facts;
        facts.trailing_tests = syntax.items.last().and_then(trailing_tests);
        let tokens: TokenStream = text.parse()?;
        facts.scan_tokens(tokens);
        Ok(facts)
    }

    fn scan_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let (before, after) = (&tokens[..index], &tokens[index + 1..]);
            let line = token.span().start().line;
            match token {
                TokenTree::Group(group) => {
                    if is_attribute(before, group) && is_ignore(&group.stream()) {
                        self.ignores.push(line);
                    }
                    self.scan_tokens(group.stream());
                }
                TokenTree::Ident(ident) => {
                    self.record_word(line, &ident.to_string(), before, after);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn record_word(&mut self, line: usize, word: &str, before: &[TokenTree], after: &[TokenTree]) {
        let called = matches!(after.first(), Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis);
        let path = qualifier(before).map(|qualifier| format!("{qualifier}::{word}"));
        let is_function = matches!(before.last(), Some(TokenTree::Ident(last)) if last == "fn");
        let prefix = if is_function { "fn " } else { "" };
        self.identifiers.push((line, format!("{prefix}{word}")));
        let found = match word {
            "unsafe" => return self.unsafes.push(line),
            "sleep" if called && !is_method_or_definition(before) => {
                return self.sleeps.push(line);
            }
            "OpenOptions" if is_punct(after.first(), ':') => &mut self.writes,
            "O_RDWR" | "O_WRONLY" => &mut self.writes,
            "stdout" | "stderr" if called && !is_method_or_definition(before) => &mut self.streams,
            "anstream" => &mut self.streams,
            "args_os" => &mut self.command_lines,
            "args" if path.as_deref() == Some("env::args") => &mut self.command_lines,
            _ => {
                let path = path.filter(|path| WRITING_PATHS.contains(&path.as_str()));
                return self.writes.extend(path.map(|path| (line, path)));
            }
        };
        found.push((line, word.to_owned()));
    }
}

/// Paths that open a file for writing; those that can be told by their last word stand above.
const WRITING_PATHS: &[&str] = &[
    "File::create",
    "File::create_new",
    "File::options",
    "OFlags::CREATE",
    "OFlags::RDWR",
    "OFlags::WRONLY",
    "fs::copy",
    "fs::write",
];

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn qualifier(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(word), first, second]
            if is_punct(Some(first), ':') && is_punct(Some(second), ':') =>
        {
            Some(word.to_string())
        }
        _ => None,
    }
}

fn is_method_or_definition(before: &[TokenTree]) -> bool {
    match before.last() {
        Some(TokenTree::Ident(word)) => word == "fn",
        last => is_punct(last, '.'),
    }
}

fn is_attribute(before: &[TokenTree], group: &proc_macro2::Group) -> bool {
    let bang = usize::from(is_punct(before.last(), '!'));
    let hash = before.len().checked_sub(1 + bang).and_then(|index| before.get(index));
    group.delimiter() == Delimiter::Bracket && is_punct(hash, '#')
}

fn is_ignore(attribute: &TokenStream) -> bool {
    let text = attribute.to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.next() {
        Some("ignore") => true,
        Some("cfg_attr") => words.any(|word| word == "ignore"),
        _ => false,
    }
}

fn is_format(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|derive| {
        let syn::Meta::List(list) = &derive.meta else { return false };
        list.tokens.clone().into_iter().any(|token| {
            matches!(token, TokenTree::Ident(name) if name == "Serialize" || name == "Deserialize")
        })
    })
}

pub(super) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => requires_test(list.tokens.clone()),
        meta => meta.path().segments.last().is_some_and(|last| last.ident == "test"),
    })
}

/// `test` or `all(..., test, ...)`; not `any(test, ...)`, which other builds have as well.
/// `feature = "fixture"` is a test too: only dev-dependencies switch that feature of `record` on.
fn requires_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Ident(word) => word == "test",
        TokenTree::Literal(text) => text.to_string() == "\"fixture\"",
        TokenTree::Group(group) => {
            matches!(tokens[..index].last(), Some(TokenTree::Ident(word)) if word == "all")
                && requires_test(group.stream())
        }
        _ => false,
    })
}

fn trailing_tests(item: &syn::Item) -> Option<usize> {
    let syn::Item::Mod(module) = item else { return None };
    let first = module.attrs.first().filter(|_| is_for_tests(&module.attrs))?;
    module.content.as_ref().map(|_| first.span().start().line)
}

#[derive(Default)]
struct Visitor {
    facts: Facts,
    /// The type or trait whose functions are being read.
    owner: Option<String>,
}

impl Visitor {
    fn record_function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let line = signature.span().start().line;
        let end = block.brace_token.span.close().end().line;
        let owner = self.owner.as_ref().map_or_else(String::new, |owner| format!("{owner}::"));
        let name = format!("{owner}{}", signature.ident);
        self.facts.functions.push(Function { name, line, lines: end + 1 - line });
    }

    fn record_tests(&mut self, attributes: &[syn::Attribute], end: usize) {
        if let Some(first) = attributes.first().filter(|_| is_for_tests(attributes)) {
            self.facts.tests.push(first.span().start().line..=end);
        }
    }

    fn with_owner(&mut self, owner: Option<String>, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.owner, owner);
        visit(self);
        self.owner = outer;
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.record_tests(attributes_of(item), item.span().end().line);
        visit::visit_item(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if let syn::Fields::Named(fields) = &item.fields {
            let (name, line) = (item.ident.to_string(), item.ident.span().start().line);
            let (fields, is_format) = (fields.named.len(), is_format(&item.attrs));
            self.facts.structs.push(Struct { name, line, fields, is_format });
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.record_function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let owner = match &*block.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.with_owner(owner, |visitor| visit::visit_item_impl(visitor, block));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let owner = Some(item.ident.to_string());
        self.with_owner(owner, |visitor| visit::visit_item_trait(visitor, item));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.record_tests(&function.attrs, function.span().end().line);
        self.record_function(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.record_function(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

fn attributes_of(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        Facts::collect(text, &syn::parse_file(text).unwrap()).unwrap()
    }

    #[test]
    fn functions_are_measured_from_signature_to_brace() {
        let text = "/// Doc.\n#[inline]\npub fn a(\n  x: u8,\n) -> u8 {\n  x\n}\n\
                    impl<T> fmt::Display for Pair<T> {\n fn b(&self) {}\n}\n\
                    trait Shape { fn c(&self) {\n} fn d(&self); }\n";
        let seen: Vec<_> = facts(text)
            .functions
            .into_iter()
            .map(|function| (function.name, function.line, function.lines))
            .collect();
        let expected = [("a", 3, 5), ("Pair::b", 9, 1), ("Shape::c", 11, 2)];
        assert_eq!(seen, expected.map(|(name, line, lines)| (name.to_owned(), line, lines)));
    }

    #[test]
    fn test_code_is_known_by_its_attributes() {
        let check = |attribute: &str, expected: bool| {
            let text = format!("fn a() {{}}\n{attribute}\nmod m {{\n}}\n");
            let facts = facts(&text);
            assert_eq!(facts.tests == [2..=4], expected, "{attribute}: {:?}", facts.tests);
            assert_eq!(facts.trailing_tests == Some(2), expected, "{attribute}");
        };
        check("#[cfg(test)]", true);
        check("#[cfg(all(test, unix))]", true);
        check("#[cfg(feature = \"fixture\")]", true);
        check("#[cfg(feature = \"x\")]", false);
        check("#[cfg(not(feature = \"fixture\"))]", false);
        check("#[cfg(not(test))]", false);
        check("#[cfg(any(test, feature = \"x\"))]", false);
        check("#[allow(missing_docs)]", false);
        assert_eq!(facts("#[test]\nfn t() {\n}\n").tests, [1..=3]);
        assert_eq!(facts("#[cfg(test)]\nmod t {}\nfn last() {}\n").trailing_tests, None);
    }

    #[test]
    fn words_are_found_inside_macros_too() {
        let facts = facts(
            "fn f() {\n  vec![unsafe { g() }];\n  m!(File::create(p));\n}\n\
             #[cfg_attr(miri, ignore)]\nfn t() {}\n#[ignore = \"slow\"]\nfn u() {}\n",
        );
        assert_eq!(facts.unsafes, [2]);
        assert_eq!(facts.writes, [(3, "File::create".to_owned())]);
        assert_eq!(facts.ignores, [5, 7]);
    }

    #[test]
    fn likenesses_are_not_taken_for_the_thing() {
        let facts = facts(
            "#![forbid(unsafe_code)]\nuse std::fs::OpenOptions;\nuse std::thread::sleep;\n\
             fn sleep() { clock.sleep(); TestFile::create(); let todo = 1; ignore(todo); }\n\
             fn g(fs: &Fs) { fs.write(); \"File::create unsafe\"; /* unsafe */ }\n",
        );
        assert!(facts.unsafes.is_empty() && facts.sleeps.is_empty(), "{facts:?}");
        assert!(facts.writes.is_empty() && facts.ignores.is_empty(), "{facts:?}");
    }

    #[test]
    fn sleeping_and_opening_are_found_in_every_spelling() {
        let facts = facts(
            "fn f() {\n thread::sleep(d);\n sleep(d);\n OpenOptions::new();\n fs::write(p, b);\n\
             open(p, OFlags::RDWR | OFlags::CLOEXEC);\n open(p, libc::O_WRONLY);\n}\n",
        );
        assert_eq!(facts.sleeps, [2, 3]);
        let lines: Vec<_> = facts.writes.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [4, 5, 6, 7]);
    }
}
