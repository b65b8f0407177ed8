//! What is printed.

use super::parse::{KbBase, ValueProblem, ValueResult, parse_float};
use super::reader::ValueReader;
use super::spec::*;

/// What is measured and printed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportOptions {
    pub stats: bool,
    pub unified: Unified,
    pub clat_percentiles: bool,
    pub lat_percentiles: bool,
    pub slat_percentiles: bool,
    /// Rising; up to 20.
    pub percentile_list: Vec<f64>,
    pub significant_figures: u8,
    pub kb_base: KbBase,
    pub unit_base: UnitBase,
    pub bwavgtime_ms: u64,
    pub iopsavgtime_ms: u64,
    pub disk_util: bool,
    pub gtod_reduce: bool,
    pub disable_lat: bool,
    pub disable_clat: bool,
    pub disable_slat: bool,
}

type O = ReportOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    flag("stats", "1", "Whether the job is in the results at all.")
        .sets(Any, |o: &mut O| &mut o.stats),
    choice("unified_rw_reporting", "none", "Reads, writes and trims apart or together.")
        .sets(Any, |o: &mut O| &mut o.unified),
    flag("clat_percentiles", "1", "Percentiles of the time from sending to the end.")
        .sets(Any, |o: &mut O| &mut o.clat_percentiles),
    flag("lat_percentiles", "0", "Percentiles of the whole time.")
        .sets(Any, |o: &mut O| &mut o.lat_percentiles),
    flag("slat_percentiles", "0", "Percentiles of the time of sending.")
        .sets(Any, |o: &mut O| &mut o.slat_percentiles),
    floats(
        "percentile_list",
        "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
        "Which percentiles, at most 20, separated by colons.",
    )
    .range(0, 100)
    .reads(Any, |o: &mut O, reader| {
        read_percentiles(reader).map(|value| o.percentile_list = value)
    }),
    int("significant_figures", "4", "Digits of numbers in normal output.")
        .range(1, 10)
        .sets(Any, |o: &mut O| &mut o.significant_figures),
    choice("kb_base", "1024", "What a bare k, m, g means.").sets(Any, |o: &mut O| &mut o.kb_base),
    choice("unit_base", "", "Bytes or bits in normal output.")
        .sets(Any, |o: &mut O| &mut o.unit_base),
    msecs("bwavgtime", "500", "Time of one sample of bytes per second, in ms.")
        .under("write_bw_log")
        .sets(Any, |o: &mut O| &mut o.bwavgtime_ms),
    msecs("iopsavgtime", "500", "Time of one sample of operations per second, in ms.")
        .under("write_iops_log")
        .sets(Any, |o: &mut O| &mut o.iopsavgtime_ms),
    flag("disk_util", "1", "Tell how busy the disk was.").sets(Any, |o: &mut O| &mut o.disk_util),
    flag("gtod_reduce", "0", "Read the clock as seldom as possible: no latencies.")
        .sets(Any, |o: &mut O| &mut o.gtod_reduce),
    flag("disable_lat", "0", "No whole times.")
        .under("gtod_reduce")
        .sets(Any, |o: &mut O| &mut o.disable_lat),
    flag("disable_clat", "0", "No times from sending to the end.")
        .under("gtod_reduce")
        .sets(Any, |o: &mut O| &mut o.disable_clat),
    flag("disable_slat", "0", "No times of sending.")
        .under("gtod_reduce")
        .sets(Any, |o: &mut O| &mut o.disable_slat),
    // As in fio, the samples are in the results all the same.
    flag("disable_bw_measurement", "0", "No samples of bytes per second for logs.")
        .alias(&["disable_bw"])
        .under("gtod_reduce")
        .checks(),
    flag("block_error_percentiles", "0", "A histogram of errors of trims.")
        .refused("errors are counted, without a histogram; see error_dump")
        .unread(),
];

/// `unified_rw_reporting`: reads, writes and trims apart, as one, or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unified {
    #[default]
    None,
    Mixed,
    Both,
}

impl Choice for Unified {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "apart", Self::None),
        ("mixed", "together, under the name mixed", Self::Mixed),
        ("both", "apart, and together as well", Self::Both),
        ("0", "the same as none", Self::None),
        ("1", "the same as mixed", Self::Mixed),
        ("2", "the same as both", Self::Both),
    ];
}

impl Choice for KbBase {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("1024", "powers of 1024; ki, mi with a B are powers of 1000", Self::Binary),
        ("1000", "powers of 1000; ki, mi are powers of 1024", Self::Thousand),
    ];
}

/// `unit_base`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnitBase {
    #[default]
    Auto,
    Byte,
    Bit,
}

impl Choice for UnitBase {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("0", "as it fits the job", Self::Auto),
        ("8", "bytes", Self::Byte),
        ("1", "bits", Self::Bit),
    ];
}

/// Percentiles, `99:99.9`: rising, each once, at most 20.
fn read_percentiles(reader: &mut ValueReader<'_>) -> ValueResult<Vec<f64>> {
    let expected = "up to 20 numbers above 0 and up to 100, such as 50:99:99.9";
    let text = reader.require_text("numbers such as 50:99:99.9")?;
    let mut all = Vec::new();
    for piece in text.split(':').filter(|piece| !piece.is_empty()) {
        let percent = parse_float(piece, "percentiles", 0.0..=100.0)?;
        if percent <= 0.0 {
            return Err(ValueProblem::new(format!("{piece} is no percentile"), expected));
        }
        all.push(percent);
    }
    if all.is_empty() || all.len() > 20 {
        return Err(ValueProblem::new(format!("it has {} numbers", all.len()), expected));
    }
    all.sort_by(f64::total_cmp);
    all.dedup();
    Ok(all)
}
