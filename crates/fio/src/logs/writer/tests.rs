use super::*;
use crate::options::log::WindowValue;

const MS: u64 = 1_000_000;

fn at(ms: u64, direction: u8, value: u64) -> Sample {
    Sample { time_ns: ms * MS, direction, value, length: 4096, ..Sample::default() }
}

fn log(kind: LogKind, settings: LogSettings, samples: &[Sample], end_ms: u64) -> String {
    let mut log = LogWriter::new(Vec::new(), kind, settings);
    samples.iter().for_each(|sample| log.record_operation(sample).unwrap());
    String::from_utf8(log.finish(end_ms * MS).unwrap()).unwrap()
}

fn windows(avg_ms: u64) -> LogSettings {
    LogSettings { avg_ms, ..LogSettings::default() }
}

#[test]
fn columns_follow_the_settings() {
    let sample = Sample {
        time_ns: 7_999_999,
        direction: 2,
        value: 449_066,
        length: 4096,
        offset: 1_024_000,
        prio: 0x2004,
        issue_ns: 123,
    };
    let check = |kind, settings: LogSettings, expected: &str| {
        assert_eq!(log(kind, settings, &[sample], 9), format!("{expected}\n"));
    };
    let plain = LogSettings::default();
    check(LogKind::Clat, plain, "7, 449066, 2, 4096, 1");
    check(LogKind::Iops, plain, "7, 1, 2, 4096, 1");
    check(LogKind::Bw, plain, "7, 9121, 2, 4096, 1");
    let offset = LogSettings { with_offset: true, ..plain };
    check(LogKind::Lat, offset, "7, 449066, 2, 4096, 1024000, 1");
    let prio = LogSettings { with_prio: true, ..offset };
    check(LogKind::Lat, prio, "7, 449066, 2, 4096, 1024000, 0x2004");
    let issue = LogSettings { issue_time: true, ..prio };
    check(LogKind::Slat, issue, "7, 449066, 2, 4096, 1024000, 0x2004, 123");
    let epoch = LogSettings { unix_epoch_ms: Some(1_795_267_437_426), ..plain };
    check(LogKind::Slat, epoch, "1795267437433, 449066, 2, 4096, 1");
    let both = LogSettings { avg_ms: 5, window_value: WindowValue::Both, ..offset };
    check(LogKind::Lat, both, "7, 449066, 449066, 2, 0, 0, 0");
}

#[test]
fn only_real_time_counts_as_high() {
    for (prio, column) in [(0, "0"), (0x2002, "1"), (0x4003, "0"), (0x6000, "0")] {
        let text = log(LogKind::Lat, windows(0), &[Sample { prio, ..at(0, 0, 5) }], 1);
        assert_eq!(text, format!("0, 5, 0, 4096, {column}\n"));
    }
}

#[test]
fn an_instant_operation_has_a_bandwidth() {
    assert_eq!(log(LogKind::Bw, windows(0), &[at(0, 0, 0)], 1), "0, 4096000000, 0, 4096, 0\n");
}

#[test]
fn latency_windows_end_with_an_operation() {
    // 15 a second in windows of 100 ms, as measured of fio: 133, 200, 333, 400; the rest is
    // flushed at the end.
    let samples: Vec<_> = (0..8).map(|i| at(i * 1000 / 15, 0, 10 * (i + 1))).collect();
    let expected = "133, 20, 0, 0, 0\n200, 40, 0, 0, 0\n333, 55, 0, 0, 0\n400, 70, 0, 0, 0\n\
                    466, 80, 0, 0, 0\n";
    assert_eq!(log(LogKind::Clat, windows(100), &samples, 466), expected);
}

#[test]
fn directions_have_windows_of_their_own() {
    let samples = [at(0, 1, 7), at(90, 0, 9), at(110, 1, 8), at(250, 0, 5), at(260, 2, 1)];
    let expected = "110, 8, 1, 0, 0\n250, 7, 0, 0, 0\n260, 1, 2, 0, 0\n";
    assert_eq!(log(LogKind::Lat, windows(100), &samples, 300), expected, "7.5 is rounded to 8");
}

