//! The history as its user meets it: commands, bad input, other tools, and being killed.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use lab::Need;
use record::{Record, fixture};
use serde_json::{Value, json};
use support::{copy_program, truedisk};

/// Set by `cargo xtask test`: a Python that has DuckDB.
const PYTHON: &str = "TRUEDISK_PYTHON";
/// How often the command is killed while it keeps runs.
const KILLS: u64 = 50;

/// Runs that it has to keep each time: more than it comes to before it is killed.
const TURN: u32 = 40;

/// A home with a history of its own.
struct Home(tempfile::TempDir);

impl Home {
    /// In memory: thousands of runs would wait for the disk's syncs, which nothing here is about.
    fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = truedisk(["history"]);
        command.args(args).env("XDG_DATA_HOME", self.path());
        command
    }

    /// What the command prints, which must go well.
    #[track_caller]
    fn run(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// Takes these records in.
    fn with(records: &[Record]) -> Self {
        let home = Self::new();
        let lines: Vec<String> = records.iter().map(line).collect();
        let file = home.file("in.jsonl", &lines.join("\n"));
        home.run(&["import", &file]);
        home
    }

    fn list(&self) -> Vec<Value> {
        serde_json::from_str(&self.run(&["list", "--json", "-n", "0"])).unwrap()
    }
}

fn line(record: &Record) -> String {
    record::store::to_json(record).unwrap()
}

/// Judged runs an hour apart, whose reads one at a time have these IOPS.
fn runs(iops: &[f64]) -> Vec<Record> {
    let mut judged = fixture::ssd_record();
    // One visit to each load: its figure is that of the cell.
    judged.measured.cells.retain(|cell| cell.role != record::CellRole::Repeat);
    judged.judgement = Some(analysis::judge(&judged.measured));
    // Short series: unoptimized, most of the time goes into them.
    judged.measured.cells.iter_mut().for_each(|cell| cell.intervals.truncate(3));
    let run = |(number, &iops): (usize, &f64)| {
        let mut record = judged.clone();
        let shift = jiff::SignedDuration::from_hours(number as i64);
        record.measured.started += shift;
        record.measured.finished += shift;
        record.measured.id =
            format!("{}-{number:08x}", record.measured.started.strftime("%Y%m%dT%H%M%SZ"));
        record.measured.cells[0].totals.read.as_mut().unwrap().iops = iops;
        record
    };
    iops.iter().enumerate().map(run).collect()
}

#[track_caller]
fn refused(output: &Output, status: i32, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "'{word}' is missing in: {stderr}");
    }
    assert!(stderr.lines().count() <= 3, "{stderr}");
}

/// A run as short as they come, of this file.
fn measure(file: &Path, home: &Path) -> Command {
    let mut command = truedisk(["sweep", "--read-only", "--bs", "4k", "--depth", "1,4"]);
    command.args(["--cell-max", "300ms", "--budget", "3s", "--seed", "3"]).arg(file);
    command.env("XDG_DATA_HOME", home);
    command
}

/// A file to read, in a folder of its own.
fn something_to_read() -> (tempfile::TempDir, PathBuf) {
    let disk = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = disk.path().join("file");
    fs::write(&file, vec![3; 32 << 20]).unwrap();
    (disk, file)
}

