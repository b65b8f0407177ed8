use stats::LatencyHistogram;

use super::super::figures;
use super::*;
use crate::options::job::JobOptions;
use crate::results::*;

/// A job that did nothing yet.
pub(crate) fn idle_job() -> JobResult {
    JobResult {
        name: "job".into(),
        description: None,
        group: 0,
        group_reporting: false,
        jobs: 1,
        errno: 0,
        error_text: String::new(),
        pid: 1,
        job_start_ms: 0,
        elapsed_s: 0,
        eta_s: 0,
        options: Vec::new(),
        display: JobOptions::default().report,
        read: DirectionResult::default(),
        write: DirectionResult::default(),
        trim: DirectionResult::default(),
        sync: SyncResult::default(),
        job_runtime_ms: 0,
        user_ns: 0,
        system_ns: 0,
        ctx: 0,
        majf: 0,
        minf: 0,
        depth_level: [0; 7],
        submit: [0; 7],
        complete: [0; 7],
        latency: LatencyHistogram::new(),
        continued: None,
        target: LatencyTarget { target_us: 0, window_us: 0, percentile: 100.0, depth: 1 },
        steady: None,
    }
}

fn histogram(runs: &[(u64, u64)]) -> LatencyHistogram {
    let mut histogram = LatencyHistogram::new();
    for &(ns, count) in runs {
        (0..count).for_each(|_| histogram.record(ns));
    }
    histogram
}

/// The `mixed` job of the reference sample normal.txt, with a few latencies in place of its own.
fn mixed_job() -> JobResult {
    let read = DirectionResult {
        bytes: 215_630 * 4096,
        ops: 215_630,
        runtime_ms: 4001,
        slat: histogram(&[(200, 10), (250, 10)]),
        clat: histogram(&[(20_000, 50), (96_000, 49), (1_407_300, 1)]),
        lat: histogram(&[(250, 50), (99_000, 49), (1_408_400, 1)]),
        bw: Samples { min: 211_745, max: 224_544, mean: 216_175.71, dev: 5029.15, samples: 7 },
        iops: Samples { min: 52_936, max: 56_136, mean: 54_043.86, dev: 1257.3, samples: 7 },
        ..DirectionResult::default()
    };
    let write = DirectionResult {
        bytes: 92_700 * 4096,
        ops: 92_700,
        runtime_ms: 4001,
        clat: histogram(&[(40, 100)]),
        ..DirectionResult::default()
    };
    JobResult {
        name: "mixed".into(),
        description: Some("mixed random 70/30".into()),
        pid: 15681,
        read,
        write,
        job_runtime_ms: 4001,
        user_ns: 213_253_300,
        system_ns: 1_106_276_500,
        ctx: 47531,
        minf: 10,
        depth_level: [8, 8, 16, 308_298, 0, 0, 0],
        submit: [0, 308_330, 0, 0, 0, 0, 0],
        complete: [0, 308_329, 1, 0, 0, 0, 0],
        latency: histogram(&[(40, 100), (20_000, 50), (96_000, 308_179), (1_407_300, 1)]),
        target: LatencyTarget { depth: 8, ..idle_job().target },
        ..idle_job()
    }
}

fn wal_job() -> JobResult {
    let write = DirectionResult {
        bytes: 39_524 * 8192,
        ops: 39_524,
        runtime_ms: 4000,
        short: 3,
        dropped: 1,
        bw: Samples { min: 75_136, max: 84_576, mean: 79_382.86, dev: 3918.79, samples: 7 },
        iops: Samples { min: 9392, max: 10_572, mean: 9922.86, dev: 489.85, samples: 7 },
        ..DirectionResult::default()
    };
    JobResult {
        name: "wal".into(),
        group: 1,
        errno: 5,
        error_text: "pwrite: offset 8192".into(),
        pid: 15682,
        write,
        sync: SyncResult { ops: 39_524, lat: histogram(&[(14_000, 1), (487_999, 1)]) },
        job_runtime_ms: 4000,
        depth_level: [79_048, 0, 0, 0, 0, 0, 0],
        continued: Some((2, 28)),
        target: LatencyTarget { target_us: 300, window_us: 1_000_000, percentile: 99.0, depth: 25 },
        steady: Some(SteadyState {
            kind: "iops_slope".into(),
            attained: true,
            criterion: 1.0337,
            percent: true,
            bw: vec![45_815_402, 45_815_402],
            iops: vec![56_123, 56_125],
            ..SteadyState::default()
        }),
        ..idle_job()
    }
}

