//! JSON as fio lays it out: `"key" : value`, two blanks a level, decimals with six places.

use std::fmt::Write as _;

use serde_json::Value;

/// A value. Not `serde_json`'s: fio prints a key as often as an option was given.
#[derive(Debug, Clone)]
pub(super) enum JsonNode {
    /// A number as it is printed, `true`, `false` or `null`.
    Literal(String),
    Text(String),
    List(Vec<JsonNode>),
    Object(JsonObject),
}

impl From<u64> for JsonNode {
    fn from(number: u64) -> Self {
        Self::Literal(number.to_string())
    }
}

impl From<&Value> for JsonNode {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            Value::Object(map) => {
                let entries = map.iter().map(|(key, value)| (key.clone(), Self::from(value)));
                Self::Object(JsonObject(entries.collect()))
            }
            Value::Number(number) if number.is_f64() => {
                Self::Literal(format_decimal(number.as_f64().unwrap_or(0.0)))
            }
            other => Self::Literal(other.to_string()),
        }
    }
}

/// Keys and values in order.
#[derive(Debug, Clone, Default)]
pub(super) struct JsonObject(Vec<(String, JsonNode)>);

impl JsonObject {
    pub(super) fn node(&mut self, key: &str, node: JsonNode) {
        self.0.push((key.to_owned(), node));
    }

    pub(super) fn int(&mut self, key: &str, value: u64) {
        self.node(key, value.into());
    }

    pub(super) fn float(&mut self, key: &str, value: f64) {
        self.node(key, JsonNode::Literal(format_decimal(value)));
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.node(key, JsonNode::Text(value.to_owned()));
    }

    pub(super) fn object(&mut self, key: &str, value: Self) {
        self.node(key, JsonNode::Object(value));
    }

    /// Adds the keys of another behind its own.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The document, with a line end.
    pub(super) fn into_document(self) -> String {
        let mut text = String::new();
        write_node(&mut text, &JsonNode::Object(self), 0);
        text.push('\n');
        text
    }
}

fn write_node(out: &mut String, node: &JsonNode, level: usize) {
    match node {
        JsonNode::Literal(text) => out.push_str(text),
        JsonNode::Text(text) => out.push_str(&quote_text(text)),
        JsonNode::List(list) => write_sequence(out, ['[', ']'], list, level, |out, item| {
            write_node(out, item, level + 1);
        }),
        JsonNode::Object(object) => {
            write_sequence(out, ['{', '}'], &object.0, level, |out, (key, value)| {
                out.push_str(&quote_text(key));
                out.push_str(" : ");
                write_node(out, value, level + 1);
            });
        }
    }
}

fn write_sequence<T>(
    out: &mut String,
    brackets: [char; 2],
    items: impl IntoIterator<Item = T>,
    level: usize,
    mut one: impl FnMut(&mut String, T),
) {
    out.push(brackets[0]);
    for (i, item) in items.into_iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(level + 1));
        one(out, item);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(level));
    out.push(brackets[1]);
}

/// Six places; fio prints `nan` where there is no number, which no parser takes: we print 0.
pub(super) fn format_decimal(value: f64) -> String {
    format!("{:.6}", if value.is_finite() { value } else { 0.0 })
}

/// fio escapes these two and nothing else; a control character as it is would be no JSON.
fn quote_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\\' | '"' => quoted.extend(['\\', letter]),
            '\0'..='\u{1f}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_json() {
        let all: String = (0..0x180).filter_map(char::from_u32).collect();
        let mut object = JsonObject::default();
        object.text(&all, &all);
        let parsed: Value = serde_json::from_str(&object.into_document()).unwrap();
        assert_eq!(parsed[&all], Value::from(all.as_str()));
        assert_eq!(quote_text("a\\b\"c\td"), "\"a\\\\b\\\"c\\u0009d\"");
    }
}
