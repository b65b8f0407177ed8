//! The text that CrystalDiskMark puts on the clipboard, as its versions 5 to 9 print it.
//!
//! Scores are taken as it takes them: the rate of the fastest pass, and the mean latency of the
//! pass with the shortest, which may be another. MB are 1,000,000 bytes, here truly.

use std::fmt::Write as _;

use jiff::{Timestamp, tz::TimeZone};
use record::Cell;
use units::Bytes;
use workload::{Access, Mix};

use super::result::{PresetResult, StepResult};
use super::select;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// Pairs of reads and writes, without latency.
    Five = 5,
    /// The same, with other columns.
    Six,
    /// Reads, then writes, with latency.
    Seven,
    /// The same in short words. 9 prints the same.
    Eight,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// At random places; else in sequence.
    pub(crate) random: bool,
    pub(crate) block: Bytes,
    pub(crate) queues: u32,
    pub(crate) threads: u32,
    /// Of the fastest pass.
    pub(crate) bytes_per_second: f64,
    /// The shortest mean of a pass, in microseconds; absent where nothing completed.
    pub(crate) latency_us: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    pub(crate) version: Version,
    pub(crate) program: String,
    /// `Default`, `Peak`, `Real`, `Demo`.
    pub(crate) profile: String,
    pub(crate) reads: Vec<Score>,
    pub(crate) writes: Vec<Score>,
    /// Share of reads in percent, and the tests with that mix.
    pub(crate) mixed: Option<(u8, Vec<Score>)>,
    pub(crate) size: Bytes,
    pub(crate) passes: u32,
    /// Seconds of a pass, and between two tests.
    pub(crate) measure_s: f64,
    pub(crate) interval_s: f64,
    /// Where, and how full that is: the name, bytes used, and size.
    pub(crate) drive: Option<(String, u64, u64)>,
    /// `2021/06/22 7:19:21`.
    pub(crate) date: String,
    /// `Debian GNU/Linux 12 (bookworm) [6.1.0] (x86_64)`.
    pub(crate) os: String,
}

impl Score {
    fn megabytes(&self) -> f64 {
        self.bytes_per_second / 1e6
    }

    /// CrystalDiskMark's own arithmetic: from the rate, not from a count.
    fn iops(&self) -> f64 {
        self.bytes_per_second / self.block.0 as f64
    }

    /// `1MiB`, `128KiB`, without its unit's place.
    fn block(&self) -> (u64, &'static str) {
        match self.block.0 {
            bytes if bytes >= Bytes::MIB => (bytes / Bytes::MIB, "MiB"),
            bytes => (bytes / Bytes::KIB, "KiB"),
        }
    }
}

pub(crate) fn render(report: &Report) -> String {
    match report.version {
        Version::Five | Version::Six => render_pairs(report),
        Version::Seven | Version::Eight => render_by_direction(report),
    }
}

/// Only the lines with scores.
pub(super) fn render_scores(result: &PresetResult<'_>, _: usize) -> String {
    let text = render_preset(result, Version::Eight);
    let is_score = |line: &&str| line.contains(" MB/s [") || line.starts_with('[');
    text.lines().filter(is_score).map(|line| format!("{line}\n")).collect()
}

const UNITS: &str = "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]\n\
                     * KB = 1000 bytes, KiB = 1024 bytes\n\n";

fn render_header(report: &Report, width: usize) -> String {
    let rule = "-".repeat(width);
    let number = report.version as u8;
    let first = format!("{} in the words of CrystalDiskMark {number}", report.program);
    let second = "Imitates: https://crystalmark.info/";
    format!("{rule}\n{first}\n{second:>width$}\n{rule}\n{UNITS}")
}

/// Versions 5 and 6: a line of reads, a line of writes.
fn render_pairs(report: &Report) -> String {
    let mut text = render_header(report, 71);
    let longest = report.reads.len().max(report.writes.len());
    for place in 0..longest {
        for (what, scores) in [("Read", &report.reads), ("Write", &report.writes)] {
            if let Some(score) = scores.get(place) {
                text.push_str(&render_pair_line(report.version, what, score));
            }
        }
    }
    let size = report.size.0 / Bytes::MIB;
    let drive = report.drive.as_ref().map(|drive| format!(" [{}]", format_usage(drive, 1)));
    let (passes, interval) = (report.passes, format_seconds(report.interval_s));
    let drive = drive.unwrap_or_default();
    let _ = writeln!(text, "\n  Test : {size} MiB{drive} (x{passes})  [Interval={interval} sec]");
    let _ = writeln!(text, "  Date : {}\n    OS : {}\n  ", report.date, report.os);
    text
}

