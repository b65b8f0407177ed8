//! Prints the page of findings: `cargo run -p report --example findings_page > docs/findings.md`.
#![allow(clippy::print_stdout)] // that is what it is for

fn main() {
    print!("{}", report::render_findings_page());
}
