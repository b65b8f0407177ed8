//! Presets on a device with a law, on the virtual clock, and what is refused.

mod dialects;
mod peers;

use engine::SimulatedDevice;
use engine::simulated::{
    Cache, DeviceModel, Medium, NoisyNeighbour, Quirks, Schedule, Ssd, Throttle,
};
use message::Message;
use record::{Kept, Score, Status, StepWork};
use units::{Bytes, ErrorKind, Nanos, Seed};
use workload::Direction;

use super::run::{build_plan, measure_preset};
use super::*;
use crate::observer::SilentObserver;
use crate::request::MeasureRequest;
use crate::session::Session;
use record::Record;

const CAPACITY: Bytes = Bytes::gib(1);
const READ: Nanos = Nanos::micros(500);

fn device(write: Nanos, flush: Nanos) -> SimulatedDevice {
    device_of(READ, write, flush)
}

fn device_of(read: Nanos, write: Nanos, flush: Nanos) -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd {
        channels: 2,
        read_ns: read.0,
        write_ns: write.0,
        flush_ns: flush.0,
        ..Ssd::FLASH
    });
    SimulatedDevice::new(DeviceModel::new(CAPACITY.0, medium), 5)
}

fn ask() -> MeasureRequest {
    MeasureRequest {
        path: "/simulated".into(),
        size: None,
        read_only: false,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(1),
        command: record::CommandLine::default(),
        version: "0".to_owned(),
    }
}

fn measured(preset: Preset, device: SimulatedDevice) -> Record {
    let (stop, mut silent) = (engine::StopSignal::default(), SilentObserver);
    let mut session = Session::simulated(device, CAPACITY, &stop, &mut silent);
    let mut departures = Vec::new();
    session
        .run_steps(|s| measure_preset(s, &preset, preset.repeat_time(), &mut departures))
        .unwrap();
    let budget = preset.time_max();
    session.finish(&ask(), build_plan(preset, &ask(), departures, budget))
}

fn parse(steps: &str) -> Result<Preset, PresetError> {
    Preset::parse("test", &format!("title = 't'\nimitates = 'nobody'\nsize = '64m'\n{steps}"))
}

fn is_of_tool(preset: &str) -> bool {
    let groups =
        super::built_in_groups().filter(|(group, _)| ["tools", "crystaldiskmark"].contains(group));
    groups.flat_map(|(_, names)| names).any(|name| name == preset)
}

#[test]
fn every_preset_is_sound_and_says_where_its_limits_come_from() {
    for name in built_in_names() {
        let preset = Preset::find(name, &[]).unwrap_or_else(|error| panic!("{error}"));
        let plan = &preset.plan;
        assert_eq!((plan.name.as_str(), preset.text.is_empty()), (name, false));
        assert!(
            preset.time_max() >= Nanos::secs(5) && preset.time_max() < Nanos::secs(7200),
            "{name}"
        );
        assert!(plan.sources.iter().all(|url| url.starts_with("https://")), "{name}");
        assert!(plan.steps.iter().all(|step| step.label.text().len() <= 40), "{name}: labels");
        // The words of an imitated tool are its own.
        let has_tool_words = |label: &Message| label.id().is_empty() && is_of_tool(name);
        for step in &plan.steps {
            let (label, id) = (&step.label, format!("preset-step-{name}-{}", step.name));
            assert!(label.id() == id || has_tool_words(label), "{id}: {label:?}");
        }
        let notes = plan.steps.iter().filter_map(|step| step.note.as_ref()).chain(&plan.notes);
        let notes = notes.chain([&plan.imitates]);
        let without_words = notes.filter(|note| note.id().is_empty());
        assert_eq!(Vec::from_iter(without_words), Vec::<&Message>::new(), "{name}");
        for threshold in &plan.thresholds {
            assert!(plan.step(&threshold.step).is_some(), "{name}: {threshold:?}");
        }
    }
    assert_eq!(
        built_in_names().count(),
        built_in_names().collect::<std::collections::BTreeSet<_>>().len()
    );
}

