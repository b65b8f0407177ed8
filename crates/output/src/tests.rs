use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use lab::{LoopDevice, Need};
use tempfile::TempDir;

use units::ErrorKind;

use super::entry::{Entry, ResolvedPath, open_folder, resolve_path};
use super::replace::{rename_into_place, undo_exchange};
use super::temporary::{TemporaryFile, live_files};
use super::{
    Destinations, OutputError, make_private_file, make_private_folder, save_private, write_private,
};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(path: &Path) -> Result<super::Destination, OutputError> {
    Destinations::default().open(path)
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    open(path)?.save(bytes)
}

fn refused(path: &Path, kind: ErrorKind, words: &str) {
    let error = open(path).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn make_node(path: &Path, words: &[&str]) {
    let made = Command::new("mknod").arg(path).args(words).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_new_file_is_there_as_a_whole_or_not_at_all() {
    let folder = folder();
    let path = folder.path().join("new.json");
    let mut destination = open(&path).unwrap();
    destination.write_all(b"half").unwrap();
    assert!(!path.exists());
    drop(destination);
    assert!(entries(folder.path()).is_empty(), "{:?}", entries(folder.path()));
    save(&path, b"whole").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"whole");
    assert_eq!(entries(folder.path()), ["new.json"]);
}

#[test]
fn an_existing_file_is_replaced_and_keeps_its_mode() {
    let folder = folder();
    let path = folder.path().join("old");
    fs::write(&path, b"longer than what comes").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let other = folder.path().join("other");
    fs::hard_link(&path, &other).unwrap();
    let inode = fs::metadata(&path).unwrap().ino();
    let mut half = open(&path).unwrap();
    half.write_all(b"half").unwrap();
    let beside = entries(folder.path()).into_iter().find(|name| name.ends_with(".partial"));
    let beside = fs::metadata(folder.path().join(beside.unwrap())).unwrap();
    assert_eq!(beside.mode() & 0o137, 0, "no wider than what it replaces");
    drop(half);
    save(&path, b"new").unwrap();
    let now = fs::metadata(&path).unwrap();
    assert_eq!((fs::read(&path).unwrap().as_slice(), now.mode() & 0o7777), (&b"new"[..], 0o640));
    assert_ne!(now.ino(), inode);
    assert_eq!(fs::read(&other).unwrap(), b"longer than what comes");
    assert_eq!(entries(folder.path()), ["old", "other"]);
}

#[test]
fn folders_sockets_and_free_names_without_a_folder_are_wrong() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    refused(folder.path(), ErrorKind::WrongRequest, "it is a folder");
    refused(Path::new("/"), ErrorKind::WrongRequest, "names a folder");
    refused(&inside("x/"), ErrorKind::WrongRequest, "names a folder");
    refused(&inside("none/x"), ErrorKind::WrongRequest, "No such file");
    let _socket = UnixListener::bind(inside("socket")).unwrap();
    refused(&inside("socket"), ErrorKind::WrongRequest, "it is a socket");
    fs::write(inside("file"), b"").unwrap();
    refused(&inside("file/x"), ErrorKind::WrongRequest, "Not a directory");
    refused(
        Path::new("/proc/truedisk.json"),
        ErrorKind::WrongRequest,
        "no file can be made in its folder",
    );
    refused(
        Path::new("/proc/sys/vm/drop_caches"),
        ErrorKind::WrongRequest,
        "no file can be made in its folder",
    );
}

/// A result for a disk that is not there would lie in memory, under the name that the disk gets.
#[test]
fn a_device_that_is_missing_is_no_new_file() {
    let missing = Path::new("/dev/truedisk-test-no-such-disk");
    let file_system = |path: &str| fs::metadata(path).unwrap().dev();
    if file_system("/dev") == file_system("/") {
        return; // the folder of devices has no file system of its own
    }
    refused(missing, ErrorKind::Refused, "there is no such device");
    assert!(!missing.exists());
}

