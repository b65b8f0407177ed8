//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy knows, executed.
//!
//! Each finding is `path:line: what, and what to do`. Rules are functions of a [`Source`]'s facts
//! or of a document's text; only [`workspace`] reads files.

mod conduct;
mod dependencies;
mod documents;
mod facts;
mod length;
mod modules;
mod workspace;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Outcome;
use workspace::Workspace;

/// One place where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    /// What is wrong, and what to do.
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Checks the whole workspace and prints what it found.
///
/// # Errors
/// When cargo cannot describe the workspace, or a file cannot be read.
pub fn run(root: &Path) -> Result<Outcome> {
    let workspace = Workspace::load(root)?;
    let mut findings = check(&workspace);
    findings.sort();
    findings.dedup();
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        eprintln!("xtask: tidy: {} to put right", findings.len());
    }
    Ok(Outcome::from_success(findings.is_empty()))
}

/// Where cargo builds this workspace.
///
/// # Errors
/// When cargo cannot describe the workspace.
pub(crate) fn target_folder(root: &Path) -> Result<PathBuf> {
    workspace::target_folder(root)
}

fn check(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = workspace.unreadable.clone();
    findings.extend(dependencies::check(&workspace.members));
    findings.extend(modules::check(&workspace.members, &workspace.sources));
    findings.extend(length::check(&workspace.sources, &workspace.ratchet));
    for source in workspace.sources.values() {
        findings.extend(conduct::check(source));
    }
    findings.extend(documents::check(workspace));
    findings
}

#[cfg(test)]
mod testing {
    //! Samples for the tests of rules.

    use super::workspace::{Dependency, Kind, Member, Source};

    /// A source of that text in that crate.
    pub(super) fn source(member: &str, path: &str, text: &str) -> Source {
        Source::parse(member, path, text.to_owned()).expect("sample is Rust")
    }

    /// A crate with those dependencies: `"units"`, `"dev lab"`, `"external serde"`.
    pub(super) fn member(name: &str, dependencies: &[&str]) -> Member {
        let dependencies = dependencies.iter().map(|text| match text.split_once(' ') {
            Some(("dev", name)) => Dependency::new(name, Kind::Dev, true),
            Some(("external", name)) => Dependency::new(name, Kind::Normal, false),
            Some(("external-dev", name)) => Dependency::new(name, Kind::Dev, false),
            _ => Dependency::new(text, Kind::Normal, true),
        });
        Member {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            manifest: "[package]\n[lints]\nworkspace = true\n".to_owned(),
            dependencies: dependencies.collect(),
        }
    }
}
