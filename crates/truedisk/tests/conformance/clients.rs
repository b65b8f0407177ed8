//! Programs that call fio: their commands (made short), and what they read of the answer.

mod kubestr;
mod suites;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::harness::case::{Case, case};
use crate::harness::run::{Outcome, Side, path_of, program, run_command};
use crate::harness::{Group, Verdict, both, folder, gate, say, wanted};

/// A client: runs on one side in a folder, and reads as the program does.
type Client = fn(Side, &Path) -> Result<(), String>;

const CLIENTS: &[(&str, Client)] = &[
    ("yabs", yabs),
    ("bench-fio", bench_fio),
    ("kubestr", kubestr::kubestr),
    ("dbench", dbench),
    ("etcd", etcd),
    ("clat2csv", clat2csv),
    ("fiologparser", fiologparser),
    ("fiologparser-hist", fiologparser_hist),
    ("histo-log-pctiles", histo_log_pctiles),
    ("fio2gnuplot", fio2gnuplot),
    ("generate-plots", generate_plots),
    ("verify-state", verify_state),
    ("kdiskmark", suites::kdiskmark),
    ("tkperf", suites::tkperf),
    ("kbench", suites::kbench),
    ("kernel-tests", suites::kernel_tests),
    ("phoronix", suites::phoronix),
    ("ezfio", suites::ezfio),
    ("cbt", suites::cbt),
    ("exporters", suites::exporters),
    ("pbench", suites::pbench),
    ("cdm", suites::cdm),
];

/// Commands that vendors publish; size, time and target made small.
fn published() -> Vec<Case> {
    let azure = |rest: &str| {
        let writer = |n: u32| format!("[writer{n}]\nrw=randwrite\ndirectory={{dir}}\n{rest}");
        let jobs: String = (1..=4).map(writer).collect();
        format!("[global]\nsize=1m\ndirect=1\niodepth=256\nioengine=libaio\nbs=8k\n{jobs}")
    };
    let gce = "--filesize=8M --time_based --ramp_time=100ms --runtime=300ms --ioengine=libaio \
               --direct=1 --verify=0 --randrepeat=0";
    let short = |name, args: &str| case(name, args).plain().timed().no_files();
    vec![
        short(
            "client-aws-ebs",
            "--directory={dir} --ioengine=psync --name fio_test_file \
            --direct=1 --rw=randwrite --bs=16k --size=1M --numjobs=16 --time_based \
            --runtime=300ms --group_reporting --norandommap",
        ),
        short(
            "client-aws-initialize",
            "--filename=f --rw=read --bs=128k --iodepth=32 \
            --ioengine=libaio --direct=1 --name=volume-initialize",
        )
        .noise("f", 4 << 20),
        short(
            "client-gce-bandwidth",
            &format!(
                "--name=write_bandwidth_test --filename=f {gce} \
            --bs=1M --iodepth=64 --iodepth_batch_submit=64 --iodepth_batch_complete_max=64 \
            --rw=write --numjobs=2 --offset_increment=4M"
            ),
        )
        .noise("f", 12 << 20),
        short(
            "client-gce-iops",
            &format!(
                "--name=write_iops_test --filename=f {gce} --bs=4K \
            --iodepth=256 --rw=randwrite --iodepth_batch_submit=256 \
            --iodepth_batch_complete_max=256"
            ),
        ),
        short(
            "client-gce-latency",
            &format!(
                "--name=write_latency_test --filename=f {gce} \
            --bs=4K --iodepth=4 --rw=randwrite --iodepth_batch_submit=4 \
            --iodepth_batch_complete_max=4"
            ),
        ),
        short("client-azure", "--runtime 30 fiowrite.ini").text("fiowrite.ini", &azure("")),
        short("client-azure-rate", "--runtime 1 fiowrite.ini")
            .text("fiowrite.ini", &azure("rate_iops=12500\n")),
        short(
            "client-oci",
            "--filename=f --direct=1 --rw=randread --bs=4k --ioengine=libaio \
            --iodepth=256 --runtime=1 --numjobs=4 --time_based --group_reporting \
            --name=iops-test-job --eta-newline=1 --readonly",
        )
        .noise("f", 4 << 20),
        short(
            "client-alibaba",
            "-direct=1 -iodepth=128 -rw=randwrite -ioengine=libaio -bs=4k \
            -size=1M -numjobs=1 -runtime=1000 -group_reporting -filename=iotest \
            -name=Rand_Write_Testing",
        ),
    ]
}

