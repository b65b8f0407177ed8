//! The benches `dialects` and `dialects-disk`: `truedisk preset hdparm` and `preset dd` against
//! hdparm and dd.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use lab::{FileSystem, LoopDevice, Mount, Scratch, SimulatedDisk, laws};

use super::free_pages::PageReportingGuard;
use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Section, hint_at_root, round_override,
    run_alternately_until,
};
use xtask::process;

/// Rounds go on until the ratio is known as well as [`RATIO_BOUND`] needs it: one tool against
/// itself lies 20 to 50 % apart on this machine's disk, and 3 % on a simulated one.
const UNCERTAINTY_MAX: f64 = 0.02;
/// But not fewer of them, and none is begun after this time.
const ROUNDS_MIN: usize = 9;
const TIME_MAX: Duration = Duration::from_secs(180);
/// Room for the file that dd reads, for the one that the preset writes, and for a file system.
const SIMULATED_BYTES: u64 = 2 << 30;
/// As much as fits into the memory of a small machine twice: hdparm reads to the end or for 3 s.
const FILE_BYTES: u64 = 512 << 20;
const RATIO_BOUND: Bound = Bound::Within(0.95, 1.05);

/// hdparm's timings: how it is asked, and what its line begins with.
const TIMINGS: [(&[&str], &str); 4] = [
    (&["-T"], "Timing cached reads:"),
    (&["-t"], "Timing buffered disk reads:"),
    (&["-T", "--direct"], "Timing O_DIRECT cached reads:"),
    (&["-t", "--direct"], "Timing O_DIRECT disk reads:"),
];

/// What people run with dd, on a file that exists.
const COPIES: [(&str, &[&str]); 6] = [
    ("8k direct write", &["if=/dev/zero", "of=data", "bs=8k", "oflag=direct", "conv=notrunc"]),
    ("8k direct read", &["if=data", "of=/dev/null", "bs=8k", "iflag=direct"]),
    ("1M direct write", &["if=/dev/zero", "of=data", "bs=1M", "oflag=direct", "conv=notrunc"]),
    ("1M direct read", &["if=data", "of=/dev/null", "bs=1M", "iflag=direct"]),
    ("1M fdatasync write", &["if=/dev/zero", "of=data", "bs=1M", "conv=notrunc,fdatasync"]),
    ("1M buffered read", &["if=data", "of=/dev/null", "bs=1M"]),
];
/// The preset copies a quarter of its file in blocks of 8 KiB.
const SMALL_SHARE: u64 = 4;

const METHOD_TEXT: &str = "`truedisk preset hdparm` against hdparm on a loop device, and `truedisk \
    preset dd` against dd on 512 MiB (blocks of 8 KiB: a quarter of it), step by step in turns. \
    Before each copy the data are read once through the page cache and dropped from it, and left \
    alone for a second. MB/s by the text that each prints. A virtual machine's free memory is kept \
    from its hypervisor meanwhile (`page_reporting_order`). The ratio is the median of the rounds' \
    ratios, with its 95 % interval. There are nine rounds at least, and more until neither end of \
    the interval is further than 2 % from the median, or until 3 minutes are over.";
const SETTLE_TIME: Duration = Duration::from_secs(1);
const TOOLS: &[&str] = &["hdparm", "dd"];
const COLUMNS: &str =
    "what | ours, MB/s | peer's, MB/s | median ratio (95 % interval) | of single rounds | n";

struct DialectBench<'a> {
    rounds: Option<usize>,
    section: &'a mut Section,
    truedisk: &'a Path,
}

pub(super) const BENCH: Bench = Bench {
    name: "dialects",
    heading: "hdparm and dd, by their presets",
    method: METHOD_TEXT,
    columns: COLUMNS,
    tools: TOOLS,
    rounds: ROUNDS_MIN,
    run: run_on_simulated_disk,
};

pub(super) const BENCH_OF_DISK: Bench = Bench {
    name: "dialects-disk",
    heading: "hdparm and dd, by their presets, on this machine's disk",
    run: run_on_disk,
    ..BENCH
};

fn run_on_simulated_disk(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    section.describe(
        "The loop device, and ext4 with the file of dd on it, lie over a simulated SSD of 300 us \
         and 600 MB/s, whose law is the same for both. The preset writes over a file of its own \
         that it has just laid out, and dd over one that was.",
    );
    run_bench(context, section, |bench| {
        let mut law = laws::ssd();
        law.capacity = SIMULATED_BYTES;
        let disk = SimulatedDisk::new(law).map_err(hint_at_root)?;
        let device = disk.attach().map_err(hint_at_root)?;
        bench.compare_hdparm(device.path())?;
        let mount = Mount::new(&device, FileSystem::Ext4).map_err(hint_at_root)?;
        bench.compare_dd(&CopyTarget::on_mount(&mount)?)
    })
}

