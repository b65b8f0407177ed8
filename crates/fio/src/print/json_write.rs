//! JSON as fio lays it out: `"key" : value`, two blanks a level, decimals with six places.

use std::fmt::Write as _;

use serde_json::Value;

/// A value. Not `serde_json`'s: fio prints a key as often as an option was given.
#[derive(Debug, Clone)]
pub(super) enum JsonNode {
    Int(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<JsonNode>),
    Object(JsonObject),
    /// Not of fio's: escaped by the rules of JSON.
    Foreign(Value),
}

/// Keys and values in order.
#[derive(Debug, Clone, Default)]
pub(super) struct JsonObject(Vec<(String, JsonNode)>);

impl JsonObject {
    pub(super) fn node(&mut self, key: &str, node: JsonNode) {
        self.0.push((key.to_owned(), node));
    }

    pub(super) fn int(&mut self, key: &str, value: u64) {
        self.node(key, JsonNode::Int(value));
    }

    pub(super) fn float(&mut self, key: &str, value: f64) {
        self.node(key, JsonNode::Float(value));
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
    // Writing to a String cannot fail.
    let _ = match node {
        JsonNode::Int(value) => write!(out, "{value}"),
        JsonNode::Signed(value) => write!(out, "{value}"),
        JsonNode::Float(value) => write!(out, "{}", format_decimal(*value)),
        JsonNode::Text(text) => write!(out, "\"{}\"", escape_text(text)),
        JsonNode::List(list) => {
            write_sequence(out, ['[', ']'], list, level, |out, item| {
                write_node(out, item, level + 1)
            });
            Ok(())
        }
        JsonNode::Object(object) => {
            write_sequence(out, ['{', '}'], &object.0, level, |out, (key, value)| {
                let _ = write!(out, "\"{}\" : ", escape_text(key));
                write_node(out, value, level + 1);
            });
            Ok(())
        }
        JsonNode::Foreign(value) => {
            write_value(out, value, level);
            Ok(())
        }
    };
}

fn write_value(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Array(list) => {
            write_sequence(out, ['[', ']'], list, level, |out, item| {
                write_value(out, item, level + 1)
            });
        }
        Value::Object(map) => {
            write_sequence(out, ['{', '}'], map, level, |out, (key, value)| {
                let key = Value::from(key.as_str());
                let _ = write!(out, "{key} : ");
                write_value(out, value, level + 1);
            });
        }
        Value::Number(number) if number.is_f64() => {
            out.push_str(&format_decimal(number.as_f64().unwrap_or(0.0)));
        }
        other => {
            let _ = write!(out, "{other}");
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
fn escape_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '"' => escaped.extend(['\\', letter]),
            '\0'..='\u{1f}' => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(letter));
            }
            _ => escaped.push(letter),
        }
    }
    escaped
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
        assert_eq!(escape_text("a\\b\"c\td"), "a\\\\b\\\"c\\u0009d");
    }
}
