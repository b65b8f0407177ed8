//! `truedisk --version --verbose`: this build, and what it finds in this kernel.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

use crate::exit::{Exit, Outcome};
use crate::terminal;

/// Set by `cargo xtask dist`; a build of one's own has its sources.
const COMMIT: Option<&str> = option_env!("TRUEDISK_COMMIT");

pub(crate) fn is_long(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "-v" || word == "--verbose")
}

pub(crate) fn print() -> Outcome {
    let mut out = format!("truedisk {}\n", env!("CARGO_PKG_VERSION"));
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let libc = if cfg!(target_env = "musl") { "musl, static" } else { "glibc" };
    let debug = if cfg!(debug_assertions) { ", debug build" } else { "" };
    let system = rustix::system::uname();
    let kernel = system.release().to_string_lossy();
    let refusal = engine::io_uring_refusal();
    let uring = refusal.map_or_else(|| "yes".to_owned(), |reason| format!("no: {reason}"));
    let found = |path: &str| if Path::new(path).exists() { "yes" } else { "no" };
    let rows = [
        ("commit", COMMIT.unwrap_or("not recorded").to_owned()),
        ("build", format!("{arch}-{os}, {libc}{debug}")),
        ("features", "SQLite, PostgreSQL, Parquet, NATS, eBPF".to_owned()),
        ("record", format!("schema version {}", record::SCHEMA_VERSION)),
        ("kernel", kernel.into_owned()),
        ("io_uring", uring),
        ("native AIO", found("/proc/sys/fs/aio-max-nr").to_owned()),
        ("type information for eBPF", found("/sys/kernel/btf/vmlinux").to_owned()),
        ("control groups, version 2", found("/sys/fs/cgroup/cgroup.controllers").to_owned()),
        ("pressure of I/O", found("/proc/pressure/io").to_owned()),
        ("root", if rustix::process::geteuid().is_root() { "yes" } else { "no" }.to_owned()),
    ];
    for (name, value) in rows {
        let _ = writeln!(out, "{name}: {value}");
    }
    terminal::print(&out)?;
    Ok(Exit::Done)
}
