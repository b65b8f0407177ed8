//! Familiar texts of a made-up record.

use message::Message;
use record::{Cell, CellRole, PresetPlan, PresetStep, Purpose, Record, Score, StepCell, StepWork};
use units::{Bytes, Nanos};

use super::*;

/// The fixture's cells as passes of steps: of each step the names of its cells.
fn record(name: &str, steps: &[(&str, &[&str])]) -> Record {
    let mut record = record::fixture::ssd_record();
    let mut cells = Vec::new();
    for (step, names) in steps {
        for (pass, cell) in names.iter().enumerate() {
            let mut cell = record.measured.cell(cell).unwrap().clone();
            cell.role = CellRole::Step;
            let (step, pass) = ((*step).to_owned(), pass as u32 + 1);
            cell.name = format!("{step}-{pass}");
            cell.step = Some(StepCell { step, job: "job".to_owned(), pass, discarded: false });
            // Every further pass takes a tenth longer for the same.
            let slower = 1.0 + f64::from(pass - 1) / 10.0;
            cell.elapsed = Nanos((cell.elapsed.0 as f64 * slower) as u64);
            for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
                totals.bytes_per_second /= slower;
                totals.iops /= slower;
            }
            cells.push(cell);
        }
    }
    record.measured.cells = cells;
    let steps = steps.iter().map(|(name, passes)| PresetStep {
        name: (*name).to_owned(),
        label: Message::from_text(*name),
        note: Some(Message::from_text(format!("what {name} measures"))),
        work: StepWork::Jobs { jobs: vec!["job".to_owned()] },
        passes: passes.len() as u32,
        discarded: 0,
        settle: Nanos::ZERO,
        pause: Nanos::ZERO,
        rest: Nanos::secs(5),
        score: Score::Best,
        group: None,
        until_steady: false,
        direct: true,
        fresh: None,
        cache_dropped: false,
        end_sync: None,
        skips_unaligned: false,
    });
    let plan = PresetPlan {
        name: name.to_owned(),
        title: "a test".to_owned(),
        imitates: Message::from_text("nobody"),
        sources: Vec::new(),
        format: None,
        size: Bytes::gib(1),
        steps: steps.collect(),
        thresholds: Vec::new(),
        notes: Vec::new(),
        departures: Vec::new(),
    };
    record.measured.plan.purpose = Purpose::Preset(Box::new(plan));
    record.judgement = Some(analysis::judge(&record.measured));
    record
}

fn printed(record: &Record, name: &str) -> String {
    (find_format(name).unwrap().render)(&PresetResult::from_record(record).unwrap())
}

#[test]
fn crystaldiskmark_takes_the_best_pass_and_divides_by_a_million() {
    let steps: [(&str, &[&str]); 2] = [
        ("seq-read", &["seqread-1m", "seqread-1m", "seqread-1m"]),
        ("rnd-read", &["randread-4k-qd16", "randread-4k-qd16"]),
    ];
    let record = record("crystaldiskmark-peak", &steps);
    let text = printed(&record, "crystaldiskmark");
    let of = |step: &str| record.measured.cell(&format!("{step}-1")).unwrap();
    let megabytes = |cell: &Cell| {
        let bytes = cell.totals.read.as_ref().unwrap().bytes as f64;
        bytes / (cell.elapsed.0 as f64 / 1e9) / 1e6
    };
    let shown = |cell: &Cell| format!(": {:>9.3} MB/s [", megabytes(cell));
    let (sequential, random) = (of("seq-read"), of("rnd-read"));
    assert!(text.contains(&format!("SEQ    1MiB (Q=  8, T= 1){}", shown(sequential))), "{text}");
    assert!(text.contains(&format!("RND    4KiB (Q= 16, T= 1){}", shown(random))), "{text}");
    assert!(text.contains("\nProfile: Peak\n") && text.contains("(x3)"), "{text}");
    assert!(!text.contains("[Write]") && !text.contains("[Mix]"), "{text}");
    let device = sequential.ledger.layers[0].read_bytes.0 as f64;
    let counted = device / (sequential.elapsed.0 as f64 / 1e9) / 1e6;
    assert!((counted / megabytes(sequential) - 1.0).abs() < 1e-3, "as the device counted");
}

#[test]
fn one_block_at_a_time_is_what_dd_and_hdparm_tell() {
    let steps: [(&str, &[&str]); 2] =
        [("one", &["seqread-1m", "seqread-1m", "seqread-1m"]), ("other", &["randread-4k-qd1"])];
    let mut record = record("mine", &steps);
    assert_eq!(printed(&record, "dd"), "", "eight outstanding are no dd");
    record.measured.cells.iter_mut().for_each(|cell| cell.job.depth = units::Depth(1));
    let text = printed(&record, "dd");
    let cell = record.measured.cell("one-2").unwrap();
    let totals = cell.totals.read.as_ref().unwrap();
    let expected = format!("\n{}+0 records in\n", totals.ops);
    assert!(text.contains(&expected) && text.starts_with("# what one measures\n$ dd "), "{text}");
    let seconds = printf::format_general(cell.elapsed.0 as f64 / 1e9);
    assert!(text.contains(&format!(" copied, {seconds} s, ")), "the pass in the middle: {text}");
    let text = printed(&record, "hdparm");
    assert_eq!(text.matches(" Timing ").count(), 1, "random reads are no timing: {text}");
    assert!(text.contains(" Timing O_DIRECT disk reads: "), "{text}");
}

