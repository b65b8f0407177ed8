//! Rules between options.

use super::super::job::JobOptions;
use super::super::resolve::resolve_options;
use super::set;

fn settled(options: &[(&'static str, &str)]) -> Result<(JobOptions, Vec<String>), String> {
    let mut job = set(options).unwrap();
    let notes = resolve_options(&mut job)?;
    let mut again = job.clone();
    resolve_options(&mut again)?;
    assert_eq!(again, job, "settling twice changes something");
    Ok((job, notes))
}

#[test]
fn defaults_need_no_notes() {
    let (job, notes) = settled(&[]).unwrap();
    assert_eq!((job, notes), (JobOptions::default(), vec![]));
}

#[test]
fn notes() {
    for (options, expected) in [
        (&[("iodepth", "8")][..], "queue depth will be capped at 1"),
        (&[("iodepth", "8"), ("ioengine", "vsync")], "queue depth will be capped at 1"),
        (&[("time_based", "-")], "there is no runtime"),
        (&[("time_based", "-"), ("runtime", "1"), ("loops", "2")], "loops has no effect"),
        (&[("bs_unaligned", "-"), ("direct", "1")], "bs_unaligned may not work"),
        (&[("bs", "8k"), ("bsrange", "1k-4k")], "bs of reads has no effect: bsrange is given"),
        (&[("rw", "randread"), ("ba", "512")], "turns norandommap on"),
        (&[("zero_buffers", "-"), ("buffer_pattern", "0xff")], "zero_buffers has no effect"),
        (&[("fsync", "8")], "fsync has no effect"),
        (&[("ss", "iops:1%")], "without steadystate_duration"),
        (&[("write_hist_log", "-")], "without log_hist_msec"),
        (&[("filename", "a"), ("nrfiles", "3")], "nrfiles has no effect"),
        (&[("thinktime_spin", "5")], "without thinktime"),
        (&[("latency_target", "1ms")], "1 s is taken"),
        (
            &[("rw", "randwrite"), ("verify", "md5"), ("norandommap", "-"), ("bsrange", "4k-8k")],
            "verify limited",
        ),
        (
            &[
                ("rw", "randwrite"),
                ("verify", "md5"),
                ("norandommap", "-"),
                ("iodepth", "4"),
                ("ioengine", "libaio"),
            ],
            "two writes in flight",
        ),
        (
            &[("rw", "write"), ("verify", "md5"), ("time_based", "-"), ("runtime", "1")],
            "never starts",
        ),
        (&[("zonerange", "4k")], "zonemode=none"),
    ] {
        let (_, notes) = settled(options).unwrap();
        assert_eq!(notes.len(), 1 + usize::from(expected.contains("bs of reads")) * 2, "{notes:?}");
        assert!(notes[0].contains(expected), "{options:?}: {notes:?}");
    }
}

#[test]
fn conflicts() {
    for (options, expected) in [
        (&[("rate", "1m"), ("rate_iops", "100")][..], "mutually exclusive"),
        (&[("rate_min", "10"), ("rate_iops_min", "1")], "mutually exclusive"),
        (&[("rate", "1k"), ("rate_min", "10k")], "rate_min of reads (10240) is above rate (1024)"),
        (&[("zonesize", "4k")], "zonemode=none"),
        (&[("zonemode", "strided")], "without zonesize"),
        (&[("nrfiles", "65536")], "a job has 65535 files at most"),
        (&[("latency_target", "1ms"), ("latency_window", "1s"), ("gtod_reduce", "1")], "latencies"),
    ] {
        let error = settled(options).unwrap_err().to_string();
        assert!(error.contains(expected), "{options:?}: {error}");
    }
}

#[test]
fn replacements() {
    fn job(options: &[(&'static str, &str)]) -> JobOptions {
        settled(options).unwrap().0
    }
    let reduced = job(&[("gtod_reduce", "1")]).report;
    assert!(reduced.disable_lat && reduced.disable_clat && reduced.disable_slat);
    assert!(!job(&[("pre_read", "1")]).target.invalidate);
    assert_eq!(job(&[("filename", "a:b:c")]).target.nrfiles, 3);
    assert!(
        job(&[("rw", "randread"), ("random_distribution", "zipf")])
            .pattern
            .random_places
            .norandommap
    );
    assert!(!job(&[("rw", "randread"), ("ba", "4k")]).pattern.random_places.norandommap);
    assert_eq!(job(&[("verify", "md5"), ("verify_interval", "8k")]).verify.interval, 4096);
    assert_eq!(job(&[("verify", "md5"), ("bsrange", "1k-4k")]).verify.interval, 1024);
    assert_eq!(job(&[("zonemode", "strided"), ("zonesize", "4k")]).zone.range, 4096);
    let logs = job(&[("write_bw_log", "x"), ("log_avg_msec", "100")]).report;
    assert_eq!((logs.bwavgtime_ms, logs.iopsavgtime_ms), (100, 500));
    assert!(job(&[("atomic", "1")]).engine.direct);
}
