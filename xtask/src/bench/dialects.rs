//! The bench `dialects`: `truedisk preset hdparm` and `preset dd` against hdparm and dd, each by
//! the text that it prints.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use lab::{LoopDevice, Scratch};

use super::section::{Bound, Section};
use super::{Pairs, Setting, Side, programs, take_turns};
use crate::process;

const ROUNDS: usize = 5;
/// As much as fits into the memory of a small machine twice: hdparm reads to the end or for 3 s.
const DEVICE_BYTES: u64 = 512 << 20;
const FILE_BYTES: u64 = 512 << 20;
/// How far our figure may be from the peer's.
const NEAR: Bound = Bound::Within(0.95, 1.05);

/// hdparm's timings: how it is asked, and what its line begins with.
const TIMINGS: [(&[&str], &str); 4] = [
    (&["-T"], "Timing cached reads:"),
    (&["-t"], "Timing buffered disk reads:"),
    (&["-T", "--direct"], "Timing O_DIRECT cached reads:"),
    (&["-t", "--direct"], "Timing O_DIRECT disk reads:"),
];

/// What people run with dd, on a file that exists.
const COPIES: [(&str, &[&str]); 6] = [
    ("8k direct write", &["if=/dev/zero", "of=data", "bs=8k", "oflag=direct", "conv=notrunc"]),
    ("8k direct read", &["if=data", "of=/dev/null", "bs=8k", "iflag=direct"]),
    ("1M direct write", &["if=/dev/zero", "of=data", "bs=1M", "oflag=direct", "conv=notrunc"]),
    ("1M direct read", &["if=data", "of=/dev/null", "bs=1M", "iflag=direct"]),
    ("1M fdatasync write", &["if=/dev/zero", "of=data", "bs=1M", "conv=notrunc,fdatasync"]),
    ("1M buffered read", &["if=data", "of=/dev/null", "bs=1M"]),
];
/// The preset copies a quarter of its file in blocks of 8 KiB.
const SMALL_SHARE: u64 = 4;

/// Gives the section.
pub(super) fn section(setting: &Setting) -> Result<String> {
    programs::need(&["hdparm", "dd"])?;
    let rounds = programs::rounds(ROUNDS)?;
    let arguments = ["-p", "truedisk", "--bin", "truedisk"];
    let [truedisk] = programs::build(setting.root, &arguments, ["truedisk"])?;
    let mut section = Section::new(
        "hdparm and dd, by their presets",
        "`truedisk preset hdparm` against hdparm on a loop device of 512 MiB whose file is in \
         memory, and `truedisk preset dd` against dd on a written file of 512 MiB (blocks of \
         8 KiB: a quarter of it), taking turns; MB/s by the text that each prints.",
        &["what", "ours, MB/s", "peer's, MB/s", "ratio of medians (of single rounds)", "n"],
    );
    hdparm(&truedisk, rounds, &mut section)?;
    dd(&truedisk, rounds, &mut section)?;
    Ok(section.markdown())
}

fn hdparm(truedisk: &Path, rounds: usize, section: &mut Section) -> Result<()> {
    let device = LoopDevice::new(DEVICE_BYTES)
        .map_err(|error| anyhow!("{error}\nhint: it needs root and a free loop device"))?;
    let path = device.path();
    let mut sides: Vec<Side<'_, Vec<f64>>> = vec![
        Box::new(|_| {
            let text = preset(truedisk, "hdparm", path, &[])?;
            TIMINGS.iter().map(|(_, label)| timing(&text, label)).collect()
        }),
        Box::new(|_| {
            let one = |(options, label): &(&[&str], &str)| {
                let text = process::stdout(Command::new("hdparm").args(*options).arg(path))?;
                timing(&text, label)
            };
            TIMINGS.iter().map(one).collect()
        }),
    ];
    let all = take_turns(rounds, &mut sides)?;
    let names: Vec<String> =
        TIMINGS.iter().map(|(options, _)| format!("hdparm {}", options.join(" "))).collect();
    tell(section, &names, &all[0], &all[1]);
    Ok(())
}