#[test]
fn devices_are_refused_and_stay_as_they_are() {
    lab::skip_unless!(Need::LoopDevices);
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    let device = LoopDevice::new(1 << 20).unwrap();
    let before = fs::read(device.path()).unwrap();
    let number = fs::metadata(device.path()).unwrap().rdev();
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    make_node(&inside("node"), &["b", &major.to_string(), &minor.to_string()]);
    symlink(device.path(), inside("link")).unwrap();
    symlink(inside("link"), inside("second")).unwrap();
    for path in [device.path().to_owned(), inside("node"), inside("link"), inside("second")] {
        refused(&path, ErrorKind::Refused, "it is a block device");
    }
    for path in ["/dev/full", "/dev/zero", "/dev/tty"] {
        refused(Path::new(path), ErrorKind::Refused, "it is a character device");
    }
    assert!(fs::symlink_metadata(inside("node")).unwrap().file_type().is_block_device());
    assert!(before == fs::read(device.path()).unwrap(), "the device has changed");
}

#[test]
fn the_null_device_stays_one() {
    lab::skip_unless!(Need::Root);
    let folder = folder();
    let node = folder.path().join("nul");
    make_node(&node, &["c", "1", "3"]);
    symlink(&node, folder.path().join("link")).unwrap();
    for path in [node.clone(), folder.path().join("link"), PathBuf::from("/dev/null")] {
        save(&path, b"nowhere").unwrap();
    }
    let now = fs::symlink_metadata(&node).unwrap();
    assert!(now.file_type().is_char_device());
    assert_eq!(entries(folder.path()), ["link", "nul"]);
    // More than one result may be thrown away.
    let mut all = Destinations::default();
    all.open(Path::new("/dev/null")).unwrap();
    all.open(Path::new("/dev/null")).unwrap();
}

#[test]
fn a_fifo_is_written_as_it_is() {
    let folder = folder();
    let fifo = folder.path().join("fifo");
    make_node(&fifo, &["p"]);
    let destination = open(&fifo).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    destination.save(b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
}

#[test]
fn a_descriptor_is_written_as_it_is() {
    use std::os::fd::AsRawFd as _;
    let folder = folder();
    let path = folder.path().join("file");
    let mut held = fs::File::create(&path).unwrap();
    held.write_all(b"before ").unwrap();
    let inode = fs::metadata(&path).unwrap().ino();
    for root in ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"] {
        save(&Path::new(root).join(held.as_raw_fd().to_string()), b"x").unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), b"before xxx");
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    let reading = fs::File::open(&path).unwrap();
    let name = format!("/dev/fd/{}", reading.as_raw_fd());
    refused(Path::new(&name), ErrorKind::WrongRequest, "open for reading only");
    refused(Path::new("/dev/fd/999"), ErrorKind::WrongRequest, "");
    let (mut end, pipe) = std::io::pipe().unwrap();
    let name = format!("/dev/fd/{}", pipe.as_raw_fd());
    save(Path::new(&name), b"piped").unwrap();
    drop(pipe);
    let mut text = String::new();
    end.read_to_string(&mut text).unwrap();
    assert_eq!(text, "piped");
}

#[test]
fn links_are_followed_once_and_stay() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::create_dir(inside("deep")).unwrap();
    fs::write(inside("deep/file"), b"old").unwrap();
    symlink("deep/file", inside("link")).unwrap();
    symlink(inside("link"), inside("second")).unwrap();
    save(&inside("second"), b"new").unwrap();
    assert_eq!(fs::read(inside("deep/file")).unwrap(), b"new");
    assert!(inside("link").is_symlink() && inside("second").is_symlink());
    symlink("nowhere", inside("dangling")).unwrap();
    refused(&inside("dangling"), ErrorKind::WrongRequest, "which does not exist");
    symlink("round", inside("round")).unwrap();
    refused(&inside("round"), ErrorKind::Failed, "links");
    // The folder was found before the link was changed.
    fs::create_dir(inside("other")).unwrap();
    symlink("deep", inside("way")).unwrap();
    let destination = open(&inside("way/late")).unwrap();
    fs::remove_file(inside("way")).unwrap();
    symlink("other", inside("way")).unwrap();
    destination.save(b"x").unwrap();
    assert!(inside("deep/late").exists() && !inside("other/late").exists());
}

