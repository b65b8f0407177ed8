//! `--showcmd`: job files as command lines.

use super::Reading;
use super::sections::{RawOption, Section, SourceGroup};

/// A command line for each job file, one a line, as fio prints it: every word is followed by a
/// blank. Values the shell would take apart are quoted. Command lines without a job file give
/// nothing.
pub fn show_command(reading: &Reading) -> String {
    let files = reading.groups.iter().filter(|group| group.file.is_some());
    files.map(|group| format!("fio {}\n", words(group))).collect()
}

fn words(group: &SourceGroup) -> String {
    let mut out = String::new();
    let mut globals = 0;
    for (index, section) in group.sections.iter().enumerate() {
        let new = section.globals().get(globals..).unwrap_or_default();
        if !new.is_empty() && index > 0 {
            out.push_str("--name=global ");
        }
        options(&mut out, new);
        globals = section.globals().len();
        job(&mut out, section);
    }
    out
}

fn job(out: &mut String, section: &Section) {
    out.push_str(&format!("--name={} ", quoted(section.title())));
    options(out, &section.own);
}

fn options(out: &mut String, options: &[RawOption]) {
    // A job is named once: a second --name would start another one.
    for option in options.iter().filter(|option| option.name != "name") {
        match option.value.as_deref() {
            None => out.push_str(&format!("--{} ", option.name)),
            Some(value) if option.name == "description" => {
                out.push_str(&format!("--description={} ", in_double_quotes(value)));
            }
            Some(value) => out.push_str(&format!("--{}={} ", option.name, quoted(value))),
        }
    }
}

/// fio prints descriptions in double quotes, always.
fn in_double_quotes(text: &str) -> String {
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

fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:,=%+@^".contains(c);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