fn run_on_disk(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    section.describe(
        "The device's file lies on this machine's disk, which others use too: one tool against \
         itself lies 20 to 50 % apart there. dd and its preset read and write the same device, \
         which is held open: who closes it last drops it from the page cache, and dd takes that \
         into its time.",
    );
    run_bench(context, section, |bench| {
        let device = LoopDevice::new(FILE_BYTES).map_err(hint_at_root)?;
        bench.compare_hdparm(device.path())?;
        // The last to close a device drops it from the page cache, which dd takes into its time.
        let _held = std::fs::File::open(device.path())?;
        bench.compare_dd(&CopyTarget::on_device(device.path()))
    })
}

fn run_bench(
    context: &BenchContext<'_>,
    section: &mut Section,
    measure: impl FnOnce(&mut DialectBench<'_>) -> Result<()>,
) -> Result<()> {
    let rounds = round_override()?;
    let truedisk = context.build_truedisk()?;
    let _kept = PageReportingGuard::disable()?;
    measure(&mut DialectBench { rounds, section, truedisk: &truedisk })
}

impl DialectBench<'_> {
    fn compare_hdparm(&mut self, device: &Path) -> Result<()> {
        let scratch = Scratch::new()?;
        let truedisk = self.truedisk;
        let steps = write_single_step_presets(truedisk, "hdparm", scratch.path(), TIMINGS.len())?;
        for ((options, label), step) in TIMINGS.iter().zip(&steps) {
            let ours = || {
                let text = run_preset(truedisk, "hdparm", step, device, &[])?;
                parse_hdparm_rate(&text, label)
            };
            let theirs = || {
                let text =
                    process::capture_stdout(Command::new("hdparm").args(*options).arg(device))?;
                parse_hdparm_rate(&text, label)
            };
            let pairs = self.alternate_sides(ours, theirs)?;
            self.add_result(&format!("hdparm {}", options.join(" ")), &pairs);
        }
        Ok(())
    }

    fn compare_dd(&mut self, target: &CopyTarget) -> Result<()> {
        let data = &target.data;
        let scratch = Scratch::new()?;
        let truedisk = self.truedisk;
        let steps = write_single_step_presets(truedisk, "dd", scratch.path(), COPIES.len())?;
        for ((name, words), step) in COPIES.iter().zip(&steps) {
            let writes = words.contains(&"of=data");
            let read_only = ["--read-only".into()];
            let (path, more) =
                if writes { (&target.written, &target.words[..]) } else { (data, &read_only[..]) };
            let ours = || {
                warm_memory(data)?;
                let text = run_preset(truedisk, "dd", step, path, more)?;
                text.lines().find_map(parse_dd_rate).with_context(|| format!("no copy in:\n{text}"))
            };
            let theirs = || {
                warm_memory(data)?;
                if writes {
                    target.lay_out()?;
                }
                run_dd(data, words)
            };
            let pairs = self.alternate_sides(ours, theirs)?;
            self.add_result(&format!("dd {name}"), &pairs);
        }
        Ok(())
    }

    /// Both in turn, until their ratio is known.
    fn alternate_sides(
        &self,
        ours: impl FnMut() -> Result<f64>,
        theirs: impl FnMut() -> Result<f64>,
    ) -> Result<PairedSamples> {
        let start = Instant::now();
        let known =
            |pairs: &PairedSamples| pairs.uncertainty().is_some_and(|half| half <= UNCERTAINTY_MAX);
        let enough = |pairs: &PairedSamples| match self.rounds {
            Some(rounds) => pairs.a.len() >= rounds,
            None => {
                let least = pairs.a.len() >= ROUNDS_MIN;
                least && (known(pairs) || start.elapsed() >= TIME_MAX)
            }
        };
        run_alternately_until(enough, ours, theirs)
    }

    fn add_result(&mut self, what: &str, pairs: &PairedSamples) {
        let (ratio, all) = (pairs.median_ratio(), pairs.ratio());
        let interval = ratio.interval();
        let interval = interval.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
        let interval = interval.unwrap_or_default();
        self.section.add_row([
            what.to_owned(),
            format!("{:.1}", pairs.median_a()),
            format!("{:.1}", pairs.median_b()),
            format!("{:.3}{interval}", ratio.value),
            format!("{:.3} to {:.3}", all.min, all.max),
            pairs.a.len().to_string(),
        ]);
        let what = format!("{what}, ours / peer's");
        self.section.require(what, RATIO_BOUND, ratio.value);
    }
}

/// What dd copies, and where its preset writes, with which words.
struct CopyTarget {
    data: PathBuf,
    written: PathBuf,
    words: [OsString; 2],
    /// Whether the data are a file that is laid out anew before each write, as the preset does.
    is_file: bool,
}

impl CopyTarget {
    fn on_mount(mount: &Mount) -> Result<Self> {
        let data = lab::written_file(mount.path(), "data", FILE_BYTES)?;
        let words = ["--size".into(), FILE_BYTES.to_string().into()];
        Ok(Self { data, written: mount.path().to_owned(), words, is_file: true })
    }

