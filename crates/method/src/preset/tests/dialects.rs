//! Tests of the presets that imitate other tools, on the virtual clock.

use engine::StopSignal;
use engine::simulated::{DeviceModel, Hdd, Medium, Ssd};
use record::{Record, Trial};
use units::{Bytes, Nanos, Seed};
use workload::SyncKind;

use super::super::run::{build_plan, measure_preset};
use super::super::*;
use crate::observer::SilentObserver;
use crate::request::MeasureRequest;
use crate::session::Session;

fn find_preset(name: &str) -> Preset {
    Preset::find(name, &[]).unwrap()
}

/// What a preset gives on a device of one channel: an operation at a time, 100 us each, and the
/// transfer at 1 GB/s.
fn on_a_device(preset: Preset, capacity: Bytes) -> Record {
    let medium = Medium::Ssd(Ssd { channels: 1, flush_ns: 1_000_000, ..Ssd::FLASH });
    on(preset, medium, capacity)
}

/// What a preset gives on a medium without a cache.
fn on(preset: Preset, medium: Medium, capacity: Bytes) -> Record {
    let law = DeviceModel::new(capacity.0, medium);
    let device = engine::SimulatedDevice::new(law, 5);
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let mut session = Session::simulated(device, capacity, &stop, &mut silent);
    let mut departures = Vec::new();
    session
        .run_steps(|s| measure_preset(s, &preset, preset.repeat_time(), &mut departures))
        .unwrap();
    let ask = MeasureRequest {
        path: "/nonexistent".into(),
        size: None,
        read_only: false,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(1),
        command: record::CommandLine::default(),
        version: "0".to_owned(),
    };
    let plan = build_plan(preset, &ask, departures, Nanos::secs(1));
    session.finish(&ask, plan)
}

#[test]
fn crystaldiskmarks_figures_are_those_of_the_device() {
    let record =
        on_a_device(find_preset("crystaldiskmark-real").with_scaled_times(0.1), Bytes::mib(256));
    let figures = |step: &str| {
        let outcome = record.judgement_or_default().preset.as_ref().unwrap().step(step).unwrap();
        assert_eq!(outcome.passes, 5, "the warm-up does not count");
        outcome.figures[0].clone()
    };
    // 100 us and 1 MiB at 1 GB/s; 100 us and 4 KiB.
    let expected = |block: f64| 100_000.0 + block;
    for (step, block) in [("seq1m-q1t1-read", 1_048_576.0), ("rnd4k-q1t1-write", 4096.0)] {
        let score = figures(step).score;
        let rate = block / expected(block) * 1e9;
        assert!((score.bytes_per_second / rate - 1.0).abs() < 0.02, "{step}: {score:?}");
        assert!((score.mean_latency_ns / expected(block) - 1.0).abs() < 0.02, "{step}: {score:?}");
    }
}

