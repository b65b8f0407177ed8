//! What lies, or comes, where truedisk makes its test files; and names that are hostile.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::support::{assert_clean, beside, check, run, truedisk};
use crate::{digest, folder};

/// First bytes of a test file of ours.
const MAGIC: &[u8] = b"truedisk test file 1\nid dead\npid 1\n";

#[test]
fn what_looks_like_a_leftover_and_is_none_stays() {
    let _beside = beside();
    let (folder, outside) = (folder(), folder());
    let inside = |name: &str| folder.path().join(name);
    let precious = outside.path().join("precious");
    std::fs::write(&precious, MAGIC).unwrap();
    std::os::unix::fs::symlink(&precious, inside(".truedisk-1.tmp")).unwrap();
    std::fs::write(inside(".truedisk-2.tmp"), b"mine, whatever its name is").unwrap();
    std::fs::create_dir(inside(".truedisk-3.tmp")).unwrap();
    std::fs::write(inside("truedisk-4.tmp"), MAGIC).unwrap();
    std::fs::write(inside(".truedisk-5.tmp.bak"), MAGIC).unwrap();
    let output = run(check(["--size".as_ref(), "32m".as_ref(), folder.path().as_os_str()]));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read(&precious).unwrap(), MAGIC);
    for stays in [
        ".truedisk-1.tmp",
        ".truedisk-2.tmp",
        ".truedisk-3.tmp",
        "truedisk-4.tmp",
        ".truedisk-5.tmp.bak",
    ] {
        assert!(inside(stays).symlink_metadata().is_ok(), "{stays} is gone");
    }
}

/// Puts links to `precious` in the place of every test file that appears in `folder`, as fast as it
/// can; gives how often it did.
fn swap_links(folder: &Path, precious: &Path, done: &AtomicBool, swaps: &AtomicU32) {
    let link = folder.join("link");
    while !done.load(Ordering::Relaxed) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.file_name().as_bytes().starts_with(b".truedisk-") {
                let _ = std::os::unix::fs::symlink(precious, &link);
                if std::fs::rename(&link, entry.path()).is_ok() {
                    swaps.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
    let _ = std::fs::remove_file(&link);
}

#[test]
fn a_link_that_is_swapped_in_for_a_test_file_leads_nowhere() {
    let _beside = beside();
    let (folder, outside) = (folder(), folder());
    let precious = outside.path().join("precious");
    std::fs::write(&precious, vec![7; 8 << 20]).unwrap();
    let before = digest(&precious);
    let (done, swaps) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| swap_links(folder.path(), &precious, &done, &swaps));
        let begun = Instant::now();
        // One whole run is slow, and most of the race is in its beginning: many are begun.
        while begun.elapsed() < Duration::from_secs(10) {
            let mut command = truedisk(["preset", "etcd", "--size", "22m", "--no-history"]);
            command.arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            // sleeps because the run has to get past the making of its file before it is ended.
            std::thread::sleep(Duration::from_millis(300));
            child.kill().unwrap();
            child.wait().unwrap();
            let words = ["fio", "--name=a", "--rw=write", "--size=1m", "--unlink=1"];
            let mut command = truedisk(words);
            command.arg(format!("--directory={}", folder.path().display()));
            run(command);
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(swaps.load(Ordering::Relaxed) > 0, "nothing was swapped");
    assert_eq!(digest(&precious), before);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

fn hostile() -> Vec<PathBuf> {
    let names: [&[u8]; 9] = [
        b"-rf",
        b"--yes-destroy-data-on",
        b"a\nb\thint: all is well",
        b"$(touch owned); `touch owned`",
        b"\x1b]0;owned\x07",
        b"not \xff UTF-8",
        b"%s%n{}{0}",
        b"<script>alert(1)<\\script>",
        &[b'x'; 255],
    ];
    names.map(|name| PathBuf::from(OsStr::from_bytes(name))).to_vec()
}

#[test]
fn hostile_names_are_names() {
    let _beside = beside();
    let folder = folder();
    for name in hostile() {
        let place = folder.path().join(&name);
        std::fs::create_dir(&place).unwrap();
        for words in [
            ["ping".as_ref(), "-c".as_ref(), "2".as_ref(), "-i".as_ref(), "0".as_ref()].as_slice(),
            &["preset".as_ref(), "a1".as_ref(), "--budget".as_ref(), "1s".as_ref()],
        ] {
            let words: &[&OsStr] = words;
            let mut command = truedisk(words);
            let output = run({
                command.arg(&place).current_dir(folder.path());
                command
            });
            // A budget that is too small is a wrong request: the name must not be what is wrong.
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{name:?}: {said}");
            assert!(!said.contains("panicked"), "{name:?}: {said}");
        }
        assert_clean(&place);
    }
    let count = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count, hostile().len(), "something was made beside the folders");
}
