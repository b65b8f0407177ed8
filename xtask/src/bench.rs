//! `cargo xtask bench`: measures, and writes what it measured into BENCHMARKS.md.
//!
//! A bench is one function that gives a section of markdown; [`BENCHES`] names it. A section
//! stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`; running one bench leaves the
//! others' sections as they are, so each says itself on which machine and commit it was measured.

mod aa;
mod build;
mod cost;
mod counters;
mod depth;
mod dialects;
pub(crate) mod document;
mod drop_in;
mod environment;
mod fleet;
mod free_pages;
mod history;
mod layout;
mod limit;
mod many;
mod measure;
mod null_device;
mod open_loop;
mod ping;
mod presets;
mod programs;
mod promises;
mod rivals;
mod section;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::Outcome;
pub use environment::Environment;
pub use measure::{
    PairedSamples, RatioOfMedians, Side, median, run_alternately, run_alternately_until,
    run_fio_command, run_fio_json, run_in_turns,
};

/// One named measurement.
pub struct Bench {
    /// As it is asked for, and as its section is marked.
    pub name: &'static str,
    /// Measures, and gives the section without its marks. It begins with a heading.
    pub run: fn(&BenchContext) -> Result<String>,
}

/// What a bench is given.
pub struct BenchContext<'a> {
    /// The repository's root.
    pub root: &'a Path,
    /// The machine and the versions.
    pub environment: &'a Environment,
}

/// Every bench, in the order of the document.
pub const BENCHES: &[Bench] = &[
    Bench { name: "environment", run: environment::section },
    Bench { name: "depth", run: depth::section },
    Bench { name: "null-device", run: null_device::section },
    Bench { name: "rivals", run: rivals::section },
    Bench { name: "open-loop", run: open_loop::section },
    Bench { name: "many", run: many::section },
    Bench { name: "counters", run: counters::section },
    Bench { name: "cost", run: cost::section },
    Bench { name: "layout", run: layout::section },
    Bench { name: "drop-in", run: drop_in::section },
    Bench { name: "dialects", run: dialects::section },
    Bench { name: "dialects-disk", run: dialects::section_of_disk },
    Bench { name: "ping", run: ping::section },
    Bench { name: "presets", run: presets::section },
    Bench { name: "limit", run: limit::section },
    Bench { name: "aa", run: aa::section },
    Bench { name: "promises", run: promises::section },
    Bench { name: "history", run: history::section },
    Bench { name: "fleet", run: fleet::section },
    Bench { name: "build", run: build::section },
];

pub(crate) const BENCHMARKS_FILE: &str = "BENCHMARKS.md";

/// Runs the benches of those names, or all, and rewrites their sections: each as soon as it is
/// measured, so that a later failure does not lose it.
///
/// # Errors
/// When a name is unknown (nothing is run then), a bench fails, or the document cannot be
/// written.
pub fn run(root: &Path, names: &[String]) -> Result<Outcome> {
    let chosen = choose_benches(BENCHES, names)?;
    let environment = Environment::detect(root)?;
    let path = root.join(BENCHMARKS_FILE);
    for bench in chosen {
        eprintln!("xtask: bench {}", bench.name);
        let setting = BenchContext { root, environment: &environment };
        let section = (bench.run)(&setting).with_context(|| format!("bench {}", bench.name))?;
        let section = format!("{}\n\n{}\n", section.trim(), environment.stamp());
        println!("{section}");
        let old = if path.exists() {
            std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?
        } else {
            document::EMPTY_DOCUMENT.to_owned()
        };
        let new = document::replace_section(&old, bench.name, &section)?;
        std::fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Outcome::Passed)
}

fn choose_benches<'a>(benches: &'a [Bench], names: &[String]) -> Result<Vec<&'a Bench>> {
    if names.is_empty() {
        return Ok(benches.iter().collect());
    }
    let find = |name: &String| match benches.iter().find(|bench| bench.name == name) {
        Some(bench) => Ok(bench),
        None => {
            let known: Vec<_> = benches.iter().map(|bench| bench.name).collect();
            bail!("no bench '{name}'\nhint: there are {}", known.join(", "))
        }
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> Result<Vec<&'static str>> {
        const TWO: &[Bench] = &[
            Bench { name: "one", run: |_| Ok(String::new()) },
            Bench { name: "two", run: |_| Ok(String::new()) },
        ];
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(choose_benches(TWO, &names)?.iter().map(|bench| bench.name).collect())
    }

    #[test]
    fn benches_are_chosen_by_name() {
        assert_eq!(chosen(&[]).unwrap(), ["one", "two"]);
        assert_eq!(chosen(&["two"]).unwrap(), ["two"]);
        let error = chosen(&["one", "three"]).unwrap_err().to_string();
        assert_eq!(error, "no bench 'three'\nhint: there are one, two");
    }
}