/// Names of all clients.
pub fn names() -> Vec<&'static str> {
    let published = published();
    let cases = published.iter().filter_map(|case| case.name.strip_prefix("client-"));
    CLIENTS.iter().map(|(name, _)| *name).chain(cases).collect()
}

/// One client by name, on both sides.
///
/// # Errors
/// It could not be run at all.
pub fn one(name: &str) -> Result<Verdict, String> {
    let full = format!("client-{name}");
    if let Some(case) = published().into_iter().find(|case| case.name == full) {
        return both(&case, wanted().is_some());
    }
    let found = CLIENTS.iter().find(|(client, _)| *client == name);
    let (_, client) = found.ok_or_else(|| format!("no client '{name}'"))?;
    let root = folder()?;
    let _pass = gate::enter(gate::Company::Any);
    for (side, label) in [(Side::Real, "real"), (Side::Ours, "ours")] {
        let dir = root.path().join(label).join("d");
        std::fs::create_dir_all(&dir).map_err(|error| error.to_string())?;
        match client(side, &dir) {
            Err(reason) if reason.starts_with("skipped: ") => {
                say(&format!("skipped: {full}: {}", reason.trim_start_matches("skipped: ")));
                return Ok(Verdict::Same);
            }
            Err(reason) => return Ok(Verdict::Differs(vec![format!("{label}: {reason}")])),
            Ok(()) => {}
        }
    }
    Ok(Verdict::Same)
}

#[test]
fn clients_read_what_they_need() {
    if wanted().is_some() {
        return;
    }
    Group::of(&names(), |name| format!("client-{name}"), |name| one(name));
}

/// Runs a script in which `fio` is the side's program, as in a user's PATH.
fn script(side: Side, dir: &Path, shell: &str, text: &str) -> Result<Outcome, String> {
    let base = dir.parent().unwrap_or(dir);
    let bin = base.join("bin");
    std::fs::create_dir_all(&bin).map_err(|error| error.to_string())?;
    let shim = bin.join("fio");
    let body = format!("#!/bin/sh\nexec {} \"$@\"\n", program(side)?.join(" "));
    std::fs::write(&shim, body).map_err(|error| error.to_string())?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&shim, mode).map_err(|error| error.to_string())?;
    let path = format!("{}:{}", path_of(&bin), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(shell);
    command.arg("-c").arg(text).env("PATH", path);
    let outcome = run_command(command, dir, None)?;
    if wanted().is_some() {
        say(&format!("===== status {}\n{}", outcome.status, outcome.words()));
    }
    Ok(outcome)
}

/// As `script`, which must end with 0.
fn good(side: Side, dir: &Path, shell: &str, text: &str) -> Result<Outcome, String> {
    let outcome = script(side, dir, shell, text)?;
    match outcome.status {
        0 => Ok(outcome),
        status => {
            let words = outcome.words();
            let tail: Vec<&str> = words.lines().rev().take(8).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            Err(format!("status {status} of the script:\n{}", tail.join("\n")))
        }
    }
}

/// Whether a program or a module of Python is here.
fn needs(dir: &Path, test: &str, what: &str) -> Result<(), String> {
    match good(Side::Real, dir, "sh", test) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("skipped: no {what}")),
    }
}

/// Terse, fields by number, compared as integers by the shell.
fn yabs(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
COMMON="--ioengine=libaio --iodepth=64 --numjobs=2 --size=8M --gtod_reduce=1 --direct=1"
fio --name=setup --rw=read --bs=64k --runtime=1 $COMMON --filename="$PWD/test.fio" --minimal \
  &> /dev/null
for BS in 4k 64k 1m; do
  LINE=$(timeout 35 fio --name=rand_rw_$BS --rw=randrw --rwmixread=50 --bs=$BS $COMMON \
    --runtime=30 --filename="$PWD/test.fio" --group_reporting --minimal 2>/dev/null \
    | grep rand_rw_$BS)
  for FIELD in 7 8 48 49; do
    RAW=$(echo $LINE | awk -F';' "{print \$$FIELD}")
    [ "$RAW" -ge 1 ] || { echo "$BS: field $FIELD is '$RAW'"; exit 3; }
  done
done"#;
    good(side, dir, "bash", text).map(|_| ())
}