#[test]
fn hd_tunes_access_time_is_that_of_the_whole_disk_not_of_the_places() {
    let row = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("Access Time"))?;
        line.split_whitespace().nth(3)?.parse::<f64>().ok()
    };
    let steps: [(&str, &[&str]); 2] =
        [("access", &["randread-4k-qd1"]), ("random-4k", &["randread-4k-qd1"])];
    for steps in [&steps[..], &steps[1..]] {
        let mut record = record("hdtune", steps);
        let mean_ms = |record: &Record, at: usize| {
            record.measured.cells[at].totals.read.as_ref().unwrap().latency_ns.mean / 1e6
        };
        // One place, of which a near access takes a hundredth.
        let (expected, at) = (mean_ms(&record, 0), Bytes::mib(1));
        let mut near = record.measured.cells[0].clone();
        near.role = CellRole::Trial;
        near.step = None;
        near.trial = Some(record::Trial::Access { at });
        near.totals.read.as_mut().unwrap().latency_ns.mean /= 100.0;
        let mut slice = near.clone();
        slice.trial = Some(record::Trial::Surface { at });
        record.measured.cells.extend([near, slice]);
        record.judgement = Some(analysis::judge(&record.measured));
        let text = printed(&record, "hdtune");
        let shown = row(&text).unwrap_or_else(|| panic!("{text}"));
        assert!(
            (shown / expected - 1.0).abs() < 0.4,
            "{shown} ms instead of {expected} ms:\n{text}"
        );
        assert_eq!(text.matches("4 KB ").count(), 1, "the access time is no row of it: {text}");
    }
}

#[test]
fn gnome_disks_mean_is_of_the_rates_not_the_rate_of_the_mean() {
    let mut record = record("gnome-disks", &[("write", &["syncwrite-4k"])]);
    let cell = &mut record.measured.cells[0];
    cell.job.block_size = Bytes::mib(10);
    let took = |totals: &mut record::DirectionTotals, ms: [u64; 2]| {
        let mut histogram = stats::LatencyHistogram::new();
        ms.into_iter().for_each(|ms| histogram.record_many(ms * 1_000_000, 50));
        totals.ops = 100;
        totals.latency_ns.mean = histogram.mean_ns().unwrap();
        totals.latency_ns.histogram = histogram.to_sparse();
    };
    // Every second sync flushes a full cache: pairs of 11 ms and of 110 ms.
    took(cell.totals.write.as_mut().unwrap(), [10, 10]);
    took(cell.totals.sync.as_mut().unwrap(), [1, 100]);
    let text = printed(&record, "gnome-disks");
    let expected = f64::midpoint(10_485_760.0 / 0.011, 10_485_760.0 / 0.110) / 1e6;
    let line = text.lines().find_map(|line| line.strip_prefix("Average Write Rate: "));
    let words: Vec<&str> = line.unwrap_or_else(|| panic!("{text}")).split(' ').collect();
    assert_eq!(words[1..], ["MB/s", "(100", "samples)"], "{text}");
    let shown: f64 = words[0].parse().unwrap();
    assert!((shown / expected - 1.0).abs() < 0.01, "{shown} instead of {expected}");
}

#[test]
fn no_text_makes_up_what_was_not_measured() {
    let none = record("mine", &[("commit", &["syncwrite-4k"])]);
    for Format { name, render: print, .. } in FORMATS {
        let text = print(&PresetResult::from_record(&none).unwrap());
        assert!(!text.contains("NaN") && !text.contains(" inf"), "{name}: {text}");
        assert!(text.is_empty() || text.ends_with('\n'), "{name}: {text}");
    }
    let mixed = record("mine", &[("mix", &["randrw75-4k-qd16"])]);
    assert!(printed(&mixed, "yabs").contains("\nBlock Size | 4k            (IOPS) |"));
    assert!(printed(&mixed, "crystaldiskmark").contains("\n[Mix] Read 75%/Write 25%\n"));
}

#[test]
fn every_line_of_a_step_has_its_marks_and_its_head_without_figures_has_none() {
    let mut record = record("mixed", &[("mix", &["randrw75-4k-qd1"])]);
    let steps = |record: &Record| {
        let result = PresetResult::from_record(record).unwrap();
        super::table::build_step_rows(&result, message::Language::English)
    };
    let sound = steps(&record);
    assert!(sound.iter().all(|row| row.marks.is_empty()), "{sound:#?}");
    let finding = &mut record.judgement.as_mut().unwrap().findings[0];
    (finding.status, finding.cells) = (record::Status::Invalid, vec!["mix-1".to_owned()]);
    if let Purpose::Preset(plan) = &mut record.measured.plan.purpose {
        plan.steps[0].label = Message::from_text("reads and writes of a database of many tables");
    }
    let marked = steps(&record);
    assert_eq!(marked.len(), 3, "{marked:#?}");
    let has_marks = |place: usize| !marked[place].marks.is_empty();
    assert_eq!([0, 1, 2].map(has_marks), [false, true, true], "{marked:#?}");
}
