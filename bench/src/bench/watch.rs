//! The bench `watch`: what a watch costs, and its percentiles beside those of the load itself.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use lab::LoopDevice;
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, Section, build_programs, run_alternately, run_fio_command,
    scratch_file,
};
use xtask::process;

const SIZE: u64 = 512 << 20;
/// Seconds of a load, of the watch within it, and between the beginnings of both.
const LOAD_S: u64 = 5;
const WATCHED_S: u64 = 3;
const SETTLING: Duration = Duration::from_secs(1);
/// The rate at which the cost is stated.
const COST_IOPS: &str = "50000";
const COST_PERCENT_MAX: f64 = 2.0;
const DEPTHS: [u32; 3] = [1, 16, 64];

pub(super) const BENCH: Bench = Bench {
    name: "watch",
    heading: "watch: its cost, and its percentiles",
    method: "As root, source eBPF. `IOPS`: random reads of 4 KiB at depth 16, 5 s each, with and \
             without `truedisk watch` beside them, taking turns; medians of rounds. Each read of \
             the loop device is one of the disk under it as well: two requests are watched. \
             `cost`: at 50,000 such reads per second of the disk, the run time of the programs in \
             the kernel (bpf_stats, whose own clock is in it) and the processor time of their \
             reader. `p50`, `p99`: of the same requests, seen by `truedisk watch` for 3 s within \
             the 5 s of a load, and by the load: our engine (`truedisk fio`) and fio, clat, which \
             has the time until the load's thread runs and looks as well.",
    columns: "what | watch | load | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 5,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let [cost] = build_programs(context.root, &["-p", "watch", "--example", "cost"], ["cost"])?;
    let (_scratch, file) = scratch_file(SIZE)?;
    let device = LoopDevice::new(SIZE)?;
    let places = [("loop device", device.path()), ("disk", file.as_path())];
    for (name, path) in places {
        compare_rates(context, (&truedisk, path), name, section)?;
    }
    measure_cost((&truedisk, &cost), &file, section)?;
    for (name, path) in places {
        for depth in DEPTHS {
            for (program, is_ours) in [("our engine", true), ("fio", false)] {
                let load = || match is_ours {
                    true => our_fio(&truedisk),
                    false => Command::new("fio"),
                };
                let what = format!("{name}, depth {depth}, {program}");
                compare_percentiles(&truedisk, (load(), depth, path), &what, section)?;
            }
        }
    }
    Ok(())
}

fn our_fio(truedisk: &Path) -> Command {
    let mut command = Command::new(truedisk);
    command.arg("fio");
    command
}

/// Random reads of 4 KiB.
fn add_load(command: &mut Command, path: &Path, depth: u32) {
    command.args(["--name=load", "--rw=randread", "--bs=4k", "--direct=1", "--time_based"]);
    command.args(["--readonly", "--ioengine=io_uring", "--percentile_list=50:99"]);
    command.arg(format!("--filename={}", path.display()));
    command.args([format!("--iodepth={depth}"), format!("--runtime={LOAD_S}")]);
}

fn watch_command(truedisk: &Path, path: &Path) -> Command {
    let mut command = Command::new(truedisk);
    command.args(["watch", "--source", "ebpf", "--no-history", "--json", "-"]).arg(path);
    command
}

/// A child that ends with its owner.
struct EndedChild(Child);