/// Options of a job with those of all before it.
fn options(json: &Value) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let global = json.get("global options").and_then(Value::as_object);
    let job = json.pointer("/jobs/0/job options").and_then(Value::as_object);
    for (key, value) in global.into_iter().chain(job).flatten() {
        all.insert(key.clone(), value.as_str().unwrap_or("NOT A TEXT").to_string());
    }
    all
}

const BENCH: &str = "[FIOJOB]
filename=f
ioengine=libaio
rw=randread
size=4M
bs=4k
iodepth=4
numjobs=2
runtime=1
loops=1
time_based=1
direct=1
invalidate=1
log_avg_msec=250
write_bw_log=randread-iodepth-4-numjobs-2
write_lat_log=randread-iodepth-4-numjobs-2
write_iops_log=randread-iodepth-4-numjobs-2
";

/// Any byte on stderr is a failure; options must name what was run; logs by name.
fn bench_fio(side: Side, dir: &Path) -> Result<(), String> {
    std::fs::write(dir.join("tmpjobfile.fio"), BENCH).map_err(|error| error.to_string())?;
    let version = good(side, dir, "sh", "fio --version")?;
    if !version.stdout.contains("fio-3") {
        return Err(format!("--version: '{}'", version.stdout));
    }
    let text = "fio --output-format=json --output=r.json tmpjobfile.fio";
    let outcome = good(side, dir, "sh", text)?;
    if !outcome.stderr.is_empty() {
        return Err(format!("stderr: {}", outcome.stderr));
    }
    let text = outcome.text("r.json");
    let json: Value = serde_json::from_str(&text).map_err(|error| format!("r.json: {error}"))?;
    let known = ["fio version", "global options", "client_stats", "jobs"];
    if known.iter().filter(|key| json.get(**key).is_some()).count() < 2 {
        return Err("r.json is none of fio's".into());
    }
    let options = options(&json);
    for (key, value) in [("rw", "randread"), ("iodepth", "4"), ("numjobs", "2"), ("bs", "4k")] {
        if options.get(key).map(String::as_str) != Some(value) {
            return Err(format!("option {key} is {:?} instead of {value}", options.get(key)));
        }
    }
    for path in [
        "read/bw",
        "read/iops",
        "read/iops_stddev",
        "read/lat_ns/mean",
        "read/lat_ns/stddev",
        "write/bw",
        "latency_ms/2",
        "latency_us/2",
        "latency_ns/2",
        "usr_cpu",
        "sys_cpu",
    ] {
        if !json.pointer(&format!("/jobs/0/{path}")).is_some_and(Value::is_number) {
            return Err(format!("jobs[0].{path} is missing"));
        }
    }
    for kind in ["bw", "iops", "lat", "slat", "clat"] {
        for job in [1, 2] {
            plotted(&outcome, &format!("randread-iodepth-4-numjobs-2_{kind}.{job}.log"))?;
        }
    }
    Ok(())
}

/// Times, values, directions, block sizes, offsets: whole numbers all.
fn plotted(outcome: &Outcome, name: &str) -> Result<(), String> {
    let text = outcome.text(name);
    for line in text.lines() {
        let columns: Vec<&str> = line.split(',').map(str::trim).collect();
        let whole = columns.iter().take(5).all(|column| column.parse::<u64>().is_ok());
        if columns.len() < 5 || !whole || columns.get(2).is_none_or(|way| *way > "1") {
            return Err(format!("{name}: '{line}'"));
        }
    }
    if text.is_empty() { Err(format!("{name} is empty or missing")) } else { Ok(()) }
}

