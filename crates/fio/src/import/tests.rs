use serde_json::json;
use units::{Bytes, Depth};
use workload::{Access, BackendChoice, Direction};

use super::*;

/// A job as fio 3 prints it.
fn job(name: &str, read: f64, write: f64) -> Value {
    let part = |iops: f64| {
        let ops = (iops * 10.0) as u64;
        json!({
            "io_bytes": ops * 4096, "io_kbytes": ops * 4, "bw_bytes": (iops * 4096.0) as u64,
            "bw": (iops * 4.0) as u64, "iops": iops, "runtime": if ops > 0 { 10_000 } else { 0 },
            "total_ios": ops, "short_ios": 0, "drop_ios": 0,
            "slat_ns": {"min": 900, "max": 90_000, "mean": 2_000.0, "stddev": 10.0, "N": ops},
            "clat_ns": {"min": 80_000, "max": 9_000_000, "mean": 98_000.0, "stddev": 5_000.0,
                "N": ops, "percentile": {"50.000000": 95_232, "99.000000": 200_704,
                "99.990000": 4_000_000}},
            "lat_ns": {"min": 82_000, "max": 9_100_000, "mean": 100_000.0, "stddev": 5_100.0,
                "N": ops},
        })
    };
    json!({
        "jobname": name, "groupid": 0, "error": 0, "elapsed": 10,
        "job options": {"name": name, "rw": "randrw", "rwmixread": "75", "bs": "4k",
            "iodepth": "64", "ioengine": "libaio", "direct": "1", "size": "4g",
            "filename": "/mnt/test"},
        "read": part(read), "write": part(write), "trim": part(0.0),
        "job_runtime": 10_000, "usr_cpu": 5.0, "sys_cpu": 20.0,
        "iodepth_level": {"1": 0.1, "2": 0.1, "32": 0.1, ">=64": 99.7},
    })
}

fn document(jobs: &[Value]) -> Value {
    json!({"fio version": "fio-3.33", "timestamp": 1_795_219_207,
        "timestamp_ms": 1_795_219_207_761_u64, "time": "Sat Nov 21 00:00:07 2026", "jobs": jobs})
}

fn of(document: &Value) -> Record {
    import_record(&document.to_string()).unwrap()
}

#[test]
fn what_fio_said_is_in_the_record() {
    let found = of(&document(&[job("mix", 33_215.0, 11_093.0)]));
    let cell = &found.measured.cells[0];
    assert_eq!(cell.job.mix, Mix::Mixed { read_percent: 75 });
    assert_eq!((cell.job.depth, cell.job.block_size), (Depth(64), Bytes::kib(4)));
    assert_eq!((cell.job.access.clone(), cell.job.direct), (Access::Random, true));
    assert_eq!((cell.job.backend, cell.backend.as_str()), (BackendChoice::Libaio, "libaio"));
    assert_eq!(cell.job.span.length, Bytes::gib(4));
    let read = cell.totals.read.as_ref().unwrap();
    assert_eq!((read.iops, read.ops), (33_215.0, 332_150));
    assert_eq!((read.latency_ns.mean, read.latency_ns.max), (100_000.0, 9_100_000));
    assert_eq!(read.latency_ns.percentiles["p99"], 200_704);
    assert_eq!(cell.cpu.system, Nanos::secs(2));
    assert_eq!(cell.elapsed, Nanos::secs(10));
    let imported = found.measured.imported.as_ref().unwrap();
    assert_eq!(
        (imported.version.as_str(), &imported.paths[..]),
        ("fio-3.33", &["/mnt/test".to_owned()][..])
    );
    assert_eq!(found.measured.finished.as_millisecond(), 1_795_219_207_761);
    assert!(
        imported.notes.iter().any(|note| note.text().contains("completion latency")),
        "{imported:?}"
    );
}

