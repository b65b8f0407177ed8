//! The screen as text: whole pictures in `testdata`, and rules that hold for every size.

use jiff::{SignedDuration, Timestamp};
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyEvent;
use stats::LatencyHistogram;
use units::Iops;
use watch::{
    DeviceSample, DirectionSample, DiskHealth, LimitUse, Sample, Waiter, WaiterName, WatchSummary,
    judge,
};
use workload::Bound;

use super::*;
use message::Language;

/// Many, most of them near `typical_us`, and one in a hundred fifty times as slow.
fn direction(operations: u64, typical_us: u64, has_distribution: bool) -> DirectionSample {
    let histogram = |from: u64, to: u64| {
        let mut histogram = LatencyHistogram::new();
        for place in 0..operations {
            let slower = if place % 100 == 99 { 50 } else { 1 };
            let us = typical_us * (from + (to - from) * (place % 10) / 10) / 100;
            histogram.record(us * 1_000 * slower);
        }
        has_distribution.then_some(histogram)
    };
    DirectionSample {
        operations,
        bytes: operations * 4_096,
        total: histogram(80, 120),
        queue: histogram(4, 8),
        device: histogram(76, 112),
        mean_ns: (operations > 0).then_some(typical_us as f64 * 1_490.0),
    }
}

fn sample(second: u64, has_distribution: bool) -> Sample {
    let busy = 4_000 + 100 * (second % 3);
    let device = |name: &str, read: u64, write: u64, outstanding: f64| DeviceSample {
        name: name.to_owned(),
        read: direction(read, 200, has_distribution),
        write: direction(write, 60, has_distribution),
        outstanding: Some(outstanding),
        busy_share: Some(outstanding.min(1.0)),
        ..DeviceSample::default()
    };
    let waiter = |who: WaiterName, operations: u64| Waiter {
        who,
        device: "vda".to_owned(),
        operations,
        bytes: operations * 4_096,
        waited_ns: operations * 290_000,
        submitters: Vec::new(),
        total: direction(operations, 200, true).total,
    };
    let group = "/system.slice/system-postgresql.slice/postgresql@16-main.service".to_owned();
    let waiters = vec![
        waiter(WaiterName::Group(group), busy),
        waiter(WaiterName::Writeback, 900),
        waiter(WaiterName::Group("/磁盘\u{1b}[31m\u{202e}".to_owned()), 100),
    ];
    Sample {
        length_ns: 1_000_000_000,
        devices: vec![device("vda", busy, 900, 1.4), device("nvme0n1", 12, 0, 0.01)],
        waiters: if has_distribution { waiters } else { Vec::new() },
        ..Sample::default()
    }
}

/// After `seconds` of a watch at 14:02:00 UTC.
fn state(language: Language, has_distribution: bool, seconds: u64) -> ScreenState {
    let notes = match has_distribution {
        true => Vec::new(),
        false => vec![Message::find("watch-ebpf-not-permitted").unwrap()],
    };
    let source = if has_distribution { SourceKind::Ebpf } else { SourceKind::Counters };
    let mut state = ScreenState::new(language, false, TimeZone::UTC, source, &notes);
    let samples: Vec<Sample> =
        (0..seconds).map(|second| sample(second, has_distribution)).collect();
    for second in 1..=seconds {
        add_second(&mut state, &samples, second);
    }
    state
}

fn add_second(state: &mut ScreenState, samples: &[Sample], second: u64) {
    let start: Timestamp = "2026-11-25T14:02:00Z".parse().unwrap();
    let facts = ["vda", "nvme0n1"].map(|name| DiskFacts {
        name: name.to_owned(),
        health: DiskHealth {
            run: record::RunHealth {
                end: record::DiskHealth {
                    celsius: (name == "nvme0n1").then_some(38.85),
                    ..Default::default()
                },
                ..Default::default()
            },
            ..DiskHealth::default()
        },
        ..DiskFacts::default()
    });
    let end = second as usize;
    let interval = WatchSummary::from_samples(&samples[end - 1..end]);
    let recent = WatchSummary::from_samples(&samples[end.saturating_sub(10)..end]);
    let mut judged = judge(&recent, &facts);
    let used = LimitUse {
        iops: Iops(4_900.0),
        limit: Iops(70_000.0),
        limit_rate: Message::from_text("70,000 IOPS"),
        bound: "p99<10ms".parse::<Bound>().unwrap(),
        measured: start,
        curve: Message::from_text("random read 4k"),
    };
    for one in judged.iter_mut().filter(|one| one.disk == "vda") {
        one.used = Some(used.clone());
    }
    let time = start + SignedDuration::from_secs(second as i64);
    state.add(time, &interval, judged, &facts);
}

/// The rows of a terminal, without the blanks at their ends.
fn draw_rows(state: &ScreenState, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| render(state, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut rows = Vec::new();
    for y in 0..height {
        let (mut row, mut x) = (String::new(), 0);
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            // A wide character stands in two cells.
            x += u16::try_from(report::text_width(symbol)).unwrap().max(1);
        }
        rows.push(row.trim_end().to_owned());
    }
    rows
}

fn press(state: &mut ScreenState, code: KeyCode) {
    answer_key(state, KeyEvent::from(code));
}

/// What a picture of `testdata` must be.
fn check(name: &str, expected: &str, state: &ScreenState, width: u16, height: u16) {
    let rows = draw_rows(state, width, height);
    assert_eq!(rows.len(), usize::from(height));
    let picture = rows.join("\n");
    assert_eq!(picture.trim_end(), expected.trim_end(), "{name}:\n{picture}\n");
}

