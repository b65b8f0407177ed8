//! What tidy looks at: the workspace's members from cargo, their sources, and the documents.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::{Facts, Finding};
use crate::process;

/// Everything that the rules are given. Paths are relative to the root, with `/`.
pub(super) struct Workspace {
    pub(super) root: PathBuf,
    pub(super) members: Vec<Member>,
    pub(super) sources: BTreeMap<String, Source>,
    pub(super) unreadable: Vec<Finding>,
    /// Files that git keeps and that are no text.
    pub(super) binaries: Vec<String>,
    pub(super) manifest: String,
    /// Every document at the root and in docs, by path.
    pub(super) documents: BTreeMap<String, String>,
}

pub(super) struct Member {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) manifest: String,
    pub(super) dependencies: Vec<Dependency>,
}

pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) ours: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    /// For tests, examples and benchmarks.
    Dev,
}

impl Dependency {
    pub(super) fn new(name: &str, kind: Kind, ours: bool) -> Self {
        Self { name: name.to_owned(), kind, ours }
    }
}

pub(super) struct Source {
    pub(super) member: String,
    pub(super) path: String,
    pub(super) text: String,
    pub(super) syntax: syn::File,
    pub(super) facts: Facts,
    /// Nothing but tests in it: it lies in `tests`, or is a module for tests only.
    pub(super) is_test: bool,
}

impl Source {
    pub(super) fn parse(member: &str, path: &str, text: String) -> syn::Result<Self> {
        let syntax = syn::parse_file(&text)?;
        let facts = Facts::collect(&text, &syntax)?;
        let is_test = path.contains("/tests/");
        Ok(Self { member: member.to_owned(), path: path.to_owned(), text, syntax, facts, is_test })
    }

    pub(super) fn in_test(&self, line: usize) -> bool {
        self.is_test || self.facts.tests.iter().any(|range| range.contains(&line))
    }
}

impl Workspace {
    pub(super) fn load(root: &Path) -> Result<Self> {
        let mut workspace = Self {
            root: root.to_owned(),
            members: read_members(root, read_metadata(root)?.packages)?,
            sources: BTreeMap::new(),
            unreadable: Vec::new(),
            binaries: list_binaries(root)?,
            manifest: read_file(&root.join("Cargo.toml"))?,
            documents: read_documents(root)?,
        };
        for member in &workspace.members {
            for path in list_rust_files(root, &member.folder)? {
                let text = read_file(&root.join(&path))?;
                match Source::parse(&member.name, &path, text) {
                    Ok(source) => drop(workspace.sources.insert(path, source)),
                    Err(error) => {
                        let line = error.span().start().line;
                        let message = format!("not Rust: {error}; make it compile first");
                        workspace.unreadable.push(Finding::new(&path, line, message));
                    }
                }
            }
        }
        Ok(workspace)
    }
}

/// Cargo's description of the workspace, as far as it is needed here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<PackageDependency>,
}

#[derive(Deserialize)]
struct PackageDependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

/// Where cargo builds.
///
/// # Errors
/// When cargo cannot describe the workspace.
pub fn target_folder(root: &Path) -> Result<PathBuf> {
    Ok(read_metadata(root)?.target_directory)
}

/// What git keeps here and would call binary: a NUL in its first 8000 bytes.
fn list_binaries(root: &Path) -> Result<Vec<String>> {
    if !root.join(".git").exists() || !process::is_installed("git") {
        return Ok(Vec::new()); // nothing is kept
    }
    let mut command = Command::new("git");
    command.current_dir(root).args(["-c", "safe.directory=*", "ls-files", "-z"]);
    let listed = process::capture_stdout(without_git_environment(&mut command))?;
    let mut found = Vec::new();
    for path in listed.split_terminator('\0') {
        let Ok(file) = fs::File::open(root.join(path)) else { continue }; // deleted, not yet said
        let mut start = Vec::new();
        // A link to a folder cannot be read.
        let read = file.take(8000).read_to_end(&mut start).is_ok();
        if read && start.contains(&0) {
            found.push(path.to_owned());
        }
    }
    Ok(found)
}

/// Makes git look at the folder that it is run in, also from a hook, which sets another.
fn without_git_environment(git: &mut Command) -> &mut Command {
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE")
}

fn read_metadata(root: &Path) -> Result<Metadata> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--quiet"];
    process::capture_json(&mut process::cargo_command(root, &arguments))
}

fn read_members(root: &Path, packages: Vec<Package>) -> Result<Vec<Member>> {
    let root = root.canonicalize().with_context(|| format!("no folder {}", root.display()))?;
    packages.into_iter().map(|package| read_member(&root, package)).collect()
}

