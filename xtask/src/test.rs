//! `cargo xtask test`: everything that a change must pass, cheapest first.
//!
//! A test that cannot run on this machine appends `skipped: NAME: REASON` to the file that
//! `TRUEDISK_SKIP_LOG` names. As root no test may skip itself: `TRUEDISK_REQUIRE_ALL=1`.

mod leftovers;
mod packages;
mod python;
mod tally;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::{process, tidy};
use leftovers::find_leftovers;
use tally::{SkippedTests, TestTally};

/// Tests at a time: most that take long wait; those that measure wait for each other.
const TEST_THREADS: &str = "6";

/// More failed tests than this are not run again: a busy host fails some.
const RERUN_MAX: usize = 8;

/// A test program that prints nothing for longer is ended. The longest single test takes 7 minutes
/// on 2 cores.
const SILENCE_MAX: Duration = Duration::from_secs(20 * 60);

/// Runs all steps, and stops at the first that fails.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let extra = extra_arguments(arguments)?;
    let is_root = process::is_root();
    packages::install_packages(is_root)?;
    run_step(process::cargo_command(root, &["fmt", "--all", "--check"]), "run `cargo fmt --all`")?;
    eprintln!("xtask: tidy");
    if !tidy::run(root, &[])? {
        bail!("`cargo xtask tidy` failed");
    }
    let mut build =
        process::cargo_command(root, &["test", "--workspace", "--all-targets", "--no-run"]);
    lint_while_building(&mut build);
    run_step(build, "each warning above says what to change")?;

    let before = find_leftovers()?;
    let log = create_skip_log(root)?;
    let python = python::prepare_python(&tidy::target_folder(root)?)?;
    let round = TestRound { root, log: &log, python: python.as_deref(), is_root };
    let (mut tally, mut well) = round.run_tests(extra, &[])?;
    let mut unsteady = Vec::new();
    if let Some(failed) = tally.few_failed(RERUN_MAX) {
        (unsteady, well) = round.rerun_failed(extra, &failed.clone(), &mut tally)?;
    }
    let skipped = SkippedTests::read(&log)?;
    let clean = report_leftovers(&before, &find_leftovers()?);
    for line in skipped.lines() {
        eprintln!("{line}");
    }
    for name in unsteady {
        eprintln!("unsteady: {name}: failed, and passed when asked again");
    }
    println!("{}", tally.summary(&skipped));
    Ok(well && clean)
}

fn extra_arguments(arguments: &[String]) -> Result<&[String]> {
    match arguments.split_first() {
        None => Ok(&[]),
        Some((dashes, extra)) if dashes == "--" => Ok(extra),
        Some((other, _)) => bail!("unknown argument '{other}'\nhint: arguments go after `--`"),
    }
}

fn run_step(mut command: Command, hint: &str) -> Result<()> {
    eprintln!("xtask: {}", process::command_line(&command));
    process::run_command(&mut command).map_err(|error| anyhow!("{error:#}\nhint: {hint}"))
}

/// Builds the workspace with clippy's compiler, warnings being errors: what `cargo clippy` would
/// check in a pass of its own, two minutes longer.
fn lint_while_building(command: &mut Command) {
    // As `cargo clippy` sets them itself; the last is its separator and ends each argument.
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
}

/// An empty file for the names of skipped tests, where cargo builds.
fn create_skip_log(root: &Path) -> Result<PathBuf> {
    let folder = tidy::target_folder(root)?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let log = folder.join("skipped.log");
    std::fs::write(&log, "").with_context(|| format!("cannot empty {}", log.display()))?;
    Ok(log)
}

/// What stays the same when tests are asked again.
struct TestRound<'a> {
    root: &'a Path,
    log: &'a Path,
    python: Option<&'a Path>,
    is_root: bool,
}

impl TestRound<'_> {
    /// Runs the tests, `to_tests` being words of the test programs. Gives false if any failed.
    fn run_tests(&self, extra: &[String], to_tests: &[String]) -> Result<(TestTally, bool)> {
        let mut command =
            process::cargo_command(self.root, &["test", "--workspace", "--no-fail-fast"]);
        command.args(extra).args(to_tests);
        lint_while_building(&mut command);
        command.env("TRUEDISK_SKIP_LOG", self.log).stdout(Stdio::piped());
        if std::env::var_os("RUST_TEST_THREADS").is_none() {
            command.env("RUST_TEST_THREADS", TEST_THREADS);
        }
        // Not the history of the developer who runs the tests.
        command.env_remove("TRUEDISK_HISTORY");
        if let Some(python) = self.python {
            command.env(python::PYTHON_VARIABLE, python);
        }
        if self.is_root {
            command.env("TRUEDISK_REQUIRE_ALL", "1");
        }
        let line = process::command_line(&command);
        eprintln!("xtask: {line}");
        let mut child = command.spawn().with_context(|| format!("cannot run `{line}`"))?;
        let output = child.stdout.take().context("the tests' stdout is not ours")?;
        let cargo = child.id();
        let end_programs = || {
            let minutes = SILENCE_MAX.as_secs() / 60;
            eprintln!("xtask: failed: no test ended for {minutes} minutes; ending their program");
            process::kill_descendants(cargo);
        };
        let tally = copy_and_count(output, io::stdout(), SILENCE_MAX, end_programs)
            .with_context(|| format!("cannot follow `{line}`"));
        let status = child.wait().with_context(|| format!("cannot wait for `{line}`"))?;
        if !status.success() {
            eprintln!("xtask: failed: `{line}` ({status})");
        }
        Ok((tally?, status.success()))
    }

    /// Runs those that failed once more. Gives the unsteady ones, and whether none has failed now.
    fn rerun_failed(
        &self,
        extra: &[String],
        failed: &BTreeSet<String>,
        tally: &mut TestTally,
    ) -> Result<(Vec<String>, bool)> {
        if extra.iter().any(|word| word == "--") {
            // Arguments of the test programs chose the tests, and leave no room for more.
            return Ok((Vec::new(), false));
        }
        let options = ["--lib", "--bins", "--tests", "--", "--test-threads=1", "--exact"];
        let words: Vec<String> =
            options.map(str::to_owned).into_iter().chain(failed.iter().cloned()).collect();
        let (again, _) = self.run_tests(extra, &words)?;
        let unsteady = tally.merge_rerun(&again);
        Ok((unsteady, tally.failed == 0))
    }
}