/// Human text through grep and cut; a miss ends the script.
fn dbench(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"set -e
COMMON="--randrepeat=0 --verify=0 --ioengine=libaio --direct=1 --filename=$PWD/fiotest \
    --time_based --ramp_time=100ms --runtime=500ms"
READ_IOPS=$(fio $COMMON --gtod_reduce=1 --name=read_iops --bs=4K --iodepth=64 --size=4M \
  --readwrite=randread)
echo "$READ_IOPS" | grep -E 'read ?:' | grep -Eoi 'IOPS=[0-9k.]+' | cut -d'=' -f2 | grep -E '^[0-9]'
WRITE_BW=$(fio $COMMON --gtod_reduce=1 --name=write_bw --bs=128K --iodepth=64 --size=4M \
  --readwrite=randwrite)
echo "$WRITE_BW" | grep -E 'write:' | grep -Eoi 'BW=[0-9GMKiBs/.]+' | cut -d'=' -f2 | grep -E '/s$'
READ_LATENCY=$(fio $COMMON --name=read_latency --bs=4K --iodepth=4 --size=4M --readwrite=randread)
echo "$READ_LATENCY" | grep ' lat.*avg' \
  | grep -Eoi 'avg=[0-9.]+' | cut -d'=' -f2 | grep -E '^[0-9.]+$'
READ_SEQ=$(fio $COMMON --name=read_seq --bs=1M --iodepth=16 --size=4M --readwrite=read \
  --thread --numjobs=4 --offset_increment=1M)
echo "$READ_SEQ" | grep -E 'READ:' \
  | grep -Eoi '(aggrb|bw)=[0-9GMKiBs/.]+' | cut -d'=' -f2 | grep -E '/s$'
RW_MIX=$(fio $COMMON --name=rw_mix --bs=4k --iodepth=64 --size=4M --readwrite=randrw --rwmixread=75)
echo "$RW_MIX" | grep -E 'read ?:' | grep -Eoi 'IOPS=[0-9k.]+' | cut -d'=' -f2 | grep -E '^[0-9]'
echo "$RW_MIX" | grep -E 'write:' | grep -Eoi 'IOPS=[0-9k.]+' | cut -d'=' -f2 | grep -E '^[0-9]'
"#;
    let outcome = good(side, dir, "sh", text)?;
    match outcome.stdout.lines().count() {
        6 => Ok(()),
        count => Err(format!("{count} values instead of 6:\n{}", outcome.stdout)),
    }
}

/// The 99th percentile of fdatasync, out of the text and out of json+.
fn etcd(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "command -v jq", "jq")?;
    let text = r#"set -e
mkdir -p test-data
RUN="--rw=write --ioengine=sync --fdatasync=1 --directory=test-data --size=200k --bs=2300 \
    --name=mytest"
fio $RUN > human
sed -n '/fsync\/fdatasync\/sync_file_range/,/cpu /p' human > part
grep -qE '^    sync \((nsec|usec|msec)\): min=' part
grep -q 'sync percentiles' part
grep -Eo '99.00th=\[ *[0-9]+\]' part | grep -Eo '[0-9]+\]' | tr -d ']'
fio $RUN --output-format=json+ | jq '.jobs[].sync.lat_ns.percentile."99.000000"'
"#;
    let outcome = good(side, dir, "sh", text)?;
    let values: Vec<u64> =
        outcome.stdout.lines().filter_map(|line| line.trim().parse().ok()).collect();
    match values.as_slice() {
        [human, json] if *human > 0 && *json > 1000 => Ok(()),
        _ => Err(format!("percentiles: {}", outcome.stdout)),
    }
}

/// json+ into tables: a file per job with the same columns.
fn clat2csv(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "command -v fio_jsonplus_clat2csv", "fio_jsonplus_clat2csv")?;
    let text = r"set -e
fio --output=r.json --output-format=json+ --ioengine=null --size=4M \
  --slat_percentiles=1 --clat_percentiles=1 --lat_percentiles=1 --name=test1 --rw=randrw \
  --name=test2 --rw=read --name=test3 --rw=write
fio_jsonplus_clat2csv r.json r.csv
fio_jsonplus_clat2csv --validate r.json r.csv";
    let outcome = good(side, dir, "sh", text)?;
    for job in 0..3 {
        let name = format!("r_job{job}.csv");
        let table = outcome.text(&name);
        let width = |line: &str| line.matches(',').count();
        let widths: std::collections::BTreeSet<usize> = table.lines().map(width).collect();
        if table.lines().count() < 4 || widths.len() != 1 {
            return Err(format!("{name}: {} lines, widths {widths:?}", table.lines().count()));
        }
    }
    Ok(())
}