#[test]
fn hd_tunes_access_time_has_the_seeks_of_the_whole_disk() {
    let medium = Medium::Hdd(Hdd {
        rpm: 7200.0,
        seek_min_ns: 700_000,
        seek_max_ns: 16_000_000,
        bytes_per_second_outer: 250e6,
        bytes_per_second_inner: 120e6,
        ncq: 32,
    });
    let record = on(find_preset("hdtune"), medium, Bytes(1_000_000_000_000));
    let outcome = record.judgement_or_default().preset.as_ref().unwrap();
    let mean_ms = |step: &str| outcome.step(step).unwrap().figures[0].mean_latency_ns.value / 1e6;
    let (access, row) = (mean_ms("access"), mean_ms("random-4k"));
    assert!((access / row - 1.0).abs() < 0.1, "{access} ms and {row} ms");
    // Half a turn and the mean of seeks from anywhere to anywhere: 0.7 + 15.3 * 8 / 15 ms.
    let expected = 60_000.0 / 7200.0 / 2.0 + 0.7 + 15.3 * 8.0 / 15.0;
    assert!((access / expected - 1.0).abs() < 0.1, "{access} ms instead of {expected} ms");
    let surface = record.judgement_or_default().surface.as_ref().unwrap();
    let near = surface.access.iter().map(|point| point.mean_ns).sum::<f64>();
    let near = near / surface.access.len() as f64 / 1e6;
    assert!(near < 0.7 * access, "within a place seeks are short: {near} ms, {access} ms");
    // 64 KB at a time keep a rotating disk streaming: what follows on needs no new turn.
    let rates: Vec<f64> = surface.slices.iter().map(record::Slice::rate).collect();
    let (first, last) = (rates[0] / 250e6, rates[100] / 120e6);
    assert!((first - 1.0).abs() < 0.02 && (last - 1.0).abs() < 0.02, "{rates:?}");
    let of_surface = |cell: &&record::Cell| matches!(cell.trial, Some(Trial::Surface { .. }));
    let cells = record.measured.cells.iter().filter(of_surface);
    for cell in cells {
        assert_eq!((cell.job.block_size, cell.job.depth.0), (Bytes::kib(64), 1));
    }
    let mixed = record.measured.cells.iter().find(|cell| cell.name == "random-mixed").unwrap();
    let reads = mixed.totals.read.as_ref().unwrap();
    let mean = reads.bytes as f64 / reads.ops as f64 / f64::from(1 << 20);
    assert!((mean - 0.5).abs() < 0.05, "sizes are spread evenly up to 1 MiB: {mean} MiB");
}

#[test]
fn their_times_are_those_of_the_peers() {
    let seconds = |name: &str| find_preset(name).time_max().as_secs_f64();
    // Eight tests of one warm-up and five passes of 5 s, and 5 s between two of them.
    assert_eq!(seconds("crystaldiskmark"), 8.0 * (6.0 * 5.0 + 5.0));
    assert_eq!(seconds("crystaldiskmark-flash"), 8.0 * (6.0 * 1.0 + 30.0));
    // 2 s and 3 s, each twice, and before each a rest of 3 s, or of 4 s.
    assert!((seconds("hdparm") - 24.2).abs() < 0.01);
    assert_eq!(seconds("yabs"), 120.0);
}

const STEP: &str = "title = \"t\"\nimitates = \"i\"\n[[step]]\nname = \"s\"\n";

#[test]
fn a_sync_at_the_end_belongs_to_writes() {
    let parse = |more: &str| Preset::parse("p", &format!("{STEP}{more}"));
    let preset = parse("end-sync = \"fsync\"\njob = [{ mix = \"write\" }]\n").unwrap();
    assert_eq!(preset.plan.steps[0].end_sync, Some(SyncKind::Fsync));
    let check = |more: &str, words: &str| {
        let error = parse(more).unwrap_err().to_string();
        assert!(error.contains("line ") && error.contains(words), "{error}");
    };
    check("end-sync = \"fsync\"\njob = [{ mix = \"read\" }]\n", "nothing is written");
    check("end-sync = \"sync\"\njob = [{ mix = \"write\" }]\n", "unknown sync 'sync'");
    check("rest = \"long\"\njob = [{ mix = \"read\" }]\n", "'long'");
    check("skip-unaligned = 1\njob = [{ mix = \"read\" }]\n", "expected a boolean");
}

#[test]
fn the_sync_at_the_end_counts_in_the_rate_of_the_writes() {
    let mut record = on_a_device(find_preset("dd").with_scaled_times(0.2), Bytes::mib(256));
    let rate = |record: &Record| {
        let outcome = record
            .judgement_or_default()
            .preset
            .as_ref()
            .unwrap()
            .step("write-1m-fdatasync")
            .unwrap();
        outcome.figures[0].bytes_per_second.value
    };
    let without = rate(&record);
    let cell =
        record.measured.cells.iter_mut().find(|cell| cell.name == "write-1m-fdatasync").unwrap();
    assert!(cell.end_sync.is_some());
    // As if it had taken as long again as the writes.
    cell.end_sync = Some(cell.elapsed);
    record.judgement = Some(analysis::judge(&record.measured));
    assert!((rate(&record) * 2.0 / without - 1.0).abs() < 0.01, "{} {without}", rate(&record));
}
