//! Verifying, zones and trims, logs, replays.

use crate::harness::case::{Case, Step, case, file, job, null, refused};
use crate::harness::run::Outcome;

const CHECKSUMS: [(&str, &str); 17] = [
    ("verify-md5", "md5"),
    ("verify-crc64", "crc64"),
    ("verify-crc32c", "crc32c"),
    ("verify-crc32c-intel", "crc32c-intel"),
    ("verify-crc32", "crc32"),
    ("verify-crc16", "crc16"),
    ("verify-crc7", "crc7"),
    ("verify-xxhash", "xxhash"),
    ("verify-sha1", "sha1"),
    ("verify-sha256", "sha256"),
    ("verify-sha512", "sha512"),
    ("verify-sha3-224", "sha3-224"),
    ("verify-sha3-256", "sha3-256"),
    ("verify-sha3-384", "sha3-384"),
    ("verify-sha3-512", "sha3-512"),
    ("verify-null", "null"),
    ("verify-meta", "meta"),
];

/// Headers are the same to the byte where the data is: others can check what we wrote.
fn same_files(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let bytes = |outcome: &Outcome| std::fs::read(outcome.dir.join("f")).unwrap_or_default();
    let (old, new) = (bytes(real), bytes(ours));
    match old.iter().zip(&new).position(|(a, b)| a != b) {
        None if old.len() == new.len() => Ok(()),
        place => Err(format!("files differ, from byte {place:?}")),
    }
}

const WRITE: &str =
    "--output=w.out --name=a --filename=f --size=256k --rw=write --verify=crc32c --do_verify=0";
const READ: &str = "--name=a --filename=f --size=256k --rw=read --verify=crc32c";

/// The failure is of the check, not of something before it.
fn of_verify(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        if !outcome.words().contains("verify") {
            return Err(format!("{side} does not name verify: {}", outcome.words()));
        }
    }
    Ok(())
}

/// Bytes turned over between writing and reading.
fn corrupted() -> Vec<Case> {
    let mut all = Vec::new();
    // A flipped byte in the data of the second block is found under every sum that covers data.
    for (name, sum) in [
        ("corrupt-md5", "md5"),
        ("corrupt-crc32c", "crc32c"),
        ("corrupt-crc7", "crc7"),
        ("corrupt-xxhash", "xxhash"),
        ("corrupt-sha256", "sha256"),
        ("corrupt-sha3-256", "sha3-256"),
        ("corrupt-pattern", "pattern --verify_pattern=0xdeadbeef"),
    ] {
        let text = format!(
            "[a]\nfilename=f\nsize=256k\nrw=write\nverify={}\ndo_verify=0\n",
            sum.split(" --").collect::<Vec<_>>().join("\n")
        );
        let read = text.replace("rw=write", "rw=read").replace("do_verify=0", "do_verify=1");
        all.push(
            case(name, "r.fio")
                .text("w.fio", &text)
                .text("r.fio", &read)
                .before("--output=w.out w.fio")
                .step(Step::Poke("f", 4096 + 2000))
                .fails()
                .check(of_verify),
        );
    }
    let at = |name: &'static str, args: &str, place: usize| {
        case(name, &format!("{READ} {args}")).before(WRITE).step(Step::Poke("f", place))
    };
    let several = |name, args: &str| {
        let job = "--name=a --nrfiles=4 --size=1m --rw=randwrite --verify=crc32c";
        let writes = "--output=w.out --name=a --nrfiles=4 --size=1m --rw=randwrite \
                      --verify=crc32c --do_verify=0";
        case(name, &format!("{job} {args}")).before(writes).free()
    };
    all.extend([
        at("corrupt-header", "", 4096).fails().check(of_verify),
        at("corrupt-fatal", "--verify_fatal=1", 9000).fails().check(of_verify),
        at("corrupt-dump", "--verify_dump=1 --verify_fatal=1", 9000).fails().check(of_verify),
        at("corrupt-continue", "--continue_on_error=verify", 9000)
            .free()
            .no_files()
            .eq("jobs/0/total_err", 1)
            .eq("jobs/0/error", 84),
        at("corrupt-ignored", "--ignore_error=EIO,EIO,84", 9000)
            .free()
            .no_files()
            .eq("jobs/0/total_err", 1)
            .eq("jobs/0/error", 84),
        at("corrupt-fatal-continued", "--verify_fatal=1 --continue_on_error=all", 9000)
            .free()
            .no_files()
            .eq("jobs/0/total_err", 1)
            .eq("jobs/0/read/io_bytes", 12_288),
        several("corrupt-one-of-files", "--verify_only").step(Step::Poke("a.0.2", 9000)).fails(),
        several("corrupt-none-of-files", "--verify_only")
            .no_files()
            .eq("jobs/0/read/io_bytes", 1 << 20),
        several("corrupt-one-of-read-files", "--rw=randread")
            .step(Step::Poke("a.0.3", 9000))
            .fails(),
    ]);
    all
}

