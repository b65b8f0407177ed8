//! The words for a plan: `aws:gp3:100GiB,iops=6000,throughput=500`.

use std::cell::RefCell;
use std::collections::BTreeSet;

use units::Bytes;

use crate::error::ModelError;

/// Year, month, day.
pub(crate) type Date = (u16, u8, u8);

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

    pub(crate) fn parameter_error(&self, reason: impl Into<String>) -> ModelError {
        parameter_error(self.whole, reason.into())
    }

    pub(crate) fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, ModelError> {
        Err(self.parameter_error(reason))
    }

    pub(crate) fn size(&self, least: Bytes, most: Bytes) -> Result<Bytes, ModelError> {
        self.used.borrow_mut().push("size");
        let Some(word) = self.size else {
            let example = Bytes::gib(100).clamp(least, most);
            let example = example.to_string().replace(' ', "");
            return self.refuse(format!("a size is missing; write it like :{example}"));
        };
        let size: Bytes = word.parse().map_err(|error: units::ParseError| {
            self.parameter_error(format!("the size '{word}': {}", error.reason))
        })?;
        if size < least || size > most {
            return self.refuse(format!("{size} is not for sale; sizes are {least} to {most}"));
        }
        Ok(size)
    }

    pub(crate) fn optional_number(
        &self,
        key: &'a str,
        unit: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, ModelError> {
        let Some(word) = self.value(key) else { return Ok(None) };
        let number: f64 = word.parse().map_err(|_| {
            self.parameter_error(format!("{key} is a plain number{unit}, not '{word}'"))
        })?;
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
        match self.optional_number(key, unit, least, most)? {
            Some(number) => Ok(number),
            None => {
                let range = format_range(least, most);
                self.refuse(format!("{key}=NUMBER is missing; it is {range}{unit}"))
            }
        }
    }

    pub(crate) fn as_of_date(&self) -> Result<Option<Date>, ModelError> {
        let Some(word) = self.value("as-of") else { return Ok(None) };
        let mut parts = word.split('-');
        let date = (|| {
            let year = parts.next()?.parse().ok()?;
            let month = parts.next()?.parse().ok().filter(|m| (1..=12).contains(m))?;
            let day = parts.next()?.parse().ok().filter(|d| (1..=31).contains(d))?;
            parts.next().is_none().then_some((year, month, day))
        })();
        let wrong = || format!("as-of is a day such as 2017-06-30, not '{word}'");
        date.map(Some).ok_or_else(|| self.parameter_error(wrong()))
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

fn parameter_error(plan: &str, reason: String) -> ModelError {
    ModelError::Parameter { plan: plan.to_owned(), reason }
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
