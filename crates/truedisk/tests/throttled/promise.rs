//! Promises, end to end: devices that give what a plan says keep it, and not the next one.

use std::path::Path;
use std::process::Command;

use crate::support::{alone, beside, blind, check, record_of, run, truedisk};
use lab::{LoopDevice, Need, Scratch, Throttle};
use record::{Kept, PromisedWhat, Record};

const SIZE: u64 = 1 << 30;
/// Plans of one's own, in the folder, with the tolerance that AWS states of its volumes.
fn plans(folder: &Path) -> String {
    let tier = |k: u64| {
        format!("[nhp-{k}k]\ntitle = \"NHP {k}K IOPS\"\niops = {}\ntolerance = 0.9\n", k * 1000)
    };
    let text: String = [3, 5, 10, 15, 25].into_iter().map(tier).collect();
    let file = folder.join("plans.toml");
    std::fs::write(&file, text).unwrap();
    file.to_string_lossy().into_owned()
}

fn outcomes(record: &Record) -> Vec<(Kept, String)> {
    let outcomes = &record.judgement_or_default().promise;
    outcomes.iter().map(|o| (o.kept, format!("{o:?}"))).collect()
}

fn search(device: &LoopDevice, plan: &str) -> Command {
    let mut command = truedisk(["limit", "--json", "-", "--no-history", "--seed", "1"]);
    command.args(["--read-only", "--bound", "mean<1s", "--depth", "8", "--plan", plan]);
    command.arg(device.path());
    command
}

/// A search on a device that its provider throttles, against a plan: its record and its exit
/// status. The kernel serves a
/// throttled device in slices of a tenth of a second: the short steps of a quick check see too
/// few of them, the probes of a search enough.
fn against(throttle: &Throttle, device: &LoopDevice, plan: &str) -> (Record, Option<i32>) {
    let command = search(device, plan);
    let output = run(blind(throttle, &command));
    let text = String::from_utf8(output.stdout).unwrap();
    let record = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    (record, output.status.code())
}

/// The host may be robbed of its processors while one run lasts, and then the run says that it
/// cannot tell, or its search has no answer (status 1); a wrong answer it must never give.
fn eventually(kept: Kept, attempt: impl Fn() -> (Record, Option<i32>)) -> (Record, Option<i32>) {
    let wrong = if kept == Kept::Kept { Kept::NotKept } else { Kept::Kept };
    let mut last = Vec::new();
    for _ in 0..4 {
        let (record, status) = attempt();
        let outcomes = outcomes(&record);
        assert!(outcomes.iter().all(|(is, _)| *is != wrong), "{outcomes:#?}");
        let is_answered = kept == Kept::NotKept || status != Some(1);
        if is_answered && outcomes.iter().all(|(is, _)| *is == kept) {
            return (record, status);
        }
        last = outcomes;
    }
    panic!("four runs could not tell: {last:#?}");
}

/// Which of two near plans a throttled device keeps is decided on the virtual clock
/// (`method::promised`), where no neighbour widens the intervals. On a real one, shared and served
/// in slices: never a wrong answer for its own plan, and the right ones for plans far from it.
/// Its name begins so that it starts beside the other throttled ones, before those that wait.
#[test]
fn a_device_that_is_throttled_keeps_a_smaller_plan_and_not_a_larger() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices, Need::Program("unshare"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let file = plans(scratch.path());
    let device = LoopDevice::new(SIZE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(5_000).unwrap();
    let judged = |name: &str| against(&throttle, &device, &format!("{file}:{name}"));
    let (record, _) = judged("nhp-5k");
    assert!(outcomes(&record).iter().all(|(is, _)| *is != Kept::NotKept), "{record:#?}");
    let (_, status) = eventually(Kept::Kept, || judged("nhp-3k"));
    assert_eq!(status, Some(0));
    let (record, status) = eventually(Kept::NotKept, || judged("nhp-15k"));
    assert_eq!(status, Some(3));
    assert!(record.measured.promise.unwrap().title.unwrap().starts_with("NHP"));
}

#[test]
fn a_plain_device_keeps_a_small_promise_of_each_kind() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(SIZE).unwrap();
    let promise = "iops=100,mbps=2,latency=mean<1s".as_ref();
    let path = device.path().as_os_str();
    let command = || check(["--read-only".as_ref(), "--promise".as_ref(), promise, path]);
    let record = record_of(command());
    let outcomes = &record.judgement_or_default().promise;
    assert_eq!(outcomes.len(), 3, "{outcomes:#?}");
    for outcome in outcomes {
        assert_eq!(outcome.kept, Kept::Kept, "{outcome:#?}");
        assert!(outcome.measured.is_some(), "{outcome:#?}");
    }
    let bound = |what: PromisedWhat| matches!(what, PromisedWhat::Latency { .. });
    assert!(outcomes.iter().any(|o| bound(o.what)));
    assert_eq!(
        record.measured.plan.bounds.len(),
        2,
        "its latency is searched for beside the usual one"
    );
    assert!(record.measured.volumes.is_empty(), "a loop device is no EBS volume");
}