/// Written and read back.
pub fn verify() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        file(name, &format!("--size=256k --rw=randwrite {args}")).ios([64, 64, 0])
    };
    let mut all: Vec<Case> = CHECKSUMS
        .iter()
        .map(|(name, sum)| on(name, &format!("--verify={sum}")).no_files().makes("f"))
        .collect();
    all.extend([
        on("verify-pattern", "--verify=pattern --verify_pattern=0xdeadbeef").check(same_files),
        on("verify-pattern-alone", "--verify_pattern=0xa5").no_files(),
        on("verify-pattern-offset", "--verify=pattern --verify_pattern=%o").check(same_files),
        on("verify-pattern-text", "--verify=pattern --verify_pattern='\"abcd\"-12'")
            .check(same_files),
        on("verify-0", "--verify=0").ios([0, 64, 0]),
        on("verify-none-do-0", "--verify=crc32c --do_verify=0").ios([0, 64, 0]),
        on("verify-backlog", "--verify=crc32c --verify_backlog=8"),
        on("verify-backlog-batch", "--verify=crc32c --verify_backlog=16 --verify_backlog_batch=4"),
        on("verify-interval", "--verify=crc32c --bs=16k --verify_interval=4k").ios([16, 16, 0]),
        on("verify-offset", "--verify=crc32c --verify_offset=256"),
        on("verify-async", "--verify=crc32c --verify_async=2"),
        on("verify-async-cpus", "--verify=crc32c --verify_async=1 --verify_async_cpus=0"),
        on("verify-fatal", "--verify=crc32c --verify_fatal=1"),
        on("verify-dump", "--verify=crc32c --verify_dump=1"),
        on("verify-libaio", "--verify=crc32c --ioengine=libaio --iodepth=8 --direct=1"),
        on("verify-io-uring", "--verify=md5 --ioengine=io_uring --iodepth=8"),
        on("verify-normal", "--verify=crc32c").plain(),
        file("verify-rw", "--rw=rw --verify=crc32c").noise("f", 1 << 20).no_files(),
        file("verify-bssplit", "--rw=randwrite --bssplit=4k/50:8k/50 --verify=crc32c").no_files(),
        file(
            "verify-numjobs",
            "--size=256k --rw=write --numjobs=2 --offset_increment=256k --verify=crc32c",
        )
        .no_files(),
        file("verify-loops-in-order", "--size=64k --rw=write --loops=3 --verify=md5")
            .no_files()
            .ios([48, 48, 0]),
        file(
            "verify-experimental-loops",
            "--rw=write --loops=2 --verify=md5 --experimental_verify=1",
        ),
        // Reads of a job that could write are not held against anything. fio saves a state of no
        // writes.
        file("verify-only-reads-of-mix", "--rw=rw --rwmixread=100 --verify=md5")
            .no_files()
            .ios([256, 0, 0]),
        file("verify-only-writes-of-mix", "--rw=randrw --rwmixread=0 --verify=md5")
            .ios([256, 256, 0]),
        file("verify-loops", "--size=256k --rw=randwrite --loops=2 --verify=crc32c").no_files(),
        // The time is of writing and reading together.
        file("verify-runtime", "--size=10m --rw=write --verify=md5 --rate=1m --runtime=1")
            .timed()
            .eq("jobs/0/read/total_ios", 0),
        file("verify-time-based", "--rw=randwrite --verify=md5 --time_based --runtime=300ms")
            .timed()
            .eq("jobs/0/read/total_ios", 0),
        file("verify-backlog-ios", "--rw=write --verify=md5 --verify_backlog=16 --number_ios=100")
            .ios([52, 52, 0]),
        file("verify-number-ios", "--size=256k --rw=write --verify=md5 --number_ios=100 --loops=2")
            .ios([128, 128, 0]),
        case("verify-later", READ).before(WRITE).ios([64, 0, 0]),
        case("verify-only", &format!("{} --verify_only", READ.replace("rw=read", "rw=write")))
            .before(WRITE)
            .no_files(),
        file("verify-state-save", "--rw=write --verify=crc32c --verify_state_save=1 --size=64k")
            .no_files(),
        null("verify-on-null", "--rw=write --verify=crc32c").ios([256, 256, 0]),
        null("verify-on-null-read", "--rw=read --verify=crc32c").ios([256, 0, 0]),
        on("verify-pattern-meta", "--verify=meta --verify_pattern=0xab%o").no_files(),
        file("verify-trim-percentage", "--rw=write --verify=crc32c --trim_percentage=0"),
    ]);
    all.extend(corrupted());
    all
}

