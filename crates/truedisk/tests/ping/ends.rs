//! How runs end before their time: by signals, and by readers that leave.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lab::{Need, Scratch};

use crate::{masked, ours, text, theirs};

fn mine(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
    command.arg("ping").args(words).current_dir(folder);
    command
}

fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
}

/// Waits until the work file without a name has some contents.
fn preparing(child: &Child) {
    let folder = format!("/proc/{}/fd", child.id());
    let begun = || {
        let files = fs::read_dir(&folder).unwrap().flatten();
        files.map(|file| file.path()).any(|file| {
            let unnamed = fs::read_link(&file)
                .is_ok_and(|name| name.to_string_lossy().ends_with("(deleted)"));
            unnamed && fs::metadata(&file).is_ok_and(|file| file.len() > 1 << 16)
        })
    };
    while !begun() {
        // sleeps because another process has to come that far
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_interrupt_during_preparation_ends_without_statistics() {
    lab::skip_unless!(Need::Program("ioping"));
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    // Long enough to be interrupted, and small enough for a disk if it is not.
    let words = ["-J", "-s", "512", "-S", "2g", "."];
    let by_signal = |mut command: Command| {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        preparing(&child);
        interrupt(&child);
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.is_empty(), "{command:?}: {said}");
        let status = child.wait().unwrap();
        (status.signal(), status.code())
    };
    assert_eq!(by_signal(theirs(folder, &words)), (Some(2), None));
    assert_eq!(by_signal(ours(folder, &words)), (Some(2), None));
    assert_eq!(by_signal(mine(folder, &words)), (None, Some(130)));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "nothing is left behind");
}

/// Waits for the first line, interrupts, and gives the rest.
fn interrupted(mut command: Command) -> (String, Option<i32>, f64) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    out.read_line(&mut said).unwrap();
    // sleeps because ioping, interrupted between its line and its pause, makes the whole pause
    std::thread::sleep(Duration::from_millis(100));
    let since = Instant::now();
    interrupt(&child);
    out.read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap().code();
    (said, status, since.elapsed().as_secs_f64())
}

#[test]
fn an_interrupt_ends_with_the_statistics_at_once() {
    lab::skip_unless!(Need::Program("ioping"));
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path();
    let words = ["-i", "1h", "."];
    let programs = [ours(folder, &words), theirs(folder, &words), mine(folder, &words)];
    let mut told = Vec::new();
    for command in programs {
        let name = format!("{command:?}");
        let (said, status, took) = interrupted(command);
        told.push(masked(&said));
        assert_eq!(status, Some(0), "{name}: it has no end of its own");
        assert!(said.contains("request=1 ") && !said.contains("request=2 "), "{name}: {said}");
        assert!(said.contains("generated 1 requests in "), "{name}: {said}");
        assert!(took < 60.0, "{name}: it did not wait for the hour, but {took} s");
    }
    assert_eq!(told[0], told[1], "to the letter, but for times");
    let planned = mine(folder, &["-i", "1h", "-c", "5"]);
    assert_eq!(interrupted(planned).1, Some(130), "what was planned was not done");
}

/// Says `ioping` and `truedisk ping` how they end when they cannot go on and are asked twice.
#[test]
fn a_second_interrupt_ends_at_once_with_what_was_said() {
    let scratch = Scratch::new().unwrap();
    // Every request is warned of on stderr, which nobody reads: once it is full the run hangs, and
    // the lines before wait in memory, as there is no pause.
    let words = ["-i", "0", "/dev/null"];
    let programs = [(ours(scratch.path(), &words), 4), (mine(scratch.path(), &words), 130)];
    for (mut command, expected) in programs {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut said = String::new();
            out.read_to_string(&mut said).map(|_| said).unwrap()
        });
        let status = loop {
            // sleeps because the pipe has to be full, and signals not to be taken for one
            std::thread::sleep(Duration::from_millis(200));
            match child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => interrupt(&child),
            }
        };
        let said = reader.join().unwrap();
        let mut warned = String::new();
        child.stderr.take().unwrap().read_to_string(&mut warned).unwrap();
        assert_eq!(status, Some(expected), "{command:?}");
        // The last warning may have found no room; its line would have come after it.
        let lines = said.lines().filter(|line| line.contains(": request=")).count();
        let warnings = warned.matches('\n').count();
        assert!(warnings > 100 && lines + 1 >= warnings, "{command:?}: {lines} of {warnings}");
    }
}

#[test]
fn a_reader_that_leaves_ends_the_run_quietly() {
    let scratch = Scratch::new().unwrap();
    let mut command = mine(scratch.path(), &["-i", "1ms"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("request=1 "), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}
