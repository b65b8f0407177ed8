//! The bench `presets`: whether each preset ends within the time that is stated of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use lab::{FileSystem, Mount, Scratch, SimulatedDisk, laws};
use record::{Completion, Purpose, store};

use super::harness::{Bench, BenchContext, Bound, Section, hint_at_root};
use xtask::process;

/// Presets at once: what they take is a matter of clocks, not of the disk.
const WORKERS: usize = 6;
const TIME_MAX: f64 = 300.0;
/// Larger files are not laid out; no time depends on them.
const FILE_BYTES: u64 = 512 << 20;
/// The one that makes files of its own.
const SMALL_FILES: &str = "metadata";
/// Of the simulated disk on which that one runs too.
const HARD_DISK_BYTES: u64 = 8 << 30;
/// Exit statuses of a run to its end: thresholds are met, cannot be told, are missed.
const ENDED_STATUSES: [i32; 3] = [0, 1, 3];

#[derive(Debug, Clone, PartialEq)]
struct ListedPreset {
    name: String,
    seconds: f64,
}

struct PresetRun {
    listed: ListedPreset,
    /// What the run stated as it began, its layout included, and what it took.
    stated: f64,
    taken: f64,
    /// Of the latter, the layout.
    layout: f64,
    /// Whether it kept its file's size and its steps' times.
    departures: Vec<String>,
}

pub(super) const BENCH: Bench = Bench {
    name: "presets",
    heading: "Presets, and the time that is stated of them",
    method: "`truedisk preset NAME` on an empty folder of this machine's disk, with its own times, \
             six presets at once, and `metadata` alone on ext4 on a simulated hard disk of 7200 \
             rpm too; files of more than 512 MiB are of 512 MiB. The list states the time of \
             measuring; a run states as it begins what it takes at most, with laying out its file. \
             Nothing but the record may be left behind, and its text is printed.",
    columns: "preset | list, s | stated as it begins, s | taken, s | of that layout, s | notes",
    tools: &[],
    rounds: 1,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let list = parse_list(&process::capture_stdout(Command::new(&truedisk).arg("preset"))?)?;
    let (mut chosen, left_out): (Vec<_>, Vec<_>) =
        list.into_iter().partition(|listed| listed.seconds <= TIME_MAX);
    let left_out: Vec<String> = left_out.into_iter().map(|listed| listed.name).collect();
    let order: Vec<String> = chosen.iter().map(|listed| listed.name.clone()).collect();
    // The longest first, so that the workers end together.
    chosen.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let queue = Mutex::new(chosen);
    let done = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            let next = queue.lock().ok().and_then(|mut queue| queue.pop());
            let Some(listed) = next else { return Ok(()) };
            let run = run_preset(&truedisk, listed, Scratch::new()?.path())?;
            if let Ok(mut done) = done.lock() {
                done.push(run);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => bail!("a worker panicked"),
        })
    })?;
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|run| order.iter().position(|name| *name == run.listed.name));
    let small_files = done.iter().find(|run| run.listed.name == SMALL_FILES);
    if let Some(listed) = small_files.map(|run| run.listed.clone()) {
        let mut run = run_on_hard_disk(&truedisk, listed)?;
        run.listed.name.push_str(", hard disk");
        done.push(run);
    }
    add_results(section, &done, &left_out);
    Ok(())
}

/// A run on ext4 on a simulated disk of 7200 rpm, alone.
fn run_on_hard_disk(truedisk: &Path, listed: ListedPreset) -> Result<PresetRun> {
    let disk = SimulatedDisk::new(laws::hdd(HARD_DISK_BYTES)).map_err(hint_at_root)?;
    let device = disk.attach().map_err(hint_at_root)?;
    let mount = Mount::new(&device, FileSystem::Ext4).map_err(hint_at_root)?;
    let folder = mount.path().join("measured");
    std::fs::create_dir(&folder)?;
    run_preset(truedisk, listed, &folder)
}

fn add_results(section: &mut Section, done: &[PresetRun], left_out: &[String]) {
    let left_out = left_out.join(", ");
    let text = format!("Left out, as they are stated to take more than 5 minutes: {left_out}.");
    section.describe(&text);
    for run in done {
        section.add_row([
            run.listed.name.clone(),
            format!("{:.0}", run.listed.seconds),
            format!("{:.0}", run.stated),
            format!("{:.1}", run.taken),
            format!("{:.1}", run.layout),
            run.departures.join("; "),
        ]);
    }
    let worst = done.iter().map(|run| run.taken / run.stated).fold(0.0, f64::max);
    section.require("taken / stated as it begins, of the worst", Bound::AtMost(1.0), worst);
}

