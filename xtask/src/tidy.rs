//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy knows.
//!
//! Each finding is `path:line: what, and what to do`. Only [`workspace`] reads files. Limits have
//! exceptions in the [`ratchet`], which may only shrink.

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
mod ratchet;
mod words;
mod workspace;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use counts::Counts;
use facts::Facts;
use finding::Finding;
use modules::{Module, Sources};
use ratchet::Excess;
pub use workspace::target_folder;
use workspace::{Dependency, Kind, Member, Source, Workspace};

const USAGE: &str = "\
usage: cargo xtask tidy            check every rule, and print the figures of the code
       cargo xtask tidy --all      show what the ratchet excepts, too
       cargo xtask tidy --count    print the figures alone
       cargo xtask tidy --lower    lower the ratchet to the figures of today";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut workspace = Workspace::load(root)?;
    modules::mark_tests(&workspace.members, &mut workspace.sources);
    match words[..] {
        [] => report(&workspace, &workspace.ratchet),
        ["--all"] => report(&workspace, ""),
        ["--count"] => print!("{}", Counts::new(&workspace)),
        ["--lower"] => {
            let lowered = ratchet::lower(&find_excesses(&workspace), &workspace.ratchet);
            let path = root.join(ratchet::RATCHET_FILE);
            std::fs::write(&path, lowered)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        _ => bail!("{USAGE}"),
    }
    let is_tidy = !words.is_empty() || check(&workspace, &workspace.ratchet).is_empty();
    Ok(is_tidy)
}

fn report(workspace: &Workspace, ratchet: &str) {
    let findings = check(workspace, ratchet);
    for finding in &findings {
        println!("{finding}");
    }
    print!("{}", Counts::new(workspace));
    if !findings.is_empty() {
        eprintln!("xtask: tidy: {} to put right", findings.len());
    }
}

fn check(workspace: &Workspace, ratchet: &str) -> Vec<Finding> {
    let mut findings = workspace.unreadable.clone();
    findings.extend(dependencies::check(&workspace.members));
    findings.extend(modules::check(&workspace.members, &workspace.sources));
    findings.extend(limits::check(&workspace.sources));
    for source in workspace.sources.values() {
        findings.extend(conduct::check(source));
    }
    findings.extend(documents::check(workspace));
    findings.extend(profiles::check(&workspace.manifest));
    findings.extend(links::check(&workspace.documents, |path| workspace.root.join(path).exists()));
    findings.extend(ratchet::check(find_excesses(workspace), ratchet));
    findings.sort();
    findings.dedup();
    findings
}

/// Everything beyond a limit, whether the ratchet excepts it or not.
fn find_excesses(workspace: &Workspace) -> Vec<Excess> {
    let Workspace { members, sources, .. } = workspace;
    let mut excesses = limits::find(sources);
    excesses.extend(members.iter().filter_map(|member| imports::find(member, sources)));
    excesses.extend(words::find(workspace));
    excesses
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
