//! Words and syntaxes of their own.

use std::io;

use super::super::distribution::{Distribution, FileService, ZoneShare};
use super::super::engine::Engine;
use super::super::errors::{ErrorList, ErrorSet};
use super::super::goal::{SteadyLimit, SteadyMetric, SteadyState};
use super::super::job::JobOptions;
use super::super::log::{LogName, WindowValue};
use super::super::pattern::{Operation, ReadWrite};
use super::super::placement::{BufferMemory, MemoryPolicy};
use super::super::report::Unified;
use super::super::sync::{SyncFileRange, SyncMode};
use super::super::target::Fallocate;
use super::super::values::apply_option_with;
use super::super::verify::VerifyMethod;
use super::{check, check_wrong, raw, set};

#[test]
fn patterns_of_operations() {
    let rw = |operation, run_length, gap| ReadWrite { operation, run_length, gap };
    check(
        "rw",
        |job| job.pattern.rw,
        &[
            ("read", rw(Operation::Read, 1, 0)),
            ("readwrite", rw(Operation::ReadWrite, 1, 0)),
            ("randrw:16", rw(Operation::RandReadWrite, 16, 0)),
            ("randread:8", rw(Operation::RandRead, 8, 0)),
            ("read:4k", rw(Operation::Read, 1, 4096)),
            ("read:-4k", rw(Operation::Read, 1, -4096)),
            ("write:4kb", rw(Operation::Write, 1, 4096)),
            (" randtrimwrite ", rw(Operation::RandTrimWrite, 1, 0)),
        ],
    );
    check_wrong(
        "rw",
        &[
            "READ",
            "readx",
            "rand",
            "read:",
            "randread:",
            "randread:x",
            "randread:0",
            "randread:-1",
            "read,write",
            "",
        ],
    );
    assert!(Operation::TrimWrite.trims() && Operation::TrimWrite.writes());
    assert!(!Operation::TrimWrite.reads() && !Operation::TrimWrite.is_random());
}

#[test]
fn distributions() {
    let zone = |accesses, length| ZoneShare { accesses, length };
    let zipf = |theta, center| Distribution::Zipf { theta, center, wide: false };
    check(
        "random_distribution",
        |job| job.pattern.random_distribution[1].clone(),
        &[
            ("random", Distribution::Random),
            ("zipf", zipf(1.1, None)),
            ("zipf:1.2", zipf(1.2, None)),
            ("zipf:1.2:0.25", zipf(1.2, Some(0.25))),
            ("zipf64:1.1", Distribution::Zipf { theta: 1.1, center: None, wide: true }),
            ("pareto", Distribution::Pareto { h: 0.2, center: None }),
            ("pareto:0.2:0.1", Distribution::Pareto { h: 0.2, center: Some(0.1) }),
            ("normal:50", Distribution::Normal { deviation: 50.0, center: None }),
            ("zoned:60/10:40/20", Distribution::Zoned(vec![zone(60, 10), zone(40, 20)])),
            ("zoned:60/:40/", Distribution::Zoned(vec![zone(60, 50), zone(40, 50)])),
            (
                "zoned:60/10:30/20:8/30:2/40",
                Distribution::Zoned(vec![zone(60, 10), zone(30, 20), zone(8, 30), zone(2, 40)]),
            ),
            (
                "zoned_abs:60/20g:40/100g",
                Distribution::ZonedAbs(vec![zone(60, 20 << 30), zone(40, 100 << 30)]),
            ),
            ("zoned:100/100,100/50", Distribution::Zoned(vec![zone(100, 50)])),
            ("zipf:1.2,pareto:0.3", Distribution::Pareto { h: 0.3, center: None }),
        ],
    );
    check_wrong(
        "random_distribution",
        &[
            "zipf:1",
            "zipf:0",
            "zipf:-1",
            "zipf:x",
            "zipf:1.2:2",
            "pareto:1.5",
            "pareto:0",
            "normal:150",
            "zoned",
            "zoned:60/10:30/20",
            "zoned:60/10:60/90",
            "zoned:60/60:40/60",
            "zoned:60/10:/20:/70",
            "zoned_abs:60/20m:40/",
            "zoned_abs:60/1m:30/2m",
            "uniform",
            "random:3",
            "zipf:1.2:0.2:0.3",
        ],
    );
}

#[test]
fn file_services() {
    check(
        "file_service_type",
        |job| job.target.file_service,
        &[
            ("random", FileService::Random { batch: 1 }),
            ("random:8", FileService::Random { batch: 8 }),
            ("roundrobin:4", FileService::RoundRobin { batch: 4 }),
            ("sequential:2", FileService::Sequential { batch: 2 }),
            ("zipf:1.2", FileService::Zipf { theta: 1.2 }),
            ("pareto", FileService::Pareto { h: 0.2 }),
            ("gauss:20", FileService::Normal { deviation: 20.0 }),
        ],
    );
    check_wrong(
        "file_service_type",
        &["bad", "zipf:1", "pareto:2", "normal:200", "zipf:x", "roundrobin:x", "random:0"],
    );
}