fn render_pair_line(version: Version, what: &str, score: &Score) -> String {
    let (queues, threads) = (score.queues, score.threads);
    let (block, unit) = score.block();
    let single = version == Version::Five && queues == 1;
    let name = match (score.random, single) {
        (false, true) => format!("Sequential {what} (T={threads:>2})"),
        (false, false) => format!("Sequential {what} (Q={queues:>3},T={threads:>2})"),
        (true, true) => format!("Random {what} {block}{unit} (Q={queues:>2},T={threads:>2})"),
        (true, false) => format!("Random {what} {block}{unit} (Q={queues:>3},T={threads:>2})"),
    };
    let iops = match (score.random, version) {
        (false, _) => String::new(),
        (true, Version::Five) => format!(" [{:>8.1} IOPS]", score.iops()),
        (true, _) => format!(" [{:>9.1} IOPS]", score.iops()),
    };
    format!("{name:>31} : {:>9.3} MB/s{iops}\n", score.megabytes())
}

fn render_by_direction(report: &Report) -> String {
    let mut text = render_header(report, 78);
    let mix = |reads: u8| format!("[Mix] Read {reads}%/Write {}%", 100 - reads);
    let mixed = report.mixed.as_ref().map(|(reads, scores)| (mix(*reads), scores));
    let parts = [("[Read]".to_owned(), &report.reads), ("[Write]".to_owned(), &report.writes)];
    for (title, scores) in parts.into_iter().chain(mixed) {
        if scores.is_empty() {
            continue;
        }
        let lines: String =
            scores.iter().map(|score| render_score_line(report.version, score)).collect();
        let _ = writeln!(text, "{title}\n{lines}");
    }
    let Report { profile, size, passes, date, os, .. } = report;
    let (measure, interval) = (format_seconds(report.measure_s), format_seconds(report.interval_s));
    let size = match size.0.is_multiple_of(Bytes::GIB) {
        true => format!("{} GiB", size.0 / Bytes::GIB),
        false => format!("{} MiB", size.0 / Bytes::MIB),
    };
    let drive = report.drive.as_ref().map(|drive| format!(" [{}]", format_usage(drive, 0)));
    let drive = drive.unwrap_or_default();
    let _ = writeln!(text, "Profile: {profile}");
    if report.version == Version::Seven {
        // It names no drive, and whether threads are bound to processors; ours are not.
        let affinity = "<DefaultAffinity=DISABLED>";
        let _ = writeln!(text, "   Test: {size} (x{passes}) [Interval: {interval} sec] {affinity}");
    } else {
        let _ = writeln!(text, "   Test: {size} (x{passes}){drive}\n   Mode:");
        let _ = writeln!(text, "   Time: Measure {measure} sec / Interval {interval} sec ");
    }
    let _ = writeln!(text, "   Date: {date}\n     OS: {os}");
    // Of this profile alone 7 ends the line of an empty comment too.
    if report.version == Version::Seven && profile == "Default" {
        text.push('\n');
    }
    text
}

fn render_score_line(version: Version, score: &Score) -> String {
    let Score { queues, threads, .. } = score;
    let (block, unit) = score.block();
    let test = match (version, score.random) {
        (Version::Seven, false) => format!("Sequential {block}{unit}"),
        (Version::Seven, true) => format!("{:>15}", format!("Random {block}{unit}")),
        (_, false) => format!("  SEQ {block:>4}{unit}"),
        (_, true) => format!("  RND {block:>4}{unit}"),
    };
    let latency = score.latency_us.unwrap_or(0.0);
    format!(
        "{test} (Q={queues:>3}, T={threads:>2}): {:>9.3} MB/s [{:>9.1} IOPS] <{latency:>9.2} us>\n",
        score.megabytes(),
        score.iops()
    )
}

fn format_seconds(time: f64) -> String {
    if time.fract() == 0.0 { format!("{time:.0}") } else { format!("{time:.1}") }
}