fn dd(truedisk: &Path, rounds: usize, section: &mut Section) -> Result<()> {
    let scratch = Scratch::new()?;
    let folder = scratch.path().to_owned();
    lab::written_file(&folder, "data", FILE_BYTES)?;
    let mut sides: Vec<Side<'_, Vec<f64>>> = vec![
        Box::new(|_| {
            let size = FILE_BYTES.to_string();
            let text = preset(truedisk, "dd", &folder, &["--size", &size])?;
            let rates: Vec<f64> = text.lines().filter_map(copied).collect();
            ensure!(rates.len() == COPIES.len(), "{} copies in:\n{text}", rates.len());
            Ok(rates)
        }),
        Box::new(|_| COPIES.iter().map(|(_, words)| copy(&folder, words)).collect()),
    ];
    let all = take_turns(rounds, &mut sides)?;
    let names: Vec<String> = COPIES.iter().map(|(name, _)| format!("dd {name}")).collect();
    tell(section, &names, &all[0], &all[1]);
    Ok(())
}

/// The familiar text of a preset on a path.
fn preset(truedisk: &Path, name: &str, path: &Path, more: &[&str]) -> Result<String> {
    let mut command = Command::new(truedisk);
    command.args(["preset", name]).arg(path).args(["--format", name, "--no-history"]).args(more);
    // Its progress and its findings are not for a table of figures.
    command.stderr(Stdio::null());
    let output = command.output().context("cannot run truedisk")?;
    ensure!(output.status.success(), "preset {name} ended with {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs dd and gives its rate.
fn copy(folder: &Path, words: &[&str]) -> Result<f64> {
    // The file is out of memory before each, as it is before a step of the preset.
    let forget = ["if=data", "iflag=nocache", "count=0", "status=none"];
    process::run(Command::new("dd").args(forget).current_dir(folder))?;
    let blocks = match words.contains(&"bs=8k") {
        true => FILE_BYTES / SMALL_SHARE / 8192,
        false => FILE_BYTES >> 20,
    };
    let mut command = Command::new("dd");
    command.args(words).arg(format!("count={blocks}")).current_dir(folder);
    let output = command.env("LC_ALL", "C").output().context("cannot run dd")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "dd {words:?} failed: {said}");
    said.lines().find_map(copied).with_context(|| format!("dd {words:?} said:\n{said}"))
}

/// MB/s of dd's last line, by its bytes and seconds: they have more digits than its rate.
fn copied(line: &str) -> Option<f64> {
    let (bytes, rest) = line.split_once(" bytes ")?;
    let (_, rest) = rest.split_once("copied, ")?;
    let (seconds, _) = rest.split_once(" s, ")?;
    Some(bytes.parse::<f64>().ok()? / seconds.parse::<f64>().ok()? / 1e6)
}

/// The rate of hdparm's line that begins so, in its own MB/s.
fn timing(text: &str, label: &str) -> Result<f64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(label));
    let Some(line) = line else { bail!("no '{label}' in:\n{text}") };
    let rate = line.split_once('=').and_then(|(_, rest)| rest.trim().strip_suffix(" MB/sec"));
    let rate = rate.and_then(|rate| rate.trim().parse().ok());
    rate.with_context(|| format!("no rate behind '{label}' in '{line}'"))
}

fn tell(section: &mut Section, names: &[String], ours: &[Vec<f64>], peers: &[Vec<f64>]) {
    for (place, name) in names.iter().enumerate() {
        let side = |rounds: &[Vec<f64>]| rounds.iter().map(|rates| rates[place]).collect();
        let pairs = Pairs { a: side(ours), b: side(peers) };
        section.row([
            name.clone(),
            format!("{:.1}", pairs.median_a()),
            format!("{:.1}", pairs.median_b()),
            pairs.ratio().to_string(),
            pairs.a.len().to_string(),
        ]);
        section.require(format!("{name}, ours / peer's"), NEAR, pairs.ratio().ratio);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peers_lines_are_read() {
        let line = "268435456 bytes (268 MB, 256 MiB) copied, 0.25 s, 1.1 GB/s";
        assert_eq!(copied(line), Some(1_073.741_824));
        assert_eq!(copied("256+0 records in"), None);
        let text =
            "\n/dev/loop0:\n Timing cached reads:   8792 MB in  2.00 seconds = 4401.61 MB/sec\n";
        assert_eq!(timing(text, TIMINGS[0].1).unwrap(), 4401.61);
        assert!(timing(text, TIMINGS[1].1).is_err());
    }
}