fn read_member(root: &Path, package: Package) -> Result<Member> {
    let manifest = package.manifest_path;
    let folder = manifest.parent().unwrap_or(root);
    let folder = folder.canonicalize().with_context(|| format!("no {}", folder.display()))?;
    let folder = folder.strip_prefix(root).context("a member lies outside of the workspace")?;
    let dependencies = package.dependencies.iter().map(|dependency| {
        let is_dev = dependency.kind.as_deref() == Some("dev");
        let kind = if is_dev { Kind::Dev } else { Kind::Normal };
        Dependency::new(&dependency.name, kind, dependency.path.is_some())
    });
    Ok(Member {
        name: package.name,
        folder: folder.to_string_lossy().into_owned(),
        manifest: read_file(&manifest)?,
        dependencies: dependencies.collect(),
    })
}

/// All Rust files that cargo could build in a member's folder.
fn list_rust_files(root: &Path, folder: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for part in ["src", "tests", "examples", "benches"] {
        walk_folder(&root.join(folder).join(part), &mut files)?;
    }
    let build = root.join(folder).join("build.rs");
    if build.is_file() {
        files.push(build);
    }
    let relative = |file: &PathBuf| {
        let path = file.strip_prefix(root).unwrap_or(file);
        path.to_string_lossy().into_owned()
    };
    let mut paths: Vec<String> = files.iter().map(relative).collect();
    paths.sort();
    Ok(paths)
}

fn walk_folder(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let context = || format!("cannot list {}", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.is_dir() {
            walk_folder(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn read_documents(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut documents = BTreeMap::new();
    for folder in [root.to_owned(), root.join("docs")] {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                documents.insert(name, read_file(&path)?);
            }
        }
    }
    Ok(documents)
}

fn read_file(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The lines of a manifest's section, each with its number: the little of TOML that tidy needs.
pub(super) fn manifest_section<'a>(
    manifest: &'a str,
    heading: &str,
) -> impl Iterator<Item = (usize, &'a str)> {
    let numbered = manifest.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let heading = heading.to_owned();
    let mut lines = numbered.skip_while(move |(_, line)| *line != heading);
    lines.next();
    lines
        .take_while(|(_, line)| !line.starts_with('['))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The name before `=`, or before `.` as in `name.workspace = true`.
pub(super) fn manifest_key(line: &str) -> &str {
    line.split(['=', '.']).next().unwrap_or(line).trim().trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next() {
        let manifest = "[a]\nx = 1\n\n# why\ny.workspace = true\n[b]\nz = 2\n";
        let lines: Vec<_> = manifest_section(manifest, "[a]").collect();
        assert_eq!(lines, [(2, "x = 1"), (5, "y.workspace = true")]);
        assert_eq!(
            lines.iter().map(|(_, line)| manifest_key(line)).collect::<Vec<_>>(),
            ["x", "y"]
        );
        assert_eq!(manifest_section(manifest, "[c]").count(), 0);
    }

    #[test]
    fn what_is_kept_and_is_no_text_is_found() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(root.path().join(name), bytes).unwrap();
        write("core", b"\x7fELF\0");
        write("notes.md", "Größe\n".as_bytes());
        write("unknown", b"\0");
        assert!(list_binaries(root.path()).unwrap().is_empty(), "no checkout");
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            process::capture_stdout(without_git_environment(
                git.current_dir(root.path()).args(words),
            ))
            .unwrap()
        };
        git(&["init", "--quiet"]);
        git(&["add", "core", "notes.md"]);
        assert_eq!(list_binaries(root.path()).unwrap(), ["core"]);
        fs::remove_file(root.path().join("core")).unwrap();
        assert!(list_binaries(root.path()).unwrap().is_empty());
    }

    #[test]
    fn members_are_read_from_cargos_description() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("crates/stats");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Cargo.toml"), "[package]\n").unwrap();
        let packages = serde_json::json!([{
            "name": "stats",
            "manifest_path": folder.join("Cargo.toml"),
            "dependencies": [
                {"name": "units", "kind": null, "path": "/x/units"},
                {"name": "proptest", "kind": "dev"},
            ],
        }]);
        let packages = serde_json::from_value(packages).unwrap();
        let members = read_members(root.path(), packages).unwrap();
        assert_eq!(
            (members[0].name.as_str(), members[0].folder.as_str()),
            ("stats", "crates/stats")
        );
        let seen = |i: usize| {
            let dependency = &members[0].dependencies[i];
            (dependency.name.as_str(), dependency.kind, dependency.ours)
        };
        assert_eq!(seen(0), ("units", Kind::Normal, true));
        assert_eq!(seen(1), ("proptest", Kind::Dev, false));
    }

    #[test]
    fn this_workspace_can_be_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        // Its sources are read by `cargo xtask tidy`, which takes long.
        let members = read_members(root, read_metadata(root).unwrap().packages).unwrap();
        assert!(members.iter().any(|member| member.folder == "xtask"));
        let sources = list_rust_files(root, "xtask").unwrap();
        assert!(sources.iter().any(|path| path == "xtask/src/lib.rs"), "{sources:?}");
    }
}
