//! Running other programs: by name, with an error that says what was run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether a program is on the path, or in a system folder, which a user's path often lacks.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/sbin"].map(Into::into);
    std::env::split_paths(&path).chain(system).any(|folder| folder.join(program).is_file())
}

pub fn cargo_command(root: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).args(arguments);
    command
}

pub fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> =
        std::iter::once(name).chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

pub fn run_command(command: &mut Command) -> Result<()> {
    let line = command_line(command);
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Kills all that a process has started, directly or not, and leaves it alone itself.
pub fn kill_descendants(id: u32) {
    for child in child_processes(id) {
        // First those below: once their parent is gone, nothing leads to them.
        kill_descendants(child);
        let _ = Command::new("kill").args(["-KILL", &child.to_string()]).status();
    }
}

fn child_processes(id: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split(' ').filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

pub fn capture_stdout(command: &mut Command) -> Result<String> {
    let line = command_line(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    let text = String::from_utf8(output.stdout)
        .with_context(|| format!("`{line}` printed something else than text"))?;
    Ok(text.trim().to_owned())
}

pub fn capture_json<T: DeserializeOwned>(command: &mut Command) -> Result<T> {
    let text = capture_stdout(command)?;
    serde_json::from_str(&text)
        .with_context(|| format!("`{}` did not print JSON", command_line(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_what_was_run() {
        let error = run_command(Command::new("false").arg("--really")).unwrap_err();
        assert!(error.to_string().starts_with("`false --really` failed"), "{error}");
        let error = run_command(&mut Command::new("no-such-program-here")).unwrap_err();
        assert_eq!(error.to_string(), "cannot run `no-such-program-here`");
    }

    #[test]
    fn stdout_is_trimmed() {
        assert_eq!(capture_stdout(Command::new("echo").arg("a b")).unwrap(), "a b");
    }

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(is_installed("sh"));
        assert!(!is_installed("no-such-program-here"));
    }
}
