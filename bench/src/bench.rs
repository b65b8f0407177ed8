//! `cargo xtask bench`: measures, and writes what it measured into BENCHMARKS.md.
//!
//! A section stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`, and says on which
//! machine and commit it was measured.

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
mod harness;
mod history;
mod layout;
mod limit;
mod many;
mod measure;
mod null_device;
mod open_loop;
mod pgbench;
mod ping;
mod presets;
mod process_cost;
mod programs;
mod promises;
mod rivals;
mod section;
mod watch;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

pub(crate) use environment::Environment;
use harness::{Bench, BenchContext};
pub(crate) use measure::{median, run_fio_command};
pub(crate) use programs::number_at;
use section::Section;

const BENCHES: &[Bench] = &[
    environment::BENCH,
    depth::BENCH,
    null_device::BENCH,
    rivals::BENCH,
    open_loop::BENCH,
    many::BENCH,
    counters::BENCH,
    cost::BENCH,
    layout::BENCH,
    drop_in::BENCH,
    dialects::BENCH,
    dialects::BENCH_OF_DISK,
    ping::BENCH,
    presets::BENCH,
    limit::BENCH,
    aa::BENCH,
    promises::BENCH,
    history::BENCH,
    fleet::BENCH,
    watch::BENCH,
    pgbench::BENCH,
    build::BENCH,
];

pub(crate) const BENCHMARKS_FILE: &str = "BENCHMARKS.md";

/// Runs the benches of those names, or all, and rewrites the section of each as soon as it is
/// measured, so that a later failure does not lose it.
pub(crate) fn run(root: &Path, names: &[String]) -> Result<bool> {
    let chosen = choose_benches(BENCHES, names)?;
    let environment = Environment::detect(root)?;
    let path = root.join(BENCHMARKS_FILE);
    for bench in chosen {
        eprintln!("xtask: bench {}", bench.name);
        let section =
            measure_bench(bench, root).with_context(|| format!("bench {}", bench.name))?;
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
    Ok(true)
}

fn measure_bench(bench: &Bench, root: &Path) -> Result<String> {
    programs::require_tools(bench.tools)?;
    let rounds = programs::round_override()?.unwrap_or(bench.rounds);
    let mut section = Section::new(bench.heading, bench.method, bench.columns);
    (bench.run)(&BenchContext { root, rounds }, &mut section)?;
    Ok(section.render_markdown())
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

    fn names_of(names: &[&str]) -> Result<Vec<&'static str>> {
        const TWO: &[Bench] =
            &[Bench { name: "one", ..build::BENCH }, Bench { name: "two", ..build::BENCH }];
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(choose_benches(TWO, &names)?.iter().map(|bench| bench.name).collect())
    }

    #[test]
    fn benches_are_chosen_by_name() {
        assert_eq!(names_of(&[]).unwrap(), ["one", "two"]);
        assert_eq!(names_of(&["two"]).unwrap(), ["two"]);
        let error = names_of(&["one", "three"]).unwrap_err().to_string();
        assert_eq!(error, "no bench 'three'\nhint: there are one, two");
    }
}