/// `/mnt: 91% (202/223GiB)`, and with a digit behind each point `/mnt: 91.0% (202.2/223.1 GiB)`.
fn format_usage((name, used, size): &(String, u64, u64), digits: usize) -> String {
    // CrystalDiskMark counts in MiB below 8 GiB.
    let (unit, by) = match *size < 8 * Bytes::GIB {
        true => ("MiB", Bytes::MIB),
        false => ("GiB", Bytes::GIB),
    };
    let percent = *used as f64 / (*size).max(1) as f64 * 100.0;
    let [used, size] = [*used, *size].map(|bytes| bytes as f64 / by as f64);
    let gap = if digits > 0 { " " } else { "" };
    format!("{name}: {percent:.digits$}% ({used:.digits$}/{size:.digits$}{gap}{unit})")
}

pub(super) fn render_preset(result: &PresetResult<'_>, version: Version) -> String {
    render(&build_report(result, version))
}

fn build_report(result: &PresetResult<'_>, version: Version) -> Report {
    let record = result.record;
    let steps: Vec<StepResult<'_>> = select::single_job_steps(result).collect();
    let scores = |wanted: fn(Mix) -> bool| -> Vec<Score> {
        steps.iter().filter_map(|step| build_score(step, wanted)).collect()
    };
    let mixed = steps.iter().find_map(|step| match step.passes().next()?.job.mix {
        Mix::Mixed { read_percent } => Some(read_percent),
        _ => None,
    });
    let first = steps.first();
    let measure = first.and_then(|step| step.passes().next()?.job.stop.time);
    let environment = &record.measured.environment;
    let os = environment.os.as_deref().unwrap_or("Linux");
    Report {
        version,
        program: format!("{} {}", record.measured.tool.name, record.measured.tool.version),
        profile: profile_name(&result.plan.name, &result.plan.title),
        reads: scores(|mix| mix == Mix::Read),
        writes: scores(|mix| mix == Mix::Write),
        mixed: mixed.map(|reads| (reads, scores(|mix| matches!(mix, Mix::Mixed { .. })))),
        size: record.measured.plan.span,
        passes: first.map_or(0, |step| step.step.passes),
        measure_s: measure.map_or(0.0, |time| time.0 as f64 / 1e9),
        interval_s: first.map_or(0.0, |step| step.step.rest.0 as f64 / 1e9),
        drive: find_drive(result),
        date: format_date(record.measured.started, TimeZone::system()),
        os: format!("{os} [{}] ({})", environment.kernel, environment.arch),
    }
}

/// The hour of the clock on the wall, not padded: `2021/06/22 7:19:21`.
fn format_date(time: Timestamp, zone: TimeZone) -> String {
    time.to_zoned(zone).strftime("%Y/%m/%d %-H:%M:%S").to_string()
}

/// The score of a step that does what is wanted: best rate and best latency, each of whichever
/// pass has it.
fn build_score(step: &StepResult<'_>, wanted: fn(Mix) -> bool) -> Option<Score> {
    let first = step.passes().next().filter(|cell| wanted(cell.job.mix))?;
    let job = &first.job;
    let threads = job.workers.max(1);
    let best = step.passes().map(Cell::bytes_per_second).fold(0.0, f64::max);
    let latency = step.passes().filter_map(mean_latency_ns).min_by(f64::total_cmp);
    Some(Score {
        random: job.access != Access::Sequential,
        block: job.block_size,
        queues: job.depth.0 / threads,
        threads,
        bytes_per_second: best,
        latency_us: latency.map(|ns| ns / 1000.0),
    })
}

fn mean_latency_ns(cell: &Cell) -> Option<f64> {
    let (sum, ops) = cell.data_directions().fold((0.0, 0), |(sum, ops), totals| {
        (sum + totals.latency_ns.mean * totals.ops as f64, ops + totals.ops)
    });
    (ops > 0).then(|| sum / ops as f64)
}

/// CrystalDiskMark's word for a profile; settings and mixes have none. Of a user's own
/// preset its title.
fn profile_name(name: &str, title: &str) -> String {
    let Some(rest) = name.strip_prefix("crystaldiskmark") else { return title.to_owned() };
    let word = match rest.trim_end_matches("-mix") {
        "-peak" | "-nvme-peak" => "Peak",
        "-real" => "Real",
        "-demo" => "Demo",
        _ => "Default",
    };
    word.to_owned()
}

fn find_drive(result: &PresetResult<'_>) -> Option<(String, u64, u64)> {
    let system = result.record.measured.target()?.file_system.as_ref()?;
    let used = system.size.0.saturating_sub(system.free.0);
    Some((select::target_path(result).to_owned(), used, system.size.0))
}

#[cfg(test)]
mod tests;
