//! Recording and replay.

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::*;

/// Recording and replaying single operations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplayOptions {
    pub write_iolog: Option<String>,
    pub read_iologs: Vec<String>,
    pub no_stall: bool,
    pub redirect: Option<String>,
    pub scale: u64,
    /// 0: offsets stay as they are.
    pub align: u64,
    /// Percent of the recorded speed.
    pub time_scale: u64,
    /// Reads, writes, trims, and syncs of both kinds. fio 3.33 applies it to binary traces alone;
    /// here it holds for all.
    pub skip: [bool; 4],
}

type O = ReplayOptions;

const MERGE: &str = "traces are not merged; merge them with blkparse, or run a job per trace";
const REPLAY: &str = "it names a file of the host beside what is measured; run it there with \
                      truedisk fio";

pub(super) const TABLE: &[Entry<O>] = &[
    text("write_iolog", "", "File to which all operations are written, for a replay.")
        .sets(Local(REPLAY), |o: &mut O| &mut o.write_iolog),
    text("read_iolog", "", "File whose operations are done again; several by colons.").reads(
        Local(REPLAY),
        |o: &mut O, reader| {
            reader.read_names("file names separated by colons").map(|value| o.read_iologs = value)
        },
    ),
    flag("read_iolog_chunked", "0", "Read that file bit by bit.")
        .under("read_iolog")
        .noted("how much of the file is read at a time is up to us"),
    flag("replay_no_stall", "0", "Do not wait between operations as the recording did.")
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.no_stall),
    text("replay_redirect", "", "File or device that takes the place of the recorded ones.")
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.redirect),
    int("replay_scale", "1", "Divide places by this.")
        .under("read_iolog")
        .reads(Local(REPLAY), |o: &mut O, reader| {
            reader.read_whole(1, u64::MAX).map(|value| o.scale = value)
        }),
    size("replay_align", "", "Round places down to a multiple of this.")
        .range(0, NO_MAX)
        .under("read_iolog")
        .reads(Local(REPLAY), |o: &mut O, reader| {
            let align = reader.read_size(0)?;
            if align != 0 && !align.is_power_of_two() {
                return Err(ValueProblem::new("it is no power of two", "one, such as 4096"));
            }
            o.align = align;
            Ok(())
        }),
    int("replay_time_scale", "100", "Speed of the replay in percent; 200 halves waiting times.")
        .range(1, NO_MAX)
        .under("read_iolog")
        .sets(Local(REPLAY), |o: &mut O| &mut o.time_scale),
    special("replay_skip", "", "Kinds of operations to leave out: read,write,trim,sync.")
        .under("read_iolog")
        .refused("all operations are replayed; remove the others from the file")
        .reads(Any, |o: &mut O, reader| read_skipped_kinds(reader).map(|value| o.skip = value)),
    text("merge_blktrace_file", "", "File into which traces are merged.").refused(MERGE).unread(),
    floats("merge_blktrace_scalars", "", "Speed of each merged trace, in percent.")
        .refused(MERGE)
        .unread(),
    floats("merge_blktrace_iters", "", "How often each merged trace is used.")
        .refused(MERGE)
        .unread(),
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
