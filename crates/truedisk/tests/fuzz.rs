//! Every reader of foreign files against changed, cut and joined inputs: no panic, no abort, no
//! hang, within 512 MiB. Each target runs in a process of its own.
//!
//! The seeds are in `tests/corpus`, one folder per target; an input that once was a finding stays
//! there. `cargo xtask fuzz --seconds 120` takes longer than the 2 s of each ordinary run.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

use std::fs;
use std::path::{Path, PathBuf};

use fio::iolog::{IologReader, replay_steps};
use fio::options::replay::ReplayOptions;
use fio::verify::VerifyState;
use lab::fuzz::{Fuzzer, JSON_TOKENS, Random};
use method::profile::ProfileBuilder;
use record::profile::ProfiledDisk;
use record::{RequestKind, store};

const TOML_TOKENS: &[&[u8]] = &[
    b"[",
    b"]",
    b"[[step]]\n",
    b"{",
    b"}",
    b"=",
    b"\"",
    b"\"\"\"",
    b"'",
    b"\n",
    b",",
    b".",
    b"#",
    b"-",
    b"%",
    b"/",
    b"inf",
    b"nan",
    b"true",
    b"k",
    b"1e308",
    b"0x",
    b"2026-11-01",
    b"\xff",
    b"\xc3\xa9",
    b"[[[[[[[[",
    b"a.a.a.a.a.a.a.a.",
];

const JOB_TOKENS: &[&[u8]] = &[
    b"[",
    b"]",
    b"=",
    b"\n",
    b"${",
    b"}",
    b"(",
    b")",
    b"$ncpus",
    b"\0",
    b"\xff",
    b"-",
    b"--",
    b"*",
    b"include ",
    b"[global]\n",
    b"^",
    b"99999999999999999999",
    b"\xc3\xa9",
    b"1.5",
    b"k",
    b"/0",
    b"size=",
    b"%",
    b"#",
    b";",
    b" ",
    b"--name=",
    b"name=",
    b"numjobs=",
    b"cpus_allowed=0-",
    b"\r\n",
    b"kb_base=1000\n",
    b"${AB}",
];

const TRACE_TOKENS: &[&[u8]] = &[
    b"\n",
    b" ",
    b"/a",
    b"add",
    b"open",
    b"close",
    b" read ",
    b" write ",
    b" wait ",
    b"fio version 2 iolog\n",
    b"fio version 3 iolog\n",
    b"-",
    b"\xff",
    b"\0",
];

const LOAD_TOKENS: &[&[u8]] = &[
    b"tdtrace\n",
    b"TDCH",
    b"\x07\x74\x61\x65",
    b"  8,0 1 1 0.000000001 7 Q R 8 + 8 [a]\n",
    b" Q FWFS 0 + 8 [a]\n",
    b"CPU0 (8,0):\n",
];

const PROFILE_TOKENS: &[&[u8]] = &[
    b"\n",
    b"[",
    b"]",
    b"[]",
    b"[[1.0, 1.0]]",
    b"0",
    b"-1",
    b"1.0",
    b"1e-300",
    b"1e300",
    b"nan",
    b"inf",
    b"18446744073709551615",
    b"9223372036854775807",
    b", ",
    b"version = 1\n",
    b"[arrivals]\n",
    b"[[arrivals.levels]]\n",
    b"[kinds.Read]\n",
    b"[kinds.Flush]\n",
];

/// The seeds that are kept for a target; of some there are none beside what its test makes.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    if folder.exists() { read_folder(&folder) } else { Vec::new() }
}

fn read_folder(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Fuzzes the target of the test `name`.
fn fuzz(name: &str, tokens: &[&[u8]], seeds: &[Vec<u8>], case: &mut dyn FnMut(&mut Random, &[u8])) {
    let fuzzer =
        Fuzzer { name, seeds, tokens, seconds: "TRUEDISK_FUZZ_SECONDS", memory_max: 512 << 20 };
    let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fuzzer.run_in_child(name, &saved, case);
}

/// One record in this many becomes a page, which takes longer than all the rest.
const PAGES: usize = 32;

/// What every command does with a foreign record.
fn use_record(mut record: record::Record, random: &mut Random) {
    let _ = (record::RunSummary::from_record(&record), record::Figures::from_record(&record));
    record.judgement = Some(analysis::judge(&record.measured));
    let _ = report::render_terminal(&record, report::Style::PLAIN);
    if random.next_below(PAGES) == 0 {
        report::render_html(&record, message::Language::English).unwrap();
    }
}

#[test]
fn record() {
    fuzz("record", JSON_TOKENS, &seeds("record"), &mut |random, bytes| {
        if let Ok(record) = store::parse_record(bytes, Path::new("x.json")) {
            use_record(record, random);
        }
    });
}

/// Compressed bytes, damaged; and what is in them, changed.
#[test]
fn gzip() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.json.gz");
    let plain = seeds("record");
    let mut packed = Vec::new();
    for seed in &plain {
        packed.push(
            store::compress_record(&store::parse_record(seed, Path::new("seed")).unwrap()).unwrap(),
        );
    }
    packed.extend(seeds("gzip"));
    let foreign = |text: &str| {
        let found = fio::import::looks_like_fio(text).then(|| fio::import::import_record(text));
        found.map(|found| found.map(|record| vec![record]).map_err(|error| error.to_string()))
    };
    fuzz("gzip", &[b"\x1f\x8b", b"\x08", b"\0\0\0\0", b"\xff\xff"], &packed, &mut |_, bytes| {
        fs::write(&file, bytes).unwrap();
        let _ = store::load_record(&file);
        let _ = history::import::read_records(&file, &foreign, &mut |_| Ok(()));
    });
}

