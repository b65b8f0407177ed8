//! Buffered jobs read from the disk as often as with the real fio: each pass over a file begins
//! with a cold page cache unless `invalidate=0` or places repeat.

use std::path::Path;
use std::process::Command;

use crate::harness::run::{Side, program};
use crate::harness::{folder, gate, say};

const PASS: u64 = 4 << 20;
/// The program itself may be read from the disk, too.
const TOLERANCE: u64 = PASS / 2;

/// Options of a job over a file of [`PASS`] bytes.
const JOBS: &[&str] = &[
    "--rw=read --loops=3",
    "--rw=randread --loops=3",
    "--rw=randread --loops=3 --iodepth=4 --ioengine=libaio",
    "--rw=randread --loops=3 --invalidate=0",
    "--rw=read --io_size=12m",
    "--rw=randread --io_size=12m",
    "--rw=randread --norandommap --io_size=12m",
];

/// Bytes that a command of this side reads from disks: the shell's counters have those of the
/// children that it waited for.
fn bytes_read(side: Side, job: &str, folder: &Path) -> u64 {
    let script = r#""$@" >out.txt 2>&1 || exit; cat /proc/$$/io"#;
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .args(program(side).unwrap())
        .args(["--name=j", "--filename=f", "--size=4m", "--thread"])
        .args(job.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let counters = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = counters.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    line.unwrap_or_else(|| panic!("{job}: {}", output.status)).parse().unwrap()
}

#[test]
fn a_pass_begins_with_a_cold_cache_where_fio_s_does() {
    let _pass = gate::enter(gate::Company::Any);
    let root = folder().unwrap();
    let of_side = |side: Side, name: &str, job: &str| {
        let folder = root.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        bytes_read(side, "--create_only=1", &folder);
        bytes_read(side, job, &folder)
    };
    for job in JOBS {
        let (real, ours) = (of_side(Side::Real, "real", job), of_side(Side::Ours, "ours", job));
        say(&format!("{job}: fio reads {real} bytes from the disk, ours {ours}"));
        assert!(real.abs_diff(ours) <= TOLERANCE, "{job}: fio read {real} bytes, ours {ours}");
    }
}
