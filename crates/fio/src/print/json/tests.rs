use super::*;
use crate::results::SyncResult;
use serde_json::json as value;

fn busy() -> RunResult {
    let mut job = JobResult { name: "a".to_owned(), ..JobResult::default() };
    job.options =
        vec![("name".to_owned(), "a".to_owned()), ("time_based".to_owned(), String::new())];
    job.job_start_ms = 1_795_219_276_901;
    job.elapsed_s = 5;
    job.job_runtime_ms = 4000;
    job.user_ns = 129_000_000;
    job.read.bytes = 3 * 4096;
    job.read.ops = 3;
    job.read.runtime_ms = 4001;
    for latency in [100, 200, 1_000_000] {
        job.read.clat.record(latency);
        job.latency.record(latency);
    }
    job.depth_level[0] = 3;
    job.display.percentile_list = vec![50.0, 99.99];
    RunResult { finished_ms: 1_795_219_281_047, instances: vec![job], ..RunResult::default() }
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no\n{part}\nin\n{text}");
}

#[test]
fn head_and_layout() {
    let text = render_json(&busy(), false);
    let head = r#"{
  "fio version" : "fio-3.42-truedisk",
  "timestamp" : 1795219281,
  "timestamp_ms" : 1795219281047,
  "time" : "Sat Nov 21 00:01:21 2026",
  "jobs" : [
    {
      "jobname" : "a",
      "groupid" : 0,
      "job_start" : 1795219276901,
      "error" : 0,
      "eta" : 0,
      "elapsed" : 5,
      "job options" : {
        "name" : "a",
        "time_based" : ""
      },
      "read" : {
        "io_bytes" : 12288,
        "io_kbytes" : 12,
        "bw_bytes" : 3071,
        "bw" : 2,
        "iops" : 0.749813,
        "runtime" : 4001,
        "total_ios" : 3,
        "short_ios" : 0,
        "drop_ios" : 0,
        "slat_ns" : {
          "min" : 0,
          "max" : 0,
          "mean" : 0.000000,
          "stddev" : 0.000000,
          "N" : 0
        },
        "clat_ns" : {
          "min" : 100,
          "max" : 1000000,
          "mean" : 333433.333333,
          "stddev" : 577263.668815,
          "N" : 3,
          "percentile" : {
            "50.000000" : 201,
            "99.990000" : 1000000
          }
        },
        "lat_ns" : {
"#;
    assert!(text.starts_with(head), "{text}");
    let tail = r#"      "latency_depth" : 1,
      "latency_target" : 0,
      "latency_target_ns" : 0,
      "latency_percentile" : 100.000000,
      "latency_window" : 0,
      "latency_window_us" : 0
    }
  ]
}
"#;
    assert!(text.ends_with(tail), "{text}");
    has(&text, "\"job_runtime\" : 4000,\n      \"usr_cpu\" : 3.225000,\n");
    has(&text, "\"latency_us\" : {\n        \"2\" : 0.000000,\n");
    has(&text, "\"latency_ms\" : {\n        \"2\" : 33.333333,\n");
}

#[test]
fn bins_follow_percentiles_in_json_plus() {
    let text = render_json(&busy(), true);
    let bins = "          },\n          \"bins\" : {\n            \"100\" : 1,\n            \
                \"201\" : 1,\n            \"1003520\" : 1\n          }\n        },";
    has(&text, bins);
    let mut run = busy();
    run.instances[0].display.clat_percentiles = false;
    assert!(!render_json(&run, true).contains("bins"));
}

#[test]
fn key_order_of_a_job_is_that_of_3_42() {
    let mut run = busy();
    run.instances[0].description = Some("d".to_owned());
    run.instances[0].continued = Some((2, 5));
    run.instances[0].steady = Some(SteadyState::default());
    run.instances[0].sync = SyncResult { ops: 1, ..SyncResult::default() };
    let parsed: serde_json::Value = serde_json::from_str(&render_json(&run, false)).unwrap();
    let keys: Vec<_> = parsed["jobs"][0].as_object().unwrap().keys().cloned().collect();
    let expected = "jobname groupid job_start error eta elapsed job_options read write trim sync \
        job_runtime usr_cpu sys_cpu ctx majf minf iodepth_level iodepth_submit iodepth_complete \
        latency_ns latency_us latency_ms total_err first_error latency_depth latency_target \
        latency_target_ns latency_percentile latency_window latency_window_us desc steadystate";
    assert_eq!(keys.join(" ").replace("job options", "job_options"), expected);
}

#[test]
fn unified_reporting() {
    let check = |unified, expected: &[&str]| {
        let mut run = busy();
        run.instances[0].display.unified = unified;
        let parsed: serde_json::Value = serde_json::from_str(&render_json(&run, false)).unwrap();
        let all = ["read", "write", "trim", "sync", "mixed"];
        let keys: Vec<_> = all.into_iter().filter(|k| parsed["jobs"][0].get(k).is_some()).collect();
        assert_eq!(keys, expected);
    };
    check(Unified::None, &["read", "write", "trim", "sync"]);
    check(Unified::Mixed, &["mixed"]);
    check(Unified::Both, &["read", "write", "trim", "sync", "mixed"]);
}

#[test]
fn options_may_repeat_and_vanish_when_empty() {
    let mut run = busy();
    let file = |name: &str| ("filename".to_owned(), name.to_owned());
    run.global_options = vec![file("f"), file("q\"b\\s/t\té")];
    run.instances[0].options.clear();
    let text = render_json(&run, false);
    has(
        &text,
        "  \"global options\" : {\n    \"filename\" : \"f\",\n    \
         \"filename\" : \"q\\\"b\\\\s/t\\u0009é\"\n  },\n  \"jobs\" : [\n",
    );
    assert!(!text.contains("job options"), "{text}");
}

#[test]
fn steady_state_reads_as_fios() {
    let mut run = busy();
    run.instances[0].steady = Some(SteadyState {
        kind: "iops".to_owned(),
        limit: 30.0,
        duration_s: 5,
        attained: true,
        criterion: 8.424_252,
        percent: true,
        max_deviation: 4651.4,
        slope: f64::NAN,
        bw: vec![234_201_088, 207_107_629],
        iops: vec![57_178, 50_563],
        lat: Vec::new(),
    });
    has(
        &render_json(&run, false),
        r#"      "steadystate" : {
        "ss" : "iops:30.000000%",
        "duration" : 5,
        "attained" : 1,
        "criterion" : "8.424252%",
        "max_deviation" : 4651.400000,
        "slope" : 0.000000,
        "data" : {
          "bw_mean" : 220654358,
          "iops_mean" : 53870,
          "iops" : [
            57178,
            50563
          ],
          "bw" : [
            234201088,
            207107629
          ]
        }
      }
"#,
    );
}