#[test]
fn fio_json() {
    fuzz("fio_json", JSON_TOKENS, &seeds("fio_json"), &mut |random, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let _ = fio::import::looks_like_fio(&text);
        if let Ok(record) = fio::import::import_record(&text) {
            use_record(record, random);
        }
    });
}

#[test]
fn preset() {
    let mut all = seeds("preset");
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../method/presets");
    all.extend(read_folder(&built_in));
    fuzz("preset", TOML_TOKENS, &all, &mut |_, bytes| {
        let found = method::Preset::parse("x", &String::from_utf8_lossy(bytes));
        match found {
            Ok(preset) => {
                let _ = (preset.time_max(), preset.has_writes(), preset.small_files().is_some());
            }
            Err(error) => assert!(error.to_string().len() < 3000, "{error}"),
        }
    });
}

#[test]
fn plan() {
    fuzz("plan", TOML_TOKENS, &seeds("plan"), &mut |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        for name in ["nhp-5k", "nhp-10k"] {
            let plan = model::from_toml("plans.toml", &text, name);
            let Ok(plan) = plan else { continue };
            let size = units::Bytes::kib(4);
            let _ = plan.base_rates(size, model::Order::Random, model::IoDirection::Read);
            let _ = plan.empties_after(size, model::Order::Random, model::IoDirection::Write);
        }
    });
}

#[test]
fn job_file() {
    fuzz("job_file", JOB_TOKENS, &seeds("job_file"), &mut |_, bytes| fio::fuzz_one(bytes));
}

#[test]
fn iolog() {
    fuzz("iolog", TRACE_TOKENS, &seeds("iolog"), &mut |random, bytes| {
        let Ok(mut reader) = IologReader::new(bytes) else { return };
        let version = reader.version();
        let options = ReplayOptions {
            scale: random.next_below(3) as u64,
            align: [0, 4096][random.next_below(2)],
            ..ReplayOptions::default()
        };
        for step in replay_steps(&mut reader, version, options) {
            if step.is_err() {
                break;
            }
        }
    });
}

/// A queued write of blktrace.
fn blktrace_event(time_ns: u64, sector: u64) -> Vec<u8> {
    let mut event = [0x6561_7407_u32.to_le_bytes(), 1_u32.to_le_bytes()].concat();
    event.extend_from_slice(&time_ns.to_le_bytes());
    event.extend_from_slice(&sector.to_le_bytes());
    for field in [4096_u32, 1 | 2 << 16, 77, 8 << 20, 0, 0] {
        event.extend_from_slice(&field.to_le_bytes());
    }
    event
}

/// Traces of truedisk, blktrace and fio, and the text of blkparse.
#[test]
fn load() {
    let request = |number: u64| record::TraceRequest {
        start_ns: number * 1000,
        offset: number * 4096,
        length: 4096,
        kind: record::RequestKind::Write,
        is_fua: false,
        latency_ns: Some(number),
    };
    let header = record::TraceHeader { device_size: 1 << 30, block_size: 512, started_unix_ns: 0 };
    let mut writer = record::TraceWriter::new(Vec::new(), &header).unwrap();
    (0..50).for_each(|number| writer.push(&request(number)).unwrap());
    let mut all = vec![writer.finish(60_000).unwrap()];
    all.push([blktrace_event(1, 8), blktrace_event(2, 16), blktrace_event(3, 8)].concat());
    all.extend(seeds("load").into_iter().chain(seeds("iolog")));
    let tokens = [TRACE_TOKENS, LOAD_TOKENS].concat();
    fuzz("load", &tokens, &all, &mut |_, bytes| method::fuzz_load(bytes));
}

/// Profiles: what is accepted draws requests.
#[test]
fn profile() {
    let disk = ProfiledDisk { name: "sda".to_owned(), size_bytes: 1 << 30, block_bytes: 512 };
    let mut builder = ProfileBuilder::new(disk);
    let kinds = [RequestKind::Read, RequestKind::Write, RequestKind::Discard, RequestKind::Flush];
    for number in 0..400_u64 {
        let kind = kinds[(number % 4) as usize];
        let length = if kind == RequestKind::Flush { 0 } else { 4096 << (number % 3) };
        builder.add(&record::TraceRequest {
            start_ns: number * number * 30_000,
            offset: if length == 0 { 0 } else { number * number % 1000 * 65_536 },
            length,
            kind,
            is_fua: number % 8 == 1,
            latency_ns: Some(number),
        });
    }
    let profile = builder.finish(jiff::Timestamp::UNIX_EPOCH, 5_000_000_000, 0);
    let text = profile.to_toml().unwrap().into_bytes();
    // An accepted one draws.
    method::fuzz_load(&text);
    fuzz("profile", PROFILE_TOKENS, &[text], &mut |_, bytes| method::fuzz_load(bytes));
}

#[test]
fn verify_state() {
    let state = VerifyState { started: 9, ..VerifyState::default() };
    let mut all = vec![state.to_bytes()];
    all.extend(seeds("verify_state"));
    fuzz("verify_state", &[b"\xff\xff\xff\xff", b"\0\0\0\0"], &all, &mut |_, bytes| {
        if let Err(error) = VerifyState::from_bytes(bytes) {
            assert!(error.to_string().len() < 1000);
        }
    });
}
