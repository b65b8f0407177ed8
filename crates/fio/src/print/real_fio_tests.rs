//! The formatters against the fio of this machine: its JSON and its text tell of the same run.
//! The text is rebuilt from the JSON and must be the same. Without fio the test says so and passes.

use std::process::Command;

use serde_json::Value;

use super::direction::{format_bw_line, format_iops_line, format_rate_line};
use super::figures::{BATCHES, DEPTHS, Moments};
use super::group::GroupSummary;
use super::latency::{Shares, format_moments, render_percentiles};
use super::normal::{format_shares, render_steady_state, render_title};
use super::numbers::{Scale, errno_text};
use super::tail::{render_disks, render_idleness};
use crate::options::parse::KbBase;
use crate::options::report::UnitBase;
use crate::results::*;

fn u(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

fn f(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(0.0)
}

fn samples(d: &Value, name: &str, dev: &str) -> Samples {
    let key = |what: &str| format!("{name}_{what}");
    Samples {
        min: u(d, &key("min")),
        max: u(d, &key("max")),
        mean: f(d, &key("mean")),
        dev: f(d, &key(dev)),
        samples: u(d, &key("samples")),
    }
}

fn direction(d: &Value) -> DirectionResult {
    DirectionResult {
        bytes: u(d, "io_bytes"),
        ops: u(d, "total_ios"),
        runtime_ms: u(d, "runtime"),
        bw: samples(d, "bw", "dev"),
        iops: samples(d, "iops", "stddev"),
        ..DirectionResult::default()
    }
}

fn display(scale: Scale) -> ReportOptions {
    ReportOptions {
        kb_base: if scale.kb_base == 1000 { KbBase::Thousand } else { KbBase::Binary },
        unit_base: if scale.unit_base == 1 { UnitBase::Bit } else { UnitBase::Auto },
        significant_figures: scale.figures as u8,
        clat_percentiles: true,
        ..ReportOptions::default()
    }
}

/// The lines of `slat_ns` and its like, and their percentiles.
fn latencies(d: &Value, names: &[&str]) -> String {
    let mut out = String::new();
    for name in names {
        let l = &d[format!("{name}_ns")];
        if u(l, "N") > 0 {
            let (min, max) = (u(l, "min"), u(l, "max"));
            let moments = Moments { min, max, mean: f(l, "mean"), dev: f(l, "stddev"), n: 1 };
            out.push_str(&format_moments(name, &moments));
        }
    }
    for name in names {
        if let Some(map) = d[format!("{name}_ns")]["percentile"].as_object() {
            let mut list: Vec<(f64, u64)> = map
                .iter()
                .map(|(percent, ns)| (percent.parse().unwrap(), ns.as_u64().unwrap()))
                .collect();
            list.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (percents, values): (Vec<f64>, Vec<u64>) = list.into_iter().unzip();
            out.push_str(&render_percentiles(name, &percents, &values));
        }
    }
    out
}

fn shares(j: &Value) -> Shares {
    let mut shares = Shares::default();
    let labels = ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"];
    for (i, label) in labels.iter().enumerate() {
        if i < 10 {
            shares.nsec[i] = f(&j["latency_ns"], label);
            shares.usec[i] = f(&j["latency_us"], label);
        }
        shares.msec[i] = f(&j["latency_ms"], label);
    }
    shares
}

fn depth_line(j: &Value, labels: [&str; 7]) -> String {
    format_shares(&labels, &labels.map(|label| f(j, label)))
}

fn sync(j: &Value) -> String {
    match u(&j["sync"], "total_ios") {
        0 => String::new(),
        _ => {
            let block =
                latencies(&serde_json::json!({ "sync_ns": j["sync"]["lat_ns"] }), &["sync"]);
            format!("  fsync/fdatasync/sync_file_range:\n{block}")
        }
    }
}

fn steady(j: &Value, scale: Scale) -> String {
    let s = &j["steadystate"];
    let Some(criterion) = s["criterion"].as_str() else { return String::new() };
    let list = |key: &str| {
        s["data"][key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
    };
    let state = SteadyState {
        kind: s["ss"].as_str().unwrap().split(':').next().unwrap().to_owned(),
        attained: u(s, "attained") == 1,
        criterion: criterion.trim_end_matches('%').parse().unwrap(),
        percent: criterion.ends_with('%'),
        bw: list("bw"),
        iops: list("iops"),
        ..SteadyState::default()
    };
    render_steady_state(&state, scale)
}

fn job_result(j: &Value, scale: Scale) -> JobResult {
    let side = |name: &str| direction(&j[name]);
    let mixed = j["mixed"].is_object() && !j["read"].is_object();
    JobResult {
        name: j["jobname"].as_str().unwrap().to_owned(),
        group: u(j, "groupid") as u32,
        errno: u(j, "error") as i32,
        read: side(if mixed { "mixed" } else { "read" }),
        write: side("write"),
        trim: side("trim"),
        display: ReportOptions {
            unified: if mixed { Unified::Mixed } else { Unified::None },
            ..display(scale)
        },
        ..super::normal::tests::idle_job()
    }
}

fn job_text(j: &Value, job: &JobResult, group: &GroupSummary, jobs: u32, scale: Scale) -> String {
    let job = JobResult { jobs, ..job.clone() };
    let mut out = render_title(&job, "");
    if let Some(text) = j["desc"].as_str() {
        out.push_str(&format!("  Description  : [{text}]\n"));
    }
    for which in ReportedDirection::listed(Unified::Both) {
        let name = which.name();
        let d = direction(&j[name]);
        if d.runtime_ms == 0 || d.bytes == 0 {
            continue;
        }
        out.push_str(&format_rate_line(name, &d, scale));
        out.push_str(&latencies(&j[name], &["slat", "clat", "lat"]));
        let total = group.total(*which);
        out.push_str(&format_bw_line(&d.bw, scale.kb_base, total.bytes_per_second()));
        out.push_str(&format_iops_line(&d.iops));
    }
    out.push_str(&shares(j).format_lines());
    out.push_str(&sync(j));
    out.push_str(&format!(
        "  cpu          : usr={:.2}%, sys={:.2}%, ctx={}, majf={}, minf={}\n",
        f(j, "usr_cpu"),
        f(j, "sys_cpu"),
        u(j, "ctx"),
        u(j, "majf"),
        u(j, "minf")
    ));
    out.push_str(&format!("  IO depths    : {}\n", depth_line(&j["iodepth_level"], DEPTHS)));
    out.push_str(&format!("     submit    : {}\n", depth_line(&j["iodepth_submit"], BATCHES)));
    out.push_str(&format!("     complete  : {}\n", depth_line(&j["iodepth_complete"], BATCHES)));
    if u(j, "total_err") > 0 {
        let first = u(j, "first_error");
        let name = errno_text(first as i32);
        let count = u(j, "total_err");
        out.push_str(&format!("     errors    : total={count}, first_error={first}/<{name}>\n"));
    }
    out.push_str(&steady(j, scale));
    out
}

fn disk_text(j: &Value) -> String {
    let list: Vec<DiskUse> = j["disk_util"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .map(|d| DiskUse {
            name: d["name"].as_str().unwrap().to_owned(),
            ios: [u(d, "read_ios"), u(d, "write_ios")],
            merges: [u(d, "read_merges"), u(d, "write_merges")],
            ticks: [u(d, "read_ticks"), u(d, "write_ticks")],
            in_queue: u(d, "in_queue"),
            util: f(d, "util"),
            ..DiskUse::default()
        })
        .collect();
    render_disks(&list).replace("sectors=0/0, ", "")
}

fn rebuilt(document: &Value, jobs: u32, scale: Scale) -> String {
    let list = document["jobs"].as_array().unwrap();
    let entries: Vec<JobResult> = list.iter().map(|j| job_result(j, scale)).collect();
    let mut out = String::from("\n");
    for (j, entry) in list.iter().zip(&entries) {
        let group = GroupSummary::from_entries(entry.group, &entries);
        out.push_str(&job_text(j, entry, &group, jobs, scale));
    }
    for (number, group) in GroupSummary::all(&entries).iter().enumerate() {
        out.push_str(&group.render(number));
    }
    out.push_str(&disk_text(document));
    let idle = &document["cpu_idleness"];
    if idle.is_object() {
        let each = (0..).map_while(|n| idle[format!("cpu-{n}")].as_f64());
        out.push_str(&render_idleness(&Idleness {
            system: f(idle, "system"),
            percpu: each.collect(),
            unit: (f(idle, "unit_mean"), f(idle, "unit_stddev")),
        }));
    }
    comparable(&out)
}

/// Leaves out what the JSON does not tell, or what differs between fio 3.33 and 3.42.
fn comparable(text: &str) -> String {
    let unknown = ["     issued rwts:", "     latency   :"];
    let mut out = String::new();
    for line in text.lines().filter(|line| !unknown.iter().any(|name| line.starts_with(name))) {
        let line = line.trim_end_matches("; 0 zone resets");
        let line = match line.find("): err=") {
            Some(at) => &line[..at + "): err= 0".len()],
            None => line,
        };
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn run(directory: &std::path::Path, options: &str) -> Option<(Value, String)> {
    let output = Command::new("fio")
        .args(["--name=job", "--output-format=json,normal", "--eta=never"])
        .args(options.split(' '))
        .current_dir(directory)
        .output()
        .ok()?;
    let stdout = String::from_utf8(output.stdout).unwrap();
    let start = stdout.find("{\n").unwrap_or_else(|| panic!("{options}: no JSON in\n{stdout}"));
    let end = start + stdout[start..].find("\n}\n").unwrap() + 3;
    let document = serde_json::from_str(&stdout[start..end]).unwrap();
    Some((document, comparable(&stdout[end..])))
}

#[test]
fn the_text_is_that_of_the_real_fio() {
    let directory = std::env::temp_dir().join(format!("truedisk-normal-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let plain = Scale::default();
    let file = "--filename=f --size=2m";
    let null = "--ioengine=null --size=1g";
    let second = "--time_based --runtime=1";
    let cases = [
        (1, plain, format!("{file} --rw=randrw {second}")),
        (1, plain, format!("{file} --rw=randread --numjobs=2 {second}")),
        (
            2,
            plain,
            format!(
                "{file} --rw=randwrite --ioengine=libaio --iodepth=4 \
            --numjobs=2 --group_reporting --slat_percentiles=1 --lat_percentiles=1"
            ),
        ),
        (
            1,
            Scale { unit_base: 1, ..plain },
            format!(
                "{file} --rw=read --gtod_reduce=1 \
            --numjobs=2 --unit_base=1 {second}"
            ),
        ),
        (1, plain, format!("{file} --rw=randrw --unified_rw_reporting=1")),
        (
            1,
            Scale { kb_base: 1000, unit_base: 1, figures: 4 },
            format!("{null} --rw=write --kb_base=1000 --unit_base=1 --rate=50m {second}"),
        ),
        (
            1,
            Scale { figures: 6, ..plain },
            format!("{file} --rw=read --percentile_list=1:50:99.999 --significant_figures=6"),
        ),
        (1, Scale { figures: 2, ..plain }, format!("{file} --rw=randrw --significant_figures=2")),
        (1, plain, format!("{file} --rw=write --fsync=16 --description=steps")),
        (1, plain, format!("{null} --rw=randtrim --iodepth=32 --bs=64k")),
        (1, plain, format!("{null} --rw=randrw --iodepth=8 --disable_clat=1")),
        (1, plain, format!("{file} --rw=rw --disable_lat=1 --clat_percentiles=0")),
        (
            1,
            plain,
            format!("{file} --rw=randread --ss=iops:90% --ss_dur=2 --time_based --runtime=3"),
        ),
        (1, plain, "--filename=/dev/full --size=64k --rw=write --continue_on_error=all".to_owned()),
        (1, plain, format!("{file} --rw=read --idle-prof=percpu")),
        (
            1,
            plain,
            format!(
                "{file} --rw=read --stonewall --name=other {file} --rw=write \
            --new_group"
            ),
        ),
    ];
    for (jobs, scale, options) in &cases {
        // The JSON has six decimals: rarely one of them is rounded across a half of the text's two.
        for attempt in 1..=3 {
            let Some((document, expected)) = run(&directory, options) else {
                println!("skipped: there is no fio on this machine");
                return;
            };
            assert!(expected.contains("Run status group 0"), "{options}\n{expected}");
            let text = rebuilt(&document, *jobs, *scale);
            if text == expected {
                break;
            }
            assert!(attempt < 3, "{options}\nours:\n{text}\nfio's:\n{expected}");
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}
