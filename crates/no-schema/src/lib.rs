//! `JsonSchema` as a derive that writes nothing, in place of that of `schemars`.
//!
//! The program prints the record's schema from a file. Only what writes that file, and the test
//! that compares it, has the code that derives it: with the feature `schema` of the crates that
//! derive `units::JsonSchema`. It reads nothing of a type, and knows no other crate.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

#[proc_macro_derive(JsonSchema, attributes(schemars))]
pub fn derive_nothing(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
