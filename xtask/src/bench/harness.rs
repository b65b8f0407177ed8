//! What the benches share.

pub(super) use super::definition::{Bench, BenchContext};
pub(super) use super::measure::{
    PairedSamples, RatioOfMedians, median, min_and_max, run_alternately, run_alternately_until,
    run_fio_command, run_fio_json, run_in_turns, time_command,
};
pub(super) use super::process_cost::{ProcessCost, read_cpu_s, read_peak_bytes, watch_process};
pub(super) use super::programs::{
    Figure, RUN_SECONDS, Reading, build_programs, hint_at_root, median_reading, number_at,
    one_cell_command, parse_reading, round_override, run_fio, run_one_cell, scratch_file,
};
pub(super) use super::section::{Bound, Section};
