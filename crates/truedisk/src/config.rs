//! Defaults of options from the environment and from files, and `truedisk config`, which shows
//! them. The command line comes first, then the environment, the user's file, the system's file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, CommandFactory as _, Id};
use message::messages;
use serde_json::json;
use toml::de::{DeTable, DeValue};

use crate::args::{self, Arguments, JsonArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{open_json, write_json};
use crate::terminal;

const SYSTEM_FILE: &str = "/etc/truedisk/config.toml";
const VARIABLE_START: &str = "TRUEDISK";

/// Options of a single run: as defaults they would destroy data, write over results, or change
/// what a script reads.
const COMMAND_LINE_ONLY: [&str; 17] = [
    "help",
    "version",
    "json",
    "html",
    "markdown",
    "csv",
    "nagios",
    "svg",
    "output",
    "trace",
    "as-fio",
    "as-preset",
    "textfile",
    "records",
    "resume",
    "yes-destroy-data-on",
    "interleave",
];

/// A default of an option.
#[derive(Debug, Clone, PartialEq)]
struct OptionDefault {
    /// Empty for every command that has the option.
    command: Vec<String>,
    option: String,
    values: Vec<String>,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
enum Origin {
    Variable(String),
    File { path: PathBuf, line: usize },
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
        }
    }
}

impl OptionDefault {
    /// `check.bound`, `quiet`.
    fn name(&self) -> String {
        self.command.iter().chain([&self.option]).cloned().collect::<Vec<_>>().join(".")
    }

    fn wrong(&self, message: impl std::fmt::Display) -> Failure {
        let command = self.command.join(" ");
        let command = if command.is_empty() { command } else { format!(" {command}") };
        Failure::wrong(format_args!("{}: {message}", self.origin))
            .hint(format!("truedisk{command} --help lists the options"))
    }
}

/// The folder of the user's own files: `$XDG_CONFIG_HOME/truedisk`, else `~/.config/truedisk`.
pub(crate) fn user_folder() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    base.map(|base| base.join("truedisk"))
}

/// From the first that is asked to the last.
fn config_files() -> Vec<PathBuf> {
    let user = user_folder().map(|folder| folder.join("config.toml"));
    user.into_iter().chain([PathBuf::from(SYSTEM_FILE)]).collect()
}

/// The arguments with the defaults that are set elsewhere.
pub(crate) fn apply_settings(
    words: &[OsString],
    arguments: Arguments,
) -> Result<Arguments, Failure> {
    let settings = load_settings(&config_files(), |name| std::env::var(name).ok())?;
    if settings.is_empty() {
        return Ok(arguments);
    }
    // `truedisk` alone is a check.
    let check = arguments.command.is_none().then(|| OsString::from("check"));
    let (program, rest) = words.split_at(words.len().min(1));
    let words: Vec<OsString> =
        program.iter().cloned().chain(check).chain(rest.iter().cloned()).collect();
    reparse_words(&words, &settings)
}

fn reparse_words(words: &[OsString], settings: &[OptionDefault]) -> Result<Arguments, Failure> {
    let wrong = |error: clap::Error| {
        args::wrong_arguments(&error, words).unwrap_or_else(|| Failure::wrong(error))
    };
    // Only a command that is built knows its conflicts.
    let mut built = Arguments::command();
    built.build();
    let given = built.clone().try_get_matches_from(words).map_err(wrong)?;
    let mut defaults = Vec::new();
    find_defaults(&built, &given, &[], settings, &mut defaults)?;
    args::parse_words_with(set_defaults(defaults), words).map_err(wrong)
}

/// The path of a command, an argument that it has, and its values.
type ArgDefault = (Vec<String>, Id, Vec<String>);