/// As many writes as trims, and as many bytes.
fn are_pairs(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let json = crate::compare::last_json(&outcome.stdout).ok_or("no JSON")?;
        for figure in ["total_ios", "io_bytes"] {
            let of = |way: &str| json.figure(&format!("jobs/0/{way}/{figure}"));
            let (writes, trims) = (of("write"), of("trim"));
            if writes.is_none() || writes != trims {
                return Err(format!("{side}: {figure}: {writes:?} written, {trims:?} trimmed"));
            }
        }
    }
    Ok(())
}

/// Zones by hand, trims.
pub fn zones_and_trim() -> Vec<Case> {
    vec![
        file(
            "zone-strided",
            "--rw=read --zonemode=strided --zonesize=64k --zonerange=64k --zoneskip=64k",
        )
        .noise("f", 1 << 20),
        file("zone-strided-write", "--rw=write --zonemode=strided --zonesize=64k --zoneskip=64k"),
        file(
            "zone-strided-random",
            "--rw=randread --zonemode=strided --zonesize=128k --zonerange=256k --zoneskip=0",
        )
        .noise("f", 1 << 20),
        // The last zone goes beyond the end of the file.
        file("zone-strided-part", "--rw=write --zonemode=strided --zonesize=96k --zonerange=288k"),
        file(
            "zone-strided-loops",
            "--rw=write --zonemode=strided --zonesize=64k --zonerange=80k --zoneskip=64k --loops=2",
        ),
        file(
            "zone-strided-whole",
            "--rw=randwrite --zonemode=strided --zonesize=64k --io_size=2m --loops=2",
        ),
        file("zone-without-mode", "--rw=read --zonesize=64k --zoneskip=64k")
            .noise("f", 1 << 20)
            .plain()
            .fails(),
        file("zone-none", "--rw=read --zonemode=none"),
        null("zone-strided-null", "--rw=read --zonemode=strided --zonesize=64k --zoneskip=64k"),
        file("zone-zbd-on-file", "--rw=write --zonemode=zbd --direct=1").fails(),
        null("zone-not-blocks", "--rw=read --zonemode=strided --zonesize=250k --zoneskip=10k")
            .ios([250, 0, 0]),
        file(
            "zone-not-blocks-write",
            "--rw=write --bs=16k --zonemode=strided --zonesize=100k --zonerange=200k",
        )
        .ios([0, 36, 0]),
        null("zone-below-block", "--rw=read --zonemode=strided --zonesize=2500 --zonerange=5000")
            .ios([209, 0, 0]),
        null("zone-not-blocks-tight", "--rw=read --zonemode=strided --zonesize=250k"),
        null("zone-not-blocks-random", "--rw=randread --zonemode=strided --zonesize=250k"),
        null("zone-longer-than-file", "--rw=read --zonemode=strided --zonesize=2m --loops=2")
            .ios([512, 0, 0]),
        null("zone-files", "--rw=read --zonemode=strided --zonesize=64k --nrfiles=5"),
        null("zone-pairs-in-order", "--rw=trimwrite --zonemode=strided --zonesize=128k"),
        null("zone-pairs", "--rw=randtrimwrite --zonemode=strided --zonesize=128k"),
        null("zone-sizes", "--rw=randtrim --bsrange=4k-64k --zonemode=strided --zonesize=256k"),
        null("zone-of-zbd-options", "--max_open_zones=4 --job_max_open_zones=2 --zonecapacity=4k")
            .ios([256, 0, 0]),
        null("trim-write-sizes", "--rw=trimwrite --bs=4k,,12k"),
        null("trim-null", "--rw=trim --bs=64k").ios([0, 0, 16]),
        null("trim-null-rand", "--rw=randtrim --bs=64k").ios([0, 0, 16]),
        null("trim-null-write", "--rw=trimwrite --bs=64k"),
        null("trim-pairs", "--rw=randtrimwrite --bsrange=512-4k --norandommap --randseed=1")
            .timed()
            .check(are_pairs),
        null("trim-pairs-deep", "--rw=randtrimwrite --bsrange=512-4k --norandommap --randseed=5")
            .timed()
            .check(are_pairs),
        null("trim-pairs-odd", "--rw=randtrimwrite --size=130k --bs=3k --norandommap")
            .ios([0, 44, 44]),
        null("trim-pairs-of-trims-size", "--rw=randtrimwrite --size=12345 --bs=4k,8k,4k")
            .ios([0, 3, 3]),
        null("trim-pairs-smallest", "--rw=randtrimwrite --bs=8k,16k,8k --loops=2")
            .ios([0, 256, 256]),
        null("trim-io-size", "--rw=trimwrite --io_size=2m").ios([0, 256, 256]),
        null("trim-io-size-passes", "--rw=randtrimwrite --io_size=5m").ios([0, 768, 768]),
        null("zone-strided-norandommap", {
            "--size=1000000 --rw=randread --zonemode=strided --zonesize=64k --zoneskip=16k \
             --norandommap"
        })
        .timed()
        .about("jobs/0/read/total_ios", 192.5, 0.01),
        null("trim-normal", "--rw=trimwrite").plain(),
        null("trim-number-ios", "--rw=trimwrite --number_ios=5").ios([0, 5, 5]),
        null("trim-verify", "--rw=trimwrite --verify=crc32c").ios([256, 256, 256]),
        null(
            "trim-percentage",
            "--rw=randtrimwrite --verify=md5 --trim_percentage=100 --trim_backlog=16",
        )
        .ios([256, 256, 512]),
        null(
            "trim-percentage-half",
            "--rw=trimwrite --verify=md5 --trim_percentage=50 --trim_backlog=16",
        ),
        null(
            "trim-percentage-unchecked",
            "--rw=trimwrite --verify=md5 --trim_percentage=100 --trim_backlog=16 --do_verify=0",
        ),
        refused(
            "trim-percentage-readonly",
            "--readonly --name=a --ioengine=null --size=1m --rw=write --verify=md5 \
             --trim_percentage=100 --trim_backlog=1",
        ),
        file("trim-on-file", "--rw=trim").noise("f", 1 << 20).free().no_files().exit(1),
        file("trim-falloc", "--ioengine=falloc --rw=randtrim --bs=64k").noise("f", 1 << 20).free(),
    ]
}

