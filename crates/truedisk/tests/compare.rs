//! `truedisk compare` from the command line: records of real devices, fio's JSON, bad input.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::path::Path;
use std::process::Output;

use lab::{LoopDevice, Need, Throttle};
use record::compare::{Basis, Comparison, Outcome};
use serde_json::{Value, json};
use support::{alone, assert_clean, run, truedisk};

/// Two more than an interval takes: one run that a busy machine disturbed then decides nothing.
const RUNS: usize = 6;

fn text(output: &Output) -> (String, String) {
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (of(&output.stdout), of(&output.stderr))
}

fn compared(args: &[&str]) -> Comparison {
    let output = run(truedisk([&["compare", "--json", "-"], args].concat()));
    let (stdout, stderr) = text(&output);
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}{stdout:.300}"))
}

/// A job of a public comparison, as fio 3 prints it.
fn job(name: &str, rw: &str, read: f64, write: f64) -> Value {
    let part = |iops: f64| {
        let ops = (iops * 60.0) as u64;
        json!({"io_bytes": ops * 4096, "io_kbytes": ops * 4, "bw_bytes": (iops * 4096.0) as u64,
            "bw": (iops * 4.0) as u64, "iops": iops, "runtime": if ops > 0 { 60_000 } else { 0 },
            "total_ios": ops})
    };
    json!({"jobname": name, "groupid": 0, "error": 0,
        "job options": {"name": name, "rw": rw, "rwmixread": "75", "bs": "4k", "iodepth": "64",
            "ioengine": "libaio", "direct": "1", "size": "4g", "gtod_reduce": "1"},
        "read": part(read), "write": part(write), "trim": part(0.0)})
}

/// The three documents of one host, each a run of fio of its own joined into one.
fn host(folder: &Path, name: &str, version: &str, rates: [(f64, f64); 3]) -> String {
    let names = [("mix", "randrw"), ("reads", "randread"), ("writes", "randwrite")];
    let mut jobs = Vec::new();
    for (place, ((name, rw), (read, write))) in names.into_iter().zip(rates).enumerate() {
        let mut one = job(name, rw, read, write);
        one["groupid"] = json!(place);
        jobs.push(one);
    }
    let document = json!({"fio version": version, "timestamp": 1_795_219_207, "jobs": jobs});
    let path = folder.join(name);
    std::fs::write(&path, document.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

const DROPLET: [(f64, f64); 3] = [(33_215.0, 11_093.0), (86_630.0, 0.0), (0.0, 8_850.0)];
const T2_SMALL: [(f64, f64); 3] = [(2_257.0, 752.0), (3_016.0, 0.0), (0.0, 2_943.0)];

#[test]
fn the_public_comparison_of_two_hosts_has_its_ratios_its_cap_and_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let droplet = host(folder.path(), "droplet.json", "fio-3.1", DROPLET);
    let t2 = host(folder.path(), "t2.json", "fio-3.1", T2_SMALL);
    let comparison = compared(&[&droplet, &t2]);
    let pair = &comparison.pairs[0];
    let ratio = |label: &str, figure: &str| {
        let cell = pair.cells.iter().find(|cell| cell.label == label).unwrap();
        let found = cell.figures.iter().find(|f| f.figure.label() == figure).unwrap();
        assert_eq!(found.effect.basis, Basis::Figures);
        assert_eq!(found.effect.ratio.interval(), None);
        1.0 / found.effect.ratio.value
    };
    let near = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 0.001, "{found}, not {expected}");
    };
    near(ratio("75/25 mix 4k, depth 64", "read IOPS"), 33_215.0 / 2_257.0);
    near(ratio("75/25 mix 4k, depth 64", "write IOPS"), 11_093.0 / 752.0);
    near(ratio("random read 4k, depth 64", "IOPS"), 86_630.0 / 3_016.0);
    near(ratio("random write 4k, depth 64", "IOPS"), 8_850.0 / 2_943.0);
    assert!(comparison.sides[0].caps.is_empty(), "{:?}", comparison.sides[0].caps);
    let cap = &comparison.sides[1].caps[0];
    assert_eq!(cap.iops.0, 3000.0);
    assert!(
        cap.words.text().contains("gp2") && cap.words.text().contains("3,000 IOPS"),
        "{}",
        cap.words.text()
    );

    let page = folder.path().join("page.html");
    let output = run(truedisk(["compare", &droplet, &t2, "--html", page.to_str().unwrap()]));
    let (stdout, stderr) = text(&output);
    assert!(output.status.success(), "{stderr}");
    let stdout = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "One run of each side does not show how much runs differ.",
        "B looks capped at 3,000 IOPS.",
        "gp2",
        "A gives 3.01 to 28.7 x what B gives",
        "x 0.0679",
        "random write 4k, depth 64",
    ] {
        assert!(stdout.contains(words), "'{words}' is missing in:\n{stdout}");
    }
    assert!(std::fs::read_to_string(&page).unwrap().contains("ratios-1-"));
    // Nothing of one run each is enough to fail a build.
    let output = run(truedisk(["compare", &droplet, &t2, "--fail-on", "worse"]));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).1.contains("cannot tell"), "{}", text(&output).1);
}