#[test]
fn a_measured_run_is_kept_and_shown_again() {
    let _alone = support::alone();
    let home = Home::new();
    let (_disk, file) = something_to_read();
    let measured = measure(&file, home.path()).args(["--json", "-"]).output().unwrap();
    let record: Record = serde_json::from_slice(&measured.stdout).unwrap();
    let runs = home.list();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["id"], record.measured.id.as_str());
    let again: Record = serde_json::from_str(&home.run(&["show", "--json", "-"])).unwrap();
    // The same analysis comes to the same judgement.
    assert_eq!(again, record);
    let shown = home.run(&["show", &record.measured.id[..15]]);
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let headline = &record.judgement_or_default().verdict.as_ref().unwrap().headline;
    assert!(flat.contains(&headline.text()[..30]), "{shown}");
    let full = home.run(&["show", "-v", &record.measured.id[..15]]);
    assert!(shown.lines().count() <= 32 && full.contains("Can the numbers be trusted?"), "{full}");
    let table = home.run(&["list", "--target", file.to_str().unwrap()]);
    // The list has the end of the id, which names the run too.
    let end = record::short_id(&record.measured.id);
    assert!(table.contains(&format!("  {end}  sweep")), "{table}");
    let date = record.measured.started.strftime("%Y-%m-%d %H:%M").to_string();
    assert!(table.contains(&date), "{table}");
    assert_eq!(home.run(&["show", end]), shown);
    // Where nobody wants it kept, nothing is.
    assert!(measure(&file, home.path()).arg("--no-history").output().unwrap().status.success());
    assert_eq!(home.list().len(), 1);
}

