//! HD Tune's texts: the benchmark's, and after it what HD Tune shows as pictures and tables only,
//! the curve over the surface and random access by size.

use std::fmt::Write as _;

use record::{Record, Surface, Trial};
use units::Bytes;
use workload::Direction;

use super::result::{PresetResult, StepResult};
use super::select;
use crate::words::or_dash;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Benchmark {
    /// Model of the disk, or the path.
    pub(crate) name: String,
    pub(crate) places: Vec<Place>,
    /// Mean of random reads over the whole disk, in nanoseconds: seeks are as long as they come.
    pub(crate) access_ns: Option<f64>,
    /// Reading the same small part again and again, in bytes per second.
    pub(crate) burst: Option<f64>,
    /// Processor time by time of the sequential reads, as a share of all processors.
    pub(crate) cpu: Option<f64>,
    pub(crate) random: Vec<RandomRow>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) at: u64,
    /// Bytes per second read there in sequence.
    pub(crate) bytes_per_second: f64,
    /// Mean of random accesses within it, in nanoseconds: its seeks are short.
    pub(crate) access_ns: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RandomRow {
    /// `512 bytes`, `4 KB`, `Random`.
    pub(crate) size: String,
    pub(crate) iops: f64,
    pub(crate) mean_ns: f64,
    pub(crate) max_ns: f64,
    pub(crate) bytes_per_second: f64,
}

pub(crate) fn render(benchmark: &Benchmark) -> String {
    let Benchmark { name, places, access_ns, burst, cpu, random } = benchmark;
    let mut text = String::new();
    if !places.is_empty() {
        let _ = writeln!(text, "HD Tune: {name} Benchmark\n");
        let rates: Vec<f64> = places.iter().map(|place| place.bytes_per_second / 1e6).collect();
        let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let most = rates.iter().copied().fold(0.0, f64::max);
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        for (label, value) in [("Minimum", least), ("Maximum", most), ("Average", mean)] {
            let _ = writeln!(text, "Transfer Rate {label} : {value:.1} MB/sec");
        }
        if let Some(access) = access_ns {
            write_row(&mut text, "Access Time", &format_milliseconds(*access));
        }
        if let Some(burst) = burst {
            write_row(&mut text, "Burst Rate", &format!("{:.1} MB/sec", burst / 1e6));
        }
        if let Some(cpu) = cpu {
            write_row(&mut text, "CPU Usage", &format!("{:.1}%", cpu * 100.0));
        }
        text.push_str(&render_curve(name, places));
    }
    if !random.is_empty() {
        text.push_str(&render_table(name, random));
    }
    text
}

/// The text of a preset: the surface, the steps `access` and `burst`, and random reads one at a
/// time. Without the step `access` the smallest of those tell what an access takes.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    let record = result.record;
    let model =
        record.measured.target().and_then(|target| target.bottom_devices().first()?.model.clone());
    let rows = || select::single_job_steps(result).filter(|step| step.step.name != "access");
    let access =
        result.step("access").or_else(|| rows().find(|step| build_random_row(step).is_some()));
    let surface = record.judgement_or_default().surface.as_ref();
    let burst = result.step("burst").and_then(|step| step.figures(Direction::Read));
    let benchmark = Benchmark {
        name: model.unwrap_or_else(|| select::target_path(result).to_owned()),
        places: surface.map(build_places).unwrap_or_default(),
        access_ns: access.and_then(|step| build_random_row(&step)).map(|random| random.mean_ns),
        burst: burst.map(|figures| figures.bytes_per_second.value),
        cpu: cpu_share(record),
        random: rows().filter_map(|step| build_random_row(&step)).collect(),
    };
    render(&benchmark)
}

fn build_places(surface: &Surface) -> Vec<Place> {
    let access = |at: Bytes| surface.access.iter().find(|point| point.at == at);
    let place = |slice: &record::Slice| Place {
        at: slice.at.0,
        bytes_per_second: slice.rate(),
        access_ns: access(slice.at).map(|point| point.mean_ns),
    };
    surface.slices.iter().map(place).collect()
}

fn cpu_share(record: &Record) -> Option<f64> {
    let cells =
        record.measured.cells.iter().filter(|c| matches!(c.trial, Some(Trial::Surface { .. })));
    let (busy, elapsed) = cells.fold((0, 0), |(busy, elapsed), cell| {
        (busy + cell.cpu.user.0 + cell.cpu.system.0, elapsed + cell.elapsed.0)
    });
    let processors = f64::from(record.measured.environment.cpus.max(1));
    (elapsed > 0).then(|| busy as f64 / elapsed as f64 / processors)
}

