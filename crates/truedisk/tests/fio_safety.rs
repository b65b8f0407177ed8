//! What a job of fio's dialect never does to files, file systems and those who read its results.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use lab::{Need, Scratch, Tmpfs};
use serde_json::Value;

fn fio<W: AsRef<OsStr>>(folder: &Path, words: impl IntoIterator<Item = W>) -> Output {
    let mut command = support::truedisk(["fio"]);
    command.args(words).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Asserts an error with this exit status and a hint.
fn check_refused(output: &Output, status: i32, word: &str) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{word}: {said}");
    assert!(said.contains(word) && said.contains("\nhint: "), "{word}: {said}");
}

#[test]
fn a_file_that_existed_before_is_never_removed() {
    let folder = Scratch::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let content: Vec<u8> = (0..1 << 20).map(|i: u32| (i % 251) as u8).collect();
    fs::write(at("keep"), &content).unwrap();
    fs::write(at("empty"), "").unwrap();
    fs::hard_link(at("keep"), at("hard")).unwrap();
    symlink(at("keep"), at("link")).unwrap();
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/c.0.0"), &content).unwrap();
    let before = names(folder.path());
    for words in [
        "--filename=keep --rw=read --size=1m --unlink=1",
        "--filename=keep --rw=write --size=1m --unlink=1",
        "--filename=keep --rw=write --size=2m --overwrite=1 --unlink=1",
        "--filename=keep --rw=write --size=1m --file_append=1 --unlink=1",
        "--filename=keep --rw=read --size=1m --create_only=1 --unlink=1",
        "--filename=keep --rw=write --size=1m --fallocate=truncate --unlink=1",
        "--filename=keep --rw=write --size=1m --unlink_each_loop=1 --loops=2",
        "--filename=keep --rw=read --size=1m --unlink_each_loop=1",
        "--filename=empty --rw=write --size=1m --unlink=1",
        "--filename=new:keep --rw=write --size=2m --unlink=1",
        "--filename=hard --rw=read --unlink=1",
        "--filename=link --rw=read --unlink=1",
        "--filename=./sub/../keep --rw=read --unlink=1",
        "--opendir=sub --rw=read --unlink=1",
        "--directory=sub --filename_format=c.0.0 --rw=read --size=1m --unlink=1",
        // A job before it would make its file: nothing runs, and nothing is made.
        "--size=64k --rw=write --name=b --filename=keep --rw=read --size=1m --unlink=1",
    ] {
        let output = fio(folder.path(), "--name=a".split(' ').chain(words.split(' ')));
        check_refused(&output, 4, "=1 would remove ");
        assert_eq!(names(folder.path()), before, "{words}");
        for name in ["keep", "hard", "link", "sub/c.0.0"] {
            assert_eq!(fs::read(at(name)).unwrap(), content, "{words}: {name}");
        }
    }
}

#[test]
fn a_replay_removes_no_file_that_existed_and_trims_none() {
    let folder = Scratch::new().unwrap();
    let file = folder.path().join("keep");
    fs::write(&file, vec![7; 8192]).unwrap();
    let log = |action: &str| {
        let path = file.display();
        let text = format!(
            "fio version 2 iolog\n{path} add\n{path} open\n{path} read 4096 4096\n\
             {path} {action} 0 4096\n{path} close\n"
        );
        fs::write(folder.path().join("log"), text).unwrap();
    };
    log("write");
    let words = ["--name=a", "--read_iolog=log", "--size=8k"];
    check_refused(&fio(folder.path(), words.iter().chain(&["--unlink=1"])), 4, "would remove");
    assert_eq!(fs::read(&file).unwrap(), vec![7; 8192]);
    // As by fio: what was written is left out.
    let read_only = fio(folder.path(), words.iter().chain(&["--readonly"]));
    assert!(read_only.status.success(), "{}", stderr(&read_only));
    assert_eq!(fs::read(&file).unwrap(), vec![7; 8192]);
    log("trim");
    check_refused(&fio(folder.path(), words), 1, "would punch holes");
    assert_eq!(fs::read(&file).unwrap(), vec![7; 8192]);
}

