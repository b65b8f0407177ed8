//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy knows.
//!
//! Each finding is `path:line: what, and what to do`. Only [`workspace`] reads files. There are no
//! exceptions.

mod conduct;
mod counts;
mod dependencies;
mod documents;
mod facts;
mod finding;
mod imports;
mod limits;
mod links;
mod modules;
mod profiles;
mod words;
mod workspace;

use std::path::Path;

use anyhow::{Result, bail};

use counts::Counts;
use facts::Facts;
use finding::Finding;
use modules::{Module, Sources};
pub use workspace::target_folder;
use workspace::{Dependency, Kind, Member, Source, Workspace};

const USAGE: &str = "\
usage: cargo xtask tidy            check every rule, and print the figures of the code
       cargo xtask tidy --count    print the figures alone";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut workspace = Workspace::load(root)?;
    modules::mark_tests(&workspace.members, &mut workspace.sources);
    let findings = match words[..] {
        [] => check(&workspace),
        ["--count"] => Vec::new(),
        _ => bail!("{USAGE}"),
    };
    for finding in &findings {
        println!("{finding}");
    }
    print!("{}", Counts::new(&workspace));
    if !findings.is_empty() {
        eprintln!("xtask: tidy: {} to put right", findings.len());
    }
    Ok(findings.is_empty())
}

fn check(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = workspace.unreadable.clone();
    findings.extend(dependencies::check(&workspace.members));
    findings.extend(modules::check(&workspace.members, &workspace.sources));
    for source in workspace.sources.values() {
        findings.extend(conduct::check(source));
        findings.extend(limits::check(source));
        findings.extend(words::check_source(source));
    }
    for member in &workspace.members {
        findings.extend(imports::check(member, &workspace.sources));
    }
    findings.extend(words::check_documents(workspace));
    findings.extend(documents::check(workspace));
    findings.extend(profiles::check(&workspace.manifest));
    findings.extend(links::check(&workspace.documents, |path| workspace.root.join(path).exists()));
    findings.sort();
    findings.dedup();
    findings
}

#[cfg(test)]
mod testing {
    //! Samples for the tests of rules.

    use super::workspace::{Dependency, Kind, Member, Source};

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
