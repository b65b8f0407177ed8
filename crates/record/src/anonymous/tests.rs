use message::Message;
use serde_json::Value;
use units::{Bytes, Nanos};
use workload::{Direction, Statistic};

use super::known::is_kernel_name;
use super::*;
use crate::{
    CapturedLoad, EntriesCounted, FindingId, FleetWave, FleetWaves, Imported, Metadata,
    MetadataPlan, OffsetMap, PerDirection, PingPlan, PresetStep, PresetThreshold, Record,
    ReplayPlan, Score, StartSpread, Status, StepCell, StepFigure, StepWork, Trust, WaveOutcome,
};

fn records() -> Vec<Record> {
    let mut records = vec![
        crate::fixture::ssd_record(),
        crate::fixture::limit_record(),
        crate::fixture::fleet_record(),
        crate::fixture::watch_record(),
    ];
    let mut lost = crate::fixture::fleet_record();
    crate::fixture::lose_host(&mut lost.measured);
    records.push(lost);
    records.extend([preset_record(), imported_record(), ping_record()]);
    records.extend([small_files_record(), replay_record(), waves_record()]);
    records
}

/// A run in two waves, the second of which failed, with a wave that did not begin.
fn waves_record() -> Record {
    let mut record = crate::fixture::fleet_record();
    let fleet = record.measured.fleet.as_mut().unwrap();
    let findings = fleet.hosts[0].findings.iter().map(|finding| (**finding).clone()).collect();
    let wave = FleetWave {
        hosts: fleet.hosts.iter().map(|host| host.name.clone()).collect(),
        started: Nanos::ZERO,
        ended: Nanos::secs(60),
        record: Some("20261121T020304Z-5f3a9c21-wave1".to_owned()),
        outcome: WaveOutcome::Met,
        main_cell: Some("randread-4k-qd16".to_owned()),
        starts: Some(StartSpread::new("randread-4k-qd16", Nanos(350_000), Nanos(230_000))),
        headline: Message::from_text("host-a is the slowest on /srv/markerpath"),
        trust: Some(Trust::Caution),
        degraded: vec![Message::from_text("host-b was lost")],
        findings,
    };
    let failed = FleetWave {
        hosts: vec!["host-x".to_owned()],
        record: None,
        outcome: WaveOutcome::Failed,
        main_cell: None,
        starts: None,
        headline: Message::from_text("cannot open /srv/markerpath of host-x"),
        trust: None,
        ..wave.clone()
    };
    fleet.waves = Some(FleetWaves {
        at_most: Some(4),
        per_tag: [("markerrack".to_owned(), 1)].into(),
        planned: 3,
        begun: vec![wave, failed],
        not_begun: vec!["host-y".to_owned()],
    });
    record
}

/// A preset of a person's own; every name in it has the word `marker`.
fn preset_record() -> Record {
    let mut record = crate::fixture::ssd_record();
    let word = |name: &str| format!("marker{name}");
    let text = |name: &str| Message::from_text(format!("as marker{name} does"));
    let step = PresetStep {
        name: word("step"),
        label: text("label"),
        note: Some(text("note")),
        work: StepWork::Jobs { jobs: vec![word("job")] },
        passes: 2,
        discarded: 0,
        pause: Nanos::ZERO,
        rest: Nanos::ZERO,
        score: Score::Median,
        group: Some(word("group")),
        until_steady: false,
        direct: true,
        fresh: None,
        settle: Nanos::ZERO,
        cache_dropped: false,
        end_sync: None,
        skips_unaligned: false,
    };
    let threshold = PresetThreshold {
        step: word("step"),
        job: word("job"),
        direction: Direction::Read,
        what: StepFigure::Latency(Statistic::Mean),
        limit: 1e9,
        source: Some(word("source")),
        recommended: false,
    };
    record.measured.plan.purpose = Purpose::Preset(Box::new(PresetPlan {
        name: word("preset"),
        title: word("title"),
        imitates: text("tool"),
        sources: vec![word("page")],
        format: Some("dd".to_owned()),
        size: Bytes::gib(1),
        steps: vec![step],
        thresholds: vec![threshold],
        notes: vec![text("plan")],
        departures: vec![Message::from_text("step 'markerstep' is shorter")],
    }));
    let cells = &mut record.measured.cells;
    cells.truncate(2);
    for (cell, pass) in cells.iter_mut().zip(1..) {
        cell.name = format!("markerstep-markerjob-{pass}");
        cell.job.name.clone_from(&cell.name);
        let (step, job) = (word("step"), word("job"));
        cell.step = Some(StepCell { step, job, pass, discarded: false });
    }
    record
}

