//! The command line, in the manner of `getopt_long_only`: one dash or two, `=` or the next word,
//! unambiguous beginnings of names, job files anywhere.

use super::command::{JobSource, RawSwitch};
use super::environment::ReadEnvironment;
use super::error::{ReadError, printable_text};
use super::options::{
    ValueSource, is_boolean, missing_value_error, unknown_option_error, value_source,
};
use super::place::Place;
use super::sections::{RawOption, Scope, SectionCollector};
use crate::options::lookup::{find_option, options_with_prefix};
use crate::options::spec::{OptionSpec, ValueKind};
use crate::options::switches::{Argument, SWITCHES, Switch, find_switch, switches_with_prefix};
use std::ffi::OsString;

/// What the command line says.
pub(crate) struct CommandLine {
    pub switches: Vec<RawSwitch>,
    pub files: Vec<JobSource>,
    pub gather: SectionCollector,
    pub selected: Vec<String>,
}

/// Reads the words after the program's name.
pub(crate) fn read_command_line(
    args: &[OsString],
    environment: &ReadEnvironment<'_>,
) -> Result<CommandLine, ReadError> {
    let mut words = Vec::with_capacity(args.len());
    for (index, arg) in args.iter().enumerate() {
        words.push(arg.to_str().ok_or_else(|| {
            let text = arg.to_string_lossy();
            let message = format!("'{}' is not UTF-8", printable_text(&text));
            ReadError::new(&Place::word(index + 1), message)
                .with_hint("rename the file, or give it on the standard input (-)")
        })?);
    }
    let line = CommandLine {
        switches: Vec::new(),
        files: Vec::new(),
        gather: SectionCollector::new(Vec::new(), Scope::Global),
        selected: Vec::new(),
    };
    let mut reader = CommandLineReader { words: &words, next: 0, environment, line };
    while let Some(word) = reader.next_word() {
        let place = reader.place();
        match word {
            "--" => {
                while let Some(word) = reader.next_word() {
                    let place = reader.place();
                    reader.add_file(word, place);
                }
            }
            "-" => reader.add_file(word, place),
            _ => match (word.strip_prefix("--"), word.strip_prefix('-')) {
                (Some(rest), _) => reader.read_long(rest, "--", place)?,
                (None, Some(rest)) => reader.read_single_dash(rest, place)?,
                (None, None) => reader.add_file(word, place),
            },
        }
    }
    Ok(reader.line)
}

/// What a name stands for.
enum NameMatch {
    Option(&'static OptionSpec),
    Switch(&'static Switch),
    Many(Vec<String>),
    None,
}

struct CommandLineReader<'a> {
    words: &'a [&'a str],
    next: usize,
    environment: &'a ReadEnvironment<'a>,
    line: CommandLine,
}

