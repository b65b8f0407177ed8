//! Job files: `[section]`, `option=value`, `; comment`, `include file`.

use super::environment::ReadEnvironment;
use super::error::{ReadError, find_control_character, printable_text};
use super::limits;
use super::options::{allows_bare_name, missing_value_error, unknown_option_error};
use super::place::Place;
use super::sections::{RawOption, Scope, SectionCollector};
use crate::options::lookup::find_option;
use std::sync::Arc;

/// Reads a job file into `gather`. `name` is what messages call it; `path` is `None` for the
/// standard input.
pub(crate) fn read_job_file(
    gather: &mut SectionCollector,
    bytes: &[u8],
    name: &str,
    path: Option<&str>,
    context: &ReadContext<'_>,
) -> Result<(), ReadError> {
    let mut reader = JobFileReader { gather, context, lines: 0, open: Vec::new() };
    reader.open.push(path.unwrap_or_default().to_owned());
    reader.read_file(bytes, &Arc::from(name), path)
}

/// What reading a job file needs besides its text.
pub(crate) struct ReadContext<'a> {
    pub environment: &'a ReadEnvironment<'a>,
    pub selected: &'a [String],
}

struct JobFileReader<'a> {
    gather: &'a mut SectionCollector,
    context: &'a ReadContext<'a>,
    lines: usize,
    /// The files being read, the innermost last.
    open: Vec<String>,
}

impl JobFileReader<'_> {
    fn read_file(
        &mut self,
        bytes: &[u8],
        name: &Arc<str>,
        path: Option<&str>,
    ) -> Result<(), ReadError> {
        if bytes.len() as u64 > limits::FILE_BYTES_MAX {
            let most = limits::FILE_BYTES_MAX >> 20;
            return Err(ReadError::new(
                &Place::new(Arc::clone(name), 1, 1),
                format!("the file is larger than {most} MiB; that is no job file"),
            ));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
            let place = |column| Place::new(Arc::clone(name), index + 1, column);
            self.lines += 1;
            if self.lines > limits::LINES_MAX {
                let message =
                    format!("more than {} lines, included ones counted", limits::LINES_MAX);
                return Err(ReadError::new(&place(1), message));
            }
            let (code, column) = strip_comment(line, &place)?;
            if !code.is_empty() {
                self.read_line(code, line, place(column), path)?;
            }
        }
        Ok(())
    }

    fn read_line(
        &mut self,
        code: &str,
        line: &[u8],
        place: Place,
        path: Option<&str>,
    ) -> Result<(), ReadError> {
        if code.starts_with('[') {
            return self.read_section(code, line, place);
        }
        if self.gather.scope == Scope::Skipped {
            return Ok(());
        }
        match include_target(code) {
            Some(file) => self.include_file(file, &place, path),
            None => self.read_option(code, place),
        }
    }

    fn read_section(&mut self, code: &str, line: &[u8], place: Place) -> Result<(), ReadError> {
        if self.open.len() > 1 {
            return Err(ReadError::new(&place, "an included file may not start a section")
                .with_hint(
                    "leave its options, and start the section in the file that includes it",
                ));
        }
        let inner = code.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let Some(name) = inner.map(str::trim) else {
            let message = format!("the section '{}' does not end with ']'", printable_text(code));
            let error = ReadError::new(&place, message);
            let cut = line.iter().any(|b| b";#".contains(b)) && !code.contains(']');
            return Err(match cut {
                true => error.with_hint("';' and '#' start a comment, in names too"),
                false => error.with_hint("write [name] alone on a line"),
            });
        };
        self.gather.open_section(name, place, self.context.selected)
    }

    fn include_file(
        &mut self,
        file: &str,
        place: &Place,
        from: Option<&str>,
    ) -> Result<(), ReadError> {
        if self.gather.scope == Scope::Outside {
            return Err(ReadError::new(place, format!("include '{}' outside of a section", file))
                .with_hint("start one above it, with [global] or [job-name]"));
        }
        if file.is_empty() {
            return Err(ReadError::new(place, "include needs the name of a file"));
        }
        if self.open.len() > limits::INCLUDE_DEPTH_MAX {
            let message = format!("includes nest deeper than {}", limits::INCLUDE_DEPTH_MAX);
            return Err(ReadError::new(place, message).with_hint("does a file include itself?"));
        }
        let text = self.context.environment.files.read(file, from).map_err(|error| {
            ReadError::new(place, format!("cannot include '{}': {error}", printable_text(file)))
        })?;
        if self.open.contains(&text.path) {
            let message = format!("'{}' includes itself", printable_text(&text.path));
            return Err(ReadError::new(place, message).with_hint("remove this include"));
        }
        self.open.push(text.path.clone());
        self.read_file(&text.bytes, &Arc::from(text.path.as_str()), Some(&text.path))?;
        self.open.pop();
        Ok(())
    }

    fn read_option(&mut self, code: &str, place: Place) -> Result<(), ReadError> {
        let expanded;
        let mut unset = Vec::new();
        let code = if code.contains("${") {
            expanded = expand_variables(code, self.context.environment.env, &mut unset)
                .ok_or_else(|| {
                    let most = limits::LINE_BYTES_MAX >> 10;
                    ReadError::new(&place, format!("longer than {most} KiB with its variables"))
                })?;
            expanded.trim()
        } else {
            code
        };
        let (name, value) = match code.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (code, None),
        };
        if self.gather.scope == Scope::Outside {
            let message = format!("option '{}' outside of a section", printable_text(name));
            return Err(ReadError::new(&place, message)
                .with_hint("start one above it, with [global] or [job-name]"));
        }
        let Some(spec) = find_option(name) else {
            let unset = unset.first().map(|name| unset_variable_hint(name));
            return Err(unknown_option_error(name, value, &place).or_hint(unset));
        };
        if value.map_or_else(|| !allows_bare_name(spec), str::is_empty) {
            let unset = unset.first().map(|name| unset_variable_hint(name));
            return Err(missing_value_error(name, spec, &place).or_hint(unset));
        }
        let value = value.map(str::to_owned);
        let keywords = &self.context.environment.keywords;
        self.gather.add_option(RawOption::new(spec, value, place, keywords)?)
    }
}