/// A run of fio's, whose jobs have names with the word `marker`.
fn imported_record() -> Record {
    let mut record = crate::fixture::ssd_record();
    let measured = &mut record.measured;
    measured.plan.purpose = Purpose::Imported;
    measured.cells.truncate(3);
    for (cell, name) in measured.cells.iter_mut().zip(["markerjob", "read", "markerjob-2"]) {
        cell.name = name.to_owned();
        cell.job.name = name.to_owned();
    }
    measured.cells[0].beside = Some("markerjob-2".to_owned());
    measured.imported = Some(Imported {
        program: "fio".to_owned(),
        version: "fio-3.36".to_owned(),
        paths: vec!["/markerpath".to_owned()],
        notes: vec![Message::from_text("job 'markerjob-2': no time of a read")],
        findings: vec![crate::Finding {
            id: FindingId::Stall,
            status: Status::Note,
            summary: Message::from_text("markerjob stood still"),
            evidence: Vec::new(),
            cells: vec!["markerjob".to_owned()],
            remedy: None,
        }],
    });
    record
}

fn ping_record() -> Record {
    let mut record = crate::fixture::ssd_record();
    record.measured.plan.purpose = Purpose::Ping(PingPlan {
        size: Bytes::kib(4),
        interval: Nanos::secs(1),
        burst: 0,
        warmup: 1,
        uncached: false,
        min_time: None,
        max_time: None,
        contrast: false,
    });
    record
}

fn small_files_record() -> Record {
    let mut record = crate::fixture::ssd_record();
    let plan = MetadataPlan { files: None, threads: 4, rounds: 2, keep_caches: false };
    record.measured.plan.purpose = Purpose::Metadata(plan);
    let counted =
        EntriesCounted { load: "4k-folder-t1".to_owned(), made: 10, found: 10, inodes: None };
    record.measured.metadata = Some(Metadata {
        phases: Vec::new(),
        counted: vec![counted],
        caches: Message::from_text("dropped through /proc/sys"),
    });
    record
}

fn replay_record() -> Record {
    let mut record = crate::fixture::ssd_record();
    let load = CapturedLoad {
        format: "tdtrace".to_owned(),
        digest: "5f3a9c21".to_owned(),
        latency: PerDirection::default(),
        ..CapturedLoad::default()
    };
    record.measured.plan.purpose = Purpose::Replay(Box::new(ReplayPlan {
        load,
        speed: 1.0,
        map: OffsetMap::Scale,
        depth: 64,
        probe_max: None,
    }));
    record
}

/// Keys of what stays: kinds of hardware and software, names of our own, words for people, and
/// names of cells that the record does not have.
const KEPT_KEYS: &[&str] = &[
    "arch",
    "backend",
    "beside",
    "caches",
    "cell",
    "cells",
    "cpu_model",
    "curve",
    "degraded",
    "departures",
    "device",
    "digest",
    "dio_align_source",
    "format",
    "headline",
    "id",
    "kernel",
    "kind",
    "load",
    "main_cell",
    "method",
    "name",
    "notes",
    "os",
    "program",
    "root_would_add",
    "run",
    "scheduler",
    "summary",
    "text",
    "transport",
    "version",
    "virtualisation",
    "write_cache",
];

/// The places of all strings of a tree.
fn list_strings(value: &Value, place: &str, all: &mut Vec<String>) {
    match value {
        Value::String(_) => all.push(place.to_owned()),
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate().take(2) {
                list_strings(value, &format!("{place}/{at}"), all);
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                list_strings(value, &format!("{place}/{key}"), all);
            }
        }
        _ => {}
    }
}

fn key_of(place: &str) -> &str {
    place.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default()
}

#[test]
fn no_text_survives_that_is_not_known_to_name_nobody() {
    let mut kept = std::collections::BTreeSet::new();
    for mut record in records() {
        // Every cell is as the first.
        record.measured.cells.truncate(1);
        record.measured.cells.iter_mut().for_each(|cell| cell.intervals.truncate(1));
        let tree = serde_json::to_value(&record.measured).unwrap();
        let mut places = Vec::new();
        list_strings(&tree, "", &mut places);
        for place in places {
            let mut marked = tree.clone();
            *marked.pointer_mut(&place).unwrap() = Value::from("markerword");
            // Words of a list of ours, and times, cannot be others.
            let Ok(measured) = serde_json::from_value::<Measured>(marked) else { continue };
            let (clean, _) = anonymise(measured, |_| false).unwrap();
            if serde_json::to_string(&clean).unwrap().contains("markerword") {
                kept.insert(key_of(&place).to_owned());
            }
        }
    }
    assert_eq!(Vec::from_iter(kept), KEPT_KEYS);
}