#[test]
fn fills() {
    let bytes = |job: &JobOptions| job.data.buffer_pattern.clone().unwrap().bytes;
    check(
        "buffer_pattern",
        bytes,
        &[
            ("0xdeadface", vec![0xde, 0xad, 0xfa, 0xce]),
            ("0x1", vec![1]),
            ("0x123", vec![1, 0x23]),
            ("0x00", vec![0]),
            ("\"abcd\"", b"abcd".to_vec()),
            ("\"a%b\"", b"a%b".to_vec()),
            ("\"a\\nb\"", b"a\\nb".to_vec()),
            ("12", vec![12]),
            ("010", vec![10]),
            ("+5", vec![5]),
            ("-120xdeadface", vec![0xf4, 0xff, 0xff, 0xff, 0xde, 0xad, 0xfa, 0xce]),
            ("256", vec![0, 1]),
            ("65536", vec![0, 0, 1]),
            ("2147483647", vec![0xff, 0xff, 0xff, 0x7f]),
            ("-12", vec![0xf4, 0xff, 0xff, 0xff]),
            ("-256", vec![0, 0xff, 0xff, 0xff]),
            ("-2147483648", vec![0, 0, 0, 0x80]),
            ("0", vec![0]),
            ("-0", vec![0]),
            ("0xdeadface\"abcd\"-12", b"\xde\xad\xfa\xceabcd\xf4\xff\xff\xff".to_vec()),
            ("12\"ab\"", b"\x0cab".to_vec()),
        ],
    );
    check_wrong(
        "buffer_pattern",
        &[
            "abcd",
            "a",
            "0xzz",
            "0x",
            "\"",
            "\"a\"b\"",
            "0xff,0xaa",
            "0xff 0xaa",
            "4k",
            "%o",
            "%x",
            "2147483648",
            "123456789012",
            "\"\"",
            "'/nonexistent/file'",
            "",
        ],
    );
}

