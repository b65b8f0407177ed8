//! Writes the record's JSON Schema, a definition a line: `cargo run -q -p record --features schema
//! --example schema > crates/record/schema.json`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it is what this is for")]

use serde_json::Value;

fn main() {
    let mut schema = record::store::derive_schema();
    let definitions = schema["$defs"].take();
    let mut separator = "{";
    for (name, value) in schema.as_object().into_iter().flatten().filter(|(_, v)| !v.is_null()) {
        println!("{separator}{}:{value}", Value::from(name.as_str()));
        separator = ",";
    }
    println!("{separator}\"$defs\":");
    separator = "{";
    for (name, value) in definitions.as_object().into_iter().flatten() {
        println!("{separator}{}:{value}", Value::from(name.as_str()));
        separator = ",";
    }
    println!("}}}}");
}