fn golden_run() -> RunResult {
    RunResult {
        finished_ms: 1_795_219_199_000,
        disks: vec![DiskUse {
            name: "vda".into(),
            ios: [215_630, 171_549],
            sectors: [1_725_040, 1_372_568],
            merges: [0, 22],
            ticks: [14_611, 9466],
            in_queue: 25_613,
            util: 72.05,
            slaves: Vec::new(),
        }],
        idleness: Some(Idleness { system: 37.0, percpu: vec![26.54, 47.47], unit: (9.42, 0.41) }),
        findings: vec!["one".into(), "truedisk: two".into(), "three".into(), "four".into()],
        ..RunResult::default()
    }
}

#[test]
fn a_whole_run_reads_as_from_fio() {
    let run = golden_run();
    let entries = [mixed_job(), wal_job(), JobResult { group: 2, ..idle_job() }];
    let text = render_normal(&run, &entries);
    let date = format_ctime(run.finished_ms);
    assert_eq!(text.replace(&date, "DATE"), include_str!("../testdata/golden.txt"));
}

/// Lines of the text of one job whose start is `start`.
fn lines(job: &JobResult, start: &str) -> Vec<String> {
    let entries = [job.clone()];
    render_normal(&RunResult::default(), &entries)
        .lines()
        .filter(|line| line.starts_with(start))
        .map(ToOwned::to_owned)
        .collect()
}

#[test]
fn what_is_disabled_is_left_out() {
    let check = |change: fn(&mut ReportOptions), start: &str, expected: usize| {
        let mut job = mixed_job();
        assert_ne!(lines(&job, start).len(), expected, "{start}: nothing to leave out");
        change(&mut job.display);
        assert_eq!(lines(&job, start).len(), expected, "{start}");
    };
    check(|d| d.disable_slat = true, "    slat", 0);
    check(|d| d.disable_clat = true, "    clat", 0);
    check(|d| d.disable_clat = true, "  lat (", 0);
    check(|d| d.disable_lat = true, "     lat (", 0);
    check(|d| d.clat_percentiles = false, "    clat percentiles", 0);
    check(|d| d.lat_percentiles = true, "    lat percentiles", 1);
    check(|d| d.slat_percentiles = true, "    slat percentiles", 1);
    check(|d| d.unified = Unified::Mixed, "  read:", 0);
    check(|d| d.unified = Unified::Mixed, "  mixed:", 1);
    check(|d| d.unified = Unified::Both, "  mixed:", 1);
    check(|d| d.unified = Unified::Mixed, "   READ:", 0);
    check(|d| d.unified = Unified::Both, "  MIXED:", 1);
}

#[test]
fn mixed_jobs_count_everything_as_reads() {
    let mut job = mixed_job();
    job.display.unified = Unified::Mixed;
    let issued = "     issued rwts: total=308330,0,0,0 short=0,0,0,0 dropped=0,0,0,0";
    assert_eq!(lines(&job, "     issued"), [issued]);
    let mixed = "  mixed: IOPS=77.1k, BW=301MiB/s (316MB/s)(1204MiB/4001msec)";
    assert_eq!(lines(&job, "  mixed"), [mixed]);
}

#[test]
fn errors_stand_in_the_title() {
    let check = |errno, text: &str, expected: &str| {
        let job = JobResult { errno, error_text: text.into(), ..mixed_job() };
        let title = render_title(&job, "DATE");
        assert_eq!(title, format!("mixed: (groupid=0, jobs=1): err={expected}: pid=15681: DATE\n"));
    };
    check(0, "", " 0");
    check(5, "pwrite", " 5 (pwrite, error=Input/output error)");
    check(28, "", "28 (error=No space left on device)");
}

#[test]
fn small_shares_are_not_hidden() {
    let labels = ["1", "2", "4", "8", "16", "32", ">=64"];
    let shares =
        |counts: [u64; 7], all| counts.map(|count| figures::share_percent(count, all, 0.1));
    let text = format_shares(&labels, &shares([1, 0, 0, 100_000, 0, 0, 0], 100_001));
    assert_eq!(text, "1=0.1%, 2=0.0%, 4=0.0%, 8=100.0%, 16=0.0%, 32=0.0%, >=64=0.0%");
    let none = format_shares(&labels, &shares([0; 7], 0));
    assert_eq!(none, "1=0.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%");
}
