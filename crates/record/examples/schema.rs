//! Writes the record's JSON Schema: `cargo run -q -p record --features schema --example schema >
//! crates/record/schema.json`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it is what this is for")]

fn main() {
    println!("{:#}", record::store::derive_schema());
}
