//! A reader as strict as Go: the whole of stdout is one document of these types.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::good;
use crate::harness::run::Side;

/// What Go's `int64`, `int32` and `float` take: no fraction in a whole number.
#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct Kubestr {
    #[serde(rename = "fio version")]
    version: String,
    timestamp: i64,
    timestamp_ms: i64,
    time: String,
    #[serde(rename = "global options")]
    global: BTreeMap<String, String>,
    jobs: Vec<KubestrJob>,
    disk_util: Vec<KubestrDisk>,
}

#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct KubestrJob {
    jobname: String,
    groupid: i64,
    error: i64,
    eta: i64,
    elapsed: i64,
    #[serde(rename = "job options")]
    options: BTreeMap<String, String>,
    read: KubestrWay,
    write: KubestrWay,
    trim: KubestrWay,
    sync: KubestrSync,
    job_runtime: i32,
    usr_cpu: f32,
    sys_cpu: f32,
    ctx: i32,
    majf: i32,
    minf: i32,
    iodepth_level: BTreeMap<String, f32>,
    iodepth_submit: BTreeMap<String, f32>,
    iodepth_complete: BTreeMap<String, f32>,
    latency_ns: BTreeMap<String, f32>,
    latency_us: BTreeMap<String, f32>,
    latency_ms: BTreeMap<String, f32>,
    latency_depth: i32,
    latency_target: i32,
    latency_percentile: f32,
    latency_window: i32,
}

#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct KubestrWay {
    io_bytes: i64,
    io_kbytes: i64,
    bw_bytes: i64,
    bw: i64,
    iops: f32,
    runtime: i64,
    total_ios: i64,
    short_ios: i64,
    drop_ios: i64,
    slat_ns: KubestrLatency,
    clat_ns: KubestrLatency,
    lat_ns: KubestrLatency,
    bw_min: i64,
    bw_max: i64,
    bw_agg: f32,
    bw_mean: f32,
    bw_dev: f32,
    bw_samples: i32,
    iops_min: i32,
    iops_max: i32,
    iops_mean: f32,
    iops_stddev: f32,
    iops_samples: i32,
}

#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct KubestrLatency {
    min: i64,
    max: i64,
    mean: f32,
    stddev: f32,
    #[serde(rename = "N")]
    count: i64,
}

#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct KubestrSync {
    lat_ns: KubestrLatency,
    total_ios: i32,
}

#[derive(Deserialize)]
#[allow(dead_code)] // read for their types alone
struct KubestrDisk {
    name: String,
    read_ios: i64,
    write_ios: i64,
    read_merges: i64,
    write_merges: i64,
    read_ticks: i64,
    write_ticks: i64,
    in_queue: i64,
    util: f32,
}

/// The whole of stdout is one document, and every type is the one expected.
pub fn kubestr(side: Side, dir: &Path) -> Result<(), String> {
    let job = |n: u32, name: &str, bs: &str, rw: &str| {
        format!(
            "[job{n}]\nname={name}\nbs={bs}\niodepth=64\nsize=2M\nreadwrite={rw}\ntime_based\n\
             ramp_time=100ms\nruntime=600ms\n"
        )
    };
    let text = format!(
        "[global]\nrandrepeat=0\nverify=0\nioengine=libaio\ndirect=1\ngtod_reduce=1\n{}{}{}{}",
        job(1, "read_iops", "4K", "randread"),
        job(2, "write_iops", "4K", "randwrite"),
        job(3, "read_bw", "128K", "randread"),
        job(4, "write_bw", "128k", "randwrite")
    );
    std::fs::write(dir.join("default-fio"), text).map_err(|error| error.to_string())?;
    let command = "fio --directory . ./default-fio --output-format=json";
    let outcome = good(side, dir, "sh", command)?;
    let read: Kubestr =
        serde_json::from_str(&outcome.stdout).map_err(|error| format!("stdout: {error}"))?;
    let names: Vec<&str> = read.jobs.iter().map(|job| job.jobname.as_str()).collect();
    if names != ["read_iops", "write_iops", "read_bw", "write_bw"] {
        return Err(format!("jobs are {names:?}"));
    }
    if read.disk_util.is_empty() {
        return Err("no disk_util".into());
    }
    for job in &read.jobs {
        let way = if job.jobname.starts_with("read") { &job.read } else { &job.write };
        if way.iops <= 0.0 || way.iops_samples < 1 || way.bw_min > way.bw_max {
            return Err(format!(
                "{}: iops {}, samples {}",
                job.jobname, way.iops, way.iops_samples
            ));
        }
    }
    Ok(())
}
