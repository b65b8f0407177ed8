//! The disk's part of yabs: its table, and its JSON.
//!
//! yabs calls KiB/s of fio `KB/s` until July 2026. Here they are what they are called: 1000 bytes.

use std::fmt::Write as _;

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Map, Value, json};
use units::Bytes;
use workload::{Direction, Mix};

use super::printf::format_general;
use super::result::PresetResult;
use super::select;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MixedRates {
    /// As yabs writes it: `4k`, `64k`, `512k`, `1m`.
    pub(crate) block: String,
    pub(crate) bytes_per_second: [f64; 2],
    pub(crate) iops: [f64; 2],
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct YabsHost {
    pub(crate) program: String,
    /// Start of the run by the clock on the wall: `20220817-035033`.
    pub(crate) time: String,
    pub(crate) arch: String,
    pub(crate) distro: Option<String>,
    pub(crate) kernel: String,
    pub(crate) vm: Option<String>,
    pub(crate) cpu: Option<String>,
    pub(crate) cores: u32,
    /// KiB.
    pub(crate) ram: Option<u64>,
    /// Seconds since 1970 at which the run began and ended.
    pub(crate) run: [i64; 2],
}

/// Reads, writes, and both, rounded as fio rounds them before yabs sees them.
struct RoundedFigures {
    kilobytes: [u64; 3],
    iops: [u64; 3],
}

impl From<&MixedRates> for RoundedFigures {
    fn from(mixed: &MixedRates) -> Self {
        let with_sum = |[read, write]: [u64; 2]| [read, write, read + write];
        Self {
            kilobytes: with_sum(mixed.bytes_per_second.map(|rate| (rate / 1000.0) as u64)),
            iops: with_sum(mixed.iops.map(|iops| iops as u64)),
        }
    }
}

pub(crate) fn render_table(rows: &[MixedRates]) -> String {
    let mut text =
        "fio Disk Speed Tests (Mixed R/W 50/50):\n---------------------------------\n".to_owned();
    for (place, pair) in rows.chunks(2).enumerate() {
        if place > 0 {
            let _ = writeln!(text, "{:<10} | {:<20} | {:<20}", "", "", "");
        }
        let name = |n: usize| pair.get(n).map_or("", |mixed| mixed.block.as_str());
        let head = |n: usize| if pair.len() > n { "(IOPS)" } else { "" };
        write_line(&mut text, "Block Size", [(name(0), head(0)), (name(1), head(1))]);
        write_line(&mut text, "  ------", [("---", "---- "), ("----", "---- ")]);
        let figures: Vec<RoundedFigures> = pair.iter().map(RoundedFigures::from).collect();
        for (n, label) in ["Read", "Write", "Total"].into_iter().enumerate() {
            let cell = |place: usize| -> Option<(String, String)> {
                let RoundedFigures { kilobytes, iops } = figures.get(place)?;
                Some((format_speed(kilobytes[n]), format!("({})", format_iops(iops[n]))))
            };
            let (left, right) = (cell(0).unwrap_or_default(), cell(1).unwrap_or_default());
            write_line(&mut text, label, [(&left.0, &left.1), (&right.0, &right.1)]);
        }
    }
    text
}

fn write_line(text: &mut String, label: &str, [(a, b), (c, d)]: [(&str, &str); 2]) {
    let _ = writeln!(text, "{label:<10} | {a:<11} {b:>8} | {c:<11} {d:>8}");
}

/// Digits behind the point are cut off, of what awk prints.
fn truncate_digits(number: f64, digits: usize) -> String {
    let number = format_general(number);
    let (whole, rest) = number.split_once('.').unwrap_or((&number, ""));
    let rest = &rest[..rest.len().min(digits)];
    format!("{whole}.{rest:0<digits$}")
}

fn format_speed(kilobytes: u64) -> String {
    let (by, unit) = match kilobytes {
        1_000_000.. => (1e6, "GB/s"),
        1_000.. => (1e3, "MB/s"),
        _ => (1.0, "KB/s"),
    };
    format!("{} {unit}", truncate_digits(kilobytes as f64 / by, 2))
}

fn format_iops(iops: u64) -> String {
    match iops {
        0..1000 => iops.to_string(),
        _ => format!("{}k", truncate_digits(iops as f64 / 1e3, 1)),
    }
}

/// The JSON that `yabs.sh -j` prints, without its networks, swap and Geekbench.
pub(crate) fn render_json(host: &YabsHost, rows: &[MixedRates]) -> String {
    let row = |mixed: &MixedRates| {
        let RoundedFigures { kilobytes, iops } = mixed.into();
        json!({
            "bs": mixed.block,
            "speed_r": kilobytes[0], "iops_r": iops[0],
            "speed_w": kilobytes[1], "iops_w": iops[1],
            "speed_rw": kilobytes[2], "iops_rw": iops[2],
            "speed_units": "KBps",
        })
    };
    let fio: Vec<Value> = rows.iter().map(row).collect();
    let [start, end] = host.run;
    let mut os = Map::from_iter([("arch".to_owned(), json!(architecture_name(&host.arch)))]);
    let mut cpu = Map::new();
    let mut mem = Map::new();
    let known = |map: &mut Map<String, Value>, name: &str, value: Value| {
        if !value.is_null() {
            map.insert(name.to_owned(), value);
        }
    };
    known(&mut os, "distro", json!(host.distro));
    known(&mut os, "kernel", json!(host.kernel));
    known(&mut os, "vm", json!(host.vm.as_ref().map(|vm| vm.to_uppercase())));
    known(&mut cpu, "model", json!(host.cpu));
    known(&mut cpu, "cores", json!(host.cores));
    known(&mut mem, "ram", json!(host.ram));
    known(&mut mem, "ram_units", json!(host.ram.map(|_| "KiB")));
    let whole = json!({
        "version": host.program,
        "time": host.time,
        "os": os,
        "cpu": cpu,
        "mem": mem,
        "fio": fio,
        "runtime": { "start": start, "end": end, "elapsed": end - start },
    });
    format!("{whole}\n")
}

fn collect_mixed(result: &PresetResult<'_>) -> Vec<MixedRates> {
    let steps = select::single_job_steps(result).filter_map(|step| {
        let cell = step.passes().next()?;
        matches!(cell.job.mix, Mix::Mixed { .. }).then_some(())?;
        let figures = [Direction::Read, Direction::Write].map(|d| step.figures(d));
        let [Some(reads), Some(writes)] = figures else { return None };
        Some(MixedRates {
            block: cell.job.block_size.to_compact(),
            bytes_per_second: [reads, writes].map(|figures| figures.bytes_per_second.value),
            iops: [reads, writes].map(|figures| figures.iops.value),
        })
    });
    steps.collect()
}

/// The table of a preset: every step that mixes reads and writes.
pub(super) fn render_table_of_preset(result: &PresetResult<'_>) -> String {
    render_table(&collect_mixed(result))
}

pub(super) fn render_json_of_preset(result: &PresetResult<'_>) -> String {
    let record = result.record;
    let environment = &record.measured.environment;
    let host = YabsHost {
        program: format!("{} {}", record.measured.tool.name, record.measured.tool.version),
        time: format_time(record.measured.started, TimeZone::system()),
        arch: environment.arch.clone(),
        distro: environment.os.clone(),
        kernel: environment.kernel.clone(),
        vm: environment.virtualisation.clone(),
        cpu: environment.cpu_model.clone(),
        cores: environment.cpus,
        ram: environment.memory.map(|memory| memory.0 / Bytes::KIB),
        run: [record.measured.started.as_second(), record.measured.finished.as_second()],
    };
    render_json(&host, &collect_mixed(result))
}

/// As `date +%Y%m%d-%H%M%S` prints it in a zone.
fn format_time(time: Timestamp, zone: TimeZone) -> String {
    time.to_zoned(zone).strftime("%Y%m%d-%H%M%S").to_string()
}

/// yabs's own names of architectures.
fn architecture_name(arch: &str) -> &str {
    match arch {
        "x86_64" => "x64",
        "i686" | "i586" | "i386" => "x86",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<MixedRates> {
        // The figures of yabs's own example, in KB/s and IOPS.
        let of = |block: &str, speeds: [u64; 2], iops: [u64; 2]| MixedRates {
            block: block.to_owned(),
            bytes_per_second: speeds.map(|kilobytes| kilobytes as f64 * 1000.0),
            iops: iops.map(|iops| iops as f64),
        };
        vec![
            of("4k", [165_590, 166_027], [41_397, 41_506]),
            of("64k", [198_505, 199_549], [3101, 3117]),
            of("512k", [2_227_239, 999], [443, 467]),
            of("1m", [1_000_000, 254_166], [999, 1000]),
        ]
    }

    fn host() -> YabsHost {
        YabsHost {
            program: "truedisk 0.1.0".to_owned(),
            time: "20220817-035033".to_owned(),
            arch: "x86_64".to_owned(),
            distro: Some("Debian GNU/Linux 12 (bookworm)".to_owned()),
            kernel: "6.1.0".to_owned(),
            vm: Some("kvm".to_owned()),
            cpu: None,
            cores: 2,
            ram: Some(8_000_000),
            run: [1000, 1125],
        }
    }

    #[test]
    fn the_table_is_that_of_yabs() {
        let golden = "\
fio Disk Speed Tests (Mixed R/W 50/50):
---------------------------------
Block Size | 4k            (IOPS) | 64k           (IOPS)
  ------   | ---            ----  | ----           ---- ~
Read       | 165.59 MB/s  (41.3k) | 198.50 MB/s   (3.1k)
Write      | 166.02 MB/s  (41.5k) | 199.54 MB/s   (3.1k)
Total      | 331.61 MB/s  (82.9k) | 398.05 MB/s   (6.2k)
           |                      |                     ~
Block Size | 512k          (IOPS) | 1m            (IOPS)
  ------   | ---            ----  | ----           ---- ~
Read       | 2.22 GB/s      (443) | 1.00 GB/s      (999)
Write      | 999.00 KB/s    (467) | 254.16 MB/s   (1.0k)
Total      | 2.22 GB/s      (910) | 1.25 GB/s     (1.9k)
";
        assert_eq!(render_table(&rows()), golden.replace('~', ""));
    }

    /// As sites that collect yabs's results read its table: fields between bars, and in each the
    /// number, its unit, and the operations in parentheses.
    fn scrape(text: &str) -> Vec<(String, String, f64, f64)> {
        let (mut sizes, mut found) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [label, cells @ ..] = fields.as_slice() else { continue };
            match *label {
                "Block Size" => {
                    sizes = cells.iter().map(|c| c.split(' ').next().unwrap().to_owned()).collect();
                }
                "Read" | "Write" | "Total" => {
                    for (size, cell) in sizes.iter().zip(cells) {
                        let words: Vec<&str> = cell.split_whitespace().collect();
                        let [number, unit, iops] = words.as_slice() else { panic!("{line}") };
                        let factor = match *unit {
                            "GB/s" => 1e6,
                            "MB/s" => 1e3,
                            _ => 1.0,
                        };
                        let iops = iops.trim_matches(['(', ')']);
                        let iops = match iops.strip_suffix('k') {
                            Some(thousands) => thousands.parse::<f64>().unwrap() * 1e3,
                            None => iops.parse().unwrap(),
                        };
                        let speed = number.parse::<f64>().unwrap() * factor;
                        found.push(((*label).to_owned(), size.clone(), speed, iops));
                    }
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn its_time_is_local() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(format_time("2022-08-16T23:50:33Z".parse().unwrap(), zone), "20220817-015033");
    }

    #[test]
    fn a_script_for_yabs_reads_table_and_json() {
        let scraped = scrape(&render_table(&rows()));
        assert_eq!(scraped.len(), 12);
        assert_eq!(scraped[0], ("Read".to_owned(), "4k".to_owned(), 165_590.0, 41_300.0));
        assert_eq!(scraped[11], ("Total".to_owned(), "1m".to_owned(), 1_250_000.0, 1900.0));

        let value: Value = serde_json::from_str(&render_json(&host(), &rows())).unwrap();
        let fio = value["fio"].as_array().unwrap();
        assert_eq!(fio[0]["bs"], "4k");
        assert_eq!((&fio[0]["speed_rw"], &fio[0]["iops_rw"]), (&json!(331_617), &json!(82_903)));
        assert_eq!(fio[3]["speed_units"], "KBps");
        assert_eq!(value["os"]["arch"], "x64");
        assert_eq!(value["os"]["vm"], "KVM");
        assert!(value["cpu"].get("model").is_none(), "what is not known is absent");
        assert_eq!(value["runtime"]["elapsed"], 125);
    }
}
