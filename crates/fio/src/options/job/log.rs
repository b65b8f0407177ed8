//! Logs, replay, reports and errors.

/// Time series written to files.
#[derive(Debug, Clone, PartialEq)]
pub struct LogOptions {
    /// `write_bw_log`.
    pub bw: Option<LogName>,
    /// `write_iops_log`.
    pub iops: Option<LogName>,
    /// `write_lat_log`: submission, completion and total latency.
    pub lat: Option<LogName>,
    /// `write_hist_log`: needs `hist_ms`.
    pub hist: Option<LogName>,
    /// `log_avg_msec`: one line per window; 0: per operation.
    pub avg_ms: u64,
    /// `log_hist_msec`: one histogram per window; 0: none.
    pub hist_ms: u64,
    /// `log_hist_coarseness`: 0 to 6; halves the bins each.
    pub hist_coarseness: u8,
    /// `log_window_value`, `log_max_value`: what a window's line holds.
    pub window_value: WindowValue,
    /// `log_offset`: with the operation's offset.
    pub offset: bool,
    /// `log_prio`: with the operation's priority.
    pub prio: bool,
    /// `log_issue_time`: with the time of its submission.
    pub issue_time: bool,
    /// `log_unix_epoch`, `log_alternate_epoch`: times since 1970, not since the start.
    pub unix_epoch: bool,
    /// `log_alternate_epoch_clock_id`: a clock of `clock_gettime`; 0: the real time.
    pub epoch_clock: u32,
    /// `per_job_logs`: names hold the job's number.
    pub per_job: bool,
    /// `log_entries`: entries reserved at first.
    pub entries: u32,
    /// `log_compression`: bytes of log after which it is compressed in memory; 0: never.
    pub compression: u64,
    /// `log_store_compressed`: compressed files.
    pub store_compressed: bool,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self {
            bw: None,
            iops: None,
            lat: None,
            hist: None,
            avg_ms: 0,
            hist_ms: 0,
            hist_coarseness: 0,
            window_value: WindowValue::Average,
            offset: false,
            prio: false,
            issue_time: false,
            unix_epoch: false,
            epoch_clock: 0,
            per_job: true,
            entries: 1024,
            compression: 0,
            store_compressed: false,
        }
    }
}

/// Name of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogName {
    /// The option was given bare: the job's name.
    JobName,
    /// This prefix.
    Prefix(String),
}

/// What a window's line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowValue {
    /// The mean.
    Average,
    /// The highest.
    Max,
    /// Both.
    Both,
}

/// Recording and replaying single operations.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayOptions {
    /// `write_iolog`: operations are recorded there.
    pub write_iolog: Option<String>,
    /// `read_iolog`: recordings to replay, split at `:`; clones take them in turn.
    pub read_iologs: Vec<String>,
    /// `read_iolog_chunked`: read the recording bit by bit.
    pub chunked: bool,
    /// `replay_no_stall`: do not keep the recording's pauses.
    pub no_stall: bool,
    /// `replay_redirect`: replay on this device or file.
    pub redirect: Option<String>,
    /// `replay_scale`: offsets are divided by it.
    pub scale: u64,
    /// `replay_align`: offsets are rounded down to it; 0: not.
    pub align: u64,
    /// `replay_time_scale`: percent of the recorded speed.
    pub time_scale: u64,
    /// `replay_skip`: left out: reads, writes, trims, flushes.
    pub skip: [bool; 4],
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            write_iolog: None,
            read_iologs: Vec::new(),
            chunked: false,
            no_stall: false,
            redirect: None,
            scale: 1,
            align: 0,
            time_scale: 100,
            skip: [false; 4],
        }
    }
}

/// What is measured and printed.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportOptions {
    /// `clat_percentiles`.
    pub clat_percentiles: bool,
    /// `lat_percentiles`.
    pub lat_percentiles: bool,
    /// `slat_percentiles`.
    pub slat_percentiles: bool,
    /// `percentile_list`, rising; up to 20.
    pub percentile_list: Vec<f64>,
    /// `significant_figures`: of the normal output.
    pub significant_figures: u8,
    /// `disable_lat`.
    pub disable_lat: bool,
    /// `disable_clat`.
    pub disable_clat: bool,
    /// `disable_slat`.
    pub disable_slat: bool,
    /// `disable_bw_measurement`.
    pub disable_bw: bool,
    /// `gtod_reduce`: all four, and coarser clocks.
    pub gtod_reduce: bool,
    /// `unified_rw_reporting`.
    pub unified: UnifiedReporting,
    /// `kb_base`: 1000 or 1024.
    pub kb_base: u32,
    /// `unit_base`.
    pub unit_base: UnitBase,
    /// `bwavgtime`.
    pub bwavgtime_ms: u64,
    /// `iopsavgtime`.
    pub iopsavgtime_ms: u64,
    /// `stats`: the job appears in the report.
    pub stats: bool,
    /// `disk_util`.
    pub disk_util: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            clat_percentiles: true,
            lat_percentiles: false,
            slat_percentiles: false,
            percentile_list: vec![
                1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5,
                99.9, 99.95, 99.99,
            ],
            significant_figures: 4,
            disable_lat: false,
            disable_clat: false,
            disable_slat: false,
            disable_bw: false,
            gtod_reduce: false,
            unified: UnifiedReporting::None,
            kb_base: 1024,
            unit_base: UnitBase::Auto,
            bwavgtime_ms: 500,
            iopsavgtime_ms: 500,
            stats: true,
            disk_util: true,
        }
    }
}

/// `unified_rw_reporting`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnifiedReporting {
    /// Per direction.
    None,
    /// All directions as one.
    Mixed,
    /// Both.
    Both,
}

/// `unit_base`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitBase {
    /// By the job.
    Auto,
    /// Bytes.
    Byte,
    /// Bits.
    Bit,
}

/// What errors do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorOptions {
    /// `continue_on_error`.
    pub continue_on: ErrorSet,
    /// `ignore_error`.
    pub ignore: ErrorList,
    /// `error_dump`: print each error.
    pub error_dump: bool,
}

/// Errors after which a job goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorSet {
    /// Of reads.
    pub read: bool,
    /// Of writes.
    pub write: bool,
    /// Of checks.
    pub verify: bool,
}

/// `ignore_error=READ,WRITE,VERIFY`, as numbers of errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorList {
    /// Of reads.
    pub read: Vec<i32>,
    /// Of writes.
    pub write: Vec<i32>,
    /// Of checks.
    pub verify: Vec<i32>,
}
