//! Against the real fio and the programs that read its logs.

use stats::LatencyHistogram;

use super::*;
use crate::bins::{bin_index, bin_middle_ns};
use crate::options::log::WindowValue;
use crate::tests::{Folder, skip_unless};

const NULL: &str = "--output=/dev/null --name=j --ioengine=null --size=1g";

fn numbers(text: &str) -> Vec<Vec<u64>> {
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => word.parse().unwrap(),
    };
    text.lines().map(|line| line.split(", ").map(number).collect()).collect()
}

/// The log of ten windows, from the number of reads and writes of 8 KiB in each.
fn windows(kind: LogKind, settings: LogSettings, done: &[[u64; 10]; 2]) -> String {
    let mut log = LogWriter::new(Vec::new(), kind, settings);
    let length_ns = settings.avg_ms * 1_000_000;
    for window in 0..10 {
        for (direction, done) in done.iter().enumerate() {
            let ops = done[window];
            let aggregate = WindowAggregate { ops, bytes: ops * 8192, mean_ns: 1.0, max_ns: 1 };
            let end_ns = (window as u64 + 1) * length_ns;
            log.record_window(end_ns, direction as u8, &aggregate).unwrap();
        }
    }
    String::from_utf8(log.finish(10 * length_ns).unwrap()).unwrap()
}

fn ours(kind: LogKind, settings: LogSettings, samples: &[Sample], end_ns: u64) -> String {
    let mut log = LogWriter::new(Vec::new(), kind, settings);
    samples.iter().for_each(|sample| log.record_operation(sample).unwrap());
    String::from_utf8(log.finish(end_ns).unwrap()).unwrap()
}

#[test]
fn names_are_those_of_fio() {
    skip_unless!("fio");
    let lat = |name: &str, number, per_job| {
        let mut names: Vec<_> = latency_kinds(false, false, false)
            .into_iter()
            .map(|kind| log_file_name(Some(name), "j", kind.word(), number, per_job))
            .collect();
        names.push(log_file_name(Some(name), "j", HISTOGRAM, number, per_job));
        names
    };
    let check = |args: &str, mut expected: Vec<String>| {
        let folder = Folder::new();
        folder.fio(&format!("{NULL} --number_ios=2 {args}"));
        expected.sort();
        assert_eq!(folder.names(), expected, "{args}");
    };
    let two = [lat("q", 1, true), lat("q", 2, true)].concat();
    check("--numjobs=2 --write_lat_log=q --write_hist_log=q --log_hist_msec=100", two);
    let shared = lat("q", 1, false);
    check("--write_lat_log=q --write_hist_log=q --log_hist_msec=100 --per_job_logs=0", shared);
    let rates = [LogKind::Bw, LogKind::Iops]
        .map(|kind| log_file_name(Some("r"), "j", kind.word(), 1, true));
    check("--write_bw_log=r --write_iops_log=r", rates.to_vec());
    let some = latency_kinds(true, false, true);
    let some =
        some.into_iter().map(|kind| log_file_name(Some("d"), "j", kind.word(), 1, true)).collect();
    check("--write_lat_log=d --disable_slat=1 --disable_lat=1", some);
}

#[test]
fn a_bare_option_takes_the_name_of_the_job() {
    skip_unless!("fio");
    let folder = Folder::new();
    folder.write("x.job", "[my job]\nioengine=null\nsize=4k\nwrite_bw_log\n");
    folder.fio("--output=/dev/null x.job");
    let expected = log_file_name(None, "my job", LogKind::Bw.word(), 1, true);
    assert_eq!(folder.names(), [expected, "x.job".to_owned()]);
}

