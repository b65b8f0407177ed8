//! The words for a plan: `aws:gp3:100GiB,iops=6000,throughput=500`.

use std::cell::RefCell;
use std::collections::BTreeSet;

use units::Bytes;

use crate::error::ModelError;

/// Year, month, day.
pub(crate) type Date = (u16, u16, u16);

pub(crate) struct PlanSpec<'a> {
    pub(crate) whole: &'a str,
    size: Option<&'a str>,
    pairs: Vec<(&'a str, &'a str)>,
    used: RefCell<Vec<&'a str>>,
}

impl<'a> PlanSpec<'a> {
    /// Splits what follows `provider:kind`, which starts with `:` or `,` or is empty.
    pub(crate) fn new(whole: &'a str, rest: &'a str) -> Result<Self, ModelError> {
        let (mut size, mut pairs) = (None, Vec::new());
        for word in rest.split([':', ',']).map(str::trim).filter(|word| !word.is_empty()) {
            match word.split_once('=') {
                Some((key, value)) => pairs.push((key.trim(), value.trim())),
                None if size.is_none() => size = Some(word),
                None => return Err(parameter_error(whole, format!("'{word}' is a second size"))),
            }
        }
        Ok(Self { whole, size, pairs, used: RefCell::new(Vec::new()) })
    }

    pub(crate) fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, ModelError> {
        Err(parameter_error(self.whole, reason))
    }

    pub(crate) fn size(&self, least: Bytes, most: Bytes) -> Result<Bytes, ModelError> {
        self.used.borrow_mut().push("size");
        let Some(word) = self.size else {
            let example = Bytes::gib(100).clamp(least, most);
            let example = example.to_string().replace(' ', "");
            return self.refuse(format!("a size is missing; write it like :{example}"));
        };
        match word.parse::<Bytes>() {
            Err(error) => self.refuse(format!("the size '{word}': {}", error.reason)),
            Ok(size) if size < least || size > most => {
                self.refuse(format!("{size} is not for sale; sizes are {least} to {most}"))
            }
            Ok(size) => Ok(size),
        }
    }

    pub(crate) fn optional_number(
        &self,
        key: &'a str,
        unit: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, ModelError> {
        let Some(word) = self.value(key) else { return Ok(None) };
        let Ok(number) = word.parse::<f64>() else {
            return self.refuse(format!("{key} is a plain number{unit}, not '{word}'"));
        };
        if number >= least && number <= most {
            return Ok(Some(number));
        }
        let (range, number) = (format_range(least, most), format_number(number));
        self.refuse(format!("{key} {number} is not for sale here; it is {range}{unit}"))
    }

    pub(crate) fn required_number(
        &self,
        key: &'a str,
        unit: &str,
        least: f64,
        most: f64,
    ) -> Result<f64, ModelError> {
        if let Some(number) = self.optional_number(key, unit, least, most)? {
            return Ok(number);
        }
        let range = format_range(least, most);
        self.refuse(format!("{key}=NUMBER is missing; it is {range}{unit}"))
    }

    pub(crate) fn as_of_date(&self) -> Result<Option<Date>, ModelError> {
        let Some(word) = self.value("as-of") else { return Ok(None) };
        let date: Vec<u16> = word.split('-').filter_map(|part| part.parse().ok()).collect();
        match date[..] {
            [year, month @ 1..=12, day @ 1..=31] if word.matches('-').count() == 2 => {
                Ok(Some((year, month, day)))
            }
            _ => self.refuse(format!("as-of is a day such as 2017-06-30, not '{word}'")),
        }
    }

    pub(crate) fn value(&self, key: &'a str) -> Option<&'a str> {
        self.used.borrow_mut().push(key);
        self.pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    pub(crate) fn refuse_unused(&self) -> Result<(), ModelError> {
        let used = self.used.borrow();
        if let Some(size) = self.size.filter(|_| !used.contains(&"size")) {
            return self.refuse(format!("it takes no size such as '{size}'"));
        }
        let known: BTreeSet<&str> = used.iter().copied().filter(|key| *key != "size").collect();
        for (at, (key, _)) in self.pairs.iter().enumerate() {
            if !known.contains(key) {
                let known = Vec::from_iter(known).join(", ");
                let takes = if known.is_empty() { "none" } else { &known };
                return self.refuse(format!("unknown parameter '{key}'; it takes {takes}"));
            }
            if self.pairs[..at].iter().any(|(earlier, _)| earlier == key) {
                return self.refuse(format!("{key} is given twice"));
            }
        }
        Ok(())
    }
}

fn format_range(least: f64, most: f64) -> String {
    format!("{} to {}", format_number(least), format_number(most))
}

fn parameter_error(plan: &str, reason: impl Into<String>) -> ModelError {
    ModelError::Parameter { plan: plan.to_owned(), reason: reason.into() }
}

pub(crate) fn format_number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        units::group_digits(number as u64)
    } else {
        format!("{number}")
    }
}

pub(crate) fn to_gib(size: Bytes) -> f64 {
    size.0 as f64 / Bytes::GIB as f64
}