#[test]
fn idleness_disks_and_ours_close_the_document() {
    let disk = |name: &str, ios: [u64; 2], util: f64, slaves: Vec<DiskUse>| DiskUse {
        name: name.to_owned(),
        ios,
        util,
        slaves,
        ..DiskUse::default()
    };
    // Figures of dm-7 in fio's issue 719.
    let below = vec![disk("sdh", [39_323, 56], 99.81, vec![]), disk("sdao", [3, 0], 0.32, vec![])];
    let mut run = busy();
    run.disks = vec![disk("dm-7", [39_320, 56], 99.82, below)];
    run.idleness =
        Some(Idleness { system: 86.123_597, percpu: vec![87.0, 85.0], unit: (9.4, 0.42) });
    run.truedisk = Some(value!({"note\t": ["a\"b", 1, 2.5, null, {}]}));
    let text = render_json(&run, false);
    has(
        &text,
        r#"  ],
  "cpu_idleness" : {
    "system" : 86.123597,
    "cpu-0" : 87.000000,
    "cpu-1" : 85.000000,
    "unit_mean" : 9.400000,
    "unit_stddev" : 0.420000
  },
  "disk_util" : [
    {
      "name" : "dm-7",
      "read_ios" : 39320,
      "write_ios" : 56,
      "read_sectors" : 0,
      "write_sectors" : 0,
      "read_merges" : 0,
      "write_merges" : 0,
      "read_ticks" : 0,
      "write_ticks" : 0,
      "in_queue" : 0,
      "util" : 99.820000,
      "aggr_read_ios" : 19663,
      "aggr_write_ios" : 28,
"#,
    );
    has(&text, "      \"aggr_util\" : 99.810000\n    },\n    {\n      \"name\" : \"sdh\",\n");
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(Some(&parsed["truedisk"]), run.truedisk.as_ref());
    assert_eq!(parsed.as_object().unwrap().keys().next_back().unwrap(), "truedisk");
}

#[test]
fn dates() {
    let check = |seconds, expected: &str| assert_eq!(format_utc(seconds), expected);
    check(0, "Thu Jan  1 00:00:00 1970");
    check(951_782_400, "Tue Feb 29 00:00:00 2000");
    check(1_795_219_281, "Sat Nov 21 00:01:21 2026");
    check(4_107_542_399, "Sun Feb 28 23:59:59 2100");
    check(4_107_542_400, "Mon Mar  1 00:00:00 2100");
    check(13_574_563_200, "Tue Feb 29 00:00:00 2400");
}
