//! The value of an option while it is read.

use super::ValueProblem;
use super::number::{self, KbBase};
use super::time::{self, Unit};
use std::io;

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
        kb_base: u32,
        read_file: &'a dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Self {
        let base = if kb_base == 1000 { KbBase::Thousand } else { KbBase::Binary };
        Self { text: text.map(str::trim), base, read_file, note: None }
    }

    pub(super) fn base(&self) -> KbBase {
        self.base
    }

    pub(super) fn into_note(self) -> Option<String> {
        self.note
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.note.get_or_insert(text.into());
    }

    pub(super) fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        (self.read_file)(path)
    }

    /// The text, `None` when bare or empty.
    pub(super) fn optional(&self) -> Option<&'a str> {
        self.text.filter(|text| !text.is_empty())
    }

    /// The text; it has to be there.
    pub(super) fn text(&self, expected: &str) -> Result<&'a str, ValueProblem> {
        self.optional().ok_or_else(|| ValueProblem::new("it is empty", expected))
    }

    /// Any text, kept as it is.
    pub(super) fn any(&self) -> Result<String, ValueProblem> {
        self.text("a text").map(str::to_owned)
    }

    /// 0, 1, true, false; bare is 1.
    pub(super) fn flag(&self) -> Result<bool, ValueProblem> {
        match self.optional() {
            None => Ok(true),
            Some(text) => parse_flag(text),
        }
    }

    /// As [`Input::flag`], and any other number is 1 (`time_based=10`).
    pub(super) fn switch(&mut self) -> Result<bool, ValueProblem> {
        match self.optional() {
            None => Ok(true),
            Some(text) => parse_flag(text).or_else(|problem| match text.parse::<i64>() {
                Ok(number) => {
                    self.note(format!("it is a switch; {number} means 1"));
                    Ok(true)
                }
                Err(_) => Err(problem),
            }),
        }
    }

    /// A whole number, with k, m, g as every number has, from `min` to `max`.
    pub(super) fn whole(&mut self, min: u64, max: u64) -> Result<u64, ValueProblem> {
        let expected = describe_range(min, max);
        let text = self.text(&expected)?;
        let number = self.number(text, &expected)?;
        u64::try_from(number)
            .ok()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| ValueProblem::new("it is out of range", expected))
    }

    /// As [`Input::whole`], in 32 bits.
    pub(super) fn whole32(&mut self, min: u32) -> Result<u32, ValueProblem> {
        let number = self.whole(min.into(), u32::MAX.into())?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// A whole number that may be negative, from `min` to `max`.
    pub(super) fn signed(&mut self, min: i64, max: i64) -> Result<i64, ValueProblem> {
        let expected = format!("a whole number from {min} to {max}");
        let text = self.text(&expected)?;
        let number = self.number(text, &expected)?;
        i64::try_from(number)
            .ok()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| ValueProblem::new("it is out of range", expected))
    }

    /// A whole percentage; `%` may follow.
    pub(super) fn percent(&mut self) -> Result<u8, ValueProblem> {
        let expected = "a percentage from 0 to 100";
        parse_percent(self.text(expected)?)
    }

    /// A size in bytes from `min` on.
    pub(super) fn size(&mut self, min: u64) -> Result<u64, ValueProblem> {
        let text = self.text(number::SIZE)?;
        self.size_of(text, min)
    }

    /// A size in a longer text.
    pub(super) fn size_of(&mut self, text: &str, min: u64) -> Result<u64, ValueProblem> {
        let number = self.number(text, number::SIZE)?;
        let size = u64::try_from(number)
            .map_err(|_| ValueProblem::new(format!("{text} is out of range"), number::SIZE))?;
        if size < min {
            let expected = format!("a size of at least {min} bytes");
            return Err(ValueProblem::new(format!("{text} is too small"), expected));
        }
        Ok(size)
    }

    /// A number in a longer text; notes products.
    pub(super) fn number(&mut self, text: &str, expected: &str) -> Result<i128, ValueProblem> {
        let number = number::parse_number(text, self.base)
            .map_err(|what| ValueProblem::new(what, expected.to_owned()))?;
        if text.contains('*') {
            self.note(format!("read as the product, {number}; fio drops what follows the *"));
        }
        Ok(number)
    }

    /// A time in nanoseconds; `bare` is the unit of a number alone.
    pub(super) fn time_ns(&self, bare: Unit) -> Result<u64, ValueProblem> {
        time::parse_time(self.text(&time::expected_time(bare))?, bare)
    }

    /// A time in whole microseconds.
    pub(super) fn time_us(&mut self, bare: Unit) -> Result<u64, ValueProblem> {
        let ns = self.time_ns(bare)?;
        if ns % 1000 != 0 {
            let us = ns.div_ceil(1000);
            self.note(format!("rounded up to {us} us"));
        }
        Ok(ns.div_ceil(1000))
    }

    /// A whole number of milliseconds, or a time with a unit. As in fio, `k` and `m` are 1024 and
    /// 1024^2 here, not minutes.
    pub(super) fn time_ms(&mut self) -> Result<u64, ValueProblem> {
        let expected = "a whole number of milliseconds, or a time such as 500ms or 2s";
        let text = self.text(expected)?;
        if let Ok(number) = number::parse_number(text, self.base) {
            return u64::try_from(number)
                .map_err(|_| ValueProblem::new("it is out of range", expected));
        }
        let ns = time::parse_time(text, Unit::Milliseconds)
            .map_err(|problem| ValueProblem::new(problem.what, expected))?;
        if ns % 1_000_000 != 0 {
            return Err(ValueProblem::new("it is not a whole number of milliseconds", expected));
        }
        Ok(ns / 1_000_000)
    }

    /// One of the words; the table gives what each means.
    pub(super) fn choice<T: Clone>(&self, choices: &[(&str, T)]) -> Result<T, ValueProblem> {
        let text = self.text(&list_words(choices))?;
        pick_choice(text, choices)
    }
}

/// 0, 1, true, false.
fn parse_flag(text: &str) -> Result<bool, ValueProblem> {
    match text {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(ValueProblem::new("it is not a switch", "0 or 1")),
    }
}

/// A whole percentage; `%` may follow.
pub(super) fn parse_percent(text: &str) -> Result<u8, ValueProblem> {
    let digits = text.trim().trim_end_matches('%');
    digits.parse().ok().filter(|percent| *percent <= 100).ok_or_else(|| {
        ValueProblem::new(format!("{text} is not a percentage"), "a whole number from 0 to 100")
    })
}

/// The meaning of a word.
pub(super) fn pick_choice<T: Clone>(word: &str, choices: &[(&str, T)]) -> Result<T, ValueProblem> {
    match choices.iter().find(|(name, _)| *name == word) {
        Some((_, value)) => Ok(value.clone()),
        None => {
            Err(ValueProblem::new(format!("{word} is not one of the choices"), list_words(choices)))
        }
    }
}

fn list_words<T>(choices: &[(&str, T)]) -> String {
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
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
