//! The bench `limit`: whether the most IOPS within a bound is found again, and whether fio agrees.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result};
use record::{Limit, Record};

use super::harness::{
    Bench, BenchContext, Bound, Section, median, min_and_max, number_at, run_fio_json, scratch_file,
};
use xtask::process;

const FILE_BYTES: u64 = 1 << 30;
/// For truedisk and in us: the usual bound, and one on the steep part of the curve.
const BOUNDS: [(&str, f64); 2] = [("p99<10ms", 10_000.0), ("p99<500us", 500.0)];

/// A fio run with more of the processors stolen is repeated, up to four times.
const STOLEN_SHARE_MAX: f64 = 0.05;
const TRIES_MAX: u32 = 4;

/// A load that no search chose: how far its figures lie apart is the noise of this disk and host.
const FIXED_DEPTH: f64 = 32.0;
const FIXED_SECONDS: u32 = 15;
const CONFIRM_SECONDS: u32 = 4;

struct LimitRound {
    fixed_iops: f64,
    depth: f64,
    iops: f64,
    seconds: f64,
    fio_iops: f64,
    fio_p99_us: f64,
}

pub(super) const BENCH: Bench = Bench {
    name: "limit",
    heading: "The limit, found again",
    method: "`truedisk limit --size 1g` on random reads of 4 KiB, and at the depth found 4 s of \
             fio (libaio, submitting 8 and reaping up to 16 at once: with one call for each \
             operation fio itself is the limit here) on a written file of 1 GiB. Where the \
             hypervisor took more than 5 % of the processors meanwhile, fio ran again, up to four \
             times, as truedisk does with its probes. Before each search fio loads the disk for 15 \
             s at depth 32: how far those figures lie apart is how far the disk and its host do.",
    columns: "bound | depth | IOPS | s | fio IOPS | fio p99, us | fio at depth 32, IOPS",
    tools: &["fio"],
    rounds: 5,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let (scratch, _) = scratch_file(FILE_BYTES)?;
    for bound in BOUNDS {
        let rounds = context.repeat(|_| run_round(&truedisk, scratch.path(), bound.0))?;
        add_results(section, bound, &rounds);
    }
    Ok(())
}

fn add_results(section: &mut Section, (bound, limit_us): (&str, f64), rounds: &[LimitRound]) {
    for round in rounds {
        let LimitRound { fixed_iops, depth, iops, seconds, fio_iops, fio_p99_us } = round;
        section.add_row([
            format!("`{bound}`"),
            format!("{depth:.0}"),
            format!("{iops:.0}"),
            format!("{seconds:.1}"),
            format!("{fio_iops:.0}"),
            format!("{fio_p99_us:.0}"),
            format!("{fixed_iops:.0}"),
        ]);
    }
    let answers = relative_spread(rounds, |round| round.iops);
    let fixed = relative_spread(rounds, |round| round.fixed_iops);
    let kept = rounds.iter().filter(|round| round.fio_p99_us <= limit_us).count();
    let longest = rounds.iter().map(|round| round.seconds).fold(0.0, f64::max);
    let share = kept as f64 / rounds.len().max(1) as f64;
    let of = |what: &str| format!("{bound}: {what}");
    section.require(of("answers, most less least over median"), Bound::AtMost(0.1), answers);
    section.require(of("that spread less the fixed load's"), Bound::AtMost(0.1), answers - fixed);
    section.require(of("share kept in fio"), Bound::AtLeast(0.8), share);
    section.require_with_unit(of("longest search"), Bound::AtMost(45.0), longest, " s");
}

fn relative_spread(rounds: &[LimitRound], figure: fn(&LimitRound) -> f64) -> f64 {
    let values: Vec<f64> = rounds.iter().map(figure).collect();
    let (least, most) = min_and_max(&values);
    (most - least) / median(&values)
}

fn run_round(truedisk: &Path, folder: &Path, bound: &str) -> Result<LimitRound> {
    let (fixed_iops, _) = measure_undisturbed(|| measure_fio(folder, FIXED_DEPTH, FIXED_SECONDS))?;
    let begin = Instant::now();
    let mut command = Command::new(truedisk);
    command.args(["limit", "--bound", bound, "--size", "1g", "--quiet", "--no-history"]);
    command.args(["--json", "-"]).arg(folder);
    let record: Record = process::capture_json(&mut command)?;
    let seconds = begin.elapsed().as_secs_f64();
    let limit = first_limit(&record)?;
    let (depth, iops) = (f64::from(limit.depth.0), limit.iops.value);
    let (fio_iops, fio_p99_us) =
        measure_undisturbed(|| measure_fio(folder, depth, CONFIRM_SECONDS))?;
    Ok(LimitRound { fixed_iops, depth, iops, seconds, fio_iops, fio_p99_us })
}

pub(super) fn first_limit(record: &Record) -> Result<&Limit> {
    let mut limits = record.judgement_or_default().curves.iter().flat_map(|curve| &curve.limits);
    limits.next().context("the record names no limit")
}

/// Measures again while the hypervisor took too much of the processors, as truedisk's probes.
fn measure_undisturbed<T>(mut measure: impl FnMut() -> Result<T>) -> Result<T> {
    let mut tries = 1;
    loop {
        let before = read_ticks()?;
        let measured = measure()?;
        let after = read_ticks()?;
        let stolen = (after.0 - before.0) / (after.1 - before.1).max(1.0);
        if stolen <= STOLEN_SHARE_MAX || tries >= TRIES_MAX {
            return Ok(measured);
        }
        tries += 1;
    }
}

/// Ticks stolen, and all ticks, of all processors since the start (proc_stat(5)).
fn read_ticks() -> Result<(f64, f64)> {
    let text = std::fs::read_to_string("/proc/stat").context("cannot read /proc/stat")?;
    parse_ticks(&text).context("/proc/stat has no line of all processors")
}

fn parse_ticks(text: &str) -> Option<(f64, f64)> {
    let line = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<f64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted in the first two.
    Some((*ticks.get(7)?, ticks.iter().take(8).sum()))
}

fn measure_fio(folder: &Path, depth: f64, seconds: u32) -> Result<(f64, f64)> {
    let fio = run_fio_json(&[
        "--name=reads",
        &format!("--filename={}", folder.join("data").display()),
        "--rw=randread",
        "--bs=4k",
        "--direct=1",
        "--ioengine=libaio",
        "--iodepth_batch_submit=8",
        "--iodepth_batch_complete_max=16",
        &format!("--iodepth={depth}"),
        &format!("--runtime={seconds}"),
        "--time_based",
        "--randrepeat=0",
        "--norandommap",
    ])?;
    let p99_ns = number_at(&fio, "/jobs/0/read/clat_ns/percentile/99.000000")?;
    Ok((number_at(&fio, "/jobs/0/read/iops")?, p99_ns / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_ticks_are_those_of_all_processors() {
        let text = "cpu  100 1 50 800 9 3 2 35 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";
        assert_eq!(parse_ticks(text), Some((35.0, 1000.0)));
        assert_eq!(parse_ticks("cpu  1 2 3\n"), None);
        assert_eq!(parse_ticks(""), None);
    }

    #[test]
    fn a_record_without_a_limit_is_an_error() {
        let error = first_limit(&record::fixture::limit_record()).unwrap_err();
        assert_eq!(error.to_string(), "the record names no limit");
    }

    #[test]
    fn a_quiet_measurement_is_made_once() {
        let mut times = 0;
        measure_undisturbed(|| {
            times += 1;
            Ok(())
        })
        .unwrap();
        assert!((1..=TRIES_MAX).contains(&times), "{times}");
    }
}