/// All logs, raw and windowed.
pub fn logs() -> Vec<Case> {
    let mut all = vec![
        null("log-lat", "--write_lat_log=x")
            .log("x_lat.1.log", 256)
            .log("x_clat.1.log", 256)
            .makes("x_slat.1.log"),
        null("log-bw", "--write_bw_log=x").log("x_bw.1.log", 256),
        null("log-iops", "--write_iops_log=x").log("x_iops.1.log", 256),
        null(
            "log-offset",
            "--write_lat_log=x --log_offset=1 \
            --rw=randwrite",
        )
        .log("x_lat.1.log", 256),
        null("log-prio", "--write_lat_log=x --log_prio=1").log("x_lat.1.log", 256),
        null("log-prio-level", "--write_lat_log=x --log_prio=1 --prio=3")
            .log("x_lat.1.log", 256)
            .check(same_priorities),
        null("log-prio-high", "--write_lat_log=x --prioclass=1")
            .log("x_lat.1.log", 256)
            .check(same_priorities),
        null("log-epoch", "--write_lat_log=x --log_unix_epoch=1").log("x_lat.1.log", 256),
        null("log-mixed", "--write_lat_log=x --rw=randrw").log("x_lat.1.log", 256),
        null("log-trim", "--write_lat_log=x --rw=trim").log("x_lat.1.log", 256),
        null("log-numjobs", "--write_bw_log=x --numjobs=2")
            .log("x_bw.1.log", 256)
            .log("x_bw.2.log", 256),
        null("log-per-job-0", "--write_bw_log=x --numjobs=2 --per_job_logs=0").some_log("x_bw.log"),
        job(
            "log-bare",
            "[a]\nioengine=null\nsize=1m\nwrite_bw_log\nwrite_iops_log\n\
            write_lat_log\n",
        )
        .log("a_bw.1.log", 256)
        .log("a_iops.1.log", 256)
        .log("a_lat.1.log", 256),
        null("log-disabled-slat", "--write_lat_log=x --disable_slat=1 --disable_lat=1"),
        null("log-in-folder", "--write_bw_log=logs/x")
            .step(Step::Folder("logs"))
            .log("logs/x_bw.1.log", 256),
        file(
            "log-depth",
            "--write_lat_log=x --ioengine=libaio --iodepth=4 --rw=randread \
            --direct=1",
        )
        .log("x_lat.1.log", 256)
        .log("x_slat.1.log", 256)
        .log("x_clat.1.log", 256),
    ];
    all.extend(windowed_logs());
    all
}