#[test]
fn a_file_of_an_earlier_run_is_not_removed_either() {
    let folder = Scratch::new().unwrap();
    let words = ["--name=a", "--rw=read", "--size=64k"];
    assert!(fio(folder.path(), words).status.success());
    check_refused(&fio(folder.path(), words.iter().chain(&["--unlink=1"])), 4, "would remove");
    assert_eq!(names(folder.path()), ["a.0.0"]);
}

#[test]
fn files_of_the_run_are_removed() {
    let folder = Scratch::new().unwrap();
    for words in [
        "--rw=write --size=64k --unlink=1",
        "--rw=read --size=64k --numjobs=2 --nrfiles=2 --unlink=1",
        "--rw=write --size=64k --filename=f --numjobs=2 --unlink=1",
        "--rw=write --size=64k --filename=f --name=b --stonewall --filename=./f --unlink=1",
        "--rw=write --size=64k --unlink_each_loop=1 --loops=3 --unlink=1",
        "--ioengine=falloc --rw=write --size=64k --unlink_each_loop=1 --loops=2 --unlink=1",
        "--ioengine=ftruncate --rw=write --size=64k --unlink_each_loop=1 --loops=2 --unlink=1",
        "--ioengine=falloc --rw=trim --size=64k --numjobs=2 --filename=f --unlink=1",
    ] {
        let output = fio(folder.path(), "--name=a".split(' ').chain(words.split(' ')));
        assert!(output.status.success(), "{words}: {}", stderr(&output));
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{words}");
    }
}

#[test]
fn a_file_that_came_to_the_name_meanwhile_stays() {
    let folder = Scratch::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("precious"), "precious").unwrap();
    let mut command = support::truedisk(["fio", "--name=a", "--filename=f", "--size=64k"]);
    command.args(["--time_based", "--runtime=2", "--unlink=1", "--output-format=json"]);
    command.current_dir(folder.path()).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    while fs::metadata(at("f")).map_or(0, |found| found.len()) < 64 << 10 {
        std::thread::yield_now();
    }
    // sleeps because the file is opened once more after its layout, before the job starts.
    std::thread::sleep(std::time::Duration::from_millis(500));
    fs::rename(at("precious"), at("f")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(fs::read(at("f")).unwrap(), b"precious");
    let notes = json(&output)["truedisk"]["notes"].to_string();
    assert!(notes.contains("was replaced or changed by another program during the run"), "{notes}");
}

#[test]
fn a_log_and_the_output_of_a_command_are_no_one_file() {
    let folder = Scratch::new().unwrap();
    let words = "--allow-exec --name=b --rw=read --size=64k --write_iolog=a.stdout --name=a \
                 --ioengine=exec --program=true";
    let output = fio(folder.path(), words.split_whitespace());
    assert!(!output.status.success(), "{}", stderr(&output));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn a_client_adds_to_no_other_list_of_hosts() {
    let folder = Scratch::new().unwrap();
    let jobs = folder.path().join("j.fio");
    fs::write(&jobs, "[j]\nfilename=f\nsize=4k\n").unwrap();
    let mut command = support::truedisk(["fio", "--client=c", jobs.to_str().unwrap()]);
    command.env("TRUEDISK_FLEET", "--nats nats://127.0.0.1:1 --hosts a,b");
    let output = command.output().unwrap();
    // As fio's status of a wrong command line.
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("names hosts"), "{}", stderr(&output));
}

#[test]
fn an_empty_file_of_a_user_is_not_taken_for_one_of_ours() {
    let folder = Scratch::new().unwrap();
    fs::write(folder.path().join("f"), "").unwrap();
    let write = ["--name=a", "--filename=f", "--rw=write", "--size=64k"];
    assert!(fio(folder.path(), write).status.success());
    let read = ["--name=a", "--filename=f", "--rw=read", "--size=128k"];
    check_refused(&fio(folder.path(), read), 4, "never makes a file anew");
    assert_eq!(fs::metadata(folder.path().join("f")).unwrap().len(), 64 << 10);
}

