//! Command lines, job files, units.

use crate::compare::last_json;
use crate::harness::case::{Case, case, file, job, null};
use crate::harness::run::Outcome;

const A: &str = "[a]\nioengine=null\nsize=1m\nrw=write\n";
const TWO: &str = "[a]\nioengine=null\nsize=1m\nrw=write\n[b]\nioengine=null\nsize=2m\nrw=read\n";

/// The first words of lines: names of options or engines.
fn first_words(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

/// Ours must name all that fio names.
fn names_all(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let named = first_words(&ours.stdout);
    let missing: Vec<&str> = first_words(&real.stdout)
        .into_iter()
        .filter(|word| {
            let option = word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'-');
            option && !named.contains(word)
        })
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("does not name {missing:?}")) }
}

fn says_something(_: &Outcome, ours: &Outcome) -> Result<(), String> {
    if ours.stdout.trim().is_empty() { Err("stdout is empty".into()) } else { Ok(()) }
}

fn names_engines(_: &Outcome, ours: &Outcome) -> Result<(), String> {
    let named = first_words(&ours.stdout);
    let needed = ["io_uring", "libaio", "sync", "psync", "pvsync2", "mmap", "null"];
    let missing: Vec<_> = needed.iter().filter(|name| !named.contains(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("does not list {missing:?}")) }
}

fn is_version(_: &Outcome, ours: &Outcome) -> Result<(), String> {
    let text = ours.stdout.trim_end();
    let number = text.strip_prefix("fio-").and_then(|rest| rest.parse::<f64>().ok());
    match number {
        Some(number) if number >= 3.33 && ours.stdout.lines().count() == 1 => Ok(()),
        _ => Err(format!("'{text}' is not fio-3.NN")),
    }
}

fn shown_again(_: &Outcome, ours: &Outcome) -> Result<(), String> {
    let json = last_json(&ours.stdout).ok_or("no JSON")?;
    let found = json.get("jobs").and_then(|jobs| jobs.get("0")?.get("job options"));
    match found.map(|options| options.members().len()) {
        Some(count) if count > 0 => Ok(()),
        _ => Err("no job options".into()),
    }
}

/// Ways to write a command line.
pub fn command_line() -> Vec<Case> {
    let mut all = vec![
        null("cli-plain", "--rw=read").ios([256, 0, 0]).check(shown_again),
        case("cli-single-dash", "-name=a -ioengine=null -size=1m -rw=randread -bs=4k")
            .ios([256, 0, 0]),
        case("cli-space-values", "--name a --ioengine null --size 1m --rw write").ios([0, 256, 0]),
        case("cli-single-dash-space", "-name a -ioengine null -size 1m -rw write").ios([0, 256, 0]),
        case("cli-prefix", "--nam=a --ioengine=null --size=1m --rw=read --time_bas --runtime=50ms")
            .timed(),
        case("cli-globals", "--ioengine=null --size=1m --bs=8k --name=a --rw=read")
            .ios([128, 0, 0]),
        case("cli-name-twice", "--ioengine=null --size=1m --name=a --rw=read --name=b --rw=write")
            .ios([256, 256, 0]),
        case(
            "cli-name-global",
            "--name=global --ioengine=null --size=1m --name=a --name=global --bs=8k --name=b",
        ),
        case("cli-options-after-file", "t.fio --output-format=json").plain().text("t.fio", A),
        case("cli-options-before-file", "--output-format=json t.fio").plain().text("t.fio", A),
        case("cli-job-options-and-file", "--bs=8k t.fio").text("t.fio", A),
        case("cli-job-options-after-file", "t.fio --bs=8k").text("t.fio", A),
        case("cli-file-wins", "--rw=randread t.fio").text("t.fio", A).ios([0, 256, 0]),
        case("cli-runtime-space-file", "--runtime 30 t.fio").text("t.fio", A),
        case("cli-two-files", "t.fio u.fio")
            .text("t.fio", A)
            .text("u.fio", "[b]\nioengine=null\nsize=2m\n")
            .ios([512, 256, 0]),
        case("cli-file-and-name", "t.fio --name=z --ioengine=null --size=1m").text("t.fio", A),
        case("cli-stdin", "-").stdin(A).ios([0, 256, 0]),
        case("cli-stdin-and-options", "- --bs=8k").stdin("[a]\nioengine=null\nsize=1m\n"),
        case("cli-section", "t.fio --section=b").text("t.fio", TWO).ios([512, 0, 0]),
        case("cli-section-twice", "t.fio --section=b --section=a").text("t.fio", TWO),
        case("cli-section-none", "t.fio --section=x").text("t.fio", TWO).plain().exit(1).free(),
        case("cli-filename-accumulates", "--name=a --filename=f --filename=g --size=1m --rw=write")
            .leaves("f", 524_288)
            .leaves("g", 524_288),
    ];
    all.extend(switches());
    all
}

