//! Numbers, sizes, times, lists.

use super::super::job::JobOptions;
use super::super::run::TimeRange;
use super::super::sizes::{SizeRange, SizeValue};
use super::{check, check_wrong, set};

const G: u64 = 1 << 30;

#[test]
fn sizes() {
    check(
        "bs",
        |job| job.pattern.bs[0],
        &[
            ("4096", 4096),
            ("4k", 4096),
            ("4K", 4096),
            ("4kb", 4096),
            ("4KB", 4096),
            ("4ki", 4096),
            ("4Ki", 4096),
            ("4kib", 4000),
            ("4KiB", 4000),
            ("4kiB", 4000),
            ("1m", 1 << 20),
            ("1mi", 1 << 20),
            ("1MB", 1 << 20),
            ("1mib", 1_000_000),
            ("4096b", 4096),
            ("4096B", 4096),
            ("0x1000", 4096),
            ("0X1000", 4096),
            ("0xb", 11),
            ("010", 10),
            ("+8", 8),
            ("3g", 3 * G),
            ("2t", 2048 * G),
            ("1p", 1024 * 1024 * G),
            ("1e", 1024 * 1024 * 1024 * G),
            ("128*1", 128),
            ("4k*2", 8192),
            ("2 * 4k", 8192),
            (" 8k ", 8192),
        ],
    );
    check_wrong(
        "bs",
        &[
            "0",
            "-1",
            "k",
            "1.5k",
            "1.5",
            "4x",
            "4kk",
            "4z",
            "4%",
            "1e3",
            "4k 8k",
            "4 k",
            "4k:",
            "4k-8k",
            "4k/8k",
            ",",
            "",
            "-",
            "4k*",
            "*4k",
            "4k*-1",
            "0x",
            "0x10k",
            "0b11",
            "99999999999999999999",
            "9999999999g*9999999999g*9999999999g",
            "1,2,3,4",
        ],
    );
}

#[test]
fn sizes_with_kb_base_1000() {
    for (text, expected) in [
        ("4k", 4000),
        ("4kb", 4000),
        ("4ki", 4000),
        ("4kib", 4096),
        ("1m", 1_000_000),
        ("1MiB", 1 << 20),
    ] {
        let job = set(&[("bs", text), ("kb_base", "1000")]).unwrap();
        assert_eq!(job.pattern.bs[0], expected, "{text}");
    }
    check_wrong("kb_base", &["1", "8", "1024k"]);
}

#[test]
fn values_per_direction() {
    check(
        "bs",
        |job| job.pattern.bs,
        &[
            ("8k", [8192, 8192, 8192]),
            ("4k,8k", [4096, 8192, 8192]),
            ("4k,8k,16k", [4096, 8192, 16384]),
            (",8k", [4096, 8192, 8192]),
            (",8k,", [4096, 8192, 4096]),
            ("8k,", [8192, 4096, 4096]),
            ("8k,32k,", [8192, 32768, 4096]),
            ("8k,,16k", [8192, 4096, 16384]),
            (",,16k", [4096, 4096, 16384]),
            ("4k ,8k", [4096, 8192, 8192]),
            ("4k, 8k", [4096, 8192, 8192]),
        ],
    );
    let twice = |a, b| set(&[("bs", a), ("bs", b)]).unwrap().pattern.bs;
    assert_eq!(twice("8k,16k", ",4k"), [8192, 4096, 4096]);
    assert_eq!(twice("8k", "4k,"), [4096, 8192, 8192]);
    check(
        "rate",
        |job| job.rate.rate,
        &[
            ("1m,500k", [1 << 20, 512_000, 512_000]),
            (",500k", [0, 512_000, 512_000]),
            ("500k,", [512_000, 0, 0]),
            ("0", [0; 3]),
        ],
    );
    check_wrong("rate", &["-1", "", "fast"]);
    check("rate_iops", |job| job.rate.rate_iops, &[("100,", [100, 0, 0]), ("1k", [1024; 3])]);
    check("ba", |job| job.pattern.blockalign, &[("512,4k", [Some(512), Some(4096), Some(4096)])]);
    check(
        "percentage_random",
        |job| job.pattern.percentage_random,
        &[("50,20", [50, 20, 20]), (",20,", [100, 20, 100]), ("30%", [30; 3]), ("70.00", [70; 3])],
    );
    check_wrong("percentage_random", &["101", "-1", "1.5", "70.01", ".0"]);
    check(
        "max_latency",
        |job| job.goal.max_latency_ns,
        &[("100", [100_000; 3]), ("1ms,2ms", [1_000_000, 2_000_000, 2_000_000]), ("50ns", [50; 3])],
    );
}

