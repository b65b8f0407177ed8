//! Messages are built with their English text, and rendered in any language.

use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};

use crate::argument::IntoArgument;
use crate::catalogue::render as render_words;
use crate::language::Language;
use crate::message::{Argument, Message};

impl Message {
    /// Called by [`crate::messages!`]; the names of the arguments are in snake case.
    pub fn new<const N: usize>(id: &str, arguments: [(&str, Argument); N]) -> Self {
        Self::from_parts(id, arguments.map(|(name, value)| (name.to_owned(), value)))
    }

    /// The same for a list of arguments; a message without words says its id.
    pub fn from_parts(id: &str, arguments: impl IntoIterator<Item = (String, Argument)>) -> Self {
        let arguments = arguments.into_iter().collect();
        let mut message = Self { id: id.to_owned(), arguments, text: String::new() };
        message.text = render_words(&message, Language::English).unwrap_or_else(|| id.into());
        message
    }

    /// The message without arguments of an id that may have no words.
    pub fn find(id: &str) -> Option<Self> {
        let message = Self { id: id.to_owned(), ..Self::default() };
        let text = render_words(&message, Language::English)?;
        Some(Self { text, ..message })
    }
}

/// The message without arguments of that id.
pub fn label(id: &str) -> Message {
    Message::new(id, [])
}

/// What can be said in a language.
pub trait Render {
    fn render(self, language: Language) -> String;
}

impl<T: Into<Message>> Render for T {
    fn render(self, language: Language) -> String {
        let message = self.into();
        match language {
            Language::English => message.text,
            _ => render_words(&message, language).unwrap_or(message.text),
        }
    }
}

/// A quantity alone.
macro_rules! quantities {
    ($($Type:ty => $id:literal;)*) => {
        $(impl From<$Type> for Message {
            fn from(value: $Type) -> Self {
                Self::new($id, [("value", value.into_argument())])
            }
        })*
    };
}

quantities! {
    Nanos => "quantity";
    Bytes => "quantity";
    BytesPerSecond => "quantity";
    Ratio => "quantity";
    Iops => "quantity-iops";
}
