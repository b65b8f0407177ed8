//! Names near to one that is not there.

use strsim::levenshtein as edit_distance;

const OFFERED_MAX: usize = 3;

/// The names nearest to `asked` by edits, none that shares less than half (Levenshtein).
pub(crate) fn nearest_names(asked: &str, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut all: Vec<(usize, String)> = names
        .into_iter()
        .map(|name| (edit_distance(asked, &name), name))
        .filter(|(distance, name)| *distance * 2 <= asked.chars().count().max(name.len()))
        .collect();
    // Of equally near ones the newest, whose id is the highest.
    all.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    all.dedup();
    all.into_iter().take(OFFERED_MAX).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        let check = |a, b, expected| assert_eq!(edit_distance(a, b), expected, "{a} {b}");
        check("", "", 0);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("flaw", "lawn", 2);
        check("same", "same", 0);
    }

    #[test]
    fn the_nearest_are_offered_and_nothing_far() {
        let names = || ["before-upgrade", "after-upgrade", "nightly"].map(str::to_owned);
        assert_eq!(nearest_names("before-upgrad", names())[0], "before-upgrade");
        assert!(!nearest_names("before-upgrad", names()).contains(&"nightly".to_owned()));
        assert!(nearest_names("zzz", names()).is_empty());
    }
}