#[test]
fn every_preset_runs_and_each_of_its_steps_has_figures() {
    for name in built_in_names() {
        let preset = Preset::find(name, &[]).unwrap();
        // Small files need a real file system: `metadata` has tests of its own.
        if preset.small_files().is_some() {
            continue;
        }
        // Tenths of a second of each: the virtual clock goes on as fast as there are operations.
        let share = Nanos::millis(60).0 as f64 / Nanos::secs(15).0 as f64;
        let record = measured(preset.with_scaled_times(share), device(READ, Nanos::micros(800)));
        assert_eq!(record.measured.completion, record::Completion::Complete, "{name}");
        let record::Purpose::Preset(plan) = &record.measured.plan.purpose else { panic!("{name}") };
        let outcome = record.judgement_or_default().preset.as_ref().unwrap();
        for step in &plan.steps {
            let StepWork::Jobs { jobs } = &step.work else {
                assert!(record.judgement_or_default().surface.is_some(), "{name}");
                let told = &record.judgement_or_default().verdict.as_ref().unwrap().headline;
                assert!(told.text().contains("MB/s read on average over the surface"), "{told:?}");
                continue;
            };
            let found = outcome.step(&step.name).unwrap_or_else(|| panic!("{name} {step:?}"));
            for job in jobs {
                let of_job = found.figures.iter().find(|figures| figures.job == *job);
                assert!(of_job.is_some_and(|f| f.iops.value > 0.0), "{name} {} {job}", step.name);
            }
        }
        assert_eq!(outcome.thresholds.len(), plan.thresholds.len(), "{name}");
        assert!(
            outcome.thresholds.iter().all(|t| t.measured.is_some() || !t.why.text().is_empty())
        );
    }
}

const COMMITS: &str = "
    [[step]]
    name = 'wal'
    job = [{ access = 'sequential', mix = 'write', bs = '2300', sync = 'fdatasync', time = '9s' }]
    direct = false
    [[threshold]]
    step = 'wal'
    of = 'sync'
    statistic = 'p99'
    below = '10ms'
    source = 'https://etcd.io/docs/v3.5/faq/'
    [[threshold]]
    step = 'wal'
    of = 'write'
    statistic = 'iops'
    at-least = 400
    convention = true
";

#[test]
fn a_threshold_is_met_missed_or_open() {
    let check = |flush: Nanos, expected: [Kept; 2], headline: &str| {
        let record = measured(parse(COMMITS).unwrap(), device(READ, flush));
        let found = &record.judgement_or_default().preset.as_ref().unwrap().thresholds;
        assert_eq!([found[0].kept, found[1].kept], expected, "{found:?}");
        let told = &record.judgement_or_default().verdict.as_ref().unwrap().headline;
        assert!(told.text().contains(headline), "{told:?}");
    };
    // A write of 0.5 ms and a flush: 2.5 ms together give 400, less 666.
    check(Nanos::millis(1), [Kept::Kept, Kept::Kept], "PASS, 2 of 2");
    check(Nanos::millis(5), [Kept::Kept, Kept::NotKept], "FAIL, 1 of 2");
    check(Nanos::millis(20), [Kept::NotKept, Kept::NotKept], "FAIL, 2 of 2");
    // Of four operations there is no 99th percentile.
    check(Nanos::millis(900), [Kept::CannotTell, Kept::NotKept], "FAIL, 1 of 2");
}

/// A preset of those that are compiled in, where writes take 0.1 ms and flushes so long.
fn with_flushes_of(name: &str, flush: Nanos) -> Record {
    let preset = Preset::find(name, &[]).unwrap();
    measured(preset, device(Nanos::micros(100), flush))
}

/// Each threshold of a step with its answer, in order.
fn answers(record: &Record, step: &str) -> Vec<(f64, Kept)> {
    let record::Purpose::Preset(plan) = &record.measured.plan.purpose else { panic!("{record:?}") };
    let found = &record.judgement_or_default().preset.as_ref().unwrap().thresholds;
    let pairs = plan.thresholds.iter().zip(found).filter(|(asked, _)| asked.step == step);
    pairs.map(|(asked, found)| (asked.limit, found.kept)).collect()
}

#[test]
fn a_commit_of_etcds_backend_has_two_flushes() {
    let check = |flush: Nanos, kept: Kept| {
        let record = with_flushes_of("etcd", flush);
        assert_eq!(answers(&record, "backend"), [(12.5e6, kept)], "{flush}");
    };
    // Twice 15 ms are more than etcd's 25, twice 12 are not.
    check(Nanos::millis(15), Kept::NotKept);
    check(Nanos::millis(12), Kept::Kept);
}

