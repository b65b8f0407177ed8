//! The presets that imitate other tools, as their user meets them: they end in time, leave nothing
//! behind, print the familiar text, and what it says is what was counted.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::Path;
use std::time::Duration;

use lab::{LoopDevice, Need};
use record::{Cell, Completion, Purpose, Record};
use support::{alone, assert_clean, run, truedisk};

/// Of a run, beside its budget: starting, judging, cleaning up on a busy host.
const AROUND: Duration = Duration::from_secs(12);

/// Runs a preset and gives its familiar text and its record.
fn preset(name: &str, path: &Path, more: &[&str]) -> (String, Record) {
    let json = tempfile::NamedTempFile::new_in("/var/tmp").unwrap();
    let mut command = truedisk(["preset", name]);
    command.arg(path).args(["--no-history", "--quiet", "--seed", "1"]).args(more);
    command.arg("--json").arg(json.path());
    let format = ["--format", name];
    if !more.contains(&"--format") {
        command.args(format);
    }
    let begun = std::time::Instant::now();
    let output = run(command);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let record: Record = serde_json::from_slice(&std::fs::read(json.path()).unwrap()).unwrap();
    let stated = Duration::from(record.plan.budget) + AROUND;
    assert!(begun.elapsed() < stated, "{:?} instead of {stated:?}", begun.elapsed());
    (String::from_utf8(output.stdout).unwrap(), record)
}

/// In a folder of its own, which is empty after.
fn in_folder(name: &str, more: &[&str]) -> (String, Record) {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let result = preset(name, folder.path(), more);
    assert_clean(folder.path());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    result
}

/// The shortest time that a preset can be given, as its error advises it.
fn least_budget(name: &str, size: &str, folder: &Path) -> String {
    let mut command = truedisk(["preset", name, "--size", size, "--budget", "1ms", "--quiet"]);
    command.arg("--no-history").arg(folder);
    let output = run(command);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
    let (_, budget) = stderr.split_once("--budget ").unwrap();
    budget.split_whitespace().next().unwrap().to_owned()
}

/// Runs a preset in the shortest time; whether all of it was measured. Beside others a pass of
/// 50 ms may have no request completed, which the record says.
fn runs_whole(name: &str) -> bool {
    // A surface has 101 places of a megabyte and more, and some blocks have ten.
    let size = if ["hdtune", "gnome-disks"].contains(&name) { "512m" } else { "32m" };
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let budget = least_budget(name, size, folder.path());
    let mut command = truedisk(["preset", name, "--size", size, "--json", "-", "--quiet"]);
    command.args(["--no-history", "--budget", &budget]).arg(folder.path());
    let begun = std::time::Instant::now();
    let output = run(command);
    let took = begun.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{name}: {stderr}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    assert_clean(folder.path());
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    if let Completion::Partial { reason, .. } = &record.completion {
        assert!(reason.ends_with("nothing completed"), "{name}: {reason}");
        return false;
    }
    let Purpose::Preset(plan) = &record.plan.purpose else { panic!("{:?}", record.plan) };
    for step in &plan.steps {
        let figures = passes(&record, &step.name);
        let done = !figures.is_empty() && figures.iter().all(|cell| cell.iops() > 0.0);
        assert!(done, "{name}: {}", step.name);
    }
    let stated = Duration::from(record.plan.budget) + AROUND;
    assert!(took < stated, "{name}: {took:?} instead of {stated:?}");
    true
}

/// All but `metadata`, which has files of its own and its own tests. Four at a time: it is no
/// matter of speed. Who had too little of the disk then has it alone.
#[test]
fn every_preset_ends_in_its_time_with_all_of_its_figures_and_leaves_nothing() {
    let _alone = alone();
    let list = run(truedisk(["preset", "--json", "-"])).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    let names = list["presets"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|preset| preset["name"].as_str().unwrap()).collect();
    assert!(names.len() > 30, "{names:?}");
    let names: Vec<&str> = names.into_iter().filter(|name| *name != "metadata").collect();
    let partial: Vec<&str> = std::thread::scope(|scope| {
        let lane = |lane: usize| {
            let own = names.iter().skip(lane).step_by(4).copied();
            scope.spawn(move || own.filter(|name| !runs_whole(name)).collect::<Vec<_>>())
        };
        let lanes: Vec<_> = (0..4).map(lane).collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(partial.iter().all(|name| runs_whole(name)), "{partial:?}");
}

/// The passes of a step that count.
fn passes<'r>(record: &'r Record, step: &str) -> Vec<&'r Cell> {
    let of = |cell: &&Cell| cell.step.as_ref().is_some_and(|s| s.step == step && !s.discarded);
    record.cells.iter().filter(of).collect()
}