/// Logs of windows, histograms, and odd ends.
fn windowed_logs() -> Vec<Case> {
    let windows = "--name=a --ioengine=null --size=1g --rw=randrw --time_based --runtime=1 \
                   --rate_iops=500 --write_bw_log=x --write_iops_log=x --write_lat_log=x";
    let four = |case: Case| {
        ["x_bw.1.log", "x_iops.1.log", "x_lat.1.log", "x_clat.1.log"]
            .into_iter()
            .fold(case, Case::some_log)
    };
    let mut all = vec![
        four(case("log-windows", &format!("{windows} --log_avg_msec=250")).paced()),
        four(
            case(
                "log-windows-max",
                &format!(
                    "{windows} --log_avg_msec=250 \
            --log_max_value=1"
                ),
            )
            .paced(),
        ),
        four(
            case(
                "log-windows-offset",
                &format!(
                    "{windows} --log_avg_msec=500 \
            --log_offset=1"
                ),
            )
            .paced(),
        ),
        case("log-hist", &format!("{windows} --write_hist_log=x --log_hist_msec=250"))
            .paced()
            .some_log("x_clat_hist.1.log"),
        case(
            "log-hist-coarse",
            &format!(
                "{windows} --write_hist_log=x --log_hist_msec=250 \
            --log_hist_coarseness=3"
            ),
        )
        .paced()
        .some_log("x_clat_hist.1.log"),
    ];
    all.extend(odd_logs());
    all
}

