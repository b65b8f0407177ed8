//! Logs, replay, reports, errors.

use super::super::super::job::{LogName, UnifiedReporting, UnitBase, WindowValue};
use super::super::reader::ValueReader;
use super::super::{ValueProblem, errors, lists};
use super::Table;

const WINDOW: &[(&str, WindowValue)] = &[
    ("avg", WindowValue::Average),
    ("max", WindowValue::Max),
    ("both", WindowValue::Both),
    ("0", WindowValue::Average),
    ("1", WindowValue::Max),
];

pub(super) const TABLE: Table = &[
    ("write_bw_log", |o, i| {
        o.log.bw = Some(log_name(i));
        Ok(())
    }),
    ("write_iops_log", |o, i| {
        o.log.iops = Some(log_name(i));
        Ok(())
    }),
    ("write_lat_log", |o, i| {
        o.log.lat = Some(log_name(i));
        Ok(())
    }),
    ("write_hist_log", |o, i| {
        o.log.hist = Some(log_name(i));
        Ok(())
    }),
    ("log_avg_msec", set!(ms log.avg_ms)),
    ("log_hist_msec", set!(ms log.hist_ms)),
    ("log_hist_coarseness", set!(u8 log.hist_coarseness, 0, 6)),
    ("log_window_value", set!(choice log.window_value, WINDOW)),
    ("log_max_value", set!(choice log.window_value, WINDOW)),
    ("log_offset", set!(flag log.offset)),
    ("log_prio", set!(flag log.prio)),
    ("log_issue_time", set!(flag log.issue_time)),
    ("log_unix_epoch", set!(flag log.unix_epoch)),
    ("log_alternate_epoch", set!(flag log.unix_epoch)),
    ("log_alternate_epoch_clock_id", set!(u32 log.epoch_clock, 0)),
    ("per_job_logs", set!(flag log.per_job)),
    ("log_entries", |o, i| {
        o.log.entries = u32::try_from(i.whole(1024, 1 << 20)?).unwrap_or(1024);
        Ok(())
    }),
    ("log_compression", set!(size log.compression, 1024)),
    ("log_store_compressed", set!(flag log.store_compressed)),
    ("write_iolog", set!(text replay.write_iolog)),
    ("read_iolog", |o, i| {
        o.replay.read_iologs = lists::read_names(i, "file names separated by colons")?;
        Ok(())
    }),
    ("read_iolog_chunked", set!(flag replay.chunked)),
    ("replay_no_stall", set!(flag replay.no_stall)),
    ("replay_redirect", set!(text replay.redirect)),
    ("replay_scale", set!(whole replay.scale, 1)),
    ("replay_align", set!(size replay.align, 0)),
    ("replay_time_scale", set!(whole replay.time_scale, 1)),
    ("replay_skip", |o, i| {
        o.replay.skip = skipped(i)?;
        Ok(())
    }),
    ("clat_percentiles", set!(flag report.clat_percentiles)),
    ("lat_percentiles", set!(flag report.lat_percentiles)),
    ("slat_percentiles", set!(flag report.slat_percentiles)),
    ("percentile_list", |o, i| {
        o.report.percentile_list = lists::parse_percentiles(i.text("numbers such as 50:99:99.9")?)?;
        Ok(())
    }),
    ("significant_figures", set!(u8 report.significant_figures, 1, 10)),
    ("disable_lat", set!(flag report.disable_lat)),
    ("disable_clat", set!(flag report.disable_clat)),
    ("disable_slat", set!(flag report.disable_slat)),
    ("disable_bw_measurement", set!(flag report.disable_bw)),
    ("disable_bw", set!(flag report.disable_bw)),
    ("gtod_reduce", set!(flag report.gtod_reduce)),
    (
        "unified_rw_reporting",
        set!(choice report.unified, &[
            ("none", UnifiedReporting::None),
            ("mixed", UnifiedReporting::Mixed),
            ("both", UnifiedReporting::Both),
            ("0", UnifiedReporting::None),
            ("1", UnifiedReporting::Mixed),
            ("2", UnifiedReporting::Both),
        ]),
    ),
    ("kb_base", set!(choice report.kb_base, &[("1024", 1024), ("1000", 1000)])),
    (
        "unit_base",
        set!(choice report.unit_base, &[
            ("0", UnitBase::Auto),
            ("8", UnitBase::Byte),
            ("1", UnitBase::Bit),
        ]),
    ),
    ("bwavgtime", set!(ms report.bwavgtime_ms)),
    ("iopsavgtime", set!(ms report.iopsavgtime_ms)),
    ("stats", set!(flag report.stats)),
    ("disk_util", set!(flag report.disk_util)),
    ("continue_on_error", |o, i| {
        o.errors.continue_on = errors::read_error_set(i)?;
        Ok(())
    }),
    ("ignore_error", |o, i| {
        o.errors.ignore = errors::read_error_list(i)?;
        Ok(())
    }),
    ("error_dump", set!(flag errors.error_dump)),
];

fn log_name(input: &ValueReader<'_>) -> LogName {
    input.optional().map_or(LogName::JobName, |prefix| LogName::Prefix(prefix.to_owned()))
}

fn skipped(input: &ValueReader<'_>) -> Result<[bool; 4], ValueProblem> {
    let expected = "read, write, trim, sync, separated by commas";
    let mut skip = [false; 4];
    for word in input.text(expected)?.split(',').map(str::trim) {
        let index = ["read", "write", "trim", "sync"].iter().position(|known| *known == word);
        match index.and_then(|index| skip.get_mut(index)) {
            Some(slot) => *slot = true,
            None => return Err(ValueProblem::new(format!("{word} is not known"), expected)),
        }
    }
    Ok(skip)
}
