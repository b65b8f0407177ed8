//! The arguments of `preset`.

use clap::Args;
use units::Nanos;

use super::{Common, time};

/// The tests of other tools and of applications, measured by our engine, with our findings.
///
/// Without a name all presets are listed, with the time that each takes. A preset of your own is a
/// TOML file: named by its path, or kept as NAME.toml in $XDG_CONFIG_HOME/truedisk/presets. Start
/// from one that exists: truedisk preset --show NAME. Where a preset has thresholds, the exit
/// status is 3 when one is missed, and 1 when that cannot be told.
#[derive(Debug, Args)]
pub(crate) struct PresetArgs {
    /// A preset, or ./FILE.toml of your own; without one, all are listed
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,

    /// Print the preset as it is written, and measure nothing
    #[arg(long, requires = "name")]
    pub(crate) show: bool,

    /// Print the familiar text of the tool NAME instead of our report, for scripts that read it
    #[arg(long, value_name = "NAME", requires = "name")]
    pub(crate) format: Option<String>,

    /// Longest time of the whole run: where the preset takes longer, all of its times are shortened
    /// by the same share
    #[arg(long, value_name = "TIME", value_parser = time, requires = "name")]
    pub(crate) budget: Option<Nanos>,
}
