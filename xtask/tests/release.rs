//! What is shipped has nothing of the lab in it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;
use std::process::Command;

/// The crates that a build of `package` links or runs, by the words given to `cargo tree`.
fn crates_of(package: &str, words: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args(["tree", "--offline", "--prefix", "none", "-p", package]);
    let output = command.args(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_release_has_no_lab_in_it() {
    let shipped = crates_of("truedisk", &["--edges", "normal,build"]);
    assert!(shipped.iter().any(|name| name == "engine"), "{shipped:?}");
    for name in ["lab", "fuser", "xtask"] {
        assert!(!shipped.iter().any(|shipped| shipped == name), "{name} is shipped");
    }
    // The same question finds them where they are: the tests know the lab.
    let tested = crates_of("truedisk", &["--edges", "normal,dev"]);
    for name in ["lab", "fuser"] {
        assert!(tested.iter().any(|tested| tested == name), "{name} is not found at all");
    }
}