#[test]
fn names_of_waves_are_replaced_and_their_figures_stay() {
    let record = waves_record();
    let (clean, removed) = anonymise(record.measured.clone(), |_| false).unwrap();
    let json = serde_json::to_string(&clean).unwrap();
    for name in ["marker", "host-a", "host-x", "host-y", "wave1"] {
        assert!(!json.contains(name), "'{name}' is in {json}");
    }
    assert!(removed.contains_key(&RemovedKind::Label), "{removed:?}");
    let fleet = clean.fleet.as_ref().unwrap();
    let names: Vec<String> = fleet.hosts.iter().map(|host| host.name.clone()).collect();
    let waves = fleet.waves.as_ref().unwrap();
    assert_eq!(waves.begun[0].hosts, names);
    let told = record.measured.fleet.unwrap().waves.unwrap();
    assert_eq!((waves.planned, &waves.begun[0].starts), (3, &told.begun[0].starts));
}

#[test]
fn who_and_where_it_was_is_removed_everywhere() {
    let mut record = crate::fixture::ssd_record();
    let measured = &mut record.measured;
    let word = |name: &str| format!("marker{name}");
    measured.environment.hostname = Some(word("host"));
    measured.environment.root_would_add =
        vec![Message::from_text("root reads /home/markeruser/markerfile: of markerhost")];
    measured.command = CommandLine::new(["truedisk", "check", "/home/markeruser/data"]);
    let target = &mut measured.targets[0];
    target.path = "/home/markeruser/data".to_owned();
    let fs = target.file_system.as_mut().unwrap();
    fs.mount_point = "/home/markeruser".to_owned();
    fs.source = "markerserver:/export/markershare".to_owned();
    fs.options = vec!["rw".into(), "addr=10.1.2.3".into(), "username=markeruser".into()];
    let layer = &mut target.stack[0];
    layer.serial = Some(word("serial"));
    layer.wwid = Some(word("wwid"));
    layer.name = "markergroup-markervolume".to_owned();
    layer.backing_file = Some("/home/markeruser/disk.img".to_owned());
    let device = layer.name.clone();
    measured.health = vec![crate::RunHealth { device, ..Default::default() }];
    let reason = "cannot read '/home/markeruser/data/x y': markerhost is gone (./markerplan)";
    measured.completion =
        crate::Completion::Partial { reason: Message::from_text(reason), failed: true };
    measured
        .environment
        .io_limits
        .push(IoLimit { cgroup: "/user.slice/markeruser.slice".to_owned(), ..IoLimit::default() });
    for cell in &mut measured.cells {
        cell.ledger.layers[0].name = "markergroup-markervolume".to_owned();
    }
    let (clean, removed) = anonymise(record.measured.clone(), |_| false).unwrap();
    let json = serde_json::to_string(&clean).unwrap();
    let at = json.find("marker").map(|at| &json[at.saturating_sub(80)..at + 40]);
    assert_eq!(at, None);
    assert!(!json.contains("10.1.2.3") && !json.contains("/home"));
    for kind in [
        RemovedKind::Host,
        RemovedKind::Path,
        RemovedKind::Serial,
        RemovedKind::VolumeName,
        RemovedKind::ControlGroup,
        RemovedKind::CommandLine,
    ] {
        assert!(removed.contains_key(&kind), "{kind:?}: {removed:?}");
    }
    // The figures and the kind of hardware stay, and the parts of the record fit each other.
    assert_eq!(clean.cells[0].totals, record.measured.cells[0].totals);
    assert_eq!(clean.environment.kernel, record.measured.environment.kernel);
    assert_eq!(clean.targets[0].stack[0].name, clean.cells[0].ledger.layers[0].name);
    assert_eq!(clean.targets[0].stack[0].model, record.measured.targets[0].stack[0].model);
}

#[test]
fn words_that_only_look_like_names_stay() {
    let check = |text: &str, expected: &str| {
        let mut removal = Removal::default();
        removal.take(RemovedKind::Host, "a", "host");
        assert_eq!(removal.clean_words(text), expected);
    };
    check("75/25 mix, 4 MB/s, n/a", "75/25 mix, 4 MB/s, n/host1");
    check("was at a disk", "was at host1 disk");
    check("on /dev/sda1 and /dev/vg/home", "on /dev/sda1 and /path");
    check("see https://example.net/x", "see https://example.net/x");
    check("in ~/x, ./y.toml:z and ../w.", "in /path, /path and /path.");
    check("file='/srv/x y'", "file='/path y'");
}