/// The definition with other defaults. It is not built yet: clap loses the names of the arguments
/// of a built command where one of them is changed.
fn set_defaults(defaults: Vec<ArgDefault>) -> clap::Command {
    fn set(command: clap::Command, path: &[String], id: Id, values: Vec<String>) -> clap::Command {
        // What all commands below have is declared once, by the first.
        let declares = |arg: &Arg| arg.is_global_set() && *arg.get_id() == id;
        match path.split_first().filter(|_| !command.get_arguments().any(declares)) {
            Some((name, rest)) => {
                command.mut_subcommand(name, |inner| set(inner, rest, id, values))
            }
            None => command.mut_arg(id, |arg| arg.default_values(values)),
        }
    }
    let root = Arguments::command();
    defaults.into_iter().fold(root, |root, (path, id, values)| set(root, &path, id, values))
}

/// The settings in force for the command that the words name, and those above it.
fn find_defaults(
    command: &clap::Command,
    given: &ArgMatches,
    path: &[String],
    settings: &[OptionDefault],
    defaults: &mut Vec<ArgDefault>,
) -> Result<(), Failure> {
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        given.try_contains_id(id).is_ok()
            && given.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
    };
    let explicit: Vec<&Arg> = command.get_arguments().filter(is_given).collect();
    let inner = given.subcommand();
    for arg in command.get_arguments() {
        // The last command decides on what all of them have.
        if arg.is_global_set() && inner.is_some() {
            continue;
        }
        let Some(setting) = find_setting(arg, path, settings) else { continue };
        let conflicts = |given: &&Arg| {
            let excludes = |a: &Arg, b: &Arg| {
                command.get_arg_conflicts_with(a).iter().any(|arg| arg.get_id() == b.get_id())
            };
            given.get_id() == arg.get_id() || excludes(given, arg) || excludes(arg, given)
        };
        // What was asked is in force, and no default contradicts it.
        if explicit.iter().any(conflicts) {
            continue;
        }
        check_value(path, arg, setting)?;
        defaults.push((path.to_vec(), arg.get_id().clone(), setting.values.clone()));
    }
    if let Some((name, inner_given)) = inner
        && let Some(inner) = command.find_subcommand(name)
    {
        let path = [path, &[name.to_owned()]].concat();
        find_defaults(inner, inner_given, &path, settings, defaults)?;
    }
    Ok(())
}

fn is_configurable(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| !COMMAND_LINE_ONLY.contains(&name)) && !arg.is_hide_set()
}

/// The settings are in the order in which their sources are asked; of one source the setting of
/// the command comes before that of all commands.
fn find_setting<'a>(
    arg: &Arg,
    path: &[String],
    settings: &'a [OptionDefault],
) -> Option<&'a OptionDefault> {
    let option = arg.get_long().filter(|_| is_configurable(arg))?;
    settings.iter().find(|set| set.option == option && path.starts_with(&set.command))
}

/// Parses the value as if it were given: the same rules, and the same words.
fn check_value(path: &[String], arg: &Arg, setting: &OptionDefault) -> Result<(), Failure> {
    use clap::error::ErrorKind;
    let option = &setting.option;
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        let is_switch =
            matches!(setting.values.as_slice(), [one] if one == "true" || one == "false");
        let words = format!("'{option}' is a switch: it must be true or false");
        return if is_switch { Ok(()) } else { Err(setting.wrong(words)) };
    }
    for value in &setting.values {
        let words = ["truedisk".to_owned()].into_iter().chain(path.iter().cloned());
        let words = words.chain([format!("--{option}={value}")]);
        let Err(error) = Arguments::command().try_get_matches_from(words) else { continue };
        let is_wrong = matches!(
            error.kind(),
            ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::TooManyValues
        );
        if is_wrong {
            let text = error.render().to_string();
            let words: Vec<&str> = text.lines().next().unwrap_or("").split_whitespace().collect();
            let words = words.join(" ");
            return Err(setting.wrong(words.trim_start_matches("error: ")));
        }
    }
    Ok(())
}

