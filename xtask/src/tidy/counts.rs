//! The figures of the code: how long, how tangled, how plain.

use std::fmt;

use super::{Member, Source, Workspace, imports, words};

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Count {
    name: String,
    /// Lines outside tests, blank lines and comments included.
    lines: usize,
    /// Lines of each function outside tests, ascending.
    functions: Vec<usize>,
    cycles: usize,
    words: usize,
}

pub(super) struct Counts {
    members: Vec<Count>,
    total: Count,
}

impl Counts {
    pub(super) fn new(workspace: &Workspace) -> Counts {
        let count = |name: &str, folder: &str, cycles: usize| {
            let is_own = |path: &str| path.starts_with(folder);
            let own = || workspace.sources.values().filter(|source| is_own(&source.path));
            let mut functions: Vec<usize> = own().flat_map(function_lengths).collect();
            functions.sort_unstable();
            let lines = own().map(lines_without_tests).sum();
            let words = own().map(|source| words::check_source(source).len()).sum();
            Count { name: name.to_owned(), lines, functions, cycles, words }
        };
        let of_member = |member: &Member| {
            let cycles = imports::find_cycles(member, &workspace.sources).len();
            count(&member.name, &format!("{}/", member.folder), cycles)
        };
        let members: Vec<Count> = workspace.members.iter().map(of_member).collect();
        let cycles = members.iter().map(|count| count.cycles).sum();
        let mut total = count("total", "", cycles);
        total.words += words::check_documents(workspace).len();
        Counts { total, members }
    }
}

fn function_lengths(source: &Source) -> impl Iterator<Item = usize> {
    let functions = source.facts.functions.iter();
    functions.filter(|function| !source.in_test(function.line)).map(|function| function.lines)
}

fn lines_without_tests(source: &Source) -> usize {
    (1..=source.text.lines().count()).filter(|line| !source.in_test(*line)).count()
}

/// The length that this share of the functions does not exceed.
fn percentile(ascending: &[usize], percent: usize) -> usize {
    let place = (ascending.len() * percent).div_ceil(100).max(1) - 1;
    ascending.get(place).copied().unwrap_or(0)
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["crate", "lines", "functions", "p50", "p90", "max", "cycles", "words"];
        let [name, rest @ ..] = heads;
        write!(f, "{name:<10}")?;
        rest.iter().try_for_each(|head| write!(f, "{head:>10}"))?;
        writeln!(f)?;
        for count in self.members.iter().chain([&self.total]) {
            let Count { name, lines, functions, cycles, words } = count;
            let [p50, p90, max] = [50, 90, 100].map(|percent| percentile(functions, percent));
            write!(f, "{name:<10}")?;
            for figure in [*lines, functions.len(), p50, p90, max, *cycles, *words] {
                write!(f, "{figure:>10}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "total {} lines without tests", self.total.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    #[test]
    fn lines_of_tests_do_not_count() {
        let count = |path: &str, text: &str| lines_without_tests(&source("units", path, text));
        let path = "crates/units/src/a.rs";
        assert_eq!(count(path, "//! Head.\n\nfn f() {}\n"), 3);
        let tests = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        assert_eq!(count(path, tests), 2);
        let items = "#[cfg(test)]\nuse a::b;\n#[cfg(test)]\nconst A: u8 =\n    1;\nstruct B;\n";
        assert_eq!(count(path, items), 1);
        assert_eq!(count("crates/units/tests/a.rs", "fn f() {}\n"), 0);
    }

    #[test]
    fn a_percentile_is_a_length_of_the_sample() {
        let lengths: Vec<usize> = (1..=10).collect();
        let found = [50, 90, 100].map(|percent| percentile(&lengths, percent));
        assert_eq!(found, [5, 9, 10]);
        assert_eq!(percentile(&[], 50), 0);
    }
}