/// Switches of the whole run, and options with more than one name.
fn switches() -> Vec<Case> {
    vec![
        case("cli-parse-only", "--parse-only --name=a --rw=read --size=1m").plain().absent("a.0.0"),
        case("cli-parse-only-nothing", "--parse-only").plain(),
        case("cli-parse-only-file", "--parse-only t.fio").plain().text("t.fio", A),
        case("cli-showcmd", "--showcmd t.fio").plain().text("t.fio", A),
        case("cli-showcmd-two", "--showcmd t.fio").plain().text(
            "t.fio",
            "[global]\nbs=4k\ndirect=1\n[a]\nrw=randread\nsize=1m\n[b]\nrw=write\nsize=2m\n",
        ),
        case("cli-readonly-read", "--readonly --name=a --filename=f --size=1m --rw=read")
            .noise("f", 1 << 20)
            .ios([256, 0, 0]),
        case("cli-readonly-null", "--readonly --name=a --ioengine=null --size=1m --rw=read"),
        case("cli-version", "--version").plain().free().check(is_version),
        case("cli-version-short", "-v").plain().free().check(is_version),
        case("cli-help", "--help").plain().free().check(says_something),
        case("cli-help-short", "-h").plain().free().check(says_something),
        case("cli-cmdhelp-all", "--cmdhelp=all").plain().free().check(names_all),
        case("cli-cmdhelp-one", "--cmdhelp=rw").plain().free().check(says_something),
        case("cli-cmdhelp-bs", "--cmdhelp=bs").plain().free().check(says_something),
        case("cli-enghelp", "--enghelp").plain().free().check(names_engines),
        case("cli-enghelp-one", "--enghelp=libaio").plain().free().check(says_something),
        case("cli-enghelp-option", "--enghelp=io_uring,hipri").plain().free().check(says_something),
        case("cli-max-jobs", "--max-jobs=4 --name=a --ioengine=null --size=1m --numjobs=2"),
        case("cli-max-jobs-less", "--max-jobs=1 --name=a --ioengine=null --size=1m --numjobs=9"),
        null("cli-decimals", "--rw=randread --rwmixread=70.0 --iodepth=1.0").ios([256, 0, 0]),
        case("cli-alloc-size", "--alloc-size=65536 --name=a --ioengine=null --size=1m"),
        case("cli-warnings-fatal", "--warnings-fatal --name=a --ioengine=null --size=1m"),
        case("cli-aux-path", "--aux-path={dir} --name=a --ioengine=null --size=1m"),
        case(
            "cli-engine-option",
            "--name=a --filename=f --size=1m --ioengine=io_uring --fixedbufs",
        ),
        case("cli-eta-odd", "--eta=nosuch --name=a --ioengine=null --size=1m"),
        case("cli-quoted", "--name='two words' --ioengine=null --size=1m --description='a b'"),
        case(
            "cli-bare-flag-one",
            "--name=a --ioengine=null --size=1m --norandommap=1 --rw=randread",
        ),
        case("cli-bare-flag", "--name=a --ioengine=null --size=1m --norandommap --rw=randread"),
        case("cli-device-number-in-name", "--name=job-1.x --ioengine=null --size=1m"),
        case("cli-readwrite-alias", "--name=a --ioengine=null --size=1m --readwrite=randread"),
        case("cli-blocksize-alias", "--name=a --ioengine=null --size=1m --blocksize=8k")
            .ios([128, 0, 0]),
        case("cli-timeout-alias", "--name=a --ioengine=null --size=1m --timeout=2"),
        case("cli-iolimit-alias", "--name=a --ioengine=null --size=1m --io_limit=512k")
            .ios([128, 0, 0]),
    ]
}

