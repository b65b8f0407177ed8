//! `ignore_error` and `continue_on_error`.

use super::super::job::{ErrorList, ErrorSet};
use super::ValueProblem;
use super::errno::ERRORS;
use super::reader::ValueReader;

const LIST: &str = "errors for READ,WRITE,VERIFY, separated by colons within, such as \
                    EAGAIN,ENOSPC:122";

const NONE: ErrorSet = ErrorSet { read: false, write: false, verify: false };
const ALL: ErrorSet = ErrorSet { read: true, write: true, verify: true };

/// `continue_on_error`.
pub(super) fn read_error_set(input: &ValueReader<'_>) -> Result<ErrorSet, ValueProblem> {
    input.choice(&[
        ("none", NONE),
        ("read", ErrorSet { read: true, ..NONE }),
        ("write", ErrorSet { write: true, ..NONE }),
        ("io", ErrorSet { verify: false, ..ALL }),
        ("verify", ErrorSet { verify: true, ..NONE }),
        ("all", ALL),
        ("0", NONE),
        ("1", ALL),
    ])
}

/// `ignore_error`.
pub(super) fn read_error_list(input: &ValueReader<'_>) -> Result<ErrorList, ValueProblem> {
    let text = input.text(LIST)?;
    let mut lists = Vec::new();
    for list in text.split(',') {
        let names = list.split(':').map(str::trim).filter(|name| !name.is_empty());
        lists.push(names.map(parse_errno).collect::<Result<Vec<i32>, ValueProblem>>()?);
    }
    if lists.len() > 3 || lists.iter().all(Vec::is_empty) {
        return Err(ValueProblem::new("it is not a list for up to three kinds of errors", LIST));
    }
    let mut lists = lists.into_iter();
    let mut next = || lists.next().unwrap_or_default();
    Ok(ErrorList { read: next(), write: next(), verify: next() })
}

fn parse_errno(name: &str) -> Result<i32, ValueProblem> {
    if let Some((_, number)) = ERRORS.iter().find(|(known, _)| *known == name) {
        return Ok(*number);
    }
    name.parse()
        .ok()
        .filter(|number| (1..4096).contains(number))
        .ok_or_else(|| ValueProblem::new(format!("{name} is not an error of the system"), LIST))
}