    fn on_device(device: &Path) -> Self {
        let words = ["--yes-destroy-data-on".into(), device.into()];
        Self { data: device.to_owned(), written: device.to_owned(), words, is_file: false }
    }

    fn lay_out(&self) -> Result<()> {
        if self.is_file {
            std::fs::remove_file(&self.data)?;
            // What the file system does for the removal (discards) is over before.
            process::run_command(Command::new("sync").arg("-f").arg(&self.written))?;
            lab::written_file(&self.written, "data", FILE_BYTES)?;
        }
        Ok(())
    }
}

/// The steps of a preset as presets of one step each: gives their files.
fn write_single_step_presets(
    truedisk: &Path,
    name: &str,
    folder: &Path,
    count: usize,
) -> Result<Vec<PathBuf>> {
    let text = process::capture_stdout(Command::new(truedisk).args(["preset", name, "--show"]))?;
    let mut parts = text.split("[[step]]");
    let head = parts.next().context("a preset begins with its head")?;
    let write = |(place, step): (usize, &str)| {
        let path = folder.join(format!("{name}-{place}.toml"));
        std::fs::write(&path, format!("{head}[[step]]{step}"))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    let paths: Vec<PathBuf> = parts.enumerate().map(write).collect::<Result<_>>()?;
    ensure!(paths.len() == count, "preset {name} has {} steps, not {count}", paths.len());
    Ok(paths)
}

/// Reads the file through the page cache and takes it out again: the first copy through memory
/// that the hypervisor has to bring is five to ten times as slow as the second. The preset looks
/// around before it copies, and dd does not: both are left alone for a while.
fn warm_memory(data: &Path) -> Result<()> {
    for words in [&["bs=1M"][..], &["iflag=nocache", "count=0"]] {
        let mut command = Command::new("dd");
        command.arg(format!("if={}", data.display())).args(["of=/dev/null", "status=none"]);
        process::run_command(command.args(words))?;
    }
    std::thread::sleep(SETTLE_TIME);
    Ok(())
}

fn run_preset(
    truedisk: &Path,
    name: &str,
    step: &Path,
    path: &Path,
    more: &[OsString],
) -> Result<String> {
    let mut command = Command::new(truedisk);
    command.arg("preset").args([step, path]).args(["--format", name, "--no-history"]).args(more);
    // Its progress and its findings are not for a table of figures.
    command.stderr(Stdio::null());
    let output = command.output().context("cannot run truedisk")?;
    ensure!(output.status.success(), "preset {name} ended with {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

fn run_dd(data: &Path, words: &[&str]) -> Result<f64> {
    let blocks = match words.contains(&"bs=8k") {
        true => FILE_BYTES / SMALL_SHARE / 8192,
        false => FILE_BYTES >> 20,
    };
    let mut command = Command::new("dd");
    let path = data.display();
    command.args(words.iter().map(|word| match *word {
        "if=data" => format!("if={path}"),
        "of=data" => format!("of={path}"),
        word => word.to_owned(),
    }));
    command.arg(format!("count={blocks}"));
    let output = command.env("LC_ALL", "C").output().context("cannot run dd")?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "dd {words:?} failed: {message}");
    message
        .lines()
        .find_map(parse_dd_rate)
        .with_context(|| format!("dd {words:?} printed:\n{message}"))
}

/// MB/s of dd's last line, by its bytes and seconds: they have more digits than its rate.
fn parse_dd_rate(line: &str) -> Option<f64> {
    let (bytes, rest) = line.split_once(" bytes ")?;
    let (_, rest) = rest.split_once("copied, ")?;
    let (seconds, _) = rest.split_once(" s, ")?;
    Some(bytes.parse::<f64>().ok()? / seconds.parse::<f64>().ok()? / 1e6)
}

fn parse_hdparm_rate(text: &str, label: &str) -> Result<f64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(label));
    let Some(line) = line else { bail!("no '{label}' in:\n{text}") };
    let rate = line.split_once('=').and_then(|(_, rest)| rest.trim().strip_suffix(" MB/sec"));
    let rate = rate.and_then(|rate| rate.trim().parse().ok());
    rate.with_context(|| format!("no rate behind '{label}' in '{line}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peers_lines_are_read() {
        let line = "268435456 bytes (268 MB, 256 MiB) copied, 0.25 s, 1.1 GB/s";
        assert_eq!(parse_dd_rate(line), Some(1_073.741_824));
        assert_eq!(parse_dd_rate("256+0 records in"), None);
        let text =
            "\n/dev/loop0:\n Timing cached reads:   8792 MB in  2.00 seconds = 4401.61 MB/sec\n";
        assert_eq!(parse_hdparm_rate(text, TIMINGS[0].1).unwrap(), 4401.61);
        assert!(parse_hdparm_rate(text, TIMINGS[1].1).is_err());
    }
}
