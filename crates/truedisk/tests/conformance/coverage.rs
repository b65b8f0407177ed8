//! Which bytes random combinations of sizes, files and orders write, compared with the real fio.
//! `FIO_COVERAGE=FIRST..LAST cargo test -p truedisk --test conformance every_place` takes other
//! combinations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::compare::last_json;
use crate::harness::case::{Case, Step, case};
use crate::harness::folder;
use crate::harness::run::{Side, run_case};

const COMBINATIONS: std::ops::Range<u64> = 0..50;
/// What every byte that was written has.
const PATTERN: u8 = 0xA7;

/// Numbers of a linear congruential generator (Knuth's MMIX constants).
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % count
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// One of the words in `percent` of all draws, else nothing.
    fn sometimes<'a>(&mut self, percent: usize, words: &[&'a str]) -> &'a str {
        if self.below(100) < percent { self.pick(words) } else { "" }
    }
}

/// A command, and what of it follows from the words: random places and directions do not.
struct Combination {
    case: Case,
    /// The bytes on disk.
    is_exact: bool,
    /// The number of operations.
    is_counted: bool,
    /// What fio ends early: an offset in percent of a file that is lengthened, and loops of a mix
    /// in order with an `io_size` above the size.
    is_refused: bool,
    /// How many bytes more or fewer may be moved: a job of random sizes ends with the block that
    /// reaches its size. Any number where their count ends it.
    bytes_within: f64,
}

fn combination(number: u64) -> Combination {
    let mut draw = Draw(number.wrapping_mul(0x9E37_79B9) + 1);
    let rw = draw.pick(&["write", "randwrite", "randwrite", "rw", "randrw"]);
    let (random, mixed) = (rw.starts_with("rand"), rw.ends_with("rw"));
    let sizes = draw.pick(&[
        "--bs=4k",
        "--bs=3k",
        "--bs=64k",
        "--bsrange=512-4k",
        "--bsrange=4k-32k",
        "--bssplit=4k/50:64k/50",
        "--bssplit=2k/20:8k/30:16k/50",
    ]);
    let is_plain = sizes.starts_with("--bs=");
    let exists = draw.below(3) == 0;
    let files = if exists { "1" } else { draw.pick(&["1", "1", "2", "3", "5"]) };
    let size = match exists {
        true => draw.pick(&["--size=50%", "--size=25%", "--size=100%", "--size=1m", ""]),
        false => draw.pick(&[
            "--size=1m",
            "--size=1000000",
            "--size=300k",
            "--filesize=96k",
            "--size=1m --filesize=128k",
        ]),
    };
    // A block of any size fits into each file.
    let size = if size == "--size=300k" && files == "5" { "--size=1m" } else { size };
    let is_fixed = size.contains("filesize");
    let offset = match exists {
        true => draw.pick(&["", "--offset=25%", "--offset=64k", "--offset=25% --offset_align=8k"]),
        false if is_fixed => "",
        false => draw.pick(&["", "", "--offset=64k"]),
    };
    let service = draw.pick(&["roundrobin", "random", "sequential", "roundrobin:3", "random:4"]);
    let open = draw.sometimes(30, &["--openfiles=1", "--openfiles=2"]);
    let loops = draw.sometimes(30, &["--loops=2", "--loops=3"]);
    let several = ["--numjobs=2", "--numjobs=3 --offset_increment=32k"];
    let jobs = draw.sometimes(30, if is_fixed { &several[..1] } else { &several });
    let io_size = draw.sometimes(25, &["--io_size=64k", "--io_size=200k", "--io_size=1500k"]);
    let count = draw.sometimes(15, &["--number_ios=7", "--number_ios=50"]);
    let map = draw.sometimes(20, &["--norandommap=1"]);
    let overwrite = draw.sometimes(15, &["--overwrite=1"]);
    let engine = draw.pick(&["psync", "libaio --iodepth=8", "io_uring --iodepth=4"]);
    let named = if exists { "--filename=f" } else { "" };
    let args = format!(
        "--name=a --rw={rw} {sizes} {named} {size} {offset} --nrfiles={files} {open} {loops} \
         --file_service_type={service} {jobs} {io_size} {count} {map} {overwrite} \
         --ioengine={engine} --buffer_pattern=0x{PATTERN:x} --fallocate=none"
    );
    let mut case = case("coverage", &args);
    if exists {
        case.steps = vec![Step::Noise("f", 1 << 20)];
    }
    let ends_early = !io_size.is_empty() || !count.is_empty();
    let offset_percent = offset.contains('%') && size == "--size=1m";
    let is_covered = !random || (!ends_early && map.is_empty());
    let largest = if sizes.contains("64k") {
        65_536.0
    } else if sizes.contains("32k") {
        32_768.0
    } else {
        16_384.0
    };
    let ends = [loops, jobs].map(|word| if word.is_empty() { 1.0 } else { 3.0 });
    let bytes_within = match is_plain || !mixed && is_covered && !ends_early {
        true => 0.0,
        false if !count.is_empty() => f64::INFINITY,
        false => largest * ends[0] * ends[1],
    };
    Combination {
        case,
        is_exact: !mixed && is_covered && (is_plain || !ends_early),
        is_counted: is_plain || (!count.is_empty() && io_size.is_empty()),
        is_refused: offset_percent && !(is_plain && loops.is_empty())
            || rw == "rw" && !loops.is_empty() && io_size == "--io_size=1500k",
        bytes_within,
    }
}