fn build_random_row(step: &StepResult<'_>) -> Option<RandomRow> {
    let cell = step.passes().next()?;
    if !select::is_read(cell, false) || cell.job.depth.0 != 1 {
        return None;
    }
    let figures = step.figures(Direction::Read)?;
    let size = match cell.job.block_size.0 {
        _ if !cell.job.sizes.is_plain() => "Random".to_owned(),
        bytes if bytes >= Bytes::MIB => format!("{} MB", bytes / Bytes::MIB),
        bytes if bytes >= Bytes::KIB => format!("{} KB", bytes / Bytes::KIB),
        bytes => format!("{bytes} bytes"),
    };
    Some(RandomRow {
        size,
        iops: figures.iops.value,
        mean_ns: figures.mean_latency_ns.value,
        max_ns: figures.latency_ns_max as f64,
        bytes_per_second: figures.bytes_per_second.value,
    })
}

fn write_row(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "{label:<21} : {value}");
}

/// HD Tune shows one digit; a fast disk needs more to be seen at all.
fn format_milliseconds(ns: f64) -> String {
    let ms = ns / 1e6;
    if ms >= 0.1 { format!("{ms:.1} ms") } else { format!("{ms:.3} ms") }
}

fn render_curve(name: &str, places: &[Place]) -> String {
    let mut text = format!("\nHD Tune: {name} Transfer Rate\n\n");
    let _ = writeln!(text, "{:>12}  {:>10}  {:>11}", "position", "MB/sec", "near access");
    for place in places {
        let gigabytes = format!("{:.2} GB", place.at as f64 / 1e9);
        let access = or_dash(place.access_ns.map(format_milliseconds));
        let rate = place.bytes_per_second / 1e6;
        let _ = writeln!(text, "{gigabytes:>12}  {rate:>10.1}  {access:>11}");
    }
    text
}

fn render_table(name: &str, random: &[RandomRow]) -> String {
    let mut text = format!("\nHD Tune: {name} Random Access\n\n");
    let heads = ["size", "operations/sec", "avg. access", "max. access", "avg. speed"];
    let line = |text: &mut String, [size, iops, mean, max, speed]: [&str; 5]| {
        let _ = writeln!(text, "{size:<10} {iops:>15} {mean:>12} {max:>12} {speed:>16}");
    };
    line(&mut text, heads);
    for random in random {
        let RandomRow { size, iops, mean_ns, max_ns, bytes_per_second } = random;
        let iops = format!("{iops:.0} IOPS");
        let times = [mean_ns, max_ns].map(|ns| format!("{:.3} ms", ns / 1e6));
        let speed = format!("{:.3} MB/s", bytes_per_second / 1e6);
        line(&mut text, [size, &iops, &times[0], &times[1], &speed]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark() -> Benchmark {
        let place =
            |at, rate: f64, access_ns| Place { at, bytes_per_second: rate * 1e6, access_ns };
        Benchmark {
            name: "Samsung SSD 840 EVO 120G".to_owned(),
            places: vec![
                place(0, 449.1, Some(52_000.0)),
                place(60_000_000_000, 1.0, Some(748_000.0)),
                place(119_000_000_000, 474.2, None),
            ],
            access_ns: Some(400_000.0),
            burst: Some(196.7e6),
            cpu: Some(0.272),
            random: vec![RandomRow {
                size: "4 KB".to_owned(),
                iops: 7213.4,
                mean_ns: 138_000.0,
                max_ns: 2_310_000.0,
                bytes_per_second: 7213.4 * 4096.0,
            }],
        }
    }

    #[test]
    fn the_benchmarks_text_is_that_of_hd_tune() {
        let golden = "\
HD Tune: Samsung SSD 840 EVO 120G Benchmark

Transfer Rate Minimum : 1.0 MB/sec
Transfer Rate Maximum : 474.2 MB/sec
Transfer Rate Average : 308.1 MB/sec
Access Time           : 0.4 ms
Burst Rate            : 196.7 MB/sec
CPU Usage             : 27.2%

HD Tune: Samsung SSD 840 EVO 120G Transfer Rate

    position      MB/sec  near access
     0.00 GB       449.1     0.052 ms
    60.00 GB         1.0       0.7 ms
   119.00 GB       474.2            -

HD Tune: Samsung SSD 840 EVO 120G Random Access

size        operations/sec  avg. access  max. access       avg. speed
4 KB             7213 IOPS     0.138 ms     2.310 ms      29.546 MB/s
";
        assert_eq!(render(&benchmark()), golden);
    }

    #[test]
    fn a_script_for_hd_tune_reads_it() {
        let text = render(&benchmark());
        let field = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            let (_, value) = lines.find(|(label, _)| label.trim() == name).unwrap();
            let number = value.trim().split([' ', '%']).next().unwrap();
            number.parse::<f64>().unwrap()
        };
        assert_eq!(field("Transfer Rate Minimum"), 1.0);
        assert_eq!(field("Transfer Rate Average"), 308.1);
        assert_eq!(field("Access Time"), 0.4);
        assert_eq!(field("CPU Usage"), 27.2);
    }

    #[test]
    fn without_a_surface_there_is_only_the_table() {
        let text = render(&Benchmark { places: Vec::new(), ..benchmark() });
        assert!(!text.contains("Transfer Rate") && text.contains("Random Access"), "{text}");
    }
}
