//! `--showcmd`: job files as command lines.

use super::command::ParsedCommand;
use super::sections::{RawOption, SourceGroup};

/// A command line for each job file, one a line, as fio prints it: every word is followed by a
/// blank. Values the shell would take apart are quoted. Command lines without a job file give
/// nothing.
pub fn show_command(reading: &ParsedCommand) -> String {
    let files = reading.groups.iter().filter(|group| group.file.is_some());
    files.map(|group| format!("fio {}\n", group_words(group))).collect()
}

fn group_words(group: &SourceGroup) -> String {
    let mut out = String::new();
    let mut globals = 0;
    for (index, section) in group.sections.iter().enumerate() {
        let new = section.globals().get(globals..).unwrap_or_default();
        if !new.is_empty() && index > 0 {
            out.push_str("--name=global ");
        }
        write_options(&mut out, new);
        globals = section.globals().len();
        out.push_str(&format!("--name={} ", shell_quote(section.title())));
        write_options(&mut out, &section.own);
    }
    out
}

fn write_options(out: &mut String, options: &[RawOption]) {
    // A job is named once: a second --name would start another one.
    for option in options.iter().filter(|option| option.name != "name") {
        match option.value.as_deref() {
            None => out.push_str(&format!("--{} ", option.name)),
            Some(value) if option.name == "description" => {
                out.push_str(&format!("--description={} ", double_quote(value)));
            }
            Some(value) => out.push_str(&format!("--{}={} ", option.name, shell_quote(value))),
        }
    }
}

/// fio prints descriptions in double quotes, always.
fn double_quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

fn shell_quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:,=%+@^".contains(c);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