impl Drop for EndedChild {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The load's rate with and without a watch.
fn compare_rates(
    context: &BenchContext<'_>,
    (truedisk, path): (&Path, &Path),
    name: &str,
    section: &mut Section,
) -> Result<()> {
    let measure = || -> Result<f64> {
        let mut load = our_fio(truedisk);
        add_load(&mut load, path, 16);
        read_number(&run_fio_command(&mut load)?, "/jobs/0/read/iops")
    };
    let watched = || -> Result<f64> {
        let mut watch = watch_command(truedisk, path);
        let _watch = EndedChild(watch.stdout(Stdio::null()).spawn()?);
        measure()
    };
    let pairs = run_alternately(context.rounds, watched, measure)?;
    let bound = Bound::AtLeast(0.99);
    let what = format!("{name}, IOPS, with and without");
    section.compare(&[&what], &pairs, 0, format!("{name}, IOPS, with / without"), bound);
    Ok(())
}

/// The share of a processor that program and reader take, at a fixed rate.
fn measure_cost(
    (truedisk, cost): (&Path, &Path),
    file: &Path,
    section: &mut Section,
) -> Result<()> {
    let mut load = our_fio(truedisk);
    add_load(&mut load, file, 16);
    load.arg(format!("--rate_iops={COST_IOPS}")).stdout(Stdio::null());
    let load = EndedChild(load.spawn()?);
    std::thread::sleep(SETTLING);
    let printed = process::capture_stdout(Command::new(cost).arg(WATCHED_S.to_string()))?;
    drop(load);
    let figure = |name: &str| -> Result<f64> {
        let line = printed.lines().find_map(|line| line.strip_prefix(name));
        let word = line.and_then(|line| line.split_whitespace().next());
        let word = word.with_context(|| format!("no '{name}' in: {printed}"))?;
        word.parse().with_context(|| format!("no number: {word}"))
    };
    let (rate, program, reader) = (figure("requests/s")?, figure("program")?, figure("reader")?);
    let both = figure("both")?;
    let what =
        format!("cost at {rate:.0} requests/s: {program:.0} ns each, {reader:.2} ms each reading");
    let none = || "-".to_owned();
    section.add_row([what, format!("{both:.2} % of a CPU"), none(), none(), "1".to_owned()]);
    let bound = Bound::AtMost(COST_PERCENT_MAX);
    section.require_with_unit("program and reader", bound, both, " % of a CPU");
    section.require("requests/s of the cost, by 50,000", Bound::AtLeast(0.9), rate / 50_000.0);
    Ok(())
}

/// One load, seen by itself and by a watch.
fn compare_percentiles(
    truedisk: &Path,
    (mut load, depth, path): (Command, u32, &Path),
    what: &str,
    section: &mut Section,
) -> Result<()> {
    add_load(&mut load, path, depth);
    let (seen, own) = std::thread::scope(|scope| {
        let own = scope.spawn(|| run_fio_command(&mut load));
        std::thread::sleep(SETTLING);
        let mut watch = watch_command(truedisk, path);
        let seen = process::capture_stdout(watch.args(["--once", &format!("{WATCHED_S}s")]));
        (seen, own.join())
    });
    let own = own.map_err(|_| anyhow::anyhow!("the load panicked"))??;
    let seen = find_disk(&serde_json::from_str(&seen?)?, path)?;
    for (name, field) in [("p50", "50.000000"), ("p99", "99.000000")] {
        let watched = read_number(&seen, &format!("/read/{name}"))?;
        let by_load = read_number(&own, &format!("/jobs/0/read/clat_ns/percentile/{field}"))?;
        let ratio = watched / by_load;
        let us = |ns: f64| format!("{:.1} us", ns / 1000.0);
        let label = format!("{what}, {name}");
        let cells = [us(watched), us(by_load), format!("{ratio:.3}"), "1".to_owned()];
        section.add_row([label.clone()].into_iter().chain(cells));
        section.require(format!("{label}, watch / load"), Bound::Within(0.95, 1.05), ratio);
    }
    Ok(())
}

/// What lies under a path has a line each, with about as many reads: a device is that of its own
/// name, a file is on the disk with most reads.
fn find_disk(line: &Value, path: &Path) -> Result<Value> {
    let disks = line["disks"].as_array().context("a watch without disks")?;
    let is_named = |disk: &&Value| {
        path.file_name().is_some_and(|name| disk["name"] == *name.to_string_lossy())
    };
    let reads = |disk: &&Value| disk["read"]["operations"].as_u64();
    let found = disks.iter().find(is_named).or_else(|| disks.iter().max_by_key(reads));
    Ok(found.context("a watch of no disk")?.clone())
}

fn read_number(value: &Value, pointer: &str) -> Result<f64> {
    let number = value.pointer(pointer).and_then(Value::as_f64);
    number.with_context(|| format!("no number at {pointer} in {value}"))
}
