//! Finding an option by name.

use super::registry::{OPTIONS, RegisteredOption};
use super::spec::{OptionSpec, ValueKind, Words};
use super::switches::SWITCHES;

/// All options, chapter by chapter.
pub fn all_options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().map(|option| &option.spec)
}

/// The option of this name or alias; exact, case and all.
pub fn find_option(name: &str) -> Option<&'static OptionSpec> {
    find_registered(name).map(|option| &option.spec)
}

/// [`find_option`], with what it sets.
pub(super) fn find_registered(name: &str) -> Option<&'static RegisteredOption> {
    OPTIONS.iter().find(|option| option_names(&option.spec).any(|known| known == name))
}

/// Options whose name or alias begins with this, each once; only the one, when a name is exact.
/// Options of engines that are not run stay out, as fio knows an engine's options only with it.
pub fn options_with_prefix(name: &str) -> Vec<&'static OptionSpec> {
    if let Some(exact) = find_option(name) {
        return vec![exact];
    }
    if name.is_empty() {
        return Vec::new();
    }
    all_options()
        .filter(|spec| {
            is_reachable(spec) && option_names(spec).any(|known| known.starts_with(name))
        })
        .collect()
}

/// The name that was perhaps meant, when one is near enough; `None` for a name that exists.
pub fn suggest_option(name: &str) -> Option<&'static str> {
    if name.is_empty() || find_option(name).is_some() {
        return None;
    }
    let candidates = all_options()
        .filter(|spec| is_reachable(spec) && spec.kind != ValueKind::Deprecated)
        .flat_map(option_names);
    nearest_word(name, candidates)
}

/// The option or switch that was perhaps meant by a name that is neither.
pub fn suggest_name(name: &str) -> Option<&'static str> {
    let switches = SWITCHES.iter().map(|switch| switch.name);
    suggest_option(name).or_else(|| nearest_word(name, switches))
}

/// The nearest of some words, if it is near: a third of the letters wrong at most. The first of
/// several that are equally near.
pub fn nearest_word<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.replace('-', "_").to_ascii_lowercase();
    let max = (wanted.chars().count() / 3).max(1);
    words
        .map(|word| (edit_distance(&wanted, &word.replace('-', "_")), word))
        .filter(|(wrong, word)| *wrong <= max && *wrong < word.len())
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, word)| word)
}

/// Name and aliases of an option.
pub fn option_names(spec: &OptionSpec) -> impl Iterator<Item = &'static str> + use<> {
    std::iter::once(spec.name).chain(spec.aliases.iter().copied())
}

/// Engines that we run, with a word on each.
pub fn supported_engines() -> Words {
    find_option("ioengine").map_or(&[], |spec| spec.choices)
}

/// Whether a job can have this option: it is of every job, or of an engine we run.
pub fn is_reachable(spec: &OptionSpec) -> bool {
    let runs = |engine: &&str| supported_engines().iter().any(|(name, _)| name == engine);
    spec.engines.is_empty() || spec.engines.iter().any(runs)
}

/// Whether an option may be used with an engine.
pub fn belongs_to(spec: &OptionSpec, engine: &str) -> bool {
    spec.engines.is_empty() || spec.engines.contains(&engine)
}

/// Letters to add, drop, change or swap with a neighbour on the way from one word to the other.
fn edit_distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, &a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in to.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut min = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == to[j - 1] && b == from[i - 1] {
                min = min.min(above[j - 1] + 1);
            }
            next.push(min);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_name_is_there_once() {
        let mut seen = BTreeMap::new();
        for spec in all_options() {
            for name in option_names(spec) {
                if let Some(other) = seen.insert(name, spec.name) {
                    panic!("{name} is in {other} and in {}", spec.name);
                }
            }
        }
        assert!(seen.len() > 330, "only {} names", seen.len());
    }

    #[test]
    fn parents_exist() {
        for spec in all_options() {
            let Some(parent) = spec.parent else { continue };
            assert!(
                find_option(parent).is_some_and(|it| it.name == parent),
                "{}: {parent}",
                spec.name
            );
        }
    }

    #[test]
    fn defaults_are_in_range_and_among_choices() {
        for spec in all_options() {
            let Some(default) = spec.default else { continue };
            if spec.kind == ValueKind::Choice && !spec.choices.is_empty() {
                assert!(spec.choices.iter().any(|(word, _)| *word == default), "{}", spec.name);
            }
            if let (Some((least, most)), Ok(value)) = (spec.range, default.parse::<i64>())
                && value != 0
            {
                assert!((least..=most).contains(&value), "{}: {default}", spec.name);
            }
        }
    }

    #[test]
    fn help_is_one_sentence_that_fits_a_line() {
        for spec in all_options() {
            let fits = spec.help.chars().count() <= 100 && spec.help.ends_with('.');
            assert!(fits && !spec.help.contains('|'), "{}: {}", spec.name, spec.help);
        }
    }

    #[test]
    fn aliases_are_found() {
        let check =
            |alias: &str, name: &str| assert_eq!(find_option(alias).map(|it| it.name), Some(name));
        check("bs", "bs");
        check("blocksize", "bs");
        check("timeout", "runtime");
        check("ss_dur", "steadystate_duration");
        check("log_max_value", "log_window_value");
        assert!(find_option("BS").is_none());
    }

    #[test]
    fn prefixes_of_the_command_line() {
        let check = |start: &str, expected: &[&str]| {
            let found: Vec<&str> = options_with_prefix(start).iter().map(|it| it.name).collect();
            assert_eq!(found, expected, "{start}");
        };
        check("time_bas", &["time_based"]);
        check("direc", &["directory", "direct"]);
        check("direct", &["direct"]);
        check("group", &["group_reporting"]);
        check("readw", &["rw"]);
        check("http_h", &[]);
        check("nosuch", &[]);
        check("", &[]);
        check("iodepth_batch_s", &["iodepth_batch"]);
    }

    #[test]
    fn suggestions() {
        let check =
            |typed: &str, meant: Option<&str>| assert_eq!(suggest_option(typed), meant, "{typed}");
        check("bsx", Some("bs"));
        check("iodeph", Some("iodepth"));
        check("group-reporting", Some("group_reporting"));
        check("norandomap", Some("norandommap"));
        check("rumtime", Some("runtime"));
        check("dierct", Some("direct"));
        check("hugepage_size", Some("hugepage-size"));
        check("Direct", Some("direct"));
        check("direct", None);
        check("completelyunknown", None);
        check("", None);
    }
}
