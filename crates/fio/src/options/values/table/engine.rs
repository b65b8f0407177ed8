//! Interface, depth, batches, flushes.

use super::super::super::job::{Engine, JobOptions, SubmitMode, SyncMode};
use super::super::reader::{self, ValueReader};
use super::super::{ValueProblem, goal, lists};
use super::Table;

/// Engines that run.
const ENGINES: &[(&str, Engine)] = &[
    ("sync", Engine::Sync),
    ("psync", Engine::Psync),
    ("vsync", Engine::Vsync),
    ("pvsync", Engine::Pvsync),
    ("pvsync2", Engine::Pvsync2),
    ("libaio", Engine::Libaio),
    ("io_uring", Engine::IoUring),
    ("posixaio", Engine::Posixaio),
    ("mmap", Engine::Mmap),
    ("null", Engine::Null),
];

pub(super) const TABLE: Table = &[
    ("ioengine", set!(choice engine.engine, ENGINES)),
    ("direct", set!(flag engine.direct)),
    ("buffered", |o, i| {
        o.engine.direct = !i.flag()?;
        Ok(())
    }),
    ("atomic", set!(flag engine.atomic)),
    (
        "sync",
        set!(choice engine.sync, &[
            ("none", SyncMode::None),
            ("0", SyncMode::None),
            ("sync", SyncMode::Sync),
            ("1", SyncMode::Sync),
            ("dsync", SyncMode::Dsync),
        ]),
    ),
    ("iodepth", set!(u32 engine.iodepth, 1)),
    ("iodepth_batch", set!(u32 engine.batch_submit, 0)),
    ("iodepth_batch_submit", set!(u32 engine.batch_submit, 0)),
    ("iodepth_batch_complete_min", set!(u32 engine.batch_complete_min, 0)),
    ("iodepth_batch_complete", set!(u32 engine.batch_complete_min, 0)),
    ("iodepth_batch_complete_max", set!(some_u32 engine.batch_complete_max, 0)),
    ("iodepth_low", set!(some_u32 engine.iodepth_low, 0)),
    (
        "io_submit_mode",
        set!(choice engine.submit_mode, &[
            ("inline", SubmitMode::Inline),
            ("offload", SubmitMode::Offload),
        ]),
    ),
    ("serialize_overlap", set!(flag engine.serialize_overlap)),
    ("hipri", set!(switch engine.hipri)),
    ("hipri_percentage", set!(percent engine.hipri_percentage)),
    ("nowait", set!(switch engine.nowait)),
    ("uncached", set!(switch engine.uncached)),
    ("fixedbufs", set!(switch engine.fixedbufs)),
    ("registerfiles", set!(switch engine.registerfiles)),
    ("sqthread_poll", set!(switch engine.sqthread_poll)),
    ("sqthread_poll_cpu", set!(some_u32 engine.sqthread_poll_cpu, 0)),
    ("nonvectored", |o, i| {
        // -1 is fio's "as the kernel can", which is what we do.
        o.engine.nonvectored = i.signed(-1, i64::MAX)? != 0;
        Ok(())
    }),
    ("force_async", set!(u32 engine.force_async, 0)),
    ("userspace_reap", set!(switch engine.userspace_reap)),
    ("libaio_vectored", set!(switch engine.libaio_vectored)),
    ("thp", set!(switch engine.thp)),
    ("cmdprio_percentage", |o, i| pair(&mut o.engine.cmdprio.percentage, i, 100, |number| number)),
    ("cmdprio_class", |o, i| pair(&mut o.engine.cmdprio.class, i, 3, Some)),
    ("cmdprio", |o, i| pair(&mut o.engine.cmdprio.level, i, 7, |number| number)),
    ("cmdprio_bssplit", set!(text engine.cmdprio.bssplit)),
    ("fsync", set!(u32 sync.fsync, 0)),
    ("fdatasync", set!(u32 sync.fdatasync, 0)),
    ("write_barrier", set!(u32 sync.write_barrier, 0)),
    ("sync_file_range", |o, i| {
        o.sync.sync_file_range = Some(goal::read_sync_file_range(i)?);
        Ok(())
    }),
    ("end_fsync", set!(flag sync.end_fsync)),
    ("end_syncfs", set!(flag sync.end_syncfs)),
    ("fsync_on_close", set!(flag sync.fsync_on_close)),
    ("iomem", memory),
    ("mem", memory),
];

fn memory(o: &mut JobOptions, i: &mut ValueReader<'_>) -> Result<(), ValueProblem> {
    o.placement.mem = goal::read_buffer_memory(i)?;
    Ok(())
}

/// Small numbers for reads and writes.
fn pair<T: Copy>(
    slots: &mut [T; 2],
    input: &ValueReader<'_>,
    max: u8,
    wrap: fn(u8) -> T,
) -> Result<(), ValueProblem> {
    let expected = format!("a whole number up to {max}, or two for read,write");
    let text = input.text(&expected)?;
    let read = slots.first().copied();
    let (Some(read), [_, write]) = (read, *slots) else { return Ok(()) };
    let mut three = [read, write, write];
    lists::parse_per_direction(&mut three, text, &expected, |piece| {
        reader::parse_percent(piece)
            .ok()
            .filter(|number| *number <= max)
            .map(wrap)
            .ok_or_else(|| ValueProblem::new(format!("{piece} is not that"), expected.clone()))
    })?;
    *slots = [three[0], three[1]];
    Ok(())
}