/// The priorities of a log of latencies.
fn same_priorities(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let of = |side: &Outcome| {
        let log = side.text("x_lat.1.log");
        log.lines().map(|line| line.rsplit(", ").next().unwrap_or("").to_string()).collect()
    };
    let (real, ours): (Vec<String>, Vec<String>) = (of(real), of(ours));
    if real == ours { Ok(()) } else { Err(format!("priorities {real:?}, ours {ours:?}")) }
}

/// Odd ends of logs.
fn odd_logs() -> Vec<Case> {
    vec![
        job(
            "log-two-jobs",
            "[global]\nioengine=null\nsize=256k\n[a]\nwrite_bw_log=a\n[b]\n\
            write_bw_log=b\n",
        )
        .log("a_bw.1.log", 64)
        .log("b_bw.2.log", 64),
        null("log-grouped", "--write_bw_log=x --numjobs=2 --group_reporting")
            .log("x_bw.1.log", 256)
            .log("x_bw.2.log", 256),
        null("log-gtod-reduce", "--write_bw_log=x --gtod_reduce=1").free().no_files(),
        file("log-sync", "--write_lat_log=x --rw=write --size=64k --fsync=1").makes("x_lat.1.log"),
        null("log-compression", "--write_lat_log=x --log_compression=64k").makes("x_lat.1.log"),
        null(
            "log-compression-store",
            "--write_lat_log=x --log_compression=64k \
            --log_store_compressed=1",
        )
        .makes("x_lat.1.log.fz")
        .no_files(),
        null("log-alternate-epoch", "--write_bw_log=x --log_alternate_epoch=1")
            .log("x_bw.1.log", 256),
        null(
            "log-alternate-epoch-clock",
            "--write_bw_log=x --log_alternate_epoch=1 --log_alternate_epoch_clock_id=1",
        )
        .log("x_bw.1.log", 256),
        null(
            "log-bwavgtime",
            "--size=1g --time_based --runtime=600ms --bwavgtime=100 \
            --iopsavgtime=100 --rate_iops=1000",
        )
        .paced()
        .about("jobs/0/read/bw_samples", 5.0, 0.5),
    ]
}