#[test]
fn inputs_are_no_destinations_by_any_name() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("data"), b"measured").unwrap();
    fs::hard_link(inside("data"), inside("hard")).unwrap();
    symlink("data", inside("soft")).unwrap();
    let mut all = Destinations::default();
    all.protect(&inside("soft"));
    all.protect(&inside("none"));
    all.protect(folder.path());
    for name in ["data", "hard", "soft"] {
        for open in [Destinations::open, Destinations::open_to_append] {
            let error = open(&mut all, &inside(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        }
    }
    assert_eq!(fs::read(inside("data")).unwrap(), b"measured");
    // A file that is made to be measured after its name was taken.
    all.open(&inside("late")).unwrap();
    all.check_again().unwrap();
    fs::write(inside("late"), b"measured").unwrap();
    all.check_again().unwrap();
    all.protect(&inside("late"));
    assert_eq!(all.check_again().unwrap_err().kind(), ErrorKind::Refused);
    refused(&inside(".truedisk-1-2.tmp"), ErrorKind::Refused, "test files");
}

#[test]
fn two_results_need_two_places() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("a"), b"").unwrap();
    fs::hard_link(inside("a"), inside("b")).unwrap();
    symlink(folder.path(), inside("again")).unwrap();
    let check = |first: &str, second: &str| {
        let mut all = Destinations::default();
        let _first = all.open(&inside(first)).unwrap();
        let error = all.open(&inside(second)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongRequest, "{error}");
        assert!(error.to_string().contains("two results name the same file"), "{error}");
    };
    check("a", "a");
    check("a", "b");
    check("free", "free");
    check("free", "again/free");
    let mut all = Destinations::default();
    all.open(Path::new("-")).unwrap();
    assert_eq!(all.open(Path::new("-")).unwrap_err().kind(), ErrorKind::WrongRequest);
    assert_eq!(all.open(Path::new("/dev/stdout")).unwrap_err().kind(), ErrorKind::WrongRequest);
    all.open(&inside("free")).unwrap();
    all.open(&inside("other")).unwrap();
}

#[test]
fn what_comes_to_the_name_meanwhile_is_looked_at_again() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    let check = |name: &str, swap: &dyn Fn(&Path), expected: Option<&str>| {
        let path = inside(name);
        let destination = open(&path).unwrap();
        let _ = fs::remove_file(&path);
        swap(&path);
        let saved = destination.save(b"result").map_err(|error| error.to_string());
        match expected {
            None => assert_eq!((saved, fs::read(&path).unwrap()), (Ok(()), b"result".to_vec())),
            Some(words) => assert!(saved.as_ref().unwrap_err().contains(words), "{saved:?}"),
        }
    };
    let precious = inside("precious");
    fs::write(&precious, b"precious").unwrap();
    for name in ["free", "there"] {
        let _ = fs::write(inside("there"), b"old");
        let link: &dyn Fn(&Path) = &|path: &Path| symlink(&precious, path).unwrap();
        check(name, link, Some("has become a link"));
        fs::remove_file(inside(name)).unwrap();
    }
    let fifo: &dyn Fn(&Path) = &|path: &Path| make_node(path, &["p"]);
    check("pipe", fifo, Some("took its name after the check"));
    assert!(fs::symlink_metadata(inside("pipe")).unwrap().file_type().is_fifo());
    // Another result, or none: as if it had been so before.
    check("other", &|path| fs::write(path, b"another").unwrap(), None);
    fs::write(inside("gone"), b"old").unwrap();
    check("gone", &|_| {}, None);
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    // An input that is moved there.
    let mut all = Destinations::default();
    all.protect(&precious);
    let destination = all.open(&inside("moved")).unwrap();
    fs::rename(&precious, inside("moved")).unwrap();
    assert_eq!(destination.save(b"result").unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(fs::read(inside("moved")).unwrap(), b"precious");
}