#[test]
fn fills_with_files_and_offsets() {
    let read = |path: &str| match path {
        "some file" => Ok(b"xyz".to_vec()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    let mut job = JobOptions::default();
    apply_option_with(&mut job, &raw("buffer_pattern", Some("0x01'some file'0x02")), &read)
        .unwrap();
    assert_eq!(job.data.buffer_pattern.as_ref().unwrap().bytes, b"\x01xyz\x02");
    let error =
        apply_option_with(&mut job, &raw("buffer_pattern", Some("'other'")), &read).unwrap_err();
    assert!(error.to_string().contains("other cannot be read"), "{error}");
    // As written by fio: ab, then the block's offset.
    let job = set(&[("verify_pattern", "\"ab\"%o0xff")]).unwrap();
    let pattern = job.verify.pattern.unwrap();
    assert_eq!(pattern.bytes, b"ab\0\0\0\0\0\0\0\0\xff");
    assert_eq!(pattern.offsets, [2]);
    assert_eq!(set(&[("verify_pattern", "%o%o")]).unwrap().verify.pattern.unwrap().offsets, [0, 8]);
}

#[test]
fn names_of_files() {
    let filenames = |job: &JobOptions| job.target.filenames.clone();
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    check(
        "filename",
        filenames,
        &[
            ("/dev/sda", list(&["/dev/sda"])),
            ("/dev/sda:/dev/sdb", list(&["/dev/sda", "/dev/sdb"])),
            (r"/dev/foo@3,0\:c", list(&["/dev/foo@3,0:c"])),
            (r"F\:\filename", list(&[r"F:\filename"])),
            ("a::b:", list(&["a", "b"])),
        ],
    );
    check_wrong("filename", &["", ":"]);
    let job = set(&[("filename", "a:b"), ("filename", "c")]).unwrap();
    assert_eq!(job.target.filenames, ["a", "b", "c"]);
    check("directory", |job| job.target.directories.clone(), &[("/a:/b", list(&["/a", "/b"]))]);
    check(
        "write_bw_log",
        |job| job.log.bw.clone(),
        &[
            ("-", Some(LogName::JobName)),
            ("", Some(LogName::JobName)),
            ("foo", Some(LogName::Prefix("foo".to_owned()))),
        ],
    );
}

#[test]
fn choices() {
    check(
        "verify",
        |job| job.verify.method,
        &[
            ("0", VerifyMethod::None),
            ("crc32c-intel", VerifyMethod::Crc32c),
            ("sha3-512", VerifyMethod::Sha3_512),
            ("meta", VerifyMethod::HeaderOnly),
        ],
    );
    check_wrong("verify", &["1", "none", "sha224", "hdr_only"]);
    check("sync", |job| job.sync.mode, &[("1", SyncMode::Sync), ("dsync", SyncMode::Dsync)]);
    check_wrong("sync", &["2"]);
    check(
        "fallocate",
        |job| job.target.fallocate,
        &[("0", Fallocate::None), ("1", Fallocate::Posix), ("keep", Fallocate::Keep)],
    );
    check_wrong("fallocate", &["2"]);
    check(
        "unified_rw_reporting",
        |job| job.report.unified,
        &[("1", Unified::Mixed), ("both", Unified::Both)],
    );
    check("log_max_value", |job| job.log.window_value, &[("1", WindowValue::Max)]);
    check("ioengine", |job| job.engine.engine, &[("io_uring", Engine::IoUring)]);
    check_wrong("ioengine", &["bogus", "external:/x", "rbd"]);
    check_wrong("exit_what", &["bad"]);
    check_wrong("lockfile", &["0"]);
    check_wrong("replay_align", &["3000"]);
    check(
        "mem",
        |job| job.placement.mem.clone(),
        &[
            ("mmap", BufferMemory::Mmap(None)),
            ("mmap:/tmp/x", BufferMemory::Mmap(Some("/tmp/x".to_owned()))),
            ("shmhuge", BufferMemory::ShmHuge),
        ],
    );
    check_wrong("mem", &["bad", "cudamalloc", "malloc:x"]);
    check(
        "numa_mem_policy",
        |job| job.placement.numa_mem_policy.clone(),
        &[
            ("local", MemoryPolicy::Local),
            ("prefer:1", MemoryPolicy::Prefer(1)),
            ("bind:0-1", MemoryPolicy::Bind(vec![0, 1])),
            ("interleave:all", MemoryPolicy::Interleave(vec![])),
        ],
    );
    check_wrong("numa_mem_policy", &["bind", "prefer", "prefer:0-1", "bad", "local:1"]);
    check("replay_skip", |job| job.replay.skip, &[("read,sync", [true, false, false, true])]);
    check_wrong("replay_skip", &["flush", ""]);
}

#[test]
fn syncs_and_goals() {
    let range = |wait_before, write, wait_after, every| {
        Some(SyncFileRange { wait_before, write, wait_after, every })
    };
    check(
        "sync_file_range",
        |job| job.sync.sync_file_range,
        &[
            ("wait_before,write:8", range(true, true, false, 8)),
            ("write", range(false, true, false, 1)),
            ("wait_before,write,wait_after:2", range(true, true, true, 2)),
        ],
    );
    check_wrong("sync_file_range", &["bad:1", "write:0", "write:x"]);
    let steady = |metric, slope, limit| SteadyState { metric, slope, limit };
    check(
        "steadystate",
        |job| job.goal.steadystate,
        &[
            ("iops:5%", steady(SteadyMetric::Iops, false, SteadyLimit::Percent(5.0))),
            ("iops_slope:0.1%", steady(SteadyMetric::Iops, true, SteadyLimit::Percent(0.1))),
            ("iops:300", steady(SteadyMetric::Iops, false, SteadyLimit::Absolute(300.0))),
            ("bw:10m", steady(SteadyMetric::Bandwidth, false, SteadyLimit::Absolute(10_485_760.0))),
            ("bw_slope:1%", steady(SteadyMetric::Bandwidth, true, SteadyLimit::Percent(1.0))),
            ("lat:1ms", steady(SteadyMetric::Latency, false, SteadyLimit::Absolute(1e6))),
            ("lat:5", steady(SteadyMetric::Latency, false, SteadyLimit::Absolute(5000.0))),
        ],
    );
    check_wrong(
        "steadystate",
        &["iops", "iops:x", "iops:5%x", "iops:-1", "iops:-1%", "disk:5%", "bw:inf"],
    );
    check_wrong("latency_percentile", &["101", "99.9:50", "x"]);
}

#[test]
fn errors_to_go_on_after() {
    let on = |read, write, verify| ErrorSet { read, write, verify };
    check(
        "continue_on_error",
        |job| job.errors.continue_on,
        &[
            ("none", on(false, false, false)),
            ("read", on(true, false, false)),
            ("io", on(true, true, false)),
            ("verify", on(false, false, true)),
            ("all", on(true, true, true)),
            ("1", on(true, true, true)),
        ],
    );
    check_wrong("continue_on_error", &["bad", "READ", "read,write"]);
    let list = |read: &[i32], write: &[i32], verify: &[i32]| ErrorList {
        read: read.to_vec(),
        write: write.to_vec(),
        verify: verify.to_vec(),
    };
    check(
        "ignore_error",
        |job| job.errors.ignore.clone(),
        &[
            ("ENOSPC", list(&[28], &[], &[])),
            ("EAGAIN,ENOSPC:122", list(&[11], &[28, 122], &[])),
            (",ENOSPC", list(&[], &[28], &[])),
            (",,EILSEQ", list(&[], &[], &[84])),
            ("EIO, EDQUOT", list(&[5], &[122], &[])),
        ],
    );
    check_wrong("ignore_error", &["bad", "eio", "-1", "0", "EIO,EIO,EIO,EIO", ",,", ""]);
}