#[test]
fn ranges() {
    let range = |min, max| Some(SizeRange { min, max });
    check(
        "bsrange",
        |job| job.pattern.bsrange,
        &[
            ("1k-4k", [range(1024, 4096); 3]),
            ("4k-1k", [range(1024, 4096); 3]),
            ("1k:4k", [range(1024, 4096); 3]),
            ("1k-4k,2k-8k", [range(1024, 4096), range(2048, 8192), range(2048, 8192)]),
            (",2k-8k", [None, range(2048, 8192), range(2048, 8192)]),
            ("1k-4k,", [range(1024, 4096), None, None]),
            ("1k-4k,,8k-16k", [range(1024, 4096), None, range(8192, 16384)]),
            ("512/25:1k:25:2k:25:4k/25", [range(512, 1024); 3]),
            ("1k/25:2k/50", [range(1024, 2048); 3]),
            ("1k-4k:8k", [range(1024, 4096); 3]),
            ("2k/50-1k", [range(1024, 2048); 3]),
            ("1k:2k:4k,4k/9-8k", [range(1024, 2048), range(4096, 8192), range(4096, 8192)]),
        ],
    );
    check_wrong("bsrange", &["4k", "1k-", "-4k", "1k-4kx", "1k-4k/8k-32k", "0-4k"]);
    check_wrong("bsrange", &["4k/50", "1k/x:4k", "1k/101-4k", "1k-4k:x", "1k-4k-8k", "1k:4k:"]);
    check(
        "filesize",
        |job| job.size.filesize,
        &[
            ("16k", range(16384, 16384)),
            ("16k-32k", range(16384, 32768)),
            ("32k:16k", range(16384, 32768)),
        ],
    );
    check_wrong("filesize", &["0", "x"]);
}

#[test]
fn block_splits() {
    let split = |job: &JobOptions| {
        job.pattern
            .bssplit
            .each_ref()
            .map(|split| split.iter().map(|share| (share.size, share.percent)).collect::<Vec<_>>())
    };
    let all = |shares: &[(u64, u8)]| [shares.to_vec(), shares.to_vec(), shares.to_vec()];
    check(
        "bssplit",
        split,
        &[
            ("4k/10:8k/90", all(&[(4096, 10), (8192, 90)])),
            ("4k/50:1k/:32k/", all(&[(4096, 50), (1024, 25), (32768, 25)])),
            ("4k:8k", all(&[(4096, 50), (8192, 50)])),
            ("4k:8k:16k", all(&[(4096, 33), (8192, 33), (16384, 34)])),
            ("4k/10:8k", all(&[(4096, 10), (8192, 90)])),
            ("4k/10:8k/20", all(&[(4096, 10), (8192, 90)])),
            ("4k/33:8k/33:16k/33", all(&[(4096, 33), (8192, 33), (16384, 34)])),
            ("4k/100:8k/", all(&[(4096, 100), (8192, 0)])),
            ("2k/0:4k/100", all(&[(2048, 0), (4096, 100)])),
            ("4k", all(&[(4096, 100)])),
            ("4k/10%:8k/", all(&[(4096, 10), (8192, 90)])),
            (
                "2k/50:4k/50,8k",
                [vec![(2048, 50), (4096, 50)], vec![(8192, 100)], vec![(8192, 100)]],
            ),
            ("2k/50:4k/50,", [vec![(2048, 50), (4096, 50)], vec![], vec![]]),
        ],
    );
    check_wrong("bssplit", &["4k/60:8k/60", "4k/x", "0/50:8k/50", "4k/101", ":4k", "4k/50:"]);
    let job = set(&[("bsrange", "1k-2k"), ("bssplit", "4k/50:8k/50,")]).unwrap();
    assert_eq!((job.pattern.min_bs(0), job.pattern.max_bs(0)), (4096, 8192));
    assert_eq!((job.pattern.min_bs(1), job.pattern.max_bs(1)), (1024, 2048));
    let job = set(&[("bssplit", "4k/50:8k/50"), ("bsrange", "1k-2k"), ("bs", "16k")]).unwrap();
    assert_eq!((job.pattern.min_bs(0), job.pattern.max_bs(2)), (1024, 2048));
}