#[test]
fn a_swap_in_the_last_moment_is_undone() {
    let folder = folder();
    let path = folder.path().join("name");
    let opened = Arc::new(open_folder(folder.path()).unwrap());
    let entry = Entry { folder: opened.clone(), name: "name".into() };
    let mut temporary =
        TemporaryFile::create(&opened, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
    temporary.file.write_all(b"new").unwrap();
    // It was free, and is not.
    fs::write(&path, b"first").unwrap();
    assert!(!rename_into_place(&mut temporary, &entry, None).unwrap());
    // It was one file, and is another, a link, a folder, nothing.
    let first = entry.inspect().unwrap().unwrap();
    fs::rename(&path, folder.path().join("aside")).unwrap();
    fs::write(&path, b"second").unwrap();
    assert!(!rename_into_place(&mut temporary, &entry, Some(&first)).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"second");
    fs::remove_file(&path).unwrap();
    assert!(!rename_into_place(&mut temporary, &entry, Some(&first)).unwrap());
    symlink("aside", &path).unwrap();
    assert!(!rename_into_place(&mut temporary, &entry, Some(&first)).unwrap());
    assert_eq!(fs::read_link(&path).unwrap(), Path::new("aside"));
    fs::rename(folder.path().join("aside"), &path).unwrap();
    assert!(rename_into_place(&mut temporary, &entry, Some(&first)).unwrap());
    drop(temporary);
    assert_eq!(
        (fs::read(&path).unwrap().as_slice(), entries(folder.path()).len()),
        (&b"new"[..], 1)
    );
}

#[test]
fn an_exchange_that_cannot_be_undone_removes_no_file_of_others() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    let opened = Arc::new(open_folder(folder.path()).unwrap());
    let entry = Entry { folder: opened.clone(), name: "name".into() };
    // As after the exchange: ours has the name, and another program's file the temporary one.
    let exchange = || {
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        let mut temporary = TemporaryFile::create(&opened, mode).unwrap();
        temporary.release();
        fs::rename(inside(temporary.name.to_str().unwrap()), inside("name")).unwrap();
        fs::write(inside(temporary.name.to_str().unwrap()), b"theirs").unwrap();
        temporary
    };
    let mut temporary = exchange();
    undo_exchange(&mut temporary, &entry).unwrap();
    drop(temporary);
    assert_eq!(fs::read(inside("name")).unwrap(), b"theirs");
    assert_eq!(entries(folder.path()), ["name"]);
    // The name was removed meanwhile: theirs has it again, by a rename that replaces nothing.
    let mut temporary = exchange();
    fs::remove_file(inside("name")).unwrap();
    let error = undo_exchange(&mut temporary, &entry).unwrap_err();
    assert!(error.to_string().contains("removed it"), "{error}");
    drop(temporary);
    assert_eq!(fs::read(inside("name")).unwrap(), b"theirs");
    assert_eq!(entries(folder.path()), ["name"]);
    // A third file took the name: it is kept under the temporary one, which the error names.
    let mut temporary = exchange();
    fs::write(inside("third"), b"third").unwrap();
    fs::rename(inside("third"), inside("name")).unwrap();
    let error = undo_exchange(&mut temporary, &entry).unwrap_err();
    let aside = temporary.name.to_str().unwrap().to_owned();
    assert!(error.to_string().contains(&aside), "{error}");
    drop(temporary);
    assert!(live_files().iter().all(|(_, name)| *name != *aside), "a second signal removes it");
    assert_eq!(fs::read(inside("name")).unwrap(), b"theirs");
    assert_eq!(fs::read(inside(&aside)).unwrap(), b"third");
}

#[test]
fn names_that_are_swapped_all_the_time_lose_nothing() {
    // Another thread changes what the name means, while results are written to it: a link, a
    // regular file, nothing. Whatever wins, what the link points at stays.
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("precious"), b"precious").unwrap();
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let swapper = std::thread::spawn({
        let (stop, folder) = (stop.clone(), folder.path().to_owned());
        move || {
            let (name, next) = (folder.join("name"), folder.join("next"));
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = symlink("precious", &next);
                let _ = fs::rename(&next, &name);
                let _ = fs::write(&next, b"another");
                let _ = fs::rename(&next, &name);
                let _ = fs::remove_file(&name);
            }
        }
    });
    let (mut written, mut tries) = (0, 0);
    while written < 200 && tries < 20_000 {
        tries += 1;
        // The link is followed: that is what was asked for, so `precious` is an input here.
        let mut all = Destinations::default();
        all.protect(&inside("precious"));
        if let Ok(destination) = all.open(&inside("name")) {
            written += u32::from(destination.save(b"result").is_ok());
        }
        assert_eq!(fs::read(inside("precious")).unwrap(), b"precious");
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    swapper.join().unwrap();
    assert!(written > 0, "nothing was written in {tries} tries");
}

