//! The arguments of `preset`.

use clap::Args;
use units::Nanos;

use super::measure::Common;
use super::values::parse_time;

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

    /// metadata: files of each load [default: as its time allows]
    #[arg(long, value_name = "NUMBER", requires = "name", hide = true)]
    pub(crate) files: Option<u64>,

    /// metadata: threads of the loads with several [default: one for each processor, 2 to 16]
    #[arg(long, value_name = "NUMBER", requires = "name", hide = true)]
    pub(crate) threads: Option<u32>,

    /// metadata: also measure cold; drops this host's caches (root)
    #[arg(long, requires = "name", hide = true)]
    pub(crate) drop_caches: bool,

    /// Longest time of the whole run: where the preset takes longer, all of its times are shortened
    /// by the same share
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "name")]
    pub(crate) budget: Option<Nanos>,
}

/// Operations on many small files: create, stat, open, list, rename, delete.
///
/// The files lie in a folder of truedisk's own, which is removed at the end.
#[derive(Debug, Args)]
pub(crate) struct MetadataArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Files of each load [default: as its time allows]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) files: Option<u64>,

    /// Threads of the loads with several [default: one for each processor, 2 to 16]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<u32>,

    /// Also measure cold; drops this host's caches (root)
    #[arg(long)]
    pub(crate) drop_caches: bool,

    /// Longest time of the whole run
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) budget: Option<Nanos>,
}

impl From<MetadataArgs> for PresetArgs {
    fn from(args: MetadataArgs) -> Self {
        let MetadataArgs { common, files, threads, drop_caches, budget } = args;
        let name = Some("metadata".to_owned());
        Self { name, common, show: false, format: None, files, threads, drop_caches, budget }
    }
}

impl PresetArgs {
    /// The first argument that only small files have.
    pub(crate) fn first_small_file_flag(&self) -> Option<&'static str> {
        let given = [
            ("--files", self.files.is_some()),
            ("--threads", self.threads.is_some()),
            ("--drop-caches", self.drop_caches),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}