const LOGGED: &str = "fio --output=r.out --name=a --ioengine=null --size=1g --rw=randrw \
    --time_based \
    --runtime=1 --rate_iops=500 --write_bw_log=x --write_lat_log=x --write_iops_log=x \
    --write_hist_log=x --log_hist_msec=200 --log_avg_msec=100";

/// Unpacks a script of fio's documents.
fn unpacked(name: &str) -> String {
    format!(
        "set -e\nF=/usr/share/doc/fio/{name}\n\
         if [ -f $F.gz ]; then zcat $F.gz > tool.py; else cp $F tool.py; fi\n"
    )
}

fn fiologparser(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "ls /usr/share/doc/fio/fiologparser.py*", "fiologparser.py")?;
    // The tool knows four columns; logs have six by now, those of its own fio too.
    let text = format!(
        "{}{LOGGED}\nfor L in bw clat lat; do cut -d, -f1-4 x_$L.1.log > $L; done\n\
         python3 tool.py -i 250 -s bw > s\npython3 tool.py -i 250 -a clat > a\n\
         python3 tool.py -i 250 -f lat > f\n",
        unpacked("fiologparser.py")
    );
    let outcome = good(side, dir, "sh", &text)?;
    for name in ["s", "a", "f"] {
        let lines = outcome.text(name).lines().count();
        if lines < 3 {
            return Err(format!("fiologparser -{name}: {lines} lines"));
        }
    }
    Ok(())
}

fn fiologparser_hist(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "ls /usr/share/doc/fio/fiologparser_hist.py*", "fiologparser_hist.py")?;
    needs(dir, "python3 -c 'import pandas'", "pandas for Python")?;
    let tool = unpacked("fiologparser_hist.py");
    let text = format!("{tool}{LOGGED}\npython3 tool.py -i 250 x_clat_hist.1.log\n");
    several_lines(&good(side, dir, "sh", &text)?)
}

fn histo_log_pctiles(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "ls /usr/share/doc/fio/fio-histo-log-pctiles.py*", "fio-histo-log-pctiles.py")?;
    needs(dir, "python3 -c 'import six'", "six for Python")?;
    let text = format!(
        "{}{LOGGED}\npython3 tool.py --fio-version 3 --log-hist-msec 200 --bucket-groups 29 \
         --bucket-bits 6 --time-quantum 1 x_clat_hist.1.log\n",
        unpacked("fio-histo-log-pctiles.py")
    );
    several_lines(&good(side, dir, "sh", &text)?)
}

fn several_lines(outcome: &Outcome) -> Result<(), String> {
    let values = outcome.stdout.lines().filter(|line| line.contains(", ")).count();
    if values < 2 { Err(format!("prints {values} lines:\n{}", outcome.words())) } else { Ok(()) }
}

/// Writes tables and plots' recipes; needs no gnuplot.
fn fio2gnuplot(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "command -v fio2gnuplot", "fio2gnuplot")?;
    let text = format!("set -e\n{LOGGED}\nfio2gnuplot -p 'x_bw*.log' -o out\nls *.average\n");
    let outcome = good(side, dir, "sh", &text)?;
    if outcome.stdout.contains("1 files Selected") {
        return Ok(());
    }
    Err(format!("fio2gnuplot: {}", outcome.words()))
}

fn generate_plots(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "command -v gnuplot", "gnuplot")?;
    let text = format!("set -e\n{LOGGED}\nfio_generate_plots title\nls title*.svg\n");
    good(side, dir, "sh", &text).map(|_| ())
}

/// The state that a later `verify_state_load` reads.
fn verify_state(side: Side, dir: &Path) -> Result<(), String> {
    needs(dir, "command -v fio-verify-state", "fio-verify-state")?;
    let text = "set -e\nfio --output=r.out --name=a --filename=f --size=64k --number_ios=8 \
        --rw=write \
                --verify=crc32c --verify_state_save=1\nfio-verify-state local-a-0-verify.state\n";
    let outcome = good(side, dir, "sh", text)?;
    if outcome.stdout.contains("Version:") && outcome.stdout.contains("Name:") {
        return Ok(());
    }
    Err(format!("fio-verify-state: {}", outcome.words()))
}