fn unset_variable_hint(name: &str) -> String {
    format!("the environment variable '{}' is empty or not set", printable_text(name))
}

/// What a line says: without comment and blanks around it, and the column where that starts.
/// Comments may hold any bytes.
fn strip_comment<'a>(
    line: &'a [u8],
    place: &dyn Fn(usize) -> Place,
) -> Result<(&'a str, usize), ReadError> {
    let end = line.iter().position(|b| b";#".contains(b)).unwrap_or(line.len());
    let code = line.get(..end).unwrap_or_default();
    let text = match std::str::from_utf8(code) {
        Ok(text) => text,
        Err(error) => {
            let valid = code.get(..error.valid_up_to()).unwrap_or_default();
            // Control characters before it tell more: that is no text at all.
            check_control_characters(std::str::from_utf8(valid).unwrap_or_default(), place)?;
            let column = String::from_utf8_lossy(valid).chars().count() + 1;
            return Err(ReadError::new(&place(column), "bytes that are not UTF-8 text")
                .with_hint("job files are text; is this the right file?"));
        }
    };
    check_control_characters(text, place)?;
    if line.len() > limits::LINE_BYTES_MAX {
        let most = limits::LINE_BYTES_MAX >> 10;
        return Err(ReadError::new(&place(1), format!("a line longer than {most} KiB")));
    }
    let start = text.trim_start();
    Ok((start.trim_end(), text.chars().count() - start.chars().count() + 1))
}

fn check_control_characters(text: &str, place: &dyn Fn(usize) -> Place) -> Result<(), ReadError> {
    find_control_character(text).map_or(Ok(()), |(index, message)| {
        Err(ReadError::new(&place(index + 1), message)
            .with_hint("job files are text; is this the right file?"))
    })
}

/// The file of an `include file` line. fio takes any line that starts with "include" for one;
/// we do not, as an option may start so.
fn include_target(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("include")?;
    match rest.chars().next() {
        None => Some(""),
        Some(c) if c == '=' || c.is_whitespace() => Some(rest.get(1..)?.trim()),
        Some(_) => None,
    }
}

/// Puts the environment in for `${NAME}`, once: values are not looked at again. Names that are
/// not set give nothing and are noted. `None` when the result is too long.
pub(crate) fn expand_variables(
    text: &str,
    env: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, after)) = from.split_once('}') else {
            // No end: the rest is meant as it is.
            out.push_str("${");
            rest = from;
            break;
        };
        match env(name).filter(|value| !value.is_empty()) {
            Some(value) => out.push_str(&value),
            None => unset.push(name.to_owned()),
        }
        if out.len() > limits::LINE_BYTES_MAX {
            return None;
        }
        rest = after;
    }
    out.push_str(rest);
    (out.len() <= limits::LINE_BYTES_MAX).then_some(out)
}
