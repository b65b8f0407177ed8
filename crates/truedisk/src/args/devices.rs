//! The arguments of `devices`.

use std::path::PathBuf;

use clap::Args;

/// What could be measured here: disks, volumes and file systems, what they claim to be, whether a
/// device may be written and why not, and the command that measures each next.
///
/// Nothing is opened for writing. A device that nothing seems to use is read for a moment, to see
/// what is on it; as root more can be seen, and what cannot is said.
#[derive(Debug, Args)]
pub(crate) struct DevicesArgs {
    /// Write it as JSON to FILE, or to stdout without one
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
}
