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
    // 1 where others disturbed all of it: the text has the figures nevertheless.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{stderr}");
    let record: Record = serde_json::from_slice(&std::fs::read(json.path()).unwrap()).unwrap();
    let stated = Duration::from(record.measured.plan.budget) + AROUND;
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

/// Runs a preset in this many times the shortest time; whether all of it was measured. A pass of
/// 50 ms may have no request completed beside others, which the record says.
fn runs_whole(name: &str, times: u64) -> bool {
    // A surface has 101 places of a megabyte and more, and some blocks have ten.
    let size = if ["hdtune", "gnome-disks"].contains(&name) { "512m" } else { "32m" };
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let least = least_budget(name, size, folder.path());
    let seconds: u64 = least.strip_suffix('s').unwrap().parse().unwrap();
    let budget = format!("{}s", seconds * times);
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
    if let Completion::Partial { reason, .. } = &record.measured.completion {
        assert!(reason.text().ends_with("nothing completed"), "{name}: {reason:?}");
        return false;
    }
    let Purpose::Preset(plan) = &record.measured.plan.purpose else {
        panic!("{:?}", record.measured.plan)
    };
    for step in &plan.steps {
        let figures = passes(&record, &step.name);
        let done = !figures.is_empty() && figures.iter().all(|cell| cell.iops() > 0.0);
        assert!(done, "{name}: {}", step.name);
    }
    let stated = Duration::from(record.measured.plan.budget) + AROUND;
    assert!(took < stated, "{name}: {took:?} instead of {stated:?}");
    true
}

/// All but `metadata`, which has files of its own and its own tests. Four at a time: it is no
/// matter of speed. Those that had too little of the disk then have it alone, with passes twice as
/// long: a disk may pause for 50 ms.
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
            scope.spawn(move || own.filter(|name| !runs_whole(name, 1)).collect::<Vec<_>>())
        };
        let lanes: Vec<_> = (0..4).map(lane).collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap()).collect()
    });
    assert!(partial.iter().all(|name| runs_whole(name, 2)), "{partial:?}");
}

/// The passes of a step that count.
fn passes<'r>(record: &'r Record, step: &str) -> Vec<&'r Cell> {
    let of = |cell: &&Cell| {
        let counts = |s: &record::StepCell| s.step == step && !s.discarded;
        cell.role != record::CellRole::Disturbed && cell.step.as_ref().is_some_and(counts)
    };
    record.measured.cells.iter().filter(of).collect()
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
            let best = cells.iter().copied().map(megabytes).fold(0.0, f64::max);
            let shown = line(part, test);
            assert!((shown - best).abs() < 0.001, "{step}: {shown} instead of {best}");
            cells.iter().for_each(|cell| counted(cell));
        }
    }
    assert!(text.contains("\nProfile: Default\n   Test: 32 MiB (x5) [") && text.contains("OS: "));
}

/// Bytes by time, in millions per second.
fn megabytes(cell: &Cell) -> f64 {
    let bytes: u64 = cell.data_directions().map(|totals| totals.bytes).sum();
    bytes as f64 / (cell.elapsed.0 as f64 / 1e9) / 1e6
}