#[test]
fn pictures_are_as_expected() {
    let english = |has_distribution| state(Language::English, has_distribution, 70);
    let picture = include_str!("testdata/ebpf-80x24.txt");
    check("ebpf-80x24", picture, &english(true), 80, 24);
    let picture = include_str!("testdata/ebpf-200x50.txt");
    check("ebpf-200x50", picture, &english(true), 200, 50);
    let picture = include_str!("testdata/ebpf-30x8.txt");
    check("ebpf-30x8", picture, &english(true), 30, 8);
    let picture = include_str!("testdata/counters-80x24.txt");
    check("counters-80x24", picture, &english(false), 80, 24);
    let mut state = english(true);
    press(&mut state, KeyCode::Char('?'));
    check("help-80x24", include_str!("testdata/help-80x24.txt"), &state, 80, 24);
}

#[test]
fn every_language_has_its_picture() {
    let picture = include_str!("testdata/vi-80x24.txt");
    check("vi-80x24", picture, &state(Language::Vietnamese, true, 70), 80, 24);
    let picture = include_str!("testdata/ru-80x24.txt");
    check("ru-80x24", picture, &state(Language::Russian, true, 70), 80, 24);
    let picture = include_str!("testdata/zh-CN-80x24.txt");
    check("zh-CN-80x24", picture, &state(Language::Chinese, true, 70), 80, 24);
    let picture = include_str!("testdata/id-80x24.txt");
    check("id-80x24", picture, &state(Language::Indonesian, true, 70), 80, 24);
}

#[test]
fn no_size_is_too_small_and_the_keys_stay() {
    for language in Language::ALL {
        for has_distribution in [true, false] {
            let mut state = state(language, has_distribution, 3);
            for is_help in [false, true] {
                state.is_help = is_help;
                for width in [1, 2, 8, 9, 30, 80] {
                    for height in (1..=12).chain([24, 50]) {
                        let rows = draw_rows(&state, width, height);
                        let last = rows.last().unwrap();
                        assert!(last.starts_with('q'), "{language:?} {width}x{height}: {rows:?}");
                    }
                }
            }
        }
    }
    assert_eq!(draw::draw(&state(Language::English, true, 3), 0, 0).len(), 0);
}

#[test]
fn before_the_first_interval_the_screen_says_so() {
    let rows = draw_rows(&state(Language::English, true, 0), 80, 24);
    assert_eq!(rows[..2], ["truedisk watch", "The first interval has not ended yet."]);
    assert_eq!(rows[22], "source: eBPF, every request");
}

#[test]
fn keys_choose_sort_and_pause() {
    let samples: Vec<Sample> = (0..4).map(|second| sample(second, true)).collect();
    let mut state = state(Language::English, true, 3);
    assert_eq!(state.chosen_disk(), Some("vda"));
    press(&mut state, KeyCode::Down);
    assert_eq!(state.chosen_disk(), Some("nvme0n1"));
    assert!(draw_rows(&state, 80, 24)[1].starts_with("nvme0n1 is not your bottleneck"));
    press(&mut state, KeyCode::Char('j'));
    assert_eq!(state.chosen_disk(), Some("nvme0n1"));
    press(&mut state, KeyCode::Char('k'));
    assert_eq!(state.chosen_disk(), Some("vda"));

    let order = |state: &ScreenState| -> Vec<String> {
        state.sort_disks().iter().map(|disk| disk.name.clone()).collect()
    };
    // By verdict, by rate, by latency: twelve requests have a mean only.
    for expected in ["vda", "vda", "vda", "nvme0n1"] {
        assert_eq!(order(&state)[0], expected, "{:?}", state.order);
        press(&mut state, KeyCode::Char('s'));
    }
    assert_eq!(state.order, state::Order::Verdict);

    press(&mut state, KeyCode::Char(' '));
    let paused = draw_rows(&state, 80, 24);
    assert!(paused[0].ends_with("14:02:03   paused: measuring goes on"), "{paused:?}");
    add_second(&mut state, &samples, 4);
    assert_eq!(draw_rows(&state, 80, 24), paused);
    press(&mut state, KeyCode::Char('p'));
    assert_eq!(draw_rows(&state, 80, 24)[0], "truedisk watch  14:02:04");

    press(&mut state, KeyCode::Char('?'));
    press(&mut state, KeyCode::Esc);
    assert!(!state.is_help);
}

#[test]
fn many_disks_scroll_with_the_chosen_one() {
    let mut state = state(Language::English, false, 3);
    let many = (0..40).map(|number| DeviceSample {
        name: format!("sd{number:02}"),
        read: direction(1_000 - number, 200, false),
        ..DeviceSample::default()
    });
    let sample = Sample { length_ns: 1_000_000_000, devices: many.collect(), ..Sample::default() };
    let summary = WatchSummary::from_samples([&sample]);
    state.add(Timestamp::UNIX_EPOCH, &summary, judge(&summary, &[]), &[]);
    (0..30).for_each(|_| press(&mut state, KeyCode::Down));
    let rows = draw_rows(&state, 80, 24);
    let shown: Vec<&String> =
        rows.iter().filter(|row| row.starts_with(['>', ' ']) && row.contains("sd")).collect();
    assert!(shown.last().unwrap().starts_with(">sd30 "), "{rows:?}");
    assert!(rows[1].starts_with("cannot tell whether sd30 is"), "{rows:?}");
}
