//! The figures of the code: how long, how tangled, how plain.

use std::fmt;

use super::workspace::{Member, Source, Workspace};
use super::{imports, words};

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
        let words = words::find(workspace);
        let words_below = |prefix: &str| -> usize {
            let inside = words.iter().filter(|excess| {
                excess.findings.first().is_some_and(|finding| finding.path.starts_with(prefix))
            });
            inside.map(|excess| excess.count).sum()
        };
        let count = |member: &Member| {
            let own = workspace.sources.values().filter(|source| source.member == member.name);
            let mut count = Count { name: member.name.clone(), ..Count::default() };
            for source in own {
                count.lines += lines_without_tests(source);
                let functions = source.facts.functions.iter();
                let functions = functions.filter(|function| !source.in_test(function.line));
                count.functions.extend(functions.map(|function| function.lines));
            }
            count.functions.sort_unstable();
            count.cycles = imports::find_cycles(member, &workspace.sources).len();
            count.words = words_below(&format!("{}/", member.folder));
            count
        };
        let members: Vec<Count> = workspace.members.iter().map(count).collect();
        let mut functions: Vec<usize> =
            members.iter().flat_map(|count| count.functions.iter().copied()).collect();
        functions.sort_unstable();
        let total = Count {
            name: "total".to_owned(),
            lines: members.iter().map(|count| count.lines).sum(),
            functions,
            cycles: members.iter().map(|count| count.cycles).sum(),
            words: words_below(""),
        };
        Counts { members, total }
    }
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
