//! Recording and replay.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Log;

const MERGE: &str = "traces are not merged; merge them with blkparse, or run a job per trace";

pub(super) const TABLE: &[OptionSpec] = &[
    text("write_iolog", C, "File to which all operations are written, for a replay."),
    text("read_iolog", C, "File whose operations are done again; several by colons."),
    flag("read_iolog_chunked", C, "Read that file bit by bit.")
        .default("0")
        .under("read_iolog")
        .noted("how much of the file is read at a time is up to us"),
    flag("replay_no_stall", C, "Do not wait between operations as the recording did.")
        .default("0")
        .under("read_iolog"),
    text("replay_redirect", C, "File or device that takes the place of the recorded ones.")
        .under("read_iolog"),
    int("replay_scale", C, "Divide places by this.").default("1").under("read_iolog"),
    size("replay_align", C, "Round places down to a multiple of this.")
        .range(0, NO_MAX)
        .under("read_iolog"),
    int("replay_time_scale", C, "Speed of the replay in percent; 200 halves waiting times.")
        .default("100")
        .range(1, NO_MAX)
        .under("read_iolog"),
    special("replay_skip", C, "Kinds of operations to leave out: read,write,trim,sync.")
        .under("read_iolog")
        .refused("all operations are replayed; remove the others from the file"),
    text("merge_blktrace_file", C, "File into which traces are merged.").refused(MERGE),
    floats("merge_blktrace_scalars", C, "Speed of each merged trace, in percent.").refused(MERGE),
    floats("merge_blktrace_iters", C, "How often each merged trace is used.").refused(MERGE),
];