#[test]
fn runs_of_ping_and_fio_are_kept_when_asked() {
    let _beside = support::beside();
    let home = Home::new();
    let (_disk, file) = something_to_read();
    let folder = file.parent().unwrap();
    let run = |words: &str| {
        let mut command = truedisk(words.split(' '));
        command.current_dir(folder).env("XDG_DATA_HOME", home.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    run("ping -q -c 9 -i 0 file");
    run("fio --name=a --filename=file --size=1m");
    assert!(home.command(&["list"]).output().unwrap().stdout.is_empty());
    for (words, command, figure) in [
        ("ping -D -q -c 9 -i 0 --keep-run file", "ping", " of 8 requests"),
        // Several sections have the badge of the run as a whole.
        (
            "fio --filename=file --size=1m --name=a --stonewall --name=b --rw=randread --keep-run",
            "fio",
            " IOPS, mean ",
        ),
    ] {
        let said = run(words);
        let runs: Vec<Value> =
            serde_json::from_str(&home.run(&["list", "--json", "--command", command])).unwrap();
        assert_eq!((runs.len(), &runs[0]["command"]), (1, &json!(command)));
        assert!(said.contains(runs[0]["id"].as_str().unwrap()), "{said}");
        assert_eq!(runs[0]["target"], file.to_str().unwrap());
        let headline = &runs[0]["headline"];
        assert!(headline["text"].as_str().unwrap().contains(figure), "{headline}");
        assert!(headline["message"]["id"].is_string(), "{headline}");
        assert!(runs[0]["trust"].is_string(), "{}", runs[0]);
        let shown = home.run(&["show", runs[0]["id"].as_str().unwrap()]);
        assert!(shown.starts_with(&format!("{command} of ")), "{shown}");
    }
    assert_eq!(home.list().len(), 2);
}

#[test]
fn a_history_that_cannot_be_written_does_not_lose_the_measurement() {
    let _alone = support::alone();
    let home = Home::new();
    let (_disk, file) = something_to_read();
    let nobody = format!("postgres://ann:secret@127.0.0.1:{}/team", lab::closed_port());
    let told = |mut command: Command| {
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(stdout.contains("depth 1"), "{stdout}");
        assert!(stderr.contains("the run was not kept") && stderr.contains("hint:"), "{stderr}");
        stderr
    };
    told(measure(&file, Path::new("/dev/null")));
    // A team's server that is down: the record lies in a file, and can be taken in later.
    let mut down = measure(&file, home.path());
    down.env("TRUEDISK_HISTORY", nobody);
    let stderr = told(down);
    let hint = stderr.split_once("truedisk history import ").unwrap().1;
    assert!(home.run(&["import", hint.trim_end()]).starts_with("kept "), "{stderr}");
    assert_eq!(home.list().len(), 1);
}

#[test]
fn runs_are_tagged_compared_and_deleted() {
    let all = runs(&[20_000.0, 10_000.0]);
    let home = Home::with(&all);
    let (old, new) = (all[0].measured.id.as_str(), all[1].measured.id.as_str());
    assert_eq!(home.run(&["tag", old, "good"]), format!("good is {old}\n"));
    let moved = home.run(&["tag", "latest", "good"]);
    assert_eq!(moved, format!("good is {new}, and no longer {old}\n"));
    let diff = home.run(&["diff", old, "good"]);
    assert!(diff.contains("20,000") && diff.contains("10,000") && diff.contains("0.50"), "{diff}");
    let gone = home.run(&["delete", "good"]);
    assert!(gone.contains(&format!("deleted {new}")) && gone.contains("tagged good"), "{gone}");
    assert!(gone.contains(".json.gz"), "{gone}");
    assert_eq!(home.list().len(), 1);
    refused(&home.command(&["show", "good"]).output().unwrap(), 2, &["no run 'good'"]);
    let typo = old.replace("-0000", "-0010");
    refused(&home.command(&["show", &typo]).output().unwrap(), 2, &["no run", "nearest", old]);
}

#[test]
fn the_pictures_of_a_run_are_files() {
    let home = Home::with(&runs(&[10_000.0]));
    let folder = home.path().join("pictures");
    let words = ["show", "latest", "--svg", folder.to_str().unwrap()];
    home.run(&words);
    let picture = fs::read_to_string(folder.join("load-p99.svg")).unwrap();
    assert!(picture.starts_with("<svg") || picture.starts_with("<?xml"), "{picture}");
    assert!(picture.contains("p99") && !picture.contains("<script"));
    // A picture that is there is never replaced, and nothing else is written then.
    let json = home.path().join("again.json");
    let again = ["show", "latest", "--svg", words[3], "--json", json.to_str().unwrap()];
    fs::write(folder.join("load-p99.svg"), "mine").unwrap();
    refused(&home.command(&again).output().unwrap(), 2, &["it exists"]);
    assert_eq!(fs::read_to_string(folder.join("load-p99.svg")).unwrap(), "mine");
    let nowhere =
        ["show", "latest", "--svg", "/nonexistent/pictures", "--json", json.to_str().unwrap()];
    refused(&home.command(&nowhere).output().unwrap(), 2, &["/nonexistent"]);
    assert!(!json.exists(), "refused after the record was written");
}

#[test]
fn old_runs_are_pruned_and_tagged_ones_stay() {
    let records = runs(&[10_000.0, 11_000.0, 12_000.0, 13_000.0, 14_000.0]);
    let home = Home::with(&records);
    let ids = |home: &Home| -> Vec<String> {
        let id = |run: &Value| run["id"].as_str().unwrap().to_owned();
        home.list().iter().map(id).collect()
    };
    let oldest = records[0].measured.id.clone();
    let told = home.run(&["tag", &oldest, "baseline", "--json", "-"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["run"], &told["moved_from"]), (&Value::from(&*oldest), &Value::Null));
    home.run(&["prune", "--keep", "2"]);
    let newest = records[3..].iter().rev().map(|record| record.measured.id.clone());
    assert_eq!(ids(&home), newest.chain([oldest.clone()]).collect::<Vec<_>>());
    let before = records[4].measured.started.to_string();
    let told = home.run(&["prune", "--older-than", &before, "--json", "-"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["deleted"][0]["run"], records[3].measured.id.as_str(), "{told}");
    assert_eq!((&told["left"], &told["tagged"]), (&Value::from(1), &Value::from(1)), "{told}");
    assert_eq!(ids(&home), [records[4].measured.id.clone(), oldest]);
    let server = format!("postgres://ann:secret@127.0.0.1:{}/team", lab::closed_port());
    let mut of_a_team = home.command(&["prune", "--keep", "1"]);
    refused(&of_a_team.env("TRUEDISK_HISTORY", server).output().unwrap(), 4, &["--host"]);
    home.run(&["prune", "--keep", "1", "--host", "another"]);
    for odd in [&["prune"][..], &["prune", "--keep", "1", "--older-than", "7d"]] {
        assert_eq!(home.command(odd).output().unwrap().status.code(), Some(2), "{odd:?}");
    }
    // What would remove more than was meant is refused: `6m` are six minutes.
    for (words, said) in [
        (["--older-than", "6m"], "write 180d"),
        (["--older-than", "6mo"], "write 180d"),
        (["--older-than", "3y"], "write 180d"),
        (["--older-than", "2999-01-01"], "nothing would be kept"),
        (["--older-than", "0d"], "nothing would be kept"),
        (["--keep", "0"], "use history delete"),
    ] {
        let output = home.command(&[&["prune"], &words[..]].concat()).output().unwrap();
        refused(&output, 2, &[said]);
    }
    assert_eq!(home.list().len(), 2);
}

#[test]
fn runs_of_the_history_are_held_against_each_other_by_tag_and_id() {
    let all = runs(&[20_000.0, 10_000.0]);
    let home = Home::with(&all);
    home.run(&["tag", &all[0].measured.id, "before"]);
    let compare = |args: &[&str]| {
        let mut command = truedisk(["compare"]);
        command.args(args).env("XDG_DATA_HOME", home.path()).output().unwrap()
    };
    let file = home.file("after.json", &line(&all[1]));
    // By name or from a file it is the same comparison.
    let told = compare(&["before", "latest", "--json", "-"]);
    let mut by_name: Value = serde_json::from_slice(&told.stdout).unwrap();
    let told = compare(&[&all[0].measured.id, &file, "--json", "-"]);
    let by_file: Value = serde_json::from_slice(&told.stdout).unwrap();
    let source = by_name["sides"][0]["runs"][0]["source"].clone();
    assert_eq!(source, format!("before ({})", all[0].measured.id));
    by_name["sides"] = by_file["sides"].clone();
    assert_eq!(by_name["pairs"], by_file["pairs"]);
    refused(&compare(&["befor", "latest"]), 2, &["befor:", "no run of the history", "before"]);
    let twice = format!("before,{}", all[0].measured.id);
    refused(&compare(&[&twice, "latest"]), 2, &["is the same run as"]);
    // Both begin so.
    refused(&compare(&["before", &all[1].measured.id[..6]]), 2, &["begins the ids of 2 runs"]);
}

#[test]
fn a_regression_is_drawn_and_makes_status_3() {
    let level = |middle: f64, count: usize| {
        (0..count).map(move |i| middle * (1.0 + 0.002 * ((i * 7 % 5) as f64 - 2.0)))
    };
    let fall: Vec<f64> = level(20_000.0, 20).chain(level(15_000.0, 10)).collect();
    let home = Home::with(&runs(&fall));
    let trend = |more: &[&str]| {
        let args = [&["trend", "/srv/data", "--cell", "randread-4k-qd1"], more].concat();
        home.command(&args).output().unwrap()
    };
    let told = trend(&[]);
    let text = String::from_utf8_lossy(&told.stdout);
    assert_eq!(told.status.code(), Some(0), "{text}");
    assert!(text.contains("REGRESSION since run") && text.contains("-25.0 %"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(trend(&["--fail-on", "worse"]).status.code(), Some(3));
    // The same history gives the same text.
    assert_eq!(trend(&[]).stdout, told.stdout);
    // What did not change, and what did before, is no failure.
    assert_eq!(trend(&["--fail-on", "worse", "-n", "10"]).status.code(), Some(0));
    assert_eq!(trend(&["--fail-on", "worse", "--metric", "p99"]).status.code(), Some(0));
    refused(&trend(&["--direction", "write"]), 2, &["has a cell", "hint: there is:"]);
    let other = home.command(&["trend", "/nowhere"]).output().unwrap();
    refused(&other, 2, &["no run of /nowhere"]);
}

#[test]
fn an_export_comes_back_exactly() {
    let all = runs(&[20_000.0, 21_000.0, 22_000.0]);
    let home = Home::with(&all);
    let lines = home.run(&["export"]);
    let other = Home::new();
    let file = other.file("runs.jsonl", &lines);
    let said = other.run(&["import", &file]);
    assert_eq!(said.lines().count(), 3);
    assert_eq!(other.run(&["export"]), lines);
    let read: Vec<Record> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, all);
    // Once more changes nothing.
    assert!(other.run(&["import", &file]).lines().all(|line| line.starts_with("known ")));
    let one = home.run(&["export", "latest", "--format", "csv"]);
    let rows: usize = all[2].measured.cells.iter().map(|cell| cell.totals.iter().count()).sum();
    assert_eq!(one.lines().count(), rows + 1);
    let to_stdout = home.command(&["export", "--format", "parquet"]).output().unwrap();
    refused(&to_stdout, 2, &["Parquet", "-o"]);
}

/// A Python with DuckDB: the one that is named, or one that is installed here.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os(PYTHON).map(PathBuf::from);
    let candidates = named.into_iter().chain([PathBuf::from("python3")]);
    let mut has = candidates.filter(|python| {
        let mut command = Command::new(python);
        command.args(["-c", "import duckdb"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    });
    has.next()
}

#[test]
fn parquet_and_csv_say_the_same_to_another_reader() {
    let name = "history::parquet_and_csv_say_the_same_to_another_reader";
    let Some(python) = python() else {
        let missing = lab::Missing { needs: vec![Need::Program("python3 with duckdb")] };
        let _ = lab::settle(name, Err(missing));
        return;
    };
    let all = runs(&[20_000.0, 21_000.0]);
    let home = Home::with(&all);
    let at = |name: &str| home.path().join(name).display().to_string();
    for rows in ["cells", "intervals"] {
        for format in ["parquet", "csv"] {
            let file = at(&format!("{rows}.{format}"));
            home.run(&["export", "--rows", rows, "--format", format, "-o", &file]);
        }
    }
    let script = home.file("read.py", READER);
    let output = Command::new(python).args([&script, &at("")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let record = &all[1];
    let rows =
        2 * record.measured.cells.iter().map(|cell| cell.totals.iter().count()).sum::<usize>();
    assert_eq!(told["cells"], rows);
    let of = |cell: &record::Cell| {
        cell.intervals.iter().map(|interval| interval.directions.iter().count()).sum::<usize>()
    };
    assert_eq!(told["intervals"], 2 * record.measured.cells.iter().map(of).sum::<usize>());
    assert_eq!(told["different"], 0, "{told}");
    let read = record.measured.cells[0].totals.read.as_ref().unwrap();
    assert_eq!(told["one"]["iops"], 21_000.0);
    assert_eq!(told["one"]["p99"], read.latency_ns.percentiles["p99"]);
    assert_eq!(told["one"]["micros"], record.measured.started.as_microsecond());
    let first = record.measured.cells[0].intervals[0].directions.read.as_ref().unwrap();
    assert_eq!(told["one"]["first"], first.ops);
    // A commit's sync moves no bytes and has no percentile it cannot support: NULL, not 0.
    assert_eq!(told["absent"], 0, "{told}");
}

/// Reads the exports with DuckDB, and holds CSV against Parquet.
const READER: &str = r#"
import duckdb, json, sys
folder = sys.argv[1]
database = duckdb.connect()
one = lambda sql: database.execute(sql.replace("@", folder)).fetchall()[0]
count = lambda rows: one(f"select count(*) from '@{rows}.parquet'")[0]
csv = lambda rows: f"read_csv('@{rows}.csv', header=true, all_varchar=true)"
different = 0
for rows, key, values in [
    ("cells", "run, cell, direction", ["ops", "bytes", "latency_p50_ns", "latency_max_ns"]),
    ("intervals", "run, cell, direction, start_ns", ["ops", "bytes", "latency_max_ns"]),
]:
    on = " and ".join(f"p.{k.strip()}::varchar = c.{k.strip()}" for k in key.split(","))
    for value in values:
        different += one(
            f"select count(*) from '@{rows}.parquet' p left join {csv(rows)} c on {on} "
            f"where p.{value}::varchar is distinct from c.{value}"
        )[0]
where = "where iops = 21000 and cell = 'randread-4k-qd1'"
iops, p99, micros, run = one(
    f"select iops, latency_p99_ns, epoch_us(started), run from '@cells.parquet' {where}"
)
first = one(
    f"select ops from '@intervals.parquet' where run = '{run}' and cell = 'randread-4k-qd1' "
    "order by start_ns limit 1"
)[0]
absent = one("select count(*) from '@cells.parquet' where latency_max_ns = 0")[0]
print(json.dumps({
    "cells": count("cells"), "intervals": count("intervals"), "different": different,
    "one": {"iops": iops, "p99": p99, "micros": micros, "first": first}, "absent": absent,
}))
"#;

/// What fio prints of one job of random reads.
fn fio(version: &str) -> String {
    let read = json!({"io_bytes": 2_174_812_160_u64, "bw_bytes": 217_481_216, "iops": 53_096.0,
        "runtime": 10_000, "total_ios": 530_960,
        "clat_ns": {"min": 9_000, "max": 900_000, "mean": 18_000.0, "stddev": 4_000.0,
            "N": 530_960, "percentile": {"50.000000": 17_000, "99.000000": 40_000}}});
    let options = json!({"filename": "/srv/f1", "rw": "randread", "bs": "4k", "direct": "1",
        "ioengine": "libaio", "iodepth": "1"});
    let job = json!({"jobname": "reads", "groupid": 0, "error": 0, "job options": options,
        "read": read});
    json!({"fio version": version, "timestamp": 1_795_219_207, "jobs": [job]}).to_string()
}

#[test]
fn what_fio_printed_is_taken_in_and_says_so() {
    let home = Home::new();
    let text = fio("fio-3.42");
    let file = home.file("fio.json", &text);
    assert!(home.run(&["import", &file]).starts_with("kept "));
    assert!(home.run(&["import", &file]).starts_with("known "));
    let run = &home.list()[0];
    assert_eq!((&run["command"], &run["tool"]), (&"import".into(), &"fio 3.42".into()));
    assert_eq!(run["target"], "/srv/f1");
    let shown = home.run(&["show"]);
    for words in ["fio 3.42", "import of /srv/f1", "53,096", "has an interval"] {
        assert!(shown.contains(words), "'{words}' is missing in: {shown}");
    }
    let page = home.path().join("page.html");
    home.run(&["show", "latest", "--html", page.to_str().unwrap()]);
    assert!(fs::read_to_string(&page).unwrap().contains("has an interval"));
    let cut = home.file("cut.json", &text[..text.len() / 2]);
    refused(&home.command(&["import", &cut]).output().unwrap(), 2, &["cut.json", "damaged"]);
    let empty = home.file("empty.json", "{\"fio version\": \"fio-3.42\", \"jobs\": []}");
    refused(&home.command(&["import", &empty]).output().unwrap(), 2, &["empty.json", "no job"]);
    let both = home.command(&["import", "--json", "-", &file, &cut]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
    let kept: Value = serde_json::from_slice(&both.stdout).unwrap();
    assert_eq!(kept["known"].as_array().unwrap().len(), 1, "what came before the damaged file");
}

#[test]
fn bad_files_and_places_are_one_clear_error_each() {
    let home = Home::with(&runs(&[20_000.0]));
    let text = line(&runs(&[1.0])[0]);
    let newer = text.replacen("\"schema_version\":5", "\"schema_version\":77", 1);
    for (name, text, words) in [
        ("cut.json", &text[..text.len() / 2], ["cut.json", "ends early"]),
        ("newer.json", newer.as_str(), ["newer.json", "schema version 77"]),
        ("odd.txt", "hello", ["odd.txt", "no record"]),
    ] {
        let file = home.file(name, text);
        refused(&home.command(&["import", &file]).output().unwrap(), 2, &words);
    }
    refused(&home.command(&["import", "/not/here"]).output().unwrap(), 2, &["/not/here"]);
    let mut odd = home.command(&["list"]);
    odd.env("TRUEDISK_HISTORY", "mysql://h/d");
    refused(&odd.output().unwrap(), 2, &["TRUEDISK_HISTORY", "hint:", "postgres://"]);
    let database = home.path().join("truedisk/history.db");
    fs::write(&database, "no database at all, but long enough to be taken for one".repeat(99))
        .unwrap();
    let _ = fs::remove_file(database.with_extension("db-wal"));
    refused(&home.command(&["list"]).output().unwrap(), 2, &["is not a truedisk history"]);
}

#[test]
fn a_read_only_history_is_read_and_not_written() {
    lab::skip_unless!(Need::Root, Need::Program("setpriv"));
    let home = Home::with(&runs(&[20_000.0]));
    let binary = home.path().join("bin");
    copy_program(&binary);
    use std::os::unix::fs::PermissionsExt as _;
    for path in [home.path().to_owned(), home.path().join("truedisk")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    // Its owner lets others read it.
    let database = home.path().join("truedisk/history.db");
    fs::set_permissions(database, fs::Permissions::from_mode(0o644)).unwrap();
    let nobody = |args: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary);
        command.arg("history").args(args).env("XDG_DATA_HOME", home.path()).stdin(Stdio::null());
        command.output().unwrap()
    };
    let listed = nobody(&["list"]);
    let stderr = String::from_utf8_lossy(&listed.stderr);
    assert!(listed.status.success(), "{stderr}");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("/srv/data"));
    refused(&nobody(&["tag", "latest", "x"]), 2, &["cannot be written", "hint:"]);
}

#[test]
fn watches_do_not_push_out_what_was_measured() {
    let measured = runs(&[10_000.0, 11_000.0]);
    let watch = |hour: i64| {
        let mut watch = record::fixture::watch_record();
        let at = measured[1].measured.started + jiff::SignedDuration::from_hours(hour);
        (watch.measured.started, watch.measured.finished) = (at, at);
        watch.measured.id = format!("{}-{hour:08x}", at.strftime("%Y%m%dT%H%M%SZ"));
        watch
    };
    let home = Home::with(&[measured.clone(), (1..4).map(watch).collect()].concat());
    home.run(&["prune", "--keep", "2"]);
    let is_watch = home.list().iter().map(|run| run["command"] == "watch").collect::<Vec<_>>();
    assert_eq!(is_watch, [true, true, false, false]);
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    lab::skip_unless!(Need::Root);
    let home = Home::new();
    // A file system of 1 MiB in memory, gone with its mount.
    let mount =
        |args: &[&str]| assert!(Command::new(args[0]).args(&args[1..]).status().unwrap().success());
    let path = home.path().join("small");
    fs::create_dir(&path).unwrap();
    mount(&["mount", "-t", "tmpfs", "-o", "size=1m", "truedisk-small", path.to_str().unwrap()]);
    let result = std::panic::catch_unwind(|| {
        let many = runs(&vec![20_000.0; 150]);
        let lines: Vec<String> = many.iter().map(line).collect();
        let file = home.file("many.jsonl", &lines.join("\n"));
        let mut import = home.command(&["import", &file]);
        let output = import.env("XDG_DATA_HOME", &path).output().unwrap();
        // The records are small: it is the database that has no room first.
        refused(&output, 2, &["database or disk is full", "free some space"]);
        let kept = String::from_utf8(output.stdout).unwrap().lines().count();
        assert!(kept > 0 && kept < 150, "{kept}");
        let mut list = home.command(&["list", "-n", "0", "--json"]);
        let listed = list.env("XDG_DATA_HOME", &path).output().unwrap();
        let runs: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
        assert_eq!(runs.len(), kept);
    });
    mount(&["umount", path.to_str().unwrap()]);
    result.unwrap();
}

#[test]
fn a_team_has_one_history_on_its_server() {
    if !lab::settle("history::a_team_has_one_history_on_its_server", lab::postgres_needs()) {
        return;
    }
    let server = lab::PostgresServer::shared();
    let home = Home::with(&runs(&[20_000.0, 21_000.0]));
    let file = home.file("out.jsonl", &home.run(&["export"]));
    let on_server = |args: &[&str], address: &str| {
        home.command(args).env("TRUEDISK_HISTORY", address).output().unwrap()
    };
    let address = server.database("team");
    assert!(on_server(&["import", &file], &address).status.success());
    for args in
        [&["list"][..], &["list", "--json"], &["show"], &["trend", "/srv/data"], &["export"]]
    {
        let (here, there) = (home.run(args), on_server(args, &address));
        let stderr = String::from_utf8_lossy(&there.stderr);
        assert_eq!(String::from_utf8_lossy(&there.stdout), here, "{args:?}: {stderr}");
    }
    let wrong = on_server(&["list"], &server.address_as("ann", "guess", "team"));
    refused(&wrong, 2, &["refuses the login", "password", "hint:"]);
    assert!(!String::from_utf8_lossy(&wrong.stderr).contains("guess"));
    let nobody = format!("postgres://ann:secret@127.0.0.1:{}/team", lab::closed_port());
    refused(&on_server(&["list"], &nobody), 2, &["cannot reach the history", "hint:"]);
}

/// Numbers that look random, the same every time (Knuth's MMIX generator).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn killed_at_any_moment_it_loses_no_run_and_corrupts_nothing() {
    let home = Home::new();
    // Small, so that many are kept before and after each kill.
    let mut small = runs(&[20_000.0]).remove(0);
    small.measured.cells.truncate(2);
    small.measured.cells.iter_mut().for_each(|cell| cell.intervals.truncate(2));
    let text = line(&small);
    let mut state = 1;
    let mut kept: Vec<String> = Vec::new();
    for turn in 0..KILLS {
        let of = |number: u32| {
            text.replace(&small.measured.id, &format!("20261119T110640Z-{turn}-{number}"))
        };
        let lines: Vec<String> = (0..TURN).map(of).collect();
        let file = home.file("turn.jsonl", &lines.join("\n"));
        let mut child = home
            .command(&["import", &file])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..next(&mut state) % 5 {
            kept.extend(said.next().unwrap().unwrap().strip_prefix("kept ").map(str::to_owned));
        }
        // Somewhere within the milliseconds that keeping one takes.
        let moment = std::time::Duration::from_micros(next(&mut state) % 20_000);
        let begun = Instant::now();
        while begun.elapsed() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let rest = said.map_while(Result::ok);
        kept.extend(rest.filter_map(|line| line.strip_prefix("kept ").map(str::to_owned)));
    }
    assert!(kept.len() > KILLS as usize, "{}", kept.len());
    let database = home.path().join("truedisk/history.db");
    let database = rusqlite::Connection::open(database).unwrap();
    let sound: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    drop(database);
    let listed = home.list();
    let ids: Vec<&str> = listed.iter().map(|run| run["id"].as_str().unwrap()).collect();
    for id in &kept {
        assert!(ids.contains(&id.as_str()), "{id} was kept, and is lost");
    }
    // Every row has its whole record, those of the moment of a kill too.
    let exported = home.run(&["export"]);
    assert_eq!(exported.lines().count(), ids.len());
    for line in exported.lines() {
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(record.measured.cells, small.measured.cells);
    }
}
