//! The bench `watch`: what a watch costs, and its percentiles beside those of the load itself.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use lab::{LoopDevice, SimulatedDisk, laws};
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Section, build_programs, hint_at_root,
    keep_processors_awake, median, min_and_max, run_alternately, run_fio_command, scratch_file,
};
use xtask::process;

const SIZE: u64 = 512 << 20;
/// Seconds for which load and watch look at the same requests, and before them of the load alone.
const WATCHED_S: u64 = 3;
const SETTLING_S: u64 = 1;
/// The rate at which the cost is stated.
const COST_IOPS: &str = "50000";
const COST_PERCENT_MAX: f64 = 2.0;
const DEPTHS: [u32; 3] = [1, 16, 64];
/// At 4 KiB and depth the processors of a small host are the bottleneck, and a load's latency is in
/// part the wait for its own thread; at 64 KiB it is the disk's.
const SIZES: [&str; 2] = ["4k", "64k"];

pub(super) const BENCH: Bench = Bench {
    name: "watch",
    heading: "watch: its cost, and its percentiles",
    method: "As root, source eBPF. `IOPS`: random reads of 4 KiB at depth 16, 3 s each, with and \
             without `truedisk watch` beside them, taking turns; medians of rounds. Each read of \
             the loop device is one of the disk under it as well: two requests are watched. \
             `cost`: at 50,000 such reads per second of the disk, the run time of the programs in \
             the kernel (bpf_stats, whose own clock is in it) and the processor time of their \
             reader. `p50`, `p99`, in us: of the same requests, seen by `truedisk watch` and by \
             the load: our engine (`truedisk fio`) and fio, lat, which has the time of handing \
             over and the time until the load's thread runs and looks as well. clat begins when \
             the request was handed over; in the kernel it began before. Idle processors are kept \
             awake meanwhile (`/dev/cpu_dma_latency`), as to wake one is in that time too. \
             `simulated`: a loop device over a simulated SSD of 300 us, at 13,000 IOPS, which \
             leaves the processors to the load.",
    columns: "what | watch | load | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 3,
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
    measure_cost(context, (&truedisk, &cost), &file, section)?;
    let simulated = SimulatedDisk::new(laws::ssd()).map_err(hint_at_root)?;
    let simulated = simulated.attach().map_err(hint_at_root)?;
    let _awake = keep_processors_awake()?;
    for (name, path) in [("simulated", simulated.path())].into_iter().chain(places) {
        for (size, depth) in SIZES.into_iter().flat_map(|size| DEPTHS.map(|depth| (size, depth))) {
            for (program, is_ours) in [("our engine", true), ("fio", false)] {
                let load = || {
                    let program = if is_ours { our_fio(&truedisk) } else { Command::new("fio") };
                    random_reads(program, path, size, depth)
                };
                let what = format!("{name}, {size}, depth {depth}, {program}");
                compare_percentiles(context, (&truedisk, path), load, &what, section)?;
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

fn random_reads(mut program: Command, path: &Path, size: &str, depth: u32) -> Command {
    program.args(["--name=load", "--rw=randread", "--direct=1", "--time_based"]);
    program.args(["--readonly", "--ioengine=io_uring", "--percentile_list=50:99"]);
    program.args(["--clat_percentiles=0", "--lat_percentiles=1"]);
    program.args([format!("--ramp_time={SETTLING_S}"), format!("--runtime={WATCHED_S}")]);
    program.args([format!("--bs={size}"), format!("--iodepth={depth}")]);
    program.arg(format!("--filename={}", path.display()));
    program
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
        let mut load = random_reads(our_fio(truedisk), path, "4k", 16);
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
    context: &BenchContext<'_>,
    (truedisk, cost): (&Path, &Path),
    file: &Path,
    section: &mut Section,
) -> Result<()> {
    let mut load = random_reads(our_fio(truedisk), file, "4k", 16);
    load.arg(format!("--rate_iops={COST_IOPS}")).arg("--runtime=1h").stdout(Stdio::null());
    let load = EndedChild(load.spawn()?);
    std::thread::sleep(Duration::from_secs(SETTLING_S));
    let measure = || process::capture_stdout(Command::new(cost).arg(WATCHED_S.to_string()));
    let printed = context.repeat(|_| measure())?;
    drop(load);
    let figures = |name: &str| -> Result<Vec<f64>> {
        printed.iter().map(|text| read_figure(text, name)).collect()
    };
    let middle = |name: &str| -> Result<f64> { Ok(median(&figures(name)?)) };
    let (rate, program, reader) = (middle("requests/s")?, middle("program")?, middle("reader")?);
    let both = figures("both")?;
    let (least, most) = min_and_max(&both);
    let what =
        format!("cost at {rate:.0} requests/s: {program:.0} ns each, {reader:.2} ms each reading");
    let share = format!("{:.2} % of a CPU ({least:.2} to {most:.2})", median(&both));
    let none = || "-".to_owned();
    section.add_row([what, share, none(), none(), both.len().to_string()]);
    let bound = Bound::AtMost(COST_PERCENT_MAX);
    section.require_with_unit("program and reader", bound, median(&both), " % of a CPU");
    section.require("requests/s of the cost, by 50,000", Bound::AtLeast(0.9), rate / 50_000.0);
    Ok(())
}

/// The number that follows a name at the beginning of a line.
fn read_figure(printed: &str, name: &str) -> Result<f64> {
    let line = printed.lines().find_map(|line| line.strip_prefix(name));
    let word = line.and_then(|line| line.split_whitespace().next());
    let word = word.with_context(|| format!("no '{name}' in: {printed}"))?;
    word.parse().with_context(|| format!("no number: {word}"))
}

/// Loads, each seen by itself and by a watch.
fn compare_percentiles(
    context: &BenchContext<'_>,
    (truedisk, path): (&Path, &Path),
    load: impl Fn() -> Command + Sync,
    what: &str,
    section: &mut Section,
) -> Result<()> {
    let none = || PairedSamples { a: Vec::new(), b: Vec::new() };
    let mut percentiles = [("p50", "50.000000", none()), ("p99", "99.000000", none())];
    for _ in 0..context.rounds {
        let (seen, own) = std::thread::scope(|scope| {
            let own = scope.spawn(|| run_fio_command(&mut load()));
            std::thread::sleep(Duration::from_secs(SETTLING_S));
            let mut watch = watch_command(truedisk, path);
            let seen = process::capture_stdout(watch.args(["--once", &format!("{WATCHED_S}s")]));
            (seen, own.join())
        });
        let own = own.map_err(|_| anyhow::anyhow!("the load panicked"))??;
        let seen = find_disk(&serde_json::from_str(&seen?)?, path)?;
        for (name, field, pairs) in &mut percentiles {
            let lat = format!("/jobs/0/read/lat_ns/percentile/{field}");
            pairs.a.push(read_number(&seen, &format!("/read/{name}"))? / 1000.0);
            pairs.b.push(read_number(&own, &lat)? / 1000.0);
        }
    }
    for (name, _, pairs) in percentiles {
        let label = format!("{what}, {name}");
        let bound = Bound::Within(0.95, 1.05);
        section.compare(&[&label], &pairs, 1, format!("{label}, watch / load"), bound);
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