#[test]
fn logs_can_be_gone_on_with() {
    let folder = folder();
    let path = folder.path().join("log");
    let mut all = Destinations::default();
    let mut first = all.open_to_append(&path).unwrap();
    let mut second = all.open_to_append(&path).unwrap();
    assert!(!path.exists(), "nothing was written");
    first.write_all(b"a").unwrap();
    second.write_all(b"b").unwrap();
    first.write_all(b"c").unwrap();
    first.commit().unwrap();
    second.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"abc");
    let mut again = Destinations::default().open_to_append(&path).unwrap();
    again.write_all(b"d").unwrap();
    again.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"abcd");
    assert!(all.open(&path).is_err(), "what one appends to, another does not replace");
    assert_eq!(
        Destinations::default().open_to_append(Path::new("/dev/full")).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

#[test]
fn of_existing_files_only_those_of_the_same_origin_are_replaced() {
    let folder = folder();
    let path = folder.path().join("list.prom");
    let open = || {
        let mut all = Destinations::default();
        all.replace_only(b"# ours\n");
        all.open(&path)
    };
    open().unwrap().save(b"# ours\n1").unwrap();
    open().unwrap().save(b"# ours\n2").unwrap();
    // Another program's file comes after the check at the start, and before the end.
    let mut late = open().unwrap();
    late.write_all(b"# ours\n3").unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "# theirs").unwrap();
    let error = late.commit().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    assert!(error.to_string().ends_with("another program wrote it"), "{error}");
    assert_eq!(open().unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(fs::read(&path).unwrap(), b"# theirs");
    fs::remove_file(&path).unwrap();
    make_node(&path, &["p"]);
    assert_eq!(open().unwrap_err().kind(), ErrorKind::Refused);
    // What waits in a pipe is for its reader, also if it begins as ours.
    let mut pipe = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    pipe.write_all(b"# ours\n").unwrap();
    assert_eq!(open().unwrap_err().kind(), ErrorKind::Refused);
    let mut waiting = [0; 7];
    std::io::Read::read_exact(&mut pipe, &mut waiting).unwrap();
    assert_eq!(&waiting, b"# ours\n");
    assert_eq!(entries(folder.path()), ["list.prom"]);
}

#[test]
fn the_guard_is_asked_at_the_start_and_at_the_end() {
    fn keep_three_bytes(found: &fs::Metadata) -> Option<String> {
        (found.len() == 3).then(|| "it has three bytes".to_owned())
    }
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    let all = || Destinations::with_guard(keep_three_bytes);
    fs::write(inside("three"), b"123").unwrap();
    symlink("three", inside("link")).unwrap();
    for open in [Destinations::open, Destinations::open_to_append, Destinations::open_to_follow] {
        for name in ["three", "link"] {
            let error = open(&mut all(), &inside(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
            assert!(error.to_string().contains("it has three bytes"), "{error}");
        }
        let mut late = all();
        let destination = open(&mut late, &inside("late")).unwrap();
        fs::write(inside("late"), b"123").unwrap();
        assert_eq!(late.check_again().unwrap_err().kind(), ErrorKind::Refused);
        assert_eq!(destination.save(b"result").unwrap_err().kind(), ErrorKind::Refused);
        assert_eq!(fs::read(inside("late")).unwrap(), b"123");
        fs::remove_file(inside("late")).unwrap();
    }
}

#[test]
fn no_file_in_a_folder_of_our_own_is_replaced() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::create_dir(inside("data")).unwrap();
    symlink("data", inside("same")).unwrap();
    fs::write(inside("data/page.html"), b"kept").unwrap();
    let mut all = Destinations::default();
    all.protect_folder(&inside("data"), "history.db");
    for name in ["data/page.html", "same/page.html", "data/history.db-wal"] {
        let error = all.open(&inside(name)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        assert!(error.to_string().contains("belongs to the history"), "{error}");
    }
    all.open(&inside("data/mine.json")).unwrap().save(b"new").unwrap();
    let late = all.open(&inside("data/late.json")).unwrap();
    fs::write(inside("data/late.json"), b"another").unwrap();
    assert_eq!(late.save(b"new").unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(fs::read(inside("data/page.html")).unwrap(), b"kept");
    all.open(&inside("history.db")).unwrap();
}

#[test]
fn a_new_file_can_be_followed_and_an_old_one_is_replaced_at_the_end() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("old"), b"old").unwrap();
    let mut all = Destinations::default();
    let [mut new, mut old] = ["new", "old"].map(|name| all.open_to_follow(&inside(name)).unwrap());
    assert!(!inside("new").exists(), "nothing was written");
    new.write_all(b"a").unwrap();
    old.write_all(b"a").unwrap();
    assert_eq!(fs::read(inside("new")).unwrap(), b"a");
    assert_eq!(fs::read(inside("old")).unwrap(), b"old");
    assert_eq!(all.open_to_follow(&inside("new")).unwrap_err().kind(), ErrorKind::WrongRequest);
    new.commit().unwrap();
    old.commit().unwrap();
    assert_eq!(fs::read(inside("old")).unwrap(), b"a");
    assert_eq!(entries(folder.path()), ["new", "old"]);
}

#[test]
fn a_new_file_replaces_none_that_was_there_or_came_meanwhile() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("old"), b"").unwrap();
    symlink("old", inside("link")).unwrap();
    let mut all = Destinations::default();
    for name in ["old", "link"] {
        let error = all.open_new(&inside(name)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        assert!(error.to_string().contains("it exists, and has to be a new file"), "{error}");
    }
    let mut new = all.open_new(&inside("new")).unwrap();
    new.write_all(b"a").unwrap();
    assert_eq!(fs::read(inside("new")).unwrap(), b"a");
    new.commit().unwrap();
    let late = all.open_new(&inside("late")).unwrap();
    fs::write(inside("late"), b"theirs").unwrap();
    assert_eq!(late.save(b"ours").unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(fs::read(inside("late")).unwrap(), b"theirs");
    let mut null = all.open_new(Path::new("/dev/null")).unwrap();
    null.write_all(b"a").unwrap();
}

#[test]
fn streams_are_known_by_their_names() {
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert!(matches!(resolve_path(Path::new(name)), Ok(ResolvedPath::Stream(_))), "{name}");
    }
    assert!(open(Path::new("-")).unwrap().is_dash());
    assert!(!open(Path::new("/dev/stdout")).unwrap().is_dash());
}

#[test]
fn private_files_are_whole_and_for_their_owner_only() {
    let folder = folder();
    let inside = folder.path().join("new/deep");
    let file = save_private(&inside, "a.json", b"1").unwrap();
    save_private(&inside, "a.json", b"2").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"2");
    assert_eq!(entries(&inside), ["a.json"], "no partial file is left");
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    assert_eq!((mode(&inside), mode(inside.parent().unwrap()), mode(&file)), (0o700, 0o700, 0o600));
    let error = save_private(&file, "x", b"").unwrap_err();
    assert!(error.to_string().starts_with("cannot create the folder"), "{error}");
}