/// The grammar of job files.
pub fn job_files() -> Vec<Case> {
    let mut all = vec![
        job("job-plain", A).ios([0, 256, 0]),
        job("job-two", TWO).ios([512, 256, 0]),
        job("job-globals", "[global]\nioengine=null\nsize=1m\n[a]\nrw=read\n[b]\nrw=write\n")
            .ios([256, 256, 0]),
        job("job-two-globals", "[global]\nioengine=null\nsize=1m\n[a]\n[global]\nbs=8k\n[b]\n")
            .ios([384, 0, 0]),
        job("job-global-x", "[global-x]\nioengine=null\nsize=1m\n[a]\n").ios([256, 0, 0]),
        job(
            "job-comments",
            "; one\n# two\n[a] \nioengine=null ; three\nsize=1m # four\n\n\n;size=2m\n",
        )
        .ios([256, 0, 0]),
        job("job-indented", "    [a]\n    ioengine=null\n\tsize=1m\n").ios([256, 0, 0]),
        job("job-spaces-around", "[a]\nioengine=null\nsize = 1048576\nbs =4096\n").ios([256, 0, 0]),
        job("job-carriage-free-end", "[a]\nioengine=null\nsize=1m").ios([256, 0, 0]),
        job(
            "job-bare-flags",
            "[a]\nioengine=null\nsize=1m\ngroup_reporting\nthread\n\
            norandommap\n",
        ),
        job("job-flag-values", "[a]\nioengine=null\nsize=1m\nthread=0\ngroup_reporting=1\n"),
        job("job-repeated-section", "[a]\nioengine=null\nsize=1m\n[a]\nioengine=null\nsize=2m\n")
            .ios([768, 0, 0]),
        job("job-repeated-option", "[a]\nioengine=null\nsize=1m\nsize=2m\n").ios([512, 0, 0]),
        job("job-name-option", "[a]\nname=other\nioengine=null\nsize=1m\n"),
        job("job-section-with-blank", "[a job]\nioengine=null\nsize=1m\n"),
    ];
    all.extend(job_files_in_parts());
    all
}

/// What a job file takes from elsewhere: other files, the environment, sums.
fn job_files_in_parts() -> Vec<Case> {
    let mut all = vec![
        job("job-include", "[a]\ninclude rest.inc\nsize=1m\n")
            .text("rest.inc", "ioengine=null\nbs=8k\n")
            .ios([128, 0, 0]),
        job("job-include-global", "[global]\ninclude rest.inc\n[a]\nsize=1m\n")
            .text("rest.inc", "ioengine=null\nbs=8k\n")
            .ios([128, 0, 0]),
        case("job-include-below", "sub/t.fio")
            .text("sub/t.fio", "[a]\ninclude rest.inc\nsize=1m\n")
            .text("sub/rest.inc", "ioengine=null\nbs=8k\n")
            .ios([128, 0, 0]),
        job("job-include-nested", "[a]\ninclude one.inc\nsize=1m\n")
            .text("one.inc", "ioengine=null\ninclude two.inc\n")
            .text("two.inc", "bs=8k\n")
            .ios([128, 0, 0]),
        job("job-env", "[a]\nioengine=${ENGINE}\nsize=${N}m\nrw=rand${WAY}\n")
            .env("ENGINE", "null")
            .env("N", "2")
            .env("WAY", "write")
            .ios([0, 512, 0]),
        case(
            "job-env-command-line",
            "--name=a --ioengine=null \
            --size='${N}m'",
        )
        .env("N", "2")
        .fails(),
        job("job-keyword-pagesize", "[a]\nioengine=null\nsize=1m\nbs=$pagesize\n").ios([256, 0, 0]),
        job("job-keyword-ncpus", "[a]\nioengine=null\nsize=1m\nnumjobs=$ncpus\n"),
        job("job-keyword-sum", "[a]\nioengine=null\nsize=1m\nbs=$pagesize*2\n").ios([128, 0, 0]),
        job("job-trailing-garbage", "[a]\nioengine=null\nsize=1m\nbs=4k*2\n").free(),
        job("job-colon-filename", "[a]\nfilename=f:g\nsize=1m\nrw=write\n")
            .leaves("f", 524_288)
            .leaves("g", 524_288),
        job("job-escaped-colon", "[a]\nfilename=f\\:g\nsize=1m\nrw=write\n").leaves("f:g", 1 << 20),
    ];
    all.extend(job_files_of_clients());
    all
}

/// Job files as programs write them, and sections that part groups.
fn job_files_of_clients() -> Vec<Case> {
    vec![
        job(
            "job-configparser",
            "[FIOJOB]\nfilename=f\nioengine=libaio\nrw=randread\nsize=1m\n\
            bs=4k\niodepth=1\nnumjobs=1\nloops=1\ndirect=1\ninvalidate=1\n\n",
        )
        .ios([256, 0, 0]),
        job(
            "job-kubestr",
            "[global]\nrandrepeat=0\nverify=0\nioengine=libaio\ndirect=1\n\
            gtod_reduce=1\n[job1]\nname=read_iops\nbs=4K\niodepth=64\nsize=1M\n\
            readwrite=randread\n[job2]\nname=write_iops\nbs=4K\niodepth=64\nsize=1M\n\
            readwrite=randwrite\n",
        ),
        case("job-kubestr-command", "--directory {dir} t.fio --output-format=json")
            .plain()
            .text("t.fio", "[a]\nsize=1m\nrw=write\n")
            .leaves("a.0.0", 1 << 20),
        job("job-description", "[a]\ndescription=one two three\nioengine=null\nsize=1m\n"),
        job("job-upper-units", "[a]\nioengine=null\nsize=1M\nbs=4K\n").ios([256, 0, 0]),
        job(
            "job-global-after-job",
            "[a]\nioengine=null\nsize=1m\n[global]\nioengine=null\n\
            size=2m\n[b]\n",
        )
        .ios([768, 0, 0]),
        job(
            "job-stonewall-section",
            "[a]\nioengine=null\nsize=1m\n[b]\nstonewall\nioengine=null\n\
            size=1m\n",
        )
        .eq("jobs/1/groupid", 1),
        job(
            "job-wait-for-previous",
            "[a]\nioengine=null\nsize=1m\n[b]\nwait_for_previous\n\
            ioengine=null\nsize=1m\n",
        )
        .eq("jobs/1/groupid", 1),
        job(
            "job-new-group",
            "[a]\nioengine=null\nsize=1m\ngroup_reporting\n[b]\nnew_group\n\
            group_reporting\nioengine=null\nsize=1m\n",
        )
        .eq("jobs/1/groupid", 1),
    ]
}

