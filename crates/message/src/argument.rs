//! What may be an argument of a message.

use units::{Bytes, BytesPerSecond, Depth, Iops, Nanos, Ratio};

use crate::message::{Argument, Message};

/// The type of an argument; the test of all languages makes its examples from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    Text,
    Count,
    Number,
    Nanoseconds,
    Bytes,
    BytesPerSecond,
    OperationsPerSecond,
    Share,
    Message,
    Clauses,
    Names,
}

impl ArgumentKind {
    /// Arguments at the ends of what can be measured.
    pub fn extremes(self) -> Vec<Argument> {
        let word = || Message::from_text("random read 4k");
        match self {
            Self::Text => vec![Argument::Text("/srv/data".to_owned())],
            Self::Count => [0, 1, 2, 5, 21, 1_234_567].map(Argument::Count).to_vec(),
            Self::Number => [0.0, 1.5, 1e9].map(Argument::Number).to_vec(),
            Self::Nanoseconds => [0, u64::MAX].map(|ns| Argument::Nanoseconds(Nanos(ns))).to_vec(),
            Self::Bytes => [0, u64::MAX].map(|bytes| Argument::Bytes(Bytes(bytes))).to_vec(),
            Self::BytesPerSecond => {
                [0.0, 1e12].map(|rate| Argument::BytesPerSecond(BytesPerSecond(rate))).to_vec()
            }
            Self::OperationsPerSecond => {
                [0.0, 118_402.0].map(|rate| Argument::OperationsPerSecond(Iops(rate))).to_vec()
            }
            Self::Share => [0.0, 12.5].map(|share| Argument::Share(Ratio(share))).to_vec(),
            Self::Message => vec![Argument::Message(word())],
            Self::Clauses => vec![Argument::Clauses(vec![]), Argument::Clauses(vec![word(); 3])],
            Self::Names => vec![Argument::Names(vec![word()]), Argument::Names(vec![word(); 3])],
        }
    }
}

/// What may be an argument.
pub trait IntoArgument {
    const KIND: ArgumentKind;

    fn into_argument(self) -> Argument;
}

/// Messages that are named one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Names(pub Vec<Message>);

impl<T: Into<String>> FromIterator<T> for Names {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        Self(names.into_iter().map(Message::from_text).collect())
    }
}

macro_rules! arguments {
    ($($Type:ty => $Kind:ident($value:ident) $expression:expr;)*) => {
        $(impl IntoArgument for $Type {
            const KIND: ArgumentKind = ArgumentKind::$Kind;

            fn into_argument(self) -> Argument {
                let $value = self;
                Argument::$Kind($expression)
            }
        })*
    };
}

arguments! {
    String => Text(value) value;
    &str => Text(value) value.to_owned();
    u64 => Count(value) value;
    u32 => Count(value) u64::from(value);
    usize => Count(value) value as u64;
    Depth => Count(value) u64::from(value.0);
    f64 => Number(value) value;
    Nanos => Nanoseconds(value) value;
    Bytes => Bytes(value) value;
    BytesPerSecond => BytesPerSecond(value) value;
    Iops => OperationsPerSecond(value) value;
    Ratio => Share(value) value;
    Message => Message(value) value;
    Vec<Message> => Clauses(value) value;
    Names => Names(value) value.0;
}