#[test]
fn what_is_enough_for_etcd_is_not_enough_under_heavy_load() {
    let check = |flush: Nanos, kept: [Kept; 2]| {
        let found = answers(&with_flushes_of("etcd", flush), "heavy");
        assert_eq!(found, [(50.0, kept[0]), (500.0, kept[1])], "{flush}");
    };
    check(Nanos::millis(5), [Kept::Kept, Kept::NotKept]);
    check(Nanos::millis(1), [Kept::Kept, Kept::Kept]);
    check(Nanos::millis(25), [Kept::NotKept, Kept::NotKept]);
}

#[test]
fn a_recommendation_that_is_missed_fails_nothing() {
    let headline = |flush: Nanos| {
        let record = with_flushes_of("etcd", flush);
        record.judgement_or_default().verdict.clone().unwrap().headline
    };
    let missed = "etcd: PASS, 3 of 3 thresholds are met; 1 recommendation is not";
    assert_eq!(headline(Nanos::millis(5)), missed);
    assert_eq!(headline(Nanos::millis(1)), "etcd: PASS, 3 of 3 thresholds are met");
    let failed = "etcd: FAIL, 2 of 3 thresholds are not met, nor is 1 recommendation";
    assert_eq!(headline(Nanos::millis(25)), failed);
}

#[test]
fn a_transaction_of_sqlite_has_four_flushes() {
    let transactions = |flush: Nanos| {
        let record = with_flushes_of("sqlite", flush);
        let cell = record.measured.cells.iter().find(|cell| cell.name == "rollback").unwrap();
        assert_eq!(cell.job.sync.unwrap().every, 1, "a flush has a write before it");
        let step = record
            .judgement_or_default()
            .preset
            .as_ref()
            .unwrap()
            .step("rollback")
            .unwrap()
            .figures
            .clone();
        let syncs = step.iter().find(|figures| figures.direction == Direction::Sync).unwrap();
        (syncs.iops.value / 4.0, answers(&record, "rollback")[0].1)
    };
    // 5 ms for each of four: at most 50 transactions a second.
    let (rate, kept) = transactions(Nanos::millis(5));
    assert!((45.0..=50.0).contains(&rate) && kept == Kept::Kept, "{rate} {kept:?}");
    // A turn of 8.3 ms for each: 30 a second are just not reached.
    let (rate, kept) = transactions(Nanos::micros(8_333));
    assert!((28.0..30.0).contains(&rate) && kept == Kept::NotKept, "{rate} {kept:?}");
}

#[test]
fn a_web_server_writes_a_tenth_of_what_it_reads_however_fast_the_disk_is() {
    for read in [Nanos::micros(50), Nanos::millis(2)] {
        let preset = Preset::find("web-server", &[]).unwrap().with_scaled_times(0.2);
        let record = measured(preset, device_of(read, READ, READ));
        let cell = record.measured.cells.iter().find(|cell| cell.name == "serve").unwrap();
        let [reads, writes] = [&cell.totals.read, &cell.totals.write]
            .map(|totals| totals.as_ref().unwrap())
            .map(|totals| totals.ops as f64);
        assert!((reads / writes / 10.0 - 1.0).abs() < 0.1, "{reads} and {writes}");
        assert_eq!(cell.job.depth.0, 100, "a hundred threads");
    }
}

/// What the exit status says.
#[test]
fn a_threshold_that_is_open_is_neither_met_nor_missed() {
    let failure = |flush| analysis::find_failure(&with_flushes_of("etcd", flush));
    assert_eq!(failure(Nanos::millis(5)), None, "a recommendation is missed");
    assert_eq!(failure(Nanos::millis(25)), Some(ErrorKind::NotMet));
    let disturbed = beside(Some(BUSY));
    assert_eq!(analysis::find_failure(&disturbed), Some(ErrorKind::Failed));
}

/// Others read all the time.
const BUSY: NoisyNeighbour = NoisyNeighbour {
    start_ns: 0,
    every_ns: 1_000_000_000,
    lasts_ns: 1_000_000_000,
    iops: 3000.0,
    length: 4096,
};