#[test]
fn a_mount_point_at_the_root_is_no_name() {
    let mut record = crate::fixture::ssd_record();
    assert_eq!(record.measured.targets[0].file_system.as_ref().unwrap().mount_point, "/");
    let text = "75/25 mix at 4 MB/s, see https://etcd.io/docs";
    record.measured.environment.root_would_add = vec![Message::from_text(text)];
    let (clean, _) = anonymise(record.measured, |_| false).unwrap();
    assert_eq!(clean.environment.root_would_add[0].text(), text);
    assert_eq!(clean.targets[0].file_system.as_ref().unwrap().mount_point, "/");
}

#[test]
fn names_that_a_person_chose_are_numbered() {
    let (clean, removed) = anonymise(imported_record().measured, |_| false).unwrap();
    let names: Vec<&str> = clean.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["job1", "job2", "job3"]);
    assert_eq!(clean.cells[0].beside.as_deref(), Some("job3"));
    let imported = clean.imported.unwrap();
    assert_eq!(imported.notes[0].text(), "job 'job3': no time of a read");
    assert_eq!(imported.findings[0].summary.text(), "job1 stood still");
    assert_eq!(imported.findings[0].cells, ["job1"]);
    assert_eq!(removed[&RemovedKind::Job], 3);

    let own = preset_record().measured;
    let (clean, removed) = anonymise(own.clone(), |_| false).unwrap();
    let json = serde_json::to_string(&clean).unwrap();
    let at = json.find("marker").map(|at| &json[at.saturating_sub(80)..at + 40]);
    assert_eq!(at, None);
    let Purpose::Preset(plan) = &clean.plan.purpose else { panic!("no preset") };
    assert_eq!((plan.name.as_str(), plan.steps[0].name.as_str()), ("preset", "step1"));
    assert_eq!(plan.steps[0].label.text(), "step1");
    assert_eq!(plan.departures[0].text(), "step 'step1' is shorter");
    assert_eq!((&*plan.thresholds[0].step, &*plan.thresholds[0].job), ("step1", "job1"));
    assert_eq!(clean.cells[1].name, "step1-job1-pass2");
    assert_eq!(clean.cells[1].step.as_ref().unwrap().step, "step1");
    assert!(removed.contains_key(&RemovedKind::Preset));

    // One of the catalogue has its words.
    let (kept, _) = anonymise(own.clone(), |plan| plan.name == "markerpreset").unwrap();
    let (Purpose::Preset(kept), Purpose::Preset(own)) = (kept.plan.purpose, own.plan.purpose)
    else {
        panic!("no preset")
    };
    assert_eq!((kept.title, kept.steps, kept.notes), (own.title, own.steps, own.notes));
}

#[test]
fn hosts_and_addresses_are_found_in_sentences() {
    let mut record = crate::fixture::ssd_record();
    record.measured.environment.hostname = Some("markerhost.example.net".to_owned());
    let text = "markerhost: lost; 10.1.2.3:9000, [fe80::1%3] and 10.1.2.3. At 12:34:56 of v1.2.3.4";
    record.measured.environment.root_would_add = vec![Message::from_text(text)];
    let options = ["rw", "markeroption", "markervalue=7", "compress=zstd:3", "rsize=1048576"];
    let fs = record.measured.targets[0].file_system.as_mut().unwrap();
    fs.options = options.map(str::to_owned).to_vec();
    let (clean, removed) = anonymise(record.measured, |_| false).unwrap();
    assert_eq!(
        clean.environment.root_would_add[0].text(),
        "host1: lost; address1:9000, [address2%3] and address1. At 12:34:56 of v1.2.3.4"
    );
    assert_eq!((removed[&RemovedKind::Host], removed[&RemovedKind::Address]), (1, 2));
    let fs = clean.targets[0].file_system.as_ref().unwrap();
    assert_eq!(fs.options, ["rw", "compress=zstd:3", "rsize=1048576"]);
}

#[test]
fn the_kernels_own_names_are_known() {
    for name in ["sda", "sdaa1", "vda", "nvme0n1p2", "dm-3", "md127", "mmcblk0", "loop12"] {
        assert!(is_kernel_name(name), "{name}");
    }
    for name in ["sdcustomer", "vg-home", "mdbackup", "ramsey", "customer", "vdproduction"] {
        assert!(!is_kernel_name(name), "{name}");
    }
}
