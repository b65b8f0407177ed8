//! `cargo xtask campaign`: random simulated worlds, measured and judged; crate `campaign`.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::process;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let words = ["run", "--quiet", "--profile", "campaign", "--package", "campaign", "--"];
    let mut command = process::cargo_command(root, &words);
    command.args(arguments);
    let line = process::command_line(&command);
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    Ok(status.success())
}