/// A device that is far better than the plan: it may be that a robbed host lets a quick check say
/// nothing, but never that the plan is not kept.
#[test]
fn a_plan_of_the_catalogue_is_judged_by_a_check() {
    lab::skip_unless!(Need::LoopDevices);
    let _alone = alone();
    let device = LoopDevice::new(SIZE).unwrap();
    let mut command = check(["--read-only", "--plan", "aws:gp3:50GiB"]);
    command.arg(device.path());
    let output = run(command);
    assert_eq!(output.status.code(), Some(0));
    let record: Record = serde_json::from_slice(&output.stdout).unwrap();
    let promise = record.measured.promise.as_ref().unwrap();
    assert!(promise.title.as_ref().unwrap().contains("gp3, 50 GiB"), "{promise:#?}");
    assert!(promise.sources.iter().any(|source| source.contains("aws")), "{promise:#?}");
    let outcomes = &record.judgement_or_default().promise;
    let whats: Vec<PromisedWhat> = outcomes.iter().map(|outcome| outcome.what).collect();
    assert!(whats.iter().any(|what| matches!(what, PromisedWhat::Iops)), "{whats:?}");
    for outcome in outcomes {
        assert_ne!(outcome.kept, Kept::NotKept, "{outcome:#?}");
        assert!(outcome.measured.is_some(), "{outcome:#?}");
    }
}

/// What a command that is refused says, and its exit status.
fn refused(args: &[&str]) -> String {
    let output = run(truedisk(args));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty());
    stderr
}

#[test]
fn bad_plans_are_refused_before_anything_is_measured() {
    let says = |args: &[&str], words: &str| {
        let stderr = refused(args);
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    };
    says(&["check", "--plan", "aws:gp4:50GiB", "."], "nearest: aws:gp2, aws:gp3");
    says(&["check", "--plan", "aws:gp3:32GiB,iops=20000", "."], "it is 3,000 to 16,000");
    says(&["check", "--promise", "iops=many", "."], "must be a number above 0");
    says(&["check", "--promise", "iops=5", "--plan", "aws:gp2:1GiB"], "cannot be used with");
    says(&["check", "--plan", "./none.toml:x", "."], "cannot read the plans in ./none.toml");
    says(&["model", "aws:gp2"], "a size is missing");
    says(&["model", "hdd"], "--seek TIME is missing");
    says(&["model", "hdd", "--rpm", "1", "--seek", "8ms"], "it is 1,000 to 30,000");
    says(&["model", "aws:gp2:50GiB", "--rpm", "7200"], "--rpm is for 'hdd' only");
    says(&["model", "aws:gp2:50GiB", "--against", "/nonexistent"], "cannot read");
    let scratch = Scratch::new().unwrap();
    let file = plans(scratch.path());
    says(&["model", &format!("{file}:nhp-4k")], "nearest: nhp-3k, nhp-5k");
}

/// What a command prints.
fn printed(args: &[&str]) -> String {
    let output = run(truedisk(args));
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn models_are_tables_that_fit_a_terminal() {
    let says = |args: &[&str], all: &[&str]| {
        let text = printed(args);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        for words in all {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
    };
    says(&["model"], &["aws:gp2:50GiB", "vultr:nvme", "hdd --rpm 7200 --seek 8.5ms", "ladder"]);
    says(
        &["model", "aws:gp2:50GiB"],
        &["AWS EBS gp2, 50 GiB", "150", "3,000", "0 s to 1,895 s", "36,000 s (10.0 h)", "Sources"],
    );
    says(&["model", "ladder"], &["Samsung SSD 870", "98,441", "iocost-benchmarks"]);
    let disk = ["model", "hdd", "--rpm", "7200", "--seek", "8.5ms", "--bs", "4k,64k"];
    says(&disk, &["8.50", "4.17", "78.9", "64k"]);
    let short = [&disk[..], &["--size", "16g", "--capacity", "8t", "--rate", "200"]].concat();
    says(&short, &["0.195 %", "over the surface", "180"]);
    says(&["model", "gcp:pd-ssd:100GiB", "--sequential", "--write"], &["Sequential writes"]);
    says(&["model", "azure:p10"], &["Over time, from full credits", "1,800 s"]);
}

#[test]
fn models_are_json_for_programs() {
    let parsed = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&printed(&[args, &["--json"]].concat())).unwrap()
    };
    let gp2 = parsed(&["model", "aws:gp2:50GiB", "--bs", "4k"]);
    let size = &gp2["sizes"][0];
    assert_eq!((&size["block_size"], &size["base"]["iops"]), (&4096.into(), &150.0.into()));
    assert_eq!(size["phases"][0]["rates"]["iops"], 3000.0);
    assert_eq!(gp2["refills_in_seconds"], 36_000.0);
    let disk = parsed(&["model", "hdd", "--rpm", "10000", "--seek", "3ms", "--controller", "2ms"]);
    assert_eq!(disk["sizes"][0]["iops"].as_f64().unwrap().round(), 125.0);
    assert!(parsed(&["model"])["plans"].as_array().unwrap().len() > 15);
    assert!(parsed(&["model", "ladder"])["ladder"][0]["url"].is_string());
}

#[test]
fn a_record_stands_beside_its_model() {
    let scratch = Scratch::new().unwrap();
    let file = scratch.path().join("record.json");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/golden/v1.json");
    std::fs::copy(golden, &file).unwrap();
    let file = file.to_str().unwrap();
    let text = printed(&["model", "aws:gp3:100GiB", "--bs", "4k,1m", "--against", file]);
    assert!(text.contains("measured IOPS") && text.contains("20,000"), "{text}");
    let text = printed(&["model", "ladder", "--against", file]);
    assert!(text.contains("THIS RECORD"), "{text}");
}
