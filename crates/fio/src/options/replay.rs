//! Recording and replay.
// A field is the option of its name; its entry in the table says what it is.
#![allow(missing_docs)]

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::{
    Entry,
    Hosts::{Any, Local},
    NO_MAX, flag, floats, int, size, special, text,
};

/// Recording and replaying single operations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplayOptions {
    pub write_iolog: Option<String>,
    /// Clones take them in turn.
    pub read_iologs: Vec<String>,
    pub no_stall: bool,
    pub redirect: Option<String>,
    pub scale: u64,
    /// 0: offsets stay as they are.
    pub align: u64,
    /// Percent of the recorded speed.
    pub time_scale: u64,
    /// Left out: reads, writes, trims, flushes.
    pub skip: [bool; 4],
}

type O = ReplayOptions;

const MERGE: &str = "traces are not merged; merge them with blkparse, or run a job per trace";
const REPLAY: &str = "it names a file of the host beside what is measured; run it there with \
                      truedisk fio";

pub(super) const TABLE: &[Entry<O>] = &[
    text("write_iolog", "File to which all operations are written, for a replay.")
        .sets(Local(REPLAY), |o: &mut O| &mut o.write_iolog),
    text("read_iolog", "File whose operations are done again; several by colons.").reads(
        Local(REPLAY),
        |o: &mut O, reader| {
            o.read_iologs = reader.read_names("file names separated by colons")?;
            Ok(())
        },
    ),
    flag("read_iolog_chunked", "Read that file bit by bit.")
        .default("0")
        .under("read_iolog")
        .noted("how much of the file is read at a time is up to us")
        .checks(),
    flag("replay_no_stall", "Do not wait between operations as the recording did.")
        .default("0")
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.no_stall),
    text("replay_redirect", "File or device that takes the place of the recorded ones.")
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.redirect),
    int("replay_scale", "Divide places by this.").default("1").under("read_iolog").reads(
        Local(REPLAY),
        |o: &mut O, reader| {
            o.scale = reader.read_whole(1, u64::MAX)?;
            Ok(())
        },
    ),
    size("replay_align", "Round places down to a multiple of this.")
        .range(0, NO_MAX)
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.align),
    int("replay_time_scale", "Speed of the replay in percent; 200 halves waiting times.")
        .default("100")
        .range(1, NO_MAX)
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.time_scale),
    special("replay_skip", "Kinds of operations to leave out: read,write,trim,sync.")
        .under("read_iolog")
        .refused("all operations are replayed; remove the others from the file")
        .reads(Any, |o: &mut O, reader| {
            o.skip = read_skipped_kinds(reader)?;
            Ok(())
        }),
    text("merge_blktrace_file", "File into which traces are merged.").refused(MERGE),
    floats("merge_blktrace_scalars", "Speed of each merged trace, in percent.").refused(MERGE),
    floats("merge_blktrace_iters", "How often each merged trace is used.").refused(MERGE),
];

fn read_skipped_kinds(reader: &mut ValueReader<'_>) -> ValueResult<[bool; 4]> {
    let expected = "read, write, trim, sync, separated by commas";
    let mut skip = [false; 4];
    for word in reader.require_text(expected)?.split(',').map(str::trim) {
        match ["read", "write", "trim", "sync"].iter().position(|known| *known == word) {
            Some(index) => skip[index] = true,
            None => return Err(ValueProblem::new(format!("{word} is not known"), expected)),
        }
    }
    Ok(skip)
}