#[test]
fn a_private_file_that_fails_half_way_leaves_the_old_one() {
    let folder = folder();
    let file = save_private(folder.path(), "a.json", b"old").unwrap();
    let mut fail = |file: &mut dyn io::Write| {
        file.write_all(b"half")?;
        Err(io::Error::other("the record is broken"))
    };
    let error = write_private(folder.path(), "a.json", &mut fail).unwrap_err();
    assert!(error.to_string().contains("a.json"), "{error}");
    assert!(error.to_string().contains("the record is broken"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(entries(folder.path()), ["a.json"]);
    let mut whole = |file: &mut dyn io::Write| file.write_all(b"new");
    write_private(folder.path(), "a.json", &mut whole).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
}

#[test]
fn wider_permissions_are_taken_from_what_is_ours() {
    let folder = folder();
    let (inside, file) = (folder.path().join("data"), folder.path().join("data/db"));
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    make_private_folder(&inside).unwrap();
    make_private_file(&file).unwrap();
    assert_eq!((mode(&inside), mode(&file)), (0o700, 0o600));
    set(&inside, 0o755);
    set(&file, 0o644);
    fs::write(&file, b"kept").unwrap();
    make_private_folder(&inside).unwrap();
    make_private_file(&file).unwrap();
    assert_eq!((mode(&inside), mode(&file)), (0o700, 0o600));
    assert_eq!(fs::read(&file).unwrap(), b"kept");
}

#[test]
fn a_link_of_another_user_in_a_shared_folder_is_not_followed() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::write(&target, "old").unwrap();
    let link = folder.path().join("link");
    symlink(&target, &link).unwrap();
    let shared = fs::Permissions::from_mode(0o1777);
    fs::set_permissions(folder.path(), shared).unwrap();
    let mut all = Destinations::default();
    all.open(&link).unwrap();
    std::os::unix::fs::lchown(&link, Some(65534), None).unwrap();
    let error = Destinations::default().open(&link).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    assert_eq!(fs::read(&target).unwrap(), b"old");
}
