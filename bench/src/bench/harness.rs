//! What a bench is, and what the benches share.

use std::path::{Path, PathBuf};

use anyhow::Result;

pub(super) use super::measure::{
    PairedSamples, median, min_and_max, run_alternately, run_alternately_until, run_fio_command,
    run_fio_json, run_in_turns, time_command,
};
pub(super) use super::process_cost::{ProcessCost, read_cpu_s, read_peak_bytes, watch_process};
pub(super) use super::programs::{
    Figure, RUN_SECONDS, Reading, build_programs, hint_at_root, keep_processors_awake, number_at,
    one_cell_command, parse_reading, round_override, run_fio, run_one_cell, scratch_file,
    zram_device,
};
pub(super) use super::section::{Bound, Section};

pub(super) struct Bench {
    pub(super) name: &'static str,
    pub(super) heading: &'static str,
    pub(super) method: &'static str,
    /// The head of its table, as Markdown has it: `what | n`.
    pub(super) columns: &'static str,
    pub(super) tools: &'static [&'static str],
    pub(super) rounds: usize,
    pub(super) run: fn(&BenchContext<'_>, &mut Section) -> Result<()>,
}

pub(super) struct BenchContext<'a> {
    pub(super) root: &'a Path,
    pub(super) rounds: usize,
}

impl BenchContext<'_> {
    pub(super) fn repeat<T>(&self, once: impl FnMut(usize) -> Result<T>) -> Result<Vec<T>> {
        (0..self.rounds).map(once).collect()
    }

    pub(super) fn build_truedisk(&self) -> Result<PathBuf> {
        let arguments = ["-p", "truedisk", "--bin", "truedisk"];
        let [truedisk] = build_programs(self.root, &arguments, ["truedisk"])?;
        Ok(truedisk)
    }

    pub(super) fn build_one_cell(&self) -> Result<PathBuf> {
        let arguments = ["-p", "engine", "--example", "one_cell"];
        let [one_cell] = build_programs(self.root, &arguments, ["one_cell"])?;
        Ok(one_cell)
    }

    pub(super) fn build_one_cell_and_floor(&self) -> Result<[PathBuf; 2]> {
        let arguments = ["-p", "engine", "--example", "one_cell", "--bench", "floor"];
        build_programs(self.root, &arguments, ["one_cell", "floor"])
    }
}
