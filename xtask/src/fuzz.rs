//! `cargo xtask fuzz`: every reader of foreign files against changed inputs, for as long as asked.
//!
//! The targets are the tests of `crates/truedisk/tests/fuzz.rs`, where each runs in a process of
//! its own with 512 MiB; the fuzzer is `lab::fuzz`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::{Outcome, process};

/// How long each target is fuzzed where nothing else is asked.
const SECONDS: u64 = 60;

/// Fuzzes the targets that the arguments name, or all.
///
/// # Errors
/// When the arguments are wrong, or cargo cannot be run.
pub fn run(root: &Path, arguments: &[String]) -> Result<Outcome> {
    let (seconds, targets) = parse(arguments)?;
    let mut command = process::cargo(root, &["test", "-p", "truedisk", "--test", "fuzz", "--"]);
    command.args(["--nocapture", "--test-threads=1"]);
    if !targets.is_empty() {
        command.arg("--exact").args(targets);
    }
    command.env("TRUEDISK_FUZZ_SECONDS", seconds.to_string());
    let line = process::line(&command);
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    Ok(Outcome::of(status.success()))
}

/// The seconds for each target, and the targets.
fn parse(arguments: &[String]) -> Result<(u64, &[String])> {
    match arguments {
        [flag, text, targets @ ..] if flag == "--seconds" => {
            let seconds = text.parse().with_context(|| format!("'{text}' is no number of seconds"));
            Ok((seconds?, targets))
        }
        [flag, ..] if flag.starts_with('-') => {
            bail!("unknown argument '{flag}'\nhint: cargo xtask fuzz [--seconds N] [TARGET...]")
        }
        targets => Ok((SECONDS, targets)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_seconds_and_targets() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let check = |text: &str, seconds: u64, targets: &str| {
            assert_eq!(parse(&words(text)).unwrap(), (seconds, words(targets).as_slice()));
        };
        check("", SECONDS, "");
        check("record preset", SECONDS, "record preset");
        check("--seconds 5 gzip", 5, "gzip");
        assert!(parse(&words("--seconds five")).is_err());
        assert!(parse(&words("--second 5")).unwrap_err().to_string().contains("--second'"));
    }
}