#[test]
fn runs_of_fio_are_compared_between_runs_and_for_the_money() {
    let folder = tempfile::tempdir().unwrap();
    let scaled = |factor: f64| DROPLET.map(|(read, write)| (read * factor, write * factor));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (place, noise) in [1.0, 1.01, 0.99, 1.005, 0.995, 1.002].into_iter().enumerate() {
        a.push(host(folder.path(), &format!("a{place}.json"), "fio-3.33", scaled(noise)));
        b.push(host(folder.path(), &format!("b{place}.json"), "fio-3.33", scaled(0.8 * noise)));
    }
    let (a, b) = (a.join(","), b.join(","));
    let comparison = compared(&[&a, &b, "--price", "24,12", "--currency", "EUR"]);
    let pair = &comparison.pairs[0];
    let overall = pair.overall.as_ref().unwrap();
    assert_eq!((overall.outcome, overall.basis), (Outcome::Slower, Basis::BetweenRuns));
    assert!(
        overall.words.text().starts_with("B is 1.25 x slower, 1.2"),
        "{}",
        overall.words.text()
    );
    for cell in &pair.cells {
        let main = cell.main_figure().unwrap();
        assert!(cell.holds_in_family && main.effect.outcome == Outcome::Slower, "{cell:#?}");
        let money = main.per_price.as_ref().unwrap();
        assert!((money.ratio.value - 1.6).abs() < 0.01 && money.ratio.interval().is_some());
    }
    let status = |args: &[&str]| {
        run(truedisk([&["compare", "--fail-on", "worse"], args].concat())).status.code()
    };
    assert_eq!(status(&[&a, &b]), Some(3));
    assert_eq!(status(&[&b, &a]), Some(0), "faster is not slower");
    // --a and --b say the same.
    let files: Vec<&str> = a.split(',').collect();
    let others: Vec<&str> = b.split(',').collect();
    let args = [&["--a"][..], &files, &["--b"], &others].concat();
    assert_eq!(status(&args), Some(3));
}

#[test]
fn bad_input_is_one_clear_error_each() {
    let folder = tempfile::tempdir().unwrap();
    let good = host(folder.path(), "good.json", "fio-3.33", DROPLET);
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/golden/v1.json");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let record = std::fs::read_to_string(golden).unwrap();
    let newer = record.replacen("\"schema_version\":1", "\"schema_version\":999", 1);
    let whole = std::fs::read_to_string(&good).unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let check = |args: &[&str], words: &str| {
        let output = run(truedisk([&["compare"], args].concat()));
        let (stdout, stderr) = text(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}{stdout}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
        assert!(stdout.is_empty(), "{stdout}");
    };
    check(&[&good, &file("cut.json", &record[..record.len() / 2])], "is not a truedisk record");
    check(&[&good, &file("cutfio.json", &whole[..whole.len() / 2])], "cut off or damaged");
    check(&[&good, &file("newer.json", &newer)], "schema version 999");
    check(&[&good, &file("other.json", "{\"a\": 1}")], "is not a truedisk record");
    check(&[&good, &file("binary.json", "\u{1}\u{2}")], "is not a truedisk record");
    check(&[&good, "/nonexistent/x.json"], "cannot read /nonexistent/x.json");
    check(&[&good, empty.to_str().unwrap()], "there is no record in");
    check(&[&good], "takes two sides");
    check(&[&good, &good, "--price", "1"], "1 prices for 2 sides");
    check(&[&good, &good, "--price", "1,0"], "a price is above 0");
    check(&[&good, golden], "have no job in common");
    check(&[&format!("{good},{good}"), &good], "is the same run as");
    check(&["--interleave", &good], "takes two paths");
}

/// Short runs of the same two workloads, each a record of its own.
fn measured(device: &LoopDevice, cap: u64, folder: &Path, name: &str) -> String {
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(cap).unwrap();
    let home = folder.join(name);
    std::fs::create_dir(&home).unwrap();
    for number in 0..RUNS {
        let file = home.join(format!("{number}.json"));
        let seed = number.to_string();
        let command = truedisk([
            "sweep",
            "--read-only",
            "--no-history",
            "--quiet",
            "--bs",
            "4k",
            "--depth",
            "32,64",
            "--budget",
            "2s",
            "--cell-max",
            "1s",
            "--seed",
            &seed,
            "--json",
            file.to_str().unwrap(),
            device.path().to_str().unwrap(),
        ]);
        let output = run(throttle.wrap_command(&command));
        assert!(output.status.success(), "{}", text(&output).1);
    }
    home.to_str().unwrap().to_owned()
}

