//! What fio prints of the same disk, asked as most people would ask it.

use std::process::Command;

use anyhow::Result;
use lab::Situation;
use serde::{Deserialize, Serialize};

use crate::bench::{number_at, run_fio_command};

const SECONDS: u32 = 4;
/// Size of the file that it writes where there is a folder.
const FILE: &str = "64m";

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct FioResult {
    pub(super) iops: f64,
    pub(super) p99_ns: f64,
    pub(super) writes: bool,
}

/// 4 KiB at random, at depth 16, for 4 s: reads where nothing may be written, and else writes.
pub(super) fn measure_with_fio(situation: &Situation) -> Result<FioResult> {
    let writes = !situation.is_read_only();
    let mut command = Command::new("fio");
    command.args(["--name=beside", "--bs=4k", "--iodepth=16", "--direct=1", "--time_based"]);
    command.args(["--ioengine=libaio", &format!("--runtime={SECONDS}")]);
    let path = situation.path();
    if writes {
        command.args(["--rw=randwrite", "--unlink=1", &format!("--size={FILE}")]);
        command.arg("--filename").arg(path.join("fio.bin"));
    } else {
        command.args(["--rw=randread", "--readonly"]).arg("--filename").arg(path);
    }
    let json = run_fio_command(&mut situation.wrap_command(&command))?;
    let side = if writes { "write" } else { "read" };
    let figure = |name: &str| number_at(&json, &format!("/jobs/0/{side}/{name}"));
    let (iops, p99_ns) = (figure("iops")?, figure("clat_ns/percentile/99.000000")?);
    Ok(FioResult { iops, p99_ns, writes })
}