fn load_settings(
    files: &[PathBuf],
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<OptionDefault>, Failure> {
    let mut settings = read_variables(&variable);
    for path in files {
        let text = match input::read_text(path, input::TEXT_MAX) {
            Ok(text) => text,
            Err(_) if path.symlink_metadata().is_err() => continue,
            Err(error) => {
                let message = format_args!("cannot read the settings: {}: {error}", path.display());
                return Err(Failure::wrong(message).hint("make it readable, or remove it"));
            }
        };
        let mut found = parse_settings(path, &text)?;
        found.iter().try_for_each(check_known)?;
        found.sort_by_key(|setting| std::cmp::Reverse(setting.command.len()));
        settings.extend(found);
    }
    Ok(settings)
}

/// `TRUEDISK_CHECK_BOUND` before `TRUEDISK_BOUND`.
fn read_variables(variable: &impl Fn(&str) -> Option<String>) -> Vec<OptionDefault> {
    let mut settings: Vec<OptionDefault> = Vec::new();
    for (command, option) in configurable_options() {
        for length in (0..=command.len()).rev() {
            let command = command[..length].to_vec();
            let parts = command.iter().chain([&option]).map(|part| part.replace('-', "_"));
            let name: Vec<String> = [VARIABLE_START.to_owned()].into_iter().chain(parts).collect();
            let name = name.join("_").to_ascii_uppercase();
            let Some(value) = variable(&name).filter(|value| !value.is_empty()) else { continue };
            let (values, origin) = (vec![value], Origin::Variable(name));
            let setting = OptionDefault { command, option: option.clone(), values, origin };
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
    }
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.command.len()));
    settings
}

/// Every option that may be set, with the command that has it.
fn configurable_options() -> Vec<(Vec<String>, String)> {
    fn collect(command: &clap::Command, path: &[String], all: &mut Vec<(Vec<String>, String)>) {
        let options = command.get_arguments().filter(|arg| is_configurable(arg));
        let options = options.filter_map(Arg::get_long);
        all.extend(options.map(|option| (path.to_vec(), option.to_owned())));
        for inner in command.get_subcommands() {
            let path = [path, &[inner.get_name().to_owned()]].concat();
            collect(inner, &path, all);
        }
    }
    let mut all = Vec::new();
    collect(&Arguments::command(), &[], &mut all);
    all
}

fn parse_settings(path: &Path, text: &str) -> Result<Vec<OptionDefault>, Failure> {
    let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let line = line_of(error.span().map_or(0, |span| span.start));
        Failure::wrong(format_args!("{}:{line}: {}", path.display(), error.message()))
            .hint("docs/config.md describes the file")
    })?;
    let mut settings = Vec::new();
    collect_settings(path, table.get_ref(), &[], &line_of, &mut settings)?;
    Ok(settings)
}

fn collect_settings(
    path: &Path,
    table: &DeTable<'_>,
    command: &[String],
    line_of: &impl Fn(usize) -> usize,
    settings: &mut Vec<OptionDefault>,
) -> Result<(), Failure> {
    for (key, value) in table {
        let name = key.get_ref().to_string();
        let origin = Origin::File { path: path.to_owned(), line: line_of(key.span().start) };
        let mut setting = OptionDefault {
            command: command.to_vec(),
            option: name.clone(),
            values: Vec::new(),
            origin,
        };
        match value.get_ref() {
            DeValue::Table(inner) => {
                let command = [command, &[name]].concat();
                let known = has_command(&Arguments::command(), &command);
                if !known {
                    let command = command.join(".");
                    return Err(setting.wrong(format_args!("unknown command [{command}]")));
                }
                collect_settings(path, inner, &command, line_of, settings)?;
                continue;
            }
            DeValue::Array(values) => {
                for value in values.iter() {
                    setting.values.push(setting_value(&setting, value.get_ref())?);
                }
            }
            value => setting.values.push(setting_value(&setting, value)?),
        }
        if setting.values.is_empty() {
            return Err(setting.wrong(format_args!("'{name}' has no value")));
        }
        settings.push(setting);
    }
    Ok(())
}

