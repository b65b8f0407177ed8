//! What is said to a reader: messages as data, and their words in each language.
//!
//! A [`Message`] is an id with typed arguments. [`messages!`] declares one as a struct, so that a
//! wrong argument does not compile; [`label`] makes one that has none. The words are in
//! `languages/*.ftl` (Fluent), one file per language. English is rendered when a message is built
//! and is stored beside it; every other language is rendered when the message is read.
//!
//! Invariants
//! - No other crate holds sentences of a judgement.
//! - An id that this version does not know is shown as its stored English text.
//! - Numbers are printed by `units`; a language only sets their punctuation.
//!
//! Start reading at [`messages!`], then [`Language`].
#![forbid(unsafe_code)]

mod argument;
mod catalogue;
mod declare;
mod language;
mod message;
mod render;
mod stored;
#[cfg(test)]
mod tests;

pub use argument::{ArgumentKind, IntoArgument, Names};
pub use catalogue::{Declared, is_known, list_faults, list_missing_labels};
pub use language::{Language, LanguageChoice};
pub use message::{Argument, Message, texts};
pub use render::{Render, label};
