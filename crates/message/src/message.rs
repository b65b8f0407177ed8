//! A message: an id with typed arguments, and its English text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};

/// A value in a message, with its unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// The same in every language: a path, the name of a cell, a bound.
    Text(String),
    /// A number of things; it decides the plural.
    Count(u64),
    /// A number without a unit, printed with three significant digits.
    Number(f64),
    Nanoseconds(Nanos),
    Bytes(Bytes),
    BytesPerSecond(BytesPerSecond),
    OperationsPerSecond(Iops),
    /// Printed in percent.
    Share(Ratio),
    Message(Message),
    /// Clauses, joined as the language joins clauses.
    Clauses(Vec<Message>),
    /// Names, joined as the language joins the parts of a list.
    Names(Vec<Message>),
}

/// By name, ascending, each once. A tree would hold a kilobyte for one argument, and the records
/// of thousands of hosts have a hundred messages each.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arguments(Vec<(String, Argument)>);

impl Arguments {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(String, Argument)> {
        self.0.iter()
    }
}

impl FromIterator<(String, Argument)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (String, Argument)>>(all: I) -> Self {
        BTreeMap::from_iter(all).into()
    }
}

impl From<BTreeMap<String, Argument>> for Arguments {
    fn from(all: BTreeMap<String, Argument>) -> Self {
        Self(all.into_iter().collect())
    }
}

impl From<Arguments> for BTreeMap<String, Argument> {
    fn from(all: Arguments) -> Self {
        all.0.into_iter().collect()
    }
}

/// One statement for a reader. It is no text by itself: it is rendered in a language, or asked
/// for its English text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Message {
    /// Empty for text that has no translation: a name, or a sentence of an older record.
    pub(crate) id: String,
    pub(crate) arguments: Arguments,
    pub(crate) text: String,
}

impl Message {
    /// The same words in every language.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Empty for text without translation.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// In English.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// Compares the English text.
impl PartialEq<str> for Message {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

/// The English texts of messages.
pub fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(Message::text).collect()
}

impl From<&Self> for Message {
    fn from(message: &Self) -> Self {
        message.clone()
    }
}
