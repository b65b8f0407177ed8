//! Settings as they stand in files and in the environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, CommandFactory as _};
use toml::de::{DeTable, DeValue};

use super::setting::{COMMAND_LINE_ONLY, OptionDefault, Origin, is_configurable};
use crate::args::Arguments;
use crate::exit::Failure;

const SYSTEM_FILE: &str = "/etc/truedisk/config.toml";
const VARIABLE_START: &str = "TRUEDISK";
/// The history's place, and the server of a fleet.
const OTHER_VARIABLES: [&str; 2] = ["TRUEDISK_HISTORY", "TRUEDISK_FLEET"];

/// The folder of the user's own files: `$XDG_CONFIG_HOME/truedisk`, else `~/.config/truedisk`.
pub(crate) fn user_folder() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    base.map(|base| base.join("truedisk"))
}

/// From the first that is asked to the last.
pub(super) fn config_files() -> Vec<PathBuf> {
    let user = user_folder().map(|folder| folder.join("config.toml"));
    user.into_iter().chain([PathBuf::from(SYSTEM_FILE)]).collect()
}

pub(super) fn load_settings(
    files: &[PathBuf],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OptionDefault>, Failure> {
    let mut settings = read_variables(&variable)?;
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
fn read_variables(
    variable: &impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OptionDefault>, Failure> {
    let mut settings: Vec<OptionDefault> = Vec::new();
    for (name, command, option) in option_variables() {
        let Some(value) = variable(&name).filter(|value| !value.is_empty()) else { continue };
        let (values, origin) = (Vec::new(), Origin::Variable(name));
        let mut setting = OptionDefault { command, option, values, origin };
        setting.values.push(value.into_string().map_err(|_| setting.wrong("it is not UTF-8"))?);
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.command.len()));
    Ok(settings)
}

/// Each variable that may set an option, with the command and the option.
fn option_variables() -> Vec<(String, Vec<String>, String)> {
    let mut all = Vec::new();
    for (command, option) in configurable_options() {
        for length in (0..=command.len()).rev() {
            let command = command[..length].to_vec();
            let parts = command.iter().chain([&option]).map(|part| part.replace('-', "_"));
            let name: Vec<String> = [VARIABLE_START.to_owned()].into_iter().chain(parts).collect();
            all.push((name.join("_").to_ascii_uppercase(), command, option.clone()));
        }
    }
    all
}

/// Variables that begin with `TRUEDISK_` but set no option.
pub(super) fn unknown_variables(names: impl Iterator<Item = OsString>) -> Vec<String> {
    let options = option_variables();
    let is_known = |name: &str| {
        OTHER_VARIABLES.contains(&name) || options.iter().any(|(known, _, _)| known == name)
    };
    let names = names.filter_map(|name| name.into_string().ok());
    let ours = names
        .filter(|name| name.strip_prefix(VARIABLE_START).is_some_and(|rest| rest.starts_with('_')));
    let mut unknown: Vec<String> = ours.filter(|name| !is_known(name)).collect();
    unknown.sort_unstable();
    unknown
}

/// Every option that may be set, with the command that has it.
pub(super) fn configurable_options() -> Vec<(Vec<String>, String)> {
    fn collect(command: &clap::Command, path: &[String], all: &mut Vec<(Vec<String>, String)>) {
        let options = command.get_arguments().filter(|arg| is_configurable(path, arg));
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
    if COMMAND_LINE_ONLY.contains(&option.as_str())
        || COMMAND_LINE_ONLY.contains(&setting.name().as_str())
    {
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