/// A job of single operations, under log options: fio's bw, iops and clat logs are made again out
/// of the times and latencies that its clat log tells, byte by byte but for the times.
fn same_bytes(options: &str, settings: LogSettings) {
    let folder = Folder::new();
    let workload = "--rw=randrw --bsrange=512-16k --size=8m --number_ios=200";
    let logs = "--write_lat_log=q --write_bw_log=q --write_iops_log=q";
    folder.fio(&format!(
        "--output=/dev/null --name=j --ioengine=psync --filename={} {workload} {logs} {options}",
        folder.path("data")
    ));
    let theirs = folder.read("q_clat.1.log");
    let samples: Vec<Sample> = numbers(&theirs)
        .iter()
        .map(|n| Sample {
            time_ns: (n[0] - settings.epoch_ms.unwrap_or(0)) * 1_000_000,
            value: n[1],
            direction: n[2] as u8,
            length: n[3] as u32,
            offset: if settings.with_offset { n[4] } else { 0 },
            issued_ns: 0,
            ioprio: None,
        })
        .collect();
    assert_eq!(samples.len(), 200);
    for kind in [LogKind::Clat, LogKind::Bw, LogKind::Iops] {
        let name = log_file_name(Some("q"), "j", kind.word(), 1, true);
        let (mine, theirs) = (ours(kind, settings, &samples, 0), folder.read(&name));
        assert_eq!(mine.lines().count(), theirs.lines().count(), "{options} {name}");
        for (mine, theirs) in mine.lines().zip(theirs.lines()) {
            // fio asks the clock for each log anew: the time may differ, and nothing else.
            let (mine, theirs) = (mine.split_once(' ').unwrap(), theirs.split_once(' ').unwrap());
            let ms = |cell: &str| cell.strip_suffix(',').unwrap().parse::<u64>().unwrap();
            assert!(ms(mine.0).abs_diff(ms(theirs.0)) <= 50, "{options} {name}: {theirs:?}");
            assert_eq!(mine.1, theirs.1, "{options} {name}");
        }
    }
    assert_eq!(folder.read("q_slat.1.log"), "", "synchronous engines have no submission latency");
}

#[test]
fn single_operations_give_the_same_bytes() {
    skip_unless!("fio");
    let plain = LogSettings::default();
    same_bytes("", plain);
    let offset = LogSettings { with_offset: true, ..plain };
    same_bytes("--log_offset=1", offset);
    let epoch = LogSettings { epoch_ms: Some(1_600_000_000_000), ..offset };
    same_bytes("--log_offset=1 --log_unix_epoch=1", epoch);
}

#[test]
fn windows_have_the_columns_of_fio() {
    skip_unless!("fio");
    let check = |options: &str, settings: LogSettings| {
        let folder = Folder::new();
        let logs = "--write_lat_log=q --write_bw_log=q --write_iops_log=q --log_avg_msec=100";
        folder.fio(&format!(
            "{NULL} --rw=randread --rate_iops=1000 --time_based --runtime=1 {logs} {options}"
        ));
        for kind in [LogKind::Clat, LogKind::Bw, LogKind::Iops] {
            let name = log_file_name(Some("q"), "j", kind.word(), 1, true);
            let theirs = folder.read(&name);
            let mine = windows(kind, settings, &[[100; 10], [0; 10]]);
            // All but time and value: fixed, separators and spaces included.
            let tail = |text: &str| {
                let line = text.lines().next().unwrap();
                line.splitn(3, ", ").nth(2).unwrap().to_owned()
            };
            assert_eq!(tail(&mine), tail(&theirs), "{options} {name}");
        }
    };
    let plain = LogSettings { avg_ms: 100, ..LogSettings::default() };
    check("", plain);
    check("--log_offset=1", LogSettings { with_offset: true, ..plain });
    let max = LogSettings { window_value: WindowValue::Max, with_offset: true, ..plain };
    check("--log_offset=1 --log_max_value=1", max);
}

/// Runs a determined job until its log looks as ours: the machine may be too busy to keep the
/// times at first.
fn soon_alike(args: &str, log: &str, mine: &str, times_within_ms: u64, values_within: f64) {
    let mine = numbers(mine);
    let mut theirs = Vec::new();
    for _ in 0..5 {
        let folder = Folder::new();
        folder.fio(args);
        theirs = numbers(&folder.read(log));
        let alike = mine.len() == theirs.len()
            && mine.iter().zip(&theirs).all(|(mine, theirs)| {
                let ratio = theirs[1] as f64 / mine[1].max(1) as f64;
                mine[0].abs_diff(theirs[0]) <= times_within_ms
                    && (ratio - 1.0).abs() <= values_within
                    && mine[2..] == theirs[2..]
            });
        if alike {
            return;
        }
    }
    panic!("{args}: ours {mine:?}, fio's {theirs:?}");
}

#[test]
fn rates_in_windows_are_those_of_fio() {
    skip_unless!("fio");
    let settings = LogSettings { avg_ms: 300, ..LogSettings::default() };
    let check = |kind: LogKind, option| {
        let args = format!(
            "{NULL} --rw=randrw --bs=8k --rate_iops=1000,1000 --time_based --runtime=1 \
             --log_avg_msec=300 {option}=q"
        );
        let log = log_file_name(Some("q"), "j", kind.word(), 1, true);
        let done = [300, 300, 300, 0, 0, 0, 0, 0, 0, 0];
        let mine = windows(kind, settings, &[done; 2]);
        assert_eq!(numbers(&mine).len(), 6);
        soon_alike(&args, &log, &mine, 8, 0.03);
    };
    check(LogKind::Bw, "--write_bw_log");
    check(LogKind::Iops, "--write_iops_log");
}