#[test]
fn sizes_of_regions() {
    check(
        "size",
        |job| job.size.size,
        &[
            ("64k", Some(SizeValue::Bytes(65536))),
            ("64kib", Some(SizeValue::Bytes(64000))),
            ("8*4k", Some(SizeValue::Bytes(32768))),
            ("20%", Some(SizeValue::Percent(20.0))),
            ("12.5%", Some(SizeValue::Percent(12.5))),
            ("2z", Some(SizeValue::Zones(2))),
            ("0%", None),
            ("0", None),
        ],
    );
    check_wrong("size", &["150%", "-1", "-1%", "50%x", "NaN%", "1.5g", "z", "4kz"]);
    check("io_size", |job| job.size.io_size, &[("50%", Some(SizeValue::Percent(50.0)))]);
    check_wrong("io_size", &["200%"]);
    check(
        "offset",
        |job| job.size.offset,
        &[
            ("0", SizeValue::Bytes(0)),
            ("32k", SizeValue::Bytes(32768)),
            ("50%", SizeValue::Percent(50.0)),
        ],
    );
    check_wrong("offset", &["110%", "-4k"]);
    check("number_ios", |job| job.size.number_ios, &[("10", 10), ("1k", 1024), ("0x10", 16)]);
}

#[test]
fn times() {
    check(
        "runtime",
        |job| job.run.runtime_us,
        &[
            ("1", 1_000_000),
            ("300ms", 300_000),
            ("200000us", 200_000),
            ("200000usec", 200_000),
            ("400msec", 400_000),
            ("1m", 60_000_000),
            ("1h", 3_600_000_000),
            ("1d", 86_400_000_000),
            ("2s", 2_000_000),
            ("2S", 2_000_000),
            ("2sec", 2_000_000),
            ("1500ns", 2),
            ("0", 0),
        ],
    );
    check_wrong(
        "runtime",
        &[
            "-1",
            "1.",
            ".5",
            "1.5.5",
            "1.5*2*",
            "1min",
            "1x",
            "abc",
            "10s5",
            "1 s",
            "1k",
            "1e3",
            "99999999999d",
        ],
    );
    check(
        "latency_target",
        |job| job.goal.latency_target_us,
        &[
            ("50", 50),
            ("50us", 50),
            ("1ms", 1000),
            ("1MS", 1000),
            ("1s", 1_000_000),
            ("1m", 60_000_000),
            ("1h", 3_600_000_000),
        ],
    );
    check("thinktime", |job| job.rate.thinktime_us, &[("1", 1), ("1ms", 1000)]);
    check("thinktime_iotime", |job| job.rate.thinktime_iotime_us, &[("9", 9_000_000)]);
    check(
        "log_avg_msec",
        |job| job.log.avg_ms,
        &[("500", 500), ("1k", 1024), ("1s", 1000), ("250ms", 250)],
    );
    check_wrong("log_avg_msec", &["-1", "10us", "x"]);
    let range = |min_us, max_us| TimeRange { min_us, max_us };
    check(
        "startdelay",
        |job| job.run.startdelay,
        &[
            ("1", range(1_000_000, 1_000_000)),
            ("1-2", range(1_000_000, 2_000_000)),
            ("1:2", range(1_000_000, 2_000_000)),
            ("2-1", range(1_000_000, 2_000_000)),
            ("500ms-600ms", range(500_000, 600_000)),
        ],
    );
    check(
        "steadystate_check_interval",
        |job| job.goal.ss_interval_ms,
        &[("2", 2000), ("500ms", 500)],
    );
    check_wrong("steadystate_check_interval", &["0", "10us"]);
}

