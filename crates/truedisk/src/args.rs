//! The arguments: every flag has its one definition here.

mod capture;
mod compare;
mod fleet;
mod history;
mod measure;
mod model;
mod preset;
mod replay;
mod shared;
mod sweep;
mod values;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{
    Arg, ArgAction, ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
};
use report::Topic;
use workload::Bound;

use crate::exit::Failure;

pub(crate) use capture::CaptureArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use fleet::{
    AgentArgs, CollectArgs, FleetArgs, FleetCommand, FleetFioArgs, ServerArgs, SpanArg,
};
pub(crate) use history::{
    ExportArgs, FilterArgs, FormatArg, HistoryCommand, ImportArgs, ListArgs, PruneArgs, RowsArg,
    ShowArgs, TrendArgs,
};
pub(crate) use measure::{ArrivalsArg, CheckArgs, Common, LimitArgs, PromiseArgs};
pub(crate) use model::ModelArgs;
pub(crate) use preset::{MetadataArgs, PresetArgs};
pub(crate) use replay::{MapArg, ReplayArgs};
pub(crate) use shared::{FailOn, FailOnWorse, JsonArg, ResultArgs, TableArgs};
pub(crate) use sweep::SweepArgs;
pub(crate) use values::{DEFAULT_READ_PERCENT, Depths, Kind, Sizes, unique_values};
pub(crate) use watch::{LatencyThreshold, SourceArg, WatchArgs};

/// clap lists commands in one block; here they stand in groups.
const HELP_TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}";

/// A test holds it to the commands that there are.
const COMMANDS: &str = "\
Measure
  check     Measure a disk and judge the numbers; `truedisk` alone is `check .`
  limit     The most IOPS within a latency bound
  sweep     A matrix over block size and depth, or reads beside writes
  metadata  Operations on many small files
  preset    The tests of other tools and of applications: dd, etcd, a1
  ping      Single requests, as ioping does them
  replay    A captured load, on another disk: does it keep up?
  fio       fio's command line and job files

Judge
  compare   Two or more runs: ratios, intervals, verdicts
  history   The stored runs: list, show, tag, trend, prune, export
  model     What a price list or physics says
  explain   What a finding means, and what to do
  share     A record without the names of its host

Look
  watch     Is a live disk the bottleneck, and who waits for it
  capture   The load of a live disk as a profile or a trace, to replay elsewhere
  devices   What can be measured here, and what may be written
  schema    The JSON Schema of the record
  config    Defaults of options, and where each is set

Many hosts
  fleet     One measurement on many hosts
  agent     Measure on this host for a coordinator

truedisk COMMAND --help has the options of a command.";

/// Options of every command stand behind its own.
const LAST: usize = 900;

/// Measure storage and tell the truth about it.
#[derive(Debug, Parser)]
#[command(name = "truedisk", version, max_term_width = report::WIDTH)]
#[command(help_template = HELP_TEMPLATE, after_help = COMMANDS)]
pub(crate) struct Arguments {
    /// Language: en, vi, ru, zh-CN, id [default: the locale]
    #[arg(long, global = true, value_name = "LANGUAGE", display_order = LAST)]
    pub(crate) lang: Option<String>,

