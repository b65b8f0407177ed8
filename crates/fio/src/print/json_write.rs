//! JSON as fio lays it out: `"key" : value`, two blanks a level, decimals with six places.

use std::fmt::Write as _;

use serde_json::Value;

/// A value. Not `serde_json`'s: fio prints a key as often as an option was given.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Int(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Object(Object),
    /// Not of fio's: escaped by the rules of JSON.
    Foreign(Value),
}

/// Keys and values in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Object(Vec<(String, Node)>);

impl Object {
    pub(super) fn node(&mut self, key: &str, node: Node) {
        self.0.push((key.to_owned(), node));
    }

    pub(super) fn int(&mut self, key: &str, value: u64) {
        self.node(key, Node::Int(value));
    }

    pub(super) fn float(&mut self, key: &str, value: f64) {
        self.node(key, Node::Float(value));
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.node(key, Node::Text(value.to_owned()));
    }

    pub(super) fn object(&mut self, key: &str, value: Self) {
        self.node(key, Node::Object(value));
    }

    /// Adds the keys of another behind its own.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The document, with a line end.
    pub(super) fn document(self) -> String {
        let mut text = String::new();
        write(&mut text, &Node::Object(self), 0);
        text.push('\n');
        text
    }
}

fn write(out: &mut String, node: &Node, level: usize) {
    // Writing to a String cannot fail.
    let _ = match node {
        Node::Int(value) => write!(out, "{value}"),
        Node::Signed(value) => write!(out, "{value}"),
        Node::Float(value) => write!(out, "{}", decimal(*value)),
        Node::Text(text) => write!(out, "\"{}\"", escaped(text)),
        Node::List(list) => {
            sequence(out, ['[', ']'], list, level, |out, item| write(out, item, level + 1));
            Ok(())
        }
        Node::Object(object) => {
            sequence(out, ['{', '}'], &object.0, level, |out, (key, value)| {
                let _ = write!(out, "\"{}\" : ", escaped(key));
                write(out, value, level + 1);
            });
            Ok(())
        }
        Node::Foreign(value) => {
            foreign(out, value, level);
            Ok(())
        }
    };
}

fn foreign(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Array(list) => {
            sequence(out, ['[', ']'], list, level, |out, item| foreign(out, item, level + 1));
        }
        Value::Object(map) => {
            sequence(out, ['{', '}'], map, level, |out, (key, value)| {
                let key = Value::from(key.as_str());
                let _ = write!(out, "{key} : ");
                foreign(out, value, level + 1);
            });
        }
        Value::Number(number) if number.is_f64() => {
            out.push_str(&decimal(number.as_f64().unwrap_or(0.0)));
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

fn sequence<T>(
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
pub(super) fn decimal(value: f64) -> String {
    format!("{:.6}", if value.is_finite() { value } else { 0.0 })
}

/// fio escapes these two and nothing else; a control character as it is would be no JSON.
fn escaped(text: &str) -> String {
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
        let mut object = Object::default();
        object.text(&all, &all);
        let parsed: Value = serde_json::from_str(&object.document()).unwrap();
        assert_eq!(parsed[&all], Value::from(all.as_str()));
        assert_eq!(escaped("a\\b\"c\td"), "a\\\\b\\\"c\\u0009d");
    }
}