#[test]
fn crystaldiskmarks_megabytes_are_bytes_by_time_and_stand_in_the_counters() {
    let _alone = alone();
    let (text, record) = in_folder("crystaldiskmark", &["--size", "32m", "--budget", "6s"]);
    let line = |part: &str, test: &str| {
        let part = text.split(part).nth(1).unwrap();
        let line = part.lines().find(|line| line.trim_start().starts_with(test)).unwrap();
        let (_, rest) = line.split_once("):").unwrap();
        rest.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    for (part, word) in [("[Read]", "read"), ("[Write]", "write")] {
        for (test, step) in [
            ("SEQ    1MiB (Q=  8, T= 1)", "seq1m-q8t1"),
            ("SEQ    1MiB (Q=  1, T= 1)", "seq1m-q1t1"),
            ("RND    4KiB (Q= 32, T= 1)", "rnd4k-q32t1"),
            ("RND    4KiB (Q=  1, T= 1)", "rnd4k-q1t1"),
        ] {
            let cells = passes(&record, &format!("{step}-{word}"));
            assert_eq!(cells.len(), 5);
            let rates = cells.iter().map(|cell| {
                let bytes: u64 = cell.data_directions().map(|totals| totals.bytes).sum();
                bytes as f64 / (cell.elapsed.0 as f64 / 1e9) / 1e6
            });
            let best = rates.fold(0.0, f64::max);
            let shown = line(part, test);
            assert!((shown - best).abs() < 0.001, "{step}: {shown} instead of {best}");
            cells.iter().for_each(|cell| counted(cell));
        }
    }
    assert!(text.contains("\nProfile: Default\n   Test: 32 MiB (x5) [") && text.contains("OS: "));
}

/// What a cell says it moved stands in the counters: of its operations, what was still out at the
/// end more; of the process and of the device at least as much.
fn counted(cell: &Cell) {
    let bytes: u64 = cell.data_directions().map(|totals| totals.bytes).sum();
    let ledger = &cell.ledger;
    let asked = ledger.read_bytes.0 + ledger.write_bytes.0;
    let late = u64::from(cell.job.depth.0) * cell.job.block_size.0;
    assert!((bytes..=bytes + late).contains(&asked), "{}: {bytes}, asked {asked}", cell.name);
    if let Some(process) = &ledger.process {
        let charged = process.read_bytes.0 + process.write_bytes.0;
        assert!(charged >= asked, "{}: charged {charged} of {asked}", cell.name);
    }
    if let Some(layer) = ledger.layers.first() {
        let served = layer.read_bytes.0 + layer.write_bytes.0;
        // The kernel counts a request when it is done: the last may be on their way.
        assert!(served + late >= asked, "{}: served {served} of {asked}", cell.name);
    }
}

#[test]
fn winsats_lines_come_from_reads_beside_writes() {
    let _alone = alone();
    let (text, record) = in_folder("winsat", &["--size", "32m", "--budget", "4s"]);
    let value = |label: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("> {label}   "))).unwrap();
        line.split_whitespace().rev().nth(1).unwrap().parse::<f64>().unwrap()
    };
    for label in [
        "Disk  Random 16.0 Read",
        "Disk  Sequential 64.0 Read",
        "Disk  Sequential 64.0 Write",
        "Average Read Time with Sequential Writes",
        "Average Read Time with Random Writes",
    ] {
        assert!(value(label) > 0.0, "{label}");
    }
    let cells = passes(&record, "flush-seq");
    let reads = cells.iter().find_map(|cell| cell.totals.read.as_ref()).unwrap();
    assert_eq!(cells.len(), 2, "reads and writes at the same time");
    assert!((value("Latency: Maximum") - reads.latency_ns.max as f64 / 1e6).abs() < 0.001);
}

#[test]
fn dds_last_lines_count_the_sync_and_only_where_it_was_asked() {
    let _alone = alone();
    let (text, record) = in_folder("dd", &["--size", "16m"]);
    let copied: Vec<&str> = text.lines().filter(|line| line.contains(" copied, ")).collect();
    let sizes: Vec<&str> =
        copied.iter().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(sizes, ["4194304", "4194304", "16777216", "16777216", "16777216", "16777216"]);
    assert!(text.contains(" bs=8k count=512 oflag=direct conv=notrunc\n512+0 records in\n"));
    assert!(text.contains(" bs=1M count=16 conv=notrunc,fdatasync\n"), "{text}");
    let synced: Vec<&str> = record
        .cells
        .iter()
        .filter(|cell| cell.end_sync.is_some())
        .map(|cell| cell.name.as_str())
        .collect();
    assert_eq!(synced, ["write-1m-fdatasync"]);
    let cell = passes(&record, "write-1m-fdatasync")[0];
    let whole = (cell.elapsed.0 + cell.end_sync.unwrap().0) as f64 / 1e9;
    let seconds = copied[4].rsplit(", ").nth(1).unwrap().trim_end_matches(" s");
    let seconds: f64 = seconds.parse().unwrap();
    assert!((seconds / whole - 1.0).abs() < 1e-4, "{seconds} instead of {whole}");
    let written = cell.ledger.process.map_or(cell.ledger.write_bytes, |p| p.write_bytes);
    assert!(written.0 >= 16 << 20, "the sync is within the counters: {written}");
}

