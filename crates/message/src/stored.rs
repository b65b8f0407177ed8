//! Messages in JSON: `{"message": {"id": ..., "args": ...}, "text": ...}`. A plain string is the
//! text of a record that had no messages, or of a name.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use units::JsonSchema;

use crate::message::{Argument, Message};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum StoredMessage {
    Text(String),
    Message { message: IdAndArguments, text: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct IdAndArguments {
    id: String,
    #[serde(default)]
    args: BTreeMap<String, Argument>,
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { id, arguments, text } = self.clone();
        let stored = match id.is_empty() {
            true => StoredMessage::Text(text),
            false => {
                let args = arguments.into();
                StoredMessage::Message { message: IdAndArguments { id, args }, text }
            }
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match StoredMessage::deserialize(deserializer)? {
            StoredMessage::Text(text) => Self::from_text(text),
            StoredMessage::Message { message: IdAndArguments { id, args }, text } => {
                Self { id, arguments: args.into(), text }
            }
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Message {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        StoredMessage::json_schema(generator)
    }
}
