//! The lines of `winsat disk`, without the sub-score of the Windows Experience Index at their end:
//! how it follows from the figures was never published. Winsat itself prints none either for tests
//! that have no part in the index (`winsat disk -ran -write`).
//!
//! Nor was it published how many requests its rates keep outstanding: the preset says what it takes
//! for that, and rates are comparable only so far.

use std::fmt::Write as _;

use workload::Direction;

use super::result::{PresetResult, StepResult};
use super::select;

/// Labels are padded to here.
const LABEL: usize = 43;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WinsatDisk {
    pub(crate) version: String,
    /// What took the place of a drive's letter.
    pub(crate) drive: String,
    /// Each test by winsat's words for it, `-ran -read`, and how long it took in seconds.
    pub(crate) tests: Vec<(String, f64)>,
    pub(crate) random_read: Option<f64>,
    pub(crate) sequential_read: Option<f64>,
    pub(crate) sequential_write: Option<f64>,
    /// Reads while something else writes in sequence.
    pub(crate) beside_sequential: Option<ReadLatency>,
    /// Reads while something else writes at random.
    pub(crate) beside_random: Option<ReadLatency>,
    pub(crate) total: f64,
}

/// How long reads waited, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ReadLatency {
    pub(crate) mean_ns: f64,
    /// 95 of 100 waited less; absent where the sample does not support it.
    pub(crate) p95_ns: Option<f64>,
    pub(crate) max_ns: f64,
}

pub(crate) fn render(disk: &WinsatDisk) -> String {
    let mut text = format!("truedisk {}, as Windows System Assessment Tool\n", disk.version);
    for (words, seconds) in &disk.tests {
        let _ = writeln!(
            text,
            "> Running: Storage Assessment '-drive {} {words}'\n> Run Time {}",
            disk.drive,
            format_clock(*seconds)
        );
    }
    let rate = |bytes_per_second: f64| format!("{:.2} MB/s", bytes_per_second / 1e6);
    let time = |ns: f64| format!("{:.3} ms", ns / 1e6);
    let sequential = disk.beside_sequential.as_ref();
    let rows = [
        ("Disk  Random 16.0 Read", disk.random_read.map(rate)),
        ("Disk  Sequential 64.0 Read", disk.sequential_read.map(rate)),
        ("Disk  Sequential 64.0 Write", disk.sequential_write.map(rate)),
        ("Average Read Time with Sequential Writes", sequential.map(|r| time(r.mean_ns))),
        ("Latency: 95th Percentile", sequential.and_then(|r| r.p95_ns).map(time)),
        ("Latency: Maximum", sequential.map(|r| time(r.max_ns))),
        ("Average Read Time with Random Writes", disk.beside_random.map(|r| time(r.mean_ns))),
    ];
    for (label, value) in rows {
        if let Some(value) = value {
            let _ = writeln!(text, "> {label:<LABEL$}  {value}");
        }
    }
    let _ = writeln!(text, "> Total Run Time {}", format_clock(disk.total));
    text
}

/// The text of a preset whose steps have winsat's names: `ran-read`, `seq-read`, `seq-write`,
/// `flush-seq`, `flush-ran`.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    let record = result.record;
    let rate = |name: &str, direction: Direction| {
        let figures = result.step(name)?.figures(direction)?;
        Some(figures.bytes_per_second.value)
    };
    let reads = |name: &str| {
        let step = result.step(name)?;
        let figures = step.outcome.figures.iter().find(|of| of.direction == Direction::Read)?;
        Some(ReadLatency {
            mean_ns: figures.mean_latency_ns.value,
            p95_ns: figures.percentiles_ns.get("p95").map(|found| found.value),
            max_ns: figures.latency_ns_max as f64,
        })
    };
    let tests = result.steps().map(|step| (test_words(&step.step.name), step_seconds(&step)));
    let total = record.measured.finished.duration_since(record.measured.started);
    let disk = WinsatDisk {
        version: record.measured.tool.version.clone(),
        drive: select::target_path(result).to_owned(),
        tests: tests.collect(),
        random_read: rate("ran-read", Direction::Read),
        sequential_read: rate("seq-read", Direction::Read),
        sequential_write: rate("seq-write", Direction::Write),
        beside_sequential: reads("flush-seq"),
        beside_random: reads("flush-ran"),
        total: total.as_secs_f64().max(0.0),
    };
    render(&disk)
}

