//! Packs the words of the languages: as they are, they would be a twelfth of the program.

#![allow(clippy::print_stdout, reason = "so is cargo told")]

use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=languages");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    for entry in fs::read_dir("languages")? {
        let path = entry?.path();
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(&path)?)?;
        let packed = Path::new(&out).join(name).with_extension("ftl.gz");
        fs::write(packed, encoder.finish()?)?;
    }
    Ok(())
}
