//! The arguments of `preset`.

use clap::{Arg, Args};

use super::measure::Common;
use super::shared::{BudgetArg, with_default};
use super::values::{parse_threads, parse_whole};

#[derive(Debug, Args)]
#[command(
    mut_args(only_for_runs),
    mut_arg("size", |arg| with_default(arg, "that of the preset")),
    mut_arg("budget", |arg| with_default(arg, "none"))
)]
pub(crate) struct PresetArgs {
    /// A preset, or ./FILE.toml of your own; without one, all are listed
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,

    /// Print the preset as it is written, and measure nothing
    #[arg(long)]
    pub(crate) show: bool,

    #[arg(long, value_name = "NAME", help = format_help())]
    pub(crate) format: Option<String>,

    /// metadata: files of each load [default: as its time allows]
    #[arg(long, value_name = "NUMBER", value_parser = parse_whole, hide = true)]
    pub(crate) files: Option<u64>,

    /// metadata: threads of the loads with several [default: one for each processor, 2 to 16]
    #[arg(long, value_name = "NUMBER", value_parser = parse_threads)]
    #[arg(hide = true)]
    pub(crate) threads: Option<u32>,

    /// metadata: also measure cold; drops this host's caches (root)
    #[arg(long, hide = true)]
    pub(crate) drop_caches: bool,

    #[command(flatten)]
    pub(crate) budget: BudgetArg,
}

fn format_help() -> String {
    let names: Vec<&str> = report::preset::FORMATS.iter().map(|format| format.name).collect();
    let help = "Print the familiar text of a tool instead of our report, for scripts that read it";
    format!("{help}: {}", names.join(", "))
}

/// What only a run of a preset takes: not the list, and not --show.
fn only_for_runs(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "name" | "json" => arg,
        "show" => arg.requires("name"),
        _ => arg.requires("name").conflicts_with("show"),
    }
}

#[derive(Debug, Args)]
// Small files are no test file and are always written: both are refused, with a reason.
#[command(
    mut_arg("size", |arg| arg.hide(true)),
    mut_arg("read_only", |arg| arg.hide(true)),
    mut_arg("yes_destroy_data_on", |arg| arg.hide(true)),
    mut_arg("path", |arg| arg.help("Folder on the file system to measure [default: .]")),
    mut_arg("budget", |arg| with_default(arg, "none"))
)]
pub(crate) struct MetadataArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Files of each load [default: as its time allows]
    #[arg(long, value_name = "NUMBER", value_parser = parse_whole)]
    pub(crate) files: Option<u64>,

    /// Threads of the loads with several [default: one for each processor, 2 to 16]
    #[arg(long, value_name = "NUMBER", value_parser = parse_threads)]
    pub(crate) threads: Option<u32>,

    /// Also measure cold; drops this host's caches (root)
    #[arg(long)]
    pub(crate) drop_caches: bool,

    #[command(flatten)]
    pub(crate) budget: BudgetArg,
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