/// etcd on a disk with flushes of 24 ms.
fn beside(neighbour: Option<NoisyNeighbour>) -> Record {
    let medium = Medium::Ssd(Ssd { channels: 2, flush_ns: 24_000_000, ..Ssd::FLASH });
    let quirks = Quirks { neighbour, ..Quirks::default() };
    let law = DeviceModel::new(CAPACITY.0, medium);
    let device = SimulatedDevice::with_quirks(law, quirks, 5);
    measured(Preset::find("etcd", &[]).unwrap(), device)
}

#[test]
fn what_a_neighbour_disturbs_neither_passes_nor_fails() {
    let commits = |neighbour| answers(&beside(neighbour), "heavy")[0].1;
    assert_eq!(commits(None), Kept::NotKept, "some 41 a second");
    assert_eq!(commits(Some(BUSY)), Kept::CannotTell);
}

#[test]
fn a_pass_that_a_neighbour_disturbed_is_measured_again() {
    let passing = NoisyNeighbour { every_ns: 0, lasts_ns: 20_000_000_000, ..BUSY };
    let record = beside(Some(passing));
    let disturbed = |cell: &&record::Cell| cell.role == record::CellRole::Disturbed;
    assert_eq!(record.measured.cells.iter().filter(disturbed).count(), 1);
    assert_eq!(answers(&record, "heavy")[0].1, Kept::NotKept, "it stands on the second");
}

#[test]
fn what_hdparm_reads_from_memory_on_purpose_makes_no_run_invalid() {
    let mut record = measured(Preset::find("hdparm", &[]).unwrap(), device(READ, READ));
    let status = |record: &Record| {
        let judgement = analysis::judge(&record.measured);
        let worst = judgement.findings.iter().map(|finding| finding.status).max();
        (judgement.finding(record::FindingId::PageCache).unwrap().status, worst.unwrap())
    };
    let mut answer_from_memory = |name: &str| {
        let cell = record.measured.cells.iter_mut().find(|cell| cell.name == name).unwrap();
        cell.ledger.layers[0].read_bytes = Bytes(0);
        status(&record)
    };
    let (page_cache, worst) = answer_from_memory("cached");
    assert!(page_cache == Status::Note && worst < Status::Invalid, "{page_cache:?} {worst:?}");
    assert_eq!(answer_from_memory("buffered").0, Status::Invalid, "its cache was emptied");
}

#[test]
fn an_invalid_figure_meets_no_threshold() {
    let mut record = measured(parse(COMMITS).unwrap(), device(READ, Nanos::millis(1)));
    let cells = record.measured.cells.iter().map(|cell| cell.name.clone()).collect();
    record.judged_mut().findings = vec![record::Finding {
        id: record::FindingId::Flush,
        status: record::Status::Invalid,
        summary: message::Message::from_text("flushes do nothing"),
        evidence: Vec::new(),
        cells,
        remedy: None,
    }];
    let outcome = analysis::judge_preset(&record.measured, record.judgement_or_default());
    let found = &outcome.as_ref().unwrap().thresholds[0];
    assert_eq!(found.kept, Kept::CannotTell, "{found:?}");
    assert!(found.why.text().contains("flushes do nothing"), "{found:?}");
}

#[test]
fn passes_have_a_median_an_interval_and_the_score_of_the_tool() {
    let steps = "
        [[step]]
        name = 'a'
        passes = 3
        discard = 1
        score = 'best'
        job = [{ time = '100ms' }]
    ";
    let mut record = measured(parse(steps).unwrap(), device(READ, READ));
    assert_eq!(record.measured.cells.len(), 4, "one does not count");
    for (cell, iops) in record.measured.cells.iter_mut().zip([9000.0, 1000.0, 1400.0, 1100.0]) {
        let totals = cell.totals.read.as_mut().unwrap();
        (totals.iops, totals.bytes_per_second) = (iops, iops * 4096.0);
        totals.latency_ns.mean = 2e9 / iops;
    }
    record.judgement = Some(analysis::judge(&record.measured));
    let step = record.judgement_or_default().preset.as_ref().unwrap().step("a").unwrap();
    let figures = &step.figures[0];
    assert_eq!((step.passes, figures.iops.value, figures.iops.n), (3, 1100.0, 3));
    let (low, high) = figures.iops.interval().unwrap();
    assert!(low < 1000.0 && high > 1400.0, "three passes are few: {low} to {high}");
    assert_eq!((figures.score.by, figures.score.iops), (Score::Best, 1400.0));
    assert!((figures.score.mean_latency_ns - 2e9 / 1400.0).abs() < 1.0);
}

