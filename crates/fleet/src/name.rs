//! Names that go into subjects: of agents and runs, and the labels by which hosts are chosen.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A name goes into subjects, tables and file names.
const LENGTH_MAX: usize = 64;

fn is_token(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= LENGTH_MAX && text.chars().all(plain)
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                if is_token(text) {
                    return Ok(Self(text.to_owned()));
                }
                let shown: String = text.chars().take(LENGTH_MAX).collect();
                Err(format!(
                    "'{}' is no name of {}: use 1 to {LENGTH_MAX} letters, digits, '-' and '_'",
                    shown.escape_debug(),
                    $what
                ))
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name!(
    /// Name of an agent; unique on its server.
    AgentName,
    "an agent"
);
name!(
    /// Name of a run over many hosts.
    RunName,
    "a run"
);

impl AgentName {
    /// The name of a host as that of its agent: dots become hyphens.
    pub fn from_host(host: &str) -> Result<Self, String> {
        let plain: String =
            host.trim().chars().map(|c| if c == '.' { '-' } else { c }).take(LENGTH_MAX).collect();
        plain.parse()
    }
}

/// A label: `rack=b4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub key: String,
    pub value: String,
}

impl FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((key, value)) = text.split_once('=') else {
            return Err(format!("'{text}' is no label: give KEY=VALUE, such as rack=b4"));
        };
        if !is_token(key) || !is_token(value) {
            return Err(format!(
                "'{text}' is no label: key and value are 1 to {LENGTH_MAX} letters, digits, '-' \
                 and '_'"
            ));
        }
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_token_of_a_subject() {
        for good in ["a", "db-01", "Rack_7"] {
            assert_eq!(good.parse::<AgentName>().unwrap().as_str(), good);
        }
        let long = "x".repeat(65);
        for bad in ["", "a.b", "a b", "*", ">", "../x", "é", &long] {
            let error = bad.parse::<AgentName>().unwrap_err();
            assert!(error.contains("letters, digits"), "{error}");
            let json = serde_json::to_string(bad).unwrap();
            assert!(serde_json::from_str::<RunName>(&json).is_err(), "{bad}");
        }
        assert_eq!(AgentName::from_host("db1.example.com\n").unwrap().as_str(), "db1-example-com");
    }

    #[test]
    fn a_label_has_a_key_and_a_value() {
        let label: Label = "rack=b4".parse().unwrap();
        assert_eq!((label.key.as_str(), label.value.as_str()), ("rack", "b4"));
        for bad in ["rack", "=b", "a=", "a=b=c", "a b=c"] {
            assert!(bad.parse::<Label>().is_err(), "{bad}");
        }
    }
}