#[test]
fn windows_show_mean_or_max() {
    let samples = [at(0, 0, 10), at(10, 0, 30), at(100, 0, 5)];
    let check = |window_value, expected: &str| {
        let settings = LogSettings { window_value, ..windows(100) };
        assert_eq!(log(LogKind::Lat, settings, &samples, 100), expected);
    };
    check(WindowValue::Average, "100, 15, 0, 0, 0\n");
    check(WindowValue::Max, "100, 30, 0, 0, 0\n");
    check(WindowValue::Both, "100, 15, 30, 0, 0, 0\n");
}

#[test]
fn rates_have_fixed_windows_and_lose_the_last() {
    // 1000 a second; the operation at 250 ms belongs to the second window.
    let samples: Vec<_> = (0..700).map(|ms| at(ms, 0, 1)).collect();
    assert_eq!(
        log(LogKind::Iops, windows(250), &samples, 700),
        "250, 1000, 0, 0, 0\n500, 1000, 0, 0, 0\n"
    );
    assert_eq!(
        log(LogKind::Bw, windows(250), &samples, 750),
        "250, 4000, 0, 0, 0\n500, 4000, 0, 0, 0\n750, 3200, 0, 0, 0\n"
    );
}

#[test]
fn empty_windows_have_no_line() {
    let samples = [at(10, 1, 1), at(20, 0, 1), at(350, 0, 1), at(430, 1, 1)];
    assert_eq!(
        log(LogKind::Iops, windows(100), &samples, 599),
        "100, 10, 0, 0, 0\n100, 10, 1, 0, 0\n400, 10, 0, 0, 0\n500, 10, 1, 0, 0\n"
    );
}

fn aggregates(kind: LogKind, value: WindowValue, ends_ms: &[u64]) -> String {
    let settings = LogSettings { window_value: value, ..windows(500) };
    let mut log = LogWriter::new(Vec::new(), kind, settings);
    for &end in ends_ms {
        let each = WindowAggregate { ops: 1000, bytes: 4_096_000, mean_ns: 10.6, max_ns: end };
        log.record_window(end * MS, 0, &each).unwrap();
        log.record_window(end * MS, 1, &WindowAggregate::default()).unwrap();
    }
    String::from_utf8(log.finish(1700 * MS).unwrap()).unwrap()
}

#[test]
fn aggregates_make_lines_too() {
    let check = |kind, value, ends: &[u64], expected: &str| {
        assert_eq!(aggregates(kind, value, ends), expected, "{kind:?} {ends:?}");
    };
    let average = WindowValue::Average;
    check(LogKind::Iops, average, &[500, 1001], "500, 2000, 0, 0, 0\n1001, 1996, 0, 0, 0\n");
    check(LogKind::Bw, average, &[500, 1001], "500, 8000, 0, 0, 0\n1001, 7984, 0, 0, 0\n");
    check(LogKind::Clat, average, &[500, 1000], "500, 11, 0, 0, 0\n1000, 11, 0, 0, 0\n");
    check(LogKind::Clat, WindowValue::Max, &[500], "500, 500, 0, 0, 0\n");
    check(LogKind::Clat, WindowValue::Both, &[500], "500, 11, 500, 0, 0, 0\n");
    // The last, incomplete window: left out of rates, kept of latencies.
    check(LogKind::Iops, average, &[500, 700], "500, 2000, 0, 0, 0\n");
    check(LogKind::Clat, average, &[500, 700], "500, 11, 0, 0, 0\n1700, 11, 0, 0, 0\n");
    // Spans shorter than a window gather.
    check(LogKind::Iops, average, &[250, 499], "499, 4008, 0, 0, 0\n");
}

#[test]
fn unknown_directions_are_refused() {
    let mut log = LogWriter::new(Vec::new(), LogKind::Bw, windows(0));
    let error = log.record_operation(&at(0, 3, 1)).unwrap_err().to_string();
    assert!(error.contains("bw") && error.contains("direction 3"), "{error}");
    assert!(log.record_window(0, 9, &WindowAggregate::default()).is_err());
}

#[test]
fn errors_of_the_file_name_the_log() {
    let mut room = [0_u8; 4];
    let mut log = LogWriter::new(&mut room[..], LogKind::Clat, windows(0));
    let error = log.record_operation(&at(0, 0, 1)).unwrap_err().to_string();
    assert!(error.starts_with("cannot write the clat log: "), "{error}");
}
