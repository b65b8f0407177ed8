//! The machine that the numbers were measured on.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::harness::{Bench, BenchContext, Section};
use xtask::process;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Environment {
    pub(crate) processor: String,
    pub(crate) memory: String,
    pub(crate) kernel: String,
    pub(crate) date: String,
    pub(crate) fio: Option<String>,
    /// The commit, with `-dirty` if the sources were not as committed.
    pub(crate) commit: String,
}

impl Environment {
    pub(crate) fn detect(root: &Path) -> Result<Self> {
        let fio = process::is_installed("fio")
            .then(|| process::capture_stdout(Command::new("fio").arg("--version")))
            .transpose()?;
        Ok(Self {
            processor: parse_processor(&read_text("/proc/cpuinfo")?),
            memory: parse_memory(&read_text("/proc/meminfo")?)?,
            kernel: read_text("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            date: process::capture_stdout(Command::new("date").args(["-u", "+%Y-%m-%d"]))?,
            fio: fio.map(|version| version.trim_start_matches("fio-").to_owned()),
            commit: read_commit(root)?,
        })
    }

    /// One line below each section.
    pub(crate) fn stamp(&self) -> String {
        format!(
            "*Measured {} on {}, Linux {}, fio {}, commit {}.*",
            self.date,
            self.processor,
            self.kernel,
            self.fio.as_deref().unwrap_or("not installed"),
            self.commit
        )
    }
}

pub(super) const BENCH: Bench = Bench {
    name: "environment",
    heading: "Environment",
    method: "The machine of the sections that do not name another one.",
    columns: "what | here",
    tools: &[],
    rounds: 1,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let Environment { processor, memory, kernel, date, fio, commit } =
        Environment::detect(context.root)?;
    let fio = fio.unwrap_or_else(|| "not installed".to_owned());
    for (what, here) in [
        ("processor", processor),
        ("memory", memory),
        ("kernel", kernel),
        ("fio", fio),
        ("commit", commit),
        ("date", date),
    ] {
        section.add_row([what.to_owned(), here]);
    }
    Ok(())
}

fn read_text(path: &str) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}

fn parse_processor(cpuinfo: &str) -> String {
    let values = |wanted: &'static str| {
        let pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        pairs.filter(move |(key, _)| key.trim() == wanted).map(|(_, value)| value.trim())
    };
    // Not every architecture names its model.
    let model = values("model name").next().unwrap_or(std::env::consts::ARCH);
    format!("{} x {model}", values("processor").count())
}

fn parse_memory(meminfo: &str) -> Result<String> {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = total.and_then(|total| total.trim().strip_suffix(" kB"));
    let kib: u64 = kib.and_then(|kib| kib.parse().ok()).context("/proc/meminfo has no MemTotal")?;
    Ok(format!("{} MiB", kib / 1024))
}

/// The commit that is checked out. The document itself may differ: it is what a bench writes.
fn read_commit(root: &Path) -> Result<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(root).arg("--no-optional-locks").args(arguments);
        process::capture_stdout(&mut command)
    };
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--", ".", ":!BENCHMARKS.md"])?;
    Ok(if changes.is_empty() { head } else { format!("{head}-dirty") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_counted_and_named() {
        let text = "processor\t: 0\nmodel name\t: Some CPU\n\nprocessor\t: 1\n";
        assert_eq!(parse_processor(text), "2 x Some CPU");
        assert_eq!(parse_processor("processor : 0\n"), format!("1 x {}", std::env::consts::ARCH));
    }

    #[test]
    fn memory_is_told_in_mib() {
        assert_eq!(
            parse_memory("MemTotal:        2048000 kB\nMemFree: 1 kB\n").unwrap(),
            "2000 MiB"
        );
        assert!(parse_memory("MemFree: 1 kB\n").is_err());
    }

    #[test]
    fn a_stamp_names_everything_that_a_reader_must_know() {
        let mut environment = Environment {
            processor: "2 x Some CPU".to_owned(),
            memory: "2000 MiB".to_owned(),
            kernel: "6.1.0".to_owned(),
            date: "2026-11-21".to_owned(),
            fio: Some("3.33".to_owned()),
            commit: "abc".to_owned(),
        };
        let stamp = "*Measured 2026-11-21 on 2 x Some CPU, Linux 6.1.0, fio 3.33, commit abc.*";
        assert_eq!(environment.stamp(), stamp);
        environment.fio = None;
        assert!(environment.stamp().contains("fio not installed"));
    }
}