/// How sizes and times are written.
pub fn units() -> Vec<Case> {
    let size = |name: &'static str, text: &str, bytes: u64| {
        case(name, &format!("--name=a --ioengine=null --bs=512 --size={text}")).bytes([bytes, 0, 0])
    };
    let mut all = vec![
        size("unit-bytes", "8192", 8192),
        size("unit-hex", "0x2000", 8192),
        size("unit-b", "8192b", 8192),
        size("unit-k", "8k", 8192),
        size("unit-kb", "8kb", 8192),
        size("unit-upper-kb", "8KB", 8192),
        size("unit-kib", "64KiB", 64_000),
        size("unit-ki", "8Ki", 8192).free().no_files(),
        size("unit-m", "1m", 1 << 20),
        size("unit-mb", "1MB", 1 << 20),
        size("unit-mib", "4MiB", 4_000_000 / 512 * 512),
        case("unit-kb-base", "--name=a --ioengine=null --kb_base=1000 --bs=500 --size=8k")
            .bytes([8000, 0, 0]),
        case("unit-kb-base-kib", "--name=a --ioengine=null --kb_base=1000 --bs=512 --size=8KiB")
            .bytes([8192, 0, 0]),
        file("unit-size-percent", "--size=50% --rw=read").noise("f", 1 << 20).bytes([
            1 << 19,
            0,
            0,
        ]),
        file("unit-offset-percent", "--size=100% --offset=50% --rw=read")
            .noise("f", 1 << 20)
            .bytes([1 << 19, 0, 0]),
        case("unit-offset-percent-new", "--name=a --size=1m --offset=10% --rw=write").bytes([
            0,
            1 << 20,
            0,
        ]),
        case("unit-offset-percent-next", "--name=a --size=1m --numjobs=2 --offset_increment=25%")
            .bytes([1 << 21, 0, 0]),
        case("unit-offset-percent-filesize", "--name=a --size=1m --filesize=1m --offset=10%")
            .bytes([1 << 20, 0, 0]),
        null("unit-offset-percent-null", "--offset=10%"),
        null("unit-io-size-percent", "--io_size=50%").bytes([1 << 19, 0, 0]),
    ];
    all.extend(times_and_ranges());
    all
}

/// Times and ranges.
fn times_and_ranges() -> Vec<Case> {
    vec![
        null("unit-time-ms", "--time_based --runtime=200ms").timed().about(
            "jobs/0/read/runtime",
            200.0,
            0.2,
        ),
        null("unit-time-us", "--time_based --runtime=200000us").timed().about(
            "jobs/0/read/runtime",
            200.0,
            0.2,
        ),
        null("unit-time-s", "--time_based --runtime=1s").timed().about(
            "jobs/0/read/runtime",
            1000.0,
            0.1,
        ),
        null("unit-time-bare", "--time_based --runtime=1").timed().about(
            "jobs/0/read/runtime",
            1000.0,
            0.1,
        ),
        null("unit-time-upper", "--time_based --runtime=200MS").timed().about(
            "jobs/0/read/runtime",
            200.0,
            0.2,
        ),
        null("unit-time-minutes", "--runtime=1m").ios([256, 0, 0]),
        null("unit-time-days", "--runtime=1d").ios([256, 0, 0]),
        null("unit-thinktime-bare", "--thinktime=1000 --number_ios=100").paced().about(
            "jobs/0/read/runtime",
            110.0,
            0.4,
        ),
        null("unit-thinktime-ms", "--thinktime=1ms --number_ios=100").paced().about(
            "jobs/0/read/runtime",
            110.0,
            0.4,
        ),
        null("unit-range-dash", "--rw=randread --bsrange=4k-16k"),
        null("unit-range-colon", "--rw=randread --bsrange=4k:16k"),
        null("unit-range-reversed", "--rw=randread --bsrange=16k-4k"),
    ]
}
