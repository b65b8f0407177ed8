//! The arguments of `agent` and `fleet`.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Arg, Args, Subcommand, ValueEnum, value_parser};
use fleet::ssh::Destination;
use fleet::{AgentName, Label, RunName, TagLimit};
use workload::Bound;

use super::measure::{CheckArgs, LimitArgs};
use super::replay::ReplayArgs;
use super::shared::{JsonArg, OUTPUT, QuietArg, ResultArgs, TARGET};
use super::sweep::SweepArgs;
use super::watch::LatencyThreshold;

/// How the NATS server is reached.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// The NATS server: nats://HOST:4222 or tls://HOST:4222; several with commas
    #[arg(long, value_name = "URL", global = true, help_heading = SERVER)]
    pub(crate) nats: Option<String>,

    /// File with the server's URL; keeps its password out of the process list
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "nats",
          help_heading = SERVER)]
    pub(crate) nats_file: Option<PathBuf>,

    /// Credentials for it: a .creds file, or a file with the seed of an nkey
    #[arg(long, value_name = "FILE", global = true, help_heading = SERVER)]
    pub(crate) creds: Option<PathBuf>,

    /// CA file to verify the server; enables TLS
    #[arg(long, value_name = "FILE", global = true, help_heading = SERVER)]
    pub(crate) tls_ca: Option<PathBuf>,

    /// Our own certificate, where the server asks for one
    #[arg(long, value_name = "FILE", global = true, help_heading = SERVER)]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The key of --tls-cert
    #[arg(long, value_name = "FILE", global = true, help_heading = SERVER)]
    pub(crate) tls_key: Option<PathBuf>,

    /// Connect without credentials and TLS: anyone on the network path can then give orders
    #[arg(long, global = true, help_heading = SERVER)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// Name of this agent; unique on its server [default: the host's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<AgentName>,

    /// A label by which it can be chosen, such as rack=b4; may be given again
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) label: Vec<Label>,

    /// A folder, file or device that may be measured, with everything below it; may be given again.
    /// A device whose data may be destroyed has to be named itself
    #[arg(long, value_name = "PATH", required_unless_present = "relay")]
    pub(crate) allow: Vec<PathBuf>,

    /// Write nothing: only files and devices that exist are measured
    #[arg(long)]
    pub(crate) read_only: bool,

    /// Folder of the records that no coordinator has yet [default:
    /// $XDG_STATE_HOME/truedisk/agent]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) spool: Option<PathBuf>,

    /// Measure nothing: carry the states and clocks of many hosts to the coordinator
    #[arg(long, conflicts_with_all = ["allow", "read_only", "spool"])]
    pub(crate) relay: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// Only these agents [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', global = true, help_heading = HOSTS)]
    pub(crate) hosts: Vec<AgentName>,

    /// Only the agents with this label; may be given again
    #[arg(long, value_name = "KEY=VALUE", global = true, help_heading = HOSTS)]
    pub(crate) label: Vec<Label>,

    /// Start agents on these hosts over ssh, for this command only
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', global = true, help_heading = HOSTS,
          conflicts_with_all = ["hosts", "label"])]
    pub(crate) ssh: Vec<Destination>,

    /// The nats-server that is started for --ssh [default: the one on the PATH]
    #[arg(long, value_name = "PROGRAM", global = true, help_heading = HOSTS)]
    pub(crate) nats_server: Option<PathBuf>,

    /// check, limit, sweep: which part of one shared file or device each host measures [default:
    /// the targets are not shared]
    #[arg(long, value_name = "HOW", global = true, help_heading = HOSTS)]
    pub(crate) span: Option<SpanArg>,

    /// check, limit, sweep, replay: measure only this share of the hosts, chosen at random, such as
    /// 5%
    #[arg(long, value_name = "PERCENT", global = true, help_heading = HOSTS,
          value_parser = parse_share)]
    pub(crate) canary: Option<f64>,

    /// check, limit, sweep, replay: measure at most this many hosts at the same time, wave after
    /// wave
    #[arg(long, value_name = "HOSTS", global = true, help_heading = HOSTS)]
    pub(crate) at_most: Option<NonZeroU32>,

    /// check, limit, sweep, replay: measure at most this many hosts with the same value of a label
    /// at the same time, such as rack=1; may be given again
    #[arg(long, value_name = "KEY=HOSTS", global = true, help_heading = HOSTS)]
    pub(crate) per_tag: Vec<TagLimit>,

    /// check, limit, sweep, replay: end the run when the latency of others' requests to the disks
    /// reaches it, such as 'p99>50ms of others'
    #[arg(long, value_name = "LATENCY", global = true, help_heading = HOSTS,
          value_parser = parse_stop_on)]
    pub(crate) stop_on: Option<Bound>,

    #[command(subcommand)]
    pub(crate) command: FleetCommand,
}