#[test]
fn reads_fill_an_empty_file_and_no_other() {
    let folder = Scratch::new().unwrap();
    let file = folder.path().join("f");
    let read = |size: &str| {
        let size = format!("--size={size}");
        fio(folder.path(), ["--name=a", "--filename=f", "--rw=read", &size])
    };
    fs::write(&file, "").unwrap();
    let two = [
        "--name=a",
        "--filename=f",
        "--rw=read",
        "--size=64k",
        "--name=b",
        "--filename=f",
        "--size=128k",
    ];
    let output = fio(folder.path(), two);
    assert!(output.status.success(), "{}", stderr(&output));
    let filled = fs::read(&file).unwrap();
    assert!(filled.len() == 128 << 10 && filled.chunks(4096).all(|block| block != [0; 4096]));
    check_refused(&read("256k"), 4, "never makes a file anew");
    assert_eq!(fs::read(&file).unwrap(), filled);
    fs::write(&file, "").unwrap();
    let words = ["--readonly", "--name=a", "--filename=f", "--rw=read", "--size=64k"];
    check_refused(&fio(folder.path(), words), 4, "never makes a file anew");
    assert_eq!(fs::metadata(&file).unwrap().len(), 0);
}

#[test]
fn lengths_of_files_of_others_are_not_changed() {
    let folder = Scratch::new().unwrap();
    let file = folder.path().join("f");
    fs::write(&file, vec![7; 8192]).unwrap();
    for (engine, rw) in [("falloc", "write"), ("falloc", "read"), ("ftruncate", "write")] {
        let words = ["--name=a", "--filename=f", "--size=64k", "--ioengine", engine, "--rw", rw];
        check_refused(&fio(folder.path(), words), 4, "would change ");
        let words = ["--readonly", "--name=a", "--size=64k", "--ioengine", engine, "--rw", rw];
        check_refused(&fio(folder.path(), words), 1, "--readonly was given");
    }
    assert_eq!(fs::read(&file).unwrap(), vec![7; 8192]);
    assert_eq!(names(folder.path()), ["f"]);
}