#[test]
fn what_fio_did_not_say_is_absent_and_not_zero() {
    let mut one = job("reads", 30_000.0, 0.0);
    for key in ["slat_ns", "clat_ns", "lat_ns"] {
        one["read"][key] = json!({"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0});
    }
    one.as_object_mut().unwrap().remove("usr_cpu");
    let found = of(&document(&[one]));
    let cell = &found.measured.cells[0];
    assert!(cell.totals.write.is_none() && cell.totals.trim.is_none());
    assert!(cell.totals.read.as_ref().unwrap().latency_ns.is_absent());
    let stored: Value = serde_json::from_str(&record::store::to_json(&found).unwrap()).unwrap();
    for key in ["environment", "calibration"] {
        assert!(stored.get(key).is_none(), "{key}");
    }
    let cell = &stored["cells"][0];
    for key in ["cpu", "achieved_depth", "ticks", "intervals"] {
        assert!(cell.get(key).is_none(), "{key}: {cell}");
    }
    assert!(cell["totals"]["read"].get("latency_ns").is_none());
    assert!(stored["plan"].get("seed").is_none());
    let again: Record = serde_json::from_value(stored).unwrap();
    assert_eq!(again, found);
}

#[test]
fn percentiles_that_the_sample_cannot_support_stay_out() {
    let found = of(&document(&[job("few", 40.0, 0.0)]));
    let read = found.measured.cells[0].totals.read.as_ref().unwrap();
    let names: Vec<&str> = read.latency_ns.percentiles.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["p50", "p99"]);
}

#[test]
fn fio_2_counts_kib_and_microseconds() {
    let part = json!({"io_bytes": 1_328_600, "bw": 132_860, "iops": 33_215.0, "runtime": 10_000,
        "lat": {"min": 82, "max": 9_100, "mean": 100.0, "stddev": 5.0},
        "clat": {"min": 80, "max": 9_000, "mean": 98.0, "stddev": 5.0,
            "percentile": {"50.000000": 95, "99.000000": 200, "0.00": 0}}});
    let nothing = json!({"io_bytes": 0, "bw": 0, "iops": 0.0, "runtime": 0,
        "lat": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0}});
    let old = json!({"fio version": "fio-2.2.10", "jobs": [{"jobname": "randread", "groupid": 0,
        "error": 0, "read": part, "write": nothing,
        "iodepth_level": {"1": 0.1, ">=64": 100.0}}]});
    let found = of(&old);
    let cell = &found.measured.cells[0];
    let read = cell.totals.read.as_ref().unwrap();
    assert_eq!((read.bytes, read.ops), (1_328_600 * 1024, 332_150));
    assert_eq!((read.latency_ns.mean, read.latency_ns.percentiles["p99"]), (100_000.0, 200_000));
    assert_eq!((cell.job.depth, cell.job.block_size), (Depth(64), Bytes::kib(4)));
    assert_eq!((cell.job.access.clone(), cell.job.mix), (Access::Random, Mix::Read));
    let notes = &found.measured.imported.as_ref().unwrap().notes;
    assert!(
        notes.iter().any(|note| note.text().contains("did not say what was asked")),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note.text().contains("did not say when")), "{notes:?}");
}

#[test]
fn clones_of_a_job_are_one_cell_and_others_stand_beside_it() {
    let clones = document(&[job("a", 10_000.0, 0.0), job("a", 12_000.0, 0.0), job("b", 5.0, 0.0)]);
    let found = of(&clones);
    assert_eq!(found.measured.cells.len(), 2);
    let cell = &found.measured.cells[0];
    let read = cell.totals.get(Direction::Read).unwrap();
    assert_eq!((read.iops, cell.job.depth, cell.job.workers), (22_000.0, Depth(128), 2));
    assert!(read.latency_ns.percentiles.is_empty(), "they cannot be merged without histograms");
    assert_eq!(read.latency_ns.mean, 100_000.0);
    assert_eq!(cell.beside.as_deref(), Some("b"));
}

#[test]
fn clones_with_histograms_keep_their_percentiles() {
    let mut one = job("a", 10_000.0, 0.0);
    one["read"]["clat_ns"]["bins"] = json!({"90000": 50_000, "110000": 50_000});
    let found = of(&document(&[one.clone(), one]));
    let latency = &found.measured.cells[0].totals.read.as_ref().unwrap().latency_ns;
    assert_eq!(latency.histogram.count, 200_000);
    let p99 = latency.percentiles["p99"] as f64;
    assert!((p99 / 110_000.0 - 1.0).abs() < 0.01, "{p99}");
}

#[test]
fn text_around_the_json_and_several_documents_are_taken() {
    let first = document(&[job("a", 1_000.0, 0.0)]);
    let last = document(&[job("a", 2_000.0, 0.0)]);
    let text = format!(
        "a: (g=0): rw=randread\nfio-3.33\nStarting 1 process\n{first:#}\n{last:#}\n\nRun status:\n"
    );
    assert_eq!(import_record(&text).unwrap().measured.cells[0].iops(), 2_000.0);
}

#[test]
fn an_option_that_is_not_understood_is_noted_and_loses_nothing() {
    let mut odd = job("a", 1_000.0, 0.0);
    odd["job options"]["ioengine"] = json!("rbd");
    odd["job options"]["frobnicate"] = json!("1");
    odd["job options"]["iodepth"] = json!("32");
    let found = of(&document(&[odd]));
    assert_eq!(found.measured.cells[0].backend, "rbd");
    let notes = found.measured.imported.unwrap().notes;
    let notes = message::texts(&notes).join("\n");
    assert!(notes.contains("frobnicate") && notes.contains("ioengine"), "{notes}");
}

#[test]
fn what_is_not_fios_is_refused_with_its_reason() {
    let check = |text: &str, words: &str| {
        let error = import_record(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text:.60}: {error}");
    };
    let whole = document(&[job("a", 1_000.0, 0.0)]).to_string();
    check(&whole[..whole.len() / 2], "cut off or damaged");
    check("", "no JSON");
    check("hello", "no JSON");
    check("{}", "not fio's");
    check("{\"schema_version\": 2, \"jobs\": []}", "not fio's");
    check(&document(&[]).to_string(), "no job in it that read or wrote");
    check(&document(&[json!(7)]).to_string(), "a job that is no object");
    check(&document(&[json!({"jobname": "x", "read": {}})]).to_string(), "neither 'iops'");
    check(&document(&[json!({"jobname": "x", "mixed": {"iops": 5}})]).to_string(), "as one");
}

#[test]
fn a_job_that_failed_makes_the_record_partial() {
    let mut failed = job("a", 1_000.0, 0.0);
    failed["error"] = json!(5);
    let found = of(&document(&[failed]));
    assert!(matches!(found.measured.completion, Completion::Partial { failed: true, .. }));
    assert_eq!(found.measured.cells[0].error.as_ref().unwrap().errno, Some(5));
}
