//! What fio wrote ours verifies, and the reverse.

use std::fs;

use crate::harness::folder;
use crate::harness::run::{Outcome, Side, run, words};

const METHODS: [&str; 16] = [
    "md5",
    "crc64",
    "crc32",
    "crc32c",
    "crc32c-intel",
    "crc16",
    "crc7",
    "xxhash",
    "sha1",
    "sha256",
    "sha512",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "meta",
];

/// Sizes and files, with which each method is written and read.
const SIZES: [&str; 8] = [
    "--bs=512",
    "--bs=4k",
    "--bs=64k --size=1m",
    "--bs=1m --size=4m",
    "--bsrange=512-16k",
    "--bssplit=4k/50:64k/50 --size=1m",
    "--bs=4k --nrfiles=3 --size=768k",
    "--bsrange=1k-32k --nrfiles=4 --size=1m",
];

/// Sizes, files, headers and patterns.
const SHAPES: [&str; 16] = [
    "--verify=crc32c --bs=512",
    "--verify=md5 --bs=1m --size=8m",
    "--verify=sha256 --bs=1000 --size=100000",
    "--verify=crc32c --bsrange=512-16k",
    "--verify=crc64 --bssplit=4k/50:64k/50",
    "--verify=crc32c --nrfiles=3 --size=768k",
    "--verify=xxhash --numjobs=2 --offset_increment=512k --filename=f --size=512k",
    "--verify=crc32c --bs=16k --verify_interval=1k",
    "--verify=sha1 --bs=64k --verify_interval=512 --verify_offset=100",
    "--verify=md5 --verify_offset=1000",
    "--verify=crc32c --verify_pattern=0xdeadbeef",
    "--verify=meta --verify_pattern=\"abc\"%o --bs=8k --verify_interval=2k",
    "--verify=meta --verify_pattern=%o --verify_offset=64",
    "--verify=pattern --verify_pattern=0xff%o\"abcd\"-12",
    "--verify=crc32c --ioengine=libaio --iodepth=8",
    "--verify=crc32c --offset=64k --size=192k",
];

fn checked(side: Side, dir: &std::path::Path, args: &str) -> Outcome {
    run(side, &words(args), dir, None, &[]).unwrap()
}

/// Writes by the one, verifies by the other, by a reading job and by `verify_only`. Options of all
/// jobs come before the first `--name`.
fn exchange(all: &str, jobs: &str) -> Result<(), String> {
    for (writer, reader) in [(Side::Real, Side::Ours), (Side::Ours, Side::Real)] {
        let root = folder().unwrap();
        let dir = root.path().join("d");
        fs::create_dir(&dir).unwrap();
        let all = format!("--size=256k --verify_state_save=0 {all}");
        let write = format!("{all} --rw=randwrite --do_verify=0 --output=w.out {jobs}");
        let written = checked(writer, &dir, &write);
        if written.status != 0 {
            return Err(format!("{writer:?} {write}: {}", written.words()));
        }
        for read in ["--rw=read", "--rw=randread", "--rw=write --verify_only"] {
            let words = format!("{all} {read} {jobs}");
            let outcome = checked(reader, &dir, &words);
            if outcome.status != 0 || !outcome.stderr.is_empty() {
                return Err(format!("{reader:?} {words}: {}", outcome.words()));
            }
        }
    }
    Ok(())
}

#[test]
fn each_verifies_what_the_other_wrote() {
    let of_method = |method: &&str| format!("--name={method} --verify={method}");
    let methods: Vec<String> = METHODS.iter().map(of_method).collect();
    let sizes = SIZES.iter().filter_map(|sizes| exchange(sizes, &methods.join(" ")).err());
    let shapes = SHAPES.iter().filter_map(|shape| exchange(shape, "--name=a").err());
    let failures: Vec<String> = sizes.chain(shapes).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Both read the same damaged file, and say the same of it on standard error.
#[test]
fn both_say_the_same_of_damage() {
    let check = |shape: &str, place: usize, read: &str| {
        let root = folder().unwrap();
        let dir = root.path().join("d");
        fs::create_dir(&dir).unwrap();
        let job = format!("--name=a --filename=f --size=256k {shape} --verify_state_save=0");
        let written = checked(Side::Real, &dir, &format!("{job} --rw=write --do_verify=0"));
        assert_eq!(written.status, 0, "{}", written.words());
        let mut bytes = fs::read(dir.join("f")).unwrap();
        bytes[place] = !bytes[place];
        bytes[100_000] = !bytes[100_000];
        fs::write(dir.join("f"), bytes).unwrap();
        let lines = |side| {
            let outcome = checked(side, &dir, &format!("{job} {read}"));
            let all = outcome.stderr.lines().filter(|line| !line.starts_with("fio: pid="));
            (outcome.status, all.map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(lines(Side::Ours), lines(Side::Real), "{shape} {place} {read}");
    };
    // Magic, length, seed, offset, time, thread and checksum of a header; then data.
    for place in [4096, 4100, 4104, 4112, 4120, 4128, 4132, 5000] {
        check("--verify=crc32c", place, "--rw=read");
    }
    for method in METHODS.iter().filter(|method| !matches!(**method, "meta" | "sha512")) {
        check(&format!("--verify={method}"), 5000, "--rw=read");
    }
    // The last interval of a block: fio forgets the error of any other, and ends with status 0.
    check("--verify=md5 --bs=16k --verify_interval=1k", 16_284, "--rw=read");
    check("--verify=meta --verify_pattern=0xabcd", 5000, "--rw=read");
    check("--verify=crc32c", 5000, "--rw=write --verify_only");
    check("--verify=crc32c", 5000, "--rw=read --continue_on_error=verify");
    check("--verify=crc32c", 5000, "--rw=read --verify_fatal=1");
    check("--verify=crc32c", 5000, "--rw=read --verify_dump=1");
    check("--verify=crc32c", 4100, "--rw=read --verify_dump=1");
}