#[test]
fn a_step_in_which_nothing_completed_is_measured_once_more() {
    let steps = "
        [[step]]
        name = 'fill'
        job = [{ mix = 'write', depth = 32, time = '6s' }]
        [[step]]
        name = 'commit'
        job = [{ mix = 'write', sync = 'fdatasync', time = '1s', warm-up = '50ms' }]
    ";
    // 64 MiB take the medium 4 s.
    let run = |cache: u64, flush: Nanos| {
        let medium =
            Medium::Ssd(Ssd { channels: 2, write_ns: READ.0, flush_ns: flush.0, ..Ssd::FLASH });
        let cache = Cache { bytes: cache, latency_ns: 10_000, write_back: true };
        let law = DeviceModel { cache: Some(cache), ..DeviceModel::new(CAPACITY.0, medium) };
        let record = measured(parse(steps).unwrap(), SimulatedDevice::new(law, 5)).measured;
        let record::Purpose::Preset(plan) = &record.plan.purpose else { panic!() };
        let is_again = |departure: &Message| departure.id() == "preset-step-again";
        let departs = plan.departures.iter().any(is_again);
        // With an empty cache each commit is one write of the medium and its flush.
        if let Some(commit) = record.cells.iter().find(|cell| cell.name == "commit") {
            let expected = 1e9 / (10_000 + READ.0 + flush.0) as f64;
            assert!((commit.iops() / expected - 1.0).abs() < 0.02, "{} {expected}", commit.iops());
        }
        (record.completion == record::Completion::Complete, departs)
    };
    assert_eq!(run(64 << 20, Nanos::micros(800)), (true, true));
    assert_eq!(run(1 << 20, Nanos::micros(800)), (true, false));
    assert_eq!(run(1 << 20, Nanos::secs(3)), (false, true));
}

/// As in a check, rates of two levels are no figure of one.
#[test]
fn a_level_that_changes_between_passes_or_within_one_leaves_no_figure() {
    let check = |passes: u32, time: &str, change_s: f64| {
        let steps = format!(
            "[[step]]\nname = 'a'\npasses = {passes}\njob = [{{ depth = 32, time = '{time}' }}]"
        );
        let schedule = Schedule::step(9_000.0, (change_s * 1e9) as u64, 1_300.0);
        let throttles = vec![Throttle::of_requests(schedule)];
        let medium = Medium::Ssd(Ssd { channels: 16, read_ns: READ.0, ..Ssd::FLASH });
        let law = DeviceModel::new(CAPACITY.0, medium);
        let quirks = Quirks { throttles, ..Quirks::default() };
        let record = measured(parse(&steps).unwrap(), SimulatedDevice::with_quirks(law, quirks, 5));
        let judgement = record.judgement_or_default();
        let step = judgement.preset.as_ref().unwrap().step("a").unwrap().clone();
        let figures = &step.figures[0];
        let is_figure = [&figures.iops, &figures.bytes_per_second].map(analysis::is_figure);
        (is_figure, judgement.verdict.as_ref().unwrap().headline.id().to_owned())
    };
    let open = ([false; 2], "preset-no-figure".to_owned());
    for change_s in [1.5, 2.5, 3.5] {
        assert_eq!(check(5, "1s", change_s), open, "{change_s}");
    }
    assert_eq!(check(2, "2s", 2.4), open);
    assert_eq!(check(1, "4s", 2.0), open);
    let one = ([true; 2], "preset-main-figures".to_owned());
    assert_eq!(check(5, "1s", 1e6), one);
    assert_eq!(check(1, "4s", 1e6), one);
}

