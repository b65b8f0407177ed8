//! What a run leaves in its folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files below a folder with their sizes, by their path in it; folders end in `/`.
pub fn list(dir: &Path) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    walk(dir, dir, &mut all);
    all
}

fn walk(root: &Path, dir: &Path, all: &mut BTreeMap<String, u64>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => {
                all.insert(format!("{name}/"), 0);
                walk(root, &path, all);
            }
            Ok(meta) => {
                all.insert(name, meta.len());
            }
            Err(_) => {}
        }
    }
}

/// Whether a file's size hangs on timing: logs and outputs.
fn is_moving(name: &str) -> bool {
    [".log", ".out", ".json", ".iolog", ".state"].iter().any(|end| name.ends_with(end))
}

/// Compares what two folders hold.
pub fn compare(real: &Path, ours: &Path) -> Vec<String> {
    let (old, new) = (list(real), list(ours));
    let mut problems = Vec::new();
    for (name, bytes) in &old {
        match new.get(name) {
            None => problems.push(format!("file {name} ({bytes} bytes) is missing")),
            Some(other) if other != bytes && !is_moving(name) => {
                problems.push(format!("file {name}: {bytes} bytes, ours {other}"));
            }
            Some(_) => {}
        }
    }
    let extra = new.keys().filter(|name| !old.contains_key(*name));
    problems.extend(extra.map(|name| format!("file {name} is there, fio leaves none")));
    problems
}