/// `p99>50ms of others`: the bound that others' requests keep.
fn parse_stop_on(text: &str) -> Result<Bound, String> {
    let latency = text.trim_end().strip_suffix("of others").filter(|rest| rest.ends_with(' '));
    let latency = latency.ok_or("it must end with 'of others', like 'p99>50ms of others'")?;
    Ok(latency.parse::<LatencyThreshold>()?.0)
}

/// `5%`, `0.5%`.
fn parse_share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    match percent.filter(|percent| *percent > 0.0 && *percent <= 100.0) {
        Some(percent) => Ok(percent / 100.0),
        None => Err("a share of the hosts is a percentage above 0, such as 5%".to_owned()),
    }
}

const SERVER: &str = "Server";
const HOSTS: &str = "Hosts";

/// Options that are refused for many hosts do not stand in their help.
fn of_hosts(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "path" => arg.help("Path on the hosts, absolute [default: the one that they all allow]"),
        "max_written" | "resume" => arg.hide(true),
        _ => arg,
    }
}

/// `--span` of a command that refuses it: it does not stand in its help.
fn hidden_span() -> Arg {
    Arg::new("span").long("span").hide(true).value_parser(value_parser!(SpanArg))
}

/// How hosts divide what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpanArg {
    /// All of it
    Shared,
    /// A part that no other host touches, another one in every cell
    Split,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// The agents, what they allow, what they keep
    #[command(arg = hidden_span())]
    List {
        #[command(flatten)]
        json: JsonArg,
    },
    /// `check` on all hosts at once, without the trials that look into one host
    #[command(mut_args(of_hosts))]
    Check(CheckArgs),
    /// The most IOPS of all hosts together within a latency bound: the question for a SAN
    #[command(mut_args(of_hosts))]
    Limit(LimitArgs),
    /// A matrix of workloads over block size and depth, by all hosts together
    #[command(mut_args(of_hosts))]
    Sweep(SweepArgs),
    /// A captured load on every host at the same time, from one profile: which host keeps up
    ///
    /// Every host draws the same requests from the profile, on a target of its own or with --span
    /// split on its part of a shared one. Traces are not sent.
    #[command(mut_args(of_hosts))]
    Replay(ReplayArgs),
    /// Run fio's job files on all hosts at once, and print what fio prints
    ///
    /// Every host runs all of the jobs, from one instant; printed are each host, and their sum. Job
    /// files are read here, with what they include; paths in them are paths on the hosts, and
    /// absolute. Jobs start no programs, and read and write nothing on a host but what they
    /// measure.
    #[command(arg = hidden_span())]
    Fio(FleetFioArgs),
    /// The least permissions for a nats-server's configuration
    ///
    /// Without names all agents share a key; each agent that is named gets one of its own and is
    /// held to its name.
    #[command(arg = hidden_span())]
    Permissions {
        /// Agents that have keys of their own
        #[arg(value_name = "AGENT")]
        agents: Vec<AgentName>,

        /// A relay, which gets a key of its own; may be given again
        #[arg(long, value_name = "NAME")]
        relay: Vec<AgentName>,
    },
    /// Fetch what the hosts kept of a run whose coordinator is gone, and put it together
    #[command(arg = hidden_span())]
    Collect(CollectArgs),
    /// End a run on all of its hosts; what was measured is kept there
    #[command(arg = hidden_span())]
    Stop {
        /// The run, as `fleet list` shows it; without one, whatever the agents do
        run: Option<RunName>,
        #[command(flatten)]
        json: JsonArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FleetFioArgs {
    /// Write to this raw device of the hosts, which the agents allow by its name; what it holds is
    /// lost
    #[arg(long, value_name = "DEVICE", help_heading = TARGET)]
    pub(crate) yes_destroy_data_on: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,

    #[command(flatten)]
    pub(crate) json: JsonArg,

    /// Job files, and fio's own arguments: --output-format=json, --output FILE, --readonly,
    /// --section, --eta. truedisk's own options stand before them
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "JOBFILE"
    )]
    pub(crate) words: Vec<OsString>,
}

/// What is fetched, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct CollectArgs {
    /// The run, as `fleet list` shows it
    pub(crate) run: RunName,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    /// Keep no record and no page here; the hosts keep theirs then
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_history: bool,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}
