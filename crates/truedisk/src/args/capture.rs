//! The arguments of `capture`.

use std::path::PathBuf;

use clap::Args;
use units::{Bytes, Nanos};

use super::shared::{JsonArg, OUTPUT, QuietArg};
use super::values::{parse_size, parse_time};

#[derive(Debug, Args)]
pub(crate) struct CaptureArgs {
    /// Disk, or a file or folder on it
    #[arg(value_name = "PATH|DEVICE", default_value = ".")]
    pub(crate) path: PathBuf,

    /// Time of the capture [default: until Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    pub(crate) duration: Option<Nanos>,

    /// Write the profile to FILE, such as load.tdprofile
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["trace", "json"],
          help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Write every request to FILE, 23 bytes each, such as load.tdtrace
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) trace: Option<PathBuf>,

    /// End the capture before the trace is larger
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1GiB",
          requires = "trace", help_heading = OUTPUT)]
    pub(crate) max_size: Bytes,

    #[command(flatten)]
    pub(crate) json: JsonArg,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}