#[test]
fn steps_of_a_group_take_turns_until_five_passes_are_steady() {
    let steps = "
        [defaults]
        passes = 9
        [defaults.job]
        time = '100ms'
        [[step]]
        name = 'reads'
        group = 'g'
        job = [{ mix = 'read' }]
        [[step]]
        name = 'writes'
        group = 'g'
        until-steady = true
        job = [{ mix = 'write' }]
        [[step]]
        name = 'after'
        passes = 1
        job = [{ mix = 'read' }]
    ";
    let record = measured(parse(steps).unwrap(), device(READ, READ));
    let order: Vec<&str> = record
        .measured
        .cells
        .iter()
        .map(|cell| cell.step.as_ref().unwrap().step.as_str())
        .collect();
    let turns: Vec<&str> = ["reads", "writes"].repeat(5).into_iter().chain(["after"]).collect();
    assert_eq!(order, turns);
    let outcome = record.judgement_or_default().preset.as_ref().unwrap();
    assert_eq!(outcome.step("writes").unwrap().steady, Some(true));
    assert_eq!(outcome.step("reads").unwrap().passes, 5);
}

#[test]
fn jobs_beside_each_other_are_told_apart() {
    let steps = "
        [[step]]
        name = 'both'
        job = [
            { name = 'in', mix = 'read', span = '50%', time = '300ms' },
            { name = 'out', mix = 'write', offset = '50%', time = '300ms' },
        ]
    ";
    let record = measured(parse(steps).unwrap(), device(READ, READ));
    let half = Bytes(CAPACITY.0 / 2);
    let (first, second) = (&record.measured.cells[0], &record.measured.cells[1]);
    assert_eq!((first.job.span.offset, first.job.span.length), (Bytes(0), half));
    assert_eq!((second.job.span.offset, second.job.span.length), (half, half));
    let figures =
        &record.judgement_or_default().preset.as_ref().unwrap().step("both").unwrap().figures;
    let of: Vec<(&str, Direction)> =
        figures.iter().map(|f| (f.job.as_str(), f.direction)).collect();
    assert_eq!(of, [("in", Direction::Read), ("out", Direction::Write)]);
}

#[test]
fn a_surface_is_a_step_like_any_other() {
    let steps = "
        [[step]]
        name = 'curve'
        kind = 'surface'
        places = 11
        slice = '50ms'
        access = '50ms'
    ";
    let record = measured(parse(steps).unwrap(), device(READ, READ));
    let surface = record.judgement_or_default().surface.as_ref().unwrap();
    assert_eq!((surface.slices.len(), surface.access.len()), (11, 11));
    assert!(record.measured.cells.iter().all(|cell| cell.step.as_ref().unwrap().step == "curve"));
}

#[test]
fn what_may_not_write_leaves_that_out_and_says_so() {
    let preset = Preset::find("cloud", &[]).unwrap().without_writes().unwrap();
    let names: Vec<&str> = preset.steps.iter().map(|step| step.plan.name.as_str()).collect();
    assert_eq!(names, ["randread", "latency"]);
    assert!(preset.plan.departures[0].text().contains("left out are randrw, randwrite"));
    assert!(Preset::find("etcd", &[]).unwrap().without_writes().is_none());
}

