//! `cargo xtask fuzz`: every reader of foreign files and messages against changed inputs.
//!
//! The targets are the tests of `crates/truedisk/tests/fuzz.rs`, and `fleet`: all tests of that
//! crate that fuzz messages. The fuzzer is `lab::fuzz`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process;

const DEFAULT_SECONDS: u64 = 60;

const FLEET_TARGET: &str = "fleet";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let (seconds, targets) = parse_arguments(arguments)?;
    let commands = build_commands(root, seconds, targets);
    let run = |mut command: Command| {
        let line = process::command_line(&command);
        let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
        Ok(status.success())
    };
    let passed = commands.into_iter().map(run).collect::<Result<Vec<bool>>>()?;
    Ok(!passed.contains(&false))
}

fn build_commands(root: &Path, seconds: u64, targets: &[String]) -> Vec<Command> {
    let (fleet, files): (Vec<_>, Vec<_>) =
        targets.iter().partition(|target| *target == FLEET_TARGET);
    let mut commands = Vec::new();
    if targets.is_empty() || !files.is_empty() {
        let mut command =
            process::cargo_command(root, &["test", "-p", "truedisk", "--test", "fuzz", "--"]);
        command.args(["--nocapture", "--test-threads=1"]);
        if !files.is_empty() {
            command.arg("--exact").args(files);
        }
        command.env("TRUEDISK_FUZZ_SECONDS", seconds.to_string());
        commands.push(command);
    }
    if targets.is_empty() || !fleet.is_empty() {
        let mut command =
            process::cargo_command(root, &["test", "-p", "fleet", "--lib", "fuzz_", "--"]);
        command.args(["--nocapture", "--test-threads=8"]);
        command.env("FLEET_FUZZ_SECONDS", seconds.to_string());
        commands.push(command);
    }
    commands
}

fn parse_arguments(arguments: &[String]) -> Result<(u64, &[String])> {
    match arguments {
        [flag, text, targets @ ..] if flag == "--seconds" => {
            let seconds = text.parse().with_context(|| format!("'{text}' is no number of seconds"));
            Ok((seconds?, targets))
        }
        [flag, ..] if flag.starts_with('-') => {
            bail!("unknown argument '{flag}'\nhint: cargo xtask fuzz [--seconds N] [TARGET...]")
        }
        targets => Ok((DEFAULT_SECONDS, targets)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_target_is_the_fleet() {
        let check = |targets: &[&str], expected: &[&str]| {
            let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
            let commands = build_commands(Path::new("."), 5, &targets);
            let lines: Vec<String> = commands.iter().map(process::command_line).collect();
            assert_eq!(lines.len(), expected.len(), "{lines:?}");
            for (line, end) in lines.iter().zip(expected) {
                assert!(line.ends_with(end), "{line}");
            }
        };
        let fleet = "-p fleet --lib fuzz_ -- --nocapture --test-threads=8";
        let files = "-p truedisk --test fuzz -- --nocapture --test-threads=1";
        check(&[], &[files, fleet]);
        check(&["fleet"], &[fleet]);
        check(&["gzip"], &[&format!("{files} --exact gzip")]);
        check(&["fleet", "gzip"], &[&format!("{files} --exact gzip"), fleet]);
    }

    #[test]
    fn arguments_are_seconds_and_targets() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let check = |text: &str, seconds: u64, targets: &str| {
            assert_eq!(
                parse_arguments(&words(text)).unwrap(),
                (seconds, words(targets).as_slice())
            );
        };
        check("", DEFAULT_SECONDS, "");
        check("record preset", DEFAULT_SECONDS, "record preset");
        check("--seconds 5 gzip", 5, "gzip");
        assert!(parse_arguments(&words("--seconds five")).is_err());
        assert!(
            parse_arguments(&words("--second 5")).unwrap_err().to_string().contains("--second'")
        );
    }
}
