//! What fio prints of the same disk, asked as most people would ask it.

use std::process::Command;

use anyhow::{Context as _, Result};
use lab::Situation;
use serde::{Deserialize, Serialize};

use crate::bench::run_fio_command;

/// Seconds of the run.
const SECONDS: u32 = 4;
/// Bytes of the file that it writes where there is a folder; as much as most recipes say.
const FILE: &str = "64m";

/// What one run of fio gave.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct FioResult {
    pub(super) iops: f64,
    pub(super) p99_ns: f64,
    /// Whether it wrote.
    pub(super) writes: bool,
}

/// 4 KiB at random, at depth 16, for 4 s: reads where nothing may be written, and else writes.
pub(super) fn measure_with_fio(situation: &Situation) -> Result<FioResult> {
    let writes = !situation.is_read_only();
    let mut command = Command::new("fio");
    command.args(["--name=beside", "--bs=4k", "--iodepth=16", "--direct=1", "--time_based"]);
    command.args(["--ioengine=libaio", &format!("--runtime={SECONDS}")]);
    let path = situation.path();
    match writes {
        true => {
            command.args(["--rw=randwrite", "--unlink=1", &format!("--size={FILE}")]);
            command.arg("--filename").arg(path.join("fio.bin"));
        }
        false => {
            command.args(["--rw=randread", "--readonly"]).arg("--filename").arg(path);
        }
    }
    let json = run_fio_command(&mut situation.wrap_command(&command))?;
    let side = &json["jobs"][0][if writes { "write" } else { "read" }];
    let figure = |value: &serde_json::Value, name: &str| {
        value.as_f64().with_context(|| format!("fio printed no {name}"))
    };
    let iops = figure(&side["iops"], "IOPS")?;
    let p99_ns = figure(&side["clat_ns"]["percentile"]["99.000000"], "percentiles")?;
    Ok(FioResult { iops, p99_ns, writes })
}
