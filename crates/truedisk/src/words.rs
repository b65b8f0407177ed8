//! The tests of words and of the ids by which code asks for them, in all crates.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn list_sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let sources = folders.flat_map(|folder| [folder.join("src"), folder.join("templates")]);
    sources.filter(|folder| folder.is_dir()).collect()
}

#[test]
fn every_label_has_words() {
    for folder in list_sources() {
        assert_eq!(message::list_missing_labels(&folder).unwrap(), [""; 0]);
    }
}

#[test]
fn all_words_are_said_somewhere() {
    // Their ids have a part that is the name of a check, a preset, a term or a plan.
    const COMPOSED: [&str; 4] = ["check-", "preset-", "term-", "plan-what-"];
    let english = Path::new(env!("CARGO_MANIFEST_DIR")).join("../message/languages/en.ftl");
    let english = std::fs::read_to_string(english).unwrap();
    let is_message = |line: &&str| line.starts_with(|first: char| first.is_ascii_lowercase());
    let (ids, words): (Vec<&str>, Vec<&str>) =
        english.lines().filter(is_message).filter_map(|line| line.split_once(' ')).unzip();
    let mut folders = list_sources();
    let mut sources = words.join(" ");
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => sources.push_str(&std::fs::read_to_string(path).unwrap()),
            }
        }
    }
    let said: HashSet<&str> = sources.split(['"', ' ']).collect();
    let is_composed = |id: &str| COMPOSED.iter().any(|start| id.starts_with(start));
    let unsaid = ids.into_iter().filter(|id| !said.contains(id) && !is_composed(id));
    assert_eq!(unsaid.collect::<Vec<_>>(), [""; 0]);
}