fn run_preset(truedisk: &Path, listed: ListedPreset, folder: &Path) -> Result<PresetRun> {
    let beside = Scratch::new()?;
    let json: PathBuf = beside.path().join("record.json");
    let mut command = Command::new(truedisk);
    command.args(["preset", &listed.name, "--no-history", "--json"]).arg(&json);
    command.arg(folder).stderr(Stdio::piped());
    if listed.name != SMALL_FILES {
        let size = FILE_BYTES.min(read_file_size(truedisk, &listed.name)?);
        command.args(["--size", &size.to_string()]);
    }
    let started = Instant::now();
    let output = command.output().context("cannot run truedisk")?;
    let taken = started.elapsed().as_secs_f64();
    let name = &listed.name;
    let fine = output.status.code().is_some_and(|code| ENDED_STATUSES.contains(&code));
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(fine, "preset {name} ended with {}: {said}", output.status);
    ensure!(!output.stdout.is_empty(), "preset {name} printed nothing");
    let left = std::fs::read_dir(folder)?.count();
    ensure!(left == 0, "preset {name} left {left} files");
    let record = store::load_record(&json).with_context(|| format!("no record of {name}"))?;
    let (stated, departures) = match &record.measured.plan.purpose {
        Purpose::Preset(plan) => {
            let departures =
                message::texts(&plan.departures).into_iter().map(str::to_owned).collect();
            (record.measured.plan.budget.as_secs_f64(), departures)
        }
        // Its plan has what it should take, and the list what it takes at most.
        Purpose::Metadata(_) => (listed.seconds, Vec::new()),
        other => bail!("the record of {name} is of {}", other.name()),
    };
    let Completion::Complete = record.measured.completion else {
        bail!("preset {name} did not end: {:?}", record.measured.completion)
    };
    let layout = record.measured.layout.as_ref().map_or(0.0, |layout| layout.elapsed.as_secs_f64());
    eprintln!("xtask: {name}: {taken:.1} of {stated:.1} s");
    Ok(PresetRun { stated, taken, layout, departures, listed })
}

fn read_file_size(truedisk: &Path, name: &str) -> Result<u64> {
    let text = process::capture_stdout(Command::new(truedisk).args(["preset", name, "--show"]))?;
    let line = text.lines().find_map(|line| line.strip_prefix("size = \""));
    let Some(size) = line.and_then(|rest| rest.strip_suffix('"')) else { return Ok(FILE_BYTES) };
    let (number, unit) = size.split_at(size.len().saturating_sub(1));
    let shift = match unit {
        "m" => 20,
        "g" => 30,
        _ => bail!("preset {name} has a size of '{size}'"),
    };
    Ok(number.parse::<u64>().with_context(|| format!("no size: '{size}'"))? << shift)
}

fn parse_list(text: &str) -> Result<Vec<ListedPreset>> {
    let row = |line: &str| {
        let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        let (name, time) = (columns.next()?, columns.next()?);
        let name = name.to_owned();
        Some(ListedPreset { name, seconds: parse_seconds(time)? })
    };
    let rows: Vec<ListedPreset> = text.lines().filter_map(row).collect();
    ensure!(!rows.is_empty(), "no presets in:\n{text}");
    Ok(rows)
}

/// Seconds of `1 min 14 s`.
fn parse_seconds(words: &str) -> Option<f64> {
    let words: Vec<&str> = words.split(' ').collect();
    let parts = words.chunks(2).map(|part| match *part {
        [number, "h"] => Some(number.parse::<f64>().ok()? * 3600.0),
        [number, "min"] => Some(number.parse::<f64>().ok()? * 60.0),
        [number, "s"] => number.parse().ok(),
        _ => None,
    });
    parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_as_a_user_reads_it() {
        let text = "Presets\n\n name    at most      file          what\n \
                    snia    45 min 50 s  8g    writes  steady state: IOPS, throughput,\n \
                    \x20                                  write saturation\n \
                    sqlite  26 s         64m   writes  SQLite: transactions a second\n\
                    Times are those of measuring;  laying out comes on top.\n";
        let row = |name: &str, seconds| ListedPreset { name: name.to_owned(), seconds };
        assert_eq!(parse_list(text).unwrap(), [row("snia", 2750.0), row("sqlite", 26.0)]);
        assert!(parse_list("Presets\n").is_err());
        assert_eq!(parse_seconds("1 h 2 min"), Some(3720.0));
    }

    #[test]
    fn the_worst_is_held_against_what_was_stated() {
        let ran = |name: &str, stated, taken| PresetRun {
            listed: ListedPreset { name: name.to_owned(), seconds: 10.0 },
            stated,
            taken,
            layout: 1.0,
            departures: Vec::new(),
        };
        let text = |taken| {
            let mut section = Section::new(BENCH.heading, BENCH.method, BENCH.columns);
            add_results(&mut section, &[ran("a", 20.0, 10.0), ran("b", 20.0, taken)], &[]);
            section.render_markdown()
        };
        assert!(text(19.0).contains("measured 0.950: met"));
        assert!(text(21.0).contains("measured 1.050: NOT MET"));
    }
}