/// A figure that was printed is what follows from the record, but for its last digit.
fn near(shown: f64, expected: f64, digit: f64, what: &str) {
    assert!((shown - expected).abs() <= digit, "{what}: {shown} instead of {expected}");
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

/// A test as a version of CrystalDiskMark names it, with the steps that read and write.
type Named = (&'static str, &'static str);

/// Runs the preset of a version and reads its text as a script does: of a line the test's name, the
/// number before `MB/s`, and where it is there the number before `IOPS`.
fn older_crystaldiskmark(version: &str, parts: bool, tests: [Named; 4]) {
    let name = format!("crystaldiskmark-{version}");
    let (text, record) = in_folder(&name, &["--size", "32m", "--budget", "6s"]);
    for (word, title) in [("read", "[Read]"), ("write", "[Write]")] {
        let part = if parts { text.split(title).nth(1).unwrap() } else { &text };
        for (test, step) in tests {
            let what = if word == "read" { "Read" } else { "Write" };
            let test = test.replace("WHAT", what);
            let line = part.lines().find(|line| line.trim_start().starts_with(&test));
            let line = line.unwrap_or_else(|| panic!("{test} in {text}"));
            let before = |unit: &str| {
                let (left, _) = line.split_once(unit)?;
                left.split([' ', '[', '<']).next_back()?.parse::<f64>().ok()
            };
            let cells = passes(&record, &format!("{step}-{word}"));
            assert_eq!(cells.len(), 5, "{step}");
            let best = cells.iter().copied().map(megabytes).fold(0.0, f64::max);
            near(before(" MB/s").unwrap(), best, 0.00051, line);
            let iops = best * 1e6 / cells[0].job.block_size.0 as f64;
            match before(" IOPS") {
                Some(shown) => near(shown, iops, 0.051, line),
                None => assert!(!parts && step.starts_with("seq"), "{line}"),
            }
            let means = cells.iter().map(|cell| {
                let totals = cell.data_directions().next().unwrap();
                totals.latency_ns.mean / 1000.0
            });
            if let Some(shown) = before(" us>") {
                near(shown, means.fold(f64::INFINITY, f64::min), 0.0051, line);
            }
        }
    }
    let named = match version {
        "7" => "\n   Test: 32 MiB (x5) [Interval: ",
        _ => "\n  Test : 32 MiB [",
    };
    assert!(text.contains(named), "{text}");
    let affinity = " sec] <DefaultAffinity=DISABLED>\n   Date: ";
    assert_eq!(text.contains(affinity), version == "7", "{text}");
}

#[test]
fn older_crystaldiskmarks_texts_are_read_by_their_scripts() {
    let _alone = alone();
    older_crystaldiskmark(
        "5",
        false,
        [
            ("Sequential WHAT (Q= 32,T= 1) :", "seq128k-q32t1"),
            ("Random WHAT 4KiB (Q= 32,T= 1) :", "rnd4k-q32t1"),
            ("Sequential WHAT (T= 1) :", "seq1m-q1t1"),
            ("Random WHAT 4KiB (Q= 1,T= 1) :", "rnd4k-q1t1"),
        ],
    );
    older_crystaldiskmark(
        "6",
        false,
        [
            ("Sequential WHAT (Q= 32,T= 1) :", "seq128k-q32t1"),
            ("Random WHAT 4KiB (Q=  8,T= 8) :", "rnd4k-q8t8"),
            ("Random WHAT 4KiB (Q= 32,T= 1) :", "rnd4k-q32t1"),
            ("Random WHAT 4KiB (Q=  1,T= 1) :", "rnd4k-q1t1"),
        ],
    );
    older_crystaldiskmark(
        "7",
        true,
        [
            ("Sequential 1MiB (Q=  8, T= 1):", "seq1m-q8t1"),
            ("Sequential 1MiB (Q=  1, T= 1):", "seq1m-q1t1"),
            ("Random 4KiB (Q= 32, T=16):", "rnd4k-q32t16"),
            ("Random 4KiB (Q=  1, T= 1):", "rnd4k-q1t1"),
        ],
    );
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
    for (label, step) in [
        ("Disk  Random 16.0 Read", "ran-read"),
        ("Disk  Sequential 64.0 Read", "seq-read"),
        ("Disk  Sequential 64.0 Write", "seq-write"),
    ] {
        let cell = passes(&record, step)[0];
        near(value(label), megabytes(cell), 0.0051, label);
        assert_eq!((passes(&record, step).len(), cell.job.depth.0), (1, 8), "{step}");
    }
    for (label, step) in [
        ("Average Read Time with Sequential Writes", "flush-seq"),
        ("Average Read Time with Random Writes", "flush-ran"),
    ] {
        let cells = passes(&record, step);
        assert_eq!(cells.len(), 2, "reads and writes at the same time");
        let reads = cells.iter().find_map(|cell| cell.totals.read.as_ref()).unwrap();
        near(value(label), reads.latency_ns.mean / 1e6, 0.00051, label);
    }
    let cells = passes(&record, "flush-seq");
    let reads = cells.iter().find_map(|cell| cell.totals.read.as_ref()).unwrap();
    near(value("Latency: Maximum"), reads.latency_ns.max as f64 / 1e6, 0.00051, "maximum");
    match reads.latency_ns.percentiles.get("p95") {
        Some(p95) => near(value("Latency: 95th Percentile"), *p95 as f64 / 1e6, 0.00051, "p95"),
        None => assert!(!text.contains("95th"), "too few reads for it: {text}"),
    }
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
        .measured
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
    let head = format!("\n{}:\n Timing cached reads:   ", device.path().display());
    assert!(text.starts_with(&head), "{text}");
    for (label, step) in [
        ("cached reads", "cached"),
        ("buffered disk reads", "buffered"),
        ("O_DIRECT cached reads", "direct-cached"),
        ("O_DIRECT disk reads", "direct"),
    ] {
        let start = format!(" Timing {label}: ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [mebibytes, "MB", "in", seconds, "seconds", "=", rate, "MB/sec"] = words.as_slice()
        else {
            panic!("{line}")
        };
        let [mebibytes, seconds, rate] = [mebibytes, seconds, rate].map(|n| n.parse().unwrap());
        let cell = passes(&record, step)[0];
        let (bytes, time) = (cell.totals.read.as_ref().unwrap().bytes, cell.elapsed.0 as f64 / 1e9);
        let read = bytes as f64 / f64::from(1 << 20);
        near(mebibytes, read, 0.51, label);
        near(seconds, time, 0.0051, label);
        near(rate, read / time, 0.0051, label);
        let further = if step.ends_with("cached") { u64::MAX } else { 32 << 20 };
        assert!(bytes > 0 && bytes <= further, "{step}: not further than the end: {bytes}");
    }
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

/// As `12.34 MB/s`: the number in KB/s, and what its last digit is worth.
fn speed(number: &str, unit: &str) -> (f64, f64) {
    let factor = match unit {
        "GB/s" => 1e6,
        "MB/s" => 1e3,
        "KB/s" => 1.0,
        other => panic!("{other}"),
    };
    (number.parse::<f64>().unwrap() * factor, 0.01 * factor)
}

#[test]
fn yabss_table_has_the_rates_of_the_cells() {
    let _alone = alone();
    let (text, record) = in_folder("yabs", &["--size", "16m", "--budget", "3s"]);
    let mut sizes: Vec<&str> = Vec::new();
    let mut seen = 0;
    for line in text.lines() {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [label, cells @ ..] = fields.as_slice() else { continue };
        if *label == "Block Size" {
            sizes = cells.iter().map(|cell| cell.split(' ').next().unwrap()).collect();
        }
        if !["Read", "Write", "Total"].contains(label) {
            continue;
        }
        for (size, shown) in sizes.iter().zip(cells) {
            let cell = passes(&record, &format!("mixed-{size}"))[0];
            let of =
                |totals: &record::DirectionTotals| [totals.bytes_per_second / 1e3, totals.iops];
            let [read, write] =
                [&cell.totals.read, &cell.totals.write].map(|totals| of(totals.as_ref().unwrap()));
            let [kilobytes, iops] = match *label {
                "Read" => read,
                "Write" => write,
                _ => [read[0] + write[0], read[1] + write[1]],
            };
            let words: Vec<&str> = shown.split_whitespace().collect();
            let [number, unit, operations] = words.as_slice() else { panic!("{line}") };
            // Digits are cut off, and of the sum both parts had theirs cut off before.
            let (rate, digit) = speed(number, unit);
            assert!((rate..=rate + digit + 2.0).contains(&kilobytes), "{line}: {kilobytes}");
            let operations = operations.trim_matches(['(', ')']);
            let (shown, digit) = match operations.strip_suffix('k') {
                Some(thousands) => (thousands.parse::<f64>().unwrap() * 1e3, 100.0),
                None => (operations.parse::<f64>().unwrap(), 1.0),
            };
            assert!((shown..=shown + digit + 2.0).contains(&iops), "{line}: {iops}");
            seen += 1;
        }
    }
    assert_eq!(seen, 12, "{text}");
}

/// The mean over every transfer followed by every sync of the bytes by their time.
fn mean_of_rates(cell: &Cell, transfers: &record::DirectionTotals) -> f64 {
    let times = |totals: &record::DirectionTotals| -> Vec<(f64, f64)> {
        let histogram = totals.latency_ns.histogram.to_histogram().unwrap();
        let middle = |(low, high, n): (u64, u64, u64)| ((low + high) as f64 / 2e9, n as f64);
        histogram.buckets().map(middle).collect()
    };
    let syncs = cell.totals.sync.as_deref().map_or_else(|| vec![(0.0, 1.0)], times);
    let (mut sum, mut count) = (0.0, 0.0);
    for (transfer, n) in times(transfers) {
        for (sync, m) in &syncs {
            sum += n * m * cell.job.block_size.0 as f64 / (transfer + sync);
            count += n * m;
        }
    }
    sum / count
}

#[test]
fn gnome_disks_page_has_the_means_of_its_samples() {
    let _alone = alone();
    let (text, record) = in_folder("gnome-disks", &["--size", "64m", "--budget", "4s"]);
    assert!(text.starts_with("Sample Size: 10.0 MiB (10,485,760 bytes)\n"), "{text}");
    let words = |label: &str| -> Vec<&str> {
        let line = text.lines().find_map(|line| line.strip_prefix(label)).unwrap();
        line.split([' ', '(']).filter(|word| !word.is_empty()).collect()
    };
    for (label, step) in [("Average Read Rate: ", "read"), ("Average Write Rate: ", "write")] {
        let cell = passes(&record, step)[0];
        let transfers = cell.data_directions().next().unwrap();
        let expected = mean_of_rates(cell, transfers);
        let words = words(label);
        let factor = match words[1] {
            "GB/s" => 1e9,
            "MB/s" => 1e6,
            "kB/s" => 1e3,
            other => panic!("{other}"),
        };
        near(words[0].parse().unwrap(), expected / factor, 0.051, label);
        assert_eq!(words[2], transfers.ops.to_string(), "{text}");
        let sync = cell.totals.sync.as_ref().map_or(0.0, |syncs| syncs.latency_ns.mean);
        let slowest = cell.job.block_size.0 as f64 * 1e9 / (transfers.latency_ns.mean + sync);
        assert!(expected > 0.98 * slowest, "no rate of the mean is above the mean of the rates");
    }
    let reads = passes(&record, "access")[0].totals.read.as_ref().unwrap();
    let access = words("Average Access Time: ");
    near(access[0].parse().unwrap(), reads.latency_ns.mean / 1e6, 0.0051, "access");
    assert_eq!((access[1], access[2]), ("msec", reads.ops.to_string().as_str()));
}

#[test]
fn gnome_disks_and_hd_tune_print_theirs() {
    let _alone = alone();
    let (text, _) = in_folder("gnome-disks", &["--size", "64m", "--budget", "4s"]);
    let labels: Vec<&str> = text.lines().filter_map(|line| line.split(':').next()).collect();
    let expected =
        ["Sample Size", "Average Read Rate", "Average Write Rate", "Average Access Time"];
    assert_eq!(labels, expected);
    // The same steps with less time for each place, as a user's own preset.
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
    let slices = &record.judgement_or_default().surface.as_ref().unwrap().slices;
    assert_eq!(slices.len(), 5);
    let field = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(" : "));
        let (_, value) = lines.find(|(label, _)| label.trim() == name).unwrap();
        value.split([' ', '%']).next().unwrap().parse::<f64>().unwrap()
    };
    let rates: Vec<f64> = slices.iter().map(|slice| slice.rate() / 1e6).collect();
    let mean = rates.iter().sum::<f64>() / 5.0;
    near(field("Transfer Rate Minimum"), rates.iter().copied().fold(f64::MAX, f64::min), 0.051, "");
    near(field("Transfer Rate Maximum"), rates.iter().copied().fold(0.0, f64::max), 0.051, "");
    near(field("Transfer Rate Average"), mean, 0.051, "average");
    near(field("Burst Rate"), megabytes(passes(&record, "burst")[0]), 0.051, "burst");
    let access = passes(&record, "access")[0];
    assert_eq!(access.job.span.length, record.measured.plan.span, "over the whole of it");
    let access = access.totals.read.as_ref().unwrap().latency_ns.mean / 1e6;
    near(field("Access Time"), access, if access < 0.1 { 0.00051 } else { 0.051 }, "access");
    for (row, step) in [
        ("4 KB ", "random-4k"),
        ("64 KB ", "random-64k"),
        ("1 MB ", "random-1m"),
        ("Random ", "random-mixed"),
    ] {
        let mut lines = text.lines().rev();
        let line = lines.find(|line| line.starts_with(row)).unwrap_or_else(|| panic!("{text}"));
        let words: Vec<&str> = line[row.len()..].split_whitespace().collect();
        let [iops, "IOPS", mean, "ms", max, "ms", rate, "MB/s"] = words.as_slice() else {
            panic!("{line}")
        };
        let cell = passes(&record, step)[0];
        let reads = cell.totals.read.as_ref().unwrap();
        let shown = [iops, mean, max, rate].map(|number| number.parse::<f64>().unwrap());
        near(shown[0], reads.iops, 0.51, line);
        near(shown[1], reads.latency_ns.mean / 1e6, 0.00051, line);
        near(shown[2], reads.latency_ns.max as f64 / 1e6, 0.00051, line);
        near(shown[3], megabytes(cell), 0.00051, line);
    }
    let rows = text.lines().filter(|line| line.contains(" IOPS ")).count();
    assert!((4..=5).contains(&rows), "512 bytes are no sector everywhere: {text}");
    assert_clean(folder.path());
}