#[test]
fn the_page_of_presets_has_every_key() {
    let page = include_str!("../../../../docs/presets.md");
    let mut seen = 0;
    for wrong in
        ["nonsense = 1", "[[step]]\nnonsense = 1", "[[step]]\nname = 'a'\njob = [{ nonsense = 1 }]"]
            .into_iter()
            .chain(["[defaults]\nnonsense = 1", "[[threshold]]\nnonsense = 1"])
    {
        // The error lists all that would be known.
        let error = Preset::parse("p", wrong).unwrap_err().to_string();
        let (_, keys) = error.split_once("expected one of ").unwrap_or_else(|| panic!("{error}"));
        for key in keys.split('`').skip(1).step_by(2) {
            let told = [format!("`{key}`"), format!("{key} = "), format!("[[{key}]]")];
            let told = told.iter().any(|words| page.contains(words)) || key == "defaults";
            assert!(told, "'{key}' is missing in docs/presets.md");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let check = |steps: &str, line: usize, words: &str| {
        let error = parse(steps).unwrap_err().to_string();
        assert!(error.contains(words), "{steps}: {error}");
        assert!(error.starts_with(&format!("preset 'test', line {line}: ")), "{error}");
        assert!(!error.contains('\n'), "{error}");
    };
    let step = |rest: &str| format!("[[step]]\nname = 'a'\n{rest}");
    let job = |keys: &str| step(&format!("job = [{{ {keys} }}]"));
    check("", 1, "it has no step");
    check("step = [", 4, "");
    check(&step("depht = 1"), 6, "unknown field `depht`");
    check(&step("keep-caches = true"), 6, "caches are kept by default");
    check(&job("depht = 1"), 6, "unknown field `depht`");
    check(&job("acces = 'random'"), 6, "unknown field `acces`");
    check(&job("depth = 'two'"), 6, "invalid type");
    check(&job("access = 'zig'"), 4, "unknown access 'zig'; it is one of random, sequential");
    check(&job("mix = '70/40'"), 4, "add up to 100");
    check(&job("bs = '4k/60:8k/50'"), 4, "shares of 110 %");
    check(&job("bs = '4q'"), 4, "unknown suffix 'q'");
    check(&job("bs = '0'"), 4, "a block size of 0");
    check(&job("bs = '0-4k'"), 4, "a block size of 0");
    check(&job("bs = '64k-4k'"), 4, "no multiple of the first");
    check(&job("bs = '1000'"), 4, "needs multiples of 512 B");
    check(&job("bs = '128m'"), 4, "hold no block of 128 MiB");
    check(&job("depth = 0"), 4, "depth 0");
    check(&job("time = '0s'"), 4, "a time of");
    check(&job("time = '5'"), 4, "needs a unit");
    check(&job("sync = 'fsync'"), 4, "it syncs but writes nothing");
    check(&job("sync-every = 3"), 4, "no sync is asked");
    check(&job("mix = 'write', durable = 'sync', engine = 'psync'"), 4, "a flag of each write");
    check(&job("think-every = 3"), 4, "no think time is asked");
    check(&job("rate = 5.0, interval = '1ms'"), 4, "give one of them");
    check(&job("arrivals = 'poisson'"), 4, "no rate is asked");
    check(&job("span = 'half'"), 4, "'half'");
    check(&job("payload = 'random'"), 4, "unknown payload");
    check(&step("job = []"), 4, "it needs 1 to 64 jobs");
    check(&step("job = [{}, {}]"), 4, "need a name each");
    check(&step("job = [{}]\nkind = 'metadate'"), 4, "unknown kind 'metadate'");
    check(&step("job = [{}]\npasses = 0"), 4, "0 passes");
    check(&step("job = [{}]\npasses = 4\nuntil-steady = true"), 4, "five passes in a row");
    check(&step("job = [{}]\nplaces = 4"), 4, "'places' belongs to the kind surface");
    check(&step("job = [{}]\nbs = '4k'"), 4, "'bs' belongs to the kind surface");
    check(&step("kind = 'surface'\njob = [{}]"), 4, "it has no jobs");
    check(&step("kind = 'surface'\nskip-unaligned = true"), 4, "no blocks to skip");
    check(&step("kind = 'metadata'\nrest = '1s'"), 4, "rounds, not 'rest'");
    check(&step("kind = 'metadata'\nsettle = '1s'"), 4, "rounds, not 'settle'");
    check(&step("kind = 'metadata'\nskip-unaligned = true"), 4, "rounds, not 'skip-unaligned'");
    check(&step("kind = 'surface'\nbs = '2m'"), 4, "blocks that divide 1 MiB");
    check(&step("kind = 'surface'\ndepth = 0"), 4, "a depth of 0");
    check(&format!("{0}\n{0}", step("job = [{}]")), 7, "two steps are called 'a'");
    check("[[step]]\nname = 'a b'\njob = [{}]", 4, "letters, digits");
    let with = |threshold: &str| format!("{}\n[[threshold]]\n{threshold}", step("job = [{}]"));
    let checked = |threshold: &str, words: &str| check(&with(threshold), 7, words);
    checked("step = 'b'\nstatistic = 'p99'", "no such step");
    checked("step = 'a'\nstatistic = 'p98'", "unknown statistic 'p98'");
    checked("step = 'a'\nstatistic = 'iops'\nbelow = '1ms'", "iops needs at-least");
    checked("step = 'a'\nstatistic = 'p99'\nat-least = 1", "p99 needs below");
    checked("step = 'a'\nof = 'write'\nstatistic = 'iops'\nat-least = 1", "has no writes");
    checked("step = 'a'\nstatistic = 'iops'\nat-least = 1", "say where it is from");
    checked("step = 'a'\nstatistic = 'iops'\nat-least = 1\nsource = 'me'", "no https://");
}