/// The files of a folder, and the bytes and operations of the job.
fn run(side: Side, case: &Case, root: &Path) -> (BTreeMap<String, Vec<u8>>, f64, f64) {
    let outcome = run_case(side, case, root).unwrap();
    assert_eq!(outcome.status, 0, "{side:?} {}: {}", case.args, outcome.words());
    let document = last_json(&outcome.stdout).unwrap();
    let sum = |figure: &str| {
        let of = |direction| document.figure(&format!("jobs/*/{direction}/{figure}")).unwrap();
        of("read") + of("write")
    };
    let entries = fs::read_dir(&outcome.dir).unwrap().map(Result::unwrap);
    let content = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    (entries.map(content).collect(), sum("io_bytes"), sum("total_ios"))
}

fn numbers() -> std::ops::Range<u64> {
    let Ok(words) = std::env::var("FIO_COVERAGE") else { return COMBINATIONS };
    let (first, last) = words.split_once("..").unwrap();
    first.parse().unwrap()..last.parse().unwrap()
}

#[test]
fn every_place_is_written_once_as_by_fio() {
    let mut failures = Vec::new();
    for number in numbers() {
        let root = folder().unwrap();
        let Combination { case, is_exact, is_counted, is_refused, bytes_within } =
            combination(number);
        if is_refused {
            let ours = run_case(Side::Ours, &case, root.path()).unwrap();
            assert!(ours.status == 1 && ours.words().contains("loops"), "{}", ours.words());
            continue;
        }
        let (real, real_bytes, real_ops) = run(Side::Real, &case, root.path());
        let (ours, our_bytes, our_ops) = run(Side::Ours, &case, root.path());
        let written = |files: &BTreeMap<String, Vec<u8>>| {
            files.values().flatten().filter(|byte| **byte == PATTERN).count()
        };
        let (on_disk, ours_on_disk) = (written(&real), written(&ours));
        let is_same = (!is_exact || real == ours)
            && (real_bytes - our_bytes).abs() <= bytes_within
            && (!is_counted || real_ops == our_ops);
        if !is_same {
            failures.push(format!(
                "{number} {}: fio has {on_disk} on disk, moved {real_bytes} in {real_ops}; ours \
                 {ours_on_disk}, {our_bytes} in {our_ops}",
                case.args
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
