//! Bounds that keep a file of garbage, or a hostile one, from taking time and memory.

/// Most bytes of one job file.
pub const FILE_BYTES_MAX: u64 = input::TEXT_MAX;
/// Most bytes of one line, before and after `${VAR}` is put in.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// Most lines of a job file together with what it includes.
pub const LINES_MAX: usize = 200_000;
/// Most sections of one source.
pub const SECTIONS_MAX: usize = 16_384;
/// How deep includes may nest.
pub const INCLUDE_DEPTH_MAX: usize = 16;
/// Most options of all jobs of one source together, globals counted once per job.
pub const APPLIED_OPTIONS_MAX: usize = 4_000_000;
/// Longest name of a job, in bytes.
pub const NAME_BYTES_MAX: usize = 255;
