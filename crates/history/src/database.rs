//! What a database must do for a history, and the values that go in and out.

use crate::error::HistoryError;

/// A value of a statement or of a row; absent is NULL.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
    Bytes(Vec<u8>),
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(Some(text.into()))
    }

    pub(crate) const fn int(number: i64) -> Self {
        Self::Int(Some(number))
    }

    /// A count; one that no database could hold is the largest.
    pub(crate) fn count(number: usize) -> Self {
        Self::int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

pub(crate) struct Row(pub(crate) std::vec::IntoIter<Value>);

impl Row {
    pub(crate) fn text(&mut self) -> Option<String> {
        match self.0.next() {
            Some(Value::Text(text)) => text,
            _ => None,
        }
    }

    pub(crate) fn int(&mut self) -> Option<i64> {
        match self.0.next() {
            Some(Value::Int(number)) => number,
            _ => None,
        }
    }

    pub(crate) fn real(&mut self) -> Option<f64> {
        match self.0.next() {
            Some(Value::Real(number)) => number,
            // SQLite gives what it was given.
            Some(Value::Int(number)) => number.map(|number| number as f64),
            _ => None,
        }
    }

    pub(crate) fn bytes(&mut self) -> Option<Vec<u8>> {
        match self.0.next() {
            Some(Value::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }
}

/// One statement with its values, numbered `$1`, `$2` in the order of their first use.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) values: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(sql: &'static str, values: Vec<Value>) -> Self {
        Self { sql, values }
    }
}

pub(crate) trait Database {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, HistoryError>;

    /// Executes all of these in one transaction.
    fn execute_all(&mut self, statements: &[Statement]) -> Result<(), HistoryError>;

    /// For people: a path, or an address without its password.
    fn location(&self) -> String;
}