    /// Show everything that is known of a run, not one screen
    #[arg(long, short, global = true, display_order = LAST)]
    pub(crate) verbose: bool,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure a disk and judge the numbers: the main job
    ///
    /// A folder is measured through a test file of truedisk's own, which is removed at the end.
    /// Nothing that exists is ever written to. An existing file or a device is measured with
    /// --read-only.
    Check(CheckArgs),
    /// The most IOPS within a latency bound, and the curve behind it
    ///
    /// The search doubles the depth until the bound breaks or operations stop rising, then closes
    /// in, and measures its answer again. Several bounds share their measurements.
    Limit(LimitArgs),
    /// A matrix of workloads over block size and depth, or reads next to writes
    ///
    /// Every combination of workload, block size and depth is measured, in random order, each for
    /// as long as its precision needs. What was measured is saved as it goes: an interrupted sweep
    /// goes on with --resume.
    Sweep(SweepArgs),
    /// The tests of other tools and of applications: cloud, etcd, a1, ...
    ///
    /// They are measured by our engine, with our findings. Without a name all presets are listed,
    /// with the time that each takes. A preset of your own is a TOML file: named by its path, or
    /// kept as NAME.toml in $XDG_CONFIG_HOME/truedisk/presets. Start from one that exists: truedisk
    /// preset NAME --show. Where a preset has thresholds, the exit status is 3 when one is missed,
    /// and 1 when the run does not show whether it is met. With --budget, all times of a preset
    /// that takes longer are shortened by the same share.
    Preset(PresetArgs),
    /// Operations on many small files: create, stat, open, list, rename, delete
    ///
    /// The files lie in a folder of truedisk's own, which is removed at the end.
    Metadata(MetadataArgs),
    /// What a price list or physics says: IOPS and MB/s over block size and over time
    ///
    /// It is arithmetic: nothing is measured. Without a plan: a list of all. `hdd` is a rotating
    /// disk by its data sheet; `ladder` shows what typical devices give; ./plans.toml:NAME is a
    /// plan of your own.
    Model(ModelArgs),
    /// A captured load on another disk: does it keep up, and how do the latencies compare?
    ///
    /// LOAD is a profile or a trace of truedisk, a binary file of blktrace, the text of blkparse,
    /// or an I/O log of fio. A profile is drawn from by --seed. Every request starts at its own
    /// time, whatever became of the last one; response times count from there. Requests go to a
    /// test file of truedisk's own in a folder; a load that only reads may be replayed on an
    /// existing file or device.
    Replay(ReplayArgs),
    /// Compare runs: ratios with intervals, and verdicts, or why there is none
    ///
    /// A side is a record, a folder of records, a JSON file of fio's, or a run of the history by
    /// its tag, its id, the beginning or the end of one, or `latest`; several of them, joined with
    /// commas, are runs of the same side: compare a1.json,a2.json before-1,before-2. It takes four
    /// runs of each side or more to know how much runs differ.
    ///
    /// With --interleave, A and B are paths of this host, which are measured in turns: A B B A.
    Compare(CompareArgs),
    /// The stored runs: list, show, tag, untag, diff, delete, prune, export, import, trend
    ///
    /// They are kept in $XDG_DATA_HOME/truedisk (~/.local/share/truedisk), or in a team's
    /// PostgreSQL that TRUEDISK_HISTORY names: postgres://USER:PASSWORD@HOST:PORT/DATABASE.
    ///
    /// RUN is an id, the beginning of one or the end of one, a tag, or `latest`.
    #[command(subcommand)]
    History(HistoryCommand),
    /// A record without the names of its host, for a bug report or a forum
    ///
    /// Host names, IP addresses, users, paths, serial numbers, names of volumes and control
    /// groups, names of fio's jobs, the words of a preset of your own, and the arguments of the
    /// command line are removed; what was measured and the kinds of hardware and software stay.
    /// What was removed is listed. RUN is a file with a record, or a run of the history by its
    /// id, its tag, or `latest`.
    Share(ShareArgs),
    /// What is here, what it is, what it claims, what may be written
    ///
    /// Disks, volumes and file systems: whether a device may be written and why not, and the
    /// command that measures each next. Nothing is opened for writing. A device that nothing seems
    /// to use is read for a moment, to see what is on it; as root more can be seen, and what cannot
    /// is said.
    Devices(DevicesArgs),
    /// Watch live disks: is one of them the bottleneck, and who waits for it
    ///
    /// On a terminal it is a live screen, whose keys `?` lists; elsewhere a block of text per
    /// interval. Nothing is written to a disk and no I/O is added. What a disk can do is taken from
    /// the stored runs of `truedisk limit` and `truedisk check` on the same disk.
    Watch(WatchArgs),
    /// Capture the load of a live disk: as a profile, or request by request as a trace
    ///
    /// A profile is a small text file with distributions: rates, bursts, sizes, places, latencies.
    /// It holds nothing of what was read or written, and no file or program names. Requests are
    /// counted as the disk gets them, by a program in the kernel: that needs root. No I/O is added
    /// but for the files that are written.
    Capture(CaptureArgs),
    /// Many hosts at once: list, check, limit, sweep, fio, collect, stop
    ///
    /// Every host runs `truedisk agent` on the same NATS server, or is started over ssh: --ssh
    /// takes hosts as ssh does, with its configuration, keys and jump hosts. They run this very
    /// program, and meet at a nats-server that is started here for them, or at --nats. Depths and
    /// rates are those of all hosts together; paths are paths on the hosts, and absolute.
    Fleet(Box<FleetArgs>),
    /// Measure on this host what a coordinator elsewhere asks
    ///
    /// The agent waits on a NATS server, measures only the paths that --allow names, runs one run
    /// at a time, and executes no commands. It keeps every record until a coordinator has it, and
    /// ends a run by itself when its coordinator is gone.
    Agent(AgentArgs),
    /// Request by request, as ioping does it: latency while you watch
    ///
    /// `truedisk ping -h` lists the options, which are ioping's and a few more. The same binary
    /// called `ioping` does this too.
    #[command(disable_help_flag = true)]
    Ping {
        /// ioping's own options, and paths [default: .]
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
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
    /// What latency, depth, IOPS or a finding means, and what to do
    Explain {
        /// A term or a finding, such as thrashing or stall; without one, all are listed
        #[arg(value_parser = topic_parser(), hide_possible_values = true)]
        topic: Option<Topic>,
        #[command(flatten)]
        json: JsonArg,
    },
    /// The defaults of options in force, and the file or variable that sets each
    ///
    /// The command line comes first, then TRUEDISK_COMMAND_OPTION and TRUEDISK_OPTION of the
    /// environment, then $XDG_CONFIG_HOME/truedisk/config.toml (~/.config), then
    /// /etc/truedisk/config.toml.
    Config(JsonArg),
    /// Print the JSON Schema of the record
    Schema(JsonArg),
}

impl Default for Command {
    fn default() -> Self {
        // Parsing no arguments cannot fail: every flag of `check` has a default.
        match Arguments::try_parse_from(["truedisk", "check"]) {
            Ok(Arguments { command: Some(command), .. }) => command,
            _ => Self::Schema(JsonArg::default()),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ShareArgs {
    /// Record file, run id, tag or `latest`
    #[arg(default_value = "latest")]
    pub(crate) run: String,

    /// File for the shared record; -: stdout [default: ID.shared.json]
    #[arg(short, long, value_name = "FILE", help_heading = shared::OUTPUT, conflicts_with = "json")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) json: JsonArg,
}

#[derive(Debug, Args)]
pub(crate) struct DevicesArgs {
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// Takes the names of the findings; of an unknown one, clap offers those that are near.
fn topic_parser() -> impl TypedValueParser<Value = Topic> {
    PossibleValuesParser::new(Topic::list().map(Topic::name))
        .try_map(|name| Topic::from_name(&name).ok_or("no such term or finding"))
}

/// The arguments that the words ask for.
///
/// # Errors
/// Words that are no arguments, help and version; and a word after `--json` that may be meant as
/// an argument of the command, one that is missing or the first of several: a file of that name
/// would be written. The same of `--markdown` and `--csv`.
pub(crate) fn parse_words(words: &[OsString]) -> Result<Arguments, clap::Error> {
    parse_words_with(Arguments::command(), words)
}

/// As [`parse_words`], with a definition that has other defaults.
pub(crate) fn parse_words_with(
    mut command: clap::Command,
    words: &[OsString],
) -> Result<Arguments, clap::Error> {
    let matches = command.try_get_matches_from_mut(words)?;
    // `--json=FILE` is clear.
    for name in ["json", "markdown", "csv"] {
        if words.iter().any(|word| word.to_str().is_some_and(|word| word == format!("--{name}"))) {
            refuse_ambiguous_file(&command, &matches, name)?;
        }
    }
    Arguments::from_arg_matches(&matches)
}

fn refuse_ambiguous_file(
    command: &clap::Command,
    matches: &ArgMatches,
    option: &str,
) -> Result<(), clap::Error> {
    if let Some((name, inner)) = matches.subcommand() {
        let command = command.find_subcommand(name);
        return command.map_or(Ok(()), |command| refuse_ambiguous_file(command, inner, option));
    }
    let Ok(Some(file)) = matches.try_get_one::<PathBuf>(option) else { return Ok(()) };
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let last_place = |id: &str| matches.indices_of(id).and_then(Iterator::max);
    // Before the first of several values it may be one of them, and the file of a result already.
    let is_before = |arg: &Arg| {
        matches!(arg.get_action(), ArgAction::Append)
            && last_place(arg.get_id().as_str()) > last_place(option)
    };
    let ending = if option == "markdown" { "md" } else { option };
    let has_ending = file.extension().is_some_and(|end| end == ending);
    let may_be_meant = |arg: &&Arg| match is_given(arg.get_id().as_str()) {
        true => is_before(arg) && (!has_ending || file.exists()),
        false => !has_ending,
    };
    let missing = command.get_positionals().find(may_be_meant).filter(|_| file.as_os_str() != "-");
    let Some(missing) = missing else { return Ok(()) };
    let (file, missing) = (file.display(), missing.to_string());
    Err(command.clone().error(
        ErrorKind::ArgumentConflict,
        format!(
            "'{file}' after --{option} may be {missing} or the FILE to write\n\n  \
             tip: for {missing}: {file} --{option} -\n\n  tip: for FILE: --{option}={file}"
        ),
    ))
}

/// The longest list of possible values that an error shows, in bytes.
const LISTED_MAX: usize = 150;

/// The failure of wrong arguments. None of help and version.
pub(crate) fn wrong_arguments(error: &clap::Error, words: &[OsString]) -> Option<Failure> {
    let (message, hint) = describe_error(error, words)?;
    Some(Failure::wrong(message).hint(hint))
}

/// What is wrong with the arguments, and what to do: clap's words in two lines. None of help.
pub(crate) fn describe_error(error: &clap::Error, words: &[OsString]) -> Option<(String, String)> {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_help || !error.use_stderr() {
        return None;
    }
    let text = error.render().to_string();
    let mut parts =
        text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = parts.next()?.trim_start_matches("error: ").to_owned();
    // A long list hides what is wrong.
    let list = message.find(" [possible values: ").filter(|at| message.len() - at > LISTED_MAX);
    let message = list.map_or(message.as_str(), |at| &message[..at]).to_owned();
    let tips = parts.filter_map(|part| part.strip_prefix("tip: ").map(str::to_owned));
    let command = command_names(words);
    let hint = format!("{command} --help has the arguments");
    // That an unknown option could be a value is of no help.
    let hints = bare_bound(words).into_iter();
    let hints = hints.chain(tips.filter(|tip| !tip.starts_with("to pass"))).chain([hint]);
    Some((message, hints.collect::<Vec<_>>().join("; ")))
}

/// What to write for a bound that stands without its option: `limit 'p99<10ms' DIR`.
fn bare_bound(words: &[OsString]) -> Option<String> {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let is_value = |before: &OsString| before.to_str().is_some_and(|word| word.starts_with("--"));
    pairs.find_map(|(before, word)| {
        let bound = word.to_str()?.parse::<Bound>().ok().filter(|_| !is_value(before))?;
        Some(measure::describe_bound(&bound))
    })
}

/// The command that the words name: `truedisk history list`.
fn command_names(words: &[OsString]) -> String {
    let root = Arguments::command();
    let (mut command, mut names) = (&root, vec![root.get_name()]);
    for word in words.iter().skip(1) {
        if let Some(inner) = command.find_subcommand(word) {
            names.push(inner.get_name());
            command = inner;
        }
    }
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_every_command_and_fits_a_screen() {
        let asked = Arguments::try_parse_from(["truedisk", "--help"]);
        let help = asked.unwrap_err().render().to_string();
        assert!(help.lines().count() <= 40, "{help}");
        let wide = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
        let named: Vec<&str> = COMMANDS
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
            .collect();
        let command = Arguments::command();
        let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let mut listed = named.clone();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        let has = |name: &&str| method::preset::built_in_names().any(|known| known == *name);
        assert!(["dd", "etcd", "a1"].iter().all(has), "{help}");
    }

    #[test]
    fn no_arguments_mean_a_check_of_the_current_folder() {
        let Command::Check(check) = Command::default() else { panic!("not check") };
        assert_eq!(check.common.path(), PathBuf::from("."));
        assert_eq!(check.bound[0].to_string(), "p99<10ms");
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
        check(&["--size", "-1"], "'-1' for '--size <SIZE>'");
        check(&["--max-written", "0"], "use --read-only");
        check(&["--bound", "p99"], "'p99' for '--bound <BOUND>': it must be a statistic");
        check(&["3h"], "a time is written --until-throttled=3h");
        check(&["poisson"], "arrivals are written --open-loop=poisson");
        check(&["--bound", "p99<"], "time after '<' is missing");
        check(&["--bound", "p101<1ms"], "between 0 and 100");
        check(&["--quick", "--thorough"], "cannot be used with");
        check(&["--read-only", "--yes-destroy-data-on", "/dev/x"], "cannot be used with");
    }

    /// Every command but those in the dialects of ioping and fio, whose words are their own.
    fn own_commands() -> Vec<clap::Command> {
        fn collect(command: &clap::Command, all: &mut Vec<clap::Command>) {
            if !["ping", "fio", "help"].contains(&command.get_name()) {
                all.push(command.clone());
                command.get_subcommands().for_each(|inner| collect(inner, all));
            }
        }
        let (mut root, mut all) = (Arguments::command(), Vec::new());
        root.build();
        collect(&root, &mut all);
        all
    }

    #[test]
    fn help_names_only_options_and_commands_that_exist() {
        let all = own_commands();
        let has_option = |name: &str| {
            let own = |arg: &clap::Arg| arg.get_long() == Some(name);
            // Of fio.
            name == "output-format" || all.iter().any(|command| command.get_arguments().any(own))
        };
        let has_command = |name: &str| {
            ["fio", "ping"].contains(&name) || all.iter().any(|command| command.get_name() == name)
        };
        let is_end = |c: char| !c.is_ascii_lowercase() && c != '-';
        for mut command in all.iter().cloned() {
            let help = command.render_long_help().to_string();
            for word in help.split(is_end).filter(|word| word.len() > 3) {
                let option = word.strip_prefix("--");
                assert!(option.is_none_or(has_option), "{word} of {}", command.get_name());
            }
            for (_, after) in help.match_indices("truedisk ").map(|(at, _)| help.split_at(at + 9)) {
                let name = after.split(is_end).next().unwrap_or("");
                assert!(name.is_empty() || has_command(name), "truedisk {name}: {help}");
            }
            let wide = help.lines().find(|line| line.chars().count() > report::WIDTH);
            assert_eq!(wide, None, "{}", command.get_name());
        }
    }

    #[test]
    fn the_long_help_has_what_the_short_one_leaves_out() {
        let check = |words: &str, expected: &str| {
            let asked = Arguments::try_parse_from(words.split(' ')).unwrap_err();
            let help = asked.render().to_string();
            let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(expected), "{words}: {help}");
        };
        check("truedisk check --help", "Nothing that exists is ever written to");
        check("truedisk sweep --help", "an interrupted sweep goes on with --resume");
        check("truedisk preset --help", "Start from one that exists: truedisk preset NAME --show");
        check("truedisk metadata --help", "which is removed at the end");
        check("truedisk model --help", "nothing is measured");
        check("truedisk compare --help", "its tag, its id, the beginning or the end of one");
        check("truedisk history --help", "RUN is an id, the beginning of one");
        check("truedisk devices --help", "Nothing is opened for writing");
        check("truedisk fleet --help", "Depths and rates are those of all hosts together");
        check("truedisk fleet fio --help", "Jobs start no programs");
        check("truedisk agent --help", "measures only the paths that --allow names");
        check("truedisk preset --help", "for scripts that read it: lines, crystaldiskmark");
        // Each command shows the default of its own.
        check("truedisk limit --help", "Longest time of the run [default: 10m]");
        check("truedisk fleet sweep --help", "Longest time of the run [default: 2m]");
        check("truedisk sweep --help", "is at most this share [default: 2%]");
        check("truedisk compare --help", "is at most this share [default: 2.4%]");
        check("truedisk preset --help", "[default: that of the preset]");
    }

    #[test]
    fn an_option_of_one_name_is_declared_once() {
        let shared = [
            "json",
            "html",
            "markdown",
            "csv",
            "quiet",
            "budget",
            "precision",
            "seed",
            "read-only",
            "size",
        ];
        let all = own_commands();
        for name in shared {
            let declared = all.iter().flat_map(clap::Command::get_arguments);
            let declared =
                declared.filter(|arg| arg.get_long() == Some(name) && !arg.is_hide_set());
            let mut helps: Vec<String> =
                declared.filter_map(|arg| Some(arg.get_help()?.to_string())).collect();
            // The default may be the command's own.
            helps.iter_mut().for_each(|help| help.truncate(help.find(" [").unwrap_or(help.len())));
            helps.sort();
            helps.dedup();
            // Of `agent`, and of the rotating disk of `model`: nothing is measured there.
            let others = usize::from(["read-only", "size"].contains(&name));
            assert_eq!(helps.len(), 1 + others, "{name}: {helps:#?}");
        }
    }

    #[test]
    fn every_command_has_its_result_as_json() {
        // The dialect of fio has --output-format=json, an agent has no result, and what
        // `fleet permissions` writes is nats-server's configuration.
        let others = ["fio", "agent", "permissions"];
        let leaves = own_commands().into_iter().filter(|command| !command.has_subcommands());
        for command in leaves.filter(|command| !others.contains(&command.get_name())) {
            let json = command.get_arguments().find(|arg| arg.get_long() == Some("json"));
            let json = json.unwrap_or_else(|| panic!("{} has no --json", command.get_name()));
            assert!(json.get_value_names().is_some_and(|names| names[0] == "FILE|-"));
            assert!(!json.is_hide_set(), "{}", command.get_name());
        }
    }

    #[test]
    fn older_spellings_are_taken_for_a_version() {
        let check = |old: &str, new: &str| {
            let parse = |words: &str| Arguments::try_parse_from(words.split(' ')).unwrap();
            let [old, new] = [old, new].map(|words| format!("{:?}", parse(words)));
            assert_eq!(old, new);
        };
        check("truedisk limit --depth-max 8", "truedisk limit --depth 8");
        check(
            "truedisk limit --rw read+write --bs 4k,64k",
            "truedisk limit --rw read+write --bs 4k+64k",
        );
        check(
            "truedisk compare --interleave --keep x a b",
            "truedisk compare --interleave --records x a b",
        );
        check("truedisk compare --fail-on slower a b", "truedisk compare --fail-on worse a b");
        check(
            "truedisk history trend --fail-on regression x",
            "truedisk history trend --fail-on worse x",
        );
        check("truedisk devices --json", "truedisk devices --json -");
        check(
            "truedisk model hdd --span 1g --capacity 2g",
            "truedisk model hdd --size 1g --capacity 2g",
        );
    }

    #[test]
    fn an_error_is_one_line_and_a_hint() {
        let check = |words: &str, message: &str, hint: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let error = Arguments::try_parse_from(&words).unwrap_err();
            let (said, hinted) = describe_error(&error, &words).unwrap();
            assert!(said.contains(message) && hinted.ends_with(hint), "{said}; {hinted}");
            assert!(!said.contains('\n') && !hinted.contains('\n'), "{said}; {hinted}");
            assert!(said.len() < 250, "{said}");
        };
        check("truedisk chek", "'chek'", "truedisk --help has the arguments");
        check(
            "truedisk limit --bs x",
            "'x' for '--bs <SIZE>'",
            "truedisk limit --help has the arguments",
        );
        check(
            "truedisk limit p99<10ms /srv",
            "unexpected argument '/srv'",
            "a bound is written --bound 'p99<10ms'; truedisk limit --help has the arguments",
        );
        check(
            "truedisk limit p99<10ms",
            "'p99<10ms' for '[PATH]': a bound is written --bound 'p99<10ms'",
            "truedisk limit --help has the arguments",
        );
        check(
            "truedisk history list -n x",
            "no whole number",
            "truedisk history list --help has the arguments",
        );
        check(
            "truedisk history prune --older-than 6m",
            "'6m' for '--older-than <AGE>': '6m' is no age in hours, days or weeks",
            "truedisk history prune --help has the arguments",
        );
        check("truedisk history prune --older-than -3d", "'-3d' for '--older-than <AGE>'", "");
        check("truedisk history prune --keep 0", "nothing would be kept", "");
        check("truedisk metadata --threads 1", "--threads takes 2 to 256", "arguments");
        check("truedisk explain nosuch", "'nosuch' for '[TOPIC]'", "arguments");
        check(
            "truedisk preset --size 1g",
            "required arguments were not provided: <NAME>",
            "arguments",
        );
        check("truedisk preset a1 --show --size 1g", "cannot be used with", "arguments");
        for words in ["truedisk --help", "truedisk --version", "truedisk history"] {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let error = Arguments::try_parse_from(&words).unwrap_err();
            assert_eq!(describe_error(&error, &words), None);
        }
    }

    #[test]
    fn a_word_after_json_is_never_taken_for_a_file_where_it_may_be_the_argument() {
        let parse = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            parse_words(&words).map_err(|error| describe_error(&error, &words).unwrap())
        };
        for words in [
            "truedisk history show --json latest",
            "truedisk explain --json stall",
            "truedisk model --json aws:gp2:50GiB",
            "truedisk fleet stop --json run",
            "truedisk check --json disk.img",
            "truedisk preset a1 --json /srv/data",
            "truedisk check --csv disk.img",
            "truedisk check --markdown run.csv",
        ] {
            let (said, hint) = parse(words).unwrap_err();
            assert!(said.contains("may be") && hint.contains("="), "{words}: {said}; {hint}");
        }
        for words in [
            "truedisk history show --json",
            "truedisk history show --json -",
            "truedisk history show --json run.json",
            "truedisk history show --json=latest",
            "truedisk history show latest --json out",
            "truedisk history show --json out latest",
            "truedisk devices --json out",
            "truedisk check --json /tmp/x.json",
            "truedisk check --csv /tmp/x.csv --markdown x.md",
        ] {
            assert!(parse(words).is_ok(), "{words}: {:?}", parse(words));
        }
    }

    #[test]
    fn topics_are_known_by_name_and_near_ones_are_offered() {
        let parse = |name: &str| Arguments::try_parse_from(["truedisk", "explain", name]);
        for of_all in Topic::list() {
            let Some(Command::Explain { topic, .. }) = parse(of_all.name()).unwrap().command else {
                panic!("not explain")
            };
            assert_eq!(topic, Some(of_all));
        }
        let error = parse("page-cash").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("'page-cache'"), "{error}");
    }
}