#[test]
fn only_names_that_truedisk_made_are_removed() {
    let folder = Scratch::new().unwrap();
    let out = Scratch::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |engine: &str, more: &[&str]| {
        let words = ["--name=a", "--nrfiles=3", "--size=12k", "--ioengine", engine];
        fio(folder.path(), words.iter().chain(more))
    };
    let done = |engine: &str, more: &[&str]| {
        let output = run(engine, more);
        assert!(output.status.success(), "{engine} {more:?}: {}", stderr(&output));
    };
    let made = ["a.0.0", "a.0.1", "a.0.2"];

    // Files and folders of others, and links, stay.
    fs::write(at("a.0.1"), "precious").unwrap();
    check_refused(&run("filedelete", &[]), 4, "would remove ");
    assert_eq!(names(folder.path()), ["a.0.1"], "nothing was made either");
    done("filecreate", &[]);
    check_refused(&run("filedelete", &[]), 4, "would remove ");
    assert_eq!(fs::read(at("a.0.1")).unwrap(), b"precious");
    fs::remove_file(at("a.0.1")).unwrap();
    fs::write(out.path().join("x"), "precious").unwrap();
    symlink(out.path().join("x"), at("a.0.1")).unwrap();
    for engine in ["filecreate", "filestat", "filedelete"] {
        check_refused(&run(engine, &[]), 1, "is no regular file");
    }
    assert!(at("a.0.1").is_symlink() && out.path().join("x").exists());
    fs::remove_file(at("a.0.1")).unwrap();
    fs::create_dir(at("a.0.1")).unwrap();
    check_refused(&run("filedelete", &[]), 1, "is no regular file");
    for name in ["a.0.0", "a.0.2"] {
        fs::remove_file(at(name)).unwrap();
    }
    check_refused(&run("dirdelete", &[]), 4, "would remove ");
    assert_eq!(names(folder.path()), ["a.0.1"]);
    fs::remove_dir(at("a.0.1")).unwrap();

    // What an earlier run made is removed, if the file system keeps the mark.
    for kind in ["file", "dir"] {
        done(&format!("{kind}create"), &[]);
        assert_eq!(names(folder.path()), made);
        check_refused(&run(&format!("{kind}delete"), &["--readonly"]), 1, "--readonly was given");
        done(&format!("{kind}stat"), &["--readonly", "--stat_type=lstat"]);
        assert_eq!(names(folder.path()), made);
        done(&format!("{kind}delete"), &[]);
        assert!(names(folder.path()).is_empty(), "{kind}");
        done(&format!("{kind}delete"), &[]);
        assert!(names(folder.path()).is_empty(), "{kind}: made and removed by one run");
        done(&format!("{kind}create"), &["--unlink=1"]);
        assert!(names(folder.path()).is_empty(), "{kind}");
        check_refused(&run(&format!("{kind}create"), &["--readonly"]), 1, "--readonly was given");
        let output = run(&format!("{kind}stat"), &["--readonly"]);
        assert!(!output.status.success() && stderr(&output).contains("--readonly makes none"));
    }

    // Twice is an error, as in fio.
    let output = run("filedelete", &["--loops=2", "--output-format=json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("err=2"), "{}", stderr(&output));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn names_are_not_made_where_they_are_orders_to_the_kernel() {
    lab::skip_unless!(Need::Root);
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let mut fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let Some(groups) = fields.find(|fields| fields[2] == "cgroup2").map(|fields| fields[1]) else {
        return;
    };
    for engine in ["dircreate", "dirstat", "dirdelete"] {
        let folder = format!("--directory={groups}");
        let words = ["--name=truedisk-test", &folder, "--size=4k", "--ioengine", engine];
        let output = fio(Path::new("/tmp"), words);
        check_refused(&output, 4, "is an order to the kernel");
        assert!(!Path::new(groups).join("truedisk-test.0.0").exists(), "{engine}");
    }
    // Nor are folders on the way.
    let folder = Path::new(groups).join("truedisk-test");
    let file = format!("--filename={}", folder.join("x").display());
    for engine in ["filecreate", "dircreate", "filestat", "psync"] {
        let words = ["--name=a", &file, "--size=4k", "--rw=write", "--ioengine", engine];
        let output = fio(Path::new("/tmp"), words);
        let was_made = fs::remove_dir(&folder).is_ok();
        assert!(!was_made, "{engine}");
        check_refused(&output, 4, "is an order to the kernel");
    }
}

/// Lets a job in `folder` run for 2 s, and calls `change` after its file `a.0.0` is made.
fn change_during(folder: &Path, words: &[&str], change: impl FnOnce()) -> Output {
    let mut command = support::truedisk(["fio", "--name=a", "--size=4k"]);
    command.args(words).arg("--output-format=json").current_dir(folder);
    let piped = std::process::Stdio::piped;
    let child = command.stdout(piped()).stderr(piped()).spawn().unwrap();
    while fs::metadata(folder.join("a.0.0")).is_err() {
        std::thread::yield_now();
    }
    // sleeps because the job looks at its file once more before it starts.
    std::thread::sleep(std::time::Duration::from_millis(500));
    change();
    child.wait_with_output().unwrap()
}

#[test]
fn calls_on_names_leave_what_came_to_a_name_meanwhile() {
    let create = &["--ioengine=filecreate", "--time_based", "--runtime=2", "--unlink=1"][..];
    let delete = &["--ioengine=filedelete", "--startdelay=2"][..];
    for (words, status) in [(create, 0), (delete, 1)] {
        for renames in [true, false] {
            let folder = Scratch::new().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at("precious"), "precious").unwrap();
            let output = change_during(folder.path(), words, || match renames {
                true => fs::rename(at("precious"), at("a.0.0")).unwrap(),
                false => fs::write(at("a.0.0"), "precious").unwrap(),
            });
            let said = (words[0], renames, stderr(&output));
            assert_eq!(fs::read(at("a.0.0")).unwrap(), b"precious", "{said:?}");
            assert_eq!(output.status.code(), Some(status), "{said:?}");
        }
    }
}

#[test]
fn a_changed_file_or_a_copy_is_not_removed_for_its_mark() {
    let folder = Scratch::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |words: &[&str]| fio(folder.path(), ["--name=a", "--size=4k"].iter().chain(words));
    let done = |words: &[&str]| {
        let output = run(words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    };
    let delete = |name: &str| run(&["--ioengine=filedelete", "--filename", name]);
    for engine in ["filestat", "filecreate"] {
        done(&["--ioengine", engine, "--filename=made"]);
        let copied = Command::new("cp").arg("-a").arg(at("made")).arg(at("copy")).status().unwrap();
        assert!(copied.success());
        check_refused(&delete("copy"), 4, "would remove ");
        fs::remove_file(at("copy")).unwrap();
        fs::write(at("made"), "precious").unwrap();
        check_refused(&delete("made"), 4, "would remove ");
        assert_eq!(fs::read(at("made")).unwrap(), b"precious", "{engine}");
        fs::remove_file(at("made")).unwrap();
    }
    // A mark of one byte, of an earlier version, says nothing.
    fs::write(at("old"), "x").unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(at("old"), "user.truedisk.layout", b"1", flags).unwrap();
    check_refused(&delete("old"), 4, "would remove ");
    check_refused(&run(&["--rw=read", "--filename=old"]), 4, "never makes a file anew");
    assert_eq!(fs::read(at("old")).unwrap(), b"x");
}

#[test]
fn a_job_that_reads_extends_only_what_no_other_program_changed() {
    let folder = Scratch::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |words: &str| fio(folder.path(), "--name=a".split(' ').chain(words.split(' ')));
    let done = |words: &str| {
        let output = run(words);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
    };
    let copy = |from: &str, to: &str| {
        let copied = Command::new("cp").arg("-a").arg(at(from)).arg(at(to)).status().unwrap();
        assert!(copied.success());
    };
    for made in [
        "--rw=read",
        "--rw=write",
        "--rw=randrw --verify=md5 --loops=2",
        "--rw=write --ioengine=mmap",
        "--rw=write --create_only=1",
    ] {
        done(&format!("--filename=f --size=64k {made}"));
        // A copy has the mark, and is another file.
        copy("f", "copy");
        let before = fs::read(at("copy")).unwrap();
        check_refused(&run("--filename=copy --rw=read --size=128k"), 4, "never makes a file anew");
        assert_eq!(fs::read(at("copy")).unwrap(), before, "{made}");
        // What a job wrote is still ours, by one run and by several jobs of one.
        done("--filename=f --rw=read --size=128k");
        done("--filename=f --rw=write --size=128k --name=b --filename=f --rw=read --size=192k");
        done("--filename=f --rw=read --size=256k --name=b --filename=f --size=320k");
        done("--filename=f --rw=write --size=64k --numjobs=2 --unlink=0");
        done("--filename=f --rw=read --size=384k");
        assert_eq!(fs::metadata(at("f")).unwrap().len(), 384 << 10, "{made}");
        // What another program wrote is not.
        let mut changed = fs::read(at("f")).unwrap();
        changed[..8].copy_from_slice(b"precious");
        fs::write(at("f"), &changed).unwrap();
        check_refused(&run("--filename=f --rw=read --size=448k"), 4, "never makes a file anew");
        done("--filename=f --rw=write --size=64k --offset=64k");
        check_refused(&run("--filename=f --rw=read --size=448k"), 4, "never makes a file anew");
        assert_eq!(fs::read(at("f")).unwrap()[..8], *b"precious", "{made}");
        assert_eq!(fs::metadata(at("f")).unwrap().len(), 384 << 10, "{made}");
        fs::remove_file(at("f")).unwrap();
        fs::remove_file(at("copy")).unwrap();
    }
}

#[test]
fn a_file_of_the_run_that_another_program_changed_is_not_removed() {
    for words in [
        "--rw=read --time_based --runtime=2 --name=b --stonewall --ioengine=filedelete --size=4k \
         --filename=a.0.0",
        "--rw=read --time_based --runtime=2 --unlink=1",
    ] {
        let folder = Scratch::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        let words: Vec<&str> = words.split(' ').collect();
        let output = change_during(folder.path(), &words, || {
            let content = [b"precious".as_slice(), &[0; 4088]].concat();
            fs::write(at("a.0.0"), content).unwrap();
        });
        assert_eq!(names(folder.path()), ["a.0.0"], "{words:?} {}", stderr(&output));
        let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("replaced or changed"), "{words:?} {said}");
    }
}

#[test]
fn more_names_than_inodes_are_refused_before_the_first() {
    lab::skip_unless!(Need::Root);
    let mount = small();
    let mut remount = Command::new("mount");
    remount.args(["-o", "remount,nr_inodes=100"]).arg(mount.path());
    assert!(remount.status().unwrap().success());
    for engine in ["filecreate", "filestat", "dircreate", "psync"] {
        let words = ["--name=a", "--nrfiles=200", "--size=800k", "--rw=write", "--ioengine"];
        let output = fio(mount.path(), words.iter().chain(&[engine]));
        check_refused(&output, 4, "the jobs make 200 files and folders on the file system of ");
        assert!(names(mount.path()).is_empty(), "{engine}");
    }
}

#[test]
fn a_size_at_the_end_of_the_numbers_does_not_fill_the_file_system() {
    lab::skip_unless!(Need::Root);
    let mount = small();
    for size in ["18446744073709551615", "18446744073709547000"] {
        let words =
            format!("--name=a --rw=write --fallocate=none --runtime=1 --rate=1m --size={size}");
        let output = fio(mount.path(), words.split(' '));
        check_refused(&output, 4, "need");
        assert!(names(mount.path()).is_empty(), "{size}");
    }
}

/// A file system of 64 MiB that nobody else uses.
fn small() -> Tmpfs {
    Tmpfs::new(64 << 20).unwrap()
}

fn free(folder: &Path) -> u64 {
    let stat = rustix::fs::statvfs(folder).unwrap();
    stat.f_bavail * stat.f_frsize
}

#[test]
fn a_layout_that_does_not_fit_is_refused_before_its_first_byte() {
    lab::skip_unless!(Need::Root);
    let mount = small();
    fs::write(mount.path().join("keep"), vec![1; 1 << 20]).unwrap();
    fs::write(
        mount.path().join("log"),
        "fio version 2 iolog\n/x add\n/x open\n/x write 70000000 4096\n/x close\n",
    )
    .unwrap();
    let before = (names(mount.path()), free(mount.path()));
    for words in [
        "--rw=read --size=32k --numjobs=4000",
        "--rw=write --size=32k --numjobs=4000",
        "--rw=write --size=63m",
        "--rw=write --size=63m --fallocate=none",
        "--rw=write --size=63m --fallocate=truncate",
        "--rw=write --size=63m --overwrite=1",
        "--rw=write --size=200m --filename=keep",
        "--rw=write --size=32m --filename=keep --file_append=1 --numjobs=2",
        "--rw=read --size=31m --name=b --stonewall --rw=write --size=32m",
        "--rw=read --size=3m --numjobs=21",
        "--rw=read --nrfiles=63 --filesize=1m",
        "--read_iolog=log --replay_redirect=new --size=1m",
    ] {
        let output = fio(mount.path(), "--name=a".split(' ').chain(words.split(' ')));
        assert!(!output.status.success(), "{words}");
        check_refused(&output, 4, "the jobs' files need ");
        assert!(stderr(&output).contains(" must stay free"), "{}", stderr(&output));
        assert_eq!((names(mount.path()), free(mount.path())), before, "{words}");
    }
    let fits = ["--name=a", "--rw=read", "--size=10m", "--numjobs=6"];
    assert!(fio(mount.path(), fits).status.success());
    assert!(free(mount.path()) >= (64 << 20) / 100);
    let two = ["--name=a", "--rw=read", "--size=10m", "--numjobs=6"];
    assert!(fio(mount.path(), two).status.success(), "what exists needs nothing");
}

#[test]
fn filling_a_file_system_leaves_some_of_it() {
    lab::skip_unless!(Need::Root);
    for words in [
        "--fill_device=1",
        "--fill_device=1 --numjobs=3",
        "--fill_device=1 --size=1g",
        "--fill_device=1 --nrfiles=4",
    ] {
        let mount = small();
        let words = ["--name=a", "--rw=write", "--bs=64k"].into_iter().chain(words.split(' '));
        let output = fio(mount.path(), words);
        assert!(output.status.success(), "{}", stderr(&output));
        let left = free(mount.path());
        let kept = (64 << 20) / 100;
        assert!((kept..kept + (1 << 20)).contains(&left), "{left} of {kept}");
        fs::write(mount.path().join("rest"), vec![1; (left - kept + 1) as usize]).unwrap();
        for size in ["--size=8m", "--nrfiles=1"] {
            let again = ["--name=b", "--rw=write", "--bs=64k", "--fill_device=1", size];
            check_refused(&fio(mount.path(), again), 4, "no space above the reserve");
        }
        assert!(free(mount.path()) + 8192 >= kept, "{left} of {kept}");
    }
}

#[test]
fn a_layout_that_fails_leaves_nothing() {
    let folder = Scratch::new().unwrap();
    fs::write(folder.path().join("file"), "x").unwrap();
    // The second job's folder is a file.
    let words = ["--name=a", "--size=1m", "--name=b", "--size=1m", "--filename=file/b"];
    assert_eq!(fio(folder.path(), words).status.code(), Some(1));
    assert_eq!(names(folder.path()), ["file"]);
}

/// The command with a limit on the size of each file that it writes, in blocks of 512 bytes.
fn limited(blocks: u32, folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_truedisk");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), program]).args(args);
    command.env("XDG_DATA_HOME", "/dev/null").env_remove("TRUEDISK_HISTORY");
    command.current_dir(folder).output().unwrap()
}

#[test]
fn a_limit_on_file_sizes_is_an_error_and_leaves_nothing() {
    let folder = Scratch::new().unwrap();
    for args in [
        &["check", "--quick", "--no-history", "."][..],
        &["limit", "--no-history", "--size", "32m", "."],
        &["preset", "crystaldiskmark", "--no-history", "."],
        &["fio", "--name=a", "--rw=read", "--size=16m"],
        &["fio", "--name=a", "--rw=write", "--size=16m", "--fallocate=none"],
        &["fio", "--name=a", "--rw=write", "--size=512k", "--name=b", "--rw=read", "--size=2m"],
    ] {
        check_refused(&limited(2048, folder.path(), args), 1, "(ulimit -f unlimited)");
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{args:?}");
    }
    // What no layout knows: an error of the operation, and no signal.
    let words = ["fio", "--name=a", "--rw=write", "--size=8m", "--fill_device=1"];
    let output = limited(2048, folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("err=27"), "{}", stderr(&output));
}

#[test]
fn small_files_and_results_beyond_the_limit_are_an_error_too() {
    let folder = Scratch::new().unwrap();
    let words = ["preset", "metadata", "--no-history", "."];
    check_refused(&limited(0, folder.path(), &words), 1, "(ulimit -f unlimited)");
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn trims_are_not_for_files() {
    let folder = Scratch::new().unwrap();
    let file = folder.path().join("keep");
    fs::write(&file, vec![7; 1 << 20]).unwrap();
    let blocks = fs::metadata(&file).unwrap().blocks();
    for rw in ["trim", "randtrim", "trimwrite", "randtrimwrite"] {
        for name in ["keep", "new"] {
            let (rw, name) = (format!("--rw={rw}"), format!("--filename={name}"));
            let words = ["--name=a", &rw, &name, "--size=1m"];
            check_refused(&fio(folder.path(), words), 1, "trims are for block devices");
        }
    }
    assert_eq!(fs::read(&file).unwrap(), vec![7; 1 << 20]);
    assert_eq!(fs::metadata(&file).unwrap().blocks(), blocks);
    assert_eq!(names(folder.path()), ["keep"]);
}

#[test]
fn readonly_holds_for_every_engine() {
    let folder = Scratch::new().unwrap();
    for rw in ["write", "randrw", "trim", "randtrimwrite"] {
        let rw = format!("--rw={rw}");
        let words = ["--readonly", "--name=a", "--ioengine=null", "--size=1m", &rw];
        check_refused(&fio(folder.path(), words), 1, "--readonly was given");
    }
    let reads = ["--readonly", "--name=a", "--ioengine=null", "--size=1m", "--rw=randread"];
    assert!(fio(folder.path(), reads).status.success());
}

#[test]
fn json_is_json_whatever_a_job_is_called() {
    let folder = Scratch::new().unwrap();
    let name = "--name=a\u{1b}]0;x\u{7}\tb\"\\";
    let words = [name, "--ioengine=null", "--size=1m", "--output-format=json"];
    let output = json(&fio(folder.path(), words));
    assert_eq!(output["jobs"][0]["jobname"], &name["--name=".len()..]);
    assert_eq!(output["jobs"][0]["job options"]["name"], &name["--name=".len()..]);
}

#[test]
fn nothing_refused_what_a_buffered_job_did_not_ask() {
    let folder = Scratch::new().unwrap();
    for words in [
        "--rw=write --size=8m --end_fsync=1",
        "--rw=read --size=8m",
        "--rw=read --size=8m --pre_read=1 --invalidate=0",
        "--rw=write --size=64k",
    ] {
        let words = words.split(' ').chain(["--name=a", "--direct=0", "--output-format=json"]);
        let findings = json(&fio(folder.path(), words))["truedisk"]["findings"].to_string();
        assert!(!findings.contains("refused"), "{findings}");
    }
}