#[test]
fn hdparm_only_reads_a_device_and_needs_no_word_for_it() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(32 << 20).unwrap();
    let before = std::fs::read(device.path()).unwrap();
    let (text, record) = preset("hdparm", device.path(), &["--budget", "2s"]);
    let rate = |label: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!(" Timing {label}: ")));
        let words: Vec<&str> = line.unwrap().rsplitn(3, ' ').collect();
        assert_eq!(words[0], "MB/sec");
        words[1].parse::<f64>().unwrap()
    };
    let head = format!("\n{}:\n Timing cached reads:   ", device.path().display());
    assert!(text.starts_with(&head), "{text}");
    for label in ["buffered disk reads", "O_DIRECT cached reads", "O_DIRECT disk reads"] {
        assert!(rate(label) > 0.0);
    }
    // Both are of the same cell: MiB by the time.
    let cell = passes(&record, "direct")[0];
    let bytes = cell.totals.read.as_ref().unwrap().bytes;
    assert!(bytes <= 32 << 20, "not further than the end");
    let expected = bytes as f64 / f64::from(1 << 20) / (cell.elapsed.0 as f64 / 1e9);
    assert!((rate("O_DIRECT disk reads") / expected - 1.0).abs() < 0.01);
    assert!(std::fs::read(device.path()).unwrap() == before, "nothing was written");
}

#[test]
fn yabs_has_four_sizes_as_table_and_as_json() {
    let _alone = alone();
    let more = ["--size", "16m", "--budget", "3s", "--format", "yabs-json"];
    let (text, record) = in_folder("yabs", &more);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let fio = value["fio"].as_array().unwrap();
    let sizes: Vec<&str> = fio.iter().map(|row| row["bs"].as_str().unwrap()).collect();
    assert_eq!(sizes, ["4k", "64k", "512k", "1m"]);
    let cell = passes(&record, "mixed-4k")[0];
    let reads = cell.totals.read.as_ref().unwrap();
    assert_eq!(fio[0]["speed_r"], (reads.bytes_per_second / 1000.0) as u64);
    assert_eq!(fio[0]["iops_r"], reads.iops as u64);
    assert_eq!((cell.job.depth.0, cell.job.workers), (128, 2));
}

#[test]
fn gnome_disks_and_hd_tune_print_theirs() {
    let _alone = alone();
    let (text, _) = in_folder("gnome-disks", &["--size", "64m", "--budget", "4s"]);
    let labels: Vec<&str> = text.lines().filter_map(|line| line.split(':').next()).collect();
    let expected =
        ["Sample Size", "Average Read Rate", "Average Write Rate", "Average Access Time"];
    assert_eq!(labels, expected);
    // The same steps with less time for each place, as a preset of somebody's own.
    let shown = run(truedisk(["preset", "hdtune", "--show"]));
    let toml = String::from_utf8(shown.stdout).unwrap();
    let short = toml
        .replace("places = 101", "places = 5")
        .replace("\"250ms\"", "\"60ms\"")
        .replace("\"3s\"", "\"100ms\"")
        .replace("\"1s\"", "\"100ms\"");
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = folder.path().join("short.toml");
    std::fs::write(&file, short).unwrap();
    let more = ["--size", "32m", "--format", "hdtune"];
    let (text, record) = preset(file.to_str().unwrap(), folder.path(), &more);
    for label in
        ["Transfer Rate Minimum : ", "Access Time           : ", "Burst Rate            : "]
    {
        assert!(text.contains(label), "{label} in {text}");
    }
    let places = text.lines().filter(|line| line.contains(" GB  ")).count();
    assert_eq!(places, 5, "{text}");
    assert_eq!(record.surface.unwrap().slices.len(), 5);
    let rows = text.lines().filter(|line| line.contains(" IOPS ")).count();
    assert!((4..=5).contains(&rows), "512 bytes are no sector everywhere: {text}");
    assert_clean(folder.path());
}
