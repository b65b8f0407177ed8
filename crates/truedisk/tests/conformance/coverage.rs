//! Which bytes random combinations of sizes, files and orders write, compared with the real fio.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::compare::last_json;
use crate::harness::case::{Case, case};
use crate::harness::folder;
use crate::harness::run::{Side, run_case};

const COMBINATIONS: u64 = 50;
/// What every sector that was written has.
const PATTERN: u8 = 0xA7;

/// Numbers of a linear congruential generator (Knuth's MMIX constants).
struct Draw(u64);

impl Draw {
    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        words[(self.0 >> 33) as usize % words.len()]
    }
}

fn combination(number: u64) -> String {
    let mut draw = Draw(number + 1);
    let rw = draw.pick(&["write", "randwrite", "randwrite"]);
    let sizes = draw.pick(&[
        "--bs=4k",
        "--bs=3k",
        "--bsrange=512-4k",
        "--bsrange=4k-32k",
        "--bssplit=4k/50:64k/50",
        "--bssplit=2k/20:8k/30:16k/50",
    ]);
    let size = draw.pick(&["--size=1m", "--size=1000000", "--size=300k", "--filesize=96k"]);
    let files = draw.pick(&["1", "1", "2", "3", "5"]);
    let service = draw.pick(&["roundrobin", "random", "sequential"]);
    let depth = draw.pick(&["psync", "libaio --iodepth=8"]);
    format!(
        "--name=a --rw={rw} {sizes} {size} --nrfiles={files} --file_service_type={service} \
         --ioengine={depth} --buffer_pattern=0x{PATTERN:x} --fallocate=none"
    )
}

/// The files of a folder, and the bytes that the job moved.
fn run(side: Side, case: &Case, root: &Path) -> (BTreeMap<String, Vec<u8>>, f64) {
    let outcome = run_case(side, case, root).unwrap();
    assert_eq!(outcome.status, 0, "{side:?} {}: {}", case.args, outcome.words());
    let document = last_json(&outcome.stdout).unwrap();
    let moved = document.figure("jobs/0/write/io_bytes").unwrap();
    let entries = fs::read_dir(&outcome.dir).unwrap().map(Result::unwrap);
    let content = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    (entries.map(content).collect(), moved)
}

#[test]
fn every_place_is_written_once_as_by_fio() {
    for number in 0..COMBINATIONS {
        let root = folder().unwrap();
        let case = case("coverage", &combination(number));
        let (real, real_bytes) = run(Side::Real, &case, root.path());
        let (ours, our_bytes) = run(Side::Ours, &case, root.path());
        let written = |files: &BTreeMap<String, Vec<u8>>| {
            files.values().flatten().filter(|byte| **byte == PATTERN).count() as f64
        };
        let args = &case.args;
        assert!(real == ours, "{args}: {} bytes on disk, ours {}", written(&real), written(&ours));
        assert_eq!((our_bytes, written(&ours)), (real_bytes, real_bytes), "{args}");
    }
}