#[test]
fn two_throttled_devices_are_told_apart_by_what_was_set() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let device = LoopDevice::new(256 << 20).unwrap();
    // From memory, so that the throttle alone decides, whatever others do with the disk below.
    let mut whole = std::fs::File::open(device.path()).unwrap();
    std::io::copy(&mut whole, &mut std::io::sink()).unwrap();
    drop(whole);
    let slow = measured(&device, 3000, folder.path(), "slow");
    let fast = measured(&device, 5000, folder.path(), "fast");
    let comparison = compared(&[&slow, &fast]);
    let pair = &comparison.pairs[0];
    assert_eq!(pair.cells.len(), 2, "{:#?}", pair.excluded);
    for cell in &pair.cells {
        let effect = &cell.main_figure().unwrap().effect;
        assert_eq!((effect.outcome, effect.runs), (Outcome::Faster, (6, 6)), "{effect:#?}");
        let (low, high) = effect.ratio.interval().unwrap();
        assert!(low < 5.0 / 3.0 * 1.02 && high > 5.0 / 3.0 / 1.02, "{effect:#?}");
        assert!((effect.ratio.value * 3.0 / 5.0 - 1.0).abs() < 0.1, "{effect:#?}");
    }
    let output = run(truedisk(["compare", &fast, &slow, "--fail-on", "worse"]));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output).0);
    // Half of the runs against the other half: nothing to be found.
    let half = |from: usize| {
        let files = (from..from + 2).map(|number| format!("{slow}/{number}.json"));
        files.collect::<Vec<_>>().join(",")
    };
    let none = compared(&[&half(0), &half(2)]);
    for cell in &none.pairs[0].cells {
        let effect = &cell.main_figure().unwrap().effect;
        assert_eq!(effect.outcome, Outcome::CannotTell, "{effect:#?}");
        assert!(effect.runs_needed.is_none_or(|runs| runs >= 4), "{}", effect.words.text());
    }
}

#[test]
fn two_paths_are_measured_in_turns_until_they_are_told_apart() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices);
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let device = LoopDevice::new(256 << 20).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(1000).unwrap();
    // A device of its own, whatever others do with the disk below.
    let fast = LoopDevice::new(256 << 20).unwrap();
    let measured = |kept: &Path| {
        let command = truedisk([
            "compare",
            "--interleave",
            "--read-only",
            "--rw",
            "randread",
            "--depth",
            "8",
            "--cell-time",
            "300ms",
            "--visits",
            "6",
            "--quiet",
            "--json",
            "-",
            "--records",
            kept.to_str().unwrap(),
            device.path().to_str().unwrap(),
            fast.path().to_str().unwrap(),
        ]);
        let output = run(throttle.wrap_command(&command));
        let (stdout, stderr) = text(&output);
        assert!(output.status.success(), "{stderr}");
        let comparison: Comparison = serde_json::from_str(&stdout).unwrap();
        // No cell: others of this host disturbed every run of a side.
        comparison.pairs[0].cells.first().map(|cell| cell.main_figure().unwrap().clone())
    };
    // Runs that others of this host disturbed are left out.
    let mut tries = (1..=5).map(|n| folder.path().join(format!("kept{n}")));
    let (kept, main) = tries
        .find_map(|kept| {
            let main = measured(&kept)?;
            let (left, right) = main.effect.runs;
            (left >= 4 && right >= 4).then_some((kept, main))
        })
        .expect("in each of five comparisons others disturbed three runs of a side");
    assert_eq!(main.effect.outcome, Outcome::Faster, "{main:#?}");
    assert!((main.a.value / 1000.0 - 1.0).abs() < 0.1, "{:?}", main.a);
    // The records of the visits, compared again, say the same; they were made in turns.
    let names: Vec<String> = ["a", "b"]
        .iter()
        .map(|side| {
            (1..=6)
                .map(|n| format!("{}/{side}{n:03}.json", kept.display()))
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect();
    let again = compared(&[&names[0], &names[1]]);
    assert_eq!(again.pairs[0].cells[0].main_figure().unwrap().effect.ratio, main.effect.ratio);
}

#[test]
fn turns_on_two_folders_leave_nothing_behind() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::create_dir(&a).unwrap();
    std::fs::create_dir(&b).unwrap();
    let args = ["compare", "--interleave", "--size", "64m", "--rw", "randread,randwrite"];
    let more = ["--depth", "4", "--cell-time", "100ms", "--visits", "2", "--quiet"];
    let paths = [a.to_str().unwrap(), b.to_str().unwrap()];
    let output = run(truedisk([&args[..], &more, &paths].concat()));
    let (stdout, stderr) = text(&output);
    assert!(output.status.success(), "{stderr}");
    // Runs may be left out of the figures: others of this host disturbed them.
    let is_open = |words: &str| stdout.to_lowercase().contains(words);
    assert!(is_open("cannot tell: ") || is_open("undecided in 2"), "{stdout}");
    assert_eq!(stdout.matches(" (2 runs, ").count(), 2, "{stdout}");
    assert_clean(&a);
    assert_clean(&b);
}