#[test]
fn switches() {
    check(
        "direct",
        |job| job.engine.direct,
        &[("0", false), ("1", true), ("true", true), ("false", false), ("-", true)],
    );
    check_wrong("direct", &["2", "yes", "on", "TRUE", "1x"]);
    check("time_based", |job| job.run.time_based, &[("-", true), ("10", true), ("0", false)]);
    check_wrong("thread", &["x", "yes"]);
    check("buffered", |job| job.engine.direct, &[("0", true), ("1", false)]);
    assert!(set(&[("buffered", "1"), ("direct", "1")]).unwrap().engine.direct);
    assert!(!set(&[("direct", "1"), ("buffered", "1")]).unwrap().engine.direct);
}

#[test]
fn whole_numbers() {
    check("iodepth", |job| job.engine.iodepth, &[("128*1", 128), ("4k", 4096), ("0x20", 32)]);
    check_wrong("iodepth", &["0", "-1", "2x", "4294967296", "", "-"]);
    check("loops", |job| job.run.loops, &[("0", 1), ("3", 3)]);
    check_wrong("numjobs", &["0", "2x"]);
    check("rwmixread", |job| job.pattern.rwmixread, &[("30", 30), ("30%", 30)]);
    check("rwmixwrite", |job| job.pattern.rwmixread, &[("30", 70)]);
    check_wrong("rwmixread", &["101", "x"]);
    check("nice", |job| job.placement.nice, &[("-12", -12), ("19", 19)]);
    check_wrong("nice", &["20", "-21", "5x"]);
    check_wrong("prio", &["8"]);
    check_wrong("prioclass", &["4"]);
    check("flow", |job| job.rate.flow, &[("8", 8), ("-8", 4_294_967_288), ("-1", u32::MAX)]);
    check_wrong("flow", &["1001", "-2147483649"]);
    check_wrong("log_entries", &["5"]);
    check_wrong("significant_figures", &["0", "11"]);
    check_wrong("verify_interval", &["16"]);
    check_wrong("verify_offset", &["8"]);
    check(
        "randseed",
        |job| job.pattern.randseed,
        &[
            ("0xff", Some(255)),
            ("-1", Some(u64::MAX)),
            ("1k", Some(1024)),
            ("18446744073709551615", Some(u64::MAX)),
        ],
    );
}

#[test]
fn lists_of_numbers() {
    check(
        "cpus_allowed",
        |job| job.placement.cpus_allowed.clone(),
        &[("0-3,5", vec![0, 1, 2, 3, 5]), ("1-0", vec![0, 1]), ("5,0, 1,0", vec![0, 1, 5])],
    );
    check_wrong("cpus_allowed", &["a", "0-", "-1", "0,,1", "0 1", "all", "0:1", "99999999"]);
    check(
        "cpumask",
        |job| job.placement.cpus_allowed.clone(),
        &[("34", vec![1, 5]), ("0x3", vec![0, 1])],
    );
    check_wrong("cpumask", &["0"]);
    check(
        "numa_cpu_nodes",
        |job| job.placement.numa_cpu_nodes.clone(),
        &[("0-1", vec![0, 1]), ("all", vec![])],
    );
    check(
        "percentile_list",
        |job| job.report.percentile_list.clone(),
        &[
            ("99.9:50", vec![50.0, 99.9]),
            ("50:50", vec![50.0]),
            ("100", vec![100.0]),
            ("50:", vec![50.0]),
            ("99.999999", vec![99.999_999]),
        ],
    );
    check_wrong(
        "percentile_list",
        &[
            "0",
            "101",
            "abc",
            "50x",
            "99.9,50",
            "",
            "nan",
            "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21",
        ],
    );
}