/// Lines of an iolog by kind, without times and places.
fn iolog_shape(text: &str, name: &str) -> Vec<String> {
    text.replace(name, "FILE")
        .lines()
        .map(|line| {
            let words = line.split(' ').map(|word| {
                if word.bytes().all(|byte| byte.is_ascii_digit()) { "N" } else { word }
            });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

fn same_iolog(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let shape = |outcome: &Outcome| iolog_shape(&outcome.text("x.iolog"), "f");
    let (old, new) = (shape(real), shape(ours));
    if old == new && !old.is_empty() {
        return Ok(());
    }
    Err(crate::compare::normal::diff(&old, &new).join("\n"))
}

/// The order of the places of one file.
fn same_places(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let places = |outcome: &Outcome| -> Vec<String> {
        let text = outcome.text("x.iolog");
        let transfers = text.lines().filter_map(|line| line.split_once(" f "));
        let is_transfer = |what: &&str| what.starts_with("write ") || what.starts_with("read ");
        transfers.map(|(_, what)| what).filter(is_transfer).map(str::to_owned).collect()
    };
    let (old, new) = (places(real), places(ours));
    if old == new && !old.is_empty() {
        return Ok(());
    }
    Err(crate::compare::normal::diff(&old, &new).join("\n"))
}

/// Writing down what was done, doing it again.
pub fn replay() -> Vec<Case> {
    let v2 = "fio version 2 iolog\nf add\nf open\nf write 0 4096\nf write 8192 4096\nf read 0 \
        4096\nf close\n";
    let v3 = "fio version 3 iolog\n0 f add\n0 f open\n1 f write 0 4096\n2 f write 8192 4096\n3 f \
        read 0 4096\n4 f close\n";
    vec![
        file("iolog-write", "--size=64k --rw=write --write_iolog=x.iolog").check(same_iolog),
        file("iolog-write-mixed", "--size=64k --rw=randrw --rwmixread=0 --write_iolog=x.iolog")
            .check(same_iolog),
        file("iolog-write-fsync", "--size=32k --rw=write --fsync=2 --write_iolog=x.iolog")
            .check(same_iolog),
        file("iolog-write-verified", "--size=64k --rw=write --verify=md5 --write_iolog=x.iolog")
            .check(same_places),
        file(
            "iolog-write-backlog",
            "--size=64k --rw=write --verify=md5 --verify_backlog=4 --loops=2 --write_iolog=x.iolog",
        )
        .check(same_places),
        file("iolog-write-holes", "--size=64k --rw=write:4k --write_iolog=x.iolog")
            .check(same_places),
        file("iolog-write-backwards", "--size=64k --rw=write:-8k --write_iolog=x.iolog")
            .check(same_places),
        case("iolog-read-v2", "--name=a --ioengine=psync --read_iolog=x.iolog")
            .text("x.iolog", v2)
            .noise("f", 65_536)
            .ios([1, 2, 0]),
        case("iolog-read-v3", "--name=a --ioengine=psync --read_iolog=x.iolog")
            .text("x.iolog", v3)
            .noise("f", 65_536)
            .free()
            .no_files(),
        case("iolog-own", "--name=a --ioengine=psync --read_iolog=x.iolog --filename=f")
            .before(
                "--output=w.out --name=a --filename=f --size=64k --rw=write --write_iolog=x.iolog",
            )
            .ios([0, 16, 0]),
        case(
            "iolog-no-stall",
            "--name=a --ioengine=psync --read_iolog=x.iolog --replay_no_stall=1",
        )
        .text("x.iolog", v2)
        .noise("f", 65_536)
        .ios([1, 2, 0]),
        case(
            "iolog-redirect",
            "--name=a --ioengine=psync --read_iolog=x.iolog --replay_redirect=g",
        )
        .text("x.iolog", v2)
        .noise("f", 65_536)
        .noise("g", 65_536)
        .free(),
        case("iolog-depth", "--name=a --ioengine=libaio --iodepth=4 --read_iolog=x.iolog")
            .text("x.iolog", v2)
            .noise("f", 65_536)
            .ios([1, 2, 0]),
        // Test t0038 of newer versions: trims of 2 GiB need no buffers.
        case("iolog-large-trims", "--name=a --ioengine=null --iodepth=128 --read_iolog=x.iolog")
            .text(
                "x.iolog",
                "fio version 3 iolog\n0 /dev/null add\n1 /dev/null open\n\
                 2 /dev/null trim 0 2147483648\n3 /dev/null write 0 4096\n\
                 4 /dev/null trim 4096 2147483648\n5 /dev/null write 4096 4096\n\
                 6 /dev/null close\n",
            )
            .ios([0, 2, 2])
            .added(),
        case("iolog-skip", "--name=a --ioengine=psync --read_iolog=x.iolog --replay_skip=write")
            .text("x.iolog", v2)
            .noise("f", 65_536)
            .free(),
        case("iolog-scale", "--name=a --ioengine=psync --read_iolog=x.iolog --replay_scale=2")
            .text("x.iolog", v2)
            .noise("f", 65_536)
            .free(),
        case("iolog-not-there", "--name=a --ioengine=psync --read_iolog=none.iolog")
            .plain()
            .fails(),
        case("iolog-bad", "--name=a --ioengine=psync --read_iolog=x.iolog")
            .text("x.iolog", "nothing of the kind\n")
            .plain()
            .fails(),
    ]
}
