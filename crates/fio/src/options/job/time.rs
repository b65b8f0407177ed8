//! Run time, starts, rates, pauses and goals.

use super::PerDirection;

/// Run time, start, copies and groups.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeOptions {
    /// `runtime`; 0: no limit.
    pub runtime_us: u64,
    /// `time_based`: repeat until `runtime` is over.
    pub time_based: bool,
    /// `ramp_time`: run without measuring first.
    pub ramp_time_us: u64,
    /// `startdelay`: wait before the start; least = most when it is not a range.
    pub startdelay: TimeRange,
    /// `loops`.
    pub loops: u32,
    /// `numjobs`: clones.
    pub numjobs: u32,
    /// `thread`: clones share one process.
    pub thread: bool,
    /// `stonewall`: wait for all jobs before this one; begins a group.
    pub stonewall: bool,
    /// `wait_for`: name of the job to wait for.
    pub wait_for: Option<String>,
    /// `exitall`: the first job that ends, ends others (see `exit_what`).
    pub exitall: bool,
    /// `exit_what`.
    pub exit_what: ExitWhat,
    /// `exitall_on_error`.
    pub exitall_on_error: bool,
    /// `new_group`: begins a group for reports.
    pub new_group: bool,
    /// `group_reporting`: one report per group.
    pub group_reporting: bool,
}

impl Default for TimeOptions {
    fn default() -> Self {
        Self {
            runtime_us: 0,
            time_based: false,
            ramp_time_us: 0,
            startdelay: TimeRange::default(),
            loops: 1,
            numjobs: 1,
            thread: false,
            stonewall: false,
            wait_for: None,
            exitall: false,
            exit_what: ExitWhat::Group,
            exitall_on_error: false,
            new_group: false,
            group_reporting: false,
        }
    }
}

/// Two times in microseconds, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Least.
    pub min_us: u64,
    /// Most.
    pub max_us: u64,
}

/// `exit_what`: whom `exitall` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitWhat {
    /// Jobs of the same reporting group.
    Group,
    /// Jobs between the same two stonewalls.
    Stonewall,
    /// All jobs.
    All,
}

/// Rates and pauses. 0 is no limit everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct RateOptions {
    /// `rate`: most bytes per second.
    pub rate: PerDirection<u64>,
    /// `rate_min`: least bytes per second, or the job ends in error.
    pub rate_min: PerDirection<u64>,
    /// `rate_iops`: most operations per second.
    pub rate_iops: PerDirection<u64>,
    /// `rate_iops_min`: least operations per second.
    pub rate_iops_min: PerDirection<u64>,
    /// `rate_process`.
    pub rate_process: RateProcess,
    /// `rate_cycle`: window in which the least rates are checked.
    pub rate_cycle_ms: u64,
    /// `rate_ignore_thinktime`: do not catch up after pauses.
    pub rate_ignore_thinktime: bool,
    /// `thinktime`: pause after operations.
    pub thinktime_us: u64,
    /// `thinktime_spin`: the part of it spent on the processor.
    pub thinktime_spin_us: u64,
    /// `thinktime_blocks`: operations between pauses; `None`: 1, or none with
    /// `thinktime_iotime`.
    pub thinktime_blocks: Option<u64>,
    /// `thinktime_blocks_type`.
    pub thinktime_blocks_type: ThinkBlocks,
    /// `thinktime_iotime`: time between pauses.
    pub thinktime_iotime_us: u64,
}

impl Default for RateOptions {
    fn default() -> Self {
        Self {
            rate: [0; 3],
            rate_min: [0; 3],
            rate_iops: [0; 3],
            rate_iops_min: [0; 3],
            rate_process: RateProcess::Linear,
            rate_cycle_ms: 1000,
            rate_ignore_thinktime: false,
            thinktime_us: 0,
            thinktime_spin_us: 0,
            thinktime_blocks: None,
            thinktime_blocks_type: ThinkBlocks::Complete,
            thinktime_iotime_us: 0,
        }
    }
}

/// `rate_process`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateProcess {
    /// Even steps.
    Linear,
    /// Random arrivals.
    Poisson,
}

/// `thinktime_blocks_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkBlocks {
    /// Operations completed.
    Complete,
    /// Operations issued.
    Issue,
}

/// Balance between jobs of one flow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlowOptions {
    /// `flow`: weight, 0 to 1000; 0: no flow.
    pub flow: u32,
    /// `flow_id`.
    pub flow_id: u32,
    /// `flow_sleep`: pause when ahead.
    pub flow_sleep_us: u64,
}

/// Latency targets and steady state.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalOptions {
    /// `latency_target`; 0: none.
    pub latency_target_us: u64,
    /// `latency_window`.
    pub latency_window_us: u64,
    /// `latency_percentile`: percent of the operations that must keep it.
    pub latency_percentile: f64,
    /// `latency_run`: go on after the depth is found.
    pub latency_run: bool,
    /// `max_latency`: a longer one ends the job; 0: none.
    pub max_latency_ns: PerDirection<u64>,
    /// `steadystate`; in use when `ss_dur_us` is not 0.
    pub steadystate: SteadyState,
    /// `ss_dur`: window; 0: no detection.
    pub ss_dur_us: u64,
    /// `ss_ramp`: wait before it.
    pub ss_ramp_us: u64,
    /// `ss_interval`: one sample each.
    pub ss_interval_ms: u64,
}

impl Default for GoalOptions {
    fn default() -> Self {
        Self {
            latency_target_us: 0,
            latency_window_us: 0,
            latency_percentile: 100.0,
            latency_run: false,
            max_latency_ns: [0; 3],
            steadystate: SteadyState {
                metric: SteadyMetric::Iops,
                slope: true,
                limit: SteadyLimit::Percent(0.01),
            },
            ss_dur_us: 0,
            ss_ramp_us: 0,
            ss_interval_ms: 1000,
        }
    }
}

/// `steadystate=iops_slope:0.1%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyState {
    /// What is watched.
    pub metric: SteadyMetric,
    /// Its slope, not its deviation.
    pub slope: bool,
    /// How much of it is steady.
    pub limit: SteadyLimit,
}

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SteadyMetric {
    /// Operations per second.
    Iops,
    /// Bandwidth.
    Bandwidth,
    /// Latency.
    Latency,
}

/// Limit of change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SteadyLimit {
    /// Percent of the mean.
    Percent(f64),
    /// In the metric's own unit: operations/s, bytes/s, ns.
    Absolute(f64),
}
