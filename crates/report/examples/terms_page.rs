//! Prints the page of terms: `cargo run -p report --example terms_page > docs/terms.md`.
#![allow(clippy::print_stdout)] // that is what it is for

fn main() {
    print!("{}", report::render_terms_page());
}
