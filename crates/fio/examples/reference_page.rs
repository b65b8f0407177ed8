//! Prints the reference page of options: `cargo run -p fio --example reference_page`.
#![allow(clippy::print_stdout)] // that is what it is for

fn main() {
    print!("{}", fio::options::help::reference_page());
}