impl<'a> CommandLineReader<'a> {
    fn next_word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.next).copied()?;
        self.next += 1;
        Some(word)
    }

    /// The word taken last.
    fn place(&self) -> Place {
        Place::word(self.next)
    }

    fn add_file(&mut self, name: &str, place: Place) {
        self.line.files.push(JobSource { name: name.to_owned(), place });
    }

    fn match_name(&self, name: &str) -> NameMatch {
        if let Some(switch) = find_switch(name) {
            return NameMatch::Switch(switch);
        }
        if let Some(spec) = find_option(name) {
            return NameMatch::Option(spec);
        }
        if name.is_empty() {
            return NameMatch::None;
        }
        let switches = switches_with_prefix(name);
        let specs = options_with_prefix(name);
        match (switches.as_slice(), specs.as_slice()) {
            ([], []) => NameMatch::None,
            ([switch], []) => NameMatch::Switch(switch),
            ([], [spec]) => NameMatch::Option(spec),
            _ => {
                let switches = switches.iter().map(|switch| switch.name);
                let names = specs.iter().map(|spec| {
                    let mut names = std::iter::once(&spec.name).chain(spec.aliases);
                    names.find(|known| known.starts_with(name)).copied().unwrap_or(spec.name)
                });
                NameMatch::Many(switches.chain(names).map(str::to_owned).collect())
            }
        }
    }

    /// `-v`, `-name=x`, `-mP`: one letter is a switch if there is one; more are a long name if
    /// there is one, else letters.
    fn read_single_dash(&mut self, rest: &'a str, place: Place) -> Result<(), ReadError> {
        let is_letter = rest.chars().next().is_some_and(is_switch_letter);
        let name = rest.split_once('=').map_or(rest, |(name, _)| name);
        let single = rest.chars().nth(1).is_none();
        if is_letter && (single || matches!(self.match_name(name), NameMatch::None)) {
            return self.read_letters(rest, &place);
        }
        self.read_long(rest, "-", place)
    }

    fn read_letters(&mut self, rest: &'a str, place: &Place) -> Result<(), ReadError> {
        for (at, c) in rest.char_indices() {
            let known = find_switch(c.encode_utf8(&mut [0; 4]));
            let Some(switch) = known else {
                return Err(unknown_option_error(&format!("-{rest}"), None, place));
            };
            let after = rest.get(at + c.len_utf8()..).filter(|after| !after.is_empty());
            let value = match switch.argument {
                Argument::None => None,
                Argument::Optional(_) => after,
                Argument::Required(_) => match after.or_else(|| self.next_word()) {
                    Some(value) => Some(value),
                    None => return Err(missing_switch_value_error(&format!("-{c}"), place)),
                },
            };
            self.add_switch(switch, value, place.clone())?;
            if switch.argument != Argument::None {
                break;
            }
        }
        Ok(())
    }

    fn read_long(&mut self, rest: &'a str, dashes: &str, place: Place) -> Result<(), ReadError> {
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (rest, None),
        };
        let written = format!("{dashes}{name}");
        match self.match_name(name) {
            NameMatch::Switch(switch) => {
                let value = match (switch.argument, value) {
                    (Argument::None, Some(_)) => {
                        let message = format!("'{dashes}{}' takes no value", switch.name);
                        return Err(ReadError::new(&place, message)
                            .with_hint(format!("write {dashes}{}", switch.name)));
                    }
                    (Argument::Required(_), None) => match self.next_word() {
                        Some(value) => Some(value),
                        None => return Err(missing_switch_value_error(&written, &place)),
                    },
                    (_, value) => value,
                };
                self.add_switch(switch, value, place)
            }
            NameMatch::Option(spec) => {
                let value = value.or_else(|| self.take_following_value(spec));
                self.add_option(spec, &written, value, place)
            }
            NameMatch::Many(names) => Err(ambiguous_name_error(&written, &names, &place)),
            NameMatch::None => Err(self.unknown_name_error(name, &written, &place)),
        }
    }

    /// The value of an option when it is not in the same word.
    fn take_following_value(&mut self, spec: &OptionSpec) -> Option<&'a str> {
        let next = self.words.get(self.next).copied()?;
        let take = match value_source(spec) {
            ValueSource::NextWord => spec.kind != ValueKind::Deprecated || !next.starts_with('-'),
            ValueSource::NextBoolean => is_boolean(next),
            ValueSource::SameWord => false,
        };
        if take { self.next_word() } else { None }
    }

    fn unknown_name_error(&self, name: &str, written: &str, place: &Place) -> ReadError {
        // `--output_format` for `--output-format`, and `--group-reporting`.
        let dashes = name.replace('_', "-");
        if find_switch(&dashes).is_some() {
            return ReadError::new(place, format!("unknown option '{}'", printable_text(written)))
                .with_hint(format!("did you mean --{dashes}?"));
        }
        let mut error = unknown_option_error(name, None, place);
        error.message = format!("unknown option '{}'", printable_text(written));
        error
    }

    fn add_switch(
        &mut self,
        switch: &'static Switch,
        value: Option<&str>,
        place: Place,
    ) -> Result<(), ReadError> {
        if let ("section", Some(value)) = (switch.name, value) {
            if value.starts_with("global") {
                return Err(ReadError::new(&place, "--section=global: no job is called so")
                    .with_hint("defaults always apply; name a job"));
            }
            self.line.selected.push(value.to_owned());
        }
        let value = value.map(str::to_owned);
        self.line.switches.push(RawSwitch { name: switch.name, value, place });
        Ok(())
    }

    fn add_option(
        &mut self,
        spec: &'static OptionSpec,
        written: &str,
        value: Option<&str>,
        place: Place,
    ) -> Result<(), ReadError> {
        let value = value.map(str::trim);
        let needed = !matches!(spec.kind, ValueKind::Flag | ValueKind::Deprecated);
        if value.map_or(needed, str::is_empty) {
            return Err(missing_value_error(written, spec, &place));
        }
        let value = value.map(str::to_owned);
        let option = RawOption::new(spec, value, place.clone(), &self.environment.keywords)?;
        if let ("name", Some(name)) = (spec.name, option.value.as_deref()) {
            self.line.gather.open_section(name, place, &self.line.selected)?;
        }
        self.line.gather.add_option(option)
    }
}

/// Whether fio has a switch of this letter. `-l` was one once (`--latency-log`), so it does not
/// begin a longer name.
fn is_switch_letter(c: char) -> bool {
    c == 'l' || SWITCHES.iter().any(|switch| switch.short == Some(c))
}

fn missing_switch_value_error(written: &str, place: &Place) -> ReadError {
    let written = printable_text(written);
    ReadError::new(place, format!("'{written}' needs a value"))
        .with_hint("--help says which values there are")
}

fn ambiguous_name_error(written: &str, names: &[String], place: &Place) -> ReadError {
    const NAMES_MAX: usize = 12;
    let mut list = names.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMES_MAX {
        list.push_str(&format!(" and {} more", names.len() - NAMES_MAX));
    }
    ReadError::new(place, format!("'{}' is ambiguous", printable_text(written)))
        .with_hint(format!("write one of {list}"))
}