#[test]
fn a_window_of_latencies_is_the_mean_of_its_operations() {
    skip_unless!("fio");
    // Two operations in one window; the JSON tells their exact latencies.
    let folder = Folder::new();
    let output = folder.fio(
        "--output-format=json --name=j --ioengine=null --rw=randread --size=1g --rate_iops=7 \
         --number_ios=2 --write_lat_log=q --log_avg_msec=100",
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let clat = &json["jobs"][0]["read"]["clat_ns"];
    let [min, max] = ["min", "max"].map(|name| clat[name].as_u64().unwrap());
    let theirs = folder.read("q_clat.1.log");
    let time_ns = numbers(&theirs)[0][0] * 1_000_000;
    let settings = LogSettings { avg_ms: 100, ..LogSettings::default() };
    let mut log = LogWriter::new(Vec::new(), LogKind::Clat, settings);
    let mean_ns = (min + max) as f64 / 2.0;
    let both = WindowAggregate { ops: 2, bytes: 8192, mean_ns, max_ns: max };
    log.record_window(time_ns, 0, &both).unwrap();
    assert_eq!(String::from_utf8(log.finish(time_ns).unwrap()).unwrap(), theirs);
}

#[test]
fn json_bins_have_our_middles() {
    skip_unless!("fio");
    let folder = Folder::new();
    let output = folder.fio(
        // Blocks of many sizes take many times; those of fio's null engine are nearly alike.
        "--output-format=json+ --name=j --ioengine=psync --rw=randrw --size=16m \
         --bsrange=512-256k --lat_percentiles=1",
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut seen = 0;
    for (direction, latency) in [("read", "clat_ns"), ("write", "clat_ns"), ("read", "lat_ns")] {
        let bins = &json["jobs"][0][direction][latency]["bins"];
        for key in bins.as_object().map(|bins| bins.keys()).into_iter().flatten() {
            let ns: u64 = key.parse().unwrap();
            assert_eq!(bin_middle_ns(bin_index(ns)), ns);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn histogram_logs_have_the_bins_of_fio() {
    skip_unless!("fio");
    for coarseness in [0, 3, 6] {
        let folder = Folder::new();
        folder.fio(&format!(
            "{NULL} --rw=randrw --rate_iops=1000 --time_based --runtime=1 --write_hist_log=q \
             --log_hist_msec=400 --log_hist_coarseness={coarseness}"
        ));
        let theirs = folder.read("q_clat_hist.1.log");
        let mut histogram = LatencyHistogram::new();
        histogram.record(1000);
        let mut log = HistWriter::new(Vec::new(), coarseness, None);
        log.write_window(400_000_000, 0, 4096, &histogram).unwrap();
        let mine = String::from_utf8(log.finish().unwrap()).unwrap();
        let (mine, theirs) = (numbers(&mine), numbers(&theirs));
        assert!(theirs.iter().any(|line| line[1] == 0) && theirs.iter().any(|line| line[1] == 1));
        for line in theirs {
            assert_eq!((line.len(), line[2]), (mine[0].len(), 4096));
        }
    }
}

/// Latencies spread over three decades, as many in each of two windows.
fn spread() -> LatencyHistogram {
    let mut histogram = LatencyHistogram::new();
    for i in 0..10_000_u64 {
        histogram.record(20_000 + i * i / 10);
    }
    histogram
}

fn two_windows(histogram: &LatencyHistogram) -> Vec<u8> {
    let mut log = HistWriter::new(Vec::new(), 0, None);
    for second in 1..=3 {
        log.write_window(second * 1_000_000_000, 0, 4096, histogram).unwrap();
    }
    log.finish().unwrap()
}

/// Checks percentiles in ns: within a bin of what the histogram says.
fn check_percentiles(histogram: &LatencyHistogram, found: &[(f64, f64)]) {
    for &(percent, ns) in found {
        let own = histogram.quantile(percent / 100.0).unwrap() as f64;
        assert!((ns / own - 1.0).abs() < 1.0 / 32.0, "p{percent}: {ns} against {own}");
    }
}

/// Unpacks a script of Debian's fio package into the folder.
fn script(folder: &Folder, name: &str) -> String {
    let packed = format!("/usr/share/doc/fio/{name}.gz");
    folder.write(name, folder.run("zcat", &[&packed]).stdout);
    folder.path(name)
}

#[test]
fn fio_histo_log_pctiles_reads_our_histograms() {
    skip_unless!("python3", "zcat", "/usr/share/doc/fio/fio-histo-log-pctiles.py.gz");
    let folder = Folder::new();
    let script = script(&folder, "fio-histo-log-pctiles.py");
    let histogram = spread();
    folder.write("q_clat_hist.1.log", two_windows(&histogram));
    let args = [&script, "--percentiles", "50", "95", "99", "--", "q_clat_hist.1.log"];
    let output = folder.run("python3", &args);
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text.lines().rfind(|line| line.trim_start().starts_with("1000,")).unwrap();
    let cells: Vec<f64> = row.split(',').map(|cell| cell.trim().parse().unwrap()).collect();
    assert_eq!(cells[1], 10_000.0, "{text}");
    let found = [(50.0, cells[2] * 1e3), (95.0, cells[3] * 1e3), (99.0, cells[4] * 1e3)];
    check_percentiles(&histogram, &found);
}

#[test]
fn fiologparser_hist_reads_our_histograms() {
    skip_unless!("python3", "zcat", "/usr/share/doc/fio/fiologparser_hist.py.gz");
    // Its libraries may be in an environment of their own.
    let python = std::env::var("FIOLOGS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut probe = std::process::Command::new(&python);
    let probe = probe.args(["-c", "import numpy, pandas"]).output();
    let libraries = probe.is_ok_and(|output| output.status.success());
    skip_unless!(if libraries { "python3" } else { "/(numpy and pandas of Python)" });
    let folder = Folder::new();
    let script = script(&folder, "fiologparser_hist.py");
    let histogram = spread();
    folder.write("q_clat_hist.1.log", two_windows(&histogram));
    let output = folder.run(&python, &[&script, "--noweight", "q_clat_hist.1.log"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text.lines().find(|line| line.starts_with("2000,")).unwrap();
    let cells: Vec<f64> = row.split(',').map(|cell| cell.trim().parse().unwrap()).collect();
    // end-time, samples, min, avg, median, 90%, 95%, 99%, max
    assert_eq!(cells[1], 10_000.0, "{text}");
    let found = [(50.0, cells[4]), (90.0, cells[5]), (95.0, cells[6]), (99.0, cells[7])];
    check_percentiles(&histogram, &found);
    let mean = histogram.mean_ns().unwrap();
    assert!((cells[3] / mean - 1.0).abs() < 1.0 / 32.0, "{} {mean}", cells[3]);
}

/// `fio_generate_plots` looks for `*_KIND.log` and `*_KIND.*.log`, and draws the second column
/// over the first. A stand-in for gnuplot shows what it would draw.
#[test]
fn fio_generate_plots_finds_our_logs() {
    skip_unless!("sh", "sed", "fio_generate_plots");
    let kinds = [LogKind::Lat, LogKind::Iops, LogKind::Slat, LogKind::Clat, LogKind::Bw];
    let sample = Sample { time_ns: 2_000_000_000, value: 5, length: 4096, ..Sample::default() };
    for per_job in [true, false] {
        let folder = Folder::new();
        let mut names = Vec::new();
        for kind in kinds {
            let name = log_file_name(Some("a-b-c-8"), "j", kind.word(), 1, per_job);
            folder.write(&name, ours(kind, LogSettings::default(), &[sample], 0));
            names.push(name);
        }
        folder.write("gnuplot", "#!/bin/sh\ncat >> plotted\n");
        folder.run("chmod", &["+x", "gnuplot"]);
        folder.run("sh", &["-c", "PATH=\"$PWD:$PATH\" exec fio_generate_plots title >/dev/null"]);
        let plotted = folder.read("plotted");
        for name in names {
            let drawn = format!("'{name}' using ($1/1000):($2/");
            assert!(plotted.contains(&drawn), "{name}: {plotted}");
            assert_eq!(numbers(&folder.read(&name))[0][0], 2000, "milliseconds");
        }
    }
}

#[test]
fn gnuplot_reads_our_columns() {
    skip_unless!("gnuplot");
    let folder = Folder::new();
    let sample = Sample { time_ns: 2_000_000_000, value: 5000, ..Sample::default() };
    folder.write("q_lat.1.log", ours(LogKind::Lat, LogSettings::default(), &[sample], 0));
    let plot = "set table 'out'; plot 'q_lat.1.log' using ($1/1000):($2/1000)";
    folder.run("gnuplot", &["-e", plot]);
    let table = folder.read("out");
    let row = table.lines().find(|line| line.trim_end().ends_with('i')).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["2", "5", "i"]);
}
