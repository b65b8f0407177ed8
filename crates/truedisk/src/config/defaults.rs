//! Settings as defaults of the definition of the arguments.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, CommandFactory as _, Id};

use super::setting::{OptionDefault, is_configurable};
use super::sources::{config_files, load_settings};
use crate::args::{self, Arguments};
use crate::exit::Failure;

/// The arguments with the defaults that are set elsewhere.
pub(crate) fn apply_settings(
    words: &[OsString],
    arguments: Arguments,
) -> Result<Arguments, Failure> {
    let settings = load_settings(&config_files(), |name| std::env::var_os(name))?;
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

pub(super) fn reparse_words(
    words: &[OsString],
    settings: &[OptionDefault],
) -> Result<Arguments, Failure> {
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
pub(super) fn set_defaults(defaults: Vec<ArgDefault>) -> clap::Command {
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
        // The command line wins over a default that contradicts it.
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

/// The settings are in the order in which their sources are asked; of one source the setting of
/// the command comes before that of all commands.
pub(super) fn find_setting<'a>(
    arg: &Arg,
    path: &[String],
    settings: &'a [OptionDefault],
) -> Option<&'a OptionDefault> {
    let option = arg.get_long().filter(|_| is_configurable(path, arg))?;
    settings.iter().find(|set| set.option == option && path.starts_with(&set.command))
}

/// Parses the value as if it were given: the same rules, and the same words.
pub(super) fn check_value(
    path: &[String],
    arg: &Arg,
    setting: &OptionDefault,
) -> Result<(), Failure> {
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
