//! The arguments: every flag has its one definition here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use units::Bytes;
use workload::Bound;

/// Measure storage and tell the truth about it.
///
/// Without a command: `truedisk check .`, the main job on the current folder.
#[derive(Debug, Parser)]
#[command(name = "truedisk", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Identify, measure, judge and report: the main job
    Check(CheckArgs),
    /// Take fio's command line and job files, print what fio prints
    ///
    /// `truedisk fio --help` lists the switches, `truedisk fio --cmdhelp=all` the options. The same
    /// binary called `fio` does this too.
    #[command(disable_help_flag = true)]
    Fio {
        /// fio's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Print the JSON Schema of the record
    Schema,
}

impl Default for Command {
    fn default() -> Self {
        // Parsing no arguments cannot fail: every flag of `check` has a default.
        match Arguments::try_parse_from(["truedisk", "check"]) {
            Ok(Arguments { command: Some(command) }) => command,
            _ => Self::Schema,
        }
    }
}

/// Which findings make the exit status 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Only `invalid`
    Invalid,
    /// `warning` and `invalid`
    Warning,
}

/// Identify, measure, judge and report: the main job.
///
/// A folder is measured through a test file of truedisk's own, which is removed at the end.
/// Nothing that exists is ever written to. An existing file or a device is measured with
/// --read-only.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Folder, file or block device to measure
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,

    /// Take about 15 s instead of 60 s
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) quick: bool,

    /// Measure until settled: about 6 minutes
    #[arg(long)]
    pub(crate) thorough: bool,

    /// Measure an existing file or device and write nothing to it
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Latency bound of the best IOPS: mean, max or a percentile, and a time
    #[arg(long, value_name = "BOUND", default_value = "p99<10ms")]
    pub(crate) bound: Bound,

    /// Size of the test file, or of the part of a file or device [default: 4g, 1g with --quick;
    /// at most a tenth of the free space]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) size: Option<Bytes>,

    /// Leave to destroy all data on the block device DEVICE, which must be the one measured
    #[arg(long, value_name = "DEVICE", conflicts_with = "read_only")]
    pub(crate) yes_destroy_data_on: Option<PathBuf>,

    /// Write the record as JSON to FILE, or print nothing else with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write the page to FILE instead of next to the record
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Keep no record and no page of this run
    #[arg(long)]
    pub(crate) no_history: bool,

    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Exit with status 3 when a finding is at least this bad
    #[arg(long, value_name = "STATUS")]
    pub(crate) fail_on: Option<FailOn>,

    /// Seed of offsets and data: the same seed makes the same operations [default: random]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

fn size(text: &str) -> Result<Bytes, String> {
    match text.parse::<Bytes>() {
        Ok(Bytes(0)) => Err("a size of 0 measures nothing".to_owned()),
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(error.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn no_arguments_mean_a_check_of_the_current_folder() {
        let Command::Check(check) = Command::default() else { panic!("not check") };
        assert_eq!(check.path, PathBuf::from("."));
        assert_eq!(check.bound.to_string(), "p99<10ms");
    }

    #[test]
    fn bad_input_is_refused_with_what_and_why() {
        let check = |args: &[&str], words: &str| {
            let full = ["truedisk", "check"].iter().chain(args);
            let error = Arguments::try_parse_from(full).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{args:?}");
            assert!(error.to_string().contains(words), "{args:?}: {error}");
        };
        check(&["--size", "10x"], "unknown suffix 'x'");
        check(&["--size", "0"], "measures nothing");
        check(&["--bound", "p99<"], "time after '<' is missing");
        check(&["--bound", "p101<1ms"], "between 0 and 100");
        check(&["--quick", "--thorough"], "cannot be used with");
        check(&["--read-only", "--yes-destroy-data-on", "/dev/x"], "cannot be used with");
    }
}