fn setting_value(setting: &OptionDefault, value: &DeValue<'_>) -> Result<String, Failure> {
    Ok(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(switch) => switch.to_string(),
        _ => {
            let words = format!("'{}' must be a text, a number, true or false", setting.option);
            return Err(setting.wrong(words));
        }
    })
}

fn has_command(root: &clap::Command, path: &[String]) -> bool {
    let mut command = root;
    for name in path {
        let Some(inner) = command.find_subcommand(name) else { return false };
        command = inner;
    }
    true
}

/// Whether the command has the option, or one below it.
fn check_known(setting: &OptionDefault) -> Result<(), Failure> {
    let option = &setting.option;
    if COMMAND_LINE_ONLY.contains(&option.as_str()) {
        return Err(setting.wrong(format_args!("'{option}' is taken from the command line only")));
    }
    let all = configurable_options();
    let is_known = |(path, name): &(Vec<String>, String)| {
        // `lang` and `verbose` belong to every command.
        name == option && (path.starts_with(&setting.command) || path.is_empty())
    };
    match all.iter().any(is_known) {
        true => Ok(()),
        false => Err(setting.wrong(format_args!("unknown option '{}'", setting.name()))),
    }
}

/// `truedisk config`: what is in force, and from where.
pub(crate) fn run(json: &JsonArg) -> Outcome {
    let to = open_json(json)?;
    let files = config_files();
    let settings = load_settings(&files, |name| std::env::var(name).ok())?;
    let hidden = |earlier: &[OptionDefault], setting: &OptionDefault| {
        earlier
            .iter()
            .any(|other| (&other.command, &other.option) == (&setting.command, &setting.option))
    };
    let in_force: Vec<&OptionDefault> = (settings.iter().enumerate())
        .filter(|(at, setting)| !hidden(&settings[..*at], setting))
        .map(|(_, setting)| setting)
        .collect();
    for setting in &in_force {
        check_everywhere(setting)?;
    }
    if let Some(file) = to {
        let files = files.iter().map(|path| json!({"path": path, "exists": path.exists()}));
        let entry = |setting: &&OptionDefault| {
            json!({
                "setting": setting.name(),
                "values": setting.values,
                "from": setting.origin.to_string(),
            })
        };
        let settings = in_force.iter().map(entry).collect::<Vec<_>>();
        let all = json!({"files": files.collect::<Vec<_>>(), "settings": settings});
        return write_json(file, &all);
    }
    let mut out = String::new();
    let row = |setting: &&OptionDefault| {
        vec![setting.name(), setting.values.join(", "), setting.origin.to_string()]
    };
    if !in_force.is_empty() {
        let head = ["head-setting", "head-value", "head-set-by"].map(terminal::say);
        report::TextTable::new(head, in_force.iter().map(row)).write(&mut out);
        out.push('\n');
    }
    for path in &files {
        let path_words = path.display().to_string();
        let words = match path.exists() {
            true => terminal::tell(FileRead { path: path_words }),
            false => terminal::tell(FileMissing { path: path_words }),
        };
        out.push_str(&format!("{words}\n"));
    }
    terminal::print(&out)?;
    Ok(Exit::Done)
}

/// The value by the rules of every command that takes it.
fn check_everywhere(setting: &OptionDefault) -> Result<(), Failure> {
    fn visit(
        command: &clap::Command,
        path: &mut Vec<String>,
        setting: &OptionDefault,
    ) -> Result<(), Failure> {
        for arg in command.get_arguments() {
            if find_setting(arg, path, std::slice::from_ref(setting)).is_some() {
                check_value(path, arg, setting)?;
            }
        }
        for inner in command.get_subcommands() {
            path.push(inner.get_name().to_owned());
            visit(inner, path, setting)?;
            path.pop();
        }
        Ok(())
    }
    visit(&Arguments::command(), &mut Vec::new(), setting)
}

