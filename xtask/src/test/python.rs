//! The Python with which the tests read our exports: DuckDB from PyPI, where cargo builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::process;

/// What the tests ask for the interpreter.
pub(super) const PYTHON_VARIABLE: &str = "TRUEDISK_PYTHON";

/// An interpreter that has DuckDB, made where there is none; `None` where that fails.
pub(super) fn prepare_python(folder: &Path) -> Result<Option<PathBuf>> {
    let python = folder.join("python").join("bin").join("python");
    if has_duckdb(&python) {
        return Ok(Some(python));
    }
    eprintln!("xtask: installing duckdb from PyPI into {}", folder.join("python").display());
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(folder.join("python")).stdout(std::io::stderr());
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "duckdb"]);
    install.stdout(std::io::stderr());
    for mut command in [make, install] {
        if let Err(error) = process::run_command(&mut command) {
            eprintln!("xtask: no Python with duckdb, so exports are not read back: {error:#}");
            return Ok(None);
        }
    }
    Ok(Some(python))
}

fn has_duckdb(python: &Path) -> bool {
    let mut command = Command::new(python);
    command.args(["-c", "import duckdb"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
