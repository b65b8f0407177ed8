//! The value of an option while it is read.

use std::io;
use std::ops::RangeInclusive;

use super::parse::{
    KbBase, SIZE, TimeUnit, ValueProblem, ValueResult, describe_time, parse_number, parse_percent,
    parse_time, split_names,
};

/// The value of an option, and what is needed to read it.
pub(super) struct ValueReader<'a> {
    text: Option<&'a str>,
    base: KbBase,
    read_file: &'a dyn Fn(&str) -> io::Result<Vec<u8>>,
    note: Option<String>,
}

impl<'a> ValueReader<'a> {
    pub(super) fn new(
        text: Option<&'a str>,
        base: KbBase,
        read_file: &'a dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Self {
        Self { text: text.map(str::trim), base, read_file, note: None }
    }

    pub(super) fn into_note(self) -> Option<String> {
        self.note
    }

    /// Notes something worth knowing about the value; the first note stays.
    pub(super) fn add_note(&mut self, text: impl Into<String>) {
        self.note.get_or_insert(text.into());
    }

    pub(super) fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        (self.read_file)(path)
    }

    /// The text, `None` when bare or empty.
    pub(super) fn optional_text(&self) -> Option<&'a str> {
        self.text.filter(|text| !text.is_empty())
    }

    /// The text; empty is an error.
    pub(super) fn require_text(&self, expected: &str) -> ValueResult<&'a str> {
        self.optional_text().ok_or_else(|| ValueProblem::new("it is empty", expected))
    }

    /// At least one name; several are separated by colons.
    pub(super) fn read_names(&self, expected: &str) -> ValueResult<Vec<String>> {
        let names = split_names(self.require_text(expected)?);
        match names.is_empty() {
            true => Err(ValueProblem::new("it has no name", expected)),
            false => Ok(names),
        }
    }

    /// 0, 1, true, false; bare is 1.
    pub(super) fn read_flag(&self) -> ValueResult<bool> {
        match self.optional_text() {
            None | Some("1" | "true") => Ok(true),
            Some("0" | "false") => Ok(false),
            _ => Err(ValueProblem::new("it is not a switch", "0 or 1")),
        }
    }

    /// As [`ValueReader::read_flag`], and any other number is 1 (`time_based=10`).
    pub(super) fn read_switch(&mut self) -> ValueResult<bool> {
        self.read_flag().or_else(|problem| {
            let number = self.text.and_then(|text| text.parse::<i64>().ok()).ok_or(problem)?;
            self.add_note(format!("it is a switch; {number} means 1"));
            Ok(true)
        })
    }

    /// A whole number, with k, m, g as every number has, from `min` to `max`.
    pub(super) fn read_whole(&mut self, min: u64, max: u64) -> ValueResult<u64> {
        let expected = describe_range(min, max);
        let number = self.parse_number(self.require_text(&expected)?, &expected)?;
        in_range(number, min..=max, &expected)
    }

    /// As [`ValueReader::read_whole`], in 32 bits.
    pub(super) fn read_u32(&mut self, min: u32) -> ValueResult<u32> {
        let number = self.read_whole(min.into(), u32::MAX.into())?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// A whole number that may be negative, from `min` to `max`.
    pub(super) fn read_signed(&mut self, min: i64, max: i64) -> ValueResult<i64> {
        let expected = format!("a whole number from {min} to {max}");
        let number = self.parse_number(self.require_text(&expected)?, &expected)?;
        in_range(number, min..=max, &expected)
    }

    /// A whole percentage; `%` may follow.
    pub(super) fn read_percent(&mut self) -> ValueResult<u8> {
        parse_percent(self.require_text("a percentage from 0 to 100")?)
    }

    /// A size in bytes from `min` on.
    pub(super) fn read_size(&mut self, min: u64) -> ValueResult<u64> {
        self.parse_size(self.require_text(SIZE)?, min)
    }

    /// A size in a longer text.
    pub(super) fn parse_size(&mut self, text: &str, min: u64) -> ValueResult<u64> {
        let number = self.parse_number(text, SIZE)?;
        let size = u64::try_from(number)
            .map_err(|_| ValueProblem::new(format!("{text} is out of range"), SIZE))?;
        if size < min {
            let expected = format!("a size of at least {min} bytes");
            return Err(ValueProblem::new(format!("{text} is too small"), expected));
        }
        Ok(size)
    }

    /// A number in a longer text; notes products.
    pub(super) fn parse_number(&mut self, text: &str, expected: &str) -> ValueResult<i128> {
        let number =
            parse_number(text, self.base).map_err(|what| ValueProblem::new(what, expected))?;
        if text.contains('*') {
            self.add_note(format!("read as the product, {number}; fio drops what follows the *"));
        }
        Ok(number)
    }

    /// A time in whole microseconds; `bare` is the unit of a number alone.
    pub(super) fn read_time_us(&mut self, bare: TimeUnit) -> ValueResult<u64> {
        let ns = parse_time(self.require_text(&describe_time(bare))?, bare)?;
        let us = ns.div_ceil(1000);
        if !ns.is_multiple_of(1000) {
            self.add_note(format!("rounded up to {us} us"));
        }
        Ok(us)
    }

    /// A whole number of milliseconds, or a time with a unit. As in fio, `k` and `m` are 1024 and
    /// 1024^2 here, not minutes.
    pub(super) fn read_time_ms(&mut self) -> ValueResult<u64> {
        let expected = "a whole number of milliseconds, or a time such as 500ms or 2s";
        let text = self.require_text(expected)?;
        if let Ok(number) = parse_number(text, self.base) {
            return in_range(number, 0..=u64::MAX, expected);
        }
        let ns = parse_time(text, TimeUnit::Milliseconds)
            .map_err(|problem| ValueProblem::new(problem.what, expected))?;
        if !ns.is_multiple_of(1_000_000) {
            return Err(ValueProblem::new("it is not a whole number of milliseconds", expected));
        }
        Ok(ns / 1_000_000)
    }

    /// One of the words; the table gives what each means.
    pub(super) fn read_choice<T: Copy>(&self, choices: &[(&str, &str, T)]) -> ValueResult<T> {
        pick_choice(self.require_text(&list_words(choices))?, choices)
    }
}

fn in_range<T: TryFrom<i128> + PartialOrd>(
    number: i128,
    range: RangeInclusive<T>,
    expected: &str,
) -> ValueResult<T> {
    let number = T::try_from(number).ok().filter(|number| range.contains(number));
    number.ok_or_else(|| ValueProblem::new("it is out of range", expected))
}

/// The meaning of a word.
pub(super) fn pick_choice<T: Copy>(word: &str, choices: &[(&str, &str, T)]) -> ValueResult<T> {
    match choices.iter().find(|(name, ..)| *name == word) {
        Some((.., value)) => Ok(*value),
        None => {
            let what = format!("{word} is not one of the choices");
            Err(ValueProblem::new(what, list_words(choices)))
        }
    }
}

fn list_words<T>(choices: &[(&str, &str, T)]) -> String {
    let words: Vec<&str> = choices.iter().map(|(word, ..)| *word).collect();
    format!("one of {}", words.join(", "))
}

fn describe_range(min: u64, max: u64) -> String {
    match (min, max) {
        (0, u64::MAX) => "a whole number such as 32, 4k or 0x20".to_owned(),
        (min, u64::MAX) => format!("a whole number from {min} on"),
        (min, max) if max == u64::from(u32::MAX) => {
            format!("a whole number from {min} on, of at most 32 bits")
        }
        (min, max) => format!("a whole number from {min} to {max}"),
    }
}