/// Copies what the tests print as it comes, unchanged, and counts the results in it. Calls
/// `when_silent` each time when nothing has come for `silence_max`.
fn copy_and_count(
    mut output: impl io::Read + Send + 'static,
    mut to: impl io::Write,
    silence_max: Duration,
    when_silent: impl Fn(),
) -> io::Result<TestTally> {
    let (sender, chunks) = mpsc::channel();
    let reader = std::thread::spawn(move || -> io::Result<()> {
        let mut chunk = [0_u8; 4096];
        loop {
            let length = output.read(&mut chunk)?;
            if length == 0 || sender.send(chunk[..length].to_vec()).is_err() {
                return Ok(());
            }
        }
    });
    let mut tally = TestTally::default();
    let mut line = Vec::new();
    loop {
        let chunk = match chunks.recv_timeout(silence_max) {
            Ok(chunk) => chunk,
            Err(RecvTimeoutError::Timeout) => {
                when_silent();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        to.write_all(&chunk)?;
        to.flush()?;
        for byte in chunk {
            if byte == b'\n' {
                tally.count_line(&String::from_utf8_lossy(&line));
                line.clear();
            } else {
                line.push(byte);
            }
        }
    }
    tally.count_line(&String::from_utf8_lossy(&line));
    reader.join().map_err(|_| io::Error::other("the reader of the tests' output ended"))??;
    Ok(tally)
}

/// Gives false if the tests left anything on the machine.
fn report_leftovers(before: &BTreeSet<String>, after: &BTreeSet<String>) -> bool {
    for old in after.iter().filter(|found| before.contains(*found)) {
        eprintln!("xtask: note: {old} was there before the tests; remove it by hand");
    }
    let mut clean = true;
    for new in after.iter().filter(|found| !before.contains(*found)) {
        eprintln!("xtask: failed: left behind: {new}");
        clean = false;
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_of_clippy_or_the_compiler_ends_the_build() {
        let folder = tempfile::tempdir().unwrap();
        let compiles = |body: &str| {
            let source = folder.path().join("lib.rs");
            std::fs::write(&source, format!("pub fn tried() -> u32 {{ {body} }}\n")).unwrap();
            // Called as cargo calls it.
            let mut configured = Command::new("cargo");
            lint_while_building(&mut configured);
            let set: Vec<_> =
                configured.get_envs().filter_map(|(name, value)| Some((name, value?))).collect();
            let wrapper =
                set.iter().find(|(name, _)| *name == "RUSTC_WORKSPACE_WRAPPER").unwrap().1;
            let mut command = Command::new(wrapper);
            command.args(["rustc", "--crate-type=lib", "--crate-name=tried", "--emit=metadata"]);
            command.arg("--out-dir").arg(folder.path()).arg(&source).envs(set);
            command.stderr(Stdio::null()).status().unwrap().success()
        };
        assert!(compiles("1"));
        assert!(!compiles("let unused = 1; 1"));
        assert!(!compiles("return 1;"), "clippy::needless_return");
    }

    #[test]
    fn arguments_go_after_dashes() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(extra_arguments(&[]).unwrap().is_empty());
        assert_eq!(extra_arguments(&words("-- -p engine")).unwrap(), words("-p engine"));
        let error = extra_arguments(&words("engine")).unwrap_err().to_string();
        assert!(error.contains("'engine'") && error.contains("after `--`"), "{error}");
    }

    #[test]
    fn results_are_counted_across_chunks_and_without_a_last_newline() {
        let one = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let two = "test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured";
        let text = format!("{}{one}{two}", "noise\n".repeat(900));
        // Not to stdout: the counting of this very test's results would count these too.
        let mut passed_through = Vec::new();
        let output = io::Cursor::new(text.clone());
        let never = || panic!("it was silent");
        let tally =
            copy_and_count(output, &mut passed_through, Duration::from_secs(60), never).unwrap();
        assert_eq!(passed_through, text.as_bytes());
        assert_eq!((tally.passed, tally.failed, tally.ignored), (4, 2, 1));
    }

    #[test]
    fn a_silent_program_is_ended_with_what_it_started() {
        // As cargo does, the outer shell waits for a program, which has a child of its own: either
        // keeps the pipe open.
        let script = "echo running 1 test; sh -c 'sleep 600 & sleep 600; :'; exit 1";
        let mut child =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let id = child.id();
        let end = || process::kill_descendants(id);
        let tally = copy_and_count(output, Vec::new(), Duration::from_millis(300), end).unwrap();
        assert_eq!(tally.few_failed(RERUN_MAX), None, "a program that broke off fails the run");
        assert!(!child.wait().unwrap().success());
    }
}