fn test_words(step: &str) -> String {
    format!("-{}", step.replace('-', " -"))
}

/// Time of all passes of a step; jobs beside each other count once.
fn step_seconds(step: &StepResult<'_>) -> f64 {
    let mut passes: Vec<(u32, u64)> = Vec::new();
    for cell in step.passes() {
        let pass = cell.step.as_ref().map_or(0, |of| of.pass);
        if !passes.iter().any(|(known, _)| *known == pass) {
            passes.push((pass, cell.ledger.elapsed.max(cell.elapsed).0));
        }
    }
    passes.iter().map(|(_, ns)| *ns as f64 / 1e9).sum()
}

fn format_clock(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as u64;
    let (rest, whole) = (hundredths % 100, hundredths / 100);
    format!("{:02}:{:02}:{:02}.{rest:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk() -> WinsatDisk {
        WinsatDisk {
            version: "0.1.0".to_owned(),
            drive: "/mnt".to_owned(),
            tests: vec![("-ran -read".to_owned(), 0.7), ("-seq -read".to_owned(), 79.61)],
            random_read: Some(404.52e6),
            sequential_read: Some(3044.69e6),
            sequential_write: Some(489.5e6),
            beside_sequential: Some(ReadLatency {
                mean_ns: 218e3,
                p95_ns: Some(476e3),
                max_ns: 4.49e6,
            }),
            beside_random: Some(ReadLatency { mean_ns: 239e3, p95_ns: None, max_ns: 5e6 }),
            total: 80.31,
        }
    }

    /// A script for winsat that its users published: what stands before the first three blanks is
    /// the title, what stands behind them up to the next three the value with its unit.
    fn scrape(text: &str) -> Vec<(String, f64, String)> {
        let rows = text.lines().filter_map(|line| {
            let title_end = line.find("   ")?;
            let result = line[title_end..].trim();
            let result = result.find("   ").map_or(result, |end| &result[..end]);
            let (value, unit) = result.split_once(' ')?;
            let title = line[..title_end].trim_start_matches("> ").to_owned();
            Some((title, value.parse().ok()?, unit.to_owned()))
        });
        rows.collect()
    }

    #[test]
    fn lines_are_those_of_winsat() {
        let golden = "truedisk 0.1.0, as Windows System Assessment Tool\n\
                      > Running: Storage Assessment '-drive /mnt -ran -read'\n\
                      > Run Time 00:00:00.70\n\
                      > Running: Storage Assessment '-drive /mnt -seq -read'\n\
                      > Run Time 00:01:19.61\n\
                      > Disk  Random 16.0 Read                       404.52 MB/s\n\
                      > Disk  Sequential 64.0 Read                   3044.69 MB/s\n\
                      > Disk  Sequential 64.0 Write                  489.50 MB/s\n\
                      > Average Read Time with Sequential Writes     0.218 ms\n\
                      > Latency: 95th Percentile                     0.476 ms\n\
                      > Latency: Maximum                             4.490 ms\n\
                      > Average Read Time with Random Writes         0.239 ms\n\
                      > Total Run Time 00:01:20.31\n";
        assert_eq!(render(&disk()), golden);
    }

    #[test]
    fn a_script_for_winsat_reads_it() {
        let rows = scrape(&render(&disk()));
        let expected = [
            ("Disk  Random 16.0 Read", 404.52, "MB/s"),
            ("Disk  Sequential 64.0 Read", 3044.69, "MB/s"),
            ("Disk  Sequential 64.0 Write", 489.5, "MB/s"),
            ("Average Read Time with Sequential Writes", 0.218, "ms"),
            ("Latency: 95th Percentile", 0.476, "ms"),
            ("Latency: Maximum", 4.49, "ms"),
            ("Average Read Time with Random Writes", 0.239, "ms"),
        ];
        let expected =
            expected.map(|(title, value, unit)| (title.to_owned(), value, unit.to_owned()));
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_was_not_measured_has_no_line() {
        let text = render(&WinsatDisk { sequential_write: None, beside_random: None, ..disk() });
        assert!(!text.contains("64.0 Write") && !text.contains("with Random Writes"), "{text}");
        assert_eq!(scrape(&text).len(), 5);
    }
}
