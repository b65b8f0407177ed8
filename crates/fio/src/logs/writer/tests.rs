use super::*;
use crate::logs::line::inflate_text;
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
fn priority_and_time_of_submission_have_columns() {
    let check = |settings: LogSettings, expected: &str| {
        let mut log = LogWriter::new(Vec::new(), LogKind::Lat, settings);
        let sample = Sample { value: 7, length: 512, issued_ns: 9, ..Sample::default() };
        log.record_operation(&sample).unwrap();
        assert_eq!(String::from_utf8(log.finish(1).unwrap()).unwrap(), expected);
    };
    check(LogSettings { ioprio: 0x2000, ..windows(0) }, "0, 7, 0, 512, 1\n");
    let whole = LogSettings { ioprio: 0x4003, whole_priority: true, ..windows(0) };
    check(whole, "0, 7, 0, 512, 0x4003\n");
    check(LogSettings { with_issue_time: true, ..whole }, "0, 7, 0, 512, 0x4003, 9\n");
    for (settings, expected) in [(whole, "0, 0, 0, 0, 0x2001\n"), (windows(0), "0, 0, 0, 0, 1\n")] {
        let own = Sample { ioprio: Some(0x2001), ..Sample::default() };
        assert_eq!(log(LogKind::Lat, settings, &[own], 1), expected);
    }
}

#[test]
fn a_stored_log_inflates_to_its_lines() {
    let sample = |offset| Sample { offset, value: 7, length: 512, ..Sample::default() };
    let settings = LogSettings { with_offset: true, ..windows(0) };
    let samples: Vec<Sample> = (0..9000).map(sample).collect();
    let expected = log(LogKind::Lat, settings, &samples, 1);
    let mut stored = Vec::new();
    // Two instances that share the file.
    for _ in 0..2 {
        let settings = LogSettings { stored: true, ..settings };
        let mut log = LogWriter::new(stored, LogKind::Lat, settings);
        samples.iter().for_each(|sample| log.record_operation(sample).unwrap());
        stored = log.finish(1).unwrap();
    }
    assert!(stored.len() < expected.len() / 4);
    assert_eq!(inflate_text(&stored).unwrap(), expected.repeat(2));
}

#[test]
fn columns_follow_the_settings() {
    let sample = Sample {
        time_ns: 7_999_999,
        direction: 2,
        value: 449_066,
        length: 4096,
        offset: 1_024_000,
        issued_ns: 0,
        ioprio: None,
    };
    let check = |kind, settings: LogSettings, expected: &str| {
        assert_eq!(log(kind, settings, &[sample], 9), format!("{expected}\n"));
    };
    let plain = LogSettings::default();
    check(LogKind::Clat, plain, "7, 449066, 2, 4096, 0");
    check(LogKind::Iops, plain, "7, 1, 2, 4096, 0");
    check(LogKind::Bw, plain, "7, 9121, 2, 4096, 0");
    let offset = LogSettings { with_offset: true, ..plain };
    check(LogKind::Lat, offset, "7, 449066, 2, 4096, 1024000, 0");
    let epoch = LogSettings { epoch_ms: Some(1_795_267_437_426), ..plain };
    check(LogKind::Slat, epoch, "1795267437433, 449066, 2, 4096, 0");
}

#[test]
fn an_instant_operation_has_a_bandwidth() {
    assert_eq!(log(LogKind::Bw, windows(0), &[at(0, 0, 0)], 1), "0, 4096000000, 0, 4096, 0\n");
}

#[test]
fn windows_of_a_direction_have_all_columns_and_skip_empty_times() {
    let settings = LogSettings { with_offset: true, window_value: WindowValue::Both, ..windows(5) };
    let mut log = LogWriter::new(Vec::new(), LogKind::Lat, settings);
    let one = WindowAggregate { ops: 2, bytes: 8192, mean_ns: 7.5, max_ns: 9 };
    for (end, direction, aggregate) in
        [(5, 2, one), (10, 0, WindowAggregate::default()), (15, 0, one), (20, 2, one)]
    {
        log.record_window(end * MS, direction, &aggregate).unwrap();
    }
    let text = String::from_utf8(log.finish(20 * MS).unwrap()).unwrap();
    let expected = "5, 8, 9, 2, 0, 0, 0\n15, 8, 9, 0, 0, 0, 0\n20, 8, 9, 2, 0, 0, 0\n";
    assert_eq!(text, expected, "7.5 is rounded to 8");
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
fn long_windows_are_whole() {
    for avg_ms in [100, 250, 500, 1000, 10_000] {
        let mut log = LogWriter::new(Vec::new(), LogKind::Iops, windows(avg_ms));
        // Some spans end late.
        for number in 1..=2000 {
            let each = WindowAggregate { ops: 10, bytes: 0, mean_ns: 1.0, max_ns: 1 };
            log.record_window((number * 10 + number % 7) * MS, 0, &each).unwrap();
        }
        let text = String::from_utf8(log.finish(20_001 * MS).unwrap()).unwrap();
        let ends = text.lines().map(|line| line.split_once(',').unwrap().0);
        let ends: Vec<u64> = ends.map(|end| end.parse().unwrap()).collect();
        assert_eq!(ends.len() as u64, 20_000 / avg_ms, "{avg_ms}: {text}");
        let is_due = |(end, due): (&u64, u64)| (due..due + 7).contains(end);
        assert!(ends.iter().zip((1..).map(|window| window * avg_ms)).all(is_due), "{ends:?}");
    }
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