messages! {
    pub(crate) static MESSAGES;
    FileRead = "config-file-read" { path: String };
    FileMissing = "config-file-missing" { path: String };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;

    const USER: &str = "user.toml";

    fn settings(user: &str, system: &str, variables: &[(&str, &str)]) -> Vec<OptionDefault> {
        try_settings(user, system, variables).unwrap()
    }

    fn try_settings(
        user: &str,
        system: &str,
        variables: &[(&str, &str)],
    ) -> Result<Vec<OptionDefault>, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let files = [(USER, user), ("system.toml", system)].map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        load_settings(&files, |name| value(name).map(|(_, value)| (*value).to_owned()))
    }

    fn parse(words: &str, settings: &[OptionDefault]) -> Result<Arguments, Failure> {
        reparse_words(&words.split(' ').map(OsString::from).collect::<Vec<_>>(), settings)
    }

    fn bound(words: &str, settings: &[OptionDefault]) -> String {
        match parse(words, settings).unwrap().command {
            Some(Command::Check(args)) => args.bound[0].to_string(),
            Some(Command::Limit(args)) => args.bound[0].to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flag_environment_user_and_system_in_this_order() {
        let user = "bound = \"p99<2ms\"\n[check]\nbound = \"p99<3ms\"\n";
        let system = "[check]\nbound = 'p99<4ms'\n[limit]\nbound = ['p99<5ms', 'mean<1ms']\n";
        let files = settings(user, system, &[]);
        assert_eq!(bound("truedisk check --bound p99<1ms", &files), "p99<1ms");
        assert_eq!(bound("truedisk check", &files), "p99<3ms");
        // A file of the user's comes before a more special one of the system.
        assert_eq!(bound("truedisk limit", &files), "p99<2ms");
        let variables = settings(user, system, &[("TRUEDISK_CHECK_BOUND", "p99<6ms")]);
        assert_eq!(bound("truedisk check", &variables), "p99<6ms");
        assert_eq!(bound("truedisk limit", &variables), "p99<2ms");
        assert_eq!(bound("truedisk limit", &settings("", system, &[])), "p99<5ms");
        assert_eq!(bound("truedisk check", &settings("", "", &[])), "p99<10ms");
    }

    #[test]
    fn switches_lists_numbers_and_global_options_are_taken() {
        let text = "lang = 'vi'\nquiet = true\n[sweep]\ndepth = [1, \"4..16\"]\nseed = 7\n";
        let arguments = parse("truedisk sweep /srv", &settings(text, "", &[])).unwrap();
        assert_eq!(arguments.lang.as_deref(), Some("vi"));
        let Some(Command::Sweep(sweep)) = arguments.command else { panic!("no sweep") };
        assert!(sweep.common.quiet.quiet);
        assert_eq!(sweep.common.extent.seed, Some(7));
        assert_eq!(sweep.depth.len(), 2);
        let nested = settings("[history.list]\ncount = 3\n", "", &[]);
        let list = parse("truedisk history list", &nested).unwrap().command;
        assert!(format!("{list:?}").contains("count: 3"), "{list:?}");
    }

    #[test]
    fn what_is_given_is_contradicted_by_no_default() {
        let quick = settings("[check]\nquick = true\n", "", &[]);
        let check = |words: &str| match parse(words, &quick).unwrap().command {
            Some(Command::Check(args)) => (args.quick, args.thorough),
            other => panic!("{other:?}"),
        };
        assert_eq!(check("truedisk check"), (true, false));
        assert_eq!(check("truedisk check --thorough"), (false, true));
        let plan = settings("[check]\nplan = 'aws:gp3:100GiB'\n", "", &[]);
        let given = parse("truedisk check --promise iops=1", &plan).unwrap().command;
        let Some(Command::Check(args)) = given else { panic!("no check") };
        assert_eq!(args.promise.plan, None);
    }

    #[test]
    fn unknown_keys_and_wrong_values_are_named_with_file_and_line() {
        let check = |text: &str, place: &str, words: &str| {
            let failure = try_settings(text, "", &[])
                .and_then(|settings| settings.iter().try_for_each(check_everywhere))
                .unwrap_err();
            let message = &failure.message;
            assert!(message.contains(place) && message.contains(words), "{text}: {message}");
            assert_eq!(failure.exit.status(), 2);
        };
        check("quiet = true\nbouns = 1\n", "user.toml:2:", "unknown option 'bouns'");
        check("[check]\n\ndepth = 4\n", "user.toml:3:", "unknown option 'check.depth'");
        check("[chek]\nquick = true\n", "user.toml:1:", "unknown command [chek]");
        check("[fio]\nquick = true\n", "user.toml:2:", "unknown option 'fio.quick'");
        check("json = '-'\n", "user.toml:1:", "from the command line only");
        check("[check]\nyes-destroy-data-on = '/dev/sda'\n", ":2:", "the command line only");
        check("[check]\nbound = 'p99'\n", "user.toml:2:", "'p99' for '--bound <BOUND>'");
        check("[check]\nquick = 'yes'\n", "user.toml:2:", "true or false");
        check("quiet = true\nx = \n", "user.toml:2:", "");
        check("[check]\nsize = 2026-01-01\n", "user.toml:2:", "must be a text");
        check("[check]\nbound = []\n", "user.toml:2:", "'bound' has no value");
        check("[capture]\ntrace = 'x'\n", "user.toml:2:", "from the command line only");
    }

    /// Every command with its path, those of other dialects left out.
    fn all_commands() -> Vec<(Vec<String>, clap::Command)> {
        fn collect(
            command: &clap::Command,
            path: &[String],
            all: &mut Vec<(Vec<String>, clap::Command)>,
        ) {
            all.push((path.to_vec(), command.clone()));
            for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
                let path = [path, &[inner.get_name().to_owned()]].concat();
                collect(inner, &path, all);
            }
        }
        let (mut root, mut all) = (Arguments::command(), Vec::new());
        root.build();
        collect(&root, &[], &mut all);
        all
    }

    fn find_command<'a>(root: &'a clap::Command, path: &[String]) -> &'a clap::Command {
        path.iter().fold(root, |command, name| command.find_subcommand(name).unwrap())
    }

    /// A value that the option takes.
    fn valid_value(path: &[String], arg: &Arg) -> String {
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return "true".to_owned();
        }
        let possible = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
        let words = [
            "1",
            "2",
            "2%",
            "1s",
            "1m",
            "1GiB",
            "4k",
            "p99<5ms",
            "p99>5ms",
            ":9187",
            "1d",
            "x",
            "iops=1",
            "a=b",
            "/x",
            "randread",
            "read",
            "2x",
            "nats://x:1",
            "iops",
        ];
        let mut words = possible.into_iter().chain(words.map(str::to_owned));
        let origin = Origin::Variable(String::new());
        let option = arg.get_long().unwrap().to_owned();
        let mut setting =
            OptionDefault { command: path.to_vec(), option, values: Vec::new(), origin };
        let is_valid = |value: &String| {
            setting.values = vec![value.clone()];
            check_value(path, arg, &setting).is_ok()
        };
        words.find(is_valid).unwrap_or_else(|| panic!("no value for {path:?} --{}", arg.get_id()))
    }

    #[test]
    fn a_default_changes_the_meaning_of_no_other_option() {
        let mut count = 0;
        for (path, command) in all_commands() {
            for arg in command.get_arguments().filter(|arg| is_configurable(arg)) {
                let values = vec![valid_value(&path, arg)];
                let mut root = set_defaults(vec![(path.clone(), arg.get_id().clone(), values)]);
                root.build();
                // Each long option alone, by its own definition, which an error names.
                for other in find_command(&root, &path).get_arguments() {
                    let Some(long) = other.get_long().filter(|long| *long != "help") else {
                        continue;
                    };
                    let takes = other.get_action().takes_values();
                    let optional = other.get_num_args().is_some_and(|num| num.min_values() == 0);
                    // A missing value and a needless one are refused with the option's own name.
                    let word = match takes {
                        _ if optional => continue,
                        true => format!("--{long}"),
                        false => format!("--{long}=x"),
                    };
                    let words = ["truedisk".to_owned()].into_iter().chain(path.iter().cloned());
                    let words = words.chain([word]);
                    let error = root.clone().try_get_matches_from(words).unwrap_err();
                    let text = error.to_string();
                    let own = format!("'--{long}");
                    let first = text.lines().next().unwrap_or_default();
                    assert!(first.contains(&own), "{path:?} {}: {own}: {text}", arg.get_id());
                    count += 1;
                }
            }
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn options_keep_their_meaning_beside_a_default() {
        let bound = settings("[check]\nbound = 'p99<5ms'\n", "", &[]);
        let Some(Command::Check(args)) =
            parse("truedisk check --size 32m --html x.html d", &bound).unwrap().command
        else {
            panic!("no check")
        };
        assert_eq!(args.common.extent.size.map(|size| size.0), Some(32 << 20));
        assert_eq!(args.common.result.html.as_deref(), Some(Path::new("x.html")));
        assert_eq!(args.common.tables.markdown, None);
        assert_eq!(args.common.path(), Path::new("d"));
        assert_eq!(args.bound[0].to_string(), "p99<5ms");
        // A command's own default of what all commands have.
        let lang = settings("lang = 'id'\n[check]\nlang = 'vi'\n", "", &[]);
        let of = |words: &str| parse(words, &lang).unwrap().lang;
        assert_eq!(of("truedisk check").as_deref(), Some("vi"));
        assert_eq!(of("truedisk --lang en check").as_deref(), Some("en"));
        assert_eq!(of("truedisk history list").as_deref(), Some("id"));
    }

    #[test]
    fn a_wrong_line_is_refused_with_defaults_as_it_is_without() {
        let quiet = settings("quiet = true\n", "", &[]);
        let refused = |words: &str| {
            let failure = parse(words, &quiet).unwrap_err();
            assert!(!failure.message.contains('\n'), "{}", failure.message);
            (failure.message, failure.hint.unwrap())
        };
        let (message, hint) = refused("truedisk check --size x");
        assert!(message.contains("'x' for '--size <SIZE>'"), "{message}");
        assert!(hint.contains("truedisk check --help has the arguments"), "{hint}");
        let (message, hint) = refused("truedisk check --json disk.img");
        assert!(message.contains("may be") && hint.contains("--json="), "{message}; {hint}");
    }

    #[test]
    fn files_that_are_written_are_named_on_the_command_line_and_the_page_says_so() {
        for (path, command) in all_commands() {
            for arg in command.get_arguments().filter(|arg| is_configurable(arg)) {
                let names = arg.get_value_names().unwrap_or_default();
                let is_output = arg.get_help_heading() == Some("Output");
                let is_file =
                    names.iter().any(|name| name.contains("FILE") || name.contains("FOLDER"));
                assert!(!(is_output && is_file), "{path:?} {}", arg.get_id());
            }
        }
        let page = include_str!("../../../docs/config.md");
        let after = page.split_once("Options of a single run").unwrap().1;
        let sentence = after.split_once(".\n").unwrap().0;
        let mut named: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
        let mut known = Vec::from_iter(COMMAND_LINE_ONLY);
        known.retain(|name| !["help", "version"].contains(name));
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known);
    }
}
