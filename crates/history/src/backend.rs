//! What a database must be able to do for a history, and the values that go in and out.

use crate::HistoryError;

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

    pub(crate) fn int(number: i64) -> Self {
        Self::Int(Some(number))
    }
}

/// A row, read from its first column on.
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

/// A database that keeps a history.
pub(crate) trait Database {
    /// Rows of a question.
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, HistoryError>;

    /// All of these, or none. Gives how many rows each touched.
    fn execute_all(&mut self, statements: &[Statement]) -> Result<Vec<u64>, HistoryError>;

    /// Makes a compressed record safe before its row is written; where the database itself keeps
    /// records, gives the statement that belongs to the row's transaction.
    fn store_record(
        &mut self,
        id: &str,
        record: Vec<u8>,
    ) -> Result<Option<Statement>, HistoryError>;

    /// The compressed record; `None` when it is gone.
    fn load_record(&mut self, id: &str) -> Result<Option<Vec<u8>>, HistoryError>;

    /// Removes what [`Database::keep`] left outside of the database; gives what went.
    fn remove_record(&mut self, id: &str) -> Result<Vec<String>, HistoryError>;

    /// Where a record is, for people.
    fn record_location(&self, id: &str) -> String;

    /// For people: a path, or an address without its password.
    fn location(&self) -> String;
}
