//! Links of the documents: what they name exists, and the site has every page.

use std::collections::BTreeMap;

use super::Finding;

/// Where files of the repository are seen that are no pages of the site.
const REPOSITORY: &str = "https://github.com/truedisk/truedisk/blob/main/";
const SUMMARY: &str = "docs/SUMMARY.md";

pub(super) fn check(
    documents: &BTreeMap<String, String>,
    exists: impl Fn(&str) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in documents {
        for (line, link) in find_links(text) {
            let problem = check_link(path, link, documents, &exists);
            findings.extend(problem.map(|problem| Finding::new(path, line, problem)));
        }
    }
    findings.extend(check_summary(documents));
    findings
}

/// The targets of links outside code, each with its line.
fn find_links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        // Every second part lies between backquotes.
        let prose = line.split('`').step_by(2).filter(|_| !is_code);
        // A link whose words are code: its target stands behind the last backquote.
        for part in prose {
            let after = part.split("](").skip(1);
            let targets = after.filter_map(|rest| Some(rest.split_once(')')?.0));
            links.extend(targets.map(|target| (index + 1, target)));
        }
    }
    links
}

fn check_link(
    path: &str,
    link: &str,
    documents: &BTreeMap<String, String>,
    exists: impl Fn(&str) -> bool,
) -> Option<String> {
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = match target.strip_prefix(REPOSITORY) {
        Some(file) => file.to_owned(),
        None if target.contains("://") || target.starts_with("mailto:") => return None,
        None if target.is_empty() => path.to_owned(),
        None if target.starts_with("../") => {
            return Some(format!("'{link}' leaves the site; link to {REPOSITORY}..."));
        }
        None if folder.is_empty() => target.to_owned(),
        None => format!("{folder}/{target}"),
    };
    if !exists(&file) {
        return Some(format!("'{link}': there is no {file}"));
    }
    let has_heading = |text: &String| headings(text).any(|heading| heading == anchor);
    let is_missing = !anchor.is_empty() && !documents.get(&file).is_some_and(has_heading);
    is_missing.then(|| format!("'{link}': {file} has no such heading"))
}

/// Headings as they are named in links.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter(|line| line.starts_with('#'));
    titles.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

fn check_summary(documents: &BTreeMap<String, String>) -> Vec<Finding> {
    let Some(summary) = documents.get(SUMMARY) else {
        return vec![Finding::new(SUMMARY, 1, "missing; it lists the pages of the site")];
    };
    let listed = find_links(summary);
    let pages = documents.keys().filter_map(|path| path.strip_prefix("docs/"));
    let missing = pages.filter(|page| *page != "SUMMARY.md").filter_map(|page| {
        match listed.iter().filter(|(_, link)| link == &page).count() {
            1 => None,
            0 => Some(format!("'{page}' is not in the summary; add its line")),
            _ => Some(format!("'{page}' is listed twice")),
        }
    });
    missing.map(|message| Finding::new(SUMMARY, 1, message)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_page(text: &str) -> Vec<String> {
        let documents = [
            ("docs/SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n"),
            ("docs/a.md", text),
            ("docs/b.md", "# B\n## Who may say what?\n"),
        ];
        let documents = documents.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let documents = BTreeMap::from(documents);
        let exists = |path: &str| documents.contains_key(path) || path == "dist/Containerfile";
        check(&documents, exists).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_link_names_what_exists() {
        for text in [
            "[b](b.md), [b](b.md#who-may-say-what), [`b`](b.md), [here](#top)\n# Top\n",
            "[site](https://example.net/x.md#y) `[x](none.md)`\n```\n[x](none.md)\n```\n",
            "[file](https://github.com/truedisk/truedisk/blob/main/dist/Containerfile)",
        ] {
            assert_eq!(check_page(text), [""; 0], "{text}");
        }
        for (text, expected) in [
            ("x\n[c](c.md)", "docs/a.md:2: 'c.md': there is no docs/c.md"),
            ("[`c`](c.md)", "docs/a.md:1: 'c.md': there is no docs/c.md"),
            ("[b](b.md#no)", "docs/a.md:1: 'b.md#no': docs/b.md has no such heading"),
            ("[b](../dist/Containerfile)", "docs/a.md:1: '../dist/Containerfile' leaves the site"),
            (
                "[b](https://github.com/truedisk/truedisk/blob/main/dist/none)",
                "there is no dist/none",
            ),
        ] {
            let found = check_page(text);
            assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
        }
    }

    #[test]
    fn the_summary_lists_every_page_once() {
        let documents = |summary: &str| {
            let all = [("docs/SUMMARY.md", summary), ("docs/a.md", "# A\n"), ("README.md", "")];
            BTreeMap::from(all.map(|(path, text)| (path.to_owned(), text.to_owned())))
        };
        assert!(check_summary(&documents("- [A](a.md)\n")).is_empty());
        assert!(check_summary(&documents(""))[0].message.contains("not in the summary"));
        let twice = check_summary(&documents("- [A](a.md)\n- [A](a.md)\n"));
        assert!(twice[0].message.contains("listed twice"));
        assert!(check_summary(&BTreeMap::new())[0].message.contains("missing"));
    }
}
